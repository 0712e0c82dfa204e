"""What a comparison of splitters says, as data."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

Retriever = Literal["bm25", "vector", "hybrid"]
"""The retrievers that questions can be asked of; the hybrid is the default one of the settings."""


class _Figures(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Characters(_Figures):
    """Lengths of the chunks, in characters."""

    mean: float
    median: float
    min: int
    max: int


class Sample(_Figures):
    """A chunk to look at."""

    location: str
    """Where it stands, for people."""
    text: str


class RetrievalFigures(_Figures):
    """How well questions find what answers them, when the chunks are those of one strategy."""

    retriever: Retriever
    questions: int
    """How many were asked; one that no chunk answers counts as 0."""
    measures: dict[str, float]
    """By their names in ir-measures: Success@k is the share of questions with a right chunk among the first k (also
    called Hit@k), RR@10 the mean of 1 / rank of the first right chunk among the first ten (also called MRR@10)."""
    top_5_characters: float
    """What the first five passages of a question have together, on average: large chunks hit more and cost more."""
    ranks: list[int | None]
    """For each question the rank of the first right passage, from 1; None if there is none among the first ten."""


class StrategyFigures(_Figures):
    """What one strategy makes of the documents."""

    kind: str
    chunks: int
    characters: Characters
    """Of the chunks that are searched."""
    sentences_cut: int
    """Sentences that no chunk holds whole."""
    sentences_torn: int
    """Sentences in which a chunk begins or ends; with an overlap, another chunk may hold them whole."""
    seconds: float
    """For splitting, calls of a model included."""
    samples: list[Sample]
    """The first chunks."""
    retrieval: RetrievalFigures | None = None
    """Only with questions."""


class CutPlace(_Figures):
    """A sentence in which a chunk of one strategy begins or ends, and none of another strategy."""

    source: str
    location: str
    start: int
    """Of the sentence, in the text of its page or file."""
    sentence: str
    kept_by: list[str]
    cut_by: dict[str, int]
    """For each strategy that cuts it: how many of its characters stand before the cut."""
    lost_by: list[str]
    """Those of them that hold it whole in no chunk, not even by their overlap."""

    def marked(self, strategy: str) -> str:
        """The sentence with ‖ where a strategy cuts it."""
        at = self.cut_by[strategy]
        return f"{self.sentence[:at]}‖{self.sentence[at:]}"


class SplitterComparison(_Figures):
    """Several strategies, compared on the same documents."""

    documents: int
    """Pages, sections or files, as the loaders gave them."""
    characters: int
    sentences: int
    strategies: dict[str, StrategyFigures]
    cut_places: int
    """How many sentences some strategy cuts and another keeps."""
    cuts: list[CutPlace]
    """The most telling of them: those that a strategy loses, that most others keep, and that are cut in the middle."""
