"""What of a model's answer stands, once each of its sentences has been checked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from youju.chains.citations import CitationError, CitationParser, said_of
from youju.chains.claims import joined, settled, split_answer
from youju.chains.marks import canonical
from youju.chains.result import Claim

_STATES = {"supported", "cited"}
_STANDS = {*_STATES, "not_found"}
_MOST_MENDED = 2_000
"""Characters, in all, of sentences for which marks are sought in every block: that takes more time than the checks."""


@dataclass(frozen=True)
class Settled:
    """An answer after its checks.

    Attributes:
        text: What stands of it.
        claims: All its sentences; those that were taken out say so.
        problems: What is wrong with it, one sentence each; empty if nothing was taken out.
        left_open: The parts of the question that it says nothing of.
    """

    text: str
    claims: tuple[Claim, ...]
    problems: tuple[str, ...]
    left_open: tuple[str, ...] = ()

    @property
    def stating(self) -> int:
        """How many sentences stand that state something."""
        return sum(not claim.removed and claim.verdict in _STATES for claim in self.claims)


def settle(parser: CitationParser, text: str, *, repair: bool) -> Settled:
    """Check an answer and take out what does not pass.

    What is left is read once more, so that nothing stands as an answer that the parser would not accept.

    Args:
        parser: How answers are checked.
        text: The model's text.
        repair: Whether sentences that the evidence carries get the marks that they lack.
    """
    problems: tuple[str, ...] = ()
    try:
        parsed = parser.parse(text)
    except CitationError as error:
        parsed, problems = error.parsed, error.problems
    texts, claims = _kept(parser, parsed.text, parsed.claims, repair=repair)
    if not problems and not any(claim.removed for claim in claims):
        return Settled(parsed.text, parsed.claims, (), tuple(parser.left_open(parsed.claims)))
    whole = "".join(texts.values())
    wrong = tuple(said_of(claim.text, claim.reason) for claim in claims if claim.removed and claim.reason)
    try:
        again = parser.parse(whole).claims if whole else ()
    except CitationError as still:
        again, wrong = (), wrong or still.problems
    if not any(claim.verdict in _STANDS for claim in again):
        everything = tuple(claim.model_copy(update={"removed": True}) for claim in claims)
        return Settled("", everything, wrong or problems or (parser.nothing_cited,))
    claims = [  # a lead-in goes with what it led to
        claim if number in texts else claim.model_copy(update={"removed": True}) for number, claim in enumerate(claims)
    ]
    standing = [claim for claim in claims if not claim.removed]
    return Settled(whole, tuple(claims), wrong, tuple(parser.left_open(standing)))


def settled_sentences(
    parser: CitationParser, text: str, *, repair: bool = False, whole: bool = False
) -> list[tuple[str, Claim]]:
    """The sentences that certainly stand of an answer that is still being written.

    Those of a text are a beginning of those of any longer one, and together they are a beginning of what `settle`
    leaves of the whole. What says only that the evidence does not say waits for a sentence that states something: an
    answer of nothing else is shown in other words.

    Args:
        parser: How answers are checked.
        text: What there is of the answer.
        repair: Whether sentences that the evidence carries get the marks that they lack.
        whole: Whether the text is the whole answer.

    Returns:
        Each sentence with what separates it from the one before, and its claim; a heading or lead-in comes in one with
        the sentence behind it.
    """
    answer = parser.plain(canonical(text).lstrip())
    pieces = split_answer(answer)
    claims = [parser.claim(piece) for piece in pieces[: len(pieces) if whole else settled(pieces, answer)]]
    texts, claims = _kept(parser, answer, claims, repair=repair)
    stating = [number for number in texts if claims[number].verdict in _STATES]
    found: list[tuple[str, Claim]] = []
    before = ""
    for number, said in texts.items():
        before += said
        if stating and number <= stating[-1] and claims[number].verdict != "uncited":
            found.append((before, claims[number]))
            before = ""
    return found


def _kept(
    parser: CitationParser, answer: str, claims: Sequence[Claim], *, repair: bool
) -> tuple[dict[int, str], list[Claim]]:
    """The texts of the sentences that stand, and all sentences as they are now."""
    pieces = split_answer(answer)[: len(claims)]
    pieces = [replace(piece, lead_in=piece.lead_in and parser.leads(piece)) for piece in pieces]
    kept: dict[int, str] = {}
    sought: set[str] = set()  # sentences that marks are sought for
    now: list[Claim] = []
    for number, claim in enumerate(claims):
        mended = None
        if repair and claim.reason and parser.reads(pieces[number]):
            sought.add(claim.text)
            mended = parser.attributed(claim) if sum(map(len, sought)) <= _MOST_MENDED else None
        claim = mended or claim  # noqa: PLW2901 - the claim as it is now
        bare = claim.verdict == "uncited" and claim.reason is None  # a lead-in, or with `format` any sentence
        leads = bare and pieces[number].lead_in
        stands = claim.verdict in _STANDS or (bare and parser.require == "format" and not leads)
        if stands:
            kept[number] = mended.text if mended else answer[pieces[number].start : pieces[number].end]
        now.append(claim if stands or leads else claim.model_copy(update={"removed": True}))
    beside = parser.beside(now[number] for number in kept)
    if beside:
        for number in [number for number in kept if now[number].verdict in _STATES]:
            del kept[number]
            now[number] = now[number].model_copy(update={"removed": True, "reason": beside})
    return joined(answer, pieces, kept), now
