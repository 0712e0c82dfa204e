"""The scores of BM25, by bm25s, and by rank-bm25 for comparison.

With N chunks, n of which hold a token, one of them f times, and K = k1 (1 - b + b length / mean length):

| method | weight of the token | share of the chunk |
|---|---|---|
| lucene | ln(1 + (N - n + 0.5) / (n + 0.5)) | f / (f + K) |
| atire | ln(N / n) | f (k1 + 1) / (f + K) |
| okapi | ln((N - n + 0.5) / (n + 0.5)) | f (k1 + 1) / (f + K) |

Both libraries give the same ranking with the same method, with one exception: the weight of `okapi` is negative for a
token that more than half of the chunks hold. bm25s takes 0 for it, rank-bm25 a quarter of the mean weight of all tokens
(its `epsilon`), which is itself negative in a corpus of a few chunks.
"""

from importlib.util import find_spec
from typing import Any

import numpy as np
import numpy.typing as npt

from youju.errors import MissingExtraError
from youju.knowledge.postings import Postings
from youju.settings import KeywordSettings

_IN_BM25S = {"lucene": ("lucene", "lucene"), "atire": ("atire", "atire"), "okapi": ("atire", "robertson")}


def bm25s_method(settings: KeywordSettings) -> tuple[str, str]:
    """What bm25s calls a variant: its method, and the method of its token weights."""
    return _IN_BM25S[settings.method]


def bm25s_of(postings: Postings, settings: KeywordSettings) -> Any:
    """A `bm25s.BM25` with the scores of all tokens in all chunks.

    They are computed from the counts, all at once: `bm25s.BM25.index` would count the tokens of every chunk again
    after each change.
    """
    import bm25s  # noqa: PLC0415 - not needed for an empty base

    method, weights = bm25s_method(settings)
    bm25 = bm25s.BM25(method=method, idf_method=weights, k1=settings.k1, b=settings.b)
    lengths = postings.lengths()
    held_by = np.diff(postings.starts)
    counts = postings.counts.astype(np.float64)
    scale = (settings.k1 * (1 - settings.b + settings.b * lengths / lengths.mean()))[postings.chunks]
    share = counts / (counts + scale) * (1 if settings.method == "lucene" else settings.k1 + 1)
    weight = np.repeat(_weights(settings.method, len(lengths), held_by), held_by)
    bm25.scores = {
        "data": (weight * share).astype(bm25.dtype),
        "indices": postings.chunks.astype(bm25.int_dtype),
        "indptr": postings.starts,
        "num_docs": len(lengths),
    }
    bm25.nonoccurrence_array = None  # only variants that are not offered have one
    bm25.vocab_dict = postings.vocabulary
    bm25.unique_token_ids_set = set(postings.vocabulary.values())
    return bm25


def check_engine(settings: KeywordSettings) -> None:
    """Refuse an engine that is not installed.

    Raises:
        MissingExtraError: The settings name rank-bm25, and it is not there.
    """
    if settings.engine == "rank_bm25" and find_spec("rank_bm25") is None:
        raise MissingExtraError("rank-bm25", "rank-bm25", "keywords.engine 设为 rank_bm25 时")


def rank_bm25_of(postings: Postings, settings: KeywordSettings) -> Any:
    """A `rank_bm25.BM25Okapi`, with the token weights of the method."""
    from rank_bm25 import BM25Okapi  # noqa: PLC0415 - an extra

    reference = BM25Okapi(postings.token_lists(), k1=settings.k1, b=settings.b)
    if settings.method != "okapi":
        weights = _weights(settings.method, len(postings.ids), np.diff(postings.starts))
        reference.idf = {word: float(weights[at]) for word, at in postings.vocabulary.items()}
    return reference


def _weights(method: str, chunks: int, held_by: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    odds = (chunks - held_by + 0.5) / (held_by + 0.5)
    if method == "lucene":
        return np.log1p(odds)
    if method == "atire":
        return np.log(chunks / held_by)
    return np.log(np.maximum(odds, 1.0))
