"""Markdown by heading: one unit for each section, at its exact place in the file."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from youju.loaders.front_matter import read_front_matter
from youju.loaders.places import one_line
from youju.text import has_content

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_ANCHOR = re.compile(r"\s*\{#[^{}]*\}$")
_EDGE_LINES = re.compile(r"(?:[ \t\u3000]*\n)*")
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class Heading:
    """A heading: where its first line starts and the text under it, its level from 1, and how it reads."""

    start: int
    body: int
    level: int
    text: str


def markdown_documents(text: str, source: str) -> list[Document]:
    """Cut a Markdown text at its headings.

    A section is a heading and all text up to the next one of any level; text before the first heading is a section of
    its own. A heading without text of its own goes with the section after it. Front matter becomes metadata; if it
    cannot be read it stays text, and each section says why in `front_matter_error`.

    Args:
        text: The file's text.
        source: The file as the user knows it.

    Returns:
        The sections that have content, without blank lines around them: `text[start:end] == page_content`.
    """
    front = read_front_matter(text)
    name = PurePosixPath(source)
    headings = find_headings(*parse_blocks(text, front.end))
    first = next((heading.text for heading in headings if heading.level == 1 and heading.text), name.stem)
    metadata = {**front.values, "title": str(front.values.get("title") or first)}
    if front.error:
        metadata["front_matter_error"] = front.error
    documents = []
    for start, end, path in cut_sections(text, 0 if front.error else front.end, headings):
        place = (
            {"headings": path, "location": one_line(f"{source} › {path}")} if path else {"location": one_line(source)}
        )
        span = {"start": start, "end": end}
        documents.append(Document(text[start:end], metadata={**metadata, "source": source, **place, **span}))
    return documents


def parse_blocks(text: str, start: int = 0) -> tuple[list["Token"], list[int]]:
    """Find the blocks of a Markdown text.

    Args:
        text: The text.
        start: Where Markdown begins in it.

    Returns:
        markdown-it's tokens, and where each line that their maps count starts in the text; its end comes last.
    """
    if start == 0 and text.startswith("\ufeff"):
        start = 1
    lines = [start, *(match.end() for match in _LINE_END.finditer(text, start)), len(text)]
    return _parsers()[0].parse(text[start:]), lines


def find_headings(tokens: Sequence["Token"], lines: Sequence[int]) -> list[Heading]:
    """Find the headings among blocks; those inside lists, quotes, code and HTML head no section."""
    found = []
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            first, last = opening.map
            words = _plain(_parsers()[1].parseInline(content.content)) or content.content
            found.append(Heading(lines[first], lines[last], int(opening.tag[1]), words))
    return found


def cut_sections(text: str, start: int, headings: Sequence[Heading]) -> list[tuple[int, int, str]]:
    """Cut a text at its headings.

    Args:
        text: The text.
        start: Where the first section begins.
        headings: The headings behind it.

    Returns:
        Where each section that has content starts and ends, and the path of its headings, joined by ` > `.
    """
    sections: list[tuple[int, int, str]] = []
    path: list[Heading] = []
    starts = [heading.start for heading in headings]
    for heading, end in zip([None, *headings], [*starts, len(text)], strict=True):
        if heading is not None:
            path = [*(above for above in path if above.level < heading.level), heading]
        if has_content(text[heading.body if heading else start : end]):
            sections.append((*_trim(text, start, end), _joined(path)))
            start = end
    if sections and text[start:].strip():  # headings at the end with nothing under them
        begin, _, names = sections.pop()
        sections.append((*_trim(text, begin, len(text)), names))
    elif has_content(text[start:]):
        sections.append((*_trim(text, start, len(text)), _joined(path)))
    return sections


def _joined(path: Sequence[Heading]) -> str:
    return " > ".join(heading.text for heading in path if heading.text)


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Leave out blank lines at both ends; the first line keeps its indentation."""
    skipped = _EDGE_LINES.match(text, start, end)
    return skipped.end() if skipped else start, start + len(text[start:end].rstrip())


@cache
def _parsers() -> "tuple[MarkdownIt, MarkdownIt]":
    """One that finds blocks and leaves their text alone, and one for the text of a heading."""
    from markdown_it import MarkdownIt  # noqa: PLC0415 - loading it takes 0.2 s

    blocks = MarkdownIt("commonmark").enable("table")
    blocks.core.ruler.enableOnly(["normalize", "block"])
    return blocks, MarkdownIt("commonmark")


def _plain(tokens: Sequence["Token"]) -> str:
    """A heading as it reads, without emphasis, links, code marks and `{#anchor}`."""
    children = [child for token in tokens for child in token.children or []]
    words = "".join(" " if child.type.endswith("break") else child.content for child in children)
    return _ANCHOR.sub("", words).strip()
