"""Comparisons: the same documents and questions, several ways of treating them, figures for each."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from youju.eval.calibration import CalibrationReport, calibrate
    from youju.eval.comparison import compare_splitters, with_chunk_size
    from youju.eval.datasets import Passage, RetrievalDataset, load_dataset
    from youju.eval.measures import MEASURES, Measured, measure
    from youju.eval.passages import rank_passages, sources, store_passages
    from youju.eval.questions import Question, load_questions
    from youju.eval.result import Characters, CutPlace, RetrievalFigures, Sample, SplitterComparison, StrategyFigures
    from youju.eval.rewriting import Recalls, RewritingComparison, RewrittenQuestion, compare_rewriting
    from youju.eval.significance import randomisation_test

__all__ = [
    "MEASURES",
    "CalibrationReport",
    "Characters",
    "CutPlace",
    "Measured",
    "Passage",
    "Question",
    "Recalls",
    "RetrievalDataset",
    "RetrievalFigures",
    "RewritingComparison",
    "RewrittenQuestion",
    "Sample",
    "SplitterComparison",
    "StrategyFigures",
    "calibrate",
    "compare_rewriting",
    "compare_splitters",
    "load_dataset",
    "load_questions",
    "measure",
    "randomisation_test",
    "rank_passages",
    "sources",
    "store_passages",
    "with_chunk_size",
]

_HOMES = {
    "calibration": ("CalibrationReport", "calibrate"),
    "comparison": ("compare_splitters", "with_chunk_size"),
    "datasets": ("Passage", "RetrievalDataset", "load_dataset"),
    "measures": ("MEASURES", "Measured", "measure"),
    "passages": ("rank_passages", "sources", "store_passages"),
    "questions": ("Question", "load_questions"),
    "result": ("Characters", "CutPlace", "RetrievalFigures", "Sample", "SplitterComparison", "StrategyFigures"),
    "rewriting": ("Recalls", "RewritingComparison", "RewrittenQuestion", "compare_rewriting"),
    "significance": ("randomisation_test",),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use: help needs none of them."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"youju.eval.{module}"), name)
    raise AttributeError(f"module 'youju.eval' has no attribute {name!r}")
