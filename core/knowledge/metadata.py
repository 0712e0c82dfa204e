"""Metadata as JSON: what may stand in it and how other values are written."""

import json
import math
from collections.abc import Mapping
from datetime import date, time
from pathlib import PurePath
from typing import Any


def to_json_values(metadata: Mapping[Any, Any]) -> dict[str, Any]:
    """Turn metadata into JSON values.

    Dates and times become ISO 8601 text (which sorts by time), paths POSIX text, sets and tuples lists, NumPy scalars
    numbers, mappings stay mappings, None is dropped, and anything else becomes its text.
    """
    return {str(key): _value(value) for key, value in metadata.items() if value is not None}


def to_scalars(metadata: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """Turn JSON metadata into what a vector store takes: lists and mappings become JSON text."""
    return {
        key: value if isinstance(value, str | int | float | bool) else json.dumps(value, ensure_ascii=False)
        for key, value in metadata.items()
    }


def _value(value: Any) -> Any:
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, Mapping):
        return to_json_values(value)
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [_value(item) for item in items if item is not None]
    item = getattr(value, "item", None)  # NumPy scalars
    return _value(item()) if callable(item) and getattr(value, "ndim", None) == 0 else str(value)
