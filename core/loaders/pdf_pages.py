"""The pages of a PDF, read by the engine that can, each with its text or with what is wrong with it.

PDFium reads every page, since it knows where characters stand; pypdf is asked about a page where PDFium finds no text
or noise. A page that neither can read is reported, never passed over and never shown as noise.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from youju.errors import DamagedFileError, LoadError, MissingExtraError, NoTextError
from youju.loaders.garbled import looks_garbled, odd_share
from youju.loaders.page_layout import PageLayout
from youju.loaders.page_texts import PageText, Unit, placed_text, plain_text, units
from youju.loaders.pdf_lost import drawn_by_pypdf
from youju.loaders.pdf_notes import notes_on
from youju.loaders.pdf_opening import caught_log, open_pdf
from youju.loaders.pdf_running import drop_running
from youju.loaders.pdfium import Pdfium
from youju.loaders.places import number_list, one_line
from youju.settings import LoaderSettings
from youju.text import has_content

if TYPE_CHECKING:
    from pypdf import PdfReader

    from youju.loaders.files import Ocr

_ONE_AT_A_TIME = threading.RLock()
"""PDFium is not thread-safe, and pypdf's log is caught for one file at a time; both hold the interpreter anyway.

A caller's OCR runs inside, and may read a PDF itself.
"""

_DAMAGED_STREAM = "while decompressing data"


@dataclass(frozen=True)
class PdfText:
    """What a PDF holds.

    Attributes:
        units: The text of each document.
        problems: The errors of pages that could not be read.
        count: The number of pages.
        reader: The file opened by pypdf, for its title and labels.
    """

    units: list[Unit]
    problems: list[LoadError]
    count: int
    reader: "PdfReader"


@dataclass
class _Found:
    """What an engine found on a page: lines with places, or plain text."""

    page: int
    layout: PageLayout | None
    plain: str
    notes: list[str] | None

    def text(self) -> str:
        return "\n".join(line.text for line in self.layout.lines) if self.layout else self.plain


@dataclass
class _Pages:
    source: str
    reader: "PdfReader"
    engine: Pdfium
    settings: LoaderSettings
    ocr: "Ocr | None"
    log: list[str]
    no_text: list[int] = field(default_factory=list)
    garbled: list[int] = field(default_factory=list)
    damaged: list[int] = field(default_factory=list)
    ocr_failed: dict[str, list[int]] = field(default_factory=dict)

    def read(self, count: int) -> list[PageText]:
        """The pages with text, in order."""
        started = time.monotonic()
        found: list[_Found | PageText] = []
        for page in range(1, count + 1):
            one = self._read(page)
            if one is not None:
                found.append(one)
            if time.monotonic() - started > self.settings.max_seconds and page < count:
                reason = f"读取超过了 {self.settings.max_seconds:g} 秒，共 {count} 页，读到第 {page} 页时停止"
                what_now = "整个文件都没有采用；请调大设置 loader.max_seconds，或把文件拆开后重试"
                raise LoadError(self.source, f"{reason}，{what_now}")
        drop_running([one.layout for one in found if isinstance(one, _Found) and one.layout])
        pages = [self._clean(one) if isinstance(one, _Found) else one for one in found]
        return [page for page in pages if page is not None]

    def problems(self) -> Iterator[LoadError]:
        if self.no_text:
            reason = f"{_page_list(self.no_text)}没有文字层，可能是扫描件；请先做文字识别（OCR）"
            yield NoTextError(self.source, reason, pages=tuple(self.no_text))
        for cause, pages in self.ocr_failed.items():
            reason = f"{_page_list(pages)}没有可用的文字层，{cause}"
            yield NoTextError(self.source, reason, pages=tuple(pages))
        if self.garbled:
            cause = "的文字读出来是乱码（字体没有可用的字符对照表）"
            reason = f"{_page_list(self.garbled)}{cause}；请重新导出 PDF，或做文字识别（OCR）"
            yield DamagedFileError(self.source, reason, pages=tuple(self.garbled))
        if self.damaged:
            reason = f"{_page_list(self.damaged)}的数据已损坏，读不出来；请重新获取或重新导出这个 PDF"
            yield DamagedFileError(self.source, reason, pages=tuple(self.damaged))

    def _read(self, page: int) -> _Found | PageText | None:
        """What is on a page; None if nothing usable is, with the page noted among the troubles unless it is blank."""
        self.log.clear()
        failed = self._is_damaged(page)
        if any(_DAMAGED_STREAM in message for message in self.log):
            self.damaged.append(page)  # what can still be unpacked may be cut or wrong
            return None
        notes = notes_on(self.reader, page)
        found: list[_Found] = []
        if self.settings.pdf_engine != "pypdf":
            layout = self.engine.layout(
                page - 1, with_notes=notes is not None, decoded=lambda: drawn_by_pypdf(self.reader, page - 1)
            )
            found.append(_Found(page, layout, "", notes))
        best = found[0].text() if found else ""
        if self.settings.pdf_engine != "pdfium" and (not has_content(best) or looks_garbled(best)):
            plain = self._by_pypdf(page)
            failed = failed or plain is None
            if any(_DAMAGED_STREAM in message for message in self.log):
                self.damaged.append(page)
                return None
            found.append(_Found(page, None, plain or "", notes))
        usable = [one for one in found if has_content(one.text()) and not looks_garbled(one.text())]
        if usable:
            return min(usable, key=lambda one: odd_share(one.text()))
        if any(looks_garbled(one.text()) for one in found):
            return self._by_ocr(page, self.garbled)
        if notes:
            return _Found(page, None, "", notes)
        if failed or _lacks_content(self.reader, page):
            self.damaged.append(page)
            return None
        unread = not any(one.text() for one in found)
        if notes is not None or self.engine.shows_something(page - 1, unread_text=unread):
            return self._by_ocr(page, self.no_text)
        return None

    def _clean(self, found: _Found) -> PageText | None:
        """The text of a page, with what was typed onto it, once its running header and footer are gone."""
        layout = found.layout
        if layout and not any(has_content(line.text) for line in layout.lines):
            if self.engine.shows_something(found.page - 1, unread_text=False):
                return self._by_ocr(found.page, self.no_text)
            layout.lines = layout.running  # a page with nothing else, such as one number
        page = placed_text(found.page, layout) if layout else plain_text(found.page, found.plain)
        known = "".join(found.text().split())
        missing = [note for note in found.notes or () if "".join(note.split()) not in known]
        if missing:
            typed = plain_text(found.page, "\n".join(missing))
            page.append(typed.text.text)
        return page if has_content(page.text.text) else None

    def _by_ocr(self, page: int, otherwise: list[int]) -> PageText | None:
        """The text that the caller's OCR reads off a page; without one, the page is noted where the caller says."""
        if self.ocr is None:
            otherwise.append(page)
            return None
        try:
            text = plain_text(page, self.ocr(self.engine.image(page - 1)), ocr=True)
        except MissingExtraError:
            raise
        except Exception as error:  # noqa: BLE001 - the engine is the caller's; whatever it raises, the page is reported
            told = one_line(str(error))[:200]
            cause = f"文字识别（OCR）出错：{type(error).__name__}{'：' if told else ''}{told}；请检查 OCR 引擎后重试"
            self.ocr_failed.setdefault(cause, []).append(page)
            return None
        if has_content(text.text.text) and not looks_garbled(text.text.text):
            return text
        cause = "文字识别（OCR）也没有读出文字；请检查页面图像是否清楚"
        self.ocr_failed.setdefault(cause, []).append(page)
        return None

    def _by_pypdf(self, page: int) -> str | None:
        try:
            return self.reader.pages[page - 1].extract_text()
        except Exception:  # noqa: BLE001 - on broken pages pypdf raises anything, RecursionError too
            return None

    def _is_damaged(self, page: int) -> bool:
        """Unpack a page's content, which pypdf tells about in its log if it is broken; whether it could not at all."""
        try:
            content = self.reader.pages[page - 1].get("/Contents")
            found = content.get_object() if content is not None else []
            for part in found if isinstance(found, list) else [found]:
                stream = part.get_object()
                if hasattr(stream, "get_data"):
                    stream.get_data()
        except Exception:  # noqa: BLE001 - as above; the page is called damaged only if no engine reads it
            return True
        return False


