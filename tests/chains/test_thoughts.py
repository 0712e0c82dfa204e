"""What a reasoning model thinks aloud, in answers and streams."""

from collections.abc import Callable
from typing import Any

import pytest

from youju import Settings
from youju.chains import CitationError, CitationParser, build_answer_chain, text_pieces

Make = Callable[..., Any]
ONCE = Settings.model_validate({"answer": {"max_retries": 0}})
SAID = "年假为10天[资料1]。"
WITH_BOTH_TAGS = ["<think>也许是[资料9]？</think>" + SAID, "<think>资料中未提及？再看一遍…</think>" + SAID]
WITHOUT_THE_OPENING_TAG = "也许是[资料9]？</think>\n\n" + SAID


@pytest.mark.parametrize("reply", [*WITH_BOTH_TAGS, WITHOUT_THE_OPENING_TAG])
async def test_thoughts_are_no_part_of_an_answer(reply: str, scripted: Make, fixed: Make) -> None:
    for awaited in (False, True):
        chain = build_answer_chain(fixed("年假为10天。"), ONCE, chat=scripted(reply))
        answer = await chain.ainvoke("年假几天？") if awaited else chain.invoke("年假几天？")
        assert (answer.status, answer.answer, [one.n for one in answer.citations]) == ("answered", SAID, [1])


def test_thoughts_without_an_answer_are_an_empty_answer(scripted: Make, fixed: Make) -> None:
    answer = build_answer_chain(fixed("年假为10天。"), ONCE, chat=scripted("<think>只想不答")).invoke("年假几天？")
    assert (answer.status, answer.answer, answer.claims) == ("rejected", "", [])
    assert str(answer.reason).endswith("回答是空的")


@pytest.mark.parametrize("reply", WITH_BOTH_TAGS)
@pytest.mark.parametrize("size", [1, 3, 7])
def test_no_part_of_a_thought_is_streamed_wherever_it_is_cut(
    reply: str, size: int, scripted: Make, fixed: Make
) -> None:
    pieces = [reply[at : at + size] for at in range(0, len(reply), size)]
    chain = build_answer_chain(fixed("年假为10天。"), ONCE, chat=scripted(pieces))
    assert "".join(text_pieces(chain.stream("年假几天？"))) == SAID


def test_a_model_that_begins_inside_its_thoughts_is_held_back_where_the_settings_say_so(
    scripted: Make, fixed: Make
) -> None:
    settings = Settings.model_validate({"answer": {"max_retries": 0}, "chat": {"thinking": "opened"}})
    chain = build_answer_chain(fixed("年假为10天。"), settings, chat=scripted(list(WITHOUT_THE_OPENING_TAG)))
    assert "".join(text_pieces(chain.stream("年假几天？"))) == SAID


def test_a_tag_in_the_text_stays_where_thoughts_are_kept() -> None:
    text = "标签<think>在文中[资料1]"
    assert CitationParser(blocks=1, thinking="keep").parse(text).text == text
    with pytest.raises(CitationError, match="没有标出依据"):
        CitationParser(blocks=1).parse(text)
