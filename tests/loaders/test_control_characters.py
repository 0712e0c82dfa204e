"""Control characters in names and places: they never open a line or steer a terminal."""

from pathlib import Path

import pytest

from youju.loaders import find_files, load_file


@pytest.mark.parametrize("name", ["a\nb.md", "\x1b]0;owned\x07.md", "a\x9bb.md"])
def test_a_file_whose_name_holds_control_characters_is_refused_on_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("年假", encoding="utf-8")
    (problem,) = find_files(tmp_path).problems
    assert problem.reason == "文件名里有换行等控制字符；请改名后重试"
    assert problem.source.isprintable()
    assert len(problem.source) == len(name)


def test_a_folder_with_a_line_end_in_its_name_does_not_break_the_source(tmp_path: Path) -> None:
    (tmp_path / "a\nb").mkdir()
    (tmp_path / "a\nb" / "c.xyz").touch()
    assert [problem.source for problem in find_files(tmp_path).problems] == ["a\ufffdb/c.xyz"]


def test_an_escape_in_a_heading_stays_out_of_the_location(tmp_path: Path) -> None:
    path = tmp_path / "leave.md"
    path.write_text("# 年\x1b假\n\n年假为十天。\n", encoding="utf-8")
    (document,) = load_file(path).documents
    assert document.metadata["location"] == "leave.md › 年\ufffd假"
    assert document.page_content == "# 年\x1b假\n\n年假为十天。"
