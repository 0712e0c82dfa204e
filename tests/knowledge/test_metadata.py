"""Metadata of any kind becomes JSON, once and for all."""

import json
import math
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju import KnowledgeBase
from youju.knowledge.metadata import to_json_values, to_scalars

_TEXTS = st.text(st.characters(codec=None), max_size=5)
_ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    _TEXTS,
    st.binary(max_size=3),
    st.dates(),
    st.datetimes(),
    st.times(),
    st.decimals(),
    st.sampled_from([np.int64(3), np.float32(0.5), np.bool_(1), np.array([1, 2]), PurePosixPath("a/b"), object]),
)
_METADATA = st.dictionaries(
    st.one_of(_TEXTS, st.integers()),
    st.recursive(
        _ATOMS,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(_TEXTS, inner, max_size=3), st.frozensets(_TEXTS, max_size=3)
        ),
        max_leaves=8,
    ),
    max_size=4,
)


@given(_METADATA)
def test_any_metadata_becomes_json_that_does_not_change_any_more(metadata: dict[Any, Any]) -> None:
    values = to_json_values(metadata)
    text = json.dumps(values, allow_nan=False, ensure_ascii=False)
    text.encode()  # no halves of characters are left
    assert json.loads(text) == values
    assert to_json_values(values) == values
    assert all(isinstance(value, str | int | float | bool) for value in to_scalars(values).values())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (date(2024, 3, 1), "2024-03-01"),
        (datetime(2024, 3, 1, 8, 30, tzinfo=UTC), "2024-03-01T08:30:00+00:00"),
        (time(8, 30), "08:30:00"),
        (PureWindowsPath("a\\b.md"), "a/b.md"),
        ({"乙", "甲"}, ["乙", "甲"]),
        ((1, None, "x"), [1, "x"]),
        ({"x": {"y": None, "z": 1}, "w": None}, {"x": {"z": 1}}),
        (math.inf, "inf"),
        (np.int64(7), 7),
        (np.bool_(1), True),
        (Decimal("1.50"), "1.50"),
        ("\ud83d\ude00", "😀"),
    ],
)
def test_a_value_that_json_does_not_know_is_written_in_a_way_that_sorts_or_reads(value: Any, expected: Any) -> None:
    values = to_json_values({"值": value})
    assert values == {"值": expected}
    assert type(values["值"]) is type(expected)


def test_nothing_is_stored_for_none() -> None:
    assert to_json_values({"a": None, "b": 0, "c": "", "d": False}) == {"b": 0, "c": "", "d": False}


def test_a_number_of_more_than_64_bits_is_kept_as_it_is_and_found_by_a_filter(base: KnowledgeBase, put: Any) -> None:
    numbers = [2**63 - 1, 2**63, -(2**63) - 1, 10**30]
    for number in numbers:
        put(base, f"{number}.txt", (f"编号 {number}", {"serial": number}))
    assert sorted(document.metadata["serial"] for document in base.documents()) == sorted(numbers)
    [found] = base.vector_search("编号", k=9, filter={"serial": 10**30})
    assert found.metadata["serial"] == 10**30
