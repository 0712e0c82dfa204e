"""The YAML block at the top of a Markdown file, as metadata."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, time
from math import isfinite
from typing import Any

import yaml

from youju.loaders.places import OWN_KEYS

_BLOCK = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_UNCLOSED = re.compile(r"\ufeff?---[ \t]*\r?\n[\w][\w .-]{0,39}:(?:\s|\Z)")
_KEY = re.compile(r"^[\w][\w .-]{0,39}[:：]", re.MULTILINE)
_HEADING_BELOW = re.compile(r"^[ \t]*\r?\n#{1,6}[ \t]", re.MULTILINE)
_RESERVED = OWN_KEYS - {"title"}
"""A file's own values for these are kept as `front_<key>`."""


@dataclass(frozen=True)
class FrontMatter:
    """What stands at the top of a Markdown file.

    Attributes:
        values: The metadata, as JSON values under the user's own keys.
        end: Where the Markdown after the block begins; 0 if there is no block.
        error: Why a block that was meant as metadata gave none, in words; its text is then text of the file.
    """

    values: dict[str, Any] = field(default_factory=dict)
    end: int = 0
    error: str | None = None


class _PlainLoader(yaml.SafeLoader):
    """Refuses aliases: a few lines of them can stand for more data than memory holds."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]  # types-PyYAML says nothing of it
            raise yaml.MarkedYAMLError(problem="aliases are not read", problem_mark=event.start_mark)
        return super().compose_node(parent, index)


def read_front_matter(text: str) -> FrontMatter:
    """Read the front matter of a Markdown text.

    A block that is no YAML mapping stays text. If it has lines that look like `key: value`, or is never closed, it was
    meant to be metadata, and the error says what is wrong with it; else it is text between two rules.

    Args:
        text: The file's text.
    """
    block = _BLOCK.match(text)
    if not block:
        return _broken(0, "没有找到结束它的一行 ---") if _UNCLOSED.match(text) else FrontMatter()
    end = 0 if _HEADING_BELOW.search(block[1]) else block.end()  # closed by some rule far below: never closed
    try:
        values = yaml.load(block[1], Loader=_PlainLoader)  # noqa: S506 - a SafeLoader, made stricter
    except Exception as error:  # noqa: BLE001 - besides YAMLError, odd scalars raise ValueError, KeyError, AttributeError …
        return _broken(end, _reason(error)) if _KEY.search(block[1]) else FrontMatter()
    if not block[1].strip():
        return FrontMatter(end=block.end())
    if isinstance(values, dict):
        return FrontMatter(dict(_metadata(values)), block.end())
    if isinstance(values, str) and _KEY.search(block[1]):
        return _broken(end, "每行要写成“键: 值”，用半角冒号，冒号后加一个空格")
    return FrontMatter()


def _broken(end: int, reason: str) -> FrontMatter:
    error = f"文件开头的元数据（front matter）读不出来，已当作正文：{reason}；请改正后重新入库"
    return FrontMatter(end=end, error=error)


def _reason(error: Exception) -> str:
    """Which line of the file is wrong, where the parser knows."""
    if not isinstance(error, yaml.MarkedYAMLError):
        return "有无法识别的值，例如不存在的日期"
    block = (error.context or "").startswith("while parsing a block")
    mark = error.problem_mark if block or error.context_mark is None else error.context_mark
    place = "" if mark is None else f"第 {mark.line + 2} 行"  # marks count from 0, behind the opening ---
    return f"{place}不是有效的 YAML（检查冒号后的空格、缩进、引号和括号；不支持 & 和 * 引用）"


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
