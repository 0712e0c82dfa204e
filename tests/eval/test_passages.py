"""Retrieval sets in a knowledge base."""

from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

from youju.errors import KnowledgeBaseError
from youju.eval import Passage, RetrievalDataset, rank_passages, sources, store_passages
from youju.eval.passages import passage_chunks
from youju.knowledge import FileRecord, KnowledgeBase, search_text
from youju.models.limits import InputLimit
from youju.retrievers import BM25Retriever
from youju.settings import Settings, StoreSettings

TEXTS = {"甲": "每年有十天。", "乙": "病假要有医院证明。", "丙": "事假扣除当天工资。"}


def dataset(texts: dict[str, str]) -> RetrievalDataset:
    passages = {key: Passage(key, "年假" if key == "甲" else "", text) for key, text in texts.items()}
    return RetrievalDataset("小集", passages, {"1": "年假几天？"}, {"1": {"甲": 1}})


@pytest.fixture
def base(tmp_path: Path, stub_embeddings: Any) -> KnowledgeBase:
    return KnowledgeBase.open(Settings(store=StoreSettings(path=tmp_path / "db")), embeddings=stub_embeddings)


def test_each_passage_is_found_under_its_id_by_its_title_too(base: KnowledgeBase) -> None:
    assert store_passages(base, dataset(TEXTS)) == 3
    found = rank_passages(BM25Retriever(source=base), {"1": "年假", "2": "医院证明", "3": "加班费"})
    assert found == {"1": ["甲"], "2": ["乙"], "3": []}


def test_what_is_stored_is_not_embedded_again_and_the_base_follows_the_set(
    base: KnowledgeBase, stub_embeddings: Any
) -> None:
    store_passages(base, dataset(TEXTS))
    embedded = len(stub_embeddings.texts)
    assert store_passages(base, dataset(TEXTS)) == 3
    assert len(stub_embeddings.texts) == embedded
    assert store_passages(base, dataset({"甲": TEXTS["甲"], "丁": "婚假一共十五天。"})) == 2
    assert stub_embeddings.texts[embedded:] == ["婚假一共十五天。"]
    assert rank_passages(BM25Retriever(source=base), {"1": "医院证明"}) == {"1": []}


def test_a_base_with_other_documents_is_refused(base: KnowledgeBase) -> None:
    with base.writing() as writer:
        writer.put(FileRecord("a.md", "/a.md", "/", "0"), [Document("年假", metadata={"source": "a.md"})])
    with pytest.raises(KnowledgeBaseError, match=r"不属于数据集的资料，如 a\.md"):
        store_passages(base, dataset(TEXTS))


def test_a_passage_is_cut_only_where_the_model_cannot_read_it_whole() -> None:
    passage = Passage("甲", "年假", "每年有十天。病假要证明。")
    (whole,) = passage_chunks(passage, None)
    assert search_text(whole) == "年假\n每年有十天。病假要证明。"
    parts = list(passage_chunks(passage, InputLimit(10, len, exact=True)))
    assert [search_text(part) for part in parts] == ["年假\n每年有十天。", "年假\n病假要证明。"]
    assert {part.metadata["source"] for part in parts} == {"甲"}
    (title,) = passage_chunks(Passage("乙", "只有标题", ""), None)
    assert search_text(title) == "只有标题"


def test_a_passage_stands_where_its_best_chunk_does() -> None:
    chunks = [Document("", metadata={"source": key}) for key in ("乙", "甲", "乙", "丙", "甲", "丁")]
    assert sources(chunks) == ["乙", "甲", "丙", "丁"]
    retriever = RunnableLambda[str, list[Document]](lambda _: chunks)
    assert rank_passages(retriever, {"1": "年假"}, depth=3) == {"1": ["乙", "甲", "丙"]}
