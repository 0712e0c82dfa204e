"""What a question asks for: its parts, the words that matter in each, and the kind of value expected."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from youju.models.question_kinds import KINDS, NAMED, Kind
from youju.models.question_words import EMPTY_ENGLISH, EMPTY_HAN, GENERAL
from youju.text import HAN, fold, has_content, tokens

_ASKING = re.compile(
    r"多久|多少|多长|多大|几|谁|什么|啥|哪|怎么|怎样|如何|为何|为什么|是否|能否|可否|能不能|可不可以|是不是|有没有|吗|呢"
    r"|\b(?:what|how|when|where|who|why|which|can|does|is|are)\b"
)
_PART_END = re.compile(r"[？?；;\n]+")
_CLAUSE = re.compile(r"[^，,。]+")

_EMPTY = frozenset([*EMPTY_HAN, *EMPTY_ENGLISH])
_GENERAL = frozenset(GENERAL)
_HAN = re.compile(rf"[{HAN}]")
_EMPTY_RUN = re.compile("|".join(sorted((word for word in EMPTY_HAN if len(word) > 1), key=len, reverse=True)))
_SPLIT = re.compile(rf"[{HAN}]+|[^{HAN}]+")


@dataclass(frozen=True)
class Part:
    """One thing that is asked.

    Attributes:
        text: The part in the asker's words.
        terms: The words that matter, folded, with their weights.
        kind: The kind of value asked for, such as a length of time; None for anything else.
        named: What the question names, such as a year or a model, one set for each of `NAMED`.
    """

    text: str
    terms: tuple[tuple[str, float], ...]
    kind: Kind | None
    named: tuple[frozenset[str], ...]

    def coverage(self, folded: str) -> float:
        """The share of the words that matter, by weight, that a folded text holds; in [0, 1].

        A word of three or more Han characters that is not there as a whole counts by its characters that stand there in
        pairs, four fifths at most.
        """
        total = sum(weight for _, weight in self.terms)
        return sum(weight * _held(term, folded) for term, weight in self.terms) / total if total else 0.0

    def has_kind(self, folded: str) -> bool:
        """Whether a folded text holds a value of the kind asked for."""
        return self.kind is None or self.kind.held.search(folded) is not None

    def speaks_of(self, sentence: str, block: str) -> bool:
        """Whether a folded sentence is about the year, the article, the model … that the question names.

        It is not, if it names others of the kind only, or if nothing in its block names the one asked for.
        """
        for pattern, asked in zip(NAMED, self.named, strict=True):
            if asked and asked.isdisjoint(pattern.findall(sentence) or pattern.findall(block)):
                return False
        return True


def question_parts(question: str) -> list[Part]:
    """Cut a question into the things it asks.

    Question marks, semicolons and line ends separate; so does a comma, where both sides ask something. Parts without a
    word that matters are left out, unless nothing else is left.
    """
    texts: list[str] = []
    for sentence in _PART_END.split(question):
        start = end = 0
        for clause in _CLAUSE.finditer(sentence):
            if _asks(sentence[start:end]) and _asks(clause.group()):
                texts.append(sentence[start:end])
                start = clause.start()
            end = clause.end()
        texts.append(sentence[start:end])
    parts = [_part(text.strip()) for text in texts if has_content(text)]
    return [part for part in parts if part.terms] or parts


def _asks(text: str) -> bool:
    return _ASKING.search(fold(text)) is not None


def _part(text: str) -> Part:
    folded = fold(text)
    kind = next((kind for kind in KINDS if kind.asked.search(folded)), None)
    named = tuple(frozenset(pattern.findall(folded)) for pattern in NAMED)
    weights: dict[str, float] = {}
    for term in _terms(folded):
        weights.setdefault(term, _weight(term))
    return Part(text, tuple(weights.items()), kind, named)


def _terms(folded: str) -> list[str]:
    """Words that matter, in order; neighbouring single characters form one word."""
    terms: list[str] = []
    for run in _SPLIT.findall(folded):
        if not _HAN.match(run):
            words = tokens(run)
            parts = {part for word in words for part in words if part != word and part in word}
            terms.extend(word for word in words if word not in _EMPTY and word not in parts)
            continue
        single = ""
        for word in _words(run):
            if len(word) == 1:
                single += word
            else:
                terms.extend(term for term in (single, word) if term)
                single = ""
    return terms


def _words(run: str) -> Iterator[str]:
    """The dictionary words of a Han run, side by side; an empty text where a word without meaning stood, and last."""
    for piece in _EMPTY_RUN.split(run):
        known = tokens(piece)
        at = 0
        while at < len(piece):
            word = max((token for token in known if piece.startswith(token, at)), key=len, default=piece[at])
            yield "" if word in _EMPTY else word
            at += len(word)
        yield ""


def _weight(term: str) -> float:
    if term in _GENERAL:
        return 0.3
    if term.isdigit():
        return 0.3
    if any(pattern.fullmatch(term) for pattern in NAMED):
        return 0.8  # which one is asked for, not what of it; `speaks_of` sees to it that it is named
    if term.isascii():
        return 1.5 if len(term) > 1 else 0.5
    return 0.5 if len(term) == 1 else min(len(term), 4) / 2


def _held(term: str, folded: str) -> float:
    if term in folded:
        return 1.0
    if len(term) < 3 or term.isascii():
        return 0.0
    found = [term[at : at + 2] in folded for at in range(len(term) - 1)]
    covered = sum(before or after for before, after in pairwise([False, *found, False]))
    return 0.8 * covered / len(term)
