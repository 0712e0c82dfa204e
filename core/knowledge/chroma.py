"""Vectors in an embedded Chroma store, one client a folder and process."""

import os
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from youju.errors import KnowledgeBaseError
from youju.knowledge.damage import unusable
from youju.knowledge.metadata import to_scalars

Vector = Sequence[float] | npt.NDArray[np.float32]

_COLLECTION = "chunks"
_OPENINGS = 5
_HNSW = {"space": "cosine", "ef_construction": 200, "ef_search": 200}


def load_library() -> None:
    """Import Chroma, which takes a second or more: to be done before others have to wait for it behind a lock."""
    import chromadb.errors  # noqa: F401, PLC0415 - see above


class ChromaVectors:
    """The vectors of one base.

    A client does not see what other processes add after its first query, so the one who knows that something changed
    calls `refresh`. Queries of one process on one folder run one after the other: each takes a few milliseconds, and
    none can meet a client that is being replaced.
    """

    _opened: "dict[Path, ChromaVectors]" = {}  # noqa: RUF012 - the one registry of the process, guarded below
    _registry_lock = threading.Lock()

    def __init__(self, folder: Path) -> None:
        """Use `at`, so that a process has one client for a folder."""
        self._folder = folder
        self._lock = threading.RLock()
        self._client: Any = None
        self._collection: Any = None
        self._process = os.getpid()
        self.seen_version = -1
        """The version of the base up to which this client surely sees everything."""

    @classmethod
    def at(cls, folder: Path) -> "ChromaVectors":
        """The vectors kept in a folder; the same object for the same folder."""
        with cls._registry_lock:
            return cls._opened.setdefault(folder.resolve(), cls(folder.resolve()))

    def create(self) -> None:
        """Make an empty store in the folder, which must not exist."""
        import chromadb  # noqa: PLC0415 - takes a second to import

        with self._lock:
            try:
                self._client = chromadb.PersistentClient(str(self._folder), settings=_client_settings())
                self._collection = self._client.create_collection(
                    _COLLECTION, embedding_function=None, configuration={"hnsw": _HNSW}
                )
            except Exception as error:
                self.forget()
                raise unusable(self._folder, error) from error
            self._process = os.getpid()

    def refresh(self, version: int, newest: str | None, probe: Vector | None) -> None:
        """Make sure that what was committed up to a version is seen.

        Args:
            version: A version of the base.
            newest: The row that was added last; None if there is none.
            probe: Any vector of the rows' length, to look for it. A client that is opened while another process
                writes may lack the last rows; the next one has them.

        Raises:
            KnowledgeBaseError: The newest row is not there.
        """
        with self._lock:
            if version <= self.seen_version:
                return
            for _ in range(_OPENINGS):
                self.close()
                if newest is None or probe is None or self.query(probe, 1, [newest]):
                    self.seen_version = version
                    return
            raise unusable(self._folder, LookupError("缺少最后写入的向量"))

    def close(self) -> None:
        """Let go of the files; the next use opens them again."""
        with self._lock:
            self.seen_version = -1
            if self._client is not None:
                self._client.close()
            self._client = self._collection = None

    def forget(self) -> None:
        """Close, and leave the registry: the folder is about to go."""
        with self._registry_lock:
            self._opened.pop(self._folder, None)
        self.close()

    def upsert(
        self,
        ids: Sequence[str],
        vectors: Sequence[Vector],
        texts: Sequence[str],
        metadatas: Sequence[dict[str, Any]],
    ) -> None:
        """Write rows, replacing those whose id exists, in as many calls as the store's limit asks for."""
        with self._using() as collection:
            limit = self._client.get_max_batch_size()
            for at in range(0, len(ids), limit):
                part = slice(at, at + limit)
                collection.upsert(
                    ids=list(ids[part]),
                    embeddings=np.asarray(vectors[part], dtype=np.float32),
                    documents=list(texts[part]),
                    metadatas=[to_scalars(metadata) or None for metadata in metadatas[part]],
                )

    def describe(self, metadatas: Mapping[str, Mapping[str, Any]]) -> None:
        """Give rows other metadata, by id."""

        def write(collection: Any, part: list[str]) -> None:
            collection.update(ids=part, metadatas=[to_scalars(metadatas[row]) or None for row in part])

        self._in_parts(list(metadatas), write)

    def delete(self, ids: Collection[str]) -> None:
        """Delete rows; ids that do not exist are no error."""
        self._in_parts(list(ids), lambda collection, part: collection.delete(ids=part))

    def compare(self, vector: Vector, ids: Sequence[str], k: int) -> list[tuple[str, float]]:
        """Compare a vector with rows one by one; otherwise as `query`, for ids that must exist.

        Raises:
            KnowledgeBaseError: Rows are missing.
        """
        return nearest_of(vector, k, ids, self.rows(ids))

    def rows(self, ids: Sequence[str]) -> npt.NDArray[np.float32]:
        """The vectors of rows, of length 1, in the order of the ids.

        Raises:
            KnowledgeBaseError: Rows are missing.
        """
        found: dict[str, npt.NDArray[np.float32]] = {}

        def read(collection: Any, part: list[str]) -> None:
            rows = collection.get(ids=part, include=["embeddings"])
            found.update(zip(rows["ids"], np.asarray(rows["embeddings"], dtype=np.float32), strict=True))

        self._in_parts(list(ids), read)
        if len(found) < len(ids):
            raise unusable(self._folder, LookupError(f"缺少 {len(ids) - len(found)} 个向量"))
        return _unit(np.array([found[row] for row in ids], dtype=np.float32))

    def query(self, vector: Vector, k: int, allowed: Collection[str] | None = None) -> list[tuple[str, float]]:
        """Find the nearest rows.

        Args:
            vector: The question's vector.
            k: Most results.
            allowed: Only these ids may be returned, all of which must exist; None allows all.

        Returns:
            `(id, score)`, nearest first. The score is the cosine similarity in [-1, 1], larger is nearer.
        """
        if k < 1 or (allowed is not None and not allowed):
            return []
        with self._using() as collection:
            result = collection.query(
                query_embeddings=np.asarray([vector], dtype=np.float32),
                n_results=k,
                include=["distances"],
                **({} if allowed is None else {"ids": list(allowed)}),
            )
        pairs = zip(result["ids"][0], result["distances"][0], strict=True)
        hits = [(str(chunk_id), max(-1.0, min(1.0, 1.0 - float(distance)))) for chunk_id, distance in pairs]
        return sorted(hits, key=lambda hit: (-hit[1], hit[0]))

    def as_langchain(self, embeddings: Any) -> Any:
        """A LangChain vector store over the same rows."""
        from langchain_chroma import Chroma  # noqa: PLC0415 - takes two seconds to import

        with self._using():
            return Chroma(client=self._client, collection_name=_COLLECTION, embedding_function=embeddings)

    def _in_parts(self, ids: list[str], work: Any) -> None:
        if not ids:
            return
        with self._using() as collection:
            limit = self._client.get_max_batch_size()
            for at in range(0, len(ids), limit):
                work(collection, ids[at : at + limit])

    @contextmanager
    def _using(self) -> Iterator[Any]:
        """The collection, for one thread at a time; what Chroma says of its files is said in words."""
        import chromadb.errors  # noqa: PLC0415 - as in `create`

        with self._lock:
            try:
                yield self._open()
            except chromadb.errors.InternalError as error:
                raise unusable(self._folder, error) from error

    def _open(self) -> Any:
        if self._collection is not None and self._process != os.getpid():
            raise KnowledgeBaseError(
                "知识库在 fork 之前已经打开，子进程里不能再用：请在子进程里打开知识库，"
                "或改用 multiprocessing 的 spawn 方式启动子进程"
            )
        if self._collection is None:
            import chromadb  # noqa: PLC0415 - as in `create`

            try:
                # otherwise Chroma would make an empty store, in which nothing is found
                (self._folder / "chroma.sqlite3").stat()
                self._client = chromadb.PersistentClient(str(self._folder), settings=_client_settings())
                self._collection = self._client.get_collection(_COLLECTION, embedding_function=None)
            except Exception as error:
                self.close()
                raise unusable(self._folder, error) from error
            self._process = os.getpid()
        return self._collection


def nearest_of(vector: Vector, k: int, ids: Sequence[str], rows: npt.NDArray[np.float32]) -> list[tuple[str, float]]:
    """The nearest of some rows of length 1, by comparing with each of them; otherwise as `ChromaVectors.query`."""
    question = _unit(np.asarray([vector], dtype=np.float32))[0]
    # not `@`: for some thousand rows, the threads of a linear algebra library cost more than they save
    scores = np.clip(np.einsum("ij,j->i", rows, question), -1, 1)
    floor = np.partition(scores, -k)[-k] if len(scores) > k else -1
    hits = [(ids[place], float(scores[place])) for place in np.flatnonzero(scores >= floor).tolist()]
    return sorted(hits, key=lambda hit: (-hit[1], hit[0]))[:k]


def _unit(vectors: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Vectors of length 1; those of length 0 stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: npt.NDArray[np.float32] = vectors / np.maximum(lengths, 1e-30)
    return unit


def _client_settings() -> Any:
    import chromadb.config  # noqa: PLC0415 - as in `create`

    return chromadb.config.Settings(anonymized_telemetry=False)
