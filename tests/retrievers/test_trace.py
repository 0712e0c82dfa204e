"""What a trace of a retrieval says: each step, what it left out and why, and where a document was lost."""

import doctest
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from langchain_classic.retrievers import ContextualCompressionRetriever, EnsembleRetriever
from langchain_classic.retrievers.document_compressors import DocumentCompressorPipeline
from langchain_core.documents import BaseDocumentTransformer, Document
from langchain_core.runnables import RunnableLambda

import youju.retrievers.trace
from youju import KnowledgeBase
from youju.chains import build_answer_chain
from youju.errors import ModelError, SettingsError
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
    RetrievalTrace,
    RetrievalTracer,
    SelfQueryRetriever,
    Stage,
    ThresholdRetriever,
    VectorRetriever,
    aexplain,
    build_retriever,
    explain,
)
from youju.retrievers.notes import kind_of
from youju.settings import HybridSettings, VectorSettings

MakeBase = Callable[..., KnowledgeBase]
TEXTS = {
    "days": "年假为十天。",
    "apply": "年假须提前两周申请。",
    "carry": "年假可以结转到下一年。",
    "overtime": "加班可以换成年假。",
    "sick": "病假须提交医院证明。",
    "claims": "报销在三十天内提交。",
}
QUESTION = "年假有几天"


@pytest.fixture
def documents() -> list[Document]:
    """Six sentences of two departments, each with its name as id."""
    return [
        Document(
            id=name,
            page_content=text,
            metadata={
                "source": f"{name}.md",
                "location": f"{name}.md",
                "dept": "财务部" if name == "claims" else "人事部",
            },
        )
        for name, text in TEXTS.items()
    ]


