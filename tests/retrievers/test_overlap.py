"""The explainable baseline, with numbers that can be counted by hand."""

from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.documents import Document

from youju import KnowledgeBase, Settings
from youju.retrievers import OverlapRetriever, build_retriever
from youju.retrievers.overlap import overlap_tokens

WIKI = [
    ("preview", "本地预览", "运行 npm run dev 启动本地开发服务器，浏览器会自动打开。"),
    ("build", "构建文档", "运行 npm run build，结果放在 dist 目录；这一步不会部署到服务器。"),
    ("submodule", "初始化子模块", "克隆后执行 git submodule update，检出主仓库记录的那个版本。"),
    ("source", "文章在哪里修改", "维基的文章放在单独的仓库里，请到那个仓库提交修改。"),
]


@pytest.fixture
def wiki() -> list[Document]:
    return [Document(id=name, page_content=text, metadata={"title": title}) for name, title, text in WIKI]


def test_tokens_are_runs_of_letters_and_pairs_of_characters() -> None:
    assert overlap_tokens("如何 npm_run，构建文档V2？") == {"如何", "npm_run", "构建", "建文", "文档", "v2"}
    assert overlap_tokens("好") == {"好"}
    assert overlap_tokens("？！") == frozenset()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("如何构建文档", [("build", 0.6)]),  # 构建 建文 文档 of 如何 何构 构建 建文 文档
        ("如何初始化子模块", [("submodule", 0.714)]),  # 5 of 7
        ("明天天气怎样", []),
        ("文档多少钱", [("build", 0.25)]),  # 文档 of 文档 档多 多少 少钱: a false recall, on purpose
    ],
)
def test_the_score_is_the_share_of_the_questions_tokens(
    wiki: list[Document], question: str, expected: list[tuple[str, float]]
) -> None:
    retriever = OverlapRetriever.from_documents(wiki, threshold=0.2, k=2)
    assert [(hit.id, hit.metadata["score"]) for hit in retriever.invoke(question)] == expected


def test_it_is_chosen_by_settings_and_works_on_a_real_base(
    wiki: list[Document], make_base: Callable[..., KnowledgeBase]
) -> None:
    settings = Settings.load(overrides=["retriever={kind: overlap, threshold: 0.2, k: 2}"], environ={})
    for document in wiki:
        document.metadata["source"] = f"{document.id}.md"
    retriever = build_retriever(make_base(wiki), settings.retriever)
    assert isinstance(retriever, OverlapRetriever)
    hits = [
        retriever.invoke(question) for question in ("如何构建文档", "如何初始化子模块", "明天天气怎样", "文档多少钱")
    ]
    assert [[(hit.metadata["source"], hit.metadata["score"]) for hit in found] for found in hits] == [
        [("build.md", 0.6)],
        [("submodule.md", 0.714)],
        [],
        [("build.md", 0.25)],
    ]


def test_ties_are_ordered_by_id_and_cut_at_k() -> None:
    documents = [Document(id=name, page_content="年假") for name in ("c", "a", "b")]
    retriever = OverlapRetriever.from_documents(documents)
    assert [hit.id for hit in retriever.invoke("年假")] == ["a", "b"]
    assert [hit.id for hit in retriever.invoke("年假", k=3)] == ["a", "b", "c"]


@pytest.mark.parametrize(("threshold", "count"), [(0.0, 2), (0.5, 2), (0.51, 1), (1.0, 1)])
def test_the_threshold_is_reached_by_equal_scores(threshold: float, count: int) -> None:
    documents = [Document(id="a", page_content="年假很长"), Document(id="b", page_content="年假。假很")]
    retriever = OverlapRetriever.from_documents(documents, threshold=threshold, k=5)
    # 年假 假很: both in a and b; 年假 很长: both in a, one in b
    assert len(retriever.invoke("年假 很长")) == count


def test_a_document_that_shares_nothing_is_left_out_at_threshold_zero() -> None:
    assert OverlapRetriever.from_documents([Document(page_content="甲乙")], threshold=0).invoke("丙丁") == []


def test_a_title_of_none_is_no_word() -> None:
    document = Document(page_content="text", metadata={"title": None})
    assert OverlapRetriever.from_documents([document]).invoke("none") == []


def test_a_filter_holds(wiki: list[Document]) -> None:
    retriever = OverlapRetriever.from_documents(wiki, k=4, threshold=0)
    conditions: dict[str, Any] = {"title": {"$ne": "构建文档"}}
    assert "build" not in [hit.id for hit in retriever.invoke("如何构建文档的仓库", filter=conditions)]


def test_a_change_of_the_base_is_seen_at_the_next_question(make_base: Callable[..., KnowledgeBase]) -> None:
    base = make_base([Document(page_content="年假为十天", metadata={"source": "a.md"})])
    retriever = OverlapRetriever(source=base)
    assert len(retriever.invoke("年假")) == 1
    make_base([Document(page_content="年假可以结转", metadata={"source": "b.md"})])
    assert len(retriever.invoke("年假")) == 2
