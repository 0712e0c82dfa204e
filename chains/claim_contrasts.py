"""Words of a claim that cannot stand for the evidence's: other persons, opposites, crossed parts of a sentence."""

import re
from collections.abc import Iterator, Sequence

from youju.chains.claim_case import MARGIN, Case, denied_at, means, score, short, weight
from youju.chains.claim_denials import Fault
from youju.chains.claim_roles import confirmed
from youju.chains.content import Word, held
from youju.chains.content_words import OPPOSITES, RISING_FALLING, SURNAMES
from youju.chains.support import Statement
from youju.chains.values import agree
from youju.text import HAN

_WORDS = sorted({word for sides in OPPOSITES for side in sides for word in side}, key=len, reverse=True)
_SIDE = re.compile(
    f"(?=[{''.join(sorted({word[0] for word in _WORDS}))}])(?:"  # found fast
    + "|".join(
        rf"\b{word}\b" if word.isascii() else rf"{word}(?=\d|出|于|了)" if len(word) == 1 else word for word in _WORDS
    )
    + ")"
)
_VERB = re.compile(
    rf"(?<![以认作成因称])为(?![了何])|(?<![但还就或])是(?!否)|系(?=[{HAN}])|由|表示|负责|担任|享有|属于|达到?|对应|适用于?"
)
_MUCH, _MOST, _CLEARLY = 1.5, 0.75, 0.35
"""What a clause must say beside a name, the share of it that a sentence without the name holds, and how much more."""
_END = re.compile(r"[,;:。!?]")


