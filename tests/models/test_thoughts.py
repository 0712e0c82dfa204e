"""What a reasoning model thinks aloud is no part of what it says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from youju.errors import EmptyAnswerError
from youju.models import check_reply, said_so_far, without_thoughts


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("<think>也许是[资料9]</think>年假为10天[资料1]。", "年假为10天[资料1]。"),
        ("也许是[资料9]</think>\n\n年假为10天[资料1]。", "年假为10天[资料1]。"),
        ("<THINKING>想</THINKING>好", "好"),
        ("<think>一</think>甲<think>二</think>乙", "甲乙"),
        ("甲<think>没有想完", "甲"),
        ("<think>没有想完", ""),
        ("3 < 5 且 a<b", "3 < 5 且 a<b"),
        (" 原样 ", " 原样 "),
    ],
)
def test_thoughts_are_left_out_also_where_one_tag_is_missing(reply: str, said: str) -> None:
    assert without_thoughts(reply) == said


def test_a_reply_of_nothing_but_thoughts_is_empty() -> None:
    with pytest.raises(EmptyAnswerError):
        check_reply(AIMessage("<think>年假好像是十天。"), "m")


@given(
    before=st.text(alphabet="甲乙 \n<t"), thought=st.text(alphabet="想[资料9]<>"), after=st.text(alphabet="丙丁。<5")
)
def test_no_part_of_a_thought_with_an_opening_tag_is_ever_shown(before: str, thought: str, after: str) -> None:
    reply = f"{before}<think>{thought}</think>{after}"
    for at in range(len(reply) + 1):
        shown = said_so_far(reply[:at])
        assert "想" not in shown
        assert "资料" not in shown
        assert "<think" not in shown
