"""What becomes of a question: each status, and errors that are none."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableLambda

from youju import Settings
from youju.chains import NOT_FOUND, CitedAnswer, build_answer_chain
from youju.errors import (
    AnswerCutOffError,
    EmptyAnswerError,
    ModelError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelTimeoutError,
    ModelUnavailableError,
    QuestionError,
    SettingsError,
)
from youju.retrievers import BM25Retriever, HybridRetriever

Make = Callable[..., Any]


def answering(max_retries: int = 1, **answer: Any) -> Settings:
    return Settings.model_validate({"answer": {"max_retries": max_retries, **answer}})


def test_answered_cites_the_evidence_with_the_sentence_it_rests_on(scripted: Make, fixed: Make) -> None:
    page = Document(
        id="c7",
        page_content="病假须提交证明。年假为10天，按日历年计算。",
        metadata={"source": "制度.pdf", "page": 3, "location": "制度.pdf 第 3 页", "score": 0.5, "ranks": {"bm25": 1}},
    )
    answer = build_answer_chain(fixed(page), chat=scripted("年假为10天【资料1】。")).invoke("年假几天？")
    assert answer.model_dump() == {
        "status": "answered",
        "question": "年假几天？",
        "answer": "年假为10天[资料1]。",
        "citations": [
            {
                "n": 1,
                "id": "c7",
                "source": "制度.pdf",
                "page": 3,
                "location": "制度.pdf 第 3 页",
                "quote": "年假为10天，按日历年计算。",
                "start": 8,
                "end": 22,
            }
        ],
        "evidence": [
            {
                "n": 1,
                "id": "c7",
                "text": "病假须提交证明。年假为10天，按日历年计算。",
                "source": "制度.pdf",
                "page": 3,
                "location": "制度.pdf 第 3 页",
                "score": 0.5,
                "ranks": {"bm25": 1},
                "pages": [],
            }
        ],
        "claims": [
            {
                "text": "年假为10天[资料1]。",
                "citations": [1],
                "verdict": "supported",
                "reason": None,
                "quotes": [{"n": 1, "text": "年假为10天，按日历年计算。", "start": 8, "end": 22, "page": 3}],
                "removed": False,
            }
        ],
        "retrieved_count": 1,
        "model": "scripted",
        "usage": {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12},
        "reason": None,
        "attempts": 1,
        "search": None,
        "refusal": None,
    }
    assert CitedAnswer.model_validate(json.loads(answer.model_dump_json())) == answer


def test_partial_says_what_the_evidence_does_not(scripted: Make, fixed: Make) -> None:
    reply = "年假为10天[资料1]。关于婚假，资料中未提及。"
    answer = build_answer_chain(fixed("年假为10天。"), chat=scripted(reply)).invoke("年假和婚假各几天？")
    assert (answer.status, answer.answer, answer.reason) == ("partial", reply, "关于婚假，资料中未提及。")
    assert [claim.verdict for claim in answer.claims] == ["supported", "not_found"]


@pytest.mark.parametrize(
    "reply", ["资料中未提及", "资料中未提及。", "抱歉，资料中没有说明北京的情况。", "资料中未提及[资料2]。"]
)
def test_not_found_is_said_in_the_same_words_and_cites_nothing(reply: str, scripted: Make, fixed: Make) -> None:
    answer = build_answer_chain(fixed("甲", "乙", "丙"), chat=scripted(reply)).invoke("北京怎么样？")
    assert (answer.status, answer.answer, answer.citations) == ("not_found", NOT_FOUND, [])
    assert len(answer.evidence) == 3


async def test_without_evidence_the_model_is_not_called(scripted: Make, fixed: Make) -> None:
    model = scripted("北京")
    chain = build_answer_chain(fixed(), chat=model)
    for answer in (chain.invoke("首都是哪里？"), await chain.ainvoke("首都是哪里？")):
        assert (answer.status, answer.answer) == ("insufficient_evidence", "资料中未提及")
        assert (answer.citations, answer.evidence, answer.claims) == ([], [], [])
        assert (answer.model, answer.usage, answer.attempts) == (None, {}, 0)
        assert answer.retrieved_count == 0
    assert model.prompts == []


def test_a_filter_or_a_fusion_that_leaves_nothing_calls_no_model(scripted: Make) -> None:
    keywords = BM25Retriever.from_texts(["报销须在三十天内提交。"], [{"dept": "财务部"}])
    nothing = BM25Retriever.from_texts([])
    model = scripted()
    filtered = build_answer_chain(keywords, chat=model)
    assert filtered.invoke({"question": "报销", "filter": {"dept": "法务部"}}).status == "insufficient_evidence"
    hybrid = HybridRetriever(retrievers=[keywords, nothing], weights=[0.5, 0.5])
    assert build_answer_chain(hybrid, chat=model).invoke("量子力学").answer == NOT_FOUND
    assert model.prompts == []


def test_rejected_shows_the_evidence_and_does_not_pass_the_text_off_as_an_answer(scripted: Make, fixed: Make) -> None:
    model = scripted("年假为10天[资料9]。")
    answer = build_answer_chain(fixed("甲"), answering(0), chat=model).invoke("年假几天？")
    assert (answer.status, answer.answer, answer.citations, answer.attempts) == ("rejected", "", [], 1)
    assert len(answer.evidence) == 1
    assert answer.claims[0].verdict == "invalid"
    assert answer.reason == "模型的回答没有通过引用检查：“年假为10天[资料9]。”引用了不存在的[资料9]"


async def test_the_second_attempt_hears_what_was_wrong_and_is_taken(scripted: Make, fixed: Make) -> None:
    replies = ["年假为10天[资料9]。病假另算。", "年假为10天[资料1]。"]
    for awaited in (False, True):
        model = scripted(*replies)
        chain = build_answer_chain(fixed("年假为10天。", "乙"), chat=model)
        answer = await chain.ainvoke("年假几天？") if awaited else chain.invoke("年假几天？")
        assert (answer.status, answer.answer, answer.attempts) == ("answered", "年假为10天[资料1]。", 2)
        assert answer.usage == {"input_tokens": 20, "output_tokens": 4, "total_tokens": 24}
        first, second = model.prompts
        assert second[: len(first)] == first
        assert isinstance(second[-2], AIMessage)
        assert isinstance(second[-1], HumanMessage)
        assert second[-2].text == replies[0]
        assert "引用了不存在的[资料9]" in second[-1].text
        assert "“病假另算。”没有标出依据" in second[-1].text
        assert "[资料1]、[资料2]" in second[-1].text


@pytest.mark.parametrize("reply", ["年假为10天。", "年假为10天（见第3条）。"])
def test_an_answer_without_marks_is_rejected_after_the_allowed_retries(reply: str, scripted: Make, fixed: Make) -> None:
    for citations in ("coverage", "format"):
        model = scripted(*[reply] * 3)
        answer = build_answer_chain(fixed("甲", "乙"), answering(2, citations=citations), chat=model).invoke("几天？")
        assert (answer.status, answer.attempts, len(model.prompts)) == ("rejected", 3, 3)
        assert answer.claims[0].verdict == "uncited"


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (TimeoutError("slow"), ModelTimeoutError),
        (ConnectionError("refused"), ModelUnavailableError),
        (type("RateLimitError", (Exception,), {"status_code": 429})("busy"), ModelRateLimitError),
    ],
)
async def test_a_model_that_fails_is_an_error_and_no_status(
    failure: Exception, error: type[Exception], scripted: Make, fixed: Make
) -> None:
    chain = build_answer_chain(fixed("甲"), chat=scripted(failure, failure))
    with pytest.raises(error, match="scripted"):
        chain.invoke("年假几天？")
    with pytest.raises(error, match="scripted"):
        await chain.ainvoke("年假几天？")


@pytest.mark.parametrize(
    ("metadata", "error"),
    [
        ({"finish_reason": "length"}, AnswerCutOffError),
        ({"finish_reason": "content_filter"}, ModelRefusalError),
        ({"stop_reason": "max_tokens"}, AnswerCutOffError),
    ],
)
def test_half_an_answer_is_an_error_also_in_a_stream(
    metadata: dict[str, str], error: type[Exception], scripted: Make, fixed: Make
) -> None:
    chain = build_answer_chain(fixed("甲"), chat=scripted(*["年假为10天[资料1]。"] * 2, metadata=metadata))
    with pytest.raises(error):
        chain.invoke("年假几天？")
    with pytest.raises(error):
        list(chain.stream("年假几天？"))


@pytest.mark.parametrize("reply", ["", "  \n"])
def test_an_empty_reply_is_an_error(reply: str, scripted: Make, fixed: Make) -> None:
    with pytest.raises(EmptyAnswerError):
        build_answer_chain(fixed("甲"), chat=scripted(reply)).invoke("年假几天？")


@pytest.mark.parametrize("question", ["", "   ", "？？"])
async def test_an_empty_question_is_refused_before_anything_is_searched(
    question: str, scripted: Make, fixed: Make
) -> None:
    model = scripted()
    chain = build_answer_chain(fixed("甲"), chat=model)
    with pytest.raises(QuestionError, match="问题是空的"):
        chain.invoke(question)
    with pytest.raises(QuestionError, match="问题是空的"):
        await chain.ainvoke({"question": question})
    with pytest.raises(QuestionError, match="问题是空的"):
        list(chain.stream(question))
    assert model.prompts == []


@pytest.mark.parametrize(
    "asked",
    [
        {"query": "年假"},
        {"question": "年假", "top": 3},
        {"question": 3},
        {},
        {"question": "年假", 1: 2},
        None,
        5,
        ("年假",),
    ],
)
def test_an_input_of_another_form_is_refused(asked: Any, scripted: Make, fixed: Make) -> None:
    with pytest.raises(QuestionError, match="含 question 的字典"):
        build_answer_chain(fixed("甲"), chat=scripted()).invoke(asked)


def test_options_that_the_retriever_does_not_take_are_refused(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("甲"), chat=scripted())
    with pytest.raises(SettingsError, match="不支持 filter、k"):
        chain.invoke({"question": "年假", "filter": {"a": 1}, "k": 2})


def test_the_number_of_blocks_is_what_the_call_asks_for(scripted: Make) -> None:
    legs = [BM25Retriever.from_texts([f"年假{leg}{n}" for n in range(3)]) for leg in "甲乙"]
    model = scripted("年假[资料1]。")
    hybrid = HybridRetriever(retrievers=legs, weights=[1, 1])
    answer = build_answer_chain(hybrid, chat=model).invoke({"question": "年假", "k": 3})
    assert [block.n for block in answer.evidence] == [1, 2, 3]
    assert model.prompts[0][-1].text.count("\n[资料") == 3


async def test_it_can_be_batched_and_its_input_may_be_a_dict(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("甲"), chat=FakeListChatModel(responses=["年假为10天[资料1]。"]))
    answers = chain.batch(["年假几天？", {"question": "年假几天？"}])
    assert answers[0] == answers[1]
    assert await chain.abatch(["年假几天？"]) == [answers[0]]
    assert answers[0].model == "fake-list-chat-model"


def test_any_runnable_from_messages_to_text_is_a_model(fixed: Make) -> None:
    answer = build_answer_chain(fixed("年假为10天。"), chat=RunnableLambda(lambda _: "年假为10天[资料1]。")).invoke(
        "年假几天？"
    )
    assert answer.answer == "年假为10天[资料1]。"
    assert answer.usage == {}


@pytest.mark.parametrize("reply", [None, ["年假为10天[资料1]。"], 5])
def test_a_model_that_returns_something_else_is_an_error(reply: Any, fixed: Make) -> None:
    chain = build_answer_chain(fixed("甲"), chat=RunnableLambda(lambda _: reply))
    with pytest.raises(ModelError, match=f"现在返回的是 {type(reply).__name__}"):
        chain.invoke("年假几天？")
    with pytest.raises(ModelError, match=f"现在返回的是 {type(reply).__name__}"):
        list(chain.stream("年假几天？"))


def test_a_rule_about_papers_that_lack_something_is_answered(scripted: Make, fixed: Make) -> None:
    reply = "文件未规定的，按国家规定执行[资料1]。"
    answer = build_answer_chain(fixed("文件未规定的，按国家规定执行。"), chat=scripted(reply)).invoke(
        "文件未规定的怎么办？"
    )
    assert (answer.status, answer.answer, answer.reason) == ("answered", reply, None)


def test_a_fact_and_a_silence_in_one_sentence_are_partial(scripted: Make, fixed: Make) -> None:
    reply = "年假为10天[资料1]，资料中未提及病假。"
    answer = build_answer_chain(fixed("年假为10天。"), chat=scripted(reply)).invoke("年假和病假各几天？")
    assert (answer.status, answer.answer, answer.reason) == ("partial", reply, reply)


def test_every_number_in_the_text_is_among_the_citations(scripted: Make, fixed: Make) -> None:
    reply = "婚假3天[资料2]。产假资料中未提及[资料1]。"
    answer = build_answer_chain(fixed("甲", "婚假3天。"), chat=scripted(reply)).invoke("婚假和产假各几天？")
    assert (answer.status, [one.n for one in answer.citations]) == ("partial", [2, 1])


def test_a_question_longer_than_anyone_asks_is_refused_before_anything_is_searched(scripted: Make, fixed: Make) -> None:
    chain = build_answer_chain(fixed("年假为10天。"), chat=scripted("年假为10天[资料1]。"))
    assert chain.invoke("年" * 2000).status == "answered"
    with pytest.raises(QuestionError, match="问题有 2001 个字，最多 2000 个字"):
        chain.invoke("年" * 2001)
