"""Word, Excel, PowerPoint and HTML: what reads like the file, and what is reported."""

import datetime as dt
import doctest
import io
import socket
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

import youju.loaders.sheets
from youju.errors import DamagedFileError, LoadError, NoTextError, ProtectedFileError, UnsupportedFormatError
from youju.loaders import FileLoader, LoadedFile, load_file
from youju.loaders.sheets import shown
from youju.settings import LoaderSettings
from youju.text import has_content

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def load(data: bytes | str, name: str, settings: LoaderSettings | None = None) -> LoadedFile:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data.encode("utf-8") if isinstance(data, str) else data)
        return load_file(path, settings=settings)


def texts(loaded: LoadedFile) -> list[str]:
    return [document.page_content for document in loaded.documents]


def word(body: str, *, title: str = "", more: dict[str, str] | None = None) -> bytes:
    """A Word file with this body; styles 1, 2 and T are the headings and the title."""
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="{key}"><w:name w:val="{name}"/></w:style>'
        for key, name in (("1", "heading 1"), ("2", "heading 2"), ("T", "Title"))
    )
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{main}.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="a" Type="{_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="a" Type="{_RELATIONS}/styles" Target="styles.xml"/></Relationships>',
        "word/styles.xml": f"<w:styles {_W}>{styles}</w:styles>",
        "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
        "docProps/core.xml": f'<c xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c>',
        **(more or {}),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return file.getvalue()


def paragraph(text: str, style: str = "", *, run: str = "") -> str:
    chosen = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{chosen}<w:r>{run}<w:t>{text}</w:t></w:r></w:p>"


def row(*cells: str) -> str:
    made = (cell if cell.startswith("<") else f"<w:tc>{paragraph(cell)}</w:tc>" for cell in cells)
    return f"<w:tr>{''.join(made)}</w:tr>"


def workbook(fill: Callable[[Workbook], None]) -> bytes:
    book, file = Workbook(), io.BytesIO()
    fill(book)
    book.save(file)
    return file.getvalue()


def slides(fill: Callable[..., None]) -> bytes:
    show, file = Presentation(), io.BytesIO()
    fill(show)
    show.save(file)
    return file.getvalue()


def picture() -> io.BytesIO:
    file = io.BytesIO()
    Image.new("L", (8, 8), 200).save(file, "PNG")
    file.seek(0)
    return file


def test_a_word_file_is_cut_at_its_headings() -> None:
    body = paragraph("请假制度", "1") + paragraph("先申请。") + paragraph("年假", "2") + paragraph("年假为10天。")

    first, second = load(word(body), "制度.docx").documents

    assert first.page_content == "# 请假制度\n\n先申请。"
    assert second.page_content == "## 年假\n\n年假为10天。"
    assert second.metadata == {
        "source": "制度.docx",
        "title": "请假制度",
        "headings": "请假制度 > 年假",
        "location": "制度.docx › 请假制度 > 年假",
        "start": 14,
        "end": 28,
    }


def test_text_in_a_word_file_reads_without_marks_for_its_looks() -> None:
    bold = "<w:rPr><w:b/><w:u w:val='single'/></w:rPr>"
    body = paragraph("见 max_size *注", run=bold) + paragraph("员工手册", "T")

    assert texts(load(word(body), "a.docx")) == ["见 max_size *注\n\n# 员工手册"]


def test_rows_of_a_word_table_stand_under_the_right_columns_where_cells_are_merged() -> None:
    begin, on = ('<w:tc><w:tcPr><w:vMerge w:val="restart"/></w:tcPr>', "<w:tc><w:tcPr><w:vMerge/></w:tcPr>")
    merged, under = (f"{begin}{paragraph('人事')}</w:tc>", f"{on}{paragraph('')}</w:tc>")
    body = f"<w:tbl>{row('部门', '假别', '天数')}{row(merged, '年假', '10')}{row(under, '病|假', '5')}</w:tbl>"

    assert texts(load(word(body), "a.docx")) == [
        "| 部门 | 假别 | 天数 |\n| --- | --- | --- |\n| 人事 | 年假 | 10 |\n| 人事 | 病\\|假 | 5 |"
    ]


