"""Splitters: documents into chunks that are exact substrings of them, with their positions."""

from collections.abc import Callable

from langchain_core.embeddings import Embeddings

from youju.settings import (
    AutoSplitterSettings,
    FixedSplitterSettings,
    MarkdownSplitterSettings,
    ParentSplitterSettings,
    RecursiveSplitterSettings,
    SentenceSplitterSettings,
    SplitterSettings,
    StatuteSplitterSettings,
)
from youju.splitters.auto import AutoSplitter
from youju.splitters.base import SpanSplitter
from youju.splitters.fixed import FixedSplitter
from youju.splitters.markdown import MarkdownSplitter
from youju.splitters.parent import ParentSplitter
from youju.splitters.recursive import RecursiveSplitter
from youju.splitters.sentence import SentenceSplitter
from youju.splitters.statute import StatuteSplitter

__all__ = [
    "AutoSplitter",
    "FixedSplitter",
    "MarkdownSplitter",
    "ParentSplitter",
    "RecursiveSplitter",
    "SentenceSplitter",
    "SpanSplitter",
    "StatuteSplitter",
    "build_splitter",
]


def build_splitter(
    settings: SplitterSettings,
    *,
    embeddings: Callable[[], Embeddings] | None = None,
    count_tokens: Callable[[str], int] | None = None,
) -> SpanSplitter:
    """Make the splitter that the settings describe.

    Args:
        settings: Which one, and its sizes.
        embeddings: Gives the embedding model; asked only by `semantic`.
        count_tokens: Counts the embedding model's tokens; asked only by `token`.
    """
    if isinstance(settings, RecursiveSplitterSettings):
        return RecursiveSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    if isinstance(settings, FixedSplitterSettings):
        return FixedSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    if isinstance(settings, ParentSplitterSettings):
        return ParentSplitter(**settings.model_dump(exclude={"kind"}))
    if isinstance(settings, MarkdownSplitterSettings):
        return MarkdownSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    if isinstance(settings, StatuteSplitterSettings):
        return StatuteSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    if isinstance(settings, AutoSplitterSettings):
        return AutoSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    if isinstance(settings, SentenceSplitterSettings):
        return SentenceSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
    raise NotImplementedError(settings.kind, embeddings, count_tokens)
