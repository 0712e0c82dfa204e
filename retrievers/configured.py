"""Options that a call may change: LangChain's configurable fields, with the checks of this package."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import ConfigurableField, Runnable, RunnableConfig, RunnableWithFallbacks
from langchain_core.runnables.base import RunnableBinding, RunnableBindingBase
from langchain_core.runnables.config import ensure_config, var_child_runnable_config
from langchain_core.runnables.configurable import (
    DynamicRunnable,
    RunnableConfigurableAlternatives,
    RunnableConfigurableFields,
)
from pydantic import ValidationError

from youju.errors import SettingsError
from youju.knowledge.filters import check_filter
from youju.settings_loading import problem_text

_MOST = 2**31 - 1  # what vector stores take
_HANDED_DOWN = ("configurable", "max_concurrency")


class ConfiguredRetriever(RunnableConfigurableFields[str, list[Document]]):
    """A retriever some of whose fields a call may set.

    Unlike LangChain's own, it keeps what the retriever has worked out already, names a bad value in words, and lets a
    `filter` only narrow the one that the retriever was made with.
    """

    def bind(self, **kwargs: Any) -> Runnable[str, list[Document]]:
        """Fix options of the calls to come; a `filter` holds besides the retriever's own and those of the calls."""
        default, rest = with_filter(self.default, kwargs)
        narrowed = self if default is self.default else type(self)(**{**self.__dict__, "default": default})
        return BoundRetriever(bound=narrowed, kwargs=rest)

    def _prepare(self, config: RunnableConfig | None = None) -> tuple[Runnable[str, list[Document]], RunnableConfig]:
        given = ensure_config(config).get("configurable", {})
        for field, spec in self.fields.items():
            if isinstance(spec, ConfigurableField) and spec.id in given:
                self._check(field, spec.id, given[spec.id])
        try:
            made, config = super()._prepare(config)
        except ValidationError as error:
            problem: Any = error.errors(include_url=False)[0]
            names = {field: spec.id for field, spec in self.fields.items() if spec.id in given}
            where = names.get(str(problem["loc"][0]), "") if problem["loc"] else "、".join(names.values())
            raise SettingsError(f"调用时给的设置 {where} 不能用：{problem_text(problem, problem['loc'])}") from error
        if made is self.default:
            return made, config
        values = {field: getattr(made, field) for field in self.fields}
        if "filter" in values:
            values["filter"] = both(getattr(self.default, "filter", None), values["filter"])
        default: Any = self.default
        return default.model_copy(update=values), config

    @staticmethod
    def _check(field: str, name: str, value: Any) -> None:
        try:
            if field == "k":
                check_k(value)
            elif field == "filter":
                check_filter(value)
        except SettingsError as error:
            raise SettingsError(f"调用时给的设置 {name} 不能用：{error}") from error


class BoundRetriever(RunnableBinding[str, list[Document]]):
    """What `bind` and `with_config` make of a retriever.

    Of LangChain's own, the option of a call takes the place of a bound one; here, a `filter` narrows it.
    """

    def bind(self, **kwargs: Any) -> Runnable[str, list[Document]]:
        """Fix options of the calls to come; a `filter` holds besides those that are fixed already."""
        bound, rest = with_filter(self.bound, kwargs)
        return type(self)(**{**self.__dict__, "bound": bound, "kwargs": {**self.kwargs, **rest}})


def with_filter(retriever: Any, options: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """A retriever to which a bound `filter` belongs, and the other options."""
    rest = {name: value for name, value in options.items() if name != "filter"}
    if options.get("filter") is None:
        return retriever, rest
    if isinstance(retriever, DynamicRunnable | RunnableBindingBase):
        return retriever.bind(filter=options["filter"]), rest
    return retriever.model_copy(update={"filter": both(retriever.filter, options["filter"])}), rest


def both(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """A filter that holds where both hold.

    Raises:
        SettingsError: One of them has no meaning.
    """
    check_filter(one)
    check_filter(other)
    if one and other and one != other:
        return {"$and": [dict(one), dict(other)]}
    return dict(one or other or {}) or None


def check_k(k: Any) -> int:
    """Refuse what is no number of documents; more than any base holds is as many as it holds.

    Raises:
        SettingsError: `k` is not a positive whole number.
    """
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise SettingsError(f"k 必须是大于 0 的整数，不能是 {k!r}")
    return min(k, _MOST)


def call_of(config: RunnableConfig) -> dict[str, Any]:
    """What of a call's configuration holds for everything below: configurable fields, and how much runs at once."""
    return {name: value for name in _HANDED_DOWN if (value := config.get(name))}


@contextmanager
def handing_down(below: Any) -> Iterator[None]:
    """Within the block, runnables that are called without a configuration of their own have this one."""
    token = var_child_runnable_config.set(below) if below else None
    try:
        yield
    finally:
        if token is not None:
            var_child_runnable_config.reset(token)


def within(retriever: Any) -> Any:
    """The retriever inside what `with_config`, `bind` and `configurable_fields` put around it."""
    while isinstance(retriever, DynamicRunnable | RunnableBindingBase):
        retriever = retriever.default if isinstance(retriever, DynamicRunnable) else retriever.bound
    return retriever


def at_call(retriever: Any) -> Any:
    """`within`, with the fields that the call under way sets."""
    config: RunnableConfig = ensure_config()
    while isinstance(retriever, DynamicRunnable | RunnableBindingBase):
        if isinstance(retriever, DynamicRunnable):
            retriever, config = retriever.prepare(config)
        else:
            config, retriever = ensure_config({**config, **retriever.config}), retriever.bound
    return retriever


def answering(retriever: Any, config: RunnableConfig | None = None) -> list[Any]:
    """`within`, for each retriever that may answer a call: of alternatives the chosen one, and every fallback."""
    config = ensure_config(config)
    while isinstance(retriever, DynamicRunnable | RunnableBindingBase):
        if isinstance(retriever, RunnableConfigurableAlternatives):
            retriever, config = retriever.prepare(config)
        elif isinstance(retriever, DynamicRunnable):
            retriever = retriever.default
        else:
            config, retriever = ensure_config({**config, **retriever.config}), retriever.bound
    if isinstance(retriever, RunnableWithFallbacks):
        return [one for each in retriever.runnables for one in answering(each, config)]
    return [retriever]


def bound_filter(retriever: Any) -> dict[str, Any] | None:
    """The filters given with `bind`; LangChain would let the call's take their place."""
    found = None
    while isinstance(retriever, DynamicRunnable | RunnableBindingBase):
        if isinstance(retriever, RunnableBindingBase):
            found = both(found, retriever.kwargs.get("filter"))
        retriever = retriever.default if isinstance(retriever, DynamicRunnable) else retriever.bound
    return found
