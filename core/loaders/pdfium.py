"""The second PDF engine, asked about single pages that the first could not read."""

from typing import Any

_MOST_ORNAMENTS = 20


class SecondReader:
    """One PDF opened with PDFium; use it in one thread at a time, for PDFium has no locks of its own.

    Opening waits until a page is asked for, so that a file without trouble never pays for it.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._document: Any = None

    def text(self, page: int) -> str:
        """The text of a page, counted from 0; empty where PDFium cannot read it either."""
        try:
            words: str = self._open()[page].get_textpage().get_text_bounded()
        except Exception:  # noqa: BLE001 - whatever goes wrong on a broken page, it stays unread
            return ""
        return words.replace("\x02", "-\n")  # how PDFium writes a hyphen at a line end

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

    def close(self) -> None:
        """Give back the native memory."""
        if self._document is not None:
            self._document.close()

    def _open(self) -> Any:
        if self._document is None:
            self._document = _engine().PdfDocument(self._data)
        return self._document


def _engine() -> Any:
    import pypdfium2  # type: ignore[import-untyped]  # noqa: PLC0415 - comes without types; loads a native library

    return pypdfium2
