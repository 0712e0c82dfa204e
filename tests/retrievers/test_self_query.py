"""A filter from the question: what is read, what is refused, and that nothing widens the caller's."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from pydantic import ValidationError

from youju import KnowledgeBase
from youju.knowledge import check_filter
from youju.retrievers import BM25Retriever, SelfQueryRetriever
from youju.retrievers.filter_reply import UnusableReplyError, read_reply
from youju.settings import FieldSettings, SelfQuerySettings

MakeBase = Callable[..., KnowledgeBase]
FIELDS = {
    "year": FieldSettings(type="number", description="发布的年份"),
    "dept": FieldSettings(type="text"),
    "date": FieldSettings(type="date"),
}
QUESTION = "财务部2023年以来的年假规定"
ALL = ["甲", "乙", "丙"]


@pytest.fixture
def base(make_base: MakeBase) -> KnowledgeBase:
    """Three documents that every question finds."""
    rows = [
        ("甲", 2022, "财务部", "2022-12-31"),
        ("乙", 2023, "财务部", "2023-01-01"),
        ("丙", 2024, "人事部", "2024-05-01"),
    ]
    return make_base(
        [
            Document(
                page_content=f"年假规定{name}",
                metadata={"source": f"{name}.md", "name": name, "year": year, "dept": dept, "date": day},
            )
            for name, year, dept, day in rows
        ]
    )


FENCED = '```json\n{"query": "年假", "filter": "eq(\\"year\\", 2023)"}\n```'


@pytest.mark.parametrize(
    ("reply", "names", "searched", "warned"),
    [
        (FENCED, ["乙"], "年假", False),
        (f"好的，条件如下：\n{FENCED}\n希望有帮助。", ["乙"], "年假", False),
        ('{"query": "年假", "filter": "gte(\\"year\\", \\"2023\\")"}', ["丙", "乙"], "年假", False),
        ('{"query": "年假", "filter": "eq(\\"year\\", \\"2023\\")"}', ["乙"], "年假", False),
        ('{"query": "年假", "filter": {"year": {"$gte": "2023"}}}', ["丙", "乙"], "年假", False),
        ('{"query": "年假", "filter": {"year": {"$gte": 2023}, "dept": "财务部"}}', ["乙"], "年假", False),
        (
            '{"query": "年假", "filter": "and(gte(\\"year\\", 2023), eq(\\"dept\\", \\"财务部\\"))"}',
            ["乙"],
            "年假",
            False,
        ),
        ('{"query": "年假", "filter": "in(\\"dept\\", [\\"财务部\\", \\"法务部\\"])"}', ["甲", "乙"], "年假", False),
        ('{"query": "年假", "filter": "not(eq(\\"dept\\", \\"财务部\\"))"}', ["丙"], "年假", False),
        ('{"query": "年假", "filter": {"$not": {"$or": [{"dept": "人事部"}, {"year": 2022}]}}}', ["乙"], "年假", False),
        ('{"query": "年假", "filter": "gte(\\"date\\", 2023-01-01)"}', ["丙", "乙"], "年假", False),
        ('{"query": "年假", "filter": {"date": {"$gte": "2023年"}}}', ["丙", "乙"], "年假", False),
        ('{"query": "", "filter": "eq(\\"dept\\", \\"财务部\\")"}', ["甲", "乙"], QUESTION, False),
        ('{"query": " ", "filter": {"dept": "财务部"}}', ["甲", "乙"], QUESTION, False),
        ('{"query": "年假", "filter": "NO_FILTER"}', ALL, "年假", False),
        ('{"query": "年假", "filter": null}', ALL, "年假", False),
        ('{"query": "年假", "filter": {}}', ALL, "年假", False),
        (f'<think>{{"query": "x", "filter": null}}</think>{FENCED}', ["乙"], "年假", False),
        ('{"query": "年假", "filter": "eq(\\"author\\", \\"张三\\")"}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"author": "张三", "year": 2023}}', ALL, QUESTION, True),
        ("我无法确定过滤条件。", ALL, QUESTION, True),
        ('{"query": "年假", "filter": "eq(\\"year\\", 2023) and eq(\\"dept\\", \\"财务部\\")"}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"date": {"$gte": "去年"}}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"date": {"$gte": "2023-02-31"}}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"year": "很多"}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"dept": {"$contain": "财"}}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"dept": {"$gt": "财"}}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"dept": {"$in": []}}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": {"year": null}}', ALL, QUESTION, True),
        ('{"query": "年假", "filter": [1]}', ALL, QUESTION, True),
        (RuntimeError("down"), ALL, QUESTION, True),
    ],
)
async def test_each_reply_is_applied_or_passed_over_with_a_warning(
    reply: Any,
    names: list[str],
    searched: str,
    warned: bool,  # noqa: FBT001 - a column of the table
    base: KnowledgeBase,
    chat: Any,
    warnings_of: Callable[[], list[str]],
) -> None:
    retriever = SelfQueryRetriever(retriever=BM25Retriever(source=base), chat=chat(reply), fields=FIELDS)
    for found in (retriever.invoke(QUESTION), await retriever.ainvoke(QUESTION)):
        assert sorted(document.metadata["name"] for document in found) == sorted(names)
        assert {document.metadata["self_query"]["query"] for document in found} == {searched}
    assert len(warnings_of()) == (2 if warned else 0)


@pytest.mark.parametrize(
    "reply",
    [
        '{"query": "年假", "filter": {"dept": "人事部"}}',
        '{"query": "年假", "filter": {"$or": [{"dept": "财务部"}, {"dept": {"$ne": "财务部"}}]}}',
        '{"query": "年假", "filter": {"$not": {"dept": "财务部"}}}',
        '{"query": "年假", "filter": null}',
        "乱写的话",
    ],
)
def test_nothing_that_a_model_writes_widens_the_callers_filter(reply: str, base: KnowledgeBase, chat: Any) -> None:
    retriever = SelfQueryRetriever(retriever=BM25Retriever(source=base), chat=chat(reply), fields=FIELDS)
    found = retriever.invoke(QUESTION, filter={"dept": "财务部"})
    assert {document.metadata["dept"] for document in found} <= {"财务部"}
    fixed = SelfQueryRetriever(
        retriever=BM25Retriever(source=base), chat=chat(reply), fields=FIELDS, filter={"dept": "财务部"}
    )
    assert {document.metadata["dept"] for document in fixed.invoke(QUESTION)} <= {"财务部"}


def test_a_retriever_that_cannot_filter_has_its_documents_looked_through(ranking: Any, chat: Any) -> None:
    base = ranking("甲", "乙")
    base.found[1].metadata["dept"] = "财务部"
    reply = '{"query": "报销", "filter": {"dept": "财务部"}}'
    found = SelfQueryRetriever(retriever=base, chat=chat(reply), fields=FIELDS).invoke("财务部的报销")
    assert [document.id for document in found] == ["乙"]
    assert base.asked == ["报销"]


def conditions(written: str) -> Any:
    return read_reply(f'{{"query": "q", "filter": {written}}}', FIELDS)[1]


@pytest.mark.parametrize(
    ("written", "means"),
    [
        ('{"date": {"$lte": "2023"}}', {"date": {"$lt": "2024-01-01"}}),
        ('{"date": {"$gt": "2023-05"}}', {"date": {"$gte": "2023-06-01"}}),
        ('{"date": {"$lt": "2023/5/1"}}', {"date": {"$lt": "2023-05-01"}}),
        ('{"date": "2023-12-31"}', {"date": {"$gte": "2023-12-31", "$lt": "2024-01-01"}}),
        ('{"date": {"$gte": {"type": "date", "date": "2023-01-01"}}}', {"date": {"$gte": "2023-01-01"}}),
        ('{"date": {"$ne": 2023}}', {"$or": [{"date": {"$lt": "2023-01-01"}}, {"date": {"$gte": "2024-01-01"}}]}),
        ('{"year": {"gte": "1,023"}}', {"year": {"$gte": 1023}}),
        ('{"dept": 7}', {"dept": {"$eq": "7"}}),
        ('{"$and": [{"year": 2023}]}', {"year": {"$eq": 2023}}),
    ],
)
def test_values_become_those_that_are_stored(written: str, means: Any) -> None:
    assert conditions(written) == means


@pytest.mark.parametrize("depth", [25, 3000])
def test_conditions_nested_too_deep_are_refused(depth: int) -> None:
    with pytest.raises(UnusableReplyError):
        conditions('{"$and": [' * depth + '{"year": 1}' + "]}" * depth)
    with pytest.raises(UnusableReplyError):
        conditions('"' + "not(" * depth + "eq('year', 1)" + ")" * depth + '"')


def test_the_model_is_shown_the_fields_and_the_comparisons_allowed(base: KnowledgeBase, chat: Any) -> None:
    model = chat("{}")
    fields = {"year": FIELDS["year"], "dept": FieldSettings(type="text", operators=["eq"])}
    SelfQueryRetriever(retriever=BM25Retriever(source=base), chat=model, fields=fields).invoke(QUESTION)
    assert '- "year"（数；可用 $eq $ne $gt $gte $lt $lte $in $nin）：发布的年份' in model.asked[0]
    assert '- "dept"（文字；可用 $eq）\n' in model.asked[0]
    assert model.asked[0].endswith(f"问题：{QUESTION}")


@pytest.mark.parametrize("fields", [{}, {"$or": {"type": "text"}}, {"a": {"type": "colour"}}, {"a": {}}])
def test_fields_that_cannot_be_are_refused_in_the_settings(fields: Any) -> None:
    with pytest.raises(ValidationError):
        SelfQuerySettings.model_validate({"fields": fields})


_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.sampled_from(["2024", "2024-01", "财务部", ""])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from([*FIELDS, "$and", "$or", "$not", "$eq", "$in", "$gte", "date"]), inner, max_size=2
        ),
    ),
    max_leaves=6,
)


@given(st.one_of(_VALUES, st.text(alphabet="andeqorint()[],\"' \\12.-", max_size=40)))
def test_whatever_a_reply_holds_is_a_filter_that_can_be_used_or_is_refused(written: Any) -> None:
    try:
        _, found = read_reply(json.dumps({"query": "q", "filter": written}), FIELDS)
    except UnusableReplyError:
        return
    check_filter(found)
