"""Answers put to the test: kept through every interruption, judged by rules that a reader can follow."""

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from filelock import FileLock
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from youju import Settings
from youju.errors import AnswerCutOffError, ModelUnavailableError, YoujuError
from youju.eval.answer_measures import Judgement, by_chance, judge, way_figures, worst
from youju.eval.answer_texts import comparable, holds_part, holds_reference, holds_sentence, refuses, stated
from youju.eval.answers import (
    AnswerCase,
    AnswerRecord,
    Reply,
    Way,
    checked_way,
    plain_way,
    read_records,
    run_cases,
)

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
PROGRAM = BENCHMARKS / "answer_quality.py"
RUN = {"model": "scripted", "seed": 0}
PROMPT = "<资料>\n{evidence}\n</资料>\n\n问题：{question}"


class Says(BaseChatModel):
    """Says always the same."""

    text: str

    @property
    def _llm_type(self) -> str:
        return "says"

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        usage = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.text, usage_metadata=usage))])


@pytest.fixture
def defaults() -> Settings:
    return Settings()


def case(number: int = 1, **changes: Any) -> AnswerCase:
    documents = (
        Document(id="leave", page_content="年假为10天。", metadata={"location": "休假制度"}),
        Document(id="meals", page_content="午餐补贴每天30元。", metadata={"location": "补贴办法"}),
    )
    known: dict[str, Any] = {
        "id": str(number),
        "group": "made",
        "kind": "fact",
        "question": "年假有几天？",
        "documents": documents,
        "right": frozenset({"leave"}),
        "must_refuse": False,
        "parts": (("10天", "十天"),),
    }
    return AnswerCase(**{**known, **changes})


def record(answer: str, status: str = "unchecked", **changes: Any) -> AnswerRecord:
    known: dict[str, Any] = {
        "group": "made",
        "case": "1",
        "way": "plain",
        "kind": "fact",
        "question": "年假有几天？",
        "must_refuse": False,
        "partly": False,
        "parts": (("10天",),),
        "reference": "",
        "status": status,
        "answer": answer,
        "evidence": ("年假为10天。", "午餐补贴每天30元。"),
        "right": (1,),
        "seconds": 1.0,
        "calls": 1,
    }
    return AnswerRecord(**{**known, **changes})


def refusable(answer: str, status: str = "unchecked", **changes: Any) -> AnswerRecord:
    return record(answer, status, must_refuse=True, right=(), parts=(("10天",),), **changes)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("一百二十万元", "1,200,000 元"),
        ("１２０万元", "1200000元"),
        ("百分之五点七", "5.7％"),
        ("版本v2.10，6.10米", "版本v2.10，6.1米"),
        ("2024-03-05", "２０２４年３月５日"),
        ("2024年03月05日", "二〇二四年三月五日"),
        ("凱爾·內斯", "凯尔-内斯"),
        ("iPhone SE 3", "iphone se3"),
    ],
)
def test_texts_that_say_the_same_compare_alike(text: str, same: str) -> None:
    assert comparable(text) == comparable(same)


def test_numbers_beside_each_other_do_not_run_into_one() -> None:
    assert comparable("第10、20名") == "第10 20名"
    assert not holds_part("第10、20名", ["1020"])


@pytest.mark.parametrize(
    ("text", "part", "held"),
    [
        ("事故造成十二人死亡。", "12人", True),
        ("事故造成12名乘客死亡。", "12人", True),
        ("事故发生在12月。", "12人", False),
        ("事故造成112人死亡。", "12人", False),
        ("事故造成12%的损失。", "12人", False),
        ("增长15.7%。", "5.7%", False),
        ("增长5.70%。", "5.7%", True),
        ("于11月3日开幕。", "1月3日", False),
        ("于2022年1月3日开幕。", "1月3日", True),
        ("票房为60.39亿元。", "60.39", True),
        ("共四次。", "4次", True),
        ("在E组。", "E组", True),
        ("什么也没有。", "", False),
    ],
)
def test_an_answer_holds_a_gold_part_or_not(text: str, part: str, held: bool) -> None:  # noqa: FBT001 - a table of cases
    assert holds_part(text, [part]) is held


