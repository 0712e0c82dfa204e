"""CSV and JSONL: each row is a unit of its own, its text fields the text, the others its metadata.

A row is numbered as people see it: in CSV as spreadsheet programs count, the header being row 1 and a cell of several
lines one row; in JSONL by line. That number stands in `location` and in problems; `row` in the metadata counts the
data alone, from 1, blank rows included.
"""

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import PurePosixPath
from typing import Any, NoReturn

from langchain_core.documents import Document

from youju.errors import LoadError, NoTextError
from youju.loaders.encodings import decode_text
from youju.loaders.images import storable
from youju.loaders.limits import Deadline
from youju.loaders.places import OWN_KEYS, number_list
from youju.settings import LoaderSettings
from youju.text import SENTENCE_MARK, has_content

_SEPARATORS = ",\t;"
_NAMED_SEPARATOR = re.compile(r'"?sep=([,;\t|])"?\n', re.IGNORECASE)
_SAMPLE = 100
_CHECK_EVERY = 1000
_LARGEST_INTEGER = 2**63 - 1

_RAGGED = "的列数与表头不同；请检查单元格里的分隔符是否加了引号"
_UNQUOTED = "的引号不成对，或单元格超过 131072 字；请检查引号"
_INVALID = "不是有效的 JSON 对象（一行一个 {…}）；请修正这些行"
_NO_TEXT = "的文字字段没有内容"


@dataclass
class _Troubles:
    """Numbers of the rows that were not read, by what is wrong with them."""

    rows: dict[str, list[int]] = field(default_factory=dict)

    def note(self, what: str, row: int) -> None:
        self.rows.setdefault(what, []).append(row)

    def errors(self, source: str) -> list[LoadError]:
        return [
            (NoTextError if what == _NO_TEXT else LoadError)(source, f"第 {number_list(rows)} 行{what}；没有读入这些行")
            for what, rows in self.rows.items()
        ]


Row = tuple[int, int, dict[str, Any]]
"""The number that people see, the number among the data, and the values that are there."""


def load_csv(data: bytes, source: str, settings: LoaderSettings) -> tuple[list[Document], list[LoadError]]:
    """Read a table whose first row names the columns; commas, semicolons or tabs part them.

    Args:
        data: The file's bytes, in any encoding that `decode_text` knows.
        source: The file as the user knows it.
        settings: Which columns are text, and how long to read.

    Returns:
        A document for each row with text, and errors that number the rows not read. Values stay text as they stand in
        the file (`007` keeps its zeros); empty cells are left out.

    Raises:
        DamagedFileError: The bytes are no text.
        NoTextError: No row has text.
        LoadError: A text field is no column, or reading takes too long.
    """
    troubles = _Troubles()
    text = decode_text(data, source)
    named = _NAMED_SEPARATOR.match(text)  # how Excel is told the separator; it does not count as a row
    text = text[named.end() :] if named else text
    lines = text.split("\n")
    tabs = PurePosixPath(source).suffix.lower() == ".tsv"
    records = _records(lines, named[1] if named else "\t" if tabs else _separator(lines), troubles)
    for top, header in records:
        if any(name.strip() for name in header):
            names = _unique([name.strip() or f"列{at}" for at, name in enumerate(header, 1)])
            rows = _table_rows(records, names, top, troubles)
            return _documents(rows, source, settings, troubles, names)
    raise NoTextError(source, "表格是空的；请确认文件是否完整")


def load_jsonl(data: bytes, source: str, settings: LoaderSettings) -> tuple[list[Document], list[LoadError]]:
    """Read a file that holds a JSON object a line; see `load_csv`.

    Values keep their JSON types in the metadata; in the text, lists and objects stand as JSON.
    """
    troubles = _Troubles()
    rows = list(_json_rows(decode_text(data, source).split("\n"), troubles, Deadline(source, settings)))
    names = list(dict.fromkeys(name for _, _, values in rows for name in values))
    return _documents(iter(rows), source, settings, troubles, names)


def _documents(
    rows: Iterator[Row], source: str, settings: LoaderSettings, troubles: _Troubles, names: Sequence[str]
) -> tuple[list[Document], list[LoadError]]:
    fields = [name for name in dict.fromkeys(settings.text_fields) if name in names]
    if settings.text_fields and names and not fields:
        there = "、".join(names[:30]) + ("……" if len(names) > 30 else "")
        wanted = "、".join(settings.text_fields)
        raise LoadError(source, f"设置 loader.text_fields 里的 {wanted} 都不是这个文件的字段；它的字段有：{there}")
    deadline = Deadline(source, settings)
    order = {name: at for at, name in enumerate(fields or names)}
    keys = _metadata_keys([name for name in names if name not in fields] if fields else [])
    title = PurePosixPath(source).stem
    documents = []
    for seen, row, values in rows:
        if row % _CHECK_EVERY == 0:
            deadline.check()
        text = _text(values, order, alone=len(fields) == 1)
        if not has_content(text):
            troubles.note(_NO_TEXT, seen)
            continue
        own = {keys[name]: value for name, value in values.items() if name in keys}
        place = {"source": source, "title": title, "row": row, "location": f"{source} 第 {seen} 行"}
        documents.append(Document(text, metadata={**own, **place, "start": 0, "end": len(text)}))
    problems = troubles.errors(source)
    if not documents:
        reason = "；".join(problem.reason for problem in problems)
        raise NoTextError(source, reason or "文件里没有一行数据；请确认文件是否完整")
    return documents, problems


