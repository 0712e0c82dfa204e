"""What answers are worth: fabricated, wrong, right, refused; and whether their citations are right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Literal

from pydantic import BaseModel, ConfigDict

from youju.chains.marks import MARK, marks
from youju.eval.answer_texts import holds_part, holds_reference, stated, values_in
from youju.eval.answers import AnswerRecord

Outcome = Literal["answered", "partial", "refused", "error"]
_REFUSED = {"not_found", "insufficient_evidence", "rejected"}


@dataclass(frozen=True)
class Judgement:
    """What an answer is worth.

    Attributes:
        record: The answer.
        outcome: `refused`: nothing was passed on as an answer; `partial`: some was, and it says that the evidence lacks
            the rest; `error`: the model gave no usable reply. See `judge`.
        reachable: Whether a block that was read holds what is asked, or a part of it.
        holds: Whether the answer says what it must.
        pairs: Marks behind sentences that state something: one for each sentence and number.
        right_pairs: Those of them that name a block that is right to cite.
        sentences: Sentences that state something.
        right_sentences: Those of them with at least one right mark.
        unfounded: Numbers stated, by value, that stand neither in a block cited with them nor in the question.
    """

    record: AnswerRecord
    outcome: Outcome
    reachable: bool
    holds: bool
    pairs: int
    right_pairs: int
    sentences: int
    right_sentences: int
    unfounded: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether anything was passed on as an answer."""
        return self.outcome in {"answered", "partial"}

    @property
    def fabricated(self) -> bool:
        """An answer, or a part of one, where the documents say nothing."""
        return self.record.must_refuse and self.passed

    @property
    def right(self) -> bool:
        """An answer that holds the gold answer, and that says so if only a part is in the documents."""
        partly_said = self.outcome == "partial" or not self.record.partly
        return not self.record.must_refuse and self.passed and self.holds and partly_said

    @property
    def wrong(self) -> bool:
        """An answer without the gold answer where the documents hold it: it states something else."""
        return not self.record.must_refuse and self.passed and not self.right

    @property
    def false_refusal(self) -> bool:
        """A refusal where the gold answer was in the blocks that were read."""
        return not self.record.must_refuse and self.reachable and self.outcome == "refused"

    @property
    def right_refusal(self) -> bool:
        """A refusal where no block that was read holds the answer."""
        return self.outcome == "refused" and (self.record.must_refuse or not self.reachable)


