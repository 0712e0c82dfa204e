"""Fitting how many of a claim's words its evidence must hold, from right answers and the passages that carry them."""

from collections.abc import Iterator, Sequence

from langchain_core.documents import Document
from pydantic import BaseModel, ConfigDict

from youju.chains.claims import split_answer
from youju.chains.evidence import pack
from youju.chains.grounding import Grounds, Thresholds
from youju.chains.result import Evidence
from youju.eval.calibration_fit import auc, auc_interval, share_below
from youju.eval.questions import Question

FEW = 20
"""With fewer claims, nothing is fitted."""

_SEED = 0
_SHORTEST = 8
_ALIKE = 0.03
"""Thresholds that are no worse than this cannot be told from the best one by the questions that people write."""
_ALL = 10**9
_FACTS_ONLY = Thresholds(lexical=0.0, partial=0.0)
_LEAST, _MOST = 40, 80  # hundredths
"""Below, evidence that only shares the subject would do; above, no paraphrase would."""


class GroundingFigures(BaseModel):
    """The share of a claim's words that its evidence must hold, and how good a sign that share is."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    lexical: float
    """From this share on a claim is supported."""
    partial: float
    """Below this share it is unsupported."""
    right: int
    """Sentences of right answers, with the passages that carry them."""
    wrong: int
    """The same sentences with other passages that were found for their question."""
    by_facts: float
    """Share of the wrong pairs that values, names and negations refuse already; the rest is judged by words."""
    auc: float
    auc_interval: tuple[float, float]
    kept: float
    """Share of the right pairs that words let pass."""
    refused: float
    """Share of the wrong pairs left to words that they refuse."""


def fit_grounding(found: Sequence[tuple[Question, Sequence[Document]]]) -> GroundingFigures | None:
    """Fit the threshold of words, by questions that have quotes and an answer.

    A sentence of the answer is right with those passages that hold a quote, and wrong with each other passage that was
    found; sentences of fewer than eight characters, such as a bare date, have no words to share and are left out. Only
    pairs in which facts do not decide count, as it is them that the threshold judges. It is put where the share of
    right pairs kept and the share of wrong ones refused are largest in sum (W. Youden, "Index for rating diagnostic
    tests", Cancer 3, 1950), and of places that are about as good at the one nearest to the built-in threshold: to let a
    claim pass that nothing carries is as bad as to take out one that is right.

    Args:
        found: Questions, and what was found for each.

    Returns:
        None if there are too few claims.
    """
    right: list[float] = []
    wrong: list[float] = []
    tried = 0
    for question, documents in found:
        if question.answer is None or not question.quotes:
            continue
        blocks = pack(documents, _ALL)
        holding = [block.n for block in blocks if _holds(block, question.quotes)]
        grounds = Grounds(blocks, question=question.text, thresholds=_FACTS_ONLY)
        for claim in _claims(question.answer) if holding else ():
            right += _score(grounds, claim, holding)
            for block in blocks:
                if block.n not in holding:
                    tried += 1
                    wrong += _score(grounds, claim, [block.n])
    if len(right) < FEW or len(wrong) < FEW:
        return None
    usual = Thresholds()
    gain = {
        at: share_below(wrong, at) - share_below(right, at) for at in (step / 100 for step in range(_LEAST, _MOST + 1))
    }
    good = [at for at in gain if gain[at] >= max(gain.values()) - _ALIKE]
    lexical = min(good, key=lambda at: abs(at - usual.lexical))
    return GroundingFigures(
        lexical=lexical,
        partial=round(lexical * usual.partial / usual.lexical, 3),
        right=len(right),
        wrong=tried,
        by_facts=1 - len(wrong) / tried,
        auc=auc(right, wrong),
        auc_interval=auc_interval(right, wrong, seed=_SEED),
        kept=1 - share_below(right, lexical),
        refused=share_below(wrong, lexical),
    )


def _claims(answer: str) -> Iterator[str]:
    for piece in split_answer(answer):
        if not piece.lead_in and len(piece.text) >= _SHORTEST:
            yield piece.text


def _holds(block: Evidence, quotes: Sequence[str]) -> bool:
    """Whether a block holds a quote; blanks and line ends do not count."""
    text = "".join(block.text.split())
    return any("".join(quote.split()) in text for quote in quotes)


def _score(grounds: Grounds, claim: str, numbers: Sequence[int]) -> Iterator[float]:
    """The share of a claim's words that blocks hold; nothing where facts decide."""
    finding = grounds.check(claim, numbers)
    if finding.verdict == "supported":
        yield finding.score
