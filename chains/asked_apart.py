"""Whether evidence speaks of another thing than a question names: another year, the women's event, a deputy."""

import re
from collections.abc import Iterator
from itertools import pairwise

from youju.chains.content import Word, held, tagged, words
from youju.chains.values import folded
from youju.models.question_apart import other_before
from youju.models.question_kinds import NAMED
from youju.models.question_terms import SCOPE
from youju.text import HAN

_EVENTS = "足篮籃排网網单單双雙团團"
_TOLD_APART = (
    *(NAMED[at] for at in (0, 1, 3, 4, 5)),
    re.compile(rf"[男女](?=[{_EVENTS}]|子[\d{_EVENTS}自越大短速空障花冰滑])"),
    re.compile(r"[冬夏](?=季?(?:[残殘]?[奥奧]|奥林匹克|奧林匹克))"),
    re.compile(r"[一二三四]季度|[上下]半年|全年"),
)
"""Years, months, articles, models, parties, men's and women's events, winter and summer games, parts of a year: where
one is asked about, another is no answer. Of titles and persons, the others of `NAMED`, several may be spoken of."""
_BASIS = re.compile(r"[比较較自从從至到](?:上年|去年)?$")
"""Before a year that something is only compared with or counted from."""
_OFFICES = (
    "总经理 经理 总裁 董事长 主任 主席 总统 总理 部长 局长 处长 科长 省长 市长 县长 区长 镇长 书记 院长 校长 教授 行长"
    " 会长 队长 厂长 所长 站长 秘书长"
).split()
_LIKE = (
    ("残奥会", re.compile("(?<!残)奥运?会"), "奥运会"),
    ("陪产假", re.compile("(?<!陪)产假"), "产假"),
    *((f"副{office}", re.compile(f"(?<!副){office}"), office) for office in _OFFICES),
)
"""Names that hold another one's, in simplified text: the longer, how the shorter stands alone, and its name."""
_ANY_PLACE = re.compile(r"中国|中國|(?:大|城|都|地|市|省|县|区|州|全|本|我|国|洋|海|陆|洲|岛|乡|村|镇){1,3}")
"""What the dictionary counts among places and names none (城市, 大洋), or a whole whose parts are spoken of."""
_NAMED = 0.6
"""How much of a place's name a text must hold to name it."""
_OF_A_PLACE = re.compile(rf"[{HAN}]{{0,4}}[会赛杯展节]")
"""Games, fairs and the like, which are called after where they are held, in simplified text."""
_COMPARES = re.compile("[比较超继除曾]|[上前下]一?[届次]|以来|[之此以][前后]|哪一?[届次]")
"""In a question or sentence that may name other games than those it is about."""


def other_named(asked: str, question: str, said: str, quoted: str, read: str) -> str | None:
    """The year, article, model or party … that is spoken of instead of the one asked for.

    A claim that repeats it from the question proves nothing, unless a block that it cites names it too.

    Args:
        asked: A part of a question, folded like the rest.
        question: The whole of it.
        said: What a claim states.
        quoted: The evidence quoted for it.
        read: The blocks that it cites.
    """
    plain = SCOPE.sub("", asked)
    for pattern in _TOLD_APART:
        wanted = set(pattern.findall(plain))
        if not wanted or not wanted.isdisjoint(pattern.findall(quoted)):
            continue
        if not wanted.isdisjoint(pattern.findall(said)) and (not read or not wanted.isdisjoint(pattern.findall(read))):
            continue
        named = set(pattern.findall(question))
        found = [
            match.group()
            for text in (said, quoted)
            for match in pattern.finditer(text)
            if match.group() not in named and not _BASIS.search(text, 0, match.start())
        ]
        if found:
            return f"问的是“{min(wanted)}”，依据写的是“{found[0]}”"
    return None


def other_of_its_kind(asked: str, question: str, quoted: str) -> str | None:
    """The year or party of which the evidence quoted says what is asked of another one."""
    found = other_before(SCOPE.sub("", asked), question, quoted)
    return f"问的是“{found[0]}”，依据写的是“{found[1]}”" if found else None


def other_kind(asked: str, question: str, said: str, quoted: str, read: str) -> str | None:
    """The thing that is spoken of instead of one called like it: 产假 for 陪产假, 残奥会 for 冬奥会.

    An office that the claim itself names may be the answer (who stands in for the manager: 副经理).
    """
    around = f"{quoted}。{read}"
    for longer, alone, shorter in _LIKE:
        is_office = shorter in _OFFICES
        if longer in asked and longer not in around and alone.search(quoted) and not alone.search(question):
            wanted, found, answers = longer, shorter, is_office and alone.search(said) is not None
        elif longer in quoted and longer not in question and alone.search(asked) and not alone.search(around):
            wanted, found, answers = shorter, longer, is_office and longer in said
        else:
            continue
        if not answers:
            return f"问的是“{wanted}”，依据写的是“{found}”"
    return None


def other_host(asked: str, question: str, said: str, quoted: str) -> str | None:
    """The place whose games are spoken of instead of those asked for: 平昌冬奥会 for 北京冬奥会."""
    if _COMPARES.search(question):
        return None
    for place, event in _hosted(asked):
        for text in (said, quoted):
            if place in text or event not in text or (text is quoted and _COMPARES.search(text)):
                continue
            others = [f"{other}{event}" for other, same in _hosted(text) if same == event and other not in question]
            if others:
                return f"问的是“{place}{event}”，依据写的是“{others[0]}”"
    return None


def _hosted(text: str) -> Iterator[tuple[str, str]]:
    """Games and the like in a text, each behind the place that it is called after.

    The dictionary counts some places among the names of persons: such a name is a place's behind a year.
    """
    before = ""
    found = tagged(text)
    for (place, kind, _), (event, _, _) in pairwise(found):
        placed = kind == "ns" or (kind == "nr" and before == "年")
        if placed and _OF_A_PLACE.fullmatch(event) and not _ANY_PLACE.fullmatch(place):
            yield place, event
        before = place


def places(text: str) -> list[Word]:
    """The places that a text names."""
    named = (word for word in words(folded(text), raw=text) if word.name == "地名")
    return [word for word in named if not _ANY_PLACE.fullmatch(word.text)]


def names_place(place: Word, text: str) -> bool:
    """Whether a folded text names a place."""
    return held(place, text) >= _NAMED
