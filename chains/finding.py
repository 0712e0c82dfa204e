"""What a check of a claim finds, and what it takes for enough."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Verdict = Literal["supported", "partly", "contradicted", "unsupported"]
Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Gives the cosines of a claim to each of some sentences."""


@dataclass(frozen=True)
class Thresholds:
    """What is enough to support a claim.

    Attributes:
        lexical: Share of a claim's words from which on it is supported.
        partial: Share below which it is unsupported; between the two it is partly supported.
        similarity: Cosine to a sentence of the evidence from which on that supports it too, where facts agree.
    """

    lexical: float = 0.6
    partial: float = 0.45
    similarity: float = 0.95


@dataclass(frozen=True)
class Support:
    """A sentence of evidence that carries a claim: `text[start:end]` of block n."""

    n: int
    start: int
    end: int


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        verdict: `supported`; `partly`: some of it is; `contradicted`: the evidence says another value or the opposite;
            `unsupported`: the evidence does not say it.
        reason: Why it is not supported, one Chinese sentence that names the fact.
        support: The sentences that carry it.
        score: The share of its words that they hold, in [0, 1].
    """

    verdict: Verdict
    reason: str | None
    support: tuple[Support, ...]
    score: float
