"""Who does what to whom: the relations that a text states, whichever way round it says them.

款项由甲方支付给乙方, 甲方向乙方支付款项 and 乙方收到甲方的款项 say one thing: what is paid goes from 甲方 to 乙方.
Prepositions (由, 被, 向, 给, 把, 从, `to`, `by`) and the place beside the verb tell the sides; where they do not,
nothing is read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from youju.chains.content import Token
from youju.chains.content_words import EMPTY, ENGLISH_EMPTY
from youju.chains.roles_words import (
    ALIKE,
    ANYONE,
    DOING,
    EITHER,
    ENGLISH_VERBS,
    FORMS,
    GIVING,
    IS,
    MARKERS,
    MEASURED,
    MORE,
    NO_PART,
    NO_VERB,
    PASSIVE,
    TAKING,
    THAN_BEHIND,
    TO_PLACES,
    Role,
)
from youju.text import HAN


@dataclass(frozen=True, slots=True)
class Relation:
    """What a clause says of two sides.

    Attributes:
        verb: What is done; the name of a group for verbs that tell one thing from either side (买, 卖) and comparisons.
        first: The words of who does or gives it, or of what is more.
        second: The words of what it is done to, who gets it, or what is less.
        clause: Where the clause stands in the text.
        marked: Whether 由, 被 or the like says who does it.
        sure: Whether both sides stand in one clause, or the verb is one of a group.
    """

    verb: str
    first: frozenset[str]
    second: frozenset[str]
    clause: tuple[int, int]
    marked: bool = False
    sure: bool = True


class _Noun(NamedTuple):
    at: int
    text: str
    role: Role | None


@dataclass(slots=True)
class _Clause:
    nouns: list[_Noun]
    verbs: list[tuple[int, str, bool]]  # place, word, and whether it can only be a verb
    comparisons: list[tuple[int, str]]
    particles: list[tuple[int, str]]  # 是 and 的
    place: tuple[int, int]
    roles: frozenset[Role | None]  # of its nouns
    solid: list[int]  # where the verbs stand that can only be verbs

    def between(self, first: int, last: int, role: Role | None) -> list[str]:
        """The nouns with a role in a part of the clause."""
        if role not in self.roles:
            return []
        return [noun.text for noun in self.nouns if first < noun.at < last and noun.role == role]

    def said(self, first: int, last: int) -> list[str]:
        """The nouns without a preposition and the verbs in a part of the clause."""
        return [*self.between(first, last, None), *(word for at, word, _ in self.verbs if first < at < last)]

    def subject(self, verb: int) -> tuple[list[str], bool]:
        """Who does what a verb says: the nearest before it; and whether 由 or the like says so."""
        last = verb
        for first in (*[at for at in reversed(self.solid) if at < verb], -1):
            agent = self.between(first, last, "agent")
            if agent:
                return agent, True
            found = self.between(first, last, None)
            if found:
                behind = self.behind(verb, "agent")  # is paid by
                return (behind, True) if behind else (found, False)
            last = first
        behind = self.behind(verb, "agent")
        return behind, bool(behind)

    def before(self, verb: int) -> int:
        """Where the verb before a verb stands."""
        return max([at for at in self.solid if at < verb], default=-1)

    def beside(self, verb: int, role: Role) -> list[str]:
        """The nouns with a role on both sides of a verb, as far as the next ones."""
        if role not in self.roles:
            return []
        return [*self.between(self.before(verb), verb, role), *self.behind(verb, role)]

    def _end(self, verb: int) -> int:
        of = [at for at, word in self.particles if word == "的" and at > verb]  # 决定命运的因素
        return min([*[at for at in self.solid if at > verb], *of], default=10**9)

    def behind(self, verb: int, role: Role | None) -> list[str]:
        """The nouns with a role behind a verb, as far as the next verb."""
        return self.between(verb, self._end(verb), role) if role in self.roles else []


_VERBS = frozenset([*GIVING, *TAKING, *EITHER, *ENGLISH_VERBS, *TO_PLACES])
_VERBAL = frozenset(["v", "vn"])
_MARKS = frozenset(",;:。!?\n")
_THAN, _DOERS = "于", frozenset("人方者")
_LAST_PARTS = _DOERS | {_THAN}
"""The single characters that are one word with the one before: 早于, 借阅人."""
_HAN_CHARACTER = re.compile(f"[{HAN}]")


def forms(verb: str) -> Sequence[str]:
    """What stands in a text that states a relation with the name of a group of verbs, nothing for other verbs."""
    return FORMS.get(verb) or (["从", "自", "由", "from"] if verb == "从到" else [verb[1:]] if verb[0] == "是" else ())


def relations(text: str, tokens: Sequence[Token]) -> list[Relation]:
    """The relations that a folded text states.

    Args:
        text: The text.
        tokens: Its words, with their kinds and places; values are hidden in them.
    """
    found: list[Relation] = []
    subject: list[str] = []
    for clause in _clauses(text, tokens):
        subjects = [subject]
        found += _of_clause(clause, subject, subjects)
        subject = subjects[-1]
    return found


def _of_clause(clause: _Clause, inherited: list[str], subjects: list[list[str]]) -> Iterator[Relation]:
    for at, verb, _ in clause.verbs:
        agent, marked = clause.subject(at)
        own = bool(agent)
        if verb == "负责":
            yield from _made(verb, agent, clause.said(at, 10**9) or clause.between(-1, at, None), clause, marked=True)
            continue
        if not agent:
            agent = inherited
        elif subjects[-1] is inherited:
            subjects.append(agent)
        relation = _of_verb(clause, at, verb, agent, inherited, marked=marked)
        if relation is not None:
            grouped = relation.verb != verb or verb in {"付", "卖"}
            yield relation if own or grouped else replace(relation, sure=False)
    if not clause.verbs and (first := clause.between(-1, 10**9, None)):
        subjects.append(first)
    source, goal = clause.between(-1, 10**9, "source"), clause.between(-1, 10**9, "goal")
    if source and goal:
        yield from _made("从到", source, goal, clause)
    yield from _belonging(clause)
    for at, size in clause.comparisons:
        less = size in MORE
        than = clause.between(-1, at, "than")
        left, right = clause.said(-1, at), than or clause.said(at, 10**9)
        more, fewer = (right, left) if less else (left, right)
        yield from _made(f"比{MORE.get(size, size)}", more, fewer, clause)


def _belonging(clause: _Clause) -> Iterator[Relation]:
    """张伟是李强的父亲, 李强的父亲是张伟."""
    equal = next((at for at, word in clause.particles if word in IS), None)
    if equal is None:
        return
    behind = [at for at, word in clause.particles if word == "的" and at > equal]
    before = [at for at, word in clause.particles if word == "的" and at < equal]
    if behind:
        first, second = clause.between(-1, equal, None), clause.between(equal, behind[-1], None)
        what = clause.between(behind[-1], 10**9, None)
    elif before:
        first, second = clause.between(equal, 10**9, None), clause.between(-1, before[0], None)
        what = clause.between(before[-1], equal, None)
    else:
        return
    if len(what) == 1 and what[0] not in ALIKE:
        yield from _made(f"是{what[0]}", first, second, clause)


def _of_verb(
    clause: _Clause, at: int, verb: str, agent: list[str], topic: list[str], *, marked: bool
) -> Relation | None:
    goal, source = clause.beside(at, "goal"), clause.beside(at, "source")
    theme = [*clause.beside(at, "theme"), *clause.behind(at, None)]
    if marked:  # what it is done to stands before it
        theme += clause.between(-1, at, None) or topic
    name = GIVING.get(verb)
    if name is None and (name := TAKING.get(verb) or EITHER.get(verb)):
        given = clause.behind(at, "goal")
        if verb in EITHER:
            asked = [*clause.between(clause.before(at), at, "goal"), *source]
            if not given and not asked:
                return None
            giver, taker = (agent, [*given, *theme]) if given else (asked, agent)
        else:
            giver, taker = source or goal or theme, agent
        return next(_made(name, giver, taker, clause), None)
    return next(_made(name or verb, agent, [*goal, *source, *theme], clause, marked=marked), None)


def _made(
    verb: str, first: Sequence[str], second: Sequence[str], clause: _Clause, *, marked: bool = False
) -> Iterator[Relation]:
    one, other = frozenset(first), frozenset(second)
    if one - other and other - one:
        yield Relation(verb, one - other, other - one, clause.place, marked)


def _clauses(text: str, tokens: Sequence[Token]) -> Iterator[_Clause]:
    part: list[Token] = []
    for token in tokens:
        if text[token[2]] in _MARKS:
            yield from _clause(part)
            part = []
        else:
            part.append(token)
    yield from _clause(part)


def _clause(tokens: Sequence[Token]) -> Iterator[_Clause]:
    if not tokens:
        return
    nouns: list[_Noun] = []
    verbs: list[tuple[int, str, bool]] = []
    comparisons: list[tuple[int, str]] = []
    particles: list[tuple[int, str]] = []
    role: Role | None = None
    passive = False
    parts = _parts(tokens)
    last = next((at for at, word, kind in reversed(parts) if kind[0] not in NO_PART), -1)
    done = False  # 进行 stands before it
    places: set[int] = set()
    for at, word, kind in parts:
        passive = passive or word in PASSIVE
        size = THAN_BEHIND.fullmatch(word) if word[-1] in "于过" else None
        if size or (word in MEASURED and role == "than") or (role == "than" and word[0] in MEASURED):
            comparisons.append((at, size[1] if size else word[0]))
            role = None
        elif word in IS or word == "的":
            particles.append((at, word))
            role = None if word in IS else role
        elif word in MARKERS:
            role = MARKERS[word] if word != "by" or passive else None
        elif _is_verb(word, kind) and (kind != "vn" or done or (at == last and not verbs)):
            verbs.append((at, ENGLISH_VERBS.get(word, word), kind != "vn"))
            role = None
        elif _is_part(word, kind):
            nouns.append(_Noun(at, word, role))
            if kind == "ns":
                places.add(at)
        done = word in DOING
    roles = frozenset([noun.role for noun in nouns])
    if roles >= {"agent", "goal"} and any(word in TO_PLACES for _, word, _ in verbs):  # 由上海运到武汉
        nouns = [one._replace(role="source") if one.role == "agent" and one.at in places else one for one in nouns]
        roles = frozenset([noun.role for noun in nouns])
    place = tokens[0][2], tokens[-1][2] + len(tokens[-1][0])
    solid = [at for at, _, solid in verbs if solid]
    yield _Clause(nouns, verbs, comparisons, particles, place, roles, solid)


def _is_part(word: str, kind: str) -> bool:
    said = kind == "eng" or kind[0] not in NO_PART
    return said and word[0].isalpha() and word not in EMPTY and word not in ENGLISH_EMPTY and word not in ANYONE


def _is_verb(word: str, kind: str) -> bool:
    if word in _VERBS:
        return True
    return kind in _VERBAL and (word not in EMPTY or word == "提供") and word not in NO_VERB


def _parts(tokens: Sequence[Token]) -> list[tuple[int, str, str]]:
    """The words of a clause; 借给 and 运往 in two, single characters side by side in one, and no marker in a name."""
    found: list[tuple[int, str, str]] = []
    run, begin = "", 0
    for word, kind, start in tokens if _LAST_PARTS.isdisjoint([token[0] for token in tokens]) else _joined(tokens):
        single = len(word) == 1 and kind[0] not in "uvpcdfxy" and word not in EMPTY and word not in MARKERS
        if single and _HAN_CHARACTER.match(word):
            begin = begin if run else start
            run += word
            continue
        if kind in {"nr", "nrfg"} and len(word) == 1 and run:
            run += word
            continue
        if run:
            found.append((begin, run, "n"))
            run = ""
        if len(word) > 1 and (word[-1] in "给往向" or (word[-1] in "到至" and word[:-1] in TO_PLACES)):
            found += [(start, word[:-1], "v"), (start + len(word) - 1, word[-1], "p")]
        else:
            found.append((start, word, kind))
    if run:
        found.append((begin, run, "n"))
    return found


def _joined(tokens: Sequence[Token]) -> Iterator[Token]:
    """The words of a clause, 早 于 and 借阅 人 as one."""
    waiting: Token | None = None
    for token in tokens:
        if waiting is not None and waiting[0] in MEASURED and token[0] == _THAN:
            yield f"{waiting[0]}于", "v", waiting[2]
            waiting = None
            continue
        if waiting is not None and waiting[1] in _VERBAL and token[0] in _DOERS:
            yield waiting[0] + token[0], "n", waiting[2]
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = token if token[0] in MEASURED or token[1] in _VERBAL else None
        if waiting is None:
            yield token
    if waiting is not None:
        yield waiting
