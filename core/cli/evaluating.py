"""`youju eval splitters`: strategies side by side."""

import difflib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import typer

from youju.cli.extracting import load_paths
from youju.cli.output import say, say_drawn, say_json, visible
from youju.eval import SplitterComparison, compare_splitters, load_questions, with_chunk_size
from youju.eval.result import Retriever
from youju.models import build_embeddings
from youju.settings import Settings, SplitterSettings

if TYPE_CHECKING:
    from rich.table import Table

    from youju.errors import LoadError

KINDS: tuple[str, ...] = tuple(
    str(kind.model_fields["kind"].default) for kind in get_args(get_args(SplitterSettings)[0])
)
USUAL = ("fixed", "recursive", "sentence", "markdown", "statute", "auto", "parent")
"""Those that ask no model."""
_PREVIEW = 60


def run(
    paths: Sequence[Path],
    settings: Settings,
    *,
    kinds: str | None,
    chunk_size: int | None,
    questions: Path | None,
    retriever: str,
    cuts: int,
    as_json: bool,
) -> int:
    """Compare, print, and return the exit status."""
    strategies = {kind: _strategy(kind, settings, chunk_size) for kind in _chosen(kinds)}
    searched = _retriever(retriever)
    asked = None if questions is None else load_questions(questions)
    failures: list[LoadError] = []
    documents = [document for loaded in load_paths(paths, settings, failures) for document in loaded.documents]
    comparison = None
    if documents:
        comparison = compare_splitters(
            documents,
            strategies,
            embeddings=lambda: build_embeddings(settings.embeddings),
            questions=asked,
            retriever=searched,
            places=cuts,
            on_start=_progress,
        )
    if as_json:
        found = comparison.model_dump(mode="json") if comparison else None
        reasons = [{"source": failure.source, "reason": failure.reason} for failure in failures]
        say_json(json.dumps({"comparison": found, "failures": reasons}, ensure_ascii=False))
    elif comparison:
        _print(comparison)
    if not as_json:
        for failure in failures:
            say(f"未读入 {failure}", err=True)
    return (3 if documents else 1) if failures else 0


def _progress(name: str) -> None:
    """Say what is under way, where somebody is looking: `semantic` may take long."""
    if sys.stderr.isatty():
        say(f"正在比较 {name} …", err=True)


def _chosen(kinds: str | None) -> tuple[str, ...]:
    if kinds is None:
        return USUAL
    chosen = tuple(dict.fromkeys(kind.strip() for kind in kinds.replace("，", ",").split(",") if kind.strip()))
    for kind in chosen:
        if kind not in KINDS:
            near = difflib.get_close_matches(kind, KINDS, 1)
            hint = f"是不是 {near[0]}？" if near else ""
            raise typer.BadParameter(f"没有名为 {kind} 的切分方式。{hint}可以写：{'、'.join(KINDS)}")
    if not chosen:
        raise typer.BadParameter(f"--kinds 里没有写切分方式。可以写：{'、'.join(KINDS)}")
    return chosen


def _retriever(name: str) -> Retriever:
    known: dict[str, Retriever] = {kind: kind for kind in get_args(Retriever)}
    if name not in known:
        raise typer.BadParameter(f"没有名为 {name} 的检索方式。可以写：{'、'.join(known)}")
    return known[name]


def _strategy(kind: str, settings: Settings, chunk_size: int | None) -> SplitterSettings:
    """The strategy as it is set, if it is the one that is set, else its defaults; in the size asked for."""
    set_to = settings.splitter
    strategy = set_to if set_to.kind == kind else Settings.model_validate({"splitter": {"kind": kind}}).splitter
    return strategy if chunk_size is None else with_chunk_size(strategy, chunk_size)


def _print(comparison: SplitterComparison) -> None:
    say(f"{comparison.documents} 个单元（页、章节或文件），{comparison.characters} 字，{comparison.sentences} 个句子")
    say_drawn(_figures(comparison))
    say("切断：没有一块完整装下的句子；碰到：块在句子中间开头或结尾，重叠的部分可能补全了它。长度以字计。")
    if any(figures.retrieval for figures in comparison.strategies.values()):
        say_drawn(_retrieval(comparison))
        say("Success@k（即 Hit@k）：前 k 块里有答案的问题所占的比例；RR@10（即 MRR@10）：第一个答案名次的倒数的平均。")
    say("\n前几块：")
    for name, figures in comparison.strategies.items():
        say(name)
        for number, sample in enumerate(figures.samples, start=1):
            say(f"  {number}. {sample.location}（{len(sample.text)} 字）{_short(sample.text)}")
    if not comparison.cut_places:
        say("\n没有句子是一种方式切断或碰到、另一种方式保全的")
        return
    say(f"\n有的方式切断或碰到、有的方式保全的句子：{comparison.cut_places} 处，例如（‖ 是块的边界）")
    for place in comparison.cuts:
        say(f"  {place.location}")
        for name in place.cut_by:
            done = "切断" if name in place.lost_by else "碰到"
            say(f"    {name} {done}：{' '.join(place.marked(name).split())}")
        say(f"    保全的：{'、'.join(place.kept_by)}")


def _figures(comparison: SplitterComparison) -> "Table":
    table = _table("切分方式", "块数", "平均", "中位", "最短", "最长", "切断", "碰到", "秒")
    for name, figures in comparison.strategies.items():
        lengths = figures.characters
        counts = (figures.sentences_cut, figures.sentences_torn)
        means = (f"{lengths.mean:.1f}", f"{lengths.median:g}", str(lengths.min), str(lengths.max))
        table.add_row(visible(name), str(figures.chunks), *means, *map(str, counts), f"{figures.seconds:.3f}")
    return table


def _retrieval(comparison: SplitterComparison) -> "Table":
    found = {name: figures.retrieval for name, figures in comparison.strategies.items() if figures.retrieval}
    first = next(iter(found.values()))
    table = _table(f"{first.retriever}，{first.questions} 个问题", *first.measures, "前 5 块共几个字")
    for name, retrieval in found.items():
        values = [f"{value:.3f}" for value in retrieval.measures.values()]
        table.add_row(visible(name), *values, f"{retrieval.top_5_characters:.0f}")
    return table


def _table(first: str, *numbers: str) -> "Table":
    from rich import box  # noqa: PLC0415 - not needed for JSON
    from rich.table import Table  # noqa: PLC0415 - as above

    table = Table(box=box.SIMPLE_HEAD)
    table.add_column(first, no_wrap=True)
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _short(text: str) -> str:
    """The beginning and the end, where a cut would show."""
    line = " ".join(text.split())
    return line if len(line) <= _PREVIEW else f"{line[: _PREVIEW * 2 // 3]} … {line[-_PREVIEW // 3 :]}"
