"""What ingest cannot take in is kept with the base: until it is read, mended or gone."""

import io
from pathlib import Path
from typing import Any, Literal

import pytest
from langchain_core.embeddings import Embeddings
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju import KnowledgeBase, Settings
from youju.chains import IngestReport, build_ingest_chain
from youju.errors import KnowledgeBaseError, ModelAuthError, ModelUnavailableError

Page = list[str] | Literal["scan", "garbled"]
GARBLED = "年假为十天，病假须提交证明。".encode("gbk").decode("latin-1")


def pdf(path: Path, *pages: Page) -> Path:
    """Write a PDF of pages of lines, pages that are images, and pages whose characters are not what was printed."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    file = io.BytesIO()
    canvas = Canvas(file)
    for lines in pages:
        if lines == "scan":
            canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 590, 840)
        elif lines == "garbled":
            canvas.setFont("Helvetica", 14)
            canvas.drawString(60, 780, GARBLED)
        else:
            canvas.setFont("STSong-Light", 14)
            for number, line in enumerate(lines):
                canvas.drawString(60, 780 - 24 * number, line)
        canvas.showPage()
    canvas.save()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file.getvalue())
    return path


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with one file that can be read."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.md").write_text("年假为十天。", encoding="utf-8")
    return folder


def ingest(base: KnowledgeBase, *paths: Path | str, **options: Any) -> IngestReport:
    return build_ingest_chain(base, **options).invoke(list(paths))


def losses(base: KnowledgeBase) -> list[tuple[str, str, bool]]:
    return [(loss.source, loss.stage, loss.whole) for loss in base.losses().losses]


def test_every_kind_of_file_that_is_not_read_is_kept_with_the_reason_that_the_report_gives(
    settings: Settings, stub_embeddings: Embeddings, docs: Path
) -> None:
    settings = Settings.model_validate({"store": settings.store, "loader": {"max_megabytes": 0.1}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    pdf(docs / "scan.pdf", "scan")
    pdf(docs / "part.pdf", ["病假须提交证明。"], "scan", "garbled")
    pdf(docs / "noise.pdf", "garbled")
    (docs / "sub").mkdir()
    (docs / "sub" / "empty.md").touch()
    (docs / "big.txt").write_text("长" * 50_000, encoding="utf-8")
    (docs / "old.doc").write_bytes(b"x")
    (docs / "rows.csv").write_text("项目,金额\n餐费,80\n住宿,400,多\n", encoding="utf-8")
    report = ingest(base, docs)
    assert losses(base) == [
        ("big.txt", "read", True),
        ("noise.pdf", "read", True),
        ("old.doc", "skip", True),
        ("part.pdf", "read", False),
        ("rows.csv", "read", False),
        ("scan.pdf", "read", True),
        ("sub/empty.md", "read", True),
    ]
    told: dict[str, list[str]] = {}
    for failure in report.failures:
        told.setdefault(failure.source, []).append(failure.reason)
    assert {loss.source: loss.reason for loss in base.losses().losses} == {
        source: "；".join(reasons) for source, reasons in told.items()
    }
    assert base.losses().held == 3
    base.close()


def test_what_is_kept_is_what_was_wrong_the_last_time(base: KnowledgeBase, docs: Path) -> None:
    path = pdf(docs / "scan.pdf", "scan")
    ingest(base, docs)
    ingest(base, docs)
    assert losses(base) == [("scan.pdf", "read", True)]
    pdf(path, ["婚假为三天。"], "scan")
    ingest(base, docs)
    assert losses(base) == [("scan.pdf", "read", False)]
    path.write_bytes(b"%PDF-1.4 cut")  # the old version goes on answering
    ingest(base, path)
    assert losses(base) == [("scan.pdf", "read", True), ("scan.pdf", "read", False)]
    pdf(path, ["婚假为三天。"])
    ingest(base, docs)
    assert losses(base) == []


def test_what_ocr_reads_is_no_longer_lost_and_read_once(base: KnowledgeBase, docs: Path) -> None:
    pdf(docs / "part.pdf", ["病假须提交证明。"], "scan")
    pdf(docs / "scan.pdf", "scan")
    ingest(base, docs)
    assert losses(base) == [("part.pdf", "read", False), ("scan.pdf", "read", True)]
    images: list[bytes] = []

    def ocr(image: bytes) -> str:
        images.append(image)
        return "婚假为三天。"

    for _ in range(2):
        ingest(base, docs, ocr=ocr)
        assert losses(base) == []
        assert len(images) == 2  # a page of each file
    assert sorted(document.page_content for document in base.documents()).count("婚假为三天。") == 2


def test_a_key_that_an_engine_lets_slip_is_not_told(base: KnowledgeBase, docs: Path) -> None:
    def ocr(_: bytes) -> str:
        raise RuntimeError("401: sk-test-ABCDEF123456")

    pdf(docs / "part.pdf", ["病假须提交证明。"], "scan")
    pdf(docs / "scan.pdf", "scan")
    ingest(base, docs, ocr=ocr)
    assert losses(base) == [("part.pdf", "read", False), ("scan.pdf", "read", True)]
    assert "ABCDEF123456" not in str(base.losses())


def test_a_file_that_is_gone_is_forgotten_when_its_folder_or_itself_is_named(base: KnowledgeBase, docs: Path) -> None:
    first, second = pdf(docs / "a.pdf", "scan"), pdf(docs / "b.pdf", "scan")
    ingest(base, docs)
    first.unlink()
    ingest(base, docs / "good.md")
    assert losses(base) == [("a.pdf", "read", True), ("b.pdf", "read", True)]
    ingest(base, first)  # it is not there
    assert losses(base) == [("b.pdf", "read", True)]
    second.unlink()
    ingest(base, docs)
    assert losses(base) == []


def test_what_another_folder_lacks_stays_and_files_named_alike_are_two(
    base: KnowledgeBase, docs: Path, tmp_path: Path
) -> None:
    pdf(docs / "a.pdf", "scan")
    other = pdf(tmp_path / "other" / "a.pdf", "scan").parent
    ingest(base, docs)
    ingest(base, other)
    assert losses(base) == [("a.pdf", "read", True)] * 2
    pdf(other / "a.pdf", ["婚假为三天。"])
    ingest(base, other)
    assert [loss.path for loss in base.losses().losses] == [str(docs / "a.pdf")]


def test_a_folder_within_a_folder_loses_nothing_when_both_are_named(base: KnowledgeBase, docs: Path) -> None:
    pdf(docs / "sub" / "a.pdf", "scan")
    ingest(base, docs, docs / "sub")
    assert losses(base) == [("sub/a.pdf", "read", True)]


def test_a_name_that_leads_nowhere_is_told_and_not_kept(base: KnowledgeBase, docs: Path) -> None:
    report = ingest(base, docs, docs / "typo.pdf")
    assert len(report.failures) == 1
    assert losses(base) == []


def test_a_folder_that_has_moved_leaves_nothing_behind(base: KnowledgeBase, docs: Path, tmp_path: Path) -> None:
    pdf(docs / "a.pdf", "scan")
    ingest(base, docs)
    moved = docs.rename(tmp_path / "moved")
    ingest(base, moved)
    assert [loss.path for loss in base.losses().losses] == [str(moved / "a.pdf")]


def test_a_model_that_fails_leaves_the_files_it_did_not_come_to_among_what_is_lost(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any
) -> None:
    for name in "abcde":
        (docs / f"{name}.md").write_text(f"{name}的内容。", encoding="utf-8")
    stub_embeddings.error = ModelUnavailableError("连不上服务")
    stub_embeddings.fails_on = lambda text: "a" not in text
    with pytest.raises(ModelUnavailableError):
        ingest(base, docs)
    assert [record.source for record in base.files()] == ["a.md"]
    assert losses(base) == [(f"{name}.md", "embed", True) for name in ("b", "c", "d", "e", "good")]
    stub_embeddings.error = None
    ingest(base, docs)
    assert losses(base) == []


def test_a_refused_key_and_an_interrupt_leave_what_was_not_done(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any
) -> None:
    pdf(docs / "scan.pdf", "scan")
    for error in (ModelAuthError("密钥不对"), KeyboardInterrupt()):
        stub_embeddings.error = error
        with pytest.raises(type(error)):
            ingest(base, docs)
        assert losses(base) == [("good.md", "embed", True), ("scan.pdf", "read", True)]


def test_one_file_that_the_model_fails_on_is_kept_with_what_it_said(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any
) -> None:
    (docs / "bad.md").write_text("不好的内容。", encoding="utf-8")
    stub_embeddings.error = ModelUnavailableError("连不上服务")
    stub_embeddings.fails_on = lambda text: "不好" in text
    ingest(base, docs)
    assert [(loss.source, loss.stage, loss.reason) for loss in base.losses().losses] == [
        ("bad.md", "embed", "连不上服务")
    ]


def test_a_page_of_marks_alone_gives_no_chunk_and_is_kept_as_such_without_being_a_failure(
    base: KnowledgeBase, docs: Path
) -> None:
    first = ["本制度所称员工是指与公司签订劳动合同并在公司", "从事有报酬的劳动的人，每位员工每一个年度都可以享"]
    pdf(docs / "leave.pdf", first, ["受年假十天。", "※ ※ ※"])  # the sentence goes to page 1, and leaves the marks
    for _ in range(2):  # an unchanged file keeps what is known of it
        assert ingest(base, docs).failures == []
        [loss] = base.losses().losses
        assert (loss.source, loss.stage, loss.whole) == ("leave.pdf", "cut", False)
        assert loss.reason == "leave.pdf 第 2 页 没有切出文字块，读到的只有“※ ※ ※”"
    assert all("\0" not in key for document in base.documents() for key in document.metadata)
    pdf(docs / "leave.pdf", [*first, "受年假十天。"])
    ingest(base, docs)
    assert losses(base) == []


def test_a_rebuild_keeps_what_is_still_there_and_lacking(
    base: KnowledgeBase, docs: Path, tmp_path: Path, settings: Settings, stub_embeddings: Any
) -> None:
    pdf(docs / "scan.pdf", "scan")
    alone = pdf(tmp_path / "alone" / "only.pdf", "scan").parent
    gone = pdf(tmp_path / "gone" / "x.pdf", "scan")
    ingest(base, docs, alone, gone)
    gone.unlink()
    base.close()
    for paths in ([], [docs]):  # all that was named; and one folder alone
        again = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
        ingest(again, *paths)
        assert losses(again) == [("only.pdf", "read", True), ("scan.pdf", "read", True)]
        again.close()


def test_a_rebuild_that_fails_leaves_the_old_losses(
    base: KnowledgeBase, docs: Path, settings: Settings, stub_embeddings: Any
) -> None:
    scan = pdf(docs / "scan.pdf", "scan")
    ingest(base, docs)
    pdf(scan, ["婚假为三天。"])
    (docs / "good.md").write_bytes(b"\0\0")
    again = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    with pytest.raises(KnowledgeBaseError):
        ingest(again, docs)
    assert losses(again) == [("scan.pdf", "read", True)]
    again.close()


def test_an_empty_base_that_is_made_anew_with_other_settings_keeps_them(
    base: KnowledgeBase, docs: Path, settings: Settings, stub_embeddings: Any, tmp_path: Path
) -> None:
    scan = pdf(tmp_path / "scans" / "scan.pdf", "scan")
    ingest(base, scan)
    base.close()
    other = Settings.model_validate({"store": settings.store, "splitter": {"kind": "fixed"}})
    again = KnowledgeBase.open(other, embeddings=stub_embeddings)
    ingest(again, docs)
    assert losses(again) == [("scan.pdf", "read", True)]
    again.close()


def test_no_place_on_disk_is_in_what_is_shown(base: KnowledgeBase, docs: Path, tmp_path: Path) -> None:
    pdf(docs / "sub" / "scan.pdf", "scan")
    (docs / "old.doc").write_bytes(b"x")
    ingest(base, docs)
    shown = [(loss.source, loss.reason) for loss in base.losses().losses]
    assert [source for source, _ in shown] == ["old.doc", "sub/scan.pdf"]
    assert str(tmp_path) not in str(shown)
