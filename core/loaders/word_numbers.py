"""The numbers that Word counts by itself, written into the text.

第三条 or 2.1 before a paragraph is often not typed but counted, and the converter drops such numbers of headings and
restarts those of lists. Here each is worked out as Word shows it and put before its paragraph.
"""

import re
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_DOCUMENT, _NUMBERING, _STYLES = "word/document.xml", "word/numbering.xml", "word/styles.xml"
_PLACE = re.compile(r"%([1-9])")


@dataclass(frozen=True)
class _Level:
    start: int
    number_format: str
    text: str
    style: str | None
    only_decimal: bool
    gap: str


@dataclass
class _List:
    """A definition of numbers, and how far they have counted."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


@dataclass
class _Numbering:
    lists: dict[str, _List]
    restarts: dict[str, dict[int, int]]
    styles: dict[str, tuple[str | None, str | None, int | None]]


def write_numbers(data: bytes) -> bytes:
    """Write the counted numbers of a Word file into its paragraphs.

    Args:
        data: The file's bytes.

    Returns:
        A file in which the numbers are text; the same bytes where nothing is counted. Bullets stay as they are.
    """
    with zipfile.ZipFile(BytesIO(data)) as package:
        parts = {part: package.read(part) for part in package.namelist()}
    if _NUMBERING not in parts or _DOCUMENT not in parts:
        return data
    from lxml import etree  # type: ignore[import-untyped]  # noqa: PLC0415 - has no types; comes with an extra

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    numbering = _read(
        etree.fromstring(parts[_NUMBERING], parser),
        etree.fromstring(parts[_STYLES], parser) if _STYLES in parts else None,
    )
    document = etree.fromstring(parts[_DOCUMENT], parser)
    for paragraph in document.iter(f"{_W}p"):
        if next(paragraph.iterancestors(_CHOICE), None) is None:  # the same text comes again beside it
            _number(paragraph, numbering, etree.SubElement)
    parts[_DOCUMENT] = etree.tostring(document, encoding="utf-8", xml_declaration=True)
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return file.getvalue()


def _number(paragraph: Any, numbering: _Numbering, add: Callable[[Any, str], Any]) -> None:
    """Count a paragraph if it belongs to a list, and write its number before its text."""
    properties = paragraph.find(f"{_W}pPr")
    if properties is None:
        return
    number, at = _place(properties, numbering)
    counted = numbering.lists.get(number) if number is not None else None
    level = counted.levels.get(at) if counted else None
    if number is None or counted is None or level is None:
        return
    for reset, start in numbering.restarts.pop(number, {}).items():
        counted.counts[reset] = start - 1
    counted.counts[at] = counted.counts.get(at, level.start - 1) + 1
    counted.counts = {deep: count for deep, count in counted.counts.items() if deep <= at}
    if level.number_format in {"bullet", "none"} or not "".join(paragraph.itertext(f"{_W}t")).strip():
        return
    label = _PLACE.sub(lambda place: _shown(counted, int(place[1]) - 1, level), level.text)
    if not label.strip():
        return
    for old in properties.findall(f"{_W}numPr"):
        properties.remove(old)
    own = add(properties, f"{_W}numPr")
    add(own, f"{_W}ilvl").set(f"{_W}val", "0")
    add(own, f"{_W}numId").set(f"{_W}val", "0")  # what Word writes for: no number
    run = add(paragraph, f"{_W}r")
    text = add(run, f"{_W}t")
    text.text = label + level.gap
    text.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    paragraph.insert(paragraph.index(properties) + 1, run)


def _place(properties: Any, numbering: _Numbering) -> tuple[str | None, int]:
    """The list of a paragraph and its level in it: its own, or those of its style."""
    style = _value(properties, "pStyle")
    own = properties.find(f"{_W}numPr")
    number, level = (_value(own, "numId"), _value(own, "ilvl")) if own is not None else (None, None)
    at = _whole(level)
    seen = set()
    named = style
    while named is not None and named not in seen and (number is None or at is None):
        seen.add(named)
        named, of_style, level_of_style = numbering.styles.get(named, (None, None, None))
        if number is None:
            number = of_style
        if at is None:
            at = level_of_style
    levels = numbering.lists[number].levels if number in numbering.lists else {}
    linked = next((index for index, found in levels.items() if style is not None and found.style == style), 0)
    return number, at if at is not None else linked


def _shown(counted: _List, at: int, shown_in: _Level) -> str:
    level = counted.levels.get(at)
    if level is None:
        return ""
    count = counted.counts.get(at, level.start)
    return str(count) if shown_in.only_decimal else write_number(count, level.number_format)


def _read(numbering: Any, styles: Any) -> _Numbering:
    found: dict[str, tuple[str | None, str | None, int | None]] = {}
    for style in styles.iter(f"{_W}style") if styles is not None else ():
        own = style.find(f"{_W}pPr/{_W}numPr")
        number, level = (_value(own, "numId"), _value(own, "ilvl")) if own is not None else (None, None)
        based_on = _value(style, "basedOn")
        found[style.get(f"{_W}styleId", "")] = (based_on, number, _whole(level))
    abstract = {item.get(f"{_W}abstractNumId"): item for item in numbering.iter(f"{_W}abstractNum")}
    numbers = {item.get(f"{_W}numId"): item for item in numbering.iter(f"{_W}num")}
    shared: dict[str | None, _List] = {}
    lists, restarts = {}, {}
    for number, item in numbers.items():
        name = _value(item, "abstractNumId")
        link = _value(abstract[name], "numStyleLink") if name in abstract else None
        linked = numbers.get(found.get(link, (None, None, None))[1]) if link is not None else None
        name = name if linked is None else _value(linked, "abstractNumId")
        if name in abstract:
            lists[number] = shared.setdefault(name, _List(dict(_levels(abstract[name]))))
            restarts[number] = {
                _whole(override.get(f"{_W}ilvl")) or 0: start
                for override in item.iter(f"{_W}lvlOverride")
                if (start := _whole(_value(override, "startOverride"))) is not None
            }
    return _Numbering(lists, restarts, found)


def _levels(item: Any) -> Iterator[tuple[int, _Level]]:
    for level in item.iter(f"{_W}lvl"):
        legal = level.find(f"{_W}isLgl")
        yield (
            _whole(level.get(f"{_W}ilvl")) or 0,
            _Level(
                start=_whole(_value(level, "start")) or 0,
                number_format=_value(level, "numFmt") or "decimal",
                text=_value(level, "lvlText") or "",
                style=_value(level, "pStyle"),
                only_decimal=legal is not None and legal.get(f"{_W}val") not in {"0", "false"},
                gap="" if _value(level, "suff") == "nothing" else " ",
            ),
        )


def _value(item: Any, name: str) -> str | None:
    found = item.find(f"{_W}{name}")
    value: str | None = None if found is None else found.get(f"{_W}val")
    return value


def _whole(value: str | None) -> int | None:
    return int(value) if value is not None and re.fullmatch(r"[0-9]{1,9}", value) else None


def write_number(number: int, number_format: str) -> str:
    """A number as one of Word's formats writes it; in figures where the format is another or ends before it.

    Example:
        >>> [write_number(12, name) for name in ("chineseCounting", "ideographTraditional", "lowerRoman")]
        ['十二', '12', 'xii']
    """
    if number_format.endswith("Letter") and number > 0:
        letter = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letter.upper() if number_format.startswith("upper") else letter
    if number_format.endswith("Roman") and 0 < number < 4000:
        return _roman(number) if number_format.startswith("upper") else _roman(number).lower()
    if number_format in _CHINESE and 0 <= number < 10_000:
        return _chinese(number, _CHINESE[number_format])
    if number_format in _SERIES and 0 < number <= len(_SERIES[number_format]):
        return _SERIES[number_format][number - 1]
    return f"{number:02}" if number_format == "decimalZero" else str(number)


_PLAIN, _FORMAL = "零一二三四五六七八九十百千", "零壹贰叁肆伍陆柒捌玖拾佰仟"
_CHINESE = {
    **dict.fromkeys("chineseCounting chineseCountingThousand japaneseCounting ideographDigital".split(), _PLAIN),
    **dict.fromkeys("taiwaneseCounting taiwaneseCountingThousand taiwaneseDigital".split(), _PLAIN),
    "chineseLegalSimplified": _FORMAL,
}
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
_SERIES = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "decimalEnclosedCircle": _CIRCLED,
    "decimalEnclosedCircleChinese": _CIRCLED,
}


def _chinese(number: int, digits: str) -> str:
    text, gap = "", False
    for power in (3, 2, 1, 0):
        digit = number // 10**power % 10
        if digit:
            text += (digits[0] if gap and text else "") + digits[digit] + (digits[9 + power] if power else "")
        gap = not digit
    if digits == _PLAIN and 10 <= number < 20:
        text = text[1:]
    return text or digits[0]


def _roman(number: int) -> str:
    text = ""
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    for value, letters in zip(values, "M CM D CD C XC L XL X IX V IV I".split(), strict=True):
        text += letters * (number // value)
        number %= value
    return text
