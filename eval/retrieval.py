"""Questions asked of the chunks of one strategy, in memory."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever

from youju.eval.measures import measure
from youju.eval.questions import Gold, Question
from youju.eval.result import RetrievalFigures, Retriever
from youju.knowledge import search_text
from youju.retrievers import BM25Retriever, HybridRetriever, VectorRetriever
from youju.retrievers.parent import ParentRetriever
from youju.settings import HybridSettings

MEASURES = ("Success@1", "Success@5", "Success@10", "RR@10")
_DEEPEST = 10
_ENOUGH = 80
"""A chunk answers if it holds so many percent of a quote, or if so many percent of it are quote."""
_NOWHERE = "nowhere"


class Vectors:
    """An embedding model that is asked once for each text, whichever strategies share it."""

    def __init__(self, embeddings: Embeddings) -> None:
        self.embeddings = embeddings
        self._passages: dict[str, list[float]] = {}
        self._questions: dict[str, list[float]] = {}

    def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """The vectors of passages."""
        new = [text for text in dict.fromkeys(texts) if text not in self._passages]
        if new:
            self._passages.update(zip(new, self.embeddings.embed_documents(new), strict=True))
        return [self._passages[text] for text in texts]

    def question(self, text: str) -> list[float]:
        """The vector of a question."""
        if text not in self._questions:
            self._questions[text] = self.embeddings.embed_query(text)
        return self._questions[text]


def retrieval_figures(
    chunks: Sequence[Document],
    blocks: Sequence[Document],
    questions: Sequence[Question],
    golds: Sequence[Sequence[Gold]],
    *,
    retriever: Retriever,
    vectors: Vectors | None,
) -> RetrievalFigures:
    """Ask all questions and measure what is found.

    Args:
        chunks: What is searched; the metadata `unit` is the number of a chunk's document, `start` and `end` its span.
        blocks: The larger blocks that chunks name by `parent_id`; they are what is found, and what must hold the quote.
        questions: What is asked.
        golds: The places that answer each question.
        retriever: How to search.
        vectors: The model; None if the retriever needs none.
    """
    searched = [
        Document(id=str(number), page_content=search_text(chunk), metadata=_place(chunk))
        for number, chunk in enumerate(chunks)
    ]
    read = [Document(id=block.id, page_content=block.page_content, metadata=_place(block)) for block in blocks]
    search = in_memory_retriever(searched, retriever, vectors)
    if read:
        search = ParentRetriever(retriever=search, source=_Blocks(read), k=_DEEPEST)
    places = _Places(read or searched)
    right = [places.right(gold) for gold in golds]
    found = [search.invoke(question.text) for question in questions]
    measures, ranks = _measure(found, right)
    top = [sum(passage.metadata["characters"] for passage in passages[:5]) for passages in found]
    return RetrievalFigures(
        retriever=retriever, questions=len(questions), measures=measures, top_5_characters=fmean(top), ranks=ranks
    )


def _place(passage: Document) -> dict[str, Any]:
    metadata = passage.metadata
    parent = {"parent_id": metadata["parent_id"]} if "parent_id" in metadata else {}
    kept = {"unit": metadata["unit"], "start": metadata["start"], "end": metadata["end"]}
    return {**kept, "characters": len(passage.page_content), **parent}


def in_memory_retriever(chunks: list[Document], kind: Retriever, vectors: Vectors | None) -> BaseRetriever:
    """Search chunks in memory, ten deep.

    Args:
        chunks: What is searched, by its `page_content`.
        kind: How.
        vectors: The model; without one, search is by keywords whatever the kind.
    """
    defaults = HybridSettings()
    depth = _DEEPEST if kind != "hybrid" else defaults.fetch_k
    words = BM25Retriever.from_documents(chunks, k=depth)
    if vectors is None or kind == "bm25":
        return words
    meaning = VectorRetriever(source=_VectorSearch(chunks, vectors), k=depth)
    if kind == "vector":
        return meaning
    weights = [leg.weight for leg in defaults.retrievers]
    return HybridRetriever(
        retrievers=[words, meaning],
        weights=weights,
        c=defaults.rrf_k,
        fusion=defaults.fusion,
        lead=defaults.lead,
        k=_DEEPEST,
    )


class _VectorSearch:
    """Chunks in memory, compared one by one."""

    def __init__(self, chunks: list[Document], vectors: Vectors) -> None:
        self._chunks = chunks
        self._vectors = vectors
        self._matrix = _rows(vectors.passages([chunk.page_content for chunk in chunks])) if chunks else None

    def vector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002, ARG002 - LangChain's name; none is set here
        import numpy as np  # noqa: PLC0415 - only for vectors

        if not self._chunks:
            return []
        scores = self._matrix @ _rows([self._vectors.question(query)])[0]
        return [
            Document(
                id=self._chunks[at].id,
                page_content=self._chunks[at].page_content,
                metadata={**self._chunks[at].metadata, "score": float(scores[at])},
            )
            for at in np.argsort(-scores, kind="stable")[:k]
        ]

    async def avector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - as above
        return self.vector_search(query, k=k, filter=filter)


def _rows(vectors: Sequence[Sequence[float]]) -> Any:
    """Vectors of length 1, one a row."""
    import numpy as np  # noqa: PLC0415 - only for vectors

    matrix = np.asarray(vectors, dtype=np.float32)
    return matrix / np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), np.float32(1e-12))


class _Blocks:
    """Blocks in memory."""

    def __init__(self, blocks: Iterable[Document]) -> None:
        self._blocks = {str(block.id): block for block in blocks}

    def parents(self, ids: Sequence[str]) -> dict[str, Document]:
        return {block_id: self._blocks[block_id] for block_id in ids if block_id in self._blocks}


class _Places:
    """Where passages stand."""

    def __init__(self, passages: Iterable[Document]) -> None:
        by_unit: dict[int, list[tuple[int, int, str]]] = {}
        for passage in passages:
            metadata = passage.metadata
            by_unit.setdefault(metadata["unit"], []).append((metadata["start"], metadata["end"], str(passage.id)))
        self._by_unit = {unit: sorted(found) for unit, found in by_unit.items()}
        self._longest = {unit: max(end - start for start, end, _ in found) for unit, found in self._by_unit.items()}

    def right(self, golds: Iterable[Gold]) -> set[str]:
        """The passages that answer."""
        found = set()
        for gold in golds:
            passages = self._by_unit.get(gold.document, [])
            first = bisect_left(passages, (gold.start - self._longest.get(gold.document, 0),))
            for start, end, passage_id in passages[first:]:
                if start >= gold.end:
                    break
                common = min(end, gold.end) - max(start, gold.start)
                if common > 0 and 100 * common >= _ENOUGH * min(gold.end - gold.start, end - start):
                    found.add(passage_id)
        return found


def _measure(
    found: Sequence[Sequence[Document]], right: Sequence[set[str]]
) -> tuple[dict[str, float], list[int | None]]:
    asked = {str(number): [str(passage.id) for passage in passages] for number, passages in enumerate(found)}
    # a question that no chunk answers would be left out of the mean: it gets an answer that is never found
    answers = {str(number): dict.fromkeys(ids or {_NOWHERE}, 1) for number, ids in enumerate(right)}
    measures = measure(asked, answers, MEASURES).means
    ranks = [
        next((rank for rank, passage in enumerate(passages[:_DEEPEST], start=1) if passage.id in ids), None)
        for passages, ids in zip(found, right, strict=True)
    ]
    return measures, ranks
