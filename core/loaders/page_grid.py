"""Tables with ruled cells: what stands in the cells of one row is kept together, on however many printed lines.

A piece of text lies in a cell where lines stand above, below, left and right of it. Cells that begin at the same
height make a row, read from left to right; one that reaches down over several rows is read with the first of them.
Cells one below the other and none beside them are frames, and a cell of many lines is a page set in a table: both are
left as they are printed.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from youju.loaders.page_pieces import Piece

Box = tuple[float, float, float, float]
_Cell = tuple[float, float, float, float]

_SAME_LINE = 2.5  # points by which parts of one ruled line may be off
_MOST_LINES = 12


class Grid:
    """The ruled lines of a page."""

    def __init__(self, rules: Iterable[Box]) -> None:
        rules = list(rules)
        level = [((top + bottom) / 2, left, right) for left, top, right, bottom in rules if right - left > bottom - top]
        upright = [
            ((left + right) / 2, top, bottom) for left, top, right, bottom in rules if right - left <= bottom - top
        ]
        self._level, self._upright = _merged(level), _merged(upright)

    def rows(self, pieces: Sequence[Piece]) -> list[Piece]:
        """The pieces, those of a table's row replaced by one that holds its cells."""
        if len(self._level[0]) < 2 or len(self._upright[0]) < 2:
            return list(pieces)
        cells: defaultdict[_Cell, list[Piece]] = defaultdict(list)
        out = []
        for piece in chain.from_iterable(map(self._cut, pieces)):
            cell = self._cell(piece)
            if cell is None:
                out.append(piece)
            else:
                cells[cell].append(piece)
        by_top: defaultdict[float, list[_Cell]] = defaultdict(list)
        for cell in cells:
            by_top[cell[1]].append(cell)
        tables = {min(row)[0] for row in by_top.values() if len(row) > 1}  # by their left edges
        for row in by_top.values():
            held = [cells[cell] for cell in sorted(row)]
            if not any(cell[0] in tables for cell in row) or any(_line_count(cell) > _MOST_LINES for cell in held):
                out += [piece for cell in held for piece in cell]
            else:
                out.append(_row(held))
        return out

    def _cut(self, piece: Piece) -> list[Piece]:
        """A piece, cut where an upright line parts it."""
        middle = (piece.top + piece.bottom) / 2
        lines, spans = self._upright
        cuts = [
            lines[at]
            for at in range(bisect_right(lines, piece.left + 1), bisect_left(lines, piece.right - 1))
            if _covers(spans[at], middle)
        ]
        return piece.cut(cuts) if cuts else [piece]

    def _cell(self, piece: Piece) -> _Cell | None:
        x, y = (piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2
        left, right = _around(*self._upright, x, y)
        top, bottom = _around(*self._level, y, x)
        if left is None or right is None or top is None or bottom is None:
            return None
        return left, top, right, bottom


def _merged(rules: Iterable[tuple[float, float, float]]) -> tuple[list[float], list[list[tuple[float, float]]]]:
    """Where lines run, in order, and the spans that each covers; parts that touch are one."""
    lines: list[float] = []
    spans: list[list[tuple[float, float]]] = []
    for at, start, end in sorted(rules):
        if not lines or at - lines[-1] > _SAME_LINE:
            lines.append(at)
            spans.append([])
        spans[-1].append((start, end))
    for number, parts in enumerate(spans):
        joined: list[tuple[float, float]] = []
        for start, end in sorted(parts):
            if joined and start - joined[-1][1] <= _SAME_LINE:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        spans[number] = joined
    return lines, spans


def _covers(spans: Sequence[tuple[float, float]], at: float) -> bool:
    return any(start - 1 <= at <= end + 1 for start, end in spans)


def _around(
    lines: Sequence[float], spans: Sequence[Sequence[tuple[float, float]]], at: float, across: float
) -> tuple[float | None, float | None]:
    """The nearest lines on both sides of a point that reach it."""
    middle = bisect_left(lines, at)
    before = next((lines[number] for number in range(middle - 1, -1, -1) if _covers(spans[number], across)), None)
    after = next((lines[number] for number in range(middle, len(lines)) if _covers(spans[number], across)), None)
    return before, after


def _line_count(pieces: Iterable[Piece]) -> int:
    count, bottom = 0, float("-inf")
    for piece in sorted(pieces, key=lambda piece: piece.top):
        if (piece.top + piece.bottom) / 2 > bottom:
            count += 1
            bottom = piece.bottom
    return count


def _row(cells: list[list[Piece]]) -> Piece:
    pieces = [piece for cell in cells for piece in cell]
    glyphs = [glyph for piece in pieces for glyph in piece.glyphs]
    blanks = [blank for piece in pieces for blank in piece.blanks]
    left, top = min(piece.left for piece in pieces), min(piece.top for piece in pieces)
    right, bottom = max(piece.right for piece in pieces), max(piece.bottom for piece in pieces)
    return Piece(glyphs, blanks, left, top, right, bottom, cells)
