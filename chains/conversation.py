"""Questions in a conversation: a follow-up is searched in full words, and answered as it was asked."""

from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableConfig, RunnableGenerator, RunnableLambda

from youju.chains.answer import build_answer_chain
from youju.chains.condense import LOG, condense_prompt, condensed, read_history, to_search
from youju.chains.result import CitedAnswer
from youju.errors import QuestionError
from youju.models import ExtractiveChatModel, build_chat_model, model_errors
from youju.models.keys import error_text
from youju.retrievers.base import require_question
from youju.settings import Settings


def build_conversation_chain(
    retriever: BaseRetriever,
    settings: Settings | None = None,
    *,
    chat: BaseChatModel | Runnable[Any, Any] | None = None,
) -> Runnable[dict[str, Any], CitedAnswer]:
    """Make the chain that answers questions which may refer to what was said before.

    Its input is a dict with `question`, `history` and, if wanted, `filter` and `k`, as for `build_answer_chain`. The
    history is a list of LangChain messages, or of `(role, text)` pairs or `{"role", "content"}` dicts, oldest first;
    only what was asked and answered is read, without the marks of earlier answers, and of that the newest
    `answer.history_chars` characters.

    After a history, the chat model first writes the question in words that can be understood alone. That text is used
    to search and for nothing else: the prompt has the history and the question as it was asked. If the model fails
    (told as a warning of the logger `youju`) or leaves what refers as it is, and with the built-in model, which cannot
    rewrite, a question that refers to something (它、那…呢) or is very short is searched together with the one before
    it, and any other as it is.

    Everything else is as with `build_answer_chain`; with a `search` of the caller's own nothing is rewritten.

    Args:
        retriever: Any LangChain retriever.
        settings: Which model, how much evidence and history, which checks; None means the defaults.
        chat: A model to use instead of the one that the settings name: any runnable from messages to a message.

    Raises:
        TypeError: The retriever or the model is none.
        QuestionError: On use, if the question has no content, or the history is no list of messages.
        ModelError: On use, if the model gives no usable reply to the question itself.
    """
    settings = settings or Settings()
    answer = build_answer_chain(retriever, settings, chat=chat)
    model = chat if chat is not None else build_chat_model(settings.chat)
    name = settings.chat.model if chat is None else type(chat).__name__
    writes = not isinstance(model, ExtractiveChatModel)

    def condense(given: Any, config: RunnableConfig) -> dict[str, Any]:
        asked = _read(given, settings.answer.history_chars)
        question, history = asked["question"], asked["history"]
        found = ""
        if history and writes and not asked.get("search"):
            try:
                with model_errors(name):
                    found = condensed(model.invoke(condense_prompt(question, history), config), question, name)
            except Exception as error:  # noqa: BLE001 - help that fails must not stand in the way of an answer
                _failed(error)
        return {**asked, "search": asked.get("search") or to_search(question, history, found)}

    async def acondense(given: Any, config: RunnableConfig) -> dict[str, Any]:
        asked = _read(given, settings.answer.history_chars)
        question, history = asked["question"], asked["history"]
        found = ""
        if history and writes and not asked.get("search"):
            try:
                with model_errors(name):
                    reply = await model.ainvoke(condense_prompt(question, history), config)
                    found = condensed(reply, question, name)
            except Exception as error:  # noqa: BLE001 - as above
                _failed(error)
        return {**asked, "search": asked.get("search") or to_search(question, history, found)}

    return RunnableLambda(condense, afunc=acondense, name="condense") | answer


def as_dicts() -> Runnable[CitedAnswer, dict[str, Any]]:
    """A step that gives each answer as a dict, for what knows dicts only.

    LangChain's `RunnableWithMessageHistory`, where it is still used, is such: its `input_messages_key` is `question`,
    its `history_messages_key` is `history` and its `output_messages_key` is `answer`.

    Example:
        chain | as_dicts()
    """

    def dicts(answers: Iterator[CitedAnswer]) -> Iterator[dict[str, Any]]:
        for answer in answers:
            yield answer.model_dump()

    async def adicts(answers: AsyncIterator[CitedAnswer]) -> AsyncIterator[dict[str, Any]]:
        async for answer in answers:
            yield answer.model_dump()

    return RunnableGenerator(dicts, adicts)


def _read(given: Any, most: int) -> dict[str, Any]:
    if not isinstance(given, Mapping) or not isinstance(given.get("question"), str):
        raise QuestionError("输入要是含 question 和 history 的字典（可加 filter、k）")
    require_question(given["question"])
    return {**given, "history": read_history(given.get("history"), most)}


def _failed(error: Exception) -> None:
    LOG.warning("没有用上聊天模型来改写问题，改按规则补上前面的问题：%s", error_text(error))
