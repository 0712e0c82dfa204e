"""Whose a value is: what stands beside it in the claim, literally, and beside it and its neighbours in the evidence.

年假为10天，病假为5天 gives no 年假为5天, however much 年假 and 病假 are alike. What stands beside a value, the
characters of its clause, of its row or its place in a list with 分别, is its label. A value is another's when the
claim's label stands beside that one, and all that tells the two apart is missing beside the claimed one. Where the
labels do not tell them apart, as with a paraphrase, nothing is decided here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from youju.chains.claim_case import Case
from youju.chains.content import held
from youju.chains.support import Statement
from youju.chains.values import Value, agree, comparable
from youju.text import HAN

_TOKEN = re.compile(rf"[{HAN}]|[a-z0-9\u00df-\u024f]+(?:[.-][a-z0-9]+)*")
_EMPTY = frozenset("的了为是在有和与及这那之其于也都就约仅则即共您我你")
_BOUND = re.compile(r"以[上下内外前后]|之[内前后]|不[超少低高]?[满足到过于得多]+|超过|至[少多]|最[少多]")
_DIGITS = str.maketrans("一二三四五六七八九", "123456789")
_AND = re.compile(r"以及|[和与及]")
_IN_TURN = re.compile(r"分别|依次")
_LIST_MARK = re.compile(r"以及|[、和与及]")
_END = re.compile(r"[;。!?\n]")
_CLAUSE = re.compile(r"[,;:。!?\n]")
_ASKING = re.compile(
    r"多少|多[久长大高远重]|几(?:个|天|日|年|元|次|人|小时|岁|分|名)?|什么时[候间]|什么|何时|哪[一个年天些]?|怎[么样]+|如何|谁"
    r"|是否|请问|告诉我|[吗呢吧?]"
)
_MOST_OF_IT = 0.75  # share of what the claim says beside its value that must stand beside the rival
_ALMOST_ALL = 0.9  # the same of what the question says
_LONGER = 4  # characters by which one label is longer than another that it holds
_CLEAR = 6  # characters of a clause that is repeated, from which on the question has no say in what it speaks of
_BESIDE = 4  # characters between two values that are one thing in two units, or two parts of one value
_HELD = 0.8  # of a word: a synonym is as good as the word
_NAMES = ("第", "date", "code", "级", "期", "届", "号", "楼", "weekday")

Tokens = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Label:
    """A value of a statement with what stands beside it.

    Attributes:
        statement: Where it stands.
        value: The value.
        own: What stands right beside it, in order: characters, numbers and words of other scripts.
        text: Its clause, and the ones around it that have no such value.
        beside: Whether anything stands in its own part, and not only around it.
    """

    statement: Statement
    value: Value
    own: Tokens
    text: str
    beside: bool = True

    @cached_property
    def near(self) -> frozenset[str]:
        """What stands beside it or in the clauses around it."""
        return frozenset(self.own) | frozenset(_plain(self.text))


def owner(case: Case, value: Value, held_by: Iterable[tuple[Statement, Value, bool]]) -> Label | Literal["own"] | None:
    """Whose a value of the claim is.

    Args:
        case: The claim and its evidence.
        value: A value of the claim.
        held_by: The values of the evidence like it, and whether each agrees with it.

    Returns:
        The value of the evidence that the claim's label stands beside instead of the claimed one, or where that is
        nowhere; `own` where it stands beside the claimed one and not beside another; None where the labels do not tell.
    """
    if any(name.startswith(_NAMES) for name in value.dimensions) or _is_named(case.claim, value):
        return None
    places = list(held_by)
    beside = [one for one in case.claim.values if one is not value and _touch(one, value)]  # 3英里(5公里)
    same = _labels_of(places, agreeing=True)
    others = [one for one in _labels_of(places, agreeing=False) if not any(agree(other, one.value) for other in beside)]
    if not others:
        return None
    told = _claimed(case, value)
    if told is None:
        return None
    found = [_decided(case, told, one, others) for one in same]
    if any(one == "own" for one in found):
        return "own"
    rivals = [one for one in found if isinstance(one, Label)]
    if same and len(rivals) == len(found):
        return max(rivals, key=lambda one: _share(case, told, one))
    if not same and told:
        fitting = [one for one in others if _adjacent(told, told, one.own)]
        best = max(fitting, key=lambda one: (_share(case, told, one), -len(one.own)), default=None)
        return best if best is not None and _share(case, told, best) >= _MOST_OF_IT else None
    return None


def _is_named(claim: Statement, value: Value) -> bool:
    """Whether a bare number is part of a name (轴承6308的)."""
    return "n" in value.dimensions and claim.text.startswith("的", value.end)


def _touch(one: Value, other: Value) -> bool:
    first, second = sorted((one, other), key=lambda value: value.start)
    return second.start - first.end <= _BESIDE


def _decided(case: Case, told: Tokens, same: Label, others: Sequence[Label]) -> Label | Literal["own"] | None:
    """Whether what the claim says, or else the question, stands beside this value or another."""
    asked = _plain(_ASKING.sub("。", case.asked.text))
    repeated = len(told) >= _CLEAR and told in _runs(same.own, len(told))
    for wanted, enough in ((told, _MOST_OF_IT), (() if repeated else asked, _ALMOST_ALL)):
        sides = [(_side(case, wanted, same, one), one) for one in others] if wanted else []
        taking = [one for side, one in sides if side < 0 and _share(case, wanted, one) >= enough]
        if taking:
            return max(taking, key=lambda one: (_share(case, wanted, one), -len(one.own)))
        if sides and all(side > 0 for side, _ in sides) and _share(case, wanted, same) >= enough:
            return "own"
    longer = [(_is_longer(same, one, told, asked), _is_longer(one, same, told, asked), one) for one in others]
    if any(here for here, _, _ in longer):
        return next(one for here, _, one in longer if here)
    return "own" if longer and all(there for _, there, _ in longer) else None


def _side(case: Case, wanted: Tokens, same: Label, other: Label) -> int:
    """1 if what tells two values apart stands beside the first alone, -1 beside the second alone, else 0."""
    apart = same.statement.context != other.statement.context
    here = same.near | _around(same, apart=apart) | _meant(case, same)
    there = other.near | _around(other, apart=apart) | _meant(case, other)
    first = [token for token in wanted if token in here and token not in there]
    second = _adjacent(wanted, [token for token in wanted if token not in here], other.own)
    if second and not first:
        return -1
    return 1 if first and not second else 0


def _around(label: Label, *, apart: bool) -> frozenset[str]:
    statement = label.statement
    text = statement.context if apart else ""
    if not any(comparable(label.value, one) for one in statement.values_before):
        text += "。" + statement.before
    return frozenset(_plain(text))


def _meant(case: Case, label: Label) -> frozenset[str]:
    """The characters of the claim's words that stand beside a value in another form."""
    return frozenset(
        character
        for word in case.claim.words
        if word.text not in label.text and held(word, label.text) >= _HELD
        for character in word.text
    )


