"""The evidence gate: whether what was found bears on the question at all, before a model is asked.

Something is always found: there are nearest passages to any question, and fused scores only say how legs agree. So the
gate reads signals that have a meaning of their own, and nothing that was scaled within the results.
"""

import logging
import math
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever, RetrieverLike
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from youju.chains.signals import Signal, Signals, evidence_signals
from youju.errors import KnowledgeBaseError
from youju.knowledge import KnowledgeBase
from youju.prompts import language
from youju.retrievers.configured import within
from youju.settings import AnswerSettings, Settings

LOG = logging.getLogger("youju")


_REFUSED = (
    (
        "找到的资料看来和问题无关，没有拿去问模型：{seen}，合起来得 {score:.3f}，不到{kind}门槛 {threshold:.3f}；"
        "换成更接近原文的问法再问，或设 answer.gate=none 让模型自己读"
    ),
    (
        "what was found does not seem to bear on the question, so no model was asked: {seen}; together this is "
        "{score:.3f}, below the {kind} threshold of {threshold:.3f}; ask in words closer to the text, or set "
        "answer.gate=none to have a model read it"
    ),
)
"""In Chinese, in English; so are those below."""
_SEEN = {
    "words": ("最多的一段有问题里 {:.0%} 的词", "at most {:.0%} of the question's words stand in one passage"),
    "similarity": ("意思最近的一段相似度 {:.2f}", "the passage nearest in meaning has a similarity of {:.2f}"),
    "rerank": ("重排得分最高 {:.2f}", "the best score of the reranker is {:.2f}"),
}
_KINDS = {True: ("在这个知识库上校准的", "calibrated"), False: ("内置的", "built-in")}
_COMMA = ("，", ", ")


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False)


class Gate(_Data):
    """A logistic model of the signals: score = 1 / (1 + exp(-(bias + Σ weight · signal)))."""

    weights: dict[Signal, float]
    bias: float
    threshold: float = Field(ge=0, le=1)
    """Least score that passes."""

    def score(self, signals: Signals) -> float | None:
        """How the evidence looks: near 1 like that of answerable questions, near 0 like that of others.

        Returns:
            A number in [0, 1]; None if a signal that the gate needs cannot be seen.
        """
        terms = [self.bias]
        for name, weight in self.weights.items():
            value: float | None = getattr(signals, name)
            if value is None:
                return None
            terms.append(weight * value)
        return 0.5 * (1 + math.tanh(math.fsum(terms) / 2))  # the same as 1 / (1 + exp(-x)), which may overflow


BY_E5 = Gate(weights={"words": 3.1, "similarity": 60.6}, bias=-55.05, threshold=0.03)
"""The built-in gate for the embedding model `e5`.

Fitted on 849 answerable questions and 751 on other matters (encyclopedia in Simplified and in Traditional characters,
colloquial legal questions over statutes, company and court reports; 194 to 544 passages a base), hybrid retrieval, five
passages a question. Its threshold lies below the scores of all answerable ones, as bases differ. So it refuses from a
third to four fifths of the questions on other matters, and next to none that are near the subject.
"""

BY_WORDS = Gate(weights={"words": 4.8, "held": 0.85}, bias=-3.73, threshold=0.03)
"""Where of a base with `e5` only words can be seen; fitted on the same questions, it refuses where none is shared."""


class FittedGates(_Data):
    """What `youju eval calibrate` keeps with a base."""

    retriever: dict[str, Any]
    """The settings of the retriever whose documents the gates were fitted to."""
    gates: tuple[Gate, ...]
    """The first one whose signals can all be seen judges."""
    keep: float
    """The share of answerable questions that was to be kept."""
    answerable: int
    unanswerable: int


class GateResult(_Data):
    """What a gate says of the evidence for a question."""

    passed: bool
    score: float | None
    """In [0, 1]; None if no gate could judge: then the evidence passes."""
    threshold: float | None
    fitted: bool
    """Whether the gate was fitted to the base, by `youju eval calibrate`."""
    signals: Signals

    @property
    def reason(self) -> str | None:
        """Why the model is not asked, for people; None if it is."""
        return self._why_not(0)

    def why_not(self, question: str) -> str | None:
        """`reason` in the language of a question."""
        return self._why_not(int(language(question) == "en"))

    def _why_not(self, spoken: int) -> str | None:
        """The reason in Chinese or, with 1, in English."""
        if self.passed:
            return None
        seen = {"words": self.signals.words, "similarity": self.signals.similarity, "rerank": self.signals.rerank}
        said = [_SEEN[name][spoken].format(value) for name, value in seen.items() if value is not None]
        kind = _KINDS[self.fitted][spoken]
        return _REFUSED[spoken].format(
            score=self.score, threshold=self.threshold, kind=kind, seen=_COMMA[spoken].join(said)
        )


