"""From a question to a cited answer with the built-in models, on real knowledge bases."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document

import youju.chains
from youju import KnowledgeBase, Settings
from youju.chains import NOT_FOUND, build_answer_chain
from youju.errors import QuestionError
from youju.retrievers import HybridRetriever, VectorRetriever, build_retriever

Make = Callable[..., Any]
MakeBase = Callable[..., KnowledgeBase]

MEMBER = "会员买的非定制商品，签收10天后还能申请退货吗？"
FREIGHT = "退货运费由谁承担？"
PAGES = [
    "退货政策\n会员订单自签收之日起15天内可以申请退货，普通订单自签收之日起7天内可以申请退货。",
    "例外与退款\n定制商品不支持无理由退货。退款在审核通过后3个工作日内原路退回。",
]


def test_the_public_names_are_these() -> None:
    assert youju.chains.__all__ == [
        "NOT_FOUND",
        "AnswerEvent",
        "Citation",
        "CitationError",
        "CitationParser",
        "CitedAnswer",
        "Claim",
        "Evidence",
        "Extraction",
        "ExtractionError",
        "ExtractionParser",
        "IngestReport",
        "Judgement",
        "Nearest",
        "Opinion",
        "ParsedAnswer",
        "Progress",
        "Quote",
        "Refusal",
        "Step",
        "Unread",
        "UnreadFile",
        "aanswer_events",
        "answer_events",
        "as_dicts",
        "atext_pieces",
        "build_answer_chain",
        "build_conversation_chain",
        "build_ingest_chain",
        "check_extraction",
        "text_pieces",
    ]
    assert all(getattr(youju.chains, name) is not None for name in youju.chains.__all__)


@pytest.fixture
def policy(make_base: MakeBase) -> KnowledgeBase:
    """Two pages of a return policy, with the real built-in embeddings."""
    chunks = [
        Document(
            page_content=text,
            metadata={
                "source": "policy.pdf",
                "page": page,
                "location": f"policy.pdf 第 {page} 页",
                "title": "退货政策",
            },
        )
        for page, text in enumerate(PAGES, start=1)
    ]
    return make_base(chunks, None)


def test_retrieval_finds_both_pages_and_the_one_that_answers_first(policy: KnowledgeBase) -> None:
    hits = build_retriever(policy).invoke(MEMBER)
    assert [hit.metadata["page"] for hit in hits] == [1, 2]
    assert all(hit.metadata["score"] > 0 and hit.metadata["ranks"] for hit in hits)
    near = VectorRetriever(source=policy).invoke(MEMBER)
    assert all(-1 <= hit.metadata["score"] <= 1 for hit in near)
    assert near[0].metadata["score"] >= near[1].metadata["score"]


def test_the_answer_cites_the_page_that_says_so_and_the_exception(policy: KnowledgeBase) -> None:
    answer = build_answer_chain(build_retriever(policy)).invoke(MEMBER)
    assert answer.status == "answered"
    assert answer.model == "extractive"
    by_page = {citation.page: citation.quote for citation in answer.citations}
    assert "15天内可以申请退货" in by_page[1]
    assert "定制商品不支持无理由退货" in by_page[2]
    assert "15天" in answer.answer
    assert "批准" not in answer.answer


def test_what_no_page_says_is_not_found_though_pages_are_recalled(policy: KnowledgeBase) -> None:
    answer = build_answer_chain(build_retriever(policy)).invoke(FREIGHT)
    assert (answer.answer, answer.citations) == (NOT_FOUND, [])
    assert answer.status in {"not_found", "insufficient_evidence"}  # by the model, or by the gate before it
    assert answer.retrieved_count == 2


def test_a_budget_of_one_character_calls_no_model(policy: KnowledgeBase, scripted: Make) -> None:
    model = scripted()
    settings = Settings.load(overrides=["answer.context_chars=1"], environ={})
    answer = build_answer_chain(build_retriever(policy), settings, chat=model).invoke(MEMBER)
    assert (answer.status, answer.evidence, answer.model) == ("insufficient_evidence", [], None)
    assert answer.retrieved_count == 2
    assert model.prompts == []


HANDBOOK = [
    "员工入职满一年后可享受年假10天。",
    "病假须提交二级以上医院的证明。",
    "报销须在费用发生后三十天内提交，由直属主管审批。",
    "出差住宿标准为每晚不超过450元。",
]


@pytest.mark.parametrize(
    "question", ["红烧肉怎么做？", "公司的地址在哪里？", "产假有多少天？", "财务总监叫什么名字？", "电影票多少钱？"]
)
def test_what_a_handbook_does_not_say_is_not_found_though_neighbours_always_are(
    question: str, make_base: MakeBase
) -> None:
    base = make_base([Document(page_content=text) for text in HANDBOOK], None)
    answer = build_answer_chain(build_retriever(base)).invoke(question)
    assert answer.retrieved_count == 4
    assert (answer.answer, answer.citations) == (NOT_FOUND, [])
    assert answer.status in {"not_found", "insufficient_evidence"}  # by the model, or by the gate before it


SHOP = [
    "自签收商品之日起七天内，商品完好的可以申请退货。",
    "运费的承担：商品有质量问题的由卖家承担，其他情况由买家承担。",
    "仓库收到退回的商品后，三个工作日内退款到原支付账户。",
    "换货申请在48小时内得到答复。",
    "电子产品自购买之日起保修一年，终身提供技术支持。",
    "积分商城每周五10点更新，积分不可转让，也不可兑换现金。",
    "VIP 会员享受九折优惠、首单包邮和专属客服。",
]


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("退货期限是多久?", {1}),
        ("运费由谁承担?", {2}),
        ("退款几天到账? 保修几年?", {3, 5}),
        ("VIP 有什么权益?", {7}),
        ("可以积分转让吗?", {6}),
    ],
)
def test_the_built_in_model_cites_what_answers_and_nothing_else(
    question: str, gold: set[int], make_base: MakeBase
) -> None:
    base = make_base([Document(page_content=text) for text in SHOP], None)
    answer = build_answer_chain(build_retriever(base)).invoke(question)
    assert answer.status == "answered"
    texts = {block.n: block.text for block in answer.evidence}
    assert {SHOP.index(texts[citation.n]) + 1 for citation in answer.citations} == gold


def test_the_baseline_calls_the_model_only_when_something_is_recalled(make_base: MakeBase, scripted: Make) -> None:
    documents = [
        Document(page_content="运行 npm run dev，启动本地开发服务器。", metadata={"title": "本地预览"}),
        Document(page_content="运行 npm run build，结果放在 dist 目录，不会部署。", metadata={"title": "构建文档"}),
    ]
    settings = Settings.load(overrides=["retriever={kind: overlap, threshold: 0.2, k: 2}"], environ={})
    retriever = build_retriever(make_base(documents), settings.retriever)
    model = scripted("资料中未提及。")
    chain = build_answer_chain(retriever, settings, chat=model)
    assert chain.invoke("明天天气怎样").status == "insufficient_evidence"
    assert model.prompts == []
    assert chain.invoke("文档多少钱").status == "not_found"
    assert len(model.prompts) == 1
    built_in = build_answer_chain(retriever, settings)
    assert built_in.invoke("文档多少钱").answer == NOT_FOUND


def test_two_files_with_one_text_are_two_blocks_and_one_chunk_in_two_legs_is_one(
    make_base: MakeBase, fixed: Make, scripted: Make
) -> None:
    pair = [Document(id=f"{name}#0", page_content="保修期一年。", metadata={"source": f"{name}.md"}) for name in "甲乙"]
    model = scripted("保修一年[资料1]。", "保修一年[资料1]。")
    both = HybridRetriever(retrievers=[fixed(pair[0]), fixed(pair[1])], weights=[1, 1], k=4)
    answer = build_answer_chain(both, chat=model).invoke("保修期多久？")
    assert [(block.n, block.source) for block in answer.evidence] == [(1, "甲.md"), (2, "乙.md")]
    same = HybridRetriever(retrievers=[fixed(pair[0]), fixed(pair[0])], weights=[1, 1], k=4)
    answer = build_answer_chain(same, chat=model).invoke("保修期多久？")
    assert [(block.n, block.source) for block in answer.evidence] == [(1, "甲.md")]


@pytest.mark.parametrize("kind", ["bm25", "vector", "hybrid"])
def test_a_filter_keeps_other_departments_out_of_the_prompt(kind: str, make_base: MakeBase, scripted: Make) -> None:
    finance = ["报销须在三十天内提交。", *(f"固定资产第{n}号已盘点。" for n in range(1, 13))]
    staff = [f"报销须在三十天内提交，编号{n}。" for n in range(1, 6)]
    documents = [Document(page_content=text, metadata={"dept": "财务部"}) for text in finance] + [
        Document(page_content=text, metadata={"dept": "人事部"}) for text in staff
    ]
    settings = Settings.load(overrides=[f"retriever={{kind: {kind}, k: 4}}"], environ={})
    model = scripted("三十天[资料1]。")
    chain = build_answer_chain(build_retriever(make_base(documents), settings.retriever), settings, chat=model)
    question = "报销须在三十天内提交吗"
    answer = chain.invoke({"question": question, "filter": {"dept": "财务部"}})
    assert answer.evidence[0].text == "报销须在三十天内提交。"
    assert "编号" not in model.prompts[0][-1].text
    assert chain.invoke({"question": question, "filter": {"dept": "法务部"}}).status == "insufficient_evidence"
    assert len(model.prompts) == 1


@pytest.mark.parametrize("history", [5, "年假", {"question": "年假"}, ["年假"]])
def test_a_history_that_is_no_list_of_messages_is_refused(history: Any, fixed: Callable[..., Any]) -> None:
    with pytest.raises(QuestionError, match="history 要是消息的列表"):
        build_answer_chain(fixed("年假为10天。")).invoke({"question": "年假有几天？", "history": history})
