"""The statute splitter: articles, what stands above them, and lines that only refer to one."""

from typing import Any

import pytest
from langchain_core.documents import Document

from youju.settings import StatuteSplitterSettings
from youju.splitters import StatuteSplitter, build_splitter

HANDBOOK = """星河公司员工手册
目录
第一章 总则
第二章 休假
第三章 附则

第一章　总　则
第一条　为规范管理，制定本手册。
第二条　本手册适用于全体员工。

第二章 休假
第一节 年假
第三条 【年假】年假为十天，依照
第一条的规定执行。
第 四 条：申请年假的，应当提前三天。
第四条之一　试用期员工除外。
第二节 病假
本节适用于病假。
第五条 病假须附证明。
第三章
附则
第６条 本手册自公布之日起施行。
"""
HOLIDAYS = """第三条　员工享有下列假期：
（一）年假十天；
（二）病假三十天；
（三）事假五天。
前款假期须申请。申请由主管批准。"""


def chunks_of(*texts: str, size: int = 400, overlap: int = 0, **metadata: Any) -> list[Document]:
    documents = [Document(page_content=text, metadata=metadata) for text in texts]
    return StatuteSplitter(chunk_size=size, chunk_overlap=overlap).split_documents(documents)


def articles_of(text: str) -> list[str | None]:
    return [chunk.metadata.get("article") for chunk in chunks_of(text)]


def pages(*texts: str, source: str = "手册.pdf") -> list[Document]:
    return [
        Document(
            page_content=text,
            metadata={"source": source, "page": page, "page_end": page, "location": f"{source} 第 {page} 页"},
        )
        for page, text in enumerate(texts, 1)
    ]


def test_an_article_is_a_chunk_with_the_headings_before_it() -> None:
    found = [
        (chunk.page_content, chunk.metadata.get("article"), chunk.metadata.get("headings"))
        for chunk in chunks_of(HANDBOOK)
    ]

    assert found == [
        ("星河公司员工手册\n目录\n第一章 总则\n第二章 休假\n第三章 附则", None, None),
        ("第一章　总　则\n第一条　为规范管理，制定本手册。", "第一条", "第一章 总则"),
        ("第二条　本手册适用于全体员工。", "第二条", "第一章 总则"),
        (
            "第二章 休假\n第一节 年假\n第三条 【年假】年假为十天，依照\n第一条的规定执行。",
            "第三条",
            "第二章 休假 > 第一节 年假",
        ),
        ("第 四 条：申请年假的，应当提前三天。", "第四条", "第二章 休假 > 第一节 年假"),
        ("第四条之一　试用期员工除外。", "第四条之一", "第二章 休假 > 第一节 年假"),
        ("第二节 病假\n本节适用于病假。", None, "第二章 休假 > 第二节 病假"),
        ("第五条 病假须附证明。", "第五条", "第二章 休假 > 第二节 病假"),
        ("第三章\n附则\n第６条 本手册自公布之日起施行。", "第6条", "第三章 附则"),
    ]


def test_the_article_is_part_of_the_place_that_a_reader_sees() -> None:
    (first, second) = chunks_of("第一条　甲。\n第二条　乙。", source="办法.txt", location="办法.txt")

    assert first.metadata["location"] == "办法.txt 第一条"
    assert second.metadata == {
        "source": "办法.txt",
        "location": "办法.txt 第二条",
        "article": "第二条",
        "start": 7,
        "end": 13,
    }


@pytest.mark.parametrize(
    ("heading", "article"),
    [
        ("第十二条　年假", "第十二条"),
        ("第 十 二 条 年假", "第十二条"),
        ("　　第一百零三条 年假", "第一百零三条"),
        ("第二〇五条：年假", "第二〇五条"),
        ("第12条 年假", "第12条"),
        ("第１２条（年假）", "第12条"),
        ("第十二條 年假", "第十二條"),
        ("第十二条之二　年假", "第十二条之二"),
        ("**第十二条** 年假", "第十二条"),
        ("### 第十二条 年假", "第十二条"),
        ("第十二条年假为十天。", "第十二条"),
        ("第十二条所有员工都有年假。", "第十二条"),
        ("第十二条与年假有关的事项。", "第十二条"),
        ("第十二条、年假", "第十二条"),
        ("第十二条", "第十二条"),
        ("\u200b第十二条 年假", "第十二条"),
        ("Article 12. Leave", "Article 12"),
        ("Article 12 Leave", "Article 12"),
    ],
)
def test_articles_are_written_in_many_ways(heading: str, article: str) -> None:
    assert articles_of(f"前言。\n{heading}\n十天。") == [None, article]


