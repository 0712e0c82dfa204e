"""Splitters: documents into chunks that are exact substrings of them, with their positions."""

from youju.settings import SplitterSettings
from youju.splitters.base import SpanSplitter
from youju.splitters.recursive import RecursiveSplitter

__all__ = ["RecursiveSplitter", "SpanSplitter", "build_splitter"]


def build_splitter(settings: SplitterSettings) -> SpanSplitter:
    """Make the splitter that the settings describe."""
    return RecursiveSplitter(chunk_size=settings.chunk_size, chunk_overlap=settings.chunk_overlap)
