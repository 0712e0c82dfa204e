"""From a settled answer to its status, its citations and the reasons of a refusal."""

import re
from collections.abc import Sequence
from typing import Any

from youju.chains.citations import tells_silence
from youju.chains.claims import without_marks
from youju.chains.quotes import nearest_sentence, quote
from youju.chains.refusal import Found, refusal
from youju.chains.result import NOT_FOUND, Citation, CitedAnswer, Claim, Evidence, Step
from youju.chains.settle import Settled

_QUOTED = re.compile(r"“([^”]+)”")


def outcome(settled: Settled, found: Found) -> dict[str, Any]:
    """The fields of the result that follow from what stands of the model's answer."""
    claims = list(settled.claims)
    fields: dict[str, Any] = {"answer": settled.text, "claims": claims, "search": found.search}
    silent = [claim.text for claim in claims if not claim.removed and tells_silence(claim)]
    parts = [*map(_part, silent), *settled.left_open]
    removed = sum(claim.removed for claim in claims)
    read = len(found.evidence)
    if not settled.text:
        reason = "模型的回答没有通过引用检查：" + "；".join(settled.problems)
        last = Step(name="checks", kept=0, lost=removed, reason=reason)
        return {**fields, "status": "rejected", "reason": reason, "refusal": refusal([found.question], found, last)}
    if not settled.stating and silent:
        last = Step(name="model", kept=0, lost=read, reason="模型读了资料，资料没有写到")
        return {
            **fields,
            "status": "not_found",
            "answer": NOT_FOUND,
            "reason": "；".join([last.reason, *_taken_out(settled)]),
            "refusal": refusal([found.question], found, last),
        }
    if removed and not silent:
        last = Step(name="checks", kept=0, lost=removed, reason="模型写到这一部分的话没有通过引用检查")
    else:
        last = Step(name="model", kept=0, lost=read, reason="模型读了资料，这一部分没有写到")
    return {
        **fields,
        "status": "partial" if parts or settled.problems else "answered",
        "citations": _citations(claims, found.evidence),
        "reason": "；".join([*silent, *_taken_out(settled), *_left_open(settled)]) or None,
        "refusal": refusal(parts, found, last) if parts else None,
    }


def nothing_found(found: Found) -> dict[str, Any]:
    """The fields of the result where the first of two readings found no answer."""
    last = Step(name="model", kept=0, lost=len(found.evidence), reason="模型读第一遍时，资料没有写到")
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
        reason = found.gate.reason
    elif found.documents:
        reason = "检索到的资料都放不进 answer.context_chars 的字数"
    else:
        reason = "没有检索到相关的资料"
    return CitedAnswer(
        status="insufficient_evidence",
        question=found.question,
        answer=NOT_FOUND,
        retrieved_count=len(found.documents),
        reason=reason,
        search=found.search,
        refusal=refusal([found.question], found),
    )


def _left_open(settled: Settled) -> list[str]:
    return [f"没有回答“{part}”" for part in settled.left_open]


def _taken_out(settled: Settled) -> list[str]:
    return [f"删去了没有通过核对的话：{'；'.join(settled.problems)}"] if settled.problems else []


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
