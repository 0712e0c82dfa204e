"""What narrows a text, and how far: the places of the words of `scope_words`, with what stands in their reach."""

import re
from dataclasses import dataclass
from functools import lru_cache

from youju.chains.scope_words import NARROWS, OPERATORS, Operator

_CLAUSE = re.compile(r"[,;:。!?\n]")
_SENTENCE = re.compile(r"[;。!?\n]")
_RATHER_TIME = re.compile(r"[的后时前]$|之日$")


@dataclass(frozen=True, slots=True)
class Narrowing:
    """A place where a text says less than its words alone.

    Attributes:
        operator: How.
        cue: Where the word stands that says so.
        start: Where what it narrows begins.
        end: Where that ends.
        text: The word.
    """

    operator: Operator
    cue: int
    start: int
    end: int
    text: str


@lru_cache(maxsize=2048)  # a sentence carries several clauses, and an answer is read again as it grows
def narrowings(folded: str) -> tuple[Narrowing, ...]:
    """What narrows a folded text, in the order of the table."""
    if not NARROWS.search(folded):
        return ()
    return tuple(
        Narrowing(operator, match.start(), *span, match.group())
        for operator in OPERATORS
        for match in operator.cue.finditer(folded)
        if (span := _reach(folded, match, operator))
    )


@lru_cache(maxsize=2048)
def taken_back(folded: str) -> tuple[Narrowing, ...]:
    """What a text says is called off, refused or untrue."""
    return tuple(one for one in narrowings(folded) if one.operator.against is None)


def clause_at(folded: str, start: int, end: int) -> tuple[int, int]:
    """The clauses from one place to another."""
    first = max((match.end() for match in _CLAUSE.finditer(folded, 0, start)), default=0)
    stop = _CLAUSE.search(folded, end)
    return first, stop.start() if stop else len(folded)


def _reach(folded: str, match: re.Match[str], operator: Operator) -> tuple[int, int] | None:
    if operator.reach == "around":
        return clause_at(folded, match.start(), match.end())
    if operator.reach == "before":
        return max((mark.end() for mark in _SENTENCE.finditer(folded, 0, match.start())), default=0), match.start()
    start = match.end()
    while start < len(folded) and folded[start] in ')]:"”』」':  # 草案：…, （征求意见稿）…
        start += 1
    stop = (_CLAUSE if operator.reach in {"word", "clause"} else _SENTENCE).search(folded, start)
    end = stop.start() if stop else len(folded)
    if operator.reach == "clause" and _RATHER_TIME.search(folded, start, end):
        return None  # 取消订单的，停止营业后：a case that something else is said of
    return start, end
