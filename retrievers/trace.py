"""What happened in a retrieval, step by step: heard from LangChain's callbacks, whatever the retrievers are."""

import threading
import time
from collections.abc import Sequence
from typing import Any, NamedTuple
from uuid import UUID

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import LLMResult
from langchain_core.retrievers import RetrieverLike
from langchain_core.runnables import RunnableConfig, run_in_executor
from langchain_core.runnables.config import merge_configs
from pydantic import BaseModel, ConfigDict, Field

from youju.errors import SettingsError
from youju.knowledge import KnowledgeBase
from youju.models.keys import error_text, hide_keys
from youju.retrievers.configured import both
from youju.retrievers.documents import key_of, score_of
from youju.retrievers.fate import Fate, fates
from youju.retrievers.notes import Dropped, Notes, NoteTaker, kind_of, place_of
from youju.retrievers.stages import Hit, Stage


class RetrievalTrace(BaseModel):
    """One retrieval: a question, what was done with it, and what came of it."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    question: str
    root: Stage
    """The outermost step; the steps below it are its `stages`."""
    fates: list[Fate] = Field(default_factory=list)
    """What became of the documents that were asked about."""

    def stages(self) -> list[Stage]:
        """All steps, each behind those whose documents it works on."""
        return list(self.root.walk())


class Searched(NamedTuple):
    """A knowledge base that was searched."""

    base: KnowledgeBase
    filter: dict[str, Any] | None
    """What every document of it had to fulfil."""
    is_all: bool
    """Whether nothing else decided what may be seen of it; a step of another make may have."""


class RetrievalTracer(NoteTaker):
    """A callback handler that follows every retrieval of the runs it is given to, also those inside a chain.

    Example:
        >>> from youju.retrievers import BM25Retriever
        >>> tracer = RetrievalTracer()
        >>> found = BM25Retriever.from_texts(["年假十天", "病假"]).invoke("年假", {"callbacks": [tracer]})
        >>> [(stage.kind, stage.k, len(stage.returned)) for stage in tracer.traces()[0].stages()]
        [('bm25', 5, 1)]
    """

    run_inline = True  # in the order of the calls, also where they are awaited
    raise_error = True

    def __init__(self) -> None:
        """Begin with no runs."""
        self._lock = threading.Lock()
        self._above: dict[UUID, UUID | None] = {}
        self._runs: dict[UUID, _Run] = {}

    def traces(self) -> list[RetrievalTrace]:
        """A trace of each retrieval that is not part of another one, in the order they began."""
        with self._lock:
            runs = dict(self._runs)
        below: dict[UUID | None, list[UUID]] = {}
        for run_id in runs:
            below.setdefault(self._owner(run_id, runs), []).append(run_id)
        roots = [run_id for run_id in below.get(None, []) if runs[run_id].kind != "chat"]
        return [RetrievalTrace(question=runs[root].asked, root=_stage(root, runs, below)) for root in roots]

    def fates(self, trace: RetrievalTrace, name: str) -> list[Fate]:
        """Where a document was lost in a retrieval, or all those of a file.

        Keyword and vector searches are asked again for more, to know which place it had; no chat model and no reranker
        is asked.

        Args:
            trace: One of `traces()`.
            name: The id of a document or block, or a `source`.
        """
        with self._lock:
            notes = {str(run_id): run.notes for run_id, run in self._runs.items() if run.notes is not None}
        return fates(
            trace.root, name, {stage.run_id: notes[stage.run_id] for stage in trace.stages() if stage.run_id in notes}
        )

    def searched(self) -> list[Searched]:
        """The knowledge bases that were searched, each once."""
        with self._lock:
            runs, above = dict(self._runs), dict(self._above)
        found: dict[int, Searched] = {}
        for run_id, run in runs.items():
            base = getattr(run.notes.retriever, "source", None) if run.notes is not None else None
            if run.notes is None or not isinstance(base, KnowledgeBase):
                continue
            at: UUID | None = run_id
            is_all = True
            while at is not None and at in above:
                is_all = is_all and at in runs and runs[at].is_own
                at = above[at]
            before = found.get(id(base), Searched(base, None, is_all=True))
            found[id(base)] = Searched(base, both(before.filter, run.notes.filter), before.is_all and is_all)
        return list(found.values())

    def explained(self, why: str | Sequence[str] = ()) -> RetrievalTrace:
        """The first of `traces()`, with the fates of documents or sources.

        Raises:
            SettingsError: No retriever was asked.
        """
        traces = self.traces()
        if not traces:
            raise SettingsError("没有检索器运行过，说明不了检索过程：请给出 LangChain 的检索器，或含有它的链")
        trace = traces[0]
        names = [why] if isinstance(why, str) else list(why)
        every = [fate for name in names for fate in self.fates(trace, name)]
        once = {(fate.id, fate.source): fate for fate in every}  # a file may be named beside one of its chunks
        return trace.model_copy(update={"fates": list(once.values())})

    def take(self, run_id: UUID, notes: Notes) -> None:
        """Keep what a retriever says of its run."""
        with self._lock:
            if run_id in self._runs:
                self._runs[run_id].notes = notes

    def on_retriever_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002 - LangChain passes it
        query: str,
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        name: str = "",
        **kwargs: Any,  # noqa: ARG002 - as above
    ) -> None:
        """A retriever is asked."""
        self._begin(run_id, parent_run_id, _Run(name, name, query, list(tags or [])))

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any) -> None:  # noqa: ARG002 - as above
        """A retriever has found something, or nothing."""
        hits = [Hit(id=key_of(document), **place_of(document), score=score_of(document)) for document in documents]
        self._end(run_id, returned=hits)

    def on_retriever_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:  # noqa: ARG002 - as above
        """A retriever has failed."""
        self._end(run_id, error=error_text(error))

    def on_chat_model_start(
        self,
        serialized: dict[str, Any] | None,  # noqa: ARG002 - as above
        messages: list[list[BaseMessage]],
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        tags: list[str] | None = None,
        name: str = "",
        **kwargs: Any,  # noqa: ARG002 - as above
    ) -> None:
        """A chat model is asked."""
        asked = "\n".join(message.text for message in messages[0]) if messages else ""
        self._begin(run_id, parent_run_id, _Run(name or "chat", "chat", asked, list(tags or [])))

    def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:  # noqa: ARG002 - as above
        """A chat model has written something."""
        written = response.generations[0][0].text if response.generations and response.generations[0] else ""
        self._end(run_id, text=hide_keys(written))

    def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:  # noqa: ARG002 - as above
        """A chat model has failed."""
        self._end(run_id, error=error_text(error))

    def on_chain_start(
        self,
        serialized: dict[str, Any],  # noqa: ARG002 - as above
        inputs: dict[str, Any],  # noqa: ARG002 - as above
        *,
        run_id: UUID,
        parent_run_id: UUID | None = None,
        **kwargs: Any,  # noqa: ARG002 - as above
    ) -> None:
        """Something else runs, which may call retrievers."""
        self._begin(run_id, parent_run_id, None)

    def _begin(self, run_id: UUID, above: UUID | None, run: "_Run | None") -> None:
        with self._lock:
            self._above[run_id] = above
            if run is not None:
                self._runs[run_id] = run

    def _end(self, run_id: UUID, **facts: Any) -> None:
        with self._lock:
            run = self._runs.get(run_id)
            if run is not None:
                run.seconds = time.perf_counter() - run.began
                for name, value in facts.items():
                    setattr(run, name, value)

    def _owner(self, run_id: UUID, runs: "dict[UUID, _Run]") -> UUID | None:
        """The retriever run that a run belongs to."""
        above = self._above.get(run_id)
        while above is not None and above not in runs:
            above = self._above.get(above)
        return above


class _Run:
    """A run while it is heard of."""

    def __init__(self, name: str, kind: str, asked: str, tags: list[str]) -> None:
        self.name, self.kind, self.asked, self.tags = name, kind, asked, tags
        self.began = time.perf_counter()
        self.seconds: float | None = None
        self.returned: list[Hit] = []
        self.text: str | None = None
        self.error: str | None = None
        self.notes: Notes | None = None

    @property
    def is_own(self) -> bool:
        """Whether it is a retriever of this package, which tells all that it filters by."""
        return self.notes is not None and type(self.notes.retriever).__module__.startswith("youju.")


def _stage(run_id: UUID, runs: dict[UUID, _Run], below: dict[UUID | None, list[UUID]], above: str = "") -> Stage:
    run = runs[run_id]
    own = run.notes.retriever.get_name() if run.notes else run.name
    stages = [_stage(child, runs, below, own) for child in below.get(run_id, [])]
    received = list(dict.fromkeys(hit.id for stage in stages for hit in stage.returned))
    notes = run.notes
    dropped = list(notes.dropped) if notes else []
    told = {hit.id for hit in run.returned} | {one.id for one in dropped}
    seen = {hit.id: hit for stage in stages for hit in stage.returned}
    for key in received if run.error is None else ():
        if key not in told:
            place = seen[key].model_dump(include={"id", "source", "location"})
            dropped.append(Dropped(**place, code="unsaid", reason="这一步没有留下它，也没有说明原因"))
    return Stage(
        run_id=str(run_id),
        name=run.name,
        kind=kind_of(notes.retriever) if notes else run.kind,
        tags=run.tags,
        part=next((tag.removeprefix(f"{above}:") for tag in run.tags if above and tag.startswith(f"{above}:")), None),
        question=run.asked,
        text=(notes.text if notes else None) or run.text,
        k=notes.k if notes else None,
        filter=dict(notes.filter) if notes and notes.filter else None,
        adds=dict(notes.adds) if notes and notes.adds else None,
        received=received,
        returned=run.returned,
        dropped=dropped,
        seconds=run.seconds,
        error=run.error,
        stages=stages,
    )


def explain(
    retriever: RetrieverLike,
    question: str,
    *,
    why: str | Sequence[str] = (),
    config: RunnableConfig | None = None,
    **options: Any,
) -> RetrievalTrace:
    """Ask a retriever, and say what each of its steps did.

    Args:
        retriever: Any LangChain retriever, of any composition.
        question: What is asked.
        why: Ids of documents, or sources, of which the trace's `fates` shall say where they were lost.
        config: LangChain's configuration of the call.
        options: Of the call: `k` and `filter`.
    """
    tracer = RetrievalTracer()
    retriever.invoke(question, _with(tracer, config), **options)
    return tracer.explained(why)


async def aexplain(
    retriever: RetrieverLike,
    question: str,
    *,
    why: str | Sequence[str] = (),
    config: RunnableConfig | None = None,
    **options: Any,
) -> RetrievalTrace:
    """`explain` for asynchronous callers."""
    tracer = RetrievalTracer()
    await retriever.ainvoke(question, _with(tracer, config), **options)
    return await run_in_executor(None, tracer.explained, why)


def _with(tracer: RetrievalTracer, config: RunnableConfig | None) -> RunnableConfig:
    return merge_configs(config, {"callbacks": [tracer]})