def other_person(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """A person who does something in the claim, where the sentence that says it begins with another person."""
    for word in case.words(start, end):
        if word.name != "人名" or any(held(word, f"{one.text}。{one.context}") >= 0.9 for one in chosen):
            continue
        first = next((one for one in chosen[0].words if one.weight >= 0.5), None)
        if first is not None and is_another(first, word) and held(first, case.claim.text) < 0.9:
            return f"资料{chosen[0].n} 写的是 {first.text}，不是 {word.text}", True
    return None


def misplaced(case: Case, start: int, end: int, _: Sequence[Statement]) -> Fault | None:
    """A person or office that stands elsewhere in the evidence, where the sentence that says the rest names another.

    Places are left out: one lies in another, and sentences name them by turns.
    """
    words = case.words(start, end)
    for word in words:
        if word.name not in {"人名", "机构"} or case.was_asked(word) or held(word, case.claim.text[:start]) >= 1.0:
            continue
        rest = [one for one in words if one is not word and one.weight >= 0.5]
        total = weight(rest)
        if total < _MUCH:
            continue
        best: dict[bool, tuple[float, Statement | None]] = {True: (0.0, None), False: (0.0, None)}
        for statement in case.pool:
            around = f"{statement.text}。{statement.context}。{statement.before}"
            there = held(word, around) >= 0.9
            share = score(rest, statement, statement.text) / total
            if share > best[there][0]:
                best[there] = share, statement
        most, nearest = best[False]
        if nearest is None or most < _MOST or most < best[True][0] + _CLEARLY:
            continue
        others = [
            one for one in nearest.words if one.name == word.name and (one.name == "机构" or is_another(one, word))
        ]
        rival = next((one for one in others if held(one, case.claim.text) < 0.9), None)
        if rival is not None:
            return f"资料{nearest.n} 写的是 {rival.text}，不是 {word.text}", True
    return None


def is_another(first: Word, word: Word) -> bool:
    """Whether a word surely names a person, and not the one that the claim names in another form (郭氏, 郭老)."""
    named = first.name == "人名" and (first.text[0] in SURNAMES or "某" in first.text)
    return (
        named and not first.text.endswith("氏") and (first.text[0] != word.text[0] or len(first.text) == len(word.text))
    )


def opposite(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """A word of the claim in whose place the evidence has its opposite (买方, 卖方)."""
    sides_named = list(_SIDE.finditer(case.claim.text, start, end))
    right = confirmed(case, start, end) if sides_named else frozenset()
    for own in sides_named:
        if denied_at(case.claim, own.start()) or own.group() in right:
            continue
        for sides in OPPOSITES:
            side = next((one for one in sides if own.group() in one), None)
            if side is None:
                continue
            found = list(_likenesses(case, own, sides, chosen, end))
            best = max((likeness for likeness, word, _ in found if word in side), default=None)
            rivals = [entry for entry in found if entry[1] not in side]
            if rivals and (best is None or max(entry[0] for entry in rivals) > best + MARGIN):
                _, word, statement = max(rivals, key=lambda entry: (entry[0], entry[1]))
                return f"资料{statement.n} 写的是“{word}”，不是“{own.group()}”", True
    return None


def _likenesses(
    case: Case, own: re.Match[str], sides: Sequence[frozenset[str]], chosen: Sequence[Statement], end: int
) -> Iterator[tuple[float, str, Statement]]:
    """How much of what the claim says of a word the evidence says of it and of its opposites."""
    words = case.words(0, end)
    beside = _beside(case.claim, own.span())
    for statement in chosen:
        spots = [match for match in _SIDE.finditer(statement.text) if any(match.group() in side for side in sides)]
        for spot in spots:
            if denied_at(statement, spot.start()):
                continue
            if sides is not RISING_FALLING:
                region = statement.region(spot.span(), [match.span() for match in spots])
                yield score(words, statement, region), spot.group(), statement
                continue
            # what rises and what falls stand side by side in one sentence
            near = _beside(statement, spot.span())
            likeness = sum(word.weight for word in beside if any(means(word, one) for one in near))
            likeness += _same_value_behind(case.claim, own.end(), statement, spot.end())
            if likeness:
                yield likeness, spot.group(), statement


def _same_value_behind(claim: Statement, place: int, statement: Statement, spot: int) -> bool:
    mine = next((value for value in claim.values if 0 <= value.start - place <= 4), None)
    theirs = next((value for value in statement.values if 0 <= value.start - spot <= 4), None)
    return mine is not None and theirs is not None and agree(mine, theirs)


def _beside(statement: Statement, place: tuple[int, int]) -> list[Word]:
    """What rises or falls: the two words behind a place and the one before it."""
    text = statement.text
    ends = [end for mark in ",;:。!?" if (end := text.find(mark, place[1])) >= 0]
    first = max(text.rfind(mark, 0, place[0]) for mark in ",;:。!?、")
    behind = [word for word in statement.words if place[1] <= word.start < min(ends, default=len(text))]
    before = [word for word in statement.words if first < word.start and word.end <= place[0]]
    return [*behind[:2], *before[-1:]]


def crossed(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether the claim takes what it speaks of from one part of a sentence and what it says of it from another.

    Only parts with the same verb are told apart so: 首任校长为甲，现任校长为乙.
    """
    clause = case.claim.text[start:end]
    if any(mark in clause for mark in "、和与及"):
        return None
    for match in _VERB.finditer(clause):
        subject = [word for word in case.words(start, start + match.start()) if word.weight >= 0.5]
        said = [word for word in case.words(start + match.end(), end) if word.weight >= 0.5]
        parts = list(_parts(chosen, match.group()))
        if len(parts) < 2 or not subject or not said:
            continue
        together = max(_held(subject, left) + _held(said, right) for _, left, right in parts)
        left_best = max(parts, key=lambda part: _held(subject, part[1]))
        right_best = max(parts, key=lambda part: _held(said, part[2]))
        if not _speaks_of_another(case, *right_best[:2]):
            continue
        apart = _held(subject, left_best[1]) + _held(said, right_best[2])
        if left_best is not right_best and _held(said, right_best[2]) and apart > together + MARGIN:
            return f"资料{left_best[0].n} 写的是“{short(left_best[1] + match.group() + left_best[2])}”", True
    return None


def _parts(chosen: Sequence[Statement], verb: str) -> Iterator[tuple[Statement, str, str]]:
    """The parts of sentences with a verb: what stands before it and behind it."""
    for statement in chosen:
        ends = [match.start() for match in _END.finditer(statement.text)]
        for first, last in zip([0, *(end + 1 for end in ends)], [*ends, len(statement.text)], strict=True):
            for match in _VERB.finditer(statement.text, first, last):
                if match.group() == verb or {match.group(), verb} <= {"为", "是", "系"}:
                    yield statement, statement.text[first : match.start()], statement.text[match.end() : last]


def _speaks_of_another(case: Case, statement: Statement, left: str) -> bool:
    """Whether what stands before a verb names anything that the claim does not."""
    named = [word for word in statement.words if word.weight >= 0.5 and word.text in left]
    return any(held(word, case.claim.text) < 0.9 for word in named)


def _held(wanted: Sequence[Word], text: str) -> float:
    return sum(word.weight for word in wanted if held(word, text) >= 0.9)
