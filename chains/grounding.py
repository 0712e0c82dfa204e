"""Whether a claim is in the evidence that it cites, checked without a model.

A claim is supported when each of its values, names and quotations stands in the cited evidence, beside the words that the claim
speaks of, when nothing is denied that the evidence affirms or the other way round, and when the evidence holds enough of its
words. Values are compared by what they mean (`youju.chains.values`).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from youju.chains.content import Word, held
from youju.chains.content_words import OPPOSITES, SYNONYMS
from youju.chains.negation import Denial
from youju.chains.result import Evidence
from youju.chains.support import Statement, held_in, statements, without_list_mark
from youju.chains.values import Value, agree, comparable, folded, opposed, values
from youju.text import HAN, has_content

Verdict = Literal["supported", "partly", "contradicted", "unsupported"]
Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Gives the cosines of a claim to each of some sentences."""


@dataclass(frozen=True)
class Thresholds:
    """What is enough to support a claim.

    Attributes:
        lexical: Share of a claim's words from which on it is supported.
        partial: Share below which it is unsupported; between the two it is partly supported.
        similarity: Cosine to a sentence of the evidence from which on that supports it too, where facts agree.
    """

    lexical: float = 0.6
    partial: float = 0.45
    similarity: float = 0.9


@dataclass(frozen=True)
class Support:
    """A sentence of evidence that carries a claim: `text[start:end]` of block n."""

    n: int
    start: int
    end: int


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        verdict: `supported`; `partly`: some of it is; `contradicted`: the evidence says another value or the opposite;
            `unsupported`: the evidence does not say it.
        reason: Why it is not supported, one Chinese sentence that names the fact.
        support: The sentences that carry it.
        score: The share of its words that they hold, in [0, 1].
    """

    verdict: Verdict
    reason: str | None
    support: tuple[Support, ...]
    score: float


_SPLIT = re.compile(r"[,;:。!?\n]")
_QUOTE = re.compile(r"“([^“”]{2,})”|「([^「」]{2,})」|『([^『』]{2,})』|《([^《》]{1,})》|\"([^\"]{2,})\"")
_OPENER = re.compile(
    r"(?:(?P<no>不可以|不能|不行|不会|不需要|不是|否|没有|no)|(?P<yes>可以|能|是的?|对的?|会|需要|有|yes|当然可以))[,。!.]\s*(?=.{2})"
)
_ALLOWS = re.compile(r"可以?|能|允许|支持|享受?有|\b(?:can|may)\b")
_SIDE = re.compile(
    "|".join(
        rf"\b{word}\b" if word.isascii() else rf"{word}(?=\d|出|于|了)" if len(word) == 1 else word
        for word in sorted({word for sides in OPPOSITES for side in sides for word in side}, key=len, reverse=True)
    )
)
_VERB = re.compile(r"(?<![以认作成因称])为(?![了何])|(?<![但还就或])是(?!否)|系(?=[\u4e00-\u9fff])|由|表示|负责|担任|享有|属于|达到?|对应|适用于?")
_PART_END = re.compile(r"[,;:。!?]")
_NOT_WORDS = re.compile(rf"[^\w{HAN}]+")
_MARGIN = 0.45  # of weight: about half a word, so that a tie between two places decides nothing
_MOST = 3


class Grounds:
    """Evidence that is read once, to check several claims against it."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        *,
        question: str = "",
        thresholds: Thresholds | None = None,
        similarity: Similarity | None = None,
    ) -> None:
        """Take all blocks, the question, how much is enough, and optionally a measure of likeness."""
        self._blocks = {block.n: block for block in evidence}
        self._read: dict[int, list[Statement]] = {}
        self._question = folded(question)
        self._asked = values(self._question)
        self._thresholds = thresholds or Thresholds()
        self._similarity = similarity

    def check(self, claim: str, numbers: Sequence[int] | None = None) -> Finding:
        """Check a sentence against the blocks with these numbers, None means all; unknown numbers are left out."""
        chosen = sorted(self._blocks if numbers is None else {n for n in numbers if n in self._blocks})
        text = folded(without_list_mark(claim))
        if not has_content(text):
            return Finding("supported", None, (), 1.0)
        if not chosen:
            return Finding("unsupported", "这句话没有引用任何资料", (), 0.0)
        pool = [statement for n in chosen for statement in self._statements(n)]
        for statement in pool:
            if _same_text(text, statement.text, statement.shared):
                return Finding("supported", None, (_support(statement),), 1.0)
        return _Check(self, claim, text, chosen, pool).finding()

    def _statements(self, n: int) -> list[Statement]:
        if n not in self._read:
            self._read[n] = statements(self._blocks[n])
        return self._read[n]


