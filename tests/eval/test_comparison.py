"""Splitters compared on the same documents."""

import json
from statistics import fmean, median
from typing import Any

import pytest
from langchain_core.documents import Document

from youju.errors import QuestionError, SettingsError
from youju.eval import Question, SplitterComparison, compare_splitters, with_chunk_size
from youju.models import E5Embeddings
from youju.settings import (
    FixedSplitterSettings,
    MarkdownSplitterSettings,
    ParentSplitterSettings,
    RecursiveSplitterSettings,
    SemanticSplitterSettings,
    SplitterSettings,
    TokenSplitterSettings,
)
from youju.splitters import RecursiveSplitter

FIXED = FixedSplitterSettings(chunk_size=12, chunk_overlap=2)
LARGE = RecursiveSplitterSettings(chunk_size=40, chunk_overlap=0)
LEAVE = "年假为十天。病假需要医院证明，证明要在三天之内交给人事部。"


def doc(text: str, **metadata: object) -> Document:
    return Document(page_content=text, metadata={"source": "a.txt", "location": "a.txt", **metadata})


def test_a_comparison_counts_chunks_lengths_and_sentences() -> None:
    found = compare_splitters([doc(LEAVE)], {"fixed": FIXED, "large": LARGE})
    assert (found.documents, found.characters, found.sentences) == (1, 29, 2)
    fixed, large = found.strategies["fixed"], found.strategies["large"]
    # 年假为十天。病假需要医院 | 医院证明，证明要在三天之 | 天之内交给人事部。
    assert (fixed.kind, fixed.chunks, fixed.sentences_cut, fixed.sentences_torn) == ("fixed", 3, 1, 1)
    assert fixed.characters.model_dump() == {"mean": 11.0, "median": 12, "min": 9, "max": 12}
    assert [sample.text for sample in fixed.samples] == [
        "年假为十天。病假需要医院",
        "医院证明，证明要在三天之",
        "天之内交给人事部。",
    ]
    assert (large.chunks, large.sentences_cut, large.sentences_torn) == (1, 0, 0)
    assert fixed.seconds >= 0
    assert fixed.retrieval is None


def test_a_place_says_who_cuts_the_sentence_where_and_who_keeps_it() -> None:
    found = compare_splitters([doc("甲。\n" + LEAVE, start=100)], {"fixed": FIXED, "large": LARGE})
    assert found.cut_places == 1
    (place,) = found.cuts
    assert place.model_dump() == {
        "source": "a.txt",
        "location": "a.txt",
        "start": 109,
        "sentence": "病假需要医院证明，证明要在三天之内交给人事部。",
        "kept_by": ["large"],
        "cut_by": {"fixed": 3},
        "lost_by": ["fixed"],
    }
    assert place.marked("fixed") == "病假需‖要医院证明，证明要在三天之内交给人事部。"


def test_a_sentence_that_the_overlap_holds_whole_is_torn_and_not_cut() -> None:
    overlap = FixedSplitterSettings(chunk_size=12, chunk_overlap=8)
    found = compare_splitters([doc("一二三四五六七八。甲乙丙丁。末尾")], {"overlap": overlap, "large": LARGE})
    # 一二三四五六七八。甲乙丙 | 五六七八。甲乙丙丁。末尾
    figures = found.strategies["overlap"]
    assert [sample.text for sample in figures.samples] == ["一二三四五六七八。甲乙丙", "五六七八。甲乙丙丁。末尾"]
    assert (figures.sentences_cut, figures.sentences_torn) == (0, 2)
    assert [(place.sentence, place.lost_by) for place in found.cuts] == [
        ("一二三四五六七八。", []),
        ("甲乙丙丁。", []),
    ]


def test_marks_at_the_ends_of_a_sentence_may_stand_in_another_chunk() -> None:
    found = compare_splitters(
        [doc("| 市内交通 | 每天100元 |")], {"fixed": FixedSplitterSettings(chunk_size=17, chunk_overlap=0)}
    )
    assert found.strategies["fixed"].sentences_cut == 0


def test_lost_sentences_come_before_those_that_an_overlap_holds() -> None:
    text = "一二三四五六七八。甲乙丙丁。" + "长句子里有很多很多的字，怎么也放不进一块里去。"
    names: dict[str, SplitterSettings] = {
        "fixed": FixedSplitterSettings(chunk_size=12, chunk_overlap=8),
        "large": LARGE,
    }
    found = compare_splitters([doc(text)], names)
    assert found.cuts[0].sentence.startswith("长句子")
    assert [bool(place.lost_by) for place in found.cuts] == sorted(
        (bool(place.lost_by) for place in found.cuts), reverse=True
    )
    assert compare_splitters([doc(text)], names, places=1).cuts == found.cuts[:1]
    assert compare_splitters([doc(text)], names, places=1).cut_places == len(found.cuts) > 1


