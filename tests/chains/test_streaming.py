"""Answers while they are written."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import aclosing, closing
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableGenerator

from youju import Settings
from youju.chains import CitedAnswer, atext_pieces, build_answer_chain, text_pieces
from youju.errors import ModelTimeoutError

ANSWER = "年假为10天[资料1]。"
CUTS = [[ANSWER[:at], ANSWER[at:]] for at in range(1, len(ANSWER))] + [list(ANSWER), [ANSWER]]
Make = Callable[..., Any]
MARK = re.compile(r"\[资料\d+\]")


def ends_inside_a_mark(draft: str, whole: str) -> bool:
    return any(match.start() < len(draft) < match.end() for match in MARK.finditer(whole))


def test_there_are_thirteen_ways_to_cut_the_answer() -> None:
    assert len(ANSWER) == 12
    assert len(CUTS) == 13


@pytest.mark.parametrize("pieces", CUTS, ids=len)
def test_any_cut_gives_the_same_text_and_no_draft_ends_inside_a_mark(
    pieces: list[str], scripted: Make, fixed: Make
) -> None:
    chain = build_answer_chain(fixed("年假为10天。", "病假", "事假"), chat=scripted(pieces))
    *drafts, last = chain.stream("年假几天？")
    assert drafts[-1].answer == last.answer == ANSWER
    assert "".join(text_pieces(iter([*drafts, last]))) == ANSWER
    assert [citation.n for citation in last.citations] == [1]
    assert not any(ends_inside_a_mark(draft.answer, ANSWER) for draft in drafts)
    assert {draft.status for draft in drafts} == {"streaming"}
    assert last.status == "answered"


@pytest.mark.parametrize("pieces", CUTS, ids=len)
async def test_the_same_holds_for_asynchronous_streams(pieces: list[str], scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("年假为10天。", "病假", "事假"), chat=scripted(pieces))
    answers = [answer async for answer in chain.astream("年假几天？")]
    assert answers[-1].answer == ANSWER
    assert not any(ends_inside_a_mark(draft.answer, ANSWER) for draft in answers[:-1])
    again = build_answer_chain(fixed("年假为10天。", "病假", "事假"), chat=scripted(pieces))
    assert "".join([piece async for piece in atext_pieces(again.astream("年假几天？"))]) == ANSWER


def test_pieces_arrive_before_the_model_has_finished(scripted: Make, fixed: Make) -> None:
    model = scripted(list(ANSWER))
    arrived = [
        len(model.events)
        for answer in build_answer_chain(fixed("年假为10天。"), chat=model).stream("年假几天？")
        if answer.status == "streaming"
    ]
    assert len([sent for sent in arrived if sent < len(ANSWER)]) >= 2
    assert arrived[:3] == [1, 2, 3]


def test_a_stream_that_stops_in_a_mark_still_shows_it_as_text_and_ends_rejected(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("年假为10天。"), chat=scripted(list("年假为10天[资")))
    answers = list(chain.stream("年假几天？"))
    assert "".join(text_pieces(iter(answers))) == "年假为10天[资"
    assert (answers[-1].status, answers[-1].citations) == ("rejected", [])
    assert answers[-1].claims[0].verdict == "uncited"


def test_a_bad_number_is_reported_at_the_end_though_the_text_has_been_shown(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("甲", "乙", "丙"), chat=scripted(list("年假为10天[资料7]。")))
    answers = list(chain.stream("年假几天？"))
    assert "".join(text_pieces(iter(answers))) == "年假为10天[资料7]。"
    last = answers[-1]
    assert (last.status, last.answer, last.citations) == ("rejected", "", [])
    assert last.claims[0].citations == [7]
    assert "[资料7]" in str(last.reason)


def test_whoever_stops_reading_stops_the_model(scripted: Make, fixed: Make) -> None:
    model = scripted(list(ANSWER), list(ANSWER))
    chain = build_answer_chain(fixed("年假为10天。"), chat=model)
    with closing(chain.stream("年假几天？")) as answers:
        assert next(answers).answer == "年"
    assert model.events == ["年", "closed"]
    model.events.clear()
    with closing(text_pieces(chain.stream("年假几天？"))) as pieces:
        assert next(pieces) == "年"
    assert model.events == ["年", "closed"]


async def closed(model: Any) -> None:
    """Wait for the event loop to close what nobody reads any more, which takes it some rounds."""
    for _ in range(100):
        if model.events[-1] == "closed":
            return
        await asyncio.sleep(0.01)


async def test_whoever_stops_reading_an_asynchronous_stream_stops_the_model(scripted: Make, fixed: Make) -> None:
    model = scripted(list(ANSWER), list(ANSWER))
    chain = build_answer_chain(fixed("年假为10天。"), chat=model)
    async with aclosing(chain.astream("年假几天？")) as answers:
        assert (await anext(answers)).answer == "年"
    await closed(model)
    assert model.events == ["年", "closed"]
    model.events.clear()
    async with aclosing(atext_pieces(chain.astream("年假几天？"))) as pieces:
        assert await anext(pieces) == "年"
    await closed(model)
    assert model.events == ["年", "closed"]


def test_a_stream_makes_one_attempt_only(scripted: Make, fixed: Make) -> None:
    model = scripted("没有依据。", ANSWER)
    last = list(build_answer_chain(fixed("甲"), chat=model).stream("年假几天？"))[-1]
    assert (last.status, last.attempts, len(model.prompts)) == ("rejected", 1, 1)


def test_a_stream_without_evidence_is_one_answer(scripted: Make, fixed: Make) -> None:
    model = scripted()
    (only,) = build_answer_chain(fixed(), chat=model).stream("年假几天？")
    assert only.status == "insufficient_evidence"
    assert model.prompts == []


async def test_a_stream_of_text_says_that_nothing_was_found(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed(), chat=scripted("北京。"))
    assert list(text_pieces(chain.stream("首都在哪？"))) == ["资料中未提及"]
    assert [piece async for piece in atext_pieces(chain.astream("首都在哪？"))] == ["资料中未提及"]


def test_what_is_no_retriever_or_no_model_is_refused_at_once(fixed: Make) -> None:
    with pytest.raises(TypeError, match="list"):
        build_answer_chain([])  # type: ignore[arg-type] - the wrong type is the test
    with pytest.raises(TypeError, match="str"):
        build_answer_chain(fixed(), chat="openai:gpt-4o")  # type: ignore[arg-type] - as above


async def test_a_model_that_fails_in_a_stream_is_an_error(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("甲"), chat=scripted(TimeoutError(), TimeoutError()))
    with pytest.raises(ModelTimeoutError):
        list(chain.stream("年假几天？"))
    with pytest.raises(ModelTimeoutError):
        _ = [answer async for answer in chain.astream("年假几天？")]


def test_any_runnable_that_yields_text_is_a_model(fixed: Make) -> None:
    def speak(_: Any) -> Iterator[str]:
        yield "年假为10天"
        yield "[资料1]。"

    chain = build_answer_chain(fixed("年假为10天。"), chat=RunnableGenerator(speak))
    assert [answer.answer for answer in chain.stream("年假几天？")] == ["年假为10天", ANSWER, ANSWER]


def test_a_stream_of_whole_messages_is_joined_like_one_of_chunks(fixed: Make) -> None:
    def speak(_: Any) -> Iterator[AIMessage]:
        yield AIMessage("年假为10天", response_metadata={"finish_reason": "stop"})
        yield AIMessage("[资料1]。", response_metadata={"finish_reason": "stop"})

    chain = build_answer_chain(fixed("年假为10天。"), chat=RunnableGenerator(speak))
    *_, last = chain.stream("年假几天？")
    assert (last.status, last.answer) == ("answered", ANSWER)


PIECES = st.lists(
    st.sampled_from(
        [
            "[资料1]",
            "［资料２］",
            "[资料1、",
            "资料3]",
            "[资",
            "料1]",
            "[资料1-",
            "[資",
            "\u200b",
            "。",
            "\n",
            " ",
            "年假",
        ]
    )
    | st.text(alphabet="年假[]【资料】（1）2、，。", max_size=4),
    min_size=1,
    max_size=8,
)


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PIECES)
def test_any_text_in_any_cut_ends_in_what_invoke_returns(scripted: Make, fixed: Make, pieces: list[str]) -> None:
    text = "年" + "".join(pieces)
    settings = Settings.model_validate({"answer": {"max_retries": 0}})
    finder = fixed("甲", "乙", "丙")
    asked: CitedAnswer = build_answer_chain(finder, settings, chat=scripted(text)).invoke("年假几天？")
    *drafts, last = build_answer_chain(finder, settings, chat=scripted(["年", *pieces])).stream("年假几天？")
    assert last.model_dump(exclude={"usage"}) == asked.model_dump(exclude={"usage"})
    whole = drafts[-1].answer
    if asked.answer and asked.status != "not_found" and all(claim.reason is None for claim in asked.claims):
        assert whole.strip() == asked.answer
    for one, other in pairwise(drafts):
        assert other.answer.startswith(one.answer)
        assert not ends_inside_a_mark(one.answer, whole)
