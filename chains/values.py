"""The values that a text states: quantities, amounts, dates, times, shares, ordinals and identifiers, read for comparing.

Two spellings of one value are equal: 一百二十万 and 1,200,000, 十五日 and 15天, 下午3点 and 15:00, 九折 and 90%. Texts are
folded first (`folded`), and places are places in the folded text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from string import ascii_letters
from typing import Literal

from youju.analyzer import simplified
from youju.analyzer_numbers import NUMBER, number_value, without_group_marks
from youju.chains.values_units import ARTICLES, COUNTS, INDEFINITE, UNITS
from youju.text import HAN, fold

Bound = Literal["up", "down"]
Amount = Fraction | str | tuple[int | None, int | None, int | None]
Reading = tuple[str, Amount]
"""A dimension and an amount in its base unit; of a date year, month and day, each None where it is not said."""


@dataclass(frozen=True)
class Value:
    """A value in a folded text.

    Attributes:
        start: Where it begins.
        end: Where it ends.
        text: How it is written.
        readings: What it can mean: 15日 is a length of time or a day of a month.
        high: Of a range, what its upper end can mean; empty for a single value.
        bound: `up` for a least value (至少, 以上, 超过), `down` for a largest (不超过, 以内, 之前).
        per: What a rate is for (元/月).
    """

    start: int
    end: int
    text: str
    readings: tuple[Reading, ...]
    high: tuple[Reading, ...] = ()
    bound: Bound | None = None
    per: tuple[str, Fraction] | None = None

    @property
    def dimensions(self) -> frozenset[str]:
        """What it measures, in any of its readings."""
        return frozenset(dimension for dimension, _ in self.readings)


_HAN_DIGITS = "零〇一二三四五六七八九十"
_SMALL = rf"(?:\d{{1,2}}|[{_HAN_DIGITS}两]{{1,3}})"
_YEAR = rf"(?:[12]\d{{3}}|[{_HAN_DIGITS}]{{4}})"
_LATIN_UNITS = "|".join(sorted((re.escape(u) for u in UNITS if u[0].isascii()), key=len, reverse=True))
_UNIT = (
    "(?:"
    + "|".join(sorted((re.escape(u) for u in UNITS if not u[0].isascii()), key=len, reverse=True))
    + rf"|(?:{_LATIN_UNITS})(?![a-z0-9]))"
)
_MONTHS = {name: number for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_PART = r"上午|早上|早晨|清晨|凌晨|中午|下午|午后|傍晚|晚上|晚间|夜间|夜里|晚"
_ARTICLE = "|".join(ARTICLES)

_FIRST = f"[0-9a-z{_HAN_DIGITS}两百千万第周星礼半对上下早清凌中午傍晚夜负¥$€£-]"  # found fast, looked at afterwards
_VALUE = re.compile(
    f"(?={_FIRST})(?:"
    + "|".join(
        (
            r"(?P<ymd>(?<!\d)(?P<y1>[12]\d{3})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?![\d-]))",
            r"(?P<ym>(?<![\d./-])(?P<y2>(?:19|20)\d\d)[-/.](?P<m2>0[1-9]|1[0-2])(?![\d./%-]))",
            rf"(?P<date>(?<!\d)(?P<y3>{_YEAR})\s?(?:年度?|财年)(?!以上|以下|内|以内|期)"
            rf"(?:\s?(?P<m3>{_SMALL})\s?月份?(?:\s?(?P<d3>{_SMALL})\s?[日号])?)?)",
            rf"(?P<md>(?<![\d./])(?P<m4>{_SMALL})\s?月\s?(?P<d4>{_SMALL})\s?[日号])",
            rf"(?P<mdy>\b(?P<m5>{_MONTH})\s(?:(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s(?P<y5>[12]\d{{3}}))?"
            rf"|(?P<y7>[12]\d{{3}}))\b)",
            rf"(?P<dmy>(?<!\d)(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m6>{_MONTH})(?:,?\s(?P<y6>[12]\d{{3}}))?\b)",
            r"(?P<standard>(?<![a-z0-9])(?:[a-z]{1,6}/[a-z]{1,2}|gb|iso|iec|ieee|rfc|en|din|astm|sae)\s?\d+(?:[.-]\d+)*"
            r"(?![a-z0-9]))",
            # BX-2024-0017, v2.3.1, A-03-4: letters and digits, but not a number with its unit
            rf"(?P<code>(?<![a-z0-9.])(?!\d+(?:\.\d+)?(?:[-~]\d+(?:\.\d+)?)?\s?(?:{_LATIN_UNITS}|[ap]m|st|nd|rd|th)"
            rf"(?![a-z0-9]))(?=[a-z0-9./_:#-]*\d)(?=[0-9./_:#-]*[a-z])[a-z0-9]+(?:[-_./:#]+[a-z0-9]+)*)",
            r"(?P<digits>(?<![\d.])(?:\d{3,4}-\d{7,8}|\d{3,4}-\d{3,4}-\d{3,4}|\d+(?:\.\d+){2,}|\d{2,}(?:-\d{2,}){2,})(?![\d.-]*\d))",
            rf"(?P<clock>(?:(?P<part>{_PART})\s?)?(?<!\d)(?:"
            rf"(?P<h1>\d{{1,2}}):(?P<min1>\d\d)(?::\d\d)?(?!\d)(?:\s?(?P<ap1>[ap])\.?m\b\.?)?"
            rf"|(?P<h2>\d{{1,2}})\s?(?P<ap2>[ap])\.?m\b\.?"
            rf"|(?P<h3>{_SMALL})\s?(?:[点]|时(?![间候期代段刻长常而]))"
            rf"(?:(?P<min3>{_SMALL})分?(?![{_HAN_DIGITS}\d])|(?P<half>半)|(?P<quarter>[一三])刻|钟|整)?))",
            rf"(?P<ordinal>第\s?(?P<nth>{NUMBER})\s?(?P<what>条|款|项|章|节|编|部分|次|届|期|季度|名|位|页|号|级|层|类|种|天|日"
            rf"|年|个月|周|步|轮|批|阶段|版|卷|册|集|代|组)?)",
            rf"(?P<article>\b(?P<kind>{_ARTICLE})s?\s(?P<no>\d+)\b)",
            rf"(?P<weekday>(?:周|星期|礼拜)(?P<wday>[一二三四五六日天])(?![次回遍趟个天年月项期{_HAN_DIGITS}]))",
            rf"(?P<percent>(?<![\d.])(?P<minus>(?<![%\w)])-)?(?P<pct>\d+(?:\.\d+)?)\s?(?P<sign>[%‰]|percent\b|per cent\b)(?P<off>\soff\b)?"
            rf"|百分之(?P<pct2>{NUMBER})|千分之(?P<pml2>{NUMBER})|万分之(?P<pmm2>{NUMBER})|(?P<tenths>{_SMALL})成(?![立为员功果本都交份])"
            rf"|(?P<zhe>(?<![\d.])\d(?:\.?\d)?|[{_HAN_DIGITS}]{{1,2}})折(?![旧叠线])|(?P<halfprice>半价|一半|对半))",
            rf"(?P<fraction>(?P<below>{NUMBER})分之(?P<above>{NUMBER})|(?<![\d./])(?P<above2>\d+)/(?P<below2>\d+)(?![\d./]))",
            rf"(?P<ratio>(?<![\d.:])(?P<left>{NUMBER})(?:\s?:\s?|比)(?P<right>{NUMBER})(?![\d:]))",
            r"(?P<halfunit>半(?P<hu>个小时|小时|个钟头|天|日|个月|月|年|周年|斤|公里|亩|吨))",
            rf"(?P<quantity>(?P<currency>[¥$€£]|rmb\s?|usd\s?|cny\s?|us\$)?(?P<neg>(?<![a-z0-9)%百千万亿元天日月年个时分度])-|负|零下)?(?<![\d.])(?P<n>{NUMBER})"
            rf"(?P<more>[余多])?(?:\s?(?P<halfmid>个半)(?P<hm>小时|钟头|月|星期)|\s?(?P<unit>{_UNIT})(?P<halfend>半(?![年月天]))?)?)",
        )
    )
    + ")"
)
_JOINT = re.compile(r"\s?(?:-{1,2}|~|至|到|to)\s?")
_PER = re.compile(rf"\s?(?:/\s?|每|a |per )(?:{_UNIT}|月|季)")
_EVERY = re.compile(rf"(?:每|per )一?(?:{_UNIT}|月|季)[^，。；、,;\d]{{0,4}}$")
_PER_UNIT = re.compile(rf"{_UNIT}|月|季")
_UP_BEFORE = re.compile(
    r"(?:不[得应能可]?(?:少|低|小|短|早|晚)于|至少|最少|最低|起码|超过|超出|高于|大于|多于|满|已满|达到?|逾|晚于|自|从"
    r"|at least|more than|over|above|exceed(?:s|ing)?|after|from|minimum(?: of)?|no less than|not less than)\s?(?:为|了|是)?$"
)
_DOWN_BEFORE = re.compile(
    r"(?:不[得应能可]?(?:超过|超出|高于|大于|多于|长于|晚于|迟于)|至多|最多|最高|最长|最迟|最晚|低于|少于|小于|短于|未满|不满|不足"
    r"|未超过|没有超过|未达到?|早于|不到|at most|up to|less than|under|below|within|before|no more than|not more than"
    r"|not exceed(?:ing)?|maximum(?: of)?|no later than|by)\s?(?:为|了|是)?$"
)
_UP_BEHIND = re.compile(r"\s?(?:\([^()]{0,6}\))?(?:及?以上|以后|之后|后|起|开外|or more|or above|later|after)")
_DOWN_BEHIND = re.compile(r"\s?(?:\([^()]{0,6}\))?(?:及?以下|以内|之内|内|以前|之前|前|封顶|为限|or less|or fewer)")
_THE_TWO = re.compile(r"(?:^|[,;:。!?]|这|上述|以上|该)$")  # 两人的体温相同: they, rather than how many
_ENGLISH_NUMBERS = {
    name: number
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty".split()
    )
} | {name: 10 * tens for tens, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_ENGLISH = re.compile(
    rf"\b({'|'.join(sorted(_ENGLISH_NUMBERS, key=len, reverse=True))})(?:[- ](one|two|three|four|five|six|seven|eight|nine))?\b"
    r"(?:\s(hundred|thousand|million))?(?:\s?\(\d+\))?"
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}
_ONE_OF = re.compile(r"one (?!of\b)(?=(?:year|month|week|day|hour|minute|second|business|working|time|hundred|thousand)\b)")
NARROW = {code + 0xFEE0: code for code in map(ord, "0123456789" + ascii_letters)}
"""Letters and digits of full width as plain ones, for `str.translate`; a text keeps its length."""
_DECORATION = re.compile(r"\*\*|__|~~|`|^\s*(?:(?:#{1,6}|>|[-*+•●▪◆])\s+)+", re.MULTILINE)
_BESIDE = rf"[{HAN}，。、；：！？,;:!?（）()“”]"
_BLANK = re.compile(rf"(?<={_BESIDE})\s+|\s+(?={_BESIDE})")


def folded(text: str) -> str:
    """A text for comparing.

    Width, case and script are folded; decoration of Markdown and blanks beside Han characters are gone; 1,200,000 is written
    1200000, and `seven` 7.
    """
    plain = without_group_marks(without_group_marks(_DECORATION.sub("", text)).translate(NARROW))
    plain = _BLANK.sub("", simplified(fold(plain)).strip())
    return _ENGLISH.sub(_english, plain) if plain.isascii() or "e" in plain else plain


def values(text: str) -> list[Value]:
    """The values of a folded text, in order.

    What is said of them right beside them (以上, 不超过, /月) belongs to them. Vague numbers and articles (几天, 一个) are no
    values.
    """
    return list(_bounded(text, _joined(text, list(_single(text)))))


def agree(claimed: Value, held: Value, years: frozenset[int] = frozenset()) -> bool:
    """Whether a held value is the claimed one.

    Args:
        claimed: The value that is to be proved.
        held: A value of the evidence.
        years: The years that stand around the held value, for a date of which only month and day are written.
    """
    if claimed.per and held.per and claimed.per != held.per:
        return False
    if claimed.high or held.high:
        if claimed.high and held.high:
            return _same(claimed.readings, held.readings, years) and _same(claimed.high, held.high, years)
        if claimed.high:
            return False
        low, high = _same(claimed.readings, held.readings, years), _same(claimed.readings, held.high, years)
        return (low and claimed.bound == "up") or (high and claimed.bound == "down")
    return _same(claimed.readings, held.readings, years)


def comparable(claimed: Value, held: Value, *, loosely: bool = False) -> bool:
    """Whether two values measure the same, so that one can stand in the place of the other.

    Args:
        claimed: A value.
        held: Another.
        loosely: Whether days and months, yuan and dollars, percent and percentage points measure the same.
    """
    return any(
        _rival_amounts(one, amount, held_amount)
        for one, amount in claimed.readings
        for other, held_amount in held.readings
        if one == other
        or ("个" in {one, other} and {one, other} <= COUNTS)
        or (loosely and any(one in alike and other in alike for alike in _ALIKE))
    )


def _rival_amounts(dimension: str, claimed: Amount, held: Amount) -> bool:
    if isinstance(claimed, tuple) and isinstance(held, tuple):
        both = [one is not None and other is not None for one, other in zip(claimed, held, strict=True)]
        return any(both[:2]) or (both[2] and claimed[:2] == (None, None))
    return dimension != "code" or _shape(str(claimed)) == _shape(str(held))


def opposed(claimed: Value, held: Value) -> bool:
    """Whether one value is a least and the other a largest one (以上, 以下)."""
    return claimed.bound is not None and held.bound is not None and claimed.bound != held.bound


_ALIKE = (
    frozenset(["second", "workday", "tradeday", "month"]),
    frozenset("元 美元 欧元 港元 日元 英镑 台币 韩元".split()),
    frozenset(["share", "point"]),
)
_ANY = frozenset(["n", "个"])
_NAKED = frozenset(["n", *COUNTS])


def _same(claimed: Sequence[Reading], held: Sequence[Reading], years: frozenset[int]) -> bool:
    return any(
        _same_dimension(one, other) and _same_amount(amount, held_amount, years)
        for one, amount in claimed
        for other, held_amount in held
    )


def _same_dimension(one: str, other: str) -> bool:
    return one == other or ({one, other} & {"n", "个"} and {one, other} <= _NAKED) or (one == "naked" and other != "code")


def _same_amount(claimed: Amount, held: Amount, years: frozenset[int]) -> bool:
    if not isinstance(claimed, tuple) or not isinstance(held, tuple):
        return claimed == held
    shared = False
    for place, (one, other) in enumerate(zip(claimed, held, strict=True)):
        if one is None:
            continue
        if other is None:
            if place == 0 and one in years:
                continue
            return False
        if one != other:
            return False
        shared = True
    return shared


def _shape(code: str) -> str:
    return re.sub(r"\d", "0", code)


def _single(text: str) -> Iterator[Value]:
    for match in _VALUE.finditer(text):
        readings = tuple(_readings(match, text))
        if readings:
            yield Value(match.start(), match.end(), match.group(), readings, per=_per(text, match))
        else:  # a number that cannot be understood must still be the same
            yield from (
                Value(match.start() + digits.start(), match.start() + digits.end(), digits.group(), (("code", digits.group()),))
                for digits in re.finditer(r"\d+", match.group())
            )


def _readings(match: re.Match[str], text: str) -> Iterator[Reading]:
    kind, found = match.lastgroup or "", match.groupdict()
    kind = next(name for name in _KINDS if found[name] is not None)
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


_KINDS = (
    "ymd ym date md mdy dmy standard code digits clock ordinal article weekday percent fraction ratio halfunit quantity".split()
)


def _date(found: dict[str, str | None]) -> Iterator[Reading]:
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


def _clock(found: dict[str, str | None]) -> Iterator[Reading]:
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


def _percent(found: dict[str, str | None]) -> Iterator[Reading]:
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


def _quantity(found: dict[str, str | None], match: re.Match[str], text: str) -> Iterator[Reading]:
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


def _per(text: str, match: re.Match[str]) -> tuple[str, Fraction] | None:
    if match["quantity"] is None:
        return None
    behind = _PER.match(text, match.end())
    before = None if behind else _EVERY.search(text[max(0, match.start() - 9) : match.start()])
    found = behind or before
    if found is None:
        return None
    unit = _PER_UNIT.findall(found.group())[-1]
    return UNITS[{"月": "个月", "季": "个季度"}.get(unit, unit)]


def _joined(text: str, found: list[Value]) -> Iterator[Value]:
    """Two values with a joint between them are one range; the first takes the unit of the second."""
    at = 0
    while at < len(found):
        low = found[at]
        high = found[at + 1] if at + 1 < len(found) else None
        at += 1
        if high is None or not _JOINT.fullmatch(text[low.end : high.start]):
            yield low
            continue
        if {"date"} & low.dimensions & high.dimensions and "n" not in low.dimensions and "second" not in high.dimensions:
            yield low
            continue
        naked = next((amount for dimension, amount in low.readings if dimension == "n"), None)
        units = [UNITS.get(_unit_of(high.text), (dimension, Fraction(1))) for dimension, _ in high.readings]
        if "date" in low.dimensions and "second" in high.dimensions:  # 3月1日至5日
            (_, first), day = low.readings[0], next(a for d, a in high.readings if d == "date")
            yield low
            yield replace(high, readings=(("date", (*first[:2], day[2])),)) if isinstance(first, tuple) else high  # type: ignore[index]
        elif naked is not None and isinstance(naked, Fraction) and "date" in high.dimensions and low.end - low.start == 4:
            yield low
            yield high
        elif naked is not None and isinstance(naked, Fraction):
            readings = tuple(
                (dimension, naked * (unit[1] if unit[0] == dimension else 1) / (100 if "%" in high.text else 1))
                if not isinstance(amount, tuple)
                else (dimension, (None, int(naked), None))
                for (dimension, amount), unit in zip(high.readings, units, strict=True)
                if dimension != "naked"
            )
            yield Value(low.start, high.end, text[low.start : high.end], readings, high.readings, per=high.per)
        elif comparable(low, high):
            yield Value(low.start, high.end, text[low.start : high.end], low.readings, high.readings, per=high.per)
        else:
            yield low
            continue
        at += 1


def _unit_of(written: str) -> str:
    return re.sub(rf"^{NUMBER}\s?", "", written)


def _bounded(text: str, found: Iterator[Value]) -> Iterator[Value]:
    for value in found:
        before = text[max(0, value.start - 16) : value.start]
        bound: Bound | None = None
        if _DOWN_BEFORE.search(before):
            bound = "down"
        elif _UP_BEFORE.search(before):
            bound = "up"
        elif _DOWN_BEHIND.match(text, value.end):
            bound = "down"
        elif _UP_BEHIND.match(text, value.end):
            bound = "up"
        yield replace(value, bound=bound) if bound else value


def _english(match: re.Match[str]) -> str:
    tens, ones, scale = match.groups()
    if tens == "one" and not scale and not _ONE_OF.match(match.string, match.start()):
        return match.group()
    number = (_ENGLISH_NUMBERS[tens] + (_ENGLISH_NUMBERS[ones] if ones else 0)) * _SCALES.get(scale or "", 1)
    return str(number)
