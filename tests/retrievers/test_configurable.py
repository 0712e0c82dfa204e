"""Options that a call sets by LangChain's configurable fields, in any place of a composition."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import ConfigurableField, RunnableLambda
from langchain_core.runnables.utils import ConfigurableFieldSingleOption

from youju import KnowledgeBase
from youju.chains import build_answer_chain
from youju.errors import SettingsError
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
    RetrievalTracer,
    SelfQueryRetriever,
    ThresholdRetriever,
    VectorRetriever,
)

MakeBase = Callable[..., KnowledgeBase]
K, FILTER, WEIGHTS = (ConfigurableField(id=name) for name in ("k", "filter", "weights"))
QUESTION = "年假有几天"


def calling(**values: Any) -> Any:
    """The configuration of a call that sets fields."""
    return {"configurable": values}


@pytest.fixture
def base(make_base: MakeBase) -> KnowledgeBase:
    """Three documents on leave of each of two tenants."""
    return make_base(
        [
            Document(
                page_content=f"{tenant}的年假有几天，第{n}条。",
                metadata={"source": f"{tenant}{n}.md", "tenant": tenant},
            )
            for tenant in "甲乙"
            for n in (1, 2, 3)
        ]
    )


class Same:
    """A reranker that finds all alike."""

    def score(self, query: str, passages: list[str]) -> list[float]:
        return [0.5 for _ in passages]


def every_kind(base: KnowledgeBase) -> list[BaseRetriever]:
    leg, chat = BM25Retriever(source=base, k=6), RunnableLambda(lambda _: "")
    return [
        leg,
        VectorRetriever(source=base),
        OverlapRetriever(source=base),
        NgramRetriever(source=base),
        HybridRetriever(retrievers=[leg, VectorRetriever(source=base)], weights=[0.5, 0.5]),
        RerankRetriever(retriever=leg, model=Same()),
        MultiQueryRetriever(retriever=leg, chat=chat),
        HydeRetriever(retriever=leg, chat=chat),
        SelfQueryRetriever(retriever=leg, chat=chat, fields={"tenant": {"type": "text"}}),
        CompressRetriever(retriever=leg),
        ParentRetriever(retriever=leg, source=base),
        CurrentRetriever(retriever=leg, source=base),
        ThresholdRetriever(retriever=leg, threshold=0),
    ]


async def test_every_retriever_takes_k_and_filter_from_the_configuration(base: KnowledgeBase) -> None:
    for retriever in every_kind(base):
        opened = retriever.configurable_fields(k=K, filter=FILTER)
        config = calling(k=2, filter={"tenant": "乙"})
        for found in (
            opened.invoke(QUESTION, config),
            await opened.ainvoke(QUESTION, config),
            opened.with_config(configurable={"k": 2, "filter": {"tenant": "乙"}}).invoke(QUESTION),
        ):
            assert [document.metadata["tenant"] for document in found] == ["乙", "乙"], retriever
        assert opened.invoke(QUESTION) == retriever.invoke(QUESTION)
        assert opened.get_name() == retriever.get_name()
        assert {spec.id for spec in opened.config_specs} >= {"k", "filter"}


async def test_weights_are_set_at_call_time(ranking: Any) -> None:
    hybrid = HybridRetriever(retrievers=[ranking("a", "b"), ranking("b", "a")], weights=[0.9, 0.1])
    opened = hybrid.configurable_fields(weights=WEIGHTS)
    assert [document.id for document in opened.invoke("问")] == ["a", "b"]
    assert [document.id for document in opened.invoke("问", calling(weights=[0.1, 0.9]))] == ["b", "a"]
    assert [document.id for document in await opened.ainvoke("问", calling(weights=[0.1, 0.9]))] == ["b", "a"]
    assert [document.id for document in opened.invoke("问", calling(weights=[0, 1]))] == ["b", "a"]
    assert [document.id for document in hybrid.invoke("问")] == ["a", "b"]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"k": 0}, "调用时给的设置 k 不能用：k 必须是大于 0 的整数，不能是 0"),
        ({"k": None}, "调用时给的设置 k 不能用：k 必须是大于 0 的整数，不能是 None"),
        ({"k": True}, "调用时给的设置 k 不能用：k 必须是大于 0 的整数，不能是 True"),
        ({"k": "三"}, "调用时给的设置 k 不能用：k 必须是大于 0 的整数，不能是 '三'"),
        ({"filter": "乙"}, "调用时给的设置 filter 不能用：过滤条件要写成字典"),
        ({"filter": {"n": {"$near": 3}}}, "调用时给的设置 filter 不能用：过滤条件 n 里没有 \\$near"),
        ({"filter": {"n": None}}, "调用时给的设置 filter 不能用：过滤条件 n 不能和空值（null）比较"),
        ({"weights": [1]}, "有 2 路检索，却给了 1 个 weight"),
        ({"weights": [0, 0]}, "weight 要是不小于 0 的数，也不能全是 0"),
        ({"weights": ["重", "轻"]}, "weight 要是不小于 0 的数，也不能全是 0：\\['重', '轻'\\]"),
        ({"k": 2, "weights": {"bm25": 1, "vector": 1}}, "调用时给的设置 k、weights 不能用：weights 要写成列表"),
        ({"weights": 5}, "调用时给的设置 weights 不能用：weights 要写成列表"),
    ],
)
def test_a_value_that_cannot_be_is_refused_by_name(ranking: Any, values: dict[str, Any], message: str) -> None:
    hybrid = HybridRetriever(retrievers=[ranking("a"), ranking("b")], weights=[0.5, 0.5])
    opened = hybrid.configurable_fields(k=K, filter=FILTER, weights=WEIGHTS)
    with pytest.raises(SettingsError, match=message):
        opened.invoke("问", calling(**values))


def test_any_field_can_be_opened_and_is_checked_as_when_it_is_built(base: KnowledgeBase) -> None:
    found = ThresholdRetriever(retriever=VectorRetriever(source=base, k=6), threshold=-1, k=6)
    opened = found.configurable_fields(threshold=ConfigurableField(id="least"))
    assert len(opened.invoke(QUESTION)) == 6
    assert opened.invoke(QUESTION, calling(least=1.01)) == []
    mmr = VectorRetriever(source=base).configurable_fields(lambda_mult=ConfigurableField(id="variety"))
    with pytest.raises(SettingsError, match="调用时给的设置 variety 不能用：不能大于 1"):
        mmr.invoke(QUESTION, calling(variety=2))


def test_a_choice_among_options_is_taken_by_its_name(base: KnowledgeBase) -> None:
    few = ConfigurableFieldSingleOption(id="k", options={"few": 2, "many": 6}, default="few")
    opened = BM25Retriever(source=base).configurable_fields(k=few)
    assert [len(opened.invoke(QUESTION, call)) for call in ({}, calling(k="many"))] == [2, 6]


def test_a_field_that_the_retriever_lacks_is_refused_when_it_is_opened(base: KnowledgeBase) -> None:
    with pytest.raises(SettingsError, match=r"BM25Retriever 没有 weights 这个选项；有：.*filter"):
        BM25Retriever(source=base).configurable_fields(weights=WEIGHTS)


def test_a_field_that_was_not_opened_stays_as_it_was_built(base: KnowledgeBase) -> None:
    fixed = BM25Retriever(source=base, k=6, filter={"tenant": "甲"})
    for retriever in (fixed, fixed.configurable_fields(k=K)):
        found = retriever.invoke(QUESTION, calling(filter={"tenant": "乙"}))
        assert {document.metadata["tenant"] for document in found} == {"甲"}


@pytest.mark.parametrize("call", [{"tenant": "乙"}, {}, None, {"tenant": {"$in": ["甲", "乙"]}}], ids=str)
def test_an_opened_filter_only_narrows_the_one_that_was_built(base: KnowledgeBase, call: Any) -> None:
    opened = BM25Retriever(source=base, k=6, filter={"tenant": "甲"}).configurable_fields(filter=FILTER)
    found = opened.invoke(QUESTION, calling(filter=call))
    assert {document.metadata["tenant"] for document in found} == (set() if call == {"tenant": "乙"} else {"甲"})


async def test_an_opened_filter_of_a_leg_does_not_widen_what_holds_above_it(base: KnowledgeBase) -> None:
    leg = BM25Retriever(source=base, k=6).configurable_fields(filter=FILTER)
    hybrid = HybridRetriever(
        retrievers=[leg, VectorRetriever(source=base, k=6)], weights=[1, 0], filter={"tenant": "甲"}
    )
    outer = RerankRetriever(retriever=hybrid, model=Same())
    for retriever in (hybrid, outer):
        assert retriever.invoke(QUESTION, calling(filter={"tenant": "乙"})) == []
        assert await retriever.ainvoke(QUESTION, calling(filter={"tenant": "乙"})) == []
        assert len(retriever.invoke(QUESTION, calling(filter={"source": "甲1.md"}))) == 1
        assert len(retriever.invoke(QUESTION)) == 3


def test_a_filter_that_was_bound_to_a_leg_holds_beside_the_calls(base: KnowledgeBase) -> None:
    bound: Any = BM25Retriever(source=base, k=6).bind(filter={"tenant": "甲"})
    for retriever in (
        HybridRetriever(retrievers=[bound], weights=[1]),
        RerankRetriever(retriever=bound, model=Same(), k=6),
    ):
        found = retriever.invoke(QUESTION, filter={"source": {"$in": ["甲1.md", "乙1.md"]}})
        assert [document.metadata["source"] for document in found] == ["甲1.md"]
        assert {document.metadata["tenant"] for document in retriever.invoke(QUESTION)} == {"甲"}


class Deep:
    """A configured leg inside a hybrid inside a reranker, and how many documents the leg found at each call."""

    def __init__(self, base: KnowledgeBase) -> None:
        leg = BM25Retriever(source=base, k=6).configurable_fields(k=ConfigurableField(id="words_k"))
        hybrid = HybridRetriever(retrievers=[leg, VectorRetriever(source=base, k=1)], weights=[0.5, 0.5], k=6)
        self.retriever = RerankRetriever(retriever=hybrid, model=Same(), k=6)

    async def found_by_the_leg(self, config: Any, *, awaited: bool) -> int:
        tracer = RetrievalTracer()
        config = {**config, "callbacks": [tracer]}
        await self.retriever.ainvoke(QUESTION, config) if awaited else self.retriever.invoke(QUESTION, config)
        [leg] = [stage for stage in tracer.traces()[0].stages() if stage.kind == "bm25"]
        assert (leg.name, leg.tags, leg.k) == ("bm25", ["bm25"], len(leg.returned))
        return len(leg.returned)


async def test_a_configured_leg_is_reached_through_everything_above_it(base: KnowledgeBase) -> None:
    deep = Deep(base)
    for awaited in (False, True):
        assert await deep.found_by_the_leg({}, awaited=awaited) == 6
        assert await deep.found_by_the_leg(calling(words_k=2), awaited=awaited) == 2
        bound = deep.retriever.with_config(configurable={"words_k": 3})
        found = await bound.ainvoke(QUESTION) if awaited else bound.invoke(QUESTION)
        assert len([d for d in found if "bm25" in d.metadata["ranks"]]) == 3
    assert {spec.id for spec in deep.retriever.config_specs} == {"words_k"}


async def test_each_question_of_a_batch_has_its_own_values(base: KnowledgeBase) -> None:
    deep = Deep(base).retriever
    configs = [calling(words_k=n) for n in (1, 2, 4)]
    for found in (
        deep.batch([QUESTION] * 3, configs),
        await deep.abatch([QUESTION] * 3, configs),
        await asyncio.gather(*(deep.ainvoke(QUESTION, config) for config in configs)),
    ):
        by_words = [[d for d in documents if "bm25" in d.metadata["ranks"]] for documents in found]
        assert [len(documents) for documents in by_words] == [1, 2, 4]


def test_a_chain_hands_its_configuration_to_a_configured_leg(base: KnowledgeBase) -> None:
    chain = RunnableLambda(lambda question: f"{question}？") | Deep(base).retriever
    found = chain.invoke(QUESTION, calling(words_k=2))
    assert len([d for d in found if "bm25" in d.metadata["ranks"]]) == 2


def test_a_reranker_asks_for_as_many_as_its_base_is_set_to_at_the_call(base: KnowledgeBase) -> None:
    class Counting(Same):
        seen: list[int] = []  # noqa: RUF012 - one object, one test

        def score(self, query: str, passages: list[str]) -> list[float]:
            self.seen.append(len(passages))
            return super().score(query, passages)

    leg = BM25Retriever(source=base, k=2).configurable_fields(k=K)
    retriever = RerankRetriever(retriever=leg, model=Counting(), k=1)
    assert len(retriever.invoke(QUESTION)) == len(retriever.invoke(QUESTION, calling(k=5))) == 1
    assert Counting.seen == [2, 5]


def test_what_a_retriever_has_worked_out_is_kept(base: KnowledgeBase) -> None:
    class Listed:
        times = 0

        def documents(self, conditions: Any = None) -> list[Document]:
            self.times += 1
            return base.documents(conditions)

        def version(self) -> Any:
            return base.version()

    for kind in (OverlapRetriever, NgramRetriever):
        listed = Listed()
        opened = kind(source=listed).configurable_fields(k=K)
        assert [len(opened.invoke(QUESTION, calling(k=n))) for n in (1, 2, 3)] == [1, 2, 3]
        assert listed.times == 1


def test_a_runnable_of_any_make_may_be_wrapped_and_is_refused_once_there_is_a_filter() -> None:
    found = [Document(id=name, page_content=name) for name in "ab"]
    retriever = RerankRetriever(retriever=RunnableLambda(lambda _: found), model=Same(), k=1)
    assert [document.id for document in retriever.invoke("问")] == ["a"]
    with pytest.raises(SettingsError, match="不支持过滤条件"):
        retriever.invoke("问", filter={"tenant": "甲"})


def test_a_configured_retriever_stands_in_an_answer_chain_and_no_filter_widens_it(
    base: KnowledgeBase, chat: Any
) -> None:
    plain = BM25Retriever(source=base, k=6)
    opened = plain.configurable_fields(k=K)
    chain = build_answer_chain(opened, chat=chat("有年假[资料1]。"))
    assert len(chain.invoke(QUESTION, calling(k=2)).evidence) == 2
    assert len(chain.invoke({"question": QUESTION, "filter": {"tenant": "乙"}}).evidence) == 3
    bound: Any = plain.bind(filter={"tenant": "甲"})
    chain = build_answer_chain(bound, chat=chat("有年假[资料1]。"))
    only = {"source": {"$in": ["甲1.md", "乙1.md"]}}
    assert [block.source for block in chain.invoke({"question": QUESTION, "filter": only}).evidence] == ["甲1.md"]
    assert len(chain.invoke(QUESTION).evidence) == 3


async def test_a_bound_filter_holds_beside_those_of_calls_and_other_bound_ones(base: KnowledgeBase) -> None:
    leg = BM25Retriever(source=base, k=6)
    opened = leg.configurable_fields(filter=ConfigurableField(id="filter"))
    first, everyone = {"source": {"$in": ["甲1.md", "乙1.md"]}}, {"tenant": {"$in": ["甲", "乙"]}}
    retrievers: list[Any] = [
        leg.bind(filter={"tenant": "甲"}),
        leg.bind(filter={"tenant": "甲"}).bind(filter=everyone),
        leg.bind(k=6).bind(filter={"tenant": "甲"}),
        leg.with_config(tags=["x"]).bind(filter={"tenant": "甲"}).with_config(tags=["y"]),
        opened.bind(filter={"tenant": "甲"}).with_config(configurable={"filter": everyone}),
    ]
    for retriever in retrievers:
        assert [document.metadata["source"] for document in retriever.invoke(QUESTION, filter=first)] == ["甲1.md"]
        assert {document.metadata["tenant"] for document in await retriever.ainvoke(QUESTION)} == {"甲"}
        [found] = retriever.batch([QUESTION], filter={"tenant": "乙"})
        assert found == []


def test_an_alternative_or_fallback_that_cannot_filter_is_refused_once_there_is_a_filter(
    base: KnowledgeBase, ranking: Any
) -> None:
    class Failing(BM25Retriever):
        def find(self, query: str, limit: int, conditions: Any) -> list[Document]:
            raise RuntimeError(query)

    other, which, words = ranking("x"), ConfigurableField(id="which"), BM25Retriever(source=base, k=6)
    chosen: Any = words.configurable_alternatives(which, default_key="words", other=other)
    saved: Any = Failing(source=base).with_fallbacks([other])
    for leg, config in ((chosen, calling(which="other")), (saved, calling())):
        for retriever in (
            RerankRetriever(retriever=leg, model=Same()),
            HybridRetriever(retrievers=[leg, words], weights=[0.9, 0.1]),
        ):
            assert retriever.invoke(QUESTION, config)[0].id == "x"
            with pytest.raises(SettingsError, match="不支持过滤条件"):
                retriever.invoke(QUESTION, config, filter={"tenant": "甲"})
    found = RerankRetriever(retriever=chosen, model=Same()).invoke(QUESTION, filter={"tenant": "甲"})
    assert {document.metadata["tenant"] for document in found} == {"甲"}
    tenant: Any = Failing(source=base).with_fallbacks([words.bind(filter={"tenant": "甲"})])
    found = RerankRetriever(retriever=tenant, model=Same()).invoke(QUESTION, filter={"source": "乙1.md"})
    assert found == []
