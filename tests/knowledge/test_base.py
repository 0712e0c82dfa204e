"""What a base promises to those who write to it and search it."""

import json
import math
import random
import shlex
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from pydantic import ValidationError

from youju import KnowledgeBase, Settings
from youju.analyzer import Analyzer
from youju.errors import KnowledgeBaseError, KnowledgeBaseMismatchError, KnowledgeBaseNotFoundError, ModelError
from youju.knowledge import Change, FileRecord
from youju.models import build_embeddings


def found_by_words(base: KnowledgeBase, question: str, k: int = 10) -> list[str]:
    return [document.page_content for document in base.keyword_search(question, k=k)]


def found_by_meaning(base: KnowledgeBase, question: str, k: int = 10) -> list[str]:
    return [document.page_content for document in base.vector_search(question, k=k)]


class Axes(Embeddings):
    """Vectors from a table, one and the same for all other texts."""

    def __init__(self, vectors: dict[str, list[float]], other: list[float]) -> None:
        self._vectors = vectors
        self._other = other

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vectors.get(text, self._other)


def test_a_base_without_files_is_empty_and_searching_it_says_how_to_make_it(base: KnowledgeBase) -> None:
    assert not base.exists
    assert base.files() == []
    assert base.count() == 0
    with pytest.raises(KnowledgeBaseNotFoundError, match="还没有名为 default 的知识库；请先运行 youju ingest"):
        base.keyword_search("年假", k=5)
    assert not base.folder.exists()


def test_equal_texts_of_one_file_are_stored_under_ids_of_their_own(base: KnowledgeBase, put: Any) -> None:
    pages = ("本页无正文", {"page": 1}), ("年假为十天。", {"page": 2}), ("本页无正文", {"page": 9})
    assert put(base, "手册.pdf", *pages) == Change(added=3, embedded=2)
    stored = base.documents()
    assert [(document.page_content, document.metadata["page"]) for document in stored] == [
        ("本页无正文", 1),
        ("年假为十天。", 2),
        ("本页无正文", 9),
    ]
    assert len({document.id for document in stored}) == 3
    assert [document.metadata["page"] for document in base.keyword_search("年假几天", k=5)] == [2]
    assert base.vector_search("年假为十天。", k=1)[0].metadata["page"] == 2
    assert put(base, "手册.pdf", *pages) == Change(reused=3)
    assert [document.id for document in base.documents()] == [document.id for document in stored]


def test_when_one_of_two_equal_pages_goes_the_other_keeps_its_page(base: KnowledgeBase, put: Any) -> None:
    put(base, "手册.pdf", ("本页无正文", {"page": 1}), ("本页无正文", {"page": 9}))
    assert put(base, "手册.pdf", ("本页无正文", {"page": 9})) == Change(deleted=1, reused=1)
    assert [document.metadata["page"] for document in base.vector_search("本页无正文", k=5)] == [9]


def test_equal_texts_of_two_files_are_two_pieces_of_evidence(
    base: KnowledgeBase, put: Any, stub_embeddings: Any
) -> None:
    put(base, "甲.md", "保修期一年。")
    assert put(base, "乙.md", "保修期一年。") == Change(added=1)
    assert stub_embeddings.texts == ["保修期一年。"]
    for search in (base.keyword_search, base.vector_search):
        assert {document.metadata["source"] for document in search("保修期多久", k=4)} == {"甲.md", "乙.md"}
    with base.writing() as writer:
        writer.remove("甲.md")
    for search in (base.keyword_search, base.vector_search):
        assert [document.metadata["source"] for document in search("保修期多久", k=4)] == ["乙.md"]


