"""The `youju` command: what it prints, where, and how it ends."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

KEY = "sk-test-ABCDEF123456"
PAGES = (
    ["会员订单自签收之日起15天内可以申请退货，普通订单为7天。"],
    ["定制商品不支持无理由退货。", "审核通过后，退款在3个工作日内到账。"],
)
MEMBER = "会员买的非定制商品，签收10天后还能申请退货吗？"
Run = Callable[..., Any]


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    """A two-page PDF in a folder of its own."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    path = tmp_path / "docs" / "refund-policy.pdf"
    path.parent.mkdir()
    canvas = Canvas(str(path), invariant=1)
    for lines in PAGES:
        canvas.setFont("STSong-Light", 14)
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - 24 * number, line)
        canvas.showPage()
    canvas.save()
    return path


def test_extract_shows_units_and_chunks_with_their_pages(youju: Run, policy: Path) -> None:
    done = youju("extract", str(policy), "--json")
    assert (done.status, done.err) == (0, "")
    assert [(unit["source"], unit["page"], unit["location"]) for unit in done.json["units"]] == [
        ("refund-policy.pdf", 1, "refund-policy.pdf 第 1 页"),
        ("refund-policy.pdf", 2, "refund-policy.pdf 第 2 页"),
    ]
    assert "不支持" in done.json["units"][1]["text"]
    assert [(chunk["page"], chunk["start"]) for chunk in done.json["chunks"]] == [(1, 0), (2, 0)]
    for unit, chunk in zip(done.json["units"], done.json["chunks"], strict=True):
        assert unit["text"][chunk["start"] : chunk["end"]] == chunk["text"]
    assert done.json["failures"] == []
    assert "2 页，2 个单元" in youju("extract", str(policy)).out
    assert not Path("youju_db").exists()


def test_ingest_then_retrieve_in_new_processes_after_the_file_is_gone(youju_process: Run, policy: Path) -> None:
    first = youju_process("ingest", str(policy), "--json")
    assert (first.status, first.err) == (0, "")
    assert first.json["files"] == {"new": 1, "changed": 0, "unchanged": 0, "removed": 0, "failed": 0}
    assert first.json["chunks"] == {"added": 2, "deleted": 0, "reused": 0, "total": 2}
    assert (first.json["embedded"], first.json["failures"]) == (2, [])
    again = youju_process("ingest", str(policy), "--json")
    assert again.json["chunks"] == {"added": 0, "deleted": 0, "reused": 2, "total": 2}
    assert again.json["embedded"] == 0
    extracted = youju_process("extract", str(policy), "--json").json
    policy.unlink()
    found = youju_process("retrieve", "-q", MEMBER, "--json")
    assert (found.status, found.err) == (0, "")
    assert found.json["question"] == MEMBER
    assert [hit["page"] for hit in found.json["hits"]] == [1, 2]
    assert [hit["id"] for hit in found.json["hits"]] == [chunk["id"] for chunk in extracted["chunks"]]
    first_hit = found.json["hits"][0]
    assert set(first_hit) == {"id", "text", "source", "page", "location", "score", "ranks"}
    assert first_hit["ranks"] == {"bm25": 1, "vector": 1}
    assert first_hit["score"] == pytest.approx(1)  # the best of both legs
    assert first_hit["location"] == "refund-policy.pdf 第 1 页"


def test_ask_cites_the_page_and_says_what_the_documents_do_not(youju: Run, policy: Path) -> None:
    youju("ingest", str(policy))
    done = youju("ask", "-q", MEMBER, "--json")
    assert (done.status, done.err) == (0, "")
    assert done.json["status"] == "answered"
    assert "15天内可以申请退货" in done.json["answer"]
    assert done.json["citations"][0]["page"] == 1
    assert done.json["citations"][0]["quote"] == PAGES[0][0]
    assert {c["page"] for c in done.json["citations"]} <= {1, 2}
    unknown = youju("query", "-q", "退货运费由谁承担？", "--json").json
    assert (unknown["status"], unknown["answer"], unknown["citations"]) == ("not_found", "资料中未提及", [])
    assert unknown["retrieved_count"] == 2
    plain = youju("ask", "-q", MEMBER)
    assert plain.out.startswith(done.json["answer"])
    missed = youju("ask", "-q", "退货运费由谁承担？")
    assert missed.out == "资料中未提及\n"
    first, nearest, *passages = missed.err.splitlines()
    assert first == (
        "（内置模型没有在资料里认出答案：它只凭字词来认，资料里也许有；"
        "换成更接近原文的问法再问，或用设置 chat.model 接一个大模型）"
    )
    assert nearest == "最接近的资料（全部可以用 youju retrieve 看）："
    assert [line.split("  得分")[0] for line in passages[::2]] == [
        "  refund-policy.pdf 第 1 页",
        "  refund-policy.pdf 第 2 页",
    ]
    assert "[资料1] refund-policy.pdf 第 1 页" in plain.out


