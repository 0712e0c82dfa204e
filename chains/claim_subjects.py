"""Whether a claim takes whom it speaks of from one sentence and what it says of them from another."""

import re
from collections.abc import Iterator, Sequence

from youju.chains.claim_case import MARGIN, WHOLE, Case, means, short, standing, weight
from youju.chains.claim_denials import Fault
from youju.chains.content import Word, held
from youju.chains.support import Statement
from youju.chains.values import agree, comparable

_PEOPLE = tuple(
    "员工 职工 人员 会员 用户 客户 学生 教师 老师 教授 家长 患者"
    " 医生 护士 经理 主管 实习生 学徒 乘客 司机 旅客 居民 住户 业主 租户 成员 嘉宾"
    " 选手 裁判 观众 游客 顾客 老人 儿童 成人 男性 女性 干部 工人 研究生 本科生 新生 志愿者 供应商 经销商".split()
)
_SAYS = re.compile(
    r"(?:表示|认为|指出|强调|回应|透露|主张|[宣声诉辩]称|称(?=[,:“\"])|(?<![小传学据听])说(?!明|法|服))[,:“\"]*"
    r"|\b(?:says|said|believes|argues|thinks|warned|told)\b(?: that)?[,: \"“]*"
)
_START = re.compile(r"[,;:。!?“”\"\n]")
_REFERS = re.compile(r"该|此|这|那|本|其|它|他|她|同|上述|前者|后者|(?:it|this|that|they|he|she)\b")
_NUMBERED = re.compile(r"[一二三四五六七八九十\d][号期组队班楼栋层]")
_ALMOST_ALL = 0.75
_TOPIC = 3  # sentences that speak of one thing: it is what the text is about, and the others may leave it out
_AT_ONCE = 4  # characters before the first word of a sentence
_FIRST = 2  # words of a sentence that say whom it speaks of


def other_subject(case: Case, start: int, end: int, chosen: Sequence[Statement]) -> Fault | None:
    """A word that stands in the claim in the place of another one of its kind in the sentence that says the rest.

    The other stands before what the claim says, the claim does not have it, and the claim's own word stands in another
    sentence, in the same place: [苏州分公司生产轴承。][无锡分公司生产电缆。] against 苏州分公司生产电缆。
    """
    words = case.words(start, end)
    present = case.present(words)
    numbered = _other_number(case, start, end, present)
    if numbered is not None:
        return numbered
    if any(standing(present, one.text) >= weight(present) - 0.05 for one in chosen):
        return None
    for number, word in enumerate(words[:_FIRST]):
        rest = words[number + 1 :]
        if (word.weight < 0.35 and not _NUMBERED.match(word.text)) or weight(rest) < 0.8:
            continue
        statement = max(case.pool, key=lambda one: standing(rest, one.text))
        if _REFERS.match(statement.text) or standing(rest, statement.text) < _ALMOST_ALL * weight(rest):
            continue
        if held(word, f"{statement.text}。{statement.context}") >= WHOLE:
            continue
        rival = _rival(case, words, number, statement)
        if rival is None:
            continue
        reached = standing(rest, statement.text)
        if any(held(word, one.text) >= WHOLE and standing(rest, one.text) >= reached - MARGIN / 3 for one in case.pool):
            continue
        return f"资料{statement.n} 写的是“{short(statement.text[rival.start :])}”，不是“{word.text}”", True
    return None


def _other_number(case: Case, start: int, end: int, words: Sequence[Word]) -> Fault | None:
    """The same of a number that a clause begins with: 一号仓库, 二号仓库."""
    first = next(iter(case.values(start, end)), None)
    if first is None or not words or first.start > words[0].start or weight(words) < 0.8:
        return None
    best = max(case.pool, key=lambda one: standing(words, one.text))
    its = next(iter(best.values), None)
    if its is None or its.start > first.start - start or any(agree(first, one) for one in best.values_around):
        return None
    own = [one for one in case.pool if any(agree(first, other) for other in one.values)]
    if best in own or not comparable(first, its) or standing(words, best.text) < _ALMOST_ALL * weight(words):
        return None
    if not own or max(standing(words, one.text) for one in own) >= standing(words, best.text) - MARGIN:
        return None
    return f"资料{best.n} 写的是“{short(best.text)}”，不是“{first.text}”", True


