"""How well a unit of the evidence answers a part of a question."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from youju.models.extractive_reading import Unit
from youju.models.extractive_shape import shape
from youju.models.question_terms import Term, pairs_of
from youju.models.question_values import holds_value, values_in
from youju.models.questions import Part

WEIGHTS: Mapping[str, float] = {
    "under": 4.4,  # the share of what is asked that the unit holds with its headings, by weight and rarity
    "around": 2.5,  # the same with what stands before it and elsewhere in its block
    "least": 0.4,  # what the unit holds with its headings of the heavy word it holds least of: 1 if none is missing
    "much": 1.9,  # ln(1 + w), w being the weight of the words so held: six words agree by chance less often than one
    "pairs": 0.9,  # the share of pairs of neighbouring characters, by rarity; of words where none is Han
    "lacks": -4.2,  # it holds no value of the kind asked for
    "label": 1.4,  # what is asked for stands in it as a label with a value behind it
    "close": 0.2,  # how near a value of the kind asked for stands to a word of the question
    "agreed": 0.4,  # another block on the topic holds one of its values
    "shape": 2.5,  # how much it looks like what is asked for: a step, a definition, a list
}
_NONE = -7.55
"""The log odds that a unit holds the answer: this and the sum of its signs times their weights.

Fitted by maximum likelihood, as a softmax over the units of a prompt and "none of them" with a penalty of half the sum
of squares, on half of each of these question sets, each with and without passages that answer: RGB (zh_refine), CMRC
2018, DRCD, RAGEval, and the questions of this package's tests. `_NONE` was fitted as -8.2, with as many prompts without
an answer as with one, and raised by 0.6 to be right more often where there is one.
"""
_HEADER = _TITLE = 0.95
_SECTION = 0.8
_NEAR = 0.65
_BLOCK = 0.15
"""What a word counts that stands not in a unit but in its block's header, in a short or another heading over it, right
before it, or elsewhere in its block."""
_RARE = 0.7
"""What a word loses that every unit holds."""
_WHOLE = 0.8
"""What must be held of a word to say that it is there."""
_LEAST = 0.3
"""What a question must say at least for a text that holds all of it to hold what is asked."""
_SHORT = 12
"""Most characters of a short heading."""
_FEW = 30
"""Of fewer units than this, how many hold a word says little about how rare it is."""
_ON_TOPIC = 0.4
"""What of the question a block must hold for a value in it to say that another block has it right."""
_LABELLED = re.compile(r"[^:;,。，；\d]{0,6}(?:\([^()]*\))?(?:\*\*)?(?:;[^;:]{1,12})?:\s*[^\s/]")
_COUNTED = re.compile(r"(?:总|人|户|总户|总人)?(?:数|量|数量)?(?:\([^()]*\))?:")


@dataclass(frozen=True)
class Score:
    """How well a unit answers.

    Attributes:
        own: The share of what is asked that its words hold.
        signs: What can be seen of it, each in about [0, 1]; what they are, `WEIGHTS` says.
        sure: Their weighted sum, the log odds that the unit holds the answer.
    """

    own: float
    signs: Mapping[str, float]
    sure: float


class Scorer:
    """Scores the units of one prompt. Words that many units hold say less than rare ones."""

    def __init__(self, units: Sequence[Unit]) -> None:
        """Take all units, which stay in `units`."""
        self.units = units
        self._blocks = {unit.block: unit.whole for unit in units}
        self._rarity: dict[str, float] = {}
        self._held: dict[tuple[str, str], float] = {}

    def held(self, term: Term, text: str) -> float:
        """`Term.held`, once for each text."""
        key = (term.text, text)
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = term.held(text)
        return found

    def scores(self, part: Part) -> list[Score]:
        """Score all units for a part."""
        words, units = part.words, self.units
        weights = [
            word.weight * self._rare(word.text, [self.held(word, unit.own) >= _WHOLE for unit in units])
            for word in words
        ]
        heavy = [2 * weight >= max(weights) for weight in weights]
        pairs = pairs_of(part.folded)
        rare = [self._rare(pair, [pair in unit.own for unit in units]) for pair in pairs]
        found = [values_in(part, unit.own) for unit in units]
        named = {name for names in part.named for name in names if name.isascii()}  # models; `speaks_of` saw to others
        agreed = self._agreed(part, weights, found)
        scores = []
        for unit, values in zip(units, found, strict=True):
            own = [self.held(word, unit.own) for word in words]
            under = [
                max(held, self._above(word, unit), _HEADER * (word.text in named and word.text in unit.document))
                for word, held in zip(words, own, strict=True)
            ]
            around = [
                max(held, _NEAR * self.held(word, unit.near), _BLOCK * self.held(word, unit.whole))
                for word, held in zip(words, under, strict=True)
            ]
            signs = {
                "under": _share(weights, under),
                "around": _share(weights, around),
                "much": math.log1p(sum(weight * held for weight, held in zip(weights, around, strict=True))),
                "least": min((held for held, heavy in zip(under, heavy, strict=True) if heavy), default=0.0),
                "pairs": _share(rare, [float(pair in unit.own) for pair in pairs]) if pairs else _share(weights, own),
                "lacks": float(not holds_value(part, unit.own)),
                "label": float(any(_is_label(word, unit.own) for word in words)),
                "close": closeness(part, unit.own),
                "agreed": float(any(agreed[value] - {unit.block} for value in values if value in agreed)),
                "shape": shape(part, unit),
            }
            scores.append(
                Score(
                    _share(weights, own), signs, _NONE + sum(weight * signs[name] for name, weight in WEIGHTS.items())
                )
            )
        return scores

    def _agreed(self, part: Part, weights: Sequence[float], found: Sequence[frozenset[str]]) -> dict[str, set[int]]:
        """The blocks on the topic that hold each value."""
        topic = {
            block: _share(weights, [self.held(word, whole) for word in part.words])
            for block, whole in self._blocks.items()
        }
        blocks: dict[str, set[int]] = {}
        for unit, values in zip(self.units, found, strict=True):
            for value in values if topic[unit.block] >= _ON_TOPIC else ():
                blocks.setdefault(value, set()).add(unit.block)
        return blocks

    def _above(self, term: Term, unit: Unit) -> float:
        """What the headings and the header of a unit hold of a word.

        A short heading that holds a word is about it, as much as a sentence that holds it.
        """
        if not self.held(term, unit.whole):
            return 0.0
        held = self.held(term, unit.section)
        title = unit.section.rsplit("\n", 1)[-1]
        short = len(title) <= _SHORT and self.held(term, title) >= held
        return max(held * (_TITLE if short else _SECTION), _HEADER * self.held(term, unit.context))

    def _rare(self, what: str, held: Sequence[bool]) -> float:
        """From 1 for what no unit holds down to 0.3 for what each holds."""
        found = self._rarity.get(what)
        if found is None:
            found = 1 - _RARE * math.log1p(sum(held)) / math.log1p(max(len(held), _FEW))
            self._rarity[what] = found
        return found


def _share(weights: Sequence[float], held: Sequence[float]) -> float:
    total = max(sum(weights), _LEAST)
    return sum(weight * share for weight, share in zip(weights, held, strict=True)) / total if total else 0.0


def _is_label(term: Term, own: str) -> bool:
    """Whether a word stands in a label of a few characters: 联系电话: 010-1234, 单价(元): 85."""
    labelled = {"focus": _LABELLED, "counted": _COUNTED}.get(term.role)
    if labelled is None:
        return False
    for word in (term.text, *term.others):
        at = own.find(word)
        while at >= 0:
            if labelled.match(own, at + len(word)):
                return True
            at = own.find(word, at + 1)
    return False


def closeness(part: Part, own: str) -> float:
    """How near a value of the kind asked for stands to the words asked about; in [0, 1]."""
    if part.kind is None:
        return 0.0
    spans = [match.span() for match in part.kind.held.finditer(own)]
    best = 0.0
    for term in part.words:
        for word in (term.text, *term.others):
            at = own.find(word)
            if at >= 0:
                gap = min((max(start - at - len(word), at - end, 0) for start, end in spans), default=1000)
                best = max(best, math.exp(-gap / 12) * (1.0 if term.role == "focus" else 0.7))
    return best
