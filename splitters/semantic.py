"""The semantic splitter: chunks end where the meaning changes from one sentence to the next."""

import warnings
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.embeddings import Embeddings
from pydantic import ValidationError

from youju.errors import MissingExtraError, SettingsError
from youju.settings import SemanticSplitterSettings
from youju.splitters.base import Span, tidy
from youju.splitters.recursive import RecursiveSplitter
from youju.splitters.sentence import sentence_units

if TYPE_CHECKING:
    from langchain_experimental.text_splitter import SemanticChunker

Threshold = Literal["similarity", "percentile", "standard_deviation", "interquartile", "gradient"]
_USUAL_AMOUNTS = {
    "similarity": 0.55,
    "percentile": 80.0,
    "standard_deviation": 1.0,
    "interquartile": 0.5,
    "gradient": 80.0,
}


class SemanticSplitter(RecursiveSplitter):
    """Cuts between sentences whose vectors are far apart, with the thresholds of LangChain's `SemanticChunker`.

    What differs from that class: sentences are found in Chinese too; chunks are exact parts of the text; each sentence
    is sent to the model once, all of a text together, and of one that is too long for the model its beginning; a text
    with one sentence or none is no special case; and no chunk is longer than `chunk_size`, however alike its sentences
    are. Chunks do not overlap.

    Example:
        >>> from langchain_core.embeddings import DeterministicFakeEmbedding
        >>> unlike = DeterministicFakeEmbedding(size=8)
        >>> splitter = SemanticSplitter(unlike, threshold="similarity", amount=1.0, min_chunk_size=0)
        >>> splitter.split_text("阀门每周检查。记录留存！谁来签字？")
        ['阀门每周检查。', '记录留存！', '谁来签字？']
    """

    def __init__(
        self,
        embeddings: Embeddings,
        *,
        threshold: Threshold = "percentile",
        amount: float | None = None,
        buffer_size: int = 0,
        min_chunk_size: int = 50,
        chunk_size: int = 400,
    ) -> None:
        """Check the options; see `SemanticSplitterSettings` for what they mean.

        Raises:
            SettingsError: An option has a value it cannot have.
            MissingExtraError: langchain-experimental is not installed.
        """
        try:
            SemanticSplitterSettings(
                threshold=threshold,
                amount=amount,
                buffer_size=buffer_size,
                min_chunk_size=min_chunk_size,
                chunk_size=chunk_size,
            )
        except ValidationError as error:
            raise SettingsError(_first_problem(error)) from None
        super().__init__(chunk_size=chunk_size, chunk_overlap=0)
        self.embeddings = embeddings
        self.threshold = threshold
        self.amount = _USUAL_AMOUNTS[threshold] if amount is None else amount
        self.buffer_size = buffer_size
        self.min_chunk_size = min_chunk_size
        self._chunker = _chunker(embeddings, threshold, self.amount)

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        pieces = [piece for start, end in sentence_units(text) for piece in self._pieces(text, start, end, 0)]
        groups: list[Span] = []
        for first, last in pairwise([0, *self._breaks(text, pieces), len(pieces)]):
            groups += self._merge(text, pieces[first:last])  # a long group is cut between its sentences
        return tidy(text, self._without_small(text, groups), self.chunk_size)

    def _breaks(self, text: str, pieces: Sequence[Span]) -> list[int]:
        """The pieces that begin a new group."""
        if len(pieces) < 2:
            return []
        fits = getattr(getattr(self.embeddings, "limit", None), "fits", None)  # known to those of youju.models
        texts = [_beginning(text[start:end].strip(), fits) for start, end in pieces]
        distances = _distances(self.embeddings.embed_documents(texts), self.buffer_size)
        if self.threshold == "similarity":
            # compared as distances, which are rounded alike
            return [at for at, distance in enumerate(distances, 1) if distance > round(1 - self.amount, 6)]
        if len(distances) < 2:
            return []  # one distance is not unusual among itself, and has no gradient
        # The calculation is the part of SemanticChunker that serves as it is; it has no public name.
        most, values = self._chunker._calculate_breakpoint_threshold(distances)  # noqa: SLF001
        return [at for at, value in enumerate(values, 1) if value > most]

    def _without_small(self, text: str, groups: Iterable[Span]) -> list[Span]:
        """Join each group below `min_chunk_size` to the one after it where that fits, else to the one before."""
        out: list[Span] = []
        for group in [*groups, None]:
            if out and _length(text, *out[-1]) < self.min_chunk_size:
                if group and _length(text, out[-1][0], group[1]) <= self.chunk_size:
                    out[-1] = (out[-1][0], group[1])
                    continue
                if len(out) > 1 and _length(text, out[-2][0], out[-1][1]) <= self.chunk_size:
                    out[-2:] = [(out[-2][0], out[-1][1])]
            if group:
                out.append(group)
        return out


def _beginning(text: str, fits: Callable[[str], bool] | None) -> str:
    """As much of a sentence as the model reads; what it is about shows in its beginning, and chunks keep all of it."""
    while fits is not None and len(text) > 1 and not fits(text):
        text = text[: len(text) // 2]
    return text


def _length(text: str, start: int, end: int) -> int:
    """The length of a span without the blanks at its end, which are trimmed later."""
    return len(text[start:end].rstrip())


def _distances(vectors: Sequence[Sequence[float]], buffer_size: int) -> list[float]:
    """Cosine distances of neighbours; a vector that says nothing (zero, or not finite) is at right angles to all."""
    import numpy as np  # noqa: PLC0415 - only this splitter needs it

    unit = np.asarray(vectors, dtype=np.float64)
    unit[~np.isfinite(unit).all(axis=1)] = 0
    unit = _normed(unit)
    if buffer_size:
        sums = unit.copy()
        for shift in range(1, min(buffer_size, len(unit) - 1) + 1):
            sums[shift:] += unit[:-shift]
            sums[:-shift] += unit[shift:]
        unit = _normed(sums)
    # What differs by less is noise of the arithmetic; a percentile would cut between sentences that are the same.
    return [round(1 - cosine, 6) for cosine in (unit[:-1] * unit[1:]).sum(axis=1).tolist()]


def _normed(rows: Any) -> Any:
    import numpy as np  # noqa: PLC0415 - as above

    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows = np.divide(rows, largest, out=np.zeros_like(rows), where=largest > 0)  # squares of huge numbers overflow
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)


def _chunker(embeddings: Embeddings, threshold: Threshold, amount: float) -> "SemanticChunker":
    try:
        with warnings.catch_warnings():
            # Importing it warns that langchain-experimental is no longer maintained, which is known: this is the one
            # module that depends on it, and nobody who splits a text can do anything about it.
            warnings.simplefilter("ignore", DeprecationWarning)
            from langchain_experimental.text_splitter import SemanticChunker  # noqa: PLC0415 - an extra; takes 1 s
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {"langchain_experimental", "langchain_community"}:
            raise
        raise MissingExtraError("langchain-experimental", "semantic", "按语义切分（semantic）") from error
    if threshold == "similarity":
        return SemanticChunker(embeddings)  # it knows no fixed similarity, and is not asked for one
    return SemanticChunker(embeddings, breakpoint_threshold_type=threshold, breakpoint_threshold_amount=amount)


def _first_problem(error: ValidationError) -> str:
    problem = error.errors()[0]
    own = problem.get("ctx", {}).get("error")
    return str(own) if own else f"{problem['loc'][0]} 的值不对：{problem['msg']}"
