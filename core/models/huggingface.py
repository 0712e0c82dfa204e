"""Embedding models that run on this machine through sentence-transformers (extra `huggingface`)."""

import math
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings

from youju.errors import MissingExtraError, ModelRequestError, SettingsError
from youju.models.keys import hide_secrets
from youju.models.limits import InputLimit

_PASSAGE_PROMPTS = ("document", "passage", "corpus")  # the names sentence-transformers looks for, in its order


class HuggingFaceEmbeddings(Embeddings):
    """A sentence-transformers model, with vectors of length 1.

    A prefix takes the place of the prompt that the model brings for questions or passages; without one the model's
    own is used. Code that comes with a model is never run.

    Attributes:
        name: Name on the Hugging Face hub, or path of a folder.
        limit: How much text the model reads at once; None for models without a limit.
    """

    def __init__(self, name: str, *, batch_size: int = 32, query_prefix: str = "", passage_prefix: str = "") -> None:
        """Load the model, downloading it on first use.

        Raises:
            MissingExtraError: sentence-transformers is not installed.
            SettingsError: The name is empty, or a path that does not exist.
            ModelRequestError: There is no such model, or it cannot be loaded or downloaded.
        """
        self.name = found_name(name, "BAAI/bge-small-zh-v1.5")
        self._model = load_pretrained("SentenceTransformer", self.name)
        self._batch_size = batch_size
        self._query_prompt = query_prefix or self._own_prompt(("query",))
        self._passage_prompt = passage_prefix or self._own_prompt(_PASSAGE_PROMPTS)
        self._lock = threading.Lock()  # the tokenizer cannot be used by two threads at a time

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Turn passages into vectors, in their order."""
        if not texts:
            return []
        return self._encode(self._model.encode_document, texts, self._passage_prompt)

    def embed_query(self, text: str) -> list[float]:
        """Turn a question into a vector."""
        return self._encode(self._model.encode_query, [text], self._query_prompt)[0]

    @property
    def limit(self) -> InputLimit | None:
        """How much text the model reads at once, by its own tokenizer; None for models without a limit."""
        longest = self._model.max_seq_length
        if longest is None or not math.isfinite(longest):
            return None
        return InputLimit(int(longest), self._count, exact=True)

    def _count(self, text: str) -> int:
        with self._lock:
            encoded = self._model.tokenizer(self._passage_prompt + text, truncation=False, verbose=False)
        return len(encoded["input_ids"])

    def _encode(self, encode: Any, texts: list[str], prompt: str) -> list[list[float]]:
        with self._lock:
            vectors: list[list[float]] = encode(
                texts,
                prompt=prompt,
                batch_size=self._batch_size,
                normalize_embeddings=True,
                show_progress_bar=False,
            ).tolist()
        return vectors

    def _own_prompt(self, names: tuple[str, ...]) -> str:
        prompts: dict[str, str] = self._model.prompts
        for name in (*names, self._model.default_prompt_name):
            if prompts.get(name):
                return prompts[name]
        return ""


def found_name(name: str, example: str) -> str:
    """The name of a model as the library takes it.

    Args:
        name: What stands behind `huggingface:`.
        example: A name to show where there is none.

    Raises:
        SettingsError: The name is empty, or a path that does not exist.
    """
    if not name:
        raise SettingsError(f"huggingface: 后面缺少模型名，例如 huggingface:{example}")
    if not name.startswith((".", "/", "~")):
        return name
    path = Path(name).expanduser()
    if not path.is_dir():
        raise SettingsError(f"huggingface:{name}：没有这个文件夹。请检查路径，或改写模型在 Hugging Face 上的名字")
    return str(path)


def load_pretrained(kind: str, name: str) -> Any:
    """Load a model of sentence-transformers. Code that comes with a model is never run.

    Args:
        kind: The class of that library, such as `SentenceTransformer`.
        name: Name on the hub, or path of a folder.

    Raises:
        MissingExtraError: sentence-transformers is not installed.
        ModelRequestError: There is no such model, or it cannot be loaded.
    """
    try:
        # by name, since type checkers see the package in some environments and not in others
        library = import_module("sentence_transformers")
    except ModuleNotFoundError as error:
        if error.name != "sentence_transformers":
            raise
        raise MissingExtraError("sentence-transformers", "huggingface", f"使用 huggingface:{name} ") from None
    try:
        return getattr(library, kind)(name, trust_remote_code=False)
    except (OSError, ValueError) as error:
        said = " ".join(hide_secrets(str(error)).split())[:200]
        raise ModelRequestError(
            f"加载不了模型 huggingface:{name}。请检查名字或路径；第一次使用要联网下载。原因：{said}"
        ) from None
