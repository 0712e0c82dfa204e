"""How a page is read: columns, tables, doubled and vertical text, what stands on every page."""

import io
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju.loaders import load_file
from youju.splitters import RecursiveSplitter

Drawing = Callable[[Canvas], None]


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., list[str]]:
    """Draws pages and gives the text of each document."""

    def run(*pages: Drawing) -> list[str]:
        return [document.page_content for document in load_file(draw(tmp_path, *pages)).documents]

    return run


def draw(folder: Path, *pages: Drawing) -> Path:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    for page in pages:
        canvas.setFont("STSong-Light", 10)
        page(canvas)
        canvas.showPage()
    canvas.save()
    path = folder / "drawn.pdf"
    path.write_bytes(file.getvalue())
    return path


def lines(canvas: Canvas, left: float, top: float, texts: Sequence[str], pitch: float = 15) -> None:
    """Draw lines, the first one's baseline so far from the page's top."""
    for number, text in enumerate(texts):
        canvas.drawString(left, 842 - top - pitch * number, text)


LEFT = [f"左栏第{number}行写满了二十二个字的正文一直到栏边为止" for number in "一二三四五六七八九"] + ["左栏完了。"]
RIGHT = [f"右栏第{number}行写满了二十二个字的正文一直到栏边为止" for number in "一二三四五六七八九"] + ["右栏完了。"]


def test_two_columns_are_read_one_after_the_other_below_their_common_title(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        for number in range(10):  # drawn row by row, as some programs do
            lines(canvas, 60, 140 + 15 * number, [LEFT[number]])
            lines(canvas, 310, 140 + 15 * number, [RIGHT[number]])
        canvas.setFont("STSong-Light", 20)
        canvas.drawCentredString(297, 842 - 100, "关于员工休假安排的研究报告")

    (text,) = read(page)

    assert text == "\n".join(["关于员工休假安排的研究报告", "".join(LEFT), "".join(RIGHT)])


def test_a_sentence_goes_on_from_the_foot_of_one_column_to_the_top_of_the_next(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, LEFT[:9])
        lines(canvas, 310, 140, RIGHT)

    (text,) = read(page)

    assert text == "".join(LEFT[:9] + RIGHT)


def test_a_footnote_below_a_column_does_not_cut_the_sentence_that_goes_on_in_the_next(
    read: Callable[..., list[str]],
) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, LEFT[:9])
        lines(canvas, 310, 140, RIGHT)
        canvas.setFont("STSong-Light", 8)
        lines(canvas, 60, 300, ["① 正文里第一处的说明。", "② 正文里第二处的说明。"], 12)

    (text,) = read(page)

    notes = ["① 正文里第一处的说明。", "② 正文里第二处的说明。"]
    assert text == "\n".join(["".join(LEFT[:9] + RIGHT), *notes])


@pytest.mark.parametrize(("size", "gap"), [(10, 25), (8, 15)])
def test_lines_as_large_as_the_text_or_close_below_it_are_no_footnote(
    read: Callable[..., list[str]], size: int, gap: int
) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, LEFT[:9])
        lines(canvas, 310, 140, RIGHT)
        canvas.setFont("STSong-Light", size)
        lines(canvas, 60, 260 + gap, ["左栏的最后一行。"])

    (text,) = read(page)

    assert text == "\n".join(["".join(LEFT[:9]), "左栏的最后一行。", "".join(RIGHT)])


def test_the_last_short_line_of_a_paragraph_above_two_columns_stays_with_it(read: Callable[..., list[str]]) -> None:
    summary = ["摘要写在两栏的上方它的行从左栏的左边一直写到右栏的右边把两栏之间的空白也占满", "最后半行。"]

    def page(canvas: Canvas) -> None:
        lines(canvas, 90, 85, summary)
        lines(canvas, 60, 140, LEFT)
        lines(canvas, 310, 140, RIGHT)

    (text,) = read(page)

    assert text == "\n".join(["".join(summary), "".join(LEFT), "".join(RIGHT)])


