"""Chunks that the embedding model can read whole."""

from collections.abc import Callable, Iterable, Iterator

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju.errors import TextTooLongError
from youju.knowledge import search_text
from youju.models import InputLimit, input_limit
from youju.models.limits import estimated_limit
from youju.settings import Settings
from youju.splitters import RecursiveSplitter, SpanSplitter, build_splitter


def splitter_for(settings: Settings, embeddings: Callable[[], Embeddings]) -> SpanSplitter:
    """The splitter that the settings describe; it asks the embedding model, if at all, only when it is used."""

    def count(text: str) -> int:
        model = embeddings()
        limit = input_limit(model, settings.embeddings) or estimated_limit(None)
        return limit.count(text)

    return build_splitter(settings.splitter, embeddings=embeddings, count_tokens=count)


def fit(chunks: Iterable[Document], limit: InputLimit | None) -> Iterator[Document]:
    """Split chunks that have more tokens than the model reads; nothing is cut off.

    Args:
        chunks: The chunks of a file.
        limit: What the model reads; None if that is not known, and chunks pass as they are.

    Raises:
        TextTooLongError: The headings alone are more than the model reads.
    """
    for chunk in chunks:
        size = len(chunk.page_content)
        if limit is None or limit.fits(search_text(chunk)):
            yield chunk
        elif size == 1:
            raise TextTooLongError(
                f"标题太长，超出向量模型一次能读的 {limit.max_tokens} 个词元：{search_text(chunk)[:40]}…"
            )
        else:
            smaller = RecursiveSplitter(chunk_size=max(1, size * 2 // 3), chunk_overlap=0)
            yield from fit(smaller.split_documents([chunk]), limit)
