"""What holds for every splitter and any text, whatever kind the settings name."""

import doctest
import math
import re
import sys
import zlib
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from types import FrameType
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters.base import TextSplitter
from pydantic import ValidationError

from youju.errors import SettingsError
from youju.settings import SplitterSettings
from youju.splitters import SpanSplitter, build_splitter
from youju.text import CLOSING, has_content

KINDS: dict[str, Any] = {cls.model_fields["kind"].default: cls for cls in get_args(get_args(SplitterSettings)[0])}
_TOKENS = re.compile(r"[A-Za-z]{1,4}|\d{1,3}|\s+|.", re.DOTALL)

MARKDOWN = """# 报销制度

## 差旅

- 住宿凭发票
  - 一线城市每晚600元
  - 其他城市每晚400元

| 项目 | 限额 | 说明 |
|------|------|------|
| 住宿 | 600 | 一线城市；凭发票 |
| 餐补 | 100 | 每天，不需要发票 |
| 交通 | 实报 | 高铁二等座 |

```python
def limit(city):
    # 一线城市
    if city in {"北京", "上海"}:
        return 600

    return 400
```

以上自2024年1月1日起执行。
"""
STATUTE = (
    "第一章　总则\n　　第一条　为了加强设备管理，制定本办法。\n　　第二条　本办法适用于下列设备：\n"
    "　　（一）起重设备；\n　　（二）压力容器，包括：1．锅炉；2．储气罐。\n　　第三条　“设备”是指第二条所列的设备。\n"
    "第二章　检查\n　　第四条　设备须每日点检。点检记录保存三年！\n"
)
PROSE = (
    "他问：“你去吗？”她说：“不去。”……雨下了3.5小时，v2.3.1还没有发布（见https://a.example/b.html?x=1.2）。"
    "It rained. We stayed at home, e.g. in bed!\n委员会听取了\n外部审计师的说明。\n\n会议通过了预算。"
)
UNBROKEN = "年假" * 60 + "x" * 90 + "0123456789" * 9
STRANGE = (
    "　　甲\u3000\n\n——\n\n\ud800乙\udfff。。。\x00\u200b“”（）\r\n丙\r\n\t丁🚗👩‍👩‍👧e\u0301\n=====================\n戊"
)
WRITTEN = (
    MARKDOWN,
    STATUTE,
    PROSE,
    UNBROKEN,
    STRANGE,
    "”。）甲。",
    "",
    "。",
    "\n \n",
    "　　",
    "——\n\n……",
    "只有一句。",
)
TEXTS = (
    st.text(alphabet="年假为十天。！？；，、…”’）（“ \n\n\t　abc XYZ019.-/:%|#*`第一条", max_size=200)
    | st.lists(
        st.sampled_from(["\n\n", "\n", "# 标题\n", "第二条　", "| a | b |\n", "|---|---|\n", "```\n", "  ", *PROSE])
    ).map("".join)
    | st.text(alphabet=st.characters(), max_size=100)
)


class LetterEmbeddings(Embeddings):
    """Counts characters into 16 places; remembers how many texts it got."""

    def __init__(self) -> None:
        self.texts = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.texts += len(texts)
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        counts = [0.0] * 16
        for character in text:
            counts[zlib.crc32(character.encode("utf-8", "surrogatepass")) % 16] += 1
        length = math.sqrt(sum(count * count for count in counts))
        return [count / length for count in counts] if length else counts


def count_tokens(text: str) -> int:
    """Two marks of the model's own, and a token for four letters, three digits, or any other character."""
    return 2 + len(_TOKENS.findall(text))


def options_of(kind: str, size: int, overlap: int) -> dict[str, int]:
    """The settings of a kind for a size; `overlap` and other sizes are made to fit."""
    fields = KINDS[kind].model_fields
    size = max(size, 8) if kind == "token" else size
    options = {"chunk_size": size}
    if "chunk_overlap" in fields:
        options["chunk_overlap"] = min(overlap, size - 1)
    if "min_chunk_size" in fields:
        options["min_chunk_size"] = min(overlap, size)
    if "parent_size" in fields:
        options["parent_size"] = size * 3
    return options


@cache
def made(kind: str, size: int, overlap: int) -> SpanSplitter:
    return build_splitter(
        KINDS[kind](**options_of(kind, size, overlap)), embeddings=LetterEmbeddings, count_tokens=count_tokens
    )


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def measure_of(kind: str) -> Callable[[str], int]:
    """What sizes count: characters, or tokens."""
    return count_tokens if kind == "token" else len


def check(kind: str, size: int, overlap: int, text: str) -> None:
    splitter, options, measure = made(kind, size, overlap), options_of(kind, size, overlap), measure_of(kind)
    spans = splitter.spans(text)
    chunks = splitter.split_documents([Document(page_content=text)])
    assert [(chunk.metadata["start"], chunk.metadata["end"]) for chunk in chunks] == spans
    assert [chunk.page_content for chunk in chunks] == [text[start:end] for start, end in spans]
    assert splitter.split_text(text) == [chunk.page_content for chunk in chunks]
    for start, end in spans:
        assert measure(text[start:end]) <= options["chunk_size"]
        assert has_content(text[start:end])
        assert text[end - 1] == text[start:end].rstrip()[-1]
    for (start, end), (following, following_end) in pairwise(spans):
        assert start < following
        assert end < following_end
        assert following >= end or measure(text[following:end]) - measure("") <= options.get("chunk_overlap", 0)
    assert_covered(text, spans, options["chunk_size"] - measure(""))
    for start, _ in spans:
        assert text[start] not in CLOSING or not_to_be_helped(text, start, options["chunk_size"] - measure(""))


