"""What the retrievers of this package share: `k` and `filter` at every call, scores and ranks on every document."""

import hashlib
import inspect
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple, Protocol

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig, run_in_executor
from pydantic import Field

from youju.errors import QuestionError, SettingsError
from youju.knowledge.filters import check_filter, matches
from youju.settings import MetadataFilter
from youju.text import has_content

DEFAULT_K = 5
LONGEST_QUESTION = 2000
"""Most characters of a question."""
_SET_BY_RETRIEVERS = ("score", "ranks", "rerank_score", "retrieval_score", "similarity", "kept", "self_query")


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


class Plan(NamedTuple):
    """What a transformer asks of the retriever that it wraps, beside what its caller says."""

    query: str
    """The question."""
    conditions: dict[str, Any] | None = None
    """A filter that holds besides the caller's."""


class Transformer(Leg):
    """A retriever that changes what another one finds.

    `k` and `filter` are handed down, so that no step returns what the caller's filter forbids; a wrapped retriever that
    cannot filter is refused once there is a filter. The wrapped retriever's runs carry this one's name as a tag.

    A subclass overrides `plan`, which says what is asked, or `changed`, which works on what was found, and their
    awaited forms where it awaits something.
    """

    sets_score: ClassVar[bool] = False
    """Whether documents get a new `score`."""
    retriever: BaseRetriever
    """The retriever whose documents are worked on."""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        check_question(query)
        limit, conditions = self.limit(k), self.conditions(filter)
        plan = self.plan(query, conditions, run_manager)
        config: RunnableConfig = {"callbacks": run_manager.get_child(tag=self.get_name())}
        options = self.options_below(self.depth(limit), conditions, plan)
        return self.changed(query, self.allowed(self.retriever.invoke(plan.query, config, **options), plan), limit)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        check_question(query)
        limit, conditions = self.limit(k), self.conditions(filter)
        plan = await self.aplan(query, conditions, run_manager)
        config: RunnableConfig = {"callbacks": run_manager.get_child(tag=self.get_name())}
        options = self.options_below(self.depth(limit), conditions, plan)
        found = self.allowed(await self.retriever.ainvoke(plan.query, config, **options), plan)
        return await self.achanged(query, found, limit)

    def plan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,  # noqa: ARG002 - for those who override it
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - as above
    ) -> Plan:
        """What is asked of the wrapped retriever."""
        return Plan(query)

    async def aplan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,  # noqa: ARG002 - as above
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - as above
    ) -> Plan:
        """`plan` for asynchronous callers."""
        return Plan(query)

    def depth(self, limit: int) -> int:
        """How many documents are asked of the wrapped retriever when `limit` are wanted."""
        return limit

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:  # noqa: ARG002 - for those who override it
        """What becomes of the documents found."""
        return documents[:limit]

    async def achanged(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """`changed` for asynchronous callers."""
        return self.changed(query, documents, limit)

    def options_below(self, k: int, conditions: Mapping[str, Any] | None, plan: Plan) -> dict[str, Any]:
        """The options of a call of the wrapped retriever.

        Raises:
            SettingsError: The caller set a filter, and the wrapped retriever does not know how to filter.
        """
        options: dict[str, Any] = {"k": k} if takes(self.retriever, "k") else {}
        if takes(self.retriever, "filter"):
            wanted = both(conditions, plan.conditions)
            return options if wanted is None else {**options, "filter": wanted}
        if conditions is not None:
            raise SettingsError(f"检索器 {self.retriever.get_name()} 不支持过滤条件，结果里会混进不该出现的资料")
        return options

    def allowed(self, documents: list[Document], plan: Plan) -> list[Document]:
        """What fulfils the plan's conditions, where the wrapped retriever could not be told them."""
        if plan.conditions is None or takes(self.retriever, "filter"):
            return documents
        return [document for document in documents if matches(document.metadata, plan.conditions)]


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


class DocumentList:
    """Documents that are in memory, as `SupportsDocuments`."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """Those that fulfil a filter."""
        return [document for document in self._documents if matches(document.metadata, conditions)]

    def version(self) -> int:
        """Always the same: they do not change."""
        return 0


def as_documents(texts: Iterable[str], metadatas: Sequence[dict[str, Any]] | None) -> list[Document]:
    """Documents of texts and, where there are some, their metadata."""
    texts = list(texts)
    pairs = zip(texts, metadatas or [{} for _ in texts], strict=True)
    return [Document(page_content=text, metadata=data) for text, data in pairs]


def with_metadata(document: Document, **values: Any) -> Document:
    """A copy of a document with other values in its metadata."""
    return Document(id=document.id, page_content=document.page_content, metadata={**document.metadata, **values})


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
