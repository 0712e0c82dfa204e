"""Characters with their places to printed lines in reading order.

Neighbours drawn one after the other make pieces of a line; pieces side by side make the line, unless a white gutter
parts two columns of running text (`page_columns`). In a row of a table the cells stay in one line, from left to right,
a tab between them. What is drawn twice nearly at the same place, imitation bold or a shadow, counts once. A page whose
characters stand below each other is turned over, so that its columns become lines, from right to left. Slanted text,
such as a watermark, never gets into the lines: it follows them.
"""

import re
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from youju.loaders.page_columns import reading_order
from youju.loaders.page_grid import Grid
from youju.loaders.page_pieces import (
    DRAWN,
    JOINED,
    PIECE_GAP,
    SAME_COLUMN,
    SAME_LINE,
    WIDEST_BLANK,
    Piece,
    is_han,
    is_mark,
    pieces_of,
)
from youju.loaders.pdf_glyphs import Glyph, PageGlyphs, turned

Place = tuple[float, float, float, float]

CELL_GAP = "\t"
"""What parts the cells of a table's row in a line."""

_MARK_GAP = 1.2  # a Chinese mark brings white of its own
_HAN_GAP = 0.6  # blanks that justifying puts between Han characters are narrower
_MIXED_GAP = 0.35  # so are those between Han and Latin characters
_LATIN_GAP = 0.16
_FIGURE_GAP = 0.5  # figures are never justified: so far apart, they stand in two cells
_DOUBLE = 0.25  # of the height: how far a second print of the same character is off at most
_BAND = 16  # points; doubles are looked for in the same strip of the page
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]")


@dataclass(slots=True)
class Line:
    """A printed line.

    Attributes:
        text: Its characters; a tab parts cells.
        places: The box of each character, four numbers a character, on the page as shown; zeros for blanks put in.
        left: Where it begins, in the direction of reading, as are the others.
        top: Its upper edge.
        right: Its end.
        bottom: Its lower edge.
        column: Left and right edge of the column it stands in.
        height: The height of its characters.
        slanted: Whether it is turned otherwise than the page's text.
        is_row: Whether it is a row of a ruled table, on however many printed lines.
    """

    text: str
    places: "array[float]"
    left: float
    top: float
    right: float
    bottom: float
    column: tuple[float, float]
    height: float
    slanted: bool = False
    is_row: bool = False


@dataclass
class PageLayout:
    """The lines of a page in reading order, and the page's measures in the direction of reading.

    Attributes:
        width: Of the page, along its lines.
        height: Of the page, across its lines.
        lines: The lines of its text.
        running: Those of its running header and footer.
    """

    width: float = 0
    height: float = 0
    lines: list[Line] = field(default_factory=list)
    running: list[Line] = field(default_factory=list)


def lay_out(page: PageGlyphs) -> PageLayout:
    """Find the lines of a page and their order."""
    width, height = (page.height, page.width) if page.turns % 2 else (page.width, page.height)
    glyphs = [
        Glyph(glyph.text, *turned(glyph[1:], page.turns, page.width, page.height)) if page.turns else glyph
        for glyph in page.upright
    ]
    glyphs = _once(_apart(glyphs))

    def back(place: Place) -> Place:
        return turned(place, -page.turns, width, height) if page.turns else place

    overlap = SAME_LINE
    if _is_vertical(glyphs):
        glyphs = [Glyph(text, top, width - right, bottom, width - left) for text, left, top, right, bottom in glyphs]
        upright, page_width = back, width

        def back(place: Place) -> Place:
            left, top, right, bottom = place
            return upright((page_width - bottom, left, page_width - top, right))

        width, height = height, width
        overlap = SAME_COLUMN
    lines = []
    pieces = pieces_of(glyphs, overlap)
    if overlap == SAME_LINE:
        rules = [turned(rule, page.turns, page.width, page.height) for rule in page.rules]
        pieces = Grid(rules).rows(pieces)
    for block in reading_order(pieces):
        column = (min(piece.left for piece in block), max(piece.right for piece in block))
        lines += [_line(row, back, column) for row in _rows(block)]
    lines += [_slanted(piece) for piece in pieces_of(_once(page.slanted), 0)]
    return PageLayout(width, height, lines)


def _apart(glyphs: Iterable[Glyph]) -> Iterator[Glyph]:
    """The characters, those of a ligature (ﬃ), which have one box together, each with its share of it."""
    for (letters, *box), run in groupby(
        glyphs, lambda glyph: (glyph.text.isascii() and glyph.text.isalpha(), *glyph[1:])
    ):
        together = list(run)
        left, top, right, bottom = box
        share = (right - left) / len(together)
        for number, glyph in enumerate(together):
            if letters and len(together) > 1:
                yield Glyph(glyph.text, left + number * share, top, left + (number + 1) * share, bottom)
            else:
                yield glyph


