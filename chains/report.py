"""What an ingest tells: a report at the end, and how far it is on the way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class _Report(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FileCounts(_Report):
    """What became of the files."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    removed: int = 0
    failed: int = 0


class ChunkCounts(_Report):
    """What became of the chunks; `total` is what the base holds at the end."""

    added: int = 0
    deleted: int = 0
    reused: int = 0
    total: int = 0


class Failure(_Report):
    """A file, or pages of it, that could not be taken in, and why."""

    source: str
    reason: str


class IngestReport(_Report):
    """What an ingest did.

    Attributes:
        files: Counts of files; `failed` are those of which nothing new was taken in.
        chunks: Counts of chunks.
        failures: Everything that was not taken in; also pages of files that otherwise were.
        embedded: Chunks sent to the embedding model.
        seconds: How long it took.
    """

    files: FileCounts = Field(default_factory=FileCounts)
    chunks: ChunkCounts = Field(default_factory=ChunkCounts)
    failures: list[Failure] = Field(default_factory=list)
    embedded: int = 0
    seconds: float = 0.0

    def fail(self, source: str, reason: str) -> None:
        """Count a file of which nothing new was taken in."""
        self.files.failed += 1
        self.failures.append(Failure(source=source, reason=reason))

    def note(self, source: str, problems: tuple[str, ...]) -> None:
        """Say what is missing of a file that otherwise was taken in."""
        self.failures.extend(Failure(source=source, reason=problem) for problem in problems)


@dataclass(frozen=True)
class Progress:
    """How far an ingest is.

    Attributes:
        phase: `read`: `done` of `total` files looked at; `embed`: `done` of `total` chunks have their vectors.
        characters: Text of all chunks to be embedded, in characters; 0 while reading.
    """

    phase: Literal["read", "embed"]
    done: int
    total: int
    characters: int = 0


OnProgress = Callable[[Progress], None]
