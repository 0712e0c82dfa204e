"""Fitting the evidence gate: the statistics, the report, and what questions may look like."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from youju.chains.signals import Signals
from youju.errors import LoadError, QuestionError, SettingsError
from youju.eval import CalibrationReport, Question, calibrate, load_questions
from youju.eval.calibration_fit import (
    auc,
    auc_interval,
    choose_threshold,
    fit_gate,
    held_out_scores,
)
from youju.retrievers import BM25Retriever

scores = st.lists(st.sampled_from([step / 8 for step in range(9)]), min_size=1, max_size=20)
DISHES = ["红烧肉", "糖醋鱼", "宫保鸡丁", "麻婆豆腐", "回锅肉", "水煮鱼", "东坡肉", "蒜苗炒蛋", "清蒸鲈鱼", "酸辣汤"]
RULES = ["年假", "病假", "婚假", "报销", "加班", "迟到", "培训", "考勤", "奖金", "餐补", "宿舍", "工服"]


class Found(BaseRetriever):
    """Finds for each question what it was given, with the similarity it was given."""

    found: dict[str, list[tuple[str, float]]]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [Document(text, metadata={"similarity": near}) for text, near in self.found.get(query, [])]


def asked(*, answerable: list[str], other: list[str]) -> list[Question]:
    return [Question(text, (), answerable=True) for text in answerable] + [
        Question(text, (), answerable=False) for text in other
    ]


@pytest.fixture
def rules() -> BaseRetriever:
    """Keyword search in a handbook; a dish is found by the word 食堂, which stands there, and by nothing else."""
    return BM25Retriever.from_texts([f"{rule}由人事部办理，须在当月提出。" for rule in RULES] + ["食堂中午开放。"])


@pytest.fixture
def questions() -> list[Question]:
    return asked(
        answerable=[f"{rule}由人事部办理吗？" for rule in RULES], other=[f"食堂的{dish}好吃吗？" for dish in DISHES]
    )


def test_the_area_under_the_curve_counts_pairs_and_half_of_the_equal_ones() -> None:
    assert auc([0.9, 0.8], [0.1, 0.2]) == 1.0
    assert auc([0.1], [0.9]) == 0.0
    assert auc([0.5, 0.9], [0.5, 0.1]) == (0.5 + 1 + 1 + 1) / 4
    assert auc([0.5], [0.5]) == 0.5


def test_the_interval_holds_the_area_and_is_the_same_on_every_run() -> None:
    ours, others = [0.9, 0.8, 0.4, 0.7, 0.6], [0.1, 0.5, 0.3, 0.65]
    low, high = auc_interval(ours, others, seed=0)
    assert low < auc(ours, others) < high <= 1
    assert auc_interval(ours, others, seed=0) == (low, high)
    assert auc_interval([0.9], [0.1], seed=0) == (1.0, 1.0)


def test_the_threshold_keeps_the_share_and_refuses_most() -> None:
    ours = [0.2, 0.5, 0.6, 0.7, 0.8]
    others = [0.1, 0.3, 0.4, 0.55]
    assert choose_threshold(ours, others, 1.0) == pytest.approx(0.15)  # between 0.1 and 0.2: all are kept
    assert choose_threshold(ours, others, 0.8) == pytest.approx(0.45)  # 0.2 goes, and so do 0.1, 0.3 and 0.4
    assert choose_threshold(ours, others, 0.79) == pytest.approx(0.45)
    assert choose_threshold(ours, others, 0.6) == pytest.approx(0.575)
    assert choose_threshold([0.5], [0.9], 0.98) == 0.0  # nothing is below it


@given(scores, scores, st.floats(min_value=0.5, max_value=1))
def test_no_threshold_keeps_less_than_was_asked(ours: list[float], others: list[float], keep: float) -> None:
    threshold = choose_threshold(ours, others, keep)
    assert sum(score >= threshold for score in ours) >= math.floor(keep * len(ours) - 1e-6)
    assert 0 <= auc(ours, others) <= 1


def test_the_fit_finds_the_weights_that_made_the_data() -> None:
    signals, answerable = [], []
    for step in range(21):  # of 40 questions with the same signal, as many can be answered as the model says
        words = step / 20
        share = 1 / (1 + math.exp(-(6 * words - 3)))
        for number in range(40):
            signals.append(Signals(words=words, held=1.0))
            answerable.append(number < round(40 * share))
    gate = fit_gate(signals, answerable, ["words", "held"])
    assert gate.weights["words"] == pytest.approx(6, rel=0.05)
    assert gate.weights["held"] == 0.0  # the same for all: it says nothing
    assert gate.score(Signals(words=0.5, held=1.0)) == pytest.approx(0.5, abs=0.01)


def test_both_kinds_count_the_same_however_many_there_are() -> None:
    signals = [Signals(words=1.0)] * 3 + [Signals(words=0.0)] * 30
    gate = fit_gate(signals, [True] * 3 + [False] * 30, ["words"])
    assert gate.score(Signals(words=0.5)) == pytest.approx(0.5, abs=0.02)


def test_no_signal_counts_against_an_answer() -> None:
    signals = [Signals(words=step / 9, similarity=1 - step / 9) for step in range(10)]
    gate = fit_gate(signals, [step > 4 for step in range(10)], ["words", "similarity"])
    assert list(gate.weights) == ["words"]
    nothing = fit_gate(signals, [step > 4 for step in range(10)], ["similarity"])
    assert (nothing.weights, nothing.score(Signals())) == ({}, 0.5)


def test_a_question_is_scored_by_a_gate_that_has_not_seen_it() -> None:
    signals = [Signals(words=float(number % 2)) for number in range(20)]
    answerable = [number % 2 == 1 for number in range(20)]
    answerable[7] = False  # looks like the answerable ones
    held_out = held_out_scores(signals, answerable, ["words"], folds=20, seed=0)
    own = fit_gate(signals, answerable, ["words"]).score(signals[7])
    assert own is not None
    assert held_out[7] > own
    assert held_out == held_out_scores(signals, answerable, ["words"], folds=20, seed=0)


def test_kinds_that_words_tell_apart_are_told_apart(rules: BaseRetriever, questions: list[Question]) -> None:
    seen: list[tuple[int, int]] = []
    report = calibrate(rules, questions, on_progress=lambda done, total: seen.append((done, total)))
    assert (report.answerable, report.unanswerable, report.nothing_found, report.folds) == (12, 10, 0, 5)
    [figures] = report.gates  # keyword search shows words alone
    assert set(figures.gate.weights) <= {"words", "together", "held"}
    assert (figures.questions, figures.auc, figures.kept, figures.refused) == (22, 1.0, 1.0, 1.0)
    assert (report.lost, report.passed) == ([], [])
    assert seen[-1] == (22, 22)
    assert report == calibrate(rules, questions)
    assert CalibrationReport.model_validate_json(report.model_dump_json()) == report


def test_the_curve_goes_from_keeping_all_to_refusing_more(rules: BaseRetriever) -> None:
    mixed = asked(
        answerable=[f"{rule}由人事部办理吗？" for rule in RULES[:8]] + ["食堂的松鼠桂鱼好吃吗？"],
        other=[f"食堂的{dish}好吃吗？" for dish in DISHES] + ["请问年假由人事部办理吗？"],
    )
    [figures] = calibrate(rules, mixed, keep=1.0).gates
    assert figures.kept == 1.0
    assert 0.5 < figures.auc < 1
    thresholds = [point.threshold for point in figures.curve]
    assert thresholds == sorted(thresholds)
    assert figures.curve[0].kept == 1.0
    assert [point.refused for point in figures.curve] == sorted(point.refused for point in figures.curve)
    report = calibrate(rules, mixed, keep=0.85)  # one of nine may go
    [lenient] = report.gates
    assert lenient.kept == pytest.approx(8 / 9)
    assert lenient.refused > figures.refused
    assert report.lost == ["食堂的松鼠桂鱼好吃吗？"]
    assert report.passed == ["请问年假由人事部办理吗？"]


def test_similarity_is_used_where_it_is_seen_and_words_alone_are_fitted_beside_it() -> None:
    ours, others = [f"问题{n}甲" for n in range(10)], [f"问题{n}乙" for n in range(10)]
    found = {text: [("说明", 0.8 + 0.01 * n)] for n, text in enumerate(ours)}
    found |= {text: [("说明", 0.5 + 0.01 * n)] for n, text in enumerate(others)}
    both, words = calibrate(Found(found=found), asked(answerable=ours, other=others)).gates
    assert "similarity" in both.gate.weights
    assert (both.auc, both.refused) == (1.0, 1.0)
    assert "similarity" not in words.gate.weights
    assert words.auc < 0.8
    assert (both.separates, words.separates) == (True, words.auc_interval[0] > 0.5)


def test_what_nothing_is_found_for_counts_apart(rules: BaseRetriever, questions: list[Question]) -> None:
    more = [*questions, Question("xyzzy", (), answerable=False)]
    report = calibrate(rules, more)
    assert (report.unanswerable, report.nothing_found, report.gates[0].questions) == (11, 1, 22)


def test_few_questions_and_kinds_that_cannot_be_told_apart_are_warned_of(rules: BaseRetriever) -> None:
    same = asked(answerable=["年假？", "病假？", "婚假？"], other=["报销？", "加班？", "迟到？"])
    report = calibrate(rules, same)
    assert report.warnings == [
        "资料能回答的问题只有 3 个，少于 20 个：数字不稳，门槛可能不合适",
        "资料不能回答的问题只有 3 个，少于 20 个：数字不稳，门槛可能不合适",
        (
            "从检索结果上分不开这两种问题（AUC 的区间到 0.5 或以下）：这样的门槛不会存。请核对 answerable 有没有标错，"
            "两种问题各给 20 个以上不同的，或换一种检索（retriever）再校准；在此之前靠模型自己拒答和引用检查"
        ),
    ]
    assert report.fitted({}).gates == ()
    assert report.gates[0].kept == 1.0  # what cannot be told apart is not refused


def test_what_cannot_be_fitted_is_said(rules: BaseRetriever, questions: list[Question]) -> None:
    with pytest.raises(SettingsError, match="资料不能回答的问题（answerable 是 false）有 0 个，至少要 2 个"):
        calibrate(rules, questions[:12])
    with pytest.raises(SettingsError, match="资料能回答的问题（answerable 是 true）有 1 个"):
        calibrate(rules, questions[11:])
    with pytest.raises(SettingsError, match=r"keep 是要留住的比例，在 0.5 和 1 之间，不能是 98"):
        calibrate(rules, questions, keep=98)
    with pytest.raises(QuestionError, match="第 23 个问题：问题是空的"):
        calibrate(rules, [*questions, Question("？", (), answerable=False)])
    with pytest.raises(SettingsError, match="检索到的资料太少"):
        calibrate(Found(found={}), questions)


LINES: list[tuple[str, str]] = [
    ('{"question": "年假？"}', "answerable 要写 true 或 false"),
    ('{"question": "年假？", "answerable": "no"}', "answerable 要写 true 或 false"),
    ('{"question": "年假？", "answerable": 1}', "answerable 要写 true 或 false"),
    ('{"question": "年假？", "answerable": false, "quotes": ["十天"]}', "没有 quotes；请删掉一个"),
    ('{"question": "年假？", "answerable": false, "answer": "十天"}', "没有 answer；请删掉一个"),
    ('{"question": "年假？", "answerable": true, "quotes": []}', "quotes 要是原文引文的列表"),
    ('{"question": "年假？", "answerable": true, "answer": 10}', "answer 要是一句有内容的话"),
    ('{"question": "？", "answerable": true}', "question 要是一句有内容的话"),
    (
        '{"question": "年假？", "answerabel": true}',
        "字段 answerabel 不能写在这种文件里；可以写：question、answerable、quotes",
    ),
    ("[1]", "要写成一个 JSON 对象"),
    ("{", "不是正确的 JSON"),
]


@pytest.mark.parametrize(("line", "reason"), LINES)
def test_a_line_with_a_fault_is_named(line: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(f'{{"question": "病假？", "answerable": true}}\n\n{line}\n', encoding="utf-8")
    with pytest.raises(LoadError) as raised:
        load_questions(path, judged=True)
    assert f"{path} 第 3 行：" in str(raised.value)
    assert reason in str(raised.value)


def test_lines_say_whether_the_documents_answer(tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text(
        '{"question": "年假？", "quotes": ["十天"], "answer": "十天。", "source": "a.md"}\n'
        '{"question": "病假？", "answerable": true}\n{"question": "红烧肉？", "answerable": false}\n',
        encoding="utf-8",
    )
    one, two, three = load_questions(path, judged=True)
    assert (one.answerable, one.quotes, one.answer, one.source) == (True, ("十天",), "十天。", "a.md")
    assert (two.answerable, two.quotes) == (True, ())
    assert three.answerable is False
    path.write_text('{"question": "年假？", "answerable": true}', encoding="utf-8")
    with pytest.raises(LoadError, match="字段 answerable 不能写在这种文件里"):
        load_questions(path)


def test_the_words_that_a_claim_needs_are_fitted_where_questions_have_quotes_and_answers() -> None:
    found, questions = {}, []
    for rule in RULES + DISHES:
        right = f"{rule}由人事部的专员办理，申请须附上主管签字。"
        found[f"{rule}怎么申请？"] = [(right, 0.9), (f"{rule}的历史可以在图书馆查阅。", 0.8)]
        quotes = (f"{rule}由人事部的专员办理",)
        questions.append(Question(f"{rule}怎么申请？", quotes, answer=f"{rule}的申请须附上主管签字。"))
    other = [Question(f"{dish}好吃吗？", (), answerable=False) for dish in DISHES]
    found |= {question.text: [("食堂中午开放。", 0.5)] for question in other}
    figures = calibrate(Found(found=found), [*questions, *other]).grounding
    assert figures is not None
    assert (figures.right, figures.wrong) == (22, 22)
    assert (figures.auc, figures.kept, figures.refused) == (1.0, 1.0, 1.0)
    assert (figures.lexical, figures.partial) == (0.6, 0.45)  # as good as any other, so the built-in one stays
    too_few = calibrate(Found(found=found), [*questions[:19], *other])
    assert too_few.grounding is None
    without = [Question(question.text, question.quotes) for question in questions]
    assert calibrate(Found(found=found), [*without, *other]).grounding is None
