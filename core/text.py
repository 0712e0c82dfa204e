"""Text as data: folding for search, search tokens, sentences, and characters that must not open a line.

Everything here is about single texts and knows nothing of files, models or settings.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Any

CLOSING = frozenset("。！？；：，、…—～·）］｝】》〉」』〕”’！?!;:,.)]}%‰℃»›")
"""Marks that belong to what stands before them; no chunk begins with one."""

HAN = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Body of a regular-expression class for Han characters."""

_NO_ABBREVIATION = "".join(
    rf"(?<!\b{word})" for word in "Mr Mrs Ms Dr Prof St Mt No Nos Fig Figs Eq Sec Ch Vol Art al cf vs approx".split()
)
_NO_LIST_NUMBER = "".join(rf"(?<!(?m:^){digits})(?<![。！？]{digits})" for digits in (r"\d", r"\d\d"))
_QUOTES = "”’」』）)】》〉］\\]\"'"
SENTENCE_MARK = re.compile(
    rf"[。！？｡]++[。！？｡!?…]*+[{_QUOTES}]*+"  # Chinese marks end a sentence wherever they stand
    rf"|(?<!…)…{{2,}}+[{_QUOTES}]*+(?=\s|[{HAN}])"  # an ellipsis between sentences
    rf"|(?<![!?])[!?]++[{_QUOTES}]*+(?=\s|$|[{HAN}])"
    rf"|(?<![A-Z])(?<!\b[a-z])(?<!\be\.g)(?<!\bi\.e)(?<!\betc){_NO_ABBREVIATION}{_NO_LIST_NUMBER}[.．][{_QUOTES}]*+(?=\s|$)"
    rf"|(?<=[^\s，,。.．、；;：:]{{4}}[{HAN}])[.．](?=[{HAN}])"  # a dot typed for 。 (年假为10天.病假另算)
    r"|\b[a-z]{2,}+\.(?=[A-Z][a-z]*+\s)"  # a blank forgotten (30 days.Sick leave)
)
"""Marks that end a sentence, closing quotes included; a match ends where the sentence does. Line ends do not count."""

_LINE_END = re.compile(r"\n+")
_LATIN = "a-z0-9\u00df-\u00f6\u00f8-\u024f"
_WORD = re.compile(
    rf"[{_LATIN}]+(?:[-_./:+@#&'][{_LATIN}]+)*(?:\+\+|#)?"  # identifiers, versions, words: BX-2024-0017, v2.3.1, c++
    rf"|[{HAN}]+"
    rf"|(?:(?![{_LATIN}{HAN}])[^\W_])+"  # other scripts
)
_PART = re.compile(rf"(?:(?![0-9])[{_LATIN}])+|[0-9]+")
_HAN_RUN = re.compile(rf"[{HAN}]+")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-")
_ZERO_WIDTH = dict.fromkeys(
    [0x00AD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A)]
)


def has_content(text: str) -> bool:
    """Whether a text holds at least one letter, digit or Han character."""
    return any(character.isalnum() for character in text)


def fold(text: str) -> str:
    """Fold width, case and dashes, so that ＡＢＣ－１２３, ABC–123 and abc-123 are one; what has no width is dropped.

    The result is for comparing and searching only; it may be longer or shorter than the text.
    """
    return unicodedata.normalize("NFKC", text.translate(_ZERO_WIDTH)).lower().translate(_DASHES)


def tokens(text: str) -> list[str]:
    """Cut a text into the words that keyword search compares, with repetitions.

    Texts are folded first. Of a Han run every dictionary word comes, overlapping ones too: a word is found wherever it
    stands, whatever its neighbours (退货运费 holds 退货, 货运 and 运费). Characters that belong to no word come alone.
    Identifiers such as `BX-2024-0017` come whole and in parts. Marks and blanks are no words.
    """
    found: list[str] = []
    for match in _WORD.finditer(fold(text)):
        word = match.group()
        if _HAN_RUN.match(word):
            found.extend(_segment(word))
            continue
        found.append(word)
        parts = _PART.findall(word)
        if len(parts) > 1:
            found.extend(parts)
    return found


def sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text.

    A sentence ends after 。！？ or their ASCII forms with the closing quotes that follow, or at a line end. Dots
    inside numbers, versions, addresses and links, after list numbers and after usual abbreviations do not end one.

    Returns:
        Spans `(start, end)` in order, without surrounding blanks; spans without a letter, digit or Han character are
        joined to the sentence before them.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    ends = {match.end() for pattern in (SENTENCE_MARK, _LINE_END) for match in pattern.finditer(text)}
    for end in sorted(ends | {len(text)}):
        left, right = _trim(text, start, end)
        start = end
        if left >= right:
            continue
        if spans and not has_content(text[left:right]) and "\n" not in text[spans[-1][1] : left]:
            spans[-1] = (spans[-1][0], right)
        elif has_content(text[left:right]):
            spans.append((left, right))
    return spans


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _segment(run: str) -> list[str]:
    rjieba = _segmenter()
    words = [word for word in rjieba.cut_all(run) if len(word) > 1]
    # without the statistical model, which would cut a word differently in each neighbourhood
    words += [word for word in rjieba.cut(run, False) if len(word) == 1]  # noqa: FBT003 - positional only
    return words


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    import rjieba  # noqa: PLC0415 - loading its dictionary takes 0.15 s

    return rjieba