@pytest.mark.parametrize(
    "line",
    [
        "第一条的规定执行。",
        "第七条第二款执行。",
        "第七条、第八条执行。",
        "第七条和第八条执行。",
        "第七条至第九条执行。",
        "第七条规定执行。",
        "第七条 规定的程序执行。",
        "第七条，并报备案。",
        "第七条（一）项执行。",
        "第七条所称年假执行。",
        "第九十条 执行。",
        "第一章的规定执行。",
        "第七条中华人民共和国公民执行。",
        "Article 7 of these rules applies.",
    ],
)
def test_a_line_that_goes_on_with_a_sentence_opens_no_article(line: str) -> None:
    assert articles_of(f"第五条 甲。\n第六条 年假依照\n{line}\n第七条 乙。") == ["第五条", "第六条", "第七条"]


def test_a_paragraph_that_begins_with_a_reference_opens_no_article() -> None:
    text = "第五条 甲。\n第六条 乙。\n第五条规定的期限从今日起算。\n第五条、第六条同时适用。\n第七条 丙。"

    assert [chunk.page_content for chunk in chunks_of(text)] == [
        "第五条 甲。",
        "第六条 乙。\n第五条规定的期限从今日起算。\n第五条、第六条同时适用。",
        "第七条 丙。",
    ]


def test_numbers_may_leave_gaps_and_begin_again_in_an_annex() -> None:
    text = "第一条 甲。\n第五条 乙。\n附件一 保密协议\n第一条 丙。\n第二条 丁。"
    chunks = chunks_of(text)

    assert [(chunk.metadata["article"], chunk.metadata.get("headings")) for chunk in chunks] == [
        ("第一条", None),
        ("第五条", None),
        ("第一条", "附件一 保密协议"),
        ("第二条", "附件一 保密协议"),
    ]


def test_titles_without_a_mark_at_their_end_do_not_hide_the_next_article() -> None:
    text = "采购合同\n第1条 标的\n见清单\n第2条 价款\n人民币一万元\n第3条 付款"

    assert articles_of(text) == [None, "第1条", "第2条", "第3条"]
    assert articles_of("第一条、租期\n自今日起一年，\n第二条、租金\n三千元") == ["第一条", "第二条"]


def test_parts_and_chapters_end_those_below_them() -> None:
    text = "第一编 总则\n第一分编 通则\n第一章 甲\n第一条 一。\n第二编 物权\n第二章 乙\n第二条 二。"

    assert [chunk.metadata["headings"] for chunk in chunks_of(text)] == [
        "第一编 总则 > 第一分编 通则 > 第一章 甲",
        "第二编 物权 > 第二章 乙",
    ]


def test_a_table_of_contents_with_articles_opens_none() -> None:
    assert articles_of("目录\n第一条 目的 ………… 1\n第二条 范围 ...... 2\n第一条 目的\n甲。\n第二条 范围\n乙。") == [
        None,
        "第一条",
        "第二条",
    ]


def test_a_chapter_at_the_end_without_text_goes_with_the_article_before() -> None:
    assert [chunk.page_content for chunk in chunks_of("第一条 甲。\n第二章 待定")] == ["第一条 甲。\n第二章 待定"]


def test_a_long_article_is_cut_at_paragraphs_then_items() -> None:
    chunks = chunks_of(HOLIDAYS, size=50)
    assert [chunk.page_content for chunk in chunks] == [
        HOLIDAYS.partition("\n前款")[0],
        "前款假期须申请。申请由主管批准。",
    ]

    chunks = chunks_of(HOLIDAYS, size=24)
    assert [chunk.page_content for chunk in chunks] == [
        "第三条　员工享有下列假期：\n（一）年假十天；",
        "（二）病假三十天；\n（三）事假五天。",
        "前款假期须申请。申请由主管批准。",
    ]
    assert {chunk.metadata["article"] for chunk in chunks} == {"第三条"}


def test_only_a_long_article_repeats_the_overlap() -> None:
    text = "第一条 年假为十天。病假为三十天。事假另行规定。\n第二条 产假。"

    assert [chunk.page_content for chunk in chunks_of(text, size=18, overlap=8)] == [
        "第一条 年假为十天。病假为三十天。",
        "病假为三十天。事假另行规定。",
        "第二条 产假。",
    ]


