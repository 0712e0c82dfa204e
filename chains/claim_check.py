"""The check of a claim, clause by clause."""

import re
from collections.abc import Sequence
from functools import cache

from youju.chains.claim_bounds import unbounded
from youju.chains.claim_case import Case, Part, score, short, weight
from youju.chains.claim_conditions import unconditional
from youju.chains.claim_contrasts import crossed, misplaced, opposite, other_person
from youju.chains.claim_denials import Fault, affirmed, denied, left_out
from youju.chains.claim_order import joined_otherwise, reordered
from youju.chains.claim_roles import exchanged
from youju.chains.claim_scope import shuts_out, widened
from youju.chains.claim_subjects import other_speaker, other_subject
from youju.chains.claim_topics import mixed
from youju.chains.claim_values import Place, find_value
from youju.chains.content import Word
from youju.chains.finding import Finding, Support, Verdict
from youju.chains.support import Statement, bare, held_in

_SPLIT = re.compile(r"[,;:。!?\n]")
_QUOTE = re.compile(r"“([^“”]{2,})”|「([^「」]{2,})」|『([^『』]{2,})』|《([^《》]{1,})》|\"([^\"]{2,})\"")
_ALLOWS = re.compile(r"可以?|能|允许|支持|享受?有|\b(?:can|may)\b")
_NARROWER = (
    other_subject,
    other_speaker,
    reordered,
    joined_otherwise,
    widened,
    unbounded,
    unconditional,
    shuts_out,
)
"""What a claim says of others, in another order, or with less reserve than the evidence."""
_MOST = 3  # sentences that may carry a clause together
_EQUAL = 0.2  # of weight: less than any word
_FURTHER = 0.85  # what a word counts that only a further sentence holds


def check(case: Case) -> Finding:
    """Check a claim."""
    whole = bare(case.whole)
    for statement in case.pool:
        if not all(map(statement.text.__contains__, whole)):  # told fast: few sentences are the claim word for word
            continue
        if whole in statement.bare and case.whole.endswith("?") == statement.text.endswith("?"):
            return Finding("supported", None, (_support(statement),), 1.0)
    parts = []
    missing = _missing_quote(case)
    if missing:
        parts.append(Part("unsupported", f"{case.labels}里没有“{missing}”这句原文", [], 0.0, 1.0))
    parts += [_check_clause(case, start, end) for start, end in _clauses(case)]
    if _opener_contradicts(case):
        parts.append(Part("contradicted", "开头的回答和后面的内容相反", [], 0.0, 1.0))
    total = sum(part.weight for part in parts)
    share = sum(part.score * part.weight for part in parts) / total if total else 0.0
    support = sorted(
        {_support(statement) for part in parts for statement in part.support}, key=lambda one: (one.n, one.start)
    )
    order: list[Verdict] = ["contradicted", "unsupported", "partly"]
    reasons = [part.reason for kind in order for part in parts if part.verdict == kind and part.reason]
    return Finding(
        _together({part.verdict for part in parts}),
        reasons[0] if reasons else None,
        tuple(support),
        min(1.0, max(0.0, share)),
    )


def _together(verdicts: set[Verdict]) -> Verdict:
    if "contradicted" in verdicts:
        return "contradicted"
    return verdicts.pop() if len(verdicts) == 1 else "partly"


def _clauses(case: Case) -> list[tuple[int, int]]:
    """The places of the clauses; one that says too little to be checked alone is part of the next."""
    text = case.claim.text
    ends = [
        match.end()
        for match in _SPLIT.finditer(text)
        if match.start() not in case.claim.in_values and not (match.group() == ":" and _is_label(case, match.end()))
    ]
    spans: list[tuple[int, int]] = []
    start = 0
    for end in [*ends, len(text)]:
        if weight(case.words(start, end)) >= 1.0 or case.values(start, end):
            spans.append((start, end))
            start = end
    if start < len(text) or not spans:
        first = spans.pop()[0] if spans else 0
        spans.append((first, len(text)))
    return spans


def _is_label(case: Case, colon: int) -> bool:
    """Whether a value and little else follows a colon: then it is the value of what stands before."""
    following = _SPLIT.search(case.claim.text, colon)
    end = following.start() if following else len(case.claim.text)
    return bool(case.values(colon, end)) and weight(case.words(colon, end)) < 1.0


def _check_clause(case: Case, start: int, end: int) -> Part:
    words, stated = case.words(start, end), case.values(start, end)
    size = weight(words) + len(stated)
    missing = [word for word in words if word.name and case.presence(word) < 0.5 and not case.was_asked(word)]
    if missing:
        return Part("unsupported", f"{case.labels}里没有“{missing[0].text}”", [], 0.0, size)
    places: list[Place] = []
    for value in stated:
        found = find_value(case, value, start, end)
        if isinstance(found, Part):
            return found
        if found is not None:
            places.append(found)
    wanted = [_asked_less(case, word) for word in words]
    chosen, share = _best(case, wanted, (start, end), places)
    fault = _fault(case, start, end, chosen) if chosen else None
    if fault is not None:
        against: Verdict = "contradicted" if share >= case.limits.partial else "unsupported"
        return Part(against if fault[1] else "partly", fault[0], chosen, share, size)
    return _judged(case, wanted, case.claim.text[start:end].strip(",;:。!?\n "), chosen, share)


