"""The steps of a retrieval, as data."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from youju.retrievers.notes import Dropped


class Hit(BaseModel):
    """A document that a step handed on; its rank is its place in the list."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    id: str
    """The document's id; of one without, a hash of its text and metadata."""
    source: str | None = None
    location: str | None = None
    score: float | None = None


class Stage(BaseModel):
    """A retriever's call, or that of a chat model that helps it."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    run_id: str
    """LangChain's id of the call."""
    name: str
    kind: str
    """As in the settings, `bm25` for example; the name of a retriever of another make; `chat` for a chat model."""
    tags: list[str] = Field(default_factory=list)
    """LangChain's tags of the call, that of the step above among them."""
    part: str | None = None
    """What it does for the step above where that asks several times: `question`, `wording_1` or `imagined`."""
    question: str
    """What it was asked."""
    text: str | None = None
    """What was searched with in the place of the question; what a chat model wrote."""
    k: int | None = None
    """Most documents it could return; None: not known."""
    filter: dict[str, Any] | None = None
    """What its documents had to fulfil: its own filter and the call's."""
    adds: dict[str, Any] | None = None
    """What it asked for besides of the step below."""
    received: list[str] = Field(default_factory=list)
    """Ids of the documents that came from the steps below."""
    returned: list[Hit] = Field(default_factory=list)
    """What it handed on, best first."""
    dropped: list[Dropped] = Field(default_factory=list)
    """What it had and did not hand on."""
    seconds: float | None = None
    """With what is below it; None: it has not ended."""
    error: str | None = None
    stages: list["Stage"] = Field(default_factory=list)
    """The steps below, in the order they began."""

    def walk(self) -> Iterator["Stage"]:
        """This step and those below it, each behind those whose documents it works on."""
        for stage in self.stages:
            yield from stage.walk()
        yield self

    def label(self, part: str | None = None) -> str:
        """The name for people, with its part in a step above where it has one; `part` is that of the step above."""
        name = self.kind if self.name.endswith("Retriever") else self.name
        part = self.part or part
        return f"{name}（{part}）" if part else name
