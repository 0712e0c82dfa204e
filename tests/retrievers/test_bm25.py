"""Keyword search, on documents in memory and on a real knowledge base."""

from collections.abc import Callable

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase
from youju.errors import SettingsError
from youju.retrievers import BM25Retriever, build_retriever
from youju.settings import BM25Settings, KeywordSettings

RECIPES = [
    "鸡蛋羹要把鸡蛋打散后加温水蒸",
    "麻婆豆腐要先把牛肉末炒香",
    "清蒸鲈鱼要先用姜腌一下",
    "番茄炒蛋要先炒鸡蛋",
    "青椒肉丝要用大火快炒",
]
Search = Callable[[list[str], str, int], list[Document]]


@pytest.fixture(params=["memory", "base"])
def search(request: pytest.FixtureRequest) -> Search:
    """Keyword search as callers get it: over texts in memory, and through the settings over a base."""

    def in_memory(texts: list[str], query: str, k: int) -> list[Document]:
        return BM25Retriever.from_texts(texts, k=k).invoke(query)

    def in_base(texts: list[str], query: str, k: int) -> list[Document]:
        base = request.getfixturevalue("make_base")([Document(page_content=text) for text in texts])
        return build_retriever(base, BM25Settings(k=k)).invoke(query)

    return in_memory if request.param == "memory" else in_base


def found(documents: list[Document]) -> list[str]:
    return [document.page_content for document in documents]


def test_the_untuned_default_finds_the_chinese_text_that_is_meant(search: Search) -> None:
    assert found(search(RECIPES, "麻婆豆腐", 3))[0] == RECIPES[1]


@pytest.mark.parametrize("query", ["量子力学", "？", "，。！", "", "   "])
def test_texts_that_share_no_word_do_not_fill_the_list(search: Search, query: str) -> None:
    assert search(RECIPES, query, 3) == []


@pytest.mark.parametrize("texts", [[], ["——"], ["——", " ", "。"]])
def test_a_corpus_without_words_is_searched_without_result(search: Search, texts: list[str]) -> None:
    assert search(texts, "麻婆豆腐", 3) == []


@pytest.mark.parametrize("query", ["年假", "员工年假几天？"])
def test_a_word_is_found_in_every_text_that_has_it(search: Search, query: str) -> None:
    hits = search(["年假为十天", "年假可以结转", "病假需医院证明"], query, 3)
    assert set(found(hits)[:2]) == {"年假为十天", "年假可以结转"}
    scores = [hit.metadata["score"] for hit in hits[:2]]
    assert min(scores) >= max(scores) / 2


def test_a_word_is_found_where_its_neighbours_would_be_cut_across_it(search: Search) -> None:
    assert found(search(["退货运费由买家承担", "积分每年清零"], "退货", 3)) == ["退货运费由买家承担"]
    assert found(search(["余额结转次年度使用", "积分每年清零"], "次年", 3)) == ["余额结转次年度使用"]


@pytest.mark.parametrize(
    ("query", "texts"),
    [
        (
            "BX-2024-0017",
            ["报销单号BX-2024-0017已退回", "报销单号BX-2024-0018已支付", "报销单号BX-2023-0017已支付", "见附件"],
        ),
        ("GB/T 19001-2016", ["执行GB/T 19001-2016", "执行GB/T 19001-2008", "执行GB/T 24001-2016"]),
        ("5w-30", ["加注5w-30机油", "加注5w-40机油", "加注10w-30机油"]),
        ("v2.3.1", ["版本v2.3.1的说明", "版本v2.3.2的说明", "版本v2.1.3的说明"]),
        ("E1001", ["错误E1001的处理", "错误E1010的处理", "错误E2001的处理"]),
        ("C++", ["用C++编写", "用C编写", "用Java编写"]),
    ],
)
def test_an_identifier_puts_the_text_that_names_it_strictly_first(search: Search, query: str, texts: list[str]) -> None:
    hits = search(texts, query, 4)
    assert hits[0].page_content == texts[0]
    assert all(hits[0].metadata["score"] > other.metadata["score"] for other in hits[1:])


@pytest.mark.parametrize("query", ["ABC123保修多久", "abc123", "ＡＢＣ１２３"])
def test_full_width_letters_are_found_and_shown_as_they_are(search: Search, query: str) -> None:
    texts = ["型号ＡＢＣ１２３的保修期为两年。", "型号XYZ789的保修期为一年。", "退换货须在七天内提出。"]
    assert search(texts, query, 3)[0].page_content == texts[0]
    assert found(search(["第３条（一）费用由甲方承担。"], "第3条", 3)) == ["第３条（一）费用由甲方承担。"]


@pytest.mark.parametrize("query", ["产品保固期", "產品保固期"])
def test_a_traditional_text_is_found_by_either_script_and_shown_as_it_is(search: Search, query: str) -> None:
    hits = search(["產品保固期為兩年", "產地見包裝", "运费由买家承担"], query, 3)
    assert hits[0].page_content == "產品保固期為兩年"
    assert "运费由买家承担" not in found(hits)


