"""An imagined passage: which leg gets it, and how."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase
from youju.chains import build_answer_chain
from youju.retrievers import BM25Retriever, HybridRetriever, HydeRetriever, RerankRetriever, VectorRetriever

MakeBase = Callable[..., KnowledgeBase]
PASSAGE = "根据规定年假为三十天。"
TEXTS = ["年假几天由工龄决定", "年假为三十天。", "食堂周日休息"]


class Listening(BM25Retriever):
    """Keyword search that notes what it was asked."""

    asked: list[str]

    def invoke(self, input: str, *args: Any, **options: Any) -> list[Document]:  # noqa: A002 - LangChain's name
        self.asked.append(input)
        return super().invoke(input, *args, **options)

    async def ainvoke(self, input: str, *args: Any, **options: Any) -> list[Document]:  # noqa: A002 - as above
        self.asked.append(input)
        return await super().ainvoke(input, *args, **options)


class Even:
    """A reranker that finds everything equally good and notes what it read."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, query: str, passages: list[str]) -> list[float]:
        self.asked.append(query)
        return [0.5] * len(passages)


@pytest.fixture
def base(make_base: MakeBase) -> KnowledgeBase:
    return make_base([Document(page_content=text) for text in TEXTS])


async def test_only_vector_search_gets_the_passage_and_embeds_it_as_a_passage(
    base: KnowledgeBase, chat: Any, stub_embeddings: Any
) -> None:
    keywords, model = Listening(source=base, asked=[]), Even()
    hybrid = HybridRetriever(retrievers=[keywords, VectorRetriever(source=base)], weights=[0.5, 0.5], k=3)
    below = RerankRetriever(retriever=hybrid, model=model)
    retriever = RerankRetriever(retriever=HydeRetriever(retriever=below, chat=chat(PASSAGE)), model=model)
    answering = chat("年假为三十天[资料1]。")
    chain = build_answer_chain(retriever, base.settings, chat=answering)
    for ask in (chain.invoke, None):
        stub_embeddings.texts.clear()
        stub_embeddings.queries.clear()
        if ask is None:
            await chain.ainvoke("年假几天")
        else:
            ask("年假几天")
        assert stub_embeddings.queries == ["年假几天"]
        assert stub_embeddings.texts == [PASSAGE]
    assert set(keywords.asked) == set(model.asked) == {"年假几天"}
    assert "根据规定" not in "".join(answering.asked)
    assert answering.asked[0].endswith("问题：年假几天")


def test_the_passage_brings_near_what_the_question_does_not(base: KnowledgeBase, chat: Any) -> None:
    vector = VectorRetriever(source=base, k=1)
    assert [hit.page_content for hit in vector.invoke("年假几天")] == [TEXTS[0]]
    found = HydeRetriever(retriever=vector, chat=chat(PASSAGE), k=2).invoke("年假几天", k=1)
    assert [hit.page_content for hit in found] == [TEXTS[0]]
    assert found[0].metadata["similarity"] == vector.invoke("年假几天")[0].metadata["score"]  # to the question
    both = HydeRetriever(retriever=VectorRetriever(source=base), chat=chat(PASSAGE), k=3).invoke("年假几天")
    ranks = {hit.page_content: hit.metadata["ranks"] for hit in both}
    assert ranks[TEXTS[0]]["question"] == 1
    assert ranks[TEXTS[1]]["imagined"] == 1
    assert both[0].metadata["score"] == pytest.approx(
        0.5 / (60 + both[0].metadata["ranks"]["question"]) + 0.5 / (60 + both[0].metadata["ranks"]["imagined"])
    )


@pytest.mark.parametrize("reply", ["", "  ", RuntimeError("down"), "<think>年假"])
async def test_without_a_passage_it_is_plain_search(
    reply: Any, base: KnowledgeBase, chat: Any, stub_embeddings: Any
) -> None:
    vector = VectorRetriever(source=base)
    plain = vector.invoke("年假几天")
    stub_embeddings.texts.clear()
    retriever = HydeRetriever(retriever=vector, chat=chat(reply))
    assert retriever.invoke("年假几天") == await retriever.ainvoke("年假几天") == plain
    assert stub_embeddings.texts == []


def test_the_passage_reaches_a_leg_that_runs_in_a_thread_of_its_own(
    base: KnowledgeBase, chat: Any, stub_embeddings: Any
) -> None:
    legs = [VectorRetriever(source=base), BM25Retriever(source=base), BM25Retriever(source=base)]
    stub_embeddings.texts.clear()
    HydeRetriever(retriever=HybridRetriever(retrievers=legs, weights=[1, 1, 1]), chat=chat(PASSAGE)).invoke("年假几天")
    assert (stub_embeddings.texts, stub_embeddings.queries[-1:]) == ([PASSAGE], ["年假几天"])


def test_after_a_search_the_question_is_embedded_again(base: KnowledgeBase, chat: Any, stub_embeddings: Any) -> None:
    vector = VectorRetriever(source=base)
    before = vector.invoke("年假几天")
    HydeRetriever(retriever=vector, chat=chat(PASSAGE)).invoke("年假几天")
    assert vector.invoke("年假几天") == before


def test_filters_below_hold_for_the_passage_too(make_base: MakeBase, chat: Any) -> None:
    base = make_base(
        [Document(page_content=text, metadata={"source": f"{n}.md", "n": n}) for n, text in enumerate(TEXTS)]
    )
    inner = VectorRetriever(source=base, filter={"n": {"$ne": 1}})
    found = HydeRetriever(retriever=inner, chat=chat(PASSAGE)).invoke("年假几天", filter={"n": {"$ne": 2}})
    assert [hit.page_content for hit in found] == [TEXTS[0]]


def test_a_source_without_vectors_of_its_own_is_searched_with_the_question(chat: Any) -> None:
    class Source:
        asked: list[str] = []  # noqa: RUF012 - one object, one test

        def vector_search(self, query: str, **options: Any) -> list[Document]:
            self.asked.append(query)
            return [Document(id="1", page_content="甲", metadata={"score": 1.0})]

    leg = VectorRetriever(source=Source())
    assert len(HydeRetriever(retriever=leg, chat=chat(PASSAGE)).invoke("年假几天")) == 1
    assert Source.asked == ["年假几天", "年假几天"]
