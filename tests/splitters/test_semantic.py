"""The semantic splitter, through its public methods."""

import subprocess
import sys
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from langchain_core.embeddings import Embeddings

from youju.errors import MissingExtraError, SettingsError
from youju.settings import SemanticSplitterSettings
from youju.splitters import SemanticSplitter, build_splitter
from youju.text import sentences

THRESHOLDS = ("similarity", "percentile", "standard_deviation", "interquartile", "gradient")
FRUIT_AND_MACHINES = "梨子富含糖分。桃子富含水分。泵须每月加油。风机每季检修。"
CHECKS = "设备须每日点检。点检记录保存三年！是否停机？由班长决定。"


class TopicEmbeddings(Embeddings):
    """A vector for each topic, by a word in the sentence; remembers each call."""

    def __init__(self, topics: dict[str, Sequence[float]]) -> None:
        self.topics = topics
        self.calls: list[list[str]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(texts)
        return [list(next((v for word, v in self.topics.items() if word in text), [1.0, 1.0])) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        raise AssertionError(text)


TOPICS: dict[str, Sequence[float]] = {"富含": [1, 0], "每": [0, 1]}


def split(
    text: str, *, topics: dict[str, Sequence[float]] = TOPICS, min_chunk_size: int = 0, **options: object
) -> list[str]:
    splitter = SemanticSplitter(TopicEmbeddings(topics), min_chunk_size=min_chunk_size, **options)  # type: ignore[arg-type]
    return splitter.split_text(text)


@pytest.mark.parametrize("threshold", ["similarity", "percentile", "standard_deviation", "interquartile"])
def test_a_chunk_ends_where_the_topic_changes(threshold: str) -> None:
    # The distances are 0, 1, 0. Cuts are made where the cosine is below 0.55, or at distances above 0.6 (the 80th
    # percentile), 0.33 + 0.47 (mean and standard deviation), 0.33 + 0.5 * 0.5 (mean and half the interquartile range).
    assert split(FRUIT_AND_MACHINES, threshold=threshold) == [
        "梨子富含糖分。桃子富含水分。",
        "泵须每月加油。风机每季检修。",
    ]


def test_the_gradient_cuts_where_the_distance_begins_to_rise() -> None:
    # Distances 0, 1, 0 have the gradients 1, 0, -1, whose 80th percentile is 0.6.
    assert split(FRUIT_AND_MACHINES, threshold="gradient") == [
        "梨子富含糖分。",
        "桃子富含水分。泵须每月加油。风机每季检修。",
    ]


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_nothing_is_added_to_the_text_or_lost_from_it(threshold: str) -> None:
    assert "".join(split(FRUIT_AND_MACHINES, threshold=threshold)) == FRUIT_AND_MACHINES
    assert "".join(split(CHECKS, threshold=threshold)) == CHECKS


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("只有一句。", ["只有一句。"]),
        ("", []),
        ("\n \n", []),
        ("  \n\n　", []),
        ("。", []),
        ("\n\n——\n\n", []),
        ("　　", []),
    ],
)
def test_a_text_of_one_sentence_or_none_is_not_sent_to_the_model(
    threshold: str, text: str, expected: list[str]
) -> None:
    embeddings = TopicEmbeddings(TOPICS)
    splitter = SemanticSplitter(embeddings, threshold=threshold)  # type: ignore[arg-type]
    assert splitter.split_text(text) == expected
    assert embeddings.calls == []


@pytest.mark.parametrize("threshold", THRESHOLDS[1:])
def test_two_sentences_have_one_distance_which_is_not_unusual(threshold: str) -> None:
    assert split("梨子富含糖分。泵须每月加油。", threshold=threshold) == ["梨子富含糖分。泵须每月加油。"]


def test_two_sentences_are_cut_by_a_fixed_similarity() -> None:
    assert split("梨子富含糖分。泵须每月加油。", threshold="similarity") == ["梨子富含糖分。", "泵须每月加油。"]


