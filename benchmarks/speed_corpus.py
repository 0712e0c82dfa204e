"""A corpus of any size for measuring speed, made from a small one; used by `retrieval_speed.py`."""

import json
import random
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.knowledge import FileRecord

TENANTS = 100
DIMENSIONS = 384
_A_FILE = 20
"""Chunks of one file."""


def read(source: Path) -> tuple[list[str], list[str]]:
    """Passages and questions of a folder in the BEIR layout, or passages of a JSONL file with a `text` in each line.

    Without questions, every fiftieth passage gives its first twenty characters as one.
    """
    folder = source if source.is_dir() else None
    rows = list(_lines(source / "corpus.jsonl" if folder else source))
    passages = ["\n".join(filter(None, (row.get("title"), row["text"]))) for row in rows]
    if folder and (folder / "queries.jsonl").exists():
        return passages, [row["text"] for row in _lines(folder / "queries.jsonl")]
    return passages, [passage[:20] for passage in passages[::50]]


def varied(passages: Sequence[str], size: int) -> list[str]:
    """As many passages as asked: those given, then others that begin as one of them and end as another one."""
    drawn = random.Random(0)  # noqa: S311 - a corpus, not a secret
    found = dict.fromkeys(passages[:size])
    while len(found) < size:
        one, other = drawn.choice(passages), drawn.choice(passages)
        found[one[: len(one) // 2] + other[len(other) // 2 :]] = None
    return list(found)


class WordVectors(Embeddings):
    """Vectors for measuring speed: the sum of one random vector for each pair of characters, always the same one.

    Texts that share pairs are near each other, as with a real model, so that a graph over them is as hard to search;
    a real model would take hours for what is not measured here.
    """

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self._asked: dict[str, list[float]] = {}

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages."""
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question; the second asking costs nothing."""
        if text not in self._asked:
            self._asked[text] = self._vector(text)
        return self._asked[text]

    def _vector(self, text: str) -> list[float]:
        vector = np.sum([_of_pair(text[at : at + 2]) for at in range(max(len(text) - 1, 1))], axis=0)
        return list((vector / (np.linalg.norm(vector) or 1)).tolist())


@lru_cache(maxsize=1 << 17)
def _of_pair(pair: str) -> npt.NDArray[np.float32]:
    return np.random.default_rng(zlib.crc32(pair.encode())).standard_normal(DIMENSIONS).astype(np.float32)


def open_base(folder: Path) -> KnowledgeBase:
    """A base whose model costs nothing."""
    return KnowledgeBase.open(Settings.load(path=None, overrides={"store.path": str(folder)}), embeddings=WordVectors())


def metadata(place: int) -> dict[str, Any]:
    """What the passage at a place has beside its text: one of 100 tenants, and one of many sources, some outdated."""
    file = place // _A_FILE
    return {
        "source": f"{file:05}.md",
        "location": f"{file:05}.md 第 {place % _A_FILE} 段",
        "start": 0,
        "end": place % 997,
        "tenant": f"t{place % TENANTS}",
        "number": place,
        **({"valid_until": "2020"} if file % 6 == 0 else {}),
    }


def fill(base: KnowledgeBase, passages: Sequence[str]) -> None:
    """Write passages into a base; in the catalog all are of one file, so that writing takes minutes, not hours."""
    chunks = [Document(text, metadata=metadata(place)) for place, text in enumerate(passages)]
    with base.writing() as writer:
        writer.put(FileRecord("corpus", "/corpus", "/", "hash"), chunks)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)
