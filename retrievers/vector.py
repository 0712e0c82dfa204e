"""Search by meaning."""

from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from pydantic import SkipValidation

from youju.retrievers.base import Leg, SupportsVectorSearch, ranked, require_question


class VectorRetriever(Leg):
    """Ranks documents by the cosine similarity of their vector to the question's.

    `score` is that similarity, in [-1, 1], larger is nearer. It is no probability, and where unrelated texts lie
    depends on the model: there are always `k` nearest documents, near or not.
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
        found = self.source.vector_search(query, k=self.limit(k), filter=self.conditions(filter))
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
        found = await self.source.avector_search(query, k=self.limit(k), filter=self.conditions(filter))
        return ranked(found, self.name or "vector")
