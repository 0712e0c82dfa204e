"""Where on the page of a PDF a chunk was printed, so that a reader can be shown the very lines."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from langchain_core.documents import Document

from youju.errors import LoadError
from youju.loaders.page_texts import Unit
from youju.loaders.page_tracing import PUT_IN
from youju.loaders.pdf_pages import read_pdf
from youju.settings import LoaderSettings


@dataclass(frozen=True)
class Box:
    """A rectangle on a page, in PDF points (1/72 inch) from the top left corner of the page as it is shown.

    Attributes:
        page: The page, from 1.
        left: Distance of the left edge from the page's left edge.
        top: Distance of the upper edge from the page's top.
        right: Distance of the right edge from the page's left edge.
        bottom: Distance of the lower edge from the page's top.
    """

    page: int
    left: float
    top: float
    right: float
    bottom: float


def locate(
    path: Path | str, document: Document, *, quote: str | None = None, settings: LoaderSettings | None = None
) -> list[Box]:
    """Find the place of a chunk on the pages of its PDF.

    The file is read again: reading is deterministic, and a place for every character of every chunk would make the
    knowledge base many times larger. What was read is kept until another file is asked for.

    Args:
        path: The PDF that the chunk came from.
        document: A chunk of it, or a document as loaded, with its metadata.
        quote: A part of the chunk to find alone; its first occurrence counts.
        settings: How the file was read; None means the defaults.

    Returns:
        A box for each printed line, in reading order.

    Raises:
        LoadError: The file is no longer what the chunk was made from, the chunk's text was not read from places (OCR,
            or a page that only pypdf can read), or the quote is not in the chunk.
    """
    path = Path(path)
    metadata = document.metadata
    source = str(metadata.get("source", path.name))
    text = document.page_content
    if metadata.get("ocr"):
        raise LoadError(source, "这一页的文字来自文字识别（OCR），不知道在页面上的位置")
    try:
        page, start, end = int(metadata["page"]), int(metadata["start"]), int(metadata["end"])
    except (KeyError, TypeError, ValueError) as error:
        raise LoadError(source, "这个文档没有页码和位置（page、start、end），不是从 PDF 切分出来的") from error
    at = 0 if quote is None else text.find(quote)
    if at < 0 or quote == "":
        raise LoadError(source, "引文不在这个片段里；请给出片段中连续的一段原文")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LoadError(source, "读不到这个文件；请检查路径和权限") from error
    units = _read(data, source, settings or LoaderSettings())
    same = (unit for unit in reversed(units) if _holds(unit, page) and unit.text[start:end] == text)
    unit = next(same, None)
    if unit is None or not text:
        raise LoadError(source, "文件内容与入库时不同，找不到这段文字的位置；请重新入库后再查看")
    start += at
    boxes = _boxes(unit, start, start + len(quote) if quote is not None else end)
    if not boxes:
        raise LoadError(source, f"第 {page} 页的这段文字没有位置信息；用 PDFium 能读的页面才有")
    return boxes


_last: list[tuple[str, list[Unit]]] = []
"""The file read last: whoever looks one quote of it up will look up others."""


def _read(data: bytes, source: str, settings: LoaderSettings) -> list[Unit]:
    key = sha256(data + settings.model_dump_json().encode()).hexdigest()
    for known, units in _last[:]:
        if known == key:
            return units
    units = read_pdf(data, source, settings).units
    _last[:] = [(key, units)]
    return units


def _holds(unit: Unit, page: int) -> bool:
    return any(part.number == page for part, _ in unit.parts)


def _boxes(unit: Unit, start: int, end: int) -> list[Box]:
    lines: dict[tuple[int, int, int], list[tuple[float, ...]]] = {}
    offset = wrapped = 0
    last = (0, 0, 0)
    for page, part in unit.parts:
        for origin in part.origins[max(0, start - offset) : max(0, end - offset)]:
            found = page.box(origin) if origin != PUT_IN else None
            if found is None:
                continue
            line, box = found
            if lines and (last[:2] != (page.number, line) or not _level(lines[last][-1], box)):
                wrapped += 1  # in a table's row, the next printed line or cell
            last = (page.number, line, wrapped)
            lines.setdefault(last, []).append(box)
        offset += len(part.text)
    return [_around(page, boxes) for (page, _, _), boxes in lines.items()]


def _level(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    """Whether two characters of a row stand side by side, or, in vertical text, below each other."""
    level = min(one[3], other[3]) - max(one[1], other[1])
    return level > 0 or min(one[2], other[2]) - max(one[0], other[0]) > 0


def _around(page: int, boxes: list[tuple[float, ...]]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return Box(page, min(lefts), min(tops), max(rights), max(bottoms))
