"""Plain text: encodings are found without being told, and damage is never guessed away."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.errors import DamagedFileError, LoadError, NoTextError
from youju.loaders import load_file
from youju.text import has_content

TRADITIONAL = "員工每年享有十天特別休假，請於月底前向人事部門提出申請。"


def load(data: bytes, name: str = "leave.txt") -> str:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        (document,) = load_file(path).documents
        return document.page_content


def test_a_text_is_one_unit(tmp_path: Path) -> None:
    path = tmp_path / "leave.txt"
    path.write_text("年假为10天。\n\n病假另计。\n", encoding="utf-8")

    (document,) = load_file(path).documents

    assert document.page_content == "年假为10天。\n\n病假另计。\n"
    assert document.metadata == {
        "source": "leave.txt",
        "title": "leave",
        "location": "leave.txt",
        "start": 0,
        "end": 15,
    }


@pytest.mark.parametrize("text", ["年假为十天。", "报销", "联通", "报销单第3页：金额为￥500。"])
def test_short_texts_in_gbk_are_read(text: str) -> None:
    assert load(text.encode("gbk")) == text


@pytest.mark.parametrize("text", [TRADITIONAL, "年假為十天。", "公司", "員工手冊"])
def test_traditional_text_in_big5_is_read(text: str) -> None:
    assert load(text.encode("big5")) == text


def test_traditional_text_and_rare_characters_in_gb18030_are_read() -> None:
    assert load(TRADITIONAL.encode("gb18030")) == TRADITIONAL
    assert load("𠮷野家的报销单".encode("gb18030")) == "𠮷野家的报销单"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_unicode_with_or_without_a_mark_is_read(encoding: str) -> None:
    assert load("年假为十天。".encode(encoding)) == "年假为十天。"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", ["一、年假 10 天。\n二、病假另计。\n", "annual leave: 10 days"])
def test_utf_16_without_a_mark_is_told_by_its_nuls(encoding: str, text: str) -> None:
    assert load(text.encode(encoding)) == text


_COMMON = st.integers(0xB0, 0xD7).flatmap(
    lambda lead: st.integers(0xA1, 0xFE if lead < 0xD7 else 0xF9).map(
        lambda trail: bytes([lead, trail]).decode("gb2312")
    )
)


@given(st.text(_COMMON, min_size=2, max_size=60), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32"]))
def test_any_chinese_text_in_unicode_comes_back(text: str, encoding: str) -> None:
    assert load(text.encode(encoding)) == text


@given(st.text(_COMMON, min_size=1, max_size=60))
def test_any_common_chinese_text_that_is_no_utf_8_by_chance_comes_back_from_gbk(text: str) -> None:
    data = text.encode("gbk")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        assert load(data) == text


@pytest.mark.parametrize("lost", [3, 4, 5])
def test_a_byte_missing_in_utf_8_is_damage_with_its_place(lost: int) -> None:
    data = "工资5000元".encode()
    data = data[:lost] + data[lost + 1 :]

    with pytest.raises(DamagedFileError) as caught:
        load(data)

    assert caught.value.reason == (
        "第 1 行（第 4 字节）不是有效的 UTF-8 文字，文件可能损坏；请用编辑器打开检查，另存为 UTF-8 后重试"
    )


def test_the_line_of_the_damage_is_counted() -> None:
    data = "第一行\r\n第二行\n".encode() + b"\xff" + "第三行".encode()

    with pytest.raises(DamagedFileError, match=r"第 3 行（第 22 字节）"):
        load(data)


def test_half_a_character_of_utf_16_is_damage() -> None:
    with pytest.raises(DamagedFileError, match="UTF-16"):
        load("年假".encode("utf-16") + b"\x01")


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01",
        b"\x7fELF\x02\x01\x01" + b"\x00" * 9,
        b"a\x00\x00\x00b\x00\x00\x00",
    ],
)
def test_binary_content_is_damage(data: bytes) -> None:
    with pytest.raises(DamagedFileError, match="二进制数据"):
        load(data)


def test_bytes_of_no_chinese_encoding_are_not_guessed() -> None:
    with pytest.raises(DamagedFileError, match="无法判断文字编码"):
        load("café au lait, déjà vu".encode("latin-1"))


def test_a_stray_nul_goes_and_line_ends_become_one_kind() -> None:
    assert load("年假\0为十天。\r\n病假另计。\r事假".encode()) == "年假为十天。\n病假另计。\n事假"


@pytest.mark.parametrize("data", [b"", b" \r\n\t", "——\n。。。".encode(), b"\xef\xbb\xbf", "　　".encode("utf-16")])
def test_nothing_to_read_is_an_error(data: bytes) -> None:
    with pytest.raises(NoTextError):
        load(data)


def test_markdown_is_decoded_the_same_way() -> None:
    assert load("# 年假\r\n\r\n十天。".encode("gbk"), "leave.md") == "# 年假\n\n十天。"


@given(st.binary(max_size=80), st.sampled_from(["a.txt", "a.md", "a.pdf"]))
def test_bytes_of_any_kind_become_text_or_a_load_error(data: bytes, name: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            documents = load_file(path).documents
        except LoadError:
            return
    assert all(has_content(document.page_content) for document in documents)