def test_the_table_of_contents_of_a_word_file_is_no_text() -> None:
    link = '<w:hyperlink w:anchor="_Toc1"><w:r><w:t>年假</w:t><w:tab/><w:t>3</w:t></w:r></w:hyperlink>'
    entry = f"<w:p>{link}</w:p>"
    see = '<w:p><w:r><w:t>参见</w:t></w:r><w:hyperlink w:anchor="_Toc1"><w:r><w:t>第3章</w:t></w:r></w:hyperlink></w:p>'

    assert texts(load(word(entry + see), "a.docx")) == ["参见第3章"]


@pytest.mark.parametrize(
    ("title", "expected"), [("员工 &amp; 手册", "员工 & 手册"), ("文档1", "总则"), ("a.docx", "总则"), (" ", "总则")]
)
def test_the_title_is_that_of_the_properties_if_a_person_wrote_it(title: str, expected: str) -> None:
    loaded = load(word(paragraph("总则", "1") + paragraph("一。"), title=title), "a.docx")

    assert [document.metadata["title"] for document in loaded.documents] == [expected]


def test_diagrams_whose_text_is_not_read_are_reported() -> None:
    loaded = load(word(paragraph("一。"), more={"word/diagrams/data1.xml": "<d/>"}), "a.docx")

    assert texts(loaded) == ["一。"]
    assert [problem.reason for problem in loaded.problems] == [
        "有 1 个 SmartArt 图形，里面的文字没有读入；需要时请把它们转成文本或表格"
    ]


def test_a_sheet_is_a_table_that_reads_as_it_is_shown() -> None:
    def fill(book: Workbook) -> None:
        sheet = book.active
        sheet.title = "价目"
        sheet.append(["品名", "价格", None, "日期", "折扣", "有货"])
        sheet.append(["螺丝刀", 1.0, None, dt.date(2024, 5, 1), 0.85, True])
        sheet.append([])
        sheet.append(["锤|子", 0.1 + 0.2, None, dt.datetime(2024, 5, 2, 8, 30), 0.125, False])  # noqa: DTZ001 - Excel knows no zones
        sheet["E2"].number_format, sheet["E4"].number_format = "0%", "0.0%"
        sheet["A5"] = "两行\n文字"

    (document,) = load(workbook(fill), "报表.xlsx").documents

    assert document.page_content == (
        "## 价目\n\n"
        "| 品名 | 价格 | 日期 | 折扣 | 有货 |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| 螺丝刀 | 1 | 2024-05-01 | 85% | TRUE |\n"
        "| 锤\\|子 | 0.3 | 2024-05-02 08:30 | 12.5% | FALSE |\n"
        "| 两行 文字 |  |  |  |  |"
    )
    assert document.metadata == {
        "source": "报表.xlsx",
        "title": "报表",
        "headings": "价目",
        "sheet": "价目",
        "location": "报表.xlsx › 工作表 价目",
        "start": 0,
        "end": len(document.page_content),
    }


def test_each_sheet_is_a_unit_hidden_ones_too_and_empty_ones_are_not() -> None:
    def fill(book: Workbook) -> None:
        book.active["B2"] = "一"
        book.create_sheet("空")
        hidden = book.create_sheet("底稿")
        hidden["A1"], hidden.sheet_state = "二", "hidden"
        chart = BarChart()
        chart.add_data(Reference(book.active, 1, 1, 2, 2))
        book.create_chartsheet("图").add_chart(chart)
        book.properties.title = "年度报表"

    documents = load(workbook(fill), "a.xlsx").documents

    assert [document.metadata["location"] for document in documents] == [
        "a.xlsx › 工作表 Sheet",
        "a.xlsx › 工作表 底稿（隐藏）",
    ]
    assert {document.metadata["title"] for document in documents} == {"年度报表"}


