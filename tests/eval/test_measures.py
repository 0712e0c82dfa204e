"""Measures and significance of rankings."""

import sys
from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import MissingExtraError, SettingsError
from youju.eval import MEASURES, measure, randomisation_test

THREE = ("Success@1", "Success@3", "RR", "nDCG@3")


def test_each_question_has_its_figures_and_the_means_are_over_all() -> None:
    found = measure(
        {"1": ["a", "b", "c"], "2": ["x", "a", "y"], "3": ["a", "x", "y"], "4": []},
        {"1": {"a": 1}, "2": {"a": 1}, "3": {"a": 1, "b": 1, "c": 1}, "4": {"a": 1}},
        THREE,
    )
    ideal = 1 + 1 / log2(3) + 1 / log2(4)  # of the third: all three, though two of them were not found
    assert found.questions == ("1", "2", "3", "4")
    assert found.values == {
        "Success@1": (1, 0, 1, 0),
        "Success@3": (1, 1, 1, 0),
        "RR": (1, 0.5, 1, 0),
        "nDCG@3": (pytest.approx(1), pytest.approx(1 / log2(3)), pytest.approx(1 / ideal), 0),
    }
    assert 1 / ideal == pytest.approx(0.4692787260)
    assert found.means == {
        "Success@1": 0.5,
        "Success@3": 0.75,
        "RR": 0.625,
        "nDCG@3": pytest.approx(0.5250521199),
    }


def test_questions_without_a_relevant_passage_are_left_out_and_counted() -> None:
    found = measure(
        {"1": ["a"], "没有答案": ["a", "b"], "没有判过": ["a"]}, {"1": {"a": 1}, "没有答案": {}, "判为零": {"a": 0}}
    )
    assert found.questions == ("1",)
    assert found.left_out == ("没有答案", "判为零", "没有判过")
    assert found.means == dict.fromkeys(MEASURES, 1)


def test_a_question_that_was_not_asked_or_found_nothing_counts_as_zero() -> None:
    assert measure({}, {"1": {"a": 1}}).means == dict.fromkeys(MEASURES, 0)
    assert measure({"1": []}, {"1": {"a": 1}, "2": {"b": 1}}).means == dict.fromkeys(MEASURES, 0)


def test_a_passage_that_is_listed_twice_counts_where_it_is_listed_first() -> None:
    found = measure({"1": ["x", "x", "a", "a"]}, {"1": {"a": 1}}, ("RR", "nDCG@10"))
    assert found.means == {"RR": 0.5, "nDCG@10": pytest.approx(1 / log2(3))}


def test_the_order_of_the_list_counts_whatever_the_ids_are_called() -> None:
    for ids in (["b", "a"], ["a", "b"], ["1 0", "2\t\0"], ["\ud800", "段 落"]):
        assert measure({"问": ids}, {"问": {ids[1]: 1}}, ("RR",)).means == {"RR": 0.5}


def test_better_answers_count_more_in_graded_sets() -> None:
    found = measure({"1": ["ok", "best"]}, {"1": {"ok": 1, "best": 3}}, ("nDCG@10",))
    assert found.means["nDCG@10"] == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_without_questions_there_is_nothing_to_measure() -> None:
    for relevant in ({}, {"1": {}}):
        with pytest.raises(SettingsError, match="没有可以测量的问题"):
            measure({"1": ["a"]}, relevant)


@pytest.mark.parametrize("name", ["Hit@1", "Success", "nDCG@", "", "alpha_nDCG@10"])
def test_a_measure_that_cannot_be_computed_is_named(name: str) -> None:
    with pytest.raises(SettingsError, match=f"不能计算指标 {name}；可以写 Success@1"):
        measure({"1": ["a"]}, {"1": {"a": 1}}, (name,))


def test_a_missing_measuring_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtraError, match=r"youju\[eval\]"):
        measure({"1": ["a"]}, {"1": {"a": 1}})


@given(st.lists(st.lists(st.sampled_from("abcdefghijkl"), unique=True), min_size=1, max_size=4))
def test_reciprocal_rank_and_success_are_what_their_names_say(rankings: list[list[str]]) -> None:
    asked = {str(number): ranking for number, ranking in enumerate(rankings)}
    found = measure(asked, {question: {"a": 1} for question in asked}, ("RR@10", "Success@5"))
    places = [ranking.index("a") + 1 if "a" in ranking else 0 for ranking in rankings]
    assert found.values["RR@10"] == pytest.approx([1 / place if 0 < place <= 10 else 0 for place in places])
    assert found.values["Success@5"] == tuple(float(0 < place <= 5) for place in places)


def test_p_is_the_share_of_exchanges_with_a_difference_as_large() -> None:
    # 8 questions, all better by as much: only the two exchanges of none or all, of 2 ** 8, are as large
    assert randomisation_test([1.0] * 8, [0.5] * 8, rounds=100_000) == pytest.approx(2 / 2**8, abs=0.001)
    # 3 better and 1 worse of 4: of 16 exchanges the sum is 2 or more in 5, and -2 or less in 5
    assert randomisation_test([1, 1, 1, 0], [0, 0, 0, 1], rounds=100_000) == pytest.approx(10 / 16, abs=0.01)


def test_equal_values_differ_by_chance_alone() -> None:
    assert randomisation_test([0.2, 0.7], [0.2, 0.7]) == 1
    assert randomisation_test([1, 0], [0, 1]) == 1


def test_p_is_the_same_on_every_run_and_from_both_sides() -> None:
    one, other = [0.1 * number for number in range(10)], [0.1 * (number % 3) for number in range(10)]
    assert randomisation_test(one, other) == randomisation_test(one, other) == randomisation_test(other, one)
    assert randomisation_test(one, other, seed=1) != randomisation_test(one, other)


def test_p_is_never_zero() -> None:
    assert randomisation_test([1.0] * 100, [0.0] * 100, rounds=99) == 0.01


def test_only_values_of_the_same_questions_are_compared() -> None:
    with pytest.raises(SettingsError, match="一边有 2 个值，另一边有 1 个"):
        randomisation_test([1, 0], [1])
    with pytest.raises(SettingsError, match="至少一个"):
        randomisation_test([], [])
    with pytest.raises(SettingsError, match="rounds 要大于 0"):
        randomisation_test([1], [0], rounds=0)