def test_a_traditional_text_of_a_base_is_shown_with_its_page(
    make_base: Callable[[list[Document]], KnowledgeBase],
) -> None:
    text = "產品保固期為兩年"
    base = make_base([Document(page_content=text, metadata={"source": "a.pdf", "page": 3})])
    [hit] = build_retriever(base, BM25Settings()).invoke("产品保固期")
    assert (hit.page_content, hit.metadata["page"]) == (text, 3)


@pytest.mark.parametrize(
    ("query", "text", "other"),
    [
        ("120天", "期限为一百二十天", "期限为一百三十天"),
        ("一百二十天", "期限为120天", "期限为130天"),
        ("1200000元", "总价1,200,000元", "总价1,300,000元"),
        ("120万元", "总价1,200,000元", "总价1,300,000元"),
        ("5%的违约金", "违约金为百分之五", "违约金为百分之六"),
        ("第十五条", "依照第15条办理", "依照第16条办理"),
    ],
)
def test_a_number_is_found_in_the_form_it_is_written_in(search: Search, query: str, text: str, other: str) -> None:
    hits = search([other, text, "食堂在二楼"], query, 3)
    assert hits[0].page_content == text
    assert all(hits[0].metadata["score"] > hit.metadata["score"] for hit in hits[1:])


def test_texts_in_memory_are_searched_with_the_settings_given() -> None:
    settings = KeywordSettings(script="keep", bigrams="none")
    assert BM25Retriever.from_texts(["產品保固"], keywords=settings).invoke("产品") == []
    assert len(BM25Retriever.from_texts(["產品保固"]).invoke("产品")) == 1
    reference = KeywordSettings(engine="rank_bm25")
    assert found(BM25Retriever.from_texts(RECIPES, keywords=reference).invoke("麻婆豆腐"))[0] == RECIPES[1]


def test_a_question_mark_is_nothing_to_search_for(search: Search) -> None:
    texts = ["是否报销？", "是否停机？", "报销须附发票"]
    assert set(found(search(texts, "报销？", 3))) == {"是否报销？", "报销须附发票"}


def test_documents_carry_score_and_rank_and_the_best_comes_first(search: Search) -> None:
    hits = search(["年假", "年假和病假", "病假"], "年假", 3)
    assert [hit.metadata["ranks"] for hit in hits] == [{"bm25": 1}, {"bm25": 2}]
    assert hits[0].metadata["score"] >= hits[1].metadata["score"] > 0


def test_k_and_filter_can_be_given_for_one_call() -> None:
    retriever = BM25Retriever.from_texts(["年假一", "年假二", "年假三"], [{"n": 1}, {"n": 2}, {"n": 3}])
    assert len(retriever.invoke("年假")) == 3
    assert found(retriever.invoke("年假", k=1)) == ["年假一"]
    assert found(retriever.invoke("年假", filter={"n": {"$gte": 2}})) == ["年假二", "年假三"]
    assert retriever.invoke("年假", filter={"n": 9}) == []


def test_a_call_can_narrow_the_retrievers_own_filter_but_not_widen_it() -> None:
    retriever = BM25Retriever.from_texts(["年假一", "年假二"], [{"n": 1}, {"n": 2}], filter={"n": 1})
    assert found(retriever.invoke("年假")) == ["年假一"]
    assert retriever.invoke("年假", filter={"n": 2}) == []


@pytest.mark.parametrize("k", [0, -1, "三", True, 1.5])
def test_a_number_of_results_that_is_none_is_refused(k: object) -> None:
    with pytest.raises(SettingsError, match="k 必须是大于 0 的整数"):
        BM25Retriever.from_texts(RECIPES).invoke("鸡蛋", k=k)


def test_an_unknown_operator_of_a_filter_is_refused() -> None:
    with pytest.raises(SettingsError, match=r"\$near"):
        BM25Retriever.from_texts(RECIPES).invoke("鸡蛋", filter={"n": {"$near": 1}})


def test_equal_texts_of_two_sources_are_two_results_and_one_document_given_twice_is_one() -> None:
    first = Document(page_content="保修期一年", metadata={"source": "甲.pdf"})
    second = Document(page_content="保修期一年", metadata={"source": "乙.pdf"})
    hits = BM25Retriever.from_documents([first, second, first]).invoke("保修期多久")
    assert [hit.metadata["source"] for hit in hits] == ["甲.pdf", "乙.pdf"]


def test_two_documents_with_one_id_are_refused_and_none_is_lost_in_silence() -> None:
    documents = [Document(id="1", page_content="甲"), Document(id="1", page_content="乙")]
    with pytest.raises(SettingsError, match="同一个 id：1"):
        BM25Retriever.from_documents(documents)


def test_the_documents_given_stay_as_they_are() -> None:
    document = Document(page_content="年假为十天", metadata={"source": "a"})
    BM25Retriever.from_documents([document]).invoke("年假")
    assert document.metadata == {"source": "a"}


async def test_it_can_be_awaited_and_batched() -> None:
    retriever = BM25Retriever.from_texts(RECIPES)
    assert await retriever.ainvoke("鲈鱼") == retriever.invoke("鲈鱼")
    assert retriever.batch(["鲈鱼", "豆腐"]) == [retriever.invoke("鲈鱼"), retriever.invoke("豆腐")]
