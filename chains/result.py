"""What an answer chain returns."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NOT_FOUND = "资料中未提及"
"""The answer where the documents do not say."""

Status = Literal["answered", "partial", "not_found", "insufficient_evidence", "rejected", "streaming"]
Verdict = Literal["cited", "uncited", "invalid", "not_found"]


class _Result(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Evidence(_Result):
    """A block of text that the model read, whole."""

    n: int
    """The N of `[资料N]`, from 1."""
    id: str | None
    text: str
    source: str
    page: int | None = None
    """1-based physical page, where the source has pages."""
    location: str
    """Where it stands, for people."""
    score: float | None = None
    ranks: dict[str, int] = Field(default_factory=dict)


class Citation(_Result):
    """A piece of evidence that the answer rests on."""

    n: int
    id: str | None
    source: str
    page: int | None = None
    location: str
    quote: str
    """The sentence of the evidence that is nearest to what it is cited for, word for word."""


class Claim(_Result):
    """A sentence of the answer and what its citations are worth."""

    text: str
    citations: list[int]
    verdict: Verdict
    """`cited`: its numbers name evidence that was sent. Whether the evidence says so is not judged yet."""
    reason: str | None = None


class CitedAnswer(_Result):
    """An answer with its evidence."""

    status: Status
    """`answered`; `partial`: some of what was asked is not in the evidence; `not_found`: the model read evidence and it
    does not say; `insufficient_evidence`: no evidence reached the model, so it was not called; `rejected`: the model's
    text failed the citation checks and is not passed off as an answer. `streaming` is seen only in a stream, before
    the last piece: text that has not been checked."""
    question: str
    answer: str
    """The answer, with `[资料N]` behind each sentence; empty if rejected."""
    citations: list[Citation] = Field(default_factory=list)
    evidence: list[Evidence] = Field(default_factory=list)
    claims: list[Claim] = Field(default_factory=list)
    retrieved_count: int = 0
    """Documents that the retriever returned, before packing."""
    model: str | None = None
    usage: dict[str, Any] = Field(default_factory=dict)
    """Tokens, as the model reports them, of all attempts."""
    reason: str | None = None
    """Why the status is not `answered`."""
    attempts: int = 0
    """How often the model was asked."""
