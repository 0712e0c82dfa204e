"""Documents as retrievers hand them on: what tells them apart, and what is noted in their metadata."""

import hashlib
import json
from collections.abc import Sequence
from math import isfinite
from typing import Any

from langchain_core.documents import Document

from youju.knowledge.metadata import to_json_values

_SET_BY_RETRIEVERS = ("score", "ranks", "rerank_score", "retrieval_score", "similarity", "kept", "self_query")


def key_of(document: Document) -> str:
    """What tells two documents apart: the id, or for documents without one their text and metadata."""
    if document.id is not None:
        return document.id
    metadata = {key: value for key, value in document.metadata.items() if key not in _SET_BY_RETRIEVERS}
    try:
        content = json.dumps([document.page_content, metadata], sort_keys=True, default=str, ensure_ascii=False)
    except TypeError:  # keys that are no text
        content = json.dumps([document.page_content, to_json_values(metadata)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def score_of(document: Document) -> float | None:
    """The `score`, where it is one; retrievers of another make may write anything there."""
    score = document.metadata.get("score")
    try:
        return float(score) if score is not None and isfinite(score) else None
    except (TypeError, OverflowError):
        return None


def ranks_of(document: Document) -> dict[str, int]:
    """The `ranks`, where they are some; retrievers of another make may write anything there."""
    ranks = document.metadata.get("ranks")
    return {name: rank for name, rank in ranks.items() if isinstance(name, str)} if isinstance(ranks, dict) else {}


def with_metadata(document: Document, **values: Any) -> Document:
    """A copy of a document with other values in its metadata."""
    return Document(id=document.id, page_content=document.page_content, metadata={**document.metadata, **values})


def ranked(documents: Sequence[Document], leg: str) -> list[Document]:
    """Note each document's rank, from 1, under the name of the leg that ranked it."""
    for rank, document in enumerate(documents, start=1):
        document.metadata["ranks"] = {leg: rank}
    return list(documents)
