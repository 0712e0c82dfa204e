"""What never came into the base that was searched: the files to name where a question is not answered."""

from collections.abc import Sequence
from typing import Literal

from langchain_core.documents import Document

from youju.chains.result import Step, Unread, UnreadFile
from youju.chains.signals import asked_words, tokens_of
from youju.knowledge import Loss
from youju.knowledge.metadata import json_value
from youju.models.keys import hide_secrets
from youju.prompts import language
from youju.retrievers import RetrievalTracer

_LISTED = 5
_NAMED = 3
Kind = Literal["file", "part", "embed", "cut", "skip"]

_SAID: dict[str, dict[Kind, str]] = {
    "zh": {
        "file": "有 {n} 个文件没有读成：{names}",
        "part": "有 {n} 个文件没有读全：{names}",
        "embed": "有 {n} 个文件没有收录完：{names}",
        "cut": "有 {n} 个文件没有全部切成文字块：{names}",
        "skip": "有 {n} 个文件的格式读不了：{names}",
    },
    "en": {
        "file": "{n} not read ({names})",
        "part": "{n} read only in part ({names})",
        "embed": "{n} not taken in to the end ({names})",
        "cut": "{n} not wholly cut into chunks ({names})",
        "skip": "{n} in a format that is not read ({names})",
    },
}
_FRAME = {
    "zh": {
        "begin": "",
        "comma": "、",
        "between": "；",
        "more": "{names} 等",
        "hidden": "{also}有 {n} 个文件没有读成或没有读全，不知道是否符合过滤条件，没有列出名字",
        "also": "另",
        "end": "。答案可能在其中；用 youju info 看原因，改好后用 youju ingest 重新收录",
    },
    "en": {
        "begin": "Files missing from the base: ",
        "comma": ", ",
        "between": "; ",
        "more": "{names} …",
        "hidden": "{n} {also}not, or not wholly, read, which are not named, as the filter may not allow them",
        "also": "more ",
        "end": ". The answer may be in them; `youju info` shows why, `youju ingest` takes in again what was mended",
    },
}


def not_in_the_base(
    question: str, documents: Sequence[Document], tracer: RetrievalTracer | None
) -> tuple[Unread | None, list[Step]]:
    """Say what is missing of the files of the bases that were searched.

    Only a base is told of whose search was heard, with all that its documents had to fulfil: who is shown a part of a
    base learns no file names of the rest. Where a step of another make may have decided what is shown, no file is
    named at all.

    Args:
        question: What was asked.
        documents: What was found, whose files matter most among those that were read in part.
        tracer: What heard the retrieval.

    Returns:
        None if nothing is missing; and a step for each stage at which something was lost.
    """
    losses: list[Loss] = []
    withheld = held = 0
    for base, conditions, is_all in tracer.searched() if tracer is not None else ():
        found = base.losses(conditions)
        withheld += found.withheld
        held += found.held
        if is_all:
            losses += found.losses
        else:
            withheld += len({loss.path for loss in found.losses})
    if not losses and not withheld:
        return None, []
    losses = _by_relevance(losses, question, documents)
    spoken = language(question)
    clauses: dict[Kind, str] = {}
    steps: dict[str, Step] = {}
    for kind, said in _SAID[spoken].items():
        sources = {loss.path: loss.source for loss in losses if _kind(loss) == kind}  # two files may be named alike
        if sources:
            clauses[kind] = said.format(n=len(sources), names=_names(list(sources.values()), spoken))
            stage = "read" if kind in {"file", "part"} else kind
            before = steps.get(stage)
            reason = f"{before.reason}{_FRAME[spoken]['between']}{clauses[kind]}" if before else clauses[kind]
            lost = len({loss.path for loss in losses if loss.stage == stage})
            steps[stage] = Step(name=stage, kept=held, lost=lost, reason=reason)
    unread = Unread(
        files=[
            UnreadFile(
                source=loss.source, stage=loss.stage, reason=json_value(hide_secrets(loss.reason)), whole=loss.whole
            )
            for loss in losses[:_LISTED]
        ],
        total=len({loss.path for loss in losses}),
        withheld=withheld,
        note=_note(list(clauses.values()), withheld, spoken),
    )
    return unread, list(steps.values())


def _kind(loss: Loss) -> Kind:
    if loss.stage == "read":
        return "file" if loss.whole else "part"
    return loss.stage


def _by_relevance(losses: Sequence[Loss], question: str, documents: Sequence[Document]) -> list[Loss]:
    """Those first whose name or title shares most words with the question, then those whose file was found."""
    asked = frozenset[str]().union(*asked_words(question))
    found = {document.metadata.get("source") for document in documents}
    order: list[Kind] = list(_SAID["zh"])

    def rank(loss: Loss) -> tuple[int, bool, int]:
        return (
            -len(asked & tokens_of(f"{loss.source} {loss.title}")),
            loss.source not in found,
            order.index(_kind(loss)),
        )

    return sorted(losses, key=rank)


def _names(sources: Sequence[str], spoken: Literal["zh", "en"]) -> str:
    named = _FRAME[spoken]["comma"].join(sources[:_NAMED])
    return _FRAME[spoken]["more"].format(names=named) if len(sources) > _NAMED else named


def _note(clauses: list[str], withheld: int, spoken: Literal["zh", "en"]) -> str:
    frame = _FRAME[spoken]
    if withheld:
        clauses.append(frame["hidden"].format(n=withheld, also=frame["also"] if clauses else ""))
    return f"{frame['begin']}{frame['between'].join(clauses)}{frame['end']}"
