"""The values of a claim: whether the evidence says them, of what the claim says them of."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from youju.cached import cached
from youju.chains.claim_added import added
from youju.chains.claim_case import MARGIN, Case, Part, measured_alike, score, weight
from youju.chains.claim_labels import Label
from youju.chains.claim_owners import owner
from youju.chains.content import Word
from youju.chains.support import Statement
from youju.chains.values import Value, agree, comparable, measure_others, opposed

_SAME_THING = 0.65  # share of a clause's words beside another value, from which on that value is said of the same thing
_MUCH_OF_IT, _MORE_OF_IT = 0.6, 0.3  # shares of a clause's words with which one place outdoes another
_LEAD = 0.7  # what a word of an earlier clause counts

_FROM_OR_TO = re.compile(
    r"截[至止]|自|从|起|以来|至今|[之以]?[前后]|[月日][到至~—–-]|\b(?:since|before|after|until|from)\b"
)
"""In a question that asks for what was before, after or since a date, which evidence of other dates can tell."""


@dataclass(eq=False)
class Place:
    """A value of the evidence like the claim's, and how much of what the claim says beside its own stands beside it.

    Attributes:
        statement: Where it stands.
        value: The value.
        wanted: What the claim says.
        agrees: Whether it is the claim's.
        alike: The values of the statement that measure the same, this one included.
        years: The years that stand around it.
        over_it: Whether it stands not in the statement but over it or right before it.
    """

    statement: Statement
    value: Value
    wanted: "_Wanted"
    agrees: bool = True
    alike: Sequence[Value] = ()
    years: frozenset[int] = frozenset()
    over_it: bool = False

    @cached
    def region(self) -> str:
        """What stands beside it."""
        spots = [(one.start, one.end) for one in self.alike]
        return self.statement.region((self.value.start, self.value.end), spots)

    @cached
    def before(self) -> str:
        """What stands before the statement, unless a value like it stands there."""
        wanted = self.wanted.value
        rivals = any(
            measured_alike(wanted, before) and any(comparable(wanted, one) for one in before.values)
            for before in self.statement.earlier
        )
        return "" if rivals else self.statement.before

    @cached
    def company(self) -> int:
        """How many of the claim's other values stand in the same part of the sentence."""
        if self.over_it or not self.wanted.beside:
            return 0
        first, last = self.statement.segment(self.value.start)
        others = [one for one in self.statement.values if one is not self.value and first <= one.start < last]
        return sum(any(agree(claimed, one, self.years) for one in others) for claimed in self.wanted.beside)

    @cached
    def score(self) -> float:
        """The weight of the claim's words beside it, and one for each other value of the claim."""
        if self.over_it:
            return 0.8 * score(self.wanted.words, self.statement, self.statement.text)
        return self.company + score(self.wanted.words, self.statement, self.region, self.before)

    @cached
    def own(self) -> float:
        """The share of the words of the claim's clause."""
        total = 0.0 if self.over_it else weight(self.wanted.own)
        return score(self.wanted.own, self.statement, self.region, self.before) / total if total else 1.0


@dataclass(frozen=True)
class _Wanted:
    """A value of the claim and what stands beside it there."""

    value: Value
    words: Sequence[Word]  # those that the evidence holds at all
    own: Sequence[Word]
    beside: Sequence[Value]
    total: float


