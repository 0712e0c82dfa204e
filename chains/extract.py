"""Checked extraction: the model names one passage of the evidence, word for word, as JSON, and all of it is checked."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Literal, Never

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import BaseOutputParser
from pydantic import BaseModel, ConfigDict

from youju.chains.cutting import fault_of_cut
from youju.chains.marks import harmless
from youju.chains.result import Evidence
from youju.errors import YoujuError
from youju.knowledge.metadata import json_value
from youju.models.thinking import without_thinking
from youju.settings import Thinking
from youju.text import has_content

KEYS = ("source", "quote", "answer")
"""The keys of the JSON object that a model writes."""

Verdict = Literal[
    "invalid_json",
    "invalid_schema",
    "abstain",
    "invalid_source",
    "unsupported_quote",
    "unsupported_answer",
    "supported",
]
_FENCED = re.compile(r"```(?:json)?[^\S\n]*\n(.*)\n[^\S\n]*```", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"[\[【(]?\s*(?:资料\s*)?0*(?P<n>[1-9][0-9]{0,5})\s*[\]】)]?")
_MOST_PLACES = 50


class Extraction(BaseModel):
    """What a model extracted, and what it is worth.

    Attributes:
        verdict: The first of the checks, in the order of their list, that it fails; `abstain`: the model says that the
            evidence does not say; `supported`: it passes all.
        reason: What is wrong, for people and for the model; None where nothing is.
        source: What the model named as its source.
        quote: If supported, the passage as it stands in the evidence; else what the model gave.
        answer: As `quote`.
        n: The number of the block that holds the passage.
        start: Where the passage begins in the text of that block.
        end: Where it ends there.
    """

    model_config = ConfigDict(frozen=True)

    verdict: Verdict
    reason: str | None = None
    source: str | None = None
    quote: str | None = None
    answer: str | None = None
    n: int | None = None
    start: int | None = None
    end: int | None = None


class ExtractionError(YoujuError, OutputParserException):
    """A reply that is no supported extraction.

    An `OutputParserException`, so that LangChain's retry and fixing parsers work with it.

    Attributes:
        extraction: The reply as far as it was understood, with its verdict.
    """

    def __init__(self, extraction: Extraction, raw: str) -> None:
        # an exception given as the error keeps LangChain from adding a link of its own to the message
        OutputParserException.__init__(
            self, ValueError(extraction.reason), observation=extraction.reason, llm_output=raw
        )
        self.extraction = extraction


class ExtractionParser(BaseOutputParser[Extraction]):
    """Parses the JSON `{"source", "quote", "answer"}` of a model and refuses what the evidence does not hold.

    Example:
        >>> block = Evidence(n=1, id="a", text="年假为10天。", source="a.md", location="a.md")
        >>> reply = '{"source": "资料1", "quote": "年假为10天", "answer": "年假为10天"}'
        >>> ExtractionParser(evidence=[block]).parse(reply).verdict
        'supported'
    """

    evidence: Sequence[Evidence]
    """The blocks that the model was sent."""
    thinking: Thinking = "remove"
    """What becomes of thinking blocks."""

    def parse(self, text: str) -> Extraction:
        """Read a reply; the verdict is `supported` or `abstain`.

        Raises:
            ExtractionError: It is any other.
        """
        found = check_extraction(text, self.evidence, self.thinking)
        if found.verdict not in {"supported", "abstain"}:
            raise ExtractionError(found, text)
        return found

    def get_format_instructions(self) -> str:
        """What to tell a model."""
        return (
            '只输出一个 JSON：{"source": "资料1", "quote": "逐字照抄的原文", "answer": "与 quote 相同"}；'
            f"编号只能是 1 到 {len(self.evidence)}。资料没有写到的，三项都写 null。"
        )

    @property
    def _type(self) -> str:
        return "youju_extraction"


def check_extraction(text: str, evidence: Sequence[Evidence], thinking: Thinking = "remove") -> Extraction:
    """Judge a model's reply against the evidence it was sent.

    The reply must be JSON and nothing else, but for blanks, thinking blocks and one fence around it. A source is named
    by its number (`资料1`, `[资料1]`, `1`), its document id or its file. A quote must stand in its source character for
    character, and its sentence may not say something else than what is cut out of it (`youju.chains.cutting`).

    Args:
        text: The reply.
        evidence: The blocks that were sent.
        thinking: What becomes of thinking blocks.
    """
    try:
        given = _read(without_thinking(text, thinking))
    except _TwiceError as error:
        return Extraction(verdict="invalid_schema", reason=f"键 {error} 写了不止一次")
    except (ValueError, RecursionError):
        return Extraction(verdict="invalid_json", reason="回复不是 JSON，或 JSON 前后还有别的文字")
    if not isinstance(given, dict) or set(given) != set(KEYS):
        keys = "、".join(KEYS)
        return Extraction(verdict="invalid_schema", reason=f"JSON 要是一个对象，键恰好是 {keys}")
    wrong = [key for key in KEYS if not isinstance(given[key], str | None)]
    if wrong:
        return Extraction(verdict="invalid_schema", reason=f"{'、'.join(wrong)} 的值要是文字或 null")
    source, quote, answer = (
        json_value(given[key]) for key in KEYS
    )  # no halves of characters, which no JSON could hold
    if source is quote is answer is None:
        return Extraction(verdict="abstain")
    return _compared(source, quote, answer, evidence)


def _compared(source: str | None, quote: str | None, answer: str | None, evidence: Sequence[Evidence]) -> Extraction:
    def wrong(verdict: Verdict, reason: str | None) -> Extraction:
        return Extraction(verdict=verdict, reason=reason, source=source, quote=quote, answer=answer)

    blocks = _named(source, evidence)
    if not blocks:
        return wrong("invalid_source", f"来源 {source or 'null'} 不在给出的资料里")
    if quote is None or not has_content(quote):
        return wrong("unsupported_quote", "没有引文")
    standing = ((block, start) for block in blocks for start in _places(quote, block.text))
    faults = list[str]()
    for block, start in islice(standing, _MOST_PLACES):
        end = start + len(quote)
        fault = fault_of_cut(block.text, start, end)
        if fault is None:
            break
        faults.append(fault)
    else:
        return wrong("unsupported_quote", faults[0] if faults else f"引文不是 {source} 里的原话")
    if answer != quote:
        return wrong("unsupported_answer", "answer 与 quote 不同，要照抄 quote")
    said = block.text[start:end]
    return Extraction(verdict="supported", source=source, quote=said, answer=said, n=block.n, start=start, end=end)


def _named(source: str | None, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The blocks that a source may mean: an id that looks like another block's number means either."""
    if source is None:
        return []
    number = _NUMBER.fullmatch(unicodedata.normalize("NFKC", source).strip())
    return [
        block
        for block in evidence
        if (number and int(number["n"]) == block.n) or source.strip() in {block.id, block.source} - {""}
    ]


def _places(quote: str, text: str) -> Iterator[int]:
    """Where a quote stands, in the text as it is or as the model reads it, which has the same length."""
    for shown in dict.fromkeys((text, harmless(text))):
        at = shown.find(quote)
        while at >= 0:
            yield at
            at = shown.find(quote, at + 1)


class _TwiceError(ValueError):
    """A key that an object has twice."""


def _read(text: str) -> Any:
    text = text.strip().removeprefix("\ufeff")
    fenced = _FENCED.fullmatch(text)
    return json.loads(fenced.group(1) if fenced else text, object_pairs_hook=_once, parse_constant=_refuse_constant)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _TwiceError(repr(json_value(key))[:40])
        found[key] = value
    return found


def _refuse_constant(name: str) -> Never:
    raise ValueError(name)  # NaN and Infinity are not JSON