def test_what_stands_in_merged_cells_is_repeated_in_rows_and_not_in_columns() -> None:
    def fill(book: Workbook) -> None:
        sheet = book.active
        for line in [["2024 年", None, None], ["部门", "假别", "天数"], ["人事", "年假", 10], [None, "病假", 5]]:
            sheet.append(line)
        sheet.merge_cells("A1:C1")
        sheet.merge_cells("A3:A4")

    (text,) = texts(load(workbook(fill), "a.xlsx"))

    assert text.splitlines()[2:] == [
        "| 2024 年 |  |  |",
        "| --- | --- | --- |",
        "| 部门 | 假别 | 天数 |",
        "| 人事 | 年假 | 10 |",
        "| 人事 | 病假 | 5 |",
    ]


def test_a_formatted_cell_in_the_far_corner_costs_nothing() -> None:
    def fill(book: Workbook) -> None:
        book.active.append(["编号", "品名"])
        book.active.append([7, "甲"])
        book.active["A2"].number_format = "00000"
        book.active["XFD1048576"].number_format = "0%"

    assert texts(load(workbook(fill), "a.xlsx")) == ["## Sheet\n\n| 编号 | 品名 |\n| --- | --- |\n| 00007 | 甲 |"]


def test_cells_merged_over_the_whole_sheet_are_refused_before_they_fill_the_memory() -> None:
    plain = workbook(lambda book: book.active.append(["编号"]))
    data = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(plain)) as old, zipfile.ZipFile(data, "w") as new:
        for name in old.namelist():
            merge = b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
            new.writestr(name, old.read(name).replace(b"</sheetData>", merge))

    with pytest.raises(LoadError, match="合并单元格占的范围太大（例如 A1:XFD1048576）"):
        load(data.getvalue(), "a.xlsx")


def test_a_sheet_that_is_nearly_all_empty_places_is_refused_before_they_fill_the_memory() -> None:
    def fill(book: Workbook) -> None:
        for number in range(1, 2501):
            book.active.cell(number, number, "甲")

    with pytest.raises(LoadError, match="工作表 Sheet 有 2500 行、2500 列，绝大多数格子是空的"):
        load(workbook(fill), "a.xlsx")


def test_values_are_shown_as_the_example_says() -> None:
    assert doctest.testmod(youju.loaders.sheets) == doctest.TestResults(failed=0, attempted=1)
    assert [shown(value) for value in (dt.time(8, 30), dt.timedelta(hours=25, seconds=5), dt.date(2024, 5, 1))] == [
        "08:30",
        "25:00:05",
        "2024-05-01",
    ]
    assert shown("一_x000D_\n二") == "一 \n二"
    assert shown(1234.5, '#,##0.00"%"') == "1234.5"


def test_formulas_without_a_stored_result_are_reported() -> None:
    def fill(book: Workbook) -> None:
        for line in (["数"], [1], [2], ["=SUM(A2:A3)"]):
            book.active.append(line)

    loaded = load(workbook(fill), "a.xlsx")

    assert texts(loaded) == ["## Sheet\n\n| 数 |\n| --- |\n| 1 |\n| 2 |"]
    assert [problem.reason for problem in loaded.problems] == [
        "有 1 个公式没有存下计算结果，读不出来；请用 Excel 或 WPS 打开，保存后重新读入"
    ]


