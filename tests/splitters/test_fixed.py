"""The fixed splitter, through its public methods."""

import pytest

from youju.errors import SettingsError
from youju.settings import FixedSplitterSettings
from youju.splitters import FixedSplitter, build_splitter


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return FixedSplitter(chunk_size=size, chunk_overlap=overlap).split_text(text)


def test_it_is_chosen_by_settings() -> None:
    splitter = build_splitter(FixedSplitterSettings(chunk_size=5, chunk_overlap=2))
    assert type(splitter) is FixedSplitter
    assert splitter.split_text("甲乙丙丁戊己庚辛") == ["甲乙丙丁戊", "丁戊己庚辛"]


def test_windows_of_500_step_by_400_whatever_they_cut() -> None:
    text = "".join(chr(0x4E00 + at) for at in range(1800))
    spans = FixedSplitter(chunk_size=500, chunk_overlap=100).spans(text)
    assert spans == [(0, 500), (400, 900), (800, 1300), (1200, 1700), (1600, 1800)]


def test_without_overlap_nothing_is_repeated() -> None:
    assert split("设备须每日点检。点检记录保存三年！", 6) == ["设备须每日点", "检。点检记录", "保存三年！"]


def test_with_overlap_a_chunk_begins_behind_a_mark() -> None:
    # The second window would begin with the mark, 3 characters before the end of the first.
    assert split("甲乙丙丁。己庚辛壬癸", 7, 3) == ["甲乙丙丁。己庚", "己庚辛壬癸"]


def test_a_cut_moves_before_the_character_that_a_mark_closes() -> None:
    assert split("甲乙丙丁戊。”己", 5) == ["甲乙丙丁", "戊。”己"]
    assert split("甲乙丙丁戊 \n。己", 5) == ["甲乙丙丁", "戊 \n。己"]


@pytest.mark.parametrize("text", ["", "。", "\n\n——\n\n", "　　", "\n \n"])
def test_text_without_content_gives_no_chunk(text: str) -> None:
    assert split(text, 20) == []


def test_a_window_of_marks_alone_takes_the_last_word_before_it_along() -> None:
    assert split("甲乙 abc\n===\n\n\n\n丙丁", 7) == ["甲乙", "abc\n===", "丙丁"]
    assert split("甲乙 abc\n=====\n\n丙丁", 7) == ["甲乙 ab", "c\n=====", "丙丁"]  # too many for the whole word


@pytest.mark.parametrize(("size", "overlap"), [(12, 12), (12, 13), (12, -1), (0, 0)])
def test_sizes_that_cannot_work_are_refused_with_both_names(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match=r"chunk_size.*chunk_overlap"):
        FixedSplitter(chunk_size=size, chunk_overlap=overlap)