@pytest.mark.parametrize("amount", [0.8, 0.81])
def test_a_similarity_equal_to_the_amount_does_not_cut(amount: float) -> None:
    chunks = split("甲富含。乙每。", topics={"富含": [1, 0], "每": [4, 3]}, threshold="similarity", amount=amount)
    assert chunks == (["甲富含。乙每。"] if amount == 0.8 else ["甲富含。", "乙每。"])


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_no_chunk_is_longer_than_its_size_however_alike_the_sentences_are(threshold: str) -> None:
    text = CHECKS * 200  # 5,600 characters without a blank, of 7, 9, 5 and 6 in turn
    chunks = split(text, threshold=threshold, chunk_size=500, topics={"": [1, 0]})
    assert "".join(chunks) == text
    assert {len(chunk) <= 500 and chunk[-1] in "。！？" for chunk in chunks} == {True}
    assert len(chunks) == 12  # 17 times 28 characters and, most often, one to three sentences more


def test_each_sentence_is_sent_once_and_all_in_one_call() -> None:
    embeddings = TopicEmbeddings(TOPICS)
    text = FRUIT_AND_MACHINES * 50
    SemanticSplitter(embeddings, buffer_size=3).spans(text)
    assert embeddings.calls == [[text[start:end] for start, end in sentences(text)]]


def test_numbers_versions_and_links_end_no_sentence() -> None:
    embeddings = TopicEmbeddings(TOPICS)
    SemanticSplitter(embeddings).spans("利率为3.5%。详见https://a.example/b.html?x=1.2。版本v2.3.1已发布！")
    assert embeddings.calls == [["利率为3.5%。", "详见https://a.example/b.html?x=1.2。", "版本v2.3.1已发布！"]]


def test_a_sentence_is_sent_whole_though_it_was_printed_on_two_lines() -> None:
    embeddings = TopicEmbeddings(TOPICS)
    SemanticSplitter(embeddings).spans("已付款。委员会听取了\n审计师的说明。会议结束。\n- 附件一\n- 附件二")
    assert embeddings.calls == [["已付款。", "委员会听取了\n审计师的说明。", "会议结束。", "- 附件一", "- 附件二"]]


def test_of_a_sentence_longer_than_the_model_reads_only_the_beginning_is_sent_and_all_is_kept() -> None:
    embeddings = TopicEmbeddings(TOPICS)
    embeddings.limit = SimpleNamespace(fits=lambda text: len(text) <= 10)  # type: ignore[attr-defined]
    text = "梨子富含糖分。泵须每月加油并由班长在当天签字确认。"
    chunks = SemanticSplitter(embeddings, threshold="similarity", min_chunk_size=0).split_text(text)
    assert chunks == ["梨子富含糖分。", "泵须每月加油并由班长在当天签字确认。"]
    assert embeddings.calls == [["梨子富含糖分。", "泵须每月加油并由班"]]  # 18 characters, halved once


@pytest.mark.parametrize(
    ("amount", "expected"), [(0.85, ["甲富含。乙富含。", "丙每。丁每。"]), (0.75, ["甲富含。乙富含。丙每。丁每。"])]
)
def test_neighbours_are_averaged(amount: float, expected: list[str]) -> None:
    # With one neighbour on each side the directions are (1,0), (2,1), (1,2), (0,1), and the cosines 0.89, 0.8, 0.89.
    text = "甲富含。乙富含。丙每。丁每。"
    assert split(text, threshold="similarity", amount=amount, buffer_size=1) == expected


def test_a_buffer_longer_than_the_text_makes_all_sentences_alike() -> None:
    assert split(FRUIT_AND_MACHINES, threshold="similarity", amount=1.0, buffer_size=10) == [FRUIT_AND_MACHINES]


def test_a_chunk_below_the_least_size_joins_the_next_else_the_one_before() -> None:
    text = "梨子富含糖分。泵须每月加油。桃子富含水分。风机每季检修。杏子富含糖分。"  # 7 characters each
    assert split(text, threshold="similarity", min_chunk_size=7) == [text[at : at + 7] for at in range(0, 35, 7)]
    assert split(text, threshold="similarity", min_chunk_size=8) == [text[:14], text[14:]]
    assert split(text, threshold="similarity", min_chunk_size=8, chunk_size=20) == [text[:14], text[14:28], text[28:]]


