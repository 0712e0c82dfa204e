"""Only documents with a certain score."""

from typing import Self

from langchain_core.documents import Document
from pydantic import model_validator

from youju.errors import SettingsError
from youju.retrievers.configured import within
from youju.retrievers.documents import score_of
from youju.retrievers.notes import best, drop
from youju.retrievers.transformer import Transformer

FUSED = frozenset({"HybridRetriever", "EnsembleRetriever", "MultiQueryRetriever", "HydeRetriever"})
"""Classes whose score is made of ranks."""


class ThresholdRetriever(Transformer):
    """Leaves out documents whose `score` is below a threshold; the others pass as they are.

    The score is the one that the wrapped retriever sets last, on its own scale: cosine similarity over a vector search,
    [0, 1] over a reranker. Fused scores say how legs agree and nothing of nearness, so they are refused.
    """

    threshold: float
    """Least score of a document that is returned."""
    name: str | None = "threshold"

    @model_validator(mode="after")
    def _has_a_scale(self) -> Self:
        scored = within(self.retriever)
        while isinstance(scored, Transformer) and not scored.sets_score:
            scored = within(scored.retriever)
        if FUSED & {cls.__name__ for cls in type(scored).__mro__}:
            raise ValueError(
                f"{type(scored).__name__} 的得分只在一个问题之内可比，不表示相关程度，不能用 threshold；"
                "请把 threshold 放在 rerank 或单独一路检索之上"
            )
        return self

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:  # noqa: ARG002 - of the class above
        """The documents that reach the threshold."""
        kept = []
        for document in documents:
            score = score_of(document)
            if score is None:
                raise SettingsError(f"检索器 {self.retriever.get_name()} 给的资料没有得分，不能用 threshold")
            if score >= self.threshold:
                kept.append(document)
            else:
                drop(document, "score", f"得分 {score:.4g} 低于阈值 {self.threshold:g}", score=score)
        return best(kept, limit)
