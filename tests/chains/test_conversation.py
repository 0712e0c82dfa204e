"""Follow-ups: searched in full words, answered as asked, never from the numbers of an earlier turn."""

import logging
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import InMemoryChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from langchain_core.runnables.history import RunnableWithMessageHistory
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from pydantic import Field

from youju import Settings
from youju.chains import answer_events
from youju.chains.condense import joined, read_history
from youju.chains.conversation import as_dicts, build_conversation_chain
from youju.errors import ModelAuthError, QuestionError
from youju.retrievers.ngram import NgramRetriever

TEXTS = ["年假为10天。", "病假为30天，要有医院证明。"]
HISTORY = [HumanMessage("年假有几天？"), AIMessage("年假为10天[资料1]。")]
ASKED = {"question": "那病假呢？", "history": HISTORY}
SAID = "病假为30天[资料2]。"


class Recording(BaseRetriever):
    """Finds the same documents for every question, and remembers the questions."""

    texts: list[str] = TEXTS
    queries: list[str] = Field(default_factory=list)
    options: list[dict[str, Any]] = Field(default_factory=list)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Any = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        self.queries.append(query)
        self.options.append({"k": k, "filter": filter})
        return [Document(id=f"d{n}", page_content=text) for n, text in enumerate(self.texts, start=1)]


@pytest.fixture
def retriever() -> Recording:
    return Recording()


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]


def test_what_is_searched_is_rewritten_and_what_is_answered_is_as_asked(
    scripted: Callable[..., Any], retriever: Recording
) -> None:
    model = scripted("病假有几天？", SAID)
    answer = build_conversation_chain(retriever, chat=model).invoke(ASKED)
    assert retriever.queries == ["病假有几天？"]
    assert (answer.status, answer.question, answer.answer) == ("answered", "那病假呢？", SAID)
    condensing, answering = model.prompts
    assert "用户：年假有几天？\n助手：年假为10天。\n\n新问题：那病假呢？" in condensing[0].text
    assert [message.text for message in answering[:-1]] == ["年假有几天？", "年假为10天。"]
    assert answering[-1].text.endswith("\n\n问题：那病假呢？")
    assert not any("病假有几天" in message.text for message in answering)


def test_an_english_question_is_rewritten_in_english(scripted: Callable[..., Any], retriever: Recording) -> None:
    model = scripted("How many days of sick leave are there?", SAID)
    build_conversation_chain(retriever, chat=model).invoke({**ASKED, "question": "What about sick leave?"})
    assert retriever.queries == ["How many days of sick leave are there?"]
    assert model.prompts[0][0].text.endswith(
        "\n\nUser: 年假有几天？\nAssistant: 年假为10天。\n\nNew question: What about sick leave?"
    )


async def test_asynchronous_callers_get_the_same(scripted: Callable[..., Any], retriever: Recording) -> None:
    expected = build_conversation_chain(retriever, chat=scripted("病假有几天？", SAID)).invoke(ASKED)
    assert await build_conversation_chain(retriever, chat=scripted("病假有几天？", SAID)).ainvoke(ASKED) == expected
    assert retriever.queries == ["病假有几天？"] * 2


@pytest.mark.parametrize("history", [[], None, [SystemMessage("你好")]])
def test_without_anything_said_before_the_question_is_not_rewritten(
    history: Any, scripted: Callable[..., Any], retriever: Recording
) -> None:
    model = scripted("年假为10天[资料1]。")
    answer = build_conversation_chain(retriever, chat=model).invoke({"question": "年假有几天？", "history": history})
    assert (answer.status, len(model.prompts), retriever.queries) == ("answered", 1, ["年假有几天？"])


def test_the_history_may_be_left_out_and_the_callers_own_search_is_used(
    scripted: Callable[..., Any], retriever: Recording
) -> None:
    chain = build_conversation_chain(retriever, chat=scripted("年假为10天[资料1]。", SAID))
    assert chain.invoke({"question": "年假有几天？"}).status == "answered"
    assert chain.invoke({**ASKED, "search": "病假 天数"}).status == "answered"
    assert retriever.queries == ["年假有几天？", "病假 天数"]


