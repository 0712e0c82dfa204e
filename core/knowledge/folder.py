"""The folder of a base: which generation of it is in force, and who may write.

`CURRENT` names the generation, a folder beside it. A base is made anew in a generation of its own, so that the old one
answers until the new one is done.
"""

import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from youju.errors import KnowledgeBaseBusyError, KnowledgeBaseNotFoundError
from youju.knowledge import locks
from youju.knowledge.chroma import ChromaVectors
from youju.knowledge.damage import inaccessible, unusable
from youju.knowledge.identity import folder_name
from youju.settings import StoreSettings

CURRENT = "CURRENT"
_GENERATION = re.compile("g[0-9a-f]{8}")


class BaseFolder:
    """The folder of one base; it need not exist."""

    def __init__(self, store: StoreSettings) -> None:
        """Find the folder of the base that the settings name."""
        self._store = store
        self.path = store.path.absolute() / folder_name(store.name)

    def exists(self) -> bool:
        """Whether there is a base."""
        return (self.path / CURRENT).exists()  # a folder of that name is damage, to be named by `generation`

    def generation(self) -> str:
        """Name of the generation in force.

        Raises:
            KnowledgeBaseNotFoundError: There is no base.
            KnowledgeBaseError: The folder cannot be read.
        """
        pointer = self.path / CURRENT
        try:
            generation = pointer.read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError):
            raise KnowledgeBaseNotFoundError(
                f"{self._store.path} 里还没有名为 {self._store.name} 的知识库；请先运行 youju ingest 文件夹"
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise inaccessible(pointer, error) from error
        if not _GENERATION.fullmatch(generation):
            raise unusable(pointer, ValueError("内容不对"), store=self._store.path)
        return generation

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Be the only one who writes; the folder is made if need be.

        Raises:
            KnowledgeBaseBusyError: Another process is writing and did not finish in time.
            KnowledgeBaseError: The folder cannot be written.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            locks.prepare(self.path)
            lock = FileLock(self.path / "write.lock").acquire(timeout=self._store.lock_timeout)
        except Timeout:
            raise KnowledgeBaseBusyError(
                f"知识库 {self._store.name} 正被另一个进程写入，"
                f"等了 {self._store.lock_timeout:g} 秒仍未结束；请稍后再试"
            ) from None
        except OSError as error:
            raise inaccessible(self.path, error) from error
        with lock:
            yield

    def together(self) -> AbstractContextManager[None]:
        """Keep the base as it is for a moment in which only the catalog is read."""
        return locks.together(self.path, self._store.lock_timeout)

    def alone(self) -> AbstractContextManager[None]:
        """Be the only one at the base for a moment, to change it or to use Chroma."""
        return locks.alone(self.path, self._store.lock_timeout)

    def new_generation(self) -> Path:
        """A folder for a new generation. Its name never comes again: by it others know that the base was made anew."""
        return self.path / f"g{secrets.token_hex(4)}"

    def point_to(self, generation: str) -> None:
        """Put a generation in force."""
        with self.alone():
            self.put(CURRENT, generation)

    def put(self, name: str, text: str) -> None:
        """Write a file of the base, all or nothing.

        Raises:
            KnowledgeBaseError: The folder cannot be written.
        """
        new = self.path / f"{name}.new"
        try:
            new.write_text(text, encoding="utf-8")
            os.replace(new, self.path / name)  # noqa: PTH105 - named for what it promises: all or nothing
        except OSError as error:
            raise inaccessible(self.path, error) from error

    def drop_others(self, kept: str) -> None:
        """Delete the generations that are no longer, or never came, in force."""
        others = [
            folder for folder in self.path.glob("g*") if _GENERATION.fullmatch(folder.name) and folder.name != kept
        ]
        for folder in others:
            with self.alone():
                ChromaVectors.at(folder / "chroma").forget()
                shutil.rmtree(folder, ignore_errors=True)