def test_any_alternative_of_a_part_will_do() -> None:
    assert holds_part("共131万辆。", ["1313851", "131万"])
    assert holds_part("共1,313,851辆。", ["1313851", "131万"])
    assert not holds_part("共132万辆。", ["1313851", "131万"])


@given(st.text(max_size=40))
def test_every_text_with_a_letter_or_digit_holds_itself(text: str) -> None:
    assert holds_part(text, [text]) is (comparable(text) != "")


def test_a_reference_is_held_with_two_thirds_of_its_values_and_half_of_its_words() -> None:
    question = "甲公司和乙公司的净利润分别是多少？"
    reference = "甲公司的净利润是8亿元，乙公司的净利润是3000万元，另有减值2万元。"  # values 8亿, 3000万, 2万; word 减值
    assert holds_reference("甲为八亿元，乙为30,000,000元，有减值。", reference, question)
    assert not holds_reference("甲为八亿元，有减值。", reference, question)
    assert not holds_reference("甲为八亿元，乙为30,000,000元。", reference, question)


def test_what_a_reference_says_is_missing_is_not_asked_of_an_answer() -> None:
    reference = "甲公司为15%，乙公司未明确提及具体数值，故无法比较。"
    assert holds_reference("甲公司为15%。", reference, "比较甲公司和乙公司的收益率。")


def test_a_reference_that_adds_nothing_to_the_question_is_held_word_by_word() -> None:
    assert holds_reference("甲更早。", "甲", "甲和乙谁更早？")
    assert not holds_reference("乙更早。", "甲", "甲和乙谁更早？")


def test_a_passage_holds_a_slightly_reworded_sentence() -> None:
    passage = "公司于三月搬到新址。随后，公司在2018年2月任命了两位新董事。"
    assert holds_sentence(passage, "公司在2018年2月任命了两位新董事")
    assert holds_sentence(passage, "随后公司在2018年2月任命两位新董事。")
    assert not holds_sentence(passage, "公司在2019年5月解聘了三位老经理。")


@pytest.mark.parametrize(
    "sentence",
    [
        "资料中未提及。",
        "很抱歉，根据提供的信息无法确定年假的天数[资料1]。",
        "资料没有给出具体数字，因此无法回答。",
        "关于年假有几天，文中未说明，请咨询人事部。",
        "The documents do not mention it.",
    ],
)
def test_a_refusal_is_known_in_many_words(sentence: str) -> None:
    assert refuses(sentence, "年假有几天？")


@pytest.mark.parametrize(
    "sentence",
    [
        "年假为10天[资料1]。",
        "资料没有给出年假，但病假为30天[资料1]。",
        "病假为30天，年假未提及[资料1]。",
        "资料未说明年假，全体员工可享受探亲假[资料2]。",
    ],
)
def test_a_sentence_that_states_something_is_no_refusal(sentence: str) -> None:
    assert not refuses(sentence, "年假有几天？")


def test_headings_and_refusals_state_nothing() -> None:
    answer = "规定如下：\n年假为10天[资料1]。\n病假资料中未提及。"
    assert stated(answer, "年假和病假有几天？") == (["年假为10天[资料1]。"], True)


@pytest.mark.parametrize(
    ("answer", "status", "outcome"),
    [
        ("年假为10天[资料1]。", "unchecked", "answered"),
        ("年假为10天[资料1]。病假资料中未提及。", "unchecked", "partial"),
        ("年假为10天[资料1]。", "partial", "partial"),
        ("资料中没有提到年假的天数。", "unchecked", "refused"),
        ("资料中没有提到年假的天数[资料1]。", "answered", "refused"),
        ("资料中未提及", "not_found", "refused"),
        ("", "rejected", "refused"),
        ("", "error", "error"),
    ],
)
def test_the_outcome_of_an_answer_is_the_same_for_all_ways(answer: str, status: str, outcome: str) -> None:
    assert judge(record(answer, status)).outcome == outcome


