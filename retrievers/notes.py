"""What retrievers tell a trace of a call while it runs; without a trace, nothing is noted."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import BaseModel, ConfigDict

from youju.retrievers.documents import key_of, score_of

Code = Literal["rank", "score", "filter", "version", "expired", "not_yet", "replaced", "sentence", "unsaid"]
"""Why something was left out: its place, its score, a filter, a newer version, past or future validity, a larger block
in its place, a sentence beside the question, or not said."""


class Dropped(BaseModel):
    """A document that a stage had and did not hand on, or a sentence of one."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    id: str
    source: str | None = None
    location: str | None = None
    code: Code
    """The reason, for programs."""
    reason: str
    """The reason, for people."""
    rank: int | None = None
    """The place it had in this stage's order."""
    score: float | None = None
    """The score it had in this stage."""
    text: str | None = None
    """The sentence, where it is one."""
    became: str | None = None
    """The id of the block that took its place."""


@dataclass
class Notes:
    """What one retriever says of one call."""

    retriever: BaseRetriever
    k: int | None = None
    filter: Mapping[str, Any] | None = None
    adds: Mapping[str, Any] | None = None
    text: str | None = None
    dropped: list[Dropped] = field(default_factory=list)


class NoteTaker(BaseCallbackHandler):
    """A callback handler that is given the notes of every call it hears of."""

    def take(self, run_id: UUID, notes: Notes) -> None:
        """Keep the notes of a run; they are filled while it runs."""


_NOTES: ContextVar[Notes | None] = ContextVar("notes", default=None)


@contextmanager
def noting(retriever: BaseRetriever, run_manager: Any, k: int, conditions: Mapping[str, Any] | None) -> Iterator[Notes]:
    """Within the block, what is dropped is noted for the run's note takers, if it has any."""
    notes = Notes(retriever, k, conditions)
    takers = [handler for handler in run_manager.handlers if isinstance(handler, NoteTaker)]
    for taker in takers:
        taker.take(run_manager.run_id, notes)
    token = _NOTES.set(notes if takers else None)
    try:
        yield notes
    finally:
        _NOTES.reset(token)


def is_noted() -> bool:
    """Whether somebody takes notes of the call that runs."""
    return _NOTES.get() is not None


def searches_with(text: str) -> None:
    """Note what is searched with in the place of the question."""
    notes = _NOTES.get()
    if notes is not None:
        notes.text = text


def drop(document: Document, code: Code, reason: str, **facts: Any) -> None:
    """Note that a document is left out, and why; `facts` are fields of `Dropped`."""
    if is_noted():
        drop_all([dropped(document, code, reason, **facts)])


def dropped(document: Document, code: Code, reason: str, **facts: Any) -> Dropped:
    """The note that a document is left out."""
    return Dropped(id=key_of(document), code=code, reason=reason, **place_of(document), **facts)


def drop_all(left_out: list[Dropped]) -> None:
    """Note what is left out, if somebody takes notes."""
    notes = _NOTES.get()
    if notes is not None:
        notes.dropped.extend(left_out)


def place_of(document: Document) -> dict[str, Any]:
    """The source and location of a document, where it has them."""
    at = {name: document.metadata.get(name) for name in ("source", "location")}
    return {name: value for name, value in at.items() if isinstance(value, str)}


def best(documents: list[Document], limit: int, order: str = "") -> list[Document]:
    """The first documents; the others are noted with their rank in an order, such as 融合后."""
    for rank, document in enumerate(documents[limit:], start=limit + 1) if is_noted() else ():
        reason = f"{order}第 {rank} 名，只留前 {limit}"
        drop(document, "rank", reason, rank=rank, score=score_of(document))
    return documents[:limit]


def kind_of(retriever: BaseRetriever) -> str:
    """A retriever's `kind` in the settings, from its class: `multi_query` for `MultiQueryRetriever`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(retriever).__name__.removesuffix("Retriever")).lower()
