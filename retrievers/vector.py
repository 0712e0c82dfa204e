"""Search by meaning."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_core.documents import Document
from pydantic import SkipValidation

from youju.retrievers.base import Leg, require_question
from youju.retrievers.notes import searches_with
from youju.retrievers.sources import SupportsNearest, SupportsVectorSearch

_IMAGINED: ContextVar[str | None] = ContextVar("imagined", default=None)


@contextmanager
def imagining(passage: str) -> Iterator[None]:
    """Within the block, vector search takes a passage in the place of the question, and nothing else does."""
    token = _IMAGINED.set(passage)
    try:
        yield
    finally:
        _IMAGINED.reset(token)


class VectorRetriever(Leg):
    """Ranks documents by the cosine similarity of their vector to the question's.

    `score` is that similarity, in [-1, 1], larger is nearer. It is no probability, and where unrelated texts lie
    depends on the model: there are always `k` nearest documents, near or not.

    Below a `HydeRetriever`, and if the source has `nearest` and `embeddings` as a `KnowledgeBase` has, the imagined
    passage is compared in the question's place.
    """

    source: SkipValidation[SupportsVectorSearch]
    """What is searched, a `KnowledgeBase` for example."""
    name: str | None = "vector"

    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The documents nearest to the question."""
        require_question(query)
        passage, source = _IMAGINED.get(), self._nearest()
        if passage is None or source is None:
            return self.source.vector_search(query, k=limit, filter=conditions)
        searches_with(passage)
        [vector] = source.embeddings.embed_documents([passage])
        return source.nearest(vector, k=limit, filter=conditions)

    async def afind(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """`find`, with the model awaited and the store asked in a thread."""
        require_question(query)
        passage, source = _IMAGINED.get(), self._nearest()
        if passage is None or source is None:
            return await self.source.avector_search(query, k=limit, filter=conditions)
        searches_with(passage)
        [vector] = await source.embeddings.aembed_documents([passage])
        return await asyncio.to_thread(source.nearest, vector, k=limit, filter=conditions)

    def _nearest(self) -> SupportsNearest | None:
        source: Any = self.source
        return source if hasattr(source, "nearest") and hasattr(type(source), "embeddings") else None
