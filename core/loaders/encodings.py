"""Bytes of a text file to text, without being told the encoding and without losing a character.

Marks at the start and UTF-8 itself are certain. The older Chinese encodings are told apart by which characters a text
would consist of: both sort their common characters into a first plane, and text read with the wrong one leaves it.
"""

import codecs
import re

from youju.errors import DamagedFileError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32-le": "UTF-32", "utf-32-be": "UTF-32"}
_SAVE_AS_UTF8 = "请用编辑器打开检查，另存为 UTF-8 后重试"

_UTF8_LONG = re.compile(rb"[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xe0[\xa0-\xbf][\x80-\xbf]|\xed[\x80-\x9f][\x80-\xbf]")
_HIGH = re.compile(rb"[\x80-\xff]")
_GB_PAIR = re.compile(rb"[\x81-\xfe][\x30-\x39][\x81-\xfe][\x30-\x39]|[\x81-\xfe][\x40-\xfe]", re.DOTALL)
_GB_COMMON = re.compile(rb"[\xb0-\xd7\xa1-\xa9][\xa1-\xfe]")
_BIG5_PAIR = re.compile(rb"[\x81-\xfe][\x40-\xfe]", re.DOTALL)
_BIG5_COMMON = re.compile(rb"[\xa4-\xc6\xa1-\xa3][\x40-\x7e\xa1-\xfe]")
_LEAST_COMMON = 0.4
_SURELY_COMMON = 0.9
_UTF16_PLAUSIBLE = 0.9
_MOST_NULS = 0.1


def decode_text(data: bytes, source: str) -> str:
    r"""Decode a text file of unknown encoding.

    Args:
        data: The file's bytes.
        source: The file's name, for errors.

    Returns:
        The text with `\n` as the only line end, without a byte-order mark and without NUL characters.

    Raises:
        DamagedFileError: The bytes are no text in UTF-8, UTF-16, UTF-32, GB18030 or Big5, or are damaged.
    """
    text = _decode(data, source)
    return text.replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, source: str) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _strictly(data, encoding, len(mark), source)
    if b"\x00" in data:
        return _with_nuls(data, source)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise _damaged(data, "utf-8", error, 0, source) from error
    return _guess(data, source)


def _strictly(data: bytes, encoding: str, skip: int, source: str) -> str:
    try:
        return data[skip:].decode(encoding)
    except UnicodeDecodeError as error:
        raise _damaged(data, encoding, error, skip, source) from error


def _damaged(data: bytes, encoding: str, error: UnicodeDecodeError, skip: int, source: str) -> DamagedFileError:
    good = data[skip : skip + error.start].decode(encoding, "replace")
    line = len(re.findall("\r\n?|\n", good)) + 1
    reason = f"第 {line} 行（第 {skip + error.start + 1} 字节）不是有效的 {_NAMES[encoding]} 文字，文件可能损坏"
    return DamagedFileError(source, f"{reason}；{_SAVE_AS_UTF8}")


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most bytes beyond ASCII form three-byte UTF-8 characters, and not by chance in a text of GBK."""
    if 3 * len(_UTF8_LONG.findall(data)) < len(_HIGH.findall(data)) / 2:
        return False
    return _try(data, "gb18030") is None or _common_share(data, _GB_PAIR, _GB_COMMON) < _SURELY_COMMON


def _with_nuls(data: bytes, source: str) -> str:
    """Decode UTF-16 without a mark, or UTF-8 into which a few NULs have slipped."""
    readings = [text for text in (_try(data, "utf-16-le"), _try(data, "utf-16-be")) if text is not None]
    best = max(readings, key=_utf16_plausibility, default="")
    if _utf16_plausibility(best) >= _UTF16_PLAUSIBLE:
        return best
    text = _try(data, "utf-8")
    if text is None or data.count(0) > max(1, _MOST_NULS * len(data)):
        reason = "内容不是文字，是二进制数据；请确认文件的扩展名与内容相符"
        raise DamagedFileError(source, reason)
    return text


def _utf16_plausibility(text: str) -> float:
    """The share of characters that Chinese or English text is made of; the wrong byte order gives others."""
    if not text:
        return 0.0
    good = re.findall("[\t\n\r -~\u00a0-\u00ff\u2010-\u2027\u3000-\u30ff\u4e00\u4e01-\u9fff\uff01-\uff5e]", text)
    swapped = re.findall("[\u4f00-\u9f00]", text)
    return (len(good) - sum(not ord(character) & 0xFF for character in swapped)) / len(text)


def _guess(data: bytes, source: str) -> str:
    """Decode GB18030 or Big5, whichever finds more of its own common characters; GB18030 where both find as many."""
    readings = (
        ("gb18030", _GB_PAIR, _GB_COMMON),
        ("cp950", _BIG5_PAIR, _BIG5_COMMON),
        ("big5hkscs", _BIG5_PAIR, _BIG5_COMMON),
    )
    best, best_share = None, _LEAST_COMMON
    for encoding, pair, common in readings:
        text = _try(data, encoding)
        share = _common_share(data, pair, common)
        if text is not None and (share > best_share or (best is None and share == best_share)):
            best, best_share = text, share
    if best is None:
        reason = f"无法判断文字编码（不是 UTF-8、UTF-16、GB18030 或 Big5），文件可能损坏；{_SAVE_AS_UTF8}"
        raise DamagedFileError(source, reason)
    return best


def _common_share(data: bytes, pair: re.Pattern[bytes], common: re.Pattern[bytes]) -> float:
    pairs = pair.findall(data)
    return sum(common.fullmatch(found) is not None for found in pairs) / len(pairs) if pairs else 0.0


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None