def check_claim(
    claim: str,
    evidence: Sequence[Evidence],
    *,
    question: str = "",
    thresholds: Thresholds | None = None,
    similarity: Similarity | None = None,
) -> Finding:
    """Check one sentence of an answer, without its marks, against the blocks that it cites.

    Args:
        claim: The sentence.
        evidence: The cited blocks and no others.
        question: Words that the claim repeats from it are no facts of its own; its values are.
        thresholds: What is enough; None means the defaults.
        similarity: Cosines of a sentence to others, for paraphrases that share few words.
    """
    return Grounds(evidence, question=question, thresholds=thresholds, similarity=similarity).check(claim)


@dataclass
class _Part:
    """What became of a clause."""

    verdict: Verdict
    reason: str | None
    support: list[Statement]
    score: float
    weight: float


@dataclass(frozen=True)
class _Place:
    """A place in the evidence where a value or word like the claim's stands."""

    statement: Statement
    value: Value
    score: float
    own: float = 1.0  # the share of the words of the claim's clause that stand beside it
    company: int = 0  # how many of the claim's other values stand in the same part of the sentence


class _Check:
    """The check of one claim."""

    def __init__(self, grounds: Grounds, claim: str, text: str, numbers: Sequence[int], pool: Sequence[Statement]) -> None:
        self.grounds = grounds
        self.limits = grounds._thresholds  # noqa: SLF001 - one class in two halves
        self.question = grounds._question  # noqa: SLF001 - as above
        self.asked = grounds._asked  # noqa: SLF001 - as above
        opener = _OPENER.match(text)
        self.opener = opener
        self.claim = Statement(text[opener.end() :] if opener else text, raw=claim if claim.isascii() else "", is_claim=True)
        self.asked_years = frozenset(
            amount[0]
            for one in self.asked
            for _, amount in one.readings
            if isinstance(amount, tuple) and amount[0] is not None
        )
        self.labels = "、".join(f"资料{n}" for n in numbers)
        self.pool = pool
        self.presence: dict[str, float] = {}
        self.beyond_limit = False  # whether the claim denies for the asker's value what the evidence allows within a limit
        self.all = "。".join([*(statement.text for statement in pool), *{statement.context for statement in pool}])

    def finding(self) -> Finding:
        parts = []
        missing = self._missing_quote()
        if missing:
            parts.append(_Part("unsupported", f"{self.labels}里没有“{missing}”这句原文", [], 0.0, 1.0))
        parts += [self._clause(start, end) for start, end in self._clauses()]
        if self._opener_contradicts():
            parts.append(_Part("contradicted", "开头的回答和后面的内容相反", [], 0.0, 1.0))
        total = sum(part.weight for part in parts)
        score = sum(part.score * part.weight for part in parts) / total if total else 0.0
        support = list(dict.fromkeys(_support(statement) for part in parts for statement in part.support))
        support.sort(key=lambda one: (one.n, one.start))
        verdicts = {part.verdict for part in parts}
        if verdicts == {"supported"}:
            verdict: Verdict = "supported"
        elif "contradicted" in verdicts:
            verdict = "contradicted"
        elif verdicts == {"unsupported"}:
            verdict = "unsupported"
        else:
            verdict = "partly"
        order = ["contradicted", "unsupported", "partly"]
        reasons = [part.reason for kind in order for part in parts if part.verdict == kind and part.reason]
        return Finding(verdict, reasons[0] if reasons else None, tuple(support), min(1.0, max(0.0, score)))

    # clauses

    def _clauses(self) -> list[tuple[int, int]]:
        """The places of the clauses; one that says too little to be checked alone is part of the next."""
        claim = self.claim
        ends = [
            match.end()
            for match in _SPLIT.finditer(claim.text)
            if not any(value.start <= match.start() < value.end for value in claim.values)
        ]
        spans: list[tuple[int, int]] = []
        start = 0
        for end in [*ends, len(claim.text)]:
            if self._weight(start, end) >= 1.0 or any(start <= value.start < end for value in claim.values):
                spans.append((start, end))
                start = end
        if start < len(claim.text):
            if spans:
                spans[-1] = (spans[-1][0], len(claim.text))
            else:
                spans.append((0, len(claim.text)))
        return spans

    def _weight(self, start: int, end: int) -> float:
        return sum(word.weight for word in self.claim.words if start <= word.start < end)

    def _words(self, start: int, end: int) -> list[Word]:
        return [word for word in self.claim.words if start <= word.start < end]

    def _clause(self, start: int, end: int) -> _Part:
        clause = self.claim.text[start:end].strip(",;:。!?\n ")
        own = self._words(start, end)
        stated = [value for value in self.claim.values if start <= value.start < end]
        weight = sum(word.weight for word in own) + len(stated)
        missing = next((word for word in own if word.name and self._is_missing(word)), None)
        if missing is not None:
            return _Part("unsupported", f"{self.labels}里没有“{missing.text}”", [], 0.0, weight)
        places: dict[Value, _Place] = {}
        for value in stated:
            found = self._value(value, start, end)
            if isinstance(found, _Part):
                return found
            if found is not None:
                places[value] = found
        wanted = [self._asked_less(word) for word in own]
        chosen, score = self._best(wanted, self._words(0, start), places)
        if not chosen:
            return _Part("unsupported", f"{self.labels}里没有“{_short(clause)}”的依据", [], score, weight)
        checks = [self._excluded, self._denied, self._affirmed, self._other_name, self._opposite, self._crossed]
        for check in checks[3:] if self.beyond_limit else checks:
            reason = check(start, end, chosen)
            if reason and reason.startswith("?"):
                return _Part("partly", reason[1:], chosen, score, weight)
            if reason:
                return _Part("contradicted" if score >= self.limits.partial else "unsupported", reason, chosen, score, weight)
        if score < self.limits.lexical and self.grounds._similarity is not None:  # noqa: SLF001 - as above
            chosen, score = self._by_likeness(clause, chosen, score)
        if score >= self.limits.lexical:
            return _Part("supported", None, chosen, score, weight)
        if score >= self.limits.partial:
            gone = max(wanted, key=lambda word: word.weight * (1 - max(held_in(word, s.text, s.context, s.before) for s in chosen)))
            return _Part("partly", f"{self.labels}只写到“{_short(clause)}”的一部分，没有写到“{gone.text}”", chosen, score, weight)
        return _Part("unsupported", f"{self.labels}里没有“{_short(clause)}”的依据", [], score, weight)

    def _is_missing(self, word: Word) -> bool:
        return held(word, self.all) < 0.5 and not (self.question and held(word, self.question) >= 1.0)

    def _asked_less(self, word: Word) -> Word:
        """A word that the claim repeats from the question and the evidence lacks counts for little."""
        if self.question and held(word, self.question) >= 1.0 and held(word, self.all) < 0.5:
            return Word(word.text, word.start, word.weight * 0.3)
        return word

    # values

    def _value(self, value: Value, start: int, end: int) -> _Place | _Part | None:
        """Where the evidence says a value of the claim; what is wrong if it does not; None for one that the asker gave."""
        around = self._around(value, start, end)
        total = sum(word.weight for word in around)
        wanted, own = self._present(around), self._words(start, end)
        beside = [one for one in self.claim.values if one is not value and one.end <= end]
        same: _Place | None = None
        other: _Place | None = None
        for statement in self.pool:
            for place in self._places(value, wanted, own, beside, statement):
                agrees = agree(value, place.value, self._years(statement))
                if agrees and (same is None or place.score > same.score):
                    same = place
                elif not agrees and (other is None or place.score > other.score):
                    other = place
        if same is None:
            same = self._in_context(value, wanted)
        if same is not None and (other is None or not self._outdone(value, same, other, total + len(beside))):
            if opposed(value, same.value) and not self._flipped(start, end, same.statement):
                says = _with_bound(same.statement, same.value)
                return _Part(
                    "contradicted",
                    f"资料{same.statement.n} 写的是“{says}”，不是“{_with_bound(self.claim, value)}”",
                    [same.statement],
                    0.5,
                    total + 1,
                )
            return same
        if same is None:
            given = self._given(value, other, total + len(beside))
            if given is not False:
                return given
        if same is None:
            other = None if _names_something(self.claim.text, value) else max(
                (
                    place
                    for statement in self.pool
                    for place in self._places(value, wanted, own, beside, statement, loosely=True)
                    if place.own >= 0.65
                ),
                key=lambda place: (place.own + place.score, -place.statement.n, -place.statement.start),
                default=None,
            )
        if other is not None and (same is not None or other.score >= 0.5 * total > 0):
            return _Part(
                "contradicted",
                f"资料{other.statement.n} 写的是 {other.value.text}，不是 {value.text}",
                [other.statement],
                min(1.0, 0.5 * other.score / total) if total else 0.0,
                total + 1,
            )
        return _Part("unsupported", f"{self.labels}里没有“{value.text}”", [], 0.0, total + 1)

    def _years(self, statement: Statement) -> frozenset[int]:
        """The years around a sentence; where the evidence names none, those of the question."""
        return statement.years or self.asked_years

    @staticmethod
    def _outdone(value: Value, same: _Place, other: _Place, total: float) -> bool:
        """Whether what the claim says beside its value stands beside another value instead."""
        if same.statement is other.statement:
            return other.company >= same.company and other.score > same.score + _MARGIN
        if "date" in value.dimensions:  # dates stand in many sentences about one thing
            return other.score >= 0.85 * total and same.score < 0.6 * total
        return other.score > same.score + 2 * _MARGIN - 0.1 and other.score >= 0.7 * total

    def _around(self, value: Value, start: int, end: int) -> list[Word]:
        """The words that a value of the claim belongs to: of its clause, and of the ones before that have no such value."""
        rivals = [(one.start, one.end) for one in self.claim.values if comparable(value, one)]
        region = self.claim.region((value.start, value.end), rivals)
        last = max((one.end for one in self.claim.values if one.end <= start and comparable(value, one)), default=0)
        if not last and len(rivals) < 2:
            region = self.claim.text
        return [
            word if start <= word.start else Word(word.text, word.start, word.weight * 0.7, word.name)
            for word in self.claim.words
            if last <= word.start < end and word.text in region
        ]

    def _present(self, wanted: Sequence[Word]) -> list[Word]:
        """The words that stand anywhere in the cited evidence: the others need not be looked for in each sentence."""
        for word in wanted:
            if word.text not in self.presence:
                self.presence[word.text] = held(word, self.all)
        return [word for word in wanted if self.presence[word.text]]

    def _places(
        self,
        value: Value,
        wanted: Sequence[Word],
        own: Sequence[Word],
        beside: Sequence[Value],
        statement: Statement,
        *,
        loosely: bool = False,
    ) -> list[_Place]:
        """The values of a statement like the claim's, and how much of what the claim says beside it is beside them."""
        alike = [
            one
            for one in statement.values
            if comparable(value, one, loosely=loosely) or agree(value, one, self._years(statement))
        ]
        rivals = [(one.start, one.end) for one in alike]
        places: list[_Place] = []
        if not alike:
            return places
        before_has_rival = any(comparable(value, one) for one in statement.values_before)
        for one in alike:
            agrees = agree(value, one, self._years(statement))
            if not agrees and statement.cells and one.start < statement.cells[0][1]:
                continue  # what a row is about is no value in it
            part = statement.segment(one.start)
            others = [other for other in statement.values if other is not one and part[0] <= other.start < part[1]]
            company = sum(any(agree(claimed, other, statement.years) for other in others) for claimed in beside)
            region = statement.region((one.start, one.end), rivals)
            before = "" if before_has_rival else statement.before
            score = self._score(wanted, statement, region, before)
            total = sum(word.weight for word in own)
            share = self._score(own, statement, region, before) / total if total else 1.0
            places.append(_Place(statement, one, company + score, share, company))
        return places

    @staticmethod
    def _score(wanted: Sequence[Word], statement: Statement, region: str, before: str | None = None) -> float:
        behind = statement.before if before is None else before
        return sum(word.weight * held_in(word, region, statement.context, behind) for word in wanted)

    def _in_context(self, value: Value, wanted: Sequence[Word]) -> _Place | None:
        """A date, article or identifier that stands not in a sentence but over it or right before it."""
        if not any(dimension in {"date", "code"} or dimension.startswith("第") for dimension in value.dimensions):
            return None
        best: _Place | None = None
        for statement in self.pool:
            for one in statement.values_around:
                if agree(value, one, statement.years):
                    score = 0.8 * self._score(wanted, statement, statement.text)
                    if best is None or score > best.score:
                        best = _Place(statement, one, score)
        return best

    def _given(self, value: Value, other: _Place | None, total: float) -> Literal[False] | None:
        """None where a value is the asker's own, and what the claim says of it is right by the evidence's limit."""
        asked = next((one for one in self.asked if agree(value, one) and value.bound in {one.bound, None}), None)
        if asked is None:
            return False
        if other is None:
            return None
        if any(agree(one, other.value) for one in self.claim.values):
            return None
        limit, own = other.value, value.readings[0][1]
        bound = next((amount for dimension, amount in limit.readings if dimension == value.readings[0][0]), None)
        if limit.bound is None or bound is None or isinstance(bound, (str, tuple)) or isinstance(own, (str, tuple)):
            return False if other.score >= 0.7 * total else None
        within = own <= bound if limit.bound == "down" else own >= bound
        if own == bound and asked.bound is not None and asked.bound != limit.bound:
            within = False
        if within == bool(self.claim.denials):
            return False
        self.beyond_limit = not within
        return None

    # words

    def _best(
        self, wanted: Sequence[Word], lead: Sequence[Word], places: dict[Value, _Place]
    ) -> tuple[list[Statement], float]:
        """The sentences that hold most of a clause, up to three, and how much they hold."""
        needed = {id(place.statement): place.statement for place in places.values()}
        scored: list[tuple[float, Statement]] = []
        total = sum(word.weight for word in wanted) + len(places)
        if not total:
            return (list(needed.values()) or list(self.pool[:1])), 1.0
        everything, wanted = wanted, self._present(wanted)
        table = {
            id(s): [word.weight * held_in(word, s.text, s.context, s.before) for word in wanted] for s in self.pool
        }
        chosen = list(needed.values())[:_MOST]
        got = [max(column) for column in zip(*(table[id(s)] for s in chosen), strict=True)] if chosen else []
        if not chosen:
            lead = self._present(lead)
            scored = [(sum(table[id(s)]) + 0.5 * self._score(lead, s, s.text), s) for s in self.pool]
            best = max(scored, key=lambda entry: (round(entry[0], 6), -len(entry[1].text)), default=None)
            if best is None:
                return [], 0.0
            chosen, got = [best[1]], table[id(best[1])]
        value_weight = len(places)
        while len(chosen) < _MOST and (sum(got) + value_weight) / total < self.limits.lexical:
            gains = [
                (sum(max(0.0, 0.85 * more - have) for more, have in zip(table[id(s)], got, strict=True)), s)
                for s in self.pool
                if s not in chosen
            ]
            gain = max(gains, key=lambda entry: (round(entry[0], 6), -len(entry[1].text)), default=None)
            if gain is None or gain[0] < 0.3:
                break
            chosen.append(gain[1])
            got = [max(have, 0.85 * more) for more, have in zip(table[id(gain[1])], got, strict=True)]
        score = (sum(got) + value_weight) / total
        new_total = sum(word.weight for word in everything if not self._was_asked(word))
        if self.question and new_total >= 0.5 and new_total + value_weight < total:
            new = sum(have for word, have in zip(wanted, got, strict=True) if not self._was_asked(word))
            score = min(score, (new + value_weight) / (new_total + value_weight))
        return chosen, score

    def _was_asked(self, word: Word) -> bool:
        return held(word, self.question) >= 1.0

    def _by_likeness(self, clause: str, chosen: list[Statement], score: float) -> tuple[list[Statement], float]:
        measure = self.grounds._similarity  # noqa: SLF001 - as above
        if measure is None or not self.pool:
            return chosen, score
        cosines = list(measure(clause, [statement.text for statement in self.pool]))
        best = max(range(len(cosines)), key=lambda at: cosines[at])
        if cosines[best] < self.limits.similarity:
            return chosen, score
        return [*dict.fromkeys([*chosen, self.pool[best]])][:_MOST], max(score, self.limits.lexical)

    # what is denied

    def _denials(self, start: int, end: int) -> list[Denial]:
        return [denial for denial in self.claim.denials if start <= denial.cue < end]

    def _flipped(self, start: int, end: int, statement: Statement) -> bool:
        """Whether exactly one of a clause and a sentence denies: 超过7天不予退货 and 7天内可以退货."""
        return bool(self._denials(start, end)) != bool(statement.denials)

    def _excluded(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        own = [word for word in self._words(0, end) if word.weight >= 0.5]
        for statement in chosen:
            for place in statement.exclusions:
                inside = statement.text[place[0] : place[1]]
                left_out = [word for word in own if held(word, inside) >= 0.9 and held(word, _without(statement.text, place)) < 0.9]
                if left_out and not self._denials(start, end) and not self.claim.exclusions:
                    return f"资料{statement.n} 把“{inside}”除外"
        return None

    def _denied(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        """What the claim denies and the evidence does not."""
        clause = self._words(0, end)
        for denial in self._denials(start, end):
            denied = [word for word in self.claim.words if denial.start <= word.start < denial.end and word.start < end]
            head = denied[:1]
            literal = self.claim.text[denial.cue : max(denial.cue + len(denial.text), min(denial.end, denial.cue + 4))]
            same = other = None
            for statement in self.pool:
                text = statement.text
                if any(self._excludes(statement, clause)):
                    return None
                matching = [
                    one
                    for one in statement.denials
                    if _shares(denied, text[one.start : one.end]) or text.startswith(literal, one.cue)
                ]
                open_text = _outside(text, [(one.cue, one.end) if one.start > one.cue else (one.start, one.end) for one in statement.denials])
                score = self._score(clause, statement, text)
                if matching:
                    best = max(self._score(clause, statement, _segment(statement, one.cue)) for one in matching)
                    same = max(same or (0.0, 0.0), (score, best))
                if _shares(head, open_text) or (not denied and not statement.denials):
                    spot = max(
                        (self._score(clause, statement, _segment(statement, at)) for at in _spots(head, statement)), default=0.0
                    )
                    other = max(other or (0.0, 0.0), (score, spot))
            if same is None and other is None:
                return f"?{self.labels}里没有“{_short(self.claim.text[denial.cue : denial.end])}”这个说法"
            if same is None or (other is not None and (other[0] > same[0] + _MARGIN or (abs(other[0] - same[0]) <= _MARGIN and other[1] > same[1] + _MARGIN))):
                return f"{self.labels}没有说“{_short(self.claim.text[denial.cue : denial.end])}”，说的相反"
        return None

    def _affirmed(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        """What the evidence denies and the claim does not."""
        own = self._words(start, end)
        lead = self._words(0, end)
        mine = self._denials(start, end)
        open_words = [word for word in own if not any(one.start <= word.start < one.end for one in mine)]
        conflicts = []
        for statement in chosen:
            for one in statement.denials:
                scope = statement.text[one.start : one.end]
                matched = any(_shares([w for w in own if d.start <= w.start < d.end], scope) for d in mine)
                if matched or (not own):
                    continue
                head = next(
                    (
                        word
                        for word in statement.words
                        if one.start <= word.start < one.end and word.weight >= 0.5 and statement.plain[word.start] != "□"
                    ),
                    None,
                )
                used = [word for word in open_words if head is not None and _means(word, head)]
                if not used or self._score(lead, statement, statement.text) < 0.5 * sum(word.weight for word in lead):
                    continue
                elsewhere = _outside(statement.text, [(d.start, d.end) for d in statement.denials])
                here = self._score(lead, statement, _segment(statement, one.cue))
                if _shares(used, elsewhere):
                    there = max(
                        (self._score(lead, statement, _segment(statement, at)) for at in _spots(used, statement)), default=0.0
                    )
                    if there >= here - _MARGIN:
                        continue
                conflicts.append((statement, one))
        if not conflicts:
            return None
        statement, one = conflicts[0]
        said = f"资料{statement.n} 写的是“{_short(statement.text[one.cue : max(one.end, one.cue + len(one.text))])}”，和这句话相反"
        return f"?{said}" if len(conflicts) == 2 else said

    @staticmethod
    def _excludes(statement: Statement, clause: Sequence[Word]) -> list[Word]:
        return [
            word
            for place in statement.exclusions
            for word in clause
            if word.weight >= 0.5 and held(word, statement.text[place[0] : place[1]]) >= 0.9
        ]

    # names and opposites

    def _other_name(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        """A person who does something in the claim, where the sentence that says it begins with another person."""
        for word in self._words(start, end):
            if word.name != "人名" or any(held(word, s.text) >= 0.9 or held(word, s.context) >= 0.9 for s in chosen):
                continue
            for statement in chosen[:1]:
                first = next((one for one in statement.words if one.weight >= 0.5), None)
                if first is not None and first.name == "人名" and held(first, self.claim.text) < 0.9:
                    return f"资料{statement.n} 写的是 {first.text}，不是 {word.text}"
        return None

    def _opposite(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        clause = self.claim.text[start:end]
        wanted = self._words(0, end)
        for own in _SIDE.finditer(clause):
            if _denied_at(self.claim, start + own.start()):
                continue
            for sides in OPPOSITES:
                side = next((one for one in sides if own.group() in one), None)
                if side is None:
                    continue
                beside = self._beside(self.claim, (start + own.start(), start + own.end()))
                same, other = [], []
                for statement in chosen:
                    spots = [(spot, one is side) for one in sides for spot in _all(one, statement.text)]
                    places = [spot for spot, _ in spots]
                    for spot, is_same in spots:
                        if _denied_at(statement, spot[0]):
                            continue
                        if sides is OPPOSITES[0]:  # what rises and what falls stand side by side in one sentence
                            near = self._beside(statement, spot)
                            likeness = sum(word.weight for word in beside if any(_means(word, one) for one in near))
                            likeness += self._same_value_behind(start + own.end(), statement, spot[1])
                            if not likeness:
                                continue
                        else:
                            likeness = self._score(wanted, statement, statement.region(spot, places))
                        (same if is_same else other).append((likeness, spot, statement))
                best = max((entry[0] for entry in same), default=None)
                if other and (best is None or max(entry[0] for entry in other) > best + (_MARGIN if wanted else 0.0)):
                    _, spot, statement = max(other, key=lambda entry: entry[0])
                    return f"资料{statement.n} 写的是“{statement.text[spot[0] : spot[1]]}”，不是“{own.group()}”"
        return None

    def _same_value_behind(self, place: int, statement: Statement, spot: int) -> bool:
        mine = next((value for value in self.claim.values if 0 <= value.start - place <= 4), None)
        theirs = next((value for value in statement.values if 0 <= value.start - spot <= 4), None)
        return mine is not None and theirs is not None and agree(mine, theirs)

    @staticmethod
    def _beside(statement: Statement, place: tuple[int, int]) -> list[Word]:
        """What rises or falls: the two words behind a place and the one before it."""
        text = statement.text
        ends = [end for mark in ",;:。!?" if (end := text.find(mark, place[1])) >= 0]
        first = max(text.rfind(mark, 0, place[0]) for mark in ",;:。!?、")
        behind = [word for word in statement.words if place[1] <= word.start < min(ends, default=len(text))]
        before = [word for word in statement.words if first < word.start and word.end <= place[0]]
        return [*behind[:2], *before[-1:]]

    def _crossed(self, start: int, end: int, chosen: Sequence[Statement]) -> str | None:
        """Whether the claim takes what it speaks of from one part of a sentence and what it says of it from another.

        Only parts with the same verb are told apart so: 首任校长为甲，现任校长为乙.
        """
        clause = self.claim.text[start:end]
        for match in _VERB.finditer(clause):
            subject = [word for word in self._words(start, start + match.start()) if word.weight >= 0.5]
            said = [word for word in self._words(start + match.end(), end) if word.weight >= 0.5]
            parts = [
                (statement, statement.text[a : verb.start()], statement.text[verb.end() : b])
                for statement in chosen
                for a, b in _parts(statement.text)
                for verb in _VERB.finditer(statement.text, a, b)
                if _same_verb(verb.group(), match.group())
            ]
            if len(parts) < 2 or not subject or not said or any(mark in clause for mark in "、和与及"):
                continue
            best = max(self._both(subject, said, left, right) for _, left, right in parts)
            left_best = max(parts, key=lambda part: _weight_held(subject, part[1]))
            right_best = max(parts, key=lambda part: _weight_held(said, part[2]))
            crossed = _weight_held(subject, left_best[1]) + _weight_held(said, right_best[2])
            if left_best is not right_best and _weight_held(said, right_best[2]) and crossed > best + _MARGIN:
                return f"资料{left_best[0].n} 写的是“{_short(left_best[1] + match.group() + left_best[2])}”"
        return None

    @staticmethod
    def _both(subject: Sequence[Word], said: Sequence[Word], left: str, right: str) -> float:
        return _weight_held(subject, left) + _weight_held(said, right)

    # the rest

    def _missing_quote(self) -> str | None:
        everything = _NOT_WORDS.sub("", self.all)
        for match in _QUOTE.finditer(self.claim.text):
            quote = next(group for group in match.groups() if group)
            bare = _NOT_WORDS.sub("", quote)
            if bare and bare not in everything and bare not in _NOT_WORDS.sub("", self.question):
                return quote
        return None

    def _opener_contradicts(self) -> bool:
        if self.opener is None:
            return False
        denies, allows = bool(self.claim.denials), _ALLOWS.search(self.claim.text) is not None
        return allows and not denies if self.opener["no"] else self.opener["yes"] in {"可以", "能", "当然可以", "yes"} and denies and not allows


def _same_text(claim: str, statement: str, shared: int) -> bool:
    bare = _NOT_WORDS.sub("", claim)
    return bare == _NOT_WORDS.sub("", statement) or (shared > 0 and bare == _NOT_WORDS.sub("", statement[shared:]))


def _support(statement: Statement) -> Support:
    return Support(statement.n, statement.start, statement.end)


def _short(text: str) -> str:
    text = text.strip(",;:。!? ")
    return text if len(text) <= 24 else text[:24] + "…"


def _with_bound(statement: Statement, value: Value) -> str:
    return statement.text[max(0, value.start - 3) : value.end + 2].strip(",;:。!?()")


def _without(text: str, place: tuple[int, int]) -> str:
    return text[: place[0]] + "。" + text[place[1] :]


def _outside(text: str, places: Sequence[tuple[int, int]]) -> str:
    hidden = list(text)
    for start, end in places:
        hidden[start:end] = "□" * (end - start)
    return "".join(hidden)


def _shares(wanted: Sequence[Word], text: str) -> bool:
    return any(word.weight >= 0.3 and held(word, text) >= 0.9 for word in wanted)


def _parts(text: str) -> list[tuple[int, int]]:
    places = [match.start() for match in _PART_END.finditer(text)]
    return list(zip([0, *(place + 1 for place in places)], [*places, len(text)], strict=True))


def _weight_held(wanted: Sequence[Word], text: str) -> float:
    return sum(word.weight for word in wanted if held(word, text) >= 0.9)


def _same_verb(one: str, other: str) -> bool:
    return one == other or {one, other} <= {"为", "是", "系"}


def _names_something(text: str, value: Value) -> bool:
    """Whether a bare number is part of a name, such as 轴承6308的."""
    return "n" in value.dimensions and text.startswith("的", value.end)


def _means(one: Word, other: Word) -> bool:
    return one.text == other.text or other.text in SYNONYMS.get(one.text, ())


def _segment(statement: Statement, at: int) -> str:
    """The clause around a place, with the ones before it back to a full stop or semicolon."""
    start = max(statement.text.rfind(mark, 0, at) for mark in ";。:!?") + 1
    comma = statement.text.rfind(",", start, at)
    ends = [end for mark in ",;。!?" if (end := statement.text.find(mark, at)) >= 0]
    return statement.text[(comma + 1 if comma >= 0 else start) : min(ends, default=len(statement.text))]


def _spots(wanted: Sequence[Word], statement: Statement) -> list[int]:
    """Where the words stand in a statement without being denied."""
    places = []
    for word in wanted:
        at = statement.text.find(word.text)
        while at >= 0:
            if not any(one.start <= at < one.end for one in statement.denials):
                places.append(at)
            at = statement.text.find(word.text, at + 1)
    return places


def _all(side: frozenset[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _SIDE.finditer(text) if match.group() in side]


def _denied_at(statement: Statement, place: int) -> bool:
    return any(one.start <= place < one.end for one in statement.denials)
