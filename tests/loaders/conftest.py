"""PDFs made on the spot: with reportlab where it can, by hand where a fault is wanted."""

import io
from collections.abc import Callable, Sequence

import pytest
from pypdf import PdfReader, PdfWriter
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

Page = Sequence[str] | str | None
"""Lines of text, `"scan"` for an image over the whole page, `"drawing"` for outlines, None for a blank page."""

PdfMaker = Callable[..., bytes]


@pytest.fixture
def make_pdf() -> PdfMaker:
    """Makes a PDF of pages, compressed, with a title if one is given."""

    def make(*pages: Page, title: str | None = None) -> bytes:
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
        file = io.BytesIO()
        canvas = Canvas(file, pageCompression=1)
        if title is not None:
            canvas.setTitle(title)
        for page in pages:
            _draw(canvas, page)
            canvas.showPage()
        canvas.save()
        return file.getvalue()

    return make


def _draw(canvas: Canvas, page: Page) -> None:
    if page == "scan":
        from PIL import Image  # noqa: PLC0415 - one kind of page needs it

        canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 590, 840)
    elif page == "drawing":
        for step in range(40):
            canvas.bezier(50, 50 + step, 90, 60 + step, 130, 40 + step, 170, 50 + step)
    elif page is not None:
        canvas.setFont("STSong-Light", 14)
        for number, line in enumerate(page):
            canvas.drawString(60, 780 - 24 * number, line)


@pytest.fixture
def rewrite() -> Callable[..., bytes]:
    """Runs a PDF through pypdf's writer, with labels or a password added."""

    def write(data: bytes, *, labels: bool = False, user: str | None = None, owner: str = "owner") -> bytes:
        writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
        if labels:  # i, 1, 2, …
            writer.set_page_label(0, 0, style="/r")
            writer.set_page_label(1, len(writer.pages) - 1, style="/D")
        if user is not None:
            writer.encrypt(user, owner, algorithm="AES-256")
        file = io.BytesIO()
        writer.write(file)
        return file.getvalue()

    return write


@pytest.fixture
def pdf_with_font() -> Callable[..., bytes]:
    """Makes a one-page PDF by hand that shows codes in a font of your own."""

    def make(codes: bytes, font: bytes, descendant: bytes | None = None) -> bytes:
        content = b"BT /F1 14 Tf 50 300 Td <" + codes.hex().encode() + b"> Tj ET"
        objects = [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources 7 0 R >>",
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(content), content),
            font,
            descendant or b"null",
            b"<< /Font << /F1 5 0 R >> >>",
        ]
        data, places = b"%PDF-1.4\n", []
        for number, body in enumerate(objects, 1):
            places.append(len(data))
            data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        table = b"".join(b"%010d 00000 n \n" % place for place in places)
        size = len(objects) + 1
        return (
            data
            + b"xref\n0 %d\n0000000000 65535 f \n%b" % (size, table)
            + b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
        )

    return make
