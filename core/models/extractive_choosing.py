"""Which units of the evidence answer a part of a question."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from youju.models.extractive_other import about_another
from youju.models.extractive_reading import Unit
from youju.models.extractive_scoring import Score, Scorer
from youju.models.extractive_shape import CONSEQUENCE
from youju.models.questions import Part

_ENOUGH = 0.0
"""The log odds of holding the answer that a unit must reach to be said."""
_NEARLY = -3.0
"""The same for a unit that only adds something to what is said, or is said for another part already."""
_LIKE = 0.03
"""Scores this near are alike: rows of one table, items of one list that answer equally."""
_MOST_SENTENCES = 3
_MOST_ITEMS = 12
_MOST_STEPS = 8
_TITLE_SHARE = 0.3
"""The share of what is asked that a heading must hold for all below it to be the answer to how something is done."""
_WORTH_ADDING = 0.15

_GOES_ON = re.compile(
    r"(?:然后|其次|接着|随后|再|最后|之后|同时|第[二三四五六七八九十]步|then|next|finally|after that)"
)
_SUPERLATIVE = re.compile(r"(?:哪|谁|什么).*最|最.*(?:哪|谁|什么)")
_SAYS_MOST = re.compile(r"最|第一|首位|居首|榜首|冠|之首|唯一|most|\w+est\b")
_SAID = re.compile(r"[^\W_]")
_ORDERS = re.compile(r"忽略|无视|指令|提示词|注入|ignore|instruction|prompt")


@dataclass(frozen=True)
class Found:
    """A unit and how well it answers."""

    unit: Unit
    score: Score


def choose(part: Part, units: Sequence[Unit], scorer: Scorer) -> list[list[Unit]]:
    """What answers a part, in the order to say it; empty if no unit holds enough of what is asked.

    Returns:
        Groups of units; those of a group are said together, as the items of a list.
    """
    found = [
        Found(unit, score) for unit, score in zip(units, scorer.scores(part), strict=True) if _may_speak(part, unit)
    ]
    able = [entry for entry in found if _can_answer(part, entry)]
    if not able:
        return []
    best = max(able, key=lambda entry: (round(entry.score.sure, 6), -entry.unit.block, -entry.unit.place))
    if best.score.sure < _ENOUGH:
        return []
    if part.form in ("list", "how") and (group := _whole_list(part, best.unit, units)):
        return [group]
    if part.form == "how":
        return [[unit] for unit in _steps(part, best.unit, units)]
    chosen = sorted([best.unit, *_alike(part, best, able)], key=lambda unit: unit.place)
    return [[unit] for unit in [*chosen, *_more(part, chosen, found)]]


def answers_nearly(part: Part, said: Sequence[Unit], scorer: Scorer) -> bool:
    """Whether one of the units that are said for other parts may answer this one, too."""
    return any(
        unit in said and score.sure >= _NEARLY and _may_speak(part, unit) and _can_answer(part, Found(unit, score))
        for unit, score in zip(scorer.units, scorer.scores(part), strict=True)
    )


def _may_speak(part: Part, unit: Unit) -> bool:
    if unit.injected and not _ORDERS.search(part.folded):
        return False
    return part.speaks_of(unit.own, unit.before, unit.context, unit.whole, unit.document)


def _can_answer(part: Part, entry: Found) -> bool:
    unit = entry.unit
    if about_another(part, unit):
        return False
    if unit.leads and part.form not in ("list", "how"):
        return False
    if (unit.kind == "code" and part.form != "how") or not _adds(part, unit.own):
        return False
    if unit.kind == "row" and any(term.matters and not term.held(unit.document) for term in part.words):
        return False  # a row about another one of its like
    return not (_SUPERLATIVE.search(part.folded) and not _SAYS_MOST.search(unit.own))


def _adds(part: Part, own: str) -> bool:
    """Whether a unit says more than the words of the question, as a bare heading does not."""
    for word in part.words:
        own = own.replace(word.text, "")
    return len(_SAID.findall(own)) > 1


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
        and abs(entry.score.signs["around"] - best.score.signs["around"]) <= _LIKE
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
    over = part.coverage(title)
    if (
        title
        and len(around) <= _MOST_STEPS
        and over >= (max(_TITLE_SHARE, part.coverage(best.own)) if best.kind == "item" else _TITLE_SHARE)
    ):
        return [unit for unit in around if unit is best or not CONSEQUENCE.search(unit.own)]
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
        if entry.score.sure < _NEARLY:
            continue
        if _adds(part, unit.own) and part.coverage(f"{held}\n{unit.own}") - part.coverage(held) >= _WORTH_ADDING:
            said.append(unit)
            held += f"\n{unit.own}"
            yield unit
