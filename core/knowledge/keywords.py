"""The keyword index: BM25 over token lists, on bm25s."""

import json
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
import numpy.typing as npt


class KeywordIndex:
    """BM25 (the variant of Lucene, k1 = 1.5, b = 0.75) over chunks that are known by their ids.

    Scores are 0 or larger, larger is nearer; their size depends on the corpus, so they rank and do not judge.
    Source of the variants' formulas: Kamphuis et al., "Which BM25 Do You Mean?", ECIR 2020.
    """

    def __init__(self, ids: Sequence[str], bm25: Any) -> None:
        """Wrap a ready index; use `build` or `load`.

        Args:
            ids: The chunk ids, in the order of the index.
            bm25: A `bm25s.BM25`, or None when no chunk has a token.
        """
        self.ids = list(ids)
        self._bm25 = bm25
        self._places = {chunk_id: place for place, chunk_id in enumerate(self.ids)}

    @classmethod
    def build(cls, ids: Sequence[str], tokens: Sequence[Sequence[str]]) -> Self:
        """Index token lists, one a chunk."""
        if not any(tokens):
            return cls(ids, None)
        import bm25s  # noqa: PLC0415 - not needed to open a base that has its index saved

        bm25 = bm25s.BM25(method="lucene")
        bm25.index([list(words) for words in tokens], show_progress=False)
        return cls(ids, bm25)

    def search(self, words: Sequence[str], k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """Find the chunks that share words with a question.

        Args:
            words: The question's tokens.
            k: Most results.
            allowed: Only these ids may be returned; None allows all.

        Returns:
            `(id, score)`, best first, ties in the order of the index. Chunks that share no word are never returned,
            however small `k` leaves the list.
        """
        known = [word for word in words if self._bm25 is not None and word in self._bm25.vocab_dict]
        if not known:
            return []
        scores: npt.NDArray[np.float32] = self._bm25.get_scores(known)
        if allowed is not None:
            mask = np.zeros(len(scores), dtype=bool)
            mask[[self._places[chunk_id] for chunk_id in allowed if chunk_id in self._places]] = True
            scores = np.where(mask, scores, np.float32(0))
        places = np.flatnonzero(scores > 0)
        if len(places) > k:
            floor = np.partition(scores[places], -k)[-k]
            places = places[scores[places] >= floor]
        best = places[np.argsort(-scores[places], kind="stable")][:k]
        return [(self.ids[place], float(scores[place])) for place in best]

    def save(self, folder: Path) -> None:
        """Write the index into a new folder."""
        folder.mkdir(parents=True)
        if self._bm25 is not None:
            self._bm25.save(folder / "bm25", show_progress=False)
        (folder / "ids.json").write_text(json.dumps(self.ids), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """Read an index that `save` wrote; scores are mapped into memory, not read."""
        ids = json.loads((folder / "ids.json").read_text(encoding="utf-8"))
        if not (folder / "bm25").is_dir():
            return cls(ids, None)
        import bm25s  # noqa: PLC0415 - as above

        return cls(ids, bm25s.BM25.load(folder / "bm25", mmap=True, show_progress=False))
