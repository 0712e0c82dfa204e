"""The text of a page as it was written, and what a sentence that runs on takes from the next page."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from youju.loaders.page_cleaning import (
    CELL_GAP,
    begins_anew,
    clean_page,
    clean_with_origins,
    join,
    runs_on,
    usual_width,
)
from youju.loaders.page_footnotes import footnotes_last
from youju.loaders.page_layout import Line, PageLayout
from youju.loaders.page_tracing import Traced
from youju.text import SENTENCE_MARK

_ANEW = "  "  # before a line that does not go on with the one before it; cleaning takes it for an indent
_INDENT = 1.2  # of the line's height
_HEADING = re.compile(r"第|\d+\.\d")
_SAME_INDENT = 0.5
_OTHER_SIZE = 1.15
_SLIGHTLY_OTHER_SIZE = 1.1
_EXTRA_WHITE = 0.8
_CLAUSE_ENDS = ("；", ";", "：", ":")


@dataclass
class PageText:
    """What was read from a page.

    Attributes:
        number: The page, from 1.
        text: Its clean text; origins are indices of the raw text.
        lines: The printed lines, without those that the text leaves out; none where the engine gives no places.
        starts: Where in the raw text each line starts.
        ocr: Whether the text was read off an image.
        first: First printed line, clean.
        last: Last printed line before the footnotes, clean.
        usual: Width of a full line where the last line stands.
        last_line: That line.
        foot: Where in the raw text the footnotes at the page's foot begin; None where there are none.
        running: The running header and footer, a line each, which the text leaves out.
    """

    number: int
    text: Traced
    lines: list[Line] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ocr: bool = False
    first: str = ""
    last: str = ""
    usual: float = 0
    last_line: Line | None = None
    foot: int | None = None
    running: str = ""

    def append(self, text: str) -> None:
        """Add a text that has no place of its own to the end."""
        more = Traced.put_in(text)
        self.text = Traced.join("\n", [self.text, more]) if self.text.text else more
        self.last, self.foot = "", None

    def box(self, index: int) -> tuple[int, tuple[float, ...]] | None:
        """The line's number, and the box, of the character at an index of the raw text; None where it has no place."""
        line = bisect_right(self.starts, index) - 1
        if line < 0:
            return None
        at = 4 * (index - self.starts[line])
        box = tuple(self.lines[line].places[at : at + 4]) if at >= 0 else ()
        return (line, box) if any(box) else None


@dataclass
class Unit:
    """The text of a document: a page's, and the end of its last sentence from the next page, before its footnotes.

    Attributes:
        page: The page it begins on.
        parts: Pages and what stands on each.
    """

    page: PageText
    parts: list[tuple[PageText, Traced]]

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(part.text for _, part in self.parts)

    @property
    def page_break(self) -> int | None:
        """Where the text of the next page begins; None where there is none of it."""
        return None if len(self.parts) == 1 else len(self.parts[0][1].text)

    @property
    def page_return(self) -> int | None:
        """Where its own page goes on after that, with footnotes; None where it does not."""
        return None if len(self.parts) < 3 else sum(len(part.text) for _, part in self.parts[:2])


def plain_text(number: int, raw: str, *, ocr: bool = False) -> PageText:
    """A page whose engine gives lines without places."""
    return _with_edges(PageText(number, clean_with_origins(raw), ocr=ocr), raw.splitlines(), None)


def placed_text(number: int, layout: PageLayout) -> PageText:
    """A page whose lines have places."""
    white = _usual_white(layout.lines)
    usual = _widths(layout.lines)
    lines, count = footnotes_last(
        layout.lines,
        white,
        lambda line, following: (
            not _anew(line, following, None, white) and runs_on(line.text, following.text, usual[line.column])
        ),
    )
    widths = [usual[line.column] for line in lines]
    starts, raw, length = [], [], 0
    for index, line in enumerate(lines):
        after = lines[index + 1] if index + 1 < len(lines) else None
        mark = _ANEW if index and (index == count or _anew(lines[index - 1], line, after, white)) else ""
        starts.append(length + len(mark))
        raw.append(mark + line.text)
        length += len(raw[-1]) + 1
    text = clean_with_origins("\n".join(raw), widths)
    running = clean_page("\n".join(_ANEW + line.text for line in layout.running if line not in lines))
    page = _with_edges(PageText(number, text, lines, starts, running=running), raw[:count], widths[:count])
    if count < len(lines):
        page.foot = starts[count]
    return page


