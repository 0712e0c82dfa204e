"""LangChain's standard tests of retrievers."""

from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_tests.integration_tests import RetrieversIntegrationTests

from youju import KnowledgeBase
from youju.knowledge import FileRecord
from youju.retrievers import (
    BM25Retriever,
    HybridRetriever,
    NgramRetriever,
    OverlapRetriever,
    ParentRetriever,
    VectorRetriever,
)

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
