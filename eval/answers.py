"""Questions with given evidence put to ways of answering, each reply written to a file as soon as it is there."""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.callbacks import BaseCallbackHandler, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage
from langchain_core.outputs import LLMResult
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from youju.chains import Evidence, build_answer_chain
from youju.chains.evidence import pack, render
from youju.chains.marks import canonical
from youju.errors import (
    AnswerCutOffError,
    EmptyAnswerError,
    ModelRefusalError,
    TextTooLongError,
    YoujuError,
)
from youju.models import check_reply, model_errors
from youju.models.keys import error_text, hide_keys
from youju.settings import Settings

_OF_ONE_QUESTION = (AnswerCutOffError, EmptyAnswerError, ModelRefusalError, TextTooLongError)
"""Failures that say something of the question; any other would meet the next question too."""


@dataclass(frozen=True)
class AnswerCase:
    """A question, what may be read to answer it, and what is known of the right answer.

    Attributes:
        id: Names the case within its group.
        group: Which cases it is reported with.
        kind: What kind of question it is.
        question: What is asked.
        documents: The evidence, best first; each has an `id`.
        right: Ids of the documents that are right to cite.
        must_refuse: Whether no document says what is asked.
        partly: Whether only a part of what is asked is in the documents.
        parts: What the answer must hold: of each part one of the alternatives.
        reference: Where there are no parts, a right answer in free words.
    """

    id: str
    group: str
    kind: str
    question: str
    documents: tuple[Document, ...]
    right: frozenset[str]
    must_refuse: bool
    partly: bool = False
    parts: tuple[tuple[str, ...], ...] = ()
    reference: str = ""


