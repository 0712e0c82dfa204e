"""How something was found, for people: a tree of the steps, and the way of single documents."""

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.text import Text
from rich.tree import Tree

from youju.cli.output import say, say_drawn, visible
from youju.retrievers import Dropped, Fate, Hit, RetrievalTrace, Stage

_SHOWN = 5
_LONGEST = 200


def say_trace(trace: RetrievalTrace, *, with_steps: bool) -> None:
    """Print the tree of the steps, if wanted, and what became of the documents asked about."""
    if with_steps:
        say("\n检索过程（最外面的一步在最上面，先做的在里面）")
        tree = Tree(_described(trace.root, None), guide_style="")
        _grow(tree, trace.root)
        say_drawn(tree)
    if trace.fates:
        say("\n问到的块")
    for _, group in groupby(trace.fates, key=lambda fate: fate.source or fate.id):
        _say_fates(list(group))


def _say_fates(fates: Sequence[Fate]) -> None:
    for fate in fates[:_SHOWN]:
        say(f"{fate.id}{f'（{fate.location}）' if fate.location else ''}")
        say(f"   {'返回了，第 ' + str(fate.rank) + ' 名。' if fate.rank else '没有返回。'}{fate.summary}")
    if len(fates) > _SHOWN:
        say(f"   这个文件另有 {len(fates) - _SHOWN} 块没有列出，它们没有走得更远；全部见 --json")


def _grow(tree: Tree, stage: Stage) -> None:
    for below in stage.stages:
        _grow(tree.add(_described(below, stage)), below)


def _described(stage: Stage, above: Stage | None) -> Text:
    """What a step was asked and what it did, a line each."""
    asked = [stage.label()]
    asked += [f"k={stage.k}"] if stage.k else []
    asked += [f"过滤 {_short(stage.filter)}"] if stage.filter else []
    asked += [f"另加条件 {_short(stage.adds)}"] if stage.adds else []
    asked += [f"{stage.seconds:.3f} 秒"] if stage.seconds is not None else []
    lines = ["  ".join(asked)]
    if stage.kind == "chat":
        lines += [f"写出：{_line(stage.text)}"] if stage.text else []
    else:
        lines += [f"问：{_line(stage.question)}"] if above is None or stage.question != above.question else []
        lines += [f"用来检索的文字：{_line(stage.text)}"] if stage.text else []
        came = f"收到 {len(stage.received)} 块，" if stage.stages else ""
        lines.append(f"{came}给出 {len(stage.returned)} 块{_hits(stage.returned)}")
        lines += [f"落选 {len(found)}{reasons}" for found, reasons in _reasons(stage.dropped)]
    lines += [f"出错：{_line(stage.error)}"] if stage.error else []
    return Text(visible("\n".join(lines)))


def _hits(hits: Sequence[Hit]) -> str:
    shown = [
        f"{rank}. {hit.location or hit.source or hit.id}{'' if hit.score is None else f'（{hit.score:.4f}）'}"
        for rank, hit in enumerate(hits[:_SHOWN], start=1)
    ]
    return f"：{'；'.join(shown)}{'；…' if len(hits) > _SHOWN else ''}" if hits else ""


def _reasons(dropped: Sequence[Dropped]) -> list[tuple[list[Dropped], str]]:
    """What was left out, by kind of reason, with some examples."""
    out = []
    for code in dict.fromkeys(one.code for one in dropped):
        found = [one for one in dropped if one.code == code]
        unit = "句" if code == "sentence" else "块"
        shown = [
            f"{one.reason}：{_line(one.text) if one.text else one.location or one.source or one.id}" for one in found
        ]
        more = "；…" if len(found) > _SHOWN else ""
        out.append((found, f" {unit}：{'；'.join(shown[:_SHOWN])}{more}"))
    return out


def _line(text: str | None) -> str:
    line = " ".join((text or "").split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"


def _short(conditions: Mapping[str, Any]) -> str:
    return _line(json.dumps(conditions, ensure_ascii=False, default=str))
