"""However long a reply is, what is compared of it has an end."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from youju import Settings
from youju.chains import CitationParser, answer_events, build_answer_chain
from youju.chains import events as streaming
from youju.chains import respond as responding
from youju.chains.grounding import Finding, Grounds, check_claim
from youju.chains.result import Evidence
from youju.chains.settle import settle, settled_sentences

Make = Callable[..., Any]


def evidence(*texts: str) -> list[Evidence]:
    return [Evidence(n=n, id=None, text=text, source="a.md", location="a.md") for n, text in enumerate(texts, 1)]


def test_a_sentence_that_is_too_long_is_not_compared_and_the_reason_says_so() -> None:
    found = check_claim("年假为10天，" * 72, evidence("年假为10天。"))
    assert (found.verdict, found.reason) == ("unsupported", "一句话有 504 个字，太长，没有核对")
    assert check_claim("年假为10天，" * 71, evidence("年假为10天。")).verdict == "supported"


def test_a_long_sentence_copied_from_the_evidence_is_supported() -> None:
    text = "、".join(f"第{n}号仓库" for n in range(200)) + "都在一号院"
    assert len(text) > 500
    assert check_claim(text + "。", evidence("前言。", f"{text}。")).verdict == "supported"


def test_behind_the_end_of_any_sensible_answer_nothing_is_compared() -> None:
    days = [f"第{n:03}天{'年假，' * 63}" for n in range(210)]
    reply = "".join(f"{day}[资料1]。" for day in days)  # of 200 characters each
    parser = CitationParser(evidence=evidence("".join(f"{day}。" for day in days)), require="grounded")
    settled = settle(parser, reply, repair=True)
    assert settled.stating == 200
    assert reply.startswith(settled.text)
    assert settled.claims[-1].removed
    assert settled.claims[-1].reason == "：回答太长，第 40000 个字以后没有核对"


def test_what_was_compared_once_is_known_however_often_it_is_said() -> None:
    parser = CitationParser(evidence=evidence("年假为10天。"), require="grounded")
    assert settle(parser, "年假为10天[资料1]。" * 4_000, repair=True).stating == 4_000


def test_marks_are_sought_for_a_limited_text_only(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    check = Grounds.check

    def counting(self: Grounds, claim: str, numbers: Sequence[int] | None = None) -> Finding:
        checked.append(claim)
        return check(self, claim, numbers)

    monkeypatch.setattr(Grounds, "check", counting)
    parser = CitationParser(evidence=evidence("年假为10天。", "病假为5天。"), require="grounded")
    settled = settle(parser, "".join(f"第{n}天有人请假。" for n in range(2_000)), repair=True)
    assert settled.stating == 0
    assert 3 * 1_900 < sum(len(claim) for claim in checked) <= 3 * 2_000  # two blocks, and both together


@pytest.mark.parametrize("gap", ["", "\n"])
def test_a_stream_is_read_again_for_each_sentence_and_not_for_each_piece(
    fixed: Make, scripted: Make, monkeypatch: pytest.MonkeyPatch, gap: str
) -> None:
    calls: list[str] = []

    def counting(parser: CitationParser, text: str, **how: bool) -> Any:
        calls.append(text)
        return settled_sentences(parser, text, **how)

    monkeypatch.setattr(streaming, "settled_sentences", counting)
    reply = f"年假为10天[资料1]。{gap}" * 20
    chain = build_answer_chain(
        fixed("年假为10天。"), Settings.model_validate({"answer": {"max_retries": 0}}), chat=scripted(list(reply))
    )
    told = [event.text for event in answer_events(chain, "年假有几天？") if event.kind == "sentence"]
    assert "".join(told) == reply.strip()
    assert len(told) == 20
    assert len(calls) == 20  # 19 sentences begin behind an end, and the whole answer is read


def test_a_long_reply_is_checked_beside_the_event_loop(
    fixed: Make, scripted: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[int] = []

    def watched(*args: Any, **options: Any) -> Any:
        threads.append(threading.get_ident())
        return settle(*args, **options)

    monkeypatch.setattr(responding, "settle", watched)

    async def both(reply: str) -> set[bool]:
        threads.clear()
        chain = build_answer_chain(
            fixed("年假为10天。"), Settings.model_validate({"answer": {"max_retries": 0}}), chat=scripted(reply, reply)
        )
        await chain.ainvoke("年假有几天？")
        assert [answer async for answer in chain.astream("年假有几天？")]
        return {one == threading.get_ident() for one in threads}

    assert asyncio.run(both("年假为10天[资料1]。")) == {True}
    assert asyncio.run(both("年假为10天[资料1]。" * 50)) == {False}
