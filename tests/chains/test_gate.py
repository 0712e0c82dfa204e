"""The evidence gate: what it sees, when it refuses, and which of several gates judges."""

import json
import logging
import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju import KnowledgeBase, Settings
from youju.chains import NOT_FOUND, build_answer_chain
from youju.chains.gate import EvidenceGate, FittedGates, Gate, as_fitted, fitted_gates, judged
from youju.chains.grounding import Thresholds
from youju.chains.signals import Signals, evidence_signals
from youju.chains.thresholds import fitted_thresholds
from youju.errors import KnowledgeBaseError
from youju.retrievers import BM25Retriever, RerankRetriever, VectorRetriever, build_retriever
from youju.settings import AnswerSettings

MakeBase = Callable[..., KnowledgeBase]
HANDBOOK = [
    "第一章 考勤。员工每天工作八小时，迟到三次扣发当月全勤奖。",
    "第二章 年假。入职满一年的员工每年有十天年假，当年没有休完的可以顺延到次年三月底。",
    "第三章 报销。差旅费用在出差结束后三十天内凭发票报销，由部门经理审批。",
    "第四章 培训。新员工在入职后两周内参加安全培训，考试合格才能上岗。",
]
OF_THE_HANDBOOK = ["年假有几天？", "差旅费多久之内要报销？", "迟到三次会怎样？", "安全培训什么时候参加？"]
ELSEWHERE = ["红烧肉怎么做？", "世界杯冠军是谁？", "怎么弹钢琴？", "猫为什么喜欢睡觉？"]


def doc(text: str, **metadata: Any) -> Document:
    return Document(id=text, page_content=text, metadata=metadata)


def handbook(make_base: MakeBase, **options: Any) -> KnowledgeBase:
    return make_base([Document(text, metadata={"location": "员工手册.md"}) for text in HANDBOOK], **options)


def fitted(base: KnowledgeBase, threshold: float, **changes: Any) -> dict[str, Any]:
    """What calibration keeps: a gate whose score is the share of words, pushed away from the middle."""
    gate = Gate(weights={"words": 8.0}, bias=-4.0, threshold=threshold)
    kept = FittedGates(retriever=as_fitted(base.settings), gates=(gate,), keep=0.98, answerable=30, unanswerable=30)
    return {**kept.model_dump(mode="json"), **changes}


def test_the_default_refuses_what_does_not_bear_on_the_base_and_nothing_else(make_base: MakeBase) -> None:
    base = handbook(make_base, embeddings=None)
    retriever = build_retriever(base)
    gate = EvidenceGate(retriever)
    passed = []
    for question in OF_THE_HANDBOOK + ELSEWHERE:
        found = retriever.invoke(question)
        assert len(found) == 4  # there are always nearest passages
        result = gate.judge(question, found)
        assert result is not None
        assert result.signals.similarity == VectorRetriever(source=base).invoke(question)[0].metadata["score"]
        assert (result.fitted, result.reason is None) == (False, result.passed)
        passed += [question] * result.passed
    assert passed == OF_THE_HANDBOOK


def test_other_models_have_no_built_in_gate_for_they_find_what_shares_no_word(make_base: MakeBase) -> None:
    base = handbook(make_base)  # with a stand-in for a model
    for retriever in (build_retriever(base), BM25Retriever.from_texts(HANDBOOK)):
        result = EvidenceGate(retriever).judge("红烧肉怎么做？", [doc(HANDBOOK[0])])
        assert result is not None
        assert (result.passed, result.score, result.signals.words) == (True, None, 0.0)
        assert result.reason is None


@pytest.mark.parametrize(("embeddings", "attempts"), [("built in", 0), ("stand-in", 1)])
def test_what_does_not_bear_on_the_base_is_refused_with_or_without_a_gate(
    embeddings: str, attempts: int, make_base: MakeBase
) -> None:
    base = handbook(make_base, **({"embeddings": None} if embeddings == "built in" else {}))
    answer = build_answer_chain(build_retriever(base), base.settings).invoke("红烧肉怎么做？")
    assert (answer.answer.rstrip("。"), answer.citations, answer.attempts) == (NOT_FOUND, [], attempts)
    assert answer.status == ("not_found" if attempts else "insufficient_evidence")


