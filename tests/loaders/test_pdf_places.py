"""A chunk of a PDF is found again on its page, and a sentence over two pages on both."""

import io
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as given_settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju.errors import LoadError
from youju.loaders import load_file
from youju.loaders.pdf_places import locate
from youju.splitters.recursive import RecursiveSplitter

FIRST = [
    "员工因病需要治疗和休养的，应当向部门负责人提出书面申请，并附上医院",
    "开具的诊断证明，部门负责人应当在收到申请之日起的三个工作日以内作出",
    "答复，人力资源部门根据答复办理病假手续，并且通知财务部门按照规定的",
]
SECOND = ["标准计算病假期间的工资。病假超过三个月的，另行商定。", "本办法由人力资源部解释。"]
SENTENCE_END = "标准计算病假期间的工资。"


@pytest.fixture
def two_pages(make_pdf: Callable[..., bytes], tmp_path: Path) -> Path:
    path = tmp_path / "leave.pdf"
    path.write_bytes(make_pdf(FIRST, SECOND))
    return path


def test_a_sentence_that_runs_over_the_page_end_is_whole_in_the_first_pages_document(two_pages: Path) -> None:
    first, second = load_file(two_pages).documents

    assert first.page_content == "".join(FIRST) + SENTENCE_END
    assert first.metadata == {
        "source": "leave.pdf",
        "title": "leave",
        "page": 1,
        "page_end": 2,
        "page_break": len("".join(FIRST)),
        "location": "leave.pdf 第 1–2 页",
        "start": 0,
        "end": len(first.page_content),
    }
    assert second.page_content == "病假超过三个月的，另行商定。\n本办法由人力资源部解释。"
    assert (second.metadata["page"], second.metadata["page_end"], second.metadata["start"]) == (2, 2, 0)


@pytest.mark.parametrize(
    ("last", "first"),
    [
        ("答复，人力资源部门根据答复办理病假手续，并且通知财务部门按规定执行。", "病假工资另定。"),
        ("人事部", "标准计算病假期间的工资。"),  # not a full line
        (FIRST[-1], "第二章 病假工资"),
        (FIRST[-1], "（一）病假工资。"),
        (FIRST[-1], "没有句号的一行"),
    ],
)
def test_what_is_no_sentence_over_the_page_end_stays_on_its_page(
    make_pdf: Callable[..., bytes], tmp_path: Path, last: str, first: str
) -> None:
    path = tmp_path / "leave.pdf"
    path.write_bytes(make_pdf([*FIRST[:2], last], [first, "后文。"]))

    documents = load_file(path).documents

    assert [(document.metadata["page"], document.metadata["page_end"]) for document in documents] == [(1, 1), (2, 2)]
    assert documents[1].page_content.startswith(first)


def test_a_page_whose_text_belongs_to_the_sentence_before_it_has_no_document_of_its_own(
    make_pdf: Callable[..., bytes], tmp_path: Path
) -> None:
    path = tmp_path / "leave.pdf"
    path.write_bytes(make_pdf(FIRST, [SENTENCE_END], ["第三页。"]))

    pages = [(document.metadata["page"], document.metadata["page_end"]) for document in load_file(path).documents]

    assert pages == [(1, 2), (3, 3)]


def test_each_of_two_sentences_over_page_ends_is_read_once(make_pdf: Callable[..., bytes], tmp_path: Path) -> None:
    middle = [SENTENCE_END + "病假超过三个月的，由公司与本", "人及其所在部门另行商定病假期间的工作安排，商定的结果"]
    end = ["写入补充协议。", "本办法由人力资源部解释。"]
    path = tmp_path / "leave.pdf"
    path.write_bytes(make_pdf(FIRST, middle, end))

    documents = load_file(path).documents

    assert [document.page_content for document in documents] == [
        "".join(FIRST) + SENTENCE_END,
        "".join(middle).removeprefix(SENTENCE_END) + "写入补充协议。",
        "本办法由人力资源部解释。",
    ]
    assert [(document.metadata["page"], document.metadata["page_end"]) for document in documents] == [
        (1, 2),
        (2, 3),
        (3, 3),
    ]


def test_a_sentence_over_the_page_end_goes_on_before_the_footnote_of_its_first_page(tmp_path: Path) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    path = tmp_path / "leave.pdf"
    canvas = Canvas(str(path))
    for texts, note in ((FIRST, "① 病假另见医疗期的规定。"), (SECOND, "② 由人力资源部保存。")):
        canvas.setFont("STSong-Light", 14)
        for number, text in enumerate(texts):
            canvas.drawString(60, 780 - 24 * number, text)
        canvas.setFont("STSong-Light", 9)
        canvas.drawString(60, 120, note)
        canvas.showPage()
    canvas.save()

    documents = load_file(path).documents
    first, second = documents
    chunks = RecursiveSplitter(chunk_size=14, chunk_overlap=0).split_documents(documents)

    assert first.page_content == "".join(FIRST) + SENTENCE_END + "\n① 病假另见医疗期的规定。"
    assert (first.metadata["page_break"], first.metadata["page_return"]) == (
        len("".join(FIRST)),
        len("".join(FIRST) + SENTENCE_END),
    )
    assert second.page_content == "病假超过三个月的，另行商定。\n本办法由人力资源部解释。\n② 由人力资源部保存。"
    assert [chunk.metadata["location"] for chunk in chunks if "医疗期" in chunk.page_content] == ["leave.pdf 第 1 页"]
    for chunk in chunks:  # only one that stands on both pages says where the second begins
        assert ("page_break" in chunk.metadata) == (chunk.metadata["page"] != chunk.metadata["page_end"])
    for chunk in chunks:
        boxes = locate(path, chunk)
        assert {box.page for box in boxes} == set(range(chunk.metadata["page"], chunk.metadata["page_end"] + 1))
    (note,) = locate(path, first, quote="医疗期")
    assert (note.page, round(note.left)) == (1, 107)  # behind ①, a blank 1.9 pt wide and 病假另见, 9 pt each


