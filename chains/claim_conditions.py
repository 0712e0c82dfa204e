"""Whether a claim leaves out on what condition the evidence says something: 如果, 经…批准后, …的，可以, 除非."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from youju.chains.claim_case import WHOLE, Case, short, standing, weight
from youju.chains.claim_denials import Fault
from youju.chains.claim_scope import only_names, plainly_said
from youju.chains.content import held
from youju.chains.scope import clause_at
from youju.chains.scope_words import ALL
from youju.chains.support import Statement
from youju.chains.values import agree

_PIECE = r"[^,;:。!?\n]"
_OPEN = r"(?:(?<=^)|(?<=[,;:。!?\n)]))"
_RULE = (  # what a rule says of a case
    rf"(?={_PIECE}{{0,16}}?(?:可以|可(?=[申享凭免获按])"
    rf"|(?<![反适供相响对效感报理])应(?![用对急届付收邀聘激力变酬征纳答允有])|必须|须|不得|不予|予以|方可"
    rf"|有权|给予|视[为同]|处以"
    r"|由[^,;。]{1,8}(?:承担|负责|支付)|按[^,;。]{1,8}(?:计算|处理|支付|发放)|全额|不?享[受有]|不再|退[还回]"
    r"|免[收除费]|扣[除发减]"
    r"|照常|凭))"
)
_CONDITIONS = (
    re.compile(
        rf"{_OPEN}{_PIECE}{{0,10}}?(?:如果|倘若|假如|(?<![主重需])要是|一旦|只要|除非)"
        rf"(?P<if>{_PIECE}{{2,40}}),(?P<then>{_PIECE}+(?:,{_PIECE}+)?)"
    ),
    re.compile(
        rf"{_OPEN}(?:[但且而凡]|{_PIECE}{{0,6}}?(?=若))?(?:若(?![干非])|如(?![何下图此今同实期意上前]))"
        rf"(?P<if>{_PIECE}{{2,40}}),{_RULE}(?P<then>{_PIECE}+(?:,{_PIECE}+)?)"
    ),
    re.compile(
        rf"{_OPEN}(?P<then1>{_PIECE}{{0,10}}?)(?P<if>经(?!理(?!事会))(?![济营过验常办手历典纪费销期络由贸度纬脉]){_PIECE}{{1,16}}?"
        rf"(?:批准|同意|许可|授权|核准|审批|审核|审查|鉴定|确认)(?:通过|合格|一致)?(?:后|的"
        rf"|之后)?)(?=[可方才应由即得]|,{_RULE}),?(?P<then>[^;。!?\n]+)"
    ),
    re.compile(rf"{_OPEN}(?P<if>(?![是为])(?:(?![是皆都])[^,;:。!?\n]){{4,40}})的,{_RULE}(?P<then>[^;。!?\n]+)"),
    re.compile(
        rf"{_OPEN}(?P<if>(?:遇|当|在|发生|出现|因){_PIECE}{{2,30}}?)(?:时|情况下|情形下|条件下"
        rf"|期间),{_RULE}(?P<then>[^;。!?\n]+)"
    ),
    re.compile(rf"{_OPEN}(?P<if>{_PIECE}{{4,40}}?)后,?(?=可以?(?![能见])|方可|才[可能]|有权)(?P<then>{_PIECE}+)"),
    re.compile(
        rf"{_OPEN}(?P<then1>{_PIECE}{{0,10}}?)凭(?P<if>{_PIECE}{{2,12}}?)(?=可以?(?![能见])|方可|能|免"
        rf"|享)(?P<then>[^;。!?\n]+)"
    ),
    re.compile(
        r"(?P<then>[^;。!?\n]{4,60}?),? (?:only if|if|unless|provided that|as long as|subject to"
        r"|except) (?P<if>[^;。!?\n]+)"
    ),
    re.compile(r"^(?:if|unless|once|provided that|subject to) (?P<if>[^,;。!?\n]+), ?(?P<then>[^;。!?\n]+)"),
    re.compile(rf"{_OPEN}(?P<then>{_PIECE}{{4,40}}),(?:除非|但?前提是)(?P<if>{_PIECE}{{2,40}})"),
)
_MAY_HOLD_ONE = re.compile(
    r"[如若倘假除旦]|要是|只[要有限]|仅限|经|凭|后|前提|的,|时,|[况形件]下,|期间,|\b(?:if|unless|once|provided|as long"
    r"|subject|except)\b"
)
_OF_RULES = (_CONDITIONS[1], *_CONDITIONS[3:7])
_SAYS_A_RULE = re.compile(r"可|权|应|须|得|必|不|予|由|按|视|处|全|退|免|扣|凭|照常|赔|承担")
_ONLY = re.compile(
    rf"(?:只有|唯有)(?P<if>{_PIECE}{{1,24}}?),?(?=才|方可|方能|可以|可|能|有权|享)(?P<then>[^;。!?\n]+)|(?:仅限"
    rf"|只限)于?(?P<limit>{_PIECE}{{2,24}})"
)
_EXCEPT = re.compile(rf"除(?P<if>{_PIECE}{{1,24}}?)(?:之?外|以外),(?![^,;。]{{0,8}}[还也])(?P<then>[^;。!?\n]+)")
_AND = re.compile(r"且|并且?(?=[^,;。]{2})|\band\b")
_OWN = re.compile(
    r"如果|(?<![有宛犹譬假])若(?![干非])|倘若|假如|要是|一旦|只要|只有|除非|情况下|情形|否则|取决|条件|符合"
    r"|except|\bif\b|unless|provided|only|subject to"
)
_ENUMERATED = re.compile(r"下列|以下|情形之一|情况之一|如下")
_OR = re.compile(r"、|或者?")
_MUCH, _HALF, _ALMOST_ALL = 0.6, 0.5, 0.9
_LITTLE = 0.3


@dataclass(frozen=True, slots=True)
class _Condition:
    """A condition and where that stands which holds on it.

    Attributes:
        start: Where the condition begins.
        end: Where it ends.
        then: The places of what holds.
        only: Whether it holds for nothing else.
        all_but: Whether it names what is left out.
        rule: Whether only rules are written so: elsewhere …的， and …时， begin a story.
    """

    start: int
    end: int
    then: tuple[tuple[int, int], ...]
    only: bool = False
    all_but: bool = False
    rule: bool = False


def unconditional(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """A condition of the evidence that a clause of the claim leaves out."""
    if case.asked.text and only_names(case):
        return None
    for statement in chosen:
        fault = _unconditional(case, start, end, statement)
        if fault is not None and not plainly_said(case, start, end, statement, _unconditional):
            return fault
    return None


def _unconditional(case: Case, start: int, end: int, statement: Statement) -> Fault | None:
    for one in _conditions(statement.text):
        if one.rule and not _SAYS_A_RULE.search(case.claim.text, start, end):
            continue
        if _ENUMERATED.search(statement.text, one.start, one.end) or not _holds_then(case, start, end, statement, one):
            continue
        if one.all_but:
            if not ALL.search(case.claim.text, start, end) or re.search(r"除|外|except", case.claim.text):
                continue
        elif not one.only and _OWN.search(case.claim.text):
            continue
        missing = next(
            (
                span
                for span in _parts(statement.text, (one.start, one.end), _AND)
                if _is_missing(case, statement, span, one)
            ),
            None,
        )
        if missing:
            return f"资料{statement.n} 写的条件是“{short(statement.text[one.start : one.end])}”，回答没有写", False
    return None


def _holds_then(case: Case, start: int, end: int, statement: Statement, one: _Condition) -> bool:
    """Whether a clause says what holds on a condition, and it is not said elsewhere in the sentence."""
    text = statement.text
    given = text[one.start : one.end]
    words = [word for word in case.present(case.words(start, end)) if one.only or held(word, given) < WHOLE]
    within = [value for value in statement.values if one.start <= value.start < one.end]
    own = [value for value in case.values(start, end) if not any(agree(value, other) for other in within)]
    then = "。".join(text[first:last] for first, last in one.then)
    inside = [word for word in words if held(word, then) >= WHOLE]
    stated = [value for value in statement.values if any(first <= value.start < last for first, last in one.then)]
    here = weight(inside) + sum(any(agree(value, other) for other in stated) for value in own)
    if not here or here < _MUCH * (weight(words) + len(own)):
        return False
    first, last = min(one.start, one.then[0][0]), max(one.end, one.then[-1][1])
    rest = f"{text[:first]}。{text[last:]}"
    return standing(words, rest) < weight(inside)


def _is_missing(case: Case, statement: Statement, span: tuple[int, int], one: _Condition) -> bool:
    """Whether neither claim nor question has a part of a condition; of 孕期、产期、哺乳期 one is enough."""
    said = f"{case.claim.text}。{case.asked.text}"
    given = [*case.claim.values, *case.asked.values]
    missing = False
    for start, end in _parts(statement.text, span, _OR):
        words = [word for word in statement.words if start <= word.start < end and word.weight > _LITTLE]
        values = [value for value in statement.values if start <= value.start < end and value.text[0] != "第"]
        total = weight(words) + len(values)
        kept = standing(words, said)
        kept += sum(any(agree(other, value) or agree(value, other) for other in given) for value in values)
        if kept >= (_ALMOST_ALL if one.only else _HALF) * total > 0:
            return False
        missing = missing or total > 0
    return missing


def _parts(text: str, span: tuple[int, int], joint: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = span[0]
    for match in joint.finditer(text, *span):
        yield start, match.start()
        start = match.end()
    yield start, span[1]


@lru_cache(maxsize=2048)
def _conditions(text: str) -> tuple[_Condition, ...]:
    return tuple(_found(text))


def _found(text: str) -> Iterator[_Condition]:
    if not _MAY_HOLD_ONE.search(text):
        return
    for pattern in _CONDITIONS:
        for match in pattern.finditer(text):
            before = match.groupdict().get("then1")
            then = (match.span("then"),) if not before else (match.span("then1"), match.span("then"))
            yield _Condition(*match.span("if"), then, rule=pattern in _OF_RULES)
    for match in _ONLY.finditer(text):
        if match["limit"]:
            stop = match.start("limit") + 3
            yield _Condition(match.start("limit"), stop, ((stop, match.end("limit")),), only=True)
        else:
            subject = clause_at(text, match.start(), match.start())[0], match.start()
            yield _Condition(*match.span("if"), (subject, match.span("if"), match.span("then")), only=True)
    for match in _EXCEPT.finditer(text):
        yield _Condition(*match.span("if"), (match.span("then"),), all_but=True)
