"""From a settled answer to its status, its citations and the reasons of a refusal."""

import re
from collections.abc import Sequence
from typing import Any

from youju.chains.citations import tells_silence
from youju.chains.claims import without_marks
from youju.chains.phrases import BUILT_IN, joined, phrase, silence
from youju.chains.quotes import nearest_sentence, quote
from youju.chains.refusal import Found, refusal
from youju.chains.result import NOT_FOUND, Citation, CitedAnswer, Claim, Evidence, Step
from youju.chains.settle import Settled

_QUOTED = re.compile(r"“([^”]+)”")
_ENDS = "。．.｡ \n"


def outcome(settled: Settled, found: Found, model: str = "") -> dict[str, Any]:
    """The fields of the result that follow from what stands of the model's answer.

    Args:
        settled: What stands.
        found: What was found for the question.
        model: The model's name, as the built-in one is silent for another reason than others.
    """
    question, claims = found.question, list(settled.claims)
    fields: dict[str, Any] = {"answer": settled.text, "claims": claims, "search": found.search}
    silent = [claim.text for claim in claims if not claim.removed and tells_silence(claim)]
    parts = [*map(_part, silent), *settled.left_open]
    removed = sum(claim.removed for claim in claims)
    read = len(found.evidence)
    if not settled.text:
        reason = phrase("rejected", question, problems=joined(list(settled.problems), question))
        last = Step(name="checks", kept=0, lost=removed, reason=reason)
        return {**fields, "status": "rejected", "reason": reason, "refusal": refusal([question], found, last)}
    if not settled.stating and silent:
        last = Step(name="model", kept=0, lost=read, reason=silence(model, question))
        return {
            **fields,
            "status": "not_found",
            "answer": NOT_FOUND,
            "reason": joined([last.reason, *_taken_out(settled, question)], question),
            "refusal": refusal([question], found, last),
        }
    if removed and not silent:
        last = Step(name="checks", kept=0, lost=removed, reason=phrase("failed_part", question))
    else:
        last = Step(name="model", kept=0, lost=read, reason=silence(model, question, part=True))
    told = [*silent, *_taken_out(settled, question), *_left_open(settled, question)]
    told[:-1] = [text.rstrip(_ENDS) for text in told[:-1]]
    return {
        **fields,
        "status": "partial" if parts or settled.problems else "answered",
        "citations": _citations(claims, found.evidence),
        "reason": joined(told, question) or None,
        "refusal": refusal(parts, found, last) if parts else None,
    }


def nothing_found(found: Found, model: str = "") -> dict[str, Any]:
    """The fields of the result where the first of two readings found no answer."""
    reason = silence(model, found.question) if model == BUILT_IN else phrase("silent_first", found.question)
    last = Step(name="model", kept=0, lost=len(found.evidence), reason=reason)
    return {
        "status": "not_found",
        "answer": NOT_FOUND,
        "search": found.search,
        "reason": last.reason,
        "refusal": refusal([found.question], found, last),
    }


def without_evidence(found: Found) -> CitedAnswer:
    """The result where nothing reached the model."""
    if found.gate is not None and not found.gate.passed:
        reason = found.gate.why_not(found.question)
    else:
        reason = phrase("too_long" if found.documents else "nothing_retrieved", found.question)
    return CitedAnswer(
        status="insufficient_evidence",
        question=found.question,
        answer=NOT_FOUND,
        retrieved_count=len(found.documents),
        reason=reason,
        search=found.search,
        refusal=refusal([found.question], found),
    )


def _left_open(settled: Settled, question: str) -> list[str]:
    return [phrase("left_open", question, part=part) for part in settled.left_open]


def _taken_out(settled: Settled, question: str) -> list[str]:
    if not settled.problems:
        return []
    return [phrase("taken_out", question, problems=joined(list(settled.problems), question))]


def _part(text: str) -> str:
    """The part of the question that a silent sentence names, or the sentence."""
    named = _QUOTED.search(text)
    return named.group(1) if named else without_marks(text)


def _citations(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> list[Citation]:
    by_number = {block.n: block for block in evidence}
    standing = [claim for claim in claims if not claim.removed]
    found = []
    for n in dict.fromkeys(n for claim in standing for n in claim.citations):
        block = by_number[n]
        carrying = [one for claim in standing for one in claim.quotes if one.n == n]
        if not carrying:
            cited_for = " ".join(claim.text for claim in standing if n in claim.citations)
            carrying = [quote(block, *nearest_sentence(cited_for, block.text))]
        best = carrying[0]
        found.append(
            Citation(
                n=n,
                id=block.id,
                source=block.source,
                page=best.page,
                location=block.location,
                quote=best.text,
                start=best.start,
                end=best.end,
            )
        )
    return found
