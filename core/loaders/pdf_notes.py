"""Form fields, typed-on notes and stamps of a PDF page: they show on it, but are no part of its text."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdf import PdfReader

_SHOWN = frozenset({"/FreeText", "/Stamp", "/Widget"})
_HIDDEN = 2 | 32  # flags: hidden, not to be viewed
_PASSWORD_FIELD = 1 << 13


def notes_on(reader: "PdfReader", page: int) -> list[str] | None:
    """What was typed onto a page, counted from 1: empty if pictures only, None if nothing."""
    try:
        notes = [note.get_object() for note in reader.pages[page - 1].get("/Annots") or []]
        shown = [note for note in notes if note.get("/Subtype") in _SHOWN and not int(note.get("/F", 0)) & _HIDDEN]
    except Exception:  # noqa: BLE001 - broken annotations must not hide a page
        return []
    return [text for text in map(_text, shown) if text] if shown else None


def _text(note: Any) -> str:
    try:
        if note["/Subtype"] == "/FreeText":
            return str(note.get("/Contents", "")).strip()
        if note["/Subtype"] != "/Widget" or int(_inherited(note, "/Ff") or 0) & _PASSWORD_FIELD:
            return ""
        value = _inherited(note, "/V")
        if _inherited(note, "/FT") not in {"/Tx", "/Ch"} or value is None:
            return ""
        return "、".join(map(str, value)) if isinstance(value, list) else str(value).strip()
    except Exception:  # noqa: BLE001 - a broken note must not cost the page's text
        return ""


def _inherited(note: Any, key: str) -> Any:
    for _ in range(20):  # a broken file may name a field as its own parent
        if key in note:
            return note[key].get_object()
        if "/Parent" not in note:
            return None
        note = note["/Parent"].get_object()
    return None
