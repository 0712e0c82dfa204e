"""Numbers in their written forms: 一百二十 is 120, 1,200,000 is 1200000, 百分之五 is 5%, 120万 is 1200000."""

import re
from collections.abc import Iterator
from decimal import Decimal

_DIGITS = {
    character: value
    for value, characters in enumerate(
        ["零〇", "一壹", "二两贰兩貳", "三叁參叄", "四肆", "五伍", "六陆陸", "七柒", "八捌", "九玖"]
    )
    for character in characters
}
_SMALL = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_PARTS_OF = {"百": "%", "千": "‰", "万": "‱", "萬": "‱"}

LONGEST = 40
"""Characters that a number has at most; what is longer is text: no amount has so many, and reading it costs time."""

_DIGIT = "".join(_DIGITS)
HAN_NUMERALS = f"{_DIGIT}{''.join(_SMALL)}{''.join(_LARGE)}"
"""The characters that a number is written with in Han, each once."""
_MEASURES = "天日月年周岁元角块个条款章节项次名人件台套份倍层楼页级号期届种类位米克吨"
_HAN = rf"[{HAN_NUMERALS}]+(?:[点點][{_DIGIT}]+)?"
_ARABIC = r"[0-9]+(?:\.[0-9]+)?"
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])|[０-９]{1,3}(?:，[０-９]{3})+(?![０-９，])")
# Each pattern begins with a class of characters, which is found fast; what stands before is looked at afterwards.
_IN_DIGITS = re.compile(
    r"(?P<number>[0-9](?<![0-9]{2})[0-9]*+(?:\.[0-9]++)?+)"  # from its first digit on: a run of digits is read once
    r"[^\S\n]?(?:(?P<percent>[%‰‱])|(?P<units>[百千万萬亿億]{1,3})(?!分之))"
)
_IN_HAN = re.compile(rf"(?P<first>{_HAN})(?:分之(?P<part>{_ARABIC}|{_HAN}))?")
NUMBER = rf"(?:(?:{_ARABIC}[^\S\n]?[百千万萬亿億]{{1,3}}){{1,3}}(?:{_ARABIC})?|{_ARABIC}|{_HAN})"
"""What a written number looks like in a folded text, as the source of a regular expression; see `number_value`."""
_DIGITS_AND_UNITS = re.compile(rf"({_ARABIC})[^\S\n]?([百千万萬亿億]*)")
_PART_OF_A_NAME = re.compile("[0-9a-zA-Z.]")
_MEASURE = re.compile(rf"[{_MEASURES}]|小[时時]|分[钟鐘]|季度|工作日|公里")


def without_group_marks(text: str) -> str:
    """Write 1,200,000 as 1200000; a list such as 10,20 stays."""
    return _GROUPED.sub(lambda match: _joined(match, text), text)


def number_tokens(text: str) -> Iterator[str]:
    """Find the numbers that stand in a folded text in another form than plain digits, as plain digits.

    A single character counts only in front of a measure (三天, not 三亚) or behind 第; idioms and vague numbers that do
    not follow the rules of writing (二三十, 千万, 万一) are no numbers. 三分之一 is `1/3`.
    """
    for _, _, value in number_spans(text):
        yield value


def number_spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Find what `number_tokens` finds, with where it stands: `(start, end, plain digits)`."""
    for match in _IN_DIGITS.finditer(text):
        if _PART_OF_A_NAME.match(text[match.start() - 1 : match.start()]) or len(match.group()) > LONGEST:
            continue
        value = Decimal(match["number"])
        for unit in match["units"] or "":
            value *= (_SMALL | _LARGE)[unit]
        yield match.start(), match.end(), _plain(value) + (match["percent"] or "")
    for match in _IN_HAN.finditer(text):
        first, part = match["first"], match["part"]
        if part is not None:
            sign = _PARTS_OF.get(first)
            above, below = _value(part), None if sign else _value(first)
            if above is not None and (sign or below is not None):
                yield match.start(), match.end(), _plain(above) + (sign or f"/{below}")
        elif len(first) > 1 or _MEASURE.match(text, match.end()) or text[match.start() - 1 : match.start()] == "第":
            value_in_han = _value(first)
            if value_in_han is not None:
                yield match.start(), match.end(), _plain(value_in_han)


def number_value(written: str) -> Decimal | None:
    """The value of a number that `NUMBER` matches: 1.5, 120万, 1亿2000万, 一百二十, 二〇二四.

    None for idioms and vague numbers that do not follow the rules of writing (二三十, 千万).
    """
    if len(written) > LONGEST or not written[0].isdecimal():
        return _value(written)
    total = Decimal(0)
    for digits, units in _DIGITS_AND_UNITS.findall(written):
        scale = Decimal(1)
        for unit in units:
            scale *= (_SMALL | _LARGE)[unit]
        total += Decimal(digits) * scale
    return total


def _joined(match: re.Match[str], text: str) -> str:
    if text[match.start() - 1 : match.start()] in {*"0123456789０１２３４５６７８９.,．，"}:
        return match.group()
    return match.group().replace(",", "").replace("，", "")


def _value(written: str) -> Decimal | None:
    """The value of digits, or of Han numerals; None where they are none."""
    if len(written) > LONGEST:
        return None
    if written[0].isascii():
        return Decimal(written)
    whole, _, fraction = written.replace("點", "点").partition("点")
    value = _whole(whole)
    if value is None or not fraction:
        return None if value is None else Decimal(value)
    return Decimal(f"{value}.{''.join(str(_DIGITS[digit]) for digit in fraction)}")


def _whole(run: str) -> int | None:
    if all(character in _DIGITS for character in run):
        # 二〇二四 is read digit by digit; two digits alone are vague (三五天)
        plain = len(run) != 2 or "零" in run or "〇" in run
        return int("".join(str(_DIGITS[character]) for character in run)) if plain else None
    total = section = 0
    digit: int | None = None
    unit = 10**12  # the unit before: units fall inside a section
    largest = 10**12
    after_zero = False
    for character in run:
        if character in _DIGITS:
            if digit:  # 二三十 and the like
                return None
            digit, after_zero = _DIGITS[character], after_zero or _DIGITS[character] == 0
        elif character in _SMALL:
            scale = _SMALL[character]
            if scale >= unit or (not digit and (scale != 10 or digit == 0 or section)):
                return None
            section += (digit or 1) * scale
            digit, unit, after_zero = None, scale, False
        else:
            scale = _LARGE[character]
            section += digit or 0
            if scale >= largest or not section:
                return None
            total += section * scale
            section, digit, unit, largest, after_zero = 0, None, 10**12, scale, False
    if digit and not after_zero and 10**12 > min(unit, largest) >= 100:
        digit *= min(unit, largest) // 10  # 一百二 is 120, 一万二 is 12000
    return total + section + (digit or 0)


def _plain(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