class ByLength:
    """A reranker that likes short passages: 1 / (number of characters)."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def score(self, query: str, passages: list[str]) -> list[float]:
        self.asked.append(query)
        return [1 / len(passage) for passage in passages]


def legs(documents: list[Document], k: int = 4) -> HybridRetriever:
    """Words and pairs of characters, joined."""
    found = [BM25Retriever.from_documents(documents, k=k), NgramRetriever.from_documents(documents, k=k)]
    return HybridRetriever(retrievers=found, weights=[0.6, 0.4], k=3)


def stage_of(trace: RetrievalTrace, kind: str, part: str | None = None) -> Stage:
    """The one step of a kind, or that of a part."""
    [found] = [stage for stage in trace.stages() if stage.kind == kind and part in {None, stage.part}]
    return found


def ids_of(stage: Stage) -> list[str]:
    return [hit.id for hit in stage.returned]


def reasons_of(stage: Stage) -> dict[str, str]:
    return {one.id: one.reason for one in stage.dropped}


def test_every_step_says_what_it_was_asked_what_came_and_what_went(documents: list[Document]) -> None:
    trace = explain(legs(documents), QUESTION, filter={"dept": "人事部"}, k=2)
    assert [stage.kind for stage in trace.stages()] == ["bm25", "ngram", "hybrid"]
    bm25, _, hybrid = trace.stages()
    assert (bm25.question, bm25.k, bm25.filter) == (QUESTION, 4, {"dept": "人事部"})
    assert (bm25.received, bm25.tags, bm25.stages) == ([], ["bm25"], [])
    assert ids_of(bm25) == ["days", "overtime", "apply", "carry"]
    assert [hit.score for hit in bm25.returned] == sorted((hit.score for hit in bm25.returned), reverse=True)
    assert (hybrid.k, hybrid.filter, trace.root.run_id) == (2, {"dept": "人事部"}, hybrid.run_id)
    assert set(hybrid.received) == set(ids_of(bm25))
    assert ids_of(hybrid) == ["days", "overtime"]
    assert {one.id: (one.rank, one.code) for one in hybrid.dropped} == {"apply": (3, "rank"), "carry": (4, "rank")}
    assert set(reasons_of(hybrid).values()) == {"融合后第 3 名，只留前 2", "融合后第 4 名，只留前 2"}
    assert all(stage.seconds is not None and stage.seconds >= 0 for stage in trace.stages())
    assert RetrievalTrace.model_validate_json(trace.model_dump_json()) == trace


def nested(documents: list[Document], writing: Any) -> ThresholdRetriever:
    """A threshold over a reranker over three wordings over two legs."""
    wordings = MultiQueryRetriever(retriever=legs(documents), chat=writing, k=4)
    return ThresholdRetriever(
        retriever=RerankRetriever(retriever=wordings, model=ByLength(), k=3), threshold=1 / 10, k=3
    )


async def test_a_deep_tree_is_told_step_by_step_also_where_it_is_awaited(documents: list[Document], chat: Any) -> None:
    traces = [
        explain(nested(documents, chat("休假的规定\n年假申请")), QUESTION),
        await aexplain(nested(documents, chat("休假的规定\n年假申请")), QUESTION),
    ]
    for trace in traces:
        root = trace.root
        assert [root.kind, root.stages[0].kind, root.stages[0].stages[0].kind] == ["threshold", "rerank", "multi_query"]
        several = stage_of(trace, "multi_query")
        written = several.stages[0]
        assert (written.kind, written.text, written.returned) == ("chat", "休假的规定\n年假申请", [])
        parts = {stage.part: stage.question for stage in several.stages[1:]}
        assert parts == {"question": QUESTION, "wording_1": "休假的规定", "wording_2": "年假申请"}
        assert [[leg.kind for leg in stage.stages] for stage in several.stages[1:]] == [["bm25", "ngram"]] * 3
        reranked = stage_of(trace, "rerank")
        assert reranked.question == QUESTION
        assert reranked.received == ids_of(several)
        # the shortest passages are best: 6, 9, 10 and 11 characters
        assert ids_of(reranked) == ["days", "overtime", "apply"]
        assert reasons_of(reranked) == {"carry": "重排后第 4 名，只留前 3"}
        assert ids_of(root) == ["days", "overtime", "apply"]
    first, second = (trace.model_copy(deep=True) for trace in traces)
    assert [(s.kind, s.part, s.question, ids_of(s), reasons_of(s)) for s in first.stages()] == [
        (s.kind, s.part, s.question, ids_of(s), reasons_of(s)) for s in second.stages()
    ]


async def test_the_questions_of_a_batch_have_traces_of_their_own(documents: list[Document]) -> None:
    retriever = legs(documents)
    asked = [QUESTION, "报销的期限", "病假要什么"]
    for awaited in (False, True):
        tracer = RetrievalTracer()
        config: Any = {"callbacks": [tracer]}
        found = await retriever.abatch(asked, config) if awaited else retriever.batch(asked, config)
        told = {trace.question: trace for trace in tracer.traces()}
        assert list(told) == asked
        for question, hits in zip(asked, found, strict=True):
            assert {stage.question for stage in told[question].stages()} == {question}
            assert ids_of(told[question].root) == [document.id for document in hits]
            assert len(told[question].stages()) == 3


def test_a_tracer_in_a_chain_tells_of_its_retrieval_alone(documents: list[Document], chat: Any) -> None:
    tracer = RetrievalTracer()
    chain = build_answer_chain(legs(documents), chat=chat("年假为十天[资料1]。"))
    answer = chain.invoke(QUESTION, {"callbacks": [tracer]})
    [trace] = tracer.traces()
    assert (trace.question, trace.root.kind) == (QUESTION, "hybrid")
    assert ids_of(trace.root) == [block.id for block in answer.evidence]


def test_what_a_threshold_leaves_out_is_told_with_its_score(documents: list[Document]) -> None:
    found = ThresholdRetriever(retriever=NgramRetriever.from_documents(documents, k=6), threshold=0.2, k=6)
    trace = explain(found, QUESTION)
    scores = {hit.id: hit.score for hit in trace.root.stages[0].returned}
    left = {one.id: (one.code, one.score, one.reason) for one in trace.root.dropped}
    assert left
    assert left == {
        name: ("score", score, f"得分 {score:.4g} 低于阈值 0.2")
        for name, score in scores.items()
        if score is not None and score < 0.2
    }


def test_what_a_rerankers_threshold_leaves_out_is_told_apart_from_what_has_no_place(documents: list[Document]) -> None:
    found = RerankRetriever(retriever=legs(documents), model=ByLength(), threshold=0.105, k=1)
    assert reasons_of(explain(found, QUESTION).root) == {
        "overtime": "重排后第 2 名，只留前 1",
        "apply": "重排得分 0.1 低于阈值 0.105",
    }


def test_what_the_overlap_measure_finds_too_little_in_is_told(documents: list[Document]) -> None:
    # 年假 of 年假, 假有, 有几, 几天: a quarter
    trace = explain(OverlapRetriever.from_documents(documents, threshold=0.3), QUESTION)
    assert trace.root.returned == []
    assert {(one.code, one.reason) for one in trace.root.dropped} == {("score", "得分 0.25 低于阈值 0.3")}
    assert {one.id for one in trace.root.dropped} == {"days", "carry", "apply", "overtime"}


def test_the_sentences_that_a_compression_leaves_out_are_told() -> None:
    text = "年假为十天。食堂在二楼。年假须申请。"
    found = CompressRetriever(retriever=BM25Retriever.from_texts([text]))
    trace = explain(found, "年假有几天")
    left, became = trace.root.dropped
    assert (left.text, left.code, left.reason) == ("食堂在二楼。", "sentence", "句子与问题无关")
    assert (left.id, became.code, became.became) == (became.id, "replaced", trace.root.returned[0].id)
    assert explain(found, "年假有几天", why=left.id).fates[0].rank == 1


def test_outdated_documents_are_told_with_the_reason_and_the_condition(make_base: MakeBase) -> None:
    base = make_base(
        [
            Document(page_content="年假为五天。", metadata={"source": "a.md", "title": "手册 v1", "version": "v1"}),
            Document(page_content="年假为十天。", metadata={"source": "b.md", "title": "手册 v2", "version": "v2"}),
            Document(page_content="年假加一天。", metadata={"source": "c.md", "valid_until": "2020-01-01"}),
            Document(page_content="年假减一天。", metadata={"source": "d.md", "valid_from": "2999-01-01"}),
        ]
    )
    found = CurrentRetriever(retriever=BM25Retriever(source=base), source=base, today=lambda: date(2026, 1, 1))
    for trace in (explain(found, "年假"), explain(found, "年假")):  # worked out, and remembered
        assert {one.source: (one.code, one.reason) for one in trace.root.dropped} == {
            "a.md": ("version", "已有新版本（这是 v1）"),
            "c.md": ("expired", "已过期（valid_until 2020-01-01）"),
            "d.md": ("not_yet", "尚未生效（valid_from 2999-01-01）"),
        }
        assert (
            trace.root.adds == trace.root.stages[0].filter == {"$and": [{"source": {"$nin": ["a.md", "c.md", "d.md"]}}]}
        )
    [fate] = explain(found, "年假", why="c.md").fates
    assert fate.summary.startswith(
        "没有被任何一路召回；current 已过期（valid_until 2020-01-01）；bm25 被过滤条件排除："
    )


def test_a_condition_read_from_the_question_is_told_where_it_was_read(documents: list[Document]) -> None:
    chat = RunnableLambda(lambda _: '{"query": "提交", "filter": {"dept": "财务部"}}')
    found = SelfQueryRetriever(
        retriever=BM25Retriever.from_documents(documents), chat=chat, fields={"dept": {"type": "text"}}
    )
    trace = explain(found, "财务部的资料怎么提交", why=["sick"])
    assert (trace.root.question, trace.root.stages[0].question) == ("财务部的资料怎么提交", "提交")
    assert trace.root.adds == {"dept": {"$eq": "财务部"}}
    assert ids_of(trace.root) == ["claims"]
    assert [(step.name, step.outcome) for step in trace.fates[0].steps] == [
        ("bm25", "missed"),
        ("self_query", "dropped"),
    ]
    assert "不符合这一步从问题里读出的条件" in str(trace.fates[0].steps[1].reason)


def test_an_imagined_passage_is_told_as_what_was_searched_with(make_base: MakeBase, documents: list[Document]) -> None:
    base = make_base([Document(page_content=document.page_content) for document in documents])
    found = HydeRetriever(retriever=VectorRetriever(source=base, k=2), chat=RunnableLambda(lambda _: "病假须有证明。"))
    trace = explain(found, QUESTION)
    by_part = {stage.part: stage for stage in trace.root.stages}
    assert {part: (stage.question, stage.text) for part, stage in by_part.items()} == {
        "question": (QUESTION, None),
        "imagined": (QUESTION, "病假须有证明。"),
    }
    sick = next(document for document in base.documents() if document.page_content == TEXTS["sick"])
    assert by_part["imagined"].returned[0].id == sick.id


def test_a_retriever_of_another_make_is_told_as_far_as_it_can_be(documents: list[Document]) -> None:
    class OnlyFirst(BaseDocumentTransformer):
        def transform_documents(self, documents: Any, **kwargs: Any) -> Any:
            return documents[:1]

    ensemble = EnsembleRetriever(
        retrievers=[BM25Retriever.from_documents(documents), NgramRetriever.from_documents(documents)]
    )
    found = ContextualCompressionRetriever(
        base_compressor=DocumentCompressorPipeline(transformers=[OnlyFirst()]), base_retriever=ensemble
    )
    trace = explain(found, QUESTION, why="carry")
    assert [(stage.name, stage.kind, stage.k) for stage in trace.stages()] == [
        ("bm25", "bm25", 5),
        ("ngram", "ngram", 2),
        ("EnsembleRetriever", "EnsembleRetriever", None),
        ("ContextualCompressionRetriever", "ContextualCompressionRetriever", None),
    ]
    assert {(one.code, one.reason) for one in trace.root.dropped} == {("unsaid", "这一步没有留下它，也没有说明原因")}
    [fate] = trace.fates
    assert fate.steps[-1].outcome == "dropped"
    assert fate.steps[-1].name == "ContextualCompression" or fate.steps[-1].name == "ContextualCompressionRetriever"


def test_what_asks_no_retriever_cannot_be_explained() -> None:
    with pytest.raises(SettingsError, match="没有检索器运行过"):
        explain(RunnableLambda(lambda _: []), QUESTION)


def test_a_failing_step_is_told(documents: list[Document]) -> None:
    class Down:
        def score(self, query: str, passages: list[str]) -> list[float]:
            raise ModelError("重排服务没有应答")

    tracer = RetrievalTracer()
    with pytest.raises(ModelError):
        RerankRetriever(retriever=legs(documents), model=Down()).invoke(QUESTION, {"callbacks": [tracer]})
    [trace] = tracer.traces()
    assert (trace.root.error, trace.root.returned, trace.root.dropped) == ("重排服务没有应答", [], [])
    assert trace.root.received == ["days", "overtime", "apply", "carry"]


def test_where_a_document_was_lost_is_said_step_by_step(documents: list[Document]) -> None:
    found = RerankRetriever(retriever=legs(documents, k=3), model=ByLength(), k=2)
    trace = explain(found, QUESTION, why=["days", "apply", "carry", "claims"])
    days, apply, carry, claims = trace.fates
    assert (days.rank, days.in_base) == (1, True)
    assert days.summary == "bm25 第 1 名、ngram 第 1 名 → hybrid 第 1 名 → rerank 第 1 名"
    assert (apply.rank, apply.source, apply.location) == (None, "apply.md", "apply.md")
    assert apply.summary == "bm25 第 3 名、ngram 第 3 名 → hybrid 第 3 名 → rerank：重排后第 3 名，只留前 2"
    assert carry.summary == "没有被任何一路召回；bm25、ngram 第 4 名，只取前 3"
    assert [(step.name, step.outcome, step.rank) for step in carry.steps] == [
        ("bm25", "missed", 4),
        ("ngram", "missed", 4),
    ]
    assert claims.summary == "没有被任何一路召回；bm25 与问题没有共同的词；ngram 与问题没有相同的字对"


def test_a_document_that_only_one_leg_found_is_followed_from_there(documents: list[Document], ranking: Any) -> None:
    hybrid = HybridRetriever(
        retrievers=[BM25Retriever.from_documents(documents, k=1), ranking("x", "y", "z", name="mine")],
        weights=[0.5, 0.5],
        k=2,
    )
    y, apply = explain(hybrid, QUESTION, why=["y", "apply"]).fates
    assert y.summary == "mine 第 2 名 → hybrid：融合后第 3 名，只留前 2"
    assert apply.summary == "没有被任何一路召回；bm25 第 3 名，只取前 1；mine 没有召回"


def test_a_filter_that_excludes_a_document_is_named(documents: list[Document]) -> None:
    [fate] = explain(legs(documents), QUESTION, why="claims", filter={"dept": "人事部"}).fates
    assert fate.summary == '没有被任何一路召回；bm25、ngram 被过滤条件排除：{"dept": "人事部"}'


def test_what_is_not_in_the_base_is_said_to_be_missing(make_base: MakeBase, documents: list[Document]) -> None:
    base = make_base(documents)
    trace = explain(build_retriever(base), QUESTION, why=["no-such-id", "sick.md"])
    assert (trace.fates[0].in_base, trace.fates[0].steps) == (False, [])
    assert trace.fates[0].summary == "知识库里没有这个编号或来源"
    assert (trace.fates[1].in_base, trace.fates[1].source) == (True, "sick.md")


def test_no_more_is_claimed_of_a_source_that_cannot_be_asked(ranking: Any) -> None:
    found = ranking("a", "b")
    known, unknown = explain(found, "问", why=["b", "c"]).fates
    assert (known.in_base, known.rank) == (None, 2)
    assert (unknown.in_base, unknown.summary) == (None, "检索的任何一步都没有见到它")


def test_all_documents_of_a_file_are_told_the_best_first(make_base: MakeBase) -> None:
    texts = ["食堂在二楼。", "年假有十天。", "年假须申请。"]
    base = make_base([Document(page_content=text, metadata={"source": "a.md"}) for text in texts])
    found = explain(BM25Retriever(source=base, k=1), QUESTION, why="a.md").fates
    text_of = {document.id: document.page_content for document in base.documents()}
    assert [text_of[fate.id] for fate in found] == ["年假有十天。", "年假须申请。", "食堂在二楼。"]
    assert [fate.rank for fate in found] == [1, None, None]


def test_a_chunk_is_followed_into_the_block_that_took_its_place(make_base: MakeBase) -> None:
    class Blocks:
        def parents(self, ids: Any) -> dict[str, Document]:
            return {name: Document(id=name, page_content=f"整块 {name}") for name in ids}

    base = make_base(
        [
            Document(page_content=text, metadata={"source": "a.md", "parent_id": block})
            for block, text in [
                ("one", "年假有几天，十天。"),
                ("one", "年假须申请。"),
                ("two", "年假可以结转到下一年。"),
            ]
        ]
    )
    found = ParentRetriever(retriever=BM25Retriever(source=base), source=Blocks(), k=1)
    trace = explain(found, QUESTION, why=["one", "two"])
    assert ids_of(trace.root) == ["one"]
    assert [one.became for one in trace.root.dropped if one.code == "replaced"].count("one") == 2
    assert [fate.summary.partition(" → ")[2] for fate in trace.fates] == [
        "parent 第 1 名",
        "parent 第 1 名",
        "parent：第 2 名，只留前 1",
    ]


def test_asking_why_asks_no_model_again(documents: list[Document], chat: Any) -> None:
    writing, model = chat("休假"), ByLength()
    found = RerankRetriever(retriever=MultiQueryRetriever(retriever=legs(documents), chat=writing), model=model, k=1)
    explain(found, QUESTION, why=["days", "carry", "claims"])
    assert (len(writing.asked), len(model.asked)) == (1, 1)


def test_a_run_without_a_tracer_is_the_same(documents: list[Document]) -> None:
    tracer = RetrievalTracer()
    assert legs(documents).invoke(QUESTION) == legs(documents).invoke(QUESTION, {"callbacks": [tracer]})
    assert tracer.traces()[0].root.dropped


def test_the_kinds_are_those_of_the_settings(make_base: MakeBase) -> None:
    base = make_base([Document(page_content="年假")])
    tree: Any = build_retriever(base, HybridSettings(retrievers=[VectorSettings()]))
    assert [kind_of(tree), kind_of(tree.retrievers[0])] == ["hybrid", "vector"]
    classes = (SelfQueryRetriever, MultiQueryRetriever, BM25Retriever, NgramRetriever)
    assert [kind_of(kind.model_construct()) for kind in classes] == ["self_query", "multi_query", "bm25", "ngram"]


def test_the_example_in_the_documentation_holds() -> None:
    assert doctest.testmod(youju.retrievers.trace).failed == 0


@pytest.mark.parametrize(
    "metadata", [{"score": "高"}, {"score": [1]}, {"score": float("nan")}, {"ranks": "x"}, {"ranks": {1: 2}}]
)
@pytest.mark.parametrize("key", [1, (1, 2), "a"])
def test_what_other_retrievers_write_into_metadata_breaks_no_step(
    ranking: Any, chat: Any, metadata: dict[Any, Any], key: Any
) -> None:
    class Same:
        def score(self, query: str, passages: list[str]) -> list[float]:
            return [0.5] * len(passages)

    other = ranking()
    other.found = [Document(page_content="年假。", metadata={**metadata, key: 1, "a": 2})]
    hybrid = HybridRetriever(retrievers=[other, ranking("x")], weights=[1, 0])
    wordings = MultiQueryRetriever(retriever=hybrid, chat=chat("休假"))
    trace = explain(RerankRetriever(retriever=wordings, model=Same(), keep_keyword_hits=1), "年假")
    assert [hit.score for hit in trace.root.returned] == [0.5]
    alone = next(stage for stage in trace.stages() if stage.returned)
    assert [hit.score for hit in alone.returned] == [None]
    if "score" in metadata:
        with pytest.raises(SettingsError, match="没有得分"):
            ThresholdRetriever(retriever=other, threshold=0.1).invoke("年假")
