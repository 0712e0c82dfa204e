"""Sentences of an answer compared with the evidence that they cite, and with what was asked."""

import re
from collections.abc import Iterable, Sequence

from youju.cached import cached
from youju.chains.asked import Asked
from youju.chains.claims import is_of_empty_words, is_yes_or_no, statement, with_marks
from youju.chains.content import words
from youju.chains.finding import Finding
from youju.chains.framing import foreign
from youju.chains.grounding import Grounds, Similarity, Thresholds
from youju.chains.instructions import content_of
from youju.chains.marks import references, unfinished, without_references
from youju.chains.numerals import plain_digits, unread_number, without_items
from youju.chains.opinions import Panel
from youju.chains.quotes import quote
from youju.chains.result import Claim, Evidence, Quote
from youju.chains.silence import without_silence, without_stated
from youju.chains.values import folded, values
from youju.chains.yes_no import as_statement
from youju.text import tokens

_BARE = "只说了是或否，没有写出资料里的内容"
_AROUND = " \t\n。．.｡！!？?；;，,、…“”‘’「」（）()*_|"


class Comparer:
    """The evidence and the question that the sentences of one answer are compared with."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        question: str,
        *,
        panel: Panel | None = None,
        thresholds: Thresholds | None = None,
        similarity: Similarity | None = None,
    ) -> None:
        """Take the blocks, numbered from 1, and what was asked; the rest is that of a `CitationParser`."""
        self._evidence = evidence
        self._question = question
        self._panel = panel
        self._contents = [_content(block) for block in evidence]
        self._grounds = Grounds(
            self._contents, question=plain_digits(question), thresholds=thresholds, similarity=similarity
        )
        self._asked = Asked(question, evidence)

    def beside(self, claims: Iterable[Claim]) -> str | None:
        """Why none of the claims that are supported answers what was asked; None if one does, or there is none."""
        return self._asked.why_not(claim for claim in claims if claim.verdict == "supported")

    def left_open(self, claims: Iterable[Claim]) -> list[str]:
        """The parts of a question of several parts that no claim speaks of."""
        return self._asked.left_open(claims)

    def brings_in(self, text: str) -> str | None:
        """A word of a text that neither the question nor the evidence has; None if there is none."""
        return foreign(text, self._all)

    def compared(self, sentence: str, numbers: list[int], spoken_of: Sequence[int]) -> Claim:
        """A sentence and what comparing it with the evidence that it cites says of it.

        Args:
            sentence: The sentence with its marks.
            numbers: Those of the marks; each names evidence.
            spoken_of: The numbers of evidence that it speaks of in words.
        """
        whole = _stated(sentence, spoken_of)
        of_question = is_yes_or_no(sentence)
        stated = (as_statement(self._question, whole) or "") if of_question else without_silence(whole)
        refused = None
        if of_question and not stated:
            refused = _BARE
        elif unmarked := [n for n in spoken_of if n not in numbers]:
            refused = f"提到了资料{unmarked[0]}，却没有标出[资料{unmarked[0]}]"
        elif is_of_empty_words(stated) and not self._holds_alone(stated, numbers):
            refused = "没有写出资料里的内容"
        elif not of_question and stated != whole and (word := self._beside_silence(whole)):
            refused = f"：问题和资料里都没有“{word}”"
        elif unread := unread_number(stated, self._texts(numbers)):
            refused = f"里的“{unread}”，所引的资料里没有"
        if refused:
            return Claim(text=sentence, citations=numbers, verdict="unsupported", reason=refused)
        found = self._grounds.check(stated, numbers, asked=not of_question)
        if of_question and found.verdict not in {"supported", "contradicted"}:
            return Claim(text=sentence, citations=numbers, verdict="unsupported", reason=_BARE)
        if self._panel is not None:
            cited = [self._evidence[n - 1] for n in numbers]
            found = self._panel.review(found, stated, cited, question=self._question)
        quotes = self._quotes(found)
        reason = None if found.verdict == "supported" else f"：{found.reason}"
        return Claim(text=sentence, citations=numbers, verdict=found.verdict, reason=reason, quotes=quotes)

    def attributed(self, claim: Claim, spoken_of: Sequence[int]) -> Claim | None:
        """The claim with the marks of the evidence that carries it; None if none does.

        Args:
            claim: A claim without marks, or with marks of other evidence.
            spoken_of: The numbers of evidence that it speaks of in words.
        """
        bare = _stated(claim.text, spoken_of)
        if unfinished(bare) < len(bare):  # it stops inside a mark
            return None
        of_question = is_yes_or_no(bare)
        if of_question:
            bare = as_statement(self._question, bare) or ""
        named = not of_question and _is_topic(bare)
        says_nothing = is_of_empty_words(bare) or folded(bare).strip(_AROUND) in folded(self._question)
        if not bare or (named and says_nothing):
            return None
        blocks = [block for block in self._evidence if not named or self._asked.on_topic(block)]
        single = [self._grounds.check(bare, [block.n], asked=not of_question) for block in blocks]
        carrying = [found for found in single if found.verdict == "supported" and found.support]
        carrying = carrying or [self._grounds.check(bare, [block.n for block in blocks], asked=not of_question)]
        marked = [self._marked(claim, found) for found in carrying]
        found, mended = max(
            zip(carrying, marked, strict=True),
            key=lambda one: (self._asked.beside(one[1]) is None, named and self._asked.nearness(one[1]), one[0].score),
        )
        if found.verdict != "supported" or not self._shares_words(bare, found):
            return None
        if not set(spoken_of) <= set(mended.citations) or unread_number(
            bare, self._texts(mended.citations)
        ):  # 根据资料2, and another one says so
            return None
        return mended

    def _beside_silence(self, whole: str) -> str | None:
        """What a sentence brings in around the clause in which it says that the evidence does not say something."""
        return self.brings_in(without_references(without_stated(whole)))

    def _marked(self, claim: Claim, found: Finding) -> Claim:
        """The claim with the marks of what was found for it."""
        numbers = list(dict.fromkeys(support.n for support in found.support))
        said = "模型没有标出依据" if not claim.citations else "模型标的依据不对"
        return Claim(
            text=with_marks(claim.text, numbers),
            citations=numbers,
            verdict="supported",
            reason=f"{said}，核对资料后标上",
            quotes=self._quotes(found),
        )

    def _holds_alone(self, stated: str, numbers: Sequence[int]) -> bool:
        """Whether one of these blocks holds just these words between marks or blanks, as a table's cell may."""
        alone = re.compile(rf"(?<!\w){re.escape(folded(stated).strip(_AROUND))}(?!\w)")
        return any(alone.search(folded(text)) for text in self._texts(numbers))

    def _texts(self, numbers: Sequence[int]) -> list[str]:
        return [self._evidence[n - 1].text for n in numbers]

    @cached
    def _all(self) -> str:
        """Question and evidence, folded; few answers need it."""
        texts = [f"{block.location}\n{block.text}" for block in self._contents]
        return folded("\n".join([self._question, *texts]))

    def _shares_words(self, sentence: str, found: Finding) -> bool:
        """Whether the evidence found says any of the words: a sentence that says nothing of its own proves nothing."""
        said = " ".join(one.text for one in self._quotes(found))
        return not set(tokens(sentence)).isdisjoint(tokens(said))

    def _quotes(self, found: Finding) -> list[Quote]:
        return [quote(self._evidence[one.n - 1], one.start, one.end) for one in found.support]


def _content(block: Evidence) -> Evidence:
    """A block without what it tells a model."""
    text = plain_digits(content_of(block.text))
    return block if text == block.text else block.model_copy(update={"text": text})


def _stated(sentence: str, spoken_of: Sequence[int]) -> str:
    """What a sentence states of its own: 根据资料1 only says where it stands."""
    stated = plain_digits(without_items(statement(sentence)))
    return without_references(stated) if spoken_of and spoken_of == references(stated) else stated


def _is_topic(stated: str) -> bool:
    """Whether a sentence names something at most, and states nothing of it."""
    return len(words(folded(stated))) < 2 and not values(folded(stated))
