"""A manual of twelve pages as a PDF: from the file to answers with pages, each step with what goes in and comes out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju import KnowledgeBase, Settings
from youju.chains import CitedAnswer, IngestReport, build_answer_chain, build_ingest_chain
from youju.loaders import load_file
from youju.retrievers import build_retriever
from youju.settings import HybridSettings

Make = Callable[..., Any]
PAGES = (
    ("一、开放时间", "阅览室每天上午九点开放，晚上八点半闭馆。", "每周一上午整理书架，下午一点起开放。"),
    ("二、办理读者证", "读者凭身份证在一楼服务台办理读者证，当场领取。", "办理读者证交押金一百元，退证时退还。"),
    ("三、借阅册数", "每张读者证最多借阅图书八册。", "期刊只在馆内阅览，不外借。"),
    ("四、借阅期限", "图书的借阅期限为三十天。", "到期前三天可以续借一次，续借十五天。"),
    ("五、逾期", "逾期每天每册收取一角滞纳金。", "逾期超过九十天的，停用读者证。"),
    ("六、遗失和污损", "遗失图书的，按原价的两倍赔偿。", "污损图书的，按程度赔偿。"),
    ("七、自习室", "自习室在三楼，共有座位一百二十个。", "座位须在手机上预约，每次四小时。"),
    ("八、少儿阅览室", "少儿阅览室在二楼东侧，只接待十四岁以下的读者和家长。"),
    ("九、讲座", "每月第二个星期六下午举办讲座，在五楼报告厅。"),
    ("十、复印", "一楼设自助复印机，每页收费两角。"),
    ("十一、存包", "书包和饮料存放在入口处的存包柜，当天取走。"),
    ("十二、联系方式", "读者意见请发到信箱 readers@library.example，三个工作日内答复。"),
)
CHARACTERS = sum(len("".join(line.split())) for page in PAGES for line in page)


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """Write the PDF."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    path = tmp_path / "docs" / "manual.pdf"
    path.parent.mkdir()
    canvas = Canvas(str(path))
    for heading, *lines in PAGES:
        canvas.setFont("STSong-Light", 18)
        canvas.drawString(60, 780, heading)
        canvas.setFont("STSong-Light", 12)
        for number, line in enumerate(lines):
            canvas.drawString(60, 740 - 30 * number, line)
        canvas.showPage()
    canvas.save()
    return path


@pytest.fixture
def ingested(manual: Path, settings: Settings) -> tuple[IngestReport, KnowledgeBase]:
    """Put it into a base with the built-in embedding model."""
    base = KnowledgeBase.open(settings)
    return build_ingest_chain(base).invoke(manual), base


def test_pages_characters_and_chunks_are_reported(manual: Path, ingested: tuple[IngestReport, KnowledgeBase]) -> None:
    pages = load_file(manual).documents
    assert [page.metadata["page"] for page in pages] == list(range(1, 13))
    assert sum(len("".join(page.page_content.split())) for page in pages) == CHARACTERS
    report, base = ingested
    assert report.failures == []
    assert [(record.source, record.units) for record in base.files()] == [("manual.pdf", 12)]
    assert report.chunks.total == len(base.documents()) == 12


@pytest.mark.parametrize(
    ("question", "said", "page"),
    [
        ("图书的借阅期限是多少天？", "三十天", 4),
        ("遗失图书怎么赔偿？", "按原价的两倍赔偿", 6),
        ("自习室在几楼？", "三楼", 7),
    ],
)
def test_what_the_manual_says_is_answered_with_its_page(
    question: str, said: str, page: int, ingested: tuple[IngestReport, KnowledgeBase]
) -> None:
    answer = build_answer_chain(build_retriever(ingested[1])).invoke(question)
    assert (answer.status, said in answer.answer) == ("answered", True)
    assert page in {citation.page for citation in answer.citations}


@pytest.mark.parametrize("question", ["馆长的电话号码是多少？", "图书馆的总建筑面积是多少平方米？"])
def test_what_it_does_not_say_is_not_found(question: str, ingested: tuple[IngestReport, KnowledgeBase]) -> None:
    answer = build_answer_chain(build_retriever(ingested[1])).invoke(question)
    assert (answer.answer, answer.citations) == ("资料中未提及", [])
    assert answer.refusal is not None
    assert answer.refusal.asked == [question]


def test_the_input_and_output_of_every_step_can_be_seen(
    ingested: tuple[IngestReport, KnowledgeBase], scripted: Make
) -> None:
    base = ingested[1]
    model = scripted("图书的借阅期限为三十天[资料1]。")
    retriever = build_retriever(base, HybridSettings(k=4))
    question = "图书的借阅期限是多少天？"

    recalled = retriever.invoke(question)
    answer: CitedAnswer = build_answer_chain(retriever, chat=model).invoke(question)

    assert len(recalled) == answer.retrieved_count == 4
    assert "图书的借阅期限为三十天。" in recalled[0].page_content
    ((human,),) = model.prompts
    assert [block.n for block in answer.evidence] == [1, 2, 3, 4]
    assert all(f"[资料{block.n}]" in human.text and block.text in human.text for block in answer.evidence)
    assert human.text.endswith(f"问题：{question}")
    assert "资料里没有答案时，回答：资料中未提及" in human.text
    assert (answer.answer, answer.citations[0].page) == ("图书的借阅期限为三十天[资料1]。", 4)
    assert answer.citations[0].quote == "图书的借阅期限为三十天。"


def test_chat_models_are_asked_at_temperature_zero() -> None:
    assert Settings().chat.temperature == 0
