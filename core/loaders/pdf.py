"""PDF by page, with the physical page number of each.

How pages are read is in `pdf_pages`; here the documents are made of them.
"""

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from youju.errors import LoadError, NoTextError
from youju.loaders.garbled import odd_share
from youju.loaders.page_cleaning import clean_page
from youju.loaders.page_texts import Unit
from youju.loaders.pdf_pages import read_pdf
from youju.loaders.places import page_location
from youju.settings import LoaderSettings

if TYPE_CHECKING:
    from pypdf import PdfReader

    from youju.loaders.files import Ocr

_NO_TITLE = re.compile(
    r"untitled|无标题|未命名|\(?anonymous\)?|(演示文稿|文档|幻灯片|Document|Slide) ?\d*"
    r"|Microsoft (Word|PowerPoint|Excel) ?-.*|PowerPoint .*"
    r"|.*\.(docx?|wps|pdf|indd|pptx?|xlsx?|dps|et|tex|dvi|rtf|txt|html?|qxd|cdr|ai)",
    re.IGNORECASE,
)


def load_pdf(
    data: bytes, source: str, settings: LoaderSettings, ocr: "Ocr | None" = None
) -> tuple[list[Document], list[LoadError], int]:
    """Read a PDF page by page.

    The end of a sentence that runs on to the next page is moved to the page where the sentence begins; that document's
    metadata has the next page as `page_end`, in `page_break` where its text begins, and in `page_return` where the
    footnotes of the first page follow it, if there are any. The running header and footer of a page are not in its
    text; `running` has them.

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
        LoadError: Reading it takes longer than the settings allow.
        MissingExtraError: OCR is asked for, and Pillow is not installed.
    """
    found = read_pdf(data, source, settings, ocr)
    if not found.units:
        raise _nothing_to_read(source, found.problems, found.count)
    labels = _own_labels(found.reader)
    title = _title(found.reader) or PurePosixPath(source).stem
    documents = [_document(source, title, unit, labels.get(unit.page.number)) for unit in found.units]
    return documents, found.problems, found.count


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


def _document(source: str, title: str, unit: Unit, label: str | None) -> Document:
    page, page_end, text = unit.page.number, max(part.number for part, _ in unit.parts), unit.text
    metadata: dict[str, Any] = {"source": source, "title": title, "page": page, "page_end": page_end}
    if label is not None:
        metadata["page_label"] = label
    if unit.page_break is not None:
        metadata["page_break"] = unit.page_break
    if unit.page_return is not None:
        metadata["page_return"] = unit.page_return
    if unit.page.running:
        metadata["running"] = unit.page.running
    if unit.page.ocr:
        metadata["ocr"] = True
    location = page_location(source, page, page_end, label)
    return Document(text, metadata={**metadata, "location": location, "start": 0, "end": len(text)})
