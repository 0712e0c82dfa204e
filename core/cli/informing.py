"""`youju info`: what a base holds, and what it lacks."""

import json

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
        }
        say_json(json.dumps(found, ensure_ascii=False))
        return 0
    say(f"知识库 {base.name}（{settings.store.path}），向量模型 {base.embeddings_name}")
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


def _loss(loss: Loss) -> dict[str, str | bool]:
    return {"source": loss.source, "stage": loss.stage, "reason": hide_secrets(loss.reason), "whole": loss.whole}