def _rival(case: Case, words: Sequence[Word], number: int, statement: Statement) -> Word | None:
    """The word of a sentence in whose place the claim has another one."""
    word, behind = words[number], words[number + 1]
    theirs = statement.words
    said = [at for at, one in enumerate(theirs) if any(held(mine, one.text) >= WHOLE for mine in words[number + 1 :])]
    if not said:
        return None
    for at, one in enumerate(theirs[:_FIRST]):
        if (
            (one.weight < 0.5 and not _NUMBERED.match(one.text))
            or at > said[0]
            or held(one, case.claim.text) >= WHOLE
            or held(one, case.asked.text) >= 1.0
        ):
            continue
        following = theirs[at + 1] if at + 1 < len(theirs) else None
        beside = following is not None and following.text == behind.text and _adjoin(one, following)
        alike = (
            beside
            and _adjoin(word, behind)
            and any(_stand_together(other, word, behind) for other in case.pool if other is not statement)
        )
        whole = Word(one.text + following.text, one.start, 1.0) if following and len(following.text) == 1 else one
        kind = (
            (_kindred(word, one) or _kindred(word, whole))
            and _leads(words, number)
            and _leads(theirs, at, statement.shared)
            and 0 < sum(_speaks_of(other, word) for other in case.pool if other is not statement) < _TOPIC
        )
        if alike or kind:
            return one
    return None


def _leads(words: Sequence[Word], number: int, start: int | None = None) -> bool:
    """Whether a word begins a sentence, alone or right behind what describes it."""
    begins = start is None or words[0].start - start <= _AT_ONCE
    return begins and (number == 0 or _adjoin(words[0], words[1]))


def _speaks_of(statement: Statement, word: Word) -> bool:
    return any(means(word, first) and _leads(statement.words, at) for at, first in enumerate(statement.words[:_FIRST]))


def _adjoin(one: Word, other: Word) -> bool:
    return other.start - one.end == (one.text.isascii() and other.text.isascii())


def _stand_together(statement: Statement, word: Word, behind: Word) -> bool:
    return word.text + behind.text in statement.text or f"{word.text} {behind.text}" in statement.text


def _kindred(one: Word, other: Word) -> bool:
    """Whether two words name things of one kind."""
    if one.name in {"人名", "地名", "机构"} and one.name == other.name and one.text[-2:] != "中国":
        return True
    if one.text.endswith(_PEOPLE) and other.text.endswith(_PEOPLE):
        return not means(one, other)
    return min(len(one.text), len(other.text)) > 1 and one.text[-1] == other.text[-1] and one.text[-1] > "\u2e7f"


def other_speaker(case: Case, start: int, end: int, _: Sequence[Statement]) -> Fault | None:
    """Whether the claim lets somebody say what another one says in the evidence."""
    claim = case.claim
    verb = _SAYS.search(claim.text, start, end)
    if verb is None:
        return None
    who = [word for word in case.words(start, verb.start()) if word.weight >= 0.35]
    what = case.words(verb.end(), end)
    if not who or not weight(what):
        return None
    said = [one for statement in case.pool for one in _sayings(statement)]
    own = [one for one in said if standing(who, one[1]) >= 0.6 * weight(who)]
    best = max(said, key=lambda one: standing(what, one[2]), default=None)
    if best is None or best in own or standing(what, best[2]) < 0.6 * weight(what):
        return None
    elsewhere = any(means(who[0], first) for one in case.pool if one is not best[0] for first in one.words[:_FIRST])
    if not own and (not elsewhere or standing(who, best[0].text)):
        return None
    if own and max(standing(what, one[2]) for one in own) >= standing(what, best[2]) - MARGIN / 3:
        return None
    return f"资料{best[0].n} 里这样说的是“{short(best[1])}”", True


def _sayings(statement: Statement) -> Iterator[tuple[Statement, str, str]]:
    """Who says what in a sentence."""
    text = statement.text
    verbs = list(_SAYS.finditer(text))
    for number, verb in enumerate(verbs):
        first = max((mark.end() for mark in _START.finditer(text, 0, verb.start())), default=0)
        stop = verbs[number + 1] if number + 1 < len(verbs) else None
        last = len(text)
        if stop is not None:
            last = max((mark.end() for mark in _START.finditer(text, verb.end(), stop.start())), default=stop.start())
        yield statement, text[first : verb.start()], text[verb.end() : last]
