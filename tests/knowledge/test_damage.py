"""Damaged, deleted and planted files of a base."""

import os
import pickle
import re
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

import youju
from youju import KnowledgeBase, Settings
from youju.errors import KnowledgeBaseError

Damage = Callable[[Path], Any]


@pytest.fixture
def generation(base: KnowledgeBase, put: Any) -> Path:
    """The folder of the one generation of a base that holds one chunk and is open nowhere."""
    put(base, "a.txt", "年假为十天。")
    base.close()
    [folder] = base.folder.glob("g*")
    return folder


def _delete_catalog(generation: Path) -> None:
    for path in generation.glob("catalog.sqlite3*"):
        path.unlink()


def _spoil_catalog(generation: Path) -> None:
    _delete_catalog(generation)
    (generation / "catalog.sqlite3").write_bytes(b"x" * 5000)


def _empty_catalog(generation: Path) -> None:
    _delete_catalog(generation)
    (generation / "catalog.sqlite3").touch()


@pytest.mark.parametrize(
    "damage",
    [
        _delete_catalog,
        _spoil_catalog,
        _empty_catalog,
        lambda generation: (generation.parent / "CURRENT").write_text(""),
        lambda generation: (generation.parent / "CURRENT").write_text("g01234567"),
        lambda generation: (generation.parent / "CURRENT").write_text("../../../etc"),
    ],
)
def test_a_base_with_a_damaged_catalog_says_how_to_rebuild_it(
    damage: Damage, generation: Path, settings: Settings, stub_embeddings: Embeddings
) -> None:
    damage(generation)
    command = re.escape(f"youju ingest --rebuild --db {settings.store.path}")
    with pytest.raises(KnowledgeBaseError, match=command):
        KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert not (generation.parent / "g01234567").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda generation: shutil.rmtree(generation / "chroma"),
        lambda generation: (generation / "chroma" / "chroma.sqlite3").unlink(),
        lambda generation: (generation / "chroma" / "chroma.sqlite3").write_bytes(b"x" * 5000),
    ],
)
def test_a_base_without_its_vectors_says_so_instead_of_finding_nothing(
    damage: Damage, generation: Path, settings: Settings, stub_embeddings: Embeddings, put: Any
) -> None:
    damage(generation)
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    command = re.escape(f"youju ingest --rebuild --db {settings.store.path}")
    with pytest.raises(KnowledgeBaseError, match=command) as caught:
        base.vector_search("年假", k=5)
    assert "bindings" not in str(caught.value)
    with pytest.raises(KnowledgeBaseError, match=command):
        put(base, "b.txt", "病假")
    assert [hit.page_content for hit in base.keyword_search("年假", k=5)] == ["年假为十天。"]
    base.close()


def test_the_error_names_the_file_and_says_that_it_cannot_be_read(
    generation: Path, settings: Settings, stub_embeddings: Embeddings
) -> None:
    _spoil_catalog(generation)
    with pytest.raises(KnowledgeBaseError) as caught:
        KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert str(caught.value).startswith(
        f"知识库的文件读写不了：{generation / 'catalog.sqlite3'}（file is not a database）。请检查磁盘空间和权限"
    )


def test_a_damaged_keyword_index_is_made_again_from_the_catalog(
    generation: Path, settings: Settings, stub_embeddings: Embeddings
) -> None:
    [saved] = (generation / "keywords").iterdir()
    for path in saved.rglob("*.*"):
        path.write_bytes(b"x")
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert [hit.page_content for hit in base.keyword_search("年假", k=5)] == ["年假为十天。"]
    base.close()


class _Planted:
    """A pickle of this makes a file when it is loaded."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("planted",)


def test_planted_pickles_are_not_run(generation: Path, settings: Settings, stub_embeddings: Embeddings) -> None:
    [saved] = (generation / "keywords").iterdir()
    code = pickle.dumps(_Planted())
    [segment] = [path for path in (generation / "chroma").iterdir() if path.is_dir()]
    targets = [*saved.rglob("*.*"), segment / "index_metadata.pickle", saved / "index.pkl", generation / "index.pkl"]
    for path in targets:
        path.write_bytes(code)
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert [hit.page_content for hit in base.keyword_search("年假", k=5)] == ["年假为十天。"]
    with pytest.raises(KnowledgeBaseError):
        base.vector_search("年假", k=5)
    base.close()
    assert not Path("planted").exists()
    pickle.loads(code)  # noqa: S301 - shows that the trap works
    assert Path("planted").exists()


def test_no_module_uses_a_format_that_can_run_code() -> None:
    files = list(Path(str(youju.__file__)).parent.resolve().rglob("*.py"))
    assert len(files) > 30
    found = [
        (file.name, word)
        for file in files
        for word in re.findall(
            r"\b(?:pickle|cPickle|marshal|joblib|dill|shelve|allow_pickle)\b", file.read_text("utf-8")
        )
    ]
    assert found == []


def test_a_catalog_that_another_program_keeps_locked_is_busy_not_broken(
    generation: Path, settings: Settings, stub_embeddings: Embeddings, put: Any
) -> None:
    impatient = settings.model_copy(update={"store": settings.store.model_copy(update={"lock_timeout": 0.2})})
    other = sqlite3.connect(generation / "catalog.sqlite3", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    base = KnowledgeBase.open(impatient, embeddings=stub_embeddings)
    with pytest.raises(youju.errors.KnowledgeBaseBusyError, match="请稍后再试"):
        put(base, "b.txt", "病假")
    other.close()
    put(base, "b.txt", "病假")
    assert base.count() == 2
    base.close()


def test_names_of_bases_are_listed_only_where_there_are_some(tmp_path: Path, generation: Path) -> None:
    assert KnowledgeBase.names(generation.parents[1]) == ["default"]
    assert KnowledgeBase.names(tmp_path / "nowhere") == []


def test_a_base_that_may_not_be_written_says_which_file_and_what_to_do(
    generation: Path, settings: Settings, stub_embeddings: Embeddings, put: Any
) -> None:
    paths = [generation.parent, *generation.parent.rglob("*")]
    for path in paths:
        path.chmod(0o500 if path.is_dir() else 0o400)
    try:
        if os.access(generation, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(KnowledgeBaseError, match=r"请检查(磁盘空间和权限|权限和磁盘空间)"):
            put(KnowledgeBase.open(settings, embeddings=stub_embeddings), "b.txt", "病假")
        with pytest.raises(KnowledgeBaseError, match=r"请检查(磁盘空间和权限|权限和磁盘空间)"):
            put(KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True), "b.txt", "病假")
    finally:
        for path in paths:
            path.chmod(0o700)
