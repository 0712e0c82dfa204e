"""What filters need to know of all chunks of one version of a base."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from youju.knowledge.columns import Column, Mask, combinations, fields_of, mask_of

_REMEMBERED = 128
"""How many filters are remembered; each takes two bytes a chunk."""
_VECTORS = 128 * 2**20
"""Bytes of vectors that filters together may keep."""

Rows = Iterable[tuple[str, str, Mapping[str, Any]]]


class Selection:
    """The chunks that fulfil a filter."""

    def __init__(self, table: "Table", mask: Mask) -> None:
        """Made by `Table.select`."""
        self._table = table
        self.mask = mask
        """Which chunks of the table they are."""
        self.share = float(mask.mean()) if len(mask) else 0.0
        """What part of all chunks they are."""
        self.vectors: npt.NDArray[np.float32] | None = None
        """The vectors of their texts, in the order of `digests`, as long as they are kept."""

    def __contains__(self, chunk_id: str) -> bool:
        place = self._table.places.get(chunk_id)
        return place is not None and bool(self.mask[place])

    @cached_property
    def _texts(self) -> Mask:
        """Which of all different texts are theirs."""
        texts = self._table.texts
        found = np.zeros(len(texts.values), dtype=bool)
        found[texts.codes[self.mask]] = True
        return found

    @cached_property
    def text_count(self) -> int:
        """How many different texts they have."""
        return int(self._texts.sum())

    def holds_text(self, digest: str) -> bool:
        """Whether one of them has a text with this hash."""
        return bool(self._texts[self._table.texts.places.get(digest, 0)])

    def digests(self) -> list[str]:
        """Hashes of their texts, each once, in the order of writing."""
        return [self._table.texts.values[place] for place in np.flatnonzero(self._texts).tolist()]

    def keep(self, vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Keep the vectors of their texts; those of filters that were used less lately may have to go."""
        self.vectors = vectors
        self._table.let_go_of_vectors()
        return vectors

    def ids(self) -> list[str]:
        """Their ids, in the order of writing."""
        return [self._table.ids[place] for place in np.flatnonzero(self.mask).tolist()]

    def along(self, ids: Sequence[str]) -> Mask:
        """Which of the chunks that another list names they are; the list holds those of the table, in any order."""
        order = self._table.order_of(ids)
        return self.mask if order is None else self.mask[order]


class Table:
    """The chunks of one version of a base in the order of writing, with the fields that filters have asked for."""

    def __init__(self, read: Callable[[], Rows]) -> None:
        """Take over what reads id, text hash and metadata of all chunks, in the order of writing."""
        self._read = read
        self._lock = threading.RLock()
        self._columns: dict[str, Column] = {}
        self._selections: OrderedDict[str, Selection] = OrderedDict()
        self._order: tuple[Sequence[str], npt.NDArray[np.int64] | None] | None = None
        self._is_read = False
        self.ids: list[str] = []
        self.texts = Column.of([])
        """The hashes of their texts."""

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each chunk stands."""
        return {chunk_id: place for place, chunk_id in enumerate(self.ids)}

    def select(self, conditions: Mapping[str, Any]) -> Selection:
        """The chunks whose metadata fulfil a filter."""
        key = repr(conditions)  # unlike JSON it tells a date from its text, and takes anything
        with self._lock:
            found = self._selections.pop(key, None)
            if found is None:
                columns = self._of(fields_of(conditions))
                found = Selection(self, mask_of(conditions, columns, len(self.ids)))
            self._selections[key] = found
            if len(self._selections) > _REMEMBERED:
                self._selections.popitem(last=False)
            return found

    def let_go_of_vectors(self) -> None:
        """Drop the vectors of the filters that were used least lately, until the others have room."""
        with self._lock:
            room = _VECTORS
            for selection in reversed(self._selections.values()):
                room -= 0 if selection.vectors is None else selection.vectors.nbytes
                if room < 0:
                    selection.vectors = None

    def combinations(self, fields: Sequence[str], conditions: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """The different combinations of values of some fields, in the order in which they were first written."""
        with self._lock:
            known = self._of(set(fields))
            columns = [known[field] for field in fields]
            mask = self.select(conditions).mask if conditions else None
            return [
                {
                    field: column.values[column.codes[place]]
                    for field, column in zip(fields, columns, strict=True)
                    if column.codes[place]
                }
                for place in combinations(columns, mask, len(self.ids))
            ]

    def order_of(self, ids: Sequence[str]) -> npt.NDArray[np.int64] | None:
        """Where the chunks of a list stand in the table; None if it is the table's own list."""
        with self._lock:
            if self._order is None or self._order[0] is not ids:
                same = ids == self.ids
                self._order = ids, None if same else np.array([self.places[chunk_id] for chunk_id in ids], np.int64)
            return self._order[1]

    def _of(self, fields: set[str]) -> Mapping[str, Column]:
        """The columns, of which those that are not there yet are made from all metadata."""
        missing = fields - self._columns.keys()
        if missing or not self._is_read:
            ids, digests = [], []
            values: dict[str, list[Any]] = {field: [] for field in missing}
            for chunk_id, digest, metadata in self._read():
                ids.append(chunk_id)
                digests.append(digest)
                for field, column in values.items():
                    column.append(metadata.get(field))
            if not self._is_read:
                self.ids, self.texts, self._is_read = ids, Column.of(digests), True
            self._columns |= {field: Column.of(column) for field, column in values.items()}
        return self._columns
