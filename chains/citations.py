"""Reading the citations of a model's answer, and checking that they name evidence that was sent."""

import re
from collections.abc import Sequence
from typing import Literal

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import BaseOutputParser
from pydantic import BaseModel, ConfigDict, Field

from youju.chains.result import NOT_FOUND, Claim
from youju.errors import YoujuError
from youju.text import SENTENCE_MARK, has_content

_NUMBER = r"[0-9０-９]{1,30}"
_JOINT = r"\s*(?:[、，,;；]|和|与|及|[-–—~～至到])\s*(?:资料\s*)?"
_MARKER = re.compile(rf"[\[［【（(]\s*资料\s*({_NUMBER}(?:{_JOINT}{_NUMBER})*)\s*[\]］】）)]")
_PIECE = re.compile(rf"({_NUMBER})(?:\s*[-–—~～至到]\s*(?:资料\s*)?({_NUMBER}))?")
_CANONICAL = re.compile(r"\[资料(\d+)\]")
_MARKS_BEHIND = re.compile(r"(?:\s*\[资料\d+\])+[。．.]?")
_UNFINISHED = re.compile(r"[\[［【（(]\s*(?:资(?:料[\s资料0-9０-９、，,;；和与及\-–—~～至到]*)?)?$")
_SILENT = re.compile(
    r"(?:资料|文档|文件|材料)(?:中|里|内)?(?:均|都|也|并|皆)?(?:没有|未曾|未|无)(?:明确|具体|直接)?"
    r"(?:提及|提到|说明|涉及|写明|写到|给出|记载|规定|包含|找到)"
)
_TOPIC = re.compile(
    r"^(?:此外|另外|其中|而|但是?|不过|然而)?"
    r"(?:(?:关于|对于|至于|有关).*|(?:很|非常)?抱歉|对不起|(?:根据|从|在)?(?:所给|给出|现有|提供|以上)?的?资料(?:来看|内容)?)?$"
)
_CLAUSE = re.compile(r"[，,；;]")
_WIDEST_RANGE = 100


class CitationError(YoujuError, OutputParserException):
    """A model's answer whose citations cannot be trusted.

    An `OutputParserException`, so that LangChain's retry and fixing parsers work with it.

    Attributes:
        problems: What is wrong, one sentence each.
        parsed: The answer as far as it was understood.
    """

    def __init__(self, problems: Sequence[str], parsed: "ParsedAnswer", raw: str) -> None:
        # an exception given as the error keeps LangChain from adding a link of its own to the message
        OutputParserException.__init__(
            self, ValueError("；".join(problems)), observation="；".join(problems), llm_output=raw
        )
        self.problems = tuple(problems)
        self.parsed = parsed


class ParsedAnswer(BaseModel):
    """An answer and its citations.

    Attributes:
        text: The answer with every mark in the form `[资料N]`.
        claims: Its sentences.
        citations: Numbers cited that name evidence, in order of first use.
        invalid: Numbers cited that do not.
        silent: Sentences that say that the evidence does not say.
    """

    model_config = ConfigDict(frozen=True)

    text: str
    claims: tuple[Claim, ...] = ()
    citations: tuple[int, ...] = ()
    invalid: tuple[int, ...] = ()
    silent: tuple[str, ...] = ()


