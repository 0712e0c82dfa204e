"""Which units of the evidence answer a part of a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from youju.models.extractive_reading import Unit
from youju.models.extractive_scoring import Score, Scorer
from youju.models.questions import Part

_ENOUGH = {
    "value": 0.92,
    "yes_no": 0.9,
    "how": 0.92,
    "list": 0.9,
    "define": 1.0,
    "compare": 0.92,
    "money": 0.85,
    "length": 0.88,
    "year": 0.9,
    "month": 0.9,
    "clock": 0.85,
    "day": 0.9,
    "date": 0.88,
    "contact": 0.7,
    "share": 0.9,
    "people": 0.9,
    "number": 0.92,
    "name": 0.9,
    "person": 0.98,
    "reason": 0.8,
    "place": 1.0,
}
"""What must be reached for an answer, by the kind of value or the form of the question; the share of what is asked that
a unit holds with all around it counts, with a part of what it holds with its headings, and how far it leads. Chosen on
half of several public question sets, where nothing answers and where something does."""
_OF_HEADINGS = 0.3
_OF_LABEL = 0.1
_OWN = 0.15
_ABOVE = 0.5
"""What a unit must hold of what is asked, by its own words or with its headings."""
_FOCUS = 0.4
_COVERS = 0.6
"""What a value's unit must hold of the words beside the one that asks, or of all."""
_WIDEST_MARGIN = 0.3
_LIKE = 0.03
"""Scores this near are alike: rows of one table, items of one list that answer equally."""
_MOST_SENTENCES = 3
_MOST_ITEMS = 12
_MOST_STEPS = 8
_TITLE_SHARE = 0.3
"""The share of what is asked that a heading must hold for all below it to be the answer to how something is done."""
_WORTH_ADDING = 0.15

_DATES = re.compile(
    r"(?:19|20)\d{2}\s*年(?:度|\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?|\d{1,2}月\d{1,2}日|第[\d一二三四五六七八九十]+"
)
_YEARS = re.compile(r"(?:19|20)\d{2}\s*年")
_NOT_COUNTED = re.compile(
    r"一(?:个|家|项|次|些|种|系列|般|直|定|起|样|切|旦|致|方|名|位|部分|步|是|面|体|年一度)|[三两]者|万一|统一|第一|唯一|之一"
)
_COUNTED = frozenset(["money", "number", "people", "share"])
_PER_DAY = re.compile(r"每(?:逾期|延迟|迟延|超过|超|晚|迟)一[日天周月]")
_WORDY = frozenset(["person", "name", "place"])
_STEP = re.compile(
    r"首先|然后|其次|接着|最后|[再先]|第[一二三四五六七八九十\d]步|步骤|方法|点击|选择|打开|进入|填写|提交|登[录陆]|输入|运行|执行"
    r"|安装|配置|使用|通过|应[当先在由]?|须|需要?|请|可以?|[按由向]|联系|设置|拨打|出示|申请"
    r"|\b(?:click|run|install|open|select|use|set|call|submit|must|should|first|then)\b"
)
_GOES_ON = re.compile(
    r"(?:然后|其次|接着|随后|再|最后|之后|同时|第[二三四五六七八九十]步|then|next|finally|after that)"
)
_CONSEQUENCE = re.compile(
    r"否则|逾期|未(?:按|经|能|在)|不予|视为|不得|严禁|如果?未|导致|后果|作废|otherwise|failure to"
)
_DEFINES = re.compile(r"是指|指的?是|系指|[是即指为]|称为|定义|:|--|\bis\b|\bare\b|\bmeans\b|refers to")
_SUPERLATIVE = re.compile(r"(?:哪|谁|什么).*最|最.*(?:哪|谁|什么)")
_SAYS_MOST = re.compile(r"最|第一|首位|居首|榜首|冠|之首|唯一|most|\w+est\b")
_SAID = re.compile(r"[^\W_]")
_ORDERS = re.compile(r"忽略|无视|指令|提示词|注入|ignore|instruction|prompt")