def _once(glyphs: Iterable[Glyph]) -> list[Glyph]:
    """The characters without those drawn again nearly at the same place."""
    seen: defaultdict[tuple[str, int], list[Glyph]] = defaultdict(list)
    out = []
    for glyph in glyphs:
        if _UNSEEN.match(glyph.text):
            continue
        if glyph.text.isspace():
            out.append(glyph)
            continue
        text, left, top, right, bottom = glyph
        near = min(_DOUBLE * (bottom - top), 0.45 * (right - left))
        upper, lower = int((top - near) // _BAND), int((top + near) // _BAND)
        alike = seen[text, upper] if upper == lower else seen[text, upper] + seen[text, lower]
        for other in alike:
            if abs(other.left - left) <= near and abs(other.top - top) <= near:
                break
        else:
            seen[text, int(top // _BAND)].append(glyph)
            out.append(glyph)
    return out


def _is_vertical(glyphs: list[Glyph]) -> bool:
    """Whether characters mostly follow one below the other."""
    down = along = 0
    before: Glyph | None = None
    for glyph in glyphs:
        if glyph.text.isspace():
            continue
        if before is not None:
            size = before.bottom - before.top
            if abs(glyph.left - before.left) < 0.7 * size and 0.5 * size < glyph.top - before.top < 2 * size:
                down += 1
            elif abs(glyph.top - before.top) < 0.5 * size:
                along += 1
        before = glyph
    return down > 3 and down > 2 * along


def _rows(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces side by side, from top to bottom."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.top + piece.bottom, piece.left)):
        for row in reversed(rows[-3:]):
            first = row[0]
            low, high = sorted((first.height, piece.height))
            shared = min(first.bottom, piece.bottom) - max(first.top, piece.top)
            if high < 2.2 * low and shared >= SAME_LINE * low:
                row.append(piece)
                break
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _line(row: list[Piece], back: Callable[[Place], Place], column: tuple[float, float]) -> Line:
    text: list[str] = []
    places = array("f")

    def put(between: str, piece: Piece) -> None:
        before: Glyph | None = None
        for glyph, blank in zip(piece.glyphs, piece.blanks, strict=True):
            if before is not None:
                between = _between(before, glyph, blank, apart=False)
            text.append(between + glyph.text)
            places.extend((0, 0, 0, 0) * len(between))
            places.extend(back(glyph[1:]) * len(glyph.text))
            before = glyph

    last: Piece | None = None
    for piece in row:
        for cell in piece.cells or [[piece]]:
            for number, parts in enumerate(_rows(cell)):
                for at, part in enumerate(parts):
                    put(
                        "" if last is None else _parting(last, part, of_row=bool(piece.cells), at=at, line=number), part
                    )
                    last = part
    left, right = row[0].left, max(piece.right for piece in row)
    glyphs = sorted((glyph for piece in row for glyph in piece.glyphs), key=lambda glyph: glyph.bottom - glyph.top)
    usual = glyphs[len(glyphs) // 2]  # not a footnote's mark or a bracket
    top, bottom, is_row = usual.top, usual.bottom, any(piece.cells for piece in row)
    if is_row:
        top, bottom = min(piece.top for piece in row), max(piece.bottom for piece in row)
    return Line("".join(text), places, left, top, right, bottom, column, usual.bottom - usual.top, is_row=is_row)


def _parting(last: Piece, piece: Piece, *, of_row: bool, at: int, line: int) -> str:
    """What stands between two pieces: the gap of cells, or what a line end inside a cell was."""
    before, glyph = last.glyphs[-1], piece.glyphs[0]
    if of_row and at == line == 0:
        return CELL_GAP
    if of_row and at == 0:
        return "" if is_han(before.text) or is_han(glyph.text) or before.text == "-" else " "
    return _between(before, glyph, piece.blanks[0], apart=True)


def _between(before: Glyph, glyph: Glyph, blank: int, *, apart: bool) -> str:
    """What stands between two characters of a line: nothing, a blank, or the gap of a table's cells."""
    height = max(before.bottom - before.top, glyph.bottom - glyph.top)
    gap = (glyph.left - before.right) / height
    if apart and gap > (PIECE_GAP if blank != DRAWN else WIDEST_BLANK):
        return CELL_GAP
    if blank == JOINED:
        return ""
    if blank != DRAWN and gap > _FIGURE_GAP and glyph.text.isdigit() and before.text.isdigit():
        return CELL_GAP
    han = is_han(before.text) + is_han(glyph.text)
    if blank == DRAWN or (blank and not han):
        return " "
    widest = (_LATIN_GAP, _MIXED_GAP, _HAN_GAP)[han]
    if han and (is_mark(before.text) or is_mark(glyph.text)):
        widest = _MARK_GAP
    return " " if gap > widest else ""


def _slanted(piece: Piece) -> Line:
    places = array("f", (number for glyph in piece.glyphs for number in glyph[1:]))
    text = "".join(glyph.text for glyph in piece.glyphs)
    edges = (piece.left, piece.top, piece.right, piece.bottom)
    return Line(text, places, *edges, (piece.left, piece.right), piece.height, slanted=True)