def test_a_blank_page_between_parts_the_sentence(make_pdf: Callable[..., bytes], tmp_path: Path) -> None:
    path = tmp_path / "leave.pdf"
    path.write_bytes(make_pdf(FIRST, None, SECOND))

    assert [document.metadata["page_end"] for document in load_file(path).documents] == [1, 3]


def test_every_chunk_of_a_sentence_over_two_pages_has_its_boxes_on_the_pages_it_names(two_pages: Path) -> None:
    documents = load_file(two_pages).documents
    chunks = RecursiveSplitter(chunk_size=20, chunk_overlap=0).split_documents(documents)

    for chunk in chunks:
        boxes = locate(two_pages, chunk)
        assert {box.page for box in boxes} == set(range(chunk.metadata["page"], chunk.metadata["page_end"] + 1))


def test_the_boxes_of_a_quote_are_those_of_its_lines(two_pages: Path) -> None:
    first, _ = load_file(two_pages).documents

    upper, lower = locate(two_pages, first, quote="附上医院开具")

    # 14 pt characters from x = 60; baselines 780 and 756 on a page 841.89 pt high
    assert (upper.page, lower.page) == (1, 1)
    assert (upper.left, upper.right) == pytest.approx((60 + 14 * 29, 60 + 14 * 33), abs=1)
    assert (lower.left, lower.right) == pytest.approx((60, 60 + 14 * 2), abs=1)
    assert upper.top < 841.89 - 780 < upper.bottom
    assert lower.top < 841.89 - 756 < lower.bottom
    over_the_end = locate(two_pages, first, quote=f"规定的{SENTENCE_END}")
    assert [box.page for box in over_the_end] == [1, 2]
    assert over_the_end[1].left == pytest.approx(60, abs=1)


def test_a_quote_that_is_not_in_the_chunk_and_a_chunk_without_a_page_are_refused(two_pages: Path) -> None:
    first, _ = load_file(two_pages).documents

    with pytest.raises(LoadError, match="引文不在这个片段里"):
        locate(two_pages, first, quote="年终奖")
    with pytest.raises(LoadError, match="没有页码和位置"):
        locate(two_pages, Document("年假"))


def test_a_file_that_has_changed_since_says_so(make_pdf: Callable[..., bytes], two_pages: Path) -> None:
    first, _ = load_file(two_pages).documents
    two_pages.write_bytes(make_pdf(["另一份文件。"], ["第二页。"]))

    with pytest.raises(LoadError, match="文件内容与入库时不同"):
        locate(two_pages, first)


def test_a_file_that_is_gone_says_so(two_pages: Path) -> None:
    first, _ = load_file(two_pages).documents
    two_pages.unlink()

    with pytest.raises(LoadError, match="读不到这个文件"):
        locate(two_pages, first)


HAN = "年假病事产婚丧探亲休息日夜班次数月季度总结计划报告审批流程附件"


@given(seed=st.integers(0, 10_000), size=st.sampled_from([8, 11, 16]), rotation=st.sampled_from([0, 90, 180, 270]))
@given_settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_box_of_a_word_lies_where_it_was_drawn(tmp_path: Path, seed: int, size: int, rotation: int) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    chance = random.Random(seed)  # noqa: S311 - a page to draw, no secret
    width, height = (700, 500) if rotation % 180 else (500, 700)  # reportlab gives the size as shown
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(500, 700))
    canvas.setPageRotation(rotation)
    canvas.setFont("STSong-Light", size)
    places = {}
    for row in range(8):
        word = f"{''.join(chance.sample(HAN, 4))}{row}号"
        x, y = chance.randrange(40, 300), 60 + row * 50 + chance.randrange(10)
        places[word] = (x, y, x + canvas.stringWidth(word))
        canvas.drawString(x, y, word)
    canvas.save()
    path = tmp_path / "words.pdf"
    path.write_bytes(file.getvalue())
    (document,) = load_file(path).documents

    for word, (left, base, right) in places.items():
        (box,) = locate(path, document, quote=word)
        drawn = (left, height - base - 0.5 * size, right, height - base)  # the lower half of the characters, upright
        for turn in range(rotation // 90):
            a, b, c, d = drawn
            across = width if turn % 2 else height
            drawn = (across - d, a, across - b, c)
        assert box.page == 1
        assert box.left <= drawn[0] + 1
        assert box.top <= drawn[1] + 1
        assert box.right >= drawn[2] - 1
        assert box.bottom >= drawn[3] - 1
        assert (box.right - box.left) * (box.bottom - box.top) <= 1.5 * size * (right - left)
