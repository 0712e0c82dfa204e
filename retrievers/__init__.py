"""Retrievers: from a question to ranked documents, each a LangChain `BaseRetriever`."""

from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable

from youju.errors import SettingsError
from youju.knowledge import KnowledgeBase
from youju.retrievers.base import DEFAULT_K
from youju.retrievers.bm25 import BM25Retriever
from youju.retrievers.compress import CompressRetriever
from youju.retrievers.current import CurrentRetriever
from youju.retrievers.fate import Fate, Step
from youju.retrievers.hybrid import HybridRetriever
from youju.retrievers.hyde import HydeRetriever
from youju.retrievers.multi_query import MultiQueryRetriever
from youju.retrievers.ngram import NgramRetriever
from youju.retrievers.notes import Dropped
from youju.retrievers.overlap import OverlapRetriever
from youju.retrievers.parent import CHUNKS_A_BLOCK, ParentRetriever
from youju.retrievers.rerank import RerankRetriever
from youju.retrievers.self_query import SelfQueryRetriever
from youju.retrievers.stages import Hit, Stage
from youju.retrievers.threshold import ThresholdRetriever
from youju.retrievers.trace import RetrievalTrace, RetrievalTracer, aexplain, explain
from youju.retrievers.transformer import Transformer
from youju.retrievers.vector import VectorRetriever
from youju.settings import (
    BM25Settings,
    ChatSettings,
    CompressSettings,
    CurrentSettings,
    HybridSettings,
    HydeSettings,
    MultiQuerySettings,
    NgramSettings,
    OverlapSettings,
    ParentSettings,
    RerankSettings,
    RetrieverSettings,
    SelfQuerySettings,
    ThresholdSettings,
    VectorSettings,
    holds,
)

__all__ = [
    "BM25Retriever",
    "CompressRetriever",
    "CurrentRetriever",
    "Dropped",
    "Fate",
    "Hit",
    "HybridRetriever",
    "HydeRetriever",
    "MultiQueryRetriever",
    "NgramRetriever",
    "OverlapRetriever",
    "ParentRetriever",
    "RerankRetriever",
    "RetrievalTrace",
    "RetrievalTracer",
    "SelfQueryRetriever",
    "Stage",
    "Step",
    "ThresholdRetriever",
    "Transformer",
    "VectorRetriever",
    "aexplain",
    "build_retriever",
    "explain",
]

_Chat = BaseChatModel | Runnable[Any, Any]


def build_retriever(
    base: KnowledgeBase,
    settings: RetrieverSettings | None = None,
    *,
    fetch_k: int | None = None,
    chat: _Chat | None = None,
) -> BaseRetriever:
    """Make the retriever, or the tree of retrievers, that the settings describe.

    Args:
        base: What is searched.
        settings: The retriever; None takes the base's own settings.
        fetch_k: How many documents a retriever returns whose settings do not say; None takes its own default.
        chat: A model for the retrievers that need one, in the place of those that the settings name.

    Raises:
        SettingsError: A retriever needs a chat model that can write, and the settings name the built-in one.
        MissingExtraError: A package for a model is not installed.
        ModelError: A model cannot be made: a key is missing, or it cannot be loaded.
    """
    settings = settings or base.settings.retriever
    if fetch_k is None and base.settings.splitter.kind == "parent" and not holds(settings, {"parent"}):
        k = settings.k or DEFAULT_K
        of_chunks = settings.model_copy(update={"k": k * CHUNKS_A_BLOCK})
        return ParentRetriever(retriever=_of_chunks(base, of_chunks, None, chat), source=base, k=k)
    return _of_chunks(base, settings, fetch_k, chat)


