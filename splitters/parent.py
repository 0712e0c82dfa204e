"""The parent splitter: small chunks to search, and the larger block around each to answer from."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.documents import Document

from youju.errors import SettingsError
from youju.splitters.base import Span, SpanSplitter, chunk_metadata
from youju.splitters.recursive import RecursiveSplitter


class ParentSplitter(SpanSplitter):
    """Splits as `RecursiveSplitter` does, twice: into blocks, and each block into the chunks that are searched.

    A chunk's metadata names its block by `parent_id`; `parents` gives the blocks, whose `id` that is. A small chunk is
    about one thing, and so is found by it; its block holds what is needed around it.

    Example:
        >>> splitter = ParentSplitter(chunk_size=8, chunk_overlap=0, parent_size=16)
        >>> page = Document(page_content="甲方付款。乙方发货。丙方验收。丁方存档。")
        >>> [block.page_content for block in splitter.parents([page])]
        ['甲方付款。乙方发货。丙方验收。', '丁方存档。']
        >>> [chunk.page_content for chunk in splitter.split_documents([page])]
        ['甲方付款。', '乙方发货。', '丙方验收。', '丁方存档。']
    """

    def __init__(self, *, chunk_size: int = 150, chunk_overlap: int = 0, parent_size: int = 800) -> None:
        """Check the sizes, in characters.

        Raises:
            SettingsError: The sizes leave no way forward, or a block would be smaller than its chunks.
        """
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        if parent_size < chunk_size:
            raise SettingsError(f"parent_size（{parent_size}）不能小于 chunk_size（{chunk_size}）")
        self.parent_size = parent_size
        self._blocks = RecursiveSplitter(chunk_size=parent_size, chunk_overlap=0)
        self._chunks = RecursiveSplitter(chunk_size=chunk_size, chunk_overlap=chunk_overlap)

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; none crosses the edge of a block."""
        return [
            (block + start, block + end)
            for block, block_end in self._blocks.spans(text)
            for start, end in self._chunks.spans(text[block:block_end])
        ]

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """Split documents into chunks that name their block; otherwise as `SpanSplitter.split_documents`."""
        chunks = []
        for document in documents:
            for start, end in self._blocks.spans(document.page_content):
                parent_id = self._block(document, start, end).id
                for left, right in self._chunks.spans(document.page_content[start:end]):
                    metadata = chunk_metadata(document.metadata, start + left, start + right)
                    text = document.page_content[start + left : start + right]
                    chunks.append(Document(page_content=text, metadata={**metadata, "parent_id": parent_id}))
        return chunks

    def parents(self, documents: Sequence[Document]) -> list[Document]:
        """The blocks of documents, in order, each with its place in the metadata and the id that its chunks name."""
        return [
            self._block(document, start, end)
            for document in documents
            for start, end in self._blocks.spans(document.page_content)
        ]

    def _block(self, document: Document, start: int, end: int) -> Document:
        metadata = chunk_metadata(document.metadata, start, end)
        text = document.page_content[start:end]
        return Document(id=_block_id(metadata, text), page_content=text, metadata=metadata)


def _block_id(metadata: dict[str, Any], text: str) -> str:
    """An id that is the same on every run, and differs between equal texts in different places."""
    place = f"{metadata.get('source', '')}\0{metadata.get('location', '')}\0{metadata['start']}\0{text}"
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:32]
