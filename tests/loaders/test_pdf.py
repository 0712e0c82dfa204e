"""PDFs: pages and their numbers, pages without text, damage, titles."""

import json
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from pypdf import PageObject

from youju.errors import DamagedFileError, LoadError, NoTextError, ProtectedFileError
from youju.loaders import load_file
from youju.splitters import RecursiveSplitter

RULES = (
    ["第一章 总则", "本制度适用于全体员工，包括试用期员", "工和派遣员工。"],
    None,
    ["第三页：年假为10天，见GB/T 19001-2016。"],
)
CID_FONT = b"<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /Identity-H /DescendantFonts [6 0 R] >>"
LATIN_FONT = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun"
    b" /CIDSystemInfo << /Registry (Adobe) /Ordering (%b) /Supplement 0 >> >>"
)


def glyphs(text: str) -> bytes:
    """The glyph numbers of Adobe-GB1, where the characters of GB2312's first level follow each other from 940 on."""
    pairs = [character.encode("gb2312") for character in text]
    return b"".join((940 + (lead - 0xB0) * 94 + trail - 0xA1).to_bytes(2, "big") for lead, trail in pairs)


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    def write(data: bytes, name: str = "rules.pdf") -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def test_a_page_of_a_pdf_keeps_its_number_after_a_blank_page(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    loaded = load_file(save(make_pdf(*RULES)))

    assert [document.metadata["page"] for document in loaded.documents] == [1, 3]
    assert loaded.pages == 3
    assert loaded.problems == ()


def test_the_pages_characters_and_chunks_of_a_longer_pdf_can_be_counted(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    rules = [[f"第{page}页说明第{page}项规定。", "各部门按月核对。"] for page in range(10, 22)]

    loaded = load_file(save(make_pdf(*rules[:5], None, *rules[5:])))
    chunks = RecursiveSplitter(chunk_size=15, chunk_overlap=0).split_documents(loaded.documents)

    assert loaded.pages == 13
    assert [document.page_content for document in loaded.documents] == ["\n".join(lines) for lines in rules]
    assert sum(len(document.page_content) for document in loaded.documents) == 12 * (13 + 1 + 8)
    assert [chunk.page_content for chunk in chunks] == [line for lines in rules for line in lines]
    assert [chunk.metadata["page"] for chunk in chunks] == [page for page in range(1, 14) if page != 6 for _ in "ab"]


def test_the_whole_metadata_of_a_page(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    (document,) = load_file(save(make_pdf(["年假为10天。"]))).documents

    assert document.page_content == "年假为10天。"
    assert document.metadata == {
        "source": "rules.pdf",
        "title": "rules",
        "page": 1,
        "page_end": 1,
        "location": "rules.pdf 第 1 页",
        "start": 0,
        "end": 7,
    }


def test_a_word_cut_by_the_margin_is_whole_and_the_heading_stays_on_its_line(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    first, third = load_file(save(make_pdf(*RULES))).documents

    assert first.page_content == "第一章 总则\n本制度适用于全体员工，包括试用期员工和派遣员工。"
    assert third.page_content == "第三页：年假为10天，见GB/T 19001-2016。"


def test_a_sentence_runs_on_over_the_printed_line_end(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    lines = ["委员会审阅了报告并听取了", "外部审计师的说明。会议通过了预算。"]

    (document,) = load_file(save(make_pdf(lines))).documents

    assert document.page_content == "委员会审阅了报告并听取了外部审计师的说明。会议通过了预算。"


def test_page_labels_are_named_beside_the_physical_page(
    make_pdf: Callable[..., bytes], rewrite: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    first, third = load_file(save(rewrite(make_pdf(*RULES), labels=True))).documents

    assert (first.metadata["page"], first.metadata["page_label"]) == (1, "i")
    assert (third.metadata["page"], third.metadata["page_label"]) == (3, "2")
    assert third.metadata["location"] == "rules.pdf 第 3 页（页码标签 2）"


def test_without_labels_of_its_own_a_file_has_none(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    assert all("page_label" not in document.metadata for document in load_file(save(make_pdf(*RULES))).documents)


def test_the_source_is_what_the_caller_says(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    loaded = load_file(save(make_pdf(["年假"])), source="hr/2024/rules.pdf")

    assert loaded.source == "hr/2024/rules.pdf"
    assert loaded.documents[0].metadata["source"] == "hr/2024/rules.pdf"
    assert loaded.documents[0].metadata["location"] == "hr/2024/rules.pdf 第 1 页"


def test_metadata_is_json(
    make_pdf: Callable[..., bytes], rewrite: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = rewrite(make_pdf(["年假为10天。"], ["病假另计。"], title="休假办法"), labels=True)
    for document in load_file(save(data)).documents:
        assert json.loads(json.dumps(document.metadata)) == document.metadata


def test_a_scan_is_an_error_that_names_its_pages(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    with pytest.raises(NoTextError) as caught:
        load_file(save(make_pdf("scan", "scan")))

    assert caught.value.reason == "第 1–2 页没有文字层，可能是扫描件；请先做文字识别（OCR）"
    assert str(caught.value) == "rules.pdf：第 1–2 页没有文字层，可能是扫描件；请先做文字识别（OCR）"


def test_scanned_pages_beside_a_page_of_text_are_one_problem(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    loaded = load_file(save(make_pdf(["年假为10天。"], *["scan"] * 9)))

    assert [document.metadata["page"] for document in loaded.documents] == [1]
    (problem,) = loaded.problems
    assert type(problem) is NoTextError
    assert problem.pages == (2, 3, 4, 5, 6, 7, 8, 9, 10)
    assert problem.reason == "第 2–10 页没有文字层，可能是扫描件；请先做文字识别（OCR）"


def test_pages_apart_are_listed_as_ranges(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    loaded = load_file(save(make_pdf("scan", ["一"], "scan", "scan", None, "drawing")))

    assert loaded.problems[0].reason.startswith("第 1、3–4、6 页没有文字层")


def test_a_pdf_of_blank_pages_is_not_called_a_scan(make_pdf: Callable[..., bytes], save: Callable[..., Path]) -> None:
    with pytest.raises(NoTextError, match="共 2 页，全是空白页"):
        load_file(save(make_pdf(None, [" ", "　"])))


def test_a_page_number_alone_is_text_and_a_dash_alone_is_blank(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    loaded = load_file(save(make_pdf(["年假"], ["——"], ["3"])))

    assert [document.page_content for document in loaded.documents] == ["年假", "3"]
    assert loaded.problems == ()


def test_a_page_that_only_the_second_engine_can_read_is_read(
    pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = pdf_with_font(glyphs("年假为十天"), CID_FONT, DESCENDANT % b"GB1")

    (document,) = load_file(save(data)).documents

    assert document.page_content == "年假为十天"


def test_letters_of_a_chinese_encoding_shown_as_western_ones_are_read_by_the_second_engine(
    pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    font = b"<< /Type /Font /Subtype /TrueType /BaseFont /#CB#CE#CC#E5 /Encoding /WinAnsiEncoding >>"  # 宋体 in GBK

    (document,) = load_file(save(pdf_with_font("年假为十天，病假另计。".encode("gbk"), font))).documents

    assert document.page_content == "年假为十天，病假另计。"


def test_a_page_that_neither_engine_can_read_is_reported_and_not_shown(
    pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    with pytest.raises(DamagedFileError) as caught:
        load_file(save(pdf_with_font(glyphs("年假为十天"), CID_FONT, DESCENDANT % b"Identity")))

    assert caught.value.reason.startswith("第 1 页的文字读出来是乱码")


def test_pypdf_is_not_asked_about_a_page_that_pdfium_can_read(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PageObject, "extract_text", lambda page: pytest.fail("asked"))

    assert len(load_file(save(make_pdf(["年假为10天。"], ["病假另计。"]))).documents) == 2


@pytest.mark.parametrize("error", [RecursionError, KeyError, AttributeError, MemoryError])
def test_whatever_pypdf_raises_on_a_page_the_second_engine_is_asked(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    def fail(page: PageObject) -> str:
        raise error

    monkeypatch.setattr(PageObject, "extract_text", fail)

    loaded = load_file(save(make_pdf(["年假为10天。"])))

    assert [document.page_content for document in loaded.documents] == ["年假为10天。"]


def test_pages_that_nest_without_end_are_a_damaged_file(
    pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = pdf_with_font(b"Leave", LATIN_FONT).replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")

    with pytest.raises(DamagedFileError, match="已损坏或不完整"):
        load_file(save(data))


def test_a_page_whose_content_is_missing_is_not_called_blank(
    pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = pdf_with_font(b"Leave", LATIN_FONT)

    assert load_file(save(data)).documents[0].page_content == "Leave"
    for lost in (b"/Contents 9 0 R", b"/Contents [9 0 R]"):
        with pytest.raises(DamagedFileError, match="第 1 页的数据已损坏"):
            load_file(save(data.replace(b"/Contents 4 0 R", lost)))


def test_a_page_whose_data_is_damaged_is_named_and_the_others_are_read(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    lines = [f"第{number}条　员工每年可以申请{number}次外派培训。" for number in range(1, 25)]
    data = bytearray(make_pdf(lines, ["第二页完好。"]))
    data[data.index(b"stream\n") + 20] ^= 0x15

    loaded = load_file(save(bytes(data)))

    assert [document.metadata["page"] for document in loaded.documents] == [2]
    (problem,) = loaded.problems
    assert type(problem) is DamagedFileError
    assert problem.pages == (1,)
    assert problem.reason == "第 1 页的数据已损坏，读不出来；请重新获取或重新导出这个 PDF"


def test_damage_of_every_kind_ends_as_a_load_error_or_a_page_problem(
    make_pdf: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = make_pdf(["年假为10天。"], ["病假另计。"], title="休假办法")
    errors = []
    for place in range(10, len(data), 37):
        broken = data[:place] + bytes(byte ^ 0x5A for byte in data[place : place + 9]) + data[place + 9 :]
        try:
            errors.extend(load_file(save(broken)).problems)
        except LoadError as error:
            errors.append(error)

    assert len(errors) > 10
    assert {error.source for error in errors} == {"rules.pdf"}
    assert not any("rules.pdf" in error.reason for error in errors)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_pdf_is_damaged(make_pdf: Callable[..., bytes], save: Callable[..., Path], share: float) -> None:
    data = make_pdf(*RULES)

    with pytest.raises(DamagedFileError, match="已损坏或不完整"):
        load_file(save(data[: int(len(data) * share)]))


def test_an_empty_file_and_a_text_named_pdf_say_so(save: Callable[..., Path]) -> None:
    with pytest.raises(NoTextError, match="文件是空的"):
        load_file(save(b""))
    with pytest.raises(DamagedFileError, match="内容不是 PDF"):
        load_file(save("年假为10天。".encode()))


def test_a_user_password_is_asked_for_and_an_owner_password_is_not(
    make_pdf: Callable[..., bytes], rewrite: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    data = make_pdf(["年假为10天。"])

    with pytest.raises(ProtectedFileError, match="需要密码"):
        load_file(save(rewrite(data, user="secret")))
    assert load_file(save(rewrite(data, user=""))).documents[0].page_content == "年假为10天。"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("休假管理办法", "休假管理办法"),
        ("Leave policy", "Leave policy"),
        (None, "rules"),  # reportlab writes `untitled`
        ("Microsoft Word - 休假办法.doc", "rules"),
        ("休假办法.indd", "rules"),
        ("2024", "rules"),
        ("ÐÝ¼Ù°ì·¨", "rules"),  # 休假办法 in GBK, read as Western letters
    ],
)
def test_the_title_is_the_files_own_if_it_looks_like_one(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], written: str | None, title: str
) -> None:
    assert load_file(save(make_pdf(["年假"], title=written))).documents[0].metadata["title"] == title


def test_pypdf_logs_nothing_and_its_logger_is_left_as_it_was(
    make_pdf: Callable[..., bytes], save: Callable[..., Path], caplog: pytest.LogCaptureFixture
) -> None:
    logger = logging.getLogger("pypdf")
    before = (logger.level, logger.propagate, list(logger.handlers))

    with pytest.raises(DamagedFileError):
        load_file(save(make_pdf(*RULES)[:300]))

    assert caplog.records == []
    assert (logger.level, logger.propagate, logger.handlers) == before


def test_files_can_be_read_from_several_threads(
    make_pdf: Callable[..., bytes], pdf_with_font: Callable[..., bytes], save: Callable[..., Path]
) -> None:
    unreadable = save(pdf_with_font(glyphs("年假为十天"), CID_FONT, DESCENDANT % b"GB1"), "second.pdf")
    plain = save(make_pdf(["病假另计。"]), "first.pdf")

    with ThreadPoolExecutor(4) as pool:
        texts = [loaded.documents[0].page_content for loaded in pool.map(load_file, [unreadable, plain] * 8)]

    assert texts == ["年假为十天", "病假另计。"] * 8
