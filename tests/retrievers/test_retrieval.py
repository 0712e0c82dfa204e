"""What holds for keyword, vector and hybrid search alike, on a real knowledge base."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document

import youju.retrievers
from youju import KnowledgeBase
from youju.errors import KnowledgeBaseNotFoundError, QuestionError, SettingsError
from youju.retrievers import BM25Retriever, HybridRetriever, VectorRetriever, build_retriever
from youju.settings import BM25Settings, HybridSettings, OverlapSettings, RetrieverSettings, VectorSettings

MakeBase = Callable[..., KnowledgeBase]
FINANCE = {"dept": "财务部"}
KINDS: list[RetrieverSettings] = [BM25Settings(k=4), VectorSettings(k=4), HybridSettings(k=4)]
kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.kind))


def test_the_public_names_are_these() -> None:
    assert youju.retrievers.__all__ == [
        "BM25Retriever",
        "CompressRetriever",
        "CurrentRetriever",
        "Dropped",
        "Fate",
        "Hit",
        "HybridRetriever",
        "HydeRetriever",
        "MultiQueryRetriever",
        "NgramRetriever",
        "OverlapRetriever",
        "ParentRetriever",
        "RerankRetriever",
        "RetrievalTrace",
        "RetrievalTracer",
        "SelfQueryRetriever",
        "Stage",
        "Step",
        "ThresholdRetriever",
        "Transformer",
        "VectorRetriever",
        "aexplain",
        "build_retriever",
        "explain",
    ]


@kinds
async def test_one_filter_holds_in_every_leg_and_nothing_fills_the_list(
    kind: RetrieverSettings, make_base: MakeBase, departments: list[Document]
) -> None:
    retriever = build_retriever(make_base(departments), kind)
    question = "报销须在三十天内提交吗"
    for hits in (retriever.invoke(question, filter=FINANCE), await retriever.ainvoke(question, filter=FINANCE)):
        assert all(hit.metadata["dept"] == "财务部" for hit in hits)
        assert hits[0].page_content == "报销须在三十天内提交。"
        assert len(hits) == (1 if kind.kind == "bm25" else 4)


@kinds
def test_a_filter_in_the_settings_holds_for_every_call(
    kind: RetrieverSettings, make_base: MakeBase, departments: list[Document]
) -> None:
    base = make_base(departments)
    if isinstance(kind, HybridSettings):
        legs = [leg.model_copy(update={"filter": FINANCE}) for leg in kind.retrievers]
        kind = kind.model_copy(update={"retrievers": legs})
    else:
        kind = kind.model_copy(update={"filter": FINANCE})
    retriever = build_retriever(base, kind)
    assert {hit.metadata["dept"] for hit in retriever.invoke("报销须在三十天内提交吗")} == {"财务部"}
    assert retriever.invoke("报销须在三十天内提交吗", filter={"dept": "人事部"}) == []


def test_a_hybrids_own_filter_holds_in_every_leg(make_base: MakeBase, departments: list[Document]) -> None:
    retriever = build_retriever(make_base(departments), HybridSettings(k=20, filter=FINANCE))
    assert {hit.metadata["dept"] for hit in retriever.invoke("报销须在三十天内提交吗")} == {"财务部"}
    assert retriever.invoke("报销须在三十天内提交吗", filter={"dept": "人事部"}) == []


every_kind = pytest.mark.parametrize("kind", [*KINDS, OverlapSettings()], ids=lambda kind: str(kind.kind))


@every_kind
async def test_a_question_that_is_no_text_or_too_long_is_refused(
    kind: RetrieverSettings, make_base: MakeBase, departments: list[Document]
) -> None:
    retriever = build_retriever(make_base(departments), kind)
    for question, said in (
        (None, "不能是 NoneType"),
        (5, "不能是 int"),
        ("报" * 2001, "问题有 2001 个字，最多 2000 个字"),
    ):
        with pytest.raises(QuestionError, match=said):
            retriever.invoke(question)
        with pytest.raises(QuestionError, match=said):
            await retriever.ainvoke(question)


@every_kind
@pytest.mark.parametrize("conditions", ["a", 5, True, [], 0, {1: 1}])
def test_a_filter_of_another_form_is_refused(
    kind: RetrieverSettings, conditions: Any, make_base: MakeBase, departments: list[Document]
) -> None:
    with pytest.raises(SettingsError, match="过滤条件"):
        build_retriever(make_base(departments), kind).invoke("报销", filter=conditions)


@kinds
def test_a_filter_that_nothing_fulfils_leaves_nothing(
    kind: RetrieverSettings, make_base: MakeBase, departments: list[Document]
) -> None:
    assert build_retriever(make_base(departments), kind).invoke("报销", filter={"dept": "法务部"}) == []


@pytest.mark.parametrize("kind", [VectorSettings(), HybridSettings()], ids=lambda kind: str(kind.kind))
@pytest.mark.parametrize("question", ["", "   ", "？？"])
async def test_an_empty_question_is_refused_before_it_is_embedded(
    kind: RetrieverSettings, question: str, make_base: MakeBase, departments: list[Document], stub_embeddings: Any
) -> None:
    retriever = build_retriever(make_base(departments), kind)
    before = list(stub_embeddings.queries)
    with pytest.raises(QuestionError, match="问题是空的"):
        retriever.invoke(question)
    with pytest.raises(QuestionError, match="问题是空的"):
        await retriever.ainvoke(question)
    assert stub_embeddings.queries == before


@kinds
def test_the_settings_say_how_many_come_back(
    kind: RetrieverSettings, make_base: MakeBase, departments: list[Document]
) -> None:
    retriever = build_retriever(make_base(departments), kind.model_copy(update={"k": 3}))
    assert len(retriever.invoke("报销须在三十天内提交")) == 3
    assert len(retriever.invoke("报销须在三十天内提交", k=2)) == 2
    with pytest.raises(SettingsError, match="k 必须是大于 0 的整数"):
        retriever.invoke("报销", k=0)


@pytest.mark.parametrize(
    ("kind", "k"), [(BM25Settings(), 5), (VectorSettings(), 5), (HybridSettings(), 5), (OverlapSettings(), 2)]
)
def test_without_a_number_each_kind_has_its_own(
    kind: RetrieverSettings, k: int, make_base: MakeBase, departments: list[Document]
) -> None:
    assert len(build_retriever(make_base(departments), kind).invoke("固定资产已盘点")) == k


def test_the_legs_of_a_hybrid_are_asked_for_more_than_it_returns(
    make_base: MakeBase, departments: list[Document]
) -> None:
    settings = HybridSettings(k=2, fetch_k=9, retrievers=[BM25Settings(), VectorSettings(k=3), HybridSettings()])
    hybrid = build_retriever(make_base(departments), settings)
    assert isinstance(hybrid, HybridRetriever)
    assert [getattr(leg, "k", None) for leg in hybrid.retrievers] == [9, 3, 9]
    assert hybrid.k == 2


def test_without_settings_the_bases_own_are_used(make_base: MakeBase, departments: list[Document]) -> None:
    retriever = build_retriever(make_base(departments))
    assert isinstance(retriever, HybridRetriever)
    assert (retriever.weights, retriever.fusion, retriever.lead) == ([0.35, 0.65], "scores", 0.6)
    assert isinstance(retriever.retrievers[0], BM25Retriever)
    assert isinstance(retriever.retrievers[1], VectorRetriever)


def test_scores_say_what_they_are(make_base: MakeBase, departments: list[Document]) -> None:
    base = make_base(departments)
    (nearest, *_) = VectorRetriever(source=base).invoke("报销须在三十天内提交。")
    assert nearest.metadata["score"] == pytest.approx(1.0, abs=1e-5)  # the text itself
    (best, *_) = HybridRetriever(
        retrievers=[BM25Retriever(source=base), VectorRetriever(source=base)], weights=[0.6, 0.4]
    ).invoke("报销须在三十天内提交。")
    assert best.metadata["score"] == pytest.approx(1 / 61)
    assert best.metadata["ranks"] == {"bm25": 1, "vector": 1}


def test_equal_texts_of_two_files_are_two_hits_and_after_one_is_deleted_one(make_base: MakeBase) -> None:
    both = [Document(page_content="保修期一年。", metadata={"source": f"{name}.md"}) for name in "甲乙"]
    base = make_base(both)
    retriever = build_retriever(base, HybridSettings(k=4))
    assert {hit.metadata["source"] for hit in retriever.invoke("保修期多久")} == {"甲.md", "乙.md"}
    with base.writing() as writer:
        writer.remove("甲.md")
    assert [hit.metadata["source"] for hit in retriever.invoke("保修期多久")] == ["乙.md"]


def test_a_question_of_another_topic_has_no_keyword_hit(make_base: MakeBase, departments: list[Document]) -> None:
    assert build_retriever(make_base(departments), BM25Settings()).invoke("量子力学") == []


@kinds
def test_a_base_that_does_not_exist_is_named_with_the_command_that_makes_it(
    kind: RetrieverSettings, settings: Any, stub_embeddings: Any
) -> None:
    retriever = build_retriever(KnowledgeBase.open(settings, embeddings=stub_embeddings), kind)
    with pytest.raises(KnowledgeBaseNotFoundError, match="请先运行 youju ingest"):
        retriever.invoke("年假")


POLICY = [
    "自签收商品之日起七天内，商品完好的可以申请退货。",
    "运费的承担：商品有质量问题的由卖家承担，其他情况由买家承担。",
    "仓库收到退回的商品后，三个工作日内退款到原支付账户。",
    "换货申请在48小时内得到答复。",
    "电子产品自购买之日起保修一年，终身提供技术支持。",
    "积分商城每周五10点更新，积分不可转让，也不可兑换现金。",
    "VIP 会员享受九折优惠、优先发货和专属客服。",
]


@pytest.fixture
def policy(make_base: MakeBase) -> KnowledgeBase:
    """Seven chunks of a shop's policy, with the real built-in embeddings."""
    return make_base([Document(page_content=text) for text in POLICY], None)


