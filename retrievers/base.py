"""What the retrievers of this package share: `k` and `filter` at every call, scores and ranks on every document."""

import inspect
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, cast

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, RunnableSerializable, run_in_executor
from langchain_core.runnables.config import ensure_config
from langchain_core.runnables.utils import AnyConfigurableField
from pydantic import Field

from youju.errors import QuestionError, SettingsError
from youju.retrievers.configured import (
    BoundRetriever,
    ConfiguredRetriever,
    answering,
    both,
    call_of,
    check_k,
    handing_down,
    with_filter,
)
from youju.retrievers.documents import ranked
from youju.retrievers.notes import kind_of, noting
from youju.settings import MetadataFilter
from youju.text import has_content

DEFAULT_K = 5
LONGEST_QUESTION = 2000
"""Most characters of a question."""


class Adjustable(BaseRetriever):
    """A retriever whose `k` and `filter` may be given at each call, and whose fields may be made configurable."""

    k: int = Field(default=DEFAULT_K, ge=1)
    """Most documents returned."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this are returned, whatever a call adds."""

    def configurable_fields(self, **kwargs: AnyConfigurableField) -> RunnableSerializable[str, list[Document]]:
        """Let calls set fields, `k`, `filter` or `weights` for example, by `config={"configurable": {id: value}}`.

        A field that is not named here cannot be set. A `filter` set so holds besides the retriever's own.

        Raises:
            SettingsError: The retriever has no such field; on use: a value cannot be.
        """
        unknown = [name for name in kwargs if name not in type(self).model_fields]
        if unknown:
            known = "、".join(type(self).model_fields)
            raise SettingsError(f"{type(self).__name__} 没有 {'、'.join(unknown)} 这个选项；有：{known}")
        return ConfiguredRetriever(default=self, fields=kwargs, name=self.get_name())

    def bind(self, **kwargs: Any) -> Runnable[str, list[Document]]:
        """Fix options of the calls to come; a `filter` holds besides the retriever's own and those of the calls."""
        narrowed, rest = with_filter(self, kwargs)
        return BoundRetriever(bound=narrowed, kwargs=rest)

    def with_config(self, config: RunnableConfig | None = None, **kwargs: Any) -> Runnable[str, list[Document]]:
        """Fix the configuration of the calls to come."""
        return BoundRetriever(bound=self, config=cast("RunnableConfig", {**(config or {}), **kwargs}))

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find documents; `k` and `filter` may be given for this call."""
        config = ensure_config(config)
        with handing_down(call_of(config)):
            return super().invoke(input, config, **kwargs)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002 - LangChain's name
        """`invoke` for asynchronous callers."""
        config = ensure_config(config)
        with handing_down(call_of(config)):
            return await super().ainvoke(input, config, **kwargs)

    def limit(self, k: int | None) -> int:
        """The most documents of one call.

        Raises:
            SettingsError: `k` is not a positive whole number.
        """
        return self.k if k is None else check_k(k)

    def conditions(self, call: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """The retriever's own filter and the call's: both must hold."""
        return both(self.filter, call)


class Leg(Adjustable):
    """A retriever that ranks the documents of one source; `name` is its name in `ranks`."""

    lowest: ClassVar[float | None] = None
    """The score of documents that are not found, if it is known."""

    @abstractmethod
    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The best documents that fulfil the conditions, best first, each with a `score`."""

    async def afind(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """`find` for asynchronous callers: in a thread."""
        return await run_in_executor(None, self.find, query, limit, conditions)

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
        with noting(self, run_manager, limit, conditions):
            return ranked(self.find(query, limit, conditions), self.name or kind_of(self))

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
        with noting(self, run_manager, limit, conditions):
            return ranked(await self.afind(query, limit, conditions), self.name or kind_of(self))


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


def takes(retriever: Any, option: str, config: RunnableConfig | None = None) -> bool:
    """Whether calls take an option such as `k` or `filter`, whichever alternative or fallback answers them.

    LangChain drops others without a word.
    """
    searches = [getattr(one, "_get_relevant_documents", None) for one in answering(retriever, config)]
    return all(search is not None and option in inspect.signature(search).parameters for search in searches)
