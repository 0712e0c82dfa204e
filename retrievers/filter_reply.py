"""What a chat model writes when asked for a filter, read into the filter language of this package.

Two forms are read: JSON in the language of `youju.knowledge.filters`, and the expressions of LangChain's query
language, `and(gte("year", 2023), eq("dept", "财务部"))`. Everything is checked against the declared fields.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any, get_args

from youju.retrievers.days import period_of
from youju.settings import Comparison, FieldSettings

_NOTHING = {"", "no_filter", "null", "none", "无", "{}"}
_DEEPEST = 20
_OPPOSITES = {
    "$eq": "$ne",
    "$ne": "$eq",
    "$gt": "$lte",
    "$lte": "$gt",
    "$gte": "$lt",
    "$lt": "$gte",
    "$in": "$nin",
    "$nin": "$in",
    "$and": "$or",
    "$or": "$and",
}
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?", re.ASCII)
_TOKEN = re.compile(
    r"""\s*(?:([A-Za-z_]+)\s*(?=\()|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([-+]?\d[\w./-]*)|(true|false)|([()\[\],]))"""
)


class UnusableReplyError(Exception):
    """The reply holds no filter that can be used; the text says why."""


def allowed_operators(field: FieldSettings) -> list[str]:
    """The comparisons that a field allows, without `$`."""
    usual = ["eq", "ne", "in", "nin"] if field.type == "text" else list(get_args(Comparison))
    return list(field.operators) or usual


def read_reply(reply: str, fields: Mapping[str, FieldSettings]) -> tuple[str, dict[str, Any] | None]:
    """The text to search for, which may be empty, and the filter, None where there is none.

    Raises:
        UnusableReplyError: There is no JSON object with `query` or `filter` in the reply, or its filter names what is
            not declared or cannot be understood.
    """
    found = next((value for value in _objects(reply) if {"query", "filter"} & set(value)), None)
    if found is None:
        raise UnusableReplyError("回复里没有含 query 和 filter 的 JSON")
    query, conditions = found.get("query"), found.get("filter")
    if isinstance(conditions, str):
        conditions = None if conditions.strip().lower() in _NOTHING else _Expression(conditions).read()
    asked = query.strip() if isinstance(query, str) else ""
    return asked, _checked(conditions, fields, 0) if conditions else None


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """The JSON objects that stand in a text, outermost ones."""
    decoder = json.JSONDecoder()
    at = reply.find("{")
    while at >= 0:
        try:
            value, end = decoder.raw_decode(reply, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                yield value
        at = reply.find("{", end)


def _checked(conditions: Any, fields: Mapping[str, FieldSettings], depth: int) -> dict[str, Any]:
    """A filter of declared fields and comparisons, with operands of the declared kind."""
    if not isinstance(conditions, Mapping) or not conditions or depth > _DEEPEST:
        raise UnusableReplyError(f"过滤条件不是字典：{conditions!r:.80}")
    parts: list[dict[str, Any]] = []
    for key, value in conditions.items():
        if key in {"$and", "$or"}:
            if not isinstance(value, list) or not value:
                raise UnusableReplyError(f"{key} 后面不是列表")
            inner = [_checked(part, fields, depth + 1) for part in value]
            parts.append(inner[0] if len(inner) == 1 else {key: inner})
        elif key == "$not":
            parts.append(_checked(_negated(value, depth), fields, depth + 1))
        elif key not in fields:
            raise UnusableReplyError(f"没有声明字段 {key!r:.40}")
        else:
            tests = value if isinstance(value, Mapping) and "date" not in value else {"$eq": value}
            parts.extend(_test(key, fields[key], name, operand) for name, operand in tests.items())
    if not parts:
        raise UnusableReplyError("过滤条件是空的")
    return parts[0] if len(parts) == 1 else {"$and": parts}


def _negated(conditions: Any, depth: int) -> dict[str, Any]:
    """A filter that holds where another does not; a document that lacks the field fulfils only `$ne` and `$nin`."""
    if not isinstance(conditions, Mapping) or depth > _DEEPEST:
        raise UnusableReplyError("$not 后面不是条件")
    parts: list[dict[str, Any]] = []
    for key, value in conditions.items():
        if key in {"$and", "$or"} and isinstance(value, list):
            parts.append({_OPPOSITES[key]: [_negated(part, depth + 1) for part in value]})
        elif key == "$not":
            parts.append(value)
        else:
            tests = value if isinstance(value, Mapping) and "date" not in value else {"$eq": value}
            parts.extend({key: {_OPPOSITES.get(f"${str(name).lstrip('$')}", name): v}} for name, v in tests.items())
    return {"$or": parts}


def _test(key: str, field: FieldSettings, name: Any, operand: Any) -> dict[str, Any]:
    operator = str(name).removeprefix("$")
    if operator not in allowed_operators(field):
        raise UnusableReplyError(f"字段 {key} 不能用比较 {name!r:.40}")
    if operator in {"in", "nin"}:
        items = operand if isinstance(operand, list) else [operand]
        if not items:
            raise UnusableReplyError(f"{key} 的 ${operator} 后面是空的")
        if field.type == "date":
            tests = [_on_days(key, "eq" if operator == "in" else "ne", _period(key, item)) for item in items]
            return tests[0] if len(tests) == 1 else {"$or" if operator == "in" else "$and": tests}
        return {key: {f"${operator}": [_scalar(key, field, item) for item in items]}}
    if field.type == "date":
        return _on_days(key, operator, _period(key, operand))
    return {key: {f"${operator}": _scalar(key, field, operand)}}


def _on_days(key: str, operator: str, period: tuple[date, date]) -> dict[str, Any]:
    """A comparison with the days of a period that holds for stored dates and for stored points in time."""
    first, after = (day.isoformat() for day in period)
    if operator == "eq":
        return {key: {"$gte": first, "$lt": after}}
    if operator == "ne":
        return {"$or": [{key: {"$lt": first}}, {key: {"$gte": after}}]}
    return {key: {"gt": {"$gte": after}, "gte": {"$gte": first}, "lt": {"$lt": first}, "lte": {"$lt": after}}[operator]}


def _period(key: str, operand: Any) -> tuple[date, date]:
    period = period_of(operand)
    if period is None:
        raise UnusableReplyError(f"{key} 要和日期比较，不能是 {operand!r:.40}")
    return period


def _scalar(key: str, field: FieldSettings, operand: Any) -> str | int | float:
    if field.type == "text" and isinstance(operand, str) and operand:
        return operand
    if field.type == "text" and isinstance(operand, int | float) and not isinstance(operand, bool):
        return str(operand)
    if field.type == "number":
        text = str(operand).strip().replace(",", "").removesuffix("年")
        if not isinstance(operand, bool) and _NUMBER.fullmatch(text) and math.isfinite(float(text)):
            return float(text) if "." in text else int(text)
    raise UnusableReplyError(f"{key} 的值 {operand!r:.40} 不是{'文字' if field.type == 'text' else '数'}")


class _Expression:
    """An expression of LangChain's query language, such as `or(eq("a", 1), not(in("b", ["x", "y"])))`."""

    def __init__(self, text: str) -> None:
        self._text = text.strip()
        self._tokens: list[tuple[str, Any]] = []
        at = 0
        while at < len(self._text):
            match = _TOKEN.match(self._text, at)
            if match is None:
                raise UnusableReplyError(f"看不懂过滤条件 {self._text!r:.80}")
            name, double, single, number, switch, mark = match.groups()
            quoted = double if double is not None else single
            if name:
                self._tokens.append(("name", name.lower()))
            elif quoted is not None:
                self._tokens.append(("value", re.sub(r"\\(.)", r"\1", quoted)))
            elif number or switch:
                self._tokens.append(("value", number or switch))
            else:
                self._tokens.append(("mark", mark))
            at = match.end()
            at += len(self._text[at:]) - len(self._text[at:].lstrip())

    def read(self) -> dict[str, Any]:
        """The filter that the expression means."""
        found = self._call(0)
        if self._tokens:
            raise UnusableReplyError(f"看不懂过滤条件 {self._text!r:.80}")
        return found

    def _take(self, kind: str, value: Any = None) -> Any:
        if not self._tokens or self._tokens[0][0] != kind or (value is not None and self._tokens[0][1] != value):
            raise UnusableReplyError(f"看不懂过滤条件 {self._text!r:.80}")
        return self._tokens.pop(0)[1]

    def _next_is(self, mark: str) -> bool:
        return bool(self._tokens) and self._tokens[0] == ("mark", mark)

    def _call(self, depth: int) -> dict[str, Any]:
        if depth > _DEEPEST:
            raise UnusableReplyError("过滤条件嵌套太深")
        name = self._take("name")
        self._take("mark", "(")
        if name in {"and", "or", "not"}:
            parts = [self._call(depth + 1)]
            while self._next_is(","):
                self._take("mark", ",")
                parts.append(self._call(depth + 1))
            self._take("mark", ")")
            return {f"${name}": parts} if name != "not" else {"$not": parts[0] if len(parts) == 1 else {"$and": parts}}
        key = self._take("value")
        self._take("mark", ",")
        operand = self._list() if self._next_is("[") else self._take("value")
        self._take("mark", ")")
        return {key: {f"${name}": operand}}

    def _list(self) -> list[Any]:
        self._take("mark", "[")
        out = []
        while not self._next_is("]"):
            out.append(self._take("value"))
            if self._next_is(","):
                self._take("mark", ",")
        self._take("mark", "]")
        return out