def test_a_right_answer_holds_the_gold_answer_and_cites_the_right_block() -> None:
    judged = judge(record("年假为10天[资料1]。午餐另算[资料2]。"))
    assert (judged.right, judged.wrong, judged.fabricated) == (True, False, False)
    assert (judged.right_pairs, judged.pairs, judged.right_sentences, judged.sentences) == (1, 2, 1, 2)
    assert judged.unfounded == ()


def test_the_number_of_a_mark_is_no_gold_answer() -> None:
    assert judge(record("见制度[资料10]。")).wrong


def test_an_answer_without_the_gold_answer_is_wrong() -> None:
    judged = judge(record("年假为15天[资料1]。"))
    assert (judged.right, judged.wrong) == (False, True)
    assert judged.unfounded == ("15",)


def test_a_number_must_stand_in_the_block_that_is_cited_with_it() -> None:
    assert judge(record("补贴30元[资料2]。")).unfounded == ()
    assert judge(record("补贴30元[资料1]。")).unfounded == ("30",)
    assert judge(record("补贴30元。")).unfounded == ()  # without a mark, any block may hold it
    assert judge(record("补贴30元[资料9]。")).unfounded == ("30",)


def test_an_answer_where_nothing_is_written_is_fabricated_also_in_part() -> None:
    assert judge(refusable("年假为10天[资料1]。")).fabricated
    assert judge(refusable("年假资料中未提及。病假为30天[资料1]。")).fabricated
    assert not judge(refusable("资料中未提及。")).fabricated
    assert not judge(refusable("", "rejected")).fabricated
    assert not judge(refusable("", "error")).fabricated


def test_where_only_a_part_is_written_a_right_answer_says_so() -> None:
    whole = record("年假为10天[资料1]。", partly=True)
    part = record("年假为10天[资料1]。病假资料中未提及。", partly=True)
    assert (judge(whole).right, judge(whole).wrong, judge(part).right) == (False, True, True)


def test_a_refusal_is_false_only_if_the_answer_was_there_to_be_read() -> None:
    there, missing = judge(record("资料中未提及。")), judge(record("资料中未提及。", right=()))
    assert (there.false_refusal, there.right_refusal) == (True, False)
    assert (missing.false_refusal, missing.right_refusal) == (False, True)


def test_figures_are_shares_of_what_they_say() -> None:
    judged = [
        judge(one)
        for one in (
            record("年假为10天[资料1]。", seconds=1.0),  # right
            record("年假为15天[资料1][资料2]。", seconds=2.0, calls=2),  # wrong, its number nowhere
            record("资料中未提及。", seconds=3.0),  # a false refusal
            record("资料中未提及。", right=(), seconds=4.0),  # nothing was there to be read
            refusable("年假为10天[资料1]。", seconds=5.0),  # fabricated
            refusable("资料中未提及。年假为30天[资料2]。", seconds=6.0),  # fabricated in part
            refusable("资料中未提及。", seconds=7.0),
            refusable("", "error", seconds=8.0, calls=1),
        )
    ]
    found = way_figures(judged)
    assert (found.cases, found.unanswerable, found.reachable, found.errors) == (8, 4, 3, 1)
    assert (found.fabricated, found.fabricated_partial, found.fabricated_share) == (2, 1, 2 / 4)
    assert (found.wrong, found.wrong_share, found.right, found.right_share) == (1, 1 / 4, 1, 1 / 4)
    assert (found.refusal_precision, found.refusal_recall) == (2 / 3, 1 / 4)
    assert (found.false_refusals, found.false_refusal_share) == (1, 1 / 3)
    assert (found.citation_precision, found.citation_recall) == (2 / 3, 2 / 2)
    assert (found.unfounded, found.unfounded_share) == (1, 1 / 4)
    assert (found.seconds, found.seconds_mean, found.calls) == (4.5, 4.5, 9 / 8)


def test_a_share_of_nothing_is_none() -> None:
    found = way_figures([judge(record("年假为10天[资料1]。"))])
    assert (found.fabricated_share, found.refusal_precision, found.refusal_recall) == (None, None, None)
    assert way_figures([]).seconds is None


