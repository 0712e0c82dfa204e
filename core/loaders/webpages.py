"""HTML, and Word by way of it, to Markdown that reads like the page.

What markitdown would pass on as noise is taken out first: scripts, styles, images, links within the page. Cells that
span several rows are written into each of them, so that every row of a table stands under the right headings.
"""

import codecs
import re
from io import BytesIO
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

from youju.errors import DamagedFileError
from youju.loaders.encodings import decode_text
from youju.loaders.images import caption, storable
from youju.loaders.tables import markdown_cell, spread
from youju.loaders.word_numbers import write_numbers

_INVISIBLE = "script style noscript template svg iframe object embed canvas audio video head".split()
_DECLARED = re.compile(
    rb"""<meta[^>]*charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)|<\?xml[^>]*encoding=["']([\w.:-]+)""", re.IGNORECASE
)
_DECLARATION_WITHIN = 4096
_WIDER = {"gb2312": "gb18030", "gbk": "gb18030", "big5": "big5hkscs"}
_NEVER = ("utf-16", "utf-32", "utf-7", "iso8859", "cp1252", "ascii")
"""Encodings that a page cannot have that could be searched for its declaration, or that mean nothing was chosen."""

_PROLOG = re.compile(r"^\s*<\?xml.*?\?>", re.DOTALL)
_OPTIONS: dict[str, Any] = {
    "escape_underscores": False,  # text is read and quoted as it stands
    "escape_asterisks": False,
    "table_infer_header": True,
    "strip": ["b", "strong", "i", "em", "u"],
}
_STYLES = "\n".join(f"p[style-name='{name}'] => h1:fresh" for name in ("Title", "标题"))
_MOST_SPAN = 1000


def html_to_markdown(data: bytes, source: str) -> tuple[str, str]:
    """Convert a page, and give its title."""
    soup = _parse(_decode(data, source))
    title = soup.title.get_text() if soup.title else ""
    return _markdown(soup), title


def word_to_markdown(data: bytes) -> tuple[str, str]:
    """Convert a Word file; its title stands in its properties."""
    from markitdown import StreamInfo  # noqa: PLC0415 - takes 2 s
    from markitdown.converters import DocxConverter  # noqa: PLC0415 - as above

    converter = DocxConverter()  # type: ignore[no-untyped-call]  # markitdown leaves it untyped
    converter._html_converter = _FromWord()  # type: ignore[assignment]  # noqa: SLF001 - the only way to its HTML
    return converter.convert(
        BytesIO(write_numbers(data)), StreamInfo(extension=".docx"), style_map=_STYLES
    ).markdown, ""


class _FromWord:
    """Stands where markitdown turns the HTML made of a Word file into Markdown."""

    def convert_string(self, text: str, **_: Any) -> Any:
        from markitdown import DocumentConverterResult  # noqa: PLC0415 - takes 2 s

        soup = _parse(text)
        for link in soup("a"):
            target, parent = str(link.get("href", "")), link.parent
            back = target.startswith(("#footnote-ref", "#endnote-ref"))
            contents = target.startswith("#_Toc") and parent and parent.get_text() == link.get_text()
            if back or (contents and re.search(r"\d\s*$", link.get_text())):
                link.decompose()  # the way back from a note; a line of the table of contents
        return DocumentConverterResult(markdown=_markdown(soup))


def _decode(data: bytes, source: str) -> str:
    """Decode a page as it says itself, else as any text file."""
    declared = _DECLARED.search(data[:_DECLARATION_WITHIN])
    if declared and not data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        try:
            name = codecs.lookup((declared[1] or declared[2]).decode("ascii")).name
            if not name.startswith(_NEVER):
                return data.decode(_WIDER.get(name, name)).replace("\x00", "").replace("\r\n", "\n").replace("\r", "\n")
        except (LookupError, UnicodeDecodeError):
            return decode_text(data, source)
        if name.startswith(("iso8859", "cp1252")):
            try:
                return decode_text(data, source)
            except DamagedFileError:
                return data.decode("cp1252", "replace")
    return decode_text(data, source)


def _parse(text: str) -> BeautifulSoup:
    return BeautifulSoup(f"<!-- -->{_PROLOG.sub('', text)}", "lxml")  # closes what authors leave open


def _markdown(soup: BeautifulSoup) -> str:
    from markitdown.converters import HtmlConverter  # noqa: PLC0415 - takes 2 s

    body = soup.body or soup
    _tidy(body)
    try:
        page = f"<body>{body.decode_contents()}</body>"
        text = HtmlConverter().convert_string(page, strict=True, **_OPTIONS).markdown
    except RecursionError:  # nested too deeply for Markdown; the text is still there
        text = body.get_text("\n", strip=True)
    text = storable(text).replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip()


def _tidy(body: Tag) -> None:
    for tag in body(_INVISIBLE):
        tag.decompose()
    for image in body("img"):
        image.replace_with(NavigableString(caption(str(image.get("alt", "")))))
    for link in body("a"):
        if not str(link.get("href", "")).lower().startswith(("http://", "https://")):
            link.unwrap()
    tables = body("table")
    for_looks = {id(table) for table in tables if table.find("table")}  # the inner ones hold the data
    for part in body(["thead", "tbody", "tfoot", "tr", "td", "th", "caption"]):
        if id(part.find_parent("table")) in for_looks:
            part.name = "div"
    for table in tables:
        if id(table) in for_looks:
            table.name = "div"
        else:
            _straighten(table)


def _straighten(table: Tag) -> None:
    """Give every row a cell for each column, and write out marks that would part cells."""
    rows = table("tr")
    grid = spread(
        [[(_cell(cell), _span(cell, "rowspan"), _span(cell, "colspan")) for cell in row(["td", "th"])] for row in rows]
    )
    for row, cells in zip(rows, grid, strict=True):
        row.clear()
        for text in cells:
            cell = Tag(name="td")
            cell.append(NavigableString(text))
            row.append(cell)


def _cell(cell: Tag) -> str:
    for block in cell(["br", "p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6"]):
        block.append(" ")
    return markdown_cell(cell.get_text())


def _span(cell: Tag, name: str) -> int:
    value = str(cell.get(name, "1"))
    return min(max(int(value), 1), _MOST_SPAN) if value.isascii() and value.isdigit() else 1
