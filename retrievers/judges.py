"""Which sentences bear on a question: by shared words, by vectors, or as a chat model says."""

import re
import unicodedata
from collections.abc import Sequence

from youju.prompts import prompt_text
from youju.retrievers.overlap import overlap_tokens
from youju.text import fold

_ENOUGH = 0.5  # a sentence bears on the question if it weighs at least half as much as the best one of its document
_FENCE = re.compile(r"^```\w*\s*|\s*```$")
_NUMBER = r"\d{1,9}+(?!\d)\s*+"
# possessive (`*+`): a long list with a word behind it would be tried in more ways than there is time for
_NUMBERS = re.compile(
    rf"[\[(【]?\s*+(?:第?\s*+{_NUMBER}(?:[-~–]\s*+{_NUMBER})?[句号]?[\s,，、;；.。]*+)*+[\])】]?[.。]?"
)
_SPAN = re.compile(r"(\d+)(?:\s*[-~–]\s*(\d+))?")
_NONE = frozenset({"0", "无", "没有", "[]", "none"})


def by_words(query: str, texts: Sequence[str]) -> set[int]:
    """The sentences that hold at least half as many of the question's tokens as the best one does."""
    asked = overlap_tokens(fold(query))
    weights = [len(asked & overlap_tokens(fold(text))) for text in texts]
    most = max(weights, default=0)
    return {at for at, weight in enumerate(weights) if most and weight >= _ENOUGH * most}


def by_vectors(question: Sequence[float], vectors: Sequence[Sequence[float]], threshold: float | None) -> set[int]:
    """The sentences whose cosine with the question reaches a threshold.

    None is the middle between the nearest and the farthest sentence: where unrelated texts lie depends on the model.
    """
    import numpy as np  # noqa: PLC0415 - only here

    rows, asked = np.asarray(vectors, dtype=float), np.asarray(question, dtype=float)
    lengths = np.linalg.norm(rows, axis=1) * np.linalg.norm(asked)
    cosines = rows @ asked / np.where(lengths == 0, 1, lengths)
    least = (cosines.max() + cosines.min()) / 2 if threshold is None else threshold
    return {at for at, cosine in enumerate(cosines.tolist()) if cosine >= least}


def prompt_of(query: str, texts: Sequence[str]) -> str:
    """What a chat model is asked: the sentences with their numbers, from 1."""
    lines = [f"{number}. {' '.join(text.split())}" for number, text in enumerate(texts, start=1)]
    return prompt_text("compress.human").format(question=query, sentences="\n".join(lines))


def read_numbers(reply: str, count: int) -> set[int] | None:
    """The sentences that a reply names, counted from 0; None if it is no list of numbers from 1 to `count`."""
    text = _FENCE.sub("", unicodedata.normalize("NFKC", reply).strip()).strip()
    if text.lower().rstrip(".。") in _NONE:
        return set()
    if not text or not _NUMBERS.fullmatch(text):
        return None
    spans = [(int(first), int(last or first)) for first, last in _SPAN.findall(text)]
    if not spans or any(not 1 <= first <= last <= count for first, last in spans):
        return None
    return {number - 1 for first, last in spans for number in range(first, last + 1)}