def test_ids_do_not_depend_on_the_process(
    base: KnowledgeBase, put: Any, run_python: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(base, "手册.pdf", "本页无正文", "年假为十天。", "本页无正文")
    code = """
from youju.knowledge.identity import chunk_ids
print(*chunk_ids("手册.pdf", ["本页无正文", "年假为十天。", "本页无正文"]))
"""
    for seed in ("0", "1"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        with run_python(code) as process:
            assert process.communicate()[0].split() == [document.id for document in base.documents()]


def test_a_changed_text_takes_the_place_of_the_old_one(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.md", "误差不超过0.5毫米。")
    assert put(base, "a.md", "误差不超过0.3毫米。") == Change(added=1, deleted=1, embedded=1)
    assert found_by_words(base, "误差") == found_by_meaning(base, "误差") == ["误差不超过0.3毫米。"]


def test_changed_metadata_of_an_unchanged_text_is_stored_without_a_call_to_the_model(
    base: KnowledgeBase, put: Any, stub_embeddings: Any
) -> None:
    put(base, "a.md", ("年假为十天。", {"版本": 1}))
    assert put(base, "a.md", ("年假为十天。", {"版本": 2})) == Change(reused=1)
    assert [document.metadata["版本"] for document in base.vector_search("年假", k=1, filter={"版本": 2})] == [2]
    assert stub_embeddings.texts == ["年假为十天。"]


def test_all_kinds_of_metadata_are_stored(base: KnowledgeBase, put: Any) -> None:
    put(
        base,
        "a.md",
        ("一", {"date": date(2024, 3, 1)}),
        ("二", {"pos": {"x": 1}}),
        ("三", {"tags": []}),
        ("四", {"author": None}),
        ("五", {}),
        ("六", {"": 1, "$where": 2, "chroma:document": 3, "size": 10**30, "半": "\ud83d\ude00\ud800", 7: math.nan}),
    )
    stored = [
        {key: value for key, value in document.metadata.items() if key != "source"} for document in base.documents()
    ]
    assert stored == [
        {"date": "2024-03-01"},
        {"pos": {"x": 1}},
        {"tags": []},
        {},
        {},
        {"": 1, "$where": 2, "chroma:document": 3, "size": 10**30, "半": "😀\ufffd", "7": "nan"},
    ]
    assert json.loads(json.dumps(stored)) == stored
    assert len(base.vector_search("一", k=10)) == 6


def test_scores_of_meaning_are_cosines_from_1_to_minus_1(settings: Settings, put: Any) -> None:
    model = Axes({"甲": [1.0, 0.0], "丙": [0.0, 2.0], "乙": [-3.0, 0.0], "问": [5.0, 0.0]}, [1.0, 1.0])
    base = KnowledgeBase.open(settings, embeddings=model)
    put(base, "a.txt", "乙", "丙", "甲")
    hits = [(hit.page_content, round(hit.metadata["score"], 6)) for hit in base.vector_search("问", k=9)]
    assert hits == [("甲", 1.0), ("丙", 0.0), ("乙", -1.0)]
    base.close()


def test_scores_of_words_are_larger_than_0_and_fall(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", "年假为十天。", "年假不能折现，年假当年有效。", "食堂在二楼。")
    scores = [hit.metadata["score"] for hit in base.keyword_search("年假能折现吗", k=9)]
    assert len(scores) == 2
    assert scores[0] > scores[1] > 0


@pytest.mark.parametrize("name", ["知识库", "ab", "kb 1", "-kb", "kb..x", "192.168.0.1", "a" * 100, "É", ".a"])
def test_a_base_of_any_name_is_made_listed_and_opened_again(
    tmp_path: Path, put: Any, stub_embeddings: Embeddings, name: str
) -> None:
    settings = Settings.model_validate({"store": {"path": tmp_path / "库 一", "name": name}})
    other = Settings.model_validate({"store": {"path": tmp_path / "库 一", "name": f"{name[:-1]}二"}})
    for each, text in ((settings, "甲"), (other, "乙")):
        base = KnowledgeBase.open(each, embeddings=stub_embeddings)
        put(base, "a.txt", text)
        base.close()
    assert KnowledgeBase.names(tmp_path / "库 一") == sorted([name, f"{name[:-1]}二"])
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert found_by_meaning(base, "甲") == ["甲"]
    base.close()


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a\0b", "..", ".", "", "  ", "a\\b"])
def test_a_name_that_is_a_path_is_refused(name: str) -> None:
    with pytest.raises(ValidationError, match=r"store\.path|at least 1"):
        Settings.model_validate({"store": {"name": name}})


def test_two_bases_in_one_process_know_nothing_of_each_other(
    tmp_path: Path, put: Any, stub_embeddings: Embeddings
) -> None:
    for folder in ("one", "two"):
        base = KnowledgeBase.open(
            Settings.model_validate({"store": {"path": tmp_path / folder}}), embeddings=stub_embeddings
        )
        put(base, "a.txt", "甲")
        assert base.count() == 1
        assert found_by_meaning(base, "甲") == ["甲"]
        base.close()


def test_a_base_made_again_after_its_folder_was_deleted_holds_only_the_new(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings
) -> None:
    put(base, "a.txt", "旧的")
    assert found_by_meaning(base, "旧的") == ["旧的"]
    shutil.rmtree(settings.store.path)
    with pytest.raises(KnowledgeBaseNotFoundError):
        base.vector_search("旧的", k=5)
    again = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    put(again, "a.txt", "新的")
    assert found_by_meaning(again, "的") == found_by_meaning(base, "的") == ["新的"]
    assert found_by_words(again, "新的") == found_by_words(base, "新的") == ["新的"]
    again.close()


def test_another_model_is_refused_when_the_base_is_opened(settings: Settings, put: Any) -> None:
    base = KnowledgeBase.open(settings, embeddings=Axes({"甲": [1.0, 0.0]}, [1.0, 0.0]))
    put(base, "a.txt", "甲")
    base.close()
    command = f"youju ingest --rebuild --db {settings.store.path}"
    for swapped in ([0.0, 1.0], [1.0, 0.0, 0.0]):
        with pytest.raises(KnowledgeBaseMismatchError, match="向量模型") as caught:
            KnowledgeBase.open(settings, embeddings=Axes({}, swapped))
        assert command in str(caught.value)

    class Other(Axes):
        pass

    with pytest.raises(KnowledgeBaseMismatchError, match="库里是 Axes，现在是 Other"):
        KnowledgeBase.open(settings, embeddings=Other({}, [1.0, 0.0]))
    with pytest.raises(KnowledgeBaseMismatchError, match="库里是 Axes，现在是 e5"):
        KnowledgeBase.open(settings)


def test_other_splitter_settings_are_refused_with_both_and_the_command(
    tmp_path: Path, put: Any, stub_embeddings: Embeddings
) -> None:
    def settings(size: int) -> Settings:
        return Settings.model_validate(
            {"store": {"path": tmp_path / "我的 库", "name": "人事"}, "splitter": {"chunk_size": size}}
        )

    base = KnowledgeBase.open(settings(400), embeddings=stub_embeddings)
    put(base, "a.txt", "甲")
    base.close()
    with pytest.raises(KnowledgeBaseMismatchError) as caught:
        KnowledgeBase.open(settings(300), embeddings=stub_embeddings)
    assert "chunk_size: 400" in str(caught.value)
    assert "chunk_size: 300" in str(caught.value)
    command = str(caught.value).partition("请运行 ")[2].partition("；")[0]
    db = str(tmp_path / "我的 库")
    assert shlex.split(command) == ["youju", "ingest", "--rebuild", "--db", db, "--set", "store.name=人事"]


def test_a_model_that_the_settings_name_may_also_be_given_as_an_object(settings: Settings, put: Any) -> None:
    base = KnowledgeBase.open(settings, embeddings=build_embeddings(settings.embeddings))
    put(base, "a.txt", "年假为十天。")
    base.close()
    again = KnowledgeBase.open(settings)
    assert found_by_meaning(again, "年假几天？") == ["年假为十天。"]
    again.close()


def test_an_emptied_base_takes_other_settings(settings: Settings, put: Any, stub_embeddings: Embeddings) -> None:
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    put(base, "a.txt", "甲")
    with base.writing() as writer:
        writer.remove("a.txt")
    base.close()
    other = KnowledgeBase.open(settings, embeddings=Axes({}, [1.0, 0.0, 0.0]))
    assert other.count() == 0
    put(other, "b.txt", "乙")
    assert found_by_meaning(other, "乙") == ["乙"]
    other.close()


def test_one_who_saw_a_base_empty_does_not_drop_what_others_have_put_into_it(
    settings: Settings, put: Any, stub_embeddings: Embeddings
) -> None:
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    put(base, "a.txt", "甲")
    with base.writing() as writer:
        writer.remove("a.txt")
    other = KnowledgeBase.open(settings, embeddings=Axes({}, [1.0, 0.0, 0.0]))
    assert other.count() == 0
    put(base, "a.txt", "甲")
    with pytest.raises(KnowledgeBaseMismatchError):
        put(other, "b.txt", "乙")
    assert found_by_words(base, "甲") == ["甲"]
    base.close()


def test_a_model_whose_questions_have_another_length_is_named_before_the_store_is_asked(
    settings: Settings, put: Any
) -> None:
    model = Axes({}, [1.0, 0.0])
    base = KnowledgeBase.open(settings, embeddings=model)
    put(base, "a.txt", "甲")
    with pytest.raises(KnowledgeBaseMismatchError, match="是 2 维，向量模型给问题的是 3 维"):
        base.nearest([1.0, 0.0, 0.0], k=1)
    with pytest.raises(ModelError, match="不是有限数"):
        base.nearest([math.nan, 0.0], k=1)
    base.close()


@pytest.mark.parametrize("bad", [[1.0], [math.nan, 1.0], [math.inf, 0.0]])
def test_vectors_that_cannot_be_compared_are_never_stored(settings: Settings, put: Any, bad: list[float]) -> None:
    base = KnowledgeBase.open(settings, embeddings=Axes({"坏": bad}, [1.0, 0.0]))
    put(base, "a.txt", "好")
    with pytest.raises(ModelError):
        put(base, "a.txt", "坏")
    assert found_by_meaning(base, "好") == ["好"]
    base.close()


def test_more_vectors_than_one_write_may_hold_are_stored_and_the_corpus_is_cut_into_words_once(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut: list[str] = []

    def counting(_: Analyzer, text: str) -> list[str]:
        cut.append(text)
        return text.lower().split()

    monkeypatch.setattr(Analyzer, "tokens", counting)
    texts = [f"item{number} of list" for number in range(6000)]
    assert put(base, "a.txt", *((text, {"number": at}) for at, text in enumerate(texts))).added == 6000
    assert base.count() == 6000
    assert len(cut) == 6000
    assert base.vector_search(texts[5999], k=1)[0].page_content == texts[5999]
    for number in range(20):
        assert found_by_words(base, f"item{number}") == [texts[number]]
    assert len(cut) == 6020
    filtered = base.vector_search(texts[5999], k=6000, filter={"number": {"$lt": 5999}})
    assert len(filtered) == 5999
    base.close()

    fresh = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    monkeypatch.setattr("youju.knowledge.keywords.KeywordIndex.build", None)  # the saved index is used as it is
    assert found_by_words(fresh, "item7") == [texts[7]]
    assert len(cut) == 6021
    fresh.close()


def test_a_langchain_vector_store_over_the_base_finds_the_same(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", ("年假为十天。", {"tags": ["假"], "page": 2}), "食堂在二楼。")
    store = base.as_vectorstore()
    [found] = store.similarity_search("年假几天", k=1)
    assert found.page_content == "年假为十天。"
    assert found.metadata == {"source": "a.txt", "tags": '["假"]', "page": 2}
    put(base, "b.txt", "病假须有证明。")
    put(base, "c.txt", ("病假须有证明。", {"page": 3}))
    put(base, "b.txt", "事假不带薪。")
    entries = base.as_vectorstore().similarity_search("病假须有证明。", k=4)
    assert sorted((entry.page_content, entry.metadata["source"]) for entry in entries) == [
        ("事假不带薪。", "b.txt"),
        ("年假为十天。", "a.txt"),
        ("病假须有证明。", "c.txt"),
        ("食堂在二楼。", "a.txt"),
    ]


def test_many_equal_texts_hide_no_other_text(base: KnowledgeBase, stub_embeddings: Any) -> None:
    words = random.Random(1)  # noqa: S311 - no secrets
    texts = ["".join(words.choices("天地玄黄宇宙洪荒日月盈昃辰宿列张", k=12)) for _ in range(200)]
    with base.writing() as writer:
        for number, text in enumerate(texts):
            source = f"{number}.txt"
            chunks = [Document(each, metadata={"source": source}) for each in (text, *["本页无正文"] * 10)]
            writer.put(FileRecord(source, f"/{source}", "/", "hash"), chunks)
    assert base.count() == 2200
    assert len(stub_embeddings.texts) == 201
    assert [base.vector_search(text, k=1)[0].page_content for text in texts] == texts
    blank = base.vector_search("本页无正文", k=2000)
    assert {hit.page_content for hit in blank} == {"本页无正文"}
    assert len({hit.id for hit in blank}) == 2000
    for number in range(0, 200, 20):
        hits = base.vector_search("本页无正文", k=20, filter={"source": f"{number}.txt"})
        assert [hit.page_content for hit in hits] == ["本页无正文"] * 10 + [texts[number]]


def test_vectors_so_alike_that_the_graph_does_not_lead_to_all_are_found_all_the_same(
    settings: Settings, put: Any
) -> None:
    numbers = random.Random(2)  # noqa: S311 - as above
    table = {f"第{number}条": [1.0, numbers.gauss(0, 1e-5), 0.0] for number in range(3000)}
    base = KnowledgeBase.open(settings, embeddings=Axes({**table, "另": [0.0, 0.0, 1.0]}, [1.0, 0.0, 0.0]))
    put(base, "a.txt", "另", *((text, {"even": number % 2 == 0}) for number, text in enumerate(table)))
    assert len(base.vector_search("另", k=5000)) == 3001
    assert len(base.vector_search("第7条", k=2000, filter={"even": True})) == 1500
    base.close()


def test_an_open_base_shows_what_is_written_and_not_what_is_deleted(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings
) -> None:
    put(base, "a.txt", "甲项目验收。")
    reader = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    for search in (found_by_words, found_by_meaning):
        assert search(reader, "项目验收") == ["甲项目验收。"]
    put(base, "c.txt", "丙项目验收。")
    with base.writing() as writer:
        writer.remove("a.txt")
    for search in (found_by_words, found_by_meaning):
        assert search(reader, "项目验收") == ["丙项目验收。"]


def test_versions_differ_after_every_change(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", "甲")
    versions = [base.version()]
    put(base, "b.txt", "乙")
    versions.append(base.version())
    with base.writing() as writer:
        writer.remove("a.txt")
    versions.append(base.version())
    assert len(set(versions)) == 3
    assert base.version() == versions[-1]


def test_chunks_are_got_by_id_in_the_order_asked(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", "甲", "乙")
    one, two = [str(document.id) for document in base.documents()]
    assert [document.page_content for document in base.get([two, "unknown", one])] == ["乙", "甲"]


def test_a_failed_write_leaves_no_vector_behind(base: KnowledgeBase, put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(base, "a.txt", "甲")
    with base.writing() as writer:
        monkeypatch.setattr(writer.catalog, "put_chunks", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            writer.put(FileRecord("b.txt", "/b.txt", "/", "hash"), [Document("甲乙")])
        monkeypatch.undo()
        assert base.vector_search("甲乙", k=1)[0].page_content == "甲"
        writer.put(FileRecord("c.txt", "/c.txt", "/", "hash"), [Document("丙")])
    assert sorted(base.as_vectorstore().get()["documents"]) == ["丙", "甲"]


def test_an_exception_inside_a_write_keeps_what_was_done_before(base: KnowledgeBase) -> None:
    def write_and_fail() -> None:
        with base.writing() as writer:
            writer.put(FileRecord("a.txt", "/a.txt", "/", "hash"), [Document("甲")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_and_fail()
    assert found_by_words(base, "甲") == ["甲"]


def test_a_store_path_through_a_file_is_a_clear_error(tmp_path: Path, stub_embeddings: Embeddings, put: Any) -> None:
    (tmp_path / "file").write_text("x")
    settings = Settings.model_validate({"store": {"path": tmp_path / "file" / "db"}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    with pytest.raises(KnowledgeBaseError, match="请检查权限和磁盘空间，或用 --db 换一个文件夹"):
        put(base, "a.txt", "甲")


def test_rows_that_the_store_still_shows_after_they_were_deleted_take_no_places(
    settings: Settings, stub_embeddings: Embeddings
) -> None:
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    texts = [f"年假为{number}天。" for number in range(10, 30)]
    with base.writing() as writer:
        writer.put(FileRecord("a.md", "/a.md", "/", "h"), [Document(text) for text in texts])
        gone = list(writer.catalog.chunk_metadata("a.md"))[:19]
        writer.catalog.drop_chunks(gone)  # as a reader sees it whose view of the store is older than the catalog
    assert [hit.page_content for hit in base.vector_search("年假为10天。", k=1)] == ["年假为29天。"]
    assert [hit.page_content for hit in base.vector_search("年假为10天。", k=3)] == ["年假为29天。"]
    base.close()
