"""Scripted models, real knowledge bases and fixed retrievers for chains."""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.retrievers import BaseRetriever
from pydantic import Field

from youju import KnowledgeBase, Settings
from youju.knowledge import FileRecord


class ScriptedModel(BaseChatModel):
    """Says its replies one after the other, and remembers what it was sent.

    Attributes:
        replies: What it says; a list of pieces is streamed in these pieces, an exception is raised.
        prompts: The messages of every call.
        events: Each piece as it leaves the model, and `closed` when a stream has ended or was ended.
        metadata: `response_metadata` of every reply.
    """

    replies: list[Any]
    prompts: list[list[BaseMessage]] = Field(default_factory=list)
    events: list[str] = Field(default_factory=list)
    metadata: dict[str, Any] = Field(default_factory=dict)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _pieces(self, messages: list[BaseMessage]) -> list[str]:
        self.prompts.append(messages)
        reply = self.replies[len(self.prompts) - 1]
        if isinstance(reply, BaseException):
            raise reply
        return [reply] if isinstance(reply, str) else list(reply)

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        text = "".join(self._pieces(messages))
        usage = {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12}
        message = AIMessage(text, response_metadata=self.metadata, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(self, messages: list[BaseMessage], *args: Any, **options: Any) -> Iterator[ChatGenerationChunk]:
        try:
            for piece in self._pieces(messages):
                self.events.append(piece)
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece, response_metadata=self.metadata))
        finally:
            self.events.append("closed")

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **options: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages):
            yield chunk


class Fixed(BaseRetriever):
    """Returns the documents it was given, whatever the question."""

    found: list[Document]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        return [document.model_copy(deep=True) for document in self.found]


@pytest.fixture
def scripted() -> Callable[..., ScriptedModel]:
    """Make a model that says these replies."""
    return lambda *replies, **options: ScriptedModel(replies=list(replies), **options)


@pytest.fixture
def fixed() -> Callable[..., Fixed]:
    """Make a retriever that finds these texts or documents."""

    def make(*found: str | Document) -> Fixed:
        documents = [
            Document(id=f"d{n}", page_content=one, metadata={"source": f"{n}.md", "location": f"{n}.md"})
            if isinstance(one, str)
            else one
            for n, one in enumerate(found, start=1)
        ]
        return Fixed(found=documents)

    return make


@pytest.fixture
def base(settings: Settings, stub_embeddings: Embeddings) -> Iterator[KnowledgeBase]:
    """A base that is empty, with the stub embedding model."""
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    yield base
    base.close()


@pytest.fixture
def make_base(settings: Settings, stub_embeddings: Embeddings) -> Callable[..., KnowledgeBase]:
    """Make a knowledge base of one file from its chunks; embeddings of None are the settings' own."""

    def make(chunks: Sequence[Document], embeddings: Embeddings | None = stub_embeddings) -> KnowledgeBase:
        base = KnowledgeBase.open(settings, embeddings=embeddings)
        with base.writing() as writer:
            writer.put(FileRecord("policy.pdf", "/docs/policy.pdf", "/docs", "0"), chunks)
        return base

    return make
