"""Rows of tables as sentences: each cell with the name of its column."""

import re
from collections.abc import Iterator, Sequence

from youju.text import SENTENCE_MARK, has_content

_RULE = re.compile(r"\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?")
_BAR = re.compile(r"(?<!\\)\|")
_GAP = re.compile(r"\t|[ \u3000]{2,}")
_VALUE = re.compile(r"[-+(（¥￥$]?\d")
_LABEL = re.compile(r"[称码名址话真箱编期数额量率价格号别龄族业位者所人]$|代表|秘书")
_ENDS = "。；;， "
_WIDEST = 60
"""Most characters of a cell beside another one; blanks between longer texts separate paragraphs."""


def is_row(line: str) -> bool:
    """Whether a line is a row of a table: cells between bars, or side by side with wide gaps, as in PDF text."""
    return len(cells_of(line)) > 1


def cells_of(line: str) -> list[str]:
    """The cells of a line; a single one if it is no row."""
    line = line.strip()
    if line.startswith("|") and line.endswith("|") and len(line) > 1:
        return [cell.strip().replace("\\|", "|") for cell in _BAR.split(line[1:-1])]
    if len(_BAR.findall(line)) > 1:
        return [cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip("|"))]
    cells = [cell for cell in _GAP.split(line) if cell]
    wide = (
        len(cells) > 1
        and len(cells[-1]) <= 2 * _WIDEST
        and all(len(cell) <= _WIDEST and not SENTENCE_MARK.search(cell) for cell in cells[:-1])
    )
    return cells if wide else [line]


def statements(rows: Sequence[str]) -> Iterator[list[str]]:
    """What each row of one table says, as no, one or several statements.

    A row under a head gives one: `型号：轴承6308；库存：85`. The head of a Markdown table is the row above the rule;
    where there is no rule, a row without values above rows of as many cells, or of one more whose first is a label.
    Without a head, labels beside values are one statement each: `股票代码：000585`.
    """
    barred = any(_RULE.fullmatch(row.strip()) for row in rows)
    head: list[str] = []
    for at, row in enumerate(rows):
        cells = cells_of(row)
        if _RULE.fullmatch(row.strip()):
            yield []
        elif barred:
            if at + 1 < len(rows) and _RULE.fullmatch(rows[at + 1].strip()):
                head = cells
                yield []
            else:
                yield [_named(head, cells)]
        elif _is_head(cells, rows[at + 1 :]):
            head = cells
            yield []
        elif len(cells) > 2 and len(cells) - len(head) in (0, 1) and head:
            yield [_named(head if len(head) == len(cells) else ["", *head], cells)]
        else:
            yield _pairs(cells)


def _is_head(cells: Sequence[str], below: Sequence[str]) -> bool:
    if not below or any(map(_VALUE.match, cells)) or len(cells) < 2:
        return False
    after = cells_of(below[0])
    return len(after) > 2 and len(after) - len(cells) in (0, 1) and any(map(_VALUE.match, after))


def _named(head: Sequence[str], cells: Sequence[str]) -> str:
    names = [*head, *[""] * (len(cells) - len(head))]
    said = [
        f"{name.rstrip('：:')}：{_plain(cell)}" if has_content(name) else _plain(cell)
        for name, cell in zip(names, cells, strict=False)
        if has_content(cell)
    ]
    return "；".join(said)


def _pairs(cells: Sequence[str]) -> list[str]:
    pairs = list(zip(cells[::2], cells[1::2], strict=False))
    labelled = len(cells) % 2 == 0 and not any(_VALUE.match(label) for label, _ in pairs)
    if labelled and (len(cells) == 2 or all(_VALUE.match(value) or _LABEL.search(label) for label, value in pairs)):
        return [f"{label.rstrip('：:')}：{_plain(value)}" for label, value in pairs]
    return ["；".join(_plain(cell) for cell in cells if has_content(cell))]


def _plain(cell: str) -> str:
    """A cell as a part of a sentence: its own sentences become clauses."""
    return SENTENCE_MARK.sub("；", cell.strip(_ENDS)).strip(_ENDS)
