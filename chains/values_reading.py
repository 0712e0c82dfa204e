"""What a written value means: a dimension and an amount, or several where it is ambiguous."""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from youju.analyzer_numbers import LONGEST, number_value
from youju.chains.values_pattern import UNIT
from youju.chains.values_units import ARTICLES, INDEFINITE, UNITS
from youju.text import HAN

Date = tuple[int | None, int | None, int | None]
"""Year, month and day, each None where it is not said."""
Amount = Fraction | str | Date
Reading = tuple[str, Amount]
"""A dimension and an amount in its base unit."""
Found = re.Match[str]  # its groups are text, or None

_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_MILLIONS = {"百万": "一百万", "千万": "一千万"}
_HALF_OF: dict[str, str] = {"日": "天", "月": "个月"}
_CURRENCIES = {"¥": "元", "$": "美元", "€": "欧元", "£": "英镑"}
_THE_TWO = re.compile(r"(?:^|[,;:。!?]|这|上述|以上|该)$")  # 两人的体温相同: they, rather than how many
_WITHIN_MONTHS = re.compile(r"月(?:以?内|以[上下]|之内|后|前)")
_NOUN_BEHIND = re.compile(rf"\s?[{HAN}a-z]")
_ELECTRIC = re.compile("电")
_PER = re.compile(rf"\s?(?:/\s?|每|a |per )(?:{UNIT}|月|季)")
_EVERY = re.compile(rf"(?:每|per )一?(?:{UNIT}|月|季)[^，。；、,;\d]{{0,4}}$")
MAY_BE_RATE = re.compile("[/每]|a |per ")
"""What a text holds that says a rate."""
_PER_UNIT = re.compile(rf"{UNIT}|月|季")


def readings(match: re.Match[str], text: str) -> tuple[Reading, ...]:
    """What a match of `VALUE` can mean; nothing for vague numbers and articles (三五天, 一个)."""
    kind = match.lastgroup or ""
    if len(match.group()) > LONGEST and kind not in {"code", "standard", "digits"}:
        return ()
    if kind == "quantity":
        return tuple(_quantity(match, text))
    if kind in {"ymd", "ym", "date", "md", "mdy", "dmy"}:
        return (("date", _date(match)),)
    if kind in {"standard", "digits", "code"}:
        return (("code", re.sub(r"\s|^v(?=\d)", "", match.group())),)
    if kind == "weekday":
        return (("weekday", Fraction("一二三四五六日".index(match["wday"].replace("天", "日")))),)
    if kind == "clock":
        return tuple(_clock(match))
    return tuple(_percent(match) if kind == "percent" else _ordered_or_parted(kind, match))


def _ordered_or_parted(kind: str, found: Found) -> Iterator[Reading]:
    """第三条, article 3, 三分之一, 3:1 and 半年."""
    if kind == "ordinal":
        number = number_value(found["nth"])
        if number is not None:
            yield "第" + (found["what"] or ""), Fraction(number)
    elif kind == "article":
        yield "第" + ARTICLES[found["kind"]], Fraction(found["no"])
    elif kind == "halfunit":
        dimension, factor = UNITS[_HALF_OF.get(str(found["hu"]), str(found["hu"]))]
        yield dimension, factor / 2
    else:
        above = number_value(found["above"] or found["above2"] or found["left"])
        below = number_value(_MILLIONS.get(found["below"], found["below"]) or found["below2"] or found["right"])
        if above is not None and below:
            yield "share" if kind == "fraction" else "ratio", Fraction(above) / Fraction(below)


def _date(found: Found) -> Date:
    year = _one_of(found.group("y1", "y2", "y3", "y5", "y6", "y7"))
    month = _one_of(found.group("m1", "m2", "m3", "m4", "m5", "m6"))
    return year, month, _one_of(found.group("d1", "d3", "d4", "d5", "d6"))


