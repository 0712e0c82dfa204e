"""What can be seen of question and evidence without a model, each in numbers that mean the same for every question."""

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal

from langchain_core.documents import Document
from pydantic import BaseModel, ConfigDict

from youju.analyzer import Analyzer, simplified
from youju.knowledge import search_text
from youju.models.questions import question_parts
from youju.text import HAN

Signal = Literal["words", "together", "held", "similarity", "rerank"]

_IS_HAN = re.compile(rf"[{HAN}]")
_RARE = 0.1
"""Of a script that fewer of the documents' words are in, a question's words cannot be expected in them."""


class Signals(BaseModel):
    """What can be seen of question and evidence; None is what cannot be seen."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)

    words: float | None = None
    """The largest share of the question's words that one document holds; None if they are in different scripts."""
    together: float | None = None
    """The share that all documents together hold."""
    held: float | None = None
    """ln(1 + n) of the n words in the document that holds most: one word may be there by chance, six are not."""
    similarity: float | None = None
    """The best cosine similarity of the question and a document, from vector search."""
    rerank: float | None = None
    """The best score of a reranker."""


def evidence_signals(question: str, documents: Iterable[Document]) -> Signals:
    """Look at a question and what was found for it.

    Words are the tokens of keyword search without those that only ask, connect or address, all of one weight. Of a
    question that asks several things, the part of which most is found counts.

    Args:
        question: The question.
        documents: What was found, with what retrievers note in their metadata.
    """
    found = list(documents)
    held_by = [frozenset(_analyzer().tokens(search_text(document))) for document in found]
    together = frozenset[str]().union(*held_by)
    parts = [words for words in asked_words(question) if words] if _in_its_script(question, together) else []
    best = [max(len(words & held) for held in held_by) for words in parts]
    shares = [count / len(words) for count, words in zip(best, parts, strict=True)]
    return Signals(
        words=max(shares, default=None),
        together=max((len(words & together) / len(words) for words in parts), default=None),
        held=math.log1p(max(best)) if best else None,
        similarity=max(_numbers(found, "similarity"), default=None),
        rerank=max(_numbers(found, "rerank_score"), default=None),
    )


def asked_words(question: str) -> Iterator[frozenset[str]]:
    """The words of each thing that is asked; single characters count only where there is nothing else."""
    for part in question_parts(simplified(question)):
        words = frozenset(word for term, _ in part.terms for word in _analyzer().tokens(term))
        yield frozenset(word for word in words if len(word) > 1) or words


@lru_cache(maxsize=4096)
def tokens_of(text: str) -> frozenset[str]:
    """The words of a text, to be compared with those of a question."""
    return frozenset(_analyzer().tokens(text))


def _in_its_script(question: str, held: frozenset[str]) -> bool:
    """Whether a question's words can be expected among others: Han words of one in Chinese, others of any other."""
    chinese = _IS_HAN.search(question) is not None
    alike = sum((_IS_HAN.match(word) is not None) is chinese for word in held)
    return alike >= max(1, _RARE * len(held))


def _numbers(documents: Sequence[Document], key: str) -> list[float]:
    """The values of a key; documents that lack it, or have something of their own there, are left out."""
    values = (document.metadata.get(key) for document in documents)
    return [float(value) for value in values if isinstance(value, float) and -1.0 <= round(value, 3) <= 1.0]


@lru_cache(maxsize=1)
def _analyzer() -> Analyzer:
    return Analyzer()
