"""Tables as Markdown, a row a line."""

from collections.abc import Sequence

Cell = tuple[str, int, int]
"""The text of a cell, and over how many rows and columns it stands."""

_MOST_PLACES = 500_000
"""A grid with more would fill the memory; a few cells that claim to span thousands make one."""


def spread(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    """Lay cells out on a grid.

    A cell over several rows is written into each, for a row must make sense by itself; over several columns it is
    written once.

    Args:
        rows: The cells of each row, as HTML lists them: without places that a cell above reaches into.

    Returns:
        The texts, all rows equally long; each cell once and in its own row where the grid would be enormous.
    """
    if sum(min(down, len(rows) - at) * right for at, row in enumerate(rows) for _, down, right in row) > _MOST_PLACES:
        return _as_listed(rows)
    filled: dict[tuple[int, int], str] = {}
    for at, row in enumerate(rows):
        column = 0
        for text, down, right in row:
            while (at, column) in filled:
                column += 1
            for line in range(at, min(at + down, len(rows))):
                for place in range(column, column + right):
                    filled[line, place] = text if place == column else ""
            column += right
    width = max((column + 1 for _, column in filled), default=0)
    if len(rows) * width > _MOST_PLACES:
        return _as_listed(rows)
    return [[filled.get((at, column), "") for column in range(width)] for at in range(len(rows))]


def _as_listed(rows: Sequence[Sequence[Cell]]) -> list[list[str]]:
    return [[text for text, _, _ in row] for row in rows]


def markdown_cell(text: str) -> str:
    """A cell's text on one line, its bars marked as text."""
    return " ".join(text.split()).replace("|", "\\|")


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of texts, all equally long, as a Markdown table whose first row is the header."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines[:1], f"|{' --- |' * len(rows[0])}", *lines[1:]])
