"""What the retrievers of this package share: `k` and `filter` at every call, scores and ranks on every document."""

import hashlib
import inspect
import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import run_in_executor
from pydantic import Field

from youju.errors import QuestionError, SettingsError
from youju.knowledge.filters import check_filter
from youju.settings import MetadataFilter
from youju.text import has_content

DEFAULT_K = 5
LONGEST_QUESTION = 2000
"""Most characters of a question."""
_SET_BY_RETRIEVERS = ("score", "ranks")


class Leg(BaseRetriever):
    """A retriever that ranks the documents of one source; `name` is its name in `ranks`."""

    k: int = Field(default=DEFAULT_K, ge=1)
    """Most documents returned."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this are returned, whatever a call adds."""

    def limit(self, k: int | None) -> int:
        """The most documents of one call.

        Raises:
            SettingsError: `k` is not a positive whole number.
        """
        if k is None:
            return self.k
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise SettingsError(f"k 必须是大于 0 的整数，不能是 {k!r}")
        return k

    def conditions(self, call: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """The retriever's own filter and the call's: both must hold."""
        return both(self.filter, call)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        """Search in a thread; LangChain's own version takes no `k` and no `filter`."""
        options: dict[str, Any] = {"run_manager": run_manager.get_sync(), "k": k, "filter": filter}
        search = partial(self._get_relevant_documents, **options)
        return await run_in_executor(None, search, query)


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


class SupportsDocuments(Protocol):
    """Something that lists its documents; a `KnowledgeBase` does."""

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """All documents that fulfil a filter."""

    def version(self) -> Any:
        """Something that differs after every change."""


def both(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A filter that holds where both hold.

    Raises:
        SettingsError: One of them has no meaning.
    """
    check_filter(one)
    check_filter(other)
    if one and other:
        return {"$and": [dict(one), dict(other)]}
    return dict(one or other or {}) or None


def check_question(query: Any) -> None:
    """Refuse what is no question: something else than text, or more of it than anyone asks.

    Raises:
        QuestionError: It is no text, or longer than `LONGEST_QUESTION` characters.
    """
    if not isinstance(query, str):
        raise QuestionError(f"问题要是一段文字，不能是 {type(query).__name__}")
    if len(query) > LONGEST_QUESTION:
        raise QuestionError(f"问题有 {len(query)} 个字，最多 {LONGEST_QUESTION} 个字：请把问题写短，资料请先导入知识库")


def require_question(query: Any) -> None:
    """Refuse a question that `check_question` refuses, or in which there is nothing to search for.

    Raises:
        QuestionError: It is no text, too long, empty, blank or only punctuation.
    """
    check_question(query)
    if not has_content(query):
        raise QuestionError("问题是空的：请写出要问的内容")


def ranked(documents: Sequence[Document], leg: str) -> list[Document]:
    """Note each document's rank, from 1, under the name of the leg that ranked it."""
    for rank, document in enumerate(documents, start=1):
        document.metadata["ranks"] = {leg: rank}
    return list(documents)


def key_of(document: Document) -> str:
    """What tells two documents apart: the id, or for documents without one their text and metadata."""
    if document.id is not None:
        return document.id
    metadata = {key: value for key, value in document.metadata.items() if key not in _SET_BY_RETRIEVERS}
    content = json.dumps([document.page_content, metadata], sort_keys=True, default=str, ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def takes(retriever: Any, option: str) -> bool:
    """Whether a retriever's calls take an option such as `k` or `filter`; LangChain drops others without a word."""
    search = getattr(retriever, "_get_relevant_documents", None)
    return search is not None and option in inspect.signature(search).parameters
