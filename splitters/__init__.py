"""Splitters: documents into chunks that are exact substrings of them, with their positions."""

from collections.abc import Callable

from langchain_core.embeddings import Embeddings

from youju.errors import SettingsError
from youju.settings import SemanticSplitterSettings, SplitterSettings, TokenSplitterSettings
from youju.splitters.auto import AutoSplitter
from youju.splitters.base import SpanSplitter
from youju.splitters.fixed import FixedSplitter
from youju.splitters.markdown import MarkdownSplitter
from youju.splitters.parent import ParentSplitter
from youju.splitters.recursive import RecursiveSplitter
from youju.splitters.semantic import SemanticSplitter
from youju.splitters.sentence import SentenceSplitter
from youju.splitters.statute import StatuteSplitter
from youju.splitters.token_based import TokenSplitter

__all__ = [
    "AutoSplitter",
    "FixedSplitter",
    "MarkdownSplitter",
    "ParentSplitter",
    "RecursiveSplitter",
    "SemanticSplitter",
    "SentenceSplitter",
    "SpanSplitter",
    "StatuteSplitter",
    "TokenSplitter",
    "build_splitter",
]

_CUT_BY_CHARACTERS: dict[str, type[SpanSplitter]] = {
    "auto": AutoSplitter,
    "fixed": FixedSplitter,
    "markdown": MarkdownSplitter,
    "parent": ParentSplitter,
    "recursive": RecursiveSplitter,
    "sentence": SentenceSplitter,
    "statute": StatuteSplitter,
}


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

    Raises:
        SettingsError: A model is needed and not given, or the sizes leave no room for content.
        MissingExtraError: `semantic` needs a package that is not installed.
    """
    options = settings.model_dump(exclude={"kind"})
    if isinstance(settings, SemanticSplitterSettings):
        if embeddings is None:
            raise SettingsError("semantic 切分需要向量模型：请把 embeddings 传给 build_splitter")
        return SemanticSplitter(embeddings(), **options)
    if isinstance(settings, TokenSplitterSettings):
        if count_tokens is None:
            raise SettingsError("token 切分需要知道怎样数词元：请把 count_tokens 传给 build_splitter")
        return TokenSplitter(count_tokens, **options)
    return _CUT_BY_CHARACTERS[settings.kind](**options)
