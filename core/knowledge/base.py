"""The knowledge base: what ingest writes and answers read, in one folder."""

import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju.analyzer import Analyzer
from youju.errors import (
    KnowledgeBaseError,
    KnowledgeBaseMismatchError,
    ModelError,
)
from youju.knowledge.bm25 import check_engine
from youju.knowledge.catalog import Catalog, FileRecord
from youju.knowledge.chroma import load_library
from youju.knowledge.damage import inaccessible
from youju.knowledge.filters import check_filter
from youju.knowledge.fitted import drop_misfit, read_fitted, write_fitted
from youju.knowledge.folder import CURRENT, BaseFolder
from youju.knowledge.losses import Losses, losses_of
from youju.knowledge.make import differences, made_with, rebuild_command
from youju.knowledge.table import Selection
from youju.knowledge.view import View
from youju.knowledge.writer import Writer
from youju.models import build_embeddings
from youju.settings import Settings

_LOOKS = 5
"""How often a search is tried that fails."""


class KnowledgeBase:
    """Files, their chunks, the chunks' vectors and the keyword index.

    A base lives in `store.path`, in a folder of its own, and is found there by its name. One process may write while
    others read; readers see every finished change at their next question. A base made with another embedding model or
    splitter than the settings name is refused, with the command that rebuilds it.
    """

    def __init__(self, settings: Settings, embeddings: Embeddings | None, *, rebuild: bool) -> None:
        """Use `KnowledgeBase.open`."""
        self.settings = settings
        self._folder = BaseFolder(settings.store)
        self._given = embeddings
        self._embeddings = embeddings
        self._analyzer: Analyzer | None = None
        self._rebuild = rebuild
        self._lock = threading.RLock()
        self._view: View | None = None

    @classmethod
    def open(
        cls, settings: Settings | None = None, *, embeddings: Embeddings | None = None, rebuild: bool = False
    ) -> "KnowledgeBase":
        """Open a base; nothing is written before the first ingest.

        Args:
            settings: Where the base is and how it is made; None means the defaults.
            embeddings: A model to use instead of the one that the settings name.
            rebuild: The next writing makes a new base, which takes the old one's place when it is done.

        Raises:
            KnowledgeBaseMismatchError: The base was made with another embedding model or other splitter or keyword
                settings.
            MissingExtraError: The settings name a keyword engine that is not installed.
            KnowledgeBaseError: Here and wherever the base is used: its files are damaged or cannot be read or written.
        """
        base = cls(settings or Settings(), embeddings, rebuild=rebuild)
        check_engine(base.settings.keywords)
        if base.exists and not rebuild:
            base._current()
        return base

    @staticmethod
    def names(path: Path) -> list[str]:
        """Names of the bases in a folder, sorted."""
        found = []
        for pointer in path.glob(f"*/{CURRENT}"):
            catalog = Catalog(pointer.parent / pointer.read_text(encoding="utf-8") / "catalog.sqlite3")
            found.append(str(catalog.meta("name")))
            catalog.close()
        return sorted(found)

    @property
    def name(self) -> str:
        """The name the user gave it."""
        return self.settings.store.name

    @property
    def exists(self) -> bool:
        """Whether there is a base of this name."""
        return self._folder.exists()

    @property
    def folder(self) -> Path:
        """Where the base lives."""
        return self._folder.path

    @property
    def rebuilding(self) -> bool:
        """Whether the next writing makes a new base."""
        return self._rebuild

    @property
    def embeddings(self) -> Embeddings:
        """The embedding model, loaded on first use."""
        with self._lock:
            if self._embeddings is None:
                self._embeddings = build_embeddings(self.settings.embeddings)
            return self._embeddings

    @property
    def embeddings_name(self) -> str:
        """The name of the embedding model, which is not loaded for it."""
        return str(made_with(self.settings, self._given)["embeddings"])

    @property
    def analyzer(self) -> Analyzer:
        """What cuts texts and questions into the tokens of keyword search, made on first use."""
        with self._lock:
            if self._analyzer is None:
                self._analyzer = Analyzer(self.settings.keywords)
            return self._analyzer

    def files(self) -> list[FileRecord]:
        """The files of the base, by source; none if there is no base yet."""
        return self._current().catalog.files() if self.exists else []

    def count(self) -> int:
        """Number of chunks; 0 if there is no base yet."""
        return self._current().catalog.count() if self.exists else 0

    def losses(self, conditions: Mapping[str, Any] | None = None) -> Losses:
        """What the base does not hold of its files: what could not be read, gave no chunk or got no vectors.

        Args:
            conditions: Nothing is told of files that this filter does not, or may not, let through.

        Raises:
            KnowledgeBaseNotFoundError: There is no base.
        """
        check_filter(conditions)
        look = 1
        while True:
            try:
                return losses_of(self._current(), conditions)
            except sqlite3.ProgrammingError:  # another thread has closed the catalog
                if look == _LOOKS:
                    raise
            look += 1

    def version(self) -> tuple[str, int]:
        """Something that differs after every change: a generation and a number."""
        view = self._current()
        return view.folder.name, view.catalog.version()

    def calibration(self, name: str) -> Any:
        """What `store_calibration` keeps under a name; None if there is nothing, or the base is made otherwise now.

        Raises:
            KnowledgeBaseError: It is damaged or cannot be read.
        """
        return read_fitted(self._folder, self._made_with()).get(name) if self.exists else None

    def store_calibration(self, name: str, values: Any) -> None:
        """Keep JSON values that were fitted to this base, in the place of what the name had.

        Raises:
            KnowledgeBaseNotFoundError: There is no base.
            KnowledgeBaseBusyError: Another process is writing.
            KnowledgeBaseError: The folder cannot be written.
        """
        made = self._made_with()
        with self._folder.locked():
            write_fitted(self._folder, made, name, values)

    def _made_with(self) -> dict[str, Any]:
        made: dict[str, Any] = self._current().catalog.meta("made_with")
        return made

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Chunks by id, in the order asked; ids that the base does not have are left out."""
        found = self._current().catalog.documents(ids)
        return [found[chunk_id] for chunk_id in ids if chunk_id in found]

    def parents(self, ids: Sequence[str]) -> dict[str, Document]:
        """The larger blocks that chunks name by `parent_id`; ids that the base does not have are left out."""
        return self._current().catalog.parents(ids)

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """All chunks that fulfil a filter, in the order they were written."""
        check_filter(conditions)
        with self._folder.together():
            view = self._current()
            allowed = view.allowed(conditions)
            return self.get(view.catalog.ids() if allowed is None else allowed.ids())

    def combinations(self, fields: Sequence[str], conditions: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """What values of some metadata fields occur together, among the chunks that fulfil a filter.

        This reads metadata once after a change, and no texts: with many chunks it is far faster than `documents`.

        Returns:
            Each combination once, in the order in which they were first written; fields that a chunk lacks are left
            out.
        """
        check_filter(conditions)
        with self._folder.together():
            return self._current().table().combinations(fields, conditions)

    def keyword_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find chunks that share words with a question.

        Args:
            query: The question.
            k: Most results.
            filter: Conditions on metadata; see `youju.knowledge.filters`.

        Returns:
            Best first, each with its BM25 `score` in the metadata; fewer than `k` if fewer share a word.
        """

        def search(view: View, allowed: Selection | None) -> list[tuple[str, float]]:
            return view.with_words(self.analyzer.tokens(query), k, allowed)

        return self._search(search, k, filter, self._folder.together)

    def vector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find chunks near a question in meaning; the score is the cosine similarity. Otherwise as `keyword_search`."""
        self._current()
        return self.nearest(self.embeddings.embed_query(query), k=k, filter=filter)

    async def avector_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """`vector_search` for asynchronous callers: the model is awaited, the store is asked in a thread."""
        import asyncio  # noqa: PLC0415 - only here

        await asyncio.to_thread(self._current)
        vector = await self.embeddings.aembed_query(query)
        return await asyncio.to_thread(self.nearest, vector, k=k, filter=filter)

    def nearest(
        self,
        vector: Sequence[float],
        *,
        k: int,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        """Find the chunks nearest to a vector; see `vector_search`."""

        def search(view: View, allowed: Selection | None) -> list[tuple[str, float]]:
            self._check_question(vector, view.probe())
            return view.nearest(vector, k, allowed)

        load_library()
        return self._search(search, k, filter, self._folder.alone)

    def vectors(self, ids: Sequence[str]) -> dict[str, list[float]]:
        """The vectors of chunks, of length 1, by id; ids that the base does not have are left out."""
        load_library()
        with self._folder.alone():
            view = self._current()
            view.refresh()
            digests = view.catalog.digests_of(ids)
            keys = list(dict.fromkeys(digests.values()))
            rows = dict(zip(keys, view.vectors.rows(keys).tolist(), strict=True)) if keys else {}
            return {chunk_id: rows[key] for chunk_id, key in digests.items()}

    def as_vectorstore(self) -> Any:
        """The vectors as a `langchain_chroma.Chroma`, for reading with LangChain's own tools.

        It shows the base as it is now; after the base has changed, ask for a new one. A text that stands in several
        places is one entry of it, with the metadata of one of them.
        """
        load_library()
        with self._folder.alone():
            view = self._current()
            view.refresh()
            return view.vectors.as_langchain(self.embeddings)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Lock the base and write to it.

        A base that does not exist is made; with `rebuild`, a new one is made beside the old one and takes its place at
        the end, unless an exception leaves the block.

        Raises:
            KnowledgeBaseBusyError: Another process is writing and did not finish within `store.lock_timeout`.
            KnowledgeBaseMismatchError: The base was made with other settings.
        """
        with self._folder.locked():
            view = self._view_to_write()
            try:
                yield Writer(
                    view,
                    lambda: self.embeddings,
                    self.settings.embeddings.batch_size,
                    self._folder.alone,
                    self.analyzer,
                )
            except BaseException:
                if self._rebuild:
                    view.discard()
                raise
            finally:
                if view.folder.exists():
                    view.save_keywords()
            if self._rebuild:
                made = view.catalog.meta("made_with")
                view.close()
                self._folder.point_to(view.folder.name)
                drop_misfit(self._folder, made)
                self._rebuild = False
            self._folder.drop_others(view.folder.name)

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            if self._view is not None:
                self._view.close()
            self._view = None

    def _search(
        self,
        search: Callable[[View, Selection | None], list[tuple[str, float]]],
        k: int,
        conditions: Mapping[str, Any] | None,
        moment: Callable[[], AbstractContextManager[None]],
    ) -> list[Document]:
        """Search in a moment in which nobody changes the base, so that what is found is of one time."""
        check_filter(conditions)
        failed: Exception | None = None
        for look in range(1, _LOOKS + 1):
            with moment():
                view = self._current()
                try:
                    hits = search(view, view.allowed(conditions))
                    found = view.catalog.documents([chunk_id for chunk_id, _ in hits])
                    break
                except (KnowledgeBaseError, sqlite3.ProgrammingError) as error:
                    # Another thread may have closed the catalog. What is indeed damaged fails again.
                    failed = failed or error
                    if look == _LOOKS:
                        raise failed from error
                    view.vectors.close()
        documents: list[Document] = []
        for chunk_id, score in hits:
            if chunk_id in found and len(documents) < k:
                found[chunk_id].metadata["score"] = score
                documents.append(found[chunk_id])
        return documents

    def _check_question(self, vector: Sequence[float], probe: Sequence[float] | None) -> None:
        if probe is not None and len(vector) != len(probe):
            raise KnowledgeBaseMismatchError(
                f"知识库 {self.name} 里的向量是 {len(probe)} 维，向量模型给问题的是 {len(vector)} 维："
                f"模型换过了。请改回原来的模型，或重建知识库：{rebuild_command(self.settings.store)}"
            )
        if not np.isfinite(vector).all():
            raise ModelError("向量模型给问题的向量里有不是有限数的值；请换一个模型")

    def _current(self) -> View:
        """The base as it is now; opened again when another process has rebuilt it."""
        while True:
            generation = self._folder.generation()
            with self._lock:
                if self._view is not None and self._view.folder.name == generation and not self._view.stale:
                    return self._view
                try:
                    view = View(self.folder / generation, self.settings.store.lock_timeout, self.settings.keywords)
                    if not self._rebuild:  # a base that is about to be made anew may be of any make
                        self._check(view)
                except KnowledgeBaseError:
                    if self._folder.generation() == generation:
                        raise
                    continue  # replaced between the two looks
                self.close()
                self._view = view
                return view

    def _check(self, view: View) -> None:
        kept, probe = view.catalog.meta("made_with"), view.probe()
        found = differences(kept, probe, self.settings, self._given)
        if found and view.catalog.count():
            view.close()
            raise KnowledgeBaseMismatchError(
                f"知识库 {self.name}（{self.settings.store.path}）是用别的设置建成的。{'；'.join(found)}。"
                f"要按现在的设置重建，请运行 {rebuild_command(self.settings.store)}；"
                "现在用了 --config 或 --set 的，也要照样写上。不想重建，就改回原来的设置"
            )
        view.stale = bool(found)

    def _view_to_write(self) -> View:
        if self.exists and not self._rebuild:
            view = self._current()
            if not view.stale:
                return view
        folder = self._folder.new_generation()
        meta = {"name": self.name, "made_with": made_with(self.settings, self._given)}
        try:
            view = View.create(folder, meta, self.settings.store.lock_timeout, self.settings.keywords)
        except (OSError, sqlite3.Error, KnowledgeBaseError) as error:
            shutil.rmtree(folder, ignore_errors=True)  # half made; on a full disk it would take the last of the room
            raise inaccessible(folder, error) from error
        if self._rebuild:
            return view
        view.close()
        self._folder.point_to(folder.name)
        return self._current()
