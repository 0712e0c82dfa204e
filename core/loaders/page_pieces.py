"""Characters drawn one after the other, as pieces of lines: what the layout puts together."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from youju.loaders.pdf_glyphs import Glyph, is_supposed
from youju.text import HAN

SUPPOSED, DRAWN, JOINED = 1, 2, 3
"""Kinds of blank before a character: one that PDFium supposes, a drawn one, and none, whatever the gap."""

SAME_LINE = 0.5
"""Share of the lower height by which two characters of a line overlap."""

SAME_COLUMN = 0.2
"""The same in vertical text, where marks stand at the side of the column."""

PIECE_GAP = 0.9
"""White inside a piece, in heights of its characters; a wider gap may be a gutter."""

WIDEST_BLANK = 1.4
"""The same where a blank was drawn."""

_WIDEST_SPACING = 2.5  # between the characters of a letter-spaced title
_HAN_CHARACTER = re.compile(rf"[{HAN}\u3000-\u303f\uff00-\uffef]")
_MARK = re.compile("[\u3001-\u301f\ufe10-\ufe4f\uff01\uff08\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]")


@dataclass(slots=True)
class Piece:
    """Characters drawn one after the other on a line, or the cells of a table's row.

    Attributes:
        glyphs: The characters.
        blanks: For each, what blank stands before it.
        left: Left edge; the others likewise.
        top: Upper edge.
        right: Right edge.
        bottom: Lower edge.
        cells: The pieces in each cell, of a table's row.
    """

    glyphs: list[Glyph]
    blanks: list[int]
    left: float
    top: float
    right: float
    bottom: float
    cells: list[list["Piece"]] | None = None

    @property
    def height(self) -> float:
        """The height of the line it stands on."""
        return self.bottom - self.top

    def cut(self, places: Sequence[float]) -> list["Piece"]:
        """The parts between places along the line."""
        parts: dict[int, Piece] = {}
        for glyph, blank in zip(self.glyphs, self.blanks, strict=True):
            number = bisect_left(places, (glyph.left + glyph.right) / 2)
            if number not in parts:
                parts[number] = Piece([], [], *glyph[1:])
            part = parts[number]
            part.glyphs.append(glyph)
            part.blanks.append(blank)
            part.left, part.right = min(part.left, glyph.left), max(part.right, glyph.right)
            part.top, part.bottom = min(part.top, glyph.top), max(part.bottom, glyph.bottom)
        return list(parts.values())


def pieces_of(glyphs: Iterable[Glyph], overlap: float) -> list[Piece]:
    """Find the pieces among characters in the order they were drawn."""
    pieces: list[Piece] = []
    farthest_back = -0.5 if overlap == SAME_LINE else -2  # marks of vertical text are drawn out of turn
    blank = 0
    for glyph in glyphs:
        if glyph.text.isspace():
            blank = max(blank, SUPPOSED if is_supposed(glyph) else DRAWN)
            continue
        piece = pieces[-1] if pieces else None
        if piece is not None:
            height = min(piece.height, glyph.bottom - glyph.top)
            gap = glyph.left - piece.glyphs[-1].right
            shared = min(piece.bottom, glyph.bottom) - max(piece.top, glyph.top)
            widest = WIDEST_BLANK if blank == DRAWN else PIECE_GAP
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
    if overlap != SAME_LINE:
        for piece in pieces:
            order = sorted(range(len(piece.glyphs)), key=lambda at: piece.glyphs[at].left)
            piece.glyphs = [piece.glyphs[at] for at in order]
            piece.blanks = [piece.blanks[at] for at in order]
    return _spaced_titles(pieces)


def _alike(piece: Piece, glyph: Glyph) -> bool:
    """Whether a character may belong to a line of this height; a bracket over several lines may not."""
    height = glyph.bottom - glyph.top
    return height < 2.2 * piece.height and piece.height < 2.2 * height


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
            out.append(Piece(glyphs, [JOINED] * len(glyphs), *edges))
        else:
            end = start + 1
            out.append(pieces[start])
        start = end
    return out


def _single(piece: Piece) -> bool:
    return len(piece.glyphs) == 1 and is_han(piece.glyphs[0].text)


@lru_cache(maxsize=8192)
def is_han(character: str) -> bool:
    """Whether a character is Han, or a mark as wide."""
    return bool(_HAN_CHARACTER.match(character))


@lru_cache(maxsize=8192)
def is_mark(character: str) -> bool:
    """Whether a character is a Chinese mark that brings white of its own."""
    return bool(_MARK.match(character))
