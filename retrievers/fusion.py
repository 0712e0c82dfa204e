"""Several rankings joined into one, by the ranks of the documents or by their scores."""

from collections.abc import Sequence
from math import fsum, isfinite
from typing import Any

from langchain_core.documents import Document

from youju.errors import SettingsError
from youju.retrievers.documents import key_of, ranks_of, with_metadata


def fused(
    names: Sequence[str],
    weights: Sequence[float],
    rankings: Sequence[Sequence[Document]],
    *,
    c: int,
    values: Sequence[Sequence[float]] | None = None,
    keep_ranks: bool = False,
    most: int | None = None,
) -> list[Document]:
    """Join rankings into one; a document's score is the sum of `weight / (c + rank)` over those it is in.

    With `values` it is the sum of `weight * value`.

    Equal scores are ordered by the first ranking that has the document, and its rank there. A ranking of weight 0 does
    not count; one that names a document twice counts it once. A document keeps the `similarity` that the first ranking
    says which says one.

    Args:
        names: Names of the rankings in `ranks`.
        weights: One for each ranking.
        rankings: Documents, best first.
        c: The constant of the fusion.
        values: What each document of each ranking is worth, in the place of its rank; see `scaled`.
        keep_ranks: Whether ranks that documents bring along are kept beside those in the rankings.
        most: How many of the best are wanted; None wants all.
    """
    first: dict[str, Document] = {}
    earlier: dict[str, dict[str, Any]] = {}
    own: dict[str, dict[str, int]] = {}
    shares: dict[str, list[float]] = {}
    similar: dict[str, dict[str, Any]] = {}
    for place, (name, weight, documents) in enumerate(zip(names, weights, rankings, strict=True)):
        for rank, document in enumerate(documents if weight else (), start=1):
            key = key_of(document)
            if key not in first:
                first[key], earlier[key], own[key], shares[key] = document, {}, {}, []
                similar[key] = {}
            if "similarity" in document.metadata:
                similar[key].setdefault("similarity", document.metadata["similarity"])
            if keep_ranks:
                earlier[key] = {**ranks_of(document), **earlier[key]}
            if name not in own[key]:
                own[key][name] = rank
                shares[key].append(weight / (c + rank) if values is None else weight * values[place][rank - 1])
    scores = {key: fsum(parts) for key, parts in shares.items()}
    order = sorted(first, key=lambda key: -scores[key])[:most]
    return [
        with_metadata(first[key], **similar[key], score=scores[key], ranks={**earlier[key], **own[key]})
        for key in order
    ]


def scaled(name: str, documents: Sequence[Document], lowest: float | None) -> list[float]:
    """The scores of a ranking on a scale of its own: 1 is the best document, 0 one that was not found.

    Args:
        name: Of the ranking, for messages.
        documents: The ranking; each document has a `score`.
        lowest: What is not found has this score, if that is known (0 in keyword search: no word is shared); None takes
            the worst score that is found, for what is not found can only be worse.

    Raises:
        SettingsError: A document has no score.
    """
    scores = [document.metadata.get("score") for document in documents]
    known = [float(one) for one in scores if isinstance(one, int | float) and isfinite(one)]
    if len(known) < len(scores):
        raise SettingsError(f"{name} 的结果没有 score，不能按得分融合；请把 hybrid 的 fusion 改为 rrf")
    if not known:
        return []
    best, worst = max(known), min(known) if lowest is None else min(*known, lowest)
    return [(one - worst) / (best - worst) if best > worst else 1.0 for one in known]


def lead(documents: Sequence[Document]) -> float:
    """How far the first of a ranking stands before those behind it, in [0, 1].

    1 - (mean score of the second to the tenth) / (score of the first): near 0 where all are alike, 1 where nothing else
    was found. What stands out is more often right (Shtok et al., "Predicting Query Performance by Query-Drift
    Estimation", TOIS 2012, use the spread of the best scores for the same purpose).
    """
    scores = [float(document.metadata["score"]) for document in documents[:10]]
    if not scores or scores[0] <= 0:
        return 0.0
    behind = scores[1:]
    return 1.0 - fsum(behind) / len(behind) / scores[0] if behind else 1.0


def led(weights: Sequence[float], leads: Sequence[float | None], share: float) -> list[float]:
    """Weights of legs in which those of keyword legs grow with the lead of their first hit.

    The weight of a leg with a lead grows by `share * lead` of all weights together; the other legs share what is left,
    in the proportions that they have.

    Args:
        weights: One for each leg.
        leads: See `lead`; None for a leg whose weight does not grow.
        share: In [0, 1]; 0 changes nothing.
    """
    total = fsum(weights)
    grown = [
        None if one is None or not weight else weight + share * one * total
        for weight, one in zip(weights, leads, strict=True)
    ]
    others = fsum(weight for weight, one in zip(weights, grown, strict=True) if one is None)
    held = fsum(one for one in grown if one is not None)
    if not others or not held:
        return list(weights)
    rest = max(total - held, 0.0) / others
    return [
        weight * rest if one is None else one * min(1.0, total / held)
        for weight, one in zip(weights, grown, strict=True)
    ]
