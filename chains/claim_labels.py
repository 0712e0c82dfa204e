"""The labels of values: what stands beside each in its clause, its row, or its place in a list with 分别."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from youju.cached import cached
from youju.chains.support import Statement
from youju.chains.values import Value, comparable
from youju.text import HAN

_TOKEN = re.compile(rf"[{HAN}]|[a-z0-9\u00df-\u024f]+(?:[.-][a-z0-9]+)*")
_EMPTY = frozenset("的了为是在有和与及这那之其于也都就约仅则即共您我你")
_BOUND = re.compile(
    r"(?=[以之不超至最一总共合])"  # found fast
    r"(?:以[上下内外前后]|之[内前后]|不[超少低高]?[满足到过于得多]+|超过|至[少多]|最[少多]|[一总]共|[共合]计)"
)
_DIGITS = dict(zip("一二三四五六七八九", "123456789", strict=True))
_CHANGED = re.compile(r"[到至]|[增减升降涨跌变改]为?|→")  # from 10 to 8: both are of one thing
_AND = re.compile(r"以及|[和与及]")
_IN_TURN = re.compile(r"分别|依次")
_LIST_MARK = re.compile(r"以及|[、和与及]")
_END = re.compile(r"[;。!?\n]")
_CLAUSE = re.compile(r"[,;:。!?\n]")

Tokens = tuple[str, ...]
"""Han characters, numbers and words of other scripts, in order; empty words and bounds are none."""


@dataclass(frozen=True, eq=False)
class Label:
    """A value of a statement with what stands beside it.

    Attributes:
        statement: Where it stands.
        value: The value.
        beside: What stands in its own part, in order: characters, numbers and words of other scripts.
        spans: Its clause, and the ones around it that have no such value; of a list with 分别 none.
        alike: The values of the statement that measure the same.
    """

    statement: Statement
    value: Value
    beside: Tokens
    spans: Sequence[tuple[int, int]] = ()
    alike: Sequence[Value] = ()

    @cached
    def own(self) -> Tokens:
        """What stands right beside it, or where that is nothing around it."""
        return self.beside or plain(self.text)

    @cached
    def text(self) -> str:
        """Its clause and the ones around it, without the values."""
        text = "。".join([_without(self.statement, first, last, self.alike) for first, last in self.spans])
        dates = [
            one.text
            for one in self.statement.values
            if self.spans and "date" in one.dimensions and one.end <= self.value.start
        ]
        if dates and dates[-1] not in text:  # a date is said of what follows it in a sentence as well
            text += "。" + dates[-1]
        return text

    @cached
    def near(self) -> frozenset[str]:
        """What stands beside it or in the clauses around it."""
        return frozenset((*self.own, *plain(self.text)))

    @cached
    def around(self) -> frozenset[str]:
        """The same, and what stands before the sentence if no value like it does."""
        like_it = any(comparable(self.value, one) for one in self.statement.values_before)
        before = [] if like_it else [plain(one.text[one.shared :]) for one in self.statement.earlier]
        return self.near.union(*before)

    @cached
    def anywhere(self) -> frozenset[str]:
        """The same, and what stands over the sentence."""
        return self.around.union(plain(self.statement.context))


def labels(statement: Statement, alike: Sequence[Value]) -> Iterator[Label]:
    """Each of some values of a statement that measure the same, with what stands beside it."""
    if statement.cells:
        for value in alike:
            spans = [
                (first, last)
                for first, last in statement.cells
                if first <= value.start < last or not any(first <= one.start < last for one in alike)
            ]
            yield _label(statement, value, spans, spans, alike)
        return
    in_turn = dict(_in_turn(statement, alike))
    parts = list(_parts(statement, alike))
    tail = [(parts[-1][1][1], len(statement.text))] if parts else []
    for number, (value, own, before) in enumerate(parts):
        if id(value) in in_turn:
            yield Label(statement, value, in_turn[id(value)])
        else:
            yield _label(statement, value, [own], [before, own, *tail] if number or tail else [before, own], alike)


def _label(
    statement: Statement,
    value: Value,
    own: Sequence[tuple[int, int]],
    near: Sequence[tuple[int, int]],
    alike: Sequence[Value],
) -> Label:
    beside = chain.from_iterable([plain(_without(statement, first, last, alike)) for first, last in own])
    return Label(statement, value, tuple(beside), near, alike)


def _parts(statement: Statement, alike: Sequence[Value]) -> Iterator[tuple[Value, tuple[int, int], tuple[int, int]]]:
    """Each value with its own part of the statement, and what stands before that without any value like it."""
    done = 0
    for first, last in statement.segments:
        inside = [one for one in alike if first <= one.start < last]
        if not inside:
            continue
        led = statement.text[first - 1 : first] == ":"
        start = done
        for value, (begins, ends) in zip(inside, _pieces(statement.text, first, last, inside), strict=True):
            own = (done if led and value is inside[0] else begins, ends)
            changed = value is not inside[0] and _CHANGED.search(statement.text, begins, value.start)
            yield value, (first, ends) if changed else own, (start if changed else min(done, begins), begins)
            done = ends
        done = last


def _pieces(text: str, first: int, last: int, inside: Sequence[Value]) -> Iterator[tuple[int, int]]:
    """What of one part between marks belongs to each of its values: as far as 和, or to the one behind it."""
    begins = first
    leads = len(inside) > 1 and bool(plain(text[first : inside[0].start]))
    for number, value in enumerate(inside):
        behind = inside[number + 1] if number + 1 < len(inside) else None
        if behind is None:
            yield begins, last
            return
        joint = _AND.search(text, value.end, behind.start)
        ends = joint.start() if joint else value.end if leads else behind.start
        yield begins, ends
        begins = joint.end() if joint else ends


def _in_turn(statement: Statement, alike: Sequence[Value]) -> Iterator[tuple[int, Tokens]]:
    """The labels of values that stand in the order of what they are said of: A和B分别为12天和7天."""
    text = statement.text
    for match in _IN_TURN.finditer(text):
        begins = max((mark.end() for mark in _CLAUSE.finditer(text, 0, match.start())), default=0)
        ends = next((mark.start() for mark in _END.finditer(text, match.end())), len(text))
        given = [one for one in alike if match.end() <= one.start < ends]
        items = [plain(item) for item in _LIST_MARK.split(text[begins : match.start()])]
        if 2 <= len(items) == len(given) and all(items):
            behind = tuple(plain(text[match.end() : given[0].start]))
            yield from ((id(one), (*item, *behind)) for one, item in zip(given, _whole(items), strict=True))


def _whole(items: Sequence[Tokens]) -> list[Tokens]:
    """Items of a list with what only the first or the last of them says for all: 一、二等奖."""
    first, last = items[0], items[-1]
    if first[-1] != last[-1] and len(last) > len(first):
        return [*((*item, *last[len(first) :]) for item in items[:-1]), last]
    if len(first) > len(last) and first[len(first) - len(last) :] != last:
        return [first, *((*first[: len(first) - len(last)], *item) for item in items[1:])]
    return list(items)


def _without(statement: Statement, first: int, last: int, alike: Sequence[Value]) -> str:
    text, at = "", first
    for value in alike:
        if first <= value.start < last:
            text += statement.text[at : value.start] + "。"
            at = value.end
    return text + statement.text[at:last]


@lru_cache(maxsize=2048)  # what stands around the values of a text is the same for many of them
def plain(text: str) -> Tokens:
    """The tokens of a text."""
    tokens = [token for token in _TOKEN.findall(_BOUND.sub("。", text)) if token not in _EMPTY]
    return tuple(map(_DIGITS.get, tokens, tokens))