def find_value(case: Case, value: Value, start: int, end: int) -> Place | Part | None:
    """Where the evidence says a value of a clause, or what is wrong with it; None for one that the asker gave."""
    around = _around(case, value, start, end)
    beside = [one for one in case.claim.values if one is not value and one.end <= end]
    wanted = _Wanted(value, case.present(around), case.words(start, end), beside, weight(around))
    places = list(_places(case, wanted))
    same = _best(places, agrees=True)
    if same is not None and "naked" in value.dimensions and "naked" not in same.value.dimensions:
        # a bare 500 agrees with 500元: then it is an amount of yuan, and 400元 its rival
        wanted = replace(wanted, value=replace(value, readings=(*value.readings, *same.value.readings)))
        places = list(_places(case, wanted))
        same = _best(places, agrees=True)
    whose = owner(case, value, [(one.statement, one.value, one.agrees) for one in places])
    if isinstance(whose, Label) and same is not None:
        return _contradicted(wanted, next(one for one in places if one.value is whose.value))
    same = same or _in_context(case, wanted)
    size = wanted.total + 1
    if same is not None:
        other = _best(places, agrees=False) if whose is None else None
        if other is not None and _outdone(wanted, same, other):
            return _contradicted(wanted, other)
        if opposed(value, same.value) and bool(case.denials(start, end)) == bool(same.statement.denials):
            said, claimed = _with_bound(same.statement, same.value), _with_bound(case.claim, value)
            reason = f"资料{same.statement.n} 写的是“{said}”，不是“{claimed}”"
            return Part("contradicted", reason, [same.statement], 0.5, size)
        more = None if case.denials(start, end) else _added(case, value, same, places)
        if more is not None:
            reason = f"资料{same.statement.n} 写的是 {same.value.text}，不是 {more}"
            return Part("contradicted", reason, [same.statement], 0.5, size)
        return same
    if _is_given(case, wanted, _best(places, agrees=False)):
        return None
    # a bare number that is part of a name, such as 轴承6308的, has no rival
    if not ("n" in value.dimensions and case.claim.text.startswith("的", value.end)):
        rivals = [place for place in _places(case, wanted, loosely=True) if place.own >= _SAME_THING]
        named = whose.value if isinstance(whose, Label) else None
        other = max(rivals, key=lambda place: (place.value is named, _order(place)), default=None)
        if other is not None and other.score >= 0.5 * wanted.total > 0:
            return _contradicted(wanted, other)
    return Part("unsupported", f"{case.labels}里没有“{value.text}”", [], 0.0, size)


def _best(places: Sequence[Place], *, agrees: bool) -> Place | None:
    """The best place of the claim's value, or of another one like it."""
    found = [one for one in places if one.agrees is agrees]
    return max(found, key=lambda one: one.score) if len(found) > 1 else next(iter(found), None)


def _added(case: Case, value: Value, same: Place, places: Sequence[Place]) -> str | None:
    """What the claim adds to its value that neither the best place of it nor one as good says."""
    more = added(case.claim, value, same.statement, same.value)
    if more is None or more in case.asked.text:
        return None
    equals = [one for one in places if one.agrees and one is not same and one.score >= same.score - MARGIN]
    return None if any(added(case.claim, value, one.statement, one.value) is None for one in equals) else more


def _order(place: Place) -> tuple[float, float, str]:
    return (round(place.own + place.score, 6), -len(place.statement.text), place.value.text)


def _contradicted(wanted: _Wanted, other: Place) -> Part:
    reason = f"资料{other.statement.n} 写的是 {other.value.text}，不是 {wanted.value.text}"
    share = min(1.0, 0.5 * other.score / wanted.total) if wanted.total else 0.0
    return Part("contradicted", reason, [other.statement], share, wanted.total + 1)


def _outdone(wanted: _Wanted, same: Place, other: Place) -> bool:
    """Whether what the claim says beside its value stands beside another value instead."""
    total = wanted.total + len(wanted.beside)
    if same.statement is other.statement:
        return other.company >= same.company and other.score > same.score + MARGIN
    if "date" in wanted.value.dimensions:  # dates stand in many sentences about one thing
        return other.score >= 0.85 * total and same.score < 0.6 * total
    if other.own >= _MUCH_OF_IT and other.own >= same.own + _MORE_OF_IT:  # whatever the clauses before say
        return True
    return other.score > same.score + 0.8 and other.score >= 0.7 * total


