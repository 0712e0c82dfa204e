"""Measures of rankings, as ir-measures defines them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from youju.errors import MissingExtraError, SettingsError

MEASURES = ("Success@1", "Success@5", "Success@10", "RR@10", "nDCG@10")
"""By their names in ir-measures: Success@k, also called Hit@k, is 1 for a question with a relevant passage among the
first k; RR@10 is 1 / rank of the first relevant one among the first ten, its mean also called MRR@10; nDCG@10 takes the
ideal ranking from all relevant passages, found or not."""


@dataclass(frozen=True)
class Measured:
    """Figures of one way of searching.

    Attributes:
        questions: The questions that were measured, in order.
        values: For each measure its value of each question.
        left_out: Questions without a relevant passage: no ranking of them is right or wrong.
    """

    questions: tuple[str, ...]
    values: Mapping[str, tuple[float, ...]]
    left_out: tuple[str, ...] = ()

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the questions."""
        return {name: fmean(values) for name, values in self.values.items()}


def measure(
    rankings: Mapping[str, Sequence[str]],
    relevant: Mapping[str, Mapping[str, int]],
    measures: Sequence[str] = MEASURES,
) -> Measured:
    """Measure rankings, question by question.

    The order of a list is what counts; no score can tie. A passage that is listed twice counts where it is listed
    first. A question that was not asked, or of which nothing was found, counts as 0 in every measure.

    Args:
        rankings: For each question the ids of what was found, best first.
        relevant: For each question the ids of the passages that answer it, and how well: 1, or more where answers are
            graded. A question without any is left out, and counted in `left_out`.
        measures: Names of measures in ir-measures, such as `Success@3`, `RR` or `nDCG@20`.

    Raises:
        SettingsError: There is no such measure, or no question has a relevant passage.
        MissingExtraError: ir-measures is not installed.
    """
    ir_measures = _library()
    wanted = {name: _parsed(ir_measures, name) for name in measures}
    judged = {
        question: {passage: grade for passage, grade in grades.items() if grade > 0}
        for question, grades in relevant.items()
    }
    questions = tuple(question for question, grades in judged.items() if grades)
    left_out = tuple(question for question in dict.fromkeys([*judged, *rankings]) if not judged.get(question))
    if not questions:
        raise SettingsError("没有可以测量的问题：没有一个问题有能回答它的段落")
    number_of: dict[str, str] = {}  # in place of ids, which the library does not take with every character
    for ids in (*judged.values(), *rankings.values()):
        for passage in ids:
            number_of.setdefault(passage, str(len(number_of)))
    qrels = [
        ir_measures.Qrel(str(number), number_of[passage], grade)
        for number, question in enumerate(questions)
        for passage, grade in judged[question].items()
    ]
    run = [
        ir_measures.ScoredDoc(str(number), number_of[passage], -float(rank))
        for number, question in enumerate(questions)
        for rank, passage in enumerate(dict.fromkeys(rankings.get(question, ())))
    ]
    found = {
        (metric.measure, metric.query_id): float(metric.value)
        for metric in ir_measures.iter_calc(list(wanted.values()), qrels, run)
    }
    values = {
        name: tuple(found.get((parsed, str(number)), 0.0) for number in range(len(questions)))
        for name, parsed in wanted.items()
    }
    return Measured(questions, values, left_out)


def _library() -> Any:
    try:
        import ir_measures  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if error.name != "ir_measures":
            raise
        raise MissingExtraError("ir-measures", "eval", "计算检索指标") from None
    return ir_measures


def _parsed(ir_measures: Any, name: str) -> Any:
    try:
        parsed = ir_measures.parse_measure(name)
        parsed.validate_params()
    except (NameError, ValueError, SyntaxError, AssertionError):
        parsed = None
    if parsed is None or not ir_measures.DefaultPipeline.supports(parsed):
        raise SettingsError(f"不能计算指标 {name}；可以写 {'、'.join(MEASURES)} 等 ir-measures 里的名字")
    return parsed