def test_short_columns_are_columns_and_a_table_of_words_is_none(read: Callable[..., list[str]]) -> None:
    rows = [
        ("第一季度工作总结会议", "由总经理主持，各部门负责人全部参加并且汇报"),
        ("年度预算的编制和审批", "由财务部门牵头"),
        ("新员工培训", "由人力资源部门组织，所有新入职的员工参加"),
        ("消防演习和安全教育日活动", "由行政部门组织，全体员工参加"),
        ("设备检修", "由工程部门安排，停产期间进行"),
    ]

    def columns(canvas: Canvas) -> None:
        lines(canvas, 60, 140, LEFT[:4])
        lines(canvas, 310, 140, RIGHT[:5])

    def table(canvas: Canvas) -> None:
        lines(canvas, 60, 140, [name for name, _ in rows])
        lines(canvas, 310, 140, [text for _, text in rows])

    assert read(columns, table) == ["".join(LEFT[:4] + RIGHT[:5]), "\n".join("  ".join(row) for row in rows)]


def test_a_wide_table_between_columns_is_read_row_by_row(read: Callable[..., list[str]]) -> None:
    rows = [("项目", "本年金额"), ("办公费", "1,200"), ("差旅费", "3,400"), ("合计", "4,600")]

    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, LEFT)
        lines(canvas, 310, 140, RIGHT)
        for number, (name, amount) in enumerate(rows):
            lines(canvas, 90, 330 + 15 * number, [name])
            lines(canvas, 380, 330 + 15 * number, [amount])
        lines(canvas, 60, 430, LEFT)
        lines(canvas, 310, 430, RIGHT)

    (text,) = read(page)

    body = ["".join(LEFT), "".join(RIGHT)]
    assert text.split("\n") == [*body, *("  ".join(row) for row in rows), *body]


def test_the_cells_of_a_table_keep_their_row_and_two_blanks_between_them(read: Callable[..., list[str]]) -> None:
    rows = [
        ("资产类别", "期末余额", "期初余额"),
        ("货币资金", "4,981,663,905.19", "4,647,275,880.19"),
        ("应收账款", "6,278,282,683.24", "5,585,879,172.02"),
        ("存货", "366,175,089.52", "258,180,404.26"),
    ] * 5

    def page(canvas: Canvas) -> None:
        for column, (left, right) in enumerate([(60, None), (None, 300), (None, 392)]):  # drawn column by column
            for number, row in enumerate(rows):
                place = 842 - 140 - 16 * number
                if left:
                    canvas.drawString(left, place, row[column])
                else:
                    canvas.drawRightString(right, place, row[column])

    (text,) = read(page)

    assert text.split("\n") == ["  ".join(row) for row in rows]


def test_the_words_of_a_ruled_row_stay_together_when_a_cell_takes_several_lines(read: Callable[..., list[str]]) -> None:
    rows = [
        (["姓名"], ["假别"], ["说明"]),
        (["赵六入职"], [], []),
        (["钱七入职"], [], []),
        (["王五"], ["病假"], ["住院治疗期间，凭医院", "开具的证明按实际天数", "计算。"]),
        (["上官", "文静"], ["年假"], ["two weeks in", "spring"]),
    ]

    def page(canvas: Canvas) -> None:
        top = 700
        for row in rows:
            high = 14 * max(len(cell) for cell in row) + 8
            for left, right, cell in zip((60, 110, 160), (110, 160, 280), row, strict=True):
                canvas.rect(left, top - high, right - left, high)
                middle = top - (high - 14 * len(cell)) / 2
                for number, text in enumerate(cell):
                    canvas.drawString(left + 4, middle - 12 - 14 * number, text)
            top -= high
        canvas.drawString(60, top - 30, "以上为本年度记录。")

    (text,) = read(page)

    assert text.split("\n") == [
        "姓名  假别  说明",
        "赵六入职",
        "钱七入职",
        "王五  病假  住院治疗期间，凭医院开具的证明按实际天数计算。",
        "上官文静  年假  two weeks in spring",
        "以上为本年度记录。",
    ]


