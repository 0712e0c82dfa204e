"""How like a claim and sentences of the evidence are, by the vectors of an embedding model."""

from collections.abc import Callable, Sequence

from langchain_core.embeddings import Embeddings

_KEPT = 2000
"""Sentences whose vectors are remembered: several claims of an answer are compared with the same ones."""


def likeness(embeddings: Embeddings) -> Callable[[str, Sequence[str]], list[float]]:
    """Make the measure that `Grounds` takes as `similarity`.

    Both sides are embedded as passages: a claim is a statement, no question.

    Args:
        embeddings: Any LangChain embeddings.

    Returns:
        A function from a claim and sentences to the cosine of the claim and each of them, in [-1, 1].
    """
    known: dict[str, list[float]] = {}

    def measure(claim: str, sentences: Sequence[str]) -> list[float]:
        new = [text for text in dict.fromkeys([claim, *sentences]) if text not in known]
        if len(known) + len(new) > _KEPT:
            known.clear()
            new = list(dict.fromkeys([claim, *sentences]))
        known.update(zip(new, embeddings.embed_documents(new), strict=True))
        return _cosines(known[claim], [known[text] for text in sentences])

    return measure


def _cosines(one: Sequence[float], others: Sequence[Sequence[float]]) -> list[float]:
    import numpy as np  # noqa: PLC0415 - only where vectors are compared

    if not others:
        return []
    vector, rows = np.asarray(one, dtype=np.float64), np.asarray(others, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(vector)
    cosines = np.divide(rows @ vector, lengths, out=np.zeros(len(rows)), where=lengths > 0)
    return [float(cosine) for cosine in np.clip(cosines, -1.0, 1.0)]
