"""The options of splitters, by `kind`."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from youju.settings_base import StrictModel, check_overlap


class _Sized(StrictModel):
    chunk_size: int = Field(default=400, ge=1)
    """Most characters of a chunk."""
    chunk_overlap: int = Field(default=50, ge=0)
    """Most characters a chunk repeats from the one before it; 0 repeats nothing."""

    @model_validator(mode="after")
    def _overlap_fits(self) -> Self:
        check_overlap(self.chunk_size, self.chunk_overlap)
        return self


class FixedSplitterSettings(_Sized):
    """A window of fixed size, whatever it cuts: the baseline to compare others with."""

    kind: Literal["fixed"] = "fixed"


class RecursiveSplitterSettings(_Sized):
    """Paragraphs, then sentences, then clauses, until every chunk fits."""

    kind: Literal["recursive"] = "recursive"


class SentenceSplitterSettings(_Sized):
    """As many whole sentences as fit; the overlap is whole sentences too."""

    kind: Literal["sentence"] = "sentence"


class MarkdownSplitterSettings(_Sized):
    """At headings, with code and tables whole where they fit; a table's head goes with its rows."""

    kind: Literal["markdown"] = "markdown"


class StatuteSplitterSettings(_Sized):
    """One article (第N条) a chunk, for laws, contracts and policies; long ones at their paragraphs and items."""

    kind: Literal["statute"] = "statute"


class AutoSplitterSettings(_Sized):
    """`statute` or `markdown` where a document has that structure, else `recursive`."""

    kind: Literal["auto"] = "auto"


class TokenSplitterSettings(_Sized):
    """As `recursive`, with sizes counted in tokens of the embedding model."""

    kind: Literal["token"] = "token"
    chunk_size: int = Field(default=256, ge=8)
    """Most tokens of a chunk, by the embedding model's own tokenizer."""
    chunk_overlap: int = Field(default=32, ge=0)
    """Most tokens a chunk repeats from the one before it."""


class SemanticSplitterSettings(StrictModel):
    """Where the meaning changes between sentences, as the embedding model sees it."""

    kind: Literal["semantic"] = "semantic"
    threshold: Literal["similarity", "percentile", "standard_deviation", "interquartile", "gradient"] = "percentile"
    """How the sentences to cut between are found: below a fixed cosine similarity, or at unusually large distances."""
    amount: float | None = None
    """The similarity, percentile or multiple that the threshold means; unset: 0.55, 80, 1, 0.5 or 80, in that order."""
    buffer_size: int = Field(default=0, ge=0, le=10)
    """Neighbours on each side whose vectors are averaged with a sentence's own."""
    min_chunk_size: int = Field(default=50, ge=0)
    """Chunks with fewer characters join a neighbour where that fits."""
    chunk_size: int = Field(default=400, ge=1)
    """Most characters of a chunk, also where the meaning does not change."""

    @model_validator(mode="after")
    def _amounts_fit(self) -> Self:
        if self.min_chunk_size > self.chunk_size:
            msg = f"min_chunk_size（{self.min_chunk_size}）不能大于 chunk_size（{self.chunk_size}）"
            raise ValueError(msg)
        most = {"similarity": 1.0, "percentile": 100.0, "gradient": 100.0}.get(self.threshold)
        least = -1.0 if self.threshold == "similarity" else 0.0
        if self.amount is not None and (self.amount < least or (most is not None and self.amount > most)):
            limits = f"{least:g} 到 {most:g} 之间" if most is not None else "不小于 0"
            msg = f"threshold 为 {self.threshold} 时，amount 要在{limits}" if most else f"amount 要{limits}"
            raise ValueError(msg)
        return self


class ParentSplitterSettings(_Sized):
    """Small chunks to search, and the larger block around each to answer from."""

    kind: Literal["parent"] = "parent"
    chunk_size: int = Field(default=150, ge=1)
    """Most characters of a chunk that is searched."""
    chunk_overlap: int = Field(default=0, ge=0)
    """Most characters a chunk repeats from the one before it in its block."""
    parent_size: int = Field(default=800, ge=1)
    """Most characters of a block."""

    @model_validator(mode="after")
    def _chunks_fit_their_blocks(self) -> Self:
        if self.parent_size < self.chunk_size:
            msg = f"parent_size（{self.parent_size}）不能小于 chunk_size（{self.chunk_size}）"
            raise ValueError(msg)
        return self


SplitterSettings = Annotated[
    FixedSplitterSettings
    | RecursiveSplitterSettings
    | SentenceSplitterSettings
    | MarkdownSplitterSettings
    | StatuteSplitterSettings
    | AutoSplitterSettings
    | TokenSplitterSettings
    | SemanticSplitterSettings
    | ParentSplitterSettings,
    Field(discriminator="kind"),
]
