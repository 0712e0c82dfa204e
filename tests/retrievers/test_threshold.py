"""A least score, and the scores that have none."""

from typing import Any

import pytest
from pydantic import ValidationError

from youju import Settings
from youju.errors import SettingsError
from youju.retrievers import (
    BM25Retriever,
    CompressRetriever,
    HybridRetriever,
    MultiQueryRetriever,
    RerankRetriever,
    ThresholdRetriever,
)


class Fixed:
    """Scores the first passage 0.8 and all others 0.2."""

    def score(self, query: str, passages: list[str]) -> list[float]:
        return [0.8, *[0.2] * (len(passages) - 1)]


async def test_documents_below_the_threshold_are_left_out(ranking: Any) -> None:
    reranked = RerankRetriever(retriever=ranking("甲", "乙"), model=Fixed())
    for threshold, ids in ((0.2, ["甲", "乙"]), (0.21, ["甲"]), (0.81, [])):
        retriever = ThresholdRetriever(retriever=reranked, threshold=threshold)
        assert [document.id for document in retriever.invoke("问")] == ids
        assert [document.id for document in await retriever.ainvoke("问")] == ids


def test_a_threshold_on_fused_scores_is_refused(ranking: Any, chat: Any) -> None:
    leg = BM25Retriever.from_texts(["年假十天"])
    hybrid = HybridRetriever(retrievers=[leg], weights=[1.0])
    for fused in (hybrid, CompressRetriever(retriever=hybrid), MultiQueryRetriever(retriever=leg, chat=chat("甲"))):
        with pytest.raises(ValidationError, match="得分只在一个问题之内可比，不表示相关程度，不能用 threshold"):
            ThresholdRetriever(retriever=fused, threshold=0.3)
    assert ThresholdRetriever(retriever=RerankRetriever(retriever=hybrid, model=Fixed()), threshold=0.3).invoke("年假")


@pytest.mark.parametrize("base", [{"kind": "hybrid"}, {"kind": "compress"}, {"kind": "multi_query"}, {"kind": "hyde"}])
def test_a_threshold_on_fused_scores_is_refused_in_the_settings(base: dict[str, Any]) -> None:
    wanted = {"kind": "threshold", "threshold": 0.3, "base": base}
    with pytest.raises(SettingsError, match="不能用 threshold；请把 threshold 放在 rerank"):
        Settings.load(overrides=[("retriever", wanted)])
    assert (
        Settings.load(overrides=[("retriever", {**wanted, "base": {"kind": "vector"}})]).retriever.kind == "threshold"
    )


def test_documents_without_a_score_are_an_error(ranking: Any) -> None:
    with pytest.raises(SettingsError, match="Ranking 给的资料没有得分"):
        ThresholdRetriever(retriever=ranking("甲"), threshold=0.3).invoke("问")


def test_scores_and_ranks_pass_unchanged() -> None:
    leg = BM25Retriever.from_texts(["年假十天"])
    found = ThresholdRetriever(retriever=leg, threshold=0.01).invoke("年假")
    assert found == leg.invoke("年假")
