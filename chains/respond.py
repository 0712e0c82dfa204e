"""The step of the answer chain that asks the model and checks what it says."""

from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import patch_config

from youju.chains.citations import CitationError, CitationParser, ParsedAnswer
from youju.chains.evidence import render
from youju.chains.marks import canonical, harmless, unfinished
from youju.chains.quotes import nearest_sentence
from youju.chains.result import NOT_FOUND, Citation, CitedAnswer, Evidence
from youju.errors import ModelError
from youju.knowledge.metadata import json_value
from youju.models import check_reply, model_errors, said_so_far, without_thoughts
from youju.prompts import answer_prompt, prompt_text
from youju.settings import AnswerSettings


@dataclass
class _Round:
    """A question on its way through the model: what is known so far."""

    question: str
    evidence: list[Evidence]
    retrieved: int
    messages: list[BaseMessage] = field(default_factory=list)
    attempts: int = 0
    usage: UsageMetadata | None = None


class Respond(Runnable[dict[str, Any], CitedAnswer]):
    """From `question`, `documents` and packed `evidence` to the checked answer."""

    def __init__(self, model: Runnable[Any, Any], model_name: str, settings: AnswerSettings) -> None:
        """Take the model, the name it has in answers and errors, and how its answers are checked."""
        self.name = "respond"
        self._model = model
        self._model_name = model_name
        self._settings = settings

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
        state = _start(asked)
        if not state.evidence:
            return _without_evidence(state)
        child = patch_config(config, callbacks=run_manager.get_child())
        while True:
            with model_errors(self._model_name):
                reply = _message(self._model.invoke(state.messages, child))
            answer = self._settle(state, reply, last=state.attempts >= self._settings.max_retries)
            if answer is not None:
                return answer

    async def _aanswer(
        self, asked: dict[str, Any], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> CitedAnswer:
        state = _start(asked)
        if not state.evidence:
            return _without_evidence(state)
        child = patch_config(config, callbacks=run_manager.get_child())
        while True:
            with model_errors(self._model_name):
                reply = _message(await self._model.ainvoke(state.messages, child))
            answer = self._settle(state, reply, last=state.attempts >= self._settings.max_retries)
            if answer is not None:
                return answer

    def _stream(
        self, inputs: Iterator[dict[str, Any]], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> Iterator[CitedAnswer]:
        state = _start(next(inputs))
        if not state.evidence:
            yield _without_evidence(state)
            return
        child = patch_config(config, callbacks=run_manager.get_child())
        draft = _Draft(state)
        pieces = self._model.stream(state.messages, child)
        try:
            with model_errors(self._model_name):
                for piece in pieces:
                    yield from draft.add(_message(piece))
        finally:
            _close(pieces)
        yield from draft.rest()
        yield self._settle_last(state, draft.reply)

    async def _astream(
        self,
        inputs: AsyncIterator[dict[str, Any]],
        run_manager: AsyncCallbackManagerForChainRun,
        config: RunnableConfig,
    ) -> AsyncIterator[CitedAnswer]:
        state = _start(await anext(inputs))
        if not state.evidence:
            yield _without_evidence(state)
            return
        child = patch_config(config, callbacks=run_manager.get_child())
        draft = _Draft(state)
        pieces = self._model.astream(state.messages, child)
        try:
            with model_errors(self._model_name):
                async for piece in pieces:
                    for answer in draft.add(_message(piece)):
                        yield answer
        finally:
            close = getattr(pieces, "aclose", None)
            if close is not None:
                await close()
        for answer in draft.rest():
            yield answer
        yield self._settle_last(state, draft.reply)

    def _settle_last(self, state: _Round, reply: BaseMessage) -> CitedAnswer:
        return cast("CitedAnswer", self._settle(state, reply, last=True))

    def _settle(self, state: _Round, reply: BaseMessage, *, last: bool) -> CitedAnswer | None:
        """Check a reply. None means: the model may try again, and the messages now say what was wrong."""
        state.attempts += 1
        usage = getattr(reply, "usage_metadata", None)
        if usage is not None:
            state.usage = add_usage(state.usage, usage)
        check_reply(reply, self._model_name)
        text = json_value(without_thoughts(reply.text))  # without halves of characters, which no JSON could hold
        parser = CitationParser(blocks=len(state.evidence), require=self._settings.citations)
        try:
            parsed = parser.parse(text)
        except CitationError as error:
            if last:
                return self._rejected(state, error)
            allowed = "、".join(f"[资料{block.n}]" for block in state.evidence)
            again = prompt_text("retry.human").format(problems="；".join(error.problems), allowed=allowed)
            state.messages = [*state.messages, AIMessage(text), HumanMessage(again)]
            return None
        return self._accepted(state, parsed)

    def _accepted(self, state: _Round, parsed: ParsedAnswer) -> CitedAnswer:
        if parsed.silent and not any(claim.verdict == "cited" for claim in parsed.claims):
            return self._result(
                state, status="not_found", answer=NOT_FOUND, claims=parsed.claims, reason="模型读了资料，资料没有写到"
            )
        return self._result(
            state,
            status="partial" if parsed.silent else "answered",
            answer=parsed.text,
            claims=parsed.claims,
            citations=_citations(parsed, state.evidence),
            reason="；".join(parsed.silent) or None,
        )

    def _rejected(self, state: _Round, error: CitationError) -> CitedAnswer:
        reason = "模型的回答没有通过引用检查：" + "；".join(error.problems)
        return self._result(state, status="rejected", answer="", claims=error.parsed.claims, reason=reason)

    def _result(self, state: _Round, **fields: Any) -> CitedAnswer:
        return CitedAnswer(
            question=state.question,
            evidence=state.evidence,
            retrieved_count=state.retrieved,
            model=self._model_name,
            usage=dict(state.usage or {}),
            attempts=state.attempts,
            **{**fields, "claims": list(fields["claims"])},
        )


class _Draft:
    """The part of a streamed answer that can be shown."""

    def __init__(self, state: _Round) -> None:
        self._state = state
        self._text = ""
        self._shown = ""
        self.reply: BaseMessage = AIMessageChunk(content="")

    def add(self, piece: BaseMessage) -> Iterator[CitedAnswer]:
        """Take a piece; yield the answer if there is more of it to show."""
        metadata = {**self.reply.response_metadata, **piece.response_metadata}
        self.reply = cast("BaseMessage", self.reply + _chunk(piece))
        if not isinstance(piece, AIMessageChunk):  # whole messages repeat their metadata, which would be joined as text
            self.reply.response_metadata = metadata
        self._text += piece.text
        text = said_so_far(self._text)
        return self._show(text[: unfinished(text)])

    def rest(self) -> Iterator[CitedAnswer]:
        """What was held back because it looked like the beginning of a mark."""
        return self._show(without_thoughts(self._text))

    def _show(self, text: str) -> Iterator[CitedAnswer]:
        text = canonical(text)
        if len(text) > len(self._shown):
            self._shown = text
            yield CitedAnswer.model_construct(
                status="streaming",
                question=self._state.question,
                answer=text,
                evidence=self._state.evidence,
                retrieved_count=self._state.retrieved,
            )


def _start(asked: dict[str, Any]) -> _Round:
    state = _Round(asked["question"], asked["evidence"], len(asked["documents"]))
    values = {"question": harmless(state.question), "evidence": render(state.evidence)}
    state.messages = answer_prompt().invoke(values).to_messages() if state.evidence else []
    return state


def _without_evidence(state: _Round) -> CitedAnswer:
    reason = "没有检索到相关的资料" if not state.retrieved else "检索到的资料都放不进 answer.context_chars 的字数"
    return CitedAnswer(
        status="insufficient_evidence",
        question=state.question,
        answer=NOT_FOUND,
        retrieved_count=state.retrieved,
        reason=reason,
    )


def _citations(parsed: ParsedAnswer, evidence: Sequence[Evidence]) -> list[Citation]:
    by_number = {block.n: block for block in evidence}
    found = []
    for n in parsed.citations:
        block = by_number[n]
        cited_for = " ".join(claim.text for claim in parsed.claims if n in claim.citations)
        found.append(
            Citation(
                n=n,
                id=block.id,
                source=block.source,
                page=block.page,
                location=block.location,
                quote=nearest_sentence(cited_for, block.text),
            )
        )
    return found


def _message(reply: Any) -> BaseMessage:
    if isinstance(reply, BaseMessage):
        return reply
    if isinstance(reply, str):
        return AIMessageChunk(content=reply)
    raise ModelError(f"模型要返回一条消息或一段文字，现在返回的是 {type(reply).__name__}：请检查作为 chat 传入的组件")


def _chunk(piece: BaseMessage) -> AIMessageChunk:
    if isinstance(piece, AIMessageChunk):
        return piece
    return AIMessageChunk(
        content=piece.content,
        additional_kwargs=piece.additional_kwargs,
        usage_metadata=getattr(piece, "usage_metadata", None),
    )


def _close(pieces: Any) -> None:
    close = getattr(pieces, "close", None)
    if close is not None:
        close()
