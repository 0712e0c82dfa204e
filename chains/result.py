"""What an answer chain returns."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

NOT_FOUND = "资料中未提及"
"""The answer where the documents do not say."""

Status = Literal["answered", "partial", "not_found", "insufficient_evidence", "rejected", "streaming"]
Verdict = Literal["supported", "partly", "contradicted", "unsupported", "cited", "uncited", "invalid", "not_found"]


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
    pages: list[tuple[int, int]] = Field(default_factory=list)
    """Only where the text stands on several pages: where in it each begins, and its number."""


class Quote(_Result):
    """A sentence of the evidence that carries a claim, word for word."""

    n: int
    text: str
    start: int
    end: int
    """`text` is `[start:end]` of the text of block `n`."""
    page: int | None = None
    """1-based physical page on which it begins, where the source has pages."""


class Citation(_Result):
    """A piece of evidence that the answer rests on."""

    n: int
    id: str | None
    source: str
    page: int | None = None
    """1-based physical page of the quote, where the source has pages."""
    location: str
    quote: str
    """The sentence of the evidence that carries what it is cited for, or is nearest to it, word for word."""
    start: int | None = None
    end: int | None = None
    """Where the quote stands in the text of block `n`."""


class Claim(_Result):
    """A sentence of the answer and what its citations are worth."""

    text: str
    citations: list[int]
    verdict: Verdict
    """`supported`: what it cites says so. `partly`: it says some of it. `contradicted`: it says otherwise.
    `unsupported`: it does not say so. `uncited`: there is no mark. `invalid`: a mark names no evidence. `not_found`:
    the sentence itself says that the evidence does not say. `cited`, where citations are not compared with the
    evidence: its numbers name evidence that was sent."""
    reason: str | None = None
    quotes: list[Quote] = Field(default_factory=list)
    """The sentences of the evidence that carry it."""
    removed: bool = False
    """Whether it was taken out of the answer."""


class Nearest(_Result):
    """A passage that came nearest to a question that was not answered."""

    id: str | None
    location: str
    text: str
    score: float | None = None
    """As the retriever gave it."""


class Step(_Result):
    """A step on the way to the answer, and what it left."""

    name: str
    """`read`, `embed`, `cut` or `skip`, where files were lost on their way into the base; the retriever, such as
    `bm25`, `hybrid` or `rerank`; then `gate`, `pack`, `model` and `checks`."""
    kept: int
    """Passages that it handed on; of `checks` sentences, of the first four the files that the base holds."""
    lost: int
    reason: str
    """What became of the rest, for people."""


class UnreadFile(_Result):
    """A file, or a part of one, that is not in the base that was searched."""

    source: str
    stage: Literal["read", "embed", "cut", "skip"]
    """Where it was lost: it could not be read, it got no vectors, no chunk was cut of it, or its format is not read."""
    reason: str
    whole: bool
    """Whether nothing of the file, or of its new version, is in the base; else a part of it is missing."""


class Unread(_Result):
    """What never came into the base that was searched, and so could not be found."""

    files: list[UnreadFile] = Field(default_factory=list)
    """The first ones: those first whose name or title shares most words with the question."""
    total: int
    """How many files there are in all that the filter lets through."""
    withheld: int = 0
    """Under a filter: files besides of which it is not known whether it would let them through. They are not named."""
    note: str
    """All this in a few words for people, in the language of the question."""


class Refusal(_Result):
    """Why something that was asked is not answered."""

    asked: list[str]
    """The parts of the question without an answer."""
    nearest: list[Nearest] = Field(default_factory=list)
    score: float | None = None
    """How much the evidence has to do with the question, in [0, 1], where the gate was asked."""
    threshold: float | None = None
    """The least score with which the model is asked."""
    steps: list[Step] = Field(default_factory=list)
    unread: Unread | None = None
    """What is missing of the files of the knowledge base that was searched; None if nothing is."""


class CitedAnswer(_Result):
    """An answer with its evidence."""

    status: Status
    """`answered`; `partial`: some of what was asked is not in the evidence, or of what the model said did not pass the
    checks and was taken out; `not_found`: the model read evidence and it
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
    search: str | None = None
    """What was searched in the place of the question, such as a follow-up in full words."""
    refusal: Refusal | None = None
    """Where something that was asked is not answered."""
