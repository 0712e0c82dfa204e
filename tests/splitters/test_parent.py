"""The parent splitter, through its public methods."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju.errors import SettingsError
from youju.splitters import ParentSplitter

LEAVE = "入职满一年有年假。年假为十天。\n\n病假须有医院证明。证明交给主管。"


def page(text: str, **metadata: object) -> Document:
    return Document(page_content=text, metadata={"source": "leave.pdf", "page": 1, "page_end": 1, **metadata})


def test_a_chunk_names_the_block_that_holds_it() -> None:
    splitter = ParentSplitter(chunk_size=9, chunk_overlap=0, parent_size=18)
    blocks = splitter.parents([page(LEAVE)])
    assert [block.page_content for block in blocks] == [
        "入职满一年有年假。年假为十天。",
        "病假须有医院证明。证明交给主管。",
    ]
    chunks = splitter.split_documents([page(LEAVE)])
    assert [(chunk.page_content, chunk.metadata["parent_id"]) for chunk in chunks] == [
        ("入职满一年有年假。", blocks[0].id),
        ("年假为十天。", blocks[0].id),
        ("病假须有医院证明。", blocks[1].id),
        ("证明交给主管。", blocks[1].id),
    ]
    assert [(block.metadata["start"], block.metadata["end"]) for block in blocks] == [(0, 15), (17, 33)]


def test_equal_blocks_in_different_places_are_told_apart() -> None:
    splitter = ParentSplitter(chunk_size=9, chunk_overlap=0, parent_size=18)
    twice = [page("年假为十天。", location="第 1 页"), page("年假为十天。", location="第 2 页")]
    first, second = splitter.parents(twice)
    assert first.id != second.id
    assert [chunk.metadata["parent_id"] for chunk in splitter.split_documents(twice)] == [first.id, second.id]


def test_a_block_on_two_pages_and_its_chunks_each_name_the_pages_they_stand_on() -> None:
    text = "年假为十天。病假另算。"
    document = page(text, page_end=2, page_break=6, location="leave.pdf 第 1–2 页")
    splitter = ParentSplitter(chunk_size=6, chunk_overlap=0, parent_size=20)
    [block] = splitter.parents([document])
    assert block.metadata["location"] == "leave.pdf 第 1–2 页"
    assert [chunk.metadata["location"] for chunk in splitter.split_documents([document])] == [
        "leave.pdf 第 1 页",
        "leave.pdf 第 2 页",
    ]


@pytest.mark.parametrize(("size", "overlap", "parent"), [(100, 0, 99), (10, 10, 50), (0, 0, 5)])
def test_sizes_that_cannot_work_are_refused(size: int, overlap: int, parent: int) -> None:
    with pytest.raises(SettingsError, match="chunk_size"):
        ParentSplitter(chunk_size=size, chunk_overlap=overlap, parent_size=parent)


@given(text=st.text(alphabet="年假为十天。！，、“”\n abc1", max_size=300), size=st.integers(1, 20))
def test_every_chunk_lies_in_the_block_it_names(text: str, size: int) -> None:
    splitter = ParentSplitter(chunk_size=size, chunk_overlap=size // 3, parent_size=3 * size)
    blocks = {block.id: block for block in splitter.parents([page(text)])}
    chunks = splitter.split_documents([page(text)])
    assert [text[chunk.metadata["start"] : chunk.metadata["end"]] for chunk in chunks] == [
        chunk.page_content for chunk in chunks
    ]
    for chunk in chunks:
        block = blocks[chunk.metadata["parent_id"]].metadata
        assert block["start"] <= chunk.metadata["start"] < chunk.metadata["end"] <= block["end"]
    assert {chunk.metadata["parent_id"] for chunk in chunks} == set(blocks)
    assert splitter.spans(text) == [(chunk.metadata["start"], chunk.metadata["end"]) for chunk in chunks]
