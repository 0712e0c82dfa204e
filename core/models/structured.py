"""Chat models held to a form of JSON by their provider, where it can do so."""

import json
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableLambda


def with_json(model: Runnable[Any, Any], schema: dict[str, Any]) -> Runnable[Any, AIMessage] | None:
    """A model whose replies are JSON of a form, as text, whatever way its provider has for it.

    Nothing is promised about the text: providers differ in how far they hold a model to the form, so it is to be
    checked like any other reply.

    Args:
        model: Any chat model.
        schema: JSON Schema with a `title`.

    Returns:
        The model; None if LangChain knows no such way for it.
    """
    if not isinstance(model, BaseChatModel):
        return None
    try:
        structured = model.with_structured_output(schema, include_raw=True)
    except NotImplementedError:  # what LangChain raises for a model that cannot
        return None
    as_text: Runnable[Any, AIMessage] = RunnableLambda(_as_text, name="json_text")
    return structured | as_text


def _as_text(reply: Any) -> AIMessage:
    """The model's own message, with the arguments of its tool call as the text where it wrote them so."""
    message: AIMessage = reply["raw"]
    calls = [*message.tool_calls, *message.invalid_tool_calls]
    if message.text.strip() or not calls:
        return message
    given = calls[0]["args"]
    text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
    return message.model_copy(update={"content": text})
