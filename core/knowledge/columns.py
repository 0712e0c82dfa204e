"""Metadata of all chunks field by field, so that a filter looks at each different value and not at each chunk."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from youju.knowledge.filters import Comparison, comparisons, value_key

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Column:
    """One field of all chunks.

    Attributes:
        codes: For each chunk, the place of its value in `values`.
        values: The different values; first None, for the chunks that lack the field.
        places: Where in `values` a value stands, by its key.
    """

    codes: npt.NDArray[np.int32]
    values: list[Any]
    places: dict[Hashable, int]

    @classmethod
    def of(cls, field: Sequence[Any]) -> "Column":
        """Number the different values of a field; None stands for a missing one."""
        values: list[Any] = [None]
        places: dict[Hashable, int] = {value_key(None): 0}
        codes = np.zeros(len(field), dtype=np.int32)
        for at, value in enumerate(field):
            codes[at] = place = places.setdefault(value_key(value), len(values))
            if place == len(values):
                values.append(value)
        return cls(codes, values, places)

    def mask(self, tests: Iterable[Comparison]) -> Mask:
        """Which chunks pass all tests."""
        passing = np.ones(len(self.values), dtype=bool)
        for test in tests:
            passing &= self._passing(test)
        return passing[self.codes]

    def _passing(self, test: Comparison) -> Mask:
        """Which values pass; those that must be equal to something are looked up and not gone through."""
        if test.keys is None:
            return np.fromiter(map(test.holds, self.values), dtype=bool, count=len(self.values))
        named = np.zeros(len(self.values), dtype=bool)
        named[[self.places[key] for key in test.keys if key in self.places]] = True
        named[0] = False  # a missing field is equal to nothing
        return named if test.equal else ~named


def fields_of(conditions: Mapping[str, Any]) -> set[str]:
    """The fields that a filter looks at."""
    found: set[str] = set()
    for key, value in conditions.items():
        found.update(*map(fields_of, value)) if key in {"$and", "$or"} else found.add(key)
    return found


def mask_of(conditions: Mapping[str, Any], columns: Mapping[str, Column], count: int) -> Mask:
    """Which of so many chunks fulfil a filter: those whose metadata `matches` it."""
    mask = np.ones(count, dtype=bool)
    for key, value in conditions.items():
        if key in {"$and", "$or"}:
            joined = np.logical_and if key == "$and" else np.logical_or
            mask &= joined.reduce([mask_of(part, columns, count) for part in value])
        else:
            mask &= columns[key].mask(comparisons(value))
    return mask


def combinations(columns: Sequence[Column], mask: Mask | None, count: int) -> list[int]:
    """Places of the first chunk with each combination of values that occurs, ascending.

    Args:
        columns: The fields.
        mask: Which chunks are looked at; None looks at all.
        count: Number of chunks.
    """
    places = np.arange(count) if mask is None else np.flatnonzero(mask)
    kinds = np.zeros(len(places), dtype=np.int64)
    for column in columns:
        _, kinds = np.unique(kinds * len(column.values) + column.codes[places], return_inverse=True)
    _, first = np.unique(kinds, return_index=True)
    return sorted(places[first].tolist())
