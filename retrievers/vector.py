"""Search by meaning."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from pydantic import SkipValidation

from youju.retrievers.base import Leg, SupportsNearest, SupportsVectorSearch, ranked, require_question

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

    `similarity` is the same and stays when other retrievers set a `score` of their own.

    Below a `HydeRetriever`, and if the source has `nearest` and `embeddings` as a `KnowledgeBase` has, the imagined
    passage is compared in the question's place; documents then have no `similarity`.
    """

    source: SkipValidation[SupportsVectorSearch]
    """What is searched, a `KnowledgeBase` for example."""
    name: str | None = "vector"

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain passes it
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        require_question(query)
        limit, conditions = self.limit(k), self.conditions(filter)
        passage, source = _IMAGINED.get(), self._nearest()
        if passage is None or source is None:
            found = _compared(self.source.vector_search(query, k=limit, filter=conditions))
        else:
            [vector] = source.embeddings.embed_documents([passage])
            found = source.nearest(vector, k=limit, filter=conditions)
        return ranked(found, self.name or "vector")

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain passes it
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        require_question(query)
        limit, conditions = self.limit(k), self.conditions(filter)
        passage, source = _IMAGINED.get(), self._nearest()
        if passage is None or source is None:
            found = _compared(await self.source.avector_search(query, k=limit, filter=conditions))
        else:
            [vector] = await source.embeddings.aembed_documents([passage])
            found = await asyncio.to_thread(source.nearest, vector, k=limit, filter=conditions)
        return ranked(found, self.name or "vector")

    def _nearest(self) -> SupportsNearest | None:
        source: Any = self.source
        return source if hasattr(source, "nearest") and hasattr(type(source), "embeddings") else None


def _compared(documents: list[Document]) -> list[Document]:
    """Note how near each document is to the question, under a name that no later step uses."""
    for document in documents:
        document.metadata["similarity"] = document.metadata["score"]
    return documents
