"""The built-in chat model: no network, no key, no weights. It answers with sentences of the evidence, or not at all."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

from youju.models.extractive_choosing import answers_nearly, choose
from youju.models.extractive_reading import Unit, blocks_of, units_in, without_number
from youju.models.extractive_scoring import Scorer
from youju.models.extractive_script import folding_for
from youju.models.question_context import in_context
from youju.models.questions import Part, question_parts, with_subjects
from youju.text import SENTENCE_MARK

_SILENT = "资料中未提及"
_EVIDENCE = re.compile(r"<资料>\n(.*?)\n</资料>\s*(?:问题：|Question: )(.*)", re.DOTALL)
_END = "。．.｡！!；; \t\r\n\f\v\u3000\u00a0"
_WANTS_QUOTE = '"quote"'  # stands in the system prompt that asks for one passage as JSON
_LONGEST_LIST = 400
_MOST_SOURCES = 3


class ExtractiveChatModel(BaseChatModel):
    """A chat model that reads the same prompt as any other and answers in the words of the evidence.

    For each part of the question it picks the sentences, list items and rows of tables that hold most of what is asked
    for, by shared words and their synonyms, weighted by how rare they are in the evidence, and cites their blocks. A
    part for which nothing holds enough, or has the kind of value asked for (a length of time, an amount of money, a
    person …) or speaks of the year, model or company named, is answered 资料中未提及. Of a list or of steps it
    gives all; a row it gives with the names of its columns. Asked for one passage as JSON, it gives the first of these.
    The same prompt always gives the same answer. It does not calculate, compare or rephrase.
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
    for number, message in reversed(list(enumerate(messages))):
        found = _EVIDENCE.search(message.text)
        if found:
            earlier = [one.text for one in messages[:number] if one.type == "human"]
            asked, blocks = in_context(found.group(2), earlier[-1] if earlier else ""), blocks_of(found.group(1))
            return _extract(asked, blocks) if as_json else _answer(asked, blocks)
    return f"{_SILENT}。"


def _answer(question: str, blocks: Sequence[tuple[int, str, str]]) -> str:
    scorer, chosen = _chosen(question, blocks)
    spoken = [unit for _, groups in chosen for group in groups for unit in group]
    if not spoken:
        return f"{_SILENT}。"
    said: list[str] = []
    for part, groups in chosen:
        if not groups and not answers_nearly(part, spoken, scorer):
            said.append(f"关于“{_repeated(part.text)}”，{_SILENT}。")
        said.extend(sentence for group in groups for sentence in _cited(group, scorer.units))
    return "".join(dict.fromkeys(said))


def _extract(question: str, blocks: Sequence[tuple[int, str, str]]) -> str:
    """The first sentence that answers a part of the question, and its block, as JSON."""
    _, chosen = _chosen(question, blocks)
    units = [unit for _, groups in chosen for group in groups for unit in group]
    best = next((unit for unit in units if not unit.leads), None)
    said = None if best is None else best.raw.rstrip(_END + "，、：:")
    source = None if best is None else f"资料{best.block}"
    return json.dumps({"source": source, "quote": said, "answer": said}, ensure_ascii=False)


def _chosen(
    question: str, blocks: Sequence[tuple[int, str, str]]
) -> tuple[Scorer, list[tuple[Part, list[list[Unit]]]]]:
    """What scores the units of the evidence, and for each part of the question those that answer it."""
    folded = folding_for([question, *(part for _, header, text in blocks for part in (header, text))])
    units = units_in(blocks, folded)
    scorer = Scorer(units)
    parts = with_subjects(question_parts(question, folded), folded)
    return scorer, [(part, choose(part, units, scorer)) for part in parts]


def _cited(group: Sequence[Unit], units: Sequence[Unit]) -> list[str]:
    """A group as sentences with their marks: a list as one sentence, unless its items are sentences themselves."""
    texts = [unit.text.rstrip(_END) for unit in group]
    if len(group) > 1:
        lead = texts[0] if group[0].leads else ""
        items = [without_number(text) for text in texts[bool(lead) :]]
        whole = lead + "；".join(items)
        if len(whole) <= _LONGEST_LIST and not SENTENCE_MARK.search(whole):
            return [f"{whole}{_mark([group[0].block])}。"]
    return [f"{text}{_mark(_sources(unit, units))}。" for text, unit in zip(texts, group, strict=True)]


def _sources(said: Unit, units: Sequence[Unit]) -> list[int]:
    """The blocks that say the same, word for word; that of the unit first."""
    return list(dict.fromkeys([said.block, *(unit.block for unit in units if unit.own == said.own)]))[:_MOST_SOURCES]


def _mark(numbers: Sequence[int]) -> str:
    return "".join(f"[资料{number}]" for number in numbers)


def _repeated(asked: str) -> str:
    """A part of the question as one sentence can quote it."""
    plain = SENTENCE_MARK.sub(" ", asked).replace("“", "‘").replace("”", "’")
    return " ".join(plain.split())


def _stopped(text: str, stop: list[str] | None) -> str:
    for mark in stop or ():
        text = text.partition(mark)[0]
    return text
