"""Trees of retrievers: built from settings, named in traces, and never outside the caller's filter."""

import doctest
import random
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import Runnable, RunnableLambda
from pydantic import TypeAdapter

import youju.retrievers.rerank
from youju import KnowledgeBase, Settings
from youju.chains import build_answer_chain
from youju.errors import SettingsError
from youju.knowledge import matches
from youju.retrievers import (
    BM25Retriever,
    CompressRetriever,
    CurrentRetriever,
    HybridRetriever,
    HydeRetriever,
    MultiQueryRetriever,
    ParentRetriever,
    RerankRetriever,
    SelfQueryRetriever,
    ThresholdRetriever,
    VectorRetriever,
    build_retriever,
)
from youju.settings import RetrieverSettings

MakeBase = Callable[..., KnowledgeBase]
FIELDS = {"dept": {"type": "text"}, "n": {"type": "number"}}
QUESTION = "报销须在三十天内提交吗"
FINANCE = {"dept": "财务部"}


def settings_of(data: dict[str, Any]) -> RetrieverSettings:
    wanted: RetrieverSettings = TypeAdapter(RetrieverSettings).validate_python(data)
    return wanted


class Chance:
    """A reranker that scores by a text's own hash-free chance."""

    def score(self, query: str, passages: list[str]) -> list[float]:
        return [random.Random(passage).random() for passage in passages]  # noqa: S311 - no secret


TREES: list[dict[str, Any]] = [
    {"kind": "bm25"},
    {"kind": "vector"},
    {"kind": "hybrid"},
    {"kind": "multi_query"},
    {"kind": "hyde"},
    {"kind": "compress"},
    {"kind": "current"},
    {"kind": "multi_query", "base": {"kind": "hyde", "base": {"kind": "current"}}},
]


@pytest.mark.parametrize("tree", TREES, ids=str)
async def test_one_filter_holds_under_every_step_and_the_prompt_shows_nothing_else(
    tree: dict[str, Any], make_base: MakeBase, departments: list[Document], chat: Any
) -> None:
    base = make_base(departments)
    writing = chat("报销几天内提交\n三十天内报销吗\n提交报销的期限")
    answering = chat("报销须在三十天内提交[资料1]。")
    retriever = build_retriever(base, settings_of({**tree, "k": 4}), chat=writing)
    chain = build_answer_chain(retriever, base.settings, chat=answering)
    for answer in (
        chain.invoke({"question": QUESTION, "filter": FINANCE}),
        await chain.ainvoke({"question": QUESTION, "filter": FINANCE}),
    ):
        assert {block.source for block in answer.evidence} == {"f.md"}
        assert answer.evidence[0].text == "报销须在三十天内提交。"
        assert len(answer.evidence) == (1 if tree["kind"] == "bm25" else 4)
    assert not any("编号" in prompt.split("</资料>")[0] for prompt in answering.asked)
    nothing = chain.invoke({"question": QUESTION, "filter": {"dept": "法务部"}})
    assert (nothing.status, nothing.evidence, nothing.model) == ("insufficient_evidence", [], None)
    assert len(answering.asked) == 2


async def test_a_reranker_sees_only_what_the_filter_allows(make_base: MakeBase, departments: list[Document]) -> None:
    class Words:
        read: set[str] = set()  # noqa: RUF012 - one object, one test

        def score(self, query: str, passages: list[str]) -> list[float]:
            self.read.update(passages)
            return [0.9 if "报销" in passage else 0.1 for passage in passages]

    base = make_base(departments)
    retriever = RerankRetriever(retriever=build_retriever(base), model=Words(), k=4)
    for found in (retriever.invoke(QUESTION, filter=FINANCE), await retriever.ainvoke(QUESTION, filter=FINANCE)):
        assert len(found) == 4
        assert {document.metadata["dept"] for document in found} == {"财务部"}
        assert found[0].page_content == "报销须在三十天内提交。"
    assert not any("编号" in passage for passage in Words.read)