def assert_covered(text: str, spans: list[tuple[int, int]], room: int) -> None:
    """All content is covered, and all marks unless there are runs of them too long for a chunk that has content."""
    if not has_content(text):
        assert spans == []
        return
    covered = {at for start, end in spans for at in range(start, end)}
    lost = {text[at] for at in range(len(text)) if at not in covered and not text[at].isspace()}
    assert not any(map(has_content, lost))
    longest = max(map(len, re.findall(r"[\W_]+", text)), default=0)
    assert not lost or 2 * longest + 2 > room, lost


def not_to_be_helped(text: str, start: int, room: int) -> bool:
    """Whether nothing but marks stands before, or more of them than fit into a chunk with what they close."""
    left, right = start, start
    while left and not has_content(text[left - 1]):
        left -= 1
    while right < len(text) and not has_content(text[right]):
        right += 1
    return left == 0 or right - left + 2 > room


def test_all_kinds_of_the_settings_are_built(kind: str) -> None:
    splitter = made(kind, 40, 8)
    assert isinstance(splitter, SpanSplitter)
    assert isinstance(splitter, TextSplitter)
    assert splitter.chunk_size == 40


@pytest.mark.parametrize(("size", "overlap"), [(400, 50), (40, 8), (20, 0), (9, 3), (1, 0)])
@pytest.mark.parametrize("text", WRITTEN, ids=range(len(WRITTEN)))
def test_written_texts_are_split_as_promised(kind: str, size: int, overlap: int, text: str) -> None:
    check(kind, size, overlap, text)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, size=st.integers(1, 40), overlap=st.integers(0, 39))
@example(text="甲。" * 3, size=2, overlap=1)
@example(text="甲" * 10 + "\n\n——\n\n" + "乙" * 10, size=10, overlap=0)
def test_any_text_is_split_as_promised(kind: str, text: str, size: int, overlap: int) -> None:
    check(kind, size, overlap, text)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
@given(text=TEXTS)
def test_the_same_text_gives_the_same_chunks_from_a_new_splitter(kind: str, text: str) -> None:
    settings = KINDS[kind](**options_of(kind, 30, 5))
    fresh = build_splitter(settings, embeddings=LetterEmbeddings, count_tokens=count_tokens)
    assert fresh.spans(text) == made(kind, 30, 5).spans(text) == made(kind, 30, 5).spans(text)


def test_a_text_that_fits_is_one_chunk_unless_its_structure_or_meaning_cuts_it(kind: str) -> None:
    assert made(kind, 40, 8).split_text("只有一句话的文件。") == ["只有一句话的文件。"]


def test_places_count_from_where_the_document_begins_in_its_file(kind: str) -> None:
    text = PROSE[:120]
    document = Document(page_content=text, metadata={"source": "a.md", "start": 1000, "end": 1000 + len(text)})
    chunks = made(kind, 40, 8).split_documents([document])
    assert len(chunks) > 2
    for chunk in chunks:
        start, end = chunk.metadata["start"] - 1000, chunk.metadata["end"] - 1000
        assert text[start:end] == chunk.page_content
        assert chunk.metadata["source"] == "a.md"


@pytest.mark.parametrize("twice", [1, 2])
def test_sizes_that_cannot_work_are_refused_alike_each_time(kind: str, twice: int) -> None:
    least = {"chunk_size": 0}
    with pytest.raises(ValidationError, match="chunk_size"):
        KINDS[kind](**least)
    if "chunk_overlap" in KINDS[kind].model_fields:
        for overlap in (40, 41, -1):
            with pytest.raises(ValidationError, match="chunk_overlap"):
                KINDS[kind](chunk_size=40, chunk_overlap=overlap)
            with pytest.raises(SettingsError, match=r"chunk_size.*chunk_overlap"):
                type(made(kind, 40, 8))(chunk_size=40, chunk_overlap=overlap, **inner_options(kind))


def inner_options(kind: str) -> dict[str, Any]:
    return {"count_tokens": count_tokens} if kind == "token" else {}


def test_the_example_in_its_description_runs(kind: str) -> None:
    results = doctest.testmod(sys.modules[type(made(kind, 40, 8)).__module__])
    assert results.attempted > 0
    assert results.failed == 0


LONG = {
    "prose": PROSE * 100,
    "unbroken": "年假" * 10_000,
    "letters": "x" * 20_000,
    "dashes": "甲" + "-" * 20_000 + "乙",
    "marks": "甲" + "。" * 20_000 + "乙",
    "blank": "甲" + " " * 20_000 + "乙",
    "lines": "甲" + "\n" * 20_000 + "乙",
    "indented": ("甲\n" + " " * 99) * 200,
    "quotes": "“" * 20_000 + "甲",
    "table": "| 项目 | 限额 |\n|---|---|\n" + "| 住宿 | 600 |\n" * 1_500,
    "code": "```\n" + "    return 1\n" * 1_500 + "```\n",
    "articles": STATUTE * 100,
    "headings": "# 标题\n\n" * 2_000,
}


@pytest.mark.parametrize("name", sorted(LONG))
def test_eight_times_the_text_takes_about_eight_times_the_work(kind: str, name: str) -> None:
    """Work is counted, which no busy machine changes; what is quadratic would be 64 times as much."""
    text = LONG[name]
    short = text[: len(text) // 8] + text[-1]
    assert work(kind, text) <= 12 * work(kind, short) + 2_000


def work(kind: str, text: str) -> int:
    """How many functions and methods are called to split a text, and how many characters are put to a tokenizer."""
    splitter = made(kind, 200, 20)
    splitter.spans(text)  # what is loaded or made once
    counted = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal counted
        counted += event in {"call", "c_call"}
        if event == "call" and frame.f_code is count_tokens.__code__:
            counted += len(frame.f_locals["text"])

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        splitter.spans(text)
    finally:
        sys.setprofile(before)
    return counted
