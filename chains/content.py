"""The words that a text states something with: their worth, which are names, and whether another text holds them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import add

from youju.analyzer_words import segmenter
from youju.chains.content_words import EMPTY, ENGLISH_EMPTY, LIGHT, SURNAMES, SYNONYMS
from youju.text import HAN

_HAN = re.compile(rf"[{HAN}]")
_NO_WORD = frozenset("u p c r x m q y e o h k".split())
_KIND = {"nr": "人名", "ns": "地名", "nt": "机构"}
_WEIGHTS = {"n": 1.0, "v": 0.8, "l": 1.0, "i": 1.0, "j": 1.0, "t": 0.7, "f": 0.2, "s": 0.4}
_OFFICE = re.compile(r"[部处科室局院厅署会店厂所组队系社团庭馆站]$")
_ENDING = re.compile(r"(?:ies|es|s|ed|ing|ly|able|ment|ation|al|y|e)$")
_KIND_OF_PLACE = re.compile(r"(?:省|市|县|区|镇|(?:股份)?有限(?:责任)?公司|公司|集团)$")
_DENIAL = re.compile(r"(?:不[得能可会予应]|不|未经|未|无须|无需|无法|无|非|没有|没)(?=.{2})")
_DENIES = frozenset("不未无非没")  # what each of them begins with
_NO = "(?<![除并若莫无绝决])非"  # 非会员; not 除非会员
_IS_NO = re.compile(_NO)
_HIDING = frozenset(["方向", "内向"])
_PARTIES = frozenset("甲乙丙丁买卖供需我对双各")
_CAPITAL = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-zA-Z]+|\b[A-Z]{2,}\b")
_SOMEBODY = re.compile(rf"[{HAN}]某{{1,2}}(?!些|种|个)")  # 沈某某, as courts and hospitals write
_LATIN = re.compile(r"[a-z\u00df-\u024f][a-z\u00df-\u024f'&+#.-]*[a-z\u00df-\u024f+#]|[a-z]")


@dataclass(slots=True, unsafe_hash=True)  # not frozen, to be made faster: evidence has thousands
class Word:
    """A word of a folded text.

    Attributes:
        text: The word.
        start: Where it stands.
        weight: What it is worth; empty words are no words.
        name: The kind of name that it is, None for other words.
        other: Whether 非 stands before it: 非会员 are not 会员.
    """

    text: str
    start: int
    weight: float
    name: str | None = None
    other: bool = False

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


Token = tuple[str, str, int]
"""A token of a text, its kind by the dictionary, and where it stands."""


def without_places(text: str, places: Sequence[tuple[int, int]]) -> str:
    """A text of the same length with 。 in these places."""
    hidden = list(text)
    for start, end in places:
        hidden[start:end] = "。" * (end - start)
    return "".join(hidden)


def tagged(text: str) -> list[Token]:
    """What the dictionary cuts a text into."""
    found: list[Token] = []
    at = 0
    for word, kind in segmenter().tag(text, False):  # noqa: FBT003 - positional only
        cut = _marker_at(word, kind, text, at) if kind == "nr" or word in _HIDING else None
        if cut is None:
            found.append((word, kind, at))
        else:
            if cut and word == "方向" and found:  # 甲 方向 乙方
                before, _, start = found.pop()
                found.append((f"{before}方", "n", start))
            found.append((word[cut], "p", at + cut))
            if word[cut + 1 :]:
                found.append((word[cut + 1 :], kind, at + cut + 1))
        at += len(word)
    return found


def _marker_at(word: str, kind: str, text: str, at: int) -> int | None:
    """Where a token of the dictionary holds a preposition: 甲方向乙方, 10日内向乙方, 小李向小王."""
    if word == "方向" and text[at - 1 : at] in _PARTIES:
        return 1
    if word == "内向" and text[at - 1 : at] == "。":
        return 1
    return 0 if kind == "nr" and len(word) > 2 and word[0] in "向由被" and _HAN.match(text[at - 1 : at]) else None


def words(
    folded: str,
    skipped: Sequence[tuple[int, int]] = (),
    raw: str = "",
    *,
    guess_names: bool = False,
    tokens: Sequence[Token] | None = None,
) -> list[Word]:
    """The words of a folded text that matter, in order.

    Args:
        folded: The text.
        skipped: Places of values, which are no words.
        raw: The text before it was folded, whose capital letters tell English names.
        guess_names: Whether names of persons are looked for that the dictionary lacks. What is a name then depends on
            its neighbours, so this is for a claim and not for what it is compared with.
        tokens: What the text without its values was cut into, where that is known.
    """
    found: list[Word] = []
    capitals = frozenset(match.group().lower() for match in _CAPITAL.finditer(raw)) if raw else frozenset()
    text = without_places(folded, skipped)
    at, run = 0, ""
    has_no = "非" in text
    for token, kind, start in tagged(text) if tokens is None else tokens:
        size = len(token)
        at = start + size
        counts = token not in EMPTY and token[0] > "\u2e7f" and _HAN.match(token) is not None
        single = counts and size == 1 and kind[0] not in _NO_WORD
        if run and (not single or kind == "f"):
            found.append(_run(run, start - len(run)))
            run = ""
        if single and kind != "f":
            run += token
        elif counts and size > 1:
            denial = _DENIAL.match(token) if token[0] in _DENIES else None  # the dictionary knows 不能转让 as one word
            cut = denial.end() if denial else 0
            if token[cut:] not in EMPTY:
                word = _word(token[cut:], kind, start + cut)
                other = has_no and start > 0 and not cut and _IS_NO.match(text, start - 1) is not None
                found.append(replace(word, other=True) if other else word)
    if run:
        found.append(_run(run, at - len(run)))
    somebody = _SOMEBODY.finditer(text) if "某" in text else ()
    hidden_names = [Word(match.group(), match.start(), 1.5, "人名") for match in somebody]
    if guess_names or hidden_names:
        found = _with_names(found, [*hidden_names, *(_guessed(found, text) if guess_names else ())])
    latin = [
        Word(match.group(), match.start(), 1.0, "英文名" if match.group() in capitals else None)
        for match in _LATIN.finditer(text)
        if match.group() not in ENGLISH_EMPTY
    ]
    return sorted([*_joined_names(found), *latin], key=lambda word: word.start) if latin else _joined_names(found)


def held(word: Word, text: str) -> float:
    """How much of a word a folded text holds, in [0, 1].

    1 for the word, 0.9 for a synonym; of longer Han words the share of their pairs of characters; an English word also
    in another form (return, returned).
    """
    if word.other:
        return 1.0 if re.search(rf"{_NO}{re.escape(word.text)}", text) or text.startswith(word.text) else 0.0
    written = word.text
    # told fast: what the next function finds first for all words but English ones
    share = 1.0 if written in text and written[0] > "\u2e7f" else _held(written, word.name is not None, text)
    if (
        share == 1.0
        and "非" in text
        and 0 < text.count(word.text) == len(re.findall(rf"{_NO}{re.escape(word.text)}", text))
    ):
        return 0.0
    return share


@lru_cache(maxsize=16384)  # the sentences of an answer share words and evidence
def _held(written: str, is_name: bool, text: str) -> float:  # noqa: FBT001 - a cache's key
    if written[0] > "\u2e7f":
        if written in text:
            return 1.0
        if is_name:
            return 1.0 if len(written) > 2 and _shortened(written, text) else 0.0
        for other in SYNONYMS.get(written, ()):
            if other in text:
                return 0.9
        if len(written) == 2:
            return 0.2 * ((written[0] in text) + (written[1] in text))
        pairs = _pairs(written)
        return 0.8 * sum([pair in text for pair in pairs]) / len(pairs) if pairs else 0.0
    stem = written if len(written) < 4 else _ENDING.sub("", written)
    if stem not in text:
        return 0.0
    if re.search(rf"(?<![a-z]){re.escape(written)}(?![a-z])", text):
        return 1.0
    return 0.9 if len(stem) > 2 and re.search(rf"(?<![a-z]){re.escape(stem)}", text) else 0.0


@lru_cache(maxsize=4096)
def _pairs(word: str) -> tuple[str, ...]:
    return tuple(map(add, word, word[1:]))


def _shortened(name: str, text: str) -> bool:
    """Whether a text has a name with 省、市、公司 or the like left off (北京 for 北京市)."""
    bare = _KIND_OF_PLACE.sub("", name)
    return len(bare) > 1 and bare in text


def _word(token: str, kind: str, start: int) -> Word:
    name = _KIND.get(kind[:2])
    if name == "人名" and len(token) == 2 and token[0] not in SURNAMES:
        name = None  # the dictionary counts 顾客 among them
    if name is None and kind[0] == "n" and len(token) > 2 and _OFFICE.search(token):
        name = "机构"
    if name:
        return Word(token, start, 1.5, name)
    if token in LIGHT:
        return Word(token, start, 0.4)
    weight = _WEIGHTS.get(kind[0], 0.5)
    return Word(token, start, weight if kind[0] not in _NO_WORD or kind == "x" else 0.1)


def _run(run: str, start: int) -> Word:
    """Single characters side by side are a word that the dictionary lacks, and behind a surname a name."""
    if len(run) == 1:
        return Word(run, start, 0.35)
    if run[0] in SURNAMES and len(run) <= 3:
        return Word(run, start, 1.5, "人名")
    return Word(run, start, 1.0)


def _guessed(found: Sequence[Word], text: str) -> Iterator[Word]:
    """Names that the segmenter's model of names finds where the dictionary knows no word."""
    known = {(word.start, word.text) for word in found}
    at = 0
    for token, kind in segmenter().tag(text, True):  # noqa: FBT003 - positional only
        start, at = at, at + len(token)
        if kind != "nr":
            continue
        name = token.rstrip("为是于由在任和与及的了将")
        if 2 <= len(name) <= 3 and name[0] in SURNAMES and (start, name) not in known:
            yield Word(name, start, 1.5, "人名")


def _with_names(found: list[Word], names: Sequence[Word]) -> list[Word]:
    """Words with names in the place of what they were cut into; of two that overlap the first in the list stays."""
    names = [
        name
        for number, name in enumerate(names)
        if not any(other.start < name.end and name.start < other.end for other in names[:number])
    ]
    kept = [word for word in found if not any(name.start < word.end and word.start < name.end for name in names)]
    return sorted([*kept, *names], key=lambda word: word.start)


def _joined_names(found: list[Word]) -> list[Word]:
    """A surname and the name right behind it as one."""
    joined: list[Word] = []
    for word in found:
        before = joined[-1] if joined else None
        if before and word.name == "人名" and before.end == word.start and before.text in SURNAMES:
            joined[-1] = Word(before.text + word.text, before.start, 1.5, "人名")
        else:
            joined.append(word)
    return joined
