"""The offline baseline: how alike are the character pairs of question and document?"""

import math
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from langchain_core.documents import Document
from pydantic import Field, PrivateAttr, SkipValidation

from youju.knowledge import selecting
from youju.retrievers.base import Leg
from youju.retrievers.documents import key_of, with_metadata
from youju.retrievers.sources import DocumentList, SupportsDocuments, as_documents
from youju.text import fold

_RUN = re.compile(r"[^\W_]+")


def pair_weights(text: str) -> dict[str, float]:
    """The pairs of a text, each with ln(1 + how often it comes)."""
    found: Counter[str] = Counter()
    for run in _RUN.findall(fold(text)):
        found.update(run[at : at + 2] for at in range(max(len(run) - 1, 1)))
    return {pair: math.log1p(count) for pair, count in found.items()}


@dataclass(frozen=True)
class _Index:
    documents: list[Document]
    lengths: list[float]
    holding: dict[str, list[tuple[int, float]]]

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Self:
        different = list({key_of(document): document for document in documents}.values())
        lengths: list[float] = []
        holding: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, document in enumerate(different):
            weights = pair_weights(document.page_content)
            lengths.append(math.hypot(*weights.values()))
            for pair, weight in weights.items():
                holding[pair].append((at, weight))
        return cls(different, lengths, dict(holding))

    def scores(self, query: str) -> list[tuple[float, Document]]:
        """Documents that share a pair with a question, best first."""
        asked = pair_weights(query)
        length = math.hypot(*asked.values())
        products: dict[int, float] = defaultdict(float)
        for pair, weight in asked.items():
            for at, held in self.holding.get(pair, ()):
                products[at] += weight * held
        scored = [(min(product / (length * self.lengths[at]), 1.0), at) for at, product in products.items()]
        return [(score, self.documents[at]) for score, at in sorted(scored, key=lambda hit: (-hit[0], hit[1]))]


class NgramRetriever(Leg):
    """Scores a document by the cosine of its pairs of neighbouring characters and the question's.

    Texts are folded in width and case; pairs do not reach across marks and blanks, and a character that stands alone
    counts as itself. A pair that comes n times weighs ln(1 + n). Nothing else is needed: no dictionary, no model. The
    score is in (0, 1]; documents that share no pair are left out; the best `k` are returned, ties in the order of the
    source.
    """

    source: SkipValidation[SupportsDocuments]
    """What is searched: a `KnowledgeBase`, or the documents given to `from_documents`."""
    k: int = Field(default=2, ge=1)
    name: str | None = "ngram"
    lowest: ClassVar[float | None] = 0.0
    _index: dict[Any, _Index] = PrivateAttr(default_factory=dict)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    @classmethod
    def from_documents(cls, documents: Iterable[Document], **options: Any) -> Self:
        """Search documents that are in memory; `options` are those of the class."""
        return cls(source=DocumentList(documents), **options)

    @classmethod
    def from_texts(
        cls, texts: Iterable[str], metadatas: Sequence[dict[str, Any]] | None = None, **options: Any
    ) -> Self:
        """Search texts that are in memory; `options` are those of the class."""
        return cls.from_documents(as_documents(texts, metadatas), **options)

    def find(self, query: str, limit: int, conditions: dict[str, Any] | None) -> list[Document]:
        """The documents that share pairs with the question."""
        hits = self._indexed().scores(query)
        found: list[Document] = []
        fulfil = selecting(conditions)
        for score, document in hits:
            if len(found) == limit:
                break
            if fulfil(document.metadata):
                found.append(with_metadata(document, score=score))
        return found

    def _indexed(self) -> _Index:
        """All documents with their pairs, made once for each version of the source."""
        version = self.source.version()
        with self._lock:
            if version not in self._index:
                index = _Index.of(self.source.documents())
                self._index.clear()
                self._index[version] = index
            return self._index[version]
