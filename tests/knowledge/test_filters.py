"""Filters mean the same wherever they are used."""

from datetime import date
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from youju import KnowledgeBase
from youju.errors import SettingsError
from youju.knowledge import check_filter, matches

_CHUNKS: list[dict[str, Any]] = [
    {},
    {"year": 2022, "dept": "财务部"},
    {"year": 2023, "dept": "财务部", "open": True},
    {"year": 2024, "dept": "人事部", "open": False},
    {"year": "2023", "dept": "人事部"},
    {"year": 2023.5, "date": date(2024, 3, 1)},
    {"year": True, "date": date(2023, 12, 31)},
    {"year": 1, "tags": ["甲", "乙"]},
    {"year": 0, "open": 1, "tags": ["甲"]},
]
_VALUES = st.sampled_from([0, 1, 2022, 2023, 2023.5, "2023", "财务部", "人事部", True, False, date(2024, 1, 1)])
_ORDERED = st.sampled_from([0, 1, 2023, 2023.5, "2023", "财务部", date(2024, 1, 1), date(2024, 3, 1)])
_TESTS = st.one_of(
    _VALUES,
    st.just(["甲", "乙"]),
    st.dictionaries(st.sampled_from(["$eq", "$ne"]), _VALUES, min_size=1),
    st.dictionaries(st.sampled_from(["$in", "$nin"]), st.lists(_VALUES, max_size=3), min_size=1),
    st.dictionaries(st.sampled_from(["$gt", "$gte", "$lt", "$lte"]), _ORDERED, min_size=1),
)
_FIELDS = st.sampled_from(["year", "dept", "open", "date", "tags", "none"])
_FILTERS = st.recursive(
    st.dictionaries(_FIELDS, _TESTS, min_size=1, max_size=2),
    lambda inner: st.dictionaries(
        st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1, max_size=3), min_size=1
    ),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("conditions", "fulfilled"),
    [
        ({}, [0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ({"dept": "财务部"}, [1, 2]),
        ({"dept": {"$ne": "财务部"}}, [0, 3, 4, 5, 6, 7, 8]),
        ({"dept": {"$in": ["财务部", "法务部"]}}, [1, 2]),
        ({"dept": {"$nin": ["财务部"]}}, [0, 3, 4, 5, 6, 7, 8]),
        ({"dept": {"$in": []}}, []),
        ({"year": 1}, [7]),
        ({"year": True}, [6]),
        ({"year": "2023"}, [4]),
        ({"year": {"$gte": 2023}}, [2, 3, 5]),
        ({"year": {"$gt": 2022, "$lt": 2024}}, [2, 5]),
        ({"year": {"$lte": "2023"}}, [4]),
        ({"open": True}, [2]),
        ({"date": {"$gte": date(2024, 1, 1)}}, [5]),
        ({"date": {"$lt": "2024-01-01"}}, [6]),
        ({"date": date(2024, 3, 1)}, [5]),
        ({"tags": ["甲"]}, [8]),
        ({"year": 2023, "dept": "人事部"}, []),
        ({"$or": [{"year": 2022}, {"dept": "人事部"}]}, [1, 3, 4]),
        ({"$and": [{"dept": "财务部"}, {"open": {"$ne": True}}]}, [1]),
        ({"dept": "法务部"}, []),
    ],
)
def test_a_filter_finds_exactly_the_chunks_that_fulfil_it(
    conditions: dict[str, Any], fulfilled: list[int], base: KnowledgeBase, put: Any
) -> None:
    assert [at for at, metadata in enumerate(_CHUNKS) if matches(metadata, conditions)] == fulfilled
    put(base, "a.txt", *((f"报销第{at}条", {**metadata, "at": at}) for at, metadata in enumerate(_CHUNKS)))
    for search in (base.keyword_search, base.vector_search):
        assert sorted(hit.metadata["at"] for hit in search("报销", k=20, filter=conditions)) == fulfilled
    assert [document.metadata["at"] for document in base.documents(conditions)] == fulfilled


def test_any_filter_means_the_same_for_words_for_meaning_and_for_metadata(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", *((f"报销第{at}条", {**metadata, "at": at}) for at, metadata in enumerate(_CHUNKS)))

    @trials(max_examples=150)
    @given(_FILTERS)
    def same(conditions: dict[str, Any]) -> None:
        fulfilled = {at for at, metadata in enumerate(_CHUNKS) if matches(metadata, conditions)}
        assert {hit.metadata["at"] for hit in base.keyword_search("报销", k=20, filter=conditions)} == fulfilled
        assert {hit.metadata["at"] for hit in base.vector_search("报销", k=20, filter=conditions)} == fulfilled
        assert {document.metadata["at"] for document in base.documents(conditions)} == fulfilled

    same()


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ({"$not": {"a": 1}}, r"没有 \$not；可用的组合有 \$and、\$or"),
        ({"a": {"$like": "x"}}, r"a 里没有 \$like；可用的有 \$eq、\$ne"),
        ({"a": {"b": 1}}, "a 里没有 b"),
        ({"a": {}}, "a 是空的"),
        ({"a": {"$in": "财务部"}}, r"\$in 后面要写成列表"),
        ({"$or": []}, r"\$or 后面要写成由条件组成的非空列表"),
        ({"$or": {"a": 1}}, r"\$or 后面要写成由条件组成的非空列表"),
        ({"$and": [{"$or": [{"a": {"$gt": [1]}}]}]}, r"\$gt 后面要写成数、文字或日期，不能是 \[1\]"),
        ({"a": {"$lte": True}}, r"\$lte 后面要写成数、文字或日期，不能是 True"),
        ({"a": None}, "不能和空值（null）比较"),
        ({"a": {"$ne": None}}, "不能和空值（null）比较"),
        ({"a": {"$in": [1, None]}}, "不能和空值（null）比较"),
        ("a", "要写成字典"),
        (5, "要写成字典"),
        (True, "要写成字典"),
        ([{"a": 1}], "要写成字典"),
        ({1: 1}, "字段名要是文字，不能是 1"),
        ({"$and": [{None: 1}]}, "字段名要是文字，不能是 None"),
        (reduce(lambda inner, _: {"$and": [inner]}, range(101), {"a": 1}), r"\$and、\$or 最多套 100 层"),
    ],
)
def test_a_filter_without_meaning_is_refused_everywhere(
    conditions: Any, message: str, base: KnowledgeBase, put: Any
) -> None:
    put(base, "a.txt", "甲")
    with pytest.raises(SettingsError, match=message):
        check_filter(conditions)
    for search in (base.keyword_search, base.vector_search):
        with pytest.raises(SettingsError, match=message):
            search("甲", k=1, filter=conditions)
    with pytest.raises(SettingsError, match=message):
        base.documents(conditions)


def test_a_filtered_search_is_not_filled_up_with_other_chunks(base: KnowledgeBase, put: Any) -> None:
    finance = ["报销须在三十天内提交。", *(f"固定资产第{number}号已盘点。" for number in range(1, 13))]
    people = [f"报销须在三十天内提交，编号{number}。" for number in range(1, 6)]
    put(
        base,
        "a.txt",
        *((text, {"dept": "财务部"}) for text in finance),
        *((text, {"dept": "人事部"}) for text in people),
    )
    question = "报销须在三十天内提交吗"
    by_words = base.keyword_search(question, k=4, filter={"dept": "财务部"})
    assert [hit.page_content for hit in by_words] == ["报销须在三十天内提交。"]
    by_meaning = base.vector_search(question, k=4, filter={"dept": "财务部"})
    assert by_meaning[0].page_content == "报销须在三十天内提交。"
    assert [hit.metadata["dept"] for hit in by_meaning] == ["财务部"] * 4
    assert base.keyword_search(question, k=4, filter={"dept": "法务部"}) == []
    assert base.vector_search(question, k=4, filter={"dept": "法务部"}) == []