def test_chance_explains_equal_ways_wholly_and_clear_differences_hardly() -> None:
    assert by_chance([True, False, True], [True, False, True]) == 1.0
    assert by_chance([True] * 12, [False] * 12) < 0.002  # by chance 2 in 2**12
    assert by_chance([True, False], [False, True]) == 1.0
    assert by_chance([True] * 3, [False] * 3) == pytest.approx(2 / 2**3, abs=0.02)


def test_the_worst_answers_come_first_and_good_ones_never() -> None:
    fabricated = judge(refusable("年假为99天[资料1]。", case="fabricated"))
    in_part = judge(refusable("资料中未提及。年假为10天[资料1]。", case="in part"))
    wrong = judge(record("年假为15天[资料1]。", case="wrong"))
    refused = judge(record("资料中未提及。", case="refused"))
    good = judge(record("年假为10天[资料1]。", case="good"))
    badly_cited = judge(record("年假为10天[资料1]。午餐另算[资料2]。", case="badly cited"))
    failed = judge(record("", "error", case="failed"))

    def names(found: list[Judgement]) -> list[str]:
        return [one.record.case for one in found]

    everything = [good, badly_cited, refused, failed, wrong, in_part, fabricated]
    assert names(worst(everything, 10)) == ["fabricated", "in part", "wrong", "failed", "refused", "badly cited"]
    assert names(worst(everything, 2)) == ["fabricated", "in part"]


def test_both_ways_read_the_same_blocks_and_are_counted(defaults: Settings, tmp_path: Path) -> None:
    model = Says(text="年假为10天【资料１】。")
    ways = {"checked": checked_way(model, defaults), "plain": plain_way(model, defaults, PROMPT)}
    checked, plain = run_cases([case()], ways, tmp_path / "out.jsonl", run=RUN)
    assert (checked.status, plain.status) == ("answered", "unchecked")
    assert checked.answer == plain.answer == "年假为10天[资料1]。"
    assert checked.evidence == plain.evidence == ("年假为10天。", "午餐补贴每天30元。")
    assert checked.right == plain.right == (1,)
    assert (checked.calls, plain.calls, plain.tokens_in, plain.tokens_out) == (1, 1, 7, 3)


def test_what_the_checks_refuse_the_plain_way_passes_on(defaults: Settings, tmp_path: Path) -> None:
    model = Says(text="年假为10天[资料7]。")
    ways = {"checked": checked_way(model, defaults), "plain": plain_way(model, defaults, PROMPT)}
    checked, plain = run_cases([case(must_refuse=True)], ways, tmp_path / "out.jsonl", run=RUN)
    assert (judge(checked).outcome, judge(plain).outcome) == ("refused", "answered")
    assert (checked.calls, plain.calls) == (2, 1)


def says(text: str, asked: list[str] | None = None) -> Way:
    """A way that always says the same, and notes the cases it was asked."""

    def answer(one: AnswerCase, _: Any) -> Reply:
        if asked is not None:
            asked.append(one.id)
        return Reply(status="unchecked", answer=text)

    return answer


def test_a_file_is_continued_where_it_stopped(tmp_path: Path) -> None:
    path, asked = tmp_path / "out.jsonl", list[str]()
    way = {"plain": says("好", asked)}
    list(run_cases([case(1), case(2)], way, path, run=RUN))
    new = list(run_cases([case(1), case(2), case(3)], way, path, run=RUN))
    assert [one.case for one in new] == ["3"]
    assert asked == ["1", "2", "3"]
    run, records = read_records(path)
    assert run == RUN
    assert [one.case for one in records] == asked


def test_a_reader_who_stops_early_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    running = run_cases([case(1), case(2)], {"plain": says("好")}, path, run=RUN)
    next(running)
    running.close()  # type: ignore[attr-defined] # it is a generator, which the signature does not say
    assert [one.case for one in read_records(path)[1]] == ["1"]
    assert [one.case for one in run_cases([case(1), case(2)], {"plain": says("好")}, path, run=RUN)] == ["2"]


