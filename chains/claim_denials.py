"""What a claim denies or affirms, and what the evidence does."""

from collections.abc import Sequence

from youju.chains.claim_case import MARGIN, Case, affirmed_at, means, score, short, synonyms, weight
from youju.chains.content import Word, held
from youju.chains.negation import Denial
from youju.chains.scope import Narrowing, taken_back
from youju.chains.support import Statement

_Nearness = tuple[float, float, float]
_NOTHING: _Nearness = (-1.0, -1.0, -1.0)
Fault = tuple[str, bool]
"""A reason, and whether it says the opposite rather than something that is only not said."""


def left_out(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether the claim says something of what the evidence leaves out (定制商品除外)."""
    if case.denials(start, end) or case.claim.exclusions:
        return None
    words = [word for word in case.words(0, end) if word.weight >= 0.5]
    for statement in chosen:
        for first, last in statement.exclusions:
            inside, rest = statement.text[first:last], f"{statement.text[:first]}。{statement.text[last:]}"
            if any(held(word, inside) >= 0.9 and held(word, rest) < 0.9 for word in words):
                return f"资料{statement.n} 把“{inside}”除外", True
    return None


def denied(case: Case, start: int, end: int, _: Sequence[Statement]) -> Fault | None:
    """What the claim denies and the evidence does not; two at once cancel each other, as in `affirmed`."""
    mine = case.denials(start, end)
    words = case.words(0, end) if mine else []
    if not mine or any(_excludes(statement, words) for statement in case.pool):
        return None
    faults = [fault for denial in mine if (fault := _not_denied(case, denial, words))]
    if not faults:
        return None
    reason, against = faults[0]
    return reason, against and len(faults) != 2


def _not_denied(case: Case, denial: Denial, words: Sequence[Word]) -> Fault | None:
    """Whether the evidence says without a denial, of the same, what a claim denies."""
    scope = [word for word in words if denial.start <= word.start < denial.end]
    said = case.claim.text[denial.cue : max(denial.end, denial.cue + len(denial.text))]
    literal = case.claim.text[denial.cue : max(denial.cue + len(denial.text), min(denial.end, denial.cue + 4))]
    same = other = _NOTHING
    for statement in case.pool:
        text = statement.text
        alike = [
            one
            for one in _denials(statement)
            if _shares(scope, text[one.start : one.end]) or text.startswith(literal, one.cue)
        ]
        if alike:
            best = max(score(words, statement, _clause_at(statement, one.cue)) for one in alike)
            same = max(same, (score(words, statement, text), score(words, statement, text, ""), best))
        if _shares(scope[:1], _open(statement)) or (not scope and not statement.denials):
            places = [score(words, statement, _clause_at(statement, at)) for at in affirmed_at(scope[:1], statement)]
            own = score(words, statement, text, "")
            other = max(other, (score(words, statement, text), own, max(places, default=0.0)))
    if same is other is _NOTHING:
        return f"{case.labels}里没有“{short(said)}”这个说法", False
    if same is _NOTHING or _outweighs(other, same):
        return f"{case.labels}没有说“{short(said)}”，说的相反", True
    return None


def _outweighs(other: _Nearness, same: _Nearness) -> bool:
    """Whether one sentence is nearer to the claim than another, first by all, then without what stands before it."""
    difference = next((one - two for one, two in zip(other, same, strict=True) if abs(one - two) > MARGIN), 0.0)
    return difference > 0


def affirmed(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """What the evidence denies and the claim does not.

    Two such denials at once cancel each other (未经批准不得进入, 经批准可以进入): that is said, but not the opposite.
    """
    if not any(statement.denials for statement in chosen):
        return None
    words, mine = case.words(start, end), case.denials(start, end)
    leading = case.words(0, end)
    free = [word for word in words if not any(one.start <= word.start < one.end for one in mine)]
    scopes = [[word for word in words if one.start <= word.start < one.end] for one in mine]
    conflicts = [
        (statement, one)
        for statement in chosen
        for one in statement.denials
        if not any(_shares(scope, statement.text[one.start : one.end]) for scope in scopes)
        and _is_affirmed(statement, one, free, leading)
    ]
    if not conflicts:
        return None
    statement, one = conflicts[0]
    said = short(statement.text[one.cue : max(one.end, one.cue + len(one.text))])
    return f"资料{statement.n} 写的是“{said}”，和这句话相反", len(conflicts) != 2


def _is_affirmed(statement: Statement, denial: Denial, free: Sequence[Word], leading: Sequence[Word]) -> bool:
    if not any(_begins_in(statement.text, denial, text) for word in free for text in (word.text, *synonyms(word))):
        return False  # told fast: its words need not be read
    head = next(
        (
            word
            for word in statement.words
            if denial.start <= word.start < denial.end
            and (word.weight >= 0.5 or word.start == denial.start)
            and statement.plain[word.start] != "□"
        ),
        None,
    )
    used = [word for word in free if head is not None and means(word, head)]
    if not used or score(leading, statement, statement.text) < 0.5 * weight(leading):
        return False
    here = score(leading, statement, _clause_at(statement, denial.cue))
    if not _shares(used, _open(statement)):
        return True
    places = [score(leading, statement, _clause_at(statement, at)) for at in affirmed_at(used, statement)]
    return max(places, default=0.0) < here - MARGIN


def _begins_in(text: str, denial: Denial, wanted: str) -> bool:
    return denial.start <= text.find(wanted, denial.start) < denial.end


def _excludes(statement: Statement, words: Sequence[Word]) -> bool:
    return any(
        word.weight >= 0.5 and held(word, statement.text[start:end]) >= 0.9
        for start, end in statement.exclusions
        for word in words
    )


def _denials(statement: Statement) -> list[Denial | Narrowing]:
    """What a statement denies or takes back."""
    return [*statement.denials, *taken_back(statement.text)]


def _open(statement: Statement) -> str:
    """A statement without what it denies or takes back."""
    text = list(statement.text)
    for one in _denials(statement):
        text[one.start : one.end] = "□" * (one.end - one.start)
    return "".join(text)


def _shares(wanted: Sequence[Word], text: str) -> bool:
    return any(word.weight >= 0.3 and held(word, text) >= 0.9 for word in wanted)


def _clause_at(statement: Statement, at: int) -> str:
    """The clause around a place."""
    text = statement.text
    start = max(text.rfind(mark, 0, at) for mark in ",;。:!?") + 1
    ends = [end for mark in ",;。!?" if (end := text.find(mark, at)) >= 0]
    return text[start : min(ends, default=len(text))]