REPLIES = [
    "",
    "别的问法\n固定资产盘点\n乙部门的编号",
    "<think>想</think>编号1",
    '{"query": "", "filter": {"dept": "人事部"}}',
    '{"query": "编号", "filter": {"$or": [{"dept": "财务部"}, {"dept": {"$ne": "财务部"}}]}}',
    '{"query": "编号", "filter": {"$not": {"dept": "财务部"}}}',
    '{"query": "编号", "filter": "or(eq(\'dept\', \'人事部\'), gte(\'n\', 0))"}',
    '{"query": "编号", "filter": {"dept": {"$nin": ["财务部"]}}}',
    '{"filter": {"$and": []}}',
    RuntimeError("down"),
]
CALLS = [
    {"dept": "财务部"},
    {"dept": {"$ne": "人事部"}},
    {"$or": [{"dept": "财务部"}, {"n": 3}]},
    {"$and": [{"dept": {"$in": ["财务部"]}}, {"n": {"$lte": 9}}]},
]


@pytest.fixture
def two_tenants(make_base: MakeBase) -> KnowledgeBase:
    """Two tenants whose documents share titles, versions and most words."""
    documents = []
    for dept in ("财务部", "人事部"):
        for n in range(1, 11):
            metadata = {
                "source": f"{dept}{n}.md",
                "dept": dept,
                "n": n,
                "title": f"规定{n % 4}",
                "version": n,
                **({"valid_until": "2020-01-01"} if n == 5 else {}),
                **({"parent_id": f"{dept}{n}"} if n % 2 else {}),
            }
            text = f"{dept}的报销规定第{n}条。编号{n}的固定资产已盘点。报销须在三十天内提交。"
            documents.append(Document(page_content=text, metadata=metadata))
    return make_base(documents)


def trees(base: KnowledgeBase, writing: Runnable[Any, Any]) -> st.SearchStrategy[BaseRetriever]:
    """Retrievers of any composition."""
    some_k = st.integers(1, 12)

    def around(inner: st.SearchStrategy[BaseRetriever]) -> st.SearchStrategy[BaseRetriever]:
        def of(kind: Any, **options: Any) -> st.SearchStrategy[BaseRetriever]:
            fixed = {name: st.just(value) for name, value in options.items()}
            return st.builds(kind, retriever=inner, k=some_k, **fixed)

        reranked = of(RerankRetriever, model=Chance(), keep_keyword_hits=1)
        return st.one_of(
            reranked,
            of(CompressRetriever),
            of(CurrentRetriever, source=base),
            of(MultiQueryRetriever, chat=writing),
            of(HydeRetriever, chat=writing),
            of(SelfQueryRetriever, chat=writing, fields=FIELDS),
            of(ParentRetriever, source=base),
            st.builds(ThresholdRetriever, retriever=reranked, k=some_k, threshold=st.just(0.3)),
            st.lists(inner, min_size=1, max_size=2).map(
                lambda legs: HybridRetriever(retrievers=legs, weights=[1.0] * len(legs))
            ),
        )

    leaves = st.one_of(
        st.builds(BM25Retriever, source=st.just(base), k=some_k),
        st.builds(VectorRetriever, source=st.just(base), k=some_k),
    )
    return st.recursive(leaves, around, max_leaves=3)


@examples(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), call=st.sampled_from(CALLS), reply=st.sampled_from(REPLIES))
async def test_no_composition_returns_a_document_outside_the_callers_filter(
    data: st.DataObject, call: dict[str, Any], reply: Any, two_tenants: KnowledgeBase
) -> None:
    def write(_: Any) -> str:
        if isinstance(reply, Exception):
            raise reply
        return str(reply)

    retriever = data.draw(trees(two_tenants, RunnableLambda(write)))
    for found in (
        retriever.invoke("报销和编号3的规定", filter=call),
        await retriever.ainvoke("报销和编号3的规定", filter=call),
    ):
        assert all(matches(document.metadata, call) for document in found)
        ids = [document.id for document in found]
        assert len(set(ids)) == len(ids)


