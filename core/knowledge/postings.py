"""Which token stands in which chunk how often: what BM25 scores are computed from, and what changes are made to."""

from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[Any]


@dataclass(frozen=True)
class Postings:
    """A sparse table of counts, token by token.

    Attributes:
        ids: The chunks, in order.
        vocabulary: The place of each token.
        starts: Where in `chunks` and `counts` the entries of each token begin, and behind them where the last ends.
        chunks: Places of the chunks that hold the token, ascending.
        counts: How often they hold it.
    """

    ids: list[str]
    vocabulary: dict[str, int]
    starts: Numbers
    chunks: Numbers
    counts: Numbers

    @classmethod
    def of(cls, ids: Sequence[str], tokens: Iterable[Sequence[str]]) -> Self:
        """Count the tokens of chunks."""
        empty = np.zeros(0, dtype=np.int32)
        return cls([], {}, np.zeros(1, dtype=np.int64), empty, empty).changed((), ids, tokens)

    def changed(self, gone: Collection[str], ids: Sequence[str], tokens: Iterable[Sequence[str]]) -> Self:
        """Without some chunks, and with others behind those that stay; the same as counting all of them anew."""
        dropped = set(gone)
        stays = np.fromiter((chunk_id not in dropped for chunk_id in self.ids), dtype=bool, count=len(self.ids))
        place = np.cumsum(stays) - 1
        kept = stays[self.chunks]
        words = np.repeat(np.arange(len(self.vocabulary)), np.diff(self.starts))[kept]
        vocabulary = dict(self.vocabulary)
        new_words, new_counts, sizes = array("q"), array("i"), array("q")
        for chunk in tokens:  # one at a time: a corpus of lists takes many times the room of its text
            bag = Counter(chunk)
            new_words.extend(vocabulary.setdefault(word, len(vocabulary)) for word in bag)
            new_counts.extend(bag.values())
            sizes.append(len(bag))
        new_chunks = np.repeat(np.arange(len(sizes)) + int(stays.sum()), np.array(sizes, dtype=np.int64))
        all_words = np.concatenate([words, np.array(new_words, dtype=np.int64)])
        chunks = np.concatenate([place[self.chunks[kept]], new_chunks])
        counts = np.concatenate([self.counts[kept], np.array(new_counts, dtype=np.int32)])
        used = np.bincount(all_words, minlength=len(vocabulary))
        new_place = np.cumsum(used > 0) - 1  # words that no chunk holds any more go
        order = np.argsort(all_words, kind="stable")
        return type(self)(
            [chunk_id for chunk_id, stay in zip(self.ids, stays, strict=True) if stay] + list(ids),
            {word: int(new_place[at]) for word, at in vocabulary.items() if used[at]},
            np.concatenate([[0], np.cumsum(used[used > 0])]),
            chunks[order].astype(np.int32),
            counts[order].astype(np.int32),
        )

    def lengths(self) -> Numbers:
        """The number of tokens of each chunk."""
        return np.bincount(self.chunks, weights=self.counts, minlength=len(self.ids))

    def token_lists(self) -> list[list[str]]:
        """The tokens of each chunk, in no particular order."""
        lists: list[list[str]] = [[] for _ in self.ids]
        for word, at in self.vocabulary.items():
            span = slice(self.starts[at], self.starts[at + 1])
            for chunk, count in zip(self.chunks[span].tolist(), self.counts[span].tolist(), strict=True):
                lists[chunk] += [word] * count
        return lists

    def holding(self, words: Sequence[str]) -> npt.NDArray[np.bool_]:
        """Which chunks hold at least one of some known words."""
        mask = np.zeros(len(self.ids), dtype=bool)
        for word in set(words):
            at = self.vocabulary[word]
            mask[self.chunks[self.starts[at] : self.starts[at + 1]]] = True
        return mask
