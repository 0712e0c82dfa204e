"""Comparisons: the same documents and questions, several ways of treating them, figures for each."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from youju.eval.comparison import compare_splitters, with_chunk_size
    from youju.eval.questions import Question, load_questions
    from youju.eval.result import Characters, CutPlace, RetrievalFigures, Sample, SplitterComparison, StrategyFigures

__all__ = [
    "Characters",
    "CutPlace",
    "Question",
    "RetrievalFigures",
    "Sample",
    "SplitterComparison",
    "StrategyFigures",
    "compare_splitters",
    "load_questions",
    "with_chunk_size",
]

_HOMES = {
    "comparison": ("compare_splitters", "with_chunk_size"),
    "questions": ("Question", "load_questions"),
    "result": ("Characters", "CutPlace", "RetrievalFigures", "Sample", "SplitterComparison", "StrategyFigures"),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use: help needs none of them."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"youju.eval.{module}"), name)
    raise AttributeError(f"module 'youju.eval' has no attribute {name!r}")
