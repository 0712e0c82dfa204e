"""The explainable baseline: which share of the question's tokens does a document hold?"""

import re
import threading
from collections.abc import Iterable, Mapping
from typing import Any, Self

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from pydantic import Field, PrivateAttr, SkipValidation

from youju.knowledge import matches
from youju.retrievers.base import DocumentList, Leg, SupportsDocuments, check_question, key_of, ranked, with_metadata
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
    _index: tuple[Any, list[tuple[str, Document, frozenset[str]]]] | None = PrivateAttr(default=None)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def from_documents(cls, documents: Iterable[Document], **options: Any) -> Self:
        """Search documents that are in memory; `options` are those of the class."""
        return cls(source=DocumentList(documents), **options)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - LangChain passes it
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        check_question(query)
        limit, conditions = self.limit(k), self.conditions(filter)
        asked = overlap_tokens(query)
        hits = []
        for key, document, held in self._indexed() if asked else ():
            score = round(len(asked & held) / len(asked), 3)
            if score and score >= self.threshold and matches(document.metadata, conditions):
                hits.append((-score, key, document))
        best = sorted(hits, key=lambda hit: hit[:2])[:limit]
        found = [with_metadata(document, score=-score) for score, _, document in best]
        return ranked(found, self.name or "overlap")

    def _indexed(self) -> list[tuple[str, Document, frozenset[str]]]:
        """All documents with their tokens, cut once for each version of the source."""
        version = self.source.version()
        with self._lock:
            if self._index is None or self._index[0] != version:
                rows = [(key_of(d), d, overlap_tokens(_searched(d))) for d in self.source.documents()]
                self._index = version, rows
            return self._index[1]


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
