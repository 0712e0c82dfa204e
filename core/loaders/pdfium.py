"""PDFium: one PDF opened with it, its pages' characters, their looks, and whether they show anything at all."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

from youju.errors import MissingExtraError
from youju.loaders.page_layout import PageLayout, lay_out
from youju.loaders.pdf_glyphs import read_glyphs
from youju.loaders.pdf_lost import Drawn

_MOST_ORNAMENTS = 20
_DOTS_AN_INCH = 200


class Pdfium:
    """One PDF; use it in one thread at a time, for PDFium has no locks of its own.

    Opening waits until a page is asked for.
    """

    def __init__(self, data: bytes, password: str = "") -> None:
        self._data = data
        self._password = password
        self._document: Any = None

    def layout(
        self, page: int, *, with_notes: bool, decoded: Callable[[], list[list[Drawn]]] | None = None
    ) -> PageLayout:
        """The lines of a page, counted from 0; none where PDFium cannot read it.

        Args:
            page: The page.
            with_notes: Whether what stands in form fields and on typed-on notes is read as part of the page.
            decoded: The page's characters as another engine decodes them, for those that PDFium loses.
        """
        try:
            opened = self._open()[page]
            if with_notes:
                _engine().raw.FPDFPage_Flatten(opened, _engine().raw.FLAT_NORMALDISPLAY)
                opened.close()
                opened = self._open()[page]
            try:
                return lay_out(read_glyphs(opened, decoded))
            finally:
                opened.close()
        except Exception:  # noqa: BLE001 - whatever goes wrong on a broken page, it stays unread
            return PageLayout()

    def shows_something(self, page: int, *, unread_text: bool) -> bool:
        """Whether a page without text, counted from 0, shows an image, a drawing or text that was not read.

        A few lines and boxes are ornaments of a blank page; text turned into outlines is many of them. A page that
        cannot be examined counts as showing something, so that nothing is passed over in silence.

        Args:
            page: The page.
            unread_text: Whether text on it counts; not so where text was read and is blank.
        """
        raw = _engine().raw
        try:
            telling = {raw.FPDF_PAGEOBJ_IMAGE, *([raw.FPDF_PAGEOBJ_TEXT] if unread_text else [])}
            paths = 0
            for item in self._open()[page].get_objects():
                paths += item.type == raw.FPDF_PAGEOBJ_PATH
                if item.type in telling or paths > _MOST_ORNAMENTS:
                    return True
        except Exception:  # noqa: BLE001 - whatever goes wrong on a broken page, it must not look blank
            return True
        return False

    def image(self, page: int) -> bytes:
        """A page, counted from 0, as a PNG.

        Raises:
            MissingExtraError: Pillow is not installed.
        """
        try:
            import PIL.Image  # noqa: F401, PLC0415 - an extra, looked for before the page is drawn
        except ModuleNotFoundError as error:
            if error.name != "PIL":
                raise
            raise MissingExtraError("Pillow", "ocr", "文字识别（OCR）") from error
        file = BytesIO()
        self._open()[page].render(scale=_DOTS_AN_INCH / 72).to_pil().save(file, "PNG")
        return file.getvalue()

    def close(self) -> None:
        """Give back the native memory."""
        if self._document is not None:
            self._document.close()

    def _open(self) -> Any:
        if self._document is None:
            self._document = _engine().PdfDocument(self._data, password=self._password or None)
        return self._document


def _engine() -> Any:
    import pypdfium2  # type: ignore[import-untyped]  # noqa: PLC0415 - comes without types; loads a native library

    return pypdfium2
