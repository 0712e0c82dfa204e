"""What is in force today, in its newest version."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase
from youju.chains import build_answer_chain
from youju.retrievers import BM25Retriever, CurrentRetriever, HybridRetriever, HydeRetriever, VectorRetriever
from youju.retrievers.days import period_of
from youju.retrievers.sources import DocumentList

MakeBase = Callable[..., KnowledgeBase]
TODAY = date(2026, 3, 1)


def document(name: str, **metadata: Any) -> Document:
    return Document(page_content=f"年假规定{name}", metadata={"source": f"{name}.md", "name": name, **metadata})


def current(base: KnowledgeBase, **options: Any) -> CurrentRetriever:
    hybrid = HybridRetriever(retrievers=[BM25Retriever(source=base), VectorRetriever(source=base)], weights=[0.5, 0.5])
    return CurrentRetriever(**{"retriever": hybrid, "source": base, "k": 10, "today": lambda: TODAY, **options})


def names(documents: list[Document]) -> str:
    return "".join(sorted(found.metadata["name"] for found in documents))


@pytest.mark.parametrize(
    ("field", "value", "there"),
    [
        ("valid_until", "2026-02-28", False),
        ("valid_until", "2026-03-01", True),
        ("valid_until", date(2026, 2, 28), False),
        ("valid_until", "2026-02", False),
        ("valid_until", "2026-03", True),
        ("valid_until", 2025, False),
        ("valid_until", 2026, True),
        ("valid_until", "2025年12月31日", False),
        ("valid_until", "2026-02-28T23:59:59", False),
        ("valid_from", "2026-03-01", True),
        ("valid_from", "2026-03-02", False),
        ("valid_from", "2026/4/1", False),
    ],
)
async def test_a_document_is_found_only_while_it_is_in_force(
    field: str,
    value: Any,
    there: bool,  # noqa: FBT001 - a column of the table
    make_base: MakeBase,
) -> None:
    retriever = current(make_base([document("甲", **{field: value}), document("乙")]))
    assert names(retriever.invoke("年假")) == names(await retriever.ainvoke("年假")) == ("乙甲" if there else "乙")


def test_a_value_that_is_no_date_excludes_nothing_and_is_told(
    make_base: MakeBase, warnings_of: Callable[[], list[str]]
) -> None:
    assert names(current(make_base([document("甲", valid_until="长期")])).invoke("年假")) == "甲"
    assert warnings_of() == ["资料的 valid_until 不是日期，没有按它判断是否有效：'长期'"]


@pytest.mark.parametrize(
    ("old", "new"),
    [(1, 2), ("v2.9", "v2.10"), ("第二版", "第十版"), ("2024-05-01", "2024-05-02"), (1.9, "2.0"), ("V1", 2)],
)
def test_only_the_newest_version_of_a_document_is_found(old: Any, new: Any, make_base: MakeBase) -> None:
    documents = [document("甲", title="手册", version=old), document("乙", title="手册", version=new)]
    others = [document("丙", title="手册"), document("丁", title="章程", version=old)]
    assert names(current(make_base([*documents, *others])).invoke("年假")) == "丁丙乙"


@pytest.mark.parametrize(
    ("one", "other"),
    [("手册 v1", "手册 v2"), ("手册（第一版）", "手册（第二版）"), ("手册2023版", "手册2024版"), ("手册-1版", "手册")],
)
def test_a_version_in_the_title_does_not_make_another_document(one: str, other: str, make_base: MakeBase) -> None:
    base = make_base([document("甲", title=one, version=1), document("乙", title=other, version=2)])
    assert names(current(base).invoke("年假")) == "乙"


def test_equal_versions_stay_together_and_other_keys_can_be_named(make_base: MakeBase) -> None:
    rows = [("甲", 1, 1), ("乙", 1, 2), ("丙", 2, 1), ("丁", 1, "2.0")]
    base = make_base([document(name, title="手册", number=number, version=version) for name, number, version in rows])
    assert names(current(base).invoke("年假")) == "丁乙"
    assert names(current(base, document_key=["title", "number"]).invoke("年假")) == "丁丙乙"


def test_a_new_version_that_is_not_in_force_yet_takes_no_ones_place(make_base: MakeBase) -> None:
    rows = [document("甲", title="手册", version=1), document("乙", title="手册", version=2, valid_from="2026-04-01")]
    base = make_base(rows)
    assert names(current(base).invoke("年假")) == "甲"
    assert names(current(base, today=lambda: date(2026, 4, 1)).invoke("年假")) == "乙"


def test_what_another_tenant_owns_hides_nothing(make_base: MakeBase) -> None:
    rows = [
        document("甲", title="手册", version=1, tenant="一"),
        document("乙", title="手册", version=2, tenant="二"),
    ]
    retriever = current(make_base(rows))
    assert names(retriever.invoke("年假", filter={"tenant": "一"})) == "甲"
    assert names(retriever.invoke("年假", filter={"tenant": "二"})) == "乙"
    assert names(retriever.invoke("年假")) == "乙"


def test_outdated_documents_take_no_place_from_others(make_base: MakeBase) -> None:
    old = [
        Document(page_content="年假几天", metadata={"source": f"{n}.md", "valid_until": "2020", "name": "旧"})
        for n in range(9)
    ]
    retriever = current(make_base([*old, document("甲"), document("乙")]), k=2)
    assert names(retriever.invoke("年假几天")) == "乙甲"


def test_what_is_added_later_is_seen_at_the_next_question(make_base: MakeBase) -> None:
    base = make_base([document("甲", title="手册", version=1)])
    retriever = current(base)
    assert names(retriever.invoke("年假")) == "甲"
    make_base([document("乙", title="手册", version=2)])
    assert names(retriever.invoke("年假")) == "乙"


def test_an_outdated_document_is_no_evidence_under_any_step(make_base: MakeBase, chat: Any) -> None:
    base = make_base([document("甲", title="手册", version=1), document("乙", title="手册", version=2)])
    retriever = HydeRetriever(retriever=current(base), chat=chat("年假规定甲"))
    answer = build_answer_chain(retriever, base.settings).invoke("年假规定")
    assert [block.source for block in answer.evidence] == ["乙.md"]


def test_a_retriever_that_cannot_filter_has_its_documents_looked_through(make_base: MakeBase, ranking: Any) -> None:
    base = make_base([document("甲", valid_until="2020"), document("乙")])
    found = ranking()
    found.found = base.documents()
    assert names(current(base, retriever=found).invoke("年假")) == "乙"


@pytest.mark.parametrize(
    ("value", "days"),
    [
        ("2024-02", (date(2024, 2, 1), date(2024, 3, 1))),
        ("2024年12月", (date(2024, 12, 1), date(2025, 1, 1))),
        ("20240501", (date(2024, 5, 1), date(2024, 5, 2))),
        ("2024.5.1", (date(2024, 5, 1), date(2024, 5, 2))),
        ("2024-05-01 08:00", (date(2024, 5, 1), date(2024, 5, 2))),
        (2024, (date(2024, 1, 1), date(2025, 1, 1))),
        ("2024-13", None),
        ("9999", None),
        ("去年", None),
        (True, None),
        (None, None),
    ],
)
def test_days_are_read_in_the_forms_that_people_write(value: Any, days: Any) -> None:
    assert period_of(value) == days


def test_of_one_file_only_the_parts_that_are_outdated_are_left_out(make_base: MakeBase) -> None:
    shared = {"source": "prices.csv"}
    rows = [
        document("甲", **shared, valid_until="2020"),
        document("乙", **shared),
        document("丙", **shared, title="价目", version=1),
        document("丁", **shared, title="价目", version=2),
    ]
    retriever = current(make_base(rows))
    assert names(retriever.invoke("年假")) == "丁乙"
    assert retriever.conditions_today() == {
        "$and": [
            {"valid_until": {"$ne": "2020"}},
            {"$or": [{"title": {"$ne": "价目"}}, {"version": {"$ne": 1}}]},
        ]
    }


def test_whole_files_are_left_out_by_their_name(make_base: MakeBase) -> None:
    rows = [document("甲", valid_until="2020"), document("乙"), document("丙", title="价", version=1)]
    retriever = current(make_base([*rows, document("丁", title="价", version=2)]))
    assert retriever.conditions_today() == {"$and": [{"source": {"$nin": ["甲.md", "丙.md"]}}]}


@pytest.mark.parametrize("conditions", [None, {"tenant": "一"}, {"version": {"$gte": 2}}])
def test_a_list_of_documents_and_a_base_of_them_say_the_same(make_base: MakeBase, conditions: Any) -> None:
    rows = [
        document("甲", title="手册", version=1, tenant="一"),
        document("乙", title="手册", version=2, tenant="二"),
        document("丙", title="章程", valid_until="2020", tenant="一"),
        document("丁", source="prices.csv", title="价目", version=1),
        document("戊", source="prices.csv", title="价目", version="0.9"),
        document("己", source="prices.csv", title="价目", version=3, tenant="一"),
        document("庚", source="prices.csv", valid_from=["2027"], title=["无"]),
    ]
    base = make_base(rows)
    listed = current(base, source=DocumentList(base.documents()))
    assert current(base).conditions_today(conditions) == listed.conditions_today(conditions)