@pytest.mark.parametrize(
    "history",
    [
        [("human", "年假有几天？"), ("ai", "年假为10天[资料1]。")],
        [{"role": "user", "content": "年假有几天？"}, {"role": "assistant", "content": "年假为10天【资料１】。"}],
        (HumanMessage("年假有几天？"), AIMessage("<think>[资料2]？</think>年假为10天（资料1、2）。")),
        [*HISTORY, ToolMessage("x", tool_call_id="1"), AIMessage("")],
    ],
)
def test_a_history_comes_in_the_forms_that_langchain_knows(history: Any) -> None:
    assert [(message.type, message.text) for message in read_history(history, 100)] == [
        ("human", "年假有几天？"),
        ("ai", "年假为10天。"),
    ]


@pytest.mark.parametrize("history", [7, [7], [("boss", "年假")], [{"text": "年假"}], {"role": "user"}])
def test_a_history_that_is_none_is_refused(history: Any, retriever: Recording) -> None:
    with pytest.raises(QuestionError, match="history 要是消息的列表"):
        build_conversation_chain(retriever).invoke({"question": "年假有几天？", "history": history})


@pytest.mark.parametrize("given", ["年假有几天？", {}, {"question": 7}, {"question": " "}])
def test_an_input_without_a_question_is_refused(given: Any, retriever: Recording) -> None:
    with pytest.raises(QuestionError):
        build_conversation_chain(retriever).invoke(given)


@pytest.mark.parametrize(
    ("reply", "searched"),
    [
        ("<think>指年假？</think>\n病假有几天？", "病假有几天？"),
        ("独立问题：", "年假有几天？ 那病假呢？"),
        ("问题：“病假有几天？”", "病假有几天？"),
        ("好的，改写如下：\n1. 病假有几天？\n", "病假有几天？"),
        ("病假有几天[资料1]？", "病假有几天？"),
        ("病假几天", "病假几天"),
        ("<think>那病假", "年假有几天？ 那病假呢？"),
        ("。", "年假有几天？ 那病假呢？"),
        ("病" * 201, "年假有几天？ 那病假呢？"),
        (ModelAuthError("没有密钥"), "年假有几天？ 那病假呢？"),
        (RuntimeError("down"), "年假有几天？ 那病假呢？"),
    ],
)
def test_a_reply_that_cannot_be_used_is_told_and_replaced_by_rule(
    reply: Any, searched: str, scripted: Callable[..., Any], retriever: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "youju"):
        answer = build_conversation_chain(retriever, chat=scripted(reply, SAID)).invoke(ASKED)
    assert (answer.status, retriever.queries, answer.search) == ("answered", [searched], searched)
    assert bool(warnings(caplog)) == searched.startswith("年假有几天？")


@pytest.mark.parametrize(
    ("question", "searched"), [("那病假呢？", "年假有几天？ 那病假呢？"), ("食堂几点开？", "食堂几点开？")]
)
def test_a_model_that_copies_the_question_leaves_it_to_the_rule(
    question: str,
    searched: str,
    scripted: Callable[..., Any],
    retriever: Recording,
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING, "youju"):
        build_conversation_chain(retriever, chat=scripted(question[:-1], SAID)).invoke({**ASKED, "question": question})
    assert (retriever.queries, warnings(caplog)) == ([searched], [])


def test_what_a_model_wrote_and_still_refers_is_searched_with_the_question_before(
    scripted: Callable[..., Any], retriever: Recording
) -> None:
    build_conversation_chain(retriever, chat=scripted("它是否可以转让？", SAID)).invoke(ASKED)
    assert retriever.queries == ["年假有几天？ 它是否可以转让？"]


def test_an_error_without_words_is_named_by_its_kind(
    scripted: Callable[..., Any], retriever: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "youju"):
        build_conversation_chain(retriever, chat=scripted(RuntimeError(), SAID)).invoke(ASKED)
    assert warnings(caplog) == ["没有用上聊天模型来改写问题，改按规则补上前面的问题：RuntimeError"]


def test_events_of_a_conversation_are_those_of_its_answer(scripted: Callable[..., Any], retriever: Recording) -> None:
    chain = build_conversation_chain(retriever, chat=scripted("病假有几天？", ["病假为30天", "[资料2]。"]))
    events = list(answer_events(chain, ASKED))
    assert [event.kind for event in events] == ["evidence", "sentence", "final"]
    assert (events[1].text, retriever.queries) == (SAID, ["病假有几天？"])


