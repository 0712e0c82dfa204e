"""Retrieval sets in the layout of BEIR."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from youju.errors import LoadError
from youju.eval import Passage, load_dataset


def written(folder: Path, *, corpus: Any = None, queries: Any = None, qrels: str = "", at: str = "qrels.tsv") -> Path:
    """A set; what is not said is right."""
    passages = corpus or [{"_id": "甲", "title": "年假", "text": "年假为十天。"}, {"_id": "乙", "text": "病假要证明。"}]
    questions = queries or [{"_id": "1", "text": "年假几天？"}, {"_id": "2", "text": "事假扣工资吗？"}]
    for name, rows in (("corpus.jsonl", passages), ("queries.jsonl", questions)):
        lines = (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / at).parent.mkdir(exist_ok=True)
    (folder / at).write_text(qrels or "query-id\tcorpus-id\tscore\n1\t甲\t1\n2\t乙\t0\n", encoding="utf-8")
    return folder


def test_questions_that_no_passage_answers_are_left_out_and_counted(tmp_path: Path) -> None:
    found = load_dataset(written(tmp_path))
    assert found.name == tmp_path.name
    assert found.passages == {"甲": Passage("甲", "年假", "年假为十天。"), "乙": Passage("乙", "", "病假要证明。")}
    assert found.questions == {"1": "年假几天？"}
    assert found.relevant == {"1": {"甲": 1}}
    assert (found.unanswered, found.unknown) == (("2",), ())


def test_other_keys_blank_lines_and_missing_headings_do_no_harm(tmp_path: Path) -> None:
    corpus = ['\ufeff{"_id": 7, "title": null, "text": "年假为十天。", "metadata": {"url": "x"}}\r', "", "  "]
    queries = ['{"_id": "1", "text": "年假几天？", "answers": ["十天"]}']
    found = load_dataset(written(tmp_path, corpus=corpus, queries=queries, qrels="1\t7\t2\r\n", at="qrels/test.tsv"))
    assert found.passages == {"7": Passage("7", "", "年假为十天。")}
    assert found.relevant == {"1": {"7": 2}}


def test_questions_can_be_rewritten(tmp_path: Path) -> None:
    assert load_dataset(written(tmp_path), rewrite=str.swapcase).questions == {"1": "年假几天？"}
    assert load_dataset(written(tmp_path), rewrite=lambda text: text[:2]).questions == {"1": "年假"}


def test_ids_that_only_the_judgements_know_are_named_in_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="youju"):
        found = load_dataset(written(tmp_path, qrels="1\t甲\t1\n1\t丙\t1\n9\t甲\t1\n"))
    assert found.relevant == {"1": {"甲": 1, "丙": 1}}
    assert found.unknown == ("丙",)
    assert [record.getMessage() for record in caplog.records] == [
        f"{tmp_path / 'qrels.tsv'} 里有 queries.jsonl 里没有的问题，不计入：9",
        f"{tmp_path / 'qrels.tsv'} 里有 corpus.jsonl 里没有的段落，按找不到计：丙",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("年假", "不是正确的 JSON"),
        ("[" * 100_000, "不是正确的 JSON"),
        ('["年假"]', "要写成一个 JSON 对象"),
        ('{"text": "年假"}', "_id 要是不空的文字或整数"),
        ('{"_id": " ", "text": "年假"}', "_id 要是不空的文字或整数"),
        ('{"_id": true, "text": "年假"}', "_id 要是不空的文字或整数"),
        ('{"_id": "丙"}', "text 要是文字"),
        ('{"_id": "丙", "text": 1}', "text 要是文字"),
        ('{"_id": "甲", "text": "年假"}', "_id 甲 已经在前面出现过"),
    ],
)
@pytest.mark.parametrize("name", ["corpus", "queries"])
def test_a_line_of_another_form_is_refused_with_file_and_line(
    tmp_path: Path, name: str, line: str, reason: str
) -> None:
    folder = written(tmp_path, **{name: ['{"_id": "甲", "text": "年假为十天。"}', "", line]})
    with pytest.raises(LoadError) as refused:
        load_dataset(folder)
    assert str(refused.value).startswith(f"{folder / name}.jsonl 第 3 行：{reason}")


@pytest.mark.parametrize(
    ("name", "row", "reason"),
    [
        ("corpus", '{"_id": "丙", "title": "", "text": "……"}', "title 和 text 都没有内容"),
        ("corpus", '{"_id": "丙", "title": 1, "text": "年假"}', "title 要是文字"),
        ("queries", '{"_id": "3", "text": "？"}', "text 要是一句有内容的话"),
    ],
)
def test_lines_without_content_are_refused(tmp_path: Path, name: str, row: str, reason: str) -> None:
    with pytest.raises(LoadError, match=f"{name}.jsonl 第 1 行：{reason}"):
        load_dataset(written(tmp_path, **{name: [row]}))


@pytest.mark.parametrize(
    ("qrels", "reason"),
    [
        ("1\t甲\n", "第 1 行：要有用制表符隔开的三栏（问题、段落、分数），这里有 2 栏"),
        ("q\tp\tscore\n1 甲 1\n", "第 2 行：要有用制表符隔开的三栏（问题、段落、分数），这里有 1 栏"),
        ("q\tp\tscore\n1\t甲\thigh\n", "第 2 行：分数要是整数，不能是 high"),
        ("1\t甲\t1\n1\t甲\t0\n", "第 2 行：问题 1 和段落 甲 已经在前面判过"),
        ("1\t甲\t0\n", "：没有一个问题有能回答它的段落"),
        ("\n", "：没有一个问题有能回答它的段落"),
    ],
)
def test_judgements_of_another_form_are_refused_with_their_line(tmp_path: Path, qrels: str, reason: str) -> None:
    with pytest.raises(LoadError) as refused:
        load_dataset(written(tmp_path, qrels=qrels))
    assert str(refused.value).replace(f"{tmp_path / 'qrels.tsv'}", "").strip().startswith(reason)


def test_missing_empty_and_unreadable_files_are_named(tmp_path: Path) -> None:
    folder = written(tmp_path)
    (folder / "qrels.tsv").unlink()
    with pytest.raises(LoadError, match=r"找不到 qrels\.tsv 或 qrels/test\.tsv"):
        load_dataset(folder)
    (folder / "queries.jsonl").write_text("\n", encoding="utf-8")
    with pytest.raises(LoadError, match=r"queries\.jsonl：文件里一行也没有"):
        load_dataset(folder)
    (folder / "corpus.jsonl").write_bytes("年假".encode("gbk"))
    with pytest.raises(LoadError, match=r"corpus\.jsonl：不是 UTF-8 文字"):
        load_dataset(folder)
    (folder / "corpus.jsonl").unlink()
    with pytest.raises(LoadError, match=r"corpus\.jsonl：找不到这个文件"):
        load_dataset(folder)
    (folder / "corpus.jsonl").mkdir()
    with pytest.raises(LoadError, match=r"corpus\.jsonl：读不了这个文件"):
        load_dataset(folder)
