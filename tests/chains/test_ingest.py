"""Folders into a base: what is taken in, what is left alone, and what is said about the rest."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings, loaders
from youju.chains import IngestReport, Progress, build_ingest_chain
from youju.errors import KnowledgeBaseError, ModelAuthError, ModelError, ModelRateLimitError

Answers = Callable[..., list[str]]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """An empty folder."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder


def write(folder: Path, **texts: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def ingest(base: KnowledgeBase, *paths: Path | str) -> IngestReport:
    report = build_ingest_chain(base).invoke(list(paths))
    assert report.chunks.total == base.count()
    return report


def counts(report: IngestReport) -> dict[str, int]:
    """What a report counts, without the zeros."""
    numbers = {**report.files.model_dump(), **report.chunks.model_dump(), "embedded": report.embedded}
    return {name: number for name, number in numbers.items() if number}


def answers(base: KnowledgeBase, question: str, word: str) -> list[str]:
    """The texts with a word that both kinds of search find for a question; both must agree."""
    legs = [
        sorted(hit.page_content for hit in search(question, k=50) if word in hit.page_content)
        for search in (base.keyword_search, base.vector_search)
    ]
    assert legs[0] == legs[1]
    return legs[0]


def sources(base: KnowledgeBase) -> list[str]:
    return [record.source for record in base.files()]


def test_a_folder_is_taken_in_changed_failed_repaired_and_deleted(
    base: KnowledgeBase, docs: Path, settings: Settings, stub_embeddings: Any
) -> None:
    canteen = "\n\n".join(f"食堂第{week}周菜单已公布。" for week in range(1, 11))
    write(docs, a="甲项目验收标准：误差不超过0.5毫米。", b="乙项目验收标准：误差不超过2毫米。", z=canteen)
    report = ingest(base, docs)
    assert counts(report) == {"new": 3, "added": 3, "total": 3, "embedded": 3}
    assert report.failures == []

    one_at_a_time = settings.model_copy(update={"embeddings": settings.embeddings.model_copy(update={"batch_size": 1})})
    stub_embeddings.texts.clear()
    again = KnowledgeBase.open(one_at_a_time, embeddings=stub_embeddings)
    assert counts(ingest(again, docs)) == {"unchanged": 3, "reused": 3, "total": 3}
    assert stub_embeddings.texts == []

    assert counts(ingest(base, docs / "a.md")) == {"unchanged": 1, "reused": 1, "total": 3}
    assert answers(base, "乙项目误差", "乙") == ["乙项目验收标准：误差不超过2毫米。"]

    write(docs, a="甲项目验收标准：误差不超过0.3毫米。")
    stub_embeddings.error = ModelRateLimitError("请求太频繁")
    report = ingest(base, docs)
    assert counts(report) == {"unchanged": 2, "failed": 1, "reused": 2, "total": 3}
    assert [(failure.source, failure.reason) for failure in report.failures] == [("a.md", "请求太频繁")]
    assert answers(base, "甲项目误差", "甲") == ["甲项目验收标准：误差不超过0.5毫米。"]
    assert answers(base, "乙项目误差", "乙") == ["乙项目验收标准：误差不超过2毫米。"]

    stub_embeddings.error = None
    report = ingest(base, docs)
    assert counts(report) == {
        "changed": 1,
        "unchanged": 2,
        "added": 1,
        "deleted": 1,
        "reused": 2,
        "total": 3,
        "embedded": 1,
    }
    for reader in (base, again):
        assert answers(reader, "甲项目误差", "甲") == ["甲项目验收标准：误差不超过0.3毫米。"]

    (docs / "b.md").unlink()
    assert counts(ingest(base, docs)) == {"unchanged": 2, "removed": 1, "deleted": 1, "reused": 2, "total": 2}
    for reader in (base, again):
        assert answers(reader, "乙项目误差", "乙") == []
    again.close()


def test_many_chunks_in_small_batches_are_not_taken_for_stale(
    settings: Settings, docs: Path, stub_embeddings: Any
) -> None:
    settings = Settings.model_validate(
        {
            "store": settings.store,
            "embeddings": {"batch_size": 2},
            "splitter": {"chunk_size": 10, "chunk_overlap": 0},
        }
    )
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    write(docs, a="\n\n".join(f"第{number}条内容甲乙丙。" for number in range(1, 7)))
    assert counts(ingest(base, docs)) == {"new": 1, "added": 6, "total": 6, "embedded": 6}
    stub_embeddings.texts.clear()
    assert counts(ingest(base, docs)) == {"unchanged": 1, "reused": 6, "total": 6}
    assert stub_embeddings.texts == []
    base.close()


def test_touching_files_costs_nothing_and_a_changed_character_only_its_chunk(
    settings: Settings, docs: Path, stub_embeddings: Any
) -> None:
    settings = Settings.model_validate({"store": settings.store, "splitter": {"chunk_size": 10, "chunk_overlap": 0}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    write(docs, a="\n\n".join(f"第{number}条内容甲乙丙。" for number in range(1, 7)), b="别的文件。")
    ingest(base, docs)
    for path in docs.iterdir():
        os.utime(path, (10**9, 10**9))
    stub_embeddings.texts.clear()
    ingest(base, docs)
    assert stub_embeddings.texts == []
    write(docs, a="\n\n".join(f"第{number}条内容甲乙{'丁' if number == 3 else '丙'}。" for number in range(1, 7)))
    report = ingest(base, docs)
    assert stub_embeddings.texts == ["a\n第3条内容甲乙丁。"]
    assert (report.embedded, report.chunks.added, report.chunks.deleted) == (1, 1, 1)
    base.close()


def test_an_id_depends_on_the_text_that_a_chunk_repeats_from_the_one_before(
    settings: Settings, docs: Path, stub_embeddings: Embeddings
) -> None:
    settings = Settings.model_validate({"store": settings.store, "splitter": {"chunk_size": 12, "chunk_overlap": 6}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)

    def second() -> Any:
        ingest(base, docs)
        return next(document for document in base.documents() if "结尾" in document.page_content)

    write(docs, a="开头的一句话。甲乙丙丁。结尾的话。")
    one = second()
    write(docs, a="开头的一句话。戊己庚辛。结尾的话。")
    other = second()
    assert (one.page_content, other.page_content) == ("甲乙丙丁。结尾的话。", "戊己庚辛。结尾的话。")
    assert one.id != other.id
    base.close()


@pytest.mark.parametrize("spelling", ["docs", "./docs/", "docs/../docs", "link", "absolute", "elsewhere"])
def test_another_spelling_of_a_folder_is_the_same_folder(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any, monkeypatch: pytest.MonkeyPatch, spelling: str
) -> None:
    write(docs, a="甲", b="乙")
    (docs.parent / "link").symlink_to(docs)
    ingest(base, "docs")
    path: Path | str = spelling
    if spelling == "absolute":
        path = docs
    elif spelling == "elsewhere":
        (docs.parent / "sub").mkdir()
        monkeypatch.chdir(docs.parent / "sub")
        path = "../docs"
    stub_embeddings.texts.clear()
    assert counts(ingest(base, path)) == {"unchanged": 2, "reused": 2, "total": 2}
    assert stub_embeddings.texts == []


def test_a_folder_that_moved_keeps_its_files_also_those_that_changed_on_the_way(
    base: KnowledgeBase, docs: Path, tmp_path: Path, stub_embeddings: Any
) -> None:
    write(docs, a="甲一", b="乙一")
    write(docs / "sub", c="丙一")
    ingest(base, docs)
    new = tmp_path / "搬 家"
    docs.rename(new)
    write(new, b="乙二")
    stub_embeddings.texts.clear()
    report = ingest(base, new)
    assert counts(report) == {
        "changed": 1,
        "unchanged": 2,
        "added": 1,
        "deleted": 1,
        "reused": 2,
        "total": 3,
        "embedded": 1,
    }
    assert sources(base) == ["a.md", "b.md", "sub/c.md"]
    assert [record.path for record in base.files()] == [str(new / name) for name in ("a.md", "b.md", "sub/c.md")]
    assert counts(ingest(base, new)) == {"unchanged": 3, "reused": 3, "total": 3}


def test_a_moved_folder_whose_files_have_longer_names_keeps_them(base: KnowledgeBase, tmp_path: Path) -> None:
    write(tmp_path / "甲", a="甲的说明")
    write(tmp_path / "乙", a="乙的说明")
    ingest(base, tmp_path / "甲", tmp_path / "乙")
    (tmp_path / "乙").rename(tmp_path / "丙")
    assert counts(ingest(base, tmp_path / "丙")) == {"unchanged": 1, "reused": 1, "total": 2}
    assert sources(base) == ["a.md", "乙/a.md"]


def test_a_file_of_the_same_name_elsewhere_does_not_replace_one_that_is_away(
    base: KnowledgeBase, docs: Path, tmp_path: Path
) -> None:
    write(docs, 说明="可移动磁盘上的说明")
    ingest(base, docs)
    docs.rename(tmp_path / "away")  # the disk was pulled out
    write(tmp_path / "other", 说明="另一份说明")
    ingest(base, tmp_path / "other")
    assert answers(base, "说明", "说明") == ["另一份说明", "可移动磁盘上的说明"]
    (tmp_path / "away").rename(docs)
    assert counts(ingest(base, docs)) == {"unchanged": 1, "reused": 1, "total": 2}


def test_files_named_alike_in_two_folders_are_told_apart_by_their_folders(base: KnowledgeBase, tmp_path: Path) -> None:
    folders = [tmp_path / "甲", tmp_path / "乙", tmp_path / "别处" / "乙"]
    for folder in folders:
        write(folder, 说明=f"{folder.parent.name}{folder.name}的保修期")
    ingest(base, *folders)
    assert sources(base) == sorted(["说明.md", "乙/说明.md", (folders[2] / "说明.md").as_posix()])
    assert len(answers(base, "保修期", "保修期")) == 3
    assert counts(ingest(base, *reversed(folders))) == {"unchanged": 3, "reused": 3, "total": 3}
    (folders[0] / "说明.md").unlink()
    ingest(base, *folders)
    assert sources(base) == sorted(["乙/说明.md", (folders[2] / "说明.md").as_posix()])


@pytest.mark.parametrize("order", [["docs/sub", "docs"], ["docs", "docs/sub"], ["docs/sub/c.md", "docs/sub", "docs"]])
def test_a_folder_after_its_subfolder_and_the_other_way_round_adds_no_file_twice(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any, order: list[str]
) -> None:
    write(docs, a="甲")
    write(docs / "sub", c="丙", a="子甲")
    for path in order:
        ingest(base, path)
    assert base.count() == len(base.files()) == 3
    assert len(stub_embeddings.texts) == 3
    assert len(set(sources(base))) == 3
    (docs / "sub" / "c.md").unlink()
    assert counts(ingest(base, "docs")) == {"unchanged": 2, "removed": 1, "deleted": 1, "reused": 2, "total": 2}


def test_a_file_that_is_gone_is_removed_only_with_a_folder_that_was_named(base: KnowledgeBase, tmp_path: Path) -> None:
    write(tmp_path / "甲", a="甲", b="乙")
    write(tmp_path / "乙", c="丙")
    ingest(base, tmp_path / "甲", tmp_path / "乙")
    (tmp_path / "甲" / "b.md").unlink()
    assert counts(ingest(base, tmp_path / "乙")) == {"unchanged": 1, "reused": 1, "total": 3}
    assert counts(ingest(base, tmp_path / "甲" / "a.md")) == {"unchanged": 1, "reused": 1, "total": 3}
    assert counts(ingest(base, tmp_path / "甲")) == {
        "unchanged": 1,
        "removed": 1,
        "deleted": 1,
        "reused": 1,
        "total": 2,
    }


def test_a_folder_that_is_not_there_is_reported_and_takes_nothing_with_it(base: KnowledgeBase, docs: Path) -> None:
    write(docs, a="甲")
    ingest(base, docs)
    (docs / "a.md").unlink()
    docs.rmdir()
    report = ingest(base, docs)
    assert counts(report) == {"failed": 1, "total": 1}
    assert "找不到这个文件或文件夹" in report.failures[0].reason


def test_nothing_named_takes_in_again_what_the_base_was_made_from(base: KnowledgeBase, docs: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="没有说明要读入哪些文件"):
        build_ingest_chain(base).invoke([])
    write(docs, a="甲", b="乙")
    ingest(base, docs)
    write(docs, b="乙二")
    (docs / "a.md").unlink()
    assert counts(ingest(base)) == {"changed": 1, "removed": 1, "added": 1, "deleted": 2, "total": 1, "embedded": 1}


@pytest.mark.parametrize("place", ["我的 库", "."])
def test_the_base_may_lie_inside_the_folder_or_be_the_folder(
    docs: Path, stub_embeddings: Embeddings, place: str
) -> None:
    write(docs, a="甲")
    base = KnowledgeBase.open(Settings.model_validate({"store": {"path": docs / place}}), embeddings=stub_embeddings)
    for expected in ({"new": 1, "added": 1, "total": 1, "embedded": 1}, {"unchanged": 1, "reused": 1, "total": 1}):
        report = ingest(base, docs)
        assert counts(report) == expected
        assert report.failures == []
    base.close()


def test_each_bad_file_is_listed_once_and_the_good_ones_are_taken_in(
    base: KnowledgeBase, docs: Path, tmp_path: Path
) -> None:
    write(docs, good="年假为十天。")
    write(docs / ".hidden", x="藏起来的")
    (docs / "empty.pdf").touch()
    (docs / "note.xyz").write_text("x", encoding="utf-8")
    (docs / ".DS_Store").write_bytes(b"\0")
    (docs / "~$a.docx").write_bytes(b"\0")
    (docs / "cut.pdf").write_bytes(b"%PDF-1.4\n1 0 obj\n<<")
    (docs / "blank.txt").write_text(" \n", encoding="utf-8")
    (docs / "dangling.md").symlink_to(docs / "nowhere.md")
    write(tmp_path, outside="外面的秘密")
    (docs / "link.md").symlink_to(tmp_path / "outside.md")
    bad = os.fsdecode(b"\xff\xfe")
    write(docs / bad, y="文件夹的名字读不出")
    report = ingest(base, docs, docs)
    assert report.files.new == 1
    assert sorted(failure.source for failure in report.failures) == sorted(
        ["blank.txt", "cut.pdf", "dangling.md", "empty.pdf", "link.md", "note.xyz", f"{docs}/\ufffd\ufffd/y.md"]
    )
    assert report.files.failed == 7
    reasons = {failure.source: failure.reason for failure in report.failures}
    assert "0 字节" in reasons["empty.pdf"]
    assert "不支持 .xyz 格式" in reasons["note.xyz"]
    assert "链接指向文件夹之外" in reasons["link.md"]
    assert "不是有效的 UTF-8" in reasons[f"{docs}/\ufffd\ufffd/y.md"]
    assert sources(base) == ["good.md"]
    assert answers(base, "秘密", "秘密") == []
    subfolders = ingest(base, docs, docs / "sub" / "..")
    assert len(subfolders.failures) == 7


def test_problems_below_two_named_folders_are_listed_once(base: KnowledgeBase, docs: Path) -> None:
    write(docs / "sub", a="甲")
    (docs / "sub" / "x.xyz").touch()
    assert [failure.source for failure in ingest(base, docs, docs / "sub").failures] == ["sub/x.xyz"]


def test_a_file_that_turns_bad_keeps_its_old_version_answering(base: KnowledgeBase, docs: Path) -> None:
    write(docs, a="年假为十天。")
    ingest(base, docs)
    write(docs, a="")
    report = ingest(base, docs)
    assert counts(report) == {"failed": 1, "total": 1}
    assert answers(base, "年假", "年假") == ["年假为十天。"]


def test_a_model_that_fails_on_one_file_costs_only_that_file(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any
) -> None:
    for number in range(10):
        write(docs, **{f"file{number}": f"第{number}号文件的内容"})
    stub_embeddings.error = RuntimeError("quota of sk-abcdefghijklmnopqrstuvwxyz1234 used up")
    stub_embeddings.fails_on = lambda text: "第7号" in text
    report = ingest(base, docs)
    assert counts(report) == {"new": 9, "failed": 1, "added": 9, "total": 9, "embedded": 9}
    [failure] = report.failures
    assert failure.source == "file7.md"
    assert failure.reason.startswith("出错了（RuntimeError")
    assert "abcdefghij" not in failure.reason
    assert len(answers(base, "号文件的内容", "文件")) == 9
    stub_embeddings.error = None
    stub_embeddings.texts.clear()
    assert counts(ingest(base, docs)) == {"new": 1, "unchanged": 9, "added": 1, "reused": 9, "total": 10, "embedded": 1}
    assert stub_embeddings.texts == ["file7\n第7号文件的内容"]


def test_a_model_that_fails_on_every_file_ends_the_run_and_what_was_done_stays(
    base: KnowledgeBase, docs: Path, stub_embeddings: Any
) -> None:
    for number in range(10):
        write(docs, **{f"file{number}": f"第{number}号文件的内容"})
    stub_embeddings.error = ModelError("服务坏了")
    stub_embeddings.fails_on = lambda text: "第0号" not in text and "第1号" not in text
    with pytest.raises(ModelError, match="服务坏了"):
        build_ingest_chain(base).invoke([docs])
    assert sources(base) == ["file0.md", "file1.md"]


def test_a_key_that_is_refused_ends_the_run_at_once(base: KnowledgeBase, docs: Path, stub_embeddings: Any) -> None:
    write(docs, a="甲", b="乙")
    stub_embeddings.error = ModelAuthError("密钥不对")
    with pytest.raises(ModelAuthError):
        build_ingest_chain(base).invoke([docs])


def test_a_key_that_is_missing_is_no_fault_of_the_files(settings: Settings, docs: Path) -> None:
    write(docs, a="甲", b="乙")
    settings = Settings.model_validate(
        {"store": settings.store, "embeddings": {"model": "openai:text-embedding-3-small"}}
    )
    with pytest.raises(ModelAuthError, match="OPENAI_API_KEY"):
        build_ingest_chain(KnowledgeBase.open(settings)).invoke([docs])


def test_progress_ends_at_its_total_also_when_chunks_are_reused(
    settings: Settings, docs: Path, stub_embeddings: Any
) -> None:
    settings = Settings.model_validate({"store": settings.store, "splitter": {"chunk_size": 10, "chunk_overlap": 0}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    write(docs, a="\n\n".join(f"第{number}条内容甲乙丙。" for number in range(6)), b="别的")
    ingest(base, docs)
    write(docs, a="\n\n".join(f"第{number}条内容甲乙丙。" for number in range(7)))
    seen: list[Progress] = []
    build_ingest_chain(base, on_progress=seen.append).invoke(docs)
    assert [(event.done, event.total) for event in seen if event.phase == "read"] == [(1, 2), (2, 2)]
    steps = [event.done for event in seen if event.phase == "embed"]
    assert steps == sorted(steps)
    assert (seen[-1].phase, seen[-1].done, seen[-1].total) == ("embed", 7, 7)
    base.close()


def test_a_path_alone_is_taken_as_well_as_a_list_and_the_report_is_json(base: KnowledgeBase, docs: Path) -> None:
    write(docs, a="甲")
    report = build_ingest_chain(base).invoke(docs)
    assert IngestReport.model_validate_json(report.model_dump_json()) == report
    assert build_ingest_chain(base).invoke(str(docs)).files.unchanged == 1
    assert set(report.model_dump()) == {"files", "chunks", "failures", "embedded", "seconds"}


async def test_an_ingest_can_be_awaited(base: KnowledgeBase, docs: Path) -> None:
    write(docs, a="甲")
    assert (await build_ingest_chain(base).ainvoke([docs])).files.new == 1


def test_a_file_that_is_written_while_it_is_read_is_reported_and_taken_in_next_time(
    base: KnowledgeBase, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(docs, a="甲项目误差0.5毫米。")
    read = loaders.load_file

    def read_while_written(path: Path, **options: Any) -> loaders.LoadedFile:
        loaded = read(path, **options)
        write(docs, a="甲项目误差0.3毫米。")
        return loaded

    with monkeypatch.context() as patched:
        patched.setattr("youju.chains.ingest.load_file", read_while_written)
        report = ingest(base, docs)
    assert [(failure.source, "正在被修改" in failure.reason) for failure in report.failures] == [("a.md", True)]
    assert base.count() == 0
    assert counts(ingest(base, docs)) == {"new": 1, "added": 1, "total": 1, "embedded": 1}
    assert answers(base, "甲项目误差", "甲") == ["甲项目误差0.3毫米。"]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are listed in /proc")
def test_closing_a_base_closes_its_files(settings: Settings, stub_embeddings: Embeddings, docs: Path) -> None:
    write(docs, a="年假为十天。")
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    ingest(base, docs)
    base.vector_search("年假", k=1)
    base.close()
    deadline = time.monotonic() + 10  # the vector store's own threads take a moment
    while (held := open_files(settings.store.path)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert held == []
    assert not list(settings.store.path.glob("*/*/catalog.sqlite3-wal"))


def open_files(folder: Path) -> list[str]:
    """What this process holds open below a folder."""
    found = []
    for link in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # closed meanwhile
            found.append(str(link.readlink()))
    return [path for path in found if path.startswith(str(folder))]


@pytest.mark.parametrize("text", ["。", "\n\n——\n\n", "　　"])
def test_a_file_of_marks_and_blanks_is_reported_as_one_without_text_and_nothing_is_stored(
    base: KnowledgeBase, docs: Path, text: str
) -> None:
    write(docs, a=text)
    report = ingest(base, docs)
    assert [(failure.source, failure.reason) for failure in report.failures] == [
        ("a.md", "文件里没有文字，只有空白或标点；请确认文件是否完整")
    ]
    assert base.count() == 0
