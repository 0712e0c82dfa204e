"""Fitting the thresholds to a base, from questions that it answers and questions that it does not."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, get_args

from langchain_core.retrievers import BaseRetriever
from pydantic import BaseModel, ConfigDict, Field

from youju.chains.gate import FittedGates, Gate, bases, built_in_gates
from youju.chains.gate import judged as by_gates
from youju.chains.signals import Signal, Signals, evidence_signals
from youju.errors import QuestionError, SettingsError
from youju.eval.calibration_fit import (
    auc,
    auc_interval,
    choose_threshold,
    fit_gate,
    held_out_scores,
    share_below,
)
from youju.eval.calibration_grounding import GroundingFigures, fit_grounding
from youju.eval.questions import Question
from youju.retrievers.base import require_question

if TYPE_CHECKING:
    from langchain_core.documents import Document

MOST_FOLDS = 5
FEW = 20
"""With fewer questions of a kind, figures say little."""

_SEED = 0
_SEEN_ENOUGH = 0.8
"""A signal is used that can be seen in this share of the questions."""
_OF_WORDS: tuple[Signal, ...] = ("words", "together", "held")
_EXAMPLES = 5


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class CurvePoint(_Data):
    """What a threshold would do."""

    threshold: float
    kept: float
    """Share of answerable questions that pass."""
    refused: float
    """Share of unanswerable questions that do not."""


class GateFigures(_Data):
    """A gate, and how good it is by questions that it was not fitted on."""

    gate: Gate
    questions: int
    """Questions in which its signals can all be seen."""
    auc: float
    """How often, of an answerable question and another, the answerable one has the larger score."""
    auc_interval: tuple[float, float]
    """95 %, by drawing questions anew."""
    kept: float
    """Share of answerable questions that pass at its threshold."""
    refused: float
    """Share of unanswerable questions that do not."""
    curve: list[CurvePoint]
    """What other thresholds would do, ascending."""

    @property
    def separates(self) -> bool:
        """Whether it tells the kinds apart: its interval does not reach down to 0.5, which is chance."""
        return self.auc_interval[0] > 0.5


class BuiltInFigures(_Data):
    """What the built-in gate does with the questions that the first fitted gate was judged by."""

    threshold: float
    kept: float
    """Share of answerable questions that pass."""
    refused: float
    """Share of unanswerable questions that do not."""


class CalibrationReport(_Data):
    """What calibration found."""

    answerable: int
    unanswerable: int
    nothing_found: int
    """Questions for which the retriever found nothing: they are refused without a gate, and count here only."""
    keep: float
    """The share of answerable questions that had to be kept."""
    folds: int
    """Each part of the questions was judged by a gate fitted on the others."""
    gates: list[GateFigures]
    """The first one whose signals can be seen judges."""
    built_in: BuiltInFigures | None = None
    """Without calibration; None if there is no built-in gate for the embedding model."""
    lost: list[str] = Field(default_factory=list)
    """Answerable questions that the first gate would refuse, the smallest score first; some of them."""
    passed: list[str] = Field(default_factory=list)
    """Unanswerable questions that it would let pass, the largest score first; some of them."""
    grounding: GroundingFigures | None = None
    """Of claim checks, where enough questions have quotes and an answer."""
    warnings: list[str] = Field(default_factory=list)

    @property
    def built_in_is_better(self) -> bool:
        """Whether the built-in gate keeps the share that had to be kept and refuses no less than the fitted one."""
        known, first = self.built_in, self.gates[0]
        return known is not None and known.kept >= self.keep and known.refused >= first.refused

    def fitted(self, retriever: dict[str, Any]) -> FittedGates:
        """What is kept with the base: the gates that tell the kinds apart, none if the built-in one is better.

        Args:
            retriever: The settings of the retriever; see `youju.chains.gate.as_fitted`.
        """
        return FittedGates(
            retriever=retriever,
            gates=() if self.built_in_is_better else tuple(one.gate for one in self.gates if one.separates),
            keep=self.keep,
            answerable=self.answerable,
            unanswerable=self.unanswerable,
        )


class _Seen(BaseModel):
    """A question and what is seen of what was found for it."""

    question: str
    answerable: bool
    signals: Signals


def calibrate(
    retriever: BaseRetriever,
    questions: Sequence[Question],
    *,
    keep: float = 0.98,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> CalibrationReport:
    """Fit a gate that keeps answerable questions and refuses as many others as it can.

    The figures of gates come from cross-validation: each question is judged by a gate fitted without it. Where enough
    questions have quotes and an answer, the threshold of claim checks is fitted, too. No model is asked but those of
    the retriever.    The same questions and base always give the same gate.

    Args:
        retriever: What finds the evidence, as it will be found when questions are answered.
        questions: What is asked; some can be answered, some cannot.
        keep: Share of the answerable questions that must pass.
        on_progress: Called with how many questions have been searched, of how many.

    Raises:
        SettingsError: There are too few questions of a kind, or `keep` is no share.
        QuestionError: A question holds nothing to search for, or is too long.
    """
    if not 0.5 <= keep <= 1:
        raise SettingsError(f"keep 是要留住的比例，在 0.5 和 1 之间，不能是 {keep:g}")
    counts = {kind: sum(question.answerable is kind for question in questions) for kind in (True, False)}
    for kind, name in ((True, "能回答"), (False, "不能回答")):
        if counts[kind] < 2:
            raise SettingsError(
                f"资料{name}的问题（answerable 是 {str(kind).lower()}）有 {counts[kind]} 个，至少要 2 个，"
                f"最好 {FEW} 个以上：要两种问题都有，才能找出分界"
            )
    for number, question in enumerate(questions, start=1):
        try:
            require_question(question.text)
        except QuestionError as error:
            raise QuestionError(f"{question.place or f'第 {number} 个问题'}：{error}") from None
    seen: list[_Seen] = []
    found: list[tuple[Question, Sequence[Document]]] = []
    for done, question in enumerate(questions, start=1):
        documents = retriever.invoke(question.text)
        found.append((question, documents))
        if documents:
            signals = evidence_signals(question.text, documents)
            seen.append(_Seen(question=question.text, answerable=question.answerable, signals=signals))
        on_progress(done, len(questions))
    built_in = built_in_gates(next(bases(retriever), None))
    report = _report(seen, counts, len(questions) - len(seen), keep, built_in)
    report.grounding = fit_grounding(found)
    return report


def _report(
    seen: Sequence[_Seen], counts: dict[bool, int], nothing_found: int, keep: float, built_in: Sequence[Gate]
) -> CalibrationReport:
    names = _seen_enough(seen)
    of_words = tuple(name for name in names if name in _OF_WORDS)
    choices = dict.fromkeys(names for names in (names, of_words) if names)
    figures, lost, passed, folds = list[GateFigures](), list[str](), list[str](), 0
    without: BuiltInFigures | None = None
    for chosen in choices:
        judged = [one for one in seen if all(getattr(one.signals, name) is not None for name in chosen)]
        smallest = min(sum(one.answerable is kind for one in judged) for kind in (True, False))
        if smallest < 2:
            continue
        parts = min(MOST_FOLDS, smallest)
        found, scores = _figures(judged, chosen, keep, parts)
        if not figures:
            folds = parts
            lost, passed = _mistakes(judged, scores, found.gate.threshold)
            without = _without_calibration(judged, built_in)
        figures.append(found)
    if not figures:
        raise SettingsError("检索到的资料太少，看不出两种问题的差别；请检查知识库里有没有资料，问题问的是不是它们")
    return CalibrationReport(
        answerable=counts[True],
        unanswerable=counts[False],
        nothing_found=nothing_found,
        keep=keep,
        folds=folds,
        gates=figures,
        built_in=without,
        lost=lost,
        passed=passed,
        warnings=_warnings(counts, figures[0]),
    )


def _figures(
    judged: Sequence[_Seen], names: Sequence[Signal], keep: float, folds: int
) -> tuple[GateFigures, list[float]]:
    signals, answerable = [one.signals for one in judged], [one.answerable for one in judged]
    scores = held_out_scores(signals, answerable, names, folds=folds, seed=_SEED)
    ours = [score for score, kind in zip(scores, answerable, strict=True) if kind]
    others = [score for score, kind in zip(scores, answerable, strict=True) if not kind]
    threshold = choose_threshold(ours, others, keep)
    found = GateFigures(
        gate=fit_gate(signals, answerable, names).model_copy(update={"threshold": threshold}),
        questions=len(judged),
        auc=auc(ours, others),
        auc_interval=auc_interval(ours, others, seed=_SEED),
        kept=1 - share_below(ours, threshold),
        refused=share_below(others, threshold),
        curve=_curve(ours, others),
    )
    return found, scores


def _without_calibration(judged: Sequence[_Seen], gates: Sequence[Gate]) -> BuiltInFigures | None:
    if not gates:
        return None
    passed = {kind: [_passes(one, gates) for one in judged if one.answerable is kind] for kind in (True, False)}
    kept, others = passed[True], passed[False]
    return BuiltInFigures(
        threshold=gates[0].threshold, kept=sum(kept) / len(kept), refused=1 - sum(others) / len(others)
    )


def _passes(one: _Seen, gates: Sequence[Gate]) -> bool:
    return by_gates(one.signals, gates, fitted=False).passed


def _mistakes(judged: Sequence[_Seen], scores: Sequence[float], threshold: float) -> tuple[list[str], list[str]]:
    """The answerable questions that are refused, and the others that are not, the worst first; some of each."""
    worst = sorted(zip(scores, judged, strict=True), key=lambda pair: pair[0])
    lost = [one.question for score, one in worst if one.answerable and score < threshold]
    passed = [one.question for score, one in reversed(worst) if not one.answerable and score >= threshold]
    return lost[:_EXAMPLES], passed[:_EXAMPLES]


def _curve(ours: Sequence[float], others: Sequence[float]) -> list[CurvePoint]:
    """For each whole percentage of answerable questions, the threshold that keeps them and refuses most."""
    points: list[CurvePoint] = []
    for lost in range(100):
        threshold = choose_threshold(ours, others, 1 - lost / 100)
        kept, refused = 1 - share_below(ours, threshold), share_below(others, threshold)
        if not points or (points[-1].kept, points[-1].refused) != (kept, refused):
            points.append(CurvePoint(threshold=threshold, kept=kept, refused=refused))
    return points


def _seen_enough(seen: Sequence[_Seen]) -> tuple[Signal, ...]:
    """The signals that can be seen in most questions of both kinds."""
    found: list[Signal] = []
    for name in get_args(Signal):
        shares = []
        for kind in (True, False):
            values = [getattr(one.signals, name) is not None for one in seen if one.answerable is kind]
            shares.append(sum(values) / len(values) if values else 0.0)
        if min(shares) >= _SEEN_ENOUGH:
            found.append(name)
    return tuple(found)


def _warnings(counts: dict[bool, int], first: GateFigures) -> list[str]:
    found = [
        f"资料{name}的问题只有 {counts[kind]} 个，少于 {FEW} 个：数字不稳，门槛可能不合适"
        for kind, name in ((True, "能回答"), (False, "不能回答"))
        if counts[kind] < FEW
    ]
    if not first.separates:
        found.append(
            "从检索结果上分不开这两种问题（AUC 的区间到 0.5 或以下）：这样的门槛不会存。请核对 answerable 有没有标错，"
            f"两种问题各给 {FEW} 个以上不同的，或换一种检索（retriever）再校准；在此之前靠模型自己拒答和引用检查"
        )
    return found