def _around(case: Case, value: Value, start: int, end: int) -> list[Word]:
    """The words that a value of the claim belongs to: of its clause, and of the ones before that have no such value."""
    claim = case.claim
    alike = [one for one in claim.values if comparable(value, one)]
    last = max((one.end for one in alike if one.end <= start), default=0)
    region = claim.region((value.start, value.end), [(one.start, one.end) for one in alike])
    if not last and len(alike) < 2:
        region = claim.text
    return [
        word if start <= word.start else Word(word.text, word.start, word.weight * _LEAD, word.name)
        for word in case.words(last, end)
        if word.text in region
    ]


def _places(case: Case, wanted: _Wanted, *, loosely: bool = False) -> Iterator[Place]:
    """The values of the evidence like the claim's."""
    for statement in case.pool:
        if not loosely and not measured_alike(wanted.value, statement):
            continue
        years = case.years(statement)
        found = [
            (one, agrees)
            for one in statement.values
            if (loosely or not measure_others(wanted.value, one.kinds))
            and ((agrees := agree(wanted.value, one, years)) or comparable(wanted.value, one, loosely=loosely))
        ]
        alike = [one for one, _ in found]
        for one, agrees in found:
            if statement.cells and one.start < statement.cells[0][1] and not agrees:
                continue  # what a row is about is no value in it
            yield Place(statement, one, wanted, agrees, alike, years)


def _in_context(case: Case, wanted: _Wanted) -> Place | None:
    """A date, article or identifier that stands not in a sentence but over it or right before it."""
    if not any(name in {"date", "code"} or name.startswith("第") for name in wanted.value.dimensions):
        return None
    places = [
        Place(statement, one, wanted, over_it=True)
        for statement in case.pool
        for one in statement.values_around
        if agree(wanted.value, one, statement.years)
    ]
    return max(places, key=_order, default=None)


def _is_given(case: Case, wanted: _Wanted, other: Place | None) -> bool:
    """Whether a value is the asker's own, and what the claim says of it is right by the evidence's limit."""
    value = wanted.value
    asked = next((one for one in case.asked.values if agree(value, one) and value.bound in {one.bound, None}), None)
    if asked is None or _is_another_month(case, value):
        return False
    if other is None or any(agree(one, other.value) for one in case.claim.values):
        return True
    dimension, given = value.readings[0]
    limit = next((amount for name, amount in other.value.readings if name == dimension), None)
    bound: Literal["up", "down"] | None = other.value.bound
    if bound is None or not isinstance(limit, type(given)) or isinstance(given, (str, tuple)) or limit is None:
        return other.score < 0.7 * (wanted.total + len(wanted.beside))
    within = given <= limit if bound == "down" else given >= limit  # type: ignore[operator]  # both are fractions here
    if given == limit and asked.bound is not None and asked.bound != bound:
        within = False
    if within == bool(case.claim.denials):
        return False
    case.beyond_limit = not within
    return True


def _is_another_month(case: Case, value: Value) -> bool:
    """Whether the evidence names months, and none of them is the asker's, nor do they stand on both sides of it."""
    wanted = _month(value, None)
    if wanted is None or _FROM_OR_TO.search(case.asked.text):
        return False
    found = [
        {month for one in (*statement.values, *statement.values_around) if (month := _month(one, wanted[0]))}
        for statement in case.pool
    ]
    return any(found) and not any(months and min(months) <= wanted <= max(months) for months in found)


def _month(value: Value, year: int | None) -> tuple[int, int] | None:
    """The year and month of a date; of this year, if it names none."""
    dates = (amount for _, amount in value.readings if isinstance(amount, tuple))
    return next((((date[0] or year or 0), date[1]) for date in dates if date[1] is not None), None)


def _with_bound(statement: Statement, value: Value) -> str:
    return statement.text[max(0, value.start - 3) : value.end + 2].strip(",;:。!?()")
