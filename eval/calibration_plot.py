"""The curve of a gate as a picture."""

from pathlib import Path

from youju.errors import MissingExtraError, SettingsError
from youju.eval.calibration import GateFigures


def save_plot(figures: GateFigures, path: Path) -> None:
    """Draw what every threshold keeps and refuses; the suffix says in which format. Labels are English: fonts differ.

    Raises:
        MissingExtraError: matplotlib is not installed.
        SettingsError: The format is unknown, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "matplotlib":
            raise
        raise MissingExtraError("matplotlib", "notebook", "--plot 画图") from None
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    thresholds = [point.threshold for point in figures.curve]
    axes.plot(thresholds, [point.kept for point in figures.curve], label="answerable kept")
    axes.plot(thresholds, [point.refused for point in figures.curve], label="unanswerable refused")
    axes.axvline(figures.gate.threshold, linestyle="--", color="grey", label="threshold")
    axes.set(xlabel="threshold", ylabel="share of questions", ylim=(0, 1.02), title=f"AUC {figures.auc:.3f}")
    axes.legend()
    try:
        figure.savefig(path)
    except ValueError:
        known = "、".join(sorted(figure.canvas.get_supported_filetypes()))
        ending = path.suffix or "没有后缀"
        raise SettingsError(f"不会画 {ending} 的图；--plot 的文件名可以以这些结尾：{known}") from None
    except OSError as error:
        raise SettingsError(f"写不了 {path}（{error.strerror}）；请换一个地方") from None
