"""Writing to a base, in an order that a killed process or a failing model cannot turn into a loss.

New vectors go in first; then, in one transaction, the catalog takes the new chunks and drops the old ones; then the old
vectors go. Until the transaction the old version answers, after it the new one.
"""

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju.analyzer import Analyzer
from youju.errors import KnowledgeBaseMismatchError, ModelError
from youju.knowledge.catalog import ChunkRow, FileRecord
from youju.knowledge.identity import chunk_ids, digest, search_text
from youju.knowledge.losses import Loss
from youju.knowledge.make import PROBE, same_direction
from youju.knowledge.metadata import to_json_values
from youju.knowledge.view import View

_AT_A_TIME = 1000
"""Vectors written or deleted before searches in other processes get their turn."""


@dataclass(frozen=True)
class Change:
    """What writing a file did to its chunks.

    Attributes:
        added: Chunks that were not there before.
        deleted: Chunks that are no longer there.
        reused: Chunks that stayed.
        embedded: Texts sent to the model.
    """

    added: int = 0
    deleted: int = 0
    reused: int = 0
    embedded: int = 0


class Writer:
    """Adds, replaces and removes the files of a base; made by `KnowledgeBase.writing`."""

    def __init__(
        self,
        view: View,
        embeddings: Callable[[], Embeddings],
        batch_size: int,
        alone: Callable[[], AbstractContextManager[None]],
        analyzer: Analyzer,
    ) -> None:
        """Take over a base that is locked for writing, and finish what a killed process left.

        `alone` keeps searches out for a moment: neither the vectors, nor the catalog, nor the journal, which says how
        many vectors may be found in vain, change while a search is under way.
        """
        self.catalog = view.catalog
        self._vectors = view.vectors
        self._embeddings = embeddings
        self._batch_size = batch_size
        self._alone = alone
        self._analyzer = analyzer
        self._dimension: int | None = None
        with alone():
            self.catalog.upgrade()
            view.refresh()
        self._settle()

    def put(
        self,
        record: FileRecord,
        chunks: Sequence[Document],
        *,
        parents: Sequence[Document] = (),
        on_embedded: Callable[[int], None] = lambda _: None,
    ) -> Change:
        """Make a base hold exactly these chunks of a file.

        Args:
            record: The file.
            chunks: Its chunks in order; their `id` is set by the base.
            parents: The larger blocks that the chunks name by `parent_id`.
            on_embedded: Called with the number of chunks whose vectors have just been made.

        Raises:
            ModelError: The embedding model failed; the base still holds the file's old version.
        """
        chunks = [Document(chunk.page_content, metadata=to_json_values(chunk.metadata)) for chunk in chunks]
        blocks = [Document(id=b.id, page_content=b.page_content, metadata=to_json_values(b.metadata)) for b in parents]
        texts = [search_text(chunk) for chunk in chunks]
        digests = [digest(text) for text in texts]
        ids = chunk_ids(record.source, texts)
        old = self.catalog.chunk_metadata(record.source)
        fresh = [at for at, chunk_id in enumerate(ids) if chunk_id not in old]
        moved = [at for at, chunk_id in enumerate(ids) if chunk_id in old and old[chunk_id] != chunks[at].metadata]
        gone = sorted(set(old) - set(ids))
        rows = [
            ChunkRow(
                ids[at],
                digests[at],
                chunks[at].page_content,
                chunks[at].metadata,
                " ".join(self._analyzer.tokens(texts[at])),
            )
            for at in sorted([*fresh, *moved])
        ]
        # One vector for each different text: a graph of many equal ones no longer leads to the others.
        held = self.catalog.with_digests([digests[at] for at in fresh])
        new: dict[str, int] = {}
        for at in fresh:
            if digests[at] not in held:
                new.setdefault(digests[at], at)
        gone_digests = self.catalog.digests(gone)
        on_embedded(len(rows) - len(new))
        vectors, embedded = self._vectors_of([texts[at] for at in new.values()], on_embedded)
        with self._alone():
            self.catalog.note({*new, *gone_digests})
        for start in range(0, len(new), _AT_A_TIME):
            part = list(new)[start : start + _AT_A_TIME]
            with self._alone():
                self._vectors.upsert(
                    part,
                    vectors[start : start + _AT_A_TIME],
                    [chunks[new[key]].page_content for key in part],
                    [chunks[new[key]].metadata for key in part],
                )
        with self._alone(), self.catalog.transaction():
            self.catalog.put_file(record)
            self.catalog.drop_chunks(gone)
            self.catalog.put_chunks(record.source, rows)
            self.catalog.put_parents(record.source, blocks)
        self.catalog.drop_spare(list(new))
        self._settle()
        self._describe({*gone_digests, *(digests[at] for at in moved)})
        return Change(len(fresh), len(gone), len(ids) - len(fresh), embedded)

    def remove(self, source: str) -> Change:
        """Take a file out of the base."""
        gone = list(self.catalog.chunk_metadata(source))
        digests = self.catalog.digests(gone)
        with self._alone():
            self.catalog.note(digests)
            with self.catalog.transaction():
                self.catalog.drop_file(source)
        self._settle()
        self._describe(digests)
        return Change(deleted=len(gone))

    def note_place(self, record: FileRecord) -> None:
        """Remember where an unchanged file is now."""
        with self.catalog.transaction():
            self.catalog.put_file(record)
        self._vectors.seen_version = self.catalog.version()

    def note_losses(self, losses: Collection[Loss]) -> None:
        """Make these all the whole files that the base lacks, until one of them is put."""
        if sorted(losses, key=lambda loss: (loss.source, loss.path)) == self.catalog.losses():
            return
        with self._alone(), self.catalog.transaction():
            self.catalog.put_losses(losses)
        self._vectors.seen_version = self.catalog.version()

    def _settle(self) -> None:
        """Delete vectors whose chunks the catalog does not have."""
        gone = self.catalog.journal()
        for at in range(0, len(gone), _AT_A_TIME):
            with self._alone():
                self._vectors.delete(gone[at : at + _AT_A_TIME])
        if gone:
            with self.catalog.transaction():  # a new version: other processes must look again
                self.catalog.clear_journal()
        else:
            self.catalog.clear_journal()
        self._vectors.seen_version = self.catalog.version()

    def _describe(self, digests: Collection[str]) -> None:
        """Let the vectors of texts that the base still holds say where it holds them now."""
        first = {key: chunk_ids[0] for key, chunk_ids in self.catalog.with_digests(list(digests)).items()}
        documents = self.catalog.documents(list(first.values()))
        with self._alone():
            self._vectors.describe({key: documents[chunk_id].metadata for key, chunk_id in first.items()})

    def _vectors_of(
        self, texts: Sequence[str], on_embedded: Callable[[int], None]
    ) -> tuple[list[npt.NDArray[np.float32]], int]:
        """Vectors of different texts, and how many of them were sent to the model now."""
        by_digest: dict[str, npt.NDArray[np.float32]] = {}
        kept = self.catalog.spare([digest(text) for text in texts])  # by a run that ended in the middle of the file
        by_digest |= {key: np.frombuffer(vector, dtype="<f4") for key, vector in kept.items()}
        new = [text for text in texts if digest(text) not in by_digest]
        on_embedded(len(texts) - len(new))
        if new:
            self._check_model()
        for at in range(0, len(new), self._batch_size):
            batch = new[at : at + self._batch_size]
            made = self._embeddings().embed_documents(batch)
            if len(made) != len(batch) or any(len(vector) != self._dimension for vector in made):
                raise ModelError(f"向量模型应为 {len(batch)} 段文字各给出 {self._dimension} 维的向量，实际不符")
            if not all(math.isfinite(value) for vector in made for value in vector):
                raise ModelError("向量模型给出的向量里有不是有限数的值；请换一个模型")
            rows = np.asarray(made, dtype="<f4")
            by_digest |= (done := {digest(text): row for text, row in zip(batch, rows, strict=True)})
            if len(new) > self._batch_size:
                self.catalog.keep_spare({key: row.tobytes() for key, row in done.items()})
            on_embedded(len(batch))
        return [by_digest[digest(text)] for text in texts], len(new)

    def _check_model(self) -> None:
        """Keep a probe's vector with a new base, and compare it on later writes."""
        if self._dimension is not None:
            return
        probe = [float(value) for value in self._embeddings().embed_query(PROBE)]
        kept = self.catalog.meta("probe")
        if kept is None:
            self.catalog.set_meta("probe", probe)
        elif not same_direction(kept, probe):
            raise KnowledgeBaseMismatchError(
                "向量模型的名字没变，但它对同一句话给出的向量和建库时不同；请用 youju ingest --rebuild 重建知识库"
            )
        self._dimension = len(probe)
