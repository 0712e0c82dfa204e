"""The embeddings object that `build_embeddings` returns: any model, with prefixes, batches, checks and clear errors."""

import math
import re
from collections.abc import Iterator, Sequence

from langchain_core.embeddings import Embeddings

from youju.errors import ModelError
from youju.models.failures import model_errors
from youju.models.limits import InputLimit

_UNSENDABLE = re.compile("[\x00\ud800-\udfff]")


def sendable(text: str) -> str:
    """Put a blank for characters that cannot be sent to a model: NUL, which ends a C string, and lone surrogates."""
    return _UNSENDABLE.sub(" ", text)


class CheckedEmbeddings(Embeddings):
    """Another embeddings object, with what the settings ask for around it.

    Texts get their prefix and go out in batches; awaited calls stay awaited down to the inner object. What comes back
    must be one finite vector a text, all of one length, or the call fails: a vector in the wrong place would be stored
    and found under the wrong text for ever after.

    Attributes:
        inner: The embeddings object that does the work.
        name: The model as the settings name it.
        limit: How much text the model reads at once; None if it has no limit.
    """

    def __init__(
        self,
        inner: Embeddings,
        name: str,
        *,
        batch_size: int = 32,
        query_prefix: str = "",
        passage_prefix: str = "",
        limit: InputLimit | None = None,
    ) -> None:
        self.inner = inner
        self.name = name
        self.limit = limit
        self._batch_size = batch_size
        self._query_prefix = query_prefix
        self._passage_prefix = passage_prefix

    def __repr__(self) -> str:
        return f"CheckedEmbeddings({self.name!r})"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Turn passages into vectors, in their order.

        Raises:
            ModelError: The provider failed, or gave something else than one finite vector a text.
        """
        vectors: list[list[float]] = []
        for batch in self._batches(texts):
            with model_errors(self.name):
                found = self.inner.embed_documents(batch)
            vectors.extend(self._checked(found, len(batch)))
        return self._of_one_length(vectors)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Do the same as `embed_documents` without blocking."""
        vectors: list[list[float]] = []
        for batch in self._batches(texts):
            with model_errors(self.name):
                found = await self.inner.aembed_documents(batch)
            vectors.extend(self._checked(found, len(batch)))
        return self._of_one_length(vectors)

    def embed_query(self, text: str) -> list[float]:
        """Turn a question into a vector.

        Raises:
            ModelError: The provider failed, or gave something else than a finite vector.
        """
        with model_errors(self.name):
            found = self.inner.embed_query(self._query_prefix + sendable(text))
        return self._checked([found], 1)[0]

    async def aembed_query(self, text: str) -> list[float]:
        """Do the same as `embed_query` without blocking."""
        with model_errors(self.name):
            found = await self.inner.aembed_query(self._query_prefix + sendable(text))
        return self._checked([found], 1)[0]

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        for start in range(0, len(texts), self._batch_size):
            yield [self._passage_prefix + sendable(text) for text in texts[start : start + self._batch_size]]

    def _checked(self, vectors: list[list[float]], expected: int) -> list[list[float]]:
        if len(vectors) != expected:
            raise ModelError(f"给 {self.name} 发了 {expected} 段文字，回来 {len(vectors)} 个向量。请换一个模型或服务")
        for vector in vectors:
            if not vector or not all(isinstance(value, int | float) and math.isfinite(value) for value in vector):
                raise ModelError(f"{self.name} 给的向量是空的，或者含有不是有限数的值。请换一个模型或服务")
        return vectors

    def _of_one_length(self, vectors: list[list[float]]) -> list[list[float]]:
        lengths = sorted({len(vector) for vector in vectors})
        if len(lengths) > 1:
            raise ModelError(f"{self.name} 给的向量长度不一：{'、'.join(map(str, lengths))}。请换一个模型或服务")
        return vectors
