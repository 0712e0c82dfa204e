"""Whether a claim leaves out what narrows the evidence: 拟, 可能, 曾, 部分, 传言, 是否, 暂停, 应当.

A sentence that plans, supposes, doubts or takes back something does not say it. So where the words of a claim stand in
the reach of such a word, the claim must have one of the same class, or one that says still less.
"""

import re
from collections.abc import Callable, Sequence

from youju.chains.claim_case import WHOLE, Case, short, standing, weight
from youju.chains.claim_denials import Fault
from youju.chains.content import Word, held
from youju.chains.scope import Narrowing, clause_at, narrowings
from youju.chains.scope_words import ONLY, ONLY_HELD
from youju.chains.support import Statement, bare
from youju.chains.values import Value, agree

_MOST = 0.6  # share of a clause's words in the reach of what narrows a whole clause or sentence
_SOME = 0.3  # the same where the words right behind what narrows are the claim's
_LITTLE = 0.3  # of weight: hardly a word
_FEW = 2
_YES_OR_NO = re.compile(r"吗|是否|是不是|能否|对不对|^(?:is|are|do|does|can|may)\b")
_YES = re.compile(r"(?:答复?|a|answer)?[:. ]*(?:可以|能|会|是|有|对|需要|应当?|要|允许|支持|当然|yes\b)(?![不无否])")