class AnswerRecord(BaseModel):
    """What one way of answering made of a case, with all that is needed to judge it later."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    group: str
    case: str
    way: str
    kind: str
    question: str
    must_refuse: bool
    partly: bool
    parts: tuple[tuple[str, ...], ...]
    reference: str
    status: str
    """That of the answer; `unchecked` where nothing was checked, `error` where there is no reply."""
    answer: str
    """The text, every mark as `[资料N]`."""
    reason: str | None = None
    evidence: tuple[str, ...]
    """The blocks that the model read, in the order of their numbers."""
    right: tuple[int, ...]
    """The numbers of those that are right to cite."""
    seconds: float
    calls: int
    """How often a model was asked."""
    tokens_in: int = 0
    tokens_out: int = 0

    @property
    def key(self) -> tuple[str, str, str]:
        """What no two records of a file share."""
        return self.group, self.case, self.way


class Reply(BaseModel):
    """What a way of answering says."""

    status: str
    answer: str
    reason: str | None = None
    evidence: list[Evidence] = Field(default_factory=list)


Way = Callable[[AnswerCase, RunnableConfig], Reply]
"""A way of answering: from a case, and how to run what answers it, to a reply."""


def checked_way(model: BaseChatModel, settings: Settings) -> Way:
    """The answer chain, with the checks that the settings ask for."""

    def answer(case: AnswerCase, config: RunnableConfig) -> Reply:
        chain = build_answer_chain(_Given(documents=list(case.documents)), settings, chat=model)
        found = chain.invoke(case.question, config)
        return Reply(status=found.status, answer=found.answer, reason=found.reason, evidence=found.evidence)

    return answer


def plain_way(model: BaseChatModel, settings: Settings, prompt: str) -> Way:
    """A plain chain: the same blocks, one prompt, and what the model says is the answer.

    Args:
        model: The model.
        settings: How much evidence is read, and the model's name.
        prompt: One message with `{evidence}` and `{question}`.
    """

    def answer(case: AnswerCase, config: RunnableConfig) -> Reply:
        evidence = pack(case.documents, settings.answer.context_chars)
        text = prompt.format(evidence=render(evidence), question=case.question)
        with model_errors(settings.chat.model):
            message = model.invoke([HumanMessage(text)], config)
        check_reply(message, settings.chat.model)
        return Reply(status="unchecked", answer=canonical(hide_keys(message.text)).strip(), evidence=evidence)

    return answer


def run_cases(
    cases: Sequence[AnswerCase], ways: Mapping[str, Way], path: Path, *, run: Mapping[str, Any]
) -> Iterator[AnswerRecord]:
    """Answer what the file has no record of, and write each record before the next question is asked.

    The file is one JSON object a line; the first says under which conditions the others were made. It survives being
    killed: a line that was not written to its end is taken away, and what it was about is done again.

    Args:
        cases: All cases; those that are in the file are passed over.
        ways: The ways of answering, by name; each case is put to all before the next.
        path: The file; it is made if it is not there.
        run: What must be the same whenever the file is continued.

    Yields:
        The new records.

    Raises:
        YoujuError: The file was made under other conditions, is none of these files, or another process writes to it;
            or a model could not be asked at all. What is done stays in the file.
    """
    with _alone(path):
        done = {record.key for record in _continue(path, run)}
        for case in cases:
            for way, answer in ways.items():
                if (case.group, case.id, way) not in done:
                    record = _ask(case, way, answer)
                    _append(path, record.model_dump_json())
                    yield record


def read_records(path: Path) -> tuple[dict[str, Any], list[AnswerRecord]]:
    """The conditions and the records of a file; a last line that was not written to its end is passed over.

    Raises:
        YoujuError: The file is none that `run_cases` writes.
    """
    lines = path.read_bytes().split(b"\n")[:-1]
    try:
        run = json.loads(lines[0])["run"]
        records = [AnswerRecord.model_validate_json(line) for line in lines[1:]]
    except (IndexError, KeyError, TypeError, ValueError, ValidationError) as error:
        raise YoujuError(f"{path} 不是本程序写的结果文件，或者已经损坏；请换一个文件名") from error
    return run, records


def _ask(case: AnswerCase, way: str, answer: Way) -> AnswerRecord:
    counter = _Calls()
    started = perf_counter()
    try:
        reply = answer(case, {"callbacks": [counter]})
    except _OF_ONE_QUESTION as error:
        reply = Reply(status="error", answer="", reason=f"{type(error).__name__}：{error_text(error)}")
    seconds = perf_counter() - started
    return AnswerRecord(
        group=case.group,
        case=case.id,
        way=way,
        kind=case.kind,
        question=case.question,
        must_refuse=case.must_refuse,
        partly=case.partly,
        parts=case.parts,
        reference=case.reference,
        status=reply.status,
        answer=reply.answer,
        reason=reply.reason,
        evidence=tuple(block.text for block in reply.evidence),
        right=tuple(block.n for block in reply.evidence if block.id in case.right),
        seconds=round(seconds, 3),
        calls=counter.calls,
        tokens_in=counter.tokens_in,
        tokens_out=counter.tokens_out,
    )


class _Given(BaseRetriever):
    """Finds what it was given."""

    documents: list[Document]

    def _get_relevant_documents(
        self,
        query: str,  # noqa: ARG002 - LangChain passes it
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - as above
    ) -> list[Document]:
        return [document.model_copy(deep=True) for document in self.documents]


class _Calls(BaseCallbackHandler):
    """Counts what models are asked and say."""

    def __init__(self) -> None:
        self.calls = self.tokens_in = self.tokens_out = 0

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self.calls += 1

    def on_llm_end(self, response: LLMResult, **_: Any) -> None:
        for generation in (one for several in response.generations for one in several):
            usage = getattr(getattr(generation, "message", None), "usage_metadata", None) or {}
            self.tokens_in += usage.get("input_tokens", 0)
            self.tokens_out += usage.get("output_tokens", 0)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other processes from the file; the lock of one that was killed is gone with it."""
    try:
        lock = FileLock(f"{path}.lock", timeout=0)
        lock.acquire()
    except Timeout:
        raise YoujuError(f"另一个进程正在写 {path}；请等它结束，或换一个文件名") from None
    try:
        yield
    finally:
        lock.release()


def _continue(path: Path, run: Mapping[str, Any]) -> list[AnswerRecord]:
    """Make the file ready for more lines, and say what is in it."""
    wanted = json.loads(json.dumps(run))
    raw = path.read_bytes() if path.exists() else b""
    whole = raw.rfind(b"\n") + 1
    if whole == 0:
        if raw and not raw.startswith(b'{"run"'):
            raise YoujuError(f"{path} 不是本程序写的结果文件；请换一个文件名")
        path.write_bytes(b"")
        _append(path, json.dumps({"run": wanted}, ensure_ascii=False))
        return []
    found, records = read_records(path)
    other = sorted(key for key in {*wanted, *found} if wanted.get(key) != found.get(key))
    if other:
        changes = "；".join(f"{key}：文件里是 {found.get(key)}，现在是 {wanted.get(key)}" for key in other)
        raise YoujuError(f"{path} 是在别的条件下做的（{changes}）。请换一个文件名，或改回原来的条件")
    if whole < len(raw):
        with path.open("r+b") as file:
            file.truncate(whole)
    return records


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())
