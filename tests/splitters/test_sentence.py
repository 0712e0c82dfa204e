"""The sentence splitter, through its public methods."""

import pytest

from youju.settings import SentenceSplitterSettings
from youju.splitters import SentenceSplitter, build_splitter

MAINTENANCE = "阀门每周检查。记录须留存！谁来签字？由班长签字。"


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return SentenceSplitter(chunk_size=size, chunk_overlap=overlap).split_text(text)


def test_it_is_chosen_by_settings() -> None:
    splitter = build_splitter(SentenceSplitterSettings(chunk_size=14, chunk_overlap=0))
    assert type(splitter) is SentenceSplitter
    assert splitter.split_text(MAINTENANCE) == ["阀门每周检查。记录须留存！", "谁来签字？由班长签字。"]


@pytest.mark.parametrize(
    ("overlap", "expected"),
    [
        (5, ["阀门每周检查。记录须留存！", "谁来签字？由班长签字。"]),  # 记录须留存！ has 6 characters
        (6, ["阀门每周检查。记录须留存！", "记录须留存！谁来签字？", "谁来签字？由班长签字。"]),
        (12, ["阀门每周检查。记录须留存！", "记录须留存！谁来签字？", "谁来签字？由班长签字。"]),
    ],
)
def test_the_overlap_is_whole_sentences_that_fit_it(overlap: int, expected: list[str]) -> None:
    assert split(MAINTENANCE, 14, overlap) == expected


def test_the_overlap_gives_way_to_a_sentence_that_needs_the_room() -> None:
    assert split("甲。乙丙丁戊己庚辛壬癸。", 11, 5) == ["甲。", "乙丙丁戊己庚辛壬癸。"]


def test_paragraphs_share_a_chunk_and_keep_the_blank_line_between_them() -> None:
    assert split("甲说好。\n\n乙说不。\n\n丙走了。", 10) == ["甲说好。\n\n乙说不。", "丙走了。"]


def test_a_sentence_longer_than_a_chunk_is_cut_between_clauses_and_repeats_nothing() -> None:
    assert split("设备停机，先断电，再挂牌，然后通知班长。好。", 10, 4) == [
        "设备停机，先断电，",
        "再挂牌，",
        "然后通知班长。好。",
    ]


def test_a_quotation_with_its_speech_tag_stays_whole() -> None:
    assert split("“你去吗？”他问。“我不去！”她说。", 9) == ["“你去吗？”他问。", "“我不去！”她说。"]


def test_numbers_versions_and_links_end_no_sentence() -> None:
    text = "利率为3.5%。详见https://a.example/b.html?x=1.2。版本v2.3.1已发布！"
    assert split(text, 33) == ["利率为3.5%。", "详见https://a.example/b.html?x=1.2。", "版本v2.3.1已发布！"]


def test_indentation_survives() -> None:
    assert split("def f():\n    return 1\n    # 完成", 13) == ["def f():", "    return 1", "    # 完成"]
