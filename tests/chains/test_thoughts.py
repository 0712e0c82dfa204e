"""Answers of models that think aloud."""

from collections.abc import Callable
from typing import Any

import pytest

from youju.chains import build_answer_chain

ANSWER = "年假为10天[资料1]。"
THOUGHT = "<think>也许是[资料9]，要不要写？</think>"


@pytest.mark.parametrize("before", [THOUGHT, THOUGHT.removeprefix("<think>"), f"{THOUGHT}\n\n", ""])
async def test_a_thought_is_neither_shown_nor_cited(
    before: str, scripted: Callable[..., Any], fixed: Callable[..., Any]
) -> None:
    def chain() -> Any:
        return build_answer_chain(fixed("年假为10天。"), chat=scripted(before + ANSWER))

    for answer in (chain().invoke("年假几天"), await chain().ainvoke("年假几天"), list(chain().stream("年假几天"))[-1]):
        assert (answer.status, answer.answer, answer.attempts) == ("answered", ANSWER, 1)
        assert [citation.n for citation in answer.citations] == [1]


@pytest.mark.parametrize("cut", range(1, len(THOUGHT + ANSWER)))
def test_a_stream_shows_nothing_of_a_thought(cut: int, scripted: Callable[..., Any], fixed: Callable[..., Any]) -> None:
    whole = THOUGHT + ANSWER
    chain = build_answer_chain(fixed("年假为10天。"), chat=scripted([whole[:cut], whole[cut:]]))
    *drafts, last = chain.stream("年假几天")
    assert last.answer == ANSWER
    assert all(ANSWER.startswith(draft.answer) for draft in drafts)
