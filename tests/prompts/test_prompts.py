"""Prompt files and the prompt made of them."""

import pytest

import youju.prompts
from youju.prompts import answer_prompt, prompt_text


def test_the_public_names_are_these() -> None:
    assert youju.prompts.__all__ == ["answer_prompt", "prompt_text"]


@pytest.mark.parametrize("name", ["answer.system", "answer.human", "retry.human"])
def test_every_prompt_is_a_file_of_text_without_a_line_end_at_its_end(name: str) -> None:
    text = prompt_text(name)
    assert text == text.strip()
    assert text


def test_a_prompt_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        prompt_text("answer.robot")


def test_the_answer_prompt_takes_evidence_and_question_and_nothing_else() -> None:
    prompt = answer_prompt()
    assert sorted(prompt.input_variables) == ["evidence", "question"]
    system, human = prompt.invoke({"evidence": "[资料1] a.md\n{甲}", "question": "{乙}？"}).to_messages()
    assert (system.type, human.type) == ("system", "human")
    assert human.text == "<资料>\n[资料1] a.md\n{甲}\n</资料>\n\n问题：{乙}？"
    assert system.text == prompt_text("answer.system")
    assert "资料中未提及" in system.text


def test_the_retry_prompt_takes_the_problems_and_the_numbers_allowed() -> None:
    text = prompt_text("retry.human").format(problems="{甲}", allowed="[资料1]")
    assert "{甲}" in text
    assert "编号只能是 [资料1]" in text
