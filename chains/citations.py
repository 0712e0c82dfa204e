"""Reading the citations of a model's answer, and checking that they name evidence that was sent."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import BaseOutputParser
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, model_validator

from youju.chains.claims import (
    Piece,
    split_answer,
    statement,
    without_marks,
)
from youju.chains.english import told
from youju.chains.marks import canonical, lookalikes, marks, references, without_references
from youju.chains.result import NOT_FOUND, Claim, Evidence
from youju.chains.silence import (
    has_silent_clause,
    is_lead_in,
    is_silent,
    may_be_silent,
)
from youju.errors import YoujuError
from youju.models.thinking import without_thinking
from youju.settings import Thinking

if TYPE_CHECKING:
    from youju.chains.comparing import Comparer

_DENIES = re.compile(r"[不無无未非没沒勿禁]|\b(?:not?|never|without)\b", re.IGNORECASE)
_BARE = "只说了是或否，没有写出资料里的内容"
_AROUND = " \t\n。．.｡！!？?；;，,、…“”‘’「」（）()*_|"
_LONGEST_ANSWER = 40_000
"""Characters after which sentences are no longer compared: no answer is so long, but a model that repeats itself is."""


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
    Thinking blocks are no part of an answer.

    Example:
        >>> CitationParser(blocks=2).parse("年假为10天【资料1】。").citations
        (1,)
    """

    blocks: int = Field(ge=0)
    """How many blocks the model was sent; numbers from 1 to this are valid."""
    require: Literal["format", "coverage", "grounded"] = "coverage"
    """`format` checks the numbers, of which there must be one; `coverage` also asks that every sentence has one;
    `grounded` also that what a sentence cites says so."""
    evidence: Sequence[Evidence] = ()
    """The blocks themselves, for `grounded`."""
    question: str = ""
    """What was asked, for `grounded`: words that an answer repeats from it are no facts of its own."""
    thinking: Thinking = "remove"
    """What becomes of thinking blocks."""
    panel: Any = Field(default=None, exclude=True, repr=False)
    """A `Panel` of second opinions, for `grounded`; None for none."""
    thresholds: Any = Field(default=None, exclude=True, repr=False)
    """The `Thresholds` of how many words are enough, for `grounded`; None for the built-in ones."""
    similarity: Any = Field(default=None, exclude=True, repr=False)
    """A `Similarity` that carries paraphrases which share few words, for `grounded`; None for none."""
    _comparer: "Comparer | None" = PrivateAttr(default=None)
    _judged: dict[tuple[str, bool], Claim] = PrivateAttr(default_factory=dict)
    """Sentences judged before: an answer is read again with each piece that a stream adds to it."""
    _mended: dict[str, Claim | None] = PrivateAttr(default_factory=dict)
    """Sentences that marks were sought for, and what became of them."""

    @model_validator(mode="before")
    @classmethod
    def _counts_its_blocks(cls, values: Any) -> Any:
        if isinstance(values, dict) and "blocks" not in values and values.get("evidence"):
            return {**values, "blocks": len(values["evidence"])}
        return values

    @model_validator(mode="after")
    def _has_what_it_compares(self) -> Self:
        if self.require == "grounded":
            if [block.n for block in self.evidence] != list(range(1, self.blocks + 1)):
                msg = 'require="grounded" 要给出 evidence：编号从 1 开始的全部资料块'
                raise ValueError(msg)
            from youju.chains.comparing import Comparer  # noqa: PLC0415 - only where citations are compared

            self._comparer = Comparer(
                self.evidence,
                self.question,
                panel=self.panel,
                thresholds=self.thresholds,
                similarity=self.similarity,
            )
        return self

    def parse(self, text: str) -> ParsedAnswer:
        """Read an answer.

        Raises:
            CitationError: A number names no evidence, a sentence that states something carries none, or, with
                `grounded`, what it cites does not say so, or nothing in the answer is what was asked.
        """
        answer = self.plain(canonical(without_thinking(text, self.thinking)).strip())
        claims = [self.claim(piece) for piece in split_answer(answer)]
        numbers = list(dict.fromkeys(n for claim in claims for n in claim.citations))
        parsed = ParsedAnswer(
            text=answer,
            claims=tuple(claims),
            citations=tuple(n for n in numbers if 1 <= n <= self.blocks),
            invalid=tuple(n for n in numbers if not 1 <= n <= self.blocks),
            silent=tuple(claim.text for claim in claims if tells_silence(claim)),
        )
        problems = [said_of(claim.text, claim.reason) for claim in claims if claim.reason]
        if not claims:
            problems = [told("回答是空的", self.question)]
        elif not numbers and not (parsed.silent and all(map(_needs_no_mark, claims))):
            problems = problems or [self.nothing_cited]
        elif not problems and (beside := self.beside(claims)):
            problems = [said_of(_short(answer), beside)]
        if problems:
            raise CitationError(problems, parsed, text)
        return parsed

    def plain(self, answer: str) -> str:
        """An answer in which 资料中未提及 stands for sentences that say so and bring in something else beside it."""
        if self._comparer is None or not may_be_silent(without_marks(answer)):
            return answer
        for piece in reversed(split_answer(answer)):
            bare = without_marks(piece.text)
            if is_silent(bare) and self._comparer.brings_in(without_references(bare)):
                answer = f"{answer[: piece.start]}{NOT_FOUND}。{answer[piece.end :]}"
        return answer

    def claim(self, piece: Piece) -> Claim:
        """Judge one sentence of an answer."""
        key = (piece.text, piece.lead_in)
        if key in self._judged:
            return self._judged[key]
        claim = self._told(self._judge(piece))
        if self.reads(piece):
            self._judged[key] = claim
        return claim

    def _judge(self, piece: Piece) -> Claim:
        sentence = piece.text
        numbers = marks(sentence)
        wrong = [f"引用了不存在的[资料{n}]" for n in numbers if not 1 <= n <= self.blocks]
        spoken_of = self._spoken_of(sentence)
        wrong += [f"提到了不存在的资料{n}" for n in spoken_of if not 1 <= n <= self.blocks]
        wrong += [f"里的“{_short(like)}”不是正确的引用，要写成 [资料N]" for like in lookalikes(sentence)]
        if wrong:
            return Claim(text=sentence, citations=numbers, verdict="invalid", reason="，".join(wrong))
        if is_silent(without_marks(sentence)):
            return Claim(text=sentence, citations=numbers, verdict="not_found")
        if numbers:
            if not self.reads(piece):
                reason = f"：回答太长，第 {_LONGEST_ANSWER} 个字以后没有核对"
                return Claim(text=sentence, citations=numbers, verdict="unsupported", reason=reason)
            if self._comparer is None:
                return Claim(text=sentence, citations=numbers, verdict="cited")
            return self._comparer.compared(sentence, numbers, spoken_of)
        needed = self.require != "format" and not piece.lead_in
        return Claim(text=sentence, citations=[], verdict="uncited", reason="没有标出依据" if needed else None)

    def reads(self, piece: Piece) -> bool:
        """Whether a sentence stands where sentences are compared: not behind the end of any sensible answer."""
        return self._comparer is None or piece.start < _LONGEST_ANSWER

    def beside(self, claims: Iterable[Claim]) -> str | None:
        """Why none of the claims that are supported answers what was asked; None if one does, or there is none."""
        why = self._comparer and self._comparer.beside(claims)
        return told(f"没有答到所问：{why}", self.question) if why else None

    @property
    def nothing_cited(self) -> str:
        """What is wrong with an answer without any mark."""
        return told("没有标出任何依据", self.question)

    def _told(self, claim: Claim) -> Claim:
        """A claim whose reason is in the language of the question."""
        said = claim.reason and told(claim.reason, self.question)
        return claim if said == claim.reason else claim.model_copy(update={"reason": said})

    def left_open(self, claims: Iterable[Claim]) -> list[str]:
        """The parts of a question of several parts that no claim speaks of, neither to answer nor to say why not."""
        return [] if self._comparer is None else self._comparer.left_open(claims)

    def leads(self, piece: Piece) -> bool:
        """Whether a heading or lead-in without a mark may stand: it denies nothing, and brings nothing in."""
        if self._comparer is None or not piece.lead_in:
            return piece.lead_in
        stated = statement(piece.text)
        return not _DENIES.search(stated) and self._comparer.brings_in(stated) is None

    def attributed(self, claim: Claim) -> Claim | None:
        """The claim with the marks of the evidence that carries it, where its own are missing or name other evidence.

        Only a claim that the evidence carries whole gets marks, a mere name only from a block that speaks of what is
        asked; a number that names no evidence is never replaced, nor is anything where the evidence cited says
        otherwise.
        """
        if self._comparer is None or claim.verdict not in {"uncited", "unsupported", "partly"}:
            return None
        if claim.text not in self._mended:
            mended = self._comparer.attributed(claim, self._spoken_of(claim.text))
            self._mended[claim.text] = mended = mended and self._told(mended)
            if mended is not None:  # known also where it is pushed behind the end of what is compared
                self.claim(Piece(mended.text, 0, len(mended.text), lead_in=False))
        return self._mended[claim.text]

    def _spoken_of(self, sentence: str) -> list[int]:
        """The numbers of evidence that a sentence speaks of in words, unless the documents or the asker do so."""
        numbers = references(without_marks(sentence))
        if not numbers:
            return []
        given = references("\n".join([self.question, *(f"{one.location}\n{one.text}" for one in self.evidence)]))
        return [n for n in numbers if n not in given]

    def get_format_instructions(self) -> str:
        """What to tell a model."""
        return f"每句话句末标出依据，如 [资料1]；编号只能是 1 到 {self.blocks}。资料没有写到的，回答：{NOT_FOUND}。"

    @property
    def _type(self) -> str:
        return "youju_citations"


def said_of(text: str, reason: str) -> str:
    """What is wrong with a text, in a sentence: the text and the reason."""
    return f"“{text}”{' ' if reason[:1].isascii() and reason[:1] != ':' else ''}{reason}"


def tells_silence(claim: Claim) -> bool:
    """Whether a sentence says, alone or beside a fact, that the evidence does not say something."""
    return claim.verdict == "not_found" or (
        claim.verdict in {"cited", "supported"} and has_silent_clause(without_marks(claim.text))
    )


def _needs_no_mark(claim: Claim) -> bool:
    return claim.verdict == "not_found" or is_lead_in(claim.text)


def _short(text: str) -> str:
    return text if len(text) <= 20 else text[:20] + "…"
