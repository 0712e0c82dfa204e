"""One file to documents, whatever its format."""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from langchain_core.documents import Document

from youju.errors import DamagedFileError, LoadError, NoTextError, UnsupportedFormatError
from youju.loaders.limits import check_size, most_bytes
from youju.loaders.places import one_line
from youju.settings import LoaderSettings
from youju.text import has_content

_PDF = frozenset({".pdf"})
_MARKDOWN = frozenset({".md", ".markdown"})
_TEXT = frozenset({".txt", ".text"})
_OFFICE = frozenset({".docx", ".xlsx", ".pptx", ".html", ".htm"})
_CSV = frozenset({".csv", ".tsv"})
_JSONL = frozenset({".jsonl", ".ndjson"})
IMAGES = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp", ".tif", ".tiff", ".gif"})
"""The suffixes of files that are read only with an `Ocr`."""

_READABLE = (
    "PDF、Word（.docx）、Excel（.xlsx）、PowerPoint（.pptx）、网页（.html）、Markdown（.md）、文本（.txt）、CSV、JSONL"
)
_SAVE_AS = {
    **dict.fromkeys([".doc", ".docm", ".dotx", ".rtf", ".odt", ".wps"], "请用 Word 或 WPS 另存为 .docx 后重试"),
    **dict.fromkeys([".xls", ".xlsm", ".xlsb", ".ods", ".et"], "请用 Excel 或 WPS 另存为 .xlsx 后重试"),
    **dict.fromkeys([".ppt", ".pptm", ".ppsx", ".odp", ".dps"], "请用 PowerPoint 或 WPS 另存为 .pptx 后重试"),
    ".json": "请改为 .jsonl，一行一个 JSON 对象",
}
"""Formats that are near to one that is read, and how to get there."""

Ocr = Callable[[bytes], str]
"""Reads the text off an image file (PNG for a page of a PDF), given as bytes; it brings its own engine."""

SUFFIXES = _PDF | _MARKDOWN | _TEXT | _OFFICE | _CSV | _JSONL | IMAGES
"""The suffixes of files that can be read, in lower case; images only with an `Ocr`."""


@dataclass(frozen=True)
class LoadedFile:
    """What was read from one file.

    Attributes:
        source: The file as the user knows it.
        documents: A document a page (PDF), a section (Markdown, Word, HTML), a sheet (Excel), a slide (PowerPoint), a
            row (CSV, JSONL) or a file (text, image), each with its place in the metadata.
        problems: What could not be read of the file, such as pages, each error with its `pages`; the rest is among
            the documents.
        pages: How many pages a PDF has, blank ones included; None for other formats.
    """

    source: str
    documents: tuple[Document, ...]
    problems: tuple[LoadError, ...] = ()
    pages: int | None = None


def load_file(
    path: Path | str, *, source: str | None = None, settings: LoaderSettings | None = None, ocr: Ocr | None = None
) -> LoadedFile:
    """Read a file into documents that know where they stand in it.

    Args:
        path: A file whose suffix is among `SUFFIXES`.
        source: What to call the file in metadata and errors, in POSIX form; its name if not given.
        settings: How to read it; None means the defaults.
        ocr: Reads the text off images, and off pages that have none; see `Ocr`.

    Returns:
        The documents, and the errors of parts that could not be read.

    Raises:
        UnsupportedFormatError: Files with this suffix are not read, or only with an extra that is not installed.
        ProtectedFileError: The file opens only with a password.
        DamagedFileError: The content is broken, truncated or not decodable.
        NoTextError: The file is empty or holds no text.
        LoadError: The file is not there, is no regular file, may not be read, is too large or takes too long.
    """
    path = Path(path)
    source = displayable(path.name) if source is None else source
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise unsupported(path, source)
    settings = settings or LoaderSettings()
    data = _read(path, source, settings)
    if not data:
        raise NoTextError(source, "文件是空的（0 字节）；请确认文件是否完整")
    pages = None
    problems: list[LoadError] = []
    if suffix in _PDF:
        from youju.loaders.pdf import load_pdf  # noqa: PLC0415 - each format loads what it needs

        documents, problems, pages = load_pdf(data, source, settings, ocr)
    elif suffix in _OFFICE:
        from youju.loaders.office import load_office  # noqa: PLC0415 - as above

        documents, problems = load_office(data, source, suffix, settings)
    elif suffix in _CSV | _JSONL:
        from youju.loaders.rows import load_csv, load_jsonl  # noqa: PLC0415 - as above

        documents, problems = (load_csv if suffix in _CSV else load_jsonl)(data, source, settings)
    elif suffix in IMAGES:
        from youju.loaders.images import load_image  # noqa: PLC0415 - as above

        documents = load_image(data, source, ocr)
    else:
        documents = _text(data, source, is_markdown=suffix in _MARKDOWN)
        broken = documents[0].metadata.get("front_matter_error") if documents else None
        problems = [LoadError(source, broken)] if broken else []
    return LoadedFile(source, tuple(documents), tuple(problems), pages)


