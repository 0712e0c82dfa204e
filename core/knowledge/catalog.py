"""The catalog of a base: its files, their chunks, and the settings that made them, in one SQLite file.

What the catalog says is what the base holds. The vector store, which has one row for each different text under the hash
of that text, may for a moment hold more: hashes that are being written or deleted stand in `journal`, so that a killed
process leaves nothing that could be found by accident.
"""

import json
import sqlite3
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from langchain_core.documents import Document

from youju.knowledge.damage import unusable
from youju.knowledge.losses import Loss

_LOSSES = """
CREATE TABLE IF NOT EXISTS losses (path TEXT PRIMARY KEY, root TEXT NOT NULL, source TEXT NOT NULL,
    stage TEXT NOT NULL, reason TEXT NOT NULL) WITHOUT ROWID;
"""
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (source TEXT PRIMARY KEY, path TEXT UNIQUE NOT NULL, root TEXT NOT NULL, hash TEXT NOT NULL,
    units INTEGER NOT NULL, problems TEXT NOT NULL);
CREATE TABLE chunks (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE NOT NULL,
    source TEXT NOT NULL REFERENCES files (source) ON DELETE CASCADE, digest TEXT NOT NULL, text TEXT NOT NULL,
    metadata TEXT NOT NULL, tokens TEXT NOT NULL);
