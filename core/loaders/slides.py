"""PowerPoint by slide."""

import re
from io import BytesIO
from itertools import pairwise
from pathlib import PurePosixPath

from langchain_core.documents import Document

from youju.errors import LoadError, NoTextError
from youju.loaders.images import caption
from youju.loaders.places import number_list, one_line
from youju.text import has_content

_SLIDE = re.compile(r"^<!-- Slide number: (\d+) -->$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[([^\[\]\n]*)\]\((\w*)\.jpg\)$", re.MULTILINE)
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_NOTES = re.compile(r"^### Notes:\n", re.MULTILINE)
_CHART = re.compile(r"^### Chart(?:: (.*))?\n\n\| Category \|((?:.*\n?\|)*.*)$", re.MULTILINE)
_NO_CHART = re.compile(r"^\[unsupported chart\]$", re.MULTILINE)


def slide_documents(data: bytes, source: str) -> tuple[list[Document], list[LoadError]]:
    """Read a presentation.

    Args:
        data: The file's bytes.
        source: The file as the user knows it.

    Returns:
        A document for each slide with text, its notes included, numbered by `slide`; and an error for slides that
        show pictures or charts alone.
    """
    from markitdown import StreamInfo  # noqa: PLC0415 - takes 2 s
    from markitdown.converters import PptxConverter  # noqa: PLC0415 - as above

    options = {"escape_underscores": False, "escape_asterisks": False}
    converter = PptxConverter()  # type: ignore[no-untyped-call]  # markitdown leaves it untyped
    found = converter.convert(BytesIO(data), StreamInfo(extension=".pptx"), **options).markdown
    documents, pictures = [], []
    found = _HEADING.sub(lambda title: title[0].replace("\v", " "), found)
    for number, raw in enumerate(_slides(found.replace("\v", "\n").replace("\xa0", " ")), start=1):
        text = _NO_CHART.sub("", _CHART.sub(_chart, _PICTURE.sub(_caption, raw)))
        text = re.sub(r"\n{3,}", "\n\n", _NOTES.sub("### 备注\n\n", text)).strip()
        if has_content(text):
            documents.append(_document(source, number, text))
        elif has_content(raw):
            pictures.append(number)
    if not pictures:
        return documents, []
    reason = f"第 {number_list(pictures)} 张幻灯片只有图片或图表，没有文字；需要时请导出为图片做文字识别（OCR）"
    return documents, [NoTextError(source, reason)]


def _slides(text: str) -> list[str]:
    """The text of each slide; a line in one that looks like the mark of another slide is text."""
    marks: list[tuple[int, int]] = []
    for mark in _SLIDE.finditer(text):
        if int(mark[1]) == len(marks) + 1:
            marks.append(mark.span())
    return [text[end:following] for (_, end), (following, _) in pairwise([*marks, (len(text), len(text))])]


def _caption(picture: re.Match[str]) -> str:
    """What the author says of a picture; its mere name, such as 图片 3, says nothing."""
    return "" if re.sub(r"\W", "", picture[1]) == picture[2] else caption(picture[1])


def _chart(chart: re.Match[str]) -> str:
    """A chart's figures, in the reader's language, 12 as 12 and not as 12.0."""
    figures = re.sub(r"(?<= )(-?\d+)\.0(?= \|)", r"\1", chart[2].replace(" None |", "  |"))
    return f"### 图表{f'：{chart[1]}' if chart[1] else ''}\n\n| 类别 |{figures}"


def _document(source: str, number: int, text: str) -> Document:
    heading = _HEADING.search(text)
    metadata = {"source": source, "title": PurePosixPath(source).stem, "slide": number}
    if heading:
        metadata["headings"] = one_line(heading[1].strip())
    location = f"{source} 第 {number} 张"
    return Document(text, metadata={**metadata, "location": location, "start": 0, "end": len(text)})
