"""The straight lines drawn on a PDF page: what a table's grid is made of."""

import ctypes
from typing import Any

Rule = tuple[float, float, float, float]
"""Left, bottom, right and top of a line, in the page's own coordinates; it is level or upright."""

_THIN = 2.5  # points; lines are often drawn as narrow rectangles
_SHORTEST = 3.0
_MOST_SEGMENTS = 2000  # more of them are a drawing


def read_rules(page: Any) -> list[Rule]:
    """The level and upright lines of a page opened by pypdfium2, the edges of its rectangles too."""
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]  # noqa: PLC0415 - no types; a native library

    edges = [ctypes.c_float() for _ in range(4)]
    places = [ctypes.byref(edge) for edge in edges]
    out: list[Rule] = []
    for number in range(pdfium.FPDFPage_CountObjects(page)):
        item = pdfium.FPDFPage_GetObject(page, number)
        if pdfium.FPDFPageObj_GetType(item) != pdfium.FPDF_PAGEOBJ_PATH:
            continue
        if not pdfium.FPDFPageObj_GetBounds(item, *places):
            continue
        left, bottom, right, top = (edge.value for edge in edges)
        if min(right - left, top - bottom) <= _THIN:
            if max(right - left, top - bottom) >= _SHORTEST:
                out.append((left, bottom, right, top))
        elif pdfium.FPDFPath_CountSegments(item) <= _MOST_SEGMENTS:
            out += _sides(pdfium, item)
    return out


def _sides(pdfium: Any, item: Any) -> list[Rule]:
    """The straight sides of a path."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    x, y = ctypes.c_float(), ctypes.c_float()
    out: list[Rule] = []
    start = at = (0.0, 0.0)
    for number in range(pdfium.FPDFPath_CountSegments(item)):
        segment = pdfium.FPDFPath_GetPathSegment(item, number)
        pdfium.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
        point = (
            matrix.a * x.value + matrix.c * y.value + matrix.e,
            matrix.b * x.value + matrix.d * y.value + matrix.f,
        )
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            start = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            out.append(_between(at, point))
        at = point
        if pdfium.FPDFPathSegment_GetClose(segment):
            out.append(_between(at, start))
    return [
        side
        for side in out
        if min(side[2] - side[0], side[3] - side[1]) < 1 and max(side[2] - side[0], side[3] - side[1]) >= _SHORTEST
    ]


def _between(one: tuple[float, float], other: tuple[float, float]) -> Rule:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[0], other[0]), max(one[1], other[1])
