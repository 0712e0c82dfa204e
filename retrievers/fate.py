"""Where a document was lost in a retrieval, step by step."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from langchain_core.documents import Document
from pydantic import BaseModel, ConfigDict, Field

from youju.knowledge import matches
from youju.retrievers.base import takes
from youju.retrievers.documents import key_of
from youju.retrievers.notes import Notes, place_of
from youju.retrievers.stages import Stage
from youju.retrievers.vector import VectorRetriever, imagining
from youju.settings import MOST_DOCUMENTS

_SHOWN = 120
_NOTHING_SHARED = {"bm25": "与问题没有共同的词", "ngram": "与问题没有相同的字对", "overlap": "与问题没有共同的词"}


class Step(BaseModel):
    """What one step did with a document."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    run_id: str
    """That of the stage."""
    name: str
    """The stage's label."""
    outcome: Literal["kept", "dropped", "missed"]
    """Handed on; had and not handed on; not found."""
    rank: int | None = None
    """Its place in the step's order, where it is known."""
    reason: str | None = None
    """Why it was not handed on."""


class Fate(BaseModel):
    """What became of one document."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    id: str
    source: str | None = None
    location: str | None = None
    in_base: bool | None
    """Whether it is among what is searched; None where this cannot be known."""
    rank: int | None = None
    """Its place in what was returned; None: it was not."""
    steps: list[Step] = Field(default_factory=list)
    """The steps that it reached, in their order."""
    summary: str
    """All this in a line, for people."""


@dataclass
class _Asked:
    """What is known of the retrievers of a trace, and what they find when they are asked for more."""

    notes: Mapping[str, Notes]
    deep: dict[str, list[str]] = field(default_factory=dict)

    def sources(self) -> list[Any]:
        found = [getattr(notes.retriever, "source", None) for notes in self.notes.values()]
        return list({id(source): source for source in found if hasattr(source, "documents")}.values())

    def ranking(self, stage: Stage) -> list[str] | None:
        """All that a leg would have found; None if it cannot be asked."""
        notes = self.notes.get(stage.run_id)
        if notes is None or not takes(notes.retriever, "k"):
            return None
        if stage.run_id not in self.deep:
            options = {"k": MOST_DOCUMENTS, "filter": stage.filter}
            leg = notes.retriever
            if isinstance(leg, VectorRetriever):  # variety among ten thousand would take long
                leg = leg.model_copy(update={"search_type": "similarity"})
            with imagining(notes.text):
                found = leg.invoke(stage.question, {"callbacks": []}, **options)
            self.deep[stage.run_id] = [key_of(document) for document in found]
        return self.deep[stage.run_id]


def fates(root: Stage, name: str, notes: Mapping[str, Notes]) -> list[Fate]:
    """What became of a document, of the parts of a block, or of all documents of a file; the best first.

    Args:
        root: The outermost step.
        name: The id of a document or block, or a `source`.
        notes: What the retrievers told, by the `run_id` of their step.
    """
    asked = _Asked(notes)
    documents = _named(name, asked.sources()) or _seen(root, name)
    if not documents:
        known = bool(asked.sources())
        where = "知识库里没有这个编号或来源" if known else "检索的任何一步都没有见到它"
        return [Fate(id=name, in_base=False if known else None, summary=where)]
    found = [_fate(root, document, asked) for document in documents]
    return sorted(found, key=_how_far)


def _named(name: str, sources: Sequence[Any]) -> list[Document]:
    """The documents of that id, of the block of that id, or of that source."""
    for source in sources:
        if hasattr(source, "get"):
            found: list[Document] = source.get([name])
        else:
            found = [document for document in source.documents() if key_of(document) == name]
        found = found or source.documents({"$or": [{"parent_id": name}, {"source": name}]})
        if found:
            return found
    return []


def _seen(root: Stage, name: str) -> list[Document]:
    """What went through the steps under that id or source, where the source cannot be asked."""
    found: dict[str, Document] = {}
    for stage in root.walk():
        went = [(hit.id, hit.source, hit.location) for hit in stage.returned]
        went += [(one.id, one.source, one.location) for one in stage.dropped]
        for key, source, location in went:
            if name in {key, source}:
                place = {"source": source, "location": location}
                found[key] = Document(
                    id=key, page_content="", metadata={label: value for label, value in place.items() if value}
                )
    return list(found.values())


def _fate(root: Stage, document: Document, asked: _Asked) -> Fate:
    steps, way = _followed(root, document, {key_of(document)}, asked)
    last = steps[-1] if steps else None
    return Fate(
        id=key_of(document),
        **place_of(document),
        in_base=True if asked.sources() else None,
        rank=last.rank if last and last.run_id == root.run_id and last.outcome == "kept" else None,
        steps=steps,
        summary=way if any(step.outcome == "kept" for step in steps) else _lost_at_once(steps),
    )


def _followed(
    stage: Stage, document: Document, names: set[str], asked: _Asked, part: str | None = None
) -> tuple[list[Step], str]:
    """What the steps below and this one did, and the same as a line.

    `names` gets the ids of the blocks that take the document's place; `part` is that of a step above.
    """
    steps: list[Step] = []
    ways = []
    for below in stage.stages:
        more, way = _followed(below, document, names, asked, stage.part or part)
        steps += more
        ways += [way] if way else []
    way = ("；" if any(" → " in one for one in ways) else "、").join(ways)
    own = _own_step(stage, document, names, asked, part)
    if own is None:
        return steps, way
    said = f"{own.name} 第 {own.rank} 名" if own.outcome == "kept" else f"{own.name}：{own.reason}"
    if own.outcome == "missed":  # of several legs, the line shows those that found it
        return [*steps, own], way
    return [*steps, own], f"{way} → {said}" if way else said


def _own_step(stage: Stage, document: Document, names: set[str], asked: _Asked, part: str | None) -> Step | None:
    """What a step did; None if the document did not come to it."""
    names |= {one.became for one in stage.dropped if one.id in names and one.became}
    kept = [rank for rank, hit in enumerate(stage.returned, start=1) if hit.id in names]
    dropped = [one for one in stage.dropped if one.id in names and one.code not in {"replaced", "sentence"}]
    step = partial(Step, run_id=stage.run_id, name=stage.label(part))
    if kept:
        return step(outcome="kept", rank=kept[0])
    if dropped:
        return step(outcome="dropped", rank=dropped[0].rank, reason=dropped[0].reason)
    if stage.error:
        return step(outcome="missed", reason=f"这一步出错了：{stage.error}")
    if stage.adds and not matches(document.metadata, stage.adds):
        return step(outcome="dropped", reason=f"不符合这一步从问题里读出的条件：{_short(stage.adds)}")
    if stage.kind != "chat" and all(below.kind == "chat" for below in stage.stages):
        rank, reason = _missed(stage, document, asked)
        return step(outcome="missed", rank=rank, reason=reason)
    return None


def _missed(stage: Stage, document: Document, asked: _Asked) -> tuple[int | None, str]:
    """The rank that a leg would give a document that it did not return, and why it did not."""
    if stage.filter and not matches(document.metadata, stage.filter):
        return None, f"被过滤条件排除：{_short(stage.filter)}"
    ranking = asked.ranking(stage)
    if ranking is None:
        return None, "没有召回"
    if key_of(document) in ranking:
        rank = ranking.index(key_of(document)) + 1
        leg = asked.notes[stage.run_id].retriever
        taken = max(stage.k or 0, leg.fetch_k if isinstance(leg, VectorRetriever) and leg.search_type == "mmr" else 0)
        return rank, f"第 {rank} 名，只取前 {taken}"
    if len(ranking) >= MOST_DOCUMENTS:
        return None, f"不在前 {MOST_DOCUMENTS} 名"
    return None, _NOTHING_SHARED.get(stage.kind, "没有召回")


def _lost_at_once(steps: Sequence[Step]) -> str:
    """Why no leg found a document; legs with the same reason are named together."""
    reasons: dict[str, list[str]] = {}
    for step in sorted(steps, key=lambda step: step.outcome):  # what a step left out says more than what legs missed
        reasons.setdefault(str(step.reason), []).append(step.name)
    return "；".join(["没有被任何一路召回", *(f"{'、'.join(names)} {reason}" for reason, names in reasons.items())])


def _how_far(fate: Fate) -> tuple[Any, ...]:
    kept = sum(step.outcome == "kept" for step in fate.steps)
    return (
        fate.rank or MOST_DOCUMENTS,
        -kept,
        min((step.rank for step in fate.steps if step.rank), default=MOST_DOCUMENTS + 1),
    )


def _short(conditions: Mapping[str, Any]) -> str:
    text = json.dumps(conditions, ensure_ascii=False, default=str)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
