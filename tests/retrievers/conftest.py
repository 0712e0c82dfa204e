"""Real knowledge bases made from documents, and rankings given by hand."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from langchain_core.callbacks import CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.retrievers import BaseRetriever

from youju import KnowledgeBase, Settings
from youju.knowledge import FileRecord

MakeBase = Callable[..., KnowledgeBase]


class Ranking(BaseRetriever):
    """Returns the documents it was given, whatever the question."""

    found: list[Document]
    asked: list[str]

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        return [document.model_copy(deep=True) for document in self.found]


@pytest.fixture
def ranking() -> Callable[..., Ranking]:
    """Make a retriever with a fixed ranking from ids; the text of a document is its id."""

    def make(*ids: str, **options: Any) -> Ranking:
        return Ranking(found=[Document(id=name, page_content=name) for name in ids], asked=[], **options)

    return make


@pytest.fixture
def make_base(settings: Settings, stub_embeddings: Embeddings) -> MakeBase:
    """Make a knowledge base that holds documents, by their `source`; embeddings of None are the settings' own."""

    def make(documents: Sequence[Document], embeddings: Embeddings | None = stub_embeddings) -> KnowledgeBase:
        by_source: dict[str, list[Document]] = defaultdict(list)
        for document in documents:
            by_source[document.metadata.get("source", "handbook.md")].append(document)
        base = KnowledgeBase.open(settings, embeddings=embeddings)
        with base.writing() as writer:
            for source, chunks in by_source.items():
                writer.put(FileRecord(source, f"/docs/{source}", "/docs", "0"), chunks)
        return base

    return make


@pytest.fixture
def departments() -> list[Document]:
    """One text of the finance department on the matter, twelve on other matters, and five of another department."""
    finance = ["报销须在三十天内提交。", *(f"固定资产第{n}号已盘点。" for n in range(1, 13))]
    staff = [f"报销须在三十天内提交，编号{n}。" for n in range(1, 6)]
    return [Document(page_content=text, metadata={"source": "f.md", "dept": "财务部"}) for text in finance] + [
        Document(page_content=text, metadata={"source": "s.md", "dept": "人事部"}) for text in staff
    ]


class ScriptedChat(BaseChatModel):
    """Writes the replies it was given, one a call, the last one again and again; an exception is raised."""

    replies: list[Any]
    asked: list[str]

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(messages[-1].text)
        if isinstance(reply, Exception):
            raise reply
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=reply))])


@pytest.fixture
def chat() -> Callable[..., ScriptedChat]:
    """Make a chat model from its replies."""

    def make(*replies: Any) -> ScriptedChat:
        return ScriptedChat(replies=list(replies), asked=[])

    return make


@pytest.fixture
def warnings_of(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    """The warnings that the package has logged so far."""
    return lambda: [record.getMessage() for record in caplog.records if record.name == "youju"]
