"""Search by meaning."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, Self

from langchain_core.documents import Document
from pydantic import Field, SkipValidation, model_validator

from youju.retrievers.base import Leg, require_question
from youju.retrievers.notes import best, drop, searches_with
from youju.retrievers.sources import SupportsNearest, SupportsVectorSearch

_IMAGINED: ContextVar[str | None] = ContextVar("imagined", default=None)


@contextmanager
def imagining(passage: str | None) -> Iterator[None]:
    """Within the block, vector search takes a passage in the place of the question, and nothing else does.

    None is no passage.
    """
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

    With `search_type="mmr"`, the documents are chosen one by one from the `fetch_k` nearest: the nearest first, then
    always the one with the largest `lambda_mult * similarity to the question - (1 - lambda_mult) * similarity to the
    nearest one chosen` (Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents
    and Producing Summaries", SIGIR 1998). Their order is that of being chosen; `score` stays the similarity.

    Below a `HydeRetriever`, and if the source has `nearest` and `embeddings` as a `KnowledgeBase` has, the imagined
    passage is compared in the question's place; documents then have no `similarity`.
    """

    source: SkipValidation[SupportsVectorSearch]
    """What is searched, a `KnowledgeBase` for example."""
    search_type: Literal["similarity", "mmr"] = "similarity"
    """`mmr` asks for variety; the source must tell its passages' vectors."""
    fetch_k: int = Field(default=20, ge=1)
    """Candidates of `mmr`; never fewer than `k`."""
    lambda_mult: float = Field(default=0.5, ge=0, le=1)
    """Of `mmr`: 1 looks at nearness to the question alone, 0 at variety alone."""
    name: str | None = "vector"

    @model_validator(mode="after")
    def _can_tell_vectors(self) -> Self:
        if self.search_type == "mmr" and not (hasattr(self.source, "vectors") and self._nearest()):
            raise ValueError("search_type 是 mmr 时，source 要能给出资料的向量（如 KnowledgeBase）")
        return self

    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The documents nearest to the question."""
        require_question(query)
        passage, source = _IMAGINED.get(), self._nearest()
        if source is None or (passage is None and self.search_type == "similarity"):
            return _compared(self.source.vector_search(query, k=limit, filter=conditions))
        if passage is None:
            return _compared(self._near(source, source.embeddings.embed_query(query), limit, conditions))
        searches_with(passage)
        [vector] = source.embeddings.embed_documents([passage])
        return self._near(source, vector, limit, conditions)

    async def afind(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """`find`, with the model awaited and the store asked in a thread."""
        require_question(query)
        passage, source = _IMAGINED.get(), self._nearest()
        if source is None or (passage is None and self.search_type == "similarity"):
            return _compared(await self.source.avector_search(query, k=limit, filter=conditions))
        if passage is None:
            vector = await source.embeddings.aembed_query(query)
            return _compared(await asyncio.to_thread(self._near, source, vector, limit, conditions))
        searches_with(passage)
        [vector] = await source.embeddings.aembed_documents([passage])
        return await asyncio.to_thread(self._near, source, vector, limit, conditions)

    def _near(
        self, source: SupportsNearest, vector: list[float], limit: int, conditions: dict[str, Any] | None
    ) -> list[Document]:
        if self.search_type == "similarity":
            return source.nearest(vector, k=limit, filter=conditions)
        found = source.nearest(vector, k=max(limit, self.fetch_k), filter=conditions)
        return best(found, limit) if self.lambda_mult == 1 else self._varied(vector, found, limit)

    def _varied(self, vector: list[float], found: list[Document], limit: int) -> list[Document]:
        """Some of the documents found, near the question and unlike one another."""
        import numpy as np  # noqa: PLC0415 - as below
        from langchain_core.vectorstores.utils import maximal_marginal_relevance  # noqa: PLC0415 - only for mmr

        source: Any = self.source
        vectors = source.vectors([document.id for document in found])
        found = [document for document in found if document.id in vectors]  # the base may have changed in between
        rows = [vectors[document.id] for document in found]
        chosen = maximal_marginal_relevance(np.asarray(vector), rows, self.lambda_mult, limit)
        for place, document in enumerate(found):
            if place not in chosen:
                reason = f"按相似度第 {place + 1} 名，mmr 选了与它不同的 {limit} 块"
                drop(document, "rank", reason, rank=place + 1, score=document.metadata.get("score"))
        return [found[place] for place in chosen]

    def _nearest(self) -> SupportsNearest | None:
        source: Any = self.source
        return source if hasattr(source, "nearest") and hasattr(type(source), "embeddings") else None


def _compared(documents: list[Document]) -> list[Document]:
    """Note how near each document is to the question, under a name that no later step uses."""
    for document in documents:
        document.metadata["similarity"] = document.metadata["score"]
    return documents