@settings(max_examples=25)  # each example writes and synchronises files
@given(cut=st.integers(min_value=0))
def test_a_line_cut_anywhere_is_done_again_and_no_other(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("cut") / "out.jsonl"
    cases = [case(1), case(2), case(3)]
    list(run_cases(cases, {"plain": says("好")}, path, run=RUN))
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    path.write_bytes(whole[: header + cut % (len(whole) - header)])
    list(run_cases(cases, {"plain": says("好")}, path, run=RUN))
    assert [one.case for one in read_records(path)[1]] == ["1", "2", "3"]


def test_a_file_whose_first_line_was_cut_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_text('{"run": {"mod', encoding="utf-8")
    assert len(list(run_cases([case()], {"plain": says("好")}, path, run=RUN))) == 1
    assert len(read_records(path)[1]) == 1


def test_other_conditions_are_not_mixed_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    list(run_cases([case()], {"plain": says("好")}, path, run=RUN))
    before = path.read_bytes()
    with pytest.raises(YoujuError, match=r"seed：文件里是 0，现在是 1"):
        list(run_cases([case()], {"plain": says("好")}, path, run={**RUN, "seed": 1}))
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["别的文件", '{"a": 1}\n', "[]\n", '{"run": {}}\n{"case": "1"}\n'])
def test_a_file_of_another_kind_is_left_alone(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.jsonl"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(YoujuError, match="请换一个文件名"):
        list(run_cases([case()], {"plain": says("好")}, path, run={}))
    assert path.read_text(encoding="utf-8") == content


def test_two_processes_do_not_write_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with FileLock(f"{path}.lock"), pytest.raises(YoujuError, match="另一个进程正在写"):
        list(run_cases([case()], {"plain": says("好")}, path, run=RUN))


def fails(error: Exception) -> Way:
    """A way that cannot answer the second case."""

    def answer(one: AnswerCase, _: Any) -> Reply:
        if one.id == "2":
            raise error
        return Reply(status="unchecked", answer="好")

    return answer


def test_a_reply_that_cannot_be_used_is_noted_and_the_next_question_asked(tmp_path: Path) -> None:
    way = {"plain": fails(AnswerCutOffError("只有一半"))}
    found = list(run_cases([case(1), case(2), case(3)], way, tmp_path / "out.jsonl", run=RUN))
    assert [one.status for one in found] == ["unchecked", "error", "unchecked"]
    assert found[1].reason == "AnswerCutOffError：只有一半"


def test_a_model_that_cannot_be_asked_ends_the_run_and_what_is_done_stays(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with pytest.raises(ModelUnavailableError):
        list(run_cases([case(1), case(2), case(3)], {"plain": fails(ModelUnavailableError("断了"))}, path, run=RUN))
    assert [one.case for one in run_cases([case(1), case(2)], {"plain": says("好")}, path, run=RUN)] == ["2"]


# The program


def write_rgb(folder: Path, questions: int) -> Path:
    """A set in the form of RGB: some questions with three right and three wrong passages each."""
    folder.mkdir()
    rows = [
        {
            "id": number,
            "query": f"第{number}号仓库的面积是多少？",
            "answer": [[f"{number}50平方米", f"{number}50平米"]],
            "positive": [f"第{number}号仓库的面积是{number}50平方米。{one}" for one in "甲乙丙"],
            "negative": [f"食堂的菜单每周一公布。{one}" for one in "甲乙丙丁"],
        }
        for number in range(1, questions + 1)
    ]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (folder / "zh_refine.jsonl").write_text(text, encoding="utf-8")
    return folder


def write_rageval(folder: Path) -> Path:
    """A set in the form of BEIR with three kinds of questions about two documents."""
    folder.mkdir()
    corpus = [
        {"_id": "a", "title": "青山公司", "text": "青山公司成立于2001年。青山公司2020年的净利润为8亿元。"},
        {"_id": "b", "title": "绿水公司", "text": "绿水公司成立于2005年。绿水公司2020年的净利润为3亿元。"},
    ]
    first, second = "青山公司2020年的净利润为8亿元。", "绿水公司2020年的净利润为3亿元。"
    queries = [
        ("1", "青山公司2020年的净利润是多少？", "8亿元。", "fact", {"a": [first]}),
        ("2", "青山公司的董事长是谁？", "无法回答", "unanswerable", {}),
        (
            "3",
            "青山公司和绿水公司2020年的净利润分别是多少？",
            "分别是8亿元和3亿元。",
            "both",
            {"a": [first], "b": [second]},
        ),
    ]
    made = [
        {"_id": _id, "text": text, "metadata": {"reference_answer": answer, "kind": kind, "evidence": evidence}}
        for _id, text, answer, kind, evidence in queries
    ]
    for name, rows in (("corpus", corpus), ("queries", made)):
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def loaded(path: Path) -> ModuleType:
    """A program as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the program in this process; its exit status and what it prints."""
    module = loaded(PROGRAM)
    monkeypatch.setenv("OPENAI_API_KEY", "none")

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            status = module.main([str(argument) for argument in arguments])
        except SystemExit as stopped:
            status = stopped.code
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return run


def test_the_program_measures_the_built_in_model(tmp_path: Path, program: Callable[..., tuple[int, str, str]]) -> None:
    rgb, rageval, out = write_rgb(tmp_path / "rgb", 6), write_rageval(tmp_path / "rageval"), tmp_path / "out.jsonl"
    sets = ("--rgb", rgb, "--rageval", rageval, "--out", out, "--questions", "3", "--json", tmp_path / "figures.json")
    status, table, errors = program(*sets)
    assert status == 0, errors
    found = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))["figures"]
    assert {group: (ways["plain"]["cases"], ways["plain"]["unanswerable"]) for group, ways in found.items()} == {
        "rgb_negative": (3, 3),
        "rgb_mixed": (3, 0),
        "rageval": (3, 1),
        "all": (9, 4),
    }
    assert (found["rgb_mixed"]["checked"]["right"], found["rgb_mixed"]["checked"]["citation_precision"]) == (3, 1.0)
    assert found["rgb_negative"]["checked"]["refusal_recall"] == 1.0
    assert found["rageval"]["plain"]["reachable"] == 2
    assert "| 答对：回答含标准答案 | 100.0%（3/3） | 100.0%（3/3） |" in table
    assert "| rageval：unanswerable | 普通链 | 1 | 0 | 0 | 0 | 1 | 0 |" in table
    assert program(*sets) == (0, table, "")  # nothing was asked again
    assert program("--out", out, "--report") == (0, table, "")