def _one_of(places: Sequence[str | None]) -> int | None:
    """The part of a date that stands in one of the places for it."""
    written = next(filter(None, places), None)
    if written is None:
        return None
    if written[0].isalpha() and written[0].isascii():
        return _MONTHS[written[:3]]
    value = number_value(written)
    return None if value is None else int(value)


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
            parts = 5 if found["half2"] == "半" else number_value(found["half2"]) if found["half2"] else 0
            yield "share", Fraction(number) / scale + Fraction(parts or 0) / 100
    if found["zhe"]:
        digits = [number_value(digit) for digit in found["zhe"].replace(".", "")]
        if all(digit is not None and digit < 10 for digit in digits):
            yield (
                "share",
                sum((Fraction(digit or 0) / 10 ** (at + 1) for at, digit in enumerate(digits)), start=Fraction(0)),
            )
    if found["halfprice"]:
        yield "share", Fraction(1, 2)


def _quantity(found: Found, text: str) -> list[Reading]:
    written, unit, currency, half, below_zero, negative = found.group("n", "unit", "currency", "hm", "neg", "neg2")
    amount = _amount(written, bool(below_zero or negative))
    if amount is None:
        return []
    if currency:
        return [(_CURRENCIES.get(currency[0], "元"), amount)]
    if half:
        dimension, factor = UNITS[f"个{half}"]
        return [(dimension, (amount + Fraction(1, 2)) * factor)]
    end = found.end()
    if unit is None:
        return _bare(amount, written, text[end : end + 3])
    if _is_article(written, amount, unit, text, end - len(written) - len(unit)):
        return []
    dimension, factor = UNITS[unit]
    if found["halfend"]:
        amount += Fraction(1, 2)
    read: list[Reading] = [(dimension, amount if factor == 1 else amount * factor)]
    if unit == "度" and _ELECTRIC.search(text[max(0, end - len(written) - 14) : end + 3]):
        read.append(("watthour", amount * 1000))
    if unit in {"日", "号"} and amount <= 31 and amount.denominator == 1:
        read.append(("date", (None, None, int(amount))))
    if unit == "年" and 1900 <= amount < 2100:
        read.append(("date", (int(amount), None, None)))
    return read


@lru_cache(maxsize=4096)
def _amount(written: str, below_zero: bool) -> Fraction | None:  # noqa: FBT001 - a cache's key
    number = int(written) if written.isdecimal() and len(written) <= LONGEST else number_value(written)
    return None if number is None else -Fraction(number) if below_zero else Fraction(number)


def _bare(amount: Fraction, written: str, behind: str) -> list[Reading]:
    """A number without a unit; 3月 is March, and 3月内 is a length of time as well."""
    han = not written[0].isdecimal()
    if behind.startswith("月"):
        month: Reading = ("date", (None, int(amount), None))
        return [month, ("month", amount)] if _WITHIN_MONTHS.match(behind) else [month]
    if han and len(written) == 1:
        return []
    read: list[Reading] = [("n", amount)]
    if not han and len(written) == 4 and 1900 <= amount < 2100:
        read.append(("date", (int(amount), None, None)))
    if not _NOUN_BEHIND.match(behind):
        read.append(("naked", amount))
    return read


def _is_article(written: str, amount: Fraction, unit: str, text: str, start: int) -> bool:
    """Whether a number is none: 一个, 十分, 两人 for the ones just named."""
    if written[0].isdecimal():
        return False
    dimension = UNITS[unit][0]
    if amount == 1 and dimension in INDEFINITE:
        return True
    if len(written) == 1 and dimension in {"分数", "号"}:
        return True
    return written == "两" and dimension in {"人", "家", "个"} and _THE_TWO.search(text[:start]) is not None


def per(text: str, match: re.Match[str]) -> tuple[str, Fraction] | None:
    """What a rate is for (元/月, 每月5元): the unit's dimension and what it is worth."""
    if match["quantity"] is None:
        return None
    behind = _PER.match(text, match.end())
    before = text[max(0, match.start() - 9) : match.start()]
    found = behind or (_EVERY.search(before) if "每" in before or "per " in before else None)
    if found is None:
        return None
    unit = _PER_UNIT.findall(found.group())[-1]
    return UNITS[{"月": "个月", "季": "个季度"}.get(unit, unit)]
