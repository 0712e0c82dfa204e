"""Retrievers around another one."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import RetrieverLike
from langchain_core.runnables.config import ensure_config
from langchain_core.runnables.utils import ConfigurableFieldSpec, get_unique_config_specs

from youju.errors import SettingsError
from youju.knowledge import selecting
from youju.retrievers.base import Adjustable, check_question, takes
from youju.retrievers.configured import both, bound_filter, call_of, handing_down
from youju.retrievers.notes import best, drop, noting

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig


class Plan(NamedTuple):
    """What a transformer asks of the retriever that it wraps, beside what its caller says."""

    query: str
    """The question."""
    conditions: dict[str, Any] | None = None
    """A filter that holds besides the caller's."""


class Transformer(Adjustable):
    """A retriever that changes what another one finds.

    `k` and `filter` are handed down, so that no step returns what the caller's filter forbids; a wrapped retriever that
    cannot filter is refused once there is a filter. The wrapped retriever's runs carry this one's name as a tag.

    A subclass overrides `plan`, which says what is asked, or `changed`, which works on what was found, and their
    awaited forms where it awaits something.
    """

    sets_score: ClassVar[bool] = False
    """Whether documents get a new `score`."""
    retriever: RetrieverLike
    """The retriever whose documents are worked on; also one with configurable fields, or any runnable."""

    @property
    def config_specs(self) -> list[ConfigurableFieldSpec]:
        """The configurable fields of the wrapped retriever."""
        return get_unique_config_specs(self.retriever.config_specs)

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
        with noting(self, run_manager, limit, conditions) as notes:
            plan = self.plan(query, conditions, run_manager)
            notes.adds = plan.conditions
            config: RunnableConfig = {"callbacks": run_manager.get_child(tag=self.get_name())}
            options = self.options_below(self.depth(limit), conditions, plan)
            found = self.allowed(self.retriever.invoke(plan.query, config, **options), plan)
            with handing_down({**call_of(ensure_config()), **config}):
                return self.changed(query, found, limit)

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
        with noting(self, run_manager, limit, conditions) as notes:
            plan = await self.aplan(query, conditions, run_manager)
            notes.adds = plan.conditions
            config: RunnableConfig = {"callbacks": run_manager.get_child(tag=self.get_name())}
            options = self.options_below(self.depth(limit), conditions, plan)
            found = self.allowed(await self.retriever.ainvoke(plan.query, config, **options), plan)
            with handing_down({**call_of(ensure_config()), **config}):
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
        return best(documents, limit)

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
            wanted = both(both(conditions, plan.conditions), bound_filter(self.retriever))
            return options if wanted is None else {**options, "filter": wanted}
        if conditions is not None:
            raise SettingsError(f"检索器 {self.retriever.get_name()} 不支持过滤条件，结果里会混进不该出现的资料")
        return options

    def allowed(self, documents: list[Document], plan: Plan) -> list[Document]:
        """What fulfils the plan's conditions, where the wrapped retriever could not be told them."""
        if plan.conditions is None or takes(self.retriever, "filter"):
            return documents
        kept = []
        fulfil = selecting(plan.conditions)
        for document in documents:
            if fulfil(document.metadata):
                kept.append(document)
            else:
                drop(document, "filter", "不符合这一步加上的条件")
        return kept
