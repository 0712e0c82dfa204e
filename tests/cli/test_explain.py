"""`youju retrieve --explain` and `--why`: how something was found, and where something was lost."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CONFIG = """\
splitter: {kind: recursive, chunk_size: 20, chunk_overlap: 0}
retriever: {kind: current, k: 2, base: {kind: hybrid}}
"""
OLD = "---\ntitle: 手册 v1\nversion: 1\n---\n年假为五天。\n"
NEW = "---\ntitle: 手册 v2\nversion: 2\n---\n年假为十天。\n"


Run = Callable[..., Any]


@pytest.fixture
def retrieve(youju: Run, tmp_path: Path) -> Run:
    """Ask how many days of leave there are, in a folder with three files."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, text in {"old.md": OLD, "new.md": NEW, "door.md": "门禁卡遗失须在当天报告。\n"}.items():
        (docs / name).write_text(text, encoding="utf-8")
    (tmp_path / "youju.yaml").write_text(CONFIG, encoding="utf-8")

    youju("ingest", "docs")
    return lambda *words: youju("retrieve", "-q", "年假有几天", *words)


def test_the_explanation_is_a_further_key_and_changes_nothing_else(retrieve: Run) -> None:
    plain, told = retrieve("--json"), retrieve("--explain", "--why", "old.md", "--why", "nothing", "--json")
    assert (plain.status, told.status, told.err) == (0, 0, "")
    assert set(plain.json) == {"question", "hits"}
    assert {key: told.json[key] for key in plain.json} == plain.json
    trace = told.json["explain"]
    assert (trace["question"], trace["root"]["kind"], trace["root"]["k"]) == ("年假有几天", "current", 2)
    assert [hit["id"] for hit in trace["root"]["returned"]] == [hit["id"] for hit in plain.json["hits"]]
    assert [leg["kind"] for leg in trace["root"]["stages"][0]["stages"]] == ["bm25", "vector"]
    [left_out] = trace["root"]["dropped"]
    assert (left_out["source"], left_out["code"], left_out["reason"]) == ("old.md", "version", "已有新版本（这是 1）")
    old, nothing = trace["fates"]
    assert (old["source"], old["in_base"], old["rank"]) == ("old.md", True, None)
    assert (nothing["in_base"], nothing["summary"]) == (False, "知识库里没有这个编号或来源")


def test_people_read_a_tree_of_the_steps(retrieve: Run) -> None:
    out = retrieve("--explain").out
    assert out.startswith("1. new.md")
    lines = [line.strip("│├└─ ") for line in out[out.index("检索过程") :].splitlines()]
    starts = [line.split("  ")[0] for line in lines if "秒" in line]
    assert starts == ["current", "hybrid", "bm25", "vector"]
    assert "落选 1 块：已有新版本（这是 1）：old.md" in lines
    assert "问：年假有几天" in lines
    assert "问到的块" not in out


def test_people_read_where_a_file_was_lost(retrieve: Run) -> None:
    out = retrieve("--why", "old.md").out
    assert "检索过程" not in out
    assert "没有返回。没有被任何一路召回；current 已有新版本（这是 1）；bm25、vector 被过滤条件排除：" in out
    assert (
        "返回了，第 1 名。bm25 第 1 名、vector 第 1 名 → hybrid 第 1 名 → current 第 1 名"
        in retrieve("--why", "new.md").out
    )


def test_a_chunk_that_is_named_beside_its_file_is_listed_once(retrieve: Run) -> None:
    [chunk] = [hit["id"] for hit in retrieve("--json").json["hits"] if hit["source"] == "new.md"]
    for asked in (["new.md", chunk], [chunk, "new.md"], [chunk, chunk]):
        told = retrieve(*(word for name in asked for word in ("--why", name)), "--json").json
        assert [fate["id"] for fate in told["explain"]["fates"]] == [chunk]
    told = retrieve("--why", chunk, "--why", "nothing", "--why", "nothing", "--json").json
    assert [fate["id"] for fate in told["explain"]["fates"]] == [chunk, "nothing"]
