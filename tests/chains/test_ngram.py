"""The offline system of character pairs, from a question to an answer: no key, no network."""

from youju import Settings
from youju.chains import build_answer_chain
from youju.retrievers.ngram import NgramRetriever

POLICY = ["签收后七天内可以退货。\n退货请先联系客服。", "发货需要两天。", "积分每周五更新。"]


def test_the_sentence_that_shares_most_pairs_is_the_answer_with_its_source() -> None:
    chain = build_answer_chain(NgramRetriever.from_texts(POLICY), Settings())
    answer = chain.invoke("发货需要几天？")
    assert answer.status == "answered"
    assert answer.answer == "发货需要两天[资料1]。"
    assert [item.text for item in answer.evidence] == ["发货需要两天。"]


def test_nothing_shared_is_no_answer_and_no_model_is_asked() -> None:
    answer = build_answer_chain(NgramRetriever.from_texts(POLICY), Settings()).invoke("明晚去爬山")
    assert (answer.status, answer.evidence, answer.model) == ("insufficient_evidence", [], None)