def read_pdf(data: bytes, source: str, settings: LoaderSettings, ocr: "Ocr | None" = None) -> PdfText:
    """Read a PDF; the same file and settings always give the same text.

    Raises:
        ProtectedFileError: The file opens only with a password.
        DamagedFileError: The file is no PDF, or is broken.
        LoadError: It took longer than allowed.
        MissingExtraError: OCR was asked for, and Pillow is not installed.
    """
    with _ONE_AT_A_TIME, caught_log() as log:
        reader, count, password = open_pdf(data, source, settings.pdf_password_env)
        with closing(Pdfium(data, password)) as engine:
            pages = _Pages(source, reader, engine, settings, ocr, log)
            texts = pages.read(count)
            return PdfText(units(texts), list(pages.problems()), count, reader)


def _lacks_content(reader: "PdfReader", page: int) -> bool:
    """Whether a page refers to content that is not in the file, and so only looks blank."""
    from pypdf.generic import StreamObject  # noqa: PLC0415 - loaded with the reader

    content = reader.pages[page - 1].get("/Contents")
    if content is None:
        return False
    found = content.get_object()
    parts = [part.get_object() for part in found] if isinstance(found, list) else [found]
    return not all(isinstance(part, StreamObject) for part in parts)


def _page_list(pages: list[int]) -> str:
    """Pages as a person writes them: 第 2–10、12 页."""
    return f"第 {number_list(sorted(pages), most=len(pages))} 页"
