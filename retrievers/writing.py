"""Asking a chat model for help with a search, and reading what it writes."""

import logging
from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.runnables import Runnable, RunnableConfig
from pydantic import SkipValidation

from youju.models import check_reply, model_errors, without_thinking
from youju.models.keys import error_text, hide_keys
from youju.retrievers.base import check_question
from youju.retrievers.transformer import Plan, Transformer

LOG = logging.getLogger("youju")

_INSTEAD = "只按原来的问题检索"


class WritingTransformer(Transformer):
    """A transformer that has a chat model write something before it searches.

    Whatever goes wrong with the model, a wrong key included, is told as a warning of the logger `youju`, and the plain
    question is searched: help that fails must not stand in the way of an answer.
    """

    chat: SkipValidation[BaseChatModel | Runnable[Any, Any]]
    """The model that writes: any runnable from a text to a message or text."""

    def asked(self, query: str, k: int | None, call: Mapping[str, Any] | None) -> tuple[int, dict[str, Any]]:
        """How many documents are wanted, and the options of every search below, whatever the model writes.

        Raises:
            QuestionError: The question is no text, or too long.
            SettingsError: `k` or the filter cannot be, or the wrapped retriever does not know how to filter.
        """
        check_question(query)
        limit, conditions = self.limit(k), self.conditions(call)
        return limit, self.options_below(self.depth(limit), conditions, Plan(query))

    def written(self, prompt: str, run_manager: CallbackManagerForRetrieverRun) -> str:
        """What the model writes, without its thoughts; empty, with a warning, if it fails."""
        return written(self.chat, prompt, self._config(run_manager), self.get_name(), _INSTEAD)

    async def awritten(self, prompt: str, run_manager: AsyncCallbackManagerForRetrieverRun) -> str:
        """`written` for asynchronous callers."""
        return await awritten(self.chat, prompt, self._config(run_manager), self.get_name(), _INSTEAD)

    def _config(self, run_manager: Any) -> RunnableConfig:
        return {"callbacks": run_manager.get_child(tag=self.get_name())}


def written(chat: Runnable[Any, Any], prompt: str, config: RunnableConfig | None, name: str, instead: str) -> str:
    """What a chat model writes, without its thoughts; empty, with a warning, if it fails.

    Args:
        chat: Any runnable from a text to a message or text.
        prompt: What it is asked.
        config: Of the call.
        name: Who asks, for the warning.
        instead: What is done without the model.
    """
    try:
        with model_errors(_model_name(chat)):
            return _read(chat.invoke(prompt, config), chat)
    except Exception as error:  # noqa: BLE001 - help that fails must not stand in the way of an answer
        return _failed(error, name, instead)


async def awritten(
    chat: Runnable[Any, Any], prompt: str, config: RunnableConfig | None, name: str, instead: str
) -> str:
    """`written` for asynchronous callers."""
    try:
        with model_errors(_model_name(chat)):
            return _read(await chat.ainvoke(prompt, config), chat)
    except Exception as error:  # noqa: BLE001 - as above
        return _failed(error, name, instead)


def _model_name(chat: Any) -> str:
    name = getattr(chat, "model_name", None) or getattr(chat, "model", None)
    return name if isinstance(name, str) else type(chat).__name__


def _read(reply: Any, chat: Any) -> str:
    if not isinstance(reply, BaseMessage):
        return hide_keys(without_thinking(str(reply))).strip()
    check_reply(reply, _model_name(chat))
    return hide_keys(without_thinking(reply.text)).strip()


def _failed(error: Exception, name: str, instead: str) -> str:
    LOG.warning("%s 没有用上聊天模型，%s：%s", name, instead, error_text(error))
    return ""
