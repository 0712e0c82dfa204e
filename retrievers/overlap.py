"""The explainable baseline: which share of the question's tokens does a document hold?"""

import re
import threading
from collections.abc import Iterable
from typing import Any, ClassVar, Self

from langchain_core.documents import Document
from pydantic import Field, PrivateAttr, SkipValidation

from youju.knowledge import selecting
from youju.retrievers.base import Leg
from youju.retrievers.documents import key_of, with_metadata
from youju.retrievers.notes import best, drop
from youju.retrievers.sources import DocumentList, SupportsDocuments
from youju.text import HAN

_RUN = re.compile(rf"[a-z0-9_]+|[{HAN}]+")


class OverlapRetriever(Leg):
    """Scores a document by the tokens it shares with the question, over those of the question.

    Tokens are the lower-cased runs of letters and digits, and each run of Han characters cut into adjacent pairs (a
    single character is its own token), each counted once. Title and text of a document count. Documents that score
    below `threshold`, or share nothing, are left out; the best `k` are returned, ties by id. The score is in [0, 1],
    rounded to 3 places: it explains itself, and ranks worse than BM25.
    """

    source: SkipValidation[SupportsDocuments]
    """What is searched: a `KnowledgeBase`, or the documents given to `from_documents`."""
    threshold: float = Field(default=0.2, ge=0, le=1)
    """Least score of a document that is returned."""
    k: int = Field(default=2, ge=1)
    name: str | None = "overlap"
    lowest: ClassVar[float | None] = 0.0
    _index: dict[Any, list[tuple[str, Document, frozenset[str]]]] = PrivateAttr(default_factory=dict)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def from_documents(cls, documents: Iterable[Document], **options: Any) -> Self:
        """Search documents that are in memory; `options` are those of the class."""
        return cls(source=DocumentList(documents), **options)

    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The documents that hold enough of the question's tokens."""
        asked = overlap_tokens(query)
        hits = []
        fulfil = selecting(conditions)
        for key, document, held in self._indexed() if asked else ():
            score = round(len(asked & held) / len(asked), 3)
            if not score or not fulfil(document.metadata):
                continue
            if score >= self.threshold:
                hits.append((-score, key, document))
            else:
                drop(document, "score", f"得分 {score:g} 低于阈值 {self.threshold:g}", score=score)
        hits.sort(key=lambda hit: hit[:2])
        return best([with_metadata(document, score=-score) for score, _, document in hits], limit)

    def _indexed(self) -> list[tuple[str, Document, frozenset[str]]]:
        """All documents with their tokens, cut once for each version of the source."""
        version = self.source.version()
        with self._lock:
            if version not in self._index:
                rows = [(key_of(d), d, overlap_tokens(_searched(d))) for d in self.source.documents()]
                self._index.clear()
                self._index[version] = rows
            return self._index[version]


def overlap_tokens(text: str) -> frozenset[str]:
    """The distinct tokens that the overlap score counts."""
    found: set[str] = set()
    for run in _RUN.findall(text.lower()):
        if run.isascii() or len(run) == 1:
            found.add(run)
        else:
            found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


def _searched(document: Document) -> str:
    return f"{document.metadata.get('title') or ''}\n{document.page_content}"