def test_a_refusal_says_what_was_seen_and_against_which_threshold() -> None:
    signals = Signals(words=0.25, together=0.5, held=math.log(2), similarity=0.8, rerank=0.1)
    gate = Gate(weights={"words": 1.0}, bias=0.0, threshold=0.6)
    result = judged(signals, [gate], fitted=True)
    assert result.score == pytest.approx(1 / (1 + math.exp(-0.25)))
    assert (
        result.reason
        == result.why_not("年假？")
        == (
            "找到的资料看来和问题无关，没有拿去问模型：最多的一段有问题里 25% 的词，意思最近的一段相似度 0.80，"
            "重排得分最高 0.10，合起来得 0.562，不到在这个知识库上校准的门槛 0.600；"
            "换成更接近原文的问法再问，或设 answer.gate=none 让模型自己读"
        )
    )
    built_in = judged(Signals(words=0.0), [gate], fitted=False)
    assert str(built_in.reason).startswith(
        "找到的资料看来和问题无关，没有拿去问模型：最多的一段有问题里 0% 的词，合起来得 0.500，不到内置的门槛 0.600；"
    )
    assert built_in.why_not("Is there a garden?") == (
        "what was found does not seem to bear on the question, so no model was asked: at most 0% of the question's "
        "words stand in one passage; together this is 0.500, below the built-in threshold of 0.600; ask in words "
        "closer to the text, or set answer.gate=none to have a model read it"
    )


def test_the_words_of_the_question_are_counted_in_the_best_document_and_in_all() -> None:
    documents = [doc("年假需要申请"), doc("病假需要证明")]
    assert evidence_signals("年假有几天？", documents) == Signals(words=1.0, together=1.0, held=math.log(2))
    # 红烧肉, 红烧 and 烧肉: only the last two letters are here
    assert evidence_signals("红烧肉怎么做？", [doc("烧肉很好")]).words == pytest.approx(1 / 3)
    both = evidence_signals("年假 病假", documents)
    assert (both.words, both.together, both.held) == (0.5, 1.0, math.log(2))
    assert evidence_signals("年假 病假", []) == Signals()


def test_titles_and_headings_count_as_words_of_a_document() -> None:
    assert evidence_signals("年假有几天？", [doc("每年十天", headings="休假 > 年假")]).words == 1.0


def test_traditional_and_simplified_characters_are_the_same_words() -> None:
    assert evidence_signals("請問報銷怎麼辦？", [doc("报销须在三十天内提交")]).held == math.log(2)


def test_of_several_things_asked_the_one_that_is_found_counts() -> None:
    documents = [doc("年假需要申请")]
    assert evidence_signals("红烧肉怎么做？年假有几天？", documents).words == 1.0
    assert evidence_signals("红烧肉怎么做？", documents).words == 0.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many days of annual leave?", "入职满一年的员工每年有十天年假"),
        ("年假有几天？", "Employees have ten days of annual leave."),
        ("年假有几天？", "——"),
    ],
)
def test_words_of_another_script_are_not_expected_and_let_it_pass(question: str, text: str) -> None:
    signals = evidence_signals(question, [doc(text)])
    assert (signals.words, signals.together, signals.held) == (None, None, None)
    gate = Gate(weights={"words": 1.0}, bias=0.0, threshold=1.0)
    assert judged(signals, [gate], fitted=False).passed


def test_an_identifier_in_a_chinese_question_is_expected_in_chinese_documents() -> None:
    assert evidence_signals("BX-2024 是什么？", [doc("年假需要申请")]).words == 0.0
    assert evidence_signals("BX-2024 是什么？", [doc("年假需要申请，型号BX-2024")]).words == 1.0


def test_fused_scores_and_the_number_of_results_change_nothing() -> None:
    near = [doc("年假需要申请", score=1 / 61, ranks={"bm25": 1}), doc("食堂", score=1 / 62)]
    far = [doc("年假需要申请", score=1.0, ranks={"bm25": 9}), doc("食堂", score=0.0)]
    assert evidence_signals("年假有几天？", near) == evidence_signals("年假有几天？", far)


def test_the_best_similarity_and_the_best_reranker_score_are_seen() -> None:
    documents = [doc("甲", similarity=0.81), doc("乙", similarity=0.86, rerank_score=0.2), doc("丙", rerank_score=0.7)]
    signals = evidence_signals("年假有几天？", documents)
    assert (signals.similarity, signals.rerank) == (0.86, 0.7)
    own = evidence_signals("年假有几天？", [doc("甲", similarity="高"), doc("乙", similarity=17.5)])
    assert own.similarity is None  # fields of the document itself


def test_the_first_gate_whose_signals_can_be_seen_judges() -> None:
    near = Gate(weights={"similarity": 1.0, "words": 0.0}, bias=9.0, threshold=0.5)
    words = Gate(weights={"words": 1.0}, bias=-9.0, threshold=0.5)
    assert judged(Signals(words=0.5, similarity=0.5), [near, words], fitted=False).passed
    assert not judged(Signals(words=0.5), [near, words], fitted=False).passed
    nothing = judged(Signals(similarity=0.5), [words], fitted=False)
    assert (nothing.passed, nothing.score, nothing.threshold) == (True, None, None)


