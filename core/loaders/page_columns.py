"""The order in which the parts of a page are read: columns one after the other, rows of tables not cut apart.

A gutter is a white strip that hardly any line crosses. It parts columns only where both its sides are running text:
many lines that fill their column. The cells of a table are short, or stand on one side only, and are left in their
rows. Lines that cross the gutter (a title, a figure's caption, a wide table) are read where they stand between the
parts above and below.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from youju.loaders.page_pieces import Piece

_MANY = (4, 8)  # full lines on the poorer and the richer side, or it is no running text
_FEW = (3, 4)  # the same where they end at the very edge of the column, as the cells of a table hardly do
_LEAST_SHARE = 0.15  # of a side's lines that are full
_FULL = 0.8  # share of the column's width that a full line fills
_AT_THE_EDGE = 0.93
_WHITE = 0.9  # of the height of the characters: white between a table and the text
_LEAST_ROWS = 3  # or short lines that happen to stand side by side are taken for a table
_LEAST_COLUMN = 8  # width of a column in heights of its characters
_EDGE = 0.18  # a gutter is not looked for nearer to the sides than this


def reading_order(pieces: Sequence["Piece"]) -> list[list["Piece"]]:
    """Blocks of pieces in reading order; within a block lines are read from top to bottom, across its whole width."""
    gutter = _gutter(pieces)
    if gutter is None:
        return [list(pieces)] if pieces else []
    bands: list[tuple[bool, list[Piece]]] = []
    wide = [piece for piece in pieces if _crosses(piece, gutter)]
    for piece in sorted(pieces, key=lambda piece: piece.top + piece.bottom):
        crosses = any(_beside(piece, line) for line in wide)
        if not bands or bands[-1][0] != crosses:
            bands.append((crosses, []))
        bands[-1][1].append(piece)
    blocks: list[list[Piece]] = []
    for crosses, band in _settled(bands, gutter):
        if crosses:
            blocks.append(band)
            continue
        blocks += reading_order([piece for piece in band if piece.right <= gutter + 1])
        blocks += reading_order([piece for piece in band if piece.right > gutter + 1])
    return blocks


def _settled(bands: list[tuple[bool, list["Piece"]]], gutter: float) -> list[tuple[bool, list["Piece"]]]:
    """Bands where the page is read across and where in columns.

    A band between wide lines may hold a table over both columns. White across the page parts it from the text; where
    several rows have short pieces on both sides and no side has a full line, it is a table's.
    """
    everything = [piece for _, band in bands for piece in band]
    left, right = min(piece.left for piece in everything), max(piece.right for piece in everything)
    out: list[tuple[bool, list[Piece]]] = []
    for crosses, band in bands:
        for part in [band] if crosses else _parted(band):
            across = crosses or _is_table(part, left, gutter, right)
            if out and out[-1][0] == across:
                out[-1][1].extend(part)
            else:
                out.append((across, list(part)))
    return out


def _parted(band: list["Piece"]) -> list[list["Piece"]]:
    """A band, cut where white runs across all of it."""
    parts: list[list[Piece]] = []
    bottom = 0.0
    for piece in sorted(band, key=lambda piece: piece.top):
        if not parts or piece.top - bottom > _WHITE * piece.height:
            parts.append([])
        parts[-1].append(piece)
        bottom = max(bottom, piece.bottom)
    return parts


def _is_table(part: list["Piece"], left: float, gutter: float, right: float) -> bool:
    one = [piece for piece in part if piece.right <= gutter + 1]
    other = [piece for piece in part if piece.right > gutter + 1]
    if any(piece.right - piece.left >= _FULL * (gutter - left) and _is_text(piece) for piece in one):
        return False
    if any(piece.right - piece.left >= _FULL * (right - gutter) and _is_text(piece) for piece in other):
        return False
    return sum(any(_beside(piece, line) for line in other) for piece in one) >= _LEAST_ROWS


def _beside(piece: "Piece", line: "Piece") -> bool:
    shared = min(piece.bottom, line.bottom) - max(piece.top, line.top)
    return shared >= 0.5 * min(piece.height, line.height)


def _crosses(piece: "Piece", gutter: float) -> bool:
    return piece.left < gutter - 1 and piece.right > gutter + 1


def _gutter(pieces: Sequence["Piece"]) -> float | None:
    """The middle of the white strip between two columns of running text, if there is one."""
    if len(pieces) < sum(_FEW):
        return None
    left = min(piece.left for piece in pieces)
    width = int(max(piece.right for piece in pieces) - left) + 1
    steps = [0] * (width + 2)
    for piece in pieces:
        steps[int(piece.left - left)] += 1
        steps[int(piece.right - left) + 1] -= 1
    covered, depth = [], 0
    for step in steps[:width]:
        depth += step
        covered.append(depth)
    first, last = int(width * _EDGE), int(width * (1 - _EDGE))
    if first >= last:
        return None
    least = min(covered[first:last])
    best = start = end = 0
    for at in range(first, last + 1):
        if at < last and covered[at] == least:
            start = at if at != end else start
            end = at + 1
            if end - start > best:
                best, middle = end - start, left + (start + end) / 2
    sides = [piece for piece in pieces if not _crosses(piece, middle)]
    one = [piece for piece in sides if piece.right <= middle + 1]
    other = [piece for piece in sides if piece.right > middle + 1]
    for share, (fewer, more) in ((_FULL, _MANY), (_AT_THE_EDGE, _FEW)):
        weaker, stronger = sorted((_full_lines(one, share), _full_lines(other, share)))
        if weaker >= fewer and stronger >= more:
            return middle
    return None


def _full_lines(pieces: Sequence["Piece"], share: float) -> int:
    """How many pieces fill a share of the width that the pieces have in common."""
    if not pieces:
        return 0
    widths = sorted(piece.right - piece.left for piece in pieces)
    width = widths[int(0.9 * (len(widths) - 1))]
    heights = sorted(piece.height for piece in pieces)
    if width < _LEAST_COLUMN * heights[len(heights) // 2]:
        return 0
    full = sum(piece.right - piece.left >= share * width and _is_text(piece) for piece in pieces)
    return full if full >= _LEAST_SHARE * len(pieces) else 0


def _is_text(piece: "Piece") -> bool:
    """Whether a piece is words; columns of figures belong to a table."""
    return 2 * sum(glyph.text.isalpha() for glyph in piece.glyphs) > len(piece.glyphs)
