"""Passages of documents that speak to a model instead of to their readers."""

import re
from collections.abc import Sequence
from functools import lru_cache

from youju.analyzer import simplified
from youju.chains.marks import HIDDEN
from youju.chains.values import narrow
from youju.text import HAN

_SIDE = rf"[{HAN}，。：；！？“”]"
_DROPPED = re.compile(rf"(?=[{HIDDEN}\s])(?:[{HIDDEN}]+|(?<={_SIDE})[^\S\n]+(?={_SIDE}))")
_SILENT = re.compile(r"[\W_]*")
_ENDS = "。！？!?\n"


def told_to_a_model(text: str) -> list[tuple[int, int]]:
    """Where a text speaks to a model: from the beginning of such a sentence to the end of its line.

    What such a passage says is no content of the document: an answer that repeats it follows it. Characters that
    cannot be seen, blanks between Chinese characters, width and script make no difference. Of orders that people get,
    too (请回复：…), only those count that give a whole statement to say, in a sentence that names nobody to say it.
    """
    return list(_spans(text))


_MAY_BE_TO_A_MODEL = re.compile(
    "忽略|无视|忘[记掉]|抛开|丢弃|推翻|不用管|不要管|别管|理会|遵守|作废|失效|无效|助手|模型|机器人|智能|指令|从现在|从此|从这"
    "|系统(?:(?:消息|命令|通知)?[\\]】:：]|提示)|管理员(?:消息|命令|通知|提示)?[\\]】:：]|引用|标注|标出|给出|直接"
    "|ignore|disregard|forget|override|you are|ai|model|bot|assistant|from now|prompt|reply|respon|answer|output|<\\|"
    "|inst|sys|human|user"
)
_MAY_BE_TO_ANYBODY = re.compile(
    '输出|回[复答]|答[复案]|复述|重复|说[:：“"「『‘]|[诉知]用户|你(?:必须|务必|只能|只需)|无论|不管|不论'
)
"""What a text must hold for the patterns of `instruction_forms` to be worth their time: each has one of these."""


def content_of(text: str) -> str:
    """A text in which blanks stand for what is addressed to a model, so that no claim can rest on it."""
    for start, end in told_to_a_model(text):
        text = text[:start] + " " * (end - start) + text[end:]
    return text


@lru_cache(maxsize=512)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    plain, places = _plain(text)
    found: list[tuple[int, int]] = []
    for start, end in sorted(_orders(plain)):
        stop = plain.find("\n", end)
        if stop >= 0 and _SILENT.fullmatch(plain, end, stop):  # a turn's head; what is said stands on the next line
            silent = _SILENT.match(plain, stop)
            stop = plain.find("\n", silent.end() if silent else stop)
        span = places[_sentence(plain, start)], len(text) if stop < 0 else places[stop]
        if not found or span[0] >= found[-1][1]:
            found.append(span)
        else:
            found[-1] = found[-1][0], max(span[1], found[-1][1])
    return tuple(found)


def _orders(plain: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    if _MAY_BE_TO_A_MODEL.search(plain.casefold()):
        from youju.chains.instruction_forms import TO_A_MODEL  # noqa: PLC0415 - takes 0.1 s

        found += [match.span() for match in TO_A_MODEL.finditer(plain) if not _is_for_readers(plain, match)]
    if _MAY_BE_TO_ANYBODY.search(plain):
        from youju.chains.instruction_forms import PEOPLE, TO_WHOM_IT_MAY_BE  # noqa: PLC0415 - as above

        found += [
            match.span()
            for match in TO_WHOM_IT_MAY_BE.finditer(plain)
            if not PEOPLE.search(plain, _sentence(plain, match.start()), match.end())
        ]
    return found


def _is_for_readers(plain: str, match: re.Match[str]) -> bool:
    from youju.chains.instruction_forms import CONDITION, MAY_BE_LEFT_UNREAD  # noqa: PLC0415 - as above

    begins = _sentence(plain, match.start())
    return (
        MAY_BE_LEFT_UNREAD.search(match.group()) is not None
        and CONDITION.search(plain, begins, match.start()) is not None
    )


def _sentence(plain: str, at: int) -> int:
    """Where the sentence around a place begins."""
    return max(plain.rfind(mark, 0, at) for mark in _ENDS) + 1


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """A text as it is read, and where each of its characters stands in the text as it is written."""
    if not _DROPPED.search(text):
        return _folded(text), range(len(text))
    places = list[int]()
    at = 0
    for match in _DROPPED.finditer(text):
        places.extend(range(at, match.start()))
        at = match.end()
    places.extend(range(at, len(text)))
    return _folded("".join(map(text.__getitem__, places))), places


def _folded(text: str) -> str:
    """A text of the same length in plain letters and, where that keeps its length, simplified characters."""
    plain = narrow(text)
    folded = simplified(plain)
    return folded if len(folded) == len(plain) else plain