def _of_chunks(
    base: KnowledgeBase, settings: RetrieverSettings, fetch_k: int | None, chat: _Chat | None
) -> BaseRetriever:
    k = settings.k or fetch_k or (2 if isinstance(settings, OverlapSettings | NgramSettings) else DEFAULT_K)
    if isinstance(settings, HybridSettings):
        return HybridRetriever(
            retrievers=[_of_chunks(base, leg, max(k, settings.fetch_k), chat) for leg in settings.retrievers],
            weights=[leg.weight for leg in settings.retrievers],
            c=settings.rrf_k,
            fusion=settings.fusion,
            lead=settings.lead,
            k=k,
            filter=settings.filter,
        )
    if isinstance(settings, OverlapSettings):
        return OverlapRetriever(source=base, k=k, threshold=settings.threshold, filter=settings.filter)
    if isinstance(settings, NgramSettings):
        return NgramRetriever(source=base, k=k, filter=settings.filter)
    if isinstance(settings, BM25Settings):
        return BM25Retriever(source=base, k=k, filter=settings.filter)
    if isinstance(settings, VectorSettings):
        return VectorRetriever(
            source=base,
            k=k,
            filter=settings.filter,
            search_type=settings.search_type,
            fetch_k=settings.fetch_k,
            lambda_mult=settings.lambda_mult,
        )
    return _around(base, settings, k, chat)


def _around(base: KnowledgeBase, settings: Any, k: int, chat: _Chat | None) -> Transformer:
    """A transformer with what it wraps."""
    depth = k
    if isinstance(settings, RerankSettings):
        depth = max(k, settings.fetch_k)
    elif isinstance(settings, ParentSettings):
        depth = k * CHUNKS_A_BLOCK
    below = _of_chunks(base, settings.base, depth, chat)
    common: dict[str, Any] = {"retriever": below, "k": k, "filter": settings.filter}
    if isinstance(settings, RerankSettings):
        from youju.models.rerankers import build_reranker  # noqa: PLC0415 - only where one is wanted

        return RerankRetriever(
            **common,
            model=build_reranker(settings),
            threshold=settings.threshold,
            keep_keyword_hits=settings.keep_keyword_hits,
            on_error=settings.on_error,
        )
    if isinstance(settings, ThresholdSettings):
        return ThresholdRetriever(**common, threshold=settings.threshold)
    if isinstance(settings, CompressSettings):
        return CompressRetriever(**common, **_judge(base, settings, chat), neighbours=settings.neighbours)
    if isinstance(settings, CurrentSettings):
        return CurrentRetriever(**common, source=base, document_key=settings.document_key)
    if isinstance(settings, ParentSettings):
        return ParentRetriever(**common, source=base)
    common["chat"] = chat if chat is not None else _chat_of(settings, base.settings.chat)
    if isinstance(settings, SelfQuerySettings):
        return SelfQueryRetriever(**common, fields=settings.fields)
    if isinstance(settings, MultiQuerySettings):
        return MultiQueryRetriever(
            **common, queries=settings.queries, question_share=settings.question_share, c=settings.rrf_k
        )
    return HydeRetriever(**common, question_share=settings.question_share, c=settings.rrf_k)


def _judge(base: KnowledgeBase, settings: CompressSettings, chat: _Chat | None) -> dict[str, Any]:
    """How a compression judges sentences, with the model it needs."""
    if settings.by == "vectors":
        return {"by": "vectors", "embeddings": base.embeddings, "threshold": settings.threshold}
    if settings.by == "chat":
        return {"by": "chat", "chat": chat if chat is not None else _chat_of(settings, base.settings.chat)}
    return {}


def _chat_of(
    settings: CompressSettings | HydeSettings | MultiQuerySettings | SelfQuerySettings, usual: ChatSettings
) -> BaseChatModel:
    from youju.models import build_chat_model  # noqa: PLC0415 - only where one is wanted

    wanted = settings.chat or usual
    if wanted.model == "extractive":
        raise SettingsError(
            f"{settings.kind} 需要会写作的聊天模型，内置的 extractive 只会摘录原文。"
            "请在 chat 一节或它自己的 chat 里写出模型，例如 openai:gpt-4o-mini"
        )
    return build_chat_model(wanted)
