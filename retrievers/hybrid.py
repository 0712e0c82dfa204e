"""Several retrievers, one ranking."""

import asyncio
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Self

from langchain_classic.retrievers.ensemble import EnsembleRetriever
from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import ensure_config, get_executor_for_config, patch_config
from pydantic import Field, model_validator

from youju.errors import SettingsError
from youju.retrievers.base import Adjustable, require_question, takes
from youju.retrievers.configured import both, bound_filter, within
from youju.retrievers.fusion import fused, lead, led, scaled
from youju.retrievers.notes import best, is_noted, noting


class HybridRetriever(Adjustable, EnsembleRetriever):
    """Joins the rankings of several retrievers by their ranks or by their scores.

    With `fusion="rrf"`, a document's score is the sum of `weight / (c + rank)` over the legs that found it, ranks from
    1 (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
    Methods", SIGIR 2009). It says how the legs agree and nothing of nearness: with `c = 60` and weights that sum to 1
    it never exceeds 1/61.

    With `fusion="scores"`, it is the sum of `weight * (score - worst) / (best - worst)` over those legs (Bruch, Gai and
    Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", TOIS 2023). `best` is the leg's best score for this
    question; `worst` is 0 for keyword search, where no word is shared, and else the worst score that the leg returns.
    How far a leg sets its first hit apart from the others counts then; scores still compare within one question only.
    With `lead` above 0, weights too follow the question: a keyword leg whose first hit stands far before the next ones
    (the question repeats rare words of a passage) gets more, see `youju.retrievers.fusion.led`.

    Documents are the same if their ids are, or, without ids, their text and metadata. Equal scores are ordered by the
    first leg that found the document and its rank there. Legs run side by side; one of weight 0 is not asked. Any
    LangChain retriever can be a leg.

    Each document carries `score` and `ranks`, its rank in each leg that found it.
    """

    fusion: Literal["rrf", "scores"] = "rrf"
    """Whether ranks or scores are joined; for `scores`, every leg must give its documents a `score`."""
    lead: float = Field(default=0.0, ge=0, le=1)
    """With `scores`, the share of all weights that a keyword leg gains as its first hit stands before the next ones."""
    names: list[str] | None = None
    """Names of the legs in `ranks`; None takes their own."""

    @model_validator(mode="before")
    @classmethod
    def _weights_count(cls, values: dict[str, Any]) -> dict[str, Any]:
        legs, weights, names = values.get("retrievers"), values.get("weights"), values.get("names")
        if not legs:
            raise ValueError("HybridRetriever 至少要有一路检索")
        wrong = [
            name for name in ("retrievers", "weights", "names") if not isinstance(values.get(name), list | tuple | None)
        ]
        if wrong:
            raise ValueError(f"{'、'.join(wrong)} 要写成列表")
        if weights is not None and len(weights) != len(legs):
            raise ValueError(f"有 {len(legs)} 路检索，却给了 {len(weights)} 个 weight")
        if weights is not None and (not all(map(_is_weight, weights)) or not any(weights)):
            raise ValueError(f"weight 要是不小于 0 的数，也不能全是 0：{list(weights)}")
        if isinstance(values.get("c", 1), int) and values.get("c", 1) < 1:
            raise ValueError(f"c 不能小于 1：{values['c']}")
        if names is not None and (len(names) != len(legs) or len(set(names)) != len(names)):
            raise ValueError(f"{len(legs)} 路检索要有 {len(legs)} 个不同的名字：{list(names)}")
        return values

    def invoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find documents; `k` and `filter` may be given for this call."""
        require_question(input)
        called, rest = self._for_call(kwargs, config)
        return super(HybridRetriever, called).invoke(input, config, **rest)

    async def ainvoke(self, input: str, config: RunnableConfig | None = None, **kwargs: Any) -> list[Document]:  # noqa: A002 - LangChain's name
        """`invoke` for asynchronous callers; the legs are awaited together."""
        require_question(input)
        called, rest = self._for_call(kwargs, config)
        return await super(HybridRetriever, called).ainvoke(input, config, **rest)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,  # noqa: ARG002 - taken by `invoke`; named here to say that calls may give it
        filter: Mapping[str, Any] | None = None,  # noqa: A002, ARG002 - as above
    ) -> list[Document]:
        return self.rank_fusion(query, run_manager)

    def rank_fusion(
        self, query: str, run_manager: CallbackManagerForRetrieverRun, *, config: RunnableConfig | None = None
    ) -> list[Document]:
        """Ask the legs side by side and join their rankings."""
        config = ensure_config(config)
        calls = [
            (self.retrievers[place], patch_config(config, callbacks=run_manager.get_child(tag=name)))
            for place, name in self._active()
        ]
        most = config.get("max_concurrency") or len(calls)
        here = calls[-1:] if most > 1 else calls  # this thread has nothing else to do: it takes a leg itself
        elsewhere = calls[: len(calls) - len(here)]
        with get_executor_for_config(patch_config(config, max_concurrency=max(most - 1, 1))) as executor:
            futures = [executor.submit(leg.invoke, query, its, **self._leg_options(leg)) for leg, its in elsewhere]
            found = [leg.invoke(query, its, **self._leg_options(leg)) for leg, its in here]
            return self._joined([*(future.result() for future in futures), *found], run_manager)

    async def arank_fusion(
        self, query: str, run_manager: AsyncCallbackManagerForRetrieverRun, *, config: RunnableConfig | None = None
    ) -> list[Document]:
        """Await the legs together and join their rankings."""
        found = await asyncio.gather(
            *(
                self.retrievers[place].ainvoke(
                    query,
                    patch_config(config, callbacks=run_manager.get_child(tag=name)),
                    **self._leg_options(self.retrievers[place]),
                )
                for place, name in self._active()
            )
        )
        return self._joined(found, run_manager)

    def weighted_reciprocal_rank(self, doc_lists: list[list[Document]]) -> list[Document]:
        """Join one ranking a leg; see the class."""
        if len(doc_lists) != len(self.retrievers):
            raise SettingsError(f"有 {len(self.retrievers)} 路检索，却给了 {len(doc_lists)} 个结果列表")
        names = self.leg_names()
        values, weights = None, self.weights
        if self.fusion == "scores":
            lowest = [getattr(within(leg), "lowest", None) for leg in self.retrievers]
            legs = zip(names, doc_lists, lowest, strict=True)
            values = [scaled(name, found, worst) for name, found, worst in legs]
            leads = [lead(found) if worst == 0 else None for found, worst in zip(doc_lists, lowest, strict=True)]
            weights = led(weights, leads, self.lead)
        most = None if is_noted() else self.k  # each is a copy, and the rest is of interest to notes only
        return best(fused(names, weights, doc_lists, c=self.c, values=values, most=most), self.k, "融合后")

    def leg_names(self) -> list[str]:
        """The names of the legs in `ranks`: given, or their own, numbered where two are alike."""
        if self.names is not None:
            return self.names
        legs = [within(leg) for leg in self.retrievers]
        own = [str(getattr(leg, "name", None) or type(leg).__name__) for leg in legs]
        seen: Counter[str] = Counter()
        out = []
        for name in own:
            seen[name] += 1
            out.append(name if own.count(name) == 1 else f"{name}_{seen[name]}")
        return out

    def _active(self) -> list[tuple[int, str]]:
        return [(place, name) for place, name in enumerate(self.leg_names()) if self.weights[place] > 0]

    def _joined(self, found: Sequence[list[Document]], run_manager: Any) -> list[Document]:
        lists: list[list[Document]] = [[] for _ in self.retrievers]
        for (place, _), documents in zip(self._active(), found, strict=True):
            lists[place] = documents
        with noting(self, run_manager, self.k, self.filter):
            return self.weighted_reciprocal_rank(lists)

    def _leg_options(self, leg: Any) -> dict[str, Any]:
        return {} if self.filter is None else {"filter": both(self.filter, bound_filter(leg))}

    def _for_call(self, options: dict[str, Any], config: RunnableConfig | None) -> tuple[Self, dict[str, Any]]:
        """This retriever with what a call asks for, and the options that are left."""
        rest = {key: value for key, value in options.items() if key not in {"k", "filter"}}
        limit, conditions = self.limit(options.get("k")), self.conditions(options.get("filter"))
        if conditions is not None:
            deaf = [name for place, name in self._active() if not takes(self.retrievers[place], "filter", config)]
            if deaf:
                raise SettingsError(f"检索器 {'、'.join(deaf)} 不支持过滤条件，结果里会混进不该出现的资料")
        return self.model_copy(update={"k": limit, "filter": conditions}), rest


def _is_weight(value: Any) -> bool:
    return isinstance(value, int | float) and 0 <= value <= sys.float_info.max