def unsupported(path: Path, source: str) -> UnsupportedFormatError:
    """The error for a file whose suffix is not read."""
    instead = _SAVE_AS.get(path.suffix.lower())
    if instead:
        return UnsupportedFormatError(source, f"不支持 {path.suffix} 格式；{instead}")
    kind = f"不支持 {displayable(path.suffix)} 格式" if path.suffix else "文件没有扩展名，看不出格式"
    return UnsupportedFormatError(source, f"{kind}；可以读取：{_READABLE}")


def displayable(name: str) -> str:
    """A name that can be printed and stored: bytes that are no UTF-8, and control characters, become marks."""
    return one_line(os.fsencode(name).decode("utf-8", "replace"))


def _read(path: Path, source: str, settings: LoaderSettings) -> bytes:
    """The bytes of a file that is regular and small enough when it is opened, whatever it was before."""
    try:
        _check_regular(path.stat().st_mode, source)  # opening a device may already do something
        with open(path, "rb", opener=_without_waiting) as file:
            found = os.fstat(file.fileno())
            _check_regular(found.st_mode, source)
            check_size(found.st_size, source, settings)
            data = file.read(most_bytes(settings) + 1)
    except FileNotFoundError as error:
        raise LoadError(source, "找不到这个文件；请检查路径") from error
    except PermissionError as error:
        raise LoadError(source, "没有读取权限；请修改文件或上级文件夹的权限后重试") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise DamagedFileError(source, "读取文件时出错；请检查路径和磁盘后重试") from error
    check_size(len(data), source, settings)  # it may have grown
    return data


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that has taken its place is not waited for."""
    return os.open(path, flags | os.O_NONBLOCK)


def _check_regular(mode: int, source: str) -> None:
    if not stat.S_ISREG(mode):
        raise LoadError(source, "不是普通文件（是文件夹、设备或管道），没有读取；请给出一个文件")


def _text(data: bytes, source: str, *, is_markdown: bool) -> list[Document]:
    from youju.loaders.encodings import decode_text  # noqa: PLC0415 - each format loads what it needs

    text = decode_text(data, source)
    documents = _markdown(text, source) if is_markdown else _plain(text, source)
    if not documents:
        raise NoTextError(source, "文件里没有文字，只有空白或标点；请确认文件是否完整")
    return documents


def _markdown(text: str, source: str) -> list[Document]:
    from youju.loaders.markdown import markdown_documents  # noqa: PLC0415 - each format loads what it needs

    return markdown_documents(text, source)


def _plain(text: str, source: str) -> list[Document]:
    if not has_content(text):
        return []
    name = PurePosixPath(source)
    metadata = {"source": source, "title": name.stem, "location": source, "start": 0, "end": len(text)}
    return [Document(text, metadata=metadata)]
