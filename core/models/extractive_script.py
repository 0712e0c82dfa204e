"""Folding for comparing: width and case always, Traditional to Simplified where a text needs it."""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

from youju.text import HAN, fold

_HAN = re.compile(rf"[{HAN}]")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def folding_for(texts: Iterable[str]) -> Callable[[str], str]:
    """How to fold texts that are compared with one another.

    Where all are Simplified, which is what GB 2312 can write, nothing has to be converted and OpenCC is not loaded.
    """
    characters = {character for text in texts for character in _HAN.findall(text)}
    if all(map(_is_simplified, characters)):
        return fold
    convert = _converter()
    return lambda text: convert(fold(text))


def _is_simplified(character: str) -> bool:
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=1)
def _converter() -> Callable[[str], str]:
    from opencc import OpenCC  # noqa: PLC0415 - loading its dictionary takes 0.03 s

    convert = OpenCC("t2s").convert
    return lambda text: str(convert(_LONE_SURROGATE.sub(" ", text)))