def test_a_question_is_asked_once_and_its_passages_are_what_the_seed_says(
    tmp_path: Path, program: Callable[..., tuple[int, str, str]]
) -> None:
    rgb = write_rgb(tmp_path / "rgb", 6)
    for out in ("one", "two"):
        assert program("--rgb", rgb, "--out", tmp_path / out, "--questions", "3", "--ways", "plain")[0] == 0
    one, two = (read_records(tmp_path / out)[1] for out in ("one", "two"))
    assert sorted(record.case for record in one) == list("123456")
    assert [record.evidence for record in one] == [record.evidence for record in two]
    for each in one:
        right = [f"{each.case}50平方米" in text for text in each.evidence]
        assert sum(right) == (0 if each.must_refuse else 2)
        assert len(right) == 4
        assert each.right == tuple(n for n, holds in enumerate(right, start=1) if holds)


def test_more_questions_are_added_to_those_that_are_done(
    tmp_path: Path, program: Callable[..., tuple[int, str, str]]
) -> None:
    few = ("--rgb", write_rgb(tmp_path / "rgb", 6), "--out", tmp_path / "out.jsonl", "--ways", "plain")
    program(*few, "--questions", "1")
    before = read_records(tmp_path / "out.jsonl")[1]
    program(*few, "--questions", "2")
    after = read_records(tmp_path / "out.jsonl")[1]
    assert (len(before), len(after)) == (2, 4)
    assert after[:2] == before


