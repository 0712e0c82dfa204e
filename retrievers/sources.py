"""What retrievers search: anything that can be searched by words or by meaning, or that lists its documents."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju.knowledge.filters import selecting


class SupportsKeywordSearch(Protocol):
    """Something that can be searched by words; a `KnowledgeBase` can."""

    def keyword_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find documents, best first, each with a `score` in its metadata."""


class SupportsVectorSearch(Protocol):
    """Something that can be searched by meaning; a `KnowledgeBase` can."""

    def vector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find documents, nearest first, each with a `score` in its metadata."""

    async def avector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """`vector_search` for asynchronous callers."""


class SupportsNearest(Protocol):
    """Something that can be searched with a passage's vector; a `KnowledgeBase` can."""

    @property
    def embeddings(self) -> Embeddings:
        """The model that turned its passages into vectors."""

    def nearest(
        self,
        vector: Sequence[float],
        *,
        k: int,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        """The documents nearest to a vector, each with a `score` in its metadata."""


class SupportsDocuments(Protocol):
    """Something that lists its documents; a `KnowledgeBase` does."""

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """All documents that fulfil a filter."""

    def version(self) -> Any:
        """Something that differs after every change."""


@runtime_checkable
class SupportsCombinations(Protocol):
    """Something that lists its documents' metadata without their texts; a `KnowledgeBase` does."""

    def combinations(self, fields: Sequence[str], conditions: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """What values of some fields occur together, among the documents that fulfil a filter."""


class DocumentList:
    """Documents that are in memory, as `SupportsDocuments`."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """Those that fulfil a filter."""
        fulfil = selecting(conditions)
        return [document for document in self._documents if fulfil(document.metadata)]

    def version(self) -> int:
        """Always the same: they do not change."""
        return 0


def as_documents(texts: Iterable[str], metadatas: Sequence[dict[str, Any]] | None) -> list[Document]:
    """Documents of texts and, where there are some, their metadata."""
    texts = list(texts)
    pairs = zip(texts, metadatas or [{} for _ in texts], strict=True)
    return [Document(page_content=text, metadata=data) for text, data in pairs]
