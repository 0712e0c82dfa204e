"""Bases made anew, and texts that are longer than the model reads."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.chains import build_ingest_chain
from youju.chains.fitting import fit
from youju.errors import (
    KnowledgeBaseError,
    KnowledgeBaseMismatchError,
    ModelError,
    ModelUnavailableError,
    TextTooLongError,
)
from youju.knowledge import search_text
from youju.models import E5Embeddings, InputLimit


class Other(Embeddings):
    """Another model, with vectors of another length."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0, float(len(text)), 0.0]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in (("a", "甲项目的说明"), ("b", "乙项目的说明"), ("c", "丙项目的说明")):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def base(settings: Settings, stub_embeddings: Embeddings, docs: Path) -> Iterator[KnowledgeBase]:
    """A base of the three files."""
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    build_ingest_chain(base).invoke(docs)
    yield base
    base.close()


def texts(base: KnowledgeBase) -> list[str]:
    by_words = sorted(hit.page_content for hit in base.keyword_search("项目的说明", k=9))
    by_meaning = sorted(hit.page_content for hit in base.vector_search("项目的说明", k=9))
    assert by_words == by_meaning
    return by_words


_ALL = ["丙项目的说明", "乙项目的说明", "甲项目的说明"]


def smaller(settings: Settings) -> Settings:
    return Settings.model_validate({"store": settings.store, "splitter": {"chunk_size": 4, "chunk_overlap": 0}})


def test_another_model_is_refused_and_takes_over_after_a_rebuild(
    base: KnowledgeBase, settings: Settings, docs: Path
) -> None:
    with pytest.raises(KnowledgeBaseMismatchError, match="youju ingest --rebuild --db"):
        KnowledgeBase.open(settings, embeddings=Other())
    rebuilt = KnowledgeBase.open(settings, embeddings=Other(), rebuild=True)
    report = build_ingest_chain(rebuilt).invoke([])
    assert (report.files.new, report.chunks.total, report.failures) == (3, 3, [])
    assert texts(rebuilt) == _ALL
    assert not rebuilt.rebuilding
    again = build_ingest_chain(rebuilt).invoke(docs)
    assert (again.files.unchanged, again.embedded) == (3, 0)
    with pytest.raises(KnowledgeBaseMismatchError):
        base.vector_search("项目", k=1)
    rebuilt.close()


def test_other_splitter_settings_are_refused_and_take_over_after_a_rebuild(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Embeddings, docs: Path
) -> None:
    with pytest.raises(KnowledgeBaseMismatchError, match="切分设置"):
        KnowledgeBase.open(smaller(settings), embeddings=stub_embeddings)
    rebuilt = KnowledgeBase.open(smaller(settings), embeddings=stub_embeddings, rebuild=True)
    assert build_ingest_chain(rebuilt).invoke(docs).chunks.total == 6
    assert all(len(document.page_content) <= 4 for document in rebuilt.documents())
    rebuilt.close()


@pytest.mark.parametrize("fails_on", ["甲", "乙", "丙"])
def test_the_old_base_answers_while_a_rebuild_is_under_way_and_when_it_fails(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Any, docs: Path, fails_on: str
) -> None:
    seen = []

    def looking(text: str) -> bool:
        seen.append(texts(base))
        return fails_on in text

    stub_embeddings.error = ModelUnavailableError("连不上服务")
    stub_embeddings.fails_on = looking
    rebuilt = KnowledgeBase.open(smaller(settings), embeddings=stub_embeddings, rebuild=True)
    with pytest.raises(KnowledgeBaseError, match=r"重建没有完成，旧的知识库仍在使用。.*连不上服务"):
        build_ingest_chain(rebuilt).invoke(docs)
    assert len(seen) == 5  # two chunks a file, none after the one that fails
    assert all(found == _ALL for found in seen)
    assert texts(base) == _ALL
    assert len(list(base.folder.glob("g*"))) == 1
    stub_embeddings.error = None
    assert build_ingest_chain(rebuilt).invoke(docs).chunks.total == 6
    rebuilt.close()


