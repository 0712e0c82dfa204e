"""Keyword search."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from langchain_core.documents import Document
from pydantic import SkipValidation

from youju.analyzer import Analyzer
from youju.errors import SettingsError
from youju.knowledge import KeywordIndex, check_filter, selecting
from youju.retrievers.base import Leg
from youju.retrievers.documents import key_of, with_metadata
from youju.retrievers.sources import SupportsKeywordSearch, as_documents
from youju.settings import KeywordSettings


class BM25Retriever(Leg):
    """Ranks documents by the words they share with the question, with BM25.

    Only documents that share a word are returned, so there may be fewer than `k`, or none. `score` is the BM25 score:
    0 or larger, larger is nearer, comparable within one question only.

    Example:
        >>> retriever = BM25Retriever.from_texts(["年假为十天", "病假需医院证明"])
        >>> [document.page_content for document in retriever.invoke("年假几天？")]
        ['年假为十天']
    """

    source: SkipValidation[SupportsKeywordSearch]
    """What is searched: a `KnowledgeBase`, or the documents given to `from_documents`."""
    name: str | None = "bm25"
    lowest: ClassVar[float | None] = 0.0

    @classmethod
    def from_documents(
        cls, documents: Iterable[Document], *, keywords: KeywordSettings | None = None, **options: Any
    ) -> Self:
        """Search documents that are in memory; `options` are those of the class."""
        return cls(source=_Documents(list(documents), keywords or KeywordSettings()), **options)

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], metadatas: Sequence[dict[str, Any]] | None = None, **options: Any
    ) -> Self:
        """Search texts that are in memory; `options` are those of the class."""
        return cls.from_documents(as_documents(texts, metadatas), **options)

    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The documents that share words with the question."""
        return self.source.keyword_search(query, k=limit, filter=conditions)


class _Documents:
    """Documents in memory, with a keyword index."""

    def __init__(self, documents: list[Document], keywords: KeywordSettings) -> None:
        self._documents: dict[str, Document] = {}
        for document in documents:
            if self._documents.setdefault(key_of(document), document) != document:
                raise SettingsError(f"两份不同的资料有同一个 id：{document.id}")
        self._tokens = Analyzer(keywords).tokens
        cut = [self._tokens(document.page_content) for document in self._documents.values()]
        self._index = KeywordIndex.build(list(self._documents), cut, keywords)

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        fulfil = selecting(conditions)
        return [document for document in self._documents.values() if fulfil(document.metadata)]

    def keyword_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        check_filter(filter)
        allowed = None
        if filter:
            fulfil = selecting(filter)
            allowed = [key for key, document in self._documents.items() if fulfil(document.metadata)]
        hits = self._index.search(self._tokens(query), k, allowed)
        return [with_metadata(self._documents[key], score=score) for key, score in hits]
