"""What all splitters share: chunks are spans of the text, never copies that were stripped or joined."""

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters.base import TextSplitter

from youju.errors import SettingsError
from youju.loaders.places import page_location
from youju.settings import check_overlap
from youju.text import has_content

Span = tuple[int, int]
"""Start and end of a chunk in its text, in characters."""


class SpanSplitter(TextSplitter):
    """A LangChain text splitter whose chunks are exact substrings of the text.

    A subclass finds the spans; this class makes texts and documents of them. What holds for every subclass: chunks
    have at most `chunk_size` characters, together they cover all text that is not blank, none is blank or only
    punctuation, and the same text always gives the same chunks.
    """

    def __init__(self, *, chunk_size: int = 400, chunk_overlap: int = 50) -> None:
        """Check the sizes, in characters.

        Raises:
            SettingsError: The sizes leave no way forward.
        """
        try:
            check_overlap(chunk_size, chunk_overlap)
        except ValueError as error:
            raise SettingsError(str(error)) from None
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap, add_start_index=False)
        self.chunk_size = chunk_size
        self.chunk_overlap = chunk_overlap

    @abstractmethod
    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text as spans, in order."""

    def split_text(self, text: str) -> list[str]:
        """Split a text into chunks."""
        return [text[start:end] for start, end in self.spans(text)]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """Split texts into documents that carry the metadata of their text and their position in it."""
        metadatas = metadatas or [{} for _ in texts]
        pairs = zip(texts, metadatas, strict=True)
        return self.split_documents([Document(page_content=text, metadata=metadata) for text, metadata in pairs])

    def notes(self, text: str, spans: Sequence[Span]) -> list[dict[str, Any]]:  # noqa: ARG002 - for subclasses
        """Say more of each chunk, as metadata; a subclass that knows structure names it here."""
        return [{} for _ in spans]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents into chunks.

        Each chunk keeps its document's metadata; `start` and `end` are its place in the text that the document's own
        `start` counts from (the page, or the file), so that `text[start:end] == page_content`. Of a document that runs
        on to another page at `page_break`, each chunk names the pages that it stands on itself.
        """
        chunks = []
        for document in documents:
            text = document.page_content
            spans = self.spans(text)
            for (start, end), notes in zip(spans, self.notes(text, spans), strict=True):
                metadata = {**chunk_metadata(document.metadata, start, end), **notes}
                chunks.append(Document(page_content=text[start:end], metadata=metadata))
        return chunks

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """Split documents; LangChain's name for `split_documents`."""
        return self.split_documents(documents)


def chunk_metadata(metadata: Mapping[str, Any], start: int, end: int) -> dict[str, Any]:
    """The metadata of a chunk of a document, from the document's own and the chunk's place in its text."""
    offset = int(metadata.get("start", 0))
    out = {**metadata, "start": offset + start, "end": offset + end}
    at = out.pop("page_break", None)
    if at is not None:
        first, last = metadata["page"], metadata["page_end"]
        page, page_end = (last if start >= at else first), (first if end <= at else last)
        label = out.pop("page_label", None)
        if page == first and label is not None:
            out["page_label"] = label
        else:
            label = None
        out |= {"page": page, "page_end": page_end}
        out["location"] = page_location(str(metadata.get("source", "")), page, page_end, label)
    return out


def tidy(text: str, spans: Iterable[Span], size: int) -> list[Span]:
    """Trim blanks off spans, and let none stand that says nothing.

    A span without a letter, digit or Han character joins the one before it where that fits, else the one after it, and
    is left out where it fits neither. Indentation of a first line is kept: code lives by it.
    """
    out: list[Span] = []
    pending: int | None = None
    for raw_start, raw_end in spans:
        start, end = _trim(text, raw_start, raw_end)
        if start >= end:
            continue
        if not has_content(text[start:end]):
            if out and end - out[-1][0] <= size:
                out[-1] = (out[-1][0], end)
            elif pending is None:
                pending = start
            continue
        if pending is not None and pending < start and end - pending <= size:
            start = pending
        pending = None
        if out and start == out[-1][0]:  # the blanks between two starts were trimmed away
            out[-1] = (start, end)
        else:
            out.append((start, end))
    return out


def _trim(text: str, start: int, end: int) -> Span:
    while end > start and text[end - 1].isspace():
        end -= 1
    line = start
    while line < end and text[line].isspace():
        if text[line] in "\n\u3000":
            start = line + 1
        line += 1
    return start, end