def widened(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """What a clause of the claim leaves out that narrows the sentences chosen for it."""
    for statement in _carrying(case, start, end, chosen):
        fault = _widened(case, start, end, statement)
        if fault is not None and not plainly_said(case, start, end, statement, _widened):
            return fault
    return None


def _carrying(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Sequence[Statement]:
    """The sentences chosen, and where they hold a clause only by what stands over them, that: a heading may ask."""
    words = case.present(case.words(start, end))
    if not words or max(standing(words, one.text) for one in chosen) >= _MOST * weight(words):
        return chosen
    return [*chosen, max(case.pool, key=lambda one: standing(words, one.text))]


def shuts_out(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """Whether the claim says 只有 of what the evidence only says at all."""
    own = ONLY.search(case.claim.text, start, end)
    asked = ONLY.search(case.asked.text) is not None and not _YES_OR_NO.search(case.asked.text)
    if own is None or asked or any(ONLY_HELD.search(one.text) for one in chosen):
        return None
    return f"资料{chosen[0].n} 没有写“{own.group()}”", False


def plainly_said(
    case: Case,
    start: int,
    end: int,
    statement: Statement,
    check: Callable[[Case, int, int, Statement], Fault | None],
) -> bool:
    """Whether another sentence says as much of the clause, and nothing is wrong there."""
    words, own = case.present(case.words(start, end)), case.values(start, end)
    reached = standing(words, statement.text) + _values(own, statement, 0, len(statement.text))
    return any(
        standing(words, one.text) + _values(own, one, 0, len(one.text)) >= reached - 0.2
        and check(case, start, end, one) is None
        for one in case.pool
        if one is not statement
    )


def _widened(case: Case, start: int, end: int, statement: Statement) -> Fault | None:
    found = [_left_out(case, start, end, statement, one) for one in narrowings(statement.text)]
    faults = [fault for fault in found if fault is not None]
    return max(faults, key=lambda fault: fault[1], default=None)


def _left_out(case: Case, start: int, end: int, statement: Statement, one: Narrowing) -> Fault | None:
    operator, claim = one.operator, case.claim.text
    if _keeps(claim if operator.against else case.claim.plain, statement, one):
        return None
    if operator.asked and operator.asked.search(case.asked.text):
        return None
    against = operator.against and operator.against.search(claim, start, end)
    opposite = operator.against is None or against is not None
    if not opposite and (operator.light or (operator.asked and only_names(case))):
        return None
    if not _in_reach(case, start, end, statement, one) or (operator.reach == "around" and _answered(case, statement)):
        return None
    if against and operator.light and operator.asked is None and not _governs(case, against.end(), end, statement, one):
        return None
    said = short(statement.text[min(one.cue, one.start) : max(one.end, one.cue + len(one.text))])
    return f"资料{statement.n} 写的是“{said}”，回答没有写“{one.text.strip(' ?')}”", opposite


def _keeps(claim: str, statement: Statement, one: Narrowing) -> bool:
    """Whether a claim has a word that narrows, and not one of what is narrowed itself (可能存在风险)."""
    inside = statement.text[one.start : one.end] if one.operator.asked else ""
    return any(match.group() == one.text or match.group() not in inside for match in one.operator.kept.finditer(claim))


def only_names(case: Case) -> bool:
    """Whether the claim is no sentence but names what was asked for."""
    words, text = case.claim.words, case.claim.text
    named = [word.text for word in words] + [value.text for value in case.claim.values]
    if not case.asked.text or len(named) > _FEW or any(map(case.was_asked, words)):
        return False
    return len(bare(text)) <= len(bare("".join(named))) + 1


def _governs(case: Case, place: int, end: int, statement: Statement, one: Narrowing) -> bool:
    """Whether a word of the claim such as 必须 stands before what it is to govern: not 更换课题须经同意."""
    inside = statement.text[one.start : one.end]
    behind = [word for word in case.words(place, end) if held(word, inside) >= WHOLE]
    return 2 * weight(behind) >= weight([word for word in case.words(0, end) if held(word, inside) >= WHOLE])


def _in_reach(case: Case, start: int, end: int, statement: Statement, one: Narrowing) -> bool:
    """Whether what a clause says stands in the reach of what narrows, and not as well elsewhere in the sentence."""
    text = statement.text
    words, own = case.present(case.words(start, end)), case.values(start, end)
    total = weight(words) + len(own)
    used = [word for word in words if held(word, text[one.start : one.end]) >= WHOLE]
    found = [value for value in statement.values if one.start <= value.start < one.end and _states(own, value)]
    share = (weight(used) + len(found)) / total if total else 0.0
    if one.operator.reach in {"word", "clause"}:
        heads = [word for word in statement.words if one.start <= word.start < one.end and word.weight > _LITTLE]
        among = [value for value in statement.values if one.start <= value.start < one.end]
        things: list[Word | Value] = [*heads, *among]
        things = sorted(things, key=lambda thing: thing.start)[:2]
        if not things or share < _SOME:
            return False
        first = [
            (
                thing.text in case.claim.text[start:end] or any(_same(word, thing) for word in used)
                if isinstance(thing, Word)
                else thing in found
            )
            for thing in things
        ]
        second = one.operator.reach == "clause" and (len(used) + len(found) > 1 or _is_time(things[0]))
        if not (first[0] or (second and first[-1])):
            return False
    elif share < _MOST:
        return False
    left, right = clause_at(text, min(one.cue, one.start), one.end)
    here = standing(words, text[left:right]) + _values(own, statement, left, right)
    there = standing(words, f"{text[:left]}。{text[right:]}") + _values(own, statement, 0, left)
    return here > there + _values(own, statement, right, len(text))


def _is_time(thing: Word | Value) -> bool:
    return isinstance(thing, Value) or thing.text[-1] in "年月日天周季初末底"


def _same(word: Word, head: Word) -> bool:
    return held(word, head.text) >= WHOLE or held(head, word.text) >= WHOLE


def _states(own: Sequence[Value], value: Value) -> bool:
    return any(agree(one, value) for one in own)


def _values(own: Sequence[Value], statement: Statement, left: int, right: int) -> int:
    return sum(left <= one.start < right and _states(own, one) for one in statement.values)


def _answered(case: Case, statement: Statement) -> bool:
    """Whether a question of the evidence is answered with yes right behind it."""
    at = next(number for number, one in enumerate(case.pool) if one is statement)
    return at + 1 < len(case.pool) and _YES.match(case.pool[at + 1].text) is not None
