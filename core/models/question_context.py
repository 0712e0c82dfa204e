"""Questions that need the one before them: 那病假呢, 它的电话."""

import re

from youju.models.question_words import ASKING
from youju.text import fold

_SHORT = 4
_REFERS = re.compile(
    r"(?<!其)[它她]|(?<!其)他(?!人)|(?<!尤)其(?![他它她余实中次])|这|那|(?<!应)该|此(?!外)|上述|前者|后者|刚才|呢[？?]?$"
    r"|^(?:还有|另外|如果|要是)"
    r"|\b(?:it|its|they|them|their|that|this|these|those|he|she|his|her|what about|how about)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]")
_OPENING = re.compile(r"^(?:还有|另外|那么?|如果|要是)[，,]?|^(?:and |what about |how about )", re.IGNORECASE)
_REFERENCE = re.compile(
    r"(?:[它她他这那]们?|该|此)(?:个|家|位|款|种)?的?|\b(?:its?|their|they|them|his|her|this|that)\b", re.IGNORECASE
)
_AMOUNT = re.compile(r"\d[\d,.]*\s*[百千万亿]*\s*(?:元|天|年|月|人|次|个|%)?")
_END = re.compile(r"[呢吗？?。.！!；;，,\s]+$")


def refers(question: str) -> bool:
    """Whether a question refers to something said before it."""
    return _REFERS.search(question.strip()) is not None


def depends(question: str) -> bool:
    """Whether a question needs the one before it: it refers to something, or is a word or two."""
    return refers(question) or len(word_characters(question)) <= _SHORT


def word_characters(text: str) -> str:
    """The letters and digits of a text."""
    return "".join(_WORD.findall(text)).lower()


def in_context(question: str, before: str) -> str:
    """A question that needs the one before it, in words that can be understood alone.

    What is like a word of the one before takes its place: 病假有几天, of 年假有几天 and 那病假呢; 采购12万谁审批, of
    采购6万元谁审批 and 12万呢. Otherwise the words of both meet, without what the one before asks for:
    蓝海公司的联系人电话, of 电话呢.
    """
    if not before or not depends(question):
        return question
    own = _END.sub("", _REFERENCE.sub("", _OPENING.sub("", question.strip())))
    if _AMOUNT.fullmatch(own) and _AMOUNT.search(before):
        return _AMOUNT.sub(own, before, count=1)
    end = before.find(own[-1:]) + 1
    if len(own) > 1 and end >= len(own) and before[end - len(own) : end] != own:
        return before[: end - len(own)] + own + before[end:]
    about = _END.sub("", ASKING.sub("", fold(before))).removesuffix("是")
    return f"{about}{own}"
