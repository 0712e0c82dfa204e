"""Excel by sheet, each a table that reads like the sheet."""

import re
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from pathlib import PurePosixPath
from typing import Any

from langchain_core.documents import Document

from youju.errors import LoadError
from youju.loaders.limits import Deadline
from youju.loaders.places import one_line
from youju.loaders.tables import markdown_cell, markdown_table
from youju.text import has_content

_CHECK_EVERY = 10_000
_MOST_PLACES = 5_000_000
_LEAST_SHARE = 0.05
_MERGED = re.compile(rb"""<(?:\w+:)?mergeCell\s[^>]*?ref=["']([A-Z]{1,3}[0-9]{1,7}:[A-Z]{1,3}[0-9]{1,7})["']""")
_QUOTED = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_PERCENT = re.compile(r"(?:\.(0+))?[0#?]*%")
_ZEROS = re.compile("0+")
_UNSOLVED = re.compile(rb"<c [^>]*>\s*<f[^>]*(?:/>|>[^<]*</f>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")


def sheet_documents(data: bytes, source: str, deadline: Deadline) -> tuple[list[Document], list[LoadError]]:
    """Read the sheets of a workbook.

    Numbers, dates and percentages are written as the sheet shows them, formulas as their results. What stands in
    merged cells is repeated in each row they reach over, not in each column. Empty rows and columns are left out.

    Args:
        data: The file's bytes.
        source: The file as the user knows it.
        deadline: When to stop.

    Returns:
        A document for each sheet with content, hidden ones too, and what could not be read.

    Raises:
        LoadError: A sheet would fill the memory, or reading takes too long.
    """
    from openpyxl import load_workbook  # type: ignore[import-untyped]  # noqa: PLC0415 - has no types; comes with an extra

    _refuse_huge_merges(data, source)
    workbook = load_workbook(BytesIO(data), data_only=True)
    documents = []
    for sheet in workbook.worksheets:
        rows = _rows(sheet, source, deadline)
        if not any(has_content(cell) for row in rows for cell in row):
            continue
        name = one_line(sheet.title)
        text = f"## {name}\n\n{markdown_table(rows)}"
        hidden = "" if sheet.sheet_state == "visible" else "（隐藏）"
        metadata = {
            "source": source,
            "title": PurePosixPath(source).stem,
            "headings": name,
            "sheet": name,
            "location": f"{source} › 工作表 {name}{hidden}",
        }
        documents.append(Document(text, metadata={**metadata, "start": 0, "end": len(text)}))
    return documents, list(_unsolved(data, source))


def _refuse_huge_merges(data: bytes, source: str) -> None:
    """Refuse merged cells over half the sheet: openpyxl would make an object for every place in them."""
    from openpyxl.utils import range_boundaries  # type: ignore[import-untyped]  # noqa: PLC0415 - as load_workbook

    for part in _sheet_parts(data):
        places = 0
        for found in _MERGED.finditer(part):
            area = found[1].decode("ascii")
            left, top, right, bottom = range_boundaries(area)
            places += (right - left + 1) * (bottom - top + 1)
            if places > _MOST_PLACES:
                reason = f"合并单元格占的范围太大（例如 {area}），没有读取；请取消合并，或只合并有内容的单元格后重试"
                raise LoadError(source, reason)


def _rows(sheet: Any, source: str, deadline: Deadline) -> list[list[str]]:
    texts: dict[int, dict[int, str]] = {}
    cells = sheet._cells  # noqa: SLF001 - iter_rows would make billions where a far corner is formatted
    for number, ((row, column), cell) in enumerate(cells.items()):
        if number % _CHECK_EVERY == 0:
            deadline.check()
        if cell.value is not None:
            text = markdown_cell(shown(cell.value, cell.number_format))
            if text:
                texts.setdefault(row, {})[column] = text
    for merged in sheet.merged_cells.ranges:
        above = texts.get(merged.min_row, {}).get(merged.min_col)
        if above is not None:
            for row in texts.keys() & range(merged.min_row + 1, merged.max_row + 1):
                texts[row][merged.min_col] = above
    columns = sorted({column for row in texts.values() for column in row})
    places, filled = len(texts) * len(columns), sum(map(len, texts.values()))
    if places > _MOST_PLACES and filled < places * _LEAST_SHARE:
        reason = f"工作表 {one_line(sheet.title)} 有 {len(texts)} 行、{len(columns)} 列，绝大多数格子是空的，没有读取"
        raise LoadError(source, f"{reason}；请把内容整理成紧凑的表格后重试")
    return [[texts[row].get(column, "") for column in columns] for row in sorted(texts)]


def shown(value: Any, number_format: str = "General") -> str:
    """A cell's value as Excel shows it, apart from roundings and separators of thousands.

    Example:
        >>> shown(1.0), shown(0.1 + 0.2), shown(0.355, "0.0%"), shown(7, "000"), shown(True)
        ('1', '0.3', '35.5%', '007', 'TRUE')
    """
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime):
        day, moment = value.date().isoformat(), value.time()
        return day if moment == time() else f"{day} {_moment(moment)}"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return _moment(value)
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if seconds else "")
    if isinstance(value, int | float):
        percent = _PERCENT.search(_QUOTED.sub("", number_format))
        if percent:
            return f"{value * 100:.{len(percent[1] or '')}f}%"
        if _ZEROS.fullmatch(number_format) and value == int(value):
            return f"{int(value):0{len(number_format)}}"
        return str(value) if isinstance(value, int) else f"{value:.15g}"
    return str(value).replace("_x000D_", " ")  # how a line end made by another program is stored


def _moment(moment: time) -> str:
    return moment.isoformat("seconds" if moment.second else "minutes")


def _unsolved(data: bytes, source: str) -> Iterator[LoadError]:
    """Formulas whose results were never stored: programs other than Excel may leave them out."""
    count = sum(len(_UNSOLVED.findall(part)) for part in _sheet_parts(data))
    if count:
        reason = f"有 {count} 个公式没有存下计算结果，读不出来；请用 Excel 或 WPS 打开，保存后重新读入"
        yield LoadError(source, reason)


def _sheet_parts(data: bytes) -> Iterator[bytes]:
    with zipfile.ZipFile(BytesIO(data)) as package:
        for name in package.namelist():
            if name.startswith("xl/worksheets/") and name.endswith(".xml"):
                yield package.read(name)
