"""How a place in a document is named, for people."""

import re
from collections.abc import Iterable

OWN_KEYS = frozenset(
    "source title headings location page page_end page_label page_break page_return start end running row sheet"
    " slide ocr id parent_id article table_header front_matter_error score ranks".split()
)
"""Metadata keys that youju itself sets."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def one_line(text: str) -> str:
    """A text without line ends and other control characters, each replaced by a mark."""
    return _CONTROL.sub("\ufffd", text)


def page_location(source: str, page: int, page_end: int, label: str | None = None) -> str:
    """A page, or pages, of a file.

    Args:
        source: The file as the user knows it.
        page: The first physical page, from 1.
        page_end: The last one.
        label: What the file itself calls the first page, if it says so.

    Example:
        >>> page_location("report.pdf", 3, 4)
        'report.pdf 第 3–4 页'
        >>> page_location("report.pdf", 3, 3, "i")
        'report.pdf 第 3 页（页码标签 i）'
    """
    place = f"{source} 第 {page} 页" if page == page_end else f"{source} 第 {page}–{page_end} 页"
    return place if label is None or label == str(page) else f"{place}（页码标签 {one_line(label)}）"


def number_list(numbers: Iterable[int], most: int = 20) -> str:
    """Ascending numbers as a person writes them.

    Args:
        numbers: The numbers, each once.
        most: How many numbers and ranges to write out; of more, all are counted.

    Example:
        >>> number_list([2, 3, 4, 12])
        '2–4、12'
        >>> number_list([2, 4, 6], most=2)
        '2、4 等 3'
    """
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = "、".join(str(first) if first == last else f"{first}–{last}" for first, last in ranges[:most])
    total = sum(last - first + 1 for first, last in ranges)
    return f"{shown} 等 {total}" if len(ranges) > most else shown