def test_text_that_runs_on_over_the_line_between_two_cells_is_parted_there(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        canvas.grid([60, 130, 220], [600, 620, 640])
        for number, (name, kind) in enumerate([("1,200.50", "人民币"), ("3,400.75", "美元")]):
            canvas.drawRightString(128, 626 - 20 * number, name)
            canvas.drawString(132, 626 - 20 * number, kind)

    (text,) = read(page)

    assert text == "1,200.50  人民币\n3,400.75  美元"


def test_a_frame_around_running_text_is_no_table(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        canvas.rect(50, 600, 300, 100)
        lines(
            canvas, 60, 160, ["员工入职满一年的可以休年假十天，当年没有休", "完的可以顺延到下一年使用。", "病假另计。"]
        )

    (text,) = read(page)

    assert text == "员工入职满一年的可以休年假十天，当年没有休完的可以顺延到下一年使用。\n病假另计。"


def test_characters_printed_twice_count_once(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        for shift in (0, 0.3, 0.6):
            lines(canvas, 60 + shift, 140, ["员工手册 BOOK 1100"])
        lines(canvas, 60, 170, ["天天向上，1111元，all well"])

    (text,) = read(page)

    assert text == "员工手册 BOOK 1100\n天天向上，1111元，all well"


def test_vertical_text_is_read_down_its_columns_from_right_to_left(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        for column, text in enumerate(["员工入职满一年可休年假十天并且当年", "没有休完的可以顺延到下一年使用。"]):
            for number, character in enumerate(text):
                canvas.drawString(400 - 25 * column, 700 - 12 * number, character)

    (text,) = read(page)

    assert text == "员工入职满一年可休年假十天并且当年没有休完的可以顺延到下一年使用。"


def test_a_letter_spaced_title_is_one_word(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        for number, character in enumerate("员工手册"):
            canvas.drawString(200 + 25 * number, 700, character)
        lines(canvas, 60, 200, ["第一条的内容。"])

    (text,) = read(page)

    assert text == "员工手册\n第一条的内容。"


def test_the_lines_of_a_list_item_hang_together_and_an_indented_paragraph_begins_anew(
    read: Callable[..., list[str]],
) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, ["（一）员工因病需要治疗和休养的应当向部门负责人提出书"])
        lines(canvas, 90, 155, ["面申请，并附上诊断证明；"])
        lines(canvas, 60, 170, ["（二）员工因事需要请假的应当提前三个工作日向部门负责"])
        lines(canvas, 90, 185, ["人提出申请。"])
        lines(canvas, 60, 200, ["第三条 本办法所说的工作日不包括法定的节日和公休假日"])
        lines(canvas, 80, 215, ["病假期间的工资按照国家和本公司所在地的规定计算并且"])
        lines(canvas, 60, 230, ["在下一个月发放。"])

    (text,) = read(page)

    assert text.split("\n") == [
        "（一）员工因病需要治疗和休养的应当向部门负责人提出书面申请，并附上诊断证明；",
        "（二）员工因事需要请假的应当提前三个工作日向部门负责人提出申请。",
        "第三条 本办法所说的工作日不包括法定的节日和公休假日",
        "病假期间的工资按照国家和本公司所在地的规定计算并且在下一个月发放。",
    ]


def test_a_single_character_that_pdfium_loses_is_put_in_and_nothing_comes_twice(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, ["员工入职满一年可休年假十天。"])
        canvas.drawString(60, 842 - 155, "甲")  # alone, in a font that is not in the file
        text = canvas.beginText(100, 842 - 170)  # a place that pypdf sees elsewhere: moved between the two words
        text.textOut("病假")
        text.moveCursor(40, 0)
        text.textOut("另计")
        canvas.drawText(text)

    (text,) = read(page)

    words = "".join(text.split())
    assert [words.count(word) for word in ("年假十天", "甲", "病假", "另计")] == [1, 1, 1, 1]


def test_the_letters_of_a_ligature_are_all_read(pdf_with_font: Callable[..., bytes], tmp_path: Path) -> None:
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    table = (
        b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <61> <7A> <0061> endbfrange"
        b" 3 beginbfchar <20> <0020> <41> <00660066> <42> <006600660069> endbfchar endcmap"
    )
    stream = b"<< /Length %d >>\nstream\n%b\nendstream" % (len(table), table)
    path = tmp_path / "ligatures.pdf"
    path.write_bytes(pdf_with_font(b"diAerent oBces", font, stream))

    (document,) = load_file(path).documents

    assert document.page_content == "different offices"


def test_a_line_that_equals_the_one_above_it_is_not_lost_and_a_line_printed_twice_counts_once(
    read: Callable[..., list[str]],
) -> None:
    bank = "中国某某银行股份有限公司某某分行营业部"

    def page(canvas: Canvas) -> None:
        for row in range(8):
            lines(canvas, 60, 140 + 18 * row, [f"{row + 1}月"])
            lines(canvas, 100, 140 + 18 * row, [bank])
            lines(canvas, 400, 140 + 18 * row, [f"{row + 3},000.00"])
        lines(canvas, 60, 400, ["合计按以上各行相加，由经办人核对后签字确认。"])
        lines(canvas, 60.3, 400, ["合计按以上各行相加，由经办人核对后签字确认。"])

    (text,) = read(page)

    rows = [f"{row + 1}月  {bank}  {row + 3},000.00" for row in range(8)]
    assert text == "\n".join([*rows, "合计按以上各行相加，由经办人核对后签字确认。"])


def test_slanted_text_never_gets_into_a_line(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 140, ["年假为十天，病假另计。", "事假每年不超过五天。"])
        canvas.translate(60, 680)
        canvas.rotate(30)
        canvas.drawString(10, 5, "内部资料")

    (text,) = read(page)

    assert text == "年假为十天，病假另计。\n事假每年不超过五天。\n内部资料"


def test_a_page_printed_on_its_side_is_read_along_its_lines(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        canvas.rotate(90)
        canvas.drawString(100, -300, "年假为十天。")
        canvas.drawString(100, -320, "病假另计。")

    def turned(canvas: Canvas) -> None:
        canvas.setPageRotation(90)
        page(canvas)

    assert read(page, turned) == ["年假为十天。\n病假另计。"] * 2


def body(canvas: Canvas, number: int) -> None:
    lines(canvas, 60, 140, [f"第{number}章 分类", f"这是第{number}页的正文。", "完。"])


def test_running_headers_and_page_numbers_are_dropped(read: Callable[..., list[str]]) -> None:
    def page(number: int) -> Drawing:
        def paint(canvas: Canvas) -> None:
            name = "某某公司员工手册" if number % 2 else "人力资源部编"  # left and right pages differ
            lines(canvas, 60 if number % 2 else 400, 50, [name])
            body(canvas, number)
            canvas.drawCentredString(297, 40, f"— {number} —")

        return paint

    assert read(*map(page, range(1, 7))) == [f"第{n}章 分类\n这是第{n}页的正文。\n完。" for n in range(1, 7)]


@pytest.mark.parametrize(
    "numbers",
    [
        ("i", "ii", "iii", "iv"),
        ("- X -", "- XI -", "- XII -", "- XIII -"),
        ("第一页 共四页", "第二页 共四页", "第三页 共四页", "第四页 共四页"),
    ],
)
def test_page_numbers_in_other_numerals_are_dropped(read: Callable[..., list[str]], numbers: Sequence[str]) -> None:
    def page(word: str, number: str) -> Drawing:
        def run(canvas: Canvas) -> None:
            lines(canvas, 60, 140, [f"{word}的说明。"])
            lines(canvas, 280, 810, [number])

        return run

    texts = read(*(page(word, number) for word, number in zip("甲乙丙丁", numbers, strict=True)))

    assert texts == ["甲的说明。", "乙的说明。", "丙的说明。", "丁的说明。"]


def test_a_header_of_a_file_of_two_pages_is_dropped(read: Callable[..., list[str]]) -> None:
    def page(number: int) -> Drawing:
        def paint(canvas: Canvas) -> None:
            lines(canvas, 60, 50, ["某某公司员工手册"])
            body(canvas, number)

        return paint

    assert [text.split("\n")[0] for text in read(page(1), page(2))] == ["第1章 分类", "第2章 分类"]


def test_a_number_that_does_not_count_up_and_a_line_that_stands_once_are_kept(read: Callable[..., list[str]]) -> None:
    def first(canvas: Canvas) -> None:
        lines(canvas, 60, 50, ["请假制度"])
        body(canvas, 1)

    def second(canvas: Canvas) -> None:
        body(canvas, 2)
        lines(canvas, 60, 800, ["2019"])

    def third(canvas: Canvas) -> None:
        body(canvas, 3)
        lines(canvas, 60, 800, ["1949"])

    texts = read(first, second, third)

    assert texts[0].startswith("请假制度\n")
    assert [text.split("\n")[-1] for text in texts] == ["完。", "2019", "1949"]


def test_a_larger_heading_at_the_top_of_every_page_is_kept(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("STSong-Light", 18)
        lines(canvas, 60, 60, ["休假"])
        canvas.setFont("STSong-Light", 10)
        body(canvas, 1)

    assert [text.split("\n")[0] for text in read(page, page, page, page)] == ["休假"] * 4


def test_a_tables_head_repeated_on_every_page_is_kept(read: Callable[..., list[str]]) -> None:
    def page(number: int) -> Drawing:
        def paint(canvas: Canvas) -> None:
            for row, cells in enumerate([("姓名", "天数"), *((f"员工{number}{n}号", f"{n}天") for n in "甲乙丙丁")]):
                lines(canvas, 60, 60 + 15 * row, [cells[0]])
                lines(canvas, 300, 60 + 15 * row, [cells[1]])

        return paint

    texts = read(*map(page, range(1, 5)))

    assert [text.split("\n")[:2] for text in texts] == [["姓名  天数", f"员工{n}甲号  甲天"] for n in range(1, 5)]


def test_a_page_that_says_the_same_as_others_is_not_taken_for_a_header(read: Callable[..., list[str]]) -> None:
    def page(canvas: Canvas) -> None:
        lines(canvas, 60, 60, ["本页无正文"])

    assert read(page, page, page) == ["本页无正文"] * 3


def test_a_watermark_on_every_page_is_dropped(read: Callable[..., list[str]]) -> None:
    def page(number: int) -> Drawing:
        def paint(canvas: Canvas) -> None:
            body(canvas, number)
            canvas.translate(150, 300)
            canvas.rotate(45)
            canvas.drawString(0, 0, "仅供内部使用")

        return paint

    assert not any("内部" in text for text in read(page(1), page(2), page(3)))


def test_what_is_left_out_as_running_stays_with_the_page_and_not_with_its_chunks(tmp_path: Path) -> None:
    def page(number: int) -> Drawing:
        def paint(canvas: Canvas) -> None:
            lines(canvas, 60, 50, ["某某公司员工手册"])
            body(canvas, number)
            canvas.drawCentredString(297, 40, f"— {number} —")

        return paint

    documents = load_file(draw(tmp_path, *map(page, range(1, 5)))).documents
    assert [document.metadata["running"] for document in documents] == [
        f"某某公司员工手册\n— {n} —" for n in range(1, 5)
    ]
    chunks = RecursiveSplitter().split_documents(documents)
    assert [chunk.metadata["page"] for chunk in chunks] == [1, 2, 3, 4]
    assert not any("running" in chunk.metadata for chunk in chunks)