class CitationParser(BaseOutputParser[ParsedAnswer]):
    """Parses an answer with `[资料N]` marks and refuses one whose marks cannot be trusted.

    The forms models write are read as one: ［资料１］, 【资料1】, （资料1）, [资料 1] and [资料01] are `[资料1]`;
    [资料1、3] is `[资料1][资料3]` and [资料1-3] all three. Anything else in brackets, such as [8], is no citation.

    Example:
        >>> CitationParser(blocks=2).parse("年假为10天【资料1】。").citations
        (1,)
    """

    blocks: int = Field(ge=0)
    """How many blocks the model was sent; numbers from 1 to this are valid."""
    require: Literal["format", "coverage"] = "coverage"
    """`format` checks the numbers, of which there must be one; `coverage` also asks that every sentence has one."""

    def parse(self, text: str) -> ParsedAnswer:
        """Read an answer.

        Raises:
            CitationError: A number names no evidence, or a sentence that states something carries none.
        """
        answer = canonical(text).strip()
        claims = [self._claim(sentence) for sentence in split_claims(answer)]
        numbers = list(dict.fromkeys(n for claim in claims for n in claim.citations))
        parsed = ParsedAnswer(
            text=answer,
            claims=tuple(claims),
            citations=tuple(n for n in numbers if 1 <= n <= self.blocks),
            invalid=tuple(n for n in numbers if not 1 <= n <= self.blocks),
            silent=tuple(claim.text for claim in claims if _SILENT.search(claim.text)),
        )
        problems = [f"“{claim.text}”{claim.reason}" for claim in claims if claim.reason]
        if not claims:
            problems = ["回答是空的"]
        elif not numbers and not parsed.silent:
            problems = problems or ["没有标出任何依据"]
        if problems:
            raise CitationError(problems, parsed, text)
        return parsed

    def _claim(self, sentence: str) -> Claim:
        numbers = list(dict.fromkeys(int(n) for n in _CANONICAL.findall(sentence)))
        invalid = [n for n in numbers if not 1 <= n <= self.blocks]
        if invalid:
            listed = "、".join(f"[资料{n}]" for n in invalid)
            return Claim(text=sentence, citations=numbers, verdict="invalid", reason=f"引用了不存在的{listed}")
        if is_silent(sentence):
            return Claim(text=sentence, citations=[], verdict="not_found")
        if numbers:
            return Claim(text=sentence, citations=numbers, verdict="cited")
        reason = "没有标出依据" if self.require == "coverage" and not _is_lead_in(sentence) else None
        return Claim(text=sentence, citations=[], verdict="uncited", reason=reason)

    def get_format_instructions(self) -> str:
        """What to tell a model."""
        return f"每句话句末标出依据，如 [资料1]；编号只能是 1 到 {self.blocks}。资料没有写到的，回答：{NOT_FOUND}。"

    @property
    def _type(self) -> str:
        return "youju_citations"


def canonical(text: str) -> str:
    """A text with every form of citation mark written as `[资料N]`."""
    return _MARKER.sub(lambda match: "".join(f"[资料{n}]" for n in _numbers(match.group(1))), text)


def unfinished(text: str) -> int:
    """Where the beginning of a mark that is not closed yet stands at the end of a text; its length if there is none."""
    match = _UNFINISHED.search(text)
    return match.start() if match else len(text)


def split_claims(answer: str) -> list[str]:
    """The sentences of an answer; marks right behind a sentence's end belong to it."""
    claims = []
    for line in answer.splitlines():
        start = 0
        ends = [match.end() for match in SENTENCE_MARK.finditer(line)]
        for end in [*ends, len(line)]:
            marks = _MARKS_BEHIND.match(line, end)
            stop = marks.end() if marks else end
            sentence = line[start:stop].strip()
            if stop > start and has_content(_CANONICAL.sub("", sentence)):
                claims.append(sentence)
                start = stop
            elif stop > start and claims and sentence:
                claims[-1] += sentence
                start = stop
    return claims


def is_silent(sentence: str) -> bool:
    """Whether a sentence says that the evidence does not say, and states nothing else."""
    if not _SILENT.search(sentence):
        return False
    clauses = [clause.strip() for clause in _CLAUSE.split(_CANONICAL.sub("", sentence))]
    return all(_SILENT.search(clause) or _TOPIC.match(clause) or not has_content(clause) for clause in clauses)


def _is_lead_in(sentence: str) -> bool:
    """A heading, or a line such as 规定如下： that states nothing itself."""
    return sentence.startswith("#") or (sentence.endswith(("：", ":")) and not any(map(str.isdigit, sentence)))


def _numbers(group: str) -> list[int]:
    numbers: list[int] = []
    for first, last in _PIECE.findall(group):
        low, high = int(first), int(last or first)
        wide = high < low or high - low > _WIDEST_RANGE
        numbers.extend([low, high] if wide else range(low, high + 1))
    return list(dict.fromkeys(numbers))
