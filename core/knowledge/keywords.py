"""The keyword index: BM25 over token lists, on bm25s or rank-bm25."""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from youju.knowledge.bm25 import bm25s_method, bm25s_of, check_engine, rank_bm25_of
from youju.knowledge.columns import Mask
from youju.knowledge.postings import Postings
from youju.settings import KeywordSettings


class KeywordIndex:
    """BM25 over chunks that are known by their ids.

    Scores rank and do not judge: their size depends on the corpus. With `method: lucene`, the default, they are larger
    than 0. Source of the variants' formulas: Kamphuis et al., "Which BM25 Do You Mean?", ECIR 2020.
    """

    def __init__(self, postings: Postings, settings: KeywordSettings, bm25: Any = None) -> None:
        """Wrap counts; use `build` or `load`.

        Args:
            postings: The counts.
            settings: Which variant, with which constants, by which library.
            bm25: A `bm25s.BM25` that was made from these counts; None makes one.
        """
        self.ids = postings.ids
        self._postings = postings
        self._settings = settings
        self._bm25 = bm25 or (bm25s_of(postings, settings) if postings.vocabulary else None)

    @classmethod
    def build(
        cls, ids: Sequence[str], tokens: Iterable[Sequence[str]], settings: KeywordSettings | None = None
    ) -> Self:
        """Index token lists, one a chunk.

        Raises:
            MissingExtraError: The settings name rank-bm25, which is not installed.
        """
        settings = settings or KeywordSettings()
        check_engine(settings)
        return cls(Postings.of(ids, tokens), settings)

    def changed(self, gone: Collection[str], ids: Sequence[str], tokens: Iterable[Sequence[str]]) -> Self:
        """The index without some chunks and with others behind the rest: what `build` would make of them all."""
        return type(self)(self._postings.changed(gone, ids, tokens), self._settings)

    def search(
        self, words: Sequence[str], k: int, allowed: Collection[str] | Mask | None = None
    ) -> list[tuple[str, float]]:
        """Find the chunks that share words with a question.

        Args:
            words: The question's tokens.
            k: Most results.
            allowed: Only these may be returned: ids, or for each chunk in the order of `ids` whether it may; None
                allows all.

        Returns:
            `(id, score)`, best first, ties in the order of the index. Chunks that share no word are never returned,
            however small `k` leaves the list.
        """
        known = [word for word in words if word in self._postings.vocabulary]
        if not known or k < 1:
            return []
        scores = self._scorer.get_scores(known)
        # with `lucene`, a chunk has a score exactly if it holds a word; the others give 0 to words that all chunks hold
        found = scores > 0 if self._settings.method == "lucene" else self._postings.holding(known)
        if allowed is not None:
            found &= allowed if isinstance(allowed, np.ndarray) else self._mask(allowed)
        best = best_places(np.where(found, scores, -np.inf), k)
        return [(self.ids[place], float(scores[place])) for place in best.tolist()]

    def _mask(self, allowed: Collection[str]) -> Mask:
        mask = np.zeros(len(self.ids), dtype=bool)
        mask[[self._places[chunk_id] for chunk_id in allowed if chunk_id in self._places]] = True
        return mask

    @cached_property
    def _places(self) -> dict[str, int]:
        return {chunk_id: place for place, chunk_id in enumerate(self.ids)}

    @cached_property
    def _scorer(self) -> Any:
        """What computes scores: an object with `get_scores`."""
        return self._bm25 if self._settings.engine == "bm25s" else rank_bm25_of(self._postings, self._settings)

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        folder.mkdir(parents=True)
        if self._bm25 is not None:
            self._bm25.save(folder / "bm25", show_progress=False)
            np.save(folder / "counts.npy", self._postings.counts)
        (folder / "ids.json").write_text(json.dumps(self.ids), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path, settings: KeywordSettings | None = None) -> Self:
        """Read an index that `save` wrote; scores and counts are mapped into memory, not read.

        Scores of another variant or of other constants than those of the settings are computed anew from the counts.

        Raises:
            OSError, ValueError, KeyError: The files are missing or damaged.
            MissingExtraError: The settings name rank-bm25, which is not installed.
        """
        settings = settings or KeywordSettings()
        check_engine(settings)
        ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
        if not (folder / "bm25").is_dir():
            return cls(Postings.of(ids, [[] for _ in ids]), settings)
        import bm25s  # noqa: PLC0415 - not needed for an empty base

        bm25 = bm25s.BM25.load(folder / "bm25", mmap=True, show_progress=False)
        # plain arrays over the same memory: a slice of a `memmap` takes longer than what is done with it
        scores = bm25.scores = {
            name: np.asarray(part) if isinstance(part, np.ndarray) else part for name, part in bm25.scores.items()
        }
        counts = np.load(folder / "counts.npy", mmap_mode="r")
        if len(counts) != len(scores["indices"]) or len(ids) != scores["num_docs"]:
            raise ValueError(f"{folder}: its files do not belong together")
        postings = Postings(ids, bm25.vocab_dict, scores["indptr"], scores["indices"], counts)
        same = (bm25.k1, bm25.b, bm25.method, bm25.idf_method) == (settings.k1, settings.b, *bm25s_method(settings))
        return cls(postings, settings, bm25 if same else None)


def best_places(scores: npt.NDArray[np.floating[Any]], k: int) -> npt.NDArray[np.intp]:
    """Places of the k largest scores, largest first, ties in order; those of minus infinity are left out.

    At least k scores are as large as the k-th largest maximum of more than k parts of them. Maxima are found at once,
    and so few scores are as large that only they need to be put in order.
    """
    floor, width = -np.inf, 16 * k
    if len(scores) >= 2 * width:
        rows = len(scores) // width
        parts = scores[: rows * width].reshape(rows, width).max(axis=0)
        floor = np.partition(parts, -k)[-k]
    places = np.flatnonzero(scores >= floor) if floor > -np.inf else np.flatnonzero(scores > -np.inf)
    if len(places) > k:
        floor = np.partition(scores[places], -k)[-k]
        places = places[scores[places] >= floor]
    return places[np.argsort(-scores[places], kind="stable")][:k]
