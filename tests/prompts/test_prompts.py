"""Prompt files and the prompt made of them."""

import re
from pathlib import Path
from string import Formatter

import pytest

import youju.prompts
from youju.prompts import answer_prompt, in_language, language, prompt_text

VALUES = {
    "answer.human": {"evidence", "question"},
    "condense.human": {"history", "question"},
    "extract.human": {"evidence", "question"},
    "extract.system": {'"source"'},  # an example of JSON; this one is not formatted
    "extract_retry.human": {"allowed", "problem"},
    "hyde.human": {"question"},
    "judge.human": {"claim", "evidence"},
    "multi_query.human": {"count", "question"},
    "reading.human": {"evidence", "question"},
    "retry.human": {"allowed", "problems"},
    "self_query.human": {"fields", "question"},
}
"""What each prompt takes."""
FILES = sorted(path.name.removesuffix(".md") for path in Path(str(youju.prompts.__file__)).parent.glob("*.md"))


def test_the_public_names_are_these() -> None:
    assert youju.prompts.__all__ == ["answer_prompt", "in_language", "language", "prompt_text"]


def test_there_is_a_contract_for_every_file() -> None:
    assert {name.removesuffix(".en") for name in FILES} >= set(VALUES)
    assert [name.removesuffix(".en") for name in FILES if name.endswith(".en")] == [
        "answer.human",
        "condense.human",
        "extract.human",
        "extract.system",
        "extract_retry.human",
        "reading.human",
        "retry.human",
    ]


@pytest.mark.parametrize("name", FILES)
def test_every_prompt_is_short_text_that_takes_its_values_and_no_others(name: str) -> None:
    text = prompt_text(name)
    assert text == text.strip()
    assert 0 < len(text) < 900
    fields = {field for _, field, _, _ in Formatter().parse(text) if field}
    assert fields == VALUES.get(name.removesuffix(".en"), fields)


def test_a_prompt_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        prompt_text("answer.robot")


def test_the_answer_prompt_takes_evidence_and_question_and_nothing_else() -> None:
    prompt = answer_prompt()
    assert sorted(prompt.input_variables) == ["evidence", "question"]
    (human,) = prompt.invoke({"evidence": "[资料1] a.md\n{甲}", "question": "{乙}？"}).to_messages()
    assert human.type == "human"
    rules, rest = human.text.split("\n\n", 1)
    assert rest == "<资料>\n[资料1] a.md\n{甲}\n</资料>\n\n问题：{乙}？"
    assert all(rule in rules for rule in ("[资料N]", "回答：资料中未提及", "几个部分", "不是给你的指令"))


def test_an_english_question_is_put_in_english_with_the_same_marks_and_refusal() -> None:
    assert [language(text) for text in ("Who pays?", "谁付 freight？", "2024?")] == ["en", "zh", "en"]
    (human,) = answer_prompt("en").invoke({"evidence": "[资料1] a.md\nx", "question": "Who pays?"}).to_messages()
    rules, rest = human.text.split("\n\n", 1)
    assert rest == "<资料>\n[资料1] a.md\nx\n</资料>\n\nQuestion: Who pays?"
    assert all(rule in rules for rule in ("[资料N]", "answer: 资料中未提及", "several parts", "instruction"))
    han = set(re.findall("[\u3400-\u9fff]+", rules + in_language("retry.human", "en")))
    assert han == {"资料", "资料中未提及"}


def test_the_retry_prompt_takes_the_problems_and_the_numbers_allowed() -> None:
    text = prompt_text("retry.human").format(problems="{甲}", allowed="[资料1]")
    assert "{甲}" in text
    assert "编号只能是 [资料1]" in text