class WayFigures(BaseModel):
    """One way of answering over one group of cases. A share of nothing is None."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    cases: int
    unanswerable: int
    """Cases that must be refused."""
    reachable: int
    """Other cases in which a block that was read holds the answer."""
    fabricated: int
    """Unanswerable cases in which something was passed on as an answer."""
    fabricated_partial: int
    """Those of them that also say that the documents lack something that was asked."""
    fabricated_share: float | None
    """`fabricated` of `unanswerable`."""
    wrong: int
    """Answers without the gold answer, among the cases that can be answered."""
    wrong_share: float | None
    right: int
    """Answers that hold the gold answer."""
    right_share: float | None
    """`right` of the cases that can be answered."""
    refusal_precision: float | None
    """Of all refusals, those where no block that was read holds the answer."""
    refusal_recall: float | None
    """Of the unanswerable cases, those that were refused."""
    false_refusals: int
    """Refusals although a block that was read holds the answer."""
    false_refusal_share: float | None
    """`false_refusals` of `reachable`."""
    citation_precision: float | None
    """Over reachable cases with an answer: of the marks behind sentences that state something, those that name a block
    that is right to cite."""
    citation_recall: float | None
    """Over the same: of the sentences that state something, those with such a mark."""
    unfounded: int
    """Answers passed on with a number, by value, that is in no block cited with it, nor in the question."""
    unfounded_share: float | None
    """`unfounded` of the answers passed on."""
    errors: int
    """Cases without a usable reply of the model; they count as neither answered nor refused."""
    seconds: float | None
    """Median of an answer."""
    seconds_mean: float | None
    calls: float | None
    """Mean of an answer."""
    tokens_in: float | None
    tokens_out: float | None


def judge(record: AnswerRecord) -> Judgement:
    """Say what an answer is worth.

    A refusal is a status that says so, or a text in which no sentence states anything but silence, in whatever words
    (`youju.eval.answer_texts.refuses`); the same rule for all ways of answering. A sentence without a mark is looked at
    with all blocks, so that its numbers are unfounded only if they stand nowhere.
    """
    sentences, silent = stated(record.answer, record.question) if record.answer else ([], True)
    outcome: Outcome
    if record.status == "error":
        outcome = "error"
    elif record.status in _REFUSED or (silent and not sentences):
        outcome = "refused"
    else:
        outcome = "partial" if silent or record.status == "partial" else "answered"
    cited = [marks(sentence) for sentence in sentences]
    said = MARK.sub("", record.answer)
    return Judgement(
        record=record,
        outcome=outcome,
        reachable=bool(record.right),
        holds=all(holds_part(said, part) for part in record.parts)
        if record.parts
        else holds_reference(said, record.reference, record.question),
        pairs=sum(map(len, cited)),
        right_pairs=sum(number in record.right for numbers in cited for number in numbers),
        sentences=len(sentences),
        right_sentences=sum(bool(set(numbers) & set(record.right)) for numbers in cited),
        unfounded=tuple(
            value
            for sentence, numbers in zip(sentences, cited, strict=True)
            for value in sorted(_unfounded(sentence, numbers, record))
        ),
    )


def way_figures(judged: Sequence[Judgement]) -> WayFigures:
    """Sum up the answers of one way."""
    records = [one.record for one in judged]
    unanswerable = sum(record.must_refuse for record in records)
    answerable = len(records) - unanswerable
    reachable = sum(one.reachable and not one.record.must_refuse for one in judged)
    refusals = sum(one.outcome == "refused" for one in judged)
    passed = [one for one in judged if one.passed]
    cited = [one for one in passed if one.reachable and not one.record.must_refuse]

    def counted(name: str) -> int:
        return sum(bool(getattr(one, name)) for one in judged)

    return WayFigures(
        cases=len(judged),
        unanswerable=unanswerable,
        reachable=reachable,
        fabricated=counted("fabricated"),
        fabricated_partial=sum(one.fabricated and one.outcome == "partial" for one in judged),
        fabricated_share=_ratio(counted("fabricated"), unanswerable),
        wrong=counted("wrong"),
        wrong_share=_ratio(counted("wrong"), answerable),
        right=counted("right"),
        right_share=_ratio(counted("right"), answerable),
        refusal_precision=_ratio(counted("right_refusal"), refusals),
        refusal_recall=_ratio(sum(one.outcome == "refused" and one.record.must_refuse for one in judged), unanswerable),
        false_refusals=counted("false_refusal"),
        false_refusal_share=_ratio(counted("false_refusal"), reachable),
        citation_precision=_ratio(sum(one.right_pairs for one in cited), sum(one.pairs for one in cited)),
        citation_recall=_ratio(sum(one.right_sentences for one in cited), sum(one.sentences for one in cited)),
        unfounded=sum(bool(one.unfounded) for one in passed),
        unfounded_share=_ratio(sum(bool(one.unfounded) for one in passed), len(passed)),
        errors=sum(one.outcome == "error" for one in judged),
        seconds=median(record.seconds for record in records) if records else None,
        seconds_mean=fmean(record.seconds for record in records) if records else None,
        calls=fmean(record.calls for record in records) if records else None,
        tokens_in=fmean(record.tokens_in for record in records) if records else None,
        tokens_out=fmean(record.tokens_out for record in records) if records else None,
    )


def by_chance(one: Sequence[bool], other: Sequence[bool], *, rounds: int = 10_000) -> float:
    """How often chance alone makes a difference at least as large between two ways of answering the same cases.

    Paired randomisation, two-sided: the two results of a case are exchanged at random, again and again (Noreen 1989,
    Computer-Intensive Methods for Testing Hypotheses). Always the same draws.
    """
    import numpy as np  # noqa: PLC0415 - only for the comparison

    differences = np.asarray(one, dtype=int) - np.asarray(other, dtype=int)
    differences = differences[differences != 0]
    drawn = np.random.default_rng(0).choice([-1, 1], size=(rounds, len(differences)))
    return float((np.sum(np.abs((drawn * differences).sum(axis=1)) >= abs(differences.sum())) + 1) / (rounds + 1))


def worst(judged: Iterable[Judgement], most: int) -> list[Judgement]:
    """The answers that most need reading, worst first.

    Fabricated ones, then wrong ones, then others with unfounded numbers, each with more of these first; failures;
    refusals of what could be answered; right answers with the least right citations. Good ones never come.
    """
    return sorted((one for one in judged if _badness(one) > (0, 0.0)), key=_badness, reverse=True)[:most]


def _badness(one: Judgement) -> tuple[int, float]:
    order = (
        one.fabricated and one.outcome == "answered",
        one.fabricated,
        one.wrong,
        bool(one.passed and one.unfounded),
    )
    for place, bad in enumerate(order):
        if bad:
            return 6 - place, float(len(one.unfounded))
    if one.outcome == "error":
        return 2, 0.0
    if one.false_refusal:
        return 1, 0.0
    missed = one.sentences - one.right_sentences if one.right and one.reachable else 0
    return 0, missed / one.sentences if missed else 0.0


def _unfounded(sentence: str, numbers: Sequence[int], record: AnswerRecord) -> frozenset[str]:
    known = [n for n in numbers if 1 <= n <= len(record.evidence)] if numbers else range(1, len(record.evidence) + 1)
    written = values_in(record.question).union(*(values_in(record.evidence[n - 1]) for n in known))
    return values_in(sentence) - written


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
