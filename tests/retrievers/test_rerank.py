"""A reranker over any retriever: scores, order, thresholds, and what survives it."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.documents import Document
from pydantic import ValidationError

from youju import KnowledgeBase, Settings
from youju.chains import build_answer_chain
from youju.errors import ModelError, ModelUnavailableError, SettingsError
from youju.models.rerankers import Reranker
from youju.retrievers import (
    BM25Retriever,
    CompressRetriever,
    HybridRetriever,
    RerankRetriever,
    VectorRetriever,
    build_retriever,
)
from youju.settings import RerankSettings

MakeBase = Callable[..., KnowledgeBase]


class Scores:
    """Scores passages by a table; one that is not in it raises."""

    def __init__(self, table: dict[str, float]) -> None:
        self.table = table
        self.asked: list[tuple[str, list[str]]] = []

    def score(self, query: str, passages: list[str]) -> list[float]:
        self.asked.append((query, passages))
        if not passages:
            raise ValueError("an empty batch")
        return [self.table[passage] for passage in passages]


def texts(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


LOGITS = {"甲": 0.3, "乙": -5, "丙": 3, "丁": -2}


def test_logits_become_probabilities_before_the_threshold_is_looked_at(ranking: Any) -> None:
    found = RerankRetriever(retriever=ranking(*LOGITS), model=Scores(LOGITS), threshold=0.5).invoke("问")
    assert texts(found) == ["丙", "甲"]
    assert [document.metadata["score"] for document in found] == [
        pytest.approx(0.95257, abs=1e-5),
        pytest.approx(0.57444, abs=1e-5),
    ]
    assert [document.metadata["rerank_score"] for document in found] == [d.metadata["score"] for d in found]
    everything = RerankRetriever(retriever=ranking(*LOGITS), model=Scores(LOGITS)).invoke("问")
    assert texts(everything) == ["丙", "甲", "丁", "乙"]
    assert [round(document.metadata["score"], 4) for document in everything] == [0.9526, 0.5744, 0.1192, 0.0067]


def test_probabilities_stay_as_they_are(ranking: Any) -> None:
    table = {"甲": 0.2, "乙": 0.9}
    found = RerankRetriever(retriever=ranking("甲", "乙"), model=Scores(table)).invoke("问")
    assert [(document.page_content, document.metadata["score"]) for document in found] == [("乙", 0.9), ("甲", 0.2)]


def test_a_model_that_gave_logits_once_is_known_to_give_logits(ranking: Any) -> None:
    model = Reranker(Scores({"甲": 0.0, "乙": 4.0}))
    assert RerankRetriever(retriever=ranking("甲"), model=model).invoke("问")[0].metadata["score"] == 0.0
    RerankRetriever(retriever=ranking("乙"), model=model).invoke("问")
    assert RerankRetriever(retriever=ranking("甲"), model=model).invoke("问")[0].metadata["score"] == 0.5


def test_the_earlier_score_and_ranks_are_kept_beside_the_new_ones() -> None:
    found = BM25Retriever.from_texts(["年假十天", "年假由主管审批，年假可以结转"])
    before = {document.page_content: document.metadata for document in found.invoke("年假")}
    table = {"年假十天": 0.4, "年假由主管审批，年假可以结转": 0.8}
    for rank, document in enumerate(RerankRetriever(retriever=found, model=Scores(table)).invoke("年假"), start=1):
        earlier = before[document.page_content]
        assert document.metadata["score"] == table[document.page_content]
        assert document.metadata["retrieval_score"] == earlier["score"]
        assert document.metadata["ranks"] == {**earlier["ranks"], "rerank": rank}


async def test_nothing_found_is_nothing_reranked_and_the_model_is_not_asked(ranking: Any) -> None:
    model = Scores({})
    retriever = RerankRetriever(retriever=ranking(), model=model)
    assert retriever.invoke("问") == await retriever.ainvoke("问") == []
    assert model.asked == []


def test_a_filter_that_leaves_nothing_ends_in_the_refusal(make_base: MakeBase, departments: list[Document]) -> None:
    base = make_base(departments)
    retriever = RerankRetriever(retriever=build_retriever(base), model=Scores({}))
    answer = build_answer_chain(retriever, base.settings).invoke({"question": "报销", "filter": {"dept": "法务部"}})
    assert (answer.status, answer.evidence, answer.model) == ("insufficient_evidence", [], None)


async def test_empty_texts_are_not_sent_and_scores_stay_with_their_documents() -> None:
    model = Reranker(Scores({"甲": 0.95, "丁": 0.05}))
    assert model.scores("问", ["甲", "", "  ", "丁"]) == [0.95, 0.0, 0.0, 0.05]
    assert await model.ascores("问", ["甲", "", "  ", "丁"]) == [0.95, 0.0, 0.0, 0.05]
    assert model.scores("问", ["", "？"]) == [0.0, 0.0]


class Near:
    """Reads the first 512 characters of question and passage together, as a small model does."""

    def __init__(self) -> None:
        self.longest = 0

    def score(self, query: str, passages: list[str]) -> list[float]:
        self.longest = max(self.longest, *(len(query) + len(passage) for passage in passages))
        return [float("验收期为七天" in (query + passage)[:512]) for passage in passages]


def test_the_end_of_a_long_passage_is_read_too(ranking: Any) -> None:
    long = "本条说明设备的清洁和保养。" * 69 + "验收期为七天。"
    assert len(long) == 904
    model = Near()
    [first, _] = RerankRetriever(retriever=ranking("短文一段", long), model=model).invoke("验收期几天")
    assert (first.page_content, first.metadata["score"]) == (long, 1.0)
    assert model.longest <= 512


def test_passages_go_out_in_batches_and_come_back_in_order() -> None:
    inner = Scores({f"第{n}段": n / 10 for n in range(7)})
    passages = [f"第{n}段" for n in range(7)]
    assert Reranker(inner, batch_size=3).scores("问", passages) == [n / 10 for n in range(7)]
    assert [len(batch) for _, batch in inner.asked] == [3, 3, 1]


TWENTY = {f"第{n}节": 0.9 - n / 100 for n in range(1, 21)} | {"第7节": 0.01}


def ranked_by_words(ranking: Any) -> Any:
    """Twenty documents of which only the seventh has a keyword hit."""
    base = ranking(*TWENTY)
    base.found[6].metadata["ranks"] = {"bm25": 1, "vector": 7}
    return base


@pytest.mark.parametrize("threshold", [0.0, 0.5])
def test_the_only_keyword_hit_survives_where_it_is_asked_for(ranking: Any, threshold: float) -> None:
    options: dict[str, Any] = {"model": Scores(TWENTY), "k": 3, "threshold": threshold}
    plain = RerankRetriever(retriever=ranked_by_words(ranking), **options).invoke("重排序")
    assert texts(plain) == ["第1节", "第2节", "第3节"]
    kept = RerankRetriever(retriever=ranked_by_words(ranking), keep_keyword_hits=1, **options).invoke("重排序")
    assert texts(kept) == ["第1节", "第2节", "第7节"]
    assert kept[2].metadata["ranks"] == {"bm25": 1, "vector": 7, "rerank": 20}


def test_no_more_keyword_hits_are_kept_than_documents_are_wanted(ranking: Any) -> None:
    base = ranking("甲", "乙", "丙")
    for rank, document in enumerate(base.found, start=1):
        document.metadata["ranks"] = {"bm25": rank}
    table = {"甲": 0.1, "乙": 0.2, "丙": 0.3}
    found = RerankRetriever(retriever=base, model=Scores(table), k=2, keep_keyword_hits=9).invoke("问")
    assert texts(found) == ["乙", "甲"]


async def test_a_failing_model_is_an_error_unless_the_order_is_to_be_kept(
    ranking: Any, warnings_of: Callable[[], list[str]]
) -> None:
    class Failing:
        def score(self, query: str, passages: list[str]) -> list[float]:
            raise ConnectionError("no route")

    with pytest.raises(ModelUnavailableError, match="连不上 Failing 的服务"):
        RerankRetriever(retriever=ranking("甲", "乙"), model=Failing()).invoke("问")
    lenient = RerankRetriever(retriever=ranking("甲", "乙", "丙"), model=Failing(), on_error="keep_order", k=2)
    assert texts(lenient.invoke("问")) == texts(await lenient.ainvoke("问")) == ["甲", "乙"]
    assert all("重排没有成功" in said for said in warnings_of())
    assert len(warnings_of()) == 2


@pytest.mark.parametrize(
    ("scores", "said"), [([0.5], "发了 2 段文字，回来 1 个得分"), ([0.5, float("nan")], "不是有限数")]
)
def test_scores_that_cannot_be_right_are_an_error(scores: list[float], said: str) -> None:
    class Odd:
        def score(self, query: str, passages: list[str]) -> list[float]:
            return scores

    with pytest.raises(ModelError, match=said):
        Reranker(Odd()).scores("问", ["甲", "乙"])


def test_as_many_are_scored_as_the_wrapped_retriever_returns_by_itself(make_base: MakeBase) -> None:
    base = make_base([Document(page_content=f"年假第{n}条") for n in range(30)])
    model = Scores({f"年假第{n}条": n / 30 for n in range(30)})
    hybrid = HybridRetriever(retrievers=[BM25Retriever(source=base, k=30)], weights=[1.0], k=20)
    assert len(RerankRetriever(retriever=hybrid, model=model, k=3).invoke("年假")) == 3
    assert len(model.asked[0][1]) == 20
    RerankRetriever(retriever=hybrid, model=model, k=3).invoke("年假", k=25)
    assert len(model.asked[1][1]) == 25


def test_the_question_of_the_user_is_what_the_model_reads(ranking: Any) -> None:
    model = Scores({"甲": 1.0})
    RerankRetriever(retriever=ranking("甲"), model=model).invoke("年假几天")
    assert model.asked == [("年假几天", ["甲"])]


def test_a_retriever_that_cannot_filter_is_refused_once_there_is_a_filter(ranking: Any) -> None:
    retriever = RerankRetriever(retriever=ranking("甲"), model=Scores({"甲": 1.0}))
    with pytest.raises(SettingsError, match="Ranking 不支持过滤条件"):
        retriever.invoke("问", filter={"dept": "财务部"})


NESTED = {"kind": "hybrid", "retrievers": [{"kind": "hybrid"}, {"kind": "vector"}]}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"model": "bge-reranker"}, "要用 base_url 写出重排服务的地址"),
        ({"model": " "}, "模型名不能为空"),
        ({"model": "huggingface:x", "k": 3, "top_n": 4}, "k 和 top_n 是同一个选项"),
        ({"model": "huggingface:x", "keep_keyword_hits": 1, "base": {"kind": "vector"}}, "要求 base 是 bm25"),
        ({"model": "huggingface:x", "keep_keyword_hits": 1, "base": NESTED}, "不隔着另一个 hybrid"),
        ({"model": "huggingface:x", "threshold": 1.5}, "less than or equal to 1"),
        ({"model": "x", "base_url": "http://u:p@h"}, "地址里不要带用户名"),
    ],
)
def test_options_that_cannot_be_meant_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        RerankSettings.model_validate(options)


def test_top_n_is_another_name_of_k() -> None:
    assert RerankSettings.model_validate({"model": "huggingface:x", "top_n": 4}).k == 4


def test_the_head_of_a_table_is_read_with_its_rows(ranking: Any) -> None:
    base = ranking("| 年假 | 十天 |")
    base.found[0].metadata["table_header"] = "| 假别 | 天数 |"
    model = Scores({"| 假别 | 天数 |\n| 年假 | 十天 |": 0.7})
    assert RerankRetriever(retriever=base, model=model).invoke("年假")[0].metadata["score"] == 0.7


class Stages(BaseCallbackHandler):
    """Notes what each retriever returned."""

    def __init__(self) -> None:
        self.names: dict[UUID, str] = {}
        self.returned: dict[str, list[str]] = {}

    def on_retriever_start(self, serialized: Any, query: str, *, run_id: UUID, **kwargs: Any) -> None:
        self.names[run_id] = kwargs["name"]

    def on_retriever_end(self, documents: Sequence[Document], *, run_id: UUID, **kwargs: Any) -> None:
        self.returned[self.names[run_id]] = texts(list(documents))


def test_a_trace_shows_at_which_stage_a_document_was_dropped() -> None:
    table = {"年假十天": 0.9, "年假可以结转": 0.1}
    reranked = RerankRetriever(retriever=BM25Retriever.from_texts(list(table)), model=Scores(table), threshold=0.5)
    stages = Stages()
    CompressRetriever(retriever=reranked).invoke("年假", {"callbacks": [stages]})
    assert {name: sorted(found) for name, found in stages.returned.items()} == {
        "bm25": ["年假十天", "年假可以结转"],
        "rerank": ["年假十天"],
        "compress": ["年假十天"],
    }


def test_keyword_hits_are_those_of_every_keyword_leg(make_base: MakeBase) -> None:
    base = make_base([Document(page_content=text) for text in ("年假十天", "食堂周日休息")])
    legs = [BM25Retriever(source=base), BM25Retriever(source=base, k=1), VectorRetriever(source=base)]
    outer = HybridRetriever(retrievers=legs, weights=[0.1, 0.1, 0.8])
    table = {"年假十天": 0.1, "食堂周日休息": 0.9}
    [found] = RerankRetriever(retriever=outer, model=Scores(table), keep_keyword_hits=1, k=1).invoke("年假")
    assert found.page_content == "年假十天"
    assert found.metadata["ranks"] == {"bm25_1": 1, "bm25_2": 1, "vector": 1, "rerank": 2}


def test_one_file_of_settings_makes_hybrid_and_reranker(make_base: MakeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    """What leaves the machine is tested where the service is; here, that the settings arrive."""
    base = make_base([Document(page_content=text) for text in ("年假十天", "年假可以结转")])
    monkeypatch.setenv("RERANK_KEY", "blue-whale-4711")
    wanted = Settings.load(
        overrides=[
            ("retriever.kind", "rerank"),
            ("retriever.model", "bge-reranker-v2-m3"),
            ("retriever.base_url", "http://127.0.0.1:9/v1"),
            ("retriever.api_key_env", "RERANK_KEY"),
            ("retriever.top_n", 1),
            ("retriever.threshold", 0.3),
            ("retriever.on_error", "keep_order"),
            ("retriever.base", {"kind": "hybrid", "k": 9}),
        ]
    ).retriever
    retriever = build_retriever(base, wanted)
    assert isinstance(retriever, RerankRetriever)
    assert isinstance(retriever.retriever, HybridRetriever)
    assert (retriever.k, retriever.depth(1), retriever.threshold, retriever.on_error) == (1, 9, 0.3, "keep_order")
    assert isinstance(retriever.model, Reranker)
    assert retriever.model.name == "bge-reranker-v2-m3"
    assert "blue-whale" not in f"{retriever!r} {wanted!r}"
