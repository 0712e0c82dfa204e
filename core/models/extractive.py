"""The built-in chat model: no network, no key, no weights. It answers with sentences of the evidence, or not at all."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from youju.models.questions import Part, question_parts
from youju.text import SENTENCE_MARK, fold, has_content, sentences

_SILENT = "资料中未提及"
_EVIDENCE = re.compile(r"<资料>\n(.*?)\n</资料>\s*(?:问题：|Question: )(.*)", re.DOTALL)
_HEADER = re.compile(r"^\[资料(\d+)\] (.*)$", re.MULTILINE)
_DECORATION = re.compile(r"^(?:\s*+(?:#{1,6}|[-*+•●]|>)\s++)+")
_HEADING = re.compile(r"#{1,6}\s")
_END = "。．.｡！!；; \t\r\n\f\v\u3000\u00a0"
_QUESTION_END = ("？", "?")
_ENOUGH = 0.55
"""Share of what a part of the question asks for that a sentence must hold to answer it; kinds have their own."""
_CONTEXT_SHARE = 0.7
"""What a word counts that stands not in the sentence but in its heading or the question before it."""
_WORTH_ADDING = 0.15
_MOST_SENTENCES = 3
_WANTS_QUOTE = '"quote"'  # stands in the system prompt that asks for one passage as JSON


@dataclass(frozen=True)
class _Sentence:
    block: int
    place: int
    text: str
    own: str
    context: str
    whole: str


class ExtractiveChatModel(BaseChatModel):
    """A chat model that reads the same prompt as any other and answers in the words of the evidence.

    For each part of the question it picks the sentences that hold most of what is asked for, by shared words weighted
    by their length, and cites their block. A part for which no sentence holds enough, or none has the kind of value
    asked for (a length of time, an amount of money, a person, a reason …) or speaks of the year or model named, is
    answered 资料中未提及. Asked for one passage as JSON, it gives the first of these sentences. The same prompt always
    gives the same answer. It does not calculate, compare or rephrase.
    """

    model_name: str = "extractive"

    @property
    def _llm_type(self) -> str:
        return "youju-extractive"

    @property
    def _identifying_params(self) -> dict[str, Any]:
        return {"model_name": self.model_name}

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002 - LangChain passes it
        **_: Any,
    ) -> ChatResult:
        message = AIMessage(_stopped(answer(messages), stop), response_metadata=self._metadata())
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **_: Any,
    ) -> Iterator[ChatGenerationChunk]:
        text = _stopped(answer(messages), stop)
        pieces = re.findall(r".{1,8}", text, re.DOTALL) or [""]
        for number, piece in enumerate(pieces, start=1):
            last = number == len(pieces)
            metadata = self._metadata() if last else {}
            message = AIMessageChunk(content=piece, response_metadata=metadata, chunk_position="last" if last else None)
            chunk = ChatGenerationChunk(message=message)
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def _metadata(self) -> dict[str, Any]:
        return {"model_name": self.model_name, "finish_reason": "stop"}


def answer(messages: Sequence[BaseMessage]) -> str:
    """The answer to the newest message that holds evidence and a question."""
    as_json = any(message.type == "system" and _WANTS_QUOTE in message.text for message in messages)
    for message in reversed(messages):
        found = _EVIDENCE.search(message.text)
        if found:
            asked, blocks = found.group(2), _blocks(found.group(1))
            return _extract(asked, blocks) if as_json else _answer(asked, blocks)
    return f"{_SILENT}。"


def _answer(question: str, blocks: Sequence[tuple[int, str, str]]) -> str:
    pool = [sentence for number, header, text in blocks for sentence in _sentences(number, header, text)]
    parts = question_parts(question)
    chosen = [_choose(part, pool) for part in parts]
    if not any(chosen):
        return f"{_SILENT}。"
    said: list[str] = []
    for part, picked in zip(parts, chosen, strict=True):
        if not picked:
            said.append(f"关于“{_repeated(part.text)}”，{_SILENT}。")
        said.extend(_cited(sentence) for sentence in picked)
    return "".join(dict.fromkeys(said))


def _extract(question: str, blocks: Sequence[tuple[int, str, str]]) -> str:
    """The first sentence that answers a part of the question, and its block, as JSON."""
    pool = [sentence for number, header, text in blocks for sentence in _sentences(number, header, text)]
    best = next((picked[0] for part in question_parts(question) if (picked := _choose(part, pool))), None)
    said = None if best is None else _DECORATION.sub("", best.text).rstrip(_END + "，、：:")
    source = None if best is None else f"资料{best.block}"
    return json.dumps({"source": source, "quote": said, "answer": said}, ensure_ascii=False)


def _choose(part: Part, pool: Sequence[_Sentence]) -> list[_Sentence]:
    """The sentences that answer a part of the question, best first; none if they do not hold enough of it."""
    enough = _ENOUGH if part.kind is None else part.kind.enough
    scored = [
        (own + _CONTEXT_SHARE * (wider - own), own, sentence)
        for sentence in pool
        if part.speaks_of(sentence.own, sentence.whole)
        and (own := part.coverage(sentence.own)) <= (wider := part.coverage(sentence.own + "\n" + sentence.context))
    ]
    able = [entry for entry in scored if entry[0] >= enough and part.has_kind(entry[2].own)]
    if not able:
        return []
    best = max(able, key=lambda entry: (round(entry[0], 6), round(entry[1], 6), -entry[2].block, -entry[2].place))
    chosen = [best[2]]
    held = best[2].own
    for _, _, sentence in sorted(scored, key=lambda entry: (-entry[1], entry[2].block, entry[2].place)):
        if len(chosen) == _MOST_SENTENCES:
            break
        if sentence in chosen or part.coverage(sentence.own) < 2 * _WORTH_ADDING:
            continue
        more = part.coverage(held + "\n" + sentence.own) - part.coverage(held)
        if more >= _WORTH_ADDING:
            chosen.append(sentence)
            held += "\n" + sentence.own
    return chosen


def _cited(sentence: _Sentence) -> str:
    text = " ".join(_DECORATION.sub("", sentence.text).rstrip(_END).split())
    return f"{text}[资料{sentence.block}]。"


def _repeated(asked: str) -> str:
    """A part of the question as one sentence can quote it."""
    plain = SENTENCE_MARK.sub(" ", asked).replace("“", "‘").replace("”", "’")
    return " ".join(plain.split())


def _blocks(evidence: str) -> list[tuple[int, str, str]]:
    """Number, header and text of each block."""
    headers = list(_HEADER.finditer(evidence))
    ends = [*(header.start() - len("\n\n") for header in headers[1:]), len(evidence)]
    return [
        (int(header.group(1)), header.group(2), evidence[header.end() + 1 : end])
        for header, end in zip(headers, ends, strict=True)
    ]


def _sentences(number: int, header: str, text: str) -> Iterator[_Sentence]:
    """The sentences of a block that state something, each with the headings and the question it stands under."""
    heading, asked, whole = "", "", fold(f"{header}\n{text}")
    for place, (start, end) in enumerate(sentences(text)):
        sentence = text[start:end]
        if _HEADING.match(sentence):
            heading, asked = sentence, ""
        elif sentence.endswith(_QUESTION_END):
            asked = sentence
        elif has_content(sentence):
            yield _Sentence(number, place, sentence, fold(sentence), fold(f"{header}\n{heading}\n{asked}"), whole)


def _stopped(text: str, stop: list[str] | None) -> str:
    for mark in stop or ():
        text = text.partition(mark)[0]
    return text
