"""What can be shown of an answer while the model still writes it."""

from collections.abc import Iterator
from typing import Any, cast

from langchain_core.messages import AIMessageChunk, BaseMessage

from youju.chains.marks import canonical, unfinished
from youju.chains.refusal import Found
from youju.chains.result import CitedAnswer
from youju.models.keys import KeyFilter
from youju.models.thinking import ThinkingFilter
from youju.settings import Thinking


class Draft:
    """The part of a streamed answer that can be shown."""

    def __init__(self, found: Found, thinking: Thinking) -> None:
        """Take what was found, and what becomes of thinking blocks."""
        self._thoughts = ThinkingFilter(thinking)
        self._keys = KeyFilter()
        self.text = ""
        self._open = ""  # the end of the text, which may be the beginning of a mark
        self._chunks: list[AIMessageChunk] = []
        self._metadata: dict[str, Any] = {}
        self._answer = CitedAnswer.model_construct(
            status="streaming",
            question=found.question,
            answer="",
            evidence=found.evidence,
            retrieved_count=len(found.documents),
        )

    @property
    def shows_thoughts(self) -> bool:
        """Whether thoughts have been shown, because only their closing tag came."""
        return self._thoughts.late

    @property
    def reply(self) -> BaseMessage:
        """All pieces as one message."""
        whole = AIMessageChunk(content="") + self._chunks
        whole.response_metadata = {**whole.response_metadata, **self._metadata}
        return cast("BaseMessage", whole)

    def add(self, piece: BaseMessage) -> Iterator[CitedAnswer]:
        """Take a piece; yield the answer if there is more of it to show."""
        self._chunks.append(_chunk(piece))
        if not isinstance(piece, AIMessageChunk):  # whole messages repeat their metadata, which would be joined as text
            self._metadata |= piece.response_metadata
        return self._show(self._keys.feed(self._thoughts.feed(piece.text)))

    def rest(self) -> Iterator[CitedAnswer]:
        """What was held back because it looked like the beginning of a mark."""
        return self._show(self._keys.feed(self._thoughts.rest()) + self._keys.rest(), last=True)

    def _show(self, said: str, *, last: bool = False) -> Iterator[CitedAnswer]:
        self.text += said
        text = self._open + said
        end = len(text) if last else unfinished(text)
        self._open = text[end:]
        if end:
            shown = self._answer.answer + canonical(text[:end])
            self._answer = self._answer.model_copy(update={"answer": shown})
            yield self._answer


def _chunk(piece: BaseMessage) -> AIMessageChunk:
    if isinstance(piece, AIMessageChunk):
        return piece
    return AIMessageChunk(
        content=piece.content,
        additional_kwargs=piece.additional_kwargs,
        usage_metadata=getattr(piece, "usage_metadata", None),
    )
