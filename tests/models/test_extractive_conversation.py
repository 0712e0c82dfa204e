"""Follow-up questions to the built-in model."""

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from youju.models.extractive import ExtractiveChatModel
from youju.models.question_context import depends, in_context

FIRMS = """[资料1] firms.md
| 公司 | 联系人 | 电话 | 付款周期 |
|---|---|---|---|
| 远山包装 | 何立 | 0571-2200 | 45天 |
| 蓝海电子 | 周宁 | 0755-8800 | 30天 |"""
LEAVE = "[资料1] leave.md\n年假为10天。病假为5天。"


def said(evidence: str, question: str, *earlier: tuple[str, str]) -> str:
    """What the model answers to a question behind others."""
    turns = [turn for asked, told in earlier for turn in (HumanMessage(asked), AIMessage(told))]
    prompt = HumanMessage(f"<资料>\n{evidence}\n</资料>\n\n问题：{question}")
    return ExtractiveChatModel().invoke([SystemMessage("规则"), *turns, prompt]).text


@pytest.mark.parametrize(
    ("question", "value"), [("电话呢？", "0755-8800"), ("它的电话是多少？", "0755-8800"), ("付款周期呢？", "30天")]
)
def test_a_follow_up_is_about_what_was_asked_before(question: str, value: str) -> None:
    answer = said(FIRMS, question, ("蓝海电子的联系人是谁？", "周宁"))
    assert value in answer
    assert "远山包装" not in answer


def test_another_thing_may_take_the_place_of_the_one_before() -> None:
    assert said(LEAVE, "那病假呢？", ("年假有几天？", "10天")) == "病假为5天[资料1]。"


def test_a_question_that_stands_alone_is_left_as_it_is() -> None:
    assert in_context("病假有几天？", "年假有几天？") == "病假有几天？"
    assert in_context("电话呢？", "") == "电话呢？"
    assert not depends("病假有几天？")


def test_the_words_of_both_questions_meet() -> None:
    assert in_context("电话呢？", "蓝海电子的联系人是谁？") == "蓝海电子的联系人电话"
    assert in_context("那病假呢？", "年假有几天？") == "病假有几天？"
    assert in_context("乙方呢？", "甲方能解除合同吗？") == "乙方能解除合同吗？"
    assert in_context("那财务部呢？", "法务部几天内提出意见？") == "财务部几天内提出意见？"
    assert in_context("12万呢？", "采购6万元谁审批？") == "采购12万谁审批？"
    assert in_context("它的电话是多少？", "蓝海电子的联系人是谁？") == "蓝海电子的联系人电话是多少"
