"""Vector search for variety: maximal marginal relevance over the stored vectors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from langchain_core.documents import Document
from pydantic import TypeAdapter, ValidationError

from youju import KnowledgeBase
from youju.errors import SettingsError
from youju.retrievers import HybridRetriever, VectorRetriever, build_retriever, explain
from youju.settings import RetrieverSettings

MakeBase = Callable[..., KnowledgeBase]
TEXTS = [
    "年假为十天，每年一月发放。",
    "年假为十天，每年一月发放！",
    "年假为十天，每年二月发放。",
    "年假须提前两周向主管申请。",
    "年假可以结转到下一年三月。",
    "病假须提交医院的证明。",
    "报销须在三十天内提交发票。",
    "门禁卡遗失须当天报告。",
    "加班可以换成年假或调休。",
    "食堂十一点半开门。",
]
WORDS = ["年假", "几天", "发放", "报销", "门禁", "病假", "食堂"]
QUESTION = "年假为几天，每年几月发放？"


@pytest.fixture
def base(make_base: MakeBase) -> KnowledgeBase:
    """Ten sentences, the first three nearly the same, of two departments by turns."""
    return make_base(
        [
            Document(page_content=text, metadata={"source": "a.md", "dept": "甲乙"[place % 2]})
            for place, text in enumerate(TEXTS)
        ]
    )


def texts_of(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


def shortfalls(
    base: KnowledgeBase, wide: list[Document], found: list[Document], question: str, share: float
) -> list[float]:
    """By how much each choice after the first is worth less than the best one would have been."""
    rows = {key: np.array(row) for key, row in base.vectors([str(document.id) for document in wide]).items()}
    asked = np.array(base.embeddings.embed_query(question))
    ids = [str(document.id) for document in found]
    out = []
    for at in range(1, len(ids)):
        worth = {
            key: share * float(row @ asked) - (1 - share) * max(float(row @ rows[one]) for one in ids[:at])
            for key, row in rows.items()
            if key not in ids[:at]
        }
        out.append(max(worth.values()) - worth[ids[at]])
    return out


async def test_near_copies_of_the_nearest_give_way_to_something_else(base: KnowledgeBase) -> None:
    plain = VectorRetriever(source=base, k=3)
    varied = VectorRetriever(source=base, k=3, search_type="mmr", fetch_k=10, lambda_mult=0.5)
    assert set(texts_of(plain.invoke(QUESTION))) == set(TEXTS[:3])
    for found in (varied.invoke(QUESTION), await varied.ainvoke(QUESTION)):
        assert found[0].page_content == plain.invoke(QUESTION)[0].page_content
        assert len(set(texts_of(found)) & set(TEXTS[:3])) < 3
        assert [document.metadata["ranks"] for document in found] == [{"vector": 1}, {"vector": 2}, {"vector": 3}]
        scores = {d.page_content: d.metadata["score"] for d in VectorRetriever(source=base, k=10).invoke(QUESTION)}
        for document in found:
            assert document.metadata["score"] == pytest.approx(scores[document.page_content], abs=1e-6)


@examples(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    question=st.lists(st.sampled_from(["年假", "几天", "发放", "报销", "门禁", "病假", "食堂"]), min_size=1).map(
        "的".join
    ),
    share=st.sampled_from([0.0, 0.25, 0.5, 0.8, 1.0]),
    k=st.integers(1, 12),
    fetch_k=st.integers(1, 12),
    call=st.sampled_from([None, {"dept": "甲"}, {"dept": "丙"}]),
)
def test_the_choice_is_that_of_the_definition(
    question: str, share: float, k: int, fetch_k: int, call: Any, base: KnowledgeBase
) -> None:
    wide = VectorRetriever(source=base, k=max(k, fetch_k)).invoke(question, filter=call)
    found = VectorRetriever(source=base, k=k, search_type="mmr", fetch_k=fetch_k, lambda_mult=share).invoke(
        question, filter=call
    )
    assert len(found) == min(k, len(wide))
    assert len({document.id for document in found}) == len(found)
    assert {document.id for document in found} <= {document.id for document in wide}
    assert all(call is None or document.metadata["dept"] == call["dept"] for document in found)
    if found:
        assert found[0].metadata["score"] == pytest.approx(wide[0].metadata["score"], abs=1e-6)
    if share == 1:
        assert texts_of(found) == texts_of(wide)[:k]
    else:
        assert all(less < 1e-6 for less in shortfalls(base, wide, found, question, share))


def test_what_variety_cost_a_place_is_told(base: KnowledgeBase) -> None:
    varied = VectorRetriever(source=base, k=2, search_type="mmr", fetch_k=4, lambda_mult=0.3)
    trace = explain(varied, QUESTION, why=[str(document.id) for document in base.documents()])
    assert len(trace.root.dropped) == 2
    assert {one.reason for one in trace.root.dropped} <= {
        f"按相似度第 {rank} 名，mmr 选了与它不同的 2 块" for rank in (2, 3, 4)
    }
    lost = [fate.summary for fate in trace.fates if fate.steps[0].outcome == "missed"]
    assert sorted(lost) == sorted(f"没有被任何一路召回；vector 第 {rank} 名，只取前 4" for rank in range(5, 11))


def test_it_is_a_leg_like_any_other_and_is_set_by_the_settings(base: KnowledgeBase) -> None:
    settings: RetrieverSettings = TypeAdapter(RetrieverSettings).validate_python(
        {
            "kind": "hybrid",
            "retrievers": [
                {"kind": "bm25"},
                {"kind": "vector", "k": 3, "search_type": "mmr", "fetch_k": 8, "lambda_mult": 0.4},
            ],
        }
    )
    hybrid: Any = build_retriever(base, settings)
    assert isinstance(hybrid, HybridRetriever)
    leg: Any = hybrid.retrievers[1]
    assert (leg.search_type, leg.fetch_k, leg.lambda_mult, leg.k) == ("mmr", 8, 0.4, 3)
    assert all(document.metadata["dept"] == "甲" for document in hybrid.invoke(QUESTION, filter={"dept": "甲"}))


@pytest.mark.parametrize(
    "wrong", [{"search_type": "mmrr"}, {"lambda_mult": 1.5}, {"lambda_mult": -0.1}, {"fetch_k": 0}], ids=str
)
def test_a_setting_that_cannot_be_is_refused(wrong: dict[str, Any], base: KnowledgeBase) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(RetrieverSettings).validate_python({"kind": "vector", **wrong})
    with pytest.raises(ValidationError):
        VectorRetriever(source=base, **wrong)


def test_a_source_that_tells_no_vectors_is_refused() -> None:
    class Words:
        def vector_search(self, query: str, *, k: int, filter: Any = None) -> list[Document]:  # noqa: A002 - LangChain's name
            return []

    with pytest.raises(ValidationError, match="search_type 是 mmr 时，source 要能给出资料的向量"):
        VectorRetriever(source=Words(), search_type="mmr")  # type: ignore[arg-type] # half of what is needed


def test_the_stored_vectors_are_told_by_id_and_of_length_1(base: KnowledgeBase) -> None:
    ids = [str(document.id) for document in base.documents()]
    found = base.vectors([*ids, "no-such-chunk"])
    assert set(found) == set(ids)
    assert all(np.linalg.norm(vector) == pytest.approx(1, abs=1e-5) for vector in found.values())
    assert base.vectors([]) == {}
    embeddings: Any = base.embeddings
    assert found[ids[0]] == pytest.approx(embeddings.vector(TEXTS[0]), abs=1e-6)


def test_a_bad_setting_is_named_in_a_file(tmp_path: Any) -> None:
    from youju import Settings  # noqa: PLC0415 - only here

    (tmp_path / "youju.yaml").write_text("retriever: {kind: vector, search_typ: mmr}\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="search_type"):
        Settings.load(tmp_path / "youju.yaml")
