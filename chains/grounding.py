"""Whether a claim is in the evidence that it cites, checked without a model.

A claim is supported when each of its values, names and quotations stands in the cited evidence, beside the words that
the claim speaks of, when nothing is denied that the evidence affirms or the other way round, and when the evidence
holds enough of its words; nor may it leave out what narrows the evidence, such as 拟, 可能 or 部分
(`youju.chains.claim_scope`). Values are compared by what they mean (`youju.chains.values`). Who does what to whom is
read from prepositions and the order of words (`youju.chains.roles`), so a claim that exchanges two sides is found where
the same verb is used, and can pass where it is not.
"""

import re
from collections.abc import Sequence

from youju.chains.claim_case import Asked, Case
from youju.chains.claim_check import check
from youju.chains.finding import Finding, Similarity, Support, Thresholds, Verdict
from youju.chains.result import Evidence
from youju.chains.support import Statement, bare, statements, without_list_mark
from youju.chains.values import folded
from youju.text import has_content, sentences

__all__ = ["Finding", "Grounds", "Similarity", "Support", "Thresholds", "Verdict", "check_claim"]

_LONGEST_SENTENCE = 500
"""Characters. A longer sentence is compared only as a whole: models that repeat themselves write such."""
_LONGEST_STATEMENT = 2_000
"""Characters. A longer sentence of a document, as a file without full stops has, is read in pieces."""
_BREAK = re.compile(r"[,，、;；](?!\d)|\s")


class Grounds:
    """Evidence that is read once, to check several claims against it.

    Example:
        >>> block = Evidence(n=1, id=None, text="年假为十天。", source="a.md", location="a.md")
        >>> Grounds([block]).check("年假为15天。", [1]).reason
        '资料1 写的是 十天，不是 15天'
    """

    def __init__(
        self,
        evidence: Sequence[Evidence],
        *,
        question: str = "",
        thresholds: Thresholds | None = None,
        similarity: Similarity | None = None,
    ) -> None:
        """Take all blocks, the question, how much is enough, and optionally a measure of likeness."""
        self._blocks = {block.n: block for block in evidence}
        self._read: dict[int, list[Statement]] = {}
        self._asked = Asked(folded(question))
        self._thresholds = thresholds or Thresholds()
        self._similarity = similarity

    def check(self, claim: str, numbers: Sequence[int] | None = None, *, asked: bool = True) -> Finding:
        """Check a sentence against the blocks with these numbers.

        Args:
            claim: The sentence.
            numbers: Those of the blocks, None means all; unknown numbers are left out.
            asked: Whether words of the question are no facts; not where the sentence was made of the question.
        """
        chosen = sorted(self._blocks if numbers is None else {n for n in numbers if n in self._blocks})
        text = folded(without_list_mark(claim))
        if not has_content(text):
            return Finding("supported", None, (), 1.0)
        if not chosen:
            return Finding("unsupported", "这句话没有引用任何资料", (), 0.0)
        pool = [statement for n in chosen for statement in self._statements(n)]
        if len(text) > _LONGEST_SENTENCE:  # what is compared grows with the square of it
            said = bare(text)
            pool = [statement for statement in pool if said in statement.bare]
            if not pool:
                return Finding("unsupported", f"一句话有 {len(text)} 个字，太长，没有核对", (), 0.0)
        raw = claim if claim.isascii() else ""
        case = Case(text, raw, pool, chosen, self._asked if asked else Asked(""), self._thresholds, self._similarity)
        return check(case)

    def _statements(self, n: int) -> list[Statement]:
        if n not in self._read:
            self._read[n] = statements(_in_pieces(self._blocks[n]))
        return self._read[n]


def _in_pieces(block: Evidence) -> Evidence:
    """A block of the same length in which sentences that are too long end sooner, at a comma or blank."""
    text = block.text
    for start, end in sentences(text) if len(text) > _LONGEST_STATEMENT else ():
        if text.count("|", start, end) > 1:  # a row of a table is read by its cells
            continue
        at = start
        while end - at > _LONGEST_STATEMENT:
            found = _BREAK.search(text, at + _LONGEST_STATEMENT // 2, end)
            if found is None:
                break
            at = found.end()
            text = f"{text[: at - 1]}。{text[at:]}"
    return block if text == block.text else block.model_copy(update={"text": text})


def check_claim(
    claim: str,
    evidence: Sequence[Evidence],
    *,
    question: str = "",
    thresholds: Thresholds | None = None,
    similarity: Similarity | None = None,
) -> Finding:
    """Check one sentence of an answer, without its marks, against the blocks that it cites.

    Args:
        claim: The sentence.
        evidence: The cited blocks and no others.
        question: Words that the claim repeats from it are no facts of its own; its values are.
        thresholds: What is enough; None means the defaults.
        similarity: Cosines of a sentence to others, for paraphrases that share few words.
    """
    return Grounds(evidence, question=question, thresholds=thresholds, similarity=similarity).check(claim)
