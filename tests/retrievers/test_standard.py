"""LangChain's standard tests of retrievers."""

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_tests.integration_tests import RetrieversIntegrationTests

from youju import KnowledgeBase
from youju.knowledge import FileRecord
from youju.retrievers import (
    BM25Retriever,
    CompressRetriever,
    CurrentRetriever,
    HybridRetriever,
    HydeRetriever,
    MultiQueryRetriever,
    NgramRetriever,
    OverlapRetriever,
    ParentRetriever,
    RerankRetriever,
    SelfQueryRetriever,
    ThresholdRetriever,
    VectorRetriever,
)
from youju.settings import FieldSettings

TEXTS = ["年假为十天", "年假可以结转", "年假须提前申请", "年假由主管审批"]


class _Standard(RetrieversIntegrationTests):
    base: KnowledgeBase

    @pytest.fixture(autouse=True)
    def _with_base(self, settings: Any, stub_embeddings: Any) -> None:
        type(self).base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
        with self.base.writing() as writer:
            writer.put(FileRecord("a.md", "/a.md", "/", "0"), [Document(page_content=text) for text in TEXTS])

    @property
    def retriever_query_example(self) -> str:
        return "年假"

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"source": self.base}


class TestBM25Retriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return BM25Retriever


class TestVectorRetriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return VectorRetriever


class TestOverlapRetriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return OverlapRetriever


class TestNgramRetriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return NgramRetriever


class TestHybridRetriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return HybridRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        legs = [BM25Retriever(source=self.base), VectorRetriever(source=self.base)]
        return {"retrievers": legs, "weights": [0.6, 0.4]}


class TestParentRetriever(_Standard):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return ParentRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"source": self.base, "retriever": BM25Retriever(source=self.base)}


class _Around(_Standard):
    """A transformer over keyword search."""

    more: Any = {}  # noqa: RUF012 - replaced, never changed

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"retriever": BM25Retriever(source=self.base), **self.more}


class Longer:
    """Scores a passage by its length."""

    def score(self, query: str, passages: list[str]) -> list[float]:
        return [len(passage) / 100 for passage in passages]


class TestCompressRetriever(_Around):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return CompressRetriever


class TestThresholdRetriever(_Around):
    more: Any = {"threshold": 0.0}  # noqa: RUF012 - as above

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return ThresholdRetriever


class TestRerankRetriever(_Around):
    more: Any = {"model": Longer()}  # noqa: RUF012 - as above

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return RerankRetriever


class TestCurrentRetriever(_Around):
    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return CurrentRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"source": self.base, "retriever": BM25Retriever(source=self.base)}


class TestMultiQueryRetriever(_Around):
    more: Any = {"chat": RunnableLambda(lambda _: "年假规定\n休假")}  # noqa: RUF012 - as above

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return MultiQueryRetriever


class TestHydeRetriever(_Around):
    more: Any = {"chat": RunnableLambda(lambda _: "年假为三十天。")}  # noqa: RUF012 - as above

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return HydeRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"retriever": VectorRetriever(source=self.base), **self.more}


class TestSelfQueryRetriever(_Around):
    more: Any = {  # noqa: RUF012 - as above
        "chat": RunnableLambda(lambda _: '{"query": "年假", "filter": {"source": {"$ne": "b.md"}}}'),
        "fields": {"source": FieldSettings(type="text")},
    }

    @property
    def retriever_constructor(self) -> type[BaseRetriever]:
        return SelfQueryRetriever
