"""A model that reads the evidence twice."""

from collections.abc import Callable
from typing import Any

import pytest

from youju import Settings
from youju.chains import answer_events, build_answer_chain, build_conversation_chain
from youju.errors import EmptyAnswerError

Make = Callable[..., Any]
LEAVE = "年假为10天。病假须提交证明。"
TWICE = Settings.model_validate({"answer": {"readings": 2, "max_retries": 1}})
SILENT = [
    "资料中未提及",
    "资料中未提及。[资料1]",
    "<think>年假？</think>资料没有提到年假。",
    "The documents do not mention it.",
]


@pytest.mark.parametrize("reply", SILENT)
def test_what_the_first_reading_does_not_find_is_not_answered(reply: str, scripted: Make, fixed: Make) -> None:
    model = scripted(reply)
    answer = build_answer_chain(fixed(LEAVE), TWICE, chat=model).invoke("年假几天？")
    assert (answer.status, answer.answer, answer.attempts) == ("not_found", "资料中未提及", 1)
    assert answer.refusal is not None
    assert answer.refusal.steps[-1].reason == "模型读第一遍时，资料没有写到"
    assert answer.usage["total_tokens"] == 12


@pytest.mark.parametrize("first", ["10天", "年假为10天。婚假资料中未提及。", "不知道"])
def test_what_it_finds_is_asked_again_with_the_rules_and_only_that_is_the_answer(
    first: str, scripted: Make, fixed: Make
) -> None:
    model = scripted(first, "年假为10天[资料1]。")
    answer = build_answer_chain(fixed(LEAVE), TWICE, chat=model).invoke("年假几天？")
    assert (answer.status, answer.answer, answer.attempts) == ("answered", "年假为10天[资料1]。", 2)
    (reading,), (human,) = model.prompts
    assert "[资料1]" in reading.text
    assert reading.text.endswith("问题：年假几天？")
    assert "几个部分" in human.text
    assert "几个部分" not in reading.text


def test_the_first_reading_takes_no_retry_away(scripted: Make, fixed: Make) -> None:
    model = scripted("10天", "年假为15天[资料1]。", "年假为10天[资料1]。")
    answer = build_answer_chain(fixed(LEAVE), TWICE, chat=model).invoke("年假几天？")
    assert (answer.answer, answer.attempts) == ("年假为10天[资料1]。", 3)


async def test_all_forms_read_twice(scripted: Make, fixed: Make) -> None:
    def chain(*replies: Any) -> Any:
        return build_answer_chain(fixed(LEAVE), TWICE, chat=scripted(*replies))

    right = ("10天", ["年假为", "10天[资料1]。"])
    assert (await chain("资料中未提及").ainvoke("年假几天？")).status == "not_found"
    assert (await chain(*right).ainvoke("年假几天？")).answer == "年假为10天[资料1]。"
    assert [draft.status for draft in chain("资料中未提及").stream("年假几天？")] == ["not_found"]
    assert list(chain(*right).stream("年假几天？"))[-1].answer == "年假为10天[资料1]。"
    assert [draft.status async for draft in chain("资料中未提及").astream("年假几天？")] == ["not_found"]
    assert [draft async for draft in chain(*right).astream("年假几天？")][-1].answer == "年假为10天[资料1]。"
    assert [event.kind for event in answer_events(chain("资料中未提及"), "年假几天？")] == [
        "evidence",
        "sentence",
        "final",
    ]


def test_a_follow_up_is_first_read_as_the_question_that_was_searched(scripted: Make, fixed: Make) -> None:
    model = scripted("年假几天？", "10天", "年假为10天[资料1]。")
    chain = build_conversation_chain(fixed(LEAVE), TWICE, chat=model)
    chain.invoke({"question": "那是几天？", "history": [("human", "有年假吗？"), ("ai", "有年假。")]})
    assert model.prompts[1][0].text.endswith("问题：年假几天？")


def test_an_empty_first_reading_is_an_error(scripted: Make, fixed: Make) -> None:
    with pytest.raises(EmptyAnswerError):
        build_answer_chain(fixed(LEAVE), TWICE, chat=scripted(" ")).invoke("年假几天？")


def test_usually_the_model_reads_once(scripted: Make, fixed: Make) -> None:
    model = scripted("年假为10天[资料1]。")
    assert build_answer_chain(fixed(LEAVE), Settings(), chat=model).invoke("年假几天？").attempts == 1
