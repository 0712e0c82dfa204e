"""Why something that was asked is not answered: what came nearest, and where the rest was lost."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

from youju.chains.gate import GateResult
from youju.chains.phrases import phrase
from youju.chains.result import Evidence, Nearest, Refusal, Step
from youju.chains.unread import not_in_the_base
from youju.knowledge.identity import shown_text
from youju.knowledge.metadata import json_value
from youju.retrievers import RetrievalTracer

_NEAREST = 3


@dataclass(frozen=True)
class Found:
    """What was found for a question, before a model reads it.

    Attributes:
        question: What was asked.
        documents: What the retriever returned.
        evidence: The numbered blocks; none if nothing is put before the model.
        gate: What the evidence gate said.
        tracer: What heard the retrieval.
        search: What was searched in the place of the question.
    """

    question: str
    documents: Sequence[Document]
    evidence: Sequence[Evidence] = ()
    gate: GateResult | None = None
    tracer: RetrievalTracer | None = None
    search: str | None = None

    @classmethod
    def read(cls, asked: Mapping[str, Any]) -> "Found":
        """Take what flows in the answer chain."""
        question, search = asked["question"], asked.get("search")
        return cls(
            question,
            asked["documents"],
            asked["evidence"],
            asked.get("gate"),
            asked.get("tracer"),
            search if search != question else None,
        )


def refusal(asked: Sequence[str], found: Found, *last: Step) -> Refusal:
    """Explain why parts of a question are not answered.

    Args:
        asked: The parts.
        found: What was found.
        last: The steps behind packing.
    """
    gate = found.gate
    unread, lost = not_in_the_base(found.question, found.documents, found.tracer)
    return Refusal(
        asked=list(asked),
        nearest=[_nearest(document) for document in found.documents[:_NEAREST]],
        score=gate.score if gate is not None else None,
        threshold=gate.threshold if gate is not None else None,
        steps=[*lost, *_retrieval(found), *_before_the_model(found), *last],
        unread=unread,
    )


def _retrieval(found: Found) -> Iterator[Step]:
    """A step for each retriever that was asked, or one for all if they were not heard."""
    question = found.question
    traces = found.tracer.traces() if found.tracer is not None else []
    for trace in traces:
        for stage in trace.stages():
            if stage.kind == "chat":
                continue
            lost = Counter(one.code for one in stage.dropped if one.text is None)
            why = [phrase("lost", question, n=count, why=phrase(code, question)) for code, count in lost.items()]
            kept = len(stage.returned)
            reason = phrase("comma", question).join(why) or phrase("found", question, n=kept)
            if stage.text and stage.text != question:
                reason = phrase("searched", question, text=stage.text, found=reason)
            yield Step(name=stage.label(), kept=kept, lost=lost.total(), reason=reason)
    if not traces:
        kept = len(found.documents)
        yield Step(name="retrieve", kept=kept, lost=0, reason=phrase("found", question, n=kept))


def _before_the_model(found: Found) -> Iterator[Step]:
    """What the gate and the budget kept back."""
    count = len(found.documents)
    if found.gate is not None and not found.gate.passed:
        yield Step(name="gate", kept=0, lost=count, reason=found.gate.why_not(found.question) or "")
        return
    if count:
        lost = count - len(found.evidence)
        reason = phrase("some_too_long" if lost else "all_read", found.question, n=lost)
        yield Step(name="pack", kept=len(found.evidence), lost=lost, reason=reason)


def _nearest(document: Document) -> Nearest:
    metadata = document.metadata
    score = metadata.get("score")
    return Nearest(
        id=json_value(document.id),
        location=json_value(str(metadata.get("location") or metadata.get("source") or document.id or "")),
        text=json_value(shown_text(document)),
        score=float(score) if isinstance(score, int | float) else None,
    )