def _adjacent(wanted: Tokens, among: Sequence[str], held_in: Tokens) -> list[str]:
    """The tokens that stand in a label side by side with a neighbour of theirs in the claim, as in one word."""
    found = []
    for at, token in enumerate(wanted):
        if token not in among or token not in held_in:
            continue
        alone = len(wanted) == 1 or token[0] <= "\u2e7f"
        pairs = [(wanted[at - 1], token)] if at else []
        pairs += [(token, wanted[at + 1])] if at + 1 < len(wanted) else []
        if alone or any(_follows(first, second, held_in) for first, second in pairs):
            found.append(token)
    return found


def _follows(first: str, second: str, tokens: Tokens) -> bool:
    return any(token == first and second in tokens[at + 1 : at + 3] for at, token in enumerate(tokens))


def _runs(tokens: Tokens, length: int) -> list[Tokens]:
    return [tokens[at : at + length] for at in range(len(tokens) - length + 1)]


def _share(case: Case, wanted: Tokens, label: Label) -> float:
    """The share of what is wanted, and stands in the evidence at all, beside a value."""
    known = [token for token in dict.fromkeys(wanted) if token in label.near or token in case.everything]
    around = label.near | _around(label, apart=True)
    return sum(token in around for token in known) / len(known) if known else 0.0


def _is_longer(label: Label, other: Label, told: Tokens, asked: Tokens) -> bool:
    """Whether the other label is the claim's, and this one the same with more in it (陪产假) that nobody asked."""
    common = (set(label.own) & set(other.own)).difference(told)
    own, bare = ([token for token in one.own if token not in common] for one in (label, other))
    if not told or tuple(bare) != told or not len(told) < len(own) <= len(told) + _LONGER:
        return False
    at = 0
    for token in told:
        if token not in own[at:]:
            return False
        at = own.index(token, at)
        del own[at]
    return not any(token in asked for token in own)


def _claimed(case: Case, value: Value) -> Tokens | None:
    """What the claim says beside its value; None for a further part of a value (三年六个月, 40°15′)."""
    claim = case.claim
    alike = [one for one in claim.values if one is value or comparable(value, one)]
    label = next(one for one in labels(claim, alike) if one.value is value)
    first, last = claim.segment(value.start)
    crowded = sum(first <= one.start < last for one in alike) > 1
    return None if crowded and not label.beside else label.own


