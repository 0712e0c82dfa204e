"""The year or party right before a word of a question, where a text has only another one before the same word."""

import re
from collections.abc import Callable

from youju.text import HAN

_YEAR = re.compile(rf"(?P<which>(?:19|20)\d\d年)度?的?(?P<word>[{HAN}]{{2}})")
PARTIES = r"(?:[甲乙丙丁买卖供需]方|[出承]租人|[发承]包人|[委受]托人|出卖人|买受人|贷款人|借款人)"
"""What contracts call those who conclude them."""
_PARTY = re.compile(
    rf"(?P<which>{PARTIES})的?"
    rf"(?P<word>(?![应须可要会能有不得是为向对给与和由在])[{HAN}]{{2}})"
)
_A_DAY = re.compile(r"\d{1,2}月(?:\d{1,2}[日号])?")
RECEIVING = re.compile(r"(?:[向对给与和同由被因凭经]|通知|要求|书面|交付|提供|赔偿|支付)$")
"""Before a party to which something is done, rather than one that does something."""


def other_before(asked: str, question: str, text: str) -> tuple[str, str] | None:
    """What a question names and what a text has in its place: 乙方 in 乙方逾期交付 where 甲方逾期付款 is asked about.

    Args:
        asked: A part of a question, folded like the rest.
        question: The whole of it: a text may speak of all that it names.
        text: What may speak of another. A year counts as spoken of unless it only dates a day (发放 is dated in
            2023年年终奖于2024年1月20日发放), a party where it is not only one to which something is done.

    Returns:
        What is asked about, and the other one; None where the text speaks of what is asked about, or of neither.
    """
    return _other(_YEAR, _is_of_year, asked, question, text) or _other(_PARTY, _is_acting, asked, question, text)


def _other(
    pattern: re.Pattern[str], counts: Callable[[str, re.Match[str], str], bool], asked: str, question: str, text: str
) -> tuple[str, str] | None:
    for match in pattern.finditer(asked):
        wanted, word = match["which"], match["word"]
        same = [other["which"] for other in pattern.finditer(text) if other["word"] == word]
        free = any(counts(text, spot, word) for spot in re.finditer(wanted, text))
        others = [one for one in same if one not in question]
        if others and not free and wanted not in same:
            return wanted, others[0]
    return None


def _is_of_year(text: str, year: re.Match[str], word: str) -> bool:
    day = _A_DAY.match(text, year.end())
    return day is None or text.startswith(word, day.end())


def _is_acting(text: str, party: re.Match[str], _: str) -> bool:
    return RECEIVING.search(text, 0, party.start()) is None
