"""The automatic splitter: which structure decides."""

from typing import Any

import pytest
from langchain_core.documents import Document

from youju.errors import SettingsError
from youju.settings import AutoSplitterSettings
from youju.splitters import AutoSplitter, MarkdownSplitter, RecursiveSplitter, SpanSplitter, StatuteSplitter
from youju.splitters import build_splitter as build

SIZES: dict[str, Any] = {"chunk_size": 20, "chunk_overlap": 5}
RULES = "总则如下。\n第一条 年假为十天。\n第二条 病假为三十天。\n第三条 事假另行规定。"
TABLE = "| 项目 | 限额 |\n|---|---|\n| 住宿 | 600 |\n| 餐补 | 100 |"
PROSE = "年假为十天，病假为三十天。事假另行规定，由主管批准。产假按国家规定执行。"


def same(splitter: SpanSplitter, documents: list[Document]) -> bool:
    return AutoSplitter(**SIZES).split_documents(documents) == splitter.split_documents(documents)


def page(text: str, number: int, source: str = "a.pdf") -> Document:
    return Document(page_content=text, metadata={"source": source, "page": number, "page_end": number})


def test_three_articles_in_order_make_a_statute() -> None:
    assert same(StatuteSplitter(**SIZES), [Document(page_content=RULES)])
    assert AutoSplitter(**SIZES).split_text(RULES) == StatuteSplitter(**SIZES).split_text(RULES)


def test_two_articles_and_references_make_none() -> None:
    text = "第一条 年假为十天。\n第二条 病假依照\n第一条的规定办理。\n第三条、第四条已经废止。"

    assert same(RecursiveSplitter(**SIZES), [Document(page_content=text)])


@pytest.mark.parametrize("text", [TABLE, f"# 年假\n\n{PROSE}", f"{PROSE}\n\n```\na = 1\n```", f"- {PROSE}\n- {PROSE}"])
def test_headings_tables_code_and_lists_make_markdown(text: str) -> None:
    assert same(MarkdownSplitter(**SIZES), [Document(page_content=text, metadata={"source": "a.txt"})])
    assert AutoSplitter(**SIZES).split_text(text) == MarkdownSplitter(**SIZES).split_text(text)


def test_a_markdown_file_is_markdown_whatever_it_holds() -> None:
    text = "年假为十天，病假为三十天。\n\n病假为三十天。"
    document = Document(page_content=text, metadata={"source": "a.MD"})

    assert same(MarkdownSplitter(**SIZES), [document])
    assert not same(RecursiveSplitter(**SIZES), [document])


@pytest.mark.parametrize("text", [PROSE, f"{PROSE}\n----\n{PROSE}", f"- {PROSE}"])
def test_text_without_structure_is_split_recursively(text: str) -> None:
    assert same(RecursiveSplitter(**SIZES), [Document(page_content=text, metadata={"source": "a.txt"})])


def test_pages_of_a_statute_go_on_where_no_article_begins() -> None:
    documents = [page("封面。", 1), page(RULES, 2), page("经主管批准的除外。", 3), page("无关。", 1, "b.pdf")]
    chunks = AutoSplitter(**SIZES).split_documents(documents)

    assert [chunk.metadata.get("article") for chunk in chunks] == [
        None,
        None,
        "第一条",
        "第二条",
        "第三条",
        "第三条",
        None,
    ]


def test_articles_are_counted_over_all_pages_of_a_file() -> None:
    documents = [page("第一条 年假为十天。", 1), page("第二条 病假为三十天。", 2), page("第三条 事假另行规定。", 3)]

    assert same(StatuteSplitter(**SIZES), documents)


def test_a_section_without_articles_in_a_markdown_statute_keeps_its_table() -> None:
    sections = [f"## 第{n}条 假期\n\n年假为十天。" for n in "一二三"] + [f"## 附表\n\n{TABLE}"]
    documents = [Document(page_content=text, metadata={"source": "a.md"}) for text in sections]
    chunks = AutoSplitter(chunk_size=45, chunk_overlap=0).split_documents(documents)

    assert [chunk.metadata.get("article") for chunk in chunks] == ["第一条", "第二条", "第三条", None, None]
    assert chunks[-1].metadata["table_header"] == "| 项目 | 限额 |\n|---|---|"


def test_sizes_that_cannot_work_are_refused() -> None:
    with pytest.raises(SettingsError, match=r"chunk_size.*chunk_overlap"):
        AutoSplitter(chunk_size=10, chunk_overlap=10)


def test_it_is_chosen_by_settings() -> None:
    assert isinstance(build(AutoSplitterSettings()), AutoSplitter)