def test_a_budget_that_no_block_fits_asks_no_model(youju: Run, policy: Path) -> None:
    youju("ingest", str(policy))
    done = youju("ask", "-q", MEMBER, "--context-chars", "1", "--json").json
    assert (done["status"], done["evidence"], done["model"]) == ("insufficient_evidence", [], None)
    assert (done["retrieved_count"], done["attempts"]) == (2, 0)


def test_a_folder_with_bad_files_is_done_in_part_and_names_each_once(youju: Run, policy: Path) -> None:
    folder = policy.parent
    (folder / "good.md").write_text("# 制度\n\n年假为十天。\n", encoding="utf-8")
    (folder / "empty.pdf").touch()
    (folder / "cut.pdf").write_bytes(policy.read_bytes()[:400])
    (folder / "note.xyz").write_text("x", encoding="utf-8")
    (folder / ".DS_Store").write_bytes(b"\0")
    (folder / "~$a.docx").write_bytes(b"\0")
    done = youju("ingest", str(folder), "--json")
    assert done.status == 3
    assert sorted(failure["source"] for failure in done.json["failures"]) == ["cut.pdf", "empty.pdf", "note.xyz"]
    assert (done.json["files"]["new"], done.json["files"]["failed"]) == (2, 3)
    assert "十天" in youju("ask", "-q", "年假几天").out


def test_nothing_read_is_an_error(youju: Run, tmp_path: Path) -> None:
    (tmp_path / "empty.pdf").touch()
    done = youju("ingest", "empty.pdf", "no-such-file.pdf")
    assert done.status == 1
    assert "empty.pdf" in done.err
    assert "no-such-file.pdf" in done.err


@pytest.mark.parametrize("question", ["", "   ", "？？"])
def test_an_empty_question_is_refused(youju: Run, question: str) -> None:
    for command in ("ask", "retrieve"):
        done = youju(command, "-q", question)
        assert (done.status, done.out) == (1, "")
        assert "问题是空的" in done.err


@pytest.mark.parametrize("words", [["ask"], ["ingest"], ["nonsense"], ["ask", "-q", "x", "--no-such-option"]])
def test_wrong_usage_ends_with_two(youju: Run, words: list[str]) -> None:
    done = youju(*words)
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith("用法：youju ")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["askk"], "没有 'askk' 这个命令；最接近的是 'ask'"),
        (["nonsense"], "没有 'nonsense' 这个命令"),
        (["ask", "-q", "x", "--jsno"], "没有 --jsno 这个选项；最接近的是 --json"),
        (["ask", "-q", "x", "--zzz"], "没有 --zzz 这个选项"),
        (["ask", "年假有几天"], "没有写 '--question' / '-q'"),
        (["extract"], "没有写 'paths'"),
        (["config", "check", "a.yaml"], "多出了 a.yaml，这里不能写"),
        (["ask", "-q"], "'-q' 后面要写值"),
        (["ask", "--json=3", "-q", "x"], "'--json' 后面不写值"),
        (["retrieve", "-q", "x", "-k", "abc"], "'-k' 要写成整数"),
        (["retrieve", "-q", "x", "-k", "0"], "'-k' 不能小于 1"),
        (["retrieve", "-q", "x", "-k", "99999"], "'-k' 不能大于 10000"),
        (["ingest"], "请写出要读入的文件或文件夹"),
    ],
)
def test_a_usage_error_says_in_chinese_what_is_wrong(youju: Run, words: list[str], said: str) -> None:
    done = youju(*words)
    assert (done.status, done.out) == (2, "")
    assert f"错误：{said}" in done.err.splitlines()
    assert "--help" in done.err


def test_a_usage_error_shows_the_example_of_its_command(youju: Run) -> None:
    lines = ["例：youju ask -q 年假有几天", "用法见 youju ask --help", "错误：没有写 '--question' / '-q'"]
    assert youju("ask", "年假有几天").err.splitlines()[1:] == lines
    assert "例：" not in youju("config", "check", "a.yaml").err