def _labels_of(places: Sequence[tuple[Statement, Value, bool]], *, agreeing: bool) -> list[Label]:
    by_statement: dict[int, tuple[Statement, list[Value]]] = {}
    for statement, value, _ in places:
        by_statement.setdefault(id(statement), (statement, []))[1].append(value)
    wanted = {id(value) for _, value, agrees in places if agrees == agreeing}
    return [
        one
        for statement, alike in by_statement.values()
        if any(id(value) in wanted for value in alike)
        for one in labels(statement, alike)
        if id(one.value) in wanted
    ]


def labels(statement: Statement, alike: Sequence[Value]) -> Iterator[Label]:
    """Each of some values of a statement that measure the same, with what stands beside it."""
    if statement.cells:
        for value in alike:
            spans = [
                (first, last)
                for first, last in statement.cells
                if first <= value.start < last or not any(first <= one.start < last for one in alike)
            ]
            yield _label(statement, value, spans, spans, alike)
        return
    in_turn = dict(_in_turn(statement, alike))
    parts = list(_parts(statement, alike))
    tail = [(parts[-1][1][1], len(statement.text))] if parts else []
    for number, (value, own, before) in enumerate(parts):
        if id(value) in in_turn:
            yield Label(statement, value, in_turn[id(value)], "")
        else:
            yield _label(statement, value, [own], [before, own, *tail] if number or tail else [before, own], alike)


def _label(
    statement: Statement,
    value: Value,
    own: Sequence[tuple[int, int]],
    near: Sequence[tuple[int, int]],
    alike: Sequence[Value],
) -> Label:
    tokens = tuple(token for first, last in own for token in _plain(_without(statement, first, last, alike)))
    text = "。".join(_without(statement, first, last, alike) for first, last in near)
    return Label(statement, value, tokens or tuple(_plain(text)), text, bool(tokens))


def _parts(statement: Statement, alike: Sequence[Value]) -> Iterator[tuple[Value, tuple[int, int], tuple[int, int]]]:
    """Each value with its own part of the statement, and what stands before that without any value like it."""
    done = 0
    for first, last in statement.segments:
        inside = [one for one in alike if first <= one.start < last]
        if not inside:
            continue
        led = statement.text[first - 1 : first] == ":"
        for value, (begins, ends) in zip(inside, _pieces(statement.text, first, last, inside), strict=True):
            own = (done if led and value is inside[0] else begins, ends)
            yield value, own, (min(done, begins), begins)
            done = ends
        done = last


def _pieces(text: str, first: int, last: int, inside: Sequence[Value]) -> Iterator[tuple[int, int]]:
    """What of one part between marks belongs to each of its values: as far as 和, or to the one behind it."""
    begins = first
    leads = bool(_plain(text[first : inside[0].start]))
    for number, value in enumerate(inside):
        behind = inside[number + 1] if number + 1 < len(inside) else None
        if behind is None:
            yield begins, last
            return
        joint = _AND.search(text, value.end, behind.start)
        ends = joint.start() if joint else value.end if leads else behind.start
        yield begins, ends
        begins = joint.end() if joint else ends


def _in_turn(statement: Statement, alike: Sequence[Value]) -> Iterator[tuple[int, Tokens]]:
    """The labels of values that stand in the order of what they are said of: A和B分别为12天和7天."""
    text = statement.text
    for match in _IN_TURN.finditer(text):
        begins = max((mark.end() for mark in _CLAUSE.finditer(text, 0, match.start())), default=0)
        ends = next((mark.start() for mark in _END.finditer(text, match.end())), len(text))
        given = [one for one in alike if match.end() <= one.start < ends]
        items = [_plain(item) for item in _LIST_MARK.split(text[begins : match.start()])]
        if 2 <= len(items) == len(given) and all(items):
            behind = tuple(_plain(text[match.end() : given[0].start]))
            yield from ((id(one), (*item, *behind)) for one, item in zip(given, _whole(items), strict=True))


def _whole(items: Sequence[Tokens]) -> list[Tokens]:
    """Items of a list with what only the first or the last of them says for all: 一、二等奖."""
    first, last = items[0], items[-1]
    if first[-1] != last[-1] and len(last) > len(first):
        return [*((*item, *last[len(first) :]) for item in items[:-1]), last]
    if len(first) > len(last):
        return [first, *((*first[: len(first) - len(last)], *item) for item in items[1:])]
    return list(items)


def _without(statement: Statement, first: int, last: int, alike: Sequence[Value]) -> str:
    text, at = "", first
    for value in alike:
        if first <= value.start < last:
            text += statement.text[at : value.start] + "。"
            at = value.end
    return text + statement.text[at:last]


def _plain(text: str) -> Tokens:
    return tuple(token.translate(_DIGITS) for token in _TOKEN.findall(_BOUND.sub("。", text)) if token not in _EMPTY)
