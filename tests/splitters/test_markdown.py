"""The Markdown splitter: sections, and blocks that stay whole where they fit."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

from youju.loaders import load_file
from youju.settings import MarkdownSplitterSettings
from youju.splitters import MarkdownSplitter, build_splitter

DEPLOY = "# 部署\n\n```python\ndef f():\n    return 1\n```\n\n- 项\n  - 子项\n    续行"
TABLE = "| 项目 | 限额 |\n|---|---|\n| 住宿 | 600 |\n| 餐补 | 100 |\n| 交通 | 实报 |"
HEAD = "| 项目 | 限额 |\n|---|---|"


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return MarkdownSplitter(chunk_size=size, chunk_overlap=overlap).split_text(text)


def split_document(text: str, size: int, **metadata: Any) -> list[Document]:
    document = Document(page_content=text, metadata=metadata)
    return MarkdownSplitter(chunk_size=size, chunk_overlap=0).split_documents([document])


def split_file(folder: Path, text: str, size: int) -> list[Document]:
    path = folder / "manual.md"
    path.write_bytes(text.encode("utf-8"))
    return MarkdownSplitter(chunk_size=size, chunk_overlap=0).split_documents(load_file(path).documents)


def test_indentation_of_code_and_of_nested_lists_is_kept() -> None:
    assert split(DEPLOY, 100) == [DEPLOY]
    assert split(DEPLOY, 41) == ["# 部署\n\n```python\ndef f():\n    return 1\n```", "- 项\n  - 子项\n    续行"]


def test_indentation_is_kept_from_the_file_to_the_chunk(tmp_path: Path) -> None:
    (chunk,) = split_file(tmp_path, DEPLOY, 100)

    assert chunk.page_content == DEPLOY


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_a_number_sign_in_a_fence_is_no_heading(fence: str, tmp_path: Path) -> None:
    text = f"# 部署\n{fence}\n# 安装依赖\npip install x\n{fence}\n## 启动\n运行服务"
    expected = [(f"# 部署\n{fence}\n# 安装依赖\npip install x\n{fence}", "部署"), ("## 启动\n运行服务", "部署 > 启动")]

    for chunks in (split_document(text, 400), split_file(tmp_path, text, 400)):
        assert [(chunk.page_content, chunk.metadata["headings"]) for chunk in chunks] == expected


@pytest.mark.parametrize("text", ["。", "\n\n——\n\n", "　　", "# \n\n---\n\n***\n", "```\n```"])
def test_text_without_content_gives_no_chunk(text: str) -> None:
    assert split(text, 20) == []


def test_a_heading_stays_with_what_follows_it() -> None:
    assert split("# 年假\n\n年假为十天。病假为三十天。", 12) == ["# 年假\n\n年假为十天。", "病假为三十天。"]
    assert split("# 甲\n\n## 乙\n\n```\n一一一\n二二二\n```", 18) == ["# 甲\n\n## 乙\n\n```\n一一一", "二二二\n```"]


def test_short_sections_do_not_share_a_chunk_and_short_blocks_do() -> None:
    assert split("# 甲\n\n一。\n\n二。\n\n# 乙\n\n三。", 400) == ["# 甲\n\n一。\n\n二。", "# 乙\n\n三。"]


def test_headings_at_the_end_without_text_go_with_the_text_before() -> None:
    assert split("# 甲\n\n一。\n\n# 乙\n\n## ——\n", 400) == ["# 甲\n\n一。\n\n# 乙\n\n## ——"]


def test_underlined_headings_cut_and_those_in_lists_and_quotes_do_not() -> None:
    assert split("甲\n===\n\n一。\n\n乙\n---\n\n二。", 400) == ["甲\n===\n\n一。", "乙\n---\n\n二。"]
    inside = "一。\n\n- # 甲\n\n  二。\n\n> # 乙\n>\n> 三。\n\n<!--\n# 丙\n-->"
    assert split(inside, 400) == [inside]


def test_code_stays_whole_where_it_fits() -> None:
    code = "```sh\nmake build\n\nmake test\n```"
    assert split(f"先编译，再测试。\n\n{code}\n\n然后发布新的版本。", 32) == [
        "先编译，再测试。",
        code,
        "然后发布新的版本。",
    ]


def test_long_code_is_cut_at_blank_lines_then_between_lines() -> None:
    code = "```py\na = 1\n# 注\n\ndef f():\n    return a\n\ndef g():\n    b = 2\n    return b\n```"
    assert split(code, 24) == [
        "```py\na = 1\n# 注",
        "def f():\n    return a",
        "def g():\n    b = 2",
        "    return b\n```",
    ]


def test_a_picture_stays_whole_and_goes_with_the_sentence_before_it() -> None:
    assert split("先断开电源。再按下图接线。\n\n![接线图](wiring.png)\n\n接通电源。", 28) == [
        "先断开电源。",
        "再按下图接线。\n\n![接线图](wiring.png)",
        "接通电源。",
    ]


def test_a_closing_brace_goes_with_the_line_before_it() -> None:
    assert split("```c\nint f() {\n  return one;\n}\n```", 20) == ["```c\nint f() {", "  return one;\n}\n```"]


def test_a_table_that_fits_is_whole_and_carries_no_head() -> None:
    (chunk,) = split_document(f"# 限额\n\n{TABLE}", 400)

    assert chunk.page_content == f"# 限额\n\n{TABLE}"
    assert "table_header" not in chunk.metadata


def test_rows_without_their_head_carry_it() -> None:
    first, second = split_document(f"# 限额\n\n{TABLE}\n\n另行通知。", 40)

    assert first.page_content == "# 限额\n\n| 项目 | 限额 |\n|---|---|\n| 住宿 | 600 |"
    assert "table_header" not in first.metadata
    assert second.page_content == "| 餐补 | 100 |\n| 交通 | 实报 |\n\n另行通知。"
    assert second.metadata["table_header"] == HEAD


def test_a_row_longer_than_a_chunk_carries_the_head_in_each_of_its_parts() -> None:
    text = f"{HEAD}\n| 住宿 | 一线城市六百元，其他城市四百元，海外按当地标准。 |"
    chunks = split_document(text, 25)

    assert [chunk.metadata.get("table_header") for chunk in chunks] == [None, HEAD, HEAD]
    assert chunks[0].page_content == HEAD


def test_each_table_has_its_own_head() -> None:
    other = "| 级别 | 天数 |\n|:--|--:|\n| 一级 | 5 |\n| 二级 | 10 |"
    chunks = split_document(f"{TABLE}\n\n说明。\n\n{other}", 36)

    found = [(chunk.page_content.splitlines()[-1], chunk.metadata.get("table_header")) for chunk in chunks]
    assert found == [
        ("| 住宿 | 600 |", None),
        ("说明。", HEAD),
        ("| 一级 | 5 |", None),
        ("| 二级 | 10 |", "| 级别 | 天数 |\n|:--|--:|"),
    ]


def test_a_table_in_a_quote_has_the_head_as_it_is_written() -> None:
    chunks = split_document("> | 甲 | 乙 |\n> |---|---|\n> | 一一一 | 二二二 |\n> | 三三三 | 四四四 |", 40)

    assert chunks[1].page_content == "> | 三三三 | 四四四 |"
    assert chunks[1].metadata["table_header"] == "> | 甲 | 乙 |\n> |---|---|"


def test_a_long_list_is_cut_between_items_and_a_long_item_between_its_own() -> None:
    assert split("- 甲甲甲甲\n- 乙乙乙乙\n- 丙丙丙丙", 14) == ["- 甲甲甲甲\n- 乙乙乙乙", "- 丙丙丙丙"]
    assert split("- 甲甲甲甲\n  - 乙乙乙乙\n  - 丙丙丙丙\n- 丁丁丁丁", 16) == [
        "- 甲甲甲甲\n  - 乙乙乙乙",
        "  - 丙丙丙丙\n- 丁丁丁丁",
    ]


def test_only_a_long_paragraph_repeats_the_overlap() -> None:
    assert split("# 题\n\n年假为十天。病假为三十天。事假另行规定。", 20, 8) == [
        "# 题\n\n年假为十天。病假为三十天。",
        "病假为三十天。事假另行规定。",
    ]
    assert split("年假为十天。\n\n病假为三十天。\n\n事假另行规定。", 16, 8) == [
        "年假为十天。\n\n病假为三十天。",
        "事假另行规定。",
    ]


def test_headings_and_places_are_named_where_the_document_names_none() -> None:
    chunks = split_document(
        "导言。\n\n# 甲\n\n一。\n\n## 乙 {#b}\n\n二。", 400, source="a.txt", location="a.txt", start=100
    )

    assert [chunk.metadata for chunk in chunks] == [
        {"source": "a.txt", "location": "a.txt", "start": 100, "end": 103},
        {"source": "a.txt", "location": "a.txt › 甲", "headings": "甲", "start": 105, "end": 112},
        {"source": "a.txt", "location": "a.txt › 甲 > 乙", "headings": "甲 > 乙", "start": 114, "end": 127},
    ]


def test_headings_that_a_document_names_are_left_as_they_are() -> None:
    (chunk,) = split_document("## 乙\n\n二。", 400, headings="甲 > 乙", location="a.md › 甲 > 乙")

    assert chunk.metadata["headings"] == "甲 > 乙"
    assert chunk.metadata["location"] == "a.md › 甲 > 乙"


def test_front_matter_in_a_text_is_no_heading() -> None:
    chunks = split_document("---\ntitle: 手册\n---\n# 甲\n\n一。", 400)

    assert [(chunk.page_content, chunk.metadata.get("headings")) for chunk in chunks] == [
        ("---\ntitle: 手册\n---", None),
        ("# 甲\n\n一。", "甲"),
    ]


def test_line_ends_of_other_systems_and_a_byte_order_mark_are_known() -> None:
    assert split("\ufeff# 甲\r\n\r\n一。\r\n\r\n## 乙\r\n\r\n二。\r\n", 400) == [
        "\ufeff# 甲\r\n\r\n一。",
        "## 乙\r\n\r\n二。",
    ]


def test_notes_say_what_split_documents_says() -> None:
    splitter = MarkdownSplitter(chunk_size=40, chunk_overlap=0)
    text = f"# 限额\n\n{TABLE}"

    assert splitter.notes(text, splitter.spans(text)) == [
        {"headings": "限额"},
        {"headings": "限额", "table_header": HEAD},
    ]


def test_it_is_chosen_by_settings() -> None:
    assert isinstance(build_splitter(MarkdownSplitterSettings()), MarkdownSplitter)
