"""The automatic splitter: the structure that a document has decides how it is cut."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from langchain_core.documents import Document

from youju.splitters.articles import count_articles
from youju.splitters.base import Span, SpanSplitter
from youju.splitters.markdown import MarkdownSplitter, has_structure
from youju.splitters.recursive import RecursiveSplitter
from youju.splitters.statute import StatuteSplitter

_LEAST_ARTICLES = 3
_MARKDOWN = (".md", ".markdown")


class AutoSplitter(SpanSplitter):
    r"""Splits as `StatuteSplitter`, `MarkdownSplitter` or `RecursiveSplitter` would, whichever a document calls for.

    Statute: the file has at least three articles 第N条 in ascending order; its pages from the first article on, or its
    sections with one. Markdown: the file is a `.md`, or the text has headings, code, tables or lists. Else recursive.

    Example:
        >>> AutoSplitter(chunk_size=30, chunk_overlap=0).split_text("第一条 甲。\n第二条 乙。\n第三条 丙。")
        ['第一条 甲。', '第二条 乙。', '第三条 丙。']
    """

    def __init__(self, *, chunk_size: int = 400, chunk_overlap: int = 50) -> None:
        """Check the sizes, in characters.

        Raises:
            SettingsError: The sizes leave no way forward.
        """
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        self._statute = StatuteSplitter(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        self._markdown = MarkdownSplitter(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        self._recursive = RecursiveSplitter(chunk_size=chunk_size, chunk_overlap=chunk_overlap)

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        return self._choose([Document(page_content=text)])[0].spans(text)

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents, each in its own way; those of one file are looked at together."""
        chunks = []
        for file in _files(documents):
            for chosen, pairs in groupby(zip(self._choose(file), file, strict=True), lambda pair: pair[0]):
                chunks += chosen.split_documents([document for _, document in pairs])
        return chunks

    def _choose(self, documents: Sequence[Document]) -> list[SpanSplitter]:
        """The splitter for each document of a file."""
        counts = count_articles(document.page_content for document in documents)
        is_statute = sum(counts) >= _LEAST_ARTICLES
        chosen: list[SpanSplitter] = []
        for document, count in zip(documents, counts, strict=True):
            runs_on = "page" in document.metadata and self._statute in chosen[-1:]
            if is_statute and (count or runs_on):
                chosen.append(self._statute)
            elif str(document.metadata.get("source", "")).lower().endswith(_MARKDOWN):
                chosen.append(self._markdown)
            else:
                chosen.append(self._markdown if has_structure(document.page_content) else self._recursive)
        return chosen


def _files(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Documents of one source that follow each other; a document without a source stands alone."""
    for source, group in groupby(documents, lambda document: document.metadata.get("source")):
        if source is None:
            yield from ([document] for document in group)
        else:
            yield list(group)
