"""A claim beside the evidence that it cites: what the checks of its values, denials and words share."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from youju.cached import cached
from youju.chains.claim_labels import Label, Tokens, labels, plain
from youju.chains.content import Word, held
from youju.chains.content_words import SYNONYMS
from youju.chains.finding import Similarity, Thresholds, Verdict
from youju.chains.negation import Denial
from youju.chains.support import Statement, held_in
from youju.chains.values import Value, measure_others, values

MARGIN = 0.45
"""Of weight, about half a word: a smaller difference between two places decides nothing."""

WHOLE = 0.9
"""How much of a word a text must hold to have it."""

_ASKING = re.compile(
    r"(?:多少|几)(?:个|天|日|年|元|块|次|人|名|小时|分钟|岁|分)*|多[久长大高远重]|什么时[候间]|什么|何时|哪[一个年天些]?|怎[么样]+"
    r"|如何|谁|是否|请问|告诉我|[吗呢吧?]"
)
_OPENER = re.compile(
    r"(?:(?P<no>不可以|不能|不行|不会|不需要|不是|否|没有|no)|(?P<yes>可以|能|是的?|对的?|会|需要|有|yes|当然可以))[,。!.]\s*(?=.{2})"
)


class Asked:
    """The question, read.

    Attributes:
        text: Its folded text.
        values: Its values.
        years: The years that it names.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.values = values(text)
        amounts = [amount for one in self.values for _, amount in one.readings if isinstance(amount, tuple)]
        self.years = frozenset(amount[0] for amount in amounts if amount[0] is not None)

    @cached
    def tokens(self) -> Tokens:
        """What it says beside what it asks for."""
        return plain(_ASKING.sub("。", self.text))


class Known(NamedTuple):
    """What evidence says of some tokens, each once.

    Attributes:
        said: Those that stand in it.
        digits: Numbers that do not, but may stand there in Han.
    """

    said: Sequence[str]
    digits: Sequence[str]


@dataclass(frozen=True)
class Part:
    """What became of a clause: verdict, reason, the sentences that carry it, how much they hold, and what it weighs."""

    verdict: Verdict
    reason: str | None
    support: Sequence[Statement]
    score: float
    weight: float


class Case:
    """A claim, the statements of the blocks that it cites, and the question.

    Attributes:
        claim: The claim, without 可以。 or the like before it.
        opener: What stood there.
        pool: The statements.
        labels: The blocks, for reasons.
        asked: The question.
        limits: What is enough.
        similarity: A measure of likeness, if there is one.
        beyond_limit: Whether the claim denies for the asker's own value what the evidence allows within a limit.
    """

    def __init__(
        self,
        text: str,
        raw: str,
        pool: Sequence[Statement],
        numbers: Sequence[int],
        asked: Asked,
        limits: Thresholds,
        similarity: Similarity | None,
    ) -> None:
        self.opener = _OPENER.match(text)
        self.whole = text
        self.claim = Statement(text[self.opener.end() :] if self.opener else text, raw=raw, is_claim=True)
        self.pool = pool
        self.labels = "、".join(f"资料{n}" for n in numbers)
        self.asked = asked
        self.limits = limits
        self.similarity = similarity
        self.beyond_limit = False
        self._presence: dict[str, float] = {}
        self._words: dict[tuple[int, int], list[Word]] = {}
        self._known: dict[Tokens, Known] = {}
        self._labels: dict[tuple[object, ...], Sequence[Label]] = {}

    @cached
    def everything(self) -> str:
        """All of the cited evidence, folded."""
        return "。".join([*(one.text for one in self.pool), *{one.context: None for one in self.pool}])

    def words(self, start: int, end: int) -> Sequence[Word]:
        """The claim's words that begin in a part of it."""
        found = self._words.get((start, end))
        if found is None:
            found = self._words[start, end] = [word for word in self.claim.words if start <= word.start < end]
        return found

    def denials(self, start: int, end: int) -> list[Denial]:
        """What a part of the claim denies."""
        return [denial for denial in self.claim.denials if start <= denial.cue < end]

    def values(self, start: int, end: int) -> list[Value]:
        """The values in a part of the claim."""
        return [value for value in self.claim.values if start <= value.start < end]

    def presence(self, word: Word) -> float:
        """How much of a word the cited evidence holds anywhere."""
        found = self._presence.get(word.text)
        if found is None:
            found = self._presence[word.text] = held(word, self.everything)
        return found

    def labels_of(self, statement: Statement, alike: Sequence[Value]) -> Sequence[Label]:
        """What stands beside each of some values of a statement that measure the same."""
        key = (statement, *map(id, alike))
        found = self._labels.get(key)
        if found is None:
            found = self._labels[key] = list(labels(statement, alike))
        return found

    def known(self, wanted: Tokens) -> "Known":
        """What the cited evidence says at all of some tokens."""
        found = self._known.get(wanted)
        if found is None:
            distinct = dict.fromkeys(wanted)
            said = [token for token in distinct if token in self.everything]
            found = Known(said, [token for token in distinct if token.isdecimal() and token not in said])
            self._known[wanted] = found
        return found

    def present(self, wanted: Sequence[Word]) -> list[Word]:
        """The words that stand anywhere in the cited evidence: the others need not be looked for in each sentence."""
        return [word for word in wanted if self.presence(word)]

    def was_asked(self, word: Word) -> bool:
        """Whether the claim repeats a word from the question."""
        return bool(self.asked.text) and held(word, self.asked.text) >= 1.0

    def years(self, statement: Statement) -> frozenset[int]:
        """The years around a sentence; where the evidence names none, those of the question."""
        return statement.years or self.asked.years


def score(wanted: Sequence[Word], statement: Statement, region: str, before: str | None = None) -> float:
    """The weight of the words that stand in a part of a statement, or with a discount around it."""
    behind = statement.before if before is None else before
    return sum([word.weight * held_in(word, region, statement.context, behind) for word in wanted])


def measured_alike(value: Value, statement: Statement) -> bool:
    """Whether a statement may have a value that measures the same, told by the dimensions alone."""
    return bool(statement.values) and not measure_others(value, statement.kinds)


def weight(words: Sequence[Word]) -> float:
    """What words are worth together."""
    return sum([word.weight for word in words])


def standing(wanted: Sequence[Word], text: str) -> float:
    """The weight of the words that stand whole, or as a synonym, in a text."""
    return sum(word.weight for word in wanted if held(word, text) >= WHOLE)


def means(one: Word, other: Word) -> bool:
    """Whether two words are the same or synonyms."""
    return one.text == other.text or other.text in synonyms(one)


def synonyms(word: Word) -> Collection[str]:
    """What means the same as a word."""
    return SYNONYMS.get(word.text, ())


def denied_at(statement: Statement, place: int) -> bool:
    """Whether what stands at a place is denied."""
    return any(one.start <= place < one.end for one in statement.denials)


def affirmed_at(wanted: Sequence[Word], statement: Statement) -> Iterator[int]:
    """Where words stand in a statement without being denied."""
    for word in wanted:
        at = statement.text.find(word.text)
        while at >= 0:
            if not denied_at(statement, at):
                yield at
            at = statement.text.find(word.text, at + 1)


def short(text: str) -> str:
    """A piece of text, as a reason quotes it."""
    text = text.strip(",;:。!? ")
    return text if len(text) <= 24 else text[:24] + "…"
