"""Rankings joined by the scores of their documents."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ValidationError

from youju.errors import SettingsError
from youju.retrievers import BM25Retriever, HybridRetriever
from youju.retrievers.fusion import lead, led

Scores = dict[str, float]


class Scored(BaseRetriever):
    """A retriever of anyone's; its documents have the scores that are given."""

    scores: dict[str, Any]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [
            Document(id=name, page_content=name, metadata={} if score is None else {"score": score})
            for name, score in self.scores.items()
        ]


def joined(*legs: dict[str, Any], weights: list[float], **options: Any) -> list[tuple[str | None, float]]:
    retrievers = [Scored(scores=scores) for scores in legs]
    hybrid = HybridRetriever(retrievers=retrievers, weights=weights, fusion="scores", k=100, **options)
    return [(found.id, found.metadata["score"]) for found in hybrid.invoke("年假")]


@pytest.mark.parametrize(
    ("legs", "weights", "expected"),
    [
        # on their own scales: a 1, b 0.75, c 0 and c 1, a 0.5, d 0
        (
            [{"a": 10, "b": 8.5, "c": 4}, {"c": 0.9, "a": 0.8, "d": 0.7}],
            [0.5, 0.5],
            [("a", 0.75), ("c", 0.5), ("b", 0.375), ("d", 0)],
        ),
        ([{"a": 10, "b": 8.5, "c": 4}, {"c": 0.9, "a": 0.8}], [1, 3], [("c", 3), ("a", 1), ("b", 0.75)]),
        ([{"a": 5, "b": 5}, {}], [0.5, 0.5], [("a", 0.5), ("b", 0.5)]),  # all alike: all best
        ([{"a": 5}, {"b": 0.1}], [0.4, 0.6], [("b", 0.6), ("a", 0.4)]),
        ([{"a": 2, "b": 1}, {"b": 1, "a": 0}], [1, 0], [("a", 1), ("b", 0)]),  # the second is not asked
        ([{"a": -3, "b": -4, "c": -7}], [1], [("a", 1), ("b", 0.75), ("c", 0)]),
        ([{}, {}], [0.5, 0.5], []),
    ],
)
def test_a_score_is_the_weighted_sum_of_the_scores_between_the_worst_and_the_best_of_each_leg(
    legs: list[Scores], weights: list[float], expected: list[tuple[str, float]]
) -> None:
    assert joined(*legs, weights=weights) == [(name, pytest.approx(score)) for name, score in expected]


def test_the_scale_of_keyword_search_begins_at_zero_where_no_word_is_shared() -> None:
    words = BM25Retriever.from_texts(["年假年假", "年假和婚假", "病假"])
    alone = [hit.metadata["score"] for hit in words.invoke("年假")]
    hybrid = HybridRetriever(retrievers=[words, Scored(scores={})], weights=[0.4, 0.6], fusion="scores")
    assert len(alone) == 2
    assert [hit.metadata["score"] for hit in hybrid.invoke("年假")] == pytest.approx([0.4, 0.4 * alone[1] / alone[0]])
    configurable = words.configurable_fields()
    around = HybridRetriever(retrievers=[configurable, Scored(scores={})], weights=[0.4, 0.6], fusion="scores")
    assert around.invoke("年假") == hybrid.invoke("年假")


def test_a_clear_lead_of_one_leg_outweighs_a_narrow_one_of_the_other() -> None:
    clear, narrow = {"a": 9.0, "b": 1.0, "c": 0.0}, {"b": 1.0, "a": 0.99, "c": 0.0}
    assert [name for name, _ in joined(clear, narrow, weights=[0.5, 0.5])] == ["a", "b", "c"]
    assert [name for name, _ in joined(narrow, clear, weights=[0.5, 0.5])] == ["a", "b", "c"]


def test_ranks_are_kept_and_awaited_it_is_the_same() -> None:
    legs = [Scored(name="one", scores={"a": 2, "b": 1}), Scored(name="two", scores={"b": 1})]
    hybrid = HybridRetriever(retrievers=legs, weights=[0.5, 0.5], fusion="scores")
    assert [hit.metadata["ranks"] for hit in hybrid.invoke("年假")] == [{"one": 1}, {"one": 2, "two": 1}]


async def test_awaited_it_finds_the_same() -> None:
    legs = [Scored(scores={"a": 2, "b": 1}), Scored(scores={"b": 1, "c": 0.5})]
    hybrid = HybridRetriever(retrievers=legs, weights=[0.5, 0.5], fusion="scores")
    assert await hybrid.ainvoke("年假") == hybrid.invoke("年假")


