"""What a reasoning model thinks aloud never becomes part of what it says."""

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage

from youju import Settings
from youju.errors import SettingsError
from youju.models import ThinkingFilter, without_thinking

ANSWER = "年假为10天[资料1]。"
TEXTS = st.lists(
    st.sampled_from(
        [
            "<think>",
            "</think>",
            "<THINKING>",
            "</thinking>",
            "[THINK]",
            "<",
            "</th",
            "ink>",
            " ",
            "\n",
            "甲",
            "乙[资料1]。",
        ]
    )
).map("".join)


def streamed(pieces: list[str], thinking: str = "remove") -> tuple[list[str], bool]:
    """What each piece lets out, the rest at the end, and whether thoughts have left."""
    reply = ThinkingFilter(thinking)  # type: ignore[arg-type]  # a literal in every call
    return [*map(reply.feed, pieces), reply.rest()], reply.late


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (f"<think>也许是[资料9]？</think>{ANSWER}", ANSWER),
        (f"也许是[资料9]？</think>\n\n{ANSWER}", ANSWER),
        (f"<think>资料中未提及？再看一遍…</think>{ANSWER}", ANSWER),
        ("<think>只想不答", ""),
        ("", ""),
        (f"\n<think>\n\n</think>\n\n{ANSWER}\n", f"{ANSWER}\n"),
        (f"<THINKING>甲</Thinking>{ANSWER}", ANSWER),
        (f"[THINK]甲[/THINK]{ANSWER}", ANSWER),
        (f"◁think▷甲◁/think▷{ANSWER}", ANSWER),
        (f"<think>甲<think>乙</think>丙</think>{ANSWER}", ANSWER),
        (f"<think>要不要写<think>标签</think>{ANSWER}", ANSWER),
        (f"<think>甲</think>乙</think>{ANSWER}", ANSWER),
        ("甲[资料1]。<think>再想想</think>乙[资料2]。", "甲[资料1]。乙[资料2]。"),
        ("甲[资料1]。\n<think>再想", "甲[资料1]。\n"),
    ],
)
def test_thoughts_are_no_part_of_what_is_said(reply: str, said: str) -> None:
    assert without_thinking(reply) == said
    assert without_thinking(reply, "opened") == said
    assert without_thinking(reply, "keep") == reply


@pytest.mark.parametrize(
    "text", ["a < b </thin", "  甲\n", "\n", "<思考>甲</思考>", "think>甲", "标签<b>甲</b>[资料1]"]
)
def test_a_text_without_tags_stays_as_it_is(text: str) -> None:
    assert without_thinking(text) == text


def test_tags_cut_between_pieces_let_nothing_out() -> None:
    pieces = ["\n<th", "in", "k>也许是[资", "料9]？<", "/thi", "nk", ">\n", "\n年假为", "10天[资料1]。"]
    assert streamed(pieces) == (["", "", "", "", "", "", "", "年假为", "10天[资料1]。", ""], False)


def test_text_that_only_begins_like_a_tag_waits_and_then_comes() -> None:
    assert streamed(["甲 <", "thin", " 乙", "</", "b>", "<th"]) == (
        ["甲 ", "", "<thin 乙", "", "</b>", "", "<th"],
        False,
    )


def test_behind_a_block_that_spoke_of_an_opening_tag_text_waits_for_the_end() -> None:
    assert streamed(["<think>甲<think>乙</think>", "丙"]) == (["", "", "丙"], False)
    assert streamed(["<think>甲<think>乙</think>", "丙", "</think>丁"]) == (["", "", "丁", ""], False)


def test_a_reply_that_begins_inside_its_thoughts_is_told_or_waited_for() -> None:
    pieces = ["也许是[资料9]？", "</think>", "\n\n", ANSWER]
    assert streamed(pieces) == (["也许是[资料9]？", "", "\n\n", ANSWER, ""], True)
    assert streamed(pieces, "opened") == (["", "", "", ANSWER, ""], False)
    assert streamed([ANSWER], "opened") == (["", ANSWER], False)
    assert streamed(["好的。<think>甲</think>", ANSWER], "opened") == (["好的。", ANSWER, ""], False)


def test_thinking_that_is_kept_is_text() -> None:
    assert streamed(["标签<think>在", "文中[资料1]"], "keep") == (["标签<think>在", "文中[资料1]", ""], False)


@given(TEXTS, st.lists(st.integers(0, 60)), st.sampled_from(["remove", "opened"]))
@example("<think>甲", [3, 9], "remove")
def test_pieces_make_up_what_the_whole_reply_says(text: str, cuts: list[int], thinking: str) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    given_out, late = streamed([text[a:b] for a, b in pairwise(places)], thinking)
    assert late or "".join(given_out) == without_thinking(text)


@given(st.lists(st.sampled_from(["<think>", "</think>", "[THINK]", "甲", " ", "乙[资料1]。"])))
def test_no_tag_is_ever_left(parts: list[str]) -> None:
    said = without_thinking("".join(parts)).lower()
    assert "think" not in said


def test_thoughts_that_come_beside_the_text_are_no_text() -> None:
    blocks = [{"type": "reasoning", "reasoning": "也许是[资料9]"}, {"type": "text", "text": ANSWER}]
    assert AIMessage(blocks, additional_kwargs={"reasoning_content": "也许"}).text == ANSWER  # type: ignore[arg-type]  # LangChain's own type leaves out lists of mappings


def test_what_becomes_of_thinking_is_a_setting() -> None:
    assert Settings().chat.thinking == "remove"
    assert Settings.load(overrides=["chat.thinking=keep"]).chat.thinking == "keep"
    with pytest.raises(SettingsError, match=r"chat\.thinking"):
        Settings.load(overrides=["chat.thinking=hide"])
