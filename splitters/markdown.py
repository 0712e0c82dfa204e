"""The Markdown splitter: sections, and in them blocks that stay whole where they fit."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from youju.loaders.front_matter import read_front_matter
from youju.loaders.markdown import cut_sections, find_headings, parse_blocks
from youju.loaders.places import one_line
from youju.splitters.base import Span, chunk_metadata, tidy
from youju.splitters.recursive import RecursiveSplitter
from youju.text import CLOSING, SENTENCE_MARK

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")
_LINE_END = re.compile(r"\r\n?|\n")
_HOLDS_BLOCKS = frozenset({"bullet_list", "ordered_list", "list_item", "blockquote"})
_HOLDS_LINES = frozenset({"fence", "code_block", "html_block"})


@dataclass(frozen=True)
class _Table:
    """Where a table, its rows and its end are; the head (header row and delimiter row) stands before the rows."""

    start: int
    rows: int
    end: int


@dataclass(frozen=True)
class _Layout:
    """A text as Markdown: its outermost blocks, its lines, and where sections start, with the path of each."""

    blocks: list["SyntaxTreeNode"]
    lines: list[int]
    front: int
    starts: list[int]
    paths: list[str]
    tables: list[_Table]


class MarkdownSplitter(RecursiveSplitter):
    r"""Splits at headings; code, tables and list items stay whole where they fit.

    A heading stays with what follows it. Neighbouring blocks of a section share a chunk while they fit. What is too
    long is cut: lists between items, code at blank lines, else between lines, tables between rows, paragraphs as
    `RecursiveSplitter` does; only they repeat `chunk_overlap`. Rows without the head of their table carry it in the
    metadata, as `table_header`. `#` in code is no heading, and indentation is kept.

    Example:
        >>> MarkdownSplitter(chunk_size=20, chunk_overlap=0).split_text("# 安装\n\n先下载。\n\n# 启动\n\n点图标。")
        ['# 安装\n\n先下载。', '# 启动\n\n点图标。']
    """

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        return self._spans(text, _layout(text))

    def notes(self, text: str, spans: Sequence[Span]) -> list[dict[str, Any]]:
        """The headings that each chunk stands under, and the head of the table that its first rows belong to."""
        return _notes(text, spans, _layout(text))

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents; headings found inside are named where the document does not name its own."""
        chunks = []
        for document in documents:
            text, known = document.page_content, document.metadata.get("headings")
            layout = _layout(text)
            spans = self._spans(text, layout)
            for (start, end), notes in zip(spans, _notes(text, spans, layout), strict=True):
                metadata = chunk_metadata(document.metadata, start, end)
                path = notes.pop("headings", None)
                if path and not known:
                    metadata["headings"] = path
                    if "location" in metadata:
                        metadata["location"] = one_line(f"{metadata['location']} › {path}")
                chunks.append(Document(page_content=text[start:end], metadata={**metadata, **notes}))
        return chunks

    def _spans(self, text: str, layout: _Layout) -> list[Span]:
        found: list[Span] = []
        at = 0
        for start, end in zip(layout.starts, [*layout.starts[1:], len(text)], strict=True):
            first = at
            while at < len(layout.blocks) and _start(layout.blocks[at], layout) < end:
                at += 1
            pieces = self._section(text, start, end, layout, layout.blocks[first:at])
            found += self._joined(text, self._led_in(text, pieces))
        return tidy(text, found, self.chunk_size)

    def _section(
        self, text: str, start: int, end: int, layout: _Layout, blocks: Sequence["SyntaxTreeNode"]
    ) -> Iterator[Span]:
        """The pieces of a section; its headings belong to the block after them."""
        if start < layout.front < end:
            yield from self._by_lines(text, start, start, layout.front)
            start = layout.front
        rest = list(blocks)
        while len(rest) > 1 and rest[0].type == "heading" and rest[-1].type != "heading":
            rest.pop(0)
        yield from self._blocks(text, start, end, layout, rest)

    def _blocks(
        self, text: str, start: int, end: int, layout: _Layout, blocks: Sequence["SyntaxTreeNode"]
    ) -> Iterator[Span]:
        if not blocks:
            yield from self._pieces_with_overlap(text, start, end)
            return
        ends = [*(_start(block, layout) for block in blocks[1:]), end]
        for block, block_end in zip(blocks, ends, strict=True):
            if block_end > start:
                yield from self._block(text, start, block_end, layout, block)
                start = block_end

    def _block(self, text: str, start: int, end: int, layout: _Layout, block: "SyntaxTreeNode") -> Iterator[Span]:
        """A block whole, or the pieces of one that does not fit."""
        if self._fits(text, start, end):
            yield start, end
        elif block.type in _HOLDS_BLOCKS and block.children:
            yield from self._blocks(text, start, end, layout, block.children)
        elif block.type in _HOLDS_LINES:
            yield from self._by_lines(text, start, _start(block, layout), end)
        elif block.type == "table" and len(block.children) > 1:
            rows = block.children[1].children
            yield from self._cut(text, start, end, [_start(row, layout) for row in rows[1:]])
        else:
            yield from self._pieces_with_overlap(text, start, end)

    def _by_lines(self, text: str, start: int, code: int, end: int) -> Iterator[Span]:
        """Code at its blank lines, else between its lines; what stands before it stays with its first."""
        groups = [match.end() for match in _BLANK_LINES.finditer(text, code, end)]
        for left, right in _spans_between(start, end, groups):
            if self._fits(text, left, right):
                yield left, right
            else:
                lines = [match.end() for match in _LINE_END.finditer(text, max(left, code), right)]
                yield from self._cut(text, left, right, lines)

    def _cut(self, text: str, start: int, end: int, cuts: Sequence[int]) -> Iterator[Span]:
        for left, right in _spans_between(start, end, cuts):
            if self._fits(text, left, right):
                yield left, right
            else:
                yield from self._pieces_with_overlap(text, left, right)

    def _pieces_with_overlap(self, text: str, start: int, end: int) -> list[Span]:
        """Whole sentences, so that a heading does not stand alone before a paragraph that almost fits."""
        return self._merge(text, self._pieces(text, start, end, 1))

    def _fits(self, text: str, start: int, end: int) -> bool:
        return end - start <= self.chunk_size or len(text[start:end].rstrip()) <= self.chunk_size

    def _led_in(self, text: str, pieces: Iterable[Span]) -> list[Span]:
        """Let a piece that opens with a mark (an image, a brace) begin with the sentence or line before it instead."""
        out: list[Span] = []
        for start, end in pieces:
            begin = start
            if out and text[start:end].lstrip()[:1] in CLOSING:
                before, _ = out.pop()
                begin = before if self._fits(text, before, end) else self._lead(text, before, start, end)
                if before < begin:
                    out.append((before, begin))
            out.append((begin, end))
        return out

    def _lead(self, text: str, before: int, start: int, end: int) -> int:
        """Where the last line of what stands before a piece begins, or a sentence in it, so that both fit together."""
        solid = before + len(text[before:start].rstrip())
        line = max(before, text.rfind("\n", before, solid) + 1)
        for at in (line, *(match.end() for match in SENTENCE_MARK.finditer(text, line, solid))):
            if at < solid and text[at] not in CLOSING and self._fits(text, at, end):
                return at
        return start

    def _joined(self, text: str, pieces: Iterable[Span]) -> list[Span]:
        """Neighbours together while they fit."""
        chunks: list[Span] = []
        for start, end in pieces:
            if chunks and self._fits(text, chunks[-1][0], end):
                chunks[-1] = (chunks[-1][0], end)
            else:
                chunks.append((start, end))
        return chunks


