"""Retrievers: from a question to ranked documents, each a LangChain `BaseRetriever`."""

from langchain_core.retrievers import BaseRetriever

from youju.knowledge import KnowledgeBase
from youju.retrievers.base import DEFAULT_K
from youju.retrievers.bm25 import BM25Retriever
from youju.retrievers.hybrid import HybridRetriever
from youju.retrievers.ngram import NgramRetriever
from youju.retrievers.overlap import OverlapRetriever
from youju.retrievers.parent import CHUNKS_A_BLOCK, ParentRetriever
from youju.retrievers.vector import VectorRetriever
from youju.settings import BM25Settings, HybridSettings, NgramSettings, OverlapSettings, RetrieverSettings

__all__ = [
    "BM25Retriever",
    "HybridRetriever",
    "NgramRetriever",
    "OverlapRetriever",
    "ParentRetriever",
    "VectorRetriever",
    "build_retriever",
]


def build_retriever(
    base: KnowledgeBase, settings: RetrieverSettings | None = None, *, fetch_k: int | None = None
) -> BaseRetriever:
    """Make the retriever, or the tree of retrievers, that the settings describe.

    Args:
        base: What is searched.
        settings: The retriever; None takes the base's own settings.
        fetch_k: How many documents a retriever returns whose settings do not say; None takes its own default.
    """
    settings = settings or base.settings.retriever
    if fetch_k is None and base.settings.splitter.kind == "parent":
        k = settings.k or DEFAULT_K
        of_chunks = settings.model_copy(update={"k": k * CHUNKS_A_BLOCK})
        return ParentRetriever(retriever=_of_chunks(base, of_chunks, None), source=base, k=k)
    return _of_chunks(base, settings, fetch_k)


def _of_chunks(base: KnowledgeBase, settings: RetrieverSettings, fetch_k: int | None) -> BaseRetriever:
    k = settings.k or fetch_k
    if isinstance(settings, HybridSettings):
        k = k or DEFAULT_K
        return HybridRetriever(
            retrievers=[_of_chunks(base, leg, fetch_k=max(k, settings.fetch_k)) for leg in settings.retrievers],
            weights=[leg.weight for leg in settings.retrievers],
            c=settings.rrf_k,
            k=k,
            filter=settings.filter,
        )
    if isinstance(settings, OverlapSettings):
        return OverlapRetriever(source=base, k=k or 2, threshold=settings.threshold, filter=settings.filter)
    if isinstance(settings, NgramSettings):
        return NgramRetriever(source=base, k=k or 2, filter=settings.filter)
    if isinstance(settings, BM25Settings):
        return BM25Retriever(source=base, k=k or DEFAULT_K, filter=settings.filter)
    return VectorRetriever(source=base, k=k or DEFAULT_K, filter=settings.filter)
