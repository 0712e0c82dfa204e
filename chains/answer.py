"""The answer chain: question → documents → evidence → prompt → model → checked answer."""

from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator, Mapping, Sequence
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import BaseMessage
from langchain_core.retrievers import BaseRetriever, RetrieverLike
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langchain_core.runnables.config import merge_configs

from youju.chains.evidence import pack
from youju.chains.extracting import Extract
from youju.chains.gate import EvidenceGate, bases
from youju.chains.grounding import Similarity
from youju.chains.likeness import likeness
from youju.chains.opinions import Panel, build_opinions
from youju.chains.respond import Respond
from youju.chains.result import CitedAnswer
from youju.chains.thresholds import fitted_thresholds
from youju.errors import QuestionError, SettingsError
from youju.knowledge.metadata import json_value
from youju.models import build_chat_model, build_embeddings
from youju.retrievers import RetrievalTracer
from youju.retrievers.base import require_question, takes
from youju.retrievers.configured import both, bound_filter, within
from youju.settings import Settings

_OPTIONS = ("filter", "k")


def build_answer_chain(
    retriever: RetrieverLike,
    settings: Settings | None = None,
    *,
    chat: BaseChatModel | Runnable[Any, Any] | None = None,
) -> Runnable[str | dict[str, Any], CitedAnswer]:
    """Make the chain that answers a question from what a retriever finds.

    Its input is the question, or a dict with `question` and, if wanted, `filter` and `k` for the retriever, `search`, a
    text to retrieve with in place of the question, and `history`, the messages of earlier turns. `invoke`,
    `ainvoke` and `batch` return the checked answer. `stream` and `astream` yield the growing answer with status
    `streaming`, never ending inside a mark, and last the checked answer; what has been shown cannot be taken back, so
    a stream makes one attempt only.

    Args:
        retriever: Any LangChain retriever, also one with configurable fields, or with options given by `bind`.
        settings: Which model, how much evidence, which checks; None means the defaults.
        chat: A model to use instead of the one that the settings name: any runnable from messages to a message.

    Raises:
        TypeError: The retriever or the model is none.
        QuestionError: On use, if the question has no content or more than 2,000 characters.
        ModelError: On use, if the model gives no usable reply.
    """
    settings = settings or Settings()
    if not isinstance(within(retriever), BaseRetriever):
        raise TypeError(f"retriever 要是 LangChain 的 BaseRetriever，不能是 {type(retriever).__name__}")
    if chat is not None and not isinstance(chat, Runnable):
        raise TypeError(f"chat 要是 LangChain 的聊天模型或 Runnable，不能是 {type(chat).__name__}")
    model = chat if chat is not None else build_chat_model(settings.chat)
    name = settings.chat.model if chat is None else _name_of(chat)

    def retrieve(asked: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        tracer = RetrievalTracer()
        search, heard = asked.get("search") or asked["question"], merge_configs(config, {"callbacks": [tracer]})
        documents = retriever.invoke(search, heard, **_options(asked, retriever))
        return {**asked, "documents": documents, "tracer": tracer}

    async def aretrieve(asked: dict[str, Any], config: RunnableConfig) -> dict[str, Any]:
        tracer = RetrievalTracer()
        search, heard = asked.get("search") or asked["question"], merge_configs(config, {"callbacks": [tracer]})
        documents = await retriever.ainvoke(search, heard, **_options(asked, retriever))
        return {**asked, "documents": documents, "tracer": tracer}

    gate = EvidenceGate(retriever, settings.answer)
    respond: Runnable[dict[str, Any], CitedAnswer]
    if settings.answer.mode == "extract":
        respond = Extract(model, name, settings.answer, settings.chat.thinking)
    else:
        panel = Panel(build_opinions(settings, chat=chat)) if settings.answer.opinions else None
        respond = Respond(
            model,
            name,
            settings.answer,
            settings.chat.thinking,
            panel,
            thresholds=lambda: fitted_thresholds(retriever),
            similarity=_similarity(retriever, settings),
        )

    def pack_evidence(asked: dict[str, Any]) -> dict[str, Any]:
        judged = gate.judge(asked.get("search") or asked["question"], asked["documents"])
        refused = judged is not None and not judged.passed
        evidence = [] if refused else pack(asked["documents"], settings.answer.context_chars)
        return {**asked, "evidence": evidence, "gate": judged}

    return (
        RunnableLambda(_read_question, name="read_question")
        | RunnableLambda(retrieve, afunc=aretrieve, name="retrieve")
        | RunnableLambda(pack_evidence, name="pack_evidence")
        | respond
    )


def text_pieces(answers: Iterator[CitedAnswer]) -> Iterator[str]:
    """The text of a stream of answers, as the pieces that each adds.

    The text is the model's as it comes: whether it passed the checks is said by the last answer of the stream alone. An
    answer that came without streaming, as when nothing was found, is one piece.
    """
    shown = ""
    try:
        for answer in answers:
            piece = _piece(answer, shown)
            if piece:
                yield piece
                shown += piece
    finally:  # whoever stops reading early stops the model
        if isinstance(answers, Generator):
            answers.close()


async def atext_pieces(answers: AsyncIterator[CitedAnswer]) -> AsyncIterator[str]:
    """`text_pieces` for asynchronous callers."""
    shown = ""
    try:
        async for answer in answers:
            piece = _piece(answer, shown)
            if piece:
                yield piece
                shown += piece
    finally:
        if isinstance(answers, AsyncGenerator):
            await answers.aclose()


def _piece(answer: CitedAnswer, shown: str) -> str:
    """What an answer adds to the text shown so far; a checked answer adds nothing to one that was streamed."""
    return answer.answer[len(shown) :] if answer.status == "streaming" or not shown else ""


def _read_question(asked: Any) -> dict[str, Any]:
    wanted = "输入要是问题文字，或含 question 的字典（可加 search、history、filter、k）"
    if not isinstance(asked, str | Mapping):
        raise QuestionError(f"{wanted}；现在是 {type(asked).__name__}")
    given = {"question": asked} if isinstance(asked, str) else dict(asked)
    if set(given) - {"question", "search", "history", *_OPTIONS} or not isinstance(given.get("question"), str):
        raise QuestionError(f"{wanted}；现在有 {sorted(map(str, given))}")
    require_question(given["question"])
    if given.get("search") is not None:
        require_question(given["search"])
    history = given.get("history") or ()
    if not isinstance(history, Sequence) or not all(isinstance(turn, BaseMessage) for turn in history):
        raise QuestionError("history 要是消息的列表：HumanMessage、AIMessage")
    return {**given, "question": json_value(given["question"])}


def _options(asked: Mapping[str, Any], retriever: RetrieverLike) -> dict[str, Any]:
    options = {name: asked[name] for name in _OPTIONS if asked.get(name) is not None}
    deaf = [name for name in options if not takes(retriever, name)]
    if deaf:
        raise SettingsError(f"检索器 {retriever.get_name()} 不支持 {'、'.join(deaf)}")
    conditions = both(bound_filter(retriever), options.pop("filter", None))
    return options if conditions is None else {**options, "filter": conditions}


def _similarity(retriever: RetrieverLike, settings: Settings) -> Similarity | None:
    """The measure of likeness that the settings ask for, by the model of the base that is searched or their own."""
    if settings.answer.support == "words":
        return None
    base = next(bases(retriever), None)
    return likeness(base.embeddings if base is not None else build_embeddings(settings.embeddings))


def _name_of(chat: Any) -> str:
    name = getattr(chat, "model_name", None) or getattr(chat, "model", None)
    return name if isinstance(name, str) else str(getattr(chat, "_llm_type", type(chat).__name__))