def units(pages: Sequence[PageText]) -> list[Unit]:
    """The documents of pages with text; one that took all of the next page's text leaves none of it."""
    out: list[Unit] = []
    for page in pages:
        before = out[-1] if out else None
        rest = page.text
        if before is not None and before.page_break is None and _goes_on(before.page, page):
            end = _sentence_end(page.text.text)
            text, notes = _parted(before.page, before.parts[0][1])
            if end and text.text:
                head = join([text], page.text[:end])
                before.parts = [(before.page, Traced.concat(head[:-1])), (page, head[-1])]
                if notes.text:
                    before.parts.append((before.page, Traced.join("\n", [Traced.of(""), notes])))
                rest = page.text[end:].strip()
        if rest.text:
            out.append(Unit(page, [(page, rest)]))
    return out


def _parted(page: PageText, text: Traced) -> tuple[Traced, Traced]:
    """The text of a page before the footnotes at its foot, and these."""
    foot = page.foot
    at = next((at for at, origin in enumerate(text.origins) if foot is not None and origin >= foot), len(text.text))
    return text[:at].strip(), text[at:]


def _with_edges(page: PageText, raw: Sequence[str], widths: Sequence[float] | None) -> PageText:
    lines = [clean_with_origins(line).text for line in raw]
    filled = [index for index, line in enumerate(lines) if line]
    if filled:
        page.first, page.last = lines[filled[0]], lines[filled[-1]]
        page.usual = widths[filled[-1]] if widths else usual_width(lines)
        page.last_line = page.lines[filled[-1]] if page.lines else None
    return page


def _widths(lines: Sequence[Line]) -> dict[tuple[float, float], float]:
    """For each column, how wide a full line is."""
    columns: dict[tuple[float, float], list[str]] = {}
    for line in lines:
        columns.setdefault(line.column, []).append(line.text.strip())
    return {column: usual_width(texts) for column, texts in columns.items()}


def _usual_white(lines: Sequence[Line]) -> float:
    gaps = sorted(
        after.top - before.bottom
        for before, after in pairwise(lines)
        if after.top > before.top and after.column == before.column
    )
    return gaps[len(gaps) // 2] if gaps else 0.0


def _anew(before: Line, line: Line, after: Line | None, white: float) -> bool:
    """Whether a line cannot go on with the one before it, by where it stands and how large it is."""
    low, high = sorted((before.height, line.height))
    if line.slanted or line.is_row or before.is_row or high > _OTHER_SIZE * low:
        return True
    if line.column != before.column:
        if line.top <= before.top:  # the top of the next column
            return _is_indented(line)
        ends_it = line.right < before.right and abs(line.left - before.left) < _SAME_INDENT * high
        return not ends_it or line.top - before.bottom > white + _EXTRA_WHITE * high
    if line.top - before.bottom > white + _EXTRA_WHITE * high:
        return True
    if line.left <= before.left + _INDENT * high:
        return False
    return not _hangs(line, after, in_item=_is_item(before.text))


def _is_item(text: str) -> bool:
    """Whether a line begins a list item; a full line that begins otherwise, as 第三条 or 2.1, is a heading."""
    return begins_anew(text) and not _HEADING.match(text)


def _hangs(line: Line, after: Line | None, *, in_item: bool) -> bool:
    """Whether an indented line goes on with the one before it, as all but the first of a list item or a reference do.

    A paragraph's first line is indented too, but the line after it is not.
    """
    if in_item or after is None or after.column != line.column:
        return in_item
    low, high = sorted((line.height, after.height))
    return high <= _SLIGHTLY_OTHER_SIZE * low and abs(after.left - line.left) < _SAME_INDENT * line.height


def _is_indented(line: Line) -> bool:
    return line.left > line.column[0] + _INDENT * line.height


def _goes_on(before: PageText, page: PageText) -> bool:
    """Whether a page begins in the middle of the sentence that the page before it ends with."""
    if page.number != before.number + 1 or before.ocr or page.ocr or CELL_GAP in page.first:
        return False
    if not (before.last and page.first) or not runs_on(before.last, page.first, before.usual):
        return False
    last, first = before.last_line, page.lines[0] if page.lines else None
    if not (last and first):
        return True
    low, high = sorted((last.height, first.height))
    if high > _OTHER_SIZE * low or any(line.slanted or line.is_row for line in (last, first)):
        return False
    if not _is_indented(first):
        return True
    return _is_item(_parted(before, before.text)[0].text.rsplit("\n", 1)[-1])


def _sentence_end(text: str) -> int:
    """Where the sentence ends that a page begins with, at the latest with its first paragraph; 0 where nothing ends."""
    paragraph = text.split("\n", 1)[0]
    found = SENTENCE_MARK.search(paragraph)
    if found:
        return found.end()
    return len(paragraph) if paragraph.endswith(_CLAUSE_ENDS) else 0
