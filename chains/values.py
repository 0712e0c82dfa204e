"""The values that a text states, read for comparing: quantities, dates, times, shares, ordinals, identifiers.

Two spellings of one value are equal: 一百二十万 and 1,200,000, 十五日 and 15天, 下午3点 and 15:00, 九折 and 90%. Texts
are folded first (`folded`), and places are places in the folded text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from string import ascii_letters
from typing import Literal

from youju.analyzer import simplified
from youju.analyzer_numbers import LONGEST, NUMBER, without_group_marks
from youju.cached import cached
from youju.chains.values_digits import with_everyday_digits
from youju.chains.values_pattern import VAGUE, VALUE
from youju.chains.values_reading import MAY_BE_RATE, Amount, Reading, per, readings
from youju.chains.values_units import COUNTS, UNITS
from youju.text import HAN, fold

Bound = Literal["up", "down"]


@dataclass(unsafe_hash=True)  # not frozen, to be made faster
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

    @cached
    def dimensions(self) -> frozenset[str]:
        """What it measures, in any of its readings."""
        return frozenset([dimension for dimension, _ in self.readings])

    @cached
    def like(self) -> frozenset[str] | None:
        """What a value must measure to be like it; None for any."""
        return self.dimensions | _UNITLESS if self.dimensions.isdisjoint(_UNITLESS) else None

    @cached
    def kinds(self) -> frozenset[str]:
        """The same, its upper end included."""
        return kinds_of([self]) if self.high else self.dimensions


_TEXT_OF_A_NUMBER = re.compile(rf"\d+|\D{{{LONGEST},}}")
_UNIT_BEHIND = re.compile(rf"^{NUMBER}\s?")
_JOINT = re.compile(r"\s?(?:-{1,2}|~|至|到|to)\s?")
_LEAD = r"\s?(?:为|了|是|可?达到?|到|至)?$"
_NOT = r"(?:不[得应能可]?|未|没有)"
_BEFORE = re.compile(  # the one that begins first: 不少于 ends in 少于
    r"(?=[不未没至最低少小短早高大多长晚起超已满达逾自从a-z≥≧≤≦<>])(?:"
    rf"(?P<not_less>{_NOT}(?:少|低|小|短|早)于|(?:no|not) (?:less|fewer|earlier) than|[≥≧])"
    rf"|(?P<not_more>{_NOT}(?:超过|超出|(?:高|大|多|长|晚|迟)于|达到?|到|满|足)|(?:no|not) (?:more|later) than"
    r"|not exceed(?:ing)?|[≤≦])"
    r"|(?P<most>(?:至多|最多|最高|最长|最迟|最晚)(?:可以?|能)?(?:达到?|到)?|(?:低|少|小|短|早)于"
    r"|at most|up to|less than|under|below|within|before|maximum(?: of)?|by|<)"
    r"|(?P<least>至少|最少|最低|起码|超过|超出|(?:高|大|多|晚)于|已?满|达到?|逾|自|从|at least|more than|over|above"
    rf"|exceed(?:s|ing)?|after|from|minimum(?: of)?|>)){_LEAD}"
)
_BOUNDS: dict[str, Bound] = {"not_less": "up", "not_more": "down", "most": "down", "least": "up"}
_FALLING = re.compile(r"(?:下降|减少|降低|下滑|下跌|亏损|流出|降幅|跌幅|负增长|跌|降)(?:额|率)?(?:了|约|为|:|达到?)?$")
_UP_BEHIND = re.compile(r"\s?(?:\([^()]{0,6}\))?(?:及?以上|以后|之后|后|起|开外|or more|or above|later|after)")
_DOWN_BEHIND = re.compile(r"\s?(?:\([^()]{0,6}\))?(?:及?以下|以内|之内|内|以前|之前|前|封顶|为限|or less|or fewer)")
_ENGLISH_NUMBERS = {
    name: number
    for number, name in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen"
        " eighteen nineteen twenty".split()
    )
} | {name: 10 * tens for tens, name in enumerate("thirty forty fifty sixty seventy eighty ninety".split(), 3)}
_ENGLISH = re.compile(
    rf"\b({'|'.join(sorted(_ENGLISH_NUMBERS, key=len, reverse=True))})(?:[- ](one|two|three|four|five|six|seven"
    rf"|eight|nine))?\b"
    r"(?:\s(hundred|thousand|million))?(?:\s?\(\d+\))?"
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6}
_ONE_OF = re.compile(
    r"one (?!of\b)(?=(?:year|month|week|day|hour|minute|second|business|working|time|hundred|thousand)\b)"
)
_NARROW = {code + 0xFEE0: code for code in map(ord, "0123456789" + ascii_letters)}
_WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ]")
_DECORATION = re.compile(r"\*\*|__|~~|`|^\s*(?:(?:#{1,6}|>|[-*+•●▪◆])\s+)+", re.MULTILINE)
_DECORATES = re.compile("[*_~`#>+•●▪◆-]")  # most sentences have none
_BESIDE = rf"[{HAN}，。、；：！？,;:!?（）()“”]"
_GROUPED, _CENTS = r"\d{1,3}(?:[,，]\d{3})+(?:[.．]\d+)?", r"\d+[.．]\d{2}"
_IN_BRACKETS = re.compile(  # (4,648,986.52), as accounts write what is below zero
    rf"((?:^|[:：|\t]|[^\S\n]{{2,}})[^\S\n]*(?=[(（](?:{_GROUPED}|{_CENTS})[)）])|(?<=\s)(?=[(（]{_GROUPED}[)）]))"
    rf"[(（]({_GROUPED}|{_CENTS})[)）](?=\s|$|[|;；,，。%])",
    re.MULTILINE,
)
_BLANK = re.compile(rf"(?<={_BESIDE})\s+|\s+(?={_BESIDE})")


_SPACE = re.compile(r"\s")


def folded(text: str) -> str:
    """A text for comparing.

    Width, case and script are folded; decoration of Markdown and blanks beside Han characters are gone; 1,200,000 is
    written 1200000, and `seven` 7.
    """
    return _closed_up(simplified(fold(_undecorated(text))))


def folded_all(texts: Sequence[str]) -> list[str]:
    """Several texts, each as `folded` makes it; sooner, as one text."""
    plain = [_undecorated(text) for text in texts]
    same = simplified(fold("\n".join(plain))).split("\n")
    if len(same) != len(plain):  # some have lines
        same = [simplified(fold(text)) for text in plain]
    return [_closed_up(text) for text in same]


def _undecorated(text: str) -> str:
    """A text without decoration and marks of groups of digits."""
    plain = with_everyday_digits(text)
    plain = narrow(_DECORATION.sub("", plain) if _DECORATES.search(plain) else plain)
    if "(" in plain or "（" in plain:
        plain = _IN_BRACKETS.sub(r"\1-\2", plain)
    return without_group_marks(without_group_marks(plain)) if "," in plain else plain


def _closed_up(text: str) -> str:
    """A folded text without blanks beside Han characters and with English numbers as digits."""
    text = text.strip()
    if _SPACE.search(text):
        text = _BLANK.sub("", text)
    return _ENGLISH.sub(_english, text) if text.isascii() or "e" in text else text


def narrow(text: str) -> str:
    """A text of the same length with letters and digits of full width as plain ones."""
    return text.translate(_NARROW) if _WIDE.search(text) else text


def values(text: str) -> list[Value]:
    """The values of a folded text, in order.

    What is said of them right beside them (以上, 不超过, /月) belongs to them; 下降3% is -3% as well. Vague numbers and
    articles (几天, 一个) are no values.
    """
    return list(_bounded(text, _joined(text, _single(text))))


def agree(claimed: Value, held: Value, years: frozenset[int] = frozenset()) -> bool:
    """Whether a held value is the claimed one.

    Args:
        claimed: The value that is to be proved.
        held: A value of the evidence.
        years: The years that stand around the held value, for a date of which only month and day are written.
    """
    if measure_others(claimed, held.kinds) or (claimed.per and held.per and claimed.per != held.per):
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
    if not loosely and measure_others(claimed, held.kinds):
        return False
    for one, amount in claimed.readings:
        for other, held_amount in held.readings:
            alike = (
                one == other
                or ("个" in {one, other} and {one, other} <= COUNTS)
                or (loosely and any(one in group and other in group for group in _ALIKE))
            )
            if alike and _rival_amounts(one, amount, held_amount):
                return True
    return False


def kinds_of(held: Sequence[Value]) -> frozenset[str]:
    """What some values measure, upper ends included."""
    return frozenset([dimension for value in held for dimension, _ in (*value.readings, *value.high)])


def measure_others(claimed: Value, kinds: frozenset[str]) -> bool:
    """Whether a value is surely none of values that measure this (`kinds_of`), told fast."""
    return claimed.like is not None and claimed.like.isdisjoint(kinds)


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
_UNITLESS = frozenset(["n", "naked", "个"])
_NAKED = frozenset(["n", *COUNTS])


def _same(claimed: Sequence[Reading], held: Sequence[Reading], years: frozenset[int]) -> bool:
    for one, amount in claimed:
        for other, held_amount in held:
            if _same_dimension(one, other) and _same_amount(amount, held_amount, years):
                return True
    return False


def _same_dimension(one: str, other: str) -> bool:
    return (
        one == other or ({one, other} & {"n", "个"} and {one, other} <= _NAKED) or (one == "naked" and other != "code")
    )


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


def _single(text: str) -> list[Value]:
    vague = list(VAGUE.finditer(text)) if "几" in text or "数" in text else []
    found = [_vague(match) for match in vague]
    rates = MAY_BE_RATE.search(text) is not None
    for match in VALUE.finditer(text):
        if match.end() - match.start() == 1 and not match.group().isascii() and not text.startswith("月", match.end()):
            continue  # a numeral of one character alone, as in 一起, is no value
        if vague and any(match.start() < other.end() and other.start() < match.end() for other in vague):
            continue
        if read := readings(match, text):
            found.append(Value(*match.span(), match.group(), read, per=per(text, match) if rates else None))
        else:
            found += _unread(match)
    return sorted(found, key=lambda value: value.start) if vague else found


def _vague(match: re.Match[str]) -> Value:
    """数十天, which no exact number is."""
    dimension, factor = UNITS[match["unit"]]
    number = re.sub("[数好]", "几", match["number"])
    return Value(match.start(), match.end(), match.group(), ((dimension, f"{number} {factor}"),))


def _unread(match: re.Match[str]) -> list[Value]:
    """A number that cannot be understood must still be the same."""
    return [
        Value(match.start() + digits.start(), match.start() + digits.end(), digits.group(), (("code", digits.group()),))
        for digits in _TEXT_OF_A_NUMBER.finditer(match.group())
    ]


def _joined(text: str, found: Sequence[Value]) -> Iterator[Value]:
    """Two values with a joint between them are one range; the first takes the unit of the second."""
    waiting: Value | None = None
    for value in found:
        if waiting is None:
            waiting = value
        elif _JOINT.fullmatch(text[waiting.end : value.start]):
            yield from _range(text, waiting, value)
            waiting = None
        else:
            yield waiting
            waiting = value
    if waiting is not None:
        yield waiting


def _range(text: str, low: Value, high: Value) -> Iterator[Value]:
    """A range as one value; dates stay two, and what belongs not together too."""
    whole = replace(low, end=high.end, text=text[low.start : high.end], high=high.readings, per=high.per)
    first_date = next((amount for _, amount in low.readings if isinstance(amount, tuple)), None)
    day = next((amount[2] for _, amount in high.readings if isinstance(amount, tuple)), None)
    naked = next((amount for name, amount in low.readings if name == "n" and isinstance(amount, Fraction)), None)
    if first_date is not None and day is not None and "second" in high.dimensions:  # 3月1日至5日
        yield low
        yield replace(high, readings=(("date", (*first_date[:2], day)),))
    elif first_date is not None and "date" in high.dimensions:
        yield low
        yield high
    elif naked is not None:
        yield replace(whole, readings=tuple(_with_unit_of(high, naked)))
    elif comparable(low, high):
        yield whole
    else:
        yield low
        yield high


def _with_unit_of(high: Value, number: Fraction) -> Iterator[Reading]:
    factor = UNITS.get(_UNIT_BEHIND.sub("", high.text), ("", Fraction(1)))[1]
    for dimension, amount in high.readings:
        if isinstance(amount, tuple):
            yield dimension, (None, int(number), None)
        elif dimension == "share":
            yield dimension, number / 100
        elif dimension != "naked":
            yield dimension, number * factor


def _bounded(text: str, found: Iterator[Value]) -> Iterator[Value]:
    """Values, just read, with what is said of them right beside them."""
    for value in found:
        before = text[max(0, value.start - 16) : value.start]
        said = _BEFORE.search(before)
        bound = _BOUNDS[said.lastgroup or ""] if said else None
        if bound is None and _DOWN_BEHIND.match(text, value.end):
            bound = "down"
        elif bound is None and _UP_BEHIND.match(text, value.end):
            bound = "up"
        if _FALLING.search(before):
            below = tuple(
                (name, -amount) for name, amount in value.readings if isinstance(amount, Fraction) and amount > 0
            )
            value.readings = (*value.readings, *below)
        value.bound = bound
        yield value


def _english(match: re.Match[str]) -> str:
    tens, ones, scale = match.groups()
    if tens == "one" and not scale and not _ONE_OF.match(match.string, match.start()):
        return match.group()
    number = (_ENGLISH_NUMBERS[tens] + (_ENGLISH_NUMBERS[ones] if ones else 0)) * _SCALES.get(scale or "", 1)
    return str(number)
