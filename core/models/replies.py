"""A model's reply as a message, and whether it is a whole answer."""

import re
from collections.abc import Iterator
from typing import Any

from langchain_core.messages import AIMessageChunk, BaseMessage

from youju.errors import AnswerCutOffError, EmptyAnswerError, ModelError, ModelRefusalError, ModelUnavailableError
from youju.models.failures import CUT_OFF, EMPTY, REFUSED, STOPPED

# Searched for inside the value, not compared with it: providers write length, MAX_TOKENS, FinishReason.SAFETY, and the
# sum of streamed chunks repeats a reason that came twice ("lengthlength").
_CUT_OFF = re.compile(r"length|max_?(?:output_?|new_?)?tokens|context_window", re.IGNORECASE)
_REFUSED = re.compile(
    r"content_?filter|safety|refusal|recitation|blocklist|prohibited|spii|guardrail|sensitive|toxic", re.IGNORECASE
)
_BROKEN = re.compile(r"error|insufficient_system_resource", re.IGNORECASE)


def as_message(reply: Any) -> BaseMessage:
    """What a chat model, or another runnable in its place, said, as a message.

    Raises:
        ModelError: It is neither a message nor text.
    """
    if isinstance(reply, BaseMessage):
        return reply
    if isinstance(reply, str):
        return AIMessageChunk(content=reply)
    raise ModelError(f"模型要返回一条消息或一段文字，现在返回的是 {type(reply).__name__}：请检查作为 chat 传入的组件")


def check_reply(message: BaseMessage, name: str) -> None:
    """Refuse a reply that is cut off, refused, broken off or empty.

    Args:
        message: The reply, or the sum of the chunks of a streamed one.
        name: The model as the settings name it.

    Raises:
        AnswerCutOffError: The reply stopped at its length limit.
        ModelRefusalError: The model or a content filter refused.
        ModelUnavailableError: The service stopped in the middle of the reply.
        EmptyAnswerError: There is no text, or nothing but thoughts.
    """
    reasons = " ".join(_reasons(message))
    if _REFUSED.search(reasons) or _refusal(message):
        raise ModelRefusalError(REFUSED.format(name=name))
    if _CUT_OFF.search(reasons):
        raise AnswerCutOffError(CUT_OFF.format(name=name))
    if _BROKEN.search(reasons):
        raise ModelUnavailableError(STOPPED.format(name=name))
    if not any(character.isprintable() and not character.isspace() for character in message.text):
        raise EmptyAnswerError(EMPTY.format(name=name))
    if _is_open(message) and not reasons:
        raise ModelUnavailableError(STOPPED.format(name=name))


def _is_open(message: BaseMessage) -> bool:
    """Whether a streamed reply of a server that speaks OpenAI's protocol, which says how a reply ends, has no end."""
    metadata = message.response_metadata
    streamed = isinstance(message, AIMessageChunk) and metadata.get("model_provider") == "openai"
    return streamed and not metadata.get("status")  # as the Responses API calls it


def _reasons(message: BaseMessage) -> Iterator[str]:
    """Why the reply ended, under the names the providers use."""
    metadata: dict[str, Any] = message.response_metadata
    for key in ("finish_reason", "stop_reason", "stopReason", "done_reason"):
        if metadata.get(key):
            yield str(metadata[key])
    details = metadata.get("incomplete_details")
    if isinstance(details, dict) and details.get("reason"):
        yield str(details["reason"])


def _refusal(message: BaseMessage) -> bool:
    """Whether the refusal is given as a text of its own in place of an answer."""
    blocks = message.content if isinstance(message.content, list) else []
    return bool(message.additional_kwargs.get("refusal")) or any(
        isinstance(block, dict) and block.get("type") == "refusal" for block in blocks
    )
