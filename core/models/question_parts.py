"""Cutting a question into the things it asks."""

import re

from youju.models.question_words import ASKING
from youju.text import fold, has_content

_PART_END = re.compile(r"[？?；;\n]+")
_CLAUSE = re.compile(r"[^，,。]+")
_BETWEEN = r"(?:、|和|与|以及|及|跟)"
_EACH = re.compile(
    r"(?P<lead>^(?:请问|请|比较|对比|分别说明|说明|结合|根据[^，,]{1,40}[，,])*)"
    rf"(?P<first>[^，,、和与及跟]{{2,30}}?)(?P<others>(?:、[^，,、和与及跟的]{{2,30}}?){{0,7}}{_BETWEEN}[^，,、和与及跟的]{{2,30}}?)"
    r"(?P<same>(?:的|各|分别|有什么|有何)[^，,]{2,40})"
)
_OWNER = re.compile(r".+的(?=[^的]+$)")
_SEPARATELY = re.compile(
    r"分别|各自|各(?=[是有为由在多几占要需可能]|什么|怎么|谁)|区别|差异|不同|对比|比较|相比|哪[家个]更|谁更"
)
_DIFFERENCE = re.compile(
    r"(?:有什么|有何|有哪些|的)?(?:主要)?(?:区别|差异|不同)(?:之处|点)?.*|分别|各自|各(?=[是有为由在多几占要需可能]|什么|怎么|谁)"
)


def split(question: str) -> list[str]:
    """The parts of a question, in its own words."""
    texts: list[str] = []
    for sentence in _PART_END.split(question):
        start = end = 0
        for clause in _CLAUSE.finditer(sentence):
            if _asks(sentence[start:end]) and _asks(clause.group()):
                texts.append(sentence[start:end])
                start = clause.start()
            end = clause.end()
        texts.append(sentence[start:end])
    stripped = (text.strip() for text in texts if has_content(text))
    return [part for text in stripped for part in _of_each(text)]


def _of_each(text: str) -> list[str]:
    """A part for each of several things of which the same is asked; whose they are is said of each.

    甲公司和乙公司的收入分别是多少; 甲公司的收入、利润各是多少.
    """
    match = _EACH.search(text)
    if match is None or not _SEPARATELY.search(text):
        return [text]
    same = _DIFFERENCE.sub("", match["same"]).strip()
    first, *others = (thing.strip() for thing in re.split(_BETWEEN, match["first"] + match["others"]))
    owner = None if same.startswith("的") else _OWNER.match(first)
    return [f"{first}{same}", *(f"{owner.group() if owner else ''}{other}{same}" for other in others)]


def _asks(text: str) -> bool:
    return ASKING.search(fold(text)) is not None
