"""Claims that take what they speak of from one part of a sentence and what they say of it from another."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from youju.chains.claim_case import Case, means, short
from youju.chains.claim_denials import Fault
from youju.chains.content import Word, held
from youju.chains.support import Statement
from youju.chains.values import agree, comparable

_GROUP = re.compile(r";")
_SEGMENT = re.compile(r"[,、;:。!?\n]")
_AT = re.compile(r"(?:在|于|从|自|对|向|为|将|把|以|按|并|且|还|也|其|该|由|被|与|和)$")
_LEAD = 2  # characters before it
_TOPIC, _OWN_TOPIC = 0.5, 1.0
"""What the word that a part begins with must be worth to be what it speaks of; more, where it follows another part."""


@dataclass(frozen=True)
class _Group:
    """A part of a sentence that says one thing, with what it speaks of: its first word."""

    start: int
    end: int
    text: str
    topic: Word


def mixed(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether a clause says of what one part of a sentence speaks of what another part says of something else.

    下雨时在室内举行，晴天在操场举行 has two parts that speak alike of two things; what is made of both is in neither.
    A part without a topic of its own goes on with the one before it. Words that are in neither part leave it open.
    """
    words = [word for word in case.words(0, end) if word.weight >= _TOPIC]
    for statement in chosen:
        if any(held(word, statement.text) < 0.9 for word in words if not word.other):
            continue  # told fast: what no part says leaves it open
        groups = _groups(case, statement, start, end)
        ours = [group for group in groups if any(means(word, group.topic) for word in words)]
        if len(ours) != 1:
            continue
        for other in groups:
            if other is ours[0] or any(held(other.topic, word.text) >= 0.9 for word in words):
                continue
            if not _has_own_topic(statement, max(ours[0], other, key=lambda group: group.start)):
                continue  # it goes on with what the part before it speaks of
            if _takes(case, words, (start, end), statement, ours[0], other):
                return f"资料{statement.n} 写的是“{short(ours[0].text)}”", True
    return None


def _takes(
    case: Case, words: Sequence[Word], clause: tuple[int, int], statement: Statement, ours: _Group, other: _Group
) -> bool:
    """Whether the claim says what the other part says and this part does not, and not what this part says."""
    both = f"{ours.text}。{other.text}"
    if any(held(word, both) < 0.9 for word in words):
        return False
    if not any(held(word, ours.text) >= 0.9 and held(word, other.text) >= 0.9 for word in words):
        return False
    taken = [word for word in words if clause[0] <= word.start and held(word, ours.text) < 0.9]
    foreign = [one for one in statement.values if other.start <= one.start < other.end]
    own = [one for one in statement.values if ours.start <= one.start < ours.end]
    mine = case.values(*clause)
    if any(not any(agree(value, one) for one in (*own, *foreign)) for value in mine):
        return False
    swapped = any(
        not any(agree(value, one) for one in own) and any(comparable(value, one) for one in own) for value in mine
    )
    said = [word for word in statement.words if ours.topic.end <= word.start < ours.end and word.weight >= _TOPIC]
    unsaid = [word for word in said if not any(means(one, word) or held(word, one.text) >= 0.9 for one in words)]
    return swapped or (bool(taken) and any(held(word, other.text) < 0.9 for word in unsaid))


def _has_own_topic(statement: Statement, group: _Group) -> bool:
    return group.topic.weight >= _OWN_TOPIC and not _AT.search(statement.text[: group.topic.start])


def _groups(case: Case, statement: Statement, start: int, end: int) -> list[_Group]:
    """The parts between semicolons; else those that end with one and the same verb of the clause, or with a value."""
    if statement.cells:
        return []
    text, first = statement.text, statement.shared
    if ";" in text[first:].rstrip(";"):
        return list(_parts(statement, _GROUP, lambda *_: True))
    verbs = [word for word, kind, at in case.claim.tokens if start <= at < end and kind == "v" and len(word) > 1]
    for verb in verbs:
        if text.count(verb, first) > 1:
            return [part for part in _parts(statement, _SEGMENT, _with(text, verb)) if verb in part.text]
    if len(statement.values) < 2:
        return []
    alike = [one for one in statement.values if any(comparable(value, one) for value in case.values(start, end))]
    if len(alike) < 2:
        return []
    return list(_parts(statement, _SEGMENT, lambda begin, last: any(begin <= one.start < last for one in alike)))


def _with(text: str, verb: str) -> Callable[[int, int], bool]:
    return lambda begin, last: verb in text[begin:last]


def _parts(statement: Statement, mark: re.Pattern[str], closes: Callable[[int, int], bool]) -> Iterator[_Group]:
    text, begin = statement.text, statement.shared
    spans = []
    for last in [*(match.start() for match in mark.finditer(text, begin)), len(text)]:
        if closes(begin, last) or last == len(text):
            spans.append((begin, last))
            begin = last + 1
    for begin, last in spans if len(spans) > 1 else ():  # what there is one of is not mixed
        topic = next((word for word in statement.words if begin <= word.start < last and word.weight >= _TOPIC), None)
        if topic is not None and topic.start - begin <= _LEAD:
            yield _Group(begin, last, text[begin:last], topic)
