"""Who does what to whom in a claim, and in the evidence."""

from collections.abc import Sequence

from youju.chains.claim_case import Case, short
from youju.chains.claim_denials import Fault
from youju.chains.content_words import SYNONYMS
from youju.chains.roles import Relation, forms
from youju.chains.roles_words import MEASURED
from youju.chains.support import Statement


def exchanged(case: Case, start: int, end: int) -> Fault | None:
    """Whether a clause of the claim gives two sides each other's part, or one the part that another one has."""
    for mine in _relations(case, start, end):
        theirs = _alike(case, mine)
        if _confirming(mine, theirs):
            continue
        for statement, relation in theirs:
            if _is_reversed(case, mine, statement, relation) or _has_another_agent(case, mine, statement, relation):
                said = short(statement.text[relation.clause[0] : relation.clause[1]])
                return f"资料{statement.n} 写的是“{said}”，谁对谁和这句话不同", True
    return None


def confirmed(case: Case, start: int, end: int) -> frozenset[str]:
    """The words of a clause whose part in it is the one that the evidence gives them, however it says so."""
    found: set[str] = set()
    for mine in _relations(case, start, end):
        for relation in _confirming(mine, _alike(case, mine)):
            found |= (mine.first & relation.first) | (mine.second & relation.second)
            found |= MEASURED if mine.verb.startswith("比") else set()
    return frozenset(found)


def _alike(case: Case, mine: Relation) -> list[tuple[Statement, Relation]]:
    theirs = [(one, relation) for one in _nearby(case, mine) for relation in one.relations]
    return [(one, relation) for one, relation in theirs if _same(mine.verb, relation.verb)]


def _confirming(mine: Relation, theirs: Sequence[tuple[Statement, Relation]]) -> list[Relation]:
    """The relations that say the same, unless another one of the same verb is about more of what the claim is about."""
    held = [relation for _, relation in theirs if _is_held(mine, relation)]
    rivals = [relation for _, relation in theirs if not _is_held(mine, relation)]
    most = max((len(mine.second & one.second) for one in rivals), default=0)
    return [one for one in held if len(mine.second & one.second) >= most]


def _relations(case: Case, start: int, end: int) -> list[Relation]:
    return [one for one in case.claim.relations if start <= one.clause[0] < end]


def _nearby(case: Case, mine: Relation) -> list[Statement]:
    """The sentences that name both sides and what is done."""
    verbs = forms(mine.verb) or (mine.verb, *SYNONYMS.get(mine.verb, ()))
    return [
        one
        for one in case.pool
        if any(map(one.text.__contains__, verbs))
        and any(map(one.text.__contains__, mine.first))
        and any(map(one.text.__contains__, mine.second))
    ]


def _same(verb: str, other: str) -> bool:
    return verb == other or other in SYNONYMS.get(verb, ())


def _is_held(mine: Relation, theirs: Relation) -> bool:
    return not mine.first.isdisjoint(theirs.first) and not mine.second.isdisjoint(theirs.second)


def _is_reversed(case: Case, mine: Relation, statement: Statement, theirs: Relation) -> bool:
    if mine.verb != theirs.verb or not (mine.sure and theirs.sure):
        return False
    ours, others = mine.first & theirs.second, mine.second & theirs.first
    if not ours or not others:
        return False
    if forms(mine.verb) or mine.marked != theirs.marked:
        return True
    # with one and the same voice and verb, sides that are exchanged stand in another order
    return _leads(ours, others, case.claim, mine) != _leads(ours, others, statement, theirs)


def _leads(ours: frozenset[str], others: frozenset[str], statement: Statement, relation: Relation) -> bool:
    clause = statement.text[relation.clause[0] : relation.clause[1]]
    return min(map(clause.find, ours)) < min(map(clause.find, others))


def _has_another_agent(case: Case, mine: Relation, statement: Statement, theirs: Relation) -> bool:
    """Whether 由 or the like names another one in the evidence, which speaks of the claim's one too."""
    if not theirs.marked or mine.second.isdisjoint(theirs.second) or mine.verb != theirs.verb:
        return False
    if not mine.first.isdisjoint(theirs.second) or all(len(word) == 1 for word in theirs.first):
        return False
    if any(word in case.claim.text for word in theirs.first if len(word) > 1):
        return False
    return all(word in statement.text for word in mine.first)
