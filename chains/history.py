"""What was said before, as a model may see it."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from youju.chains.claims import without_marks
from youju.chains.marks import canonical, harmless


def turns(history: Sequence[BaseMessage] | None) -> list[BaseMessage]:
    """The turns of a conversation for the prompt of the next answer.

    Marks of earlier answers are taken out: their numbers named other evidence. What else looks like a mark or a block
    is made harmless, as in documents.
    """
    found: list[BaseMessage] = []
    for message in history or ():
        text = harmless(without_marks(canonical(message.text))).strip()
        kind: Any = {"human": HumanMessage, "ai": AIMessage}.get(message.type)
        if kind is not None and text:
            found.append(kind(text))
    return found
