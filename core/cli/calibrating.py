"""`youju eval calibrate`: thresholds fitted to a base."""

import json
import sys
from pathlib import Path

from youju.chains.gate import as_fitted
from youju.cli.asking import open_filled
from youju.cli.output import say, say_json
from youju.eval.calibration import CalibrationReport, CurvePoint, GateFigures, calibrate
from youju.eval.calibration_grounding import GroundingFigures
from youju.eval.questions import load_questions
from youju.retrievers import build_retriever
from youju.settings import Settings

_KEPT = (1.0, 0.99, 0.98, 0.95, 0.9, 0.8, 0.7, 0.5)
"""The rows of the table, by how many answerable questions they keep."""
_BAR = 30
_NAMES = {
    "words": "一段里的用词",
    "together": "合起来的用词",
    "held": "用词个数",
    "similarity": "语义相似度",
    "rerank": "重排得分",
}


def run(questions: Path, settings: Settings, *, keep: float, plot: Path | None, dry_run: bool, as_json: bool) -> int:
    """Fit, print, keep with the base, and return the exit status."""
    asked = load_questions(questions, judged=True)
    base = open_filled(settings)
    report = calibrate(build_retriever(base), asked, keep=keep, on_progress=_progress)
    if plot is not None:
        from youju.eval.calibration_plot import save_plot  # noqa: PLC0415 - an extra, needed only here

        save_plot(report.gates[0], plot)
    fitted = report.fitted(as_fitted(settings))
    stored = bool(fitted.gates) and not dry_run
    if stored:
        base.store_calibration("gate", fitted.model_dump(mode="json"))
    if report.grounding is not None and not dry_run:
        limits = {"lexical": report.grounding.lexical, "partial": report.grounding.partial}
        base.store_calibration("grounding", limits)
    if as_json:
        say_json(json.dumps({"calibration": report.model_dump(mode="json"), "stored": stored}, ensure_ascii=False))
        return 0
    _print(report)
    if plot is not None:
        say(f"\n曲线画在 {plot}")
    say(f"\n{_kept(report, base.name, stored=stored, dry_run=dry_run)}")
    for warning in report.warnings:
        say(f"注意：{warning}", err=True)
    return 0


def _kept(report: CalibrationReport, name: str, *, stored: bool, dry_run: bool) -> str:
    """What became of the gate, and how to do without it."""
    if dry_run:
        return "没有保存（--dry-run）"
    if stored:
        return (
            f"已存入知识库 {name}：从现在起按它判断检索到的资料；"
            "想用回内置的，就设 answer.gate=builtin；都不用，就设 answer.gate=none"
        )
    separates = report.gates[0].separates
    why = "它不比内置的好" if separates else "它分不开两种问题"
    said = f"没有把门槛存入知识库 {name}：{why}；知识库仍按原来的门槛（内置的，或以前校准的）判断"
    return f"{said}；以前校准过、想用回内置的，就设 answer.gate=builtin" if separates else said


def _progress(done: int, total: int) -> None:
    """Say how far the search is, where somebody is looking."""
    if sys.stderr.isatty() and (done == total or done % 50 == 0):
        say(f"已检索 {done}/{total} 个问题", err=True)


def _print(report: CalibrationReport) -> None:
    say(f"问题：资料能回答的 {report.answerable} 个，不能回答的 {report.unanswerable} 个")
    if report.nothing_found:
        say(f"其中 {report.nothing_found} 个什么也没有检索到：不用门槛也会拒答，没有算在下面")
    first, *others = report.gates
    _print_gate(first, report)
    if report.built_in is not None:
        known = report.built_in
        said = f"内置的门槛 {known.threshold:.3f} 在这些问题上：留住 {known.kept:.1%}，拦下 {known.refused:.1%}"
        say(f"{said}；{_better(report)}")
    if report.lost:
        say("\n会被误拒的问题，例如：\n" + "\n".join(f"  {question}" for question in report.lost))
    if report.passed:
        say("\n没有拦下的问题，要靠模型自己拒答和引用检查，例如：")
        say("\n".join(f"  {question}" for question in report.passed))
    for figures in others:
        say(
            f"\n缺了别的信号时，只看{_signals(figures)}：AUC {figures.auc:.3f}，门槛 {figures.gate.threshold:.3f}，"
            f"留住 {figures.kept:.1%}，拦下 {figures.refused:.1%}"
        )
    if report.grounding is not None:
        _print_grounding(report.grounding)


def _better(report: CalibrationReport) -> str:
    """Whether the fitted gate or the built-in one is better, and why."""
    if not report.gates[0].separates:
        return "校准的分不开两种问题"
    if report.built_in_is_better:
        return "校准的不比它好"
    too_few = report.built_in is not None and report.built_in.kept < report.keep
    return f"留住的不到 {report.keep:.0%}，校准的更合要求" if too_few else "校准的拦下的更多"


def _print_grounding(figures: GroundingFigures) -> None:
    low, high = figures.auc_interval
    say(
        f"\n引用检查：答案的句子和写着它的资料 {figures.right} 对，和别的资料 {figures.wrong} 对；"
        f"其中 {figures.by_facts:.0%} 只凭数值、名称、否定就能判错，其余看用词"
    )
    say(
        f"用词的门槛 {figures.lexical:.2f}：AUC {figures.auc:.3f}（{low:.3f}–{high:.3f}），"
        f"对的留住 {figures.kept:.1%}，错的拦下 {figures.refused:.1%}"
    )


def _print_gate(figures: GateFigures, report: CalibrationReport) -> None:
    low, high = figures.auc_interval
    say(f"看的信号：{_signals(figures)}")
    say(
        f"AUC {figures.auc:.3f}（95% 区间 {low:.3f}–{high:.3f}；1 是完全分开，0.5 是分不开；{report.folds} 折交叉验证）"
    )
    say("\n  门槛    留住能回答的  拦下不能回答的")
    chosen = CurvePoint(threshold=figures.gate.threshold, kept=figures.kept, refused=figures.refused)
    for point in _rows(figures.curve, chosen):
        mark = "→" if point == chosen else " "
        bar = "█" * round(point.refused * _BAR)
        say(f"{mark} {point.threshold:.3f}  {point.kept:>12.1%}  {point.refused:>14.1%}  {bar}".rstrip())
    say(f"\n选定的门槛是 {chosen.threshold:.3f}：至少留住 {report.keep:.0%} 能回答的问题，在此之下拦下的最多")


def _rows(curve: list[CurvePoint], chosen: CurvePoint) -> list[CurvePoint]:
    """Those of a curve that keep a round share, and the chosen one."""
    rows = {point.threshold: point for point in (chosen, *(_keeping(curve, share) for share in _KEPT))}
    return [rows[threshold] for threshold in sorted(rows)]


def _keeping(curve: list[CurvePoint], share: float) -> CurvePoint:
    """The point that refuses most of those that keep a share; the first keeps all."""
    return max((point for point in curve if point.kept >= share), key=lambda point: point.threshold, default=curve[0])


def _signals(figures: GateFigures) -> str:
    names = [_NAMES[name] for name, weight in figures.gate.weights.items() if weight > 0]
    return "、".join(names) or "（没有一样信号能分开两种问题）"
