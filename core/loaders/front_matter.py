"""The YAML block at the top of a Markdown file, as metadata."""

import re
from collections.abc import Iterator
from datetime import date, time
from math import isfinite
from typing import Any

import yaml

_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_RESERVED = frozenset(
    {
        "source",
        "location",
        "page",
        "page_end",
        "page_label",
        "headings",
        "start",
        "end",
        "id",
        "parent_id",
        "score",
        "ranks",
    }
)
"""Keys that youju itself sets; a file's own values for them are kept as `front_<key>`."""


class _PlainLoader(yaml.SafeLoader):
    """Refuses aliases: a few lines of them can stand for more data than memory holds."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases are not read")
        return super().compose_node(parent, index)


def read_front_matter(text: str) -> tuple[dict[str, Any], int]:
    """Read the front matter of a Markdown text.

    Args:
        text: The file's text.

    Returns:
        The metadata, as JSON values under the user's own keys, and where the text after the block begins. A block that
        is no YAML mapping stays text: no metadata, and 0.
    """
    block = _BLOCK.match(text)
    if not block:
        return {}, 0
    try:
        values = yaml.load(block[1], Loader=_PlainLoader)  # noqa: S506 - a SafeLoader, made stricter
    except Exception:  # noqa: BLE001 - besides YAMLError, odd scalars raise ValueError, KeyError, AttributeError …
        return {}, 0
    if values is None:
        return {}, block.end()
    if not isinstance(values, dict):
        return {}, 0
    return dict(_metadata(values)), block.end()


def _metadata(values: dict[Any, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if value is not None:
            name = str(key)
            yield f"front_{name}" if name in _RESERVED else name, _json_value(value)


def _json_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _json_value(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, (list, tuple, set)):
        return [_json_value(inner) for inner in value]
    if isinstance(value, (date, time)):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, (str, bool, int)) or value is None or (isinstance(value, float) and isfinite(value)):
        return value
    return str(value)
