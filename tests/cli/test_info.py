"""`youju info`, and what `youju ask` says of files that never came into the base."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

Run = Callable[..., Any]
SCANNED = "第 1 页没有文字层，可能是扫描件；请先做文字识别（OCR）"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A file that can be read, a scan, and a workbook in an old format."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "制度.md").write_text("# 制度\n\n年假为十天，病假须提交证明。\n", encoding="utf-8")
    (folder / "津贴.xls").write_bytes(b"x")
    canvas = Canvas(str(folder / "婚假规定.pdf"))
    canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 590, 840)
    canvas.showPage()
    canvas.save()
    return folder


def test_info_tells_what_the_base_holds_and_lacks_until_it_is_mended(youju: Run, docs: Path) -> None:
    youju("ingest", "docs")
    done = youju("info")
    assert (done.status, done.err) == (0, "")
    assert done.out.splitlines() == [
        "知识库 default（youju_db），向量模型 e5",
        "证据门槛：内置的，0.030",
        "文件 1 个，文字块 1 块",
        "  制度.md",
        "没有读成：1",
        f"  婚假规定.pdf：{SCANNED}",
        "格式读不了：1",
        "  津贴.xls：不支持 .xls 格式；请用 Excel 或 WPS 另存为 .xlsx 后重试",
    ]
    found = youju("info", "--json").json
    assert {key: found[key] for key in ("name", "path", "embeddings", "chunks", "files")} == {
        "name": "default",
        "path": "youju_db",
        "embeddings": "e5",
        "chunks": 1,
        "files": [{"source": "制度.md", "units": 1}],
    }
    assert found["losses"][0] == {"source": "婚假规定.pdf", "stage": "read", "reason": SCANNED, "whole": True}
    assert [(one["source"], one["stage"]) for one in found["losses"]] == [
        ("婚假规定.pdf", "read"),
        ("津贴.xls", "skip"),
    ]
    (docs / "婚假规定.pdf").unlink()
    (docs / "津贴.xls").unlink()
    assert youju("ingest", "docs").status == 0
    assert youju("info", "--json").json["losses"] == []


def test_ask_names_the_files_in_which_the_answer_may_be(youju: Run, docs: Path) -> None:
    assert youju("ingest", str(docs)).status == 3
    done = youju("ask", "-q", "婚假津贴有多少钱？")
    assert (done.status, done.out.strip()) == (0, "资料中未提及")
    note = (
        "有 1 个文件没有读成：婚假规定.pdf；有 1 个文件的格式读不了：津贴.xls。"
        "答案可能在其中；用 youju info 看原因，改好后用 youju ingest 重新收录"
    )
    assert done.err.splitlines().count(f"（{note}）") == 1
    assert "read：" not in done.err  # said once
    answer = youju("ask", "-q", "婚假津贴有多少钱？", "--json").json
    assert answer["refusal"]["unread"]["note"] == note
    assert [one["source"] for one in answer["refusal"]["unread"]["files"]] == ["婚假规定.pdf", "津贴.xls"]
    assert str(docs) not in json.dumps(answer, ensure_ascii=False)
    assert "没有读成" not in youju("ask", "-q", "年假几天").err


def test_a_filter_in_the_settings_keeps_names_from_whoever_asks(youju: Run, docs: Path) -> None:
    youju("ingest", str(docs))
    done = youju("ask", "-q", "婚假津贴有多少钱？", "--set", 'retriever.filter={"dept": "人事部"}')
    assert "婚假规定.pdf" not in done.err
    assert "有 2 个文件没有读成或没有读全，不知道是否符合过滤条件" in done.err


def test_where_nothing_could_be_read_asking_says_so(youju: Run, docs: Path) -> None:
    (docs / "制度.md").unlink()
    assert youju("ingest", "docs").status == 1
    done = youju("ask", "-q", "婚假几天")
    assert done.status == 1
    assert (
        "是空的：有 1 个文件没有读成，有 1 个文件格式读不了；用 youju info 看原因，然后再运行 youju ingest" in done.err
    )
    assert "没有读成：1" in youju("info").out


def test_where_taking_in_was_cut_short_asking_says_that_it_was_not_finished(
    youju: Run, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("youju.models.e5.E5Embeddings.embed_documents", interrupted)
        assert youju("ingest", str(docs / "制度.md")).status == 130
    done = youju("ask", "-q", "婚假几天")
    assert done.status == 1
    assert "是空的：有 1 个文件没有收录完；用 youju info 看原因，然后再运行 youju ingest 文件夹" in done.err


def test_info_of_no_base_says_what_to_run(youju: Run) -> None:
    done = youju("info")
    assert (done.status, done.out) == (1, "")
    assert "youju ingest" in done.err
