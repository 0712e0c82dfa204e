"""Word, Excel, PowerPoint and web pages, by way of Markdown.

markitdown converts Word, PowerPoint and HTML; nothing it could fetch is ever given to it. Workbooks are read with
openpyxl, which markitdown brings: its own way through pandas writes 1 as 1.0 and empty cells as NaN. All of it comes
with the extra `office` and is imported only here, when such a file is read.
"""

import html
import re
import threading
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from langchain_core.documents import Document

from youju.errors import (
    DamagedFileError,
    LoadError,
    NoTextError,
    ProtectedFileError,
    UnsupportedFormatError,
    how_to_install,
)
from youju.loaders.images import storable
from youju.loaders.limits import Deadline, check_size
from youju.loaders.markdown import markdown_documents
from youju.loaders.places import one_line
from youju.settings import LoaderSettings
from youju.text import has_content

_ONE_AT_A_TIME = threading.Lock()
"""Filters of warnings are shared by all threads; the libraries hold the interpreter anyway."""

_KINDS = {".docx": "Word", ".xlsx": "Excel", ".pptx": "PowerPoint", ".html": "网页", ".htm": "网页"}
_MAIN_PARTS = {".docx": "word/", ".xlsx": "xl/", ".pptx": "ppt/"}
_EXTRA = frozenset({"markitdown", "bs4", "openpyxl", "pptx", "mammoth", "lxml", "markdownify", "magika", "pandas"})
_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_TITLE = re.compile(r"<dc:title[^>]*>(.*?)</dc:title>", re.DOTALL)
_NO_TITLE = re.compile(
    r"untitled.*|无标题.*|未命名.*|(演示文稿|文档|工作簿|幻灯片|Document|Presentation|Slide|Book) ?\d*"
    r"|(PowerPoint|Word|Microsoft) .*|.*\.(docx?|xlsx?|pptx?|html?|wps|et|dps)",
    re.IGNORECASE,
)


def load_office(
    data: bytes, source: str, suffix: str, settings: LoaderSettings
) -> tuple[list[Document], list[LoadError]]:
    """Read a Word, Excel, PowerPoint or HTML file.

    Args:
        data: The file's bytes.
        source: The file as the user knows it.
        suffix: Its suffix in lower case, which tells the kind.
        settings: How large it may be, unpacked, and how long reading may take.

    Returns:
        The units, and what could not be read. Word and HTML come a section a unit, as Markdown files do, `start` and
        `end` counting in the converted text; sheets and slides are units of their own, counting from 0.

    Raises:
        ProtectedFileError: The file opens only with a password.
        DamagedFileError: The file is broken, or no file of this kind.
        NoTextError: It holds no text.
        UnsupportedFormatError: The extra is not installed.
        LoadError: The file is too large, or reading takes too long.
    """
    deadline = Deadline(source, settings)
    title = ""
    problems: list[LoadError] = []
    if suffix in _MAIN_PARTS:
        title, problems = _look_inside(data, source, suffix, settings)
    with _reading(source, suffix):
        documents, more, own_title = _convert(data, source, suffix, deadline)
    deadline.check()
    title = _usable(title) or _usable(own_title)
    if title:
        for document in documents:
            document.metadata["title"] = title
    problems += more
    if not documents:
        reason = "；".join(["文件里没有文字", *(problem.reason for problem in problems)])
        raise NoTextError(source, f"{reason}；请确认文件是否完整")
    return documents, problems


def _convert(data: bytes, source: str, suffix: str, deadline: Deadline) -> tuple[list[Document], list[LoadError], str]:
    if suffix == ".xlsx":
        from youju.loaders.sheets import sheet_documents  # noqa: PLC0415 - each format loads what it needs

        return *sheet_documents(data, source, deadline), ""
    if suffix == ".pptx":
        from youju.loaders.slides import slide_documents  # noqa: PLC0415 - each format loads what it needs

        return *slide_documents(data, source), ""
    from youju.loaders.webpages import html_to_markdown, word_to_markdown  # noqa: PLC0415 - as above

    text, title = word_to_markdown(data) if suffix == ".docx" else html_to_markdown(data, source)
    if text.startswith("---"):  # a rule, not front matter
        text = f"\n{text}"
    return (markdown_documents(text, source) if has_content(text) else []), [], title


@contextmanager
def _reading(source: str, suffix: str) -> Iterator[None]:
    """Say in which way a file could not be read, whatever the libraries raise; what they warn of is about looks."""
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except LoadError:
        raise
    except ImportError as error:
        if error.name is None or error.name.split(".")[0] not in _EXTRA:
            raise
        raise _missing_extra(source, suffix) from error
    except Exception as error:  # on broken files the libraries raise anything
        if type(error).__name__ == "MissingDependencyException":  # markitdown without its own extra for the format
            raise _missing_extra(source, suffix) from error
        raise _damaged(source, suffix) from error


def _missing_extra(source: str, suffix: str) -> UnsupportedFormatError:
    how = how_to_install("markitdown[docx,xlsx,pptx]", "office")
    return UnsupportedFormatError(source, f"读取 {suffix} 需要安装 markitdown：{how}")


def _damaged(source: str, suffix: str) -> DamagedFileError:
    kind = _KINDS[suffix]
    what = f"文件已损坏，或内容不是{kind}" if kind == "网页" else f"文件已损坏，或不是 {kind} 文件"
    return DamagedFileError(source, f"{what}；请打开检查，另存为 {suffix} 后重试")


def _look_inside(data: bytes, source: str, suffix: str, settings: LoaderSettings) -> tuple[str, list[LoadError]]:
    """Check the package before it is unpacked, and take the title from its properties."""
    if data.startswith(_OLD_OFFICE):
        if _ENCRYPTED in data:
            raise ProtectedFileError(source, f"文件需要密码才能打开；请先解除密码，另存为 {suffix} 后重试")
        raise DamagedFileError(source, f"内容是旧版 Office 格式，不是 {suffix}；请打开后另存为 {suffix} 再重试")
    try:
        with zipfile.ZipFile(BytesIO(data)) as package:
            parts = package.infolist()
            check_size(sum(part.file_size for part in parts), source, settings, "解压后的内容")
            names = [part.filename for part in parts]
            properties = package.read("docProps/core.xml") if "docProps/core.xml" in names else b""
    except LoadError:
        raise
    except Exception as error:
        raise _damaged(source, suffix) from error
    if not any(name.startswith(_MAIN_PARTS[suffix]) for name in names):
        raise _damaged(source, suffix)
    found = _TITLE.search(properties.decode("utf-8", "replace"))
    graphics = sum(re.search(r"/diagrams/data\d*\.xml$", name) is not None for name in names)
    reason = f"有 {graphics} 个 SmartArt 图形，里面的文字没有读入；需要时请把它们转成文本或表格"
    return html.unescape(found[1]) if found else "", [LoadError(source, reason)] if graphics else []


def _usable(title: str) -> str:
    """A title, if a person wrote it."""
    title = one_line(storable(" ".join(title.split())))
    return "" if not has_content(title) or _NO_TITLE.fullmatch(title) else title
