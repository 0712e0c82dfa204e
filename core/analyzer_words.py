"""Han text into words: jieba's three modes, with words of one's own, and the built-in stop list."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from youju.errors import SettingsError

Cut = Callable[[str], list[str]]

STOP_WORDS = frozenset(
    "的 了 着 过 是 在 和 与 及 或 也 都 就 而 但 对 由 把 被 让 给 为 于 以 之 其 这 那 所 等 吗 呢 吧 啊 呀 嘛 么"
    " 么样 我 你 您 他 她 它 我们 你们 您们 他们 她们 它们 自己 这个 那个 这些 那些 这样 那样 这里 那里"
    " 什么 怎么 怎样 怎么样 如何 哪 哪些 哪个 哪里 谁 几 多少 多久 为什么 为何 是否 能否 可否 请问 请"
    " 可以 以及 因为 所以 如果 但是 而且 并且 或者 还是 以及 对于 关于 根据 按照 通过 其中 进行 一个 一种"
    " 一些 有 有的".split()
)
"""Words that say nothing of a matter, for `stop_words: zh`."""

_LINE = re.compile(r"(\S+)(?:\s+([0-9]+))?(?:\s+[A-Za-z]+)?")


def cutter(mode: str, dictionary: Path | None, normalize: Callable[[str], str]) -> Cut:
    """The function that cuts a run of Han characters.

    Words are cut without jieba's statistical model, which would cut a word differently in each neighbourhood.

    Args:
        mode: `search`, `accurate`, `full` or `none`, as in `KeywordSettings.words`.
        dictionary: A file with one word a line, each optionally followed by its frequency and its kind.
        normalize: What is done to texts before they are cut, and so to these words.

    Raises:
        SettingsError: The file cannot be read, or a line is not as it should be.
    """
    if mode == "none":
        return lambda _: []
    jieba = segmenter() if dictionary is None else _with_words(dictionary, normalize)
    if mode == "accurate":
        return lambda run: jieba.cut(run, False)  # noqa: FBT003 - positional only
    if mode == "search":
        return lambda run: jieba.cut_for_search(run, False)  # noqa: FBT003 - as above
    return lambda run: full_words(jieba, run)


def full_words(jieba: Any, run: str) -> list[str]:
    """Every dictionary word of a run, overlapping ones too, and alone the characters that belong to none."""
    words = [word for word in jieba.cut_all(run) if len(word) > 1]
    return words + [word for word in jieba.cut(run, False) if len(word) == 1]  # noqa: FBT003 - as above


def read_words(path: Path, option: str) -> list[str]:
    """The lines of a file of words, without blank ones.

    Raises:
        SettingsError: The file cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:  # a path with a null character is a ValueError, as bad bytes are
        raise SettingsError(
            f"读不了 keywords.{option} 指定的文件 {path}：要是一个 UTF-8 文本文件，每行一个词"
        ) from error
    return [line.strip() for line in text.splitlines() if line.strip()]


@lru_cache(maxsize=1)
def segmenter() -> Any:
    """The segmenter with its own dictionary."""
    import rjieba  # noqa: PLC0415 - loading its dictionary takes 0.15 s

    return rjieba


def _with_words(path: Path, normalize: Callable[[str], str]) -> Any:
    import rjieba  # noqa: PLC0415 - as above

    jieba = rjieba.Jieba()
    for number, line in enumerate(read_words(path, "dictionary"), start=1):
        match = _LINE.fullmatch(line)
        if match is None:
            raise SettingsError(
                f"keywords.dictionary 的文件 {path} 第 {number} 行看不懂：每行写一个词，后面可以空一格写词频"
            )
        word = normalize(match[1])
        jieba.add_word(word, int(match[2]) if match[2] else jieba.suggest_freq(word), None)
    return jieba
