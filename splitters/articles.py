"""The structure of laws, contracts and policies: 第N编/章/节/条, found at the beginnings of lines."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from youju.text import has_content

_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "○": 0, "两": 2, "兩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000}
NUMERAL = "0-9０-９十百千" + "".join(_DIGITS)
"""Body of a regular-expression class for the characters of numbers."""

_BLANK = r"[ \t\u3000\xa0]"
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
_MARKUP = rf"[ \t\u3000\xa0{_INVISIBLE}]*(?:#{{1,6}}[ \t]+|>[ \t]*|[-*+][ \t]+)?(?:\*\*|__)?"
_HEAD = re.compile(
    rf"^{_MARKUP}(?:"
    rf"第{_BLANK}{{0,4}}(?P<number>[{NUMERAL}](?:[{NUMERAL}]|{_BLANK}(?![^{NUMERAL}\s])){{0,20}}?){_BLANK}{{0,4}}"
    rf"(?P<unit>分[编編]|[编編章节節条條])"
    rf"(?:{_BLANK}?之{_BLANK}?(?P<sub>[{NUMERAL}]{{1,9}}+(?![{NUMERAL}])))?"
    rf"|附{_BLANK}?(?P<annex>[件录錄表则則]){_BLANK}?(?P<which>[{NUMERAL}A-Z]*)(?=$|\s|[:：、])"
    r"|Article[ \t]+(?P<english>[0-9]{1,9})(?=$|[.:(]|[ \t]+[A-Z(\[])"
    r")(?:\*\*|__)?",
    re.MULTILINE,
)
_RANKS = {"编": 1, "編": 1, "分编": 2, "分編": 2, "章": 3, "节": 4, "節": 4}
_ANNEX, _CHAPTER, _ARTICLE = 0, 3, 5
_REFERENCE = re.compile(
    rf"[的之，,。；;）)款、]*第{_BLANK}?[{NUMERAL}]+{_BLANK}?[款项項条條]"
    r"|[的之，,。；;）)款]|[项項](?!目)|[和与與及或至到、]第|[中所]?(?:规定|規定)|所[称稱列述指]|前款"
    r"|of |and |or |shall ",
    re.IGNORECASE,
)
_MAYBE_REFERENCE = re.compile(r"[所和与與及或至到项項第]|中(?![华華国國])|以及")
_ITEM_OF_REFERENCE = re.compile(rf"[（(][{NUMERAL}]+[）)]{_BLANK}?[项項目、和的规規]")
_STRONG = re.compile(r"[\s:：【（(《〔\[.．]|、(?!第)|$")
ENDS = frozenset("。；：！？…”」』）)】》.;:!?")
"""Marks at which a line ends because its text does, not because it was printed on two lines."""
_SENTENCE = re.compile(r"[。；;！？，,]")
_LEADERS = re.compile(r"(?:[.…·．]|[ \t\u3000](?=[ \t\u3000.…·．])){3,}[ \t\u3000]*[0-9]*[ \t\u3000]*$")
_LONGEST_TITLE = 40
_LONGEST_TITLE_BELOW = 20


@dataclass
class Place:
    """Where a reading of articles has got to; what a page hands to the next one.

    Attributes:
        last: The number of the last article, as (N, M) for 第N条之M.
        article: The name of the article that the text belongs to, if any.
        path: The headings above it, each with its rank.
    """

    last: tuple[int, int] | None = None
    article: str | None = None
    path: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Unit:
    """What belongs together: an article with the headings before it, or text that belongs to none."""

    start: int
    end: int
    article: str | None
    path: tuple[str, ...]


@dataclass(frozen=True)
class _Head:
    start: int
    end: int
    rank: int
    label: str
    number: tuple[int, int] = (0, 0)


def find_units(text: str, place: Place | None = None) -> list[Unit]:
    """Cut a text into articles and the text around them.

    Headings of parts, chapters and sections belong to what follows them; those with nothing below, as in a table of
    contents, to what stands before.

    Args:
        text: The text.
        place: Where the page before it ended; it is moved on to where this text ends.

    Returns:
        The units, in order; together they are the whole text.
    """
    place = Place() if place is None else place
    starts = [(0, place.article, tuple(label for _, label in place.path))]
    above = set(place.path)  # a page that names its chapter again begins no new one
    heads = [head for head in _heads(text, place.last) if (head.rank, head.label) not in above]
    chain: int | None = None  # where the headings begin that stand directly before this one
    for at, head in enumerate(heads):
        following = heads[at + 1] if at + 1 < len(heads) else None
        ends_at = following.start if following else len(text)
        body = has_content(text[head.end : ends_at])
        begin = head.start if chain is None else chain
        if head.rank == _ARTICLE:
            place.last, place.article = head.number, head.label
            starts.append((begin, head.label, tuple(label for _, label in place.path)))
            chain = None
            continue
        place.path = [*((rank, label) for rank, label in place.path if rank < head.rank), (head.rank, head.label)]
        place.article = None
        if head.rank == _ANNEX:
            place.last = None
        if body:
            starts.append((begin, None, tuple(label for _, label in place.path)))
            chain = None
        else:
            chain = begin if following and following.rank > head.rank else None
    ends = [*(start for start, _, _ in starts[1:]), len(text)]
    return [Unit(start, end, name, path) for (start, name, path), end in zip(starts, ends, strict=True) if start < end]


def count_articles(texts: Iterable[str]) -> list[int]:
    """How many articles begin in each text of a file, references to articles not counted."""
    last = None
    counts = []
    for text in texts:
        numbers = [head.number for head in _heads(text, last) if head.rank == _ARTICLE]
        last = numbers[-1] if numbers else last
        counts.append(len(numbers))
    return counts


def _heads(text: str, last: tuple[int, int] | None) -> Iterator[_Head]:
    """The headings of a text; a line that only refers to an article is none."""
    reached = 0  # end of the heading before
    for match in _HEAD.finditer(text):
        if match.start() < reached:  # the title of the heading above it
            continue
        line_end = text.find("\n", match.end())
        line_end = len(text) if line_end < 0 else line_end
        rest = text[match.end() : line_end]
        if _LEADERS.search(rest[-_LONGEST_TITLE:]) and (match["english"] or match["unit"] in {"条", "條"}):
            continue  # a line of a table of contents
        after_end = _after_an_end(text, match.start(), reached)
        if match["english"] or match["unit"] in {"条", "條"}:
            number = (_value(match["english"] or match["number"]), _value(match["sub"] or ""))
            if not _is_article(number, last, rest, after_end=after_end):
                continue
            last = number
            reached = match.end()
            yield _Head(match.start(), reached, _ARTICLE, _label(match), number)
        elif _is_title(rest, match, after_end=after_end):
            title = _LEADERS.sub("", rest).strip(" \t\u3000:：*_#")
            reached = line_end
            if not title and match["unit"]:
                title, reached = _title_below(text, line_end)
            rank = _RANKS[match["unit"]] if match["unit"] else _CHAPTER if match["annex"] in "则則" else _ANNEX
            last = None if rank == _ANNEX else last
            yield _Head(match.start(), reached, rank, f"{_label(match)} {_closed_up(title)}".strip())


def _is_article(number: tuple[int, int], last: tuple[int, int] | None, rest: str, *, after_end: bool) -> bool:
    """Whether a line opens an article: it has the shape of a heading, and the numbers go up or begin again."""
    words = rest.lstrip(" \t\u3000")
    strong = _STRONG.match(rest) is not None
    if _REFERENCE.match(rest) or _ITEM_OF_REFERENCE.match(words):
        return False
    if not after_end and (_REFERENCE.match(words) or (last and _MAYBE_REFERENCE.match(words))):
        return False
    begins = number == (1, 0)
    if not after_end:  # the line may be the rest of a sentence that was printed on two
        follows = last is None or (last < number and number[0] - last[0] <= 1)
        return (strong and (follows or begins)) or (begins and last is None)
    rises = last is None or number > last
    return rises or begins or (strong and number != last)


def _is_title(rest: str, match: re.Match[str], *, after_end: bool) -> bool:
    """Whether a line is the heading of a part, chapter, section or annex."""
    if len(rest) > _LONGEST_TITLE and not _LEADERS.search(rest[-_LONGEST_TITLE:]):
        return False
    if _SENTENCE.search(rest) or _REFERENCE.match(rest) or _MAYBE_REFERENCE.match(rest):
        return False
    if match["annex"]:
        return after_end
    return after_end or _STRONG.match(rest) is not None


def _after_an_end(text: str, start: int, reached: int) -> bool:
    """Whether what stands before a line is at its end: a heading, a blank line, a sentence, or nothing at all."""
    at = start
    breaks = 0
    while at > reached and (text[at - 1].isspace() or text[at - 1] in _INVISIBLE):
        at -= 1
        breaks += text[at] == "\n"
    return at <= reached or breaks > 1 or text[at - 1] in ENDS


def _title_below(text: str, line_end: int) -> tuple[str, int]:
    """A title that stands on the line below its 第N章, and where it ends."""
    end = text.find("\n", line_end + 1)
    end = len(text) if end < 0 else end
    if end - line_end > _LONGEST_TITLE_BELOW:
        return "", line_end
    title = text[line_end:end].strip(" \t\u3000\n*_#")
    head = _HEAD.match(text, line_end + 1)
    if (head and head["annex"] not in {"则", "則"}) or _SENTENCE.search(title) or not has_content(title):
        return "", line_end
    return title, end


def _label(match: re.Match[str]) -> str:
    """The name of a heading without blanks inside, digits in their usual width."""
    if match["english"]:
        return f"Article {match['english']}"
    if match["annex"]:
        return f"附{match['annex']}{_usual(match['which'])}"
    sub = f"之{_usual(match['sub'])}" if match["sub"] else ""
    return f"第{_usual(match['number'])}{match['unit']}{sub}"


def _usual(number: str) -> str:
    return "".join(unicodedata.normalize("NFKC", number).split())


def _closed_up(title: str) -> str:
    """A title with its blanks made one each, and without those that only spread its characters (总　则)."""
    parts = title.split()
    return "".join(parts) if all(len(part) == 1 for part in parts) else " ".join(parts)


def _value(number: str) -> int:
    """The value of a number: 十二, 一百零三, 二〇五, 12, １２; 0 for none."""
    number = _usual(number)
    if not any(character in _UNITS for character in number):
        return int("".join(str(_DIGITS.get(character, character)) for character in number) or 0)
    total, current = 0, 0
    for character in number:
        if character in _UNITS:
            total += (current or 1) * _UNITS[character]
            current = 0
        else:
            current = current * 10 + int(_DIGITS.get(character, character))
    return total + current
