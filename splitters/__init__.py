"""Splitters: documents into chunks that are exact substrings of them, with their positions."""

from collections.abc import Callable

from langchain_core.embeddings import Embeddings

from youju.settings import FixedSplitterSettings, ParentSplitterSettings, RecursiveSplitterSettings, SplitterSettings
from youju.splitters.base import SpanSplitter
from youju.splitters.fixed import FixedSplitter
from youju.splitters.parent import ParentSplitter
from youju.splitters.recursive import RecursiveSplitter

__all__ = ["FixedSplitter", "ParentSplitter", "RecursiveSplitter", "SpanSplitter", "build_splitter"]


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
    raise NotImplementedError(settings.kind, embeddings, count_tokens)
