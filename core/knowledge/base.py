"""The knowledge base: what ingest writes and answers read, in one folder."""

import os
import shutil
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju.errors import KnowledgeBaseBusyError, KnowledgeBaseMismatchError, KnowledgeBaseNotFoundError
from youju.knowledge.catalog import Catalog, FileRecord
from youju.knowledge.chroma import ChromaVectors
from youju.knowledge.filters import check_filter
from youju.knowledge.identity import PROBE, embeddings_name, folder_name, made_with
from youju.knowledge.view import View
from youju.knowledge.writer import Writer, same_direction
from youju.models import build_embeddings
from youju.settings import Settings
from youju.text import tokens

_CURRENT = "CURRENT"


class KnowledgeBase:
    """Files, their chunks, the chunks' vectors and the keyword index.

    A base lives in `store.path`, in a folder of its own, and is found there by its name. One process may write while
    others read; readers see every finished change at their next question. A base made with another embedding model or
    splitter than the settings name is refused, with the command that rebuilds it.
    """

    def __init__(self, settings: Settings, embeddings: Embeddings | None, *, rebuild: bool) -> None:
        """Use `KnowledgeBase.open`."""
        self.settings = settings
        self.folder = settings.store.path.absolute() / folder_name(settings.store.name)
        self._given = embeddings
        self._embeddings = embeddings
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
            KnowledgeBaseMismatchError: The base was made with another embedding model or other splitter settings.
        """
        base = cls(settings or Settings(), embeddings, rebuild=rebuild)
        if base.exists and not rebuild:
            base._current()
        return base

    @staticmethod
    def names(path: Path) -> list[str]:
        """Names of the bases in a folder, sorted."""
        found = []
        for pointer in path.glob(f"*/{_CURRENT}"):
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
        return (self.folder / _CURRENT).is_file()

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

    def files(self) -> list[FileRecord]:
        """The files of the base, by source; none if there is no base yet."""
        return self._current().catalog.files() if self.exists else []

    def count(self) -> int:
        """Number of chunks; 0 if there is no base yet."""
        return self._current().catalog.count() if self.exists else 0

    def version(self) -> tuple[str, int]:
        """Something that differs after every change: a generation and a number."""
        view = self._current()
        return view.folder.name, view.catalog.version()

    def get(self, ids: Sequence[str]) -> list[Document]:
        """Chunks by id, in the order asked; ids that the base does not have are left out."""
        found = self._current().catalog.documents(ids)
        return [found[chunk_id] for chunk_id in ids if chunk_id in found]

    def documents(self, conditions: Mapping[str, Any] | None = None) -> list[Document]:
        """All chunks that fulfil a filter, in the order they were written."""
        view = self._current()
        ids = list(view.catalog.chunk_metadata())
        allowed = view.allowed(conditions)
        return self.get([chunk_id for chunk_id in ids if allowed is None or chunk_id in allowed])

    def keyword_search(self, query: str, *, k: int, filter: Mapping[str, Any] | None = None) -> list[Document]:  # noqa: A002 - LangChain's name
        """Find chunks that share words with a question.

        Args:
            query: The question.
            k: Most results.
            filter: Conditions on metadata; see `youju.knowledge.filters`.

        Returns:
            Best first, each with its BM25 `score` in the metadata; fewer than `k` if fewer share a word.
        """
        return self._search(lambda view, allowed: view.keywords().search(tokens(query), k, allowed), k, filter)

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

        def search(view: View, allowed: Collection[str] | None) -> list[tuple[str, float]]:
            view.vectors.refresh(view.catalog.version())
            return view.vectors.query(vector, k + view.catalog.journal_size(), allowed)

        return self._search(search, k, filter)

    def as_vectorstore(self) -> Any:
        """The vectors as a `langchain_chroma.Chroma`, for reading with LangChain's own tools."""
        return self._current().vectors.as_langchain(self.embeddings)

    @contextmanager
    def writing(self) -> Iterator[Writer]:
        """Lock the base and write to it.

        A base that does not exist is made; with `rebuild`, a new one is made beside the old one and takes its place at
        the end, unless an exception leaves the block.

        Raises:
            KnowledgeBaseBusyError: Another process is writing and did not finish within `store.lock_timeout`.
            KnowledgeBaseMismatchError: The base was made with other settings.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            lock = FileLock(self.folder / "write.lock").acquire(timeout=self.settings.store.lock_timeout)
        except Timeout:
            raise KnowledgeBaseBusyError(
                f"知识库 {self.name} 正被另一个进程写入，"
                f"等了 {self.settings.store.lock_timeout:g} 秒仍未结束；请稍后再试"
            ) from None
        with lock:
            view = self._view_to_write()
            try:
                yield Writer(view.catalog, view.vectors, lambda: self.embeddings, self.settings.embeddings.batch_size)
            except BaseException:
                if self._rebuild:
                    view.discard()
                raise
            finally:
                if view.folder.exists():
                    view.save_keywords()
            if self._rebuild:
                self._point_to(view.folder.name)
                self._rebuild = False
            self._drop_other_generations(view.folder.name)

    def close(self) -> None:
        """Let go of the files."""
        with self._lock:
            if self._view is not None:
                self._view.close()
            self._view = None

    def _search(self, search: Any, k: int, conditions: Mapping[str, Any] | None) -> list[Document]:
        check_filter(conditions)
        view = self._current()
        try:
            hits = search(view, view.allowed(conditions))
        except Exception:  # noqa: BLE001 - whatever it was, it comes again below if it was not this:
            # another process changed the base between two looks at it
            view = self._current()
            view.vectors.close()
            hits = search(view, view.allowed(conditions))
        found = view.catalog.documents([chunk_id for chunk_id, _ in hits])
        documents: list[Document] = []
        for chunk_id, score in hits:
            if chunk_id in found and len(documents) < k:
                found[chunk_id].metadata["score"] = score
                documents.append(found[chunk_id])
        return documents

    def _current(self) -> View:
        """The base as it is now; opened again when another process has rebuilt it."""
        try:
            generation = (self.folder / _CURRENT).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise KnowledgeBaseNotFoundError(
                f"{self.settings.store.path} 里还没有名为 {self.name} 的知识库；请先运行 youju ingest 文件夹"
            ) from None
        with self._lock:
            if self._view is None or self._view.folder.name != generation:
                view = View(self.folder / generation, self.settings.store.lock_timeout)
                if not self._rebuild:  # a base that is about to be made anew may be of any make
                    self._check(view)
                self.close()
                self._view = view
            return self._view

    def _check(self, view: View) -> None:
        kept, wanted = view.catalog.meta("made_with"), made_with(self.settings, self._given)
        labels = {"format": "数据格式", "embeddings": "向量模型", "prefixes": "向量前缀", "splitter": "切分设置"}
        differences = [
            f"{label}：库里是 {_show(kept.get(key))}，现在是 {_show(wanted[key])}"
            for key, label in labels.items()
            if kept.get(key) != wanted[key]
        ]
        probe = view.catalog.meta("probe")
        if (
            not differences
            and self._given is not None
            and probe
            and not same_direction(probe, self._given.embed_query(PROBE))
        ):
            name = embeddings_name(self._given)
            differences = [f"向量模型：库里是 {name}，现在的 {name} 对同一句话给出不同的向量"]
        if differences and view.catalog.count():
            view.close()
            raise KnowledgeBaseMismatchError(
                f"知识库 {self.name}（{self.settings.store.path}）是用别的设置建成的。{'；'.join(differences)}。"
                f"要按现在的设置重建，请运行 youju ingest --rebuild --db {self.settings.store.path}；"
                "否则请改回原来的设置"
            )
        view.stale = bool(differences)

    def _view_to_write(self) -> View:
        if self.exists and not self._rebuild:
            view = self._current()
            if not view.stale:
                return view
        numbers = [int(old.name[1:]) for old in self.folder.glob("g[0-9]*") if old.name[1:].isdigit()]
        folder = self.folder / f"g{max(numbers, default=0) + 1}"
        folder.mkdir()
        meta = {"name": self.name, "made_with": made_with(self.settings, self._given)}
        Catalog.create(folder / "catalog.sqlite3", meta).close()
        if self._rebuild:
            return View(folder, self.settings.store.lock_timeout)
        self._point_to(folder.name)
        return self._current()

    def _point_to(self, generation: str) -> None:
        new = self.folder / f"{_CURRENT}.new"
        new.write_text(generation, encoding="utf-8")
        os.replace(new, self.folder / _CURRENT)  # noqa: PTH105 - named for what it promises: all or nothing

    def _drop_other_generations(self, kept: str) -> None:
        for folder in self.folder.glob("g[0-9]*"):
            if folder.name != kept:
                ChromaVectors.at(folder / "chroma").forget()
                shutil.rmtree(folder, ignore_errors=True)


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    return str(value)
