"""The offline baseline, with numbers that can be counted by hand."""

from collections.abc import Callable
from math import log, sqrt

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase, Settings
from youju.retrievers import build_retriever
from youju.retrievers.ngram import NgramRetriever, pair_weights

POLICY = ["签收后七天内可以退货。", "拆封后不能退货。", "发货需要两天。", "积分每周五更新。"]


def test_pairs_weigh_the_logarithm_of_their_number_and_do_not_cross_marks() -> None:
    assert pair_weights("年假，年假。ＡB") == pytest.approx({"年假": log(3), "ab": log(2)})
    assert pair_weights("好 a") == {"好": log(2), "a": log(2)}
    assert pair_weights("？！") == {}


def test_the_score_is_the_cosine() -> None:
    [hit] = NgramRetriever.from_texts(["年假年假"]).invoke("年假")
    # the text: 年假 twice, 假年 once
    assert hit.metadata["score"] == pytest.approx(log(3) / sqrt(log(3) ** 2 + log(2) ** 2))
    assert hit.metadata["ranks"] == {"ngram": 1}
    [same] = NgramRetriever.from_texts(["退货运费"]).invoke("退货运费")
    assert same.metadata["score"] == pytest.approx(1)


def test_the_two_best_are_returned_and_what_shares_nothing_is_not() -> None:
    retriever = NgramRetriever.from_texts([*POLICY, "可以退货吗"])
    assert [hit.page_content for hit in retriever.invoke("可以退货吗？")] == ["可以退货吗", POLICY[0]]
    assert [hit.page_content for hit in retriever.invoke("可以退货吗？", k=5)] == ["可以退货吗", *POLICY[:2]]
    for question in ("明天天气怎样", "", "？"):
        assert retriever.invoke(question) == []


def test_the_corpus_may_be_empty_or_without_letters() -> None:
    assert NgramRetriever.from_texts([]).invoke("年假") == []
    assert NgramRetriever.from_texts(["", "——"]).invoke("年假") == []


def test_ties_keep_the_order_of_the_source_and_a_filter_holds() -> None:
    retriever = NgramRetriever.from_texts(["年假甲", "年假乙", "年假丙"], [{"n": 1}, {"n": 2}, {"n": 3}])
    assert [hit.page_content for hit in retriever.invoke("年假")] == ["年假甲", "年假乙"]
    assert [hit.page_content for hit in retriever.invoke("年假", filter={"n": {"$gt": 1}})] == ["年假乙", "年假丙"]


def test_it_is_chosen_by_settings_and_sees_changes_of_the_base(make_base: Callable[..., KnowledgeBase]) -> None:
    settings = Settings.load(overrides=["retriever={kind: ngram}"], environ={})
    base = make_base([Document(page_content=text, metadata={"source": "a.md"}) for text in POLICY])
    retriever = build_retriever(base, settings.retriever)
    assert isinstance(retriever, NgramRetriever)
    assert retriever.k == 2
    assert [hit.page_content for hit in retriever.invoke("发货要几天")] == [POLICY[2]]
    make_base([Document(page_content="发货要三天。", metadata={"source": "b.md"})])
    assert [hit.page_content for hit in retriever.invoke("发货要几天")] == ["发货要三天。", POLICY[2]]
