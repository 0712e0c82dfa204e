"""What the settings say of PDFs: engine, passwords, time, OCR; and what was typed onto a page."""

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.annotations import FreeText
from reportlab.pdfgen.canvas import Canvas

from youju.errors import DamagedFileError, LoadError, MissingExtraError, NoTextError, ProtectedFileError
from youju.loaders import load_file
from youju.settings import LoaderSettings


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / "rules.pdf"
        path.write_bytes(data)
        return path

    return write


@pytest.mark.parametrize("engine", ["auto", "pdfium", "pypdf"])
def test_every_engine_reads_the_same_plain_page(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], engine: str
) -> None:
    data = make_pdf(["第一章 总则", "本制度适用于全体员工，包括试用期员", "工和派遣员工。"])

    (document,) = load_file(save(data), settings=LoaderSettings(pdf_engine=engine)).documents

    assert document.page_content == "第一章 总则\n本制度适用于全体员工，包括试用期员工和派遣员工。"


def test_an_engine_chosen_alone_reports_the_page_that_it_cannot_read(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(page: PageObject, **_: object) -> str:
        raise RecursionError

    path = save(make_pdf(["年假为10天。"]))
    monkeypatch.setattr(PageObject, "extract_text", fail)

    with pytest.raises(DamagedFileError, match="第 1 页的数据已损坏"):
        load_file(path, settings=LoaderSettings(pdf_engine="pypdf"))
    assert load_file(path, settings=LoaderSettings(pdf_engine="pdfium")).documents[0].page_content == "年假为10天。"


def test_a_password_is_taken_from_the_variables_that_the_settings_name(
    make_pdf: Callable[..., bytes],
    rewrite: Callable[..., bytes],
    save: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = save(rewrite(make_pdf(["年假为10天。"]), user="right-word"))
    monkeypatch.setenv("OLD_PDF_WORD", "wrong-word")
    monkeypatch.setenv("NEW_PDF_WORD", "right-word")

    for engine in ("auto", "pypdf"):
        settings = LoaderSettings(
            pdf_engine=engine, pdf_password_env=["UNSET_PDF_WORD", "OLD_PDF_WORD", "NEW_PDF_WORD"]
        )
        assert load_file(path, settings=settings).documents[0].page_content == "年假为10天。"


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], "请把密码放进环境变量"),
        (["OLD_PDF_WORD"], "OLD_PDF_WORD 不是它的密码"),
        (["UNSET_PDF_WORD"], "环境变量 UNSET_PDF_WORD 没有值"),
    ],
)
def test_without_the_right_password_the_setting_is_named_and_no_password(
    make_pdf: Callable[..., bytes],
    rewrite: Callable[..., bytes],
    save: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    names: list[str],
    told: str,
) -> None:
    path = save(rewrite(make_pdf(["年假为10天。"]), user="right-word"))
    monkeypatch.setenv("OLD_PDF_WORD", "wrong-word")

    with pytest.raises(ProtectedFileError, match=r"loader\.pdf_password_env") as caught:
        load_file(path, settings=LoaderSettings(pdf_password_env=names))

    assert told in str(caught.value)
    assert "-word" not in str(caught.value)


