"""The step of the answer chain that asks the model and checks what it says."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import patch_config

from youju.chains.citations import CitationParser
from youju.chains.claims import without_marks
from youju.chains.draft import Draft
from youju.chains.evidence import render
from youju.chains.grounding import Similarity, Thresholds
from youju.chains.history import turns
from youju.chains.marks import canonical, harmless
from youju.chains.opinions import Panel
from youju.chains.outcome import nothing_found, outcome, without_evidence
from youju.chains.phrases import joined as listed
from youju.chains.refusal import Found
from youju.chains.result import CitedAnswer, Evidence
from youju.chains.settle import Settled, settle
from youju.chains.silence import says_only_silence
from youju.knowledge.metadata import json_value
from youju.models import check_reply, model_errors
from youju.models.keys import hide_keys
from youju.models.replies import as_message
from youju.models.thinking import without_thinking
from youju.prompts import answer_prompt, in_language, language
from youju.settings import AnswerSettings, Thinking

Checked = TypeVar("Checked")

_CHECKED_AT_ONCE = 500
"""Characters of a reply whose check takes no longer than an event loop can wait."""


@dataclass
class _Round:
    """A question on its way through the model: what is known so far."""

    found: Found
    parser: CitationParser
    messages: list[BaseMessage] = field(default_factory=list)
    reading: list[BaseMessage] = field(default_factory=list)
    """What the model reads before, in other words; empty where it reads once."""
    attempts: int = 0
    usage: UsageMetadata | None = None
    retries: int = 0
    best: Settled | None = None
    """Of the attempts so far, the one of which most stands."""


class Respond(Runnable[dict[str, Any], CitedAnswer]):
    """From `question`, `documents` and packed `evidence` to the checked answer."""

    def __init__(
        self,
        model: Runnable[Any, Any],
        model_name: str,
        settings: AnswerSettings,
        thinking: Thinking = "remove",
        panel: Panel | None = None,
        *,
        thresholds: Callable[[], Thresholds | None] = lambda: None,
        similarity: Similarity | None = None,
    ) -> None:
        """Take the model, the name it has in answers and errors, and how its answers are checked."""
        self.name = "respond"
        self.settings = settings
        self._model = model
        self._model_name = model_name
        self._thinking: Thinking = thinking
        self.panel = panel
        self._thresholds = thresholds
        self._similarity = similarity

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> CitedAnswer:  # noqa: A002 - LangChain's name
        """Ask the model, again if its answer fails the checks, and return the checked answer."""
        return self._call_with_config(self._answer, input, config)

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> CitedAnswer:  # noqa: A002 - LangChain's name
        """`invoke` for asynchronous callers."""
        return await self._acall_with_config(self._aanswer, input, config)

    def stream(
        self,
        input: dict[str, Any],  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> Iterator[CitedAnswer]:
        """Yield the growing answer, and last the checked one."""
        yield from self._transform_stream_with_config(iter([input]), self._stream, config)

    async def astream(
        self,
        input: dict[str, Any],  # noqa: A002 - LangChain's name
        config: RunnableConfig | None = None,
        **_: Any,
    ) -> AsyncIterator[CitedAnswer]:
        """`stream` for asynchronous callers."""

        async def inputs() -> AsyncIterator[dict[str, Any]]:
            yield input

        async for answer in self._atransform_stream_with_config(inputs(), self._astream, config):
            yield answer

    def _answer(
        self, asked: dict[str, Any], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> CitedAnswer:
        state = self._start(asked)
        if not state.found.evidence:
            return without_evidence(state.found)
        child = patch_config(config, callbacks=run_manager.get_child())
        nothing = self._reading(state, child)
        if nothing is not None:
            return nothing
        while True:
            with model_errors(self._model_name):
                reply = as_message(self._model.invoke(state.messages, child))
            answer = self._settle(state, reply, last=state.retries >= self.settings.max_retries)
            if answer is not None:
                return answer

    async def _aanswer(
        self, asked: dict[str, Any], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> CitedAnswer:
        state = self._start(asked)
        if not state.found.evidence:
            return without_evidence(state.found)
        child = patch_config(config, callbacks=run_manager.get_child())
        nothing = await self._areading(state, child)
        if nothing is not None:
            return nothing
        while True:
            with model_errors(self._model_name):
                reply = as_message(await self._model.ainvoke(state.messages, child))
            last = state.retries >= self.settings.max_retries
            answer = await self.aside(reply.text, self._settle, state, reply, last=last)
            if answer is not None:
                return answer

    def _stream(
        self, inputs: Iterator[dict[str, Any]], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> Iterator[CitedAnswer]:
        state = self._start(next(inputs))
        if not state.found.evidence:
            yield without_evidence(state.found)
            return
        child = patch_config(config, callbacks=run_manager.get_child())
        nothing = self._reading(state, child)
        if nothing is not None:
            yield nothing
            return
        draft = Draft(state.found, self._thinking)
        pieces = self._model.stream(state.messages, child)
        try:
            with model_errors(self._model_name):
                for piece in pieces:
                    yield from draft.add(as_message(piece))
        finally:
            _close(pieces)
        yield from draft.rest()
        yield self._settle_last(state, draft)

    async def _astream(
        self,
        inputs: AsyncIterator[dict[str, Any]],
        run_manager: AsyncCallbackManagerForChainRun,
        config: RunnableConfig,
    ) -> AsyncIterator[CitedAnswer]:
        state = self._start(await anext(inputs))
        if not state.found.evidence:
            yield without_evidence(state.found)
            return
        child = patch_config(config, callbacks=run_manager.get_child())
        nothing = await self._areading(state, child)
        if nothing is not None:
            yield nothing
            return
        draft = Draft(state.found, self._thinking)
        pieces = self._model.astream(state.messages, child)
        try:
            with model_errors(self._model_name):
                async for piece in pieces:
                    for answer in draft.add(as_message(piece)):
                        yield answer
        finally:
            close = getattr(pieces, "aclose", None)
            if close is not None:
                await close()
        for answer in draft.rest():
            yield answer
        yield await self.aside(draft.text, self._settle_last, state, draft)

    def _reading(self, state: _Round, child: RunnableConfig) -> CitedAnswer | None:
        """The result if the model reads twice and finds nothing the first time."""
        if not state.reading:
            return None
        with model_errors(self._model_name):
            reply = as_message(self._model.invoke(state.reading, child))
        return self._read_first(state, reply)

    async def _areading(self, state: _Round, child: RunnableConfig) -> CitedAnswer | None:
        if not state.reading:
            return None
        with model_errors(self._model_name):
            reply = as_message(await self._model.ainvoke(state.reading, child))
        return self._read_first(state, reply)

    def _settle_last(self, state: _Round, draft: Draft) -> CitedAnswer:
        """Check what was streamed: also thoughts that were shown because their opening tag was missing."""
        shown = draft.text if draft.shows_thoughts else None
        return cast("CitedAnswer", self._settle(state, draft.reply, last=True, shown=shown))

    def _settle(self, state: _Round, reply: BaseMessage, *, last: bool, shown: str | None = None) -> CitedAnswer | None:
        """Check a reply. None means: the model may try again, and the messages now say what was wrong."""
        self._count(state, reply)
        said = reply.text if shown is None else shown
        text = hide_keys(json_value(said))  # without halves of characters, which no JSON could hold
        found = settle(state.parser, text, repair=self.settings.repair == "marks")
        if state.best is None or not found.problems or found.stating > state.best.stating:
            state.best = found
        if found.problems and not last:
            allowed = "、".join(f"[资料{block.n}]" for block in state.found.evidence)
            again = in_language("retry.human", language(state.found.question)).format(
                problems=listed(list(found.problems), state.found.question), allowed=allowed
            )
            state.messages = [*state.messages, AIMessage(text), HumanMessage(again)]
            state.retries += 1
            return None
        return self._result(state, outcome(state.best, state.found, self._model_name))

    def _read_first(self, state: _Round, reply: BaseMessage) -> CitedAnswer | None:
        """The result if the first of two readings says that the evidence does not say."""
        self._count(state, reply)
        silent = says_only_silence(without_marks(canonical(without_thinking(reply.text, self._thinking))))
        return self._result(state, nothing_found(state.found, self._model_name)) if silent else None

    def _count(self, state: _Round, reply: BaseMessage) -> None:
        """Count a reply, and see that it is one."""
        state.attempts += 1
        usage = getattr(reply, "usage_metadata", None)
        if usage is not None:
            state.usage = add_usage(state.usage, usage)
        check_reply(reply, self._model_name)

    def _result(self, state: _Round, fields: dict[str, Any]) -> CitedAnswer:
        return CitedAnswer(
            question=state.found.question,
            evidence=list(state.found.evidence),
            retrieved_count=len(state.found.documents),
            model=self._model_name,
            usage=dict(state.usage or {}),
            attempts=state.attempts,
            **fields,
        )

    async def aside(self, text: str, check: Callable[..., Checked], *args: Any, **options: Any) -> Checked:
        """A check of a text, in a thread if it asks other models or takes so long that others would have to wait."""
        if self.panel or len(text) > _CHECKED_AT_ONCE:
            return await asyncio.to_thread(check, *args, **options)
        return check(*args, **options)

    def parser(self, question: str, evidence: Sequence[Evidence]) -> CitationParser:
        """How answers from this evidence are checked."""
        return CitationParser(
            blocks=len(evidence),
            require=self.settings.citations,
            evidence=evidence,
            question=question,
            thinking=self._thinking,
            panel=self.panel,
            thresholds=self._thresholds(),
            similarity=self._similarity,
        )

    def _start(self, asked: dict[str, Any]) -> _Round:
        found = Found.read(asked)
        question, evidence = found.question, found.evidence
        state = _Round(found, self.parser(question, evidence))
        if evidence:
            values = {"question": harmless(question), "evidence": render(evidence)}
            state.messages = [
                *turns(asked.get("history")),
                *answer_prompt(language(question)).invoke(values).to_messages(),
            ]
            if self.settings.readings == 2:
                values["question"] = harmless(found.search or question)
                state.reading = [HumanMessage(in_language("reading.human", language(question)).format(**values))]
        return state


def _close(pieces: Any) -> None:
    close = getattr(pieces, "close", None)
    if close is not None:
        close()
