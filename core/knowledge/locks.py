"""Moments in which nobody changes a base, and moments in which nobody else touches it.

A keyword search takes milliseconds and shares its lock with others of its kind. Whatever touches Chroma or changes the
catalog is alone for as many milliseconds: Chroma writes even when it is asked, and what two processes do to it at the
same time may hide rows from both. Everybody passes a gate first, and one who waits behind it is next, so that nobody
waits for ever. The locks are the kernel's (`flock`): they end with the process, however it ends.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from youju.errors import KnowledgeBaseBusyError

_FILES = ("entry.lock", "look.lock")
_PAUSE = 0.0003
"""Between two tries: others often need but a millisecond. It is the same for all: no wait makes the next one longer."""


def prepare(folder: Path) -> None:
    """Make the lock files of a base."""
    for name in _FILES:
        (folder / name).touch()


@contextmanager
def together(folder: Path, timeout: float) -> Iterator[None]:
    """Keep a base as it is, together with others who only read the catalog.

    Raises:
        KnowledgeBaseBusyError: Another one was alone for too long.
    """
    with _locked(folder, fcntl.LOCK_SH, timeout):
        yield


@contextmanager
def alone(folder: Path, timeout: float) -> Iterator[None]:
    """Be the only one at a base.

    Raises:
        KnowledgeBaseBusyError: Others took too long.
    """
    with _locked(folder, fcntl.LOCK_EX, timeout):
        yield


@contextmanager
def _locked(folder: Path, kind: int, timeout: float) -> Iterator[None]:
    deadline = time.monotonic() + timeout
    gate, base = (folder / name for name in _FILES)
    try:
        passing = _lock_file(gate, fcntl.LOCK_EX, deadline)
        try:
            lock = _lock_file(base, kind, deadline)
        finally:
            os.close(passing)
    except (FileNotFoundError, NotADirectoryError):
        lock = None  # there is no base, and nothing to keep
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def _lock_file(path: Path, kind: int, deadline: float) -> int:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        while True:
            try:
                fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise KnowledgeBaseBusyError(f"知识库正被另一个进程占用（{path.parent}）；请稍后再试") from None
                time.sleep(_PAUSE)
            else:
                return descriptor
    except BaseException:
        os.close(descriptor)
        raise
