"""Whether a text holds a value of the kind that a question asks for: a length of time, a person, a place."""

import re
from functools import lru_cache

from youju.models.questions import Part

_DATES = re.compile(
    r"(?:19|20)\d{2}\s*年(?:度|\s*\d{1,2}\s*月)?(?:\s*\d{1,2}\s*日)?|\d{1,2}月\d{1,2}日|第[\d一二三四五六七八九十]+"
)
_YEARS = re.compile(r"(?:19|20)\d{2}\s*年")
_NOT_COUNTED = re.compile(
    r"一(?:个|家|项|次|些|种|系列|般|直|定|起|样|切|旦|致|方|名|位|部分|步|是|面|体|年一度)|[三两]者|万一|统一|第一|唯一|之一"
)
_HOW_MANY = re.compile(r"(?:几|多少)([个家项次种名位])")
_COUNTED = frozenset(["money", "number", "people", "share"])
_PER_DAY = re.compile(r"每(?:逾期|延迟|迟延|超过|超|晚|迟)一[日天周月]")
_WORDY = frozenset(["person", "name", "place"])
_NUMBER = re.compile(r"\d[\d.,]*")
_NAMES = {"person": ("nr", "nt"), "name": ("nr", "nt", "nz"), "place": ("ns", "nt")}
"""The parts of speech, in jieba's tags, that name what is asked for: persons, organisations, other names, places."""
_ANY_NAME = ("nr", "ns", "nt", "nz")
_OWNER = re.compile(r"([\u4e00-\u9fff]{2,3})的(?:邮箱|电话|手机|分机|联系方式|职务|工号)")
_ANY_DATE = re.compile(r"\d+\s*[年月日号时点]|\d{4}[-/.]\d|\d{1,2}:\d\d")
_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范"
    "石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤俞"
)
"""The hundred surnames of most bearers, so that no common word that the statistics take for a name counts as one."""
_NO_NAMES = frozenset(["之日起", "普通"])
"""What jieba's dictionary or its statistics take for a name and documents often say."""


def holds_value(part: Part, folded: str) -> bool:
    """Whether a folded text holds a value of the kind asked for, besides those that the question names itself.

    True where no kind is asked for. Persons and places are known by their parts of speech or by words around them.
    """
    if part.kind is None:
        return True
    name = part.kind.name
    if name in _COUNTED:
        for asked in _HOW_MANY.findall(part.folded):
            folded = folded.replace(f"一{asked}", f"1{asked}")
        folded = _NOT_COUNTED.sub(" ", (_DATES if "第几" not in part.folded else _YEARS).sub(" ", folded))
    if name == "length":
        folded = _PER_DAY.sub(" ", folded)
    for value in _NUMBER.findall(part.folded) if part.form != "yes_no" else ():  # there the same value says yes
        folded = folded.replace(value, " ")
    if name not in _WORDY:
        return part.kind.held.search(folded) is not None
    if any(word not in part.folded for word, tag in _tagged(folded) if tag.startswith(_NAMES[name])):
        return True
    for term in part.words:
        folded = folded.replace(term.text, " ")
    return part.kind.held.search(folded) is not None


def values_in(part: Part, folded: str) -> frozenset[str]:
    """The values in a folded text that may answer: those of the kind asked for, names where none or a name is.

    What the question says itself is left out.
    """
    kind = part.kind
    found = (
        {match.group().strip() for match in kind.held.finditer(folded)} if kind and kind.name not in _WORDY else set()
    )
    if kind is None or kind.name in _WORDY:
        found.update(word for word, tag in _tagged(folded) if tag.startswith(_ANY_NAME))
    return frozenset(value for value in found if len(value) > 1 and value not in part.folded)


def names_in(folded: str) -> list[str]:
    """The names of persons in a folded text, by their parts of speech or as what has a mailbox or a telephone."""
    owner = _OWNER.match(folded)
    named = [word for word, tag in _tagged(folded) if tag.startswith("nr") and len(word) < 4 and word[0] in _SURNAMES]
    return [*named, owner.group(1)] if owner else named


def dates_in(folded: str) -> list[str]:
    """The dates in a folded text."""
    return [match.group() for match in _ANY_DATE.finditer(folded)]


@lru_cache(maxsize=512)
def _tagged(folded: str) -> list[tuple[str, str]]:
    """The words of a text of two characters and more with their parts of speech."""
    from youju.analyzer_words import segmenter  # noqa: PLC0415 - only here

    return [(word, tag) for word, tag in segmenter().tag(folded) if len(word) > 1 and word not in _NO_NAMES]
