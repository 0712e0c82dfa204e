"""PDF by page, with the physical page number of each.

pypdf reads every page; PDFium is asked about a page where pypdf finds no text or garbled text. A page that neither can
read is reported, never passed over and never shown as noise.
"""

import logging
import re
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from youju.errors import DamagedFileError, LoadError, NoTextError, ProtectedFileError
from youju.loaders.garbled import looks_garbled, odd_share
from youju.loaders.page_cleaning import clean_page
from youju.loaders.pdfium import SecondReader
from youju.loaders.places import page_location
from youju.settings import LoaderSettings
from youju.text import has_content

if TYPE_CHECKING:
    from pypdf import PdfReader

    from youju.loaders.files import Ocr

_ONE_AT_A_TIME = threading.Lock()
"""PDFium is not thread-safe, and pypdf's log is caught for one file at a time; both hold the interpreter anyway."""

_NO_TITLE = re.compile(
    r"untitled|无标题|未命名|\(?anonymous\)?|(演示文稿|文档|幻灯片|Document|Slide) ?\d*"
    r"|Microsoft (Word|PowerPoint|Excel) ?-.*|PowerPoint .*"
    r"|.*\.(docx?|wps|pdf|indd|pptx?|xlsx?|dps|et|tex|dvi|rtf|txt|html?|qxd|cdr|ai)",
    re.IGNORECASE,
)
_DAMAGED_STREAM = "while decompressing data"


@dataclass
class _Troubles:
    """Pages without usable text, by what is wrong with them; numbers from 1."""

    no_text: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)

    def errors(self, source: str) -> Iterator[LoadError]:
        if self.no_text:
            reason = f"{_page_list(self.no_text)}没有文字层，可能是扫描件；请先做文字识别（OCR）"
            yield NoTextError(source, reason, pages=tuple(self.no_text))
        if self.garbled:
            cause = "的文字读出来是乱码（字体没有可用的字符对照表）"
            reason = f"{_page_list(self.garbled)}{cause}；请重新导出 PDF，或做文字识别（OCR）"
            yield DamagedFileError(source, reason, pages=tuple(self.garbled))
        if self.damaged:
            reason = f"{_page_list(self.damaged)}的数据已损坏，读不出来；请重新获取或重新导出这个 PDF"
            yield DamagedFileError(source, reason, pages=tuple(self.damaged))


def load_pdf(
    data: bytes, source: str, settings: LoaderSettings, ocr: "Ocr | None" = None
) -> tuple[list[Document], list[LoadError], int]:
    """Read a PDF page by page.

    Args:
        data: The file's bytes.
        source: The file as the user knows it.
        settings: How to read it.
        ocr: Reads the text off the image of a page that has none.

    Returns:
        A document for each page with text, the errors of pages that could not be read, and the number of pages. Pages
        that are truly blank appear in neither.

    Raises:
        ProtectedFileError: The file opens only with a password.
        DamagedFileError: The file is no PDF, is truncated, or no page of it could be read.
        NoTextError: The file is blank or has no text layer.
    """
    with _ONE_AT_A_TIME, _caught_log() as log, closing(SecondReader(data)) as second:
        reader, count = _open(data, source)
        troubles = _Troubles()
        texts = {}
        for page in range(1, count + 1):
            text = _read_page(reader, second, page, troubles, log)
            if text:
                texts[page] = text
        problems = list(troubles.errors(source))
        if not texts:
            raise _nothing_to_read(source, problems, count)
        labels = _own_labels(reader)
        title = _title(reader) or PurePosixPath(source).stem
    documents = [_document(source, title, page, text, labels.get(page)) for page, text in texts.items()]
    return documents, problems, count


@contextmanager
def _caught_log() -> Iterator[list[str]]:
    """Keep pypdf's log to ourselves: what matters in it becomes an error that names the page."""
    messages: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: messages.append(record.getMessage())  # type: ignore[method-assign]  # a one-line handler
    logger = logging.getLogger("pypdf")
    propagate, level = logger.propagate, logger.level
    logger.propagate = False
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagate
        logger.setLevel(level)


