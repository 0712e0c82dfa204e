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
    numbers, mappings stay mappings, None is dropped, and anything else becomes its text. Halves of characters
    (lone surrogates), which no file could hold, are joined or replaced.
    """
    return {_text(str(key)): json_value(value) for key, value in metadata.items() if value is not None}


def to_scalars(metadata: Mapping[str, Any]) -> dict[str, str | int | float | bool]:
    """Turn JSON metadata into what Chroma takes: lists, mappings and numbers of more than 64 bits become JSON text.

    Keys that Chroma keeps for itself are left out; the catalog has them.
    """
    return {
        key: value if isinstance(value, str | float) or _is_short(value) else json.dumps(value, ensure_ascii=False)
        for key, value in metadata.items()
        if key and not key.startswith(("$", "#", "chroma:"))
    }


def _is_short(value: Any) -> bool:
    return isinstance(value, int) and -(2**63) <= value < 2**63


def json_value(value: Any) -> Any:
    """Turn one value into a JSON value; see `to_json_values`."""
    if isinstance(value, str):
        return _text(value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, PurePath):
        return _text(value.as_posix())
    if isinstance(value, Mapping):
        return to_json_values(value)
    if isinstance(value, list | tuple | set | frozenset):
        items = sorted(value, key=str) if isinstance(value, set | frozenset) else value
        return [json_value(item) for item in items if item is not None]
    item = getattr(value, "item", None)  # NumPy scalars
    return json_value(item()) if callable(item) and getattr(value, "ndim", None) == 0 else _text(str(value))


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value
