"""PowerPoint by slide."""

import re
from io import BytesIO
from pathlib import PurePosixPath

from langchain_core.documents import Document

from youju.errors import LoadError, NoTextError
from youju.loaders.places import number_list, one_line
from youju.text import has_content

_SLIDE = re.compile(r"^<!-- Slide number: (\d+) -->$", re.MULTILINE)
_PICTURE = re.compile(r"^!\[([^\[\]\n]*)\]\((\w*)\.jpg\)$", re.MULTILINE)
_HEADING = re.compile(r"^# (.+)$", re.MULTILINE)
_WORDS = (
    (re.compile(r"^### Notes:\n", re.MULTILINE), "### 备注\n\n"),
    (re.compile(r"^### Chart: ", re.MULTILINE), "### 图表："),
    (re.compile(r"^### Chart$", re.MULTILINE), "### 图表"),
    (re.compile(r"^\| Category \|", re.MULTILINE), "| 类别 |"),
    (re.compile(r"^\[unsupported chart\]$", re.MULTILINE), ""),
)
"""What markitdown adds in English, in the reader's language."""


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
    _, *parts = _SLIDE.split(found.replace("\v", "\n").replace("\xa0", " "))
    for number, raw in zip(map(int, parts[::2]), parts[1::2], strict=True):
        text = _PICTURE.sub(_caption, raw)
        for pattern, words in _WORDS:
            text = pattern.sub(words, text)
        text = re.sub(r"\n{3,}", "\n\n", text).strip()
        if has_content(text):
            documents.append(_document(source, number, text))
        elif has_content(raw):
            pictures.append(number)
    if not pictures:
        return documents, []
    reason = f"第 {number_list(pictures)} 张幻灯片只有图片或图表，没有文字；需要时请导出为图片做文字识别（OCR）"
    return documents, [NoTextError(source, reason)]


def _caption(picture: re.Match[str]) -> str:
    """What the author says of a picture; its mere name, such as 图片 3, says nothing."""
    return "" if re.sub(r"\W", "", picture[1]) == picture[2] else picture[1]


def _document(source: str, number: int, text: str) -> Document:
    heading = _HEADING.search(text)
    metadata = {"source": source, "title": PurePosixPath(source).stem, "slide": number}
    if heading:
        metadata["headings"] = one_line(heading[1].strip())
    location = f"{source} 第 {number} 张"
    return Document(text, metadata={**metadata, "location": location, "start": 0, "end": len(text)})
