"""Reciprocal rank fusion."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ValidationError

from youju.errors import QuestionError, SettingsError
from youju.retrievers import BM25Retriever, HybridRetriever

Ranked = Callable[..., BaseRetriever]


def doc(name: str, **metadata: Any) -> Document:
    return Document(id=name, page_content=name, metadata=metadata)


def fuse(lists: Sequence[Sequence[str]], weights: Sequence[float], **options: Any) -> list[tuple[str | None, float]]:
    legs = [BM25Retriever.from_texts([]) for _ in lists]
    hybrid = HybridRetriever(retrievers=legs, weights=list(weights), k=100, **options)
    joined = hybrid.weighted_reciprocal_rank([[doc(name) for name in names] for names in lists])
    return [(document.id, document.metadata["score"]) for document in joined]


@pytest.mark.parametrize(
    ("lists", "weights", "expected"),
    [
        (
            [["c1", "c2", "c3"], ["c3", "c4"]],
            [0.5, 0.5],
            [("c3", 0.5 / 63 + 0.5 / 61), ("c1", 0.5 / 61), ("c2", 0.5 / 62), ("c4", 0.5 / 62)],
        ),
        (
            [["x", "a", "y"], ["b", "c", "y"]],
            [1, 1],
            [("y", 2 / 63), ("x", 1 / 61), ("b", 1 / 61), ("a", 1 / 62), ("c", 1 / 62)],
        ),
        ([["a", "b"], ["c"]], [0.9, 0.1], [("a", 0.9 / 61), ("b", 0.9 / 62), ("c", 0.1 / 61)]),
        ([["a", "b"], ["c"]], [0.1, 0.9], [("c", 0.9 / 61), ("a", 0.1 / 61), ("b", 0.1 / 62)]),
        ([["y", "p", "x"], ["z", "q", "x"]], [0.5, 0.5], None),
        ([["a", "b"], []], [0.5, 0.5], [("a", 0.5 / 61), ("b", 0.5 / 62)]),
        ([[], []], [0.5, 0.5], []),
        ([["a", "b"], ["c"]], [0, 1], [("c", 1 / 61)]),
        ([["a", "a", "b"]], [1], [("a", 1 / 61), ("b", 1 / 63)]),
    ],
)
def test_scores_are_the_sums_of_weight_over_k_plus_rank(
    lists: list[list[str]], weights: list[float], expected: list[tuple[str, float]] | None
) -> None:
    joined = fuse(lists, weights)
    if expected is None:  # third in both legs beats first in one
        assert joined[0] == ("x", pytest.approx(1 / 63, abs=1e-9))
        return
    assert [name for name, _ in joined] == [name for name, _ in expected]
    assert [score for _, score in joined] == pytest.approx([score for _, score in expected], abs=1e-9)


def test_the_constant_of_the_fusion_can_be_set() -> None:
    assert fuse([["a"], ["a"]], [1, 1], c=1) == [("a", 1.0)]


LISTS = st.lists(st.lists(st.sampled_from("abcdefgh"), max_size=8), min_size=1, max_size=4)


@given(lists=LISTS, weights=st.lists(st.floats(0.01, 10), min_size=4, max_size=4))
def test_no_document_is_lost_invented_or_repeated_and_order_is_a_function_of_the_lists(
    lists: list[list[str]], weights: list[float]
) -> None:
    weights = weights[: len(lists)]
    joined = fuse(lists, weights)
    assert sorted(str(name) for name, _ in joined) == sorted({name for names in lists for name in names})
    assert all(one >= other for (_, one), (_, other) in pairwise(joined))
    assert fuse(lists, weights) == joined


def test_ties_stand_in_the_order_of_the_legs_and_of_the_ranks_in_them(ranking: Ranked) -> None:
    hybrid = HybridRetriever(retrievers=[ranking("c1", "c2", "c3"), ranking("c3", "c4")], weights=[0.5, 0.5])
    for _ in range(100):
        assert [document.id for document in hybrid.invoke("问题")] == ["c3", "c1", "c2", "c4"]


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_the_order_is_the_same_in_every_process(seed: str) -> None:
    code = """
import json
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from youju.retrievers import HybridRetriever

