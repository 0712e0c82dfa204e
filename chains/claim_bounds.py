"""Whether a number of the claim has the bound that it has in the evidence: 不超过, 最多…领取两份, 约, 近, 以上."""

import re
from collections.abc import Sequence

from youju.chains.claim_case import Case, short
from youju.chains.claim_denials import Fault
from youju.chains.support import Statement
from youju.chains.values import Value, agree

_NOT = r"(?:不(?:得|应|能|可|准|许|会)?|未|没有?|no |not )"
_FAR = r"[^,;:。!?()]{0,10}"
"""What may stand between a bound and its number: 最多可领取两份."""
_NEAR = r"(?:了|过|为|到|达|出)?\s?"
_DOWN_BEFORE = (
    rf"(?:{_NOT}(?:超过|超出|(?:高|多|大|长|晚|迟)于|逾|more than |later than |exceed(?:ing)? )|不足|不满|不到"
    rf"|(?<![不未没])(?<!不[得应能可])(?:低|少|小|短)于"
    rf"|up to |at most |(?<!no )(?<!not )(?:less|fewer) than |under |below |\bmaximum(?: of)? |[<≤]){_NEAR}$"
    rf"|(?:最多|至多|最[高长大]可|封顶){_FAR}$"
)
_UP_BEFORE = (
    rf"(?:{_NOT}(?:(?:少|低|小|短|早)于|less than |fewer than )|(?<!{{NOT}})(?:超过|超出|(?:高|多|大|长)于|逾|突破)"
    rf"|(?<!no )(?<!not )more than |over |above |exceed(?:s|ed|ing)? |[>≥]){_NEAR}$"
    rf"|(?:至少|最少|起码|最低(?=需|须|要)|at least |minimum of ){_FAR}$"
).replace("(?<!{NOT})", r"(?<![不未得能可没])")
_ABOUT_BEFORE = (
    r"(?:约|大约|大概|近(?![年期日])|将近|接近|差不多|几近|\babout |\baround |\bapproximately |\broughly "
    r"|\bnearly |\balmost )"
    r"(?:为|有|占|达)?\s?$"
)
_BEHIND = r"\s?(?:\([^()]{0,6}\)|人民币)?"
_BEFORE = {
    "down": re.compile(_DOWN_BEFORE),
    "up": re.compile(_UP_BEFORE),
    "about": re.compile(_ABOUT_BEFORE),
}
_AFTER = {
    "down": re.compile(rf"{_BEHIND}(?:及?以下|以内|之内|为限|or less|or fewer)"),
    "up": re.compile(rf"{_BEHIND}(?:及?以上|开外|or more|or above)"),
    "about": re.compile(rf"{_BEHIND}(?:左右|上下|or so)"),
}
_KEPT = {
    "down": re.compile(
        r"不[得应能可准许会]*(?:超|高于|多于|大于|长于|晚于|逾)|未超|不[足满到]|[低少小短]于|[最至]多"
        r"|最[高长大迟晚]|上限|限|期|以[内下]|之?内|前|封顶|范围"
        r"|within|maximum|limit|at most|up to|less|fewer|under|below|no more|not exceed|cap"
    ),
    "up": re.compile(
        r"[不未][得应能可]*(?:少|低|小|短|早)于|[至最]少|最低|最短|下限|起|门槛|满|以上|超|[高多大长]于|逾|突破|[余多]"
        r"|minimum|at least|more|over|above|exceed|floor|threshold"
    ),
    "about": re.compile(
        r"约|大概|近|接近|差不多|左右|上下|[余多]|估|预[计测]|几[乎近]|about|around|approx|rough|near|almost|some"
        r"|over|more"
    ),
}
_HINT = re.compile(r"[不未没大约近接差几最至起低高少多长短超逾突封以之为左上开]|[a-z<>≤≥]")
"""A character of each bound: most numbers have none beside them."""
_AND_MORE = re.compile(r"[\d一二三四五六七八九十百千万亿][余多]")
_EXACT = re.compile(r"正好|恰好|刚好|整整|恰为|准确|\bexactly\b|\bprecisely\b")
_BEYOND = re.compile(rf"(?<![不未得能可没])(?:超过|超出|突破|多于|more than |over ){_NEAR}$")
_SIDES = {"down": "up", "up": "down"}


def unbounded(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """A number of a clause that the evidence says with a bound, or as about right, and the claim without or turned."""
    for value in case.values(start, end):
        if {"date", "clock", "code"} & value.dimensions or value.high:
            continue
        held = [(one, other) for one in chosen for other in one.values if agree(value, other)]
        kinds = [(one, other, _bounds(one.text, other)) for one, other in held]
        if not kinds or any(not kind for _, _, kind in kinds):
            continue
        own = _bounds(case.claim.text, value)
        faults = [_fault(case, value, own, (start, end), one, other, kind) for one, other, kind in kinds]
        if all(faults):
            return faults[0]
    return None


def _fault(
    case: Case,
    value: Value,
    own: frozenset[str],
    clause: tuple[int, int],
    statement: Statement,
    other: Value,
    kinds: frozenset[str],
) -> Fault | None:
    said = short(_quoted(statement.text, other))
    claimed = short(_quoted(case.claim.text, value))
    for kind in sorted(kinds):
        turned = _SIDES.get(kind) in own and kind not in own
        exact = _EXACT.search(case.claim.text, *clause) is not None
        beyond = kind == "about" and _BEYOND.search(case.claim.text[: value.start]) is not None
        if turned or exact or beyond:
            return f"资料{statement.n} 写的是“{said}”，不是“{claimed}”", True
    for kind in sorted(kinds):
        kept = _KEPT[kind]
        if own or kept.search(case.claim.text, *clause) or kept.search(case.asked.text):
            return None
    if "down" not in kinds and case.asked.text and not [word for word in case.claim.words if word.weight > 0.5]:
        return None  # asked how many, it is enough to name the number
    return f"资料{statement.n} 写的是“{said}”，回答没有这样写", False


def _quoted(text: str, value: Value) -> str:
    first = max(text.rfind(mark, 0, value.start) for mark in ",;:。!?") + 1
    return text[max(first, value.start - 10) : value.end + 2].strip(",;:。!?()")


def _bounds(text: str, value: Value) -> frozenset[str]:
    """How a number is bounded: by words right beside it, or before it in its clause with no other number between."""
    before = text[max(0, value.start - 20) : value.start]
    found: set[str] = set()
    if _HINT.search(before):
        found |= {kind for kind, pattern in _BEFORE.items() if pattern.search(before)}
    if _HINT.search(text, value.end, value.end + 12):
        found |= {kind for kind, pattern in _AFTER.items() if pattern.match(text, value.end)}
    if _AND_MORE.search(value.text):
        found.add("about")
    return frozenset(found)
