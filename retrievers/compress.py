"""Only the sentences that bear on the question."""

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from pydantic import Field

from youju.retrievers.documents import key_of, with_metadata
from youju.retrievers.notes import best, drop
from youju.retrievers.overlap import overlap_tokens
from youju.retrievers.transformer import Transformer
from youju.text import fold, sentences

_ENOUGH = 0.5  # a sentence bears on the question if it weighs at least half as much as the best one of its document


class CompressRetriever(Transformer):
    """Keeps of each document the sentences that bear on the question, word for word, and drops the others.

    A sentence bears on it if it holds at least half as many of the question's words and pairs of neighbouring Han
    characters as the best sentence of the document does. A document in which none does, or that holds a table, stays
    whole.

    Sentences that stand side by side stay joined as they were; where some are left out between, a line end stands.
    `kept` lists the `[start, end]` of each run in the text that the document's `start` and `end` count in, and these
    two become those of the first and last run; for documents without them `kept` counts in the document itself.
    """

    neighbours: int = Field(default=0, ge=0)
    """Sentences kept on each side of one that bears on the question."""
    name: str | None = "compress"

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """The documents, shortened."""
        asked = overlap_tokens(fold(query))
        return [self._shortened(document, asked) for document in best(documents, limit)]

    def _shortened(self, document: Document, asked: frozenset[str]) -> Document:
        text = document.page_content
        spans = sentences(text)
        weights = [len(asked & overlap_tokens(fold(text[start:end]))) for start, end in spans]
        best = max(weights, default=0)
        if not best or any(line.lstrip().startswith("|") for line in text.splitlines()):
            return document
        chosen = {at for at, weight in enumerate(weights) if weight >= _ENOUGH * best}
        wanted = {near for at in chosen for near in range(at - self.neighbours, at + self.neighbours + 1)}
        runs = _runs(spans, wanted)
        if len(runs) == 1 and runs[0] == (spans[0][0], spans[-1][1]):
            return document
        for at, (start, end) in enumerate(spans):
            if at not in wanted:
                drop(document, "sentence", "句子与问题无关", text=text[start:end])
        shorter = _of_runs(document, runs)
        if document.id is None:  # what it is known by holds its text
            drop(document, "replaced", "只留下与问题有关的句子", became=key_of(shorter))
        return shorter


def _runs(spans: Sequence[tuple[int, int]], wanted: set[int]) -> list[tuple[int, int]]:
    """The wanted spans, those side by side joined."""
    out: list[tuple[int, int]] = []
    for at, (start, end) in enumerate(spans):
        if at in wanted:
            if at - 1 in wanted and out:
                out[-1] = (out[-1][0], end)
            else:
                out.append((start, end))
    return out


def _of_runs(document: Document, runs: Sequence[tuple[int, int]]) -> Document:
    text, first, last = document.page_content, document.metadata.get("start"), document.metadata.get("end")
    counted = isinstance(first, int) and isinstance(last, int) and last - first == len(text)
    offset = first if counted and isinstance(first, int) else 0
    kept = [[start + offset, end + offset] for start, end in runs]
    places: dict[str, Any] = {"start": kept[0][0], "end": kept[-1][1]} if counted else {}
    shorter = Document(
        id=document.id, page_content="\n".join(text[start:end] for start, end in runs), metadata=document.metadata
    )
    return with_metadata(shorter, **places, kept=kept)
