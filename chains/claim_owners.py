"""Whose a value is: what stands beside it in the claim, literally, and beside it and its neighbours in the evidence.

年假为10天，病假为5天 gives no 年假为5天, however much 年假 and 病假 are alike. What stands beside a value, the
characters of its clause, of its row or its place in a list with 分别, is its label. A value is another's when the
claim's label stands beside that one, and all that tells the two apart is missing beside the claimed one. Where the
labels do not tell them apart, as with a paraphrase, nothing is decided here.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal

from youju.chains.claim_case import Case, Known
from youju.chains.claim_labels import Label, Tokens, plain
from youju.chains.content import held
from youju.chains.support import Statement
from youju.chains.values import Value, agree, comparable

_LISTED = re.compile("[和与及、,;。]")
_MOST_OF_IT = 0.75  # share of what the claim says beside its value that must stand beside the rival
_ALMOST_ALL = 0.9  # the same of what the question says
_LONGER = 4  # characters by which one label is longer than another that it holds
_CLEAR = 6  # characters of a clause that is repeated, from which on the question has no say in what it speaks of
_BESIDE = 4  # characters between two values that are one thing in two units, or two parts of one value
_HELD = 0.8  # of a word: a synonym is as good as the word
_NAMES = ("第", "date", "code", "级", "期", "届", "号", "楼", "weekday")

Held = tuple[Statement, Value, bool]
"""A value of the evidence, and whether it agrees with the claim's."""


def owner(case: Case, value: Value, held_by: Iterable[Held]) -> Label | Literal["own"] | None:
    """Whose a value of the claim is.

    Args:
        case: The claim and its evidence.
        value: A value of the claim.
        held_by: The values of the evidence like it, and whether each agrees with it.

    Returns:
        The value of the evidence that the claim's label stands beside instead of the claimed one, or where that is
        nowhere; `own` where it stands beside the claimed one and not beside another; None where the labels do not tell.
    """
    if any(name.startswith(_NAMES) for name in value.dimensions) or _is_named(case.claim, value):
        return None
    places = list(held_by)
    told = _claimed(case, value) if any(not agrees for _, _, agrees in places) else None
    if told is None:
        return None
    asked = case.asked.tokens
    if not any(token in case.everything for token in told):
        told, asked = asked, ()
    elif value.text.endswith("年"):  # of an era (洪武三年) the question says nothing
        asked = ()
    rivals = _rivals(case, value, places, [(case.known(told), _MOST_OF_IT), (case.known(asked), _ALMOST_ALL)])
    same, others = _labels_of(case, places, rivals) if rivals else ([], [])
    if not others:
        return None
    found = [_decided(case, told, asked, one, others) for one in same]
    if any(one == "own" for one in found):
        return "own"
    taking = [one for one in found if isinstance(one, Label)]
    if same and len(taking) < len(found):
        return None
    fitting = taking or [
        one for one in others if _adjacent(told, told, one.own) and _share(case, told, one) >= _MOST_OF_IT
    ]
    return max(fitting, key=lambda one: (_share(case, told, one), -len(one.own)), default=None)


def _rivals(case: Case, value: Value, places: Sequence[Held], known: Sequence[tuple[Known, float]]) -> set[int]:
    """The other values in statements that say enough of the claim or of the question to be looked at closely."""
    beside = [
        one for one in case.claim.values if one is not value and _touch(case.claim.text, one, value)
    ]  # 3英里(5公里)
    others = [(statement, one) for statement, one, agrees in places if not agrees]
    holding = {
        id(statement)
        for statement in dict.fromkeys(statement for statement, _ in others)
        if _may_hold(f"{statement.text}{statement.context}{statement.before}", known)
    }
    return {
        id(one)
        for statement, one in others
        if id(statement) in holding and not any(agree(other, one) for other in beside)
    }


def _labels_of(case: Case, places: Sequence[Held], rivals: set[int]) -> tuple[list[Label], list[Label]]:
    """The labels of the claim's value and of its rivals, which depend on all the values beside them."""
    agreeing = {id(one) for _, one, agrees in places if agrees}
    by_statement: dict[Statement, list[Value]] = {}
    for statement, value, _ in places:
        by_statement.setdefault(statement, []).append(value)
    found = [
        label
        for statement, alike in by_statement.items()
        if any(id(one) in agreeing or id(one) in rivals for one in alike)
        for label in case.labels_of(statement, alike)
    ]
    return (
        [label for label in found if id(label.value) in agreeing],
        [label for label in found if id(label.value) in rivals],
    )


def _may_hold(text: str, wanted: Sequence[tuple[Known, float]]) -> bool:
    for known, enough in wanted:
        total = len(known.said) + len(known.digits)
        held = sum([token in text or token.isdecimal() for token in known.said]) + len(known.digits)
        if total and held >= enough * total:
            return True
    return False


def _is_named(claim: Statement, value: Value) -> bool:
    """Whether a bare number is part of a name (轴承6308的)."""
    return "n" in value.dimensions and claim.text.startswith("的", value.end)


def _touch(text: str, one: Value, other: Value) -> bool:
    """Whether two values are one thing in two units, or parts of one, rather than members of a list."""
    first, second = sorted((one, other), key=lambda value: value.start)
    return second.start - first.end <= _BESIDE and not _LISTED.search(text, first.end, second.start)


