"""Days, months and years as they stand in metadata and in models' replies."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

_DAY = re.compile(
    r"(\d{4})(?:\s*[-/.年]\s*(\d{1,2})(?:\s*[-/.月]\s*(\d{1,2})\s*[日号]?(?:[T ]\s*\d.*)?)?)?\s*[年月]?", re.ASCII
)
_PACKED = re.compile(r"(\d{4})(\d{2})(\d{2})", re.ASCII)


def period_of(value: Any) -> tuple[date, date] | None:
    """The days that a value means: the first, and the one after the last; a month or year means all its days.

    Read are dates, their ISO 8601 text, `2024/5/1`, `2024年5月1日`, `20240501`, `2024-05`, `2024年`, and years as
    numbers.
    None for anything else.
    """
    if isinstance(value, Mapping):  # the form in which LangChain's query language writes dates
        value = value.get("date")
    if isinstance(value, bool):
        return None
    text = str(value).strip()
    match = _PACKED.fullmatch(text) or _DAY.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        if day is not None:
            first = date(year or 0, month or 0, day)
            return first, first + timedelta(days=1)
        if month is not None:
            return date(year or 0, month, 1), date((year or 0) + month // 12, month % 12 + 1, 1)
        return date(year or 0, 1, 1), date((year or 0) + 1, 1, 1)
    except (ValueError, OverflowError):
        return None