CREATE TABLE parents (id TEXT PRIMARY KEY, source TEXT NOT NULL REFERENCES files (source) ON DELETE CASCADE,
    text TEXT NOT NULL, metadata TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX parents_by_source ON parents (source);
CREATE INDEX chunks_by_source ON chunks (source);
CREATE INDEX chunks_by_digest ON chunks (digest);
CREATE TABLE journal (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE spare (digest TEXT PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO meta VALUES ('version', '0');
"""
_PARAMETERS = 900  # fewer than any SQLite allows in one statement
_PARSED = 2000  # rows whose metadata are in memory at a time


@dataclass(frozen=True)
class FileRecord:
    """What a base knows of a file.

    Attributes:
        source: The name under which it is cited; unique in a base.
        path: Where it was, absolute.
        root: The folder that it was found under, absolute.
        hash: SHA-256 of its bytes.
        units: Pages or sections that had text.
        problems: What of it could not be read, in words.
        uncut: What of it was read, but gave no chunk, in words.
    """

    source: str
    path: str
    root: str
    hash: str
    units: int = 0
    problems: tuple[str, ...] = ()
    uncut: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChunkRow:
    """A chunk on its way into the catalog."""

    id: str
    digest: str
    text: str
    metadata: dict[str, Any] = field(default_factory=dict)
    tokens: str = ""  # parted by blanks: a list of them takes many times the memory


class Catalog:
    """One SQLite file; safe to use from several threads, and to read while another process writes."""

    def __init__(self, path: Path, *, timeout: float = 10.0) -> None:
        """Open the file, which must exist.

        Raises:
            KnowledgeBaseError: Here and in all methods: the file is missing, damaged or cannot be read or written.
        """
        self._path = path
        self._lock = threading.RLock()
        with self._using():
            uri = f"{path.absolute().as_uri()}?mode=rw"  # otherwise a missing file would be made
            self._db = sqlite3.connect(uri, uri=True, timeout=timeout, check_same_thread=False, isolation_level=None)
        with self._using():
            self._db.execute("PRAGMA foreign_keys = ON")
            self._db.execute("PRAGMA synchronous = NORMAL")

    @classmethod
    def create(cls, path: Path, meta: dict[str, Any]) -> "Catalog":
        """Make a new, empty catalog."""
        db = sqlite3.connect(path)
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(_SCHEMA + _LOSSES)
        db.executemany("INSERT INTO meta VALUES (?, ?)", [(key, json.dumps(value)) for key, value in meta.items()])
        db.commit()
        db.close()
        return cls(path)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside happens or nothing does; a change gives the base a new version."""
        with self._all_or_nothing():
            yield
            self._db.execute("UPDATE meta SET value = value + 1 WHERE key = 'version'")

    def version(self) -> int:
        """A number that grows with every change."""
        return int(self._rows("SELECT value FROM meta WHERE key = 'version'")[0][0])

    def meta(self, key: str) -> Any:
        """A value kept with the base, or None."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", (key,))
        return json.loads(rows[0][0]) if rows else None

    def set_meta(self, key: str, value: Any) -> None:
        """Keep a value with the base."""
        with self._using():
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, json.dumps(value)))

    def files(self, paths: Collection[str] | None = None) -> list[FileRecord]:
        """All files, by source; with paths, only these and those of which something is missing."""
        rows = self._rows("SELECT source, path, root, hash, units, problems FROM files ORDER BY source")
        if paths is not None:
            rows = [row for row in rows if row[5] != "[]" or row[1] in paths]
        return [
            FileRecord(source, path, root, hash_, units, *_read_problems(problems))
            for source, path, root, hash_, units, problems in rows
        ]

    def put_file(self, record: FileRecord) -> None:
        """Add a file or replace what is known of it; its chunks stay."""
        problems = json.dumps({"read": record.problems, "cut": record.uncut} if record.uncut else record.problems)
        with self._using():
            self._db.execute("DELETE FROM losses WHERE path = ?", (record.path,))
            self._db.execute(
                "INSERT INTO files VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (source) DO UPDATE SET path = excluded.path,"
                " root = excluded.root, hash = excluded.hash, units = excluded.units, problems = excluded.problems",
                (record.source, record.path, record.root, record.hash, record.units, problems),
            )

    def drop_file(self, source: str) -> None:
        """Forget a file and its chunks."""
        with self._using():
            self._db.execute("DELETE FROM losses WHERE path IN (SELECT path FROM files WHERE source = ?)", (source,))
            self._db.execute("DELETE FROM files WHERE source = ?", (source,))

    def file_count(self) -> int:
        """Number of files."""
        return int(self._rows("SELECT count(*) FROM files")[0][0])

    def upgrade(self) -> None:
        """Give a catalog that an older version made what it lacks; to be called before writing."""
        with self._using():
            self._db.execute(_LOSSES)

    def losses(self) -> list[Loss]:
        """Files of which nothing, or nothing of their new version, was taken in, by source."""
        if not self._rows("SELECT 1 FROM sqlite_master WHERE name = 'losses'"):  # made by an older version
            return []
        rows = self._rows("SELECT source, stage, reason, path, root FROM losses ORDER BY source, path")
        return [Loss(*row) for row in rows]

    def put_losses(self, losses: Collection[Loss]) -> None:
        """Make these all the files that were not taken in."""
        rows = [(loss.path, loss.root, loss.source, loss.stage, loss.reason) for loss in losses]
        with self._using():
            self._db.execute("DELETE FROM losses")
            self._db.executemany("INSERT OR REPLACE INTO losses VALUES (?, ?, ?, ?, ?)", rows)

    def put_chunks(self, source: str, rows: Sequence[ChunkRow]) -> None:
        """Add chunks of a file, or give known ones their new metadata."""
        with self._using():
            self._db.executemany(
                "INSERT INTO chunks (id, source, digest, text, metadata, tokens) VALUES (?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET text = excluded.text, metadata = excluded.metadata",
                [(row.id, source, row.digest, row.text, json.dumps(row.metadata), row.tokens) for row in rows],
            )

    def drop_chunks(self, ids: Sequence[str]) -> None:
        """Forget chunks."""
        with self._using():
            self._db.executemany("DELETE FROM chunks WHERE id = ?", [(chunk_id,) for chunk_id in ids])

    def put_parents(self, source: str, blocks: Sequence[Document]) -> None:
        """Make these the blocks that a file's chunks name, in the place of those there were."""
        rows = [(block.id, source, block.page_content, json.dumps(block.metadata)) for block in blocks]
        with self._using():
            self._db.execute("DELETE FROM parents WHERE source = ?", (source,))
            self._db.executemany("INSERT OR REPLACE INTO parents VALUES (?, ?, ?, ?)", rows)

    def chunk_metadata(self, source: str | None = None) -> dict[str, dict[str, Any]]:
        """Metadata by chunk id, of one file or of all, in the order of writing."""
        where, values = ("", ()) if source is None else (" WHERE source = ?", (source,))
        rows = self._rows(f"SELECT id, metadata FROM chunks{where} ORDER BY seq", values)  # noqa: S608 - fixed texts
        return {row[0]: json.loads(row[1]) for row in rows}

    def metadata_rows(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Id, text hash and metadata of all chunks, in the order of writing."""
        rows = self._rows("SELECT id, digest, metadata FROM chunks ORDER BY seq")
        for at in range(0, len(rows), _PARSED):
            part = rows[at : at + _PARSED]
            yield from ((row[0], row[1], values) for row, values in zip(part, _metadata(part), strict=True))

    def ids(self, source: str | None = None) -> list[str]:
        """Ids of the chunks, of one file or of all, in the order of writing."""
        where, values = ("", ()) if source is None else (" WHERE source = ?", (source,))
        return [row[0] for row in self._rows(f"SELECT id FROM chunks{where} ORDER BY seq", values)]  # noqa: S608 - as above

    def tokens(self, ids: Collection[str]) -> list[tuple[str, str]]:
        """Ids and tokens, with blanks between them, of chunks, in the order of writing."""
        if len(ids) > _PARAMETERS:
            wanted = set(ids)
            return [row for row in self._rows("SELECT id, tokens FROM chunks ORDER BY seq") if row[0] in wanted]
        return [row[1:] for row in sorted(self._where_in("seq, id, tokens", "id", list(ids)))]

    def digests(self, ids: Collection[str]) -> set[str]:
        """The text hashes of chunks."""
        if len(ids) > _PARAMETERS:
            return {row[1] for row in self._rows("SELECT id, digest FROM chunks") if row[0] in ids}
        return {row[0] for row in self._where_in("digest", "id", list(ids))}

    def digests_of(self, ids: Sequence[str]) -> dict[str, str]:
        """The text hash of each chunk, by id; ids that are not (or no longer) in the base are left out."""
        return dict(self._where_in("id, digest", "id", ids))

    def with_digests(self, digests: Sequence[str]) -> dict[str, list[str]]:
        """For each text hash that is in the base, the ids of the chunks with that text, in the order of writing."""
        found: dict[str, list[str]] = {}
        for _, key, chunk_id in sorted(self._where_in("seq, digest, id", "digest", digests)):
            found.setdefault(key, []).append(chunk_id)
        return found

    def text_count(self) -> int:
        """Number of different texts."""
        return int(self._rows("SELECT count(DISTINCT digest) FROM chunks")[0][0])

    def all_digests(self) -> set[str]:
        """The text hashes of all chunks."""
        return {row[0] for row in self._rows("SELECT DISTINCT digest FROM chunks")}

    def parents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Blocks by id; ids that are not (or no longer) in the base are left out."""
        return self._documents(self._where_in("id, text, metadata", "id", ids, table="parents"))

    def documents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Chunks by id; ids that are not (or no longer) in the base are left out."""
        return self._documents(self._where_in("id, text, metadata", "id", ids))

    @staticmethod
    def _documents(rows: list[tuple[Any, ...]]) -> dict[str, Document]:
        return {
            row[0]: Document(id=row[0], page_content=row[1], metadata=values)
            for row, values in zip(rows, _metadata(rows), strict=True)
        }

    def count(self, source: str | None = None) -> int:
        """Number of chunks, of one file or of all."""
        where, values = ("", ()) if source is None else (" WHERE source = ?", (source,))
        return int(self._rows(f"SELECT count(*) FROM chunks{where}", values)[0][0])  # noqa: S608 - fixed texts

    def newest(self) -> str | None:
        """The text hash of the chunk that was added last, or None."""
        rows = self._rows("SELECT digest FROM chunks ORDER BY seq DESC LIMIT 1")
        return str(rows[0][0]) if rows else None

    def journal(self) -> list[str]:
        """Text hashes that may be in the vector store without being in the base."""
        return [row[0] for row in self._rows("SELECT id FROM journal WHERE id NOT IN (SELECT digest FROM chunks)")]

    def journal_size(self) -> int:
        """How many text hashes the journal holds."""
        return int(self._rows("SELECT count(*) FROM journal")[0][0])

    def note(self, digests: Collection[str]) -> None:
        """Write text hashes into the journal, before the vector store is touched."""
        with self._all_or_nothing():
            self._db.executemany("INSERT OR IGNORE INTO journal VALUES (?)", [(key,) for key in digests])

    def clear_journal(self) -> None:
        """Empty the journal: catalog and vector store agree."""
        with self._using():
            self._db.execute("DELETE FROM journal")

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        with self._using():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def _using(self) -> Iterator[None]:
        """One thread at a time; what SQLite says of the file is said in words."""
        with self._lock:
            try:
                yield
            except sqlite3.ProgrammingError:  # closed in another thread, which the base knows how to take
                raise
            except sqlite3.DatabaseError as error:
                raise unusable(self._path, error) from error

    def spare(self, digests: Sequence[str]) -> dict[str, bytes]:
        """Vectors, by the hash of their text, that were made for a file that was not finished."""
        return dict(self._where_in("digest, vector", "digest", digests, table="spare"))

    def keep_spare(self, vectors: Mapping[str, bytes]) -> None:
        """Keep vectors until their file is finished."""
        with self._all_or_nothing():
            self._db.executemany("INSERT OR REPLACE INTO spare VALUES (?, ?)", list(vectors.items()))

    def drop_spare(self, digests: Sequence[str]) -> None:
        """Forget vectors that were kept: their file is finished."""
        with self._all_or_nothing():
            self._db.executemany("DELETE FROM spare WHERE digest = ?", [(key,) for key in digests])

    def _where_in(
        self, columns: str, column: str, values: Sequence[str], *, table: str = "chunks"
    ) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for at in range(0, len(values), _PARAMETERS):
            part = values[at : at + _PARAMETERS]
            marks = ",".join("?" * len(part))
            rows += self._rows(f"SELECT {columns} FROM {table} WHERE {column} IN ({marks})", part)  # noqa: S608 - as above
        return rows

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._using():
            return self._db.execute(sql, tuple(values)).fetchall()


def _read_problems(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What of a file could not be read, and what gave no chunk; a plain list where there is nothing of the latter."""
    kept = json.loads(text)
    return (tuple(kept["read"]), tuple(kept["cut"])) if isinstance(kept, dict) else (tuple(kept), ())


def _metadata(rows: Sequence[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """The metadata that stand third in rows, read in one call: half the time of one a row."""
    return list(json.loads(f"[{','.join(row[2] for row in rows)}]"))
