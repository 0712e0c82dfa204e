"""What is searched for a question in a conversation: the question in words that can be understood alone."""

import logging
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, convert_to_messages

from youju.chains.claims import without_marks
from youju.chains.history import turns
from youju.chains.marks import canonical, harmless
from youju.errors import QuestionError
from youju.models import check_reply, without_thinking
from youju.models.keys import hide_keys
from youju.models.question_context import depends, refers, word_characters
from youju.prompts import in_language, language
from youju.retrievers.multi_query import wordings

LOG = logging.getLogger("youju")
_SPEAKERS = {"zh": {"human": "用户：", "ai": "助手："}, "en": {"human": "User: ", "ai": "Assistant: "}}
_MOST_QUESTIONS = 3


def read_history(given: Any, most: int) -> list[BaseMessage]:
    """What was asked and answered before, as a model may see it: the newest turns, without marks and thoughts.

    Args:
        given: Messages, or what LangChain turns into messages, oldest first; None for none.
        most: Most characters of all texts together. Older turns are left out, and so is the beginning of the newest if
            it alone is longer.

    Raises:
        QuestionError: It is no list of messages.
    """
    refused = QuestionError(
        'history 要是消息的列表：HumanMessage、AIMessage，或 ("human", 文字)、("ai", 文字)，从早到晚'
    )
    if not isinstance(given, Sequence | None) or isinstance(given, str):
        raise refused
    try:
        messages = convert_to_messages(given or [])
    except (TypeError, ValueError, NotImplementedError) as error:
        raise refused from error
    plain = [message.model_copy(update={"content": without_thinking(message.text)}) for message in messages]
    kept: list[BaseMessage] = []
    for message in reversed(turns(plain)):
        size = len(message.text)
        if size > most and not kept and most > 1:
            kept.append(message.model_copy(update={"content": "…" + message.text[size - most + 1 :]}))
        if size > most:
            break
        most -= size
        kept.append(message)
    return kept[::-1]


def condense_prompt(question: str, history: Sequence[BaseMessage]) -> list[BaseMessage]:
    """What a chat model is asked, to put a question into words that can be understood alone."""
    spoken = language(question)
    said = "\n".join(f"{_SPEAKERS[spoken][message.type]}{' '.join(message.text.split())}" for message in history)
    prompt = in_language("condense.human", spoken).format(history=said, question=harmless(question))
    return [HumanMessage(prompt)]


def condensed(reply: Any, question: str, name: str) -> str:
    """The question that a chat model wrote; empty, if it copied the question, or wrote nothing that can be used.

    Of the latter a warning tells.

    Raises:
        ModelError: The reply is cut off, refused or empty.
    """
    if isinstance(reply, BaseMessage):
        check_reply(reply, name)
    text = hide_keys(without_thinking(reply.text if isinstance(reply, BaseMessage) else str(reply))).strip()
    found = next(iter(wordings(without_marks(canonical(text)), question)), "")
    if not found and word_characters(text) != word_characters(question):
        LOG.warning("模型没有把问题改写成可以单独检索的话，改按规则补上前面的问题")
    return found


def to_search(question: str, history: Sequence[BaseMessage], found: str) -> str:
    """What is searched: the question that a model wrote, unless it wrote none or still refers to something."""
    return found if found and not refers(found) else joined(found or question, history)


def joined(question: str, history: Sequence[BaseMessage]) -> str:
    """The question behind those before it that it needs, as a rule has it; itself, if it needs none.

    It needs the one before if it refers to something (它、这个、那…呢), or has no more than four letters and Han
    characters; and that one may need the one before it.
    """
    needed = [question]
    earlier = [message.text for message in history if message.type == "human"]
    while earlier and len(needed) < _MOST_QUESTIONS and depends(needed[-1]):
        needed.append(earlier.pop())
    return " ".join(reversed(needed))
