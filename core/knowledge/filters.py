"""Conditions on metadata, with one meaning for every kind of search.

A filter is a dict: `{"dept": "财务部"}` asks for equality, `{"year": {"$gte": 2023}}` for a comparison; several keys
must all hold; `{"$or": [{…}, {…}]}` and `{"$and": […]}` combine filters. Operators are `$eq $ne $gt $gte $lt $lte $in
$nin`, as in Chroma. A field that a document lacks fulfils only `$ne` and `$nin`; values of different kinds are never
equal and never in order (the text "2023" is not the number 2023). Values on both sides are taken as the base stores
them, a date as its ISO text for example; None stands for nothing and is refused.
"""

import operator
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from youju.errors import SettingsError
from youju.knowledge.metadata import json_value

_ORDER: dict[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_DEEPEST = 100
_ORDERED = frozenset({"number", "str"})
_OPERATORS = ("$eq", "$ne", *_ORDER, "$in", "$nin")


def check_filter(conditions: Any, _depth: int = 0) -> None:
    """Refuse a filter that has no meaning.

    Raises:
        SettingsError: It is no mapping from names, or an operator is unknown or has an operand of the wrong form, or
            filters stand in one another more than a hundred deep.
    """
    if conditions is None:
        return
    if _depth > _DEEPEST:
        raise SettingsError(f"过滤条件里的 $and、$or 最多套 {_DEEPEST} 层")
    if not isinstance(conditions, Mapping):
        raise SettingsError(f"过滤条件要写成字典，如 {{'dept': '财务部'}}，不能是 {conditions!r}")
    for key, value in conditions.items():
        if not isinstance(key, str):
            raise SettingsError(f"过滤条件的字段名要是文字，不能是 {key!r}")
        if key in {"$and", "$or"}:
            if not isinstance(value, list) or not value or not all(isinstance(part, Mapping) for part in value):
                raise SettingsError(f"过滤条件 {key} 后面要写成由条件组成的非空列表")
            for part in value:
                check_filter(part, _depth + 1)
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
    """Whether metadata fulfil a filter; no filter is always fulfilled. For many, see `selecting`."""
    return selecting(conditions)(metadata)


def selecting(conditions: Mapping[str, Any] | None) -> Callable[[Mapping[str, Any]], bool]:
    """What tells of metadata whether they fulfil a filter: the filter is read once, for as many as there are."""
    parts = [_part(key, value) for key, value in (conditions or {}).items()]
    return lambda metadata: all(part(metadata) for part in parts)


def _part(key: str, value: Any) -> Callable[[Mapping[str, Any]], bool]:
    if key in {"$and", "$or"}:
        inner = [selecting(part) for part in value]
        joined = all if key == "$and" else any
        return lambda metadata: joined(part(metadata) for part in inner)
    tests = comparisons(value)

    def fulfilled(metadata: Mapping[str, Any]) -> bool:
        own = json_value(metadata.get(key))
        return all(test.holds(own) for test in tests)

    return fulfilled


@dataclass(frozen=True)
class Comparison:
    """One test of a value.

    Attributes:
        equal: For `$eq` and `$in` true, for `$ne` and `$nin` false.
        keys: For these, the keys of what the value must or must not be equal to; see `value_key`.
        order: For the others, what says of value and operand whether they are in order.
        operand: For the others, what is compared with.
    """

    equal: bool = True
    keys: frozenset[Hashable] | None = None
    order: Callable[[Any, Any], bool] = operator.eq
    operand: Any = None

    def holds(self, value: Any) -> bool:
        """Whether a JSON value passes, or None, which stands for a missing one."""
        if self.keys is not None:
            return (value is not None and value_key(value) in self.keys) == self.equal
        kind = _kind(value)
        return kind in _ORDERED and kind == _kind(self.operand) and self.order(value, self.operand)


def comparisons(value: Any) -> list[Comparison]:
    """What a filter asks of one field; all must hold."""
    found = []
    for name, operand in (value if isinstance(value, Mapping) else {"$eq": value}).items():
        if name in _ORDER:
            found.append(Comparison(order=_ORDER[name], operand=json_value(operand)))
        else:
            items = operand if name in {"$in", "$nin"} else [operand]
            found.append(Comparison(name in {"$eq", "$in"}, frozenset(value_key(json_value(item)) for item in items)))
    return found


def value_key(value: Any) -> Hashable:
    """What equal JSON values share, and no others: 1 and 1.0 are equal, 1 and true are not.

    A text is its own key, so that many names cost no room of their own.
    """
    return value if isinstance(value, str) else (_kind(value), _hashable(value))


def _hashable(value: Any) -> Hashable:
    """What can be looked up, and is equal for what Python takes for equal."""
    if isinstance(value, list):
        return ("list", tuple(_hashable(item) for item in value))
    if isinstance(value, dict):
        return ("dict", frozenset((key, _hashable(item)) for key, item in value.items()))
    return cast("Hashable", value)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "bool"
    return "number" if isinstance(value, int | float) else type(value).__name__
