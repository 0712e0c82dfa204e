"""One generation of a base on disk: its catalog, its vectors, and the keyword index made from the catalog."""

import math
import shutil
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from youju.knowledge.catalog import Catalog
from youju.knowledge.chroma import ChromaVectors, nearest_of
from youju.knowledge.keywords import KeywordIndex
from youju.knowledge.table import Selection, Table
from youju.settings import KeywordSettings

_FEW = 2000
"""Texts that are compared one by one; their vectors stay in memory with the filter, 3 MB where they are 384 long."""
_MANY = 2000
"""Rows asked of the store at once, which takes about as long as a filter of its own."""


class View:
    """One generation of a base, open."""

    def __init__(self, folder: Path, timeout: float, keywords: KeywordSettings) -> None:
        """Open a generation's folder, waiting at most `timeout` seconds for other processes."""
        self.folder = folder
        self.catalog = Catalog(folder / "catalog.sqlite3", timeout=timeout)
        self.vectors = ChromaVectors.at(folder / "chroma")
        self.stale = False
        """Empty, and made with other settings: to be made anew on the first write."""
        self._lock = threading.Lock()
        self._probe: list[float] | None = None
        self._keyword_settings = keywords
        self._keywords: tuple[int, KeywordIndex] | None = None
        self._table: tuple[int, Table] | None = None

    @classmethod
    def create(cls, folder: Path, meta: Mapping[str, Any], timeout: float, keywords: KeywordSettings) -> "View":
        """Make an empty generation in a new folder."""
        folder.mkdir()
        Catalog.create(folder / "catalog.sqlite3", dict(meta)).close()
        view = cls(folder, timeout, keywords)
        view.vectors.create()
        return view

    def keywords(self) -> KeywordIndex:
        """The keyword index of what the base holds now: the saved one, or the newest one there is with the changes."""
        with self._lock:
            version = self.catalog.version()
            if self._keywords is None or self._keywords[0] != version:
                self._keywords = version, self._saved(str(version)) or self._changed()
            return self._keywords[1]

    def _saved(self, name: str) -> KeywordIndex | None:
        try:
            return KeywordIndex.load(self.folder / "keywords" / name, self._keyword_settings)
        except Exception:  # noqa: BLE001 - missing, or damaged in whatever way: it can be made again
            return None

    def _changed(self) -> KeywordIndex:
        """An older index with what has changed since; without one, all stored tokens are read."""
        index = self._keywords[1] if self._keywords else None
        if index is None:
            older = [folder.name for folder in (self.folder / "keywords").glob("*") if folder.name.isdigit()]
            index = self._saved(max(older, key=int)) if older else None
        index = index or KeywordIndex.build([], [], self._keyword_settings)
        now = self.catalog.ids()
        held, here = set(index.ids), set(now)
        rows = self.catalog.tokens([chunk_id for chunk_id in now if chunk_id not in held])
        return index.changed(held - here, [row[0] for row in rows], (row[1].split() for row in rows))

    def save_keywords(self) -> None:
        """Write the keyword index for the processes to come, and drop those of older versions."""
        folder = self.folder / "keywords"
        name = str(self.catalog.version())
        if not (folder / name).is_dir():
            partial = folder / f"{name}.partial"
            shutil.rmtree(partial, ignore_errors=True)
            self.keywords().save(partial)
            partial.rename(folder / name)
        for old in folder.iterdir():
            if old.name != name:
                shutil.rmtree(old, ignore_errors=True)

    def probe(self) -> list[float] | None:
        """The vector of a text that the base keeps to know its model again; None before the first writing."""
        if self._probe is None:  # written once, and never again in this generation
            self._probe = self.catalog.meta("probe")
        return self._probe

    def refresh(self) -> None:
        """Make sure that all vectors of what the catalog holds are seen."""
        version = self.catalog.version()
        if version > self.vectors.seen_version:
            self.vectors.refresh(version, self.catalog.newest(), self.probe())

    def table(self) -> Table:
        """The metadata of what the base holds now."""
        with self._lock:
            version = self.catalog.version()
            if self._table is None or self._table[0] != version:
                self._table = version, Table(self.catalog.metadata_rows)
            return self._table[1]

    def allowed(self, conditions: Mapping[str, Any] | None) -> Selection | None:
        """The chunks that fulfil a filter; None when there is no filter."""
        return self.table().select(conditions) if conditions else None

    def with_words(self, words: Sequence[str], k: int, allowed: Selection | None) -> list[tuple[str, float]]:
        """Find the chunks that share words with a question, among the allowed ones; as `KeywordIndex.search`."""
        index = self.keywords()
        return index.search(words, k, None if allowed is None else allowed.along(index.ids))

    def nearest(self, vector: Sequence[float], k: int, allowed: Selection | None) -> list[tuple[str, float]]:
        """Find the chunks nearest to a vector, among the allowed ones.

        Returns:
            `(id, score)`, nearest first; chunks with the same text in the order of writing.
        """
        self.refresh()
        most = k + self.catalog.journal_size()
        hits = self.vectors.query(vector, most) if allowed is None else self._nearest_of(vector, most, allowed)
        held = self.catalog.with_digests([key for key, _ in hits])
        if len(held) < k and len(held) < (self.catalog.text_count() if allowed is None else allowed.text_count):
            # The store's graph does not lead to every row, and may still show rows that were deleted.
            every = list(self.catalog.all_digests()) if allowed is None else allowed.digests()
            hits = self.vectors.compare(vector, every, k)
            held = self.catalog.with_digests([key for key, _ in hits])
        return [
            (chunk_id, score)
            for key, score in hits
            for chunk_id in held.get(key, ())
            if allowed is None or chunk_id in allowed
        ][:k]

    def _nearest_of(self, vector: Sequence[float], k: int, allowed: Selection) -> list[tuple[str, float]]:
        """Find the nearest texts among those of the allowed chunks.

        The store takes long to search under a filter. Few texts are compared one by one; of many, enough are nearly
        always among the nearest of all; the store's own filter is for what is left.
        """
        if not allowed.text_count:
            return []
        if allowed.text_count <= _FEW:
            texts, rows = allowed.digests(), allowed.vectors
            return nearest_of(vector, k, texts, allowed.keep(self.vectors.rows(texts)) if rows is None else rows)
        wanted = math.ceil(1.5 * k / allowed.share)
        if wanted <= _MANY:
            hits = [hit for hit in self.vectors.query(vector, wanted) if allowed.holds_text(hit[0])]
            if len(hits) >= k:
                return hits[:k]
        return self.vectors.query(vector, k, allowed.digests())

    def close(self) -> None:
        """Let go of the files."""
        self.catalog.close()
        self.vectors.close()

    def discard(self) -> None:
        """Close, and delete the files."""
        self.catalog.close()
        self.vectors.forget()
        shutil.rmtree(self.folder, ignore_errors=True)
