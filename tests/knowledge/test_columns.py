"""Filters over all chunks at once mean what they mean for one."""

from collections.abc import Iterator
from datetime import date
from operator import mul
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju import KnowledgeBase
from youju.knowledge import matches, selecting
from youju.knowledge.filters import value_key
from youju.knowledge.metadata import to_json_values
from youju.knowledge.table import Table

_PLAIN = st.one_of(st.booleans(), st.integers(-2, 2), st.sampled_from([0.0, 1.0, 2.5]), st.sampled_from("甲乙1"))
_JSON = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)
_FIELDS = st.sampled_from(["x", "y", "none"])
_TESTS = st.one_of(
    _PLAIN,
    st.lists(_PLAIN, max_size=2),
    st.dictionaries(st.sampled_from(["$eq", "$ne"]), _JSON, min_size=1),
    st.dictionaries(st.sampled_from(["$in", "$nin"]), st.lists(_JSON, max_size=4), min_size=1),
    st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), st.sampled_from([0, 1.0, 2, "甲"]), min_size=1),
)
_FILTERS = st.recursive(
    st.dictionaries(_FIELDS, _TESTS, max_size=2),
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1, max_size=3), min_size=1
    ),
    max_leaves=4,
)
_ROWS = st.lists(st.dictionaries(st.sampled_from("xy"), _JSON, max_size=2), max_size=6)


def table(rows: list[dict[str, Any]]) -> Table:
    def read() -> Iterator[tuple[str, str, dict[str, Any]]]:
        return ((f"c{at}", f"d{at}", row) for at, row in enumerate(rows))

    return Table(read)


@given(one=_JSON, other=_JSON)
def test_values_are_equal_if_they_are_of_one_kind_and_equal(one: Any, other: Any) -> None:
    def kind(value: Any) -> type:
        return float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)

    same = kind(one) is kind(other) and one == other
    assert (value_key(one) == value_key(other)) == same
    assert matches({"x": one}, {"x": {"$eq": other}}) == matches({"x": one}, {"x": {"$in": [0.25, other]}}) == same
    assert matches({"x": one}, {"x": {"$ne": other}}) == matches({"x": one}, {"x": {"$nin": [0.25, other]}}) != same


@given(rows=_ROWS, conditions=st.lists(_FILTERS, min_size=1, max_size=3))
def test_a_table_selects_the_chunks_whose_metadata_match(
    rows: list[dict[str, Any]], conditions: list[dict[str, Any]]
) -> None:
    chunks = table(rows)
    for wanted in conditions:
        fulfilled = [f"c{at}" for at, row in enumerate(rows) if matches(row, wanted)]
        assert chunks.select(wanted).ids() == fulfilled
        assert [f"c{at}" for at, row in enumerate(rows) if selecting(wanted)(row)] == fulfilled


@given(rows=_ROWS, conditions=st.none() | _FILTERS)
def test_combinations_are_what_occurs_together(rows: list[dict[str, Any]], conditions: dict[str, Any] | None) -> None:
    expected: dict[Any, dict[str, Any]] = {}
    for row in rows:
        if matches(row, conditions):
            expected.setdefault(
                (value_key(row.get("x")), value_key(row.get("none"))), {"x": row["x"]} if "x" in row else {}
            )
    assert table(rows).combinations(["x", "none"], conditions) == list(expected.values())


def test_filters_that_look_alike_are_kept_apart() -> None:
    chunks = table([to_json_values({"x": value}) for value in (1, True, "1", ["a"], "['a']", date(2024, 1, 1))])
    for value, found in [(1, "c0"), (True, "c1"), ("1", "c2"), (["a"], "c3"), ("['a']", "c4"), ({"a"}, "c3")]:
        assert chunks.select({"x": value}).ids() == [found]
    assert chunks.select({"x": date(2024, 1, 1)}).ids() == chunks.select({"x": "2024-01-01"}).ids() == ["c5"]


def test_a_chunk_that_went_and_came_again_is_filtered_as_any_other(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", ("报销甲", {"dept": "人事部"}))
    put(base, "b.txt", ("报销乙", {"dept": "财务部"}))
    with base.writing() as writer:
        [a, _] = base.files()
        [chunk] = base.documents({"source": "a.txt"})
        writer.remove("a.txt")
        writer.put(a, [chunk])
    for dept, text in (("人事部", "报销甲"), ("财务部", "报销乙")):
        for search in (base.keyword_search, base.vector_search):
            assert [hit.page_content for hit in search("报销", k=5, filter={"dept": dept})] == [text]
    assert [document.page_content for document in base.documents()] == ["报销乙", "报销甲"]


def test_combinations_of_a_base_are_those_of_now(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", ("甲", {"year": 1}), ("乙", {"year": 1}), ("丙", {"dept": "人事部"}))
    everything = [{"source": "a.txt", "year": 1}, {"source": "a.txt", "dept": "人事部"}]
    assert base.combinations(["source", "year", "dept"]) == everything
    assert base.combinations(["year"], {"dept": {"$ne": "人事部"}}) == [{"year": 1}]
    put(base, "b.txt", ("丁", {"year": 2}))
    assert base.combinations(["year"], {"source": "b.txt"}) == [{"year": 2}]


@pytest.mark.parametrize(
    ("few", "many"),
    [
        pytest.param(100, 100, id="one by one"),
        pytest.param(0, 100, id="among the nearest of all"),
        pytest.param(0, 0, id="by the store"),
    ],
)
def test_a_filtered_search_finds_the_same_in_every_way(
    few: int, many: int, base: KnowledgeBase, put: Any, stub_embeddings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("youju.knowledge.view._FEW", few)
    monkeypatch.setattr("youju.knowledge.view._MANY", many)
    halves = {"前": [f"第{at}条报销" for at in range(15)], "后": [f"第{at}条" for at in range(15)]}
    put(base, "a.txt", *((text, {"half": half}) for half, texts in halves.items() for text in texts))
    question = stub_embeddings.vector("报销报销")  # the nearest twelve, which are asked for first, are all of one half
    for half, texts in halves.items():
        vectors = {text: stub_embeddings.vector(text) for text in texts}
        nearness = {text: sum(map(mul, question, vector)) for text, vector in vectors.items()}
        found = base.nearest(question, k=4, filter={"half": half})
        expected = pytest.approx(sorted(nearness.values(), reverse=True)[:4], abs=1e-6)
        assert [hit.metadata["score"] for hit in found] == expected
        assert [nearness[hit.page_content] for hit in found] == expected
    assert base.nearest(question, k=4, filter={"half": "没有"}) == []


def test_the_vectors_of_filters_that_were_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("youju.knowledge.table._VECTORS", 16)
    chunks = table([{"x": at} for at in range(3)])
    one, two, three = (chunks.select({"x": at}) for at in range(3))
    for selection in (one, two):
        selection.keep(np.zeros(2, dtype=np.float32))  # eight bytes each
    assert chunks.select({"x": 0}) is one
    three.keep(np.zeros(2, dtype=np.float32))
    assert [selection.vectors is None for selection in (one, two, three)] == [False, True, False]


@pytest.mark.parametrize("conditions", [None, {}])
def test_without_a_filter_everything_is_selected(conditions: Any) -> None:
    assert matches({}, conditions)
    assert table([{}, {"x": 1}]).combinations(["x"], conditions) == [{}, {"x": 1}]