def test_each_strategy_makes_the_chunks_that_its_splitter_makes(article: list[Document]) -> None:
    found = compare_splitters(article, {"recursive": RecursiveSplitterSettings()}, samples=100)
    chunks = RecursiveSplitter().split_documents(article)
    assert [sample.text for sample in found.strategies["recursive"].samples] == [c.page_content for c in chunks]
    lengths = [len(chunk.page_content) for chunk in chunks]
    assert found.strategies["recursive"].characters.mean == fmean(lengths)
    assert found.strategies["recursive"].characters.median == median(lengths)
    assert all("eval" not in key for document in article for key in document.metadata)


def test_chunks_of_equal_texts_in_several_files_and_pages_are_kept_apart() -> None:
    documents = [doc(LEAVE, source=name, page=page) for name in ("a.pdf", "b.pdf") for page in (1, 2)]
    found = compare_splitters(documents, {"fixed": FIXED, "large": LARGE})
    assert (found.sentences, found.strategies["fixed"].sentences_cut, found.cut_places) == (8, 4, 4)


def test_a_comparison_is_json_and_comes_back_from_it() -> None:
    found = compare_splitters([doc(LEAVE)], {"fixed": FIXED}, questions=[Question("年假几天", ("年假为十天",))])
    assert SplitterComparison.model_validate(json.loads(found.model_dump_json())) == found


def test_fixed_recursive_and_semantic_splits_of_one_article_are_compared(article: list[Document]) -> None:
    text = article[0].page_content
    assert len(text) >= 3000
    found = compare_splitters(
        article,
        {
            "fixed": FixedSplitterSettings(chunk_size=500, chunk_overlap=100),
            "recursive": RecursiveSplitterSettings(chunk_size=500, chunk_overlap=100),
            "semantic": SemanticSplitterSettings(threshold="percentile", amount=50),
            "similar": SemanticSplitterSettings(threshold="similarity", amount=0.55),
        },
        embeddings=E5Embeddings(),
    )
    for name, figures in found.strategies.items():
        most = 400 if figures.kind == "semantic" else 500
        assert figures.characters.max <= most, name
        assert figures.characters.min <= figures.characters.mean <= figures.characters.max, name
        assert [text.startswith(sample.text) for sample in figures.samples] == [True, False, False], name
    fixed = found.strategies["fixed"]
    assert fixed.chunks == -(-(len(text.rstrip()) - 100) // 400)
    assert fixed.characters.max == 500
    assert found.strategies["semantic"].chunks > fixed.chunks
    told_apart = [place for place in found.cuts if "fixed" in place.cut_by and "semantic" in place.kept_by]
    assert len(told_apart) >= 2
    for place in told_apart:
        assert text[place.start :].startswith(place.sentence)
        assert 0 < place.cut_by["fixed"] < len(place.sentence)


def test_strategies_that_count_tokens_or_ask_a_model_take_the_one_that_is_given(
    article: list[Document], stub_embeddings: Any
) -> None:
    found = compare_splitters(
        article,
        {"token": TokenSplitterSettings(chunk_size=64, chunk_overlap=0), "semantic": SemanticSplitterSettings()},
        embeddings=stub_embeddings,
    )
    assert found.strategies["token"].chunks > 50
    assert stub_embeddings.texts


def test_the_size_of_a_strategy_changes_with_everything_that_depends_on_it() -> None:
    assert with_chunk_size(FixedSplitterSettings(chunk_size=400, chunk_overlap=50), 200) == FixedSplitterSettings(
        chunk_size=200, chunk_overlap=25
    )
    assert with_chunk_size(MarkdownSplitterSettings(), 800) == MarkdownSplitterSettings(
        chunk_size=800, chunk_overlap=100
    )
    assert with_chunk_size(ParentSplitterSettings(), 300) == ParentSplitterSettings(chunk_size=300, parent_size=1600)
    assert with_chunk_size(SemanticSplitterSettings(), 800) == SemanticSplitterSettings(
        chunk_size=800, min_chunk_size=100
    )
    with pytest.raises(SettingsError, match="token 的 chunk_size 不能是 4"):
        with_chunk_size(TokenSplitterSettings(), 4)


def test_what_makes_the_model_is_called_once_and_only_if_a_strategy_asks_it(stub_embeddings: Any) -> None:
    made: list[Any] = []
    started: list[str] = []

    def make() -> Any:
        made.append(stub_embeddings)
        return stub_embeddings

    names: dict[str, SplitterSettings] = {"fixed": FIXED, "large": LARGE}
    compare_splitters([doc(LEAVE)], names, embeddings=make, on_start=started.append)
    assert (made, started) == ([], ["fixed", "large"])
    semantic: dict[str, SplitterSettings] = {"a": SemanticSplitterSettings(), "b": SemanticSplitterSettings()}
    compare_splitters([doc(LEAVE)], semantic, embeddings=make)
    assert made == [stub_embeddings]


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(SettingsError, match="至少要有一份资料和一种切分方式"):
        compare_splitters([], {"fixed": FIXED})
    with pytest.raises(SettingsError, match="至少要有一份资料和一种切分方式"):
        compare_splitters([doc(LEAVE)], {})
    with pytest.raises(QuestionError, match="第 1 个问题：问题是空的"):
        compare_splitters([doc(LEAVE)], {"fixed": FIXED}, questions=[Question("？", ("年假",))])
