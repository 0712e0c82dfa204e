"""Which sentences a compression keeps: by vectors, and as a chat model says."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.runnables import RunnableLambda
from pydantic import TypeAdapter, ValidationError

from youju import KnowledgeBase
from youju.errors import ModelError, SettingsError
from youju.models import build_embeddings
from youju.retrievers import BM25Retriever, CompressRetriever, build_retriever, explain
from youju.retrievers.judges import read_numbers
from youju.settings import EmbeddingsSettings, RetrieverSettings

MakeBase = Callable[..., KnowledgeBase]
SENTENCES = ["员工每年可以休十天带薪假期。", "食堂周日不开门。", "停车场在大楼后面。", "休假要提前两周向主管申请。"]
TEXT = "".join(SENTENCES)
QUESTION = "年假怎么请？"


@pytest.fixture(scope="module")
def e5() -> Embeddings:
    """The built-in embedding model."""
    return build_embeddings(EmbeddingsSettings())


class Beside(Embeddings):
    """Vectors of two numbers, given for each sentence: how much it is about the question, and how much it is not."""

    def __init__(self, **about: float) -> None:
        self.about = about
        self.calls = 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        return [[self.about[text[0]], (1 - self.about[text[0]] ** 2) ** 0.5] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return [1.0, 0.0]


def over(ranking: Any, *texts: str, **options: Any) -> CompressRetriever:
    """A compression of documents with places."""
    base = ranking("甲")
    base.found = [
        Document(id=f"d{place}", page_content=text, metadata={"start": 100, "end": 100 + len(text)})
        for place, text in enumerate(texts)
    ]
    return CompressRetriever(retriever=base, **options)


async def test_vectors_find_sentences_that_share_no_word_with_the_question(ranking: Any, e5: Embeddings) -> None:
    retriever = over(ranking, TEXT, by="vectors", embeddings=e5)
    assert over(ranking, TEXT).invoke(QUESTION)[0].page_content == TEXT  # no word in common: it stays whole
    for [found] in (retriever.invoke(QUESTION), await retriever.ainvoke(QUESTION)):
        assert found.page_content == f"{SENTENCES[0]}\n{SENTENCES[3]}"
        assert [TEXT[start - 100 : end - 100] for start, end in found.metadata["kept"]] == [SENTENCES[0], SENTENCES[3]]
        assert (found.id, found.metadata["start"]) == ("d0", 100)


@pytest.mark.parametrize(
    ("threshold", "kept"),
    [
        (None, "甲。乙。"),
        (0.5, "甲。乙。丙。"),
        (0.85, "甲。"),
        (0.8, "甲。乙。"),
        (0.95, "甲。乙。丙。丁。"),
        (-1, "甲。乙。丙。丁。"),
    ],
)
def test_a_threshold_says_which_sentences_are_near_enough(ranking: Any, threshold: Any, kept: str) -> None:
    # without one, the middle of 0.9 and 0.3; where none reaches it, the document stays whole
    vectors = Beside(甲=0.9, 乙=0.8, 丙=0.5, 丁=0.3)
    retriever = over(ranking, "甲。乙。丙。丁。", by="vectors", embeddings=vectors, threshold=threshold)
    assert retriever.invoke("问")[0].page_content == kept


def test_the_sentences_of_all_documents_are_embedded_together(ranking: Any) -> None:
    vectors = Beside(甲=0.9, 乙=0.1, 丙=0.9, 丁=0.1)
    found = over(ranking, "甲。乙。", "丁。", "丁。丙。", by="vectors", embeddings=vectors).invoke("问")
    assert [document.page_content for document in found] == ["甲。", "丁。", "丙。"]
    assert vectors.calls == 1


@pytest.mark.parametrize(
    ("reply", "kept"),
    [
        ("1,4", [0, 3]),
        ("4、1", [0, 3]),
        ("[1, 4]", [0, 3]),
        ("１，４。", [0, 3]),
        ("第1句、第4句", [0, 3]),
        ("```json\n[1, 4]\n```", [0, 3]),
        ("1-2", [0, 1]),
        ("<think>第2句也许有用</think>4", [3]),
        ("只想了一半</think>\n4", [3]),
    ],
)
async def test_a_chat_model_names_the_sentences_and_writes_none(
    ranking: Any, chat: Any, warnings_of: Any, reply: str, kept: list[int]
) -> None:
    model = chat(reply)
    retriever = over(ranking, TEXT, by="chat", chat=model)
    for [found] in (retriever.invoke(QUESTION), await retriever.ainvoke(QUESTION)):
        parts = [TEXT[start - 100 : end - 100] for start, end in found.metadata["kept"]]
        assert "".join(parts) == "".join(SENTENCES[at] for at in kept)
        assert found.page_content == "\n".join(parts)
    assert "4. 休假要提前两周向主管申请。" in model.asked[0]
    assert warnings_of() == []


@pytest.mark.parametrize("reply", ["0", "无", "[]", "<think>都没用</think>无。"])
def test_where_the_model_finds_no_sentence_the_document_stays_whole(
    ranking: Any, chat: Any, warnings_of: Any, reply: str
) -> None:
    found = over(ranking, TEXT, by="chat", chat=chat(reply)).invoke("食堂周日开门吗？")
    assert [document.page_content for document in found] == [TEXT]
    assert warnings_of() == []


@pytest.mark.parametrize("reply", ["5", "0,1", "-1", "食堂周日不开门。", "1. 食堂周日开门。", "第一句", "3-1", "1,二"])
def test_a_reply_of_another_form_leaves_the_choice_to_the_words(
    ranking: Any, chat: Any, warnings_of: Any, reply: str
) -> None:
    found = over(ranking, TEXT, by="chat", chat=chat(reply)).invoke("食堂周日开门吗？")
    assert [document.page_content for document in found] == [SENTENCES[1]]
    assert warnings_of() == [f"compress 的回复不是句子的编号，改按相同的词挑句子：{reply}"]


async def test_a_model_that_fails_leaves_the_choice_to_the_words(ranking: Any, chat: Any, warnings_of: Any) -> None:
    retriever = over(ranking, TEXT, by="chat", chat=chat(RuntimeError("断线")))
    for found in (retriever.invoke("食堂周日开门吗？"), await retriever.ainvoke("食堂周日开门吗？")):
        assert found[0].page_content == SENTENCES[1]
    assert len(warnings_of()) == 2
    assert all(text.startswith("compress 没有用上聊天模型，改按相同的词挑句子：") for text in warnings_of())


def test_each_document_is_judged_by_itself_and_one_sentence_or_a_table_not_at_all(ranking: Any) -> None:
    asked: list[str] = []

    def choose(prompt: str) -> str:
        asked.append(prompt)
        return "1" if "停车" in prompt else "乱写"

    table = "| 年假 | 十天 |\n| --- | --- |\n| 病假 | 五天 |"
    texts = ["停车免费。食堂收费。", "年假十天。", table, "食堂周日关门。年假十天。"]
    found = over(ranking, *texts, by="chat", chat=RunnableLambda(choose)).invoke("年假几天")
    assert [document.page_content for document in found] == ["停车免费。", "年假十天。", table, "年假十天。"]
    assert len(asked) == 2


@given(reply=st.one_of(st.text(), st.text(alphabet="0123456789,，、- []第句。")), count=st.integers(1, 9))
def test_a_reply_is_a_choice_of_sentences_or_none(reply: str, count: int) -> None:
    found = read_numbers(reply, count)
    assert found is None or found <= set(range(count))


def test_a_long_list_with_words_behind_it_is_none_and_is_read_at_once() -> None:
    numbers = ", ".join(map(str, range(1, 60)))
    assert read_numbers(numbers, 59) == set(range(59))
    assert read_numbers(f"{numbers} 与问题有关", 59) is None
    assert read_numbers("1" * 5000, 59) is None


def test_the_model_is_a_step_of_the_trace(ranking: Any, chat: Any) -> None:
    trace = explain(over(ranking, TEXT, by="chat", chat=chat("1,4")), QUESTION)
    assert [(stage.kind, stage.text) for stage in trace.stages()][1] == ("chat", "1,4")
    assert [one.text for one in trace.root.dropped] == SENTENCES[1:3]


def test_a_failing_embedding_model_is_an_error(ranking: Any, stub_embeddings: Any) -> None:
    stub_embeddings.error = ModelError("服务没有应答")
    with pytest.raises(ModelError, match="服务没有应答"):
        over(ranking, TEXT, by="vectors", embeddings=stub_embeddings).invoke(QUESTION)


def test_the_settings_say_how_sentences_are_judged(make_base: MakeBase, chat: Any) -> None:
    def built(**options: Any) -> Any:
        settings: RetrieverSettings = TypeAdapter(RetrieverSettings).validate_python({"kind": "compress", **options})
        return build_retriever(base, settings, chat=model)

    base, model = make_base([Document(page_content=TEXT)]), chat("4")
    near = built(by="vectors", threshold=0.4)
    assert (near.by, near.threshold, near.embeddings) == ("vectors", 0.4, base.embeddings)
    assert built(by="chat").invoke(QUESTION)[0].page_content == SENTENCES[3]
    assert (built().by, built().chat) == ("words", None)
    model = None
    with pytest.raises(SettingsError, match="compress 需要会写作的聊天模型"):
        built(by="chat")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"threshold": 0.5}, "threshold 只在 by 是 vectors 时有用；现在 by 是 words"),
        ({"by": "chat", "threshold": 0.5}, "threshold 只在 by 是 vectors 时有用；现在 by 是 chat"),
        ({"by": "vectors", "chat": {"model": "openai:x"}}, "chat 只在 by 是 chat 时有用；现在 by 是 vectors"),
        ({"by": "meaning"}, "by"),
        ({"by": "vectors", "threshold": 2}, "threshold"),
    ],
)
def test_options_that_do_not_belong_together_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        TypeAdapter(RetrieverSettings).validate_python({"kind": "compress", **options})


@pytest.mark.parametrize(("by", "needed"), [("vectors", "embeddings"), ("chat", "chat")])
def test_a_judge_without_its_model_is_refused(by: Any, needed: str) -> None:
    with pytest.raises(ValidationError, match=f"by 是 {by} 时，要给出 {needed}"):
        CompressRetriever(retriever=BM25Retriever.from_texts(["年假"]), by=by)
