"""Question files, and where their quotes stand."""

from pathlib import Path

import pytest
from langchain_core.documents import Document

from youju.errors import LoadError
from youju.eval import Question, compare_splitters, load_questions
from youju.settings import FixedSplitterSettings

EXAMPLES = Path(__file__).parents[2] / "examples" / "compare-questions.jsonl"


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_questions_are_read_line_by_line_and_empty_lines_are_skipped(tmp_path: Path) -> None:
    path = written(
        tmp_path / "q.jsonl",
        '\ufeff{"question": "年假几天？", "quotes": ["年假为10天。", "休假十天"], "source": "a.md"}',
        "",
        '{"question": "病假呢？", "quotes": ["医院证明"]}\r',
        "",
    )
    assert load_questions(path) == [
        Question("年假几天？", ("年假为10天。", "休假十天"), "a.md", f"{path} 第 1 行"),
        Question("病假呢？", ("医院证明",), None, f"{path} 第 3 行"),
    ]
    assert len(load_questions(str(EXAMPLES))) == 13


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("年假几天？", "不是正确的 JSON"),
        ("[" * 100_000, "不是正确的 JSON"),
        ('["年假"]', "要写成一个 JSON 对象"),
        (
            '{"question": "甲", "quotes": ["乙"], "answer": "丙"}',
            "字段 answer 不能写在这种文件里；可以写：question、quotes、source",
        ),
        ('{"quotes": ["乙"]}', "question 要是一句有内容的话"),
        ('{"question": "？", "quotes": ["乙"]}', "question 要是一句有内容的话"),
        ('{"question": "甲"}', "quotes 要是原文引文的列表"),
        ('{"question": "甲", "quotes": []}', "quotes 要是原文引文的列表"),
        ('{"question": "甲", "quotes": "乙"}', "quotes 要是原文引文的列表"),
        ('{"question": "甲", "quotes": ["乙", ""]}', "quotes 要是原文引文的列表"),
        ('{"question": "甲", "quotes": ["乙"], "source": 1}', "source 要是文件的名字"),
    ],
)
def test_a_line_of_another_form_is_refused_with_its_number(tmp_path: Path, line: str, reason: str) -> None:
    path = written(tmp_path / "q.jsonl", '{"question": "甲", "quotes": ["乙"]}', line)
    with pytest.raises(LoadError) as refused:
        load_questions(path)
    assert str(refused.value).startswith(f"{path} 第 2 行：{reason}")


def test_a_file_that_gives_no_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="找不到这个问题文件"):
        load_questions(tmp_path / "none.jsonl")
    with pytest.raises(LoadError, match="问题文件里没有问题"):
        load_questions(written(tmp_path / "empty.jsonl", "", " "))
    with pytest.raises(LoadError, match="读不了这个问题文件"):
        load_questions(tmp_path)
    (tmp_path / "gbk.jsonl").write_bytes("问题".encode("gbk"))
    with pytest.raises(LoadError, match="不是 UTF-8"):
        load_questions(tmp_path / "gbk.jsonl")


def test_a_quote_that_stands_nowhere_is_refused_with_its_line(tmp_path: Path) -> None:
    path = written(
        tmp_path / "q.jsonl",
        '{"question": "年假几天？", "quotes": ["年假 为10\\n天"]}',
        '{"question": "病假呢？", "quotes": ["病假为3天"]}',
    )
    documents = [Document("年假\n为10天。", metadata={"source": "a.md"})]
    splitters = {"fixed": FixedSplitterSettings()}
    with pytest.raises(LoadError) as refused:
        compare_splitters(documents, splitters, questions=load_questions(path))
    assert str(refused.value) == f"{path} 第 2 行：在资料里找不到引文“病假为3天”；请照原文写，并且不要跨页或跨章节"
    with pytest.raises(LoadError, match=r"第 1 个问题：资料里没有名为 b\.md 的文件；有：a\.md"):
        compare_splitters(documents, splitters, questions=[Question("年假几天", ("年假",), "b.md")])