@pytest.mark.parametrize("score", [None, float("nan"), "0.5"])
def test_a_leg_without_scores_is_named(score: Any) -> None:
    legs = [Scored(name="one", scores={"a": 1}), Scored(name="two", scores={"b": 1, "a": score})]
    hybrid = HybridRetriever(retrievers=legs, weights=[0.5, 0.5], fusion="scores")
    with pytest.raises(SettingsError, match=r"two 的结果没有 score.*fusion 改为 rrf"):
        hybrid.invoke("年假")


def test_another_fusion_is_refused() -> None:
    with pytest.raises(ValidationError, match="fusion"):
        HybridRetriever(retrievers=[Scored(scores={})], weights=[1], fusion="sum")


@settings(max_examples=25)
@given(st.lists(st.dictionaries(st.sampled_from("abcdef"), st.floats(-5, 5)), min_size=1, max_size=3))
def test_the_order_does_not_depend_on_the_scale_of_a_leg(legs: list[Scores]) -> None:
    weights = [1.0] * len(legs)
    found = dict(joined(*legs, weights=weights))
    assert set(found) == {name for leg in legs for name in leg}
    assert all(0 <= score <= len(legs) for score in found.values())
    larger = [{name: 8 * score for name, score in leg.items()} for leg in legs]  # by a power of two: without rounding
    assert dict(joined(*larger, weights=weights)) == found


def hits(*scores: float) -> list[Document]:
    return [Document(id=str(place), page_content="", metadata={"score": score}) for place, score in enumerate(scores)]


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ((8.0, 2.0, 2.0), 0.75),  # 1 - 2 / 8
        ((5.0, 5.0, 5.0), 0.0),
        ((5.0,), 1.0),
        ((), 0.0),
        ((0.0, 0.0), 0.0),
        ((10.0, *[5.0] * 9, *[0.0] * 40), 0.5),  # the second to the tenth count
    ],
)
def test_the_lead_is_how_far_the_first_stands_before_the_second_to_the_tenth(
    scores: tuple[float, ...], expected: float
) -> None:
    assert lead(hits(*scores)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("weights", "leads", "share", "expected"),
    [
        ([0.35, 0.65], [0.5, None], 0.6, [0.65, 0.35]),
        ([0.35, 0.65], [0.5, None], 0.0, [0.35, 0.65]),
        ([0.35, 0.65], [0.0, None], 0.6, [0.35, 0.65]),
        ([3.5, 6.5], [0.5, None], 0.6, [6.5, 3.5]),  # whatever the weights sum to
        ([0.6, 0.4], [1.0, None], 0.6, [1.0, 0.0]),  # never more than there is
        ([0.2, 0.4, 0.4], [0.5, None, None], 0.6, [0.5, 0.25, 0.25]),
        ([0.5, 0.5], [0.9, 0.1], 0.6, [0.5, 0.5]),  # nobody to take it from
        ([0.0, 1.0], [0.9, None], 0.6, [0.0, 1.0]),  # a leg that is not asked gains nothing
    ],
)
def test_a_keyword_leg_gains_weight_by_its_lead_and_the_others_share_the_rest(
    weights: list[float], leads: list[float | None], share: float, expected: list[float]
) -> None:
    assert led(weights, leads, share) == pytest.approx(expected)


def test_a_hit_that_stands_out_in_keyword_search_comes_before_the_nearest_vector() -> None:
    texts = {"a": "报销单号BX-2024-0017", "b": "报销单号BX-2024-0018", "c": "差旅标准"}
    words = BM25Retriever.from_documents([Document(id=name, page_content=text) for name, text in texts.items()])
    near = Scored(scores={"c": 0.9, "b": 0.89, "a": 0.2})

    def first(query: str, share: float) -> str | None:
        hybrid = HybridRetriever(
            retrievers=[words, near], weights=[0.35, 0.65], fusion="scores", lead=share, names=["words", "near"]
        )
        return hybrid.invoke(query)[0].id

    assert first("BX-2024-0017", 0.0) == "b"
    assert first("BX-2024-0017", 0.6) == "a"
    assert first("标准是什么", 0.6) == "c"


@settings(max_examples=200)
@given(st.lists(st.tuples(st.floats(0, 10), st.none() | st.floats(0, 1)), min_size=1, max_size=5), st.floats(0, 1))
def test_led_weights_are_none_below_zero_and_sum_to_the_same(
    legs: list[tuple[float, float | None]], share: float
) -> None:
    weights, leads = [weight for weight, _ in legs], [one for _, one in legs]
    moved = led(weights, leads, share)
    assert all(weight >= 0 for weight in moved)
    assert sum(moved) == pytest.approx(sum(weights))