def _text(values: Mapping[str, Any], order: Mapping[str, int], *, alone: bool) -> str:
    chosen = [(name, _written(values[name])) for name in sorted(values.keys() & order.keys(), key=order.__getitem__)]
    if alone:
        return "".join(text for _, text in chosen)
    if not any(has_content(text) for _, text in chosen):
        return ""
    prose = any("\n" in text or SENTENCE_MARK.search(text) for _, text in chosen)
    return ("\n" if prose else "；").join(f"{name}：{text}" for name, text in chosen)  # figures of a row say one thing


def _written(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _metadata_keys(names: Sequence[str]) -> dict[str, str]:
    """The key in the metadata for each name: itself, unless youju sets that key."""
    keys: dict[str, str] = {}
    for name in names:
        key = name
        while key in OWN_KEYS or (key != name and key in names):
            key = f"field_{key}"
        keys[name] = key
    return keys


def _unique(names: Sequence[str]) -> list[str]:
    """Give columns of the same name numbers: 备注, 备注_2."""
    taken: set[str] = set()
    given = set(names)
    numbers: dict[str, int] = {}
    out: list[str] = []
    for name in names:
        number, own = numbers.get(name, 1), name
        while own in taken or (number > 1 and own in given):
            number += 1
            own = f"{name}_{number}"
        numbers[name] = number
        taken.add(own)
        out.append(own)
    return out


def _separator(lines: Sequence[str]) -> str:
    """What parts the columns: what cuts most rows into as many cells as the header; a comma in doubt."""
    best, best_share = ",", 0.0
    for separator in _SEPARATORS:
        counts = []
        for _, record in _records(lines, separator, _Troubles()):
            if record:
                counts.append(len(record))
            if len(counts) > _SAMPLE:
                break
        if counts and counts[0] > 1:
            share = sum(count == counts[0] for count in counts) / len(counts)
            if share > best_share:
                best, best_share = separator, share
    return best


def _records(lines: Sequence[str], separator: str, troubles: _Troubles) -> Iterator[tuple[int, list[str]]]:
    """The records of a table with their numbers; blank lines count.

    After a record that is no CSV, such as one whose quote is never closed, reading goes on at the line after its first.
    """
    at = number = 0
    while at < len(lines):
        reader = csv.reader((f"{lines[n]}\n" for n in range(at, len(lines))), delimiter=separator, strict=True)
        done = 0
        try:
            for record in reader:
                done = reader.line_num
                number += 1
                yield number, record
        except csv.Error:
            number += 1
            troubles.note(_UNQUOTED, number)
            at += done + 1
        else:
            return


def _table_rows(
    records: Iterator[tuple[int, list[str]]], names: Sequence[str], top: int, troubles: _Troubles
) -> Iterator[Row]:
    for number, record in records:
        cells = [(name, cell) for name, cell in zip(names, record, strict=False) if cell.strip()]
        if any(cell.strip() for cell in record[len(names) :]) or (cells and len(record) < len(names)):
            troubles.note(_RAGGED, number)
        elif cells:
            yield number, number - top, dict(cells)


def _json_rows(lines: Sequence[str], troubles: _Troubles, deadline: Deadline) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if number % _CHECK_EVERY == 0:
            deadline.check()
        if not line.strip():
            continue
        try:
            values = _json_object(line)
        except (ValueError, RecursionError):  # ValueError: also NaN, and whole numbers of thousands of digits
            troubles.note(_INVALID, number)
            continue
        if values:
            yield number, number, values


def _json_object(line: str) -> dict[str, Any]:
    values = json.loads(line, parse_constant=_refuse, parse_float=_real, parse_int=_whole)
    if not isinstance(values, dict):
        raise ValueError(line)  # noqa: TRY004 - not JSON of the kind that is wanted, like any other
    return {storable(name): _clean(value) for name, value in values.items() if value is not None and value != ""}


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _real(digits: str) -> float | str:
    """A number; one that no float can hold stays text."""
    value = float(digits)
    return value if isfinite(value) else digits


def _whole(digits: str) -> int | str:
    """A whole number; one that databases cannot hold stays text."""
    value = int(digits)
    return value if abs(value) <= _LARGEST_INTEGER else digits


def _clean(value: Any) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list):
        return [_clean(inner) for inner in value]
    if isinstance(value, dict):
        return {storable(name): _clean(inner) for name, inner in value.items()}
    return value
