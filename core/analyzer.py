"""The analyzer: from a text to the tokens that keyword search compares, the same for documents and questions."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from operator import add
from pathlib import Path
from typing import Any

from youju.analyzer_numbers import number_tokens, without_group_marks
from youju.analyzer_words import STOP_WORDS, cutter, read_words
from youju.settings import KeywordSettings
from youju.text import HAN_RUN, PART, WORD, fold_width, without_hidden

_STANDARD = re.compile(
    r"(?<![a-z0-9/])([a-z]{1,5}/[a-z]{1,2}|[a-z]{2,5}(?= [0-9.]+-[0-9]{4}(?![0-9]))) ([0-9]+(?:[-.][0-9]+)*)",
    re.IGNORECASE,
)
"""A standard, whose name has a blank inside: GB/T 19001-2016, ISO 9001-2015."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Analyzer:
    """Cuts texts into tokens by settings; every step can be switched off.

    Folding concerns the tokens alone: what is stored and shown stays as it was written.

    Example:
        >>> Analyzer().tokens("產品BX-2024")
        ['产品', '产品', 'bx-2024', 'bx', '2024', 'bx-2024', 'bx', '2024']
    """

    def __init__(self, settings: KeywordSettings | None = None) -> None:
        """Take the settings; None means the defaults.

        Raises:
            SettingsError: The dictionary or the list of stop words cannot be read.
        """
        self.settings = settings = settings or KeywordSettings()
        self._steps = list(_steps(settings))
        self._cut = cutter(settings.words, settings.dictionary, self._normalized)
        # a Han word comes as a word and as pairs: one of letters comes as often, or it would count for less beside them
        self._weight = 2 if settings.bigrams == "all" and settings.words != "none" else 1
        self._stop_words = frozenset(map(self._normalized, _stop_words(settings.stop_words)))

    def tokens(self, text: str) -> list[str]:
        """The tokens of a text, with repetitions; marks and blanks are none.

        A Han run gives its words and its pairs of neighbouring characters. Letters, digits and what joins them
        (BX-2024-0017, v2.3.1) give the whole and its parts. Numbers in other forms than plain digits give the digits.
        """
        normalized = self._normalized(text)
        found: list[str] = []
        for match in WORD.finditer(normalized):
            run = match.group()
            found += self._of_han(run) if HAN_RUN.match(run) else self._of_letters(run)
        if self._stop_words:
            found = [token for token in found if token not in self._stop_words]
        if self.settings.numbers == "fold":
            found += number_tokens(normalized)
        if self.settings.identifiers != "parts":
            found += (match[1] + match[2] for match in _STANDARD.finditer(normalized))
        return found

    def _of_han(self, run: str) -> list[str]:
        words = self._cut(run)
        if self.settings.bigrams == "all":
            words = [*words, *map(add, run, run[1:])]
        return words or [run]

    def _of_letters(self, word: str) -> list[str]:
        parts = PART.findall(word)
        if len(parts) < 2:
            return [word] * self._weight
        both = {"both": [word, *parts], "whole": [word], "parts": parts}[self.settings.identifiers]
        return both * self._weight

    def _normalized(self, text: str) -> str:
        for step in self._steps:
            text = step(text)
        return text


def _steps(settings: KeywordSettings) -> Iterator[Callable[[str], str]]:
    yield without_hidden
    if settings.numbers == "fold":
        yield without_group_marks
    if settings.width == "fold":
        yield fold_width
    if settings.case == "fold":
        yield str.lower
    if settings.script == "fold":
        yield simplified


def simplified(text: str) -> str:
    """A text with its Traditional characters written as Simplified ones; half characters become blanks."""
    return str(_converter()(_LONE_SURROGATE.sub(" ", text)))  # a half character is none that OpenCC takes


@lru_cache(maxsize=1)
def _converter() -> Callable[[str], str]:
    from opencc import OpenCC  # noqa: PLC0415 - loading its dictionary takes 0.03 s

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


def _stop_words(choice: str) -> Any:
    if choice == "none":
        return ()
    return STOP_WORDS if choice == "zh" else read_words(Path(choice), "stop_words")
