"""What an answer says of itself: true of the model that was asked, and in the language of the question."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from youju import Settings
from youju.chains import CitationParser, CitedAnswer, build_answer_chain
from youju.chains.english import told
from youju.models import ExtractiveChatModel

Make = Callable[..., Any]
HAN = re.compile("[\u4e00-\u9fff]")
LEAVE = "Annual leave is 10 days. Employees apply for leave in writing."
ADVICE = "换成更接近原文的问法再问，或用设置 chat.model 接一个大模型"


def once(**answer: Any) -> Settings:
    return Settings.model_validate({"answer": {"max_retries": 0, **answer}})


def in_english(text: str | None) -> bool:
    """Whether nothing Chinese is there but the name of evidence, which marks have in any language."""
    return text is not None and HAN.search(re.sub(r"资料(?=\d|N)", "", text)) is None


def test_the_built_in_model_says_that_it_recognised_nothing_and_what_to_do_then(fixed: Make) -> None:
    answer = build_answer_chain(fixed("年假为10天，须提前申请。")).invoke("食堂几点开门？")
    said = f"内置模型没有在资料里认出答案：它只凭字词来认，资料里也许有；{ADVICE}"
    assert answer.refusal is not None
    assert (answer.status, answer.reason, answer.refusal.steps[-1].reason) == ("not_found", said, said)
    twice = build_answer_chain(fixed("年假为10天，须提前申请。"), once(readings=2)).invoke("食堂几点开门？")
    given = build_answer_chain(fixed("年假为10天。"), chat=ExtractiveChatModel()).invoke("食堂几点开门？")
    extract = build_answer_chain(fixed("年假为10天。"), once(mode="extract")).invoke("食堂几点开门？")
    assert [one.reason for one in (twice, given, extract)] == [said] * 3
    partial = build_answer_chain(fixed("年假为10天，须提前申请。")).invoke("年假有几天？食堂几点开门？")
    assert partial.refusal is not None
    assert (partial.status, partial.reason) == ("partial", "关于“食堂几点开门”，资料中未提及。")
    assert partial.refusal.steps[-1].reason == (
        f"内置模型没有认出这一部分的答案：它只凭字词来认，资料里也许有；{ADVICE}"
    )


def test_another_model_is_said_to_have_read_the_evidence(scripted: Make, fixed: Make) -> None:
    answer = build_answer_chain(fixed("年假为10天。"), chat=scripted("资料中未提及")).invoke("食堂几点开门？")
    assert answer.reason == "模型读了资料，资料没有写到"


def test_of_several_missing_parts_the_reason_is_one_sentence(scripted: Make, fixed: Make) -> None:
    reply = "年假为10天[资料1]。关于婚假，资料中未提及。关于产假，资料中未提及。"
    answer = build_answer_chain(fixed("年假为10天。"), chat=scripted(reply)).invoke("年假、婚假、产假各几天？")
    assert answer.reason == "关于婚假，资料中未提及；关于产假，资料中未提及。"


REPLIES = [
    ("Annual leave is 15 days[资料1].", "资料1 says 10 days, not 15 days"),
    ("Annual leave is 10 days[资料7].", "cites [资料7], which there is not"),
    ("Annual leave is 10 days[资料7][资料8].", "cites [资料7], which there is not, cites [资料8], which there is not"),
    ("The canteen opens at noon[资料1].", "资料1"),
    ("Yes.", "cites no evidence"),
    ("<think>hm", "the answer is empty"),
]


@pytest.mark.parametrize(("reply", "said"), REPLIES)
def test_why_an_answer_to_an_english_question_does_not_stand_is_said_in_english(
    reply: str, said: str, scripted: Make, fixed: Make
) -> None:
    answer = build_answer_chain(fixed(LEAVE), once(), chat=scripted(reply)).invoke("How many days of annual leave?")
    assert (answer.status, in_english(answer.reason)) == ("rejected", True), answer.reason
    assert str(answer.reason).startswith("the model's answer did not pass the citation checks: ")
    assert said in str(answer.reason)
    assert all(in_english(claim.reason) for claim in answer.claims if claim.reason)
    assert answer.refusal is not None
    assert all(in_english(step.reason) for step in answer.refusal.steps)


def test_a_model_that_may_try_again_is_told_in_english_what_was_wrong(scripted: Make, fixed: Make) -> None:
    model = scripted("Annual leave is 15 days[资料1].", "Annual leave is 10 days[资料1].")
    answer = build_answer_chain(fixed(LEAVE), chat=model).invoke("How many days of annual leave?")
    assert (answer.status, answer.reason) == ("answered", None)
    assert model.prompts[1][-1].text.startswith(
        "The answer above has faults: “Annual leave is 15 days[资料1].”: 资料1 says 10 days, not 15 days\n"
    )


def test_all_that_is_said_of_an_english_question_is_english(make_base: Make, scripted: Make) -> None:
    from youju.retrievers import build_retriever  # noqa: PLC0415 - used here only

    base = make_base(
        [Document(id=f"c{n}", page_content=f"{LEAVE} Rule {n}.", metadata={"location": "a.md"}) for n in range(9)]
    )
    asked = "How many days of annual leave, and when does the canteen open?"
    for model in (None, scripted("Annual leave is 10 days[资料1]. The documents do not mention the canteen.")):
        chain = build_answer_chain(build_retriever(base), base.settings, chat=model)
        for answer in (chain.invoke(asked), chain.invoke("Is there a garden?") if model is None else None):
            if answer is not None:
                _is_told_in_english(answer)
    tight = Settings.model_validate({"answer": {"context_chars": 1}})
    short = build_answer_chain(build_retriever(base), tight).invoke(asked)
    assert short.reason == "none of the passages found fits into answer.context_chars characters"
    assert build_answer_chain(build_retriever(base), tight).invoke("年假几天？").reason == (
        "检索到的资料都放不进 answer.context_chars 的字数"
    )


def _is_told_in_english(answer: CitedAnswer) -> None:
    assert answer.status in {"partial", "not_found"}
    assert answer.refusal is not None
    assert all(in_english(step.reason) for step in answer.refusal.steps), answer.refusal.steps
    assert in_english(answer.refusal.steps[-1].reason)


def test_an_extraction_that_fails_is_said_in_english_to_who_asks_in_english(scripted: Make, fixed: Make) -> None:
    reply = '{"source": "资料1", "quote": "Leave is 99 days.", "answer": "Leave is 99 days."}'
    chain = build_answer_chain(fixed(LEAVE), once(mode="extract"), chat=scripted(reply, reply))
    wrong = "the model's answer did not pass the citation checks: the quote does not stand in 资料1 word for word"
    assert chain.invoke("How many days?").reason == f"{wrong} (unsupported_quote)"
    assert chain.invoke("有几天？").reason == (
        "模型的回答没有通过引用检查：引文不是 资料1 里的原话（unsupported_quote）"
    )


def test_a_parser_without_a_question_speaks_chinese() -> None:
    claim = CitationParser(blocks=1, require="format").parse
    with pytest.raises(Exception, match=r"“Leave is 9 days\[资料3\]\.”引用了不存在的\[资料3\]"):
        claim("Leave is 9 days[资料3].")


ROOM = Path(__file__).parents[2] / "chains"
CHECKS = [
    *sorted(path.name for path in ROOM.glob("claim_*.py")),
    *sorted(path.name for path in ROOM.glob("asked*.py")),
    "citations.py",
    "grounding.py",
    "cutting.py",
]
SAYS = re.compile(r"资料\{|\{case\.labels\}|^问的是|^没有答到|^引用了|^提到了|^里的“|^引文|^：|^一句话|^来源|认为资料")


@pytest.mark.parametrize("name", [*CHECKS, "extract.py"])
def test_whatever_the_checks_say_has_english_words(name: str) -> None:
    for said in _templates((ROOM / name).read_text(encoding="utf-8")):
        if SAYS.search(said):
            filled = re.sub(r"资料\{[^}]*\}", "资料3", said.replace("{case.labels}", "资料1、资料2"))
            filled = re.sub(r"(第 |有 )\{[^}]*\}", r"\g<1>9", filled)
            filled = re.sub(r"问的是\{[^}]*\}", "问的是金额", filled)
            filled = re.sub(r"没有答到所问：\{[^}]*\}", "没有答到所问：问的是年份，回答里没有", filled)
            assert in_english(told(re.sub(r"\{[^}]*\}", "x", filled), "How many?")), said


def _templates(source: str) -> Iterator[str]:
    """The f-strings of a module, with the source of each hole in braces."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            yield "".join(
                str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
                for part in node.values
                if isinstance(part, ast.Constant | ast.FormattedValue)
            )