class EvidenceGate:
    """Judges the evidence for questions, by the gates fitted to the base that is searched, or by the built-in ones."""

    def __init__(self, retriever: RetrieverLike, settings: AnswerSettings | None = None) -> None:
        """Find the base that a retriever searches.

        Args:
            retriever: What finds the documents; a `KnowledgeBase` is looked for in it and in those that it wraps.
                Without one there is no gate.
            settings: Whether there is a gate, and a threshold to put in the place of its own; None means the defaults.
        """
        self._base = next(bases(retriever), None)
        self._settings = settings or AnswerSettings()
        self._warned = False

    def judge(self, question: str, documents: Sequence[Document]) -> GateResult | None:
        """Whether documents are put before the model.

        Args:
            question: The question.
            documents: What the retriever found for it.

        Returns:
            None if there is no gate, or there are no documents.

        Raises:
            KnowledgeBaseError: What was fitted to the base cannot be read.
        """
        if self._settings.gate == "none" or not documents:
            return None
        fitted = self._fitted() if self._settings.gate == "auto" else None
        gates = fitted.gates if fitted is not None else built_in_gates(self._base)
        signals = evidence_signals(question, documents)
        return judged(signals, gates, threshold=self._settings.gate_threshold, fitted=fitted is not None)

    def _fitted(self) -> FittedGates | None:
        fitted = fitted_gates(self._base) if self._base is not None else None
        if fitted is None or self._base is None or fitted.retriever == as_fitted(self._base.settings):
            return fitted
        if not self._warned:
            self._warned = True
            LOG.warning(
                "证据门槛是用别的检索设置校准的，没有用上，改用内置的；请用现在的设置再运行一次 youju eval calibrate"
            )
        return None


def built_in_gates(base: KnowledgeBase | None) -> tuple[Gate, ...]:
    """The gates that judge what is found in a base for which none was fitted; none without the model `e5`."""
    # Other models find what shares no word with the question, as one in another language: only a fitted gate may
    # judge what they find.
    return (BY_E5, BY_WORDS) if base is not None and base.embeddings_name == "e5" else ()


def judged(signals: Signals, gates: Sequence[Gate], *, threshold: float | None = None, fitted: bool) -> GateResult:
    """What the first gate that sees its signals says of them; without one, they pass.

    Args:
        signals: What is seen.
        gates: The gates, in order.
        threshold: Least score that passes; None takes the gate's own.
        fitted: Whether the gates were fitted to the base.
    """
    for gate in gates:
        score = gate.score(signals)
        if score is not None:
            least = gate.threshold if threshold is None else threshold
            return GateResult(passed=score >= least, score=score, threshold=least, fitted=fitted, signals=signals)
    return GateResult(passed=True, score=None, threshold=None, fitted=fitted, signals=signals)


def fitted_gates(base: KnowledgeBase) -> FittedGates | None:
    """The gates that were fitted to a base; None if there are none.

    Raises:
        KnowledgeBaseError: They cannot be read.
    """
    kept = base.calibration("gate")
    if kept is None:
        return None
    try:
        return FittedGates.model_validate(kept)
    except ValidationError:
        raise KnowledgeBaseError(
            f"知识库 {base.name} 里保存的证据门槛看不懂，可能是别的版本写的；请再运行一次 youju eval calibrate"
        ) from None


def as_fitted(settings: Settings) -> dict[str, Any]:
    """The settings that decide which documents a gate sees."""
    return settings.retriever.model_dump(mode="json")


def bases(retriever: Any) -> Iterator[KnowledgeBase]:
    """The bases that a retriever, or one that it wraps, searches."""
    plain = within(retriever)
    if not isinstance(plain, BaseRetriever):
        return
    source = getattr(plain, "source", None)
    if isinstance(source, KnowledgeBase):
        yield source
    for wrapped in [getattr(plain, "retriever", None), *(getattr(plain, "retrievers", None) or ())]:
        yield from bases(wrapped)
