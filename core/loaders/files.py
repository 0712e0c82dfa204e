"""One file to documents, whatever its format."""

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from langchain_core.documents import Document

from youju.errors import DamagedFileError, LoadError, NoTextError, UnsupportedFormatError
from youju.loaders.places import one_line
from youju.settings import LoaderSettings
from youju.text import has_content

_PDF = frozenset({".pdf"})
_MARKDOWN = frozenset({".md", ".markdown"})
_TEXT = frozenset({".txt", ".text"})

Ocr = Callable[[bytes], str]
"""Reads the text off an image file (PNG for a page of a PDF), given as bytes; it brings its own engine."""

SUFFIXES = _PDF | _MARKDOWN | _TEXT
"""The suffixes of files that can be read, in lower case."""


@dataclass(frozen=True)
class LoadedFile:
    """What was read from one file.

    Attributes:
        source: The file as the user knows it.
        documents: A document a page (PDF), a section (Markdown) or a file (text), each with its place in the metadata.
        problems: Pages that could not be read, each error with its `pages`; the other pages are among the documents.
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
        path: A PDF, Markdown or plain text file.
        source: What to call the file in metadata and errors, in POSIX form; its name if not given.
        settings: How to read it; None means the defaults.
        ocr: Reads the text off the image of a page that has none; see `Ocr`.

    Returns:
        The documents, and the errors of pages that could not be read.

    Raises:
        UnsupportedFormatError: Files with this suffix are not read.
        ProtectedFileError: The file opens only with a password.
        DamagedFileError: The content is broken, truncated or not decodable.
        NoTextError: The file is empty or holds no text.
        LoadError: The file is not there, is no regular file or may not be read.
    """
    path = Path(path)
    source = displayable(path.name) if source is None else source
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise unsupported(path, source)
    data = _read(path, source)
    if not data:
        raise NoTextError(source, "文件是空的（0 字节）；请确认文件是否完整")
    if suffix in _PDF:
        from youju.loaders.pdf import load_pdf  # noqa: PLC0415 - PDF engines load only for PDFs

        documents, problems, pages = load_pdf(data, source, settings or LoaderSettings(), ocr)
        return LoadedFile(source, tuple(documents), tuple(problems), pages)
    from youju.loaders.encodings import decode_text  # noqa: PLC0415 - each format loads what it needs

    text = decode_text(data, source)
    documents = _markdown(text, source) if suffix in _MARKDOWN else _plain(text, source)
    if not documents:
        raise NoTextError(source, "文件里没有文字，只有空白或标点；请确认文件是否完整")
    return LoadedFile(source, tuple(documents))


def unsupported(path: Path, source: str) -> UnsupportedFormatError:
    """The error for a file whose suffix is not read."""
    kind = f"不支持 {displayable(path.suffix)} 格式" if path.suffix else "文件没有扩展名，看不出格式"
    return UnsupportedFormatError(source, f"{kind}；可以读取：{'、'.join(sorted(SUFFIXES))}")


def displayable(name: str) -> str:
    """A name that can be printed and stored: bytes that are no UTF-8, and control characters, become marks."""
    return one_line(os.fsencode(name).decode("utf-8", "replace"))


def _read(path: Path, source: str) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise LoadError(source, "不是普通文件，没有读取；请给出一个 PDF、Markdown 或文本文件")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise LoadError(source, "找不到这个文件；请检查路径") from error
    except PermissionError as error:
        raise LoadError(source, "没有读取权限；请修改文件或上级文件夹的权限后重试") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise DamagedFileError(source, "读取文件时出错；请检查路径和磁盘后重试") from error


def _markdown(text: str, source: str) -> list[Document]:
    from youju.loaders.markdown import markdown_documents  # noqa: PLC0415 - each format loads what it needs

    return markdown_documents(text, source)


def _plain(text: str, source: str) -> list[Document]:
    if not has_content(text):
        return []
    name = PurePosixPath(source)
    metadata = {"source": source, "title": name.stem, "location": source, "start": 0, "end": len(text)}
    return [Document(text, metadata=metadata)]