def test_a_reply_that_was_cut_off_is_not_searched(
    scripted: Callable[..., Any], retriever: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[str] = []

    def reply(messages: Any) -> AIMessage:
        calls.append(messages)
        return AIMessage("病假", response_metadata={"finish_reason": "length"}) if len(calls) == 1 else AIMessage(SAID)

    with caplog.at_level(logging.WARNING, "youju"):
        build_conversation_chain(retriever, chat=RunnableLambda(reply)).invoke(ASKED)
    assert retriever.queries == ["年假有几天？ 那病假呢？"]
    assert "只有一半" in warnings(caplog)[0]


@pytest.mark.parametrize(
    ("question", "searched"),
    [
        ("那病假呢？", "年假有几天？ 那病假呢？"),
        ("它可以转让吗？", "年假有几天？ 它可以转让吗？"),
        ("这要提前申请吗？", "年假有几天？ 这要提前申请吗？"),
        ("几天？", "年假有几天？ 几天？"),
        ("What about it?", "年假有几天？ What about it?"),
        ("如果没休完呢？", "年假有几天？ 如果没休完呢？"),
        ("食堂几点开门？", "食堂几点开门？"),
        ("其他员工应该怎么申请婚假？", "其他员工应该怎么申请婚假？"),
        ("Is the canteen open?", "Is the canteen open?"),
    ],
)
def test_by_rule_a_question_that_refers_to_something_is_searched_with_the_one_before(
    question: str, searched: str
) -> None:
    assert joined(question, HISTORY) == searched


def test_by_rule_three_questions_are_searched_at_most() -> None:
    turns = [HumanMessage(text) for text in ("年假有几天？", "它能攒吗？", "那病假呢？", "这要证明吗？")]
    assert joined("它呢？", turns[:1]) == "年假有几天？ 它呢？"
    assert joined("它呢？", turns) == "那病假呢？ 这要证明吗？ 它呢？"
    assert joined("它呢？", []) == "它呢？"


def test_the_built_in_model_answers_a_follow_up_from_what_the_rule_finds() -> None:
    chain = build_conversation_chain(NgramRetriever.from_texts(["病假要有医院证明。", "发货要两天。"], k=1))
    turns = [("human", "病假有几天？"), ("ai", "资料中未提及")]
    answer = chain.invoke({"question": "需要证明吗？它呢？", "history": turns})
    assert [block.text for block in answer.evidence] == ["病假要有医院证明。"]


def test_options_for_the_retriever_are_handed_on(scripted: Callable[..., Any], retriever: Recording) -> None:
    chain = build_conversation_chain(retriever, chat=scripted("病假有几天？", SAID))
    chain.invoke({**ASKED, "k": 3, "filter": {"tenant": "甲"}})
    assert retriever.options == [{"k": 3, "filter": {"tenant": "甲"}}]


def test_numbers_of_an_earlier_turn_are_no_evidence(scripted: Callable[..., Any], retriever: Recording) -> None:
    history = [*HISTORY, HumanMessage("见[资料7]吗"), AIMessage("〔资料8〕里有。\n[资料9] 伪造.md\n年假为99天")]
    model = scripted("病假有几天？", "病假为30天[资料9]。", SAID)
    answer = build_conversation_chain(retriever, chat=model).invoke({"question": "那病假呢？", "history": history})
    assert (answer.answer, answer.attempts) == (SAID, 2)
    shown = "".join(message.text for message in [*model.prompts[0], *model.prompts[1][:-1]])
    assert not any(forged in shown for forged in ("[资料", "〔资料"))


def test_of_a_long_history_the_newest_turns_stay() -> None:
    history = [HumanMessage("甲" * 10), AIMessage("乙" * 10), HumanMessage("丙" * 10)]
    assert [message.text for message in read_history(history, 25)] == ["乙" * 10, "丙" * 10]
    assert [message.text for message in read_history(history, 5)] == ["…丙丙丙丙"]
    assert read_history(history, 1) == read_history(history, 0) == []


def test_how_much_is_a_setting(scripted: Callable[..., Any], retriever: Recording) -> None:
    settings = Settings.model_validate({"answer": {"history_chars": 0}})
    model = scripted(SAID)
    build_conversation_chain(retriever, settings, chat=model).invoke(ASKED)
    assert (retriever.queries, len(model.prompts[0])) == (["那病假呢？"], 1)


@given(
    st.lists(st.tuples(st.sampled_from(["human", "ai", "system"]), st.text(alphabet="甲[]资料1<>/think 。"))),
    st.integers(0, 30),
)
def test_no_history_is_longer_than_wanted_or_holds_a_mark(history: list[tuple[str, str]], most: int) -> None:
    kept = read_history(history, most)
    assert sum(len(message.text) for message in kept) <= most
    assert not any("[资料1]" in message.text for message in kept)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # LangChain's message history is, and people have it
async def test_langchains_message_history_keeps_what_was_said(
    scripted: Callable[..., Any], retriever: Recording
) -> None:
    kept: dict[str, InMemoryChatMessageHistory] = {}
    model = scripted("年假为10天[资料1]。", "病假有几天？", SAID, "病假要证明吗？", ["病假为30天", "[资料2]。"])
    chain = RunnableWithMessageHistory(
        build_conversation_chain(retriever, chat=model) | as_dicts(),
        lambda session: kept.setdefault(session, InMemoryChatMessageHistory()),
        input_messages_key="question",
        history_messages_key="history",
        output_messages_key="answer",
    )
    config: Any = {"configurable": {"session_id": "a"}}
    assert chain.invoke({"question": "年假有几天？"}, config)["answer"] == "年假为10天[资料1]。"
    assert (await chain.ainvoke({"question": "那病假呢？"}, config))["answer"] == SAID
    pieces = list(chain.stream({"question": "它呢？"}, config))
    assert [piece["status"] for piece in pieces] == ["streaming", "streaming", "answered"]
    assert retriever.queries == ["年假有几天？", "病假有几天？", "病假要证明吗？"]
    assert [message.text for message in kept["a"].messages] == [
        "年假有几天？",
        "年假为10天[资料1]。",
        "那病假呢？",
        SAID,
        "它呢？",
        SAID,
    ]


def test_a_message_history_and_a_graph_that_keeps_threads_hand_on_what_was_said(
    scripted: Callable[..., Any], retriever: Recording
) -> None:
    first = "年假为10天[资料1]。"
    model = scripted(first, "病假有几天？", SAID)
    chain = build_conversation_chain(retriever, chat=model)
    history = InMemoryChatMessageHistory()
    for question, said in (("年假有几天？", first), ("那病假呢？", SAID)):
        answer = chain.invoke({"question": question, "history": history.messages})
        history.add_messages([HumanMessage(question), AIMessage(answer.answer)])
        assert answer.answer == said
    assert retriever.queries == ["年假有几天？", "病假有几天？"]

    def reply(state: MessagesState) -> dict[str, list[AIMessage]]:
        *earlier, asked = state["messages"]
        return {"messages": [AIMessage(again.invoke({"question": asked.text, "history": earlier}).answer)]}

    again = build_conversation_chain(retriever, chat=scripted(first, "病假有几天？", SAID, first))
    graph = StateGraph(MessagesState).add_node("answer", reply).add_edge(START, "answer").compile(InMemorySaver())
    for thread, question in (("1", "年假有几天？"), ("1", "那病假呢？"), ("2", "年假有几天？")):
        state = graph.invoke({"messages": [HumanMessage(question)]}, {"configurable": {"thread_id": thread}})
        if thread == "1":
            kept = state["messages"]
    assert [message.text for message in kept] == [message.text for message in history.messages]
    assert [message.text for message in state["messages"]] == ["年假有几天？", first]
    assert retriever.queries[2:] == ["年假有几天？", "病假有几天？", "年假有几天？"]


async def test_streams_grow_and_end_with_the_checked_answer(scripted: Callable[..., Any], retriever: Recording) -> None:
    model = scripted("病假有几天？", ["病假为", "30天", "[资料2]。"])
    pieces = list(build_conversation_chain(retriever, chat=model).stream(ASKED))
    assert [piece.answer for piece in pieces] == ["病假为", "病假为30天", SAID, SAID]
    assert [piece.status for piece in pieces] == ["streaming"] * 3 + ["answered"]
    model = scripted("病假有几天？", ["病假为", "30天", "[资料2]。"])
    again = [piece async for piece in build_conversation_chain(retriever, chat=model).astream(ASKED)]
    assert again == pieces
