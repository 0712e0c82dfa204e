"""Answers told sentence by sentence."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableLambda

from youju import Settings
from youju.chains import aanswer_events, answer_events, build_answer_chain

Make = Callable[..., Any]
LEAVE = "年假为10天。病假须提交证明。"
TRIPS = "住宿费每晚不超过400元。餐费每天80元。"
ONCE = Settings.model_validate({"answer": {"max_retries": 0}})


def told(events: list[Any]) -> str:
    return "".join(event.text for event in events if event.kind == "sentence")


def test_evidence_comes_before_the_model_is_asked(scripted: Make, fixed: Make) -> None:
    model = scripted("年假为10天[资料1]。")
    events = answer_events(build_answer_chain(fixed(LEAVE), chat=model), "年假几天？")
    first = next(events)
    assert (first.kind, [block.text for block in first.evidence]) == ("evidence", [LEAVE])
    assert model.prompts == []


async def test_each_sentence_comes_once_its_citations_are_checked_and_together_they_are_the_answer(
    scripted: Make, fixed: Make
) -> None:
    reply = "年假为10天[资料1]。餐费每天90元[资料2]。\n住宿费每晚不超过400元[资料2]。"
    for awaited in (False, True):
        chain = build_answer_chain(fixed(LEAVE, TRIPS), ONCE, chat=scripted(list(reply)))
        events = [e async for e in aanswer_events(chain, "标准？")] if awaited else list(answer_events(chain, "标准？"))
        assert [event.kind for event in events] == ["evidence", "sentence", "sentence", "final"]
        assert [event.text for event in events[1:3]] == ["年假为10天[资料1]。", "\n住宿费每晚不超过400元[资料2]。"]
        assert events[1].claim is not None
        assert events[1].claim.quotes[0].text == "年假为10天。"
        assert events[-1].answer is not None
        assert (events[-1].answer.status, events[-1].answer.answer) == ("partial", told(events))


def test_a_sentence_is_told_before_the_model_has_finished(scripted: Make, fixed: Make) -> None:
    reply = "年假为10天[资料1]。\n病假须提交证明[资料1]。\n年假为10天[资料1]。"
    model = scripted(list(reply))
    sent = [
        len(model.events)
        for event in answer_events(build_answer_chain(fixed(LEAVE), ONCE, chat=model), "年假？")
        if event.kind == "sentence"
    ]
    assert sent[0] < len(reply)


def test_a_sentence_that_is_taken_back_was_never_told(scripted: Make, fixed: Make) -> None:
    events = list(answer_events(build_answer_chain(fixed(LEAVE), ONCE, chat=scripted("年假为15天[资料1]。")), "年假？"))
    assert [event.kind for event in events] == ["evidence", "final"]
    assert events[-1].answer.status == "rejected"


@pytest.mark.parametrize(("found", "status"), [([], "insufficient_evidence"), ([LEAVE], "not_found")])
def test_that_nothing_was_found_is_told_as_a_sentence(
    found: list[str], status: str, scripted: Make, fixed: Make
) -> None:
    model = scripted("抱歉，资料中没有说明婚假[资料1]。")
    events = list(answer_events(build_answer_chain(fixed(*found), ONCE, chat=model), "婚假几天？"))
    assert told(events) == "资料中未提及"
    assert events[-1].answer.status == status


def test_another_chain_is_refused() -> None:
    with pytest.raises(TypeError, match="build_answer_chain"):
        next(answer_events(RunnableLambda(str), "年假？"))


SENTENCES = st.sampled_from(
    [
        *(
            "年假为10天[资料1]。",
            "年假为11天[资料1]。",
            "餐费每天80元[资料2]。",
            "餐费每天80元。",
            "[资料1]",
            "\n",
            "\n\n",
        ),
        *("资料中未提及。", "## 假期\n", "规定如下：\n", "- 病假须提交证明[资料1]\n", "“去吗？”", "他问。", "是的。"),
        *("| 项目 | 标准 |\n", "|---|---|\n", "| 年假 | 10天[资料1] |\n", "<think>", "年假99天", "</think>"),
    ]
)


@hypothesis_settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(SENTENCES, min_size=1, max_size=9))
def test_what_was_told_is_the_answer_whatever_the_model_writes(scripted: Make, fixed: Make, parts: list[str]) -> None:
    chain = build_answer_chain(fixed(LEAVE, TRIPS), ONCE, chat=scripted(["。", *"".join(parts)]))
    *events, final = answer_events(chain, "年假几天？")
    assert final.answer is not None
    assert told(events) == final.answer.answer
