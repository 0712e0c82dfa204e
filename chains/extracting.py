"""The step of the answer chain that has the model extract one passage and checks it."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForChainRun, CallbackManagerForChainRun
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.messages.ai import UsageMetadata, add_usage
from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import patch_config

from youju.chains.asked import Asked
from youju.chains.english import told
from youju.chains.evidence import render
from youju.chains.extract import KEYS, Extraction, check_extraction
from youju.chains.history import turns
from youju.chains.marks import harmless, unmarked, visible
from youju.chains.outcome import outcome, without_evidence
from youju.chains.quotes import quote
from youju.chains.refusal import Found
from youju.chains.result import NOT_FOUND, CitedAnswer, Claim, Evidence
from youju.chains.settle import Settled
from youju.errors import ModelRequestError
from youju.knowledge.metadata import json_value
from youju.models import check_reply, model_errors
from youju.models.keys import error_text, hide_keys
from youju.models.replies import as_message
from youju.models.structured import with_json
from youju.prompts import in_language, language
from youju.settings import AnswerSettings, Thinking

_LOG = logging.getLogger("youju")
_NULLABLE = {"type": ["string", "null"]}
_SCHEMA = {
    "title": "extraction",
    "description": "资料里回答问题的一段原话；资料没有写到时三项都是 null",
    "type": "object",
    "properties": dict.fromkeys(KEYS, _NULLABLE),
    "required": list(KEYS),
    "additionalProperties": False,
}


@dataclass
class _Round:
    """A question on its way through the model: what is known so far."""

    found: Found
    messages: list[BaseMessage] = field(default_factory=list)
    attempts: int = 0
    usage: UsageMetadata | None = None


class Extract(Runnable[dict[str, Any], CitedAnswer]):
    """From `question`, `documents` and packed `evidence` to the one passage that answers, checked.

    A stream yields the checked answer alone: there is nothing to read in half of a JSON.
    """

    def __init__(
        self, model: Runnable[Any, Any], model_name: str, settings: AnswerSettings, thinking: Thinking = "remove"
    ) -> None:
        """Take the model, the name it has in answers and errors, and how its answers are checked."""
        self.name = "extract"
        self.settings = settings
        self._model = model
        self._structured = with_json(model, _SCHEMA) if settings.structured == "auto" else None
        self._model_name = model_name
        self._thinking: Thinking = thinking

    def invoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> CitedAnswer:  # noqa: A002 - LangChain's name
        """Ask the model, again if its reply fails the checks, and return the checked answer."""
        return self._call_with_config(self._answer, input, config)

    async def ainvoke(self, input: dict[str, Any], config: RunnableConfig | None = None, **_: Any) -> CitedAnswer:  # noqa: A002 - LangChain's name
        """`invoke` for asynchronous callers."""
        return await self._acall_with_config(self._aanswer, input, config)

    def _answer(
        self, asked: dict[str, Any], run_manager: CallbackManagerForChainRun, config: RunnableConfig
    ) -> CitedAnswer:
        state = _start(asked)
        if not state.found.evidence:
            return without_evidence(state.found)
        child = patch_config(config, callbacks=run_manager.get_child())
        while True:
            model = self._structured or self._model
            try:
                with model_errors(self._model_name):
                    reply = model.invoke(state.messages, child)
            except ModelRequestError as error:
                self._without_form(model, error)
                continue
            answer = self._settle(state, reply)
            if answer is not None:
                return answer

    async def _aanswer(
        self, asked: dict[str, Any], run_manager: AsyncCallbackManagerForChainRun, config: RunnableConfig
    ) -> CitedAnswer:
        state = _start(asked)
        if not state.found.evidence:
            return without_evidence(state.found)
        child = patch_config(config, callbacks=run_manager.get_child())
        while True:
            model = self._structured or self._model
            try:
                with model_errors(self._model_name):
                    reply = await model.ainvoke(state.messages, child)
            except ModelRequestError as error:
                self._without_form(model, error)
                continue
            answer = self._settle(state, reply)
            if answer is not None:
                return answer

    def _without_form(self, asked: Runnable[Any, Any], error: ModelRequestError) -> None:
        """Do without the provider's help from now on, if it was that which was refused."""
        if asked is self._model:
            raise error
        _LOG.warning("%s 不能限定 JSON 的形式，改为只在提示里要求：%s", self._model_name, error_text(error))
        self._structured = None

    def _settle(self, state: _Round, reply: Any) -> CitedAnswer | None:
        """Check a reply. None means: the model may try again, and the messages now say what was wrong."""
        message = as_message(reply)
        state.attempts += 1
        usage = getattr(message, "usage_metadata", None)
        if usage is not None:
            state.usage = add_usage(state.usage, usage)
        check_reply(message, self._model_name)
        text = hide_keys(json_value(message.text))  # without halves of characters, which no JSON could hold
        found = check_extraction(text, state.found.evidence, self._thinking)
        if found.verdict not in {"supported", "abstain"} and state.attempts <= self.settings.max_retries:
            allowed = "、".join(f"资料{block.n}" for block in state.found.evidence)
            again = in_language("extract_retry.human", language(state.found.question)).format(
                problem=told(found.reason or "", state.found.question), allowed=allowed
            )
            state.messages = [*state.messages, AIMessage(text), HumanMessage(again)]
            return None
        return CitedAnswer(
            question=state.found.question,
            evidence=list(state.found.evidence),
            retrieved_count=len(state.found.documents),
            model=self._model_name,
            usage=dict(state.usage or {}),
            attempts=state.attempts,
            **outcome(settled(found, state.found.evidence, state.found.question), state.found, self._model_name),
        )


def settled(found: Extraction, evidence: Sequence[Evidence], question: str = "") -> Settled:
    """A judged extraction as the one sentence of an answer, and the parts of the question that it says nothing of.

    What is wrong with it is said in the language of the question.
    """
    if found.verdict == "abstain":
        return Settled(NOT_FOUND, (Claim(text=NOT_FOUND, citations=[], verdict="not_found"),), ())
    if found.n is None or found.start is None or found.end is None:
        said = told(found.reason or "", question)
        problem = f"{said}（{found.verdict}）" if said == found.reason else f"{said} ({found.verdict})"
        text = found.answer or found.quote or ""
        claim = Claim(
            text=text,
            citations=[],
            verdict="invalid" if found.verdict == "invalid_source" else "unsupported",
            reason=problem,
            removed=True,
        )
        return Settled("", (claim,) if text else (), (problem,))
    carrying = quote(evidence[found.n - 1], found.start, found.end)
    text = f"{unmarked(visible(carrying.text))}[资料{found.n}]"
    claim = Claim(text=text, citations=[found.n], verdict="supported", quotes=[carrying])
    return Settled(text, (claim,), (), tuple(Asked(question, evidence).left_open([claim])))


def _start(asked: dict[str, Any]) -> _Round:
    state = _Round(Found.read(asked))
    if state.found.evidence:
        spoken = language(state.found.question)
        values = {"evidence": render(state.found.evidence), "question": harmless(state.found.question)}
        human = HumanMessage(in_language("extract.human", spoken).format(**values))
        system = SystemMessage(in_language("extract.system", spoken))
        state.messages = [system, *turns(asked.get("history")), human]
    return state
