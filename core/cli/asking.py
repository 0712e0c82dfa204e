"""`youju retrieve` and `youju ask`."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig

from youju.cli.informing import STAGES
from youju.cli.output import say, say_json, short
from youju.errors import KnowledgeBaseNotFoundError
from youju.knowledge import KnowledgeBase
from youju.knowledge.identity import shown_text
from youju.retrievers import RetrievalTracer, build_retriever
from youju.retrievers.base import require_question
from youju.settings import Settings


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
        say(f"   {short(hit['text'])}")
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
    from youju.cli.answering import say_answer  # noqa: PLC0415 - as above

    say_answer(answer)
    return 0


def open_filled(settings: Settings) -> KnowledgeBase:
    """The base, which must hold something: of an empty one, everything would seem not to be mentioned."""
    base = KnowledgeBase.open(settings)
    if base.exists and not base.count():
        stages = Counter[str](loss.stage for loss in base.losses().losses)
        lost = "，".join(f"有 {stages[stage]} 个文件{label}" for stage, label in STAGES.items() if stages[stage])
        why = f"：{lost}；用 youju info 看原因，然后再运行" if lost else "；请先运行"
        raise KnowledgeBaseNotFoundError(f"知识库 {base.name}（{settings.store.path}）是空的{why} youju ingest 文件夹")
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
