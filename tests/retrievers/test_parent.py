"""Blocks in the place of the chunks that were found, over a real base."""

from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.chains import build_answer_chain, build_ingest_chain
from youju.retrievers import HybridRetriever, ParentRetriever, build_retriever

LEAVE = "入职满一年有年假。年假为十天。年假由主管审批。\n\n"
MEALS = "食堂中午开门。食堂晚上关门。食堂周日休息。\n\n"


@pytest.fixture
def base(settings: Settings, stub_embeddings: Embeddings, tmp_path: Path) -> KnowledgeBase:
    """A base of one file in two blocks of three chunks each."""
    splitter = {"kind": "parent", "chunk_size": 9, "chunk_overlap": 0, "parent_size": 26}
    base = KnowledgeBase.open(
        Settings.model_validate({**settings.model_dump(), "splitter": splitter}), embeddings=stub_embeddings
    )
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "rules.txt").write_text(LEAVE + MEALS, encoding="utf-8")
    build_ingest_chain(base).invoke(tmp_path / "files")
    return base


def test_the_built_retriever_gives_each_block_once_where_its_best_chunk_stood(base: KnowledgeBase) -> None:
    retriever = build_retriever(base)
    assert isinstance(retriever, ParentRetriever)
    assert isinstance(retriever.retriever, HybridRetriever)
    chunks = base.keyword_search("年假几天", k=10)
    assert [chunk.page_content for chunk in chunks].count("年假为十天。") == 1
    [leave, *others] = retriever.invoke("年假几天")
    assert leave.page_content == LEAVE.strip()
    assert all(other.page_content == MEALS.strip() for other in others)
    assert leave.metadata["ranks"]["bm25"] == 1
    assert leave.id == chunks[0].metadata["parent_id"]


async def test_awaited_it_gives_the_same(base: KnowledgeBase) -> None:
    retriever = build_retriever(base)
    assert await retriever.ainvoke("食堂几点关门") == retriever.invoke("食堂几点关门")


def test_k_counts_blocks(base: KnowledgeBase) -> None:
    assert [block.page_content for block in build_retriever(base).invoke("食堂和年假", k=1)] in (
        [LEAVE.strip()],
        [MEALS.strip()],
    )
    assert len(build_retriever(base).invoke("食堂和年假", k=2)) == 2


def test_a_filter_works_on_the_chunks(base: KnowledgeBase) -> None:
    assert build_retriever(base).invoke("年假", filter={"source": "other.txt"}) == []


def test_the_model_reads_the_block(base: KnowledgeBase) -> None:
    answer = build_answer_chain(build_retriever(base), base.settings).invoke("年假由谁审批？")
    assert answer.evidence[0].text == LEAVE.strip()
    assert answer.answer == "年假由主管审批[资料1]。"


def test_blocks_of_a_changed_file_take_the_place_of_the_old_ones(base: KnowledgeBase, tmp_path: Path) -> None:
    [old] = [block.id for block in build_retriever(base).invoke("年假几天", k=1)]
    (tmp_path / "files" / "rules.txt").write_text(LEAVE.replace("十", "五") + MEALS, encoding="utf-8")
    build_ingest_chain(base).invoke(tmp_path / "files")
    assert base.parents([str(old)]) == {}
    assert "年假为五天" in build_retriever(base).invoke("年假几天", k=1)[0].page_content
