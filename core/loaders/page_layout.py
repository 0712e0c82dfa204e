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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from youju.loaders.page_columns import reading_order
from youju.loaders.pdf_glyphs import Glyph, PageGlyphs, is_supposed, turned
from youju.text import HAN

Place = tuple[float, float, float, float]

CELL_GAP = "\t"
"""What parts the cells of a table's row in a line."""

_SAME_LINE = 0.5  # share of the lower height by which two characters of a line overlap
_SAME_COLUMN = 0.2  # in vertical text, marks stand at the side of the column
_MARK_GAP = 1.2  # a Chinese mark brings white of its own
_PIECE_GAP = 0.9  # of the character height; a wider gap may be a gutter
_CELL_GAP = 1.4
_HAN_GAP = 0.6  # blanks that justifying puts between Han characters are narrower
_MIXED_GAP = 0.35  # so are those between Han and Latin characters
_LATIN_GAP = 0.16
_FIGURE_GAP = 0.5  # figures are never justified: so far apart, they stand in two cells
_WIDEST_SPACING = 2.5  # between the characters of a letter-spaced title
_SUPPOSED, _DRAWN, _JOINED = 1, 2, 3  # kinds of blank before a character; the last is none, whatever the gap
_DOUBLE = 0.25  # of the height: how far a second print of the same character is off at most
_BAND = 16  # points; doubles are looked for in the same strip of the page
_HAN_CHARACTER = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uffef]")
_MARK = re.compile("[\u3001-\u301f\ufe10-\ufe4f\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2060\ufeff]")


