"""Conditions on metadata, with one meaning for every kind of search.

A filter is a dict: `{"dept": "财务部"}` asks for equality, `{"year": {"$gte": 2023}}` for a comparison; several keys
must all hold; `{"$or": [{…}, {…}]}` and `{"$and": […]}` combine filters. Operators are `$eq $ne $gt $gte $lt $lte $in
$nin`, as in Chroma. A field that a document lacks fulfils only `$ne` and `$nin`; values of different kinds are never
equal and never in order (the text "2023" is not the number 2023). Values on both sides are taken as the base stores
them, a date as its ISO text for example; None stands for nothing and is refused.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any

from youju.errors import SettingsError
from youju.knowledge.metadata import json_value

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_ORDERED = frozenset({"number", "str"})
_OPERATORS = ("$eq", "$ne", *_ORDER, "$in", "$nin")


def check_filter(conditions: Any) -> None:
    """Refuse a filter that has no meaning.

    Raises:
        SettingsError: It is no mapping from names, or an operator is unknown or has an operand of the wrong form.
    """
    if conditions is None:
        return
    if not isinstance(conditions, Mapping):
        raise SettingsError(f"过滤条件要写成字典，如 {{'dept': '财务部'}}，不能是 {conditions!r}")
    for key, value in conditions.items():
        if not isinstance(key, str):
            raise SettingsError(f"过滤条件的字段名要是文字，不能是 {key!r}")
        if key in {"$and", "$or"}:
            if not isinstance(value, list) or not value or not all(isinstance(part, Mapping) for part in value):
                raise SettingsError(f"过滤条件 {key} 后面要写成由条件组成的非空列表")
            for part in value:
                check_filter(part)
        elif key.startswith("$"):
            raise SettingsError(f"过滤条件里没有 {key}；可用的组合有 $and、$or")
        else:
            _check_operators(key, value if isinstance(value, Mapping) else {"$eq": value})


def _check_operators(key: str, tests: Mapping[str, Any]) -> None:
    if not tests:
        raise SettingsError(f"过滤条件 {key} 是空的")
    for name, operand in tests.items():
        if name not in _OPERATORS:
            raise SettingsError(f"过滤条件 {key} 里没有 {name}；可用的有 {'、'.join(_OPERATORS)}")
        if name in {"$in", "$nin"} and not isinstance(operand, list):
            raise SettingsError(f"过滤条件 {key} 的 {name} 后面要写成列表")
        if name in _ORDER and _kind(json_value(operand)) not in _ORDERED:
            raise SettingsError(f"过滤条件 {key} 的 {name} 后面要写成数、文字或日期，不能是 {operand!r}")
        if operand is None or (isinstance(operand, list) and None in operand):
            raise SettingsError(f"过滤条件 {key} 不能和空值（null）比较；要找没有这个字段的资料，用 $ne 或 $nin")


def matches(metadata: Mapping[str, Any], conditions: Mapping[str, Any] | None) -> bool:
    """Whether metadata fulfil a filter; no filter is always fulfilled."""
    for key, value in (conditions or {}).items():
        if key == "$and":
            fulfilled = all(matches(metadata, part) for part in value)
        elif key == "$or":
            fulfilled = any(matches(metadata, part) for part in value)
        else:
            tests = value if isinstance(value, Mapping) else {"$eq": value}
            own = json_value(metadata.get(key))
            fulfilled = all(_test(own, name, json_value(operand)) for name, operand in tests.items())
        if not fulfilled:
            return False
    return True


def _test(value: Any, name: str, operand: Any) -> bool:
    if name == "$eq":
        return value is not None and _same(value, operand)
    if name == "$ne":
        return not _same(value, operand)
    if name == "$in":
        return value is not None and any(_same(value, item) for item in operand)
    if name == "$nin":
        return not any(_same(value, item) for item in operand)
    comparable = _kind(value) == _kind(operand) and _kind(value) in _ORDERED
    return comparable and _ORDER[name](value, operand)


def _same(value: Any, other: Any) -> bool:
    return _kind(value) == _kind(other) and bool(value == other)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__