def _open(data: bytes, source: str) -> "tuple[PdfReader, int]":
    from pypdf import PdfReader  # noqa: PLC0415 - takes 0.2 s, and not every folder holds PDFs

    damaged = "PDF 已损坏或不完整，打不开；请重新获取或重新导出这个文件"
    if b"%PDF-" not in data[:1024]:
        raise DamagedFileError(source, "内容不是 PDF；请确认文件的扩展名与内容相符，或重新获取这个文件")
    encrypted = False
    try:
        reader = PdfReader(BytesIO(data))
        encrypted = reader.is_encrypted
        opened = not encrypted or bool(reader.decrypt(""))
        count = len(reader.pages) if opened else 0
    except Exception as error:
        if encrypted:
            raise ProtectedFileError(source, "PDF 用不支持的方式加密；请另存为不加密的 PDF 后重试") from error
        raise DamagedFileError(source, damaged) from error
    if not opened:
        raise ProtectedFileError(source, "PDF 需要密码才能打开；请先解除密码，另存后重试")
    if not count:
        raise DamagedFileError(source, damaged)
    return reader, count


def _read_page(reader: "PdfReader", second: SecondReader, page: int, troubles: _Troubles, log: list[str]) -> str:
    """The clean text of a page, or an empty text, with the page noted among the troubles unless it is blank."""
    log.clear()
    failed = False
    found = []
    try:
        found.append(reader.pages[page - 1].extract_text())
    except Exception:  # noqa: BLE001 - on broken pages pypdf raises anything, RecursionError too
        failed = True
    if any(_DAMAGED_STREAM in message for message in log):
        troubles.damaged.append(page)  # what can still be unpacked may be cut or wrong
        return ""
    if failed or not has_content(found[0]) or odd_share(found[0]):
        found.append(second.text(page - 1))
    usable = [text for text in found if has_content(text) and not looks_garbled(text)]
    if usable:
        return clean_page(min(usable, key=odd_share))
    if any(looks_garbled(text) for text in found):
        troubles.garbled.append(page)
    elif failed or _lacks_content(reader, page):
        troubles.damaged.append(page)
    elif second.shows_something(page - 1, unread_text=not any(found)) or _has_notes(reader, page):
        troubles.no_text.append(page)
    return ""


def _lacks_content(reader: "PdfReader", page: int) -> bool:
    """Whether a page refers to content that is not in the file, and so only looks blank."""
    from pypdf.generic import StreamObject  # noqa: PLC0415 - loaded with the reader

    content = reader.pages[page - 1].get("/Contents")
    if content is None:
        return False
    found = content.get_object()
    parts = [part.get_object() for part in found] if isinstance(found, list) else [found]
    return not all(isinstance(part, StreamObject) for part in parts)


def _has_notes(reader: "PdfReader", page: int) -> bool:
    """Whether form fields, stamps or typed-on notes stand on a page; their text is not part of it."""
    try:
        notes = [note.get_object() for note in reader.pages[page - 1].get("/Annots") or []]
    except Exception:  # noqa: BLE001 - broken annotations must not hide a page
        return True
    return any(note.get("/Subtype") in {"/FreeText", "/Stamp", "/Widget"} for note in notes)


def _nothing_to_read(source: str, problems: list[LoadError], count: int) -> LoadError:
    """The error for a file none of whose pages can be used."""
    if not problems:
        return NoTextError(source, f"文件里没有文字，共 {count} 页，全是空白页；请确认文件是否完整")
    return type(problems[0])(source, "；".join(problem.reason for problem in problems))


def _own_labels(reader: "PdfReader") -> dict[int, str]:
    try:
        if "/PageLabels" in reader.root_object:
            return {page: label for page, label in enumerate(reader.page_labels, 1) if label.strip()}
    except Exception:  # noqa: BLE001 - labels are an extra; broken ones must not cost the text
        return {}
    return {}


def _title(reader: "PdfReader") -> str:
    """The title in the file's properties, if a person wrote it there."""
    try:
        title = " ".join(clean_page((reader.metadata and reader.metadata.title) or "").split())
    except Exception:  # noqa: BLE001 - the title is an extra; a broken one must not cost the text
        return ""
    if sum(character.isalpha() for character in title) < 2 or odd_share(title) or _NO_TITLE.fullmatch(title):
        return ""
    return title


def _document(source: str, title: str, page: int, text: str, label: str | None) -> Document:
    metadata: dict[str, Any] = {"source": source, "title": title, "page": page, "page_end": page}
    if label is not None:
        metadata["page_label"] = label
    location = page_location(source, page, page, label)
    return Document(text, metadata={**metadata, "location": location, "start": 0, "end": len(text)})


def _page_list(pages: Iterable[int]) -> str:
    """Pages as a person writes them: 第 2–10、12 页."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][1] + 1:
            ranges[-1][1] = page
        else:
            ranges.append([page, page])
    return f"第 {'、'.join(str(a) if a == b else f'{a}–{b}' for a, b in ranges)} 页"
