"""The question in several wordings: what becomes a query, what is joined, and what happens without a model."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase
from youju.chains import build_answer_chain
from youju.retrievers import BM25Retriever, MultiQueryRetriever
from youju.retrievers.multi_query import wordings

MakeBase = Callable[..., KnowledgeBase]
Warnings = Callable[[], list[str]]


@pytest.mark.parametrize(
    ("reply", "found"),
    [
        ("以下是改写：\n1. 年假几天\n\n2、年休假天数\n- 年假标准\n年假几天", ["年假几天", "年休假天数", "年假标准"]),
        ("好的，这是三种说法。\n（1）甲乙\n② 丙丁\n* 戊己", ["甲乙", "丙丁", "戊己"]),
        (
            "3.5%利率怎么算\n2024年的利率\n10:30发车的班次\n-5度能否施工",
            ["3.5%利率怎么算", "2024年的利率", "10:30发车的班次", "-5度能否施工"],
        ),
        ('```json\n["年假几天", "“年休假”天数"]\n```', ["年假几天", "“年休假”天数"]),
        ("**1. 年假几天**\n## 年休假\n“带薪假”", ["年假几天", "年休假", "带薪假"]),
        ("改写1：年假几天\nQ2: annual leave", ["年假几天", "annual leave"]),
        ("原来的问题？\n原来的 问题\n", []),
        ("当然无效的合同\n一百零一条\n。。。\n", ["当然无效的合同", "一百零一条"]),
        ("字" * 201, []),
    ],
)
def test_only_questions_become_queries(reply: str, found: list[str]) -> None:
    assert wordings(reply, "原来的问题") == found


NUMBER = Document(page_content="报销单 BX-2024-0017 的状态是已付款。")
OTHERS = [Document(page_content=f"报销流程第{n}步，发票要求见附件。") for n in range(1, 9)]


@pytest.mark.parametrize("replies", [["报销流程\n发票要求"], [RuntimeError("down")], [""], ["<think>报销流程"]])
async def test_a_bad_rewrite_loses_nothing_that_the_question_finds(
    replies: list[Any], chat: Any, make_base: MakeBase
) -> None:
    base = make_base([*OTHERS, NUMBER])
    for found in (
        MultiQueryRetriever(retriever=BM25Retriever(source=base), chat=chat(*replies)).invoke("BX-2024-0017状态"),
        await MultiQueryRetriever(retriever=BM25Retriever(source=base), chat=chat(*replies)).ainvoke(
            "BX-2024-0017状态"
        ),
    ):
        assert found[0].page_content == NUMBER.page_content


def test_a_model_that_fails_is_told(chat: Any, ranking: Any, warnings_of: Warnings) -> None:
    MultiQueryRetriever(retriever=ranking("甲"), chat=chat(RuntimeError("down"))).invoke("问题")
    MultiQueryRetriever(retriever=ranking("甲"), chat=chat("以下是改写：")).invoke("问题")
    assert warnings_of() == [
        "multi_query 没有用上聊天模型，只按原来的问题检索：down",
        "multi_query 没有得到别的问法，只按原来的问题检索",
    ]


async def test_the_question_and_each_wording_are_searched_once(chat: Any, ranking: Any) -> None:
    base = ranking("甲")
    retriever = MultiQueryRetriever(retriever=base, chat=chat("一种说法\n二种说法\n三种说法"), queries=2)
    retriever.invoke("问题")
    assert sorted(base.asked) == ["一种说法", "二种说法", "问题"]
    await retriever.ainvoke("问题")
    assert sorted(base.asked[3:]) == ["一种说法", "二种说法", "问题"]


def test_what_every_wording_finds_comes_once_with_the_sum_of_its_shares(chat: Any, ranking: Any) -> None:
    retriever = MultiQueryRetriever(retriever=ranking("甲", "乙"), chat=chat("说法一\n说法二"), queries=2)
    [first, second] = retriever.invoke("问题")
    assert (first.id, second.id) == ("甲", "乙")
    assert first.metadata["ranks"] == {"question": 1, "wording_1": 1, "wording_2": 1}
    assert first.metadata["score"] == pytest.approx(0.5 / 61 + 0.25 / 61 + 0.25 / 61)
    assert second.metadata["score"] == pytest.approx(1 / 62)


def test_the_question_outweighs_each_single_wording(chat: Any) -> None:
    base = BM25Retriever.from_texts(["年假十天", "病假五天"])
    found = MultiQueryRetriever(retriever=base, chat=chat("病假\n事假")).invoke("年假")
    assert [(d.page_content, d.metadata["ranks"]) for d in found] == [
        ("年假十天", {"bm25": 1, "question": 1}),
        ("病假五天", {"bm25": 1, "wording_1": 1}),
    ]
    assert [d.metadata["score"] for d in found] == [pytest.approx(0.5 / 61), pytest.approx(0.25 / 61)]


def test_the_prompt_of_the_answer_keeps_the_question_and_shows_each_passage_once(
    chat: Any, make_base: MakeBase
) -> None:
    base = make_base([Document(page_content="年假为十天。")])
    retriever = MultiQueryRetriever(retriever=BM25Retriever(source=base), chat=chat("年假天数\n年假标准\n年假规定"))
    answering = chat("年假为十天[资料1]。")
    answer = build_answer_chain(retriever, base.settings, chat=answering).invoke("年假几天")
    assert answer.answer == "年假为十天[资料1]。"
    assert answering.asked[0].endswith("问题：年假几天")
    assert answering.asked[0].count("年假为十天。") == 1
    assert "年假天数" not in answering.asked[0]


def test_what_a_model_thinks_aloud_is_never_searched(chat: Any, ranking: Any) -> None:
    base = ranking("甲")
    for reply in ("<think>也许查食堂\n</think>\n年休假", "也许查食堂\n</think>年休假"):
        MultiQueryRetriever(retriever=base, chat=chat(reply)).invoke("年假")
    assert sorted(base.asked) == ["年休假", "年休假", "年假", "年假"]


def test_braces_in_a_question_have_no_meaning(chat: Any, ranking: Any) -> None:
    model = chat("甲乙")
    MultiQueryRetriever(retriever=ranking("甲"), chat=model).invoke("{count} 是什么 {0}")
    assert model.asked[0].endswith("问题：{count} 是什么 {0}")


def test_warnings_go_to_the_logger_of_the_package() -> None:
    assert logging.getLogger("youju").handlers == []


def test_brackets_without_end_are_no_wordings(chat: Any, ranking: Any, warnings_of: Warnings) -> None:
    retriever = MultiQueryRetriever(retriever=ranking("a"), chat=chat("[" * 100_000 + "]"))
    assert [document.id for document in retriever.invoke("年假")] == ["a"]
    assert warnings_of() == ["multi_query 没有得到别的问法，只按原来的问题检索"]