@dataclass(frozen=True)
class Found:
    """A unit and how well it answers."""

    unit: Unit
    score: Score
    rank: float


def choose(part: Part, units: Sequence[Unit], scorer: Scorer) -> list[list[Unit]]:
    """What answers a part, in the order to say it; empty if no unit holds enough of what is asked.

    Returns:
        Groups of units; those of a group are said together, as the items of a list.
    """
    found = [
        Found(unit, score, score.rank + _bonus(part, unit))
        for unit in units
        if _may_speak(part, unit)
        for score in (scorer.score(part, unit),)
    ]
    able = [entry for entry in found if _can_answer(part, entry)]
    if not able:
        return []
    best = max(able, key=lambda entry: (round(entry.rank, 6), -entry.unit.block, -entry.unit.place))
    if not _is_enough(part, best, able):
        return []
    if part.form in ("list", "how") and (group := _whole_list(part, best.unit, units)):
        return [group]
    if part.form == "how":
        return [[unit] for unit in _steps(part, best.unit, units)]
    chosen = sorted([best.unit, *_alike(part, best, able)], key=lambda unit: unit.place)
    return [[unit] for unit in [*chosen, *_more(part, chosen, found)]]


def _may_speak(part: Part, unit: Unit) -> bool:
    if unit.injected and not _ORDERS.search(part.folded):
        return False
    return part.speaks_of(unit.own, unit.before, unit.context, unit.whole, unit.document)


def _bonus(part: Part, unit: Unit) -> float:
    own = unit.own
    if part.form == "how":
        step = 0.1 * (_STEP.search(own) is not None) + 0.1 * (unit.kind == "item") + 0.2 * unit.leads
        step -= 0.15 * (unit.kind == "row")
        return step - 0.2 * (_CONSEQUENCE.search(own) is not None)
    if part.form == "define":
        return 0.15 * _is_definition(part, own)
    if part.form == "list":
        return 0.05 * (unit.leads or own.count("、") > 1)
    return 0.0


def _is_definition(part: Part, own: str) -> bool:
    for term in part.words:
        at = own.find(term.text)
        if at >= 0 and _DEFINES.search(own, at + len(term.text), at + len(term.text) + 14):
            return True
    return False


def _can_answer(part: Part, entry: Found) -> bool:
    unit = entry.unit
    if not entry.score.label and entry.score.own < _OWN and entry.score.under < _ABOVE:
        return False
    if part.kind is not None and entry.score.focus < _FOCUS and entry.score.under < _COVERS:
        return False
    if unit.leads and part.form not in ("list", "how"):
        return False
    if (unit.kind == "code" and part.form != "how") or not _adds(part, unit.own):
        return False
    if unit.kind == "row" and any(term.matters and not term.held(unit.document) for term in part.words):
        return False  # a row about another one of its like
    if _SUPERLATIVE.search(part.folded) and not _SAYS_MOST.search(unit.own):
        return False
    if entry.score.label and part.kind is not None and part.kind.name in _WORDY:
        return True
    return holds_value(part, unit.own)


def _adds(part: Part, own: str) -> bool:
    """Whether a unit says more than the words of the question, as a bare heading does not."""
    for word in part.words:
        own = own.replace(word.text, "")
    return len(_SAID.findall(own)) > 1


def _is_enough(part: Part, best: Found, able: Sequence[Found]) -> bool:
    others = [
        entry.rank for entry in able if entry.unit.own != best.unit.own and not _in_one_group(entry.unit, best.unit)
    ]
    margin = min(_WIDEST_MARGIN, best.rank - max(others)) if others else _WIDEST_MARGIN / 2
    score = best.score
    sure = score.all + _OF_HEADINGS * score.under + max(0.0, margin) + _OF_LABEL * score.label
    return sure >= _ENOUGH[part.kind.name if part.kind is not None else part.form]


