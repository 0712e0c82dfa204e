"""Running headers, footers and page numbers, so that they do not stand in the middle of what is read.

A line is dropped where all of this holds:

- It stands at the upper or lower edge of the page, nothing but other such lines beyond it, and white between it and
  the text.
- The same line, figures and page numbers in Roman or Chinese numerals left aside, stands at the same height on three
  pages or more; they need not follow each other, since left and right pages often differ. Two pages are enough where
  figures in it count up with the pages, and where the document has no more.
- It stands outside the body's zone: on other pages (but for one in ten, such as a cover) nothing else stands there.
- It is not printed larger than the text.

So a heading stays, which stands once or is larger; so does a table's head that is repeated on every page, which stands
in the body's zone, close to the rows below. Slanted text, such as a watermark, is dropped where it repeats on three
pages.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise
from statistics import median

from youju.loaders.page_layout import Line, PageLayout

_ZONE = 0.14  # of the page's height; running lines stand nearer to its edge
_SAME_HEIGHT = 3  # points
_LARGER = 1.15
_TEXT_SHARE = (
    0.85  # of all characters are no larger than the text; where tables are set small, the text is above the middle
)
_SEVERAL = 3
_FIGURES = re.compile(r"\d+")
_NUMBERS = re.compile(r"\d+|(?<=[第共])[一二三四五六七八九十百〇零]+(?=[页頁])")
_ROMAN = re.compile(r"[-–—·]*(?:[ivxlc]{1,8}|[IVXLC]{1,8}|[ⅰ-ⅻⅠ-Ⅻ])[-–—·]*")
_BLANKS = re.compile(r"\s+")


def drop_running(pages: Sequence[PageLayout]) -> None:
    """Take the running headers and footers out of the lines of all pages of a document."""
    heights = sorted((line.height, len(line.text)) for page in pages for line in page.lines if not line.slanted)
    if not heights:
        return
    counted = list(accumulate(length for _, length in heights))
    largest = _LARGER * heights[bisect_left(counted, _TEXT_SHARE * counted[-1])][0]
    marks = Counter(mark for page in pages for mark in {_folded(line) for line in page.lines if line.slanted})
    for upper in (True, False):
        edges = [_edge(page, upper=upper) for page in pages]
        running = _running(pages, edges, largest, upper=upper)
        for page, found in zip(pages, running, strict=True):
            gone = {id(line) for line in found}
            page.running += [line for line in page.lines if id(line) in gone]
            page.lines = [line for line in page.lines if id(line) not in gone]
    for page in pages:
        page.lines = [line for line in page.lines if not line.slanted or marks[_folded(line)] < _SEVERAL]


def _edge(page: PageLayout, *, upper: bool) -> list[Line]:
    """The lines in the zone at an edge, from the edge inwards."""
    lines = [line for line in page.lines if not line.slanted]
    if upper:
        return sorted((line for line in lines if line.bottom <= _ZONE * page.height), key=lambda line: line.top)
    zone = (1 - _ZONE) * page.height
    return sorted((line for line in lines if line.top >= zone), key=lambda line: -line.bottom)


def _running(
    pages: Sequence[PageLayout], edges: Sequence[list[Line]], largest: float, *, upper: bool
) -> list[list[Line]]:
    repeated = _repeated(pages, edges, largest, upper=upper)
    reach = [_reach(page, lines, repeated, upper=upper) for page, lines in zip(pages, edges, strict=True)]
    out = []
    for page, lines in zip(pages, edges, strict=True):
        taken: list[Line] = []
        for line in lines:
            if id(line) not in repeated:
                break
            distance = _distance(page, line, upper=upper)
            in_the_way = sum(body is not None and body <= distance + _SAME_HEIGHT for body in reach)
            if in_the_way > max(1, len(pages) // 10):
                break
            taken.append(line)
        out.append(_set_apart(page, taken, upper=upper))
    return out


def _repeated(pages: Sequence[PageLayout], edges: Sequence[list[Line]], largest: float, *, upper: bool) -> set[int]:
    """The identities of lines that stand on several pages at the same height."""
    stands: defaultdict[str, list[tuple[int, float, Line]]] = defaultdict(list)
    for number, (page, lines) in enumerate(zip(pages, edges, strict=True)):
        for line in lines:
            if line.height <= largest:
                stands[_folded(line)].append((number, _distance(page, line, upper=upper), line))
    repeated: set[int] = set()
    several = max(2, min(_SEVERAL, len(pages)))
    for found in stands.values():
        for number, distance, line in found:
            same = [one for one in found if abs(one[1] - distance) <= _SAME_HEIGHT]
            if len({one[0] for one in same}) >= several or _counts(number, line, same):
                repeated.add(id(line))
    return repeated


def _reach(page: PageLayout, lines: list[Line], repeated: set[int], *, upper: bool) -> float | None:
    """How near to the edge the page's text comes, the running lines left aside."""
    edge = {id(line) for line in lines if id(line) in repeated}
    rest = [line for line in page.lines if not line.slanted and id(line) not in edge]
    return min((_distance(page, line, upper=upper) for line in rest), default=None)


def _set_apart(page: PageLayout, taken: list[Line], *, upper: bool) -> list[Line]:
    """Of the running lines, those that white parts from the text; a table's head is close to its rows."""
    while taken:
        last = taken[-1]
        gone = {id(line) for line in taken}
        rest = [line for line in page.lines if not line.slanted and id(line) not in gone]
        if upper:
            white = min((line.top - last.bottom for line in rest), default=page.height)
        else:
            white = min((last.top - line.bottom for line in rest), default=page.height)
        if white >= max(0.5 * last.height, 1.2 * _usual_white(rest)):
            return taken
        taken = taken[:-1]
    return taken


def _usual_white(lines: Sequence[Line]) -> float:
    """The white between the lines of a page."""
    tops = sorted((line.top, line.bottom) for line in lines)
    gaps = [after[0] - before[1] for before, after in pairwise(tops) if after[0] > before[1]]
    return median(gaps) if len(gaps) > 2 else 0


def _counts(number: int, line: Line, same: Sequence[tuple[int, float, Line]]) -> bool:
    """Whether a figure of a line counts up with the pages."""
    figures = [int(figure) for figure in _FIGURES.findall(line.text[:200]) if len(figure) < 6]
    for other_number, _, other in same:
        others = [int(figure) for figure in _FIGURES.findall(other.text[:200]) if len(figure) < 6]
        if other_number != number and len(others) == len(figures):
            steps = [after - before for before, after in zip(figures, others, strict=True)]
            if other_number - number in steps:
                return True
    return False


def _distance(page: PageLayout, line: Line, *, upper: bool) -> float:
    return line.top if upper else page.height - line.bottom


def _folded(line: Line) -> str:
    text = _BLANKS.sub("", line.text)
    return "i" if _ROMAN.fullmatch(text) else _NUMBERS.sub("0", text)