def _fault(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """The first thing that a clause says otherwise than the sentences chosen for it."""
    fault = exchanged(case, start, end)
    if fault is not None:
        return fault
    checks = (other_person, misplaced, opposite, crossed, mixed)
    for one in checks if case.beyond_limit else (left_out, denied, affirmed, *checks, *_NARROWER):
        fault = one(case, start, end, chosen)
        if fault is not None:
            return fault
    return None


def _judged(case: Case, wanted: Sequence[Word], clause: str, chosen: list[Statement], share: float) -> Part:
    """The verdict on a clause in which no fact is wrong, by how much of it the evidence holds."""
    size = weight(wanted)
    if chosen and share < case.limits.lexical:
        chosen, share = _by_likeness(case, clause, chosen, share)
    if chosen and share >= case.limits.lexical:
        return Part("supported", None, chosen, share, size)
    if not chosen or share < case.limits.partial:
        return Part("unsupported", f"{case.labels}里没有“{short(clause)}”的依据", [], share, size)
    gone = max(wanted, key=lambda word: word.weight * (1 - max(_held_by(word, one) for one in chosen)))
    reason = f"{case.labels}只写到“{short(clause)}”的一部分，没有写到“{gone.text}”"
    return Part("partly", reason, chosen, share, size)


def _asked_less(case: Case, word: Word) -> Word:
    """A word that the claim repeats from the question and the evidence lacks counts for little."""
    if case.was_asked(word) and case.presence(word) < 0.5:
        return Word(word.text, word.start, word.weight * 0.3, word.name)
    return word


def _held_by(word: Word, statement: Statement) -> float:
    return held_in(word, statement.text, statement.context, statement.before)


def _best(
    case: Case, wanted: Sequence[Word], clause: tuple[int, int], places: Sequence[Place]
) -> tuple[list[Statement], float]:
    """The sentences that hold most of a clause, up to three, and the share that they hold.

    Those that hold its values come first. What the claim adds to the question must be held as well as all of it.
    """
    chosen = list({id(place.statement): place.statement for place in places}.values())[:_MOST]
    given = len(places)
    total = weight(wanted) + given
    if not total:
        return chosen or list(case.pool[:1]), 1.0
    present = case.present(wanted)

    @cache  # few sentences are asked for where the values say which
    def held(one: Statement) -> list[float]:
        return [word.weight * _held_by(word, one) for word in present]

    if not chosen and case.pool:
        chosen = [_first(case, clause, {id(one): sum(held(one)) for one in case.pool})]
    got = [max(column) for column in zip(*(held(one) for one in chosen), strict=True)]
    while chosen and len(chosen) < _MOST and (sum(got) + given) / total < case.limits.lexical:
        gains = {
            id(one): sum([max(0.0, _FURTHER * more - have) for more, have in zip(held(one), got, strict=True)])
            for one in case.pool
        }
        further = max(case.pool, key=lambda one: (round(gains[id(one)], 6), -len(one.text), one.text))
        if gains[id(further)] < 0.3:
            break
        chosen.append(further)
        got = [max(have, _FURTHER * more) for more, have in zip(held(further), got, strict=True)]
    share = (sum(got) + given) / total
    added = weight([word for word in wanted if not case.was_asked(word)])
    if added >= 0.5 and added + given < total:
        new = sum(have for word, have in zip(present, got, strict=True) if not case.was_asked(word))
        share = min(share, (new + given) / (added + given))
    return chosen, share


def _first(case: Case, clause: tuple[int, int], held: dict[int, float]) -> Statement:
    """The sentence that holds most of a clause and its lead; among equals one that does not contradict it."""
    leading = case.present(case.words(0, clause[0]))
    nearness = {id(one): held[id(one)] + 0.5 * score(leading, one, one.text) for one in case.pool}
    best = max(nearness.values())
    equals = [one for one in case.pool if nearness[id(one)] >= best - _EQUAL]
    if len(equals) > 1:
        equals = [one for one in equals if _fault(case, *clause, [one]) is None] or equals
    return min(equals, key=lambda one: (len(one.text), one.text))


def _by_likeness(case: Case, clause: str, chosen: list[Statement], share: float) -> tuple[list[Statement], float]:
    if case.similarity is None:
        return chosen, share
    cosines = list(case.similarity(clause, [statement.text for statement in case.pool]))
    best = max(range(len(cosines)), key=lambda at: cosines[at])
    if cosines[best] < case.limits.similarity:
        return chosen, share
    return [*chosen[: _MOST - 1], case.pool[best]], max(share, case.limits.lexical)


def _missing_quote(case: Case) -> str | None:
    if not _QUOTE.search(case.claim.text):
        return None
    sources = bare(case.everything), bare(case.asked.text)
    for match in _QUOTE.finditer(case.claim.text):
        quote = next(group for group in match.groups() if group)
        if not any(bare(quote) in source for source in sources):
            return quote
    return None


def _opener_contradicts(case: Case) -> bool:
    if case.opener is None:
        return False
    denies, allows = bool(case.claim.denials), _ALLOWS.search(case.claim.text) is not None
    if case.opener["no"]:
        return allows and not denies and not case.beyond_limit
    return case.opener["yes"] in {"可以", "能", "当然可以", "yes"} and denies and not allows


def _support(statement: Statement) -> Support:
    return Support(statement.n, statement.start, statement.end)
