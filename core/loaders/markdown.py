"""Markdown by heading: one unit for each section, at its exact place in the file."""

import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from youju.loaders.front_matter import read_front_matter
from youju.loaders.places import one_line
from youju.text import has_content

if TYPE_CHECKING:
    from markdown_it.token import Token

_ANCHOR = re.compile(r"\s*\{#[^{}]*\}$")
_EDGE_LINES = re.compile(r"(?:[ \t\u3000]*\n)*")


@dataclass(frozen=True)
class _Heading:
    start: int
    body: int
    level: int
    text: str


def markdown_documents(text: str, source: str) -> list[Document]:
    """Cut a Markdown text at its headings.

    A section is a heading and all text up to the next one of any level; text before the first heading is a section of
    its own. A heading without text of its own goes with the section after it.

    Args:
        text: The file's text.
        source: The file as the user knows it.

    Returns:
        The sections that have content, without blank lines around them: `text[start:end] == page_content`.
    """
    values, body = read_front_matter(text)
    name = PurePosixPath(source)
    headings = _find_headings(text, body)
    first = next((heading.text for heading in headings if heading.level == 1 and heading.text), name.stem)
    metadata = {**values, "title": str(values.get("title") or first)}
    documents = []
    for start, end, path in _sections(text, body, headings):
        place = (
            {"headings": path, "location": one_line(f"{source} › {path}")} if path else {"location": one_line(source)}
        )
        span = {"start": start, "end": end}
        documents.append(Document(text[start:end], metadata={**metadata, "source": source, **place, **span}))
    return documents


def _sections(text: str, body: int, headings: list[_Heading]) -> list[tuple[int, int, str]]:
    sections: list[tuple[int, int, str]] = []
    path: list[_Heading] = []
    start = body
    starts = [heading.start for heading in headings]
    for heading, end in zip([None, *headings], [*starts, len(text)], strict=True):
        if heading is not None:
            path = [*(above for above in path if above.level < heading.level), heading]
        if has_content(text[heading.body if heading else start : end]):
            sections.append((*_trim(text, start, end), " > ".join(above.text for above in path if above.text)))
            start = end
    if has_content(text[start:]):  # headings at the end with nothing under them
        if sections:
            begin, _, names = sections.pop()
        else:
            begin, names = start, " > ".join(above.text for above in path if above.text)
        sections.append((*_trim(text, begin, len(text)), names))
    return sections


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out blank lines at both ends; the first line keeps its indentation."""
    skipped = _EDGE_LINES.match(text, start, end)
    return skipped.end() if skipped else start, start + len(text[start:end].rstrip())


def _find_headings(text: str, body: int) -> list[_Heading]:
    """Find the headings of a document; those inside lists, quotes, code and HTML head no section."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - loading it takes 0.2 s

    inline = MarkdownIt("commonmark")
    blocks = MarkdownIt("commonmark").enable("table")
    blocks.core.ruler.enableOnly(["normalize", "block"])
    tokens = blocks.parse(text[body:])
    line_starts = [body, *(body + match.end() for match in re.finditer("\n", text[body:])), len(text)]
    found = []
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            first, last = opening.map
            words = _plain(inline.parseInline(content.content)) or content.content
            found.append(_Heading(line_starts[first], line_starts[last], int(opening.tag[1]), words))
    return found


def _plain(tokens: "list[Token]") -> str:
    """A heading as it reads, without emphasis, links, code marks and `{#anchor}`."""
    children = [child for token in tokens for child in token.children or []]
    words = "".join(" " if child.type.endswith("break") else child.content for child in children)
    return _ANCHOR.sub("", words).strip()
