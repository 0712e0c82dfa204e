"""Markdown: sections at their exact places, headings, front matter."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju.errors import NoTextError
from youju.loaders import load_file


def load(text: str, name: str = "manual.md") -> list[Document]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode("utf-8"))
        return list(load_file(path).documents)


def test_sections_know_their_headings_and_their_place() -> None:
    text = "# 请假制度\n\n先申请。\n\n## 年假\n\n年假为10天。\n"

    first, second = load(text)

    assert first.page_content == "# 请假制度\n\n先申请。"
    assert second.page_content == "## 年假\n\n年假为10天。"
    assert second.metadata == {
        "source": "manual.md",
        "title": "请假制度",
        "headings": "请假制度 > 年假",
        "location": "manual.md › 请假制度 > 年假",
        "start": 14,
        "end": 28,
    }


def test_text_before_the_first_heading_is_a_section_named_by_the_file() -> None:
    first, second = load("导言一句。\n\n# 正文\n\n内容。\n")

    assert first.page_content == "导言一句。"
    assert first.metadata["location"] == "manual.md"
    assert "headings" not in first.metadata
    assert second.metadata["headings"] == "正文"


def test_a_heading_without_text_goes_with_the_section_after_it() -> None:
    (section,) = load("# 请假制度\n\n## 年假\n\n年假为10天。\n")

    assert section.page_content == "# 请假制度\n\n## 年假\n\n年假为10天。"
    assert section.metadata["headings"] == "请假制度 > 年假"


def test_headings_at_the_end_without_text_are_not_lost() -> None:
    assert [section.page_content for section in load("# 年假\n\n十天。\n\n# ——\n")] == ["# 年假\n\n十天。\n\n# ——"]

    (section,) = load("# 年假\n\n年假为10天。\n\n# 待补充\n")

    assert section.page_content == "# 年假\n\n年假为10天。\n\n# 待补充"
    assert section.metadata["headings"] == "年假"


def test_a_sibling_heading_ends_the_path_of_the_one_before() -> None:
    sections = load("# 甲\n一\n## 乙\n二\n### 丙\n三\n## 丁\n四\n# 戊\n五\n")

    assert [section.metadata["headings"] for section in sections] == ["甲", "甲 > 乙", "甲 > 乙 > 丙", "甲 > 丁", "戊"]


def test_underlined_headings_count_and_a_rule_does_not() -> None:
    sections = load("请假制度\n====\n\n总则。\n\n年假\n----\n\n十天。\n\n---\n\n病假另计。\n")

    assert [section.metadata["headings"] for section in sections] == ["请假制度", "请假制度 > 年假"]
    assert sections[1].page_content.endswith("---\n\n病假另计。")


@pytest.mark.parametrize("fence", ["```", "~~~", "   ```", "````"])
def test_a_number_sign_in_a_fence_is_no_heading(fence: str) -> None:
    text = f"# 安装\n\n{fence}sh\n# 先更新\npip install youju\n{fence}\n\n完成。\n"

    (section,) = load(text)

    assert section.page_content == text.rstrip()


def test_headings_in_lists_quotes_comments_and_indented_code_head_no_section() -> None:
    (section,) = load("正文。\n\n- 项\n\n  # 内\n\n> # 引\n\n<!--\n# 注\n-->\n\n    # 码\n")

    assert "headings" not in section.metadata


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_make_no_difference(end: str, mark: str) -> None:
    text = "---\ntenant: acme\n---\n\n# 甲\n\n一。\n\n乙\n---\n\n二。\n"

    assert load(mark + text.replace("\n", end)) == load(text)
    assert [section.metadata["headings"] for section in load(text)] == ["甲", "甲 > 乙"]


def test_tabs_after_a_number_sign_and_before_code() -> None:
    sections = load("#\t甲\n\n\t# 码\n\n##\t乙\t\n\n二。\n")

    assert [(section.page_content, section.metadata["headings"]) for section in sections] == [
        ("#\t甲\n\n\t# 码", "甲"),
        ("##\t乙\t\n\n二。", "甲 > 乙"),
    ]


def test_a_heading_reads_without_marks() -> None:
    sections = load("# **粗体** 与 [链接](https://example.com) `代码` ##\n一\n## 锚点 {#anchor}\n二\n")

    assert sections[1].metadata["headings"] == "粗体 与 链接 代码 > 锚点"


def test_nothing_is_stripped_inside_a_section() -> None:
    text = "# 配置\n\n    缩进的代码\n\n- 一\n  - 二  \n    续行\n\n\n末尾。"

    assert [section.page_content for section in load(text)] == [text]


def test_front_matter_becomes_json_metadata_under_its_own_keys() -> None:
    text = (
        "---\ntitle: 员工手册\ndate: 2024-05-01\nat: 2024-05-01 08:30:00\ntenant: acme\ntags: [人事, 7]\n"
        "empty:\nrate: .nan\nid: 42\nsource: 内部\nnested: {day: 2024-01-02}\n---\n# 年假\n\n十天。\n"
    )

    (section,) = load(text)

    assert section.metadata == {
        "title": "员工手册",
        "date": "2024-05-01",
        "at": "2024-05-01T08:30:00",
        "tenant": "acme",
        "tags": ["人事", 7],
        "rate": "nan",
        "front_id": 42,
        "front_source": "内部",
        "nested": {"day": "2024-01-02"},
        "source": "manual.md",
        "headings": "年假",
        "location": "manual.md › 年假",
        "start": text.index("# 年假"),
        "end": len(text) - 1,
    }
    assert json.loads(json.dumps(section.metadata, allow_nan=False)) == section.metadata


@pytest.mark.parametrize("block", ["只是一句话", "- 一\n- 二", "# 注释一句", "“引文”"])
def test_text_between_two_rules_is_text(block: str) -> None:
    text = f"---\n{block}\n---\n\n正文。\n"

    sections = load(text)

    assert "\n".join(section.page_content for section in sections).startswith(f"---\n{block}\n---")
    assert set(sections[0].metadata) <= {"source", "title", "headings", "location", "start", "end"}


YAML_HELP = "不是有效的 YAML（检查冒号后的空格、缩进、引号和括号；不支持 & 和 * 引用）"


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("标签: [未闭合", f"第 2 行{YAML_HELP}"),
        ("title: 手册\nnote: 甲: 乙", f"第 3 行{YAML_HELP}"),
        ("title: 手册\n\ttenant: acme", f"第 3 行{YAML_HELP}"),
        ('title: "手册\ntenant: acme', f"第 2 行{YAML_HELP}"),
        ("a: &a [1]\nb: *a", f"第 3 行{YAML_HELP}"),
        ("a: &a [*a]", f"第 2 行{YAML_HELP}"),
        ("date: 2024-13-45", "有无法识别的值，例如不存在的日期"),
        ("n: !!int 十", "有无法识别的值，例如不存在的日期"),
        ("标题：手册\n部门：人事", "每行要写成“键: 值”，用半角冒号，冒号后加一个空格"),
        ("title:手册", "每行要写成“键: 值”，用半角冒号，冒号后加一个空格"),
    ],
)
def test_broken_front_matter_stays_text_and_each_section_says_why(block: str, reason: str) -> None:
    text = f"---\n{block}\n---\n正文。\n\n# 年假\n\n十天。\n"

    first, second = load(text)

    assert first.page_content == f"---\n{block}\n---\n正文。"
    assert "headings" not in first.metadata
    assert second.metadata == {
        "source": "manual.md",
        "title": "年假",
        "headings": "年假",
        "location": "manual.md › 年假",
        "start": text.index("# 年假"),
        "end": len(text) - 1,
        "front_matter_error": f"文件开头的元数据（front matter）读不出来，已当作正文：{reason}；请改正后重新入库",
    }


@pytest.mark.parametrize("rest", ["", "---\n\n后文。"])
def test_front_matter_without_an_end_hides_no_heading(rest: str) -> None:
    sections = load(f"---\ntitle: 手册\n\n# 年假\n\n十天。\n\n{rest}")

    assert [section.metadata.get("headings") for section in sections] == [None, "年假"]
    assert sections[0].page_content == "---\ntitle: 手册"
    assert all("front_matter_error" in section.metadata for section in sections)


def test_an_empty_block_is_dropped_and_an_unclosed_one_is_text() -> None:
    assert [section.page_content for section in load("---\n---\n正文。")] == ["正文。"]
    assert [section.page_content for section in load("---\ntitle: 无尾\n\n正文。")] == ["---\ntitle: 无尾\n\n正文。"]


def test_the_title_is_that_of_the_front_matter_else_the_first_top_heading_else_the_name() -> None:
    assert load("---\ntitle: 甲\n---\n# 乙\n丙")[0].metadata["title"] == "甲"
    assert load("## 丙\n一\n# 乙\n二")[0].metadata["title"] == "乙"
    assert load("## 丙\n一", "员工手册.markdown")[0].metadata["title"] == "员工手册"


@pytest.mark.parametrize("text", ["\n \n", "——\n\n***\n", "---\ntitle: 只有元数据\n---\n"])
def test_a_file_without_text_says_so(text: str) -> None:
    with pytest.raises(NoTextError, match="没有文字"):
        load(text)


_LINES = st.sampled_from(
    [
        "# 甲",
        "## 乙",
        "### ",
        "丙\n===",
        "丁\n---",
        "正文一句。",
        "",
        "  缩进",
        "```",
        "~~~",
        "- 项",
        "> 引",
        "---",
        "<!--",
        "-->",
        "\t码",
        "a: 1",
    ]
)


@given(st.lists(_LINES, max_size=25).map("\n".join))
def test_sections_are_exact_slices_and_together_hold_all_text(text: str) -> None:
    text += "\n\n末尾一句。"
    sections = load(text)

    places = [(section.metadata["start"], section.metadata["end"]) for section in sections]
    assert [text[start:end] for start, end in places] == [section.page_content for section in sections]
    gaps = zip([0, *(end for _, end in places)], [*(start for start, _ in places), len(text)], strict=True)
    between = [text[start:end].strip() for start, end in gaps]
    assert not any(between[1:])
    assert between[0] == "" or between[0].startswith("---")  # front matter is metadata, not text
