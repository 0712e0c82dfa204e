"""What a written value means: a dimension and an amount, or several where it is ambiguous."""

import re
from collections.abc import Iterator
from fractions import Fraction

from youju.analyzer_numbers import number_value
from youju.chains.values_pattern import HAN_DIGITS, KINDS, UNIT
from youju.chains.values_units import ARTICLES, INDEFINITE, UNITS
from youju.text import HAN

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, each None where it is not said."""
Amount = Fraction | str | Date
Reading = tuple[str, Amount]
"""A dimension and an amount in its base unit."""
Found = dict[str, str | None]

_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_CURRENCIES = {"¥": "元", "$": "美元", "€": "欧元", "£": "英镑"}
_THE_TWO = re.compile(r"(?:^|[,;:。!?]|这|上述|以上|该)$")  # 两人的体温相同: they, rather than how many
_PER = re.compile(rf"\s?(?:/\s?|每|a |per )(?:{UNIT}|月|季)")
_EVERY = re.compile(rf"(?:每|per )一?(?:{UNIT}|月|季)[^，。；、,;\d]{{0,4}}$")
_PER_UNIT = re.compile(rf"{UNIT}|月|季")


def readings(match: re.Match[str], text: str) -> Iterator[Reading]:
    kind, found = match.lastgroup or "", match.groupdict()
    kind = next(name for name in KINDS if found[name] is not None)
    if kind in {"ymd", "ym", "date", "md", "mdy", "dmy"}:
        yield from _date(found)
    elif kind in {"standard", "digits", "code"}:
        yield "code", re.sub(r"\s|^v(?=\d)", "", match.group())
    elif kind == "clock":
        yield from _clock(found)
    elif kind == "ordinal":
        number = number_value(found["nth"])
        if number is not None:
            yield "第" + (found["what"] or ""), Fraction(number)
    elif kind == "article":
        yield "第" + ARTICLES[found["kind"]], Fraction(found["no"])
    elif kind == "weekday":
        yield "weekday", Fraction("一二三四五六日".index(found["wday"].replace("天", "日")))
    elif kind == "percent":
        yield from _percent(found)
    elif kind in {"fraction", "ratio"}:
        above, below = (found["above"] or found["above2"], found["below"] or found["below2"])
        if kind == "ratio":
            above, below = found["left"], found["right"]
        up, down = number_value(above), number_value(below)
        if up is not None and down:
            yield "share" if kind == "fraction" else "ratio", Fraction(up) / Fraction(down)
    elif kind == "halfunit":
        name = {"日": "天", "月": "个月"}.get(found["hu"], found["hu"])
        yield UNITS[name][0], UNITS[name][1] / 2
    else:
        yield from _quantity(found, match, text)




def _date(found: Found) -> Iterator[Reading]:
    def number(*names: str) -> int | None:
        written = next((found[name] for name in names if found[name]), None)
        if written is None:
            return None
        if written[0].isalpha() and written[0].isascii():
            return _MONTHS[written[:3]]
        value = number_value(written)
        return None if value is None else int(value)

    year = number("y1", "y2", "y3", "y5", "y6", "y7")
    month = number("m1", "m2", "m3", "m4", "m5", "m6")
    day = number("d1", "d3", "d4", "d5", "d6")
    yield "date", (year, month, day)


def _clock(found: Found) -> Iterator[Reading]:
    written = found["h1"] or found["h2"] or found["h3"] or ""
    hour = number_value(written)
    minute = number_value(found["min1"] or found["min3"] or "0")
    if hour is None or minute is None or hour > 24 or minute > 59:
        return
    minutes = 60 * int(hour) + int(minute) + 30 * bool(found["half"])
    if found["quarter"]:
        minutes += {"一": 15, "三": 45}[found["quarter"]]
    part, half_day = found["part"], found["ap1"] or found["ap2"]
    late = half_day == "p" or part in {"下午", "午后", "傍晚", "晚上", "晚间", "晚"} or (part == "中午" and hour < 11)
    if late and hour < 12:
        minutes += 720
    if (half_day == "a" or part in {"凌晨", "夜里"}) and hour == 12:
        minutes -= 720
    yield "clock", Fraction(minutes % 1440)
    if part is None and half_day is None and found["h3"]:
        if hour <= 12:
            yield "half day unsaid", Fraction(minutes % 720)
        if not (found["min3"] or found["half"] or found["quarter"]):
            yield "点", Fraction(hour)
    elif found["h3"]:
        yield "half day said", Fraction(minutes % 720)
    if found["h1"] and part is None and half_day is None and minute:
        yield "ratio", Fraction(int(hour), int(minute))


def _percent(found: Found) -> Iterator[Reading]:
    if found["pct"]:
        share = Fraction(found["pct"]) / (1000 if found["sign"] == "‰" else 100) * (-1 if found["minus"] else 1)
        yield "share", share
        if found["off"]:
            yield "share", 1 - share
        return
    for name, scale in (("pct2", 100), ("pml2", 1000), ("pmm2", 10000), ("tenths", 10)):
        written = found[name]
        number = number_value(written) if written else None
        if number is not None:
            yield "share", Fraction(number) / scale
    if found["zhe"]:
        digits = [number_value(digit) for digit in found["zhe"].replace(".", "")]
        if all(digit is not None and digit < 10 for digit in digits):
            yield "share", sum(
                (Fraction(digit or 0) / 10 ** (at + 1) for at, digit in enumerate(digits)), start=Fraction(0)
            )
    if found["halfprice"]:
        yield "share", Fraction(1, 2)


def _quantity(found: Found, match: re.Match[str], text: str) -> Iterator[Reading]:
    written, unit = found["n"] or "", found["unit"]
    number = number_value(written)
    han = not written[0].isdecimal()
    if number is None:
        return
    amount = Fraction(number) * (-1 if found["neg"] else 1)
    if found["currency"]:
        yield {"¥": "元", "$": "美元", "€": "欧元", "£": "英镑"}.get(found["currency"][0], "元"), amount
        return
    if found["halfmid"]:
        base = UNITS["个" + (found["hm"] or "")]
        yield base[0], (amount + Fraction(1, 2)) * base[1]
        return
    if unit is None:
        behind = text[match.end() : match.end() + 1]
        if han and (len(written) == 1 or behind == "月") and behind != "月":
            return
        if behind == "月":  # 3月 is March, 3月内 is a length of time
            yield "date", (None, int(amount), None)
            if re.match(r"月(?:以?内|以[上下]|之内|后|前)", text[match.end() : match.end() + 3]):
                yield "month", amount
            return
        yield "n", amount
        if not han and len(written) == 4 and 1900 <= amount < 2100:
            yield "date", (int(amount), None, None)
        if not re.match(rf"\s?[{HAN}a-z]", text[match.end() : match.end() + 2]):
            yield "naked", amount
        return
    dimension, factor = UNITS[unit]
    if han and amount == 1 and dimension in INDEFINITE:
        return
    if han and len(written) == 1 and dimension in {"分数", "号"}:
        return
    if written == "两" and dimension in {"人", "家", "个"} and _THE_TWO.search(text[: match.start()]):
        return
    if found["halfend"]:
        amount += Fraction(1, 2)
    yield dimension, amount * factor
    if unit in {"日", "号"} and amount <= 31 and amount.denominator == 1:
        yield "date", (None, None, int(amount))
    if unit == "年" and 1900 <= amount < 2100:
        yield "date", (int(amount), None, None)


def per(text: str, match: re.Match[str]) -> tuple[str, Fraction] | None:
    if match["quantity"] is None:
        return None
    behind = _PER.match(text, match.end())
    before = None if behind else _EVERY.search(text[max(0, match.start() - 9) : match.start()])
    found = behind or before
    if found is None:
        return None
    unit = _PER_UNIT.findall(found.group())[-1]
    return UNITS[{"月": "个月", "季": "个季度"}.get(unit, unit)]