def test_asking_before_ingesting_says_what_to_run(youju: Run) -> None:
    done = youju("ask", "-q", "年假几天", "--db", "nowhere")
    assert done.status == 1
    assert "youju ingest" in done.err
    assert not Path("nowhere").exists()


def test_a_base_made_with_other_settings_is_refused_and_can_be_rebuilt(youju: Run, policy: Path) -> None:
    youju("ingest", str(policy))
    refused = youju("ask", "-q", MEMBER, "--set", "splitter.chunk_size=30", "--set", "splitter.chunk_overlap=0")
    assert refused.status == 1
    assert "youju ingest --rebuild" in refused.err
    assert "chunk_size: 400" in refused.err
    assert "chunk_size: 30" in refused.err
    small = ("--set", "splitter.chunk_size=30", "--set", "splitter.chunk_overlap=0", "--json")
    rebuilt = youju("ingest", "--rebuild", *small)
    assert rebuilt.status == 0
    assert rebuilt.json["chunks"]["total"] == 3
    assert youju("ask", "-q", MEMBER, *small).json["status"] == "answered"


def test_help_tells_a_newcomer_what_to_type(youju: Run) -> None:
    done = youju("--help")
    assert done.status == 0
    for word in ("extract", "ingest", "retrieve", "ask", "config", "资料中未提及"):
        assert word in done.out
    assert "youju ask -q 年假有几天" in youju("ask", "--help").out


def test_config_shows_checks_and_describes(youju: Run, tmp_path: Path) -> None:
    (tmp_path / "youju.yaml").write_text("splitter:\n  chunk_size: 300\n", encoding="utf-8")
    assert "chunk_size: 300" in youju("config", "show").out
    assert youju("config", "show", "--json", "--set", "retriever.k=8").json["retriever"]["k"] == 8
    assert youju("config", "check") == (0, "设置没有问题（youju.yaml）\n", "")
    assert youju("config", "schema").json["properties"].keys() == {
        "embeddings",
        "chat",
        "store",
        "keywords",
        "loader",
        "splitter",
        "retriever",
        "answer",
    }
    (tmp_path / "youju.yaml").write_text("splitter:\n  chunk_sise: 300\n", encoding="utf-8")
    wrong = youju("config", "check")
    assert wrong.status == 1
    assert "youju.yaml 第 2 行" in wrong.err
    assert "最接近的是 chunk_size" in wrong.err
    (tmp_path / "youju.yaml").unlink()
    assert youju("config", "check").out == "设置没有问题（当前目录没有 youju.yaml）\n"


