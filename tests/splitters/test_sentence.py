"""The sentence splitter, through its public methods."""

import pytest

from youju.settings import SentenceSplitterSettings
from youju.splitters import SentenceSplitter, build_splitter
from youju.splitters.sentence import sentence_units

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


def test_a_line_that_was_only_wrapped_does_not_end_a_sentence() -> None:
    text = "已付款。委员会审阅了报告并听取了\n外部审计师的说明。会议通过了预算。"
    assert split(text, 24) == ["已付款。", "委员会审阅了报告并听取了\n外部审计师的说明。", "会议通过了预算。"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- 起重设备\n- 压力容器\n- 电梯", ["- 起重设备", "- 压力容器", "- 电梯"]),
        ("设备包括：\n（一）起重机\n（二）锅炉", ["设备包括：", "（一）起重机", "（二）锅炉"]),
        ("请假制度\n\n年假为十天", ["请假制度", "年假为十天"]),
        ("第一条　总则\n第二条　范围", ["第一条　总则", "第二条　范围"]),
        ("总则\n　　本办法自发布起施行", ["总则", "本办法自发布起施行"]),
    ],
)
def test_items_paragraphs_and_indented_lines_begin_anew(text: str, expected: list[str]) -> None:
    assert [text[start:end].strip() for start, end in sentence_units(text)] == expected
