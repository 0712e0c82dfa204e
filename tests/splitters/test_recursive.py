"""The recursive splitter, through its public methods."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju.errors import SettingsError
from youju.settings import RecursiveSplitterSettings
from youju.splitters import RecursiveSplitter, build_splitter
from youju.text import CLOSING, has_content

CHECKS = "设备须每日点检。点检记录保存三年！是否停机？由班长决定；见附录A。"
MIXED = "利率为3.5%。详见https://a.example/b.html?x=1.2。版本v2.3.1已发布！联系a.b@c.example。"


def split(text: str, size: int, overlap: int = 0) -> list[str]:
    return RecursiveSplitter(chunk_size=size, chunk_overlap=overlap).split_text(text)


def test_a_sentence_keeps_its_mark_and_no_chunk_begins_with_one() -> None:
    assert split(CHECKS, 12) == ["设备须每日点检。", "点检记录保存三年！", "是否停机？", "由班长决定；见附录A。"]


@pytest.mark.parametrize("size", [33, 100])
def test_a_text_that_fits_is_one_chunk(size: int) -> None:
    assert split(CHECKS, size) == [CHECKS]


@pytest.mark.parametrize(("size", "overlap"), [(12, 12), (12, 13), (12, -1), (0, 0)])
def test_sizes_that_cannot_work_are_refused_with_both_names(size: int, overlap: int) -> None:
    with pytest.raises(SettingsError, match=r"chunk_size.*chunk_overlap"):
        RecursiveSplitter(chunk_size=size, chunk_overlap=overlap)


def test_numbers_versions_addresses_and_links_are_not_cut() -> None:
    chunks = split(MIXED, 40)
    assert "".join(chunks) == MIXED
    for whole in ("3.5%", "v2.3.1", "a.b@c.example", "https://a.example/b.html?x=1.2"):
        assert sum(whole in chunk for chunk in chunks) == 1, whole


def test_what_fits_stays_whole_even_when_a_link_beside_it_does_not() -> None:
    chunks = split(MIXED, 20)
    assert "".join(chunks) == MIXED
    assert all(any(whole in chunk for chunk in chunks) for whole in ("3.5%", "v2.3.1", "a.b@c.example"))
    assert not any(chunk[0] in CLOSING for chunk in chunks)


def test_a_long_text_keeps_every_sentence_whole() -> None:
    chunks = split(CHECKS * 200, 500, 50)
    assert max(map(len, chunks)) <= 500
    for sentence in ("设备须每日点检。", "点检记录保存三年！", "是否停机？", "由班长决定；见附录A。"):
        assert sum(chunk.count(sentence) for chunk in chunks) >= 200


def test_overlap_repeats_the_end_of_the_chunk_before() -> None:
    assert split("一二三四。五六七八。九十甲乙。", 8, 3) == ["一二三四。", "三四。五六七八。", "七八。九十甲乙。"]
    assert split("一二三四。五六七八。九十甲乙。", 8, 0) == ["一二三四。", "五六七八。", "九十甲乙。"]


def test_overlap_begins_with_a_sentence_where_one_fits() -> None:
    chunks = split("甲说好。乙说不。丙不作声。丁走了。", 9, 5)
    assert chunks == ["甲说好。乙说不。", "乙说不。丙不作声。", "丙不作声。丁走了。"]


def test_a_line_break_counts_less_than_the_end_of_a_sentence() -> None:
    text = "委员会审阅了报告并听取了\n外部审计师的说明。会议通过了预算。"
    assert split(text, 24) == ["委员会审阅了报告并听取了\n外部审计师的说明。", "会议通过了预算。"]


@pytest.mark.parametrize("text", ["", "。", "\n\n——\n\n", "　　", "\n \n"])
def test_text_without_content_gives_no_chunk(text: str) -> None:
    assert split(text, 20) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("甲乙丙丁\n\n——\n\n戊己", ["甲乙丙丁\n\n——", "戊己"]),
        ("甲乙丙丁戊己庚辛\n\n——\n\n子丑寅卯辰巳午未", ["甲乙丙丁戊己庚", "辛\n\n——", "子丑寅卯辰巳午未"]),
        ("——\n\n甲乙丙丁戊己", ["——\n\n甲", "乙丙丁戊己"]),
        ("甲乙丙丁戊己庚\n\n————————————\n\n辛", ["甲乙丙丁戊己庚", "————\n\n辛"]),  # eight fill a chunk of their own
    ],
)
def test_marks_alone_go_with_what_stands_before_them_else_behind(text: str, expected: list[str]) -> None:
    assert split(text, 8) == expected


def test_indentation_of_code_survives() -> None:
    assert split("def f():\n    return 1\n\n    x = 2\n", 22) == ["def f():\n    return 1", "    x = 2"]


def test_documents_keep_their_metadata_and_get_positions_in_their_text() -> None:
    page = Document(page_content="甲。乙。", metadata={"source": "a.pdf", "page": 2, "start": 0, "end": 4})
    section = Document(page_content="丙。丁。", metadata={"source": "b.md", "start": 10, "end": 14})
    chunks = RecursiveSplitter(chunk_size=2, chunk_overlap=0).split_documents([page, section])
    assert [(c.page_content, c.metadata["source"], c.metadata["start"], c.metadata["end"]) for c in chunks] == [
        ("甲。", "a.pdf", 0, 2),
        ("乙。", "a.pdf", 2, 4),
        ("丙。", "b.md", 10, 12),
        ("丁。", "b.md", 12, 14),
    ]
    assert chunks[0].metadata["page"] == 2


def test_it_is_chosen_by_settings_and_works_where_langchain_wants_a_splitter() -> None:
    splitter = build_splitter(RecursiveSplitterSettings(chunk_size=12, chunk_overlap=0))
    assert isinstance(splitter, RecursiveSplitter)
    assert [d.page_content for d in splitter.create_documents([CHECKS], [{"source": "x"}])] == split(CHECKS, 12)
    assert len(splitter.transform_documents([Document(page_content=CHECKS)])) == 4


TEXTS = st.text(alphabet="年假为十天。！？；，、…”’）（“ \n\n\t　abc XYZ019.-/:%，、。——", max_size=300)


@given(text=TEXTS | st.text(max_size=200), size=st.integers(1, 40), overlap=st.integers(0, 39))
def test_chunks_are_slices_that_cover_the_text_whatever_it_is(text: str, size: int, overlap: int) -> None:
    splitter = RecursiveSplitter(chunk_size=size, chunk_overlap=min(overlap, size - 1))
    spans = splitter.spans(text)
    assert splitter.split_text(text) == [text[start:end] for start, end in spans]
    assert all(0 < end - start <= size and has_content(text[start:end]) for start, end in spans)
    assert [start for start, _ in spans] == sorted({start for start, _ in spans})
    covered = {at for start, end in spans for at in range(start, end)}
    assert all(at in covered for at, character in enumerate(text) if has_content(character))
    for start, _ in spans:
        left, right = start, start
        while left and (text[left - 1] in CLOSING or text[left - 1].isspace()):
            left -= 1
        while right < len(text) and text[right] in CLOSING:
            right += 1
        more_marks_than_fit = right - (left - 1) > size
        only_marks_before = left == 0
        assert text[start] not in CLOSING or more_marks_than_fit or only_marks_before