def test_each_slide_is_a_unit_with_its_number() -> None:
    def fill(show: Presentation) -> None:
        first = show.slides.add_slide(show.slide_layouts[1])
        first.shapes.title.text, first.placeholders[1].text = "请假\v制度", "年假为10天\n病假_另计"
        first.notes_slide.notes_text_frame.text = "强调提前申请"
        show.slides.add_slide(show.slide_layouts[6])
        third = show.slides.add_slide(show.slide_layouts[6])
        third.shapes.add_picture(picture(), 0, 0)
        fourth = show.slides.add_slide(show.slide_layouts[6])
        table = fourth.shapes.add_table(2, 2, 0, 0, Inches(4), Inches(2)).table
        for at, text in enumerate(["假别", "天数", "年_假", "10"]):
            table.cell(at // 2, at % 2).text = text
        fourth.shapes.add_picture(picture(), 0, Inches(5))._element._nvXxPr.cNvPr.set("descr", "流程图：先申请")

    loaded = load(slides(fill), "课件.pptx")

    assert texts(loaded) == [
        "# 请假 制度\n年假为10天\n病假_另计\n\n### 备注\n\n强调提前申请",
        "| 假别 | 天数 |\n| --- | --- |\n| 年_假 | 10 |\n\n流程图：先申请",
    ]
    assert loaded.documents[0].metadata == {
        "source": "课件.pptx",
        "title": "课件",
        "slide": 1,
        "headings": "请假 制度",
        "location": "课件.pptx 第 1 张",
        "start": 0,
        "end": len(loaded.documents[0].page_content),
    }
    assert loaded.documents[1].metadata["location"] == "课件.pptx 第 4 张"
    assert [problem.reason for problem in loaded.problems] == [
        "第 3 张幻灯片只有图片或图表，没有文字；需要时请导出为图片做文字识别（OCR）"
    ]


def test_a_line_that_looks_like_the_mark_of_another_slide_is_text() -> None:
    def fill(show: Any) -> None:
        slide = show.slides.add_slide(show.slide_layouts[6])
        slide.shapes.add_textbox(0, 0, 9, 9).text_frame.text = "年假十天\n<!-- Slide number: 9 -->\n病假三天"
        show.slides.add_slide(show.slide_layouts[6]).shapes.add_textbox(0, 0, 9, 9).text_frame.text = "事假两天"

    loaded = load(slides(fill), "a.pptx")

    assert [document.metadata["slide"] for document in loaded.documents] == [1, 2]
    assert "病假三天" in texts(loaded)[0]


def test_the_figures_of_a_chart_are_text() -> None:
    def fill(show: Presentation) -> None:
        figures = CategoryChartData()
        figures.categories = ["一季度", "二季度", "三季度"]
        figures.add_series("销量", (12, 15.5, None))
        slide = show.slides.add_slide(show.slide_layouts[6])
        slide.shapes.add_chart(XL_CHART_TYPE.BAR_CLUSTERED, 0, 0, Inches(4), Inches(3), figures)

    assert texts(load(slides(fill), "a.pptx")) == [
        "### 图表\n\n| 类别 | 销量 |\n|---|---|\n| 一季度 | 12 |\n| 二季度 | 15.5 |\n| 三季度 |  |"
    ]


PAGE = """<html><head><title>员工手册</title><style>p {color: red}</style></head><body><script>alert(1)</script>
<h1>请假</h1><p>年假<b>10</b>天，见<a href="#a">附则</a>与<a href="https://example.com/a_b">官网</a>。</p>
<img src="data:image/png;base64,AAAABBBB" alt="流程图"><img src="x.png" alt="x.png"><noscript>无脚本</noscript>
<h2>病假</h2><p>另&nbsp;计<p>未闭合<ul><li>一<li>二</ul>
<table><tr><th>部门<th colspan=2>人员<tr><td rowspan=2>甲<td>乙<br>己<td>丁<tr><td>丙<td>戊</table></body></html>"""


def test_a_page_is_cut_at_its_headings_without_scripts_styles_and_image_data() -> None:
    first, second = load(PAGE, "手册.html").documents

    assert first.page_content == "# 请假\n\n年假10天，见附则与[官网](https://example.com/a_b)。\n\n流程图"
    assert second.page_content == (
        "## 病假\n\n另 计\n\n未闭合\n\n* 一\n* 二\n\n"
        "| 部门 | 人员 |  |\n| --- | --- | --- |\n| 甲 | 乙 己 | 丁 |\n| 甲 | 丙 | 戊 |"
    )
    assert second.metadata["location"] == "手册.html › 请假 > 病假"
    assert second.metadata["title"] == "员工手册"


@pytest.mark.parametrize("name", ["gb2312", "GBK", "big5", "utf-8", "shift_jis"])
def test_a_page_is_decoded_as_it_says(name: str) -> None:
    page = (
        f'<html><head><meta http-equiv="Content-Type" content="text/html; charset={name}"></head><p>年休十天</p></html>'
    )

    assert texts(load(page.encode(name), "a.htm")) == ["年休十天"]


@pytest.mark.parametrize("declared", ["", "utf-8", "iso-8859-1", "no-such", "rot13", "utf-16"])
def test_a_page_that_says_nothing_or_something_false_is_decoded_as_a_text(declared: str) -> None:
    page = f'<meta charset="{declared}"><p>年假为十天，病假另计。</p>'

    assert texts(load(page.encode("gbk"), "a.html")) == ["年假为十天，病假另计。"]


def test_characters_that_no_file_holds_become_marks_in_a_page() -> None:
    page = "<title>甲\x1b&#xD800;</title><p>年假&#xD800;&#0;十天\0。</p>"

    (document,) = load(page, "a.html").documents

    assert document.page_content == "年假\ufffd\ufffd十天。"
    assert document.metadata["title"] == "甲\ufffd\ufffd"


def test_tables_made_for_their_looks_leave_no_marks() -> None:
    page = "<table><tr><td>导航</td><td><table><tr><td>甲</td></tr><tr><td>乙</td></tr></table></td></tr></table>"

    assert texts(load(page, "a.html")) == ["导航\n\n| 甲 |\n| --- |\n| 乙 |"]


def test_a_page_nested_without_end_is_still_read() -> None:
    assert texts(load("<div>" * 5000 + "年假", "a.html")) == ["年假"]
    assert texts(load("<table><tr><td>" * 1000 + "年假", "a.html")) == ["年假"]


@pytest.mark.parametrize("size", ['rowspan="1000" colspan="1000"', 'colspan="1000"'])
def test_cells_that_claim_to_span_thousands_fill_no_memory(size: str) -> None:
    page = f"<table>{f'<tr><td {size}>甲</td></tr>' * 600}</table>"

    assert texts(load(page, "a.html")) == ["\n".join(["| 甲 |", "| --- |", *["| 甲 |"] * 599])]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert texts(load("<hr><p>title: 甲</p><hr><p>乙</p>", "a.html")) == ["---\n\ntitle: 甲\n\n---\n\n乙"]


def test_nothing_is_ever_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    page = '<base href="http://example.com/"><img src="http://example.com/a.png"><iframe src="http://example.com"></iframe>'
    drawing = f'<w:p><w:r><w:t>甲</w:t><w:pict {_W} xmlns:r="{_RELATIONS}"/></w:r></w:p>'

    assert texts(load(f"{page}<link rel=stylesheet href='http://example.com/a.css'><p>甲</p>", "a.html")) == ["甲"]
    assert texts(load(word(drawing), "a.docx")) == ["甲"]


GOOD = {
    "docx": lambda: word(paragraph("一。")),
    "xlsx": lambda: workbook(lambda book: book.active.append(["一"])),
    "pptx": lambda: slides(lambda show: show.slides.add_slide(show.slide_layouts[0])),
}


@pytest.mark.parametrize("suffix", GOOD)
def test_what_cannot_be_opened_is_reported_with_the_reason(suffix: str) -> None:
    name, whole, old = f"a.{suffix}", GOOD[suffix](), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504
    other = GOOD["docx" if suffix != "docx" else "xlsx"]()

    for broken in (whole[: len(whole) // 2], b"hello", other):
        with pytest.raises(DamagedFileError, match=f"已损坏，或不是.*另存为 .{suffix} 后重试"):
            load(broken, name)
    with pytest.raises(ProtectedFileError, match=f"需要密码.*另存为 .{suffix} 后重试"):
        load(old + "EncryptedPackage".encode("utf-16-le"), name)
    with pytest.raises(DamagedFileError, match="旧版 Office 格式"):
        load(old, name)
    with pytest.raises(NoTextError, match="0 字节"):
        load(b"", name)


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (word(paragraph("")), "a.docx"),
        (workbook(lambda _: None), "a.xlsx"),
        (slides(lambda _: None), "a.pptx"),
        ("<html><script>var a = 1</script></html>", "a.html"),
    ],
)
def test_a_file_without_text_says_so(data: bytes | str, name: str) -> None:
    with pytest.raises(NoTextError, match="没有文字"):
        load(data, name)


def test_a_slide_show_of_pictures_alone_says_so() -> None:
    def fill(show: Presentation) -> None:
        show.slides.add_slide(show.slide_layouts[6]).shapes.add_picture(picture(), 0, 0)

    with pytest.raises(NoTextError, match="文件里没有文字；第 1 张幻灯片只有图片"):
        load(slides(fill), "a.pptx")


def test_a_file_that_unpacks_to_more_than_the_limit_is_not_unpacked() -> None:
    bomb = word(paragraph("一。"), more={"word/media/a.bmp": "0" * 3 * 1024 * 1024})

    with pytest.raises(LoadError, match=r"解压后的内容有 3\.0 MB，超过了 1 MB 的上限"):
        load(bomb, "a.docx", LoaderSettings(max_megabytes=1))


def test_entities_that_stand_for_a_thousand_others_fill_no_memory() -> None:
    entities = '<!ENTITY a "哈">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 50}">' for before, name in zip("abcdef", "bcdefg", strict=True)
    )
    bomb = f"<!DOCTYPE d [{entities}]><w:document {_W}><w:body>{paragraph('&g;')}</w:body></w:document>"

    with pytest.raises(LoadError):
        load(word("", more={"word/document.xml": bomb}), "a.docx")


