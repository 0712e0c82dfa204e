"""What rewriting questions is worth: what the question finds, what its rewritings find, and what both find together."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

from langchain_core.documents import Document
from pydantic import BaseModel, ConfigDict

from youju.chains import CitedAnswer, build_answer_chain
from youju.errors import SettingsError
from youju.eval.questions import Question, find_quotes
from youju.knowledge import KnowledgeBase
from youju.retrievers import RetrievalTracer, Stage, build_retriever
from youju.retrievers.base import DEFAULT_K
from youju.retrievers.fusion import fused
from youju.settings import RetrieverSettings, Settings

REWRITING = ("multi_query", "hyde", "self_query")
"""Kinds of retrievers that rewrite the question."""
_STATING = frozenset({"cited", "supported"})


class _Figures(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Recalls(_Figures):
    """The share of the quotes that are among the first k, of one question or as a mean."""

    original: float
    """With the question as it was asked."""
    rewritten: float
    """With what the model made of it, alone."""
    merged: float
    """With both, as the step hands it on."""


class RewrittenQuestion(_Figures):
    """One question."""

    question: str
    written: list[str]
    """What was searched beside the question or in its place; empty if the model wrote nothing that could be used."""
    recall: Recalls
    status: str
    """That of the answer."""
    supported: bool
    """Whether the answer states something, and each statement of it is cited or supported."""


class RewritingComparison(_Figures):
    """Figures over all questions."""

    kind: str
    k: int
    questions: int
    rewritten: int
    """Questions for which the model wrote something that could be used."""
    recall: Recalls
    supported: float
    """The share of the questions whose answer is supported."""
    statuses: dict[str, int]
    each: list[RewrittenQuestion]


def compare_rewriting(
    base: KnowledgeBase,
    questions: Sequence[Question],
    settings: Settings | None = None,
    *,
    writing: Any = None,
    answering: Any = None,
    on_question: Callable[[int, int], None] | None = None,
) -> RewritingComparison:
    """Ask questions through a retriever that rewrites them, and measure each of its parts.

    Recall@k is the share of a question's quotes that stand, whole, in one of the first k documents; k is the
    retriever's. Of several rewritings, the lists are joined by reciprocal rank fusion with equal weights. Of nested
    steps that rewrite, the outermost is measured.

    Args:
        base: What is searched.
        questions: With the quotes that answer them.
        settings: The retriever, the answer and their models; None takes the base's.
        writing: A chat model that rewrites, in the place of that of the settings.
        answering: A chat model that answers, in the place of that of the settings.
        on_question: Told of each question how many are done and how many there are.

    Raises:
        SettingsError: The retriever has no step that rewrites.
        LoadError: A quote stands in no document; the message names the question.
        ModelError: The answering model gives no usable reply.
    """
    settings = settings or base.settings
    step = _step(settings.retriever)
    if step is None:
        raise SettingsError(
            f"retriever 里没有改写问题的一步（{'、'.join(REWRITING)}）；"
            "请在配置里写上，例如 retriever: {kind: multi_query, base: {kind: hybrid}}"
        )
    golds = _golds(base, questions)
    retriever = build_retriever(base, settings.retriever, chat=writing)
    chain = build_answer_chain(retriever, settings, chat=answering)
    k: int = getattr(retriever, "k", DEFAULT_K)
    each = []
    for number, question in enumerate(questions, start=1):
        tracer = RetrievalTracer()
        answer = chain.invoke(question.text, {"callbacks": [tracer]})
        done = [stage for stage in tracer.traces()[0].stages() if stage.kind == step.kind][-1]
        each.append(_measured(question, answer, _lists(base, step, done), golds[question], k))
        if on_question is not None:
            on_question(number, len(questions))
    return RewritingComparison(
        kind=step.kind,
        k=k,
        questions=len(each),
        rewritten=sum(bool(one.written) for one in each),
        recall=Recalls(**{name: fmean(getattr(one.recall, name) for one in each) for name in Recalls.model_fields}),
        supported=fmean(one.supported for one in each),
        statuses=dict(Counter(one.status for one in each)),
        each=each,
    )


def _step(settings: RetrieverSettings) -> Any:
    """The settings of the outermost step that rewrites; None if there is none."""
    if settings.kind in REWRITING:
        return settings
    legs = [leg for leg in getattr(settings, "retrievers", ()) if leg.weight > 0]  # others are not asked
    below = legs or [getattr(settings, "base", None)]
    found = (_step(one) for one in below if one is not None)
    return next((one for one in found if one is not None), None)


def _golds(base: KnowledgeBase, questions: Sequence[Question]) -> dict[Question, list[set[str]]]:
    """For each question and quote, the ids of the documents that hold it, and of the blocks around them."""
    documents = base.documents()
    single = [replace(question, quotes=(quote,)) for question in questions for quote in question.quotes]
    places = iter(find_quotes(single, documents))
    found: dict[Question, list[set[str]]] = {}
    for question in questions:
        of_quotes = [[documents[gold.document] for gold in next(places)] for _ in question.quotes]
        found[question] = [
            {str(name) for document in several for name in (document.id, document.metadata.get("parent_id")) if name}
            for several in of_quotes
        ]
    return found


class _Lists(_Figures):
    """What the parts of a step found, best first."""

    written: list[str]
    original: list[str]
    rewritten: list[str]
    merged: list[str]


def _lists(base: KnowledgeBase, step: Any, done: Stage) -> _Lists:
    parts = {stage.part: stage for stage in done.stages if stage.part}
    merged = [hit.id for hit in done.returned]
    if step.kind == "self_query":
        [below] = [stage for stage in done.stages if stage.kind != "chat"]
        plain = build_retriever(base, step.base, fetch_k=done.k)
        found = plain.invoke(done.question, k=done.k, filter=done.filter)
        changed = below.question != done.question or done.adds is not None
        written = [below.question] if changed else []
        return _Lists(
            written=written,
            original=[str(document.id) for document in found],
            rewritten=merged if changed else [],
            merged=merged,
        )
    others = [stage for part, stage in parts.items() if part != "question"]
    written = [_searched_with(stage) or stage.question for stage in others]
    rankings = [[Document(id=hit.id, page_content="") for hit in stage.returned] for stage in others]
    joined = fused([str(n) for n in range(len(rankings))], [1.0] * len(rankings), rankings, c=step.rrf_k)
    return _Lists(
        written=written,
        original=[hit.id for hit in parts["question"].returned],
        rewritten=[str(document.id) for document in joined],
        merged=merged,
    )


def _searched_with(stage: Stage) -> str | None:
    """The text that a step below searched with in the question's place."""
    return next((one.text for one in stage.walk() if one.text and one.kind != "chat"), None)


def _measured(
    question: Question, answer: CitedAnswer, lists: _Lists, golds: Sequence[set[str]], k: int
) -> RewrittenQuestion:
    def recall(found: Sequence[str]) -> float:
        return fmean(bool(gold & set(found[:k])) for gold in golds)

    return RewrittenQuestion(
        question=question.text,
        written=lists.written,
        recall=Recalls(original=recall(lists.original), rewritten=recall(lists.rewritten), merged=recall(lists.merged)),
        status=answer.status,
        supported=_supported(answer),
    )


def _supported(answer: CitedAnswer) -> bool:
    stated = [claim.verdict for claim in answer.claims if claim.verdict != "not_found"]
    return answer.status in {"answered", "partial"} and bool(stated) and _STATING.issuperset(stated)
