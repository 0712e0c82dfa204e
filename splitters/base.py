"""What all splitters share: chunks are spans of the text, never copies that were stripped or joined."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters.base import TextSplitter

from youju.errors import SettingsError
from youju.loaders.places import page_location
from youju.settings import check_overlap
from youju.text import CLOSING, has_content

Span = tuple[int, int]
"""Start and end of a chunk in its text, in characters."""


class SpanSplitter(TextSplitter):
    """A LangChain text splitter whose chunks are exact substrings of the text.

    A subclass finds the spans; this class makes texts and documents of them. What holds for every subclass: chunks
    have at most `chunk_size` characters (of `token`, tokens); together they cover all text that is not blank; none is
    blank or only punctuation, none begins with a closing mark; and the same text always gives the same chunks. Only
    marks that no chunk could hold together with content are left out, or opened with (see `tidy`).
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
        on to another page at `page_break`, up to `page_return` if it comes back, each chunk names the pages that it
        stands on itself.
        """
        chunks = []
        for document in documents:
            text = document.page_content
            spans = self.spans(text)
            for (start, end), notes in zip(spans, self.notes(text, spans), strict=True):
                metadata = {**chunk_metadata(document.metadata, start, end), **notes}
                chunks.append(Document(page_content=text[start:end], metadata=metadata))
        return chunks

    def parents(self, documents: Sequence[Document]) -> list[Document]:  # noqa: ARG002 - for subclasses
        """The larger blocks that chunks name by `parent_id`; none, unless the splitter makes some."""
        return []

    def transform_documents(self, documents: Sequence[Document], **_: Any) -> Sequence[Document]:
        """Split documents; LangChain's name for `split_documents`."""
        return self.split_documents(documents)


def chunk_metadata(metadata: Mapping[str, Any], start: int, end: int) -> dict[str, Any]:
    """The metadata of a chunk of a document, from the document's own and the chunk's place in its text."""
    offset = int(metadata.get("start", 0))
    out = {**metadata, "start": offset + start, "end": offset + end}
    out.pop("running", None)  # of the page, not of the chunk
    at = out.pop("page_break", None)
    back = out.pop("page_return", float("inf"))
    if at is not None:
        first, last = metadata["page"], metadata["page_end"]
        page = last if start >= at and end <= back else first
        page_end = first if end <= at or start >= back else last
        label = out.pop("page_label", None)
        if page == first and label is not None:
            out["page_label"] = label
        else:
            label = None
        out |= {"page": page, "page_end": page_end}
        if page != page_end:
            out["page_break"] = at - start
            if back < end:
                out["page_return"] = back - start
        out["location"] = page_location(str(metadata.get("source", "")), page, page_end, label)
    return out


def tidy(text: str, spans: Iterable[Span], size: int, measure: Callable[[str], int] = len) -> list[Span]:
    """Trim blanks off spans, let none stand that says nothing, and none begin with a closing mark.

    Marks without a letter, digit or Han character join the span before them where that fits, else the last word of that
    span leaves it and goes with them. At the beginning of a text they join what follows in the same way. Marks are left
    out, or opened with, only where no span of this size could hold them together with content. Indentation of a first
    line is kept: code lives by it.

    Args:
        text: The text.
        spans: Spans in order, each with its start behind that of the one before; they may overlap.
        size: The most that a span may hold, as each of them does already.
        measure: What the size counts.
    """
    out: list[Span] = []
    pending: int | None = None  # where marks begin that nothing stands before
    full: Span | None = None  # the span that could not take marks; it takes no more of them either
    for raw_start, raw_end in spans:
        start, end = _trim(text, raw_start, raw_end)
        marks_end = _opening_marks_end(text, start, end)
        if marks_end > start:
            if out and out[-1] != full and _give(text, out, marks_end, size, measure):
                start, end = _trim(text, marks_end, end)
            elif marks_end == end:
                full = out[-1] if out else None
                pending = start if pending is None else pending
                continue
        if start >= end:
            continue
        if pending is not None:
            start = _take(text, out, (pending, start, end), size, measure)
            pending = None
        if out and start <= out[-1][0]:  # the blanks between two starts were trimmed away
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        elif not out or end > out[-1][1]:
            out.append((start, end))
    return out


def _opening_marks_end(text: str, start: int, end: int) -> int:
    """Where the closing marks end that a span begins with; its own end if it says nothing at all."""
    if start < end and text[start].isalnum():
        return start
    at = last = start
    while at < end and (text[at] in CLOSING or text[at].isspace()):
        at += 1
        if not text[at - 1].isspace():
            last = at
    return last if has_content(text[at:end]) else end


def _take(text: str, out: list[Span], place: tuple[int, int, int], size: int, measure: Callable[[str], int]) -> int:
    """Where a span begins that has marks before it: at them, or behind its first word, which then goes with them."""
    marks, start, end = place
    if measure(text[marks:end]) <= size:
        return marks
    letter = start
    while not text[letter].isalnum():
        letter += 1
    word = letter = letter + 1
    while word < end and text[word].isascii() and text[word].isalnum() and text[word - 1].isascii():
        word += 1
    for at in (word, letter):
        closed = at
        while closed < end and (text[closed] in CLOSING or text[closed].isspace()):
            closed += 1
        solid = marks + len(text[marks:closed].rstrip())
        if has_content(text[closed:end]) and measure(text[marks:solid]) <= size:
            out.append((marks, solid))
            return _trim(text, solid, end)[0]
    return start


def _give(text: str, out: list[Span], end: int, size: int, measure: Callable[[str], int]) -> bool:
    """Let the last span reach to `end`, whole or, where it is too full, by its last word alone."""
    start, last_end = out[-1]
    if end <= last_end:
        return True
    if measure(text[start:end]) <= size:
        out[-1] = (start, end)
        return True
    letter = last_end - 1
    while not text[letter].isalnum():
        letter -= 1
    word = letter
    while word > start and text[word].isalnum() and text[word - 1].isalnum() and text[word].isascii():
        word -= 1
    for at in (word, letter):
        if has_content(text[start:at]) and measure(text[at:end]) <= size:
            kept = _trim(text, start, at)
            if len(out) > 1 and kept[1] <= out[-2][1]:
                out[-1] = (at, end)
            else:
                out[-1:] = [kept, (at, end)]
            return True
    return False


def _trim(text: str, start: int, end: int) -> Span:
    """A span without the blanks around it, but for the indentation of its first line."""
    while end > start and text[end - 1].isspace():
        end -= 1
    at = start
    while at < end and text[at].isspace():
        at += 1
    line = max(text.rfind("\n", start, at), text.rfind("\u3000", start, at)) + 1
    if line == 0 and start > 0 and text[start - 1] != "\n":  # inside a line
        return at, end
    return max(start, line), end
