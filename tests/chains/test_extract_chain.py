"""Extraction from end to end: what is searched, what becomes evidence, and what is passed off as an answer."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableLambda

from youju import KnowledgeBase, Settings
from youju.chains import CitedAnswer, build_answer_chain, build_conversation_chain
from youju.retrievers import HydeRetriever, VectorRetriever, build_retriever

QUESTION = "Can an opened item be returned?"
S1 = "Items may be returned within seven days of delivery."
S2 = "Opened items cannot be returned."
S3 = "Shipping takes two days."
S4 = "Opened items can be returned for thirty days."
OTHER = "Opened items can be returned by our members."


def chunk(name: str, text: str, **metadata: Any) -> Document:
    return Document(page_content=text, metadata={"source": name, "tenant": "shop", **metadata})


CHUNKS = [
    chunk("s1", S1),
    chunk("s2", S2),
    chunk("s3", S3),
    chunk("s4", S4, valid_until="2020-12-31"),
    chunk("s5", OTHER, tenant="club"),
]


def reply(source: str | None, quote: str | None, answer: str | None = None) -> str:
    return json.dumps({"source": source, "quote": quote, "answer": answer or quote})


def chain(base: KnowledgeBase, model: Runnable[Any, Any] | None, **answer: Any) -> Runnable[Any, CitedAnswer]:
    settings = Settings.model_validate(
        {
            "answer": {"mode": "extract", "max_retries": 0, **answer},
            "retriever": {"kind": "current", "base": {"kind": "overlap", "threshold": 0.2, "k": 2}},
        }
    )
    return build_answer_chain(build_retriever(base, settings.retriever), settings, chat=model)


@pytest.fixture
def shop(make_base: Callable[..., KnowledgeBase]) -> KnowledgeBase:
    return make_base(CHUNKS)


def of_the_shop(question: str = QUESTION) -> dict[str, Any]:
    return {"question": question, "filter": {"tenant": "shop"}}


def test_only_what_is_in_force_and_the_callers_is_evidence(shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    model = scripted(reply("资料1", S2))
    answer = chain(shop, model).invoke(of_the_shop())
    assert [block.text for block in answer.evidence] == [S2, S1]
    assert (answer.status, answer.answer) == ("answered", f"{S2}[资料1]")
    assert not any(text in model.prompts[0][-1].text for text in (S3, S4, OTHER))


@pytest.mark.parametrize("said", [reply("资料3", S4), reply("资料1", S4), reply("资料1", OTHER), reply("s4", S4)])
def test_what_is_not_is_never_the_answer(said: str, shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    answer = chain(shop, scripted(said)).invoke(of_the_shop())
    assert (answer.status, answer.answer) == ("rejected", "")


def test_a_model_that_names_a_tenant_changes_nothing(shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    said = json.dumps({"source": "资料1", "quote": S2, "answer": S2, "tenant": "club"})
    answer = chain(shop, scripted(said)).invoke(of_the_shop())
    assert answer.reason is not None
    assert "invalid_schema" in answer.reason


def test_the_built_in_model_answers_with_the_passage_that_says_it(shop: KnowledgeBase) -> None:
    answer = chain(shop, None).invoke(of_the_shop("Can opened items be returned?"))
    assert (answer.status, answer.citations[0].quote) == ("answered", "Opened items cannot be returned")


def test_a_rewritten_question_is_for_search_alone(shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    model = scripted(reply("资料1", S3))
    answer = chain(shop, model).invoke({**of_the_shop("When will it be here?"), "search": "shipping takes days"})
    assert [block.text for block in answer.evidence] == [S3, S1]
    assert (answer.question, answer.citations[0].quote) == ("When will it be here?", S3)
    assert model.prompts[0][-1].text.endswith("\n\nQuestion: When will it be here?")


def test_a_follow_up_is_extracted_too(shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    settings = Settings.model_validate(
        {"answer": {"mode": "extract"}, "retriever": {"kind": "overlap", "threshold": 0.2, "k": 2}}
    )
    model = scripted("Can opened items be returned?", reply("资料1", S2))
    chained = build_conversation_chain(build_retriever(shop, settings.retriever), settings, chat=model)
    answer = chained.invoke(
        {
            "question": "And opened ones?",
            "history": [("human", "Can items be returned?"), ("ai", "Yes[资料1].")],
            "filter": {"tenant": "shop", "source": {"$ne": "s4"}},
        }
    )
    assert (answer.status, answer.answer) == ("answered", f"{S2}[资料1]")


def test_an_imagined_passage_is_never_evidence(shop: KnowledgeBase, scripted: Callable[..., Any]) -> None:
    imagined = "Opened items can be returned whenever you like."
    hyde = HydeRetriever(retriever=VectorRetriever(source=shop, k=2), chat=RunnableLambda(lambda _: imagined))
    settings = Settings.model_validate({"answer": {"mode": "extract", "max_retries": 0, "gate": "none"}})
    model = scripted(reply("资料1", imagined))
    answer = build_answer_chain(hyde, settings, chat=model).invoke(QUESTION)
    assert answer.status == "rejected"
    assert imagined not in [block.text for block in answer.evidence]
    assert imagined not in model.prompts[0][-1].text
