"""Digits that are rarely written, as those of every day: 贰万 as 二万, 廿五天 as 二十五天, ٩٠ as 90."""

import re

from youju.chains.numerals import plain_digits

_MAY_BE_DIGITS = re.compile("[壹贰貳叁參肆伍陆陸柒捌玖拾廿卅俩仨\u0660-\u1fff\ua620-\uabff\U00010000-\U0001ffff]")
_EVERYDAY = str.maketrans("壹贰貳叁參肆伍陆陸柒捌玖拾佰仟圆", "一二二三三四五六六七八九十百千元")
_MEASURED = "(?=天|年|月|日|个|周|星期|小时|分钟|人|次|元|块|岁)"
_FORMAL = re.compile(
    # 贰万元, 廿五天, 俩月 (but not 他俩)
    "[壹贰貳叁參肆伍陆陸柒捌玖拾][壹贰貳叁參肆伍陆陸柒捌玖拾佰仟零万萬亿億]+圆?|[壹贰貳叁參肆伍陆陸柒捌玖拾](?=[元圆])"
    rf"|[廿卅](?=[一二三四五六七八九])|[廿卅]{_MEASURED}|(?<![他她它我你咱们妻母父])[俩仨]{_MEASURED}"
)
_SHORT = {"廿": "二十", "卅": "三十", "俩": "两", "仨": "三"}


def _everyday(match: re.Match[str]) -> str:
    return _SHORT.get(match.group()) or match.group().translate(_EVERYDAY)


def with_everyday_digits(text: str) -> str:
    """A text with the numerals of bank notes, 廿, 卅, 俩, 仨 and digits of other scripts in their usual form."""
    if not _MAY_BE_DIGITS.search(text):
        return text
    return _FORMAL.sub(_everyday, plain_digits(text))
