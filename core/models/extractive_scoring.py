"""How well a unit of the evidence answers a part of a question."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from youju.models.extractive_reading import Unit
from youju.models.question_terms import Term
from youju.models.questions import Part

_HEADER = _TITLE = 0.95
_SECTION = 0.8
_NEAR = 0.65
_BLOCK = 0.15
"""What a word counts that stands not in a unit but in its block's header, in a short or another heading over it, right
before it, or elsewhere in its block."""
_ASIDE = 0.5
"""What of that a word beside the one that asks keeps, where no heading holds it."""
_RARE = 0.7
"""What a word loses that every unit holds."""
_OWN = 0.35
_CLOSE = 0.12
_LABEL = 0.15
_LONG = 0.0002
"""What a unit gains in rank by its own words, by a value close to them, by what is asked for as its
label, and loses by each of its characters."""
_SHORT = 12
"""Most characters of a short heading."""
_FEW = 30
"""Of fewer units than this, how many hold a word says little about how rare it is."""
_LABELLED = re.compile(r"[^:;,。，；\d]{0,6}(?:\([^()]*\))?(?:\*\*)?(?:;[^;:]{1,12})?:\s*[^\s/]")
_COUNTED = re.compile(r"(?:总|人|户|总户|总人)?(?:数|量|数量)?(?:\([^()]*\))?:")


@dataclass(frozen=True)
class Score:
    """How well a unit answers.

    Attributes:
        own: The share of what is asked that its words hold, by weight and rarity.
        all: The same, with what it stands under and beside.
        under: The same, with the headings it stands under.
        rank: What ranks it among others.
        focus: The share of the words beside the one that asks.
        label: Whether what is asked for stands as a label with a value behind it.
    """

    own: float
    all: float
    under: float
    rank: float
    focus: float
    label: bool


class Scorer:
    """Scores the units of one prompt. Words that many units hold say less than rare ones."""

    def __init__(self, units: Sequence[Unit]) -> None:
        """Take all units."""
        self._units = units
        self._rarity: dict[str, float] = {}
        self._held: dict[tuple[str, str], float] = {}

    def held(self, term: Term, text: str) -> float:
        """`Term.held`, once for each text."""
        key = (term.text, text)
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = term.held(text)
        return found

    def _under(self, term: Term, section: str) -> float:
        """A short heading that holds a word is about it, as much as a sentence that holds it."""
        held = self.held(term, section)
        title = section.rsplit("\n", 1)[-1]
        return held * (_TITLE if len(title) <= _SHORT and self.held(term, title) >= held else _SECTION)

    def rarity(self, term: Term) -> float:
        """From 1 for a word that no unit holds down to 0.3 for one that each holds."""
        found = self._rarity.get(term.text)
        if found is None:
            count = sum(self.held(term, unit.own) >= 0.8 for unit in self._units)
            found = 1 - _RARE * math.log1p(count) / math.log1p(max(len(self._units), _FEW))
            self._rarity[term.text] = found
        return found

    def score(self, part: Part, unit: Unit) -> Score:
        """Score a unit for a part."""
        own = both = under = total = focus = focus_total = 0.0
        for term in part.words:
            weight = term.weight * self.rarity(term)
            here = above = there = self.held(term, unit.own)
            if here < _SECTION and (block := self.held(term, unit.whole)):
                above = max(here, self._under(term, unit.section), _HEADER * self.held(term, unit.context))
                there = max(above, _NEAR * self.held(term, unit.near), _BLOCK * block)
            total += weight
            under += weight * above
            own += weight * here
            both += weight * there
            if term.role == "focus":
                focus += weight * max(above, _ASIDE * there)
                focus_total += weight
        if not total:
            return Score(0, 0, 0, 0, 0, label=False)
        own, both = own / total, both / total
        label = any(_is_label(term, unit.own) for term in part.words)
        rank = both + _OWN * own + _CLOSE * closeness(part, unit.own) + _LABEL * label - _LONG * min(len(unit.own), 200)
        return Score(own, both, under / total, rank, focus / focus_total if focus_total else 1.0, label)


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