def test_a_file_that_takes_too_long_is_reported_with_the_setting(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    path = save(make_pdf(["年假。"], ["病假。"], ["事假。"]))

    with pytest.raises(LoadError, match=r"rules\.pdf：读取超过了 1e-09 秒，共 3 页，读到第 1 页时停止") as caught:
        load_file(path, settings=LoaderSettings(max_seconds=1e-9))
    assert "loader.max_seconds" in str(caught.value)


def test_a_scanned_page_is_read_by_the_callers_ocr_from_a_picture_of_it(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    seen = []

    def ocr(picture: bytes) -> str:
        seen.append(Image.open(io.BytesIO(picture)))
        return "年假为十天，病\n假另计。"

    loaded = load_file(save(make_pdf(["第一页。"], "scan", None)), ocr=ocr)

    assert [document.page_content for document in loaded.documents] == ["第一页。", "年假为十天，病\n假另计。"]
    assert [document.metadata.get("ocr") for document in loaded.documents] == [None, True]
    assert loaded.problems == ()
    (picture,) = seen  # A4 at 200 dots an inch
    assert (picture.format, *picture.size) == ("PNG", 1654, 2339)


def test_a_page_that_ocr_cannot_read_is_reported_with_what_happened(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    def broken(picture: bytes) -> str:
        raise RuntimeError("no model\nhere")

    path = save(make_pdf(["第一页。"], "scan", "scan"))
    (failed,) = load_file(path, ocr=broken).problems
    (empty,) = load_file(path, ocr=lambda picture: " ").problems

    assert type(failed) is type(empty) is NoTextError
    assert failed.pages == empty.pages == (2, 3)
    assert "第 2–3 页" in failed.reason
    assert "RuntimeError：no model\ufffdhere" in failed.reason
    assert "没有读出文字" in empty.reason


def test_ocr_without_pillow_names_the_extra(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(make_pdf("scan"))
    for name in [name for name in sys.modules if name == "PIL" or name.startswith("PIL.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [_NoPillow(), *sys.meta_path])

    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[ocr\]'"):
        load_file(path, ocr=lambda picture: "年假")


class _NoPillow:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] == "PIL":
            raise ModuleNotFoundError(name, name="PIL")


def test_a_scan_below_a_running_header_is_still_reported(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    from reportlab.lib.utils import ImageReader  # noqa: PLC0415 - one test draws pictures itself
    from reportlab.pdfbase import pdfmetrics  # noqa: PLC0415
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont  # noqa: PLC0415

    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    file = io.BytesIO()
    canvas = Canvas(file)
    for page in range(1, 5):
        canvas.setFont("STSong-Light", 10)
        canvas.drawString(60, 800, "员工手册")
        if page == 3:
            canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 60, 60, 470, 700)
        else:
            canvas.drawString(60, 700, f"这是第{page}页的正文。")
        canvas.showPage()
    canvas.save()

    loaded = load_file(save(file.getvalue()))

    assert [document.metadata["page"] for document in loaded.documents] == [1, 2, 4]
    (problem,) = loaded.problems
    assert problem.pages == (3,)


@pytest.mark.parametrize("engine", ["auto", "pypdf"])
def test_what_was_typed_into_a_form_and_onto_a_page_is_part_of_its_text(save: Callable[..., Path], engine: str) -> None:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(60, 700, "Days of leave:")
    canvas.acroForm.textfield(name="days", value="ten days", x=160, y=690, width=90, height=24)
    canvas.acroForm.textfield(name="blank", value="", x=160, y=600, width=90, height=24)
    canvas.save()
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(file.getvalue())))
    writer.add_annotation(0, FreeText(text="approved by Li", rect=(60, 500, 260, 530)))
    typed = io.BytesIO()
    writer.write(typed)

    (document,) = load_file(save(typed.getvalue()), settings=LoaderSettings(pdf_engine=engine)).documents

    words = " ".join(document.page_content.split())
    assert words.startswith("Days of leave:")
    assert words.count("ten days") == 1
    assert words.count("approved by Li") == 1


@pytest.mark.parametrize("engine", ["auto", "pdfium", "pypdf"])
def test_a_file_whose_table_of_places_leads_back_to_itself_is_read_to_its_end(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], engine: str
) -> None:
    data = make_pdf(["年假为10天。"])
    place = data.rpartition(b"startxref")[2].split()[0]
    before, trailer, after = data.rpartition(b"trailer\n<<")
    path = save(before + trailer + b"\n/Prev " + place + after)
    assert b"/Prev " + place in path.read_bytes()

    loaded = load_file(path, settings=LoaderSettings(pdf_engine=engine, max_seconds=20))

    assert [document.page_content for document in loaded.documents] == ["年假为10天。"]
