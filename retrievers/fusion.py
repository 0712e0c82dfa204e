"""Weighted reciprocal rank fusion."""

from collections.abc import Sequence
from math import fsum
from typing import Any

from langchain_core.documents import Document

from youju.retrievers.documents import key_of, with_metadata


def fused(
    names: Sequence[str],
    weights: Sequence[float],
    rankings: Sequence[Sequence[Document]],
    *,
    c: int,
    keep_ranks: bool = False,
    most: int | None = None,
) -> list[Document]:
    """Join rankings into one; a document's score is the sum of `weight / (c + rank)` over those it is in.

    Equal scores are ordered by the first ranking that has the document, and its rank there. A ranking of weight 0 does
    not count; one that names a document twice counts it once.

    Args:
        names: Names of the rankings in `ranks`.
        weights: One for each ranking.
        rankings: Documents, best first.
        c: The constant of the fusion.
        keep_ranks: Whether ranks that documents bring along are kept beside those in the rankings.
        most: How many of the best are wanted; None wants all.
    """
    first: dict[str, Document] = {}
    earlier: dict[str, dict[str, Any]] = {}
    own: dict[str, dict[str, int]] = {}
    shares: dict[str, list[float]] = {}
    for name, weight, documents in zip(names, weights, rankings, strict=True):
        for rank, document in enumerate(documents if weight else (), start=1):
            key = key_of(document)
            if key not in first:
                first[key], earlier[key], own[key], shares[key] = document, {}, {}, []
            if keep_ranks:
                earlier[key] = {**document.metadata.get("ranks", {}), **earlier[key]}
            if name not in own[key]:
                own[key][name] = rank
                shares[key].append(weight / (c + rank))
    scores = {key: fsum(parts) for key, parts in shares.items()}
    order = sorted(first, key=lambda key: -scores[key])[:most]
    return [with_metadata(first[key], score=scores[key], ranks={**earlier[key], **own[key]}) for key in order]
