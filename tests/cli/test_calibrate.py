"""`youju eval calibrate`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from youju.eval.calibration import CalibrationReport

RULES = ["年假", "病假", "婚假", "报销", "加班", "迟到", "培训", "考勤", "奖金", "餐补"]
DISHES = ["红烧肉", "糖醋鱼", "宫保鸡丁", "麻婆豆腐", "回锅肉", "水煮鱼", "东坡肉", "清蒸鲈鱼", "酸辣汤", "蒜苗炒蛋"]
BM25 = ("--set", "retriever.kind=bm25")
Run = Callable[..., Any]


@pytest.fixture
def base(youju: Run) -> None:
    """A handbook in the base of the working folder."""
    folder = Path("docs")
    folder.mkdir()
    for rule in RULES:
        text = f"{rule}由人事部办理，须在当月提出。食堂中午开放。"
        (folder / f"{rule}.txt").write_text(text, encoding="utf-8")
    assert youju("ingest", "docs").status == 0


@pytest.fixture
def questions() -> str:
    """Ten questions that the handbook answers, and ten that it does not; only 食堂 of them stands in it."""
    lines = [{"question": f"{rule}由人事部办理吗？", "answerable": True} for rule in RULES]
    lines += [{"question": f"食堂的{dish}好吃吗？", "answerable": False} for dish in DISHES]
    path = Path("questions.jsonl")
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    return str(path)


@pytest.mark.usefixtures("base")
def test_what_calibration_finds_is_printed_kept_with_the_base_and_used(youju: Run, questions: str) -> None:
    asked = "食堂的辣子鸡好吃吗？"
    before = youju("ask", "-q", asked, "--json", *BM25).json
    done = youju("eval", "calibrate", questions, *BM25)
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "问题：资料能回答的 10 个，不能回答的 10 个"
    assert lines[1].startswith("看的信号：一段里的用词")
    assert lines[2] == "AUC 1.000（95% 区间 1.000–1.000；1 是完全分开，0.5 是分不开；5 折交叉验证）"
    assert lines[4] == "  门槛    留住能回答的  拦下不能回答的"
    [chosen] = [line for line in lines if line.startswith("→")]
    assert chosen.split()[2:] == ["100.0%", "100.0%", "█" * 30]
    assert f"选定的门槛是 {chosen.split()[1]}：至少留住 98% 能回答的问题" in done.out
    assert lines[-1] == (
        "已存入知识库 default：从现在起按它判断检索到的资料；"
        "想用回内置的，就设 answer.gate=builtin；都不用，就设 answer.gate=none"
    )
    assert "内置的门槛 0.030 在这些问题上：留住 100.0%，拦下 0.0%；校准的拦下的更多" in lines
    assert done.err.splitlines() == [
        "注意：资料能回答的问题只有 10 个，少于 20 个：数字不稳，门槛可能不合适",
        "注意：资料不能回答的问题只有 10 个，少于 20 个：数字不稳，门槛可能不合适",
    ]
    after = youju("ask", "-q", asked, "--json", *BM25).json
    assert before["attempts"] == 1
    assert (after["status"], after["attempts"]) == ("insufficient_evidence", 0)
    assert "不到在这个知识库上校准的门槛" in after["reason"]
    assert youju("ask", "-q", asked, "--json", *BM25, "--set", "answer.gate=none").json["attempts"] == 1
    assert youju("ask", "-q", asked, "--json", *BM25, "--set", "answer.gate=builtin").json["attempts"] == 1
    assert youju("ask", "-q", "年假由人事部办理吗？", "--json", *BM25).json["attempts"] == 1


@pytest.mark.usefixtures("base")
def test_info_says_which_gate_judges(youju: Run, questions: str) -> None:
    assert "证据门槛：内置的，0.030" in youju("info").out.splitlines()
    assert youju("info", "--json").json["gate"] is None
    assert "证据门槛：不用（answer.gate=none）；否则是内置的，0.030" in youju("info", "--set", "answer.gate=none").out
    youju("eval", "calibrate", questions, *BM25)
    gate = youju("info", "--json", *BM25).json["gate"]
    assert {key: gate[key] for key in gate if key != "threshold"} == {
        "keep": 0.98,
        "answerable": 10,
        "unanswerable": 10,
        "fits": True,
    }
    fitted = f"校准的，{gate['threshold']:.3f}（10 个能回答的和 10 个不能的问题）"
    assert f"证据门槛：{fitted}" in youju("info", *BM25).out.splitlines()
    assert f"证据门槛：内置的，0.030；另有{fitted}，是用别的检索设置校准的，没有用" in youju("info").out.splitlines()
    back = youju("info", *BM25, "--set", "answer.gate=builtin").out.splitlines()
    assert f"证据门槛：内置的，0.030；另有{fitted}，设了 answer.gate=builtin，没有用" in back
    own = youju("info", *BM25, "--set", "answer.gate_threshold=0.5").out.splitlines()
    assert f"证据门槛：{fitted}；设了 answer.gate_threshold，按 0.5 判断" in own


@pytest.mark.usefixtures("base")
def test_a_gate_that_is_no_better_than_the_built_in_one_is_not_kept(youju: Run) -> None:
    lines = [{"question": f"{rule}由人事部办理吗？", "answerable": True} for rule in RULES]
    lines += [{"question": f"{dish}", "answerable": False} for dish in ("火星距离", "梵高生平", "量子纠缠", "法国首都")]
    Path("far.jsonl").write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    done = youju("eval", "calibrate", "far.jsonl", "--json")
    report = CalibrationReport.model_validate(done.json["calibration"])
    assert report.built_in is not None
    assert (report.built_in.kept, report.built_in.refused, report.gates[0].separates) == (1.0, 1.0, True)
    assert (report.built_in_is_better, done.json["stored"]) == (True, False)
    assert not list(Path("youju_db").glob("*/calibration.json"))
    said = youju("eval", "calibrate", "far.jsonl").out.splitlines()
    assert "内置的门槛 0.030 在这些问题上：留住 100.0%，拦下 100.0%；校准的不比它好" in said
    assert said[-1] == (
        "没有把门槛存入知识库 default：它不比内置的好；知识库仍按原来的门槛（内置的，或以前校准的）判断；"
        "以前校准过、想用回内置的，就设 answer.gate=builtin"
    )


@pytest.mark.usefixtures("base")
def test_json_holds_the_curve_and_a_dry_run_keeps_nothing(youju: Run, questions: str) -> None:
    done = youju("eval", "calibrate", questions, "--json", "--dry-run", "--keep", "0.9", *BM25)
    assert (done.status, done.err, done.json["stored"]) == (0, "", False)
    report = CalibrationReport.model_validate(done.json["calibration"])
    assert (report.keep, report.answerable, report.unanswerable) == (0.9, 10, 10)
    assert report.gates[0].curve[0].kept == 1.0
    assert not list(Path("youju_db").glob("*/calibration.json"))
    assert youju("eval", "calibrate", questions, "--json", *BM25).json["stored"] is True
    assert len(list(Path("youju_db").glob("*/calibration.json"))) == 1
    assert "没有保存（--dry-run）" in youju("eval", "calibrate", questions, "--dry-run", *BM25).out


@pytest.mark.usefixtures("base")
def test_a_gate_that_cannot_tell_the_questions_apart_is_not_kept(youju: Run, questions: str) -> None:
    lines = [{"question": "年假由人事部办理吗？", "answerable": number % 2 == 0} for number in range(40)]
    Path("same.jsonl").write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), encoding="utf-8")
    done = youju("eval", "calibrate", "same.jsonl", *BM25)
    assert done.status == 0
    assert done.out.splitlines()[-1] == (
        "没有把门槛存入知识库 default：它分不开两种问题；知识库仍按原来的门槛（内置的，或以前校准的）判断"
    )
    assert "请核对 answerable 有没有标错" in done.err
    assert not list(Path("youju_db").glob("*/calibration.json"))
    assert youju("eval", "calibrate", "same.jsonl", "--json", *BM25).json["stored"] is False
    youju("eval", "calibrate", questions, *BM25)
    [kept] = Path("youju_db").glob("*/calibration.json")
    before = kept.read_text(encoding="utf-8")
    youju("eval", "calibrate", "same.jsonl", *BM25)
    assert kept.read_text(encoding="utf-8") == before


@pytest.mark.usefixtures("base")
def test_a_base_that_is_made_otherwise_drops_what_was_fitted_and_says_so(
    youju: Run, questions: str, caplog: pytest.LogCaptureFixture
) -> None:
    youju("eval", "calibrate", questions, *BM25)
    [kept] = Path("youju_db").glob("*/calibration.json")
    before = kept.read_text(encoding="utf-8")
    assert youju("ingest", "--rebuild").status == 0
    assert (kept.read_text(encoding="utf-8"), caplog.text) == (before, "")  # made the same way
    done = youju("ingest", "--rebuild", "--set", "splitter.chunk_size=300")
    assert done.status == 0
    assert "原来校准的门槛不再适用，已经删掉；要用请再运行一次 youju eval calibrate" in caplog.text
    assert not kept.exists()


@pytest.mark.usefixtures("base")
def test_the_curve_can_be_drawn(youju: Run, questions: str) -> None:
    pytest.importorskip("matplotlib", reason="the `notebook` extra is not installed")
    done = youju("eval", "calibrate", questions, "--dry-run", "--plot", "curve.svg", *BM25)
    assert (done.status, "曲线画在 curve.svg" in done.out) == (0, True)
    assert "unanswerable refused" in Path("curve.svg").read_text(encoding="utf-8")
    done = youju("eval", "calibrate", questions, "--plot", "curve.doc", *BM25)
    assert (done.status, "错误：不会画 .doc 的图" in done.err) == (1, True)
    assert not list(Path("youju_db").glob("*/calibration.json"))  # nothing is kept of a run that fails
    assert youju("eval", "calibrate", questions, "--plot", "no/curve.svg", *BM25).status == 1


def test_what_is_missing_is_an_error_that_says_what_to_do(youju: Run, questions: str) -> None:
    done = youju("eval", "calibrate", questions, *BM25)
    assert (done.status, "请先运行 youju ingest 文件夹" in done.err) == (1, True)
    done = youju("eval", "calibrate", "nowhere.jsonl")
    assert (done.status, "nowhere.jsonl：找不到这个问题文件" in done.err) == (1, True)
    Path("bad.jsonl").write_text('{"question": "年假？", "answerabel": true}', encoding="utf-8")
    done = youju("eval", "calibrate", "bad.jsonl")
    assert (done.status, "bad.jsonl 第 1 行：字段 answerabel 不能写在这种文件里" in done.err) == (1, True)
    assert youju("eval", "calibrate", questions, "--keep", "98").status == 2
    assert youju("eval", "calibrate").status == 2


@pytest.mark.usefixtures("base")
def test_questions_of_one_kind_cannot_be_calibrated_with(youju: Run) -> None:
    Path("one.jsonl").write_text('{"question": "年假？", "answerable": true}\n' * 3, encoding="utf-8")
    done = youju("eval", "calibrate", "one.jsonl", *BM25)
    assert (done.status, done.out) == (1, "")
    assert "资料不能回答的问题（answerable 是 false）有 0 个，至少要 2 个，最好 20 个以上" in done.err
