"""Reading the citations of a model's answer, and checking that they name evidence that was sent."""

import re
from collections.abc import Sequence
from typing import Literal

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import BaseOutputParser
from pydantic import BaseModel, ConfigDict, Field

from youju.chains.marks import MARK, canonical, lookalikes, marks
from youju.chains.result import NOT_FOUND, Claim
from youju.chains.silence import has_silent_clause, is_lead_in, is_silent, table_headers
from youju.errors import YoujuError
from youju.text import SENTENCE_MARK, has_content

_MARKS_BEHIND = re.compile(r"(?:\s*\[资料[0-9]{1,30}\])+[。．.]?")


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
    [资料1、3] is `[资料1][资料3]` and [资料1-3] all three. Any other bracket with 资料
    and a number, such as 〔资料1〕 or [资料1第2页], is refused; anything else in brackets, such as [8], is no citation.

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
        headers = table_headers(answer)
        claims = [self._claim(sentence, table_header=sentence in headers) for sentence in split_claims(answer)]
        numbers = list(dict.fromkeys(n for claim in claims for n in claim.citations))
        parsed = ParsedAnswer(
            text=answer,
            claims=tuple(claims),
            citations=tuple(n for n in numbers if 1 <= n <= self.blocks),
            invalid=tuple(n for n in numbers if not 1 <= n <= self.blocks),
            silent=tuple(claim.text for claim in claims if claim.verdict == "not_found" or _is_partly_silent(claim)),
        )
        problems = [f"“{claim.text}”{claim.reason}" for claim in claims if claim.reason]
        if not claims:
            problems = ["回答是空的"]
        elif not numbers and not (parsed.silent and all(map(_needs_no_mark, claims))):
            problems = problems or ["没有标出任何依据"]
        if problems:
            raise CitationError(problems, parsed, text)
        return parsed

    def _claim(self, sentence: str, *, table_header: bool) -> Claim:
        numbers = marks(sentence)
        wrong = [f"引用了不存在的[资料{n}]" for n in numbers if not 1 <= n <= self.blocks]
        wrong += [f"里的“{_short(like)}”不是正确的引用，要写成 [资料N]" for like in lookalikes(sentence)]
        if wrong:
            return Claim(text=sentence, citations=numbers, verdict="invalid", reason="，".join(wrong))
        if is_silent(MARK.sub("", sentence)):
            return Claim(text=sentence, citations=numbers, verdict="not_found")
        if numbers:
            return Claim(text=sentence, citations=numbers, verdict="cited")
        needed = self.require == "coverage" and not is_lead_in(sentence, table_header=table_header)
        return Claim(text=sentence, citations=[], verdict="uncited", reason="没有标出依据" if needed else None)

    def get_format_instructions(self) -> str:
        """What to tell a model."""
        return f"每句话句末标出依据，如 [资料1]；编号只能是 1 到 {self.blocks}。资料没有写到的，回答：{NOT_FOUND}。"

    @property
    def _type(self) -> str:
        return "youju_citations"


def split_claims(answer: str) -> list[str]:
    """The sentences of an answer; marks right behind a sentence's end belong to it, those before the first to that."""
    claims: list[str] = []
    before = ""
    for line in answer.splitlines():
        start = 0
        ends = [match.end() for match in SENTENCE_MARK.finditer(line)]
        for end in [*ends, len(line)]:
            behind = _MARKS_BEHIND.match(line, end)
            stop = behind.end() if behind else end
            if stop <= start:
                continue
            sentence = line[start:stop].strip()
            if has_content(MARK.sub("", sentence)):
                claims.append(before + sentence)
                before = ""
            elif claims and MARK.search(sentence):
                claims[-1] += sentence
            elif not claims:
                before += sentence
            start = stop
    return claims


def _is_partly_silent(claim: Claim) -> bool:
    return claim.verdict == "cited" and has_silent_clause(MARK.sub("", claim.text))


def _needs_no_mark(claim: Claim) -> bool:
    return claim.verdict == "not_found" or is_lead_in(claim.text)


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"