@pytest.mark.local_server
@pytest.mark.enable_socket
def test_a_key_never_reaches_the_outputs(youju: Run, policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    youju("ingest", str(policy))
    remote = (
        "--set",
        "chat.model=openai:m",
        "--set",
        "chat.base_url=http://127.0.0.1:9/v1",
        "--set",
        "chat.max_retries=0",
    )
    failed = youju("ask", "-q", MEMBER, *remote)
    shown = youju("config", "show", "--json", *remote)
    assert failed.status == 1
    assert "openai:m" in failed.err
    assert KEY not in failed.out + failed.err + shown.out + shown.err
    for place in ("chat.model", "embeddings.model", "chat.api_key_env", "chat.base_url", "store.backend", KEY):
        misplaced = youju("ask", "-q", MEMBER, "--set", f"{place}={KEY}")
        assert misplaced.status == 1
        assert KEY not in misplaced.out + misplaced.err
    stored = b"".join(path.read_bytes() for path in Path("youju_db").rglob("*") if path.is_file())
    assert KEY.encode() not in stored


def test_a_question_can_come_from_standard_input(youju_process: Run, policy: Path) -> None:
    assert youju_process("ingest", str(policy)).status == 0
    command = [sys.executable, "-c", "from youju.cli import main; main()", "ask", "-q", "-"]
    done = subprocess.run(command, input=MEMBER, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "15天" in done.stdout


def test_a_question_on_standard_input_that_is_no_utf_8_is_refused_with_the_way_out() -> None:
    command = [sys.executable, "-c", "from youju.cli import main; main()", "ask", "-q", "-"]
    done = subprocess.run(command, input="年假几天".encode("gbk"), capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (1, b"")
    assert "不是 UTF-8 文字" in done.stderr.decode()
    assert "iconv -f GBK -t UTF-8" in done.stderr.decode()


def test_a_document_cannot_steer_the_terminal(youju: Run, tmp_path: Path) -> None:
    (tmp_path / "leave.md").write_text("# 年\x9b假\n\n年假为\x1b]0;owned\x07十天。\n", encoding="utf-8")
    for words in (
        ["extract", "leave.md"],
        ["ingest", "leave.md"],
        ["retrieve", "-q", "年假"],
        ["ask", "-q", "年假几天"],
    ):
        for done in (youju(*words), youju(*words, "--json")):
            assert done.status == 0
            assert not [one for one in done.out + done.err if one != "\n" and (ord(one) < 32 or 127 <= ord(one) < 160)]
    assert "年假为\\x1b]0;owned\\x07十天。" in youju("extract", "leave.md").out
    assert "年假为\x1b]0;owned\x07十天。" in youju("extract", "leave.md", "--json").json["units"][0]["text"]
    assert youju("extract", "leave.md", "--json").json["units"][0]["text"].startswith("# 年\x9b假")


@pytest.mark.parametrize("words", [[KEY], ["ask", f"--{KEY}"], ["ask", "-q", "x", "-k", KEY], ["config", KEY]])
def test_a_key_typed_in_a_wrong_place_is_not_repeated_by_the_usage_error(youju: Run, words: list[str]) -> None:
    done = youju(*words)
    assert done.status == 2
    assert KEY not in done.out + done.err
    assert f"用法见 youju {words[0] if len(words) > 1 else ''}".rstrip() in done.err


def test_without_a_command_the_help_is_printed_once(youju: Run) -> None:
    done = youju()
    assert done.status == 2
    assert (done.out + done.err).count("Usage: youju") == 1


def test_config_show_hides_what_could_be_a_key(youju: Run) -> None:
    long = "abcdefghijklmnopqrstuvwxyz0123456789"
    words = ("--set", f"chat.base_url=http://127.0.0.1/{long}/v1", "--set", f"store.name={long}")
    plain, shown = youju("config", "show", *words), youju("config", "show", "--json", *words)
    assert long not in plain.out + shown.out
    assert shown.json["chat"]["base_url"] == "http://127.0.0.1/***/v1"
    assert shown.json["store"]["name"] == "***"


@pytest.mark.parametrize("option", ["--db", "--config"])
def test_a_key_as_a_path_is_not_repeated(youju: Run, option: str) -> None:
    done = youju("ask", "-q", "年假几天", option, KEY)
    assert done.status == 1
    assert KEY not in done.out + done.err


def test_config_check_finds_a_filter_without_meaning_in_any_leg(youju: Run) -> None:
    done = youju("config", "check", "--set", "retriever.retrievers.1.filter={year: {$over: 3}}")
    assert done.status == 1
    assert "过滤条件 year 里没有 $over；可用的有 $eq、$ne" in done.err


def test_more_than_ten_thousand_hits_are_not_asked_for(youju: Run) -> None:
    done = youju("retrieve", "-q", "年假", "-k", "99999999999999999999")
    assert done.status == 2
    assert "10000" in done.err


def test_a_base_whose_pointer_is_a_folder_is_named_as_damaged(youju: Run, policy: Path) -> None:
    youju("ingest", str(policy))
    (pointer,) = Path("youju_db").glob("*/CURRENT")
    pointer.unlink()
    pointer.mkdir()
    for words in (["ask", "-q", MEMBER], ["ingest", str(policy)]):
        done = youju(*words)
        assert done.status == 1
        assert "CURRENT" in done.err
        assert "读写不了" in done.err


def test_an_interrupt_ends_with_one_line_and_130(youju: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(text: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("youju.cli.app.read_question", interrupt)
    assert youju("ask", "-q", "年假几天") == (130, "", "错误：已中断；已经完成的部分都保存好了\n")


def test_files_named_alike_are_shown_with_their_folders(youju: Run, tmp_path: Path) -> None:
    for folder, days in (("甲公司", "10"), ("乙公司", "15")):
        (tmp_path / "docs" / folder).mkdir(parents=True)
        (tmp_path / "docs" / folder / "制度.txt").write_text(f"{folder}年假为{days}天。", encoding="utf-8")
    youju("ingest", "docs")
    assert "[资料1] 乙公司/制度.txt" in youju("ask", "-q", "乙公司年假几天").out
    assert [hit["location"] for hit in youju("retrieve", "-q", "甲公司年假几天", "--json").json["hits"]] == [
        "甲公司/制度.txt",
        "乙公司/制度.txt",
    ]


def test_an_empty_base_is_an_error_and_not_an_answer(youju: Run) -> None:
    assert youju("ingest", "nosuch").status == 1
    done = youju("ask", "-q", "年假几天")
    assert (done.status, done.out) == (1, "")
    assert "youju ingest" in done.err
