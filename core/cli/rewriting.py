"""`youju eval rewriting`: the question, its rewritings and both together, side by side."""

import sys
from pathlib import Path

from rich import box
from rich.table import Table

from youju.cli.asking import open_filled
from youju.cli.output import say, say_drawn, say_json, visible
from youju.eval import RewritingComparison, compare_rewriting, load_questions
from youju.settings import Settings

_SHOWN = 20


def run(path: Path, settings: Settings, *, as_json: bool) -> int:
    """Compare, print, and return the exit status."""
    comparison = compare_rewriting(
        open_filled(settings), load_questions(path), settings, on_question=_progress if sys.stderr.isatty() else None
    )
    if as_json:
        say_json(comparison.model_dump_json())
    else:
        _print(comparison)
    return 0


def _print(comparison: RewritingComparison) -> None:
    recall = comparison.recall
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(f"{comparison.kind}，{comparison.questions} 个问题", no_wrap=True)
    for name in ("原问题", "只用改写", "合并", "回答有依据"):
        table.add_column(name, justify="right", no_wrap=True)
    figures = [f"{value:.3f}" for value in (recall.original, recall.rewritten, recall.merged, comparison.supported)]
    table.add_row(f"Recall@{comparison.k}", *figures)
    say_drawn(table)
    say(
        f"前三列：问题的引文有几成在前 {comparison.k} 块里。回答有依据：回答的每一句都标了资料的问题所占的比例。"
        f"改写成功的问题有 {comparison.rewritten} 个。"
    )
    statuses = "，".join(f"{status} {count}" for status, count in comparison.statuses.items())
    say(f"回答的状态：{statuses}")
    changed = [one for one in comparison.each if one.recall.merged != one.recall.original or not one.supported]
    if not changed:
        return
    say("\n改写改变了结果，或回答没有依据的问题")
    for one in changed[:_SHOWN]:
        done = f"原问题 {one.recall.original:.2f}，改写 {one.recall.rewritten:.2f}，合并 {one.recall.merged:.2f}"
        say(f"  {visible(one.question)}（{done}；{one.status}）")
        for text in one.written:
            say(f"    改写：{' '.join(text.split())}")
    if len(changed) > _SHOWN:
        say(f"  另有 {len(changed) - _SHOWN} 个，全部见 --json")


def _progress(done: int, count: int) -> None:
    say(f"第 {done} 个问题，共 {count} 个", err=True)
