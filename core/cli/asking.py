"""`youju retrieve` and `youju ask`."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig

from youju.cli.informing import STAGES
from youju.cli.output import say, say_json, say_quote
from youju.errors import KnowledgeBaseNotFoundError
from youju.knowledge import KnowledgeBase
from youju.knowledge.identity import shown_text
from youju.retrievers import RetrievalTracer, build_retriever
from youju.retrievers.base import require_question
from youju.settings import Settings

if TYPE_CHECKING:
    from youju.chains import CitedAnswer

_PREVIEW = 80
_CONTEXT = 30
"""Characters shown on each side of a quote."""


def run_retrieve(
    question: str, settings: Settings, *, as_json: bool, explained: bool = False, why: Sequence[str] = ()
) -> int:
    """Print what is found and, if wanted, how, and return the exit status."""
    require_question(question)
    tracer = RetrievalTracer()
    config = RunnableConfig(callbacks=[tracer]) if explained or why else None
    documents = build_retriever(open_filled(settings)).invoke(question, config)
    trace = tracer.explained(why) if config else None
    if as_json:
        more = {} if trace is None else {"explain": trace.model_dump(mode="json")}
        hits = [_hit(document) for document in documents]
        say_json(json.dumps({"question": question, "hits": hits, **more}, ensure_ascii=False))
        return 0
    if not documents:
        say("没有找到相关的资料")
    for number, document in enumerate(documents, start=1):
        hit = _hit(document)
        ranks = "，".join(f"{leg} 第 {rank}" for leg, rank in hit["ranks"].items())
        say(f"{number}. {hit['location']}  得分 {hit['score']:.4f}（{ranks}）")
        say(f"   {_short(hit['text'])}")
    if trace is not None:
        from youju.cli.explaining import say_trace  # noqa: PLC0415 - only where it is wanted

        say_trace(trace, with_steps=explained)
    return 0


def run_ask(question: str, settings: Settings, *, as_json: bool) -> int:
    """Print the answer and its evidence, and return the exit status."""
    from youju.chains import build_answer_chain  # noqa: PLC0415 - `retrieve` needs no chain

    require_question(question)
    retriever = build_retriever(open_filled(settings))
    answer = build_answer_chain(retriever, settings).invoke(question)
    if as_json:
        say_json(answer.model_dump_json())
        return 0
    if answer.status == "rejected":
        say("模型的回答没有通过引用检查，不能作为答案。")
        say(answer.reason or "", err=True)
        say("\n检索到的资料：")
        for block in answer.evidence:
            say(f"[资料{block.n}] {block.location}\n    {_short(block.text)}")
        _say_unread(answer)
        return 0
    say(answer.answer)
    _say_why(answer)
    if answer.citations:
        say("\n依据：")
    texts = {block.n: block.text for block in answer.evidence}
    for citation in answer.citations:
        page = f"（引文在第 {citation.page} 页）" if _spans_pages(answer, citation.n) else ""
        say(f"[资料{citation.n}] {citation.location}{page}")
        text, start, end = texts[citation.n], citation.start or 0, citation.end or 0
        say_quote(text[max(start - _CONTEXT, 0) : start], citation.quote, text[end : end + _CONTEXT] if end else "")
    return 0


def _say_why(answer: "CitedAnswer") -> None:
    """Say on stderr why something is not answered, or what was taken out."""
    unsaid = "；".join(part for part in (answer.reason or "").split("；") if part not in answer.answer)
    if unsaid:
        say(f"（{unsaid}）", err=True)
    _say_unread(answer)
    if answer.refusal is None or answer.citations:
        return
    said = f"{answer.reason or ''}{answer.refusal.unread.note if answer.refusal.unread else ''}"
    for step in answer.refusal.steps:
        if step.lost and step.reason not in said:
            say(f"（{step.name}：{step.reason}）", err=True)
    if answer.refusal.nearest:
        say("最接近的资料（全部可以用 youju retrieve 看）：", err=True)
    for passage in answer.refusal.nearest:
        score = "" if passage.score is None else f"  得分 {passage.score:.4f}"
        say(f"  {passage.location}{score}\n    {_short(passage.text)}", err=True)


def _say_unread(answer: "CitedAnswer") -> None:
    """Say on stderr which files never came into the base, where that may be why something is not answered."""
    if answer.refusal is not None and answer.refusal.unread is not None:
        say(f"（{answer.refusal.unread.note}）", err=True)


def _spans_pages(answer: "CitedAnswer", number: int) -> bool:
    return any(block.n == number and block.pages for block in answer.evidence)


def open_filled(settings: Settings) -> KnowledgeBase:
    """The base, which must hold something: of an empty one, everything would seem not to be mentioned."""
    base = KnowledgeBase.open(settings)
    if base.exists and not base.count():
        stages = Counter(loss.stage for loss in base.losses().losses)
        lost = "，".join(f"有 {stages[stage]} 个文件{label}" for stage, label in STAGES.items() if stages[stage])
        why = f"：{lost}；用 youju info 看原因，然后再运行" if lost else "；请先运行"
        raise KnowledgeBaseNotFoundError(
            f"知识库 {base.name}（{settings.store.path}）是空的{why} youju ingest 文件夹"
        )
    return base


def _hit(document: Document) -> dict[str, Any]:
    metadata = document.metadata
    return {
        "id": document.id,
        "text": shown_text(document),
        "source": metadata.get("source"),
        "page": metadata.get("page"),
        "location": metadata.get("location"),
        "score": metadata.get("score"),
        "ranks": metadata.get("ranks", {}),
    }


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _PREVIEW else f"{line[:_PREVIEW]}…"