@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize(
    "vector", [[0.0, 0.0], [float("nan"), 1.0], [float("inf"), 1.0], [1e300, 1e300], [1e-300, 0.0]]
)
def test_vectors_that_say_nothing_or_are_huge_raise_no_error(threshold: str, vector: list[float]) -> None:
    chunks = split(FRUIT_AND_MACHINES, threshold=threshold, topics={"富含": vector, "每": [0, 1]})
    assert "".join(chunks) == FRUIT_AND_MACHINES


def test_a_vector_that_says_nothing_is_like_no_other() -> None:
    for vector in ([0.0, 0.0], [float("nan"), 1.0]):
        chunks = split("甲富含。乙富含。丙每。丁每。", threshold="similarity", topics={"富含": vector, "每": [0, 1]})
        assert chunks == ["甲富含。", "乙富含。", "丙每。丁每。"]


@pytest.mark.parametrize("threshold", THRESHOLDS[1:])
@pytest.mark.parametrize("amount", [0.0, 1.0, 60.0])
def test_the_breaks_are_those_of_langchains_class(threshold: str, amount: float) -> None:
    vectors = {name: [float(at * at % 11), float(at * 7 % 13), 1.0] for at, name in enumerate("甲乙丙丁戊己庚辛壬癸")}
    text = "".join(f"{name}方应当按时付款。" for name in "甲乙丙丁戊己庚辛壬癸己丁甲辛")
    ours = split(text, threshold=threshold, amount=amount, topics=vectors)
    from langchain_experimental.text_splitter import SemanticChunker  # noqa: PLC0415 - loaded by now, so it warns no more

    theirs = SemanticChunker(
        TopicEmbeddings(vectors),
        buffer_size=0,
        breakpoint_threshold_type=threshold,  # type: ignore[arg-type]
        breakpoint_threshold_amount=amount,
        sentence_split_regex="(?<=。)(?=.)",
    ).split_text(text)
    assert ours == [c.replace(" ", "") for c in theirs]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"threshold": "similarity", "amount": 1.5}, "amount"),
        ({"threshold": "percentile", "amount": 101}, "amount"),
        ({"threshold": "standard_deviation", "amount": -1}, "amount"),
        ({"threshold": "cosine"}, "threshold"),
        ({"min_chunk_size": 500}, r"min_chunk_size.*500.*chunk_size.*400"),
        ({"chunk_size": 0, "min_chunk_size": 0}, "chunk_size"),
        ({"buffer_size": 11}, "buffer_size"),
    ],
)
def test_options_that_cannot_work_are_refused_by_name(options: dict[str, object], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        SemanticSplitter(TopicEmbeddings(TOPICS), **options)  # type: ignore[arg-type]


def test_it_is_chosen_by_settings_and_needs_a_model() -> None:
    settings = SemanticSplitterSettings(threshold="similarity", min_chunk_size=0)
    splitter = build_splitter(settings, embeddings=lambda: TopicEmbeddings(TOPICS))
    assert splitter.split_text(FRUIT_AND_MACHINES) == ["梨子富含糖分。桃子富含水分。", "泵须每月加油。风机每季检修。"]
    with pytest.raises(SettingsError, match="embeddings"):
        build_splitter(settings)


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_experimental", None)
    monkeypatch.setitem(sys.modules, "langchain_experimental.text_splitter", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[semantic\]'"):
        SemanticSplitter(TopicEmbeddings(TOPICS))


def test_importing_the_room_loads_nothing_heavy_and_using_it_warns_of_nothing() -> None:
    code = """
import sys, youju.splitters
print([name for name in ("langchain_experimental", "langchain_community", "markdown_it") if name in sys.modules])
from langchain_core.embeddings import DeterministicFakeEmbedding
print(youju.splitters.SemanticSplitter(DeterministicFakeEmbedding(size=4)).split_text("甲。乙。"))
"""
    run = subprocess.run(
        [sys.executable, "-W", "error::DeprecationWarning", "-c", code], check=False, capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("[]\n['甲。乙。']\n", "")
