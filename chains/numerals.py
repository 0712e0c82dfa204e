"""Numerals that no reading of values knows: digits of other scripts, signs for numbers, and (1), ② before items."""

import re
import unicodedata
from collections.abc import Iterable

from youju.text import HAN

_OTHER_DIGIT = re.compile(r"[^\D0-9]")
_OLD_TENS = frozenset("廿卅卌")
_COMMON = re.compile(r"[\x00-\x7f一-鿿，。、；：？！（）《》“”‘’…—·％]*")
"""What most sentences are written with; only old tens are such signs among it."""
_KEYCAP_TEN = "\U0001f51f"
_AFTER_A_UNIT = re.compile(r"(?<=[A-Za-z米])[⁺⁻]?[⁰-⁹²³¹₀-₉]+")  # m², CO₂
_MEASURE = "天日月年周岁元角分秒时点块个条款章节项次名人件台套份倍成层楼页号级期届种类位米克吨度%％‰百千万萬亿億"
_ITEM = re.compile(
    r"(?:(?:(?<=[\s，,、；;：:。])|^)[(（](?P<round>[0-9０-９]{1,2})[)）]|(?P<sign>[①-⑳⑴-⒇⒈-⒛❶-❿㈠-㈩㊀-㊉]))\s*"
    rf"(?=[{HAN}A-Za-z])(?![{_MEASURE}](?!\w))"
)
_FIRST = re.compile(rf"^\s*[❶-❿㈠-㈩㊀-㊉]\s*(?=[{HAN}A-Za-z])(?![{_MEASURE}](?!\w))")


def plain_digits(text: str) -> str:
    """A text of the same length whose decimal digits of any script (١, ५) are written 0 to 9."""
    return _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match.group())), text)


def unread_number(text: str, sources: Iterable[str]) -> str | None:
    """A sign that stands for a number, such as 廿, ❺ or 🔟, whose value is not read and that no source holds itself."""
    if _COMMON.fullmatch(text) and _OLD_TENS.isdisjoint(text):
        return None
    held = frozenset("".join(sources))
    return next((one for one in _AFTER_A_UNIT.sub("", text) if one not in held and _is_unread(one)), None)


def without_items(text: str) -> str:
    """A sentence without the numbers of its items, (1)年假；(2)病假, which count up from 1, or the ❶ before it."""
    found = list(_ITEM.finditer(text))
    numbers = [int(one["round"]) if one["round"] else int(unicodedata.numeric(one["sign"])) for one in found]
    return (_ITEM if len(found) > 1 and numbers == list(range(1, len(found) + 1)) else _FIRST).sub("", text)


def _is_unread(one: str) -> bool:
    if one in _OLD_TENS or one == _KEYCAP_TEN:
        return True
    if one.isascii() or one.isdecimal() or not one.isnumeric() or _is_han(one):
        return False
    return not any(part.isascii() and part.isalnum() for part in unicodedata.normalize("NFKC", one))


def _is_han(one: str) -> bool:
    return unicodedata.name(one, "").startswith(("CJK", "IDEOGRAPHIC NUMBER"))
