"""What a question asks for: its parts, the words that matter in each, and the kind of value expected."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from youju.models.question_kinds import KINDS, NAMED, ORGANISATION, Kind
from youju.models.question_parts import split
from youju.models.question_terms import Term, terms_of
from youju.models.question_words import ASPECTS
from youju.text import fold

_BEFORE_NAME = re.compile(r"^(?:请问|根据|结合|比较|对比|关于|按照|依据|在|由|从|和|与|及|对|\d+年度?的?)+")
_AFTER_NAME = re.compile(r"(?:股份有限公司|有限责任公司|有限公司|集团公司|集团)$")
_JOINS = re.compile(r"[a-z0-9]|[-_./][a-z0-9]")
_FORMS = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("how", r"(?:步骤|流程)(?:是|有|分|包|如|$)"),
        ("compare", r"区别|差异|不同[之点]?处?(?:是|在|有|$)|对比|相比|\bdifferences?\b|\bcompare"),
        (
            "yes_no",
            r"吗|是否|能否|可否|能不能|可不可以|是不是|有没有|会不会|要不要|^(?:is|are|can|do|does|did|may|must|should|will)\b",
        ),
        (
            "define",
            r"什么是|是指?什么(?:意思)?$|指的是什么|什么叫|何谓|定义|含义|什么意思|^what (?:is|are) (?:an? )?[\w -]+$",
        ),
        (
            "list",
            (
                r"哪些|有什么|哪几|哪[二两三四五六七八九十\d]+[个种项类家]|几[项种类]|包括什么|都有谁|分别是"
                r"|什么(?:条件|材料|资料|证件|手续|权益|情形|情况|内容|措施|要求)|which (?:\w+ )?\w+s\b"
                r"|\blist\b"
            ),
        ),
        ("how", r"如何|怎么|怎样|步骤|流程|\bhow (?:do|to|can|should|does)\b"),
    )
)

_CONFIRMS = re.compile(
    r"(?:\d[\d.,]*|[一二两三四五六七八九十百千万半]+)\s*"
    r"(?P<unit>个?(?:工作|自然)?(?:[天日周月年]|小时|分钟|季度)|[万亿]?元|块|%|倍|[万亿])"
    r"(?=[吗么嘛]|$)"
)
_MEASURED = (("length", "天日周月年时钟度"), ("money", "元块万亿"), ("share", "%倍"))


@dataclass(frozen=True)
class Part:
    """One thing that is asked.

    Attributes:
        text: The part in the asker's words.
        words: The words that matter.
        kind: The kind of value asked for, such as a length of time; None for anything else.
        form: `yes_no`, `how`, `list`, `define`, `compare`, or `value` for the rest.
        named: What the question names, such as a year or a model, one set for each of `NAMED`.
        organisations: The companies that the question names, without what all their names end in.
        folded: The part, folded.
    """

    text: str
    words: tuple[Term, ...]
    kind: Kind | None
    form: str
    named: tuple[frozenset[str], ...]
    organisations: tuple[str, ...]
    folded: str

    @property
    def terms(self) -> tuple[tuple[str, float], ...]:
        """The words that matter with their weights."""
        return tuple((word.text, word.weight) for word in self.words)

    def coverage(self, folded: str) -> float:
        """The share of the words that matter, by weight, that a folded text holds; in [0, 1]."""
        total = sum(term.weight for term in self.words)
        return sum(term.weight * term.held(folded) for term in self.words) / total if total else 0.0

    def has_kind(self, folded: str) -> bool:
        """Whether a folded text holds a value of the kind asked for."""
        return self.kind is None or self.kind.held.search(folded) is not None

    def speaks_of(self, own: str, before: str, header: str, whole: str, document: str = "") -> bool:
        """Whether something in a block is about the year, the article, the model … that the question names.

        It is, if it names it; or names none of the kind, and the one named last before it, or in the header, or in the
        block, or, where the block names none, most often in the document, is the one asked for.
        """
        for pattern, asked in zip(NAMED, self.named, strict=True):
            if asked:
                if any(_stands(name, own) for name in asked):
                    continue
                found = pattern.findall(own) or pattern.findall(before)[-1:] or pattern.findall(header)
                found = found or pattern.findall(whole) or _most_often(pattern.findall(document))
                if asked.isdisjoint(found):
                    return False
        if not self.organisations or _names(self.organisations, own):
            return True
        return not ORGANISATION.search(own) and (
            _names(self.organisations, whole) or _names(self.organisations, document)
        )


def question_parts(question: str, folded: Callable[[str], str] = fold) -> list[Part]:
    """Cut a question into the things it asks.

    Question marks, semicolons and line ends separate; so does a comma, where both sides ask something, and 和 between
    two things of which the same is asked (甲和乙的期限分别是多久). Parts without a word that matters are left out,
    unless nothing else is left.

    Args:
        question: What is asked.
        folded: How texts are folded for comparing.
    """
    parts = [_part(text, folded(text)) for text in split(question)]
    return [part for part in parts if part.words] or parts


def with_subjects(parts: Sequence[Part], folded: Callable[[str], str] = fold) -> list[Part]:
    """The parts, and of those that name an aspect only what the one before is about: 违约金怎么算，上限多少."""
    found: list[Part] = []
    for part in parts:
        bare = found and part.words and all(word.text in ASPECTS for word in part.words)
        about = "".join(word.text for word in found[-1].words if word.text not in ASPECTS) if bare else ""
        found.append(
            replace(_part(f"{about}{part.text}", folded(f"{about}{part.text}")), text=part.text) if about else part
        )
    return found


def _part(text: str, folded: str) -> Part:
    kind = next((kind for kind in KINDS if kind.asked.search(folded)), None)
    form = next((name for name, pattern in _FORMS if pattern.search(folded)), "value")
    named = tuple(frozenset(pattern.findall(folded)) for pattern in NAMED)
    if kind is not None and form == "how" and kind.name != "contact":
        kind = None
    words = tuple(terms_of(folded))
    if form == "yes_no":
        value = _CONFIRMS.search(folded)
        kind = _kind_confirmed(value["unit"]) if value else None
        words = tuple(word for word in words if not value or word.text not in value.group()) or words
    return Part(text, words, kind, form, named, _organisations(folded), folded)


def _kind_confirmed(unit: str) -> Kind | None:
    """The kind of the value that a question wants to have confirmed, by its unit: 质保期是三年吗."""
    name = next(name for name, units in _MEASURED if unit[-1] in units)
    return next(kind for kind in KINDS if kind.name == name)


def _organisations(folded: str) -> tuple[str, ...]:
    names = (_BEFORE_NAME.sub("", name) for name in ORGANISATION.findall(folded))
    stems = (_AFTER_NAME.sub("", name) for name in names)
    return tuple(stem for stem in stems if len(stem) > 1)


def _stands(name: str, folded: str) -> bool:
    """Whether a name stands in a text and is not a part of a longer one: 2022 in 2022澳网, not in 20225."""
    at = folded.find(name)
    return (
        at >= 0
        and not (_JOINS.match(name[0]) and _JOINS.search(folded[:at][-1:]))
        and (not _JOINS.match(name[-1]) or not _JOINS.match(folded[at + len(name) :]))
    )


def _most_often(names: list[str]) -> list[str]:
    return [name for name, _ in Counter(names).most_common(1)]


def _names(organisations: tuple[str, ...], folded: str) -> bool:
    return any(stem in folded for stem in organisations)