def _decided(
    case: Case, told: Tokens, asked: Tokens, same: Label, others: Sequence[Label]
) -> Label | Literal["own"] | None:
    """Whether what the claim says, or else the question, stands beside this value or another."""
    repeated = len(told) >= _CLEAR and told in _runs(same.own, len(told))
    for wanted, enough in ((told, _MOST_OF_IT), (() if repeated else asked, _ALMOST_ALL)):
        if not wanted:
            continue
        shares = [(_share(case, wanted, one), one) for one in others]
        taking = [(share, one) for share, one in shares if share >= enough and _side(case, wanted, same, one) < 0]
        if taking:
            return max(taking, key=lambda entry: (entry[0], -len(entry[1].own)))[1]
        if _share(case, wanted, same) >= enough and all(_side(case, wanted, same, one) > 0 for one in others):
            return "own"
    longer = [(_is_longer(same, one, told, asked), _is_longer(one, same, told, asked), one) for one in others]
    if any(here for here, _, _ in longer):
        return next(one for here, _, one in longer if here)
    return "own" if longer and all(there for _, there, _ in longer) else None


def _side(case: Case, wanted: Tokens, same: Label, other: Label) -> int:
    """1 if what tells two values apart stands beside the first alone, -1 beside the second alone, else 0."""
    apart = same.statement.context != other.statement.context
    if same.statement is other.statement:
        here, there = same.near, other.near
    else:
        here, there = (same.anywhere, other.anywhere) if apart else (same.around, other.around)
    first = [token for token in wanted if token in here and token not in there]
    there_own = (*(plain(other.statement.context) if apart else ()), *other.own)
    second = _adjacent(wanted, [token for token in wanted if token not in here], there_own)
    if second and not first:  # what the question names, and a sentence before this one may have named
        first = _adjacent(
            wanted, [token for token in wanted if token in same.own and token not in other.near], same.own
        )
    if not first and not second:
        here_own = (*(plain(same.statement.context) if apart else ()), *same.own)
        second = _torn(wanted, here, here_own, there_own)
    if bool(first) == bool(second):
        return 0
    meant = _meant(case, same if second else other)
    if any(token not in meant for token in second or first):
        return -1 if second else 1
    return 0


def _torn(wanted: Tokens, here: frozenset[str], own: Tokens, other: Tokens) -> list[str]:
    """What stands together in another label as in the claim, and only apart in this one (年假, 病假每年)."""
    pairs = [pair for pair in pairwise(wanted) if pair[0] in here and pair[1] in here]
    whole = [pair for pair in pairs if _follows(*pair, other)]
    if not pairs or len(pairs) < len(wanted) - 1 or len(whole) < _MOST_OF_IT * len(pairs):
        return []
    return [first for first, second in whole if not _follows(first, second, own)]


def _meant(case: Case, label: Label) -> frozenset[str]:
    """The characters of the claim's words that stand beside a value in another form."""
    return frozenset(
        character
        for word in case.claim.words
        if word.text not in label.text and held(word, label.text) >= _HELD
        for character in word.text
    )


def _adjacent(wanted: Tokens, among: Sequence[str], held_in: Tokens) -> list[str]:
    """The tokens that stand in a label side by side with a neighbour of theirs in the claim, as in one word."""
    found = []
    for at, token in enumerate(wanted):
        if token not in among or token not in held_in:
            continue
        alone = len(wanted) == 1 or token[0] <= "\u2e7f"
        pairs = [(wanted[at - 1], token)] if at else []
        pairs += [(token, wanted[at + 1])] if at + 1 < len(wanted) else []
        if alone or any(_follows(first, second, held_in) for first, second in pairs):
            found.append(token)
    return found


def _follows(first: str, second: str, tokens: Tokens) -> bool:
    return any(token == first and second in tokens[at + 1 : at + 3] for at, token in enumerate(tokens))


def _runs(tokens: Tokens, length: int) -> list[Tokens]:
    return [tokens[at : at + length] for at in range(len(tokens) - length + 1)]


def _share(case: Case, wanted: Tokens, label: Label) -> float:
    """The share of what is wanted, and stands in the evidence at all, beside a value."""
    anywhere = label.anywhere
    names = [word.text for word in case.claim.words if word.name]
    if names and any(name in "".join(wanted) and not anywhere.issuperset(name) for name in names):
        return 0.0  # somebody or something else
    known = case.known(wanted)
    digits = len(label.near.intersection(known.digits))
    total = len(known.said) + digits
    return (len(anywhere.intersection(known.said)) + digits) / total if total else 0.0


def _is_longer(label: Label, other: Label, told: Tokens, asked: Tokens) -> bool:
    """Whether the other label is the claim's, and this one the same with more in it (陪产假) that nobody asked."""
    common = (set(label.own) & set(other.own)).difference(told)
    own, bare = ([token for token in one.own if token not in common] for one in (label, other))
    if not told or tuple(bare) != told or not len(told) < len(own) <= len(told) + _LONGER or own[-1] != told[-1]:
        return False
    at = 0
    for token in told:
        if token not in own[at:]:
            return False
        at = own.index(token, at)
        del own[at]
    return not any(token in asked for token in own)


def _claimed(case: Case, value: Value) -> Tokens | None:
    """What the claim says beside its value; None for a further part of a value (三年六个月, 40°15′)."""
    claim = case.claim
    alike = [one for one in claim.values if one is value or comparable(value, one)]
    label = next(one for one in case.labels_of(claim, alike) if one.value is value)
    first, last = claim.segment(value.start)
    crowded = sum(first <= one.start < last for one in alike) > 1
    return None if crowded and not label.beside else label.own
