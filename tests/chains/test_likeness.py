"""Claims in other words than the evidence's."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from youju import Settings
from youju.chains import build_answer_chain
from youju.chains.likeness import likeness
from youju.models import E5Embeddings

Make = Callable[..., Any]


class Counting(Embeddings):
    """Vectors of two numbers, and the texts that were asked for."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked.append(texts)
        return [[float(text.count("年")), float(text.count("病"))] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError(text)


def test_it_is_the_cosine_of_both_as_passages_and_no_text_is_embedded_twice() -> None:
    embeddings = Counting()
    measure = likeness(embeddings)
    assert measure("年年", ["年", "病", "年病", "无"]) == pytest.approx([1.0, 0.0, 0.5**0.5, 0.0])
    assert measure("病", ["年", "病"]) == [0.0, 1.0]
    assert measure("年", []) == []
    assert embeddings.asked == [["年年", "年", "病", "年病", "无"], [], []]


def test_with_vectors_a_paraphrase_is_carried_and_a_wrong_number_is_not(scripted: Make, fixed: Make) -> None:
    page = "职工因故离开岗位的，应当提前三十日以书面形式告知单位。"
    said = "员工辞职需要提前30天书面通知公司[资料1]。"

    def status(reply: str, support: str) -> str:
        settings = Settings.model_validate({"answer": {"max_retries": 0, "support": support}})
        return str(build_answer_chain(fixed(page), settings, chat=scripted(reply)).invoke("离职要提前多久？").status)

    assert status(said, "words") == "rejected"
    assert status(said, "words_and_vectors") == "answered"
    assert status(said.replace("30", "60"), "words_and_vectors") == "rejected"


def test_sentences_that_say_the_same_are_nearer_than_others_of_their_matter() -> None:
    same, other = likeness(E5Embeddings())(
        "员工辞职需要提前30天书面通知公司。",
        ["职工离开岗位的，应当提前三十日以书面形式告知单位。", "单位应当为职工缴纳社会保险费。"],
    )
    assert same > 0.95 > other