def test_a_tree_of_any_depth_is_built_from_the_settings(settings: Settings, make_base: MakeBase, chat: Any) -> None:
    base = make_base([Document(page_content="年假十天")])
    wanted = settings_of(
        {
            "kind": "compress",
            "base": {
                "kind": "rerank",
                "model": "bge",
                "base_url": "http://127.0.0.1:1",
                "top_n": 7,
                "fetch_k": 30,
                "keep_keyword_hits": 2,
                "base": {
                    "kind": "current",
                    "base": {
                        "kind": "self_query",
                        "fields": FIELDS,
                        "base": {"kind": "hyde", "base": {"kind": "multi_query"}},
                    },
                },
            },
        }
    )
    tree: Any = build_retriever(base, wanted, chat=chat(""))
    names, sizes = [], []
    while tree is not None:
        names.append(type(tree).__name__)
        sizes.append(tree.k)
        tree = getattr(tree, "retriever", None)
    assert names == [
        "CompressRetriever",
        "RerankRetriever",
        "CurrentRetriever",
        "SelfQueryRetriever",
        "HydeRetriever",
        "MultiQueryRetriever",
        "HybridRetriever",
    ]
    assert sizes == [5, 7, 30, 30, 30, 30, 30]


def test_a_tree_with_a_parent_step_gets_no_second_one(settings: Settings, stub_embeddings: Any) -> None:
    base = KnowledgeBase.open(
        Settings.model_validate({**settings.model_dump(), "splitter": {"kind": "parent"}}), embeddings=stub_embeddings
    )
    outer: Any = build_retriever(base, settings_of({"kind": "compress", "k": 3, "base": {"kind": "parent"}}))
    assert [type(outer), type(outer.retriever), type(outer.retriever.retriever)] == [
        CompressRetriever,
        ParentRetriever,
        HybridRetriever,
    ]
    assert outer.retriever.retriever.k == 12
    assert isinstance(build_retriever(base, settings_of({"kind": "compress"})), ParentRetriever)


@pytest.mark.parametrize("kind", ["multi_query", "hyde", "self_query"])
def test_the_built_in_model_that_only_excerpts_is_refused_for_writing(kind: str, make_base: MakeBase) -> None:
    base = make_base([Document(page_content="年假十天")])
    more = {"fields": FIELDS} if kind == "self_query" else {}
    with pytest.raises(SettingsError, match=f"{kind} 需要会写作的聊天模型"):
        build_retriever(base, settings_of({"kind": kind, **more}))


def test_the_writing_model_is_that_of_the_step_or_else_of_the_chat_section(
    settings: Settings, make_base: MakeBase, stub_embeddings: Any
) -> None:
    def at(name: str) -> dict[str, Any]:
        return {"model": f"openai:{name}", "base_url": "http://127.0.0.1:9/v1"}

    make_base([Document(page_content="年假十天")])
    wanted = Settings.model_validate({**settings.model_dump(), "chat": at("usual")})
    base = KnowledgeBase.open(wanted, embeddings=stub_embeddings)
    tree: Any = build_retriever(base, settings_of({"kind": "hyde", "base": {"kind": "multi_query", "chat": at("own")}}))
    assert (tree.chat.model_name, tree.retriever.chat.model_name) == ("usual", "own")


class Trace(BaseCallbackHandler):
    """Notes every retriever run: its name and the tags it stands under."""

    def __init__(self) -> None:
        self.runs: list[tuple[str, list[str]]] = []

    def on_retriever_start(
        self, serialized: Any, query: str, *, run_id: UUID, tags: list[str] | None = None, **kwargs: Any
    ) -> None:
        self.runs.append((kwargs["name"], sorted(tags or [])))


async def test_a_trace_names_every_leg_and_what_it_stands_under(make_base: MakeBase, chat: Any) -> None:
    base = make_base([Document(page_content="年假十天")])
    tree = build_retriever(base, settings_of({"kind": "compress", "base": {"kind": "multi_query"}}), chat=chat("休假"))
    first, second = Trace(), Trace()
    tree.invoke("年假", {"callbacks": [first]})
    await tree.ainvoke("年假", {"callbacks": [second]})
    assert sorted(first.runs) == sorted(second.runs)
    assert sorted(first.runs) == [
        ("HybridRetriever", ["multi_query:question"]),
        ("HybridRetriever", ["multi_query:wording_1"]),
        ("bm25", ["bm25"]),
        ("bm25", ["bm25"]),
        ("compress", []),
        ("multi_query", ["compress"]),
        ("vector", ["vector"]),
        ("vector", ["vector"]),
    ]


def test_the_examples_in_the_documentation_of_the_classes_hold() -> None:
    assert doctest.testmod(youju.retrievers.rerank).failed == 0
    assert doctest.testmod(youju.retrievers.bm25).failed == 0