def test_a_rebuild_that_the_model_refuses_altogether_leaves_the_old_base(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Any, docs: Path
) -> None:
    stub_embeddings.error = ModelUnavailableError("连不上服务")
    rebuilt = KnowledgeBase.open(smaller(settings), embeddings=stub_embeddings, rebuild=True)
    with pytest.raises(ModelError):
        build_ingest_chain(rebuilt).invoke(docs)
    assert texts(base) == _ALL


def test_a_rebuild_from_other_files_does_not_lose_those_of_the_old_base(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Embeddings, docs: Path
) -> None:
    rebuilt = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    with pytest.raises(KnowledgeBaseError, match=r"b\.md：不在这次读入的文件里；c\.md：不在这次读入的文件里"):
        build_ingest_chain(rebuilt).invoke(docs / "a.md")
    assert texts(base) == _ALL
    (docs / "b.md").unlink()
    (docs / "c.md").unlink()
    build_ingest_chain(rebuilt).invoke(docs / "a.md")
    assert texts(base) == ["甲项目的说明"]
    rebuilt.close()


def test_a_damaged_base_is_rebuilt_from_the_files_named(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Embeddings, docs: Path
) -> None:
    base.close()
    [generation] = base.folder.glob("g*")
    for path in generation.glob("catalog.sqlite3*"):
        path.unlink()
    (generation / "catalog.sqlite3").write_bytes(b"x" * 5000)
    rebuilt = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    with pytest.raises(KnowledgeBaseError, match="没有说明要读入哪些文件"):
        build_ingest_chain(rebuilt).invoke([])
    assert build_ingest_chain(rebuilt).invoke(docs).chunks.total == 3
    assert texts(rebuilt) == texts(base) == _ALL
    rebuilt.close()


def test_a_base_that_lost_its_vectors_is_rebuilt_from_what_it_was_made_from(
    base: KnowledgeBase, settings: Settings, stub_embeddings: Embeddings
) -> None:
    base.close()
    [generation] = base.folder.glob("g*")
    shutil.rmtree(generation / "chroma")
    rebuilt = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    assert build_ingest_chain(rebuilt).invoke([]).chunks.total == 3
    assert texts(rebuilt) == _ALL
    rebuilt.close()


def test_a_vector_model_whose_vectors_changed_behind_its_name_stops_the_run(
    base: KnowledgeBase, stub_embeddings: Any, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(stub_embeddings), "vector", lambda self, text: [0.0] * 63 + [1.0])
    (docs / "d.md").write_text("丁项目的说明", encoding="utf-8")
    with pytest.raises(KnowledgeBaseMismatchError, match="youju ingest --rebuild"):
        build_ingest_chain(base).invoke(docs)
    monkeypatch.undo()
    assert texts(base) == _ALL


def test_a_text_longer_than_the_built_in_model_reads_is_split_and_nothing_is_lost(
    settings: Settings, tmp_path: Path
) -> None:
    settings = Settings.model_validate({"store": settings.store, "splitter": {"chunk_size": 4000, "chunk_overlap": 0}})
    text = "".join(f"第{number}条：设备编号为BX-{number:04d}，每季度检修一次。" for number in range(100))
    (tmp_path / "long.txt").write_text(text, encoding="utf-8")
    limit = E5Embeddings().limit
    assert limit.max_tokens == 512
    assert not limit.fits(text)
    base = KnowledgeBase.open(settings)
    report = build_ingest_chain(base).invoke("long.txt")
    chunks = sorted(base.documents(), key=lambda document: document.metadata["start"])
    assert report.chunks.total == len(chunks) > 2
    assert all(limit.fits(search_text(chunk)) for chunk in chunks)
    assert "".join(chunk.page_content for chunk in chunks) == text
    for chunk in chunks:
        assert text[chunk.metadata["start"] : chunk.metadata["end"]] == chunk.page_content
    assert "BX-0099" in base.keyword_search("BX-0099", k=1)[0].page_content
    base.close()


