"""The statute splitter: one article a chunk, for laws, contracts and policies."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from langchain_core.documents import Document

from youju.loaders.places import one_line
from youju.splitters.articles import ENDS, NUMERAL, Place, Unit, find_units
from youju.splitters.base import Span, chunk_metadata, tidy
from youju.splitters.recursive import RecursiveSplitter

_LINE = re.compile(r"\n+")
_ITEM = re.compile(
    rf"[ \t\u3000]*(?:[（(][{NUMERAL}]{{1,4}}[）)]|[{NUMERAL}]{{1,4}}[、．.](?![0-9])|[0-9０-９]{{1,2}}[）)]|[①-⑳])"
)


class StatuteSplitter(RecursiveSplitter):
    r"""Splits at 第N条: an article is a chunk where it fits, and shares it with no other.

    A heading 第N章 goes with the article after it. A long article is cut between its paragraphs, then between its
    items （一） or 1、, then as `RecursiveSplitter` does; only inside one is `chunk_overlap` repeated. A line that only
    refers to an article (第十二条的规定) opens none. Chunks carry `article`, the headings above it, and a `location`
    that ends with the article's name; a file that comes page by page keeps its place from one page to the next.

    Example:
        >>> StatuteSplitter(chunk_size=40, chunk_overlap=0).split_text("第一条 请假须申请。\n第二条 年假为十天。")
        ['第一条 请假须申请。', '第二条 年假为十天。']
    """

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        return self._spans(text, find_units(text))

    def notes(self, text: str, spans: Sequence[Span]) -> list[dict[str, Any]]:
        """The article and the headings of each chunk."""
        return [_note(unit) for unit in _units_of(text, spans, find_units(text))]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents, those of one file in its order; see `SpanSplitter.split_documents`."""
        chunks = []
        source, place = None, Place()
        for document in documents:
            text, metadata = document.page_content, document.metadata
            if source is None or metadata.get("source") != source:
                place = Place()
            elif "page" not in metadata:  # a section, not a page: it begins with a heading of its own
                place = Place(last=place.last)
            source = metadata.get("source")
            units = find_units(text, place)
            spans = self._spans(text, units)
            for (start, end), unit in zip(spans, _units_of(text, spans, units), strict=True):
                own = _with_unit(chunk_metadata(metadata, start, end), unit)
                chunks.append(Document(page_content=text[start:end], metadata=own))
        return chunks

    def _spans(self, text: str, units: Iterable[Unit]) -> list[Span]:
        found: list[Span] = []
        for unit in units:
            if self._fits(text, unit.start, unit.end):
                found.append((unit.start, unit.end))
            else:
                found += self._merge(text, self._parts(text, unit.start, unit.end))
        return tidy(text, found, self.chunk_size)

    def _parts(self, text: str, start: int, end: int) -> Iterator[Span]:
        """The paragraphs of an article, each cut at its items where it does not fit."""
        paragraphs, items = _line_starts(text, start, end)
        for left, right in pairwise([start, *paragraphs, end]):
            if self._fits(text, left, right):
                yield left, right
                continue
            inner = items[bisect_right(items, left) : bisect_right(items, right - 1)]
            for item, item_end in pairwise([left, *inner, right]):
                if self._fits(text, item, item_end):
                    yield item, item_end
                else:
                    yield from self._pieces(text, item, item_end, 0)

    def _fits(self, text: str, start: int, end: int) -> bool:
        return end - start <= self.chunk_size or len(text[start:end].rstrip()) <= self.chunk_size


def _line_starts(text: str, start: int, end: int) -> tuple[list[int], list[int]]:
    """Where paragraphs begin, each with the items under it, and where items do; a line printed on two begins none."""
    paragraphs, items = [], []
    for match in _LINE.finditer(text, start, end):
        if match.end() >= end:
            break
        if _ITEM.match(text, match.end()):
            items.append(match.end())
        elif text[start : match.start()][-1:] in ENDS or len(match.group()) > 1:
            paragraphs.append(match.end())
    return paragraphs, items


def _units_of(text: str, spans: Iterable[Span], units: Sequence[Unit]) -> list[Unit]:
    """The unit that each span belongs to, by its first letter: marks before that may be a neighbour's."""
    starts = [unit.start for unit in units]
    letters = (next(at for at in range(start, end) if text[at].isalnum()) for start, end in spans)
    return [units[bisect_right(starts, letter) - 1] for letter in letters]


def _note(unit: Unit) -> dict[str, Any]:
    note: dict[str, Any] = {"article": unit.article} if unit.article else {}
    if unit.path:
        note["headings"] = one_line(" > ".join(unit.path))
    return note


def _with_unit(metadata: dict[str, Any], unit: Unit) -> dict[str, Any]:
    """A chunk's metadata with its article and its headings, where the document does not name them already."""
    own = str(metadata.get("headings") or "")
    known = ["".join(name.split()) for name in own.split(" > ")]
    path = [name for name in unit.path if "".join(name.split()) not in known]
    if path:
        metadata["headings"] = one_line(" > ".join([own, *path] if own else path))
    if unit.article:
        metadata["article"] = unit.article
        if not any(name.startswith(unit.article) for name in known):
            where = metadata.get("location") or metadata.get("source") or ""
            metadata["location"] = f"{where} {unit.article}".strip()
    return metadata