def test_passages_may_be_found_by_meaning_too(tmp_path: Path, program: Callable[..., tuple[int, str, str]]) -> None:
    sets = ("--rageval", write_rageval(tmp_path / "rageval"), "--out", tmp_path / "out.jsonl", "--ways", "plain")
    assert program(*sets, "--retriever", "hybrid", "--k", "1")[0] == 0
    found = {record.case: record for record in read_records(tmp_path / "out.jsonl")[1]}
    assert found["1"].evidence == ("青山公司成立于2001年。青山公司2020年的净利润为8亿元。",)
    assert {case: record.right for case, record in found.items()} == {"1": (1,), "2": (), "3": (1,)}


class _Slow(BaseHTTPRequestHandler):
    """A chat model behind OpenAI's protocol that never answers its fifth question unless it is let."""

    asked: list[str]
    stuck: threading.Event
    go_on: threading.Event

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body["messages"][-1]["content"])
        if len(self.asked) == 5:
            self.stuck.set()
            self.go_on.wait(300)
        message = {"role": "assistant", "content": "资料中未提及。"}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        reply = {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}
        raw = json.dumps(reply).encode()
        try:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        except (BrokenPipeError, ConnectionResetError):
            pass  # who asked was killed

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


@pytest.fixture
def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


@pytest.fixture
def slow() -> Iterator[tuple[str, type[_Slow]]]:
    members = {"asked": [], "stuck": threading.Event(), "go_on": threading.Event()}
    handler = type("Handler", (_Slow,), members)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", handler
    finally:
        handler.go_on.set()
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.local_server
@pytest.mark.enable_socket
def test_the_program_killed_in_the_middle_goes_on_without_asking_twice(
    tmp_path: Path, slow: tuple[str, type[_Slow]], program: Callable[..., tuple[int, str, str]]
) -> None:
    url, handler = slow
    rgb, out = write_rgb(tmp_path / "rgb", 6), tmp_path / "out.jsonl"
    arguments = ["--rgb", rgb, "--out", out, "--questions", "3", "chat.model=openai:m", f"chat.base_url={url}"]
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENAI_API_KEY": "none"},
    ) as first:
        try:
            assert handler.stuck.wait(300)  # a busy machine takes its time to import
        finally:
            first.send_signal(signal.SIGKILL)
        assert first.wait() == -signal.SIGKILL
    handler.go_on.set()
    assert len(read_records(out)[1]) == 4
    status, table, errors = program(*arguments)
    assert status == 0, errors
    keys = [record.key for record in read_records(out)[1]]
    assert len(keys) == len(set(keys)) == 12
    assert len(handler.asked) == 13  # the fifth question twice
    assert program(*arguments, "chat.timeout=7") == (0, table, "")  # how the model is reached is no other condition
    assert program(*arguments, "chat.temperature=1")[0] == 1


@pytest.mark.local_server
@pytest.mark.enable_socket
def test_a_server_that_is_down_is_said_and_what_is_done_is_kept(
    tmp_path: Path, nobody: str, program: Callable[..., tuple[int, str, str]]
) -> None:
    rgb, out = write_rgb(tmp_path / "rgb", 6), tmp_path / "out.jsonl"
    down = ("chat.model=openai:m", f"chat.base_url={nobody}", "chat.max_retries=0")
    status, table, errors = program("--rgb", rgb, "--out", out, "--questions", "1", *down)
    assert (status, table) == (1, "")
    assert errors.startswith("连不上 ")
    assert "Traceback" not in errors
    assert read_records(out)[1] == []


def test_the_program_says_what_is_missing(tmp_path: Path, program: Callable[..., tuple[int, str, str]]) -> None:
    out = ("--out", tmp_path / "out.jsonl")
    assert program(*out)[0] == 2
    assert "读不了" in program("--rgb", tmp_path / "nowhere", *out)[2]
    status, _, errors = program("--rgb", write_rgb(tmp_path / "rgb", 6), *out, "chat.modle=x")
    assert status == 1
    assert "最接近的是 model" in errors


def test_the_time_of_the_checks_is_measured_on_an_answer_that_passes_them(capsys: pytest.CaptureFixture[str]) -> None:
    loaded(BENCHMARKS / "check_speed.py").main(["--rounds", "1"])
    rows = [line.split("|")[1].strip() for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    assert rows == ["", "difflib", "words", "coverage", "grounded", "again", "one wrong", "settled"]