def test_chunks_that_fit_and_models_without_a_limit_are_left_alone() -> None:
    chunks = [Document("一二三四五六七八", metadata={"start": 5, "end": 13})]
    assert list(fit(chunks, None)) == chunks
    assert list(fit(chunks, InputLimit(8, len, exact=True))) == chunks


def test_a_chunk_that_is_too_long_is_split_with_its_headings_counted() -> None:
    chunk = Document("一二三四，五六七八。九十", metadata={"headings": "标题", "start": 100, "end": 112})
    limit = InputLimit(9, len, exact=True)  # "标题", a line end, and six characters
    pieces = list(fit([chunk], limit))
    assert "".join(piece.page_content for piece in pieces) == chunk.page_content
    assert all(limit.fits(search_text(piece)) for piece in pieces)
    assert [piece.metadata["start"] for piece in pieces] == [
        100 + chunk.page_content.index(piece.page_content) for piece in pieces
    ]


def test_headings_that_are_longer_than_the_model_reads_are_a_clear_error(
    settings: Settings, tmp_path: Path, stub_embeddings: Any
) -> None:
    stub_embeddings.limit = InputLimit(20, len, exact=True)
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.md").write_text(f"# {'长' * 30}\n\n正文。", encoding="utf-8")
    (tmp_path / "in" / "b.md").write_text("# 短\n\n正文。", encoding="utf-8")
    report = build_ingest_chain(base).invoke("in")
    assert [failure.source for failure in report.failures] == ["a.md"]
    assert report.failures[0].reason.startswith("标题太长，超出向量模型一次能读的 20 个词元")
    assert (report.files.new, report.files.failed) == (1, 1)
    with pytest.raises(TextTooLongError):
        list(fit([Document("正文", metadata={"headings": "长" * 30})], stub_embeddings.limit))
    base.close()


def test_a_rebuild_is_refused_when_a_folder_is_away_and_the_old_base_stays(
    settings: Settings, stub_embeddings: Any, tmp_path: Path
) -> None:
    docs, moved = tmp_path / "docs", tmp_path / "moved"
    docs.mkdir()
    (docs / "a.md").write_text("年假为十天。", encoding="utf-8")
    build_ingest_chain(KnowledgeBase.open(settings, embeddings=stub_embeddings)).invoke(docs)
    docs.rename(moved)
    with pytest.raises(KnowledgeBaseError, match=f"旧的知识库仍在使用：找不到 {docs}"):
        build_ingest_chain(KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)).invoke([])
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert [hit.page_content for hit in base.keyword_search("年假", k=1)] == ["年假为十天。"]
    rebuilt = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
    assert build_ingest_chain(rebuilt).invoke(moved).chunks.total == 1


def test_an_interrupted_long_file_goes_on_where_it_was(
    settings: Settings, stub_embeddings: Any, tmp_path: Path
) -> None:
    small = settings.model_copy(
        update={
            "splitter": settings.splitter.model_copy(update={"chunk_size": 10, "chunk_overlap": 0}),
            "embeddings": settings.embeddings.model_copy(update={"batch_size": 2}),
        }
    )
    text = "".join(f"第{number}条规定。" for number in range(10, 20))
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    base = KnowledgeBase.open(small, embeddings=stub_embeddings)
    stub_embeddings.error, stub_embeddings.fails_on = KeyboardInterrupt(), lambda passage: "第16条" in passage
    with pytest.raises(KeyboardInterrupt):
        build_ingest_chain(base).invoke(tmp_path / "a.txt")
    assert (len(stub_embeddings.texts), base.count()) == (6, 0)
    stub_embeddings.error = None
    report = build_ingest_chain(base).invoke(tmp_path / "a.txt")
    assert (report.embedded, report.chunks.total, len(stub_embeddings.texts)) == (4, 10, 10)
    (hit,) = base.vector_search("第11条规定。", k=1)
    assert hit.page_content == "第11条规定。"
