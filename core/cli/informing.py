"""`youju info`: what a base holds, and what it lacks."""

import json
from typing import Any

from youju.cli.output import say, say_json
from youju.knowledge import KnowledgeBase, Loss
from youju.models.keys import hide_secrets
from youju.settings import Settings

STAGES = {
    "read": "没有读成",
    "embed": "没有收录完",
    "cut": "没有切出文字块",
    "skip": "格式读不了",
}
"""What became of files that are not in the base, by where they were lost."""


def run(settings: Settings, *, as_json: bool) -> int:
    """Print what a base holds and lacks, and return the exit status."""
    base = KnowledgeBase.open(settings)
    losses = base.losses().losses  # first: it says if there is no base
    files = base.files()
    if as_json:
        found = {
            "name": base.name,
            "path": str(settings.store.path),
            "embeddings": base.embeddings_name,
            "chunks": base.count(),
            "files": [{"source": record.source, "units": record.units} for record in files],
            "losses": [_loss(loss) for loss in losses],
            "gate": _fitted(base),
        }
        say_json(json.dumps(found, ensure_ascii=False))
        return 0
    say(f"知识库 {base.name}（{settings.store.path}），向量模型 {base.embeddings_name}")
    say(f"证据门槛：{_gate(base, settings)}")
    say(f"文件 {len(files)} 个，文字块 {base.count()} 块")
    for record in files:
        say(f"  {record.source}")
    for stage, label in STAGES.items():
        of_stage = [loss for loss in losses if loss.stage == stage]
        if of_stage:
            say(f"{label}：{len(of_stage)}")
        for loss in of_stage:
            part = "" if loss.whole else "（其余已收录）"
            say(f"  {loss.source}：{hide_secrets(loss.reason)}{part}")
    return 0


def _fitted(base: KnowledgeBase) -> dict[str, Any] | None:
    """The evidence gate that was fitted to the base."""
    from youju.chains.gate import as_fitted, fitted_gates  # noqa: PLC0415 - `ask` needs only the names above

    fitted = fitted_gates(base)
    if fitted is None or not fitted.gates:
        return None
    return {
        "threshold": fitted.gates[0].threshold,
        "keep": fitted.keep,
        "answerable": fitted.answerable,
        "unanswerable": fitted.unanswerable,
        "fits": fitted.retriever == as_fitted(base.settings),
    }


def _gate(base: KnowledgeBase, settings: Settings) -> str:
    """Which evidence gate judges what is found, and whether one was fitted to the base."""
    from youju.chains.gate import built_in_gates  # noqa: PLC0415 - as above

    known = built_in_gates(base)
    built_in = f"内置的，{known[0].threshold:.3f}" if known else f"{base.embeddings_name} 没有内置的，总是问模型"
    fitted = _fitted(base)
    said = built_in
    if fitted is not None:
        counts = f"{fitted['answerable']} 个能回答的和 {fitted['unanswerable']} 个不能的问题"
        of = f"校准的，{fitted['threshold']:.3f}（{counts}）"
        if settings.answer.gate == "builtin":
            said = f"{built_in}；另有{of}，设了 answer.gate=builtin，没有用"
        elif not fitted["fits"]:
            said = f"{built_in}；另有{of}，是用别的检索设置校准的，没有用"
        else:
            said = of
    if settings.answer.gate == "none":
        return f"不用（answer.gate=none）；否则是{said}"
    own = settings.answer.gate_threshold
    return said if own is None else f"{said}；设了 answer.gate_threshold，按 {own:g} 判断"


def _loss(loss: Loss) -> dict[str, str | bool]:
    return {"source": loss.source, "stage": loss.stage, "reason": hide_secrets(loss.reason), "whole": loss.whole}
