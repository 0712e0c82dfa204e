"""The characters of a PDF page with the place of each, as PDFium knows them.

Places are counted from the top left corner of the page as it is shown, in PDF points, whatever the page's own rotation
and crop. Blanks and line ends that PDFium makes up are marked as such: the layout looks at the gaps itself.
"""

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from youju.loaders.pdf_lost import Drawn, loses_characters, missing
from youju.loaders.pdf_rules import read_rules

_HYPHEN = 2  # how PDFium writes a hyphen at a line end
_MADE_UP = frozenset({2, 10, 13, 32})
_HAS_NO_CODE = "\ufffd"
_NO_SIZE = 0.01
_QUARTER = math.pi / 2
_UPRIGHT = 0.1  # radians; slanted further, it is a watermark or a label on its side


class Glyph(NamedTuple):
    """A character and its box, from the top left corner of the page."""

    text: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class PageGlyphs:
    """What stands on a page.

    Attributes:
        width: Width of the page as shown, in points.
        height: Height of the page as shown.
        upright: The characters that most of the page's text is turned like, in the order they were drawn.
        slanted: All others.
        turns: Quarter turns to the left that make the upright characters upright; 0 on nearly every page.
        rules: The straight lines drawn on it, level and upright.
    """

    width: float
    height: float
    upright: list[Glyph]
    slanted: list[Glyph]
    turns: int
    rules: list[tuple[float, float, float, float]]


_SUPPOSED_BLANK = Glyph(" ", 0.0, 0.0, 0.0, 0.0)


def is_supposed(blank: Glyph) -> bool:
    """Whether a blank was not drawn, but is one that PDFium supposes."""
    return blank is _SUPPOSED_BLANK


def read_glyphs(page: Any, decoded: Callable[[], list[list[Drawn]]] | None = None) -> PageGlyphs:
    """Read the characters of a page opened by pypdfium2.

    Args:
        page: The page.
        decoded: The same page's characters as another engine decodes them, asked for where PDFium loses some.
    """
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; a native library

    left, bottom, right, top = page.get_cropbox()
    rotation = page.get_rotation() // 90
    width, height = right - left, top - bottom
    by_angle: dict[int | None, list[Glyph]] = {}
    drawn: list[Drawn] = []
    text_page = page.get_textpage()
    try:
        handle = text_page.raw
        lossy = decoded is not None and loses_characters(page, handle)
        box = pdfium.FS_RECTF()
        at = ctypes.byref(box)
        for number in range(pdfium.FPDFText_CountChars(handle)):
            code = pdfium.FPDFText_GetUnicode(handle, number)
            if code in _MADE_UP and code != _HYPHEN and pdfium.FPDFText_IsGenerated(handle, number) == 1:
                for glyphs in by_angle.values():
                    glyphs.append(_SUPPOSED_BLANK)
                continue
            if not pdfium.FPDFText_GetLooseCharBox(handle, number, at):
                continue
            if code == 0 and _is_empty(pdfium, handle, number):
                code = 32
            angle = pdfium.FPDFText_GetCharAngle(handle, number)
            turn = _turn(angle, rotation) if angle > 0 or rotation else 0
            if lossy:
                drawn.append(Drawn(_character(code), box.left, box.bottom, box.right, box.top, angle))
            place = (box.left - left, top - box.top, box.right - left, top - box.bottom)
            by_angle.setdefault(turn, []).append(Glyph(_character(code), *turned(place, rotation, width, height)))
    finally:
        text_page.close()
    for one in missing(decoded(), drawn) if lossy and decoded else ():
        place = (one.left - left, top - one.top, one.right - left, top - one.bottom)
        glyph = Glyph(one.text, *turned(place, rotation, width, height))
        by_angle.setdefault(_turn(one.angle, rotation), []).append(glyph)
    rules = [
        turned((rule[0] - left, top - rule[3], rule[2] - left, top - rule[1]), rotation, width, height)
        for rule in read_rules(page)
    ]
    if rotation % 2:
        width, height = height, width
    usual = max((turn for turn in by_angle if turn is not None), key=lambda turn: len(by_angle[turn]), default=0)
    slanted = [glyph for turn, glyphs in by_angle.items() if turn != usual for glyph in glyphs]
    return PageGlyphs(width, height, by_angle.get(usual, []), slanted, usual, rules)


def turned(
    place: tuple[float, float, float, float], quarters: int, width: float, height: float
) -> tuple[float, float, float, float]:
    """A box on a page of a width and height, when the page is turned to the right by quarters."""
    left, top, right, bottom = place
    for _ in range(quarters % 4):
        left, top, right, bottom = height - bottom, left, height - top, right
        width, height = height, width
    return left, top, right, bottom


def _is_empty(pdfium: Any, handle: Any, number: int) -> bool:
    """Whether a character without a code prints nothing, as blanks of all widths do in some fonts."""
    edges = [ctypes.c_double() for _ in range(4)]
    if not pdfium.FPDFText_GetCharBox(handle, number, *map(ctypes.byref, edges)):
        return False
    left, right, bottom, top = (edge.value for edge in edges)
    return right - left < _NO_SIZE or top - bottom < _NO_SIZE


def _turn(angle: float, rotation: int) -> int | None:
    """How many quarters to the left a character is turned as shown; None for a slanted one."""
    quarters = angle / _QUARTER - rotation
    whole = round(quarters)
    return whole % 4 if abs(quarters - whole) * _QUARTER <= _UPRIGHT else None


def _character(code: int) -> str:
    if code == _HYPHEN:
        return "-"
    if code == 0 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return _HAS_NO_CODE
    return chr(code)
