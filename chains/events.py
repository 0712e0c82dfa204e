"""An answer as events: the evidence, each sentence once its citations are checked, and the whole."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, closing
from typing import TYPE_CHECKING, Any, Literal, cast

from langchain_core.runnables import Runnable, RunnableConfig, RunnableSequence
from pydantic import BaseModel, ConfigDict, Field

from youju.chains.extracting import Extract
from youju.chains.marks import MARK
from youju.chains.respond import Respond
from youju.chains.result import CitedAnswer, Claim, Evidence
from youju.chains.settle import settled_sentences
from youju.text import has_content

if TYPE_CHECKING:
    from youju.chains.citations import CitationParser


_MAY_END = re.compile(r"[。！？｡…!?.．\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")


class AnswerEvent(BaseModel):
    """A step of an answer.

    Attributes:
        kind: `evidence`: what the model is about to read. `sentence`: a sentence whose citations have been checked; it
            stands in the final answer. `final`: the whole answer.
        text: Of a sentence: what it adds to what has been shown, line ends before it included.
        claim: Of a sentence: what it cites, and the quotes that carry it.
        evidence: The numbered blocks.
        answer: The whole answer.
    """

    model_config = ConfigDict(extra="forbid")

    kind: Literal["evidence", "sentence", "final"]
    text: str = ""
    claim: Claim | None = None
    evidence: list[Evidence] = Field(default_factory=list)
    answer: CitedAnswer | None = None


def answer_events(
    chain: Runnable[Any, CitedAnswer], asked: str | dict[str, Any], config: RunnableConfig | None = None
) -> Iterator[AnswerEvent]:
    """Answer a question, and tell what can be shown as soon as it will not change any more.

    The texts of all `sentence` events together are the answer of the `final` event; where that is empty (`rejected`)
    there were none. The model is asked once: what has been shown cannot be taken back.

    Args:
        chain: What `build_answer_chain` returned.
        asked: As for the chain.
        config: As for the chain.

    Raises:
        TypeError: The chain is another one.
    """
    retrieval, respond = _halves(chain)
    given = retrieval.invoke(asked, config)
    yield AnswerEvent(kind="evidence", evidence=given["evidence"])
    shown = _Shown(respond, given)
    with closing(cast("Any", respond.stream(given, config))) as drafts:
        for draft in drafts:
            yield from shown.events(draft)


async def aanswer_events(
    chain: Runnable[Any, CitedAnswer], asked: str | dict[str, Any], config: RunnableConfig | None = None
) -> AsyncIterator[AnswerEvent]:
    """`answer_events` for asynchronous callers."""
    retrieval, respond = _halves(chain)
    given = await retrieval.ainvoke(asked, config)
    yield AnswerEvent(kind="evidence", evidence=given["evidence"])
    shown = _Shown(respond, given)
    async with aclosing(cast("Any", respond.astream(given, config))) as drafts:
        async for draft in drafts:
            if isinstance(respond, Extract):
                told = shown.told(draft)
            else:
                told = await respond.aside(draft.answer, shown.told, draft)
            for event in told:
                yield event


def _halves(chain: Runnable[Any, CitedAnswer]) -> tuple[Runnable[Any, Any], Respond | Extract]:
    if not isinstance(chain, RunnableSequence) or not isinstance(chain.last, Respond | Extract):
        raise TypeError("answer_events 要的是 build_answer_chain 返回的链")
    return RunnableSequence(*chain.steps[:-1], name="find_evidence"), chain.last


class _Shown:
    """The sentences of an answer that have been told."""

    def __init__(self, respond: Respond | Extract, given: dict[str, Any]) -> None:
        self._parser: CitationParser | None = None  # an extraction is one passage and needs none
        if isinstance(respond, Respond):
            self._parser = respond.parser(given["question"], given["evidence"])
        self._repair = respond.settings.repair == "marks"
        self._count = 0
        self._text = ""
        self._read = 0  # how much of the draft has been looked at
        self._ended = False  # whether a sentence may have ended there that nothing follows yet

    def events(self, draft: CitedAnswer) -> Iterator[AnswerEvent]:
        """What a draft of the answer adds, or the end of it."""
        if draft.status == "streaming":
            if self._goes_on(draft.answer):
                yield from self._new(draft, repair=self._repair)
            return
        yield from self._rest(draft)
        yield AnswerEvent(kind="final", answer=draft, evidence=draft.evidence)

    def told(self, draft: CitedAnswer) -> list[AnswerEvent]:
        """`events`, all at once."""
        return [*self.events(draft)]

    def _goes_on(self, text: str) -> bool:
        """Whether something new stands behind what may be the end of a sentence: only then can one be settled."""
        new = MARK.sub("", text[self._read :])
        self._read = len(text)
        parts = _MAY_END.split(new)
        grown = (self._ended and has_content(parts[0])) or any(map(has_content, parts[1:]))
        self._ended = not has_content(parts[-1]) if len(parts) > 1 else self._ended and not grown
        return grown

    def _rest(self, answer: CitedAnswer) -> Iterator[AnswerEvent]:
        """What was still open when the model stopped."""
        yield from self._new(answer, whole=True)
        if answer.answer.startswith(self._text) and len(answer.answer) > len(self._text):
            yield self._sentence(answer.answer[len(self._text) :], None)

    def _new(self, answer: CitedAnswer, **how: bool) -> Iterator[AnswerEvent]:
        if self._parser is not None:
            for text, claim in settled_sentences(self._parser, answer.answer, **how)[self._count :]:
                yield self._sentence(text, claim)

    def _sentence(self, text: str, claim: Claim | None) -> AnswerEvent:
        self._count += 1
        self._text += text
        return AnswerEvent(kind="sentence", text=text, claim=claim)