def test_a_printed_line_break_is_no_paragraph() -> None:
    text = "第一条 员工享有年假和\n病假，由主管批准。须提前三天申请。"

    assert [chunk.page_content for chunk in chunks_of(text, size=24)] == [
        "第一条 员工享有年假和\n病假，由主管批准。",
        "须提前三天申请。",
    ]


def test_an_article_goes_on_from_one_page_to_the_next() -> None:
    texts = ["第二章 休假\n第三条　年假为十天，由本人申请，经部门", "主管同意。\n第四条　病假另计。"]
    chunks = StatuteSplitter().split_documents([*pages(*texts), *pages("无关。", source="通知.pdf")])

    found = [(c.page_content, c.metadata["location"], c.metadata.get("headings")) for c in chunks]
    assert found == [
        (texts[0], "手册.pdf 第 1 页 第三条", "第二章 休假"),
        ("主管同意。", "手册.pdf 第 2 页 第三条", "第二章 休假"),
        ("第四条　病假另计。", "手册.pdf 第 2 页 第四条", "第二章 休假"),
        ("无关。", "通知.pdf 第 1 页", None),
    ]


def test_a_reference_at_the_top_of_a_page_opens_no_article() -> None:
    chunks = StatuteSplitter().split_documents(pages("第三条　甲。\n第四条　依照", "第三条的规定办理。\n第五条　乙。"))

    assert [chunk.metadata["article"] for chunk in chunks] == ["第三条", "第四条", "第四条", "第五条"]


def test_a_chapter_named_again_at_the_top_of_a_page_does_not_end_the_article() -> None:
    chunks = StatuteSplitter().split_documents(
        pages("第二章 休假\n第三条　年假须", "第二章 休假\n经主管同意。\n第三章 考勤\n第四条　甲。")
    )

    assert [(chunk.metadata["article"], chunk.metadata["headings"]) for chunk in chunks] == [
        ("第三条", "第二章 休假"),
        ("第三条", "第二章 休假"),
        ("第四条", "第三章 考勤"),
    ]


def test_the_first_article_may_follow_a_title_without_a_blank() -> None:
    assert articles_of("星河公司考勤办法\n第一条为规范考勤，制定本办法。\n第二条本办法适用于全体员工。") == [
        None,
        "第一条",
        "第二条",
    ]


def test_texts_without_a_source_do_not_go_on_in_each_other() -> None:
    assert [chunk.metadata.get("article") for chunk in chunks_of("第三条　甲。", "乙。")] == ["第三条", None]


def test_a_section_does_not_go_on_in_the_next_one() -> None:
    chunks = chunks_of("### 第三条 年假\n\n甲。", "## 附注\n\n乙。", source="手册.md")

    assert [chunk.metadata.get("article") for chunk in chunks] == ["第三条", None]


def test_headings_that_the_document_names_are_not_repeated() -> None:
    (first, second) = chunks_of(
        "### 第三条 年假\n\n第一节 天数\n\n甲。",
        headings="手册 > 第二章 休假 > 第三条 年假",
        location="手册.md › 手册 > 第二章 休假 > 第三条 年假",
    )

    assert first.metadata["location"] == "手册.md › 手册 > 第二章 休假 > 第三条 年假"
    assert first.metadata["article"] == "第三条"
    assert first.metadata["headings"] == "手册 > 第二章 休假 > 第三条 年假"
    assert second.metadata["headings"] == "手册 > 第二章 休假 > 第三条 年假 > 第一节 天数"


def test_notes_say_the_article_and_the_headings() -> None:
    splitter = StatuteSplitter()
    text = "第一章 总则\n第一条 甲。"

    assert splitter.notes(text, splitter.spans(text)) == [{"article": "第一条", "headings": "第一章 总则"}]


@pytest.mark.parametrize("text", [f"Article {'1' * 5000}: 甲", f"第一条之{'1' * 5000} 甲"])
def test_a_number_of_thousands_of_digits_is_text(text: str) -> None:
    assert "".join(chunk.page_content for chunk in chunks_of(text)) == text


@pytest.mark.parametrize("text", ["", "。", "　　", "\n \n"])
def test_text_without_content_gives_no_chunk(text: str) -> None:
    assert chunks_of(text) == []


def test_it_is_chosen_by_settings() -> None:
    assert isinstance(build_splitter(StatuteSplitterSettings()), StatuteSplitter)