@dataclass(slots=True)
class Piece:
    """Characters drawn one after the other on a line."""

    glyphs: list[Glyph]
    blanks: list[int]
    left: float
    top: float
    right: float
    bottom: float

    @property
    def height(self) -> float:
        """The height of the line it stands on."""
        return self.bottom - self.top


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
        slanted: Whether it is turned otherwise than the page's text.
    """

    text: str
    places: "array[float]"
    left: float
    top: float
    right: float
    bottom: float
    column: tuple[float, float]
    slanted: bool = False

    @property
    def height(self) -> float:
        """The height of its characters."""
        return self.bottom - self.top


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
        for glyph in _once(page.upright)
    ]

    def back(place: Place) -> Place:
        return turned(place, -page.turns, width, height) if page.turns else place

    overlap = _SAME_LINE
    if _is_vertical(glyphs):
        glyphs = [Glyph(text, top, width - right, bottom, width - left) for text, left, top, right, bottom in glyphs]
        upright, page_width = back, width

        def back(place: Place) -> Place:
            left, top, right, bottom = place
            return upright((page_width - bottom, left, page_width - top, right))

        width, height = height, width
        overlap = _SAME_COLUMN
    lines = []
    for block in reading_order(_pieces(glyphs, overlap)):
        column = (min(piece.left for piece in block), max(piece.right for piece in block))
        lines += [_line(row, back, column) for row in _rows(block)]
    lines += [_slanted(piece) for piece in _pieces(_once(page.slanted), 0)]
    return PageLayout(width, height, lines)


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


def _pieces(glyphs: Iterable[Glyph], overlap: float) -> list[Piece]:
    pieces: list[Piece] = []
    farthest_back = -0.5 if overlap == _SAME_LINE else -2  # marks of vertical text are drawn out of turn
    blank = 0
    for glyph in glyphs:
        if glyph.text.isspace():
            blank = max(blank, _SUPPOSED if is_supposed(glyph) else _DRAWN)
            continue
        piece = pieces[-1] if pieces else None
        if piece is not None:
            height = min(piece.height, glyph.bottom - glyph.top)
            gap = glyph.left - piece.glyphs[-1].right
            shared = min(piece.bottom, glyph.bottom) - max(piece.top, glyph.top)
            widest = _CELL_GAP if blank == _DRAWN else _PIECE_GAP
            near = farthest_back * height <= gap <= widest * piece.height
            if near and shared >= overlap * height and _alike(piece, glyph):
                piece.glyphs.append(glyph)
                piece.blanks.append(blank)
                piece.right = max(piece.right, glyph.right)
                piece.top, piece.bottom = min(piece.top, glyph.top), max(piece.bottom, glyph.bottom)
                blank = 0
                continue
        pieces.append(Piece([glyph], [blank], *glyph[1:]))
        blank = 0
    if overlap != _SAME_LINE:
        for piece in pieces:
            order = sorted(range(len(piece.glyphs)), key=lambda at: piece.glyphs[at].left)
            piece.glyphs = [piece.glyphs[at] for at in order]
            piece.blanks = [piece.blanks[at] for at in order]
    return _spaced_titles(pieces)


def _alike(piece: Piece, glyph: Glyph) -> bool:
    """Whether a character may belong to a line of this height; a bracket over several lines may not."""
    height = glyph.bottom - glyph.top
    return height < 2.2 * piece.height and piece.height < 2.2 * height


def _rows(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces side by side, from top to bottom."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=lambda piece: (piece.top + piece.bottom, piece.left)):
        for row in reversed(rows[-3:]):
            first = row[0]
            low, high = sorted((first.height, piece.height))
            shared = min(first.bottom, piece.bottom) - max(first.top, piece.top)
            if high < 2.2 * low and shared >= _SAME_LINE * low:
                row.append(piece)
                break
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _line(row: list[Piece], back: Callable[[Place], Place], column: tuple[float, float]) -> Line:
    text: list[str] = []
    places = array("f")
    before: Glyph | None = None
    for piece in row:
        for number, (glyph, blank) in enumerate(zip(piece.glyphs, piece.blanks, strict=True)):
            if before is not None:
                between = _between(before, glyph, blank, apart=number == 0)
                text.append(between)
                places.extend((0, 0, 0, 0) * len(between))
            text.append(glyph.text)
            places.extend(back(glyph[1:]) * len(glyph.text))
            before = glyph
    left, right = row[0].left, max(piece.right for piece in row)
    glyphs = sorted((glyph for piece in row for glyph in piece.glyphs), key=lambda glyph: glyph.bottom - glyph.top)
    usual = glyphs[len(glyphs) // 2]  # not a footnote's mark or a bracket
    return Line("".join(text), places, left, usual.top, right, usual.bottom, column)


def _spaced_titles(pieces: list[Piece]) -> list[Piece]:
    """Make one piece of a title whose single Han characters are spaced out evenly, three of them at least."""
    out: list[Piece] = []
    start = 0
    while start < len(pieces):
        end = start + 1
        gap = None
        while end < len(pieces) and _single(pieces[end - 1]) and _single(pieces[end]):
            before, after = pieces[end - 1], pieces[end]
            step = after.left - before.right
            level = abs(after.top - before.top) < 0.2 * before.height
            even = gap is None or abs(step - gap) < 0.2 * before.height
            if not (level and even and 0 < step < _WIDEST_SPACING * before.height):
                break
            gap = step
            end += 1
        if end - start >= 3:
            run = pieces[start:end]
            glyphs = [piece.glyphs[0] for piece in run]
            edges = (run[0].left, min(piece.top for piece in run), run[-1].right, max(piece.bottom for piece in run))
            out.append(Piece(glyphs, [_JOINED] * len(glyphs), *edges))
        else:
            end = start + 1
            out.append(pieces[start])
        start = end
    return out


def _single(piece: Piece) -> bool:
    return len(piece.glyphs) == 1 and _is_han(piece.glyphs[0].text)


@lru_cache(maxsize=8192)
def _is_han(character: str) -> bool:
    return bool(_HAN_CHARACTER.match(character))


@lru_cache(maxsize=8192)
def _is_mark(character: str) -> bool:
    return bool(_MARK.match(character))


def _between(before: Glyph, glyph: Glyph, blank: int, *, apart: bool) -> str:
    """What stands between two characters of a line: nothing, a blank, or the gap of a table's cells."""
    height = max(before.bottom - before.top, glyph.bottom - glyph.top)
    gap = (glyph.left - before.right) / height
    if apart and gap > (_PIECE_GAP if blank != _DRAWN else _CELL_GAP):
        return CELL_GAP
    if blank == _JOINED:
        return ""
    if blank != _DRAWN and gap > _FIGURE_GAP and glyph.text.isdigit() and before.text.isdigit():
        return CELL_GAP
    han = _is_han(before.text) + _is_han(glyph.text)
    if blank == _DRAWN or (blank and not han):
        return " "
    widest = (_LATIN_GAP, _MIXED_GAP, _HAN_GAP)[han]
    if han and (_is_mark(before.text) or _is_mark(glyph.text)):
        widest = _MARK_GAP
    return " " if gap > widest else ""


def _slanted(piece: Piece) -> Line:
    places = array("f", (number for glyph in piece.glyphs for number in glyph[1:]))
    text = "".join(glyph.text for glyph in piece.glyphs)
    edges = (piece.left, piece.top, piece.right, piece.bottom)
    return Line(text, places, *edges, (piece.left, piece.right), slanted=True)
