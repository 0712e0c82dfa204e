"""What a claim says of first and then, and of either and both, beside what the evidence says."""

import re
from collections.abc import Iterator, Sequence

from youju.chains.claim_case import Case, means, short, standing, weight
from youju.chains.claim_denials import Fault
from youju.chains.content import Word
from youju.chains.support import Statement

_PIECE = r"[^,;:。!?]"
_ORDERS = (  # what comes first, and what then
    re.compile(
        rf"先(?![生进前后行例天锋])(?P<first>{_PIECE}{{1,24}}?),?(?:再|然后|之后|而后|后|才)(?P<then>{_PIECE}{{1,24}})"
    ),
    re.compile(
        rf"(?P<first>{_PIECE}{{2,24}}?)(?:之|以)?后(?![果期续台来勤代者方面备悔])(?:的?\S{{1,4}}内)?,?(?P<then>{_PIECE}{{1,24}})"
    ),
    re.compile(
        rf"(?P<then>{_PIECE}{{2,24}}?)(?:之|以)?前(?![《「往提期景台者任后置年面端沿缀途])(?:,|的?\S{{1,4}}内)?(?P<first>{_PIECE}{{1,24}})"
    ),
    re.compile(rf"(?P<first>{_PIECE}{{4,60}}?) before (?P<then>{_PIECE}{{3,60}})"),
    re.compile(rf"(?P<then>{_PIECE}{{4,60}}?) after (?P<first>{_PIECE}{{3,60}})"),
    re.compile(rf"^before (?P<then>{_PIECE}{{3,60}}), ?(?P<first>{_PIECE}{{3,60}})"),
    re.compile(rf"^after (?P<first>{_PIECE}{{3,60}}), ?(?P<then>{_PIECE}{{3,60}})"),
)
_NEEDED = ("先", "后", "前", " before ", " after ", "before ", "after ")
"""What a text must hold for each of these to be looked for."""
_ORDERED = re.compile(r"[先后前]|\b(?:before|after)\b")
_EITHER = re.compile(r"或者?(?![许将会多])|还是|\bor\b")
_BOTH = re.compile(
    r"以及|(?<![总共饱缓谐平温])和(?![平谐解睦])|(?<![参赠给授])与(?!会|否)|(?<![以涉普顾])及(?![时格其])|并且?|且|\band\b"
)
_ANY_OF = re.compile(r"之一|任[选一何]|择一|[均都皆]可|均|都|支持|包括|等|either|any")
_CHOICE = re.compile(r"可|选|须|应|必|需|只|\b(?:may|can|must|either)\b")
_MUCH = 0.6
_BESIDE = 6  # characters between a joint and its words


def reordered(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether the claim says first what the evidence says last."""
    if not _ORDERED.search(case.claim.text, 0, end):
        return None
    for first, then in _orders(case.claim.text):
        if not start <= max(first[0], then[0]) < end:
            continue
        one, other = case.words(*first), case.words(*then)
        for statement in chosen:
            text = statement.text
            pairs = [(text[slice(*before)], text[slice(*behind)]) for before, behind in _orders(text)]
            straight = max((min(_share(one, a), _share(other, b)) for a, b in pairs), default=0.0)
            crossed = max((min(_share(one, b), _share(other, a)) for a, b in pairs), default=0.0)
            if crossed >= _MUCH and straight < crossed:
                return f"资料{statement.n} 写的先后是“{short(text)}”，和这句话相反", True
    return None


def joined_otherwise(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether the claim says both of two things where the evidence says either, or the other way round."""
    for mine, theirs in ((_BOTH, _EITHER), (_EITHER, _BOTH)):
        own = list(_joints(case.claim, mine, start, end))
        if not own or _ANY_OF.search(case.claim.text, start, end):
            continue
        for statement in chosen:
            if not (theirs.search(statement.text) and _CHOICE.search(statement.text)) or (
                theirs is _BOTH and _ANY_OF.search(statement.text)
            ):
                continue
            same = [(a, b) for a, b, _ in _joints(statement, mine, 0, len(statement.text))]
            for a, b, text in _joints(statement, theirs, 0, len(statement.text)):
                if any(_pair(a, b, c, d) and not any(_pair(c, d, *s) for s in same) for c, d, _ in own):
                    return f"资料{statement.n} 写的是“{short(text)}”，不是“{own[0][2]}”", True
    return None


def _orders(text: str) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    for needed, pattern in zip(_NEEDED, _ORDERS, strict=True):
        for match in pattern.finditer(text) if needed in text else ():
            yield match.span("first"), match.span("then")


def _share(words: Sequence[Word], text: str) -> float:
    total = weight(words)
    return standing(words, text) / total if total else 0.0


def _joints(statement: Statement, joint: re.Pattern[str], start: int, end: int) -> Iterator[tuple[Word, Word, str]]:
    """The words on both sides of each joint, and how they stand there."""
    for match in joint.finditer(statement.text, start, end):
        left = [word for word in statement.words if match.start() - _BESIDE <= word.end <= match.start()]
        right = [word for word in statement.words if match.end() <= word.start <= match.end() + 2]
        if left and right:
            yield left[-1], right[0], statement.text[left[-1].start : right[0].end]


def _pair(a: Word, b: Word, c: Word, d: Word) -> bool:
    return (means(c, a) and means(d, b)) or (means(c, b) and means(d, a))