def has_structure(text: str) -> bool:
    """Whether a text is Markdown to the eye: it has `#` headings, fenced code, tables, or lists of several items."""
    layout = _layout(text)
    return bool(layout.tables) or any(
        (block.type == "heading" and block.markup.startswith("#"))
        or block.type == "fence"
        or (block.type.endswith("_list") and len(block.children) > 1)
        for block in layout.blocks
    )


def _layout(text: str) -> _Layout:
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - loading markdown-it takes 0.2 s

    front = read_front_matter(text).end
    tokens, lines = parse_blocks(text, front)
    sections = cut_sections(text, 0, find_headings(tokens, lines))
    tree = SyntaxTreeNode(tokens)
    tables = []
    for node in tree.walk(include_self=False):
        if node.type == "table" and node.map and len(node.children) > 1:
            first, last = node.map
            tables.append(_Table(lines[first], lines[first + 2], lines[last]))
    starts = [0, *(start for start, _, _ in sections[1:])]
    return _Layout(tree.children, lines, front, starts, [path for _, _, path in sections] or [""], tables)


def _notes(text: str, spans: Sequence[Span], layout: _Layout) -> list[dict[str, Any]]:
    notes = []
    table_starts = [table.start for table in layout.tables]
    for start, end in spans:
        content = next(at for at in range(start, end) if text[at].isalnum())  # marks before it may be a neighbour's
        path = layout.paths[bisect_right(layout.starts, content) - 1]
        note: dict[str, Any] = {"headings": path} if path else {}
        at = bisect_right(table_starts, start) - 1
        if at >= 0:
            table = layout.tables[at]
            if table.start < start < table.end and end > table.rows:
                note["table_header"] = text[table.start : table.rows].rstrip()
        notes.append(note)
    return notes


def _start(block: "SyntaxTreeNode", layout: _Layout) -> int:
    return layout.lines[block.map[0]] if block.map else layout.lines[-1]


def _spans_between(start: int, end: int, cuts: Iterable[int]) -> Iterator[Span]:
    for cut in cuts:
        if start < cut < end:
            yield start, cut
            start = cut
    yield start, end
