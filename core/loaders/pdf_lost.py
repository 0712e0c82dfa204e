"""Characters that PDFium loses, in fonts that are neither in the file nor on the machine.

PDFium takes a single such character for one without width and leaves it out of the page's text, without an error. A
line without height it takes for the same as an equal one above it, up to an eighth of its width away. pypdf decodes
them, and knows where their drawing began; how wide a character is can be told from what it is.
"""

import math
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pypdf import PdfReader

_ASCENT = 0.88  # of the font size, as in most Chinese fonts
_NO_WIDTH = 0.01
_UPRIGHT = 0.1  # cosine of the angle of a line that runs up or down
_NEAR = 0.4  # of the font size
_SAME = 0.125  # of the width: how far below each other equal lines are the same to PDFium
_NO_TEXT = 2  # bytes
_LOOKED_BACK = 10  # equal pieces; PDFium looks back no further
_CELL = 20.0  # points; characters near to one stand in its square or one beside it
_MOST_ASKED = 2000  # lines whose text is looked for; it takes time with each


class Drawn(NamedTuple):
    """A character, and its box in the page's own coordinates, which count from the lower left corner."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    angle: float


def loses_characters(page: Any, text_page: Any) -> bool:
    """Whether a page opened by pypdfium2 draws text in a font that is not embedded, of which some is lost."""
    import ctypes  # noqa: PLC0415 - beside the library it serves

    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; a native library

    edges = [ctypes.c_float() for _ in range(4)]
    places = [ctypes.byref(edge) for edge in edges]
    seen: Counter[tuple[int, int]] = Counter()

    def lost(item: Any) -> bool:
        kind = pdfium.FPDFPageObj_GetType(item)
        if kind == pdfium.FPDF_PAGEOBJ_FORM:
            parts = range(pdfium.FPDFFormObj_CountObjects(item))
            return any(lost(pdfium.FPDFFormObj_GetObject(item, part)) for part in parts)
        if kind != pdfium.FPDF_PAGEOBJ_TEXT or not pdfium.FPDFPageObj_GetBounds(item, *places):
            return False
        left, bottom, right, top = (edge.value for edge in edges)
        if right - left > _NO_WIDTH and (top - bottom > _NO_WIDTH or not same_as_before(item, left, right)):
            return False
        font = pdfium.FPDFTextObj_GetFont(item)
        return bool(pdfium.FPDFFont_GetIsEmbedded(font) == 0 and has_wide_codes(font))

    def same_as_before(item: Any, left: float, right: float) -> bool:
        """Whether a line as wide as one before it has no text."""
        place = (round(left), round(right))
        seen[place] += 1
        if seen[place] == 1:
            return False
        return seen.total() > _MOST_ASKED or pdfium.FPDFTextObj_GetText(item, text_page, None, 0) <= _NO_TEXT

    def has_wide_codes(font: Any) -> bool:  # Western fonts lose nothing but blanks
        codes = (0x4E00, 0xB0A1)
        return any(pdfium.FPDFFont_GetGlyphWidth(font, code, 10.0, places[0]) and edges[0].value for code in codes)

    return any(lost(pdfium.FPDFPage_GetObject(page, item)) for item in range(pdfium.FPDFPage_CountObjects(page)))


def drawn_by_pypdf(reader: "PdfReader", page: int) -> list[list[Drawn]]:
    """What is drawn on a page, counted from 0, piece by piece as pypdf decodes it; nothing if it cannot.

    Where a piece begins is exact; the characters after the first stand about where they are said to.
    """
    found: list[list[Drawn]] = []

    def visit(text: str, cm: list[float], tm: list[float], _font: Any, size: float) -> None:
        a, b = tm[0] * cm[0] + tm[1] * cm[2], tm[0] * cm[1] + tm[1] * cm[3]
        x, y = tm[4] * cm[0] + tm[5] * cm[2] + cm[4], tm[4] * cm[1] + tm[5] * cm[3] + cm[5]
        scale = math.hypot(a, b)
        if not text.strip() or not scale:
            return
        along, piece, at = (a / scale, b / scale), [], 0.0
        for character in text.strip():
            width = scale * size * (1 if unicodedata.east_asian_width(character) in "WFA" else 0.5)
            if not character.isspace():
                piece.append(_drawn(character, (x, y), along, (at, at + width), scale * size))
            at += width
        found.append(piece)

    try:
        reader.pages[page].extract_text(visitor_text=visit)
    except Exception:  # noqa: BLE001 - on broken pages pypdf raises anything
        return []
    return found


def missing(pieces: Iterable[list[Drawn]], known: Iterable[Drawn]) -> list[Drawn]:
    """The characters of those pieces whose first character is not known to stand where it does.

    PDFium loses what is without width: single characters, and lines that run up or down. Of longer level pieces it
    loses those that equal one close by; where pypdf puts a piece is sure enough only where it agrees about that one.
    """
    pieces, known = list(pieces), list(known)
    drawn = Counter(one.text for piece in pieces for one in piece)
    read = Counter(one.text for one in known)
    places: defaultdict[tuple[str, int, int], list[Drawn]] = defaultdict(list)
    for one in known:
        places[one.text, *_cell(one)].append(one)
    agreed: defaultdict[str, list[list[Drawn]]] = defaultdict(list)
    lost: list[list[Drawn]] = []
    for piece in filter(None, pieces):
        same = agreed["".join(one.text for one in piece)]
        if _is_known(piece[0], places):
            same.append(piece)
        elif len(piece) == 1 or abs(math.cos(piece[0].angle)) < _UPRIGHT:
            lost.append(piece)
        elif any(_equal(piece, other) for other in same[-_LOOKED_BACK:]) and all(
            read[one.text] < drawn[one.text] for one in piece
        ):
            lost.append(piece)
            same.append(piece)
    return [one for piece in lost for one in piece]


def _is_known(one: Drawn, places: Mapping[tuple[str, int, int], list[Drawn]]) -> bool:
    x, y = _cell(one)
    near = ((one.text, x + across, y + up) for across in (0, -1, 1) for up in (0, -1, 1))
    return any(_near(one, other) for cell in near for other in places.get(cell, ()))


def _cell(one: Drawn) -> tuple[int, int]:
    """The square of the page that the middle of a character stands in."""
    return int((one.left + one.right) / 2 // _CELL), int((one.bottom + one.top) / 2 // _CELL)


def _equal(piece: list[Drawn], other: list[Drawn]) -> bool:
    """Whether PDFium takes one of two pieces with the same text for the other."""
    one, two = piece[0], other[0]
    aside, apart = abs(one.left - two.left), abs(one.bottom - two.bottom)
    return aside < one.right - one.left and apart <= _SAME * (piece[-1].right - one.left) + 1


def _drawn(
    text: str, origin: tuple[float, float], along: tuple[float, float], span: tuple[float, float], size: float
) -> Drawn:
    """A character from its place on a line that begins at an origin and runs along a direction."""
    (x, y), (cos, sin) = origin, along
    levels = ((_ASCENT - 1) * size, _ASCENT * size)
    xs = [x + at * cos - level * sin for at in span for level in levels]
    ys = [y + at * sin + level * cos for at in span for level in levels]
    return Drawn(text, min(xs), min(ys), max(xs), max(ys), math.atan2(sin, cos) % math.tau)


def _near(one: Drawn, other: Drawn) -> bool:
    size = max(one.top - one.bottom, one.right - one.left)
    across, up = one.left + one.right - other.left - other.right, one.top + one.bottom - other.top - other.bottom
    return max(abs(across), abs(up)) <= 2 * _NEAR * size
