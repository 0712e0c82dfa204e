"""Retrieval figures of a comparison."""

import sys
from typing import Any

import pytest
from langchain_core.documents import Document

from youju.errors import MissingExtraError
from youju.eval import Question, RetrievalFigures, compare_splitters
from youju.models import E5Embeddings
from youju.settings import FixedSplitterSettings, ParentSplitterSettings, RecursiveSplitterSettings, SplitterSettings

LINE = RecursiveSplitterSettings(chunk_size=12, chunk_overlap=0)
"""Every line below is a chunk of its own."""
LINES = "年假每年有十天整呢。\n病假要有医院证明哦。\n婚假一共有十五天吧。\n事假扣除当天工资的。"


def figures(
    text: str, settings: SplitterSettings, *questions: Question, embeddings: Any = None, **options: Any
) -> RetrievalFigures:
    document = Document(text, metadata={"source": "a.txt"})
    found = compare_splitters([document], {"one": settings}, questions=questions, embeddings=embeddings, **options)
    retrieval = found.strategies["one"].retrieval
    assert retrieval is not None
    return retrieval


def test_measures_are_means_over_the_questions() -> None:
    found = figures(
        LINES,
        LINE,
        Question("年假几天", ("年假每年有十天",)),
        Question("医院证明、婚假十五天、一共有几天吧", ("病假要有医院证明",)),  # two lines share more with it
        Question("加班费", ("事假扣除当天工资",)),  # shares no word with anything
    )
    assert found.ranks == [1, 2, None]
    assert found.measures == {
        "Success@1": pytest.approx(1 / 3),
        "Success@5": pytest.approx(2 / 3),
        "Success@10": pytest.approx(2 / 3),
        "RR@10": pytest.approx((1 + 1 / 2) / 3),
    }
    assert (found.retriever, found.questions) == ("bm25", 3)


def test_a_question_that_no_chunk_answers_counts_as_not_found() -> None:
    halves = Question("年假", ("十天整呢。\n病假要有医",))  # a half of each of two chunks
    found = figures(LINES, LINE, Question("年假", ("每年有十天",)), halves)
    assert found.ranks == [1, None]
    assert set(found.measures.values()) == {0.5}


@pytest.mark.parametrize(
    ("quote", "rank"),
    [
        ("每年有十天", 1),  # the chunk holds the quote
        ("年假每年有十天整呢。\n病假", 1),  # 10 of its 12 characters but for the line end
        ("年假每年有十天整呢。病假要有医院证明哦。婚假一共有十五天吧。", 1),  # the chunk is nothing but quote
        ("十天整呢。\n病假要有医", None),  # a half of each chunk, and less than 0.8 of the quote
    ],
)
def test_a_chunk_answers_that_holds_most_of_a_quote_or_is_mostly_quote(quote: str, rank: int | None) -> None:
    assert figures(LINES, LINE, Question("年假", (quote,))).ranks == [rank]


def test_any_place_of_any_quote_will_do() -> None:
    text = f"{LINES}\n年假每年有十天整呢！"
    assert figures(text, LINE, Question("婚假", ("不扣工资", "婚假一共有十五天")[1:])).ranks == [1]
    assert figures(text, LINE, Question("婚假", ("年假每年有十天整呢", "婚假一共有十五天"))).ranks == [1]
    assert figures(text, LINE, Question("年假", ("年假每年有十天整呢！",))).ranks == [2]
    assert figures(text, LINE, Question("年假", ("年假每年有十天整呢",))).ranks == [1]


def test_a_quote_counts_only_in_the_file_that_is_named() -> None:
    documents = [Document("年假有十天。", metadata={"source": name}) for name in ("a.txt", "b.txt")]
    found = compare_splitters(documents, {"one": LINE}, questions=[Question("年假", ("年假有十天",), "b.txt")])
    assert found.strategies["one"].retrieval is not None
    assert found.strategies["one"].retrieval.ranks == [2]


def test_what_five_passages_cost_is_counted_in_characters_of_their_text() -> None:
    document = Document(LINES, metadata={"source": "a.txt", "title": "一个不算在内的很长的标题：年假"})
    found = compare_splitters([document], {"one": LINE}, questions=[Question("年假几天", ("年假每年有十天",))])
    assert found.strategies["one"].retrieval is not None
    assert found.strategies["one"].retrieval.top_5_characters == 40  # the title is searched with each of the four


def test_of_small_chunks_in_larger_blocks_the_block_is_what_is_read() -> None:
    settings = ParentSplitterSettings(chunk_size=12, chunk_overlap=0, parent_size=24)
    found = figures(LINES, settings, Question("病假", ("年假每年有十天整呢。病假要有医院证明哦。",)))
    assert found.ranks == [1]
    assert found.top_5_characters == 21


@pytest.mark.parametrize("retriever", ["vector", "hybrid"])
def test_questions_can_be_asked_by_meaning_too(retriever: str) -> None:
    question = Question("办喜事能休息多久？", ("婚假一共有十五天",))
    assert figures(LINES, LINE, question).ranks != [1]
    found = figures(LINES, LINE, question, retriever=retriever, embeddings=E5Embeddings())
    assert found.retriever == retriever
    assert found.ranks == [1]
    assert found.top_5_characters == 40


def test_documents_without_content_are_found_by_no_question(stub_embeddings: Any) -> None:
    for retriever in ("bm25", "vector", "hybrid"):
        found = compare_splitters(
            [Document("……", metadata={"source": "a.txt"})],
            {"one": LINE},
            questions=[Question("年假", ("…",))],
            retriever=retriever,  # type: ignore[arg-type]  # mypy does not see that these are the three
            embeddings=stub_embeddings,
        )
        figures = found.strategies["one"]
        assert (found.sentences, figures.chunks, figures.characters.max) == (0, 0, 0)
        assert figures.retrieval is not None
        assert (figures.retrieval.ranks, figures.retrieval.top_5_characters) == ([None], 0)


def test_texts_that_strategies_share_are_embedded_once(stub_embeddings: Any) -> None:
    document = Document(LINES, metadata={"source": "a.txt"})
    compare_splitters(
        [document],
        {"one": LINE, "other": FixedSplitterSettings(chunk_size=11, chunk_overlap=0)},
        questions=[Question("年假", ("年假",))],
        retriever="vector",
        embeddings=stub_embeddings,
    )
    assert sorted(stub_embeddings.texts) == sorted(LINES.split("\n"))


def test_a_missing_measuring_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    with pytest.raises(MissingExtraError, match=r"youju\[eval\]"):
        figures(LINES, LINE, Question("年假", ("年假",)))
