"""From a settled answer to its status, its citations and the reasons of a refusal."""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document

from youju.chains.claims import without_marks
from youju.chains.gate import GateResult
from youju.chains.quotes import nearest_sentence, quote
from youju.chains.result import NOT_FOUND, Citation, CitedAnswer, Claim, Evidence, Nearest, Refusal, Stage
from youju.chains.settle import Settled
from youju.chains.silence import has_silent_clause
from youju.knowledge.identity import shown_text
from youju.knowledge.metadata import json_value

_NEAREST = 3
_QUOTED = re.compile(r"“([^”]+)”")


def outcome(
    settled: Settled,
    question: str,
    evidence: Sequence[Evidence],
    documents: Sequence[Document],
    gate: GateResult | None = None,
) -> dict[str, Any]:
    """The fields of the result that follow from what stands of the model's answer.

    Args:
        settled: What stands.
        question: What was asked.
        evidence: What the model read.
        documents: What was retrieved.
        gate: What the evidence gate said.
    """
    claims = list(settled.claims)
    silent = [claim.text for claim in claims if not claim.removed and _is_silent(claim)]
    taken = [claim for claim in claims if claim.removed]
    if not settled.text:
        reason = "模型的回答没有通过引用检查：" + "；".join(settled.problems)
        stages = _stages(evidence, documents, Stage(name="checks", kept=0, lost=len(taken), reason=reason))
        return {
            "status": "rejected",
            "answer": "",
            "claims": claims,
            "reason": reason,
            "refusal": refusal([question], documents, stages, gate),
        }
    if not settled.stating and silent:
        reason = "模型读了资料，资料没有写到"
        stages = _stages(evidence, documents, Stage(name="model", kept=0, lost=len(evidence), reason=reason))
        return {
            "status": "not_found",
            "answer": NOT_FOUND,
            "claims": claims,
            "reason": "；".join([reason, *_taken_out(settled)]),
            "refusal": refusal([question], documents, stages, gate),
        }
    fields: dict[str, Any] = {
        "status": "partial" if silent or settled.problems else "answered",
        "answer": settled.text,
        "claims": claims,
        "citations": _citations(claims, evidence),
        "reason": "；".join([*silent, *_taken_out(settled)]) or None,
    }
    if silent:
        reason = "模型读了资料，这一部分没有写到"
        stages = _stages(evidence, documents, Stage(name="model", kept=0, lost=len(evidence), reason=reason))
        fields["refusal"] = refusal([_part(text) for text in silent], documents, stages, gate)
    return fields


def without_evidence(question: str, documents: Sequence[Document], gate: GateResult | None = None) -> CitedAnswer:
    """The result where nothing reached the model."""
    if gate is not None and not gate.passed:
        reason = gate.reason or ""
        stages = [_found(documents), Stage(name="gate", kept=0, lost=len(documents), reason=reason)]
    else:
        reason = "没有检索到相关的资料" if not documents else "检索到的资料都放不进 answer.context_chars 的字数"
        stages = _stages([], documents)
    return CitedAnswer(
        status="insufficient_evidence",
        question=question,
        answer=NOT_FOUND,
        retrieved_count=len(documents),
        reason=reason,
        refusal=refusal([question], documents, stages, gate),
    )


def refusal(
    asked: list[str], documents: Sequence[Document], stages: list[Stage], gate: GateResult | None = None
) -> Refusal:
    """Why something is not answered, with the passages that came nearest."""
    nearest = []
    for document in documents[:_NEAREST]:
        metadata = document.metadata
        score = metadata.get("score")
        nearest.append(
            Nearest(
                id=json_value(document.id),
                location=json_value(str(metadata.get("location") or metadata.get("source") or document.id or "")),
                text=json_value(shown_text(document)),
                score=float(score) if isinstance(score, int | float) else None,
            )
        )
    score, threshold = (gate.score, gate.threshold) if gate is not None else (None, None)
    return Refusal(asked=asked, nearest=nearest, score=score, threshold=threshold, stages=stages)


def _stages(evidence: Sequence[Evidence], documents: Sequence[Document], *last: Stage) -> list[Stage]:
    lost = len(documents) - len(evidence)
    packed = Stage(
        name="pack",
        kept=len(evidence),
        lost=lost,
        reason=f"{lost} 段放不进 answer.context_chars 的字数" if lost else "全部交给了模型",
    )
    return [_found(documents), *([packed] if documents else []), *last]


def _found(documents: Sequence[Document]) -> Stage:
    return Stage(name="retrieve", kept=len(documents), lost=0, reason=f"检索到 {len(documents)} 段")


def _taken_out(settled: Settled) -> list[str]:
    return [f"删去了没有通过核对的话：{'；'.join(settled.problems)}"] if settled.problems else []


def _is_silent(claim: Claim) -> bool:
    return claim.verdict == "not_found" or (
        claim.verdict in {"cited", "supported"} and has_silent_clause(without_marks(claim.text))
    )


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
