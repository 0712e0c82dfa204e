"""What a claim adds to a value that its evidence gives plainly: a bound, a part of a month or year, a rate."""

import re
from fractions import Fraction

from youju.chains.support import Statement
from youju.chains.values import Value

_NOT = r"(?<![不没未])(?<!不得)(?<!不能)(?<!不会)(?<!没有)"
_BEFORE = re.compile(
    rf"(?P<word>不足|不到|[未不]满|不止|{_NOT}(?:超过|超出|突破|(?:高|低|多|少|大|小|长|短)于|逾))\s?(?:了|为)?$"
)
_BEHIND = re.compile(r"(?:及|或)?(?:以[上下]|开外|有余|之?多(?=[,。;!?]|$))")
_BEFORE_OR_AFTER = re.compile(r"(?:以前|之前|前|以后|之后|后)(?![一-九往来期半者台列景])")
_BOUND = re.compile(
    r"最|至[少多]|[不未没][到足满得超高低多少大小长短]|[超逾余近限约满达起内前后止至自从到]|[高低多少大小长短早晚]于|以[上下]|之间|开外|封顶|截|生效|有效|开始"
)
_AROUND = 14  # characters on each side of a value in which its bound is looked for
_MONTH_PARTS = {"上旬": (1, 10), "初": (1, 10), "中旬": (11, 20), "下旬": (21, 31), "底": (21, 31), "末": (21, 31)}
_YEAR_PARTS = {"初": (1, 3), "上半年": (1, 6), "下半年": (7, 12), "底": (10, 12), "末": (10, 12)}
_PART = re.compile(r"(?:的)?(上旬|中旬|下旬|上半年|下半年|初|底|末)")
_PERIODS: dict[tuple[str, int], str] = {
    ("second", 60): "分钟|每分",
    ("second", 3600): "时(?![间候长期])|钟头",
    ("second", 86400): "天|日(?!期)",
    ("second", 604800): "周|星期|礼拜",
    ("month", 1): "月",
    ("month", 3): "季",
    ("month", 12): "年(?![龄级])",
}


def added(claim: Statement, value: Value, held: Statement, given: Value) -> str | None:
    """What a claim says of a value, where its evidence says less.

    Args:
        claim: The claim.
        value: The value in it.
        held: The statement of the evidence that has the value.
        given: The value there.

    Returns:
        The claim's words, such as 超过10天 for 10天; None where it adds nothing.
    """
    before, behind = claim.text[max(0, value.start - 8) : value.start], claim.text[value.end : value.end + 4]
    part = _PART.match(behind)
    if part and _adds_a_part(value, part[1], held, given):
        return value.text + part.group()
    if value.per and not given.per and not _names_a_period(value.per, held):
        return claim.text[max(0, value.start - 2) : value.end + 2].strip(",;:。!?为是了")
    if "clock" in value.dimensions and {value.text[:2], given.text[:2]} == {"凌晨", "上午"}:
        return value.text
    lead, trail = _BEFORE.search(before), _BEHIND.match(behind)
    if trail is None and value.dimensions & {"date", "clock"}:
        trail = _BEFORE_OR_AFTER.match(behind)
    if value.text[-1:] in {"余", "多"} or re.search(r"\d[余多]", value.text):
        trail = trail or re.match("", behind)
    if (lead is None and trail is None) or given.bound or given.high or value.high:
        return None
    around = held.text[max(0, given.start - _AROUND) : given.end + _AROUND]
    if _BOUND.search(around):
        return None
    return (lead["word"] if lead else "") + value.text + (trail.group() if trail else "")


def _adds_a_part(value: Value, name: str, held: Statement, given: Value) -> bool:
    """Whether a claim says 5月底 of 5月1日, or 2024年初 of 2024年9月."""
    claimed = next((amount for _, amount in value.readings if isinstance(amount, tuple)), None)
    stands = next((amount for _, amount in given.readings if isinstance(amount, tuple)), None)
    if claimed is None or stands is None or claimed[2] is not None:
        return False
    of_month = claimed[1] is not None
    within = (_MONTH_PARTS if of_month else _YEAR_PARTS).get(name)
    if within is None or name in held.text:
        return False
    place = stands[2] if of_month else stands[1]
    return place is None or not within[0] <= place <= within[1]


def _names_a_period(period: tuple[str, Fraction], held: Statement) -> bool:
    """Whether evidence speaks of a time like the one that a rate is for (年假, for 每年), other than in its values."""
    pattern = _PERIODS.get((period[0], int(period[1])))
    if pattern is None:
        return True
    text = held.text
    for one in reversed(held.values):
        text = text[: one.start] + text[one.end :]
    return re.search(pattern, f"{text}。{held.context}。{held.before}") is not None