def test_the_gate_can_be_left_out_and_its_threshold_set(make_base: MakeBase) -> None:
    base = handbook(make_base)
    base.store_calibration("gate", fitted(base, threshold=0.6))
    retriever = build_retriever(base)
    found = [doc("年假需要申请")]  # half of 年假 病假: a score of 0.5

    def passed(**options: Any) -> bool | None:
        result = EvidenceGate(retriever, AnswerSettings(**options)).judge("年假 病假", found)
        return None if result is None else result.passed

    assert passed(gate="none") is None
    assert EvidenceGate(retriever).judge("年假 病假", []) is None
    assert (passed(), passed(gate_threshold=0.5), passed(gate_threshold=0.7)) == (False, True, False)


def test_what_was_fitted_to_the_base_judges_from_the_next_question_on(make_base: MakeBase) -> None:
    base = handbook(make_base)
    gate = EvidenceGate(build_retriever(base))
    found = [doc("年假需要申请")]
    before = gate.judge("年假 病假", found)
    base.store_calibration("gate", fitted(base, threshold=0.6))
    after = gate.judge("年假 病假", found)
    assert before is not None
    assert after is not None
    assert (before.passed, before.score, before.fitted) == (True, None, False)
    assert (after.passed, after.fitted, after.score, after.threshold) == (False, True, 0.5, 0.6)
    kept = fitted_gates(base)
    assert kept is not None
    assert (kept.keep, kept.answerable) == (0.98, 30)


def test_a_gate_fitted_to_another_retriever_is_not_used_and_that_is_said_once(
    make_base: MakeBase, caplog: pytest.LogCaptureFixture
) -> None:
    base = handbook(make_base)
    base.store_calibration("gate", fitted(base, threshold=1.0, retriever={"kind": "bm25"}))
    gate = EvidenceGate(build_retriever(base))
    with caplog.at_level(logging.WARNING, "youju"):
        results = [gate.judge("年假有几天？", [doc("年假需要申请")]) for _ in range(2)]
    assert all(result is not None and result.passed and not result.fitted for result in results)
    assert [record.getMessage() for record in caplog.records] == [
        "证据门槛是用别的检索设置校准的，没有用上，改用内置的；请用现在的设置再运行一次 youju eval calibrate"
    ]


def test_a_gate_of_another_form_is_named(make_base: MakeBase) -> None:
    base = handbook(make_base)
    base.store_calibration("gate", {"threshold": 0.5})
    with pytest.raises(KnowledgeBaseError, match="再运行一次 youju eval calibrate"):
        EvidenceGate(build_retriever(base)).judge("年假有几天？", [doc("年假")])


def test_the_fitted_thresholds_of_claim_checks_are_read_from_the_base(make_base: MakeBase) -> None:
    base = handbook(make_base)
    retriever = build_retriever(base)
    assert fitted_thresholds(retriever) is None
    assert fitted_thresholds(BM25Retriever.from_texts(HANDBOOK)) is None
    base.store_calibration("grounding", {"lexical": 0.7, "partial": 0.525})
    assert fitted_thresholds(retriever) == Thresholds(lexical=0.7, partial=0.525)
    base.store_calibration("grounding", {"lexical": 7})
    with pytest.raises(KnowledgeBaseError, match="引用检查的门槛看不懂"):
        fitted_thresholds(retriever)


def test_the_base_is_found_below_retrievers_that_wrap_others(make_base: MakeBase) -> None:
    class Even:
        def score(self, query: str, passages: list[str]) -> list[float]:
            return [0.5] * len(passages)

    base = handbook(make_base)
    base.store_calibration("gate", fitted(base, threshold=1.0))
    wrapped = RerankRetriever(retriever=build_retriever(base), model=Even())
    result = EvidenceGate(wrapped).judge("年假有几天？", wrapped.invoke("年假有几天？"))
    assert result is not None
    assert result.fitted
    assert result.signals.rerank == 0.5


@given(
    st.text(max_size=60),
    st.lists(
        st.builds(doc, st.text(max_size=60), similarity=st.floats() | st.text(), rerank_score=st.floats()), max_size=4
    ),
)
def test_every_signal_and_score_is_a_number_in_its_range(question: str, documents: list[Document]) -> None:
    signals = evidence_signals(question, documents)
    for share in (signals.words, signals.together):
        assert share is None or 0 <= share <= 1
    assert signals.words is None or (signals.together is not None and signals.words <= signals.together)
    assert signals.similarity is None or -1.001 <= signals.similarity <= 1.001
    gate = Gate(weights={"words": 900.0, "held": 3.0}, bias=-800.0, threshold=0.5)
    score = gate.score(signals)
    assert (score is None) == (signals.words is None)
    assert score is None or 0 <= score <= 1
    assert json.loads(signals.model_dump_json()) == signals.model_dump()


def test_settings_name_the_gate() -> None:
    settings = Settings.model_validate({"answer": {"gate": "none", "gate_threshold": 0.2}})
    assert (settings.answer.gate, settings.answer.gate_threshold) == ("none", 0.2)
    with pytest.raises(ValueError, match="less than or equal to 1"):
        Settings.model_validate({"answer": {"gate_threshold": 1.5}})