@kinds
def test_the_chunk_that_answers_comes_first(kind: RetrieverSettings, policy: KnowledgeBase) -> None:
    retriever = build_retriever(policy, kind)
    gold = {
        "退货期限是多少天?": 1,
        "运费由谁承担?": 2,
        "保修政策是什么?": 5,
        "VIP 会员有什么权益?": 7,
        "退款多久到账?": 3,
    }
    first = {question: POLICY.index(retriever.invoke(question)[0].page_content) + 1 for question in gold}
    assert first == gold


def test_retrieval_prints_nothing_even_where_no_temporary_file_can_be_written(
    make_base: MakeBase, settings: Any, tmp_path: Path
) -> None:
    make_base([Document(page_content=text) for text in POLICY], None).close()
    code = f"""
import json, sys
from youju import KnowledgeBase, Settings
from youju.retrievers import build_retriever
base = KnowledgeBase.open(Settings.model_validate({{"store": {{"path": {str(settings.store.path)!r}}}}}))
hits = build_retriever(base).invoke("运费由谁承担?")
print(json.dumps([hit.page_content for hit in hits]))
"""
    run = subprocess.run(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        env={"TMPDIR": str(tmp_path / "missing"), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
    )
    assert json.loads(run.stdout)[0] == POLICY[1]


@pytest.mark.parametrize("kind", ["bm25", "vector", "hybrid"])
def test_more_documents_than_any_base_holds_are_all_that_are_found(
    kind: str, make_base: MakeBase, departments: list[Document]
) -> None:
    base = make_base(departments)
    retriever = build_retriever(
        base, {"bm25": BM25Settings, "vector": VectorSettings, "hybrid": HybridSettings}[kind]()
    )
    assert 0 < len(retriever.invoke("报销", k=10**30)) <= len(departments)
