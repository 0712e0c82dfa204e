"""A second look at what was found, by a model that reads question and passage together."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

from langchain_core.documents import Document
from pydantic import Field, SkipValidation, model_validator

from youju.errors import ModelError
from youju.knowledge.identity import shown_text
from youju.models.keys import error_text
from youju.models.rerankers import Reranker, SupportsScores
from youju.retrievers.configured import at_call
from youju.retrievers.documents import ranks_of, with_metadata
from youju.retrievers.notes import best, drop
from youju.retrievers.transformer import Transformer
from youju.retrievers.writing import LOG


class RerankRetriever(Transformer):
    """Orders the documents of another retriever by a reranker's score.

    The model reads what is shown of a document: its text, and the head of its table before the rows of one. As many are
    scored as the wrapped retriever's own `k` says (at least the `k` wanted); the best `k` are returned.
    `score` and `rerank_score` are the reranker's, in [0, 1]; the earlier score is kept as `retrieval_score`, and the
    place in the new order, counted before anything is left out, is added to `ranks`. Equal scores stay in their order.

    Example:
        >>> from youju.retrievers import BM25Retriever
        >>> class Shorter:
        ...     def score(self, query, passages):
        ...         return [1 / len(passage) for passage in passages]
        >>> found = BM25Retriever.from_texts(["年假为十天", "年假十天"])
        >>> [document.page_content for document in RerankRetriever(retriever=found, model=Shorter()).invoke("年假")]
        ['年假十天', '年假为十天']
    """

    sets_score: ClassVar[bool] = True
    model: SkipValidation[Reranker | SupportsScores]
    """What scores; an object of your own with `score(query, passages)` is wrapped in a `Reranker`."""
    threshold: float = Field(default=0.0, ge=0, le=1)
    """Least score of a document that is returned."""
    keep_keyword_hits: int = Field(default=0, ge=0)
    """So many of the best hits of the keyword leg are returned, whatever the model says of them."""
    keyword_leg: str = "bm25"
    """The name of the keyword leg in `ranks`; of several that are numbered (`bm25_1`), the best rank counts."""
    on_error: Literal["fail", "keep_order"] = "fail"
    """What follows when the model fails: its error, or the order of before and a warning of the logger `youju`."""
    name: str | None = "rerank"

    @model_validator(mode="after")
    def _with_comparable_scores(self) -> Self:
        if not isinstance(self.model, Reranker):
            self.model = Reranker(self.model)
        return self

    def depth(self, limit: int) -> int:
        """As many as the wrapped retriever returns by itself."""
        own: Any = getattr(at_call(self.retriever), "k", None)
        return max(limit, own) if isinstance(own, int) else limit

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """The best documents in the model's order."""
        if not documents:
            return []
        try:
            scores = self._reranker().scores(query, _texts(documents))
        except ModelError as error:
            return self._as_before(error, documents, limit)
        return self._best(documents, scores, limit)

    async def achanged(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """`changed` for asynchronous callers."""
        if not documents:
            return []
        try:
            scores = await self._reranker().ascores(query, _texts(documents))
        except ModelError as error:
            return self._as_before(error, documents, limit)
        return self._best(documents, scores, limit)

    def _reranker(self) -> Reranker:
        assert isinstance(self.model, Reranker)  # noqa: S101 - made one when the retriever was made
        return self.model

    def _as_before(self, error: ModelError, documents: list[Document], limit: int) -> list[Document]:
        if self.on_error == "fail":
            raise error
        LOG.warning("重排没有成功，按原来的次序给出：%s", error_text(error))
        return best(documents, limit, "没有重排，按原来的次序")

    def _best(self, documents: Sequence[Document], scores: Sequence[float], limit: int) -> list[Document]:
        order = sorted(range(len(documents)), key=lambda place: -scores[place])
        kept = set(self._keyword_hits(documents, limit))
        passed = [place for place in order if place not in kept and scores[place] >= self.threshold]
        chosen = kept | set(passed[: limit - len(kept)])
        out = []
        for rank, place in enumerate(order, start=1):
            document, score = documents[place], scores[place]
            if place in chosen:
                out.append(self._scored(document, score, rank))
            elif score < self.threshold:
                drop(document, "score", f"重排得分 {score:.4g} 低于阈值 {self.threshold:g}", rank=rank, score=score)
            else:
                saved = f"，其中 {len(kept)} 个位置留给关键词命中" if kept else ""
                drop(document, "rank", f"重排后第 {rank} 名，只留前 {limit}{saved}", rank=rank, score=score)
        return out

    def _keyword_hits(self, documents: Sequence[Document], limit: int) -> list[int]:
        """The places of the best keyword hits."""
        best: dict[int, int] = {}
        for place, document in enumerate(documents):
            ranks = ranks_of(document)
            own = [
                rank for name, rank in ranks.items() if re.fullmatch(rf"{re.escape(self.keyword_leg)}(?:_\d+)?", name)
            ]
            if own:
                best[place] = min(own)
        return sorted(best, key=lambda place: best[place])[: min(self.keep_keyword_hits, limit)]

    def _scored(self, document: Document, score: float, rank: int) -> Document:
        ranks = {**ranks_of(document), self.get_name(): rank}
        earlier = {"retrieval_score": document.metadata["score"]} if "score" in document.metadata else {}
        return with_metadata(document, **earlier, score=score, rerank_score=score, ranks=ranks)


def _texts(documents: Sequence[Document]) -> list[str]:
    """What the model reads; a document without text of its own stays without."""
    return [shown_text(document) if document.page_content.strip() else "" for document in documents]
