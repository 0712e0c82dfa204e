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

_QUOTES = "”’」』）)】》〉］\\]\"'"
SENTENCE_MARK = re.compile(
    rf"[。！？]+[。！？!?…]*[{_QUOTES}]*"  # Chinese marks end a sentence wherever they stand
    rf"|…{{2,}}[{_QUOTES}]*(?=\s|[{HAN}])"  # an ellipsis between sentences
    rf"|[!?]+[{_QUOTES}]*(?=\s|$|[{HAN}])"
    rf"|(?<![A-Z])(?<!\b[a-z])(?<!\be\.g)(?<!\bi\.e)(?<!\bvs)(?<!\bNo)(?<!\betc)\.[{_QUOTES}]*(?=\s|$)"
)
"""Marks that end a sentence, closing quotes included; a match ends where the sentence does. Line ends do not count."""

_LINE_END = re.compile(r"\n+")
_WORD = re.compile(
    r"[a-z0-9]+(?:[-_./:+@#&'][a-z0-9]+)*(?:\+\+|#)?"  # identifiers, versions, words: BX-2024-0017, v2.3.1, c++
    rf"|[{HAN}]+"
    r"|[^\W_]+"  # other scripts
)
_PART = re.compile(r"[a-z]+|[0-9]+")
_HAN_RUN = re.compile(rf"[{HAN}]+")


def has_content(text: str) -> bool:
    """Whether a text holds at least one letter, digit or Han character."""
    return any(character.isalnum() for character in text)


def fold(text: str) -> str:
    """Fold width and case, so that ＡＢＣ１２３, ABC123 and abc123 are one.

    The result is for comparing and searching only; it may be longer or shorter than the text.
    """
    return unicodedata.normalize("NFKC", text).lower()


def tokens(text: str) -> list[str]:
    """Cut a text into the words that keyword search compares, in order, with repetitions.

    Texts are folded first. Han runs are cut into dictionary words without the segmenter's statistical model, so
    that the same word is cut alike in a question and in a passage; long words come with their parts. Identifiers such
    as `BX-2024-0017` come whole and in parts. Marks and blanks are no words.
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
    inside numbers, versions, addresses and links do not end one.

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
    words: list[str] = _segmenter().cut_for_search(run, False)  # noqa: FBT003 - positional only in the extension
    return words


@lru_cache(maxsize=1)
def _segmenter() -> Any:
    import rjieba  # noqa: PLC0415 - loading its dictionary takes 0.15 s

    return rjieba