class Fixed(BaseRetriever):
    ids: str
    def _get_relevant_documents(self, query, *, run_manager):
        return [Document(id=name, page_content=name) for name in self.ids]

hybrid = HybridRetriever(retrievers=[Fixed(ids="abc"), Fixed(ids="cd"), Fixed(ids="efghij")], weights=[1, 1, 1], k=20)
print(json.dumps(sorted({"".join(d.id for d in hybrid.invoke("q")) for _ in range(100)})))
"""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin"},
    )
    # c: 1/63 + 1/61; a, e: 1/61; b, d, f: 1/62; then the rest of the third leg
    assert json.loads(run.stdout) == ["caebdfghij"]


def test_equal_texts_of_two_sources_stay_two_documents() -> None:
    first = BM25Retriever.from_documents([Document(page_content="保修期一年", metadata={"source": "甲.pdf"})])
    second = BM25Retriever.from_documents([Document(page_content="保修期一年", metadata={"source": "乙.pdf"})])
    hits = HybridRetriever(retrievers=[first, second], weights=[0.5, 0.5]).invoke("保修期多久")
    assert [hit.metadata["source"] for hit in hits] == ["甲.pdf", "乙.pdf"]


def test_one_document_found_by_both_legs_is_one_result_with_both_ranks() -> None:
    document = Document(page_content="保修期一年", metadata={"source": "甲.pdf"})
    legs = [BM25Retriever.from_documents([document], name=name) for name in ("first", "second")]
    (hit,) = HybridRetriever(retrievers=legs, weights=[0.5, 0.5]).invoke("保修期多久")
    assert hit.metadata["ranks"] == {"first": 1, "second": 1}
    assert hit.metadata["score"] == pytest.approx(1 / 61)


def test_no_more_than_k_documents_come_back(ranking: Ranked) -> None:
    hybrid = HybridRetriever(retrievers=[ranking("a", "b", "c"), ranking("d", "e", "f")], weights=[1, 1], k=3)
    assert [document.id for document in hybrid.invoke("问题")] == ["a", "d", "b"]
    assert len(hybrid.invoke("问题", k=5)) == 5
    assert hybrid.k == 3


@pytest.mark.parametrize("k", [0, -1, "三", True])
def test_a_number_of_results_that_is_none_is_refused(ranking: Ranked, k: Any) -> None:
    hybrid = HybridRetriever(retrievers=[ranking("a")], weights=[1])
    with pytest.raises(SettingsError, match="k 必须是大于 0 的整数"):
        hybrid.invoke("问题", k=k)
    if k is not True:
        with pytest.raises(ValidationError, match="k"):
            HybridRetriever(retrievers=[ranking("a")], weights=[1], k=k)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([0.5], "有 2 路检索，却给了 1 个 weight"),
        ([1, 1, 1], "有 2 路检索，却给了 3 个 weight"),
        ([-0.1, 1], "weight 要是不小于 0 的数"),
        ([0, 0], "也不能全是 0"),
        ([float("nan"), 1], "weight 要是不小于 0 的数"),
        ([float("inf"), 1], "weight 要是不小于 0 的数"),
    ],
)
def test_weights_that_cannot_be_used_are_refused(ranking: Ranked, weights: list[float], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        HybridRetriever(retrievers=[ranking("a"), ranking("b")], weights=weights)


def test_other_options_that_cannot_be_used_are_refused(ranking: Ranked) -> None:
    with pytest.raises(ValidationError, match="至少要有一路检索"):
        HybridRetriever(retrievers=[], weights=[])
    with pytest.raises(ValidationError, match="2 路检索要有 2 个不同的名字"):
        HybridRetriever(retrievers=[ranking("a"), ranking("b")], weights=[1, 1], names=["x", "x"])
    with pytest.raises(ValidationError, match="c 不能小于 1"):
        HybridRetriever(retrievers=[ranking("a")], weights=[1], c=-1)
    for wrong in ({"c": "六十"}, {"c": None}, {"weights": 5}, {"names": 5}, {"retrievers": 5}, {"weights": [10**400]}):
        with pytest.raises(ValidationError, match=next(iter(wrong)).removesuffix("s")):
            HybridRetriever(**{"retrievers": [ranking("a")], "weights": [1], **wrong})
    with pytest.raises(SettingsError, match="有 1 路检索，却给了 2 个结果列表"):
        HybridRetriever(retrievers=[ranking("a")], weights=[1]).weighted_reciprocal_rank([[], []])


def test_a_leg_of_weight_zero_is_not_asked(ranking: Ranked) -> None:
    silent, asked = ranking("a", "b"), ranking("c")
    hits = HybridRetriever(retrievers=[silent, asked], weights=[0, 1]).invoke("问题")
    assert [hit.id for hit in hits] == ["c"]
    assert (silent.asked, asked.asked) == ([], ["问题"])


def test_legs_are_named_by_themselves_by_number_or_by_the_caller(ranking: Ranked) -> None:
    legs = [ranking("a"), ranking("a"), BM25Retriever.from_texts([])]
    assert HybridRetriever(retrievers=legs, weights=[1, 1, 1]).leg_names() == ["Ranking_1", "Ranking_2", "bm25"]
    named = HybridRetriever(retrievers=legs, weights=[1, 1, 1], names=["x", "y", "z"])
    assert named.invoke("问题")[0].metadata["ranks"] == {"x": 1, "y": 1}


@pytest.mark.parametrize("question", ["", "   ", "？？"])
async def test_an_empty_question_is_refused_before_any_leg_is_asked(ranking: Ranked, question: str) -> None:
    leg = ranking("a")
    hybrid = HybridRetriever(retrievers=[leg], weights=[1])
    with pytest.raises(QuestionError, match="问题是空的"):
        hybrid.invoke(question)
    with pytest.raises(QuestionError, match="问题是空的"):
        await hybrid.ainvoke(question)
    assert leg.asked == []


def test_a_leg_that_cannot_filter_is_refused_when_there_is_a_filter(ranking: Ranked) -> None:
    hybrid = HybridRetriever(retrievers=[BM25Retriever.from_texts(["甲"]), ranking("a")], weights=[1, 1])
    with pytest.raises(SettingsError, match="检索器 Ranking 不支持过滤条件"):
        hybrid.invoke("问题", filter={"dept": "财务部"})


def test_a_failing_leg_fails_the_search(ranking: Ranked) -> None:
    class Broken(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
            raise OSError("disk")

    with pytest.raises(OSError, match="disk"):
        HybridRetriever(retrievers=[ranking("a"), Broken()], weights=[1, 1]).invoke("问题")


def test_legs_run_side_by_side() -> None:
    both_here = threading.Barrier(2, timeout=10)

    class Waiting(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
            both_here.wait()  # breaks unless the other leg is asked at the same time
            return [doc("a")]

    assert len(HybridRetriever(retrievers=[Waiting(), Waiting()], weights=[1, 1]).invoke("问题")) == 1


async def test_awaited_it_finds_the_same_and_a_hybrid_can_be_a_leg(ranking: Ranked) -> None:
    inner = HybridRetriever(retrievers=[ranking("a", "b"), ranking("b")], weights=[1, 1], name="inner")
    outer = HybridRetriever(retrievers=[inner, ranking("c")], weights=[1, 0.5])
    assert [hit.id for hit in outer.invoke("问题")] == ["b", "a", "c"]
    assert await outer.ainvoke("问题") == outer.invoke("问题")
    assert outer.invoke("问题")[0].metadata["ranks"] == {"inner": 1}


def test_how_near_a_document_is_stays_when_ranks_are_joined() -> None:
    legs = [BM25Retriever.from_texts([]) for _ in range(3)]
    hybrid = HybridRetriever(retrievers=legs, weights=[0.5, 0.3, 0.2])
    words = [doc("a", score=9.0), doc("b", score=8.0)]
    question = [doc("b", score=0.91, similarity=0.91), doc("c", score=0.88, similarity=0.88)]
    wording = [doc("c", score=0.97, similarity=0.97)]
    joined = {
        document.id: document.metadata for document in hybrid.weighted_reciprocal_rank([words, question, wording])
    }
    assert "similarity" not in joined["a"]
    assert (joined["b"]["similarity"], joined["c"]["similarity"]) == (0.91, 0.88)