def test_time_that_runs_out_is_reported() -> None:
    with pytest.raises(LoadError, match=r"还没有读完，已停止；请拆分这个文件，或调大设置 loader\.max_seconds"):
        load(PAGE, "a.html", LoaderSettings(max_seconds=1e-9))


@pytest.mark.parametrize(("missing", "suffix"), [("markitdown", "docx"), ("openpyxl", "xlsx"), ("markitdown", "pptx")])
def test_without_the_extra_a_file_is_reported_and_the_folder_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, suffix: str
) -> None:
    (tmp_path / f"b.{suffix}").write_bytes(GOOD[suffix]())
    (tmp_path / "a.txt").write_text("年假", encoding="utf-8")
    (tmp_path / "c.txt").write_text("假期", encoding="utf-8")
    monkeypatch.setitem(sys.modules, missing, None)
    loader = FileLoader(tmp_path)

    assert [document.page_content for document in loader.load()] == ["年假", "假期"]
    how = (
        "pip install 'markitdown[docx,xlsx,pptx]'，或 pip install 'youju[office]'（在有据的源码文件夹里写 '.[office]'）"
    )
    assert [(problem.source, problem.reason) for problem in loader.problems] == [
        (f"b.{suffix}", f"读取 .{suffix} 需要安装 markitdown：{how}")
    ]
    with pytest.raises(UnsupportedFormatError, match="office"):
        load_file(tmp_path / f"b.{suffix}")


def test_without_the_part_of_the_extra_for_word_a_file_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = (ImportError, ImportError("mammoth"), None)
    monkeypatch.setattr("markitdown.converters._docx_converter._dependency_exc_info", missing)

    with pytest.raises(LoadError, match=r"pip install 'youju\[office\]'"):
        load(GOOD["docx"](), "a.docx")


def test_a_broken_import_that_is_not_the_extra_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "youju.loaders.sheets", None)

    with pytest.raises(ModuleNotFoundError, match="sheets"):
        load(GOOD["xlsx"](), "a.xlsx")


@given(st.binary(max_size=200), st.sampled_from(["a.docx", "a.xlsx", "a.pptx", "a.html"]))
def test_bytes_of_any_kind_become_text_or_a_load_error(data: bytes, name: str) -> None:
    try:
        loaded = load(data, name)
    except LoadError:
        return
    assert all(has_content(document.page_content) for document in loaded.documents)
