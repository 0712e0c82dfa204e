"""Footnotes, so that they do not stand in the middle of the sentence that they are printed below.

What stands at the foot of a page or of a column, printed smaller than the text and parted from it by white, is moved
behind the text where the sentence above it goes on elsewhere: at the head of the next column, or on the next page.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from youju.loaders.page_layout import Line

_SMALLER = 0.93
_SAME = 0.03
_INDENT = 3
_WHITE = 0.3  # of the text's height, beyond the usual white between lines


def footnotes_last(
    lines: Sequence[Line], white: float, goes_on: Callable[[Line, Line], bool]
) -> tuple[list[Line], int]:
    """Move footnotes that cut a sentence in two behind the text.

    Args:
        lines: The lines of a page in reading order.
        white: The usual white between lines.
        goes_on: Whether a line runs on to another.

    Returns:
        The lines, and how many of them stand before the footnotes at the page's foot; all, if there are none.
    """
    printed: Counter[float] = Counter()
    for line in lines:
        printed[round(line.height, 1)] += len(line.text)
    text: list[Line] = []
    notes: list[Line] = []
    at = 0
    while at < len(lines):
        end = _notes_end(lines, at, white, printed) if at else at
        if end == len(lines) > at:
            return [*text, *notes, *lines[at:]], len(text)
        if end > at and lines[end].top < lines[at].top and goes_on(lines[at - 1], lines[end]):
            notes += lines[at:end]
        else:
            end = max(end, at + 1)
            text += lines[at:end]
        at = end
    return [*text, *notes], len(text)


def _notes_end(lines: Sequence[Line], start: int, white: float, printed: Counter[float]) -> int:
    """The end of the footnotes that begin with a line; its own index if none do.

    What stands below a heading is smaller too, but no footnote: there is more of it than of what is as large as the
    heading. A formula stands further in.
    """
    above = lines[start - 1]
    first = lines[start]
    if (
        first.top - above.bottom <= white + _WHITE * above.height
        or first.left > above.column[0] + _INDENT * first.height
    ):
        return start
    end = start
    while end < len(lines) and lines[end].height < _SMALLER * above.height:
        line = lines[end]
        if line.slanted or line.is_row or line.top < lines[max(start, end - 1)].top:
            break
        end += 1
    text = sum(count for height, count in printed.items() if abs(height - above.height) <= _SAME * above.height)
    return end if sum(len(line.text) for line in lines[start:end]) < text else start
