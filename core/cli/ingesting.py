"""`youju ingest`: the ingest chain with its progress on a terminal."""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from youju.chains import IngestReport, Progress, build_ingest_chain
from youju.cli.output import say, say_json
from youju.knowledge import KnowledgeBase
from youju.settings import Settings

_LONG = 60
"""Seconds of work from which on an estimate is worth a line."""
_LABELS = {"read": "读取文件", "embed": "计算向量"}


def run(paths: Sequence[str], settings: Settings, *, rebuild: bool, as_json: bool) -> int:
    """Ingest, print the report, and return the exit status."""
    base = KnowledgeBase.open(settings, rebuild=rebuild)
    with _progress() as on_progress:
        report = build_ingest_chain(base, on_progress=on_progress).invoke(list(paths))
    if as_json:
        say_json(report.model_dump_json())
    else:
        _print(report)
    taken = report.files.new + report.files.changed + report.files.unchanged + report.files.removed
    return (3 if taken else 1) if report.failures else 0


def _print(report: IngestReport) -> None:
    files, chunks = report.files, report.chunks
    say(
        f"文件：新增 {files.new}，更新 {files.changed}，未变 {files.unchanged}，"
        f"移除 {files.removed}，失败 {files.failed}"
    )
    say(
        f"文字块：新增 {chunks.added}，删除 {chunks.deleted}，沿用 {chunks.reused}，现有 {chunks.total}"
        f"（计算向量 {report.embedded} 块，用时 {report.seconds:.1f} 秒）"
    )
    for failure in report.failures:
        say(f"未读入 {failure.source}：{failure.reason}", err=True)


class _Estimate:
    """Says once, on stderr, how long the rest will take, if it will take long."""

    def __init__(self) -> None:
        self._started = 0.0
        self._said = False

    def __call__(self, progress: Progress) -> None:
        if progress.phase != "embed" or self._said:
            return
        if not self._started:
            self._started, self._first = time.monotonic(), progress.done
            return
        speed = (progress.done - self._first) / max(time.monotonic() - self._started, 1e-6)
        rest = (progress.total - progress.done) / speed if speed else 0
        self._said = True
        if rest > _LONG:
            say(
                f"共 {progress.total} 块、约 {progress.characters / 10_000:.1f} 万字，预计还要 {rest / 60:.0f} 分钟；"
                "可随时中断，下次接着做。资料很多时，可改用 huggingface: 或 openai: 的向量模型加快",
                err=True,
            )


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None]]:
    """Bars where stderr is a terminal, else nothing but the estimate."""
    estimate = _Estimate()
    if not sys.stderr.isatty():
        yield estimate
        return
    from rich.console import Console  # noqa: PLC0415 - only on a terminal
    from rich.progress import (  # noqa: PLC0415 - as above
        BarColumn,
        MofNCompleteColumn,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars  # noqa: PLC0415 - as above

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bars(*columns, console=Console(stderr=True)) as bars:
        tasks: dict[str, TaskID] = {}

        def show(progress: Progress) -> None:
            if progress.phase not in tasks:
                tasks[progress.phase] = bars.add_task(_LABELS[progress.phase], total=progress.total)
            bars.update(tasks[progress.phase], completed=progress.done, total=progress.total)
            estimate(progress)

        yield show
