"""The words of a question that matter, how much each does, and other words for the same."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from youju.models.question_kinds import NAMED
from youju.models.question_synonyms import SYNONYMS
from youju.models.question_words import ASKING, EMPTY_ENGLISH, EMPTY_HAN, GENERAL
from youju.text import HAN, tokens

_EMPTY = frozenset([*EMPTY_HAN, *EMPTY_ENGLISH])
_GENERAL = frozenset(GENERAL)
_KNOWN = _GENERAL.union(SYNONYMS)
_HAN = re.compile(rf"[{HAN}]")
_HAN_RUN = re.compile(rf"[{HAN}]+")
_EMPTY_RUN = re.compile(
    "|".join(sorted((word for word in EMPTY_HAN if len(word) > 1), key=len, reverse=True))
    + r"|(?<![功性可智职节技动热电产效潜机万本才只不未核储势风光体全异官])能(?![力源量耗效级见手人否不])"  # 能带, 能用
)
_UNIT = (
    r"个?(?:工作|自然)?(?:小时|分钟|[天日周]|年(?![底初代度间])|月(?![份底初]))"
    r"|万?元|块钱?|[倍次名位点折人]|公里|米|[个家](?=[^\W\d])"
)
MEASURE = re.compile(rf"(?<!第)[一二两三四五六七八九十百千万半]+(?:{_UNIT})(?!代)")
"""An amount in Han numerals, in folded text: 三年, 两个月."""
_UNIT_BEHIND = re.compile(_UNIT)
_NO_WORD = re.compile(f"{_EMPTY_RUN.pattern}|{MEASURE.pattern}")
_SPLIT = re.compile(rf"[{HAN}]+|[^{HAN}]+")
_SUFFIX = re.compile(r"(?:ies|es|s|ing|ed|al|ment|ation)$")
_ROLES = {"plain": 1.0, "focus": 1.5, "category": 0.5, "counted": 1.2, "scope": 0.3}
"""How much more or less a word counts for where it stands: a text seldom repeats the class (国家 in 哪个国家)."""
SCOPE = re.compile(r"(?:请问?)?(?:根据|依据|按照|依照|结合|参照|查阅|in |according to )[^,，。]{2,40}[,，]")
"""A clause that says only where to look: 根据合同，."""
_CLASS_MARK = re.compile(r"一?[个种些样类家位项座所部条场次]+的?|[a-z ]*")
_CLAUSE_END = re.compile(r"[,，。;]")
_BEHIND = {
    **dict.fromkeys(("什么", "哪", "啥", "which", "what"), "category"),
    **dict.fromkeys(("多少", "几"), "counted"),
}
"""What a word is right behind one that asks; `focus` behind others."""
_MATTERS = 0.8
_ALTERNATIVE = 0.9
"""What another word for the same counts."""


@dataclass(frozen=True)
class Term:
    """A word that matters.

    Attributes:
        text: The word, folded.
        weight: How much it matters.
        others: Other words for the same.
        role: `focus` right before the word that asks; `category` right behind it, such as 国家 in 哪个国家; `counted`
            in 多少股东; `scope` in a clause that says where to look, such as 根据合同，.
    """

    text: str
    weight: float
    others: tuple[str, ...] = ()
    role: str = "plain"

    @property
    def matters(self) -> bool:
        """Whether an answer cannot be about what is asked if nothing around it holds the word."""
        return self.weight >= _MATTERS and self.role in ("plain", "focus")

    def held(self, folded: str) -> float:
        """How much of the word a folded text holds, in [0, 1].

        A word of three or more Han characters that is not there as a whole counts by its characters that stand there
        in pairs, four fifths at most.
        """
        if _stands(self.text, folded):
            return 1.0
        if any(_stands(other, folded) for other in self.others):
            return _ALTERNATIVE
        if len(self.text) < 3 or self.text.isascii():
            return 0.0
        found = [self.text[at : at + 2] in folded for at in range(len(self.text) - 1)]
        covered = sum(before or after for before, after in pairwise([False, *found, False]))
        return (0.9 if found[-1] else 0.65) * covered / len(self.text)


def pairs_of(folded: str) -> frozenset[str]:
    """The neighbouring Han characters of a folded question, without those that ask or connect."""
    said = _EMPTY_RUN.sub(" ", ASKING.sub(" ", folded))
    runs = (run.group() for run in _HAN_RUN.finditer(said))
    return frozenset(run[at : at + 2] for run in runs for at in range(len(run) - 1))


def terms_of(folded: str) -> Iterator[Term]:
    """The words of a folded question that matter, each once."""
    places = list(_places(folded))
    roles = _roles(folded, places)
    seen = set()
    for place, (word, _, _) in enumerate(places):
        if word not in seen:
            seen.add(word)
            role = "plain" if word in _GENERAL else roles.get(place, "plain")
            yield Term(word, _weight(word) * _ROLES[role], SYNONYMS.get(word, ()), role)


def _roles(folded: str, places: list[tuple[str, int, int]]) -> dict[int, str]:
    """The words beside the word that asks; the last word where none asks."""
    asking = list(ASKING.finditer(folded))
    scope = SCOPE.match(folded)
    roles = dict.fromkeys((at for at, (_, _, stop) in enumerate(places) if scope and stop <= scope.end()), "scope")
    if not asking:
        return {**roles, **dict.fromkeys(range(len(places))[-1:], "focus")}
    start, end = asking[-1].span()
    before = [
        at
        for at, (word, _, stop) in enumerate(places)
        if stop <= start and word not in _GENERAL and not _CLAUSE_END.search(folded, stop, start)
    ]
    after = [at for at, (_, begin, _) in enumerate(places) if begin >= end and begin - end <= 2]
    behind = _BEHIND.get(asking[-1].group(), "focus")
    if (
        behind == "category"
        and after
        and places[after[0]][1] > end
        and not _CLASS_MARK.fullmatch(folded, end, places[after[0]][1])
    ):
        behind = "focus"  # 以什么为食: what follows is no class of what is asked for
    return {**roles, **dict.fromkeys(before[-1:], "focus"), **dict.fromkeys(after[:1], behind)}


def _places(folded: str) -> Iterator[tuple[str, int, int]]:
    """Words that matter, in order, with their places; neighbouring single characters form one word."""
    for run in _SPLIT.finditer(folded):
        if not _HAN.match(run.group()):
            words = tokens(run.group())
            parts = {part for word in words for part in words if part != word and part in word}
            at = 0
            for word in words:
                if word not in _EMPTY and word not in parts:
                    at = max(run.group().find(word, at), 0)
                    yield word, run.start() + at, run.start() + at + len(word)
            continue
        start = end = _behind_unit(folded, run)
        for word in _words(folded[start : run.end()]):
            if len(word) == 1:
                end += 1
                continue
            if end > start:
                yield folded[start:end], start, end
            size = abs(len(word))
            if word and not word.startswith("\0"):
                yield word, end, end + size
            elif word:
                size -= 1
            start = end = end + size


def _behind_unit(folded: str, run: re.Match[str]) -> int:
    """Where a Han run begins that says a thing: behind the unit of a number before it."""
    unit = _UNIT_BEHIND.match(folded, run.start()) if folded[: run.start()].rstrip()[-1:].isdigit() else None
    return unit.end() if unit else run.start()


def _words(run: str) -> Iterator[str]:
    """The dictionary words of a Han run, side by side; behind a null character those without meaning; empty at last."""
    from youju.analyzer_words import segmenter  # noqa: PLC0415 - only here

    at = 0
    for empty in [*_NO_WORD.finditer(run), None]:
        piece = run[at : empty.start()] if empty else run[at:]
        inside = stop = 0
        for cut in segmenter().cut(piece, False):  # noqa: FBT003 - positional only
            begin, stop = max(stop, inside), stop + len(cut)
            if begin >= stop:
                continue  # a part of a word of `_KNOWN` that began before
            own = next((piece[begin : begin + n] for n in (4, 3, 2) if piece[begin : begin + n] in _KNOWN), "")
            word = max(piece[begin:stop], own, key=len)
            yield f"\0{word}" if word in _EMPTY else word
            inside = begin + len(word)
        if empty:
            yield empty.group() if MEASURE.fullmatch(empty.group()) else f"\0{empty.group()}"
            at = empty.end()
    yield ""


def _weight(term: str) -> float:
    if term in _GENERAL:
        return 0.2
    if term.isdigit() or MEASURE.fullmatch(term):
        return 0.3  # how much is the case asked about: a text states it for a range of cases
    if any(pattern.fullmatch(term) for pattern in NAMED):
        return 0.8  # which one is asked for, not what of it; `speaks_of` sees to it that it is named
    if term.isascii():
        return 1.5 if len(term) > 1 else 0.5
    return 0.5 if len(term) == 1 else min(len(term), 4) / 2


def _stands(term: str, folded: str) -> bool:
    if term in folded:
        return (
            not term.isascii()
            or not term.isalpha()
            or re.search(rf"(?<![a-z0-9]){re.escape(term)}", folded) is not None
        )
    if term.isascii() and term.isalpha() and len(term) > 4:
        stem = _SUFFIX.sub("", term)
        return len(stem) > 3 and re.search(rf"(?<![a-z0-9]){re.escape(stem)}", folded) is not None
    return False
