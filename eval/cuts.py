"""Sentences that chunks hold, cut or lose."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from youju.eval.result import CutPlace
from youju.text import sentences

Spans = Sequence[Sequence[tuple[int, int]]]
"""For each document, the spans of its chunks in its text."""


@dataclass(frozen=True)
class Sentence:
    """A sentence, by its document's number and its span there.

    Attributes:
        first: Where its first letter, digit or Han character stands: marks at its ends may go with a neighbour.
        last: Where the last one ends.
    """

    document: int
    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True)
class Cut:
    """What became of a sentence that is not left alone.

    Attributes:
        at: Where the chunk that holds its beginning ends, or the first chunk in it begins, counted in the sentence.
        lost: Whether no chunk holds it whole.
    """

    at: int
    lost: bool


def find_sentences(documents: Sequence[Document]) -> list[Sentence]:
    """All sentences of all documents, in order."""
    found = []
    for number, document in enumerate(documents):
        text = document.page_content
        for start, end in sentences(text):
            first = next(at for at in range(start, end) if text[at].isalnum())
            last = next(at for at in range(end, start, -1) if text[at - 1].isalnum())
            found.append(Sentence(number, start, end, first, last))
    return found


def find_cuts(spans: Spans, all_sentences: Sequence[Sentence]) -> dict[Sentence, Cut]:
    """The sentences in which a chunk begins or ends, or that no chunk holds whole."""
    chunks = [_Chunks(one) for one in spans]
    found = {sentence: chunks[sentence.document].cut(sentence) for sentence in all_sentences}
    return {sentence: cut for sentence, cut in found.items() if cut is not None}


class _Chunks:
    """The chunks of one document."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = sorted(end for _, end in ordered)
        self._reach: list[int] = []  # the furthest end of the chunks up to here
        for _, end in ordered:
            self._reach.append(max(end, self._reach[-1] if self._reach else 0))

    def cut(self, sentence: Sentence) -> Cut | None:
        start, end = sentence.first, sentence.last
        before = bisect_right(self._starts, start)
        reach = self._reach[before - 1] if before else 0
        begins = self._starts[before] if before < len(self._starts) and self._starts[before] < end else None
        place = bisect_right(self._ends, start)
        ends = self._ends[place] if place < bisect_left(self._ends, end) else None
        lost = reach < end
        if begins is None and ends is None and not lost:
            return None
        at = ends if ends is not None else begins if begins is not None else end
        return Cut(at - sentence.start, lost)


def cut_places(
    documents: Sequence[Document], all_sentences: Sequence[Sentence], cuts: Mapping[str, Mapping[Sentence, Cut]]
) -> list[CutPlace]:
    """The sentences that some strategies cut and others keep, the most telling first."""
    found: list[tuple[tuple[int, int, int], CutPlace]] = []
    for sentence in all_sentences:
        by = {name: one[sentence] for name, one in cuts.items() if sentence in one}
        kept = [name for name in cuts if name not in by]
        if not by or not kept:
            continue
        document = documents[sentence.document]
        place = CutPlace(
            source=str(document.metadata.get("source", "")),
            location=str(document.metadata.get("location", document.metadata.get("source", ""))),
            start=int(document.metadata.get("start", 0)) + sentence.start,
            sentence=document.page_content[sentence.start : sentence.end],
            kept_by=kept,
            cut_by={name: cut.at for name, cut in by.items()},
            lost_by=[name for name, cut in by.items() if cut.lost],
        )
        length = sentence.end - sentence.start
        middle = max(min(cut.at, length - cut.at) for cut in by.values())
        found.append(((-len(place.lost_by), -len(kept), -middle), place))
    return [place for _, place in sorted(found, key=lambda pair: pair[0])]
