"""The token splitter, through its public methods."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import SettingsError
from youju.models import E5Embeddings
from youju.settings import TokenSplitterSettings
from youju.splitters import TokenSplitter, build_splitter

MAINTENANCE = "阀门每周检查。记录须留存！谁来签字？由班长签字。"  # sentences of 7, 6, 5 and 6 characters
_PAIRS = re.compile(r"..|.", re.DOTALL)


class Counter:
    """A token a character and two for the model's own marks; remembers how often it was asked, and how much it read."""

    def __init__(self) -> None:
        self.calls = 0
        self.characters = 0

    def __call__(self, text: str) -> int:
        self.calls += 1
        self.characters += len(text)
        return 2 + len(text)


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return TokenSplitter(Counter(), chunk_size=size, chunk_overlap=overlap).split_text(text)


def test_what_the_model_adds_counts_against_the_size() -> None:
    assert split(MAINTENANCE, 15) == ["阀门每周检查。记录须留存！", "谁来签字？由班长签字。"]
    assert split(MAINTENANCE, 14) == ["阀门每周检查。", "记录须留存！谁来签字？", "由班长签字。"]


def test_the_overlap_begins_with_a_sentence_where_one_fits_else_with_a_clause() -> None:
    assert split(MAINTENANCE, 15, 6) == [
        "阀门每周检查。记录须留存！",
        "记录须留存！谁来签字？",
        "谁来签字？由班长签字。",
    ]
    assert split("停机断电，再挂牌。通知班长。", 11, 4) == ["停机断电，再挂牌。", "再挂牌。通知班长。"]


def test_a_sentence_with_more_tokens_than_a_chunk_is_cut_between_clauses() -> None:
    assert split("设备停机，先断电，再挂牌。", 11) == ["设备停机，先断电，", "再挂牌。"]


@pytest.mark.parametrize("size", [8, 9, 30])
def test_a_text_without_any_mark_is_cut_to_the_size(size: int) -> None:
    chunks = split("甲" * 200, size)
    assert "".join(chunks) == "甲" * 200
    assert max(map(len, chunks)) <= size - 2


def test_parts_that_take_more_tokens_together_than_alone_still_fit() -> None:
    def count(text: str) -> int:
        return 1 + len(text) + 3 * text.count("。甲")  # two sentences cost more side by side

    splitter = TokenSplitter(count, chunk_size=12, chunk_overlap=0)
    chunks = splitter.split_text("甲乙丙。甲乙丁。甲乙戊。")
    assert chunks == ["甲乙丙。甲乙丁。", "甲乙戊。"]
    assert [count(chunk) for chunk in chunks] == [12, 5]
    assert TokenSplitter(count, chunk_size=11, chunk_overlap=0).split_text("甲乙丙。甲乙丁。") == [
        "甲乙丙。",
        "甲乙丁。",
    ]


def test_parts_that_take_fewer_tokens_together_leave_room_for_more() -> None:
    def count(text: str) -> int:
        return len(text.replace("。甲", ""))  # 4 for a sentence alone, 6 for two, 8 for three

    splitter = TokenSplitter(count, chunk_size=10, chunk_overlap=0)
    assert splitter.split_text("甲乙丙。甲丁戊。甲己庚。") == ["甲乙丙。甲丁戊。甲己庚。"]


@given(
    text=st.text(alphabet="年假为十天。！？，” \n\tabc XYZ019.-", max_size=150) | st.text(max_size=80),
    size=st.integers(8, 40),
    overlap=st.integers(0, 39),
)
def test_no_chunk_has_more_tokens_than_its_size_though_tokens_do_not_add_up(text: str, size: int, overlap: int) -> None:
    def count(piece: str) -> int:
        return 3 + len(_PAIRS.findall(piece)) + sum(5 for character in piece if character in "年X")

    splitter = TokenSplitter(count, chunk_size=size, chunk_overlap=min(overlap, size - 1))
    assert all(count(chunk) <= size or len(chunk) == 1 for chunk in splitter.split_text(text))


@pytest.mark.parametrize(
    "text", [MAINTENANCE * 400, "甲" * 9600, "x " * 4800, "甲，" * 4800], ids=["mar", "han", "wo", "cl"]
)
def test_the_tokenizer_reads_a_text_a_few_times_however_long_it_is(text: str) -> None:
    short, long = Counter(), Counter()
    TokenSplitter(short, chunk_size=66, chunk_overlap=8).spans(text[: len(text) // 8])
    TokenSplitter(long, chunk_size=66, chunk_overlap=8).spans(text)
    assert long.characters < 10 * len(text)
    assert long.calls < 9 * short.calls
    assert long.characters < 9 * short.characters


def test_the_built_in_models_own_tokenizer_agrees() -> None:
    limit = E5Embeddings().limit
    text = "甲方应当在收到发票后30日内付款；逾期的，每日按未付款项的0.05%支付违约金。See clause 4.2 for details.\n" * 30
    splitter = build_splitter(TokenSplitterSettings(chunk_size=64, chunk_overlap=16), count_tokens=limit.count)
    counts = [limit.count(chunk) for chunk in splitter.split_text(text)]
    assert max(counts) <= 64
    assert min(counts[:-1]) > 32


def test_lone_surrogates_are_not_shown_to_the_tokenizer() -> None:
    def count(text: str) -> int:
        return len(text.encode("utf-8"))  # raises for a lone surrogate

    assert TokenSplitter(count, chunk_size=100, chunk_overlap=0).split_text("甲\ud800乙。") == ["甲\ud800乙。"]


def test_a_size_that_leaves_no_room_beside_what_the_model_adds_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"chunk_size（8）.*12"):
        TokenSplitter(lambda text: 12 + len(text), chunk_size=8, chunk_overlap=0)


def test_it_needs_a_count() -> None:
    with pytest.raises(SettingsError, match="count_tokens"):
        build_splitter(TokenSplitterSettings())