def holds_value(part: Part, own: str) -> bool:
    """Whether a unit holds a value of the kind asked for, besides those that the question names itself."""
    if part.kind is None:
        return True
    if part.kind.name in _COUNTED:
        own = _NOT_COUNTED.sub(" ", (_DATES if "第几" not in part.folded else _YEARS).sub(" ", own))
    if part.kind.name == "length":
        own = _PER_DAY.sub(" ", own)
    if part.kind.name in _WORDY:
        for term in part.words:
            own = own.replace(term.text, " ")
    for value in re.findall(r"\d[\d.,]*", part.folded):
        own = own.replace(value, " ")
    return part.kind.held.search(own) is not None


def _in_one_group(one: Unit, other: Unit) -> bool:
    return one.group > 0 and (one.block, one.group) == (other.block, other.group)


def _alike(part: Part, best: Found, able: Sequence[Found]) -> list[Unit]:
    """Rows of the same table, or items of the same list, that answer as well: each states a case of its own."""
    if part.form == "yes_no":
        return []
    return [
        entry.unit
        for entry in able
        if entry.unit is not best.unit
        and _in_one_group(entry.unit, best.unit)
        and abs(entry.score.own - best.score.own) <= _LIKE
        and abs(entry.score.all - best.score.all) <= _LIKE
    ][: _MOST_ITEMS - 1]


def _whole_list(part: Part, best: Unit, units: Sequence[Unit]) -> list[Unit]:
    """The list that the best unit leads to or stands in, if what stands over it is what is asked for."""
    if best.leads:
        behind = next((unit for unit in units if unit.block == best.block and unit.place == best.place + 1), None)
        if behind is None or not behind.group:
            return []
        return [best, *_of_group(behind, units)][: _MOST_ITEMS + 1]
    if best.group and best.kind in ("item", "row"):
        items = _of_group(best, units)
        own, over = part.coverage(best.own), part.coverage(best.section)
        if len(items) > 1 and over >= 0.5 and over >= own:
            before = next(
                (u for u in units if u.block == best.block and u.place == items[0].place - 1 and u.leads), None
            )
            return [*filter(None, [before]), *items][: _MOST_ITEMS + 1]
    return []


def _of_group(member: Unit, units: Sequence[Unit]) -> list[Unit]:
    return [unit for unit in units if _in_one_group(unit, member) and not unit.injected]


def _steps(part: Part, best: Unit, units: Sequence[Unit]) -> list[Unit]:
    """The sentences around the best one that are steps, too: those under a heading that is asked for, or a chain.

    A chain goes on with words such as 然后; sentences that say what happens otherwise are no steps.
    """
    around = [unit for unit in units if unit.block == best.block and unit.section == best.section]
    title = best.section.rsplit("\n", 1)[-1]
    if title and len(around) <= _MOST_STEPS and part.coverage(title) >= _TITLE_SHARE:
        return [unit for unit in around if unit is best or not _CONSEQUENCE.search(unit.own)]
    at = around.index(best)
    first, last = at, at + 1
    while first > 0 and _GOES_ON.match(around[first].own):
        first -= 1
    while last < len(around) and _GOES_ON.match(around[last].own):
        last += 1
    return [unit for unit in around[first:last] if not unit.injected][:_MOST_STEPS]


def _more(part: Part, chosen: Sequence[Unit], found: Sequence[Found]) -> Iterator[Unit]:
    """Units that hold what is asked for and the chosen ones do not."""
    said = list(chosen)
    held = "\n".join(unit.own for unit in said)
    for entry in sorted(found, key=lambda entry: (-entry.score.own, entry.unit.block, entry.unit.place)):
        if len(said) >= _MOST_SENTENCES:
            break
        unit = entry.unit
        if unit in said or entry.score.own < 2 * _WORTH_ADDING or unit.leads or unit.kind == "code":
            continue
        if _adds(part, unit.own) and part.coverage(f"{held}\n{unit.own}") - part.coverage(held) >= _WORTH_ADDING:
            said.append(unit)
            held += f"\n{unit.own}"
            yield unit
