"""Moments in which nobody changes a base, and moments in which nobody looks at it.

A search takes milliseconds and shares its lock with other searches; a change of the catalog takes milliseconds too and
waits for searches to end. Everybody passes a gate first, and one who waits to change holds it, so that new searches
cannot keep it waiting. The locks are the kernel's (`flock`): they end with the process, however it ends.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from youju.errors import KnowledgeBaseBusyError

_FILES = ("entry.lock", "look.lock")
_PAUSE = 0.002


def prepare(folder: Path) -> None:
    """Make the lock files of a base."""
    for name in _FILES:
        (folder / name).touch()


@contextmanager
def looking(folder: Path, timeout: float) -> Iterator[None]:
    """Keep a base as it is; others may look, too. Where there is no base there is nothing to keep.

    Raises:
        KnowledgeBaseBusyError: A change took too long.
    """
    try:
        lock = _lock(folder, fcntl.LOCK_SH, timeout)
    except (FileNotFoundError, NotADirectoryError):
        lock = None
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


@contextmanager
def changing(folder: Path, timeout: float) -> Iterator[None]:
    """Be the only one at a base.

    Raises:
        KnowledgeBaseBusyError: A search took too long.
    """
    lock = _lock(folder, fcntl.LOCK_EX, timeout)
    try:
        yield
    finally:
        os.close(lock)


def _lock(folder: Path, kind: int, timeout: float) -> int:
    """Pass the gate and lock the base; closing what is returned unlocks it."""
    deadline = time.monotonic() + timeout
    gate, base = (folder / name for name in _FILES)
    passing = _lock_file(gate, kind, deadline)
    try:
        return _lock_file(base, kind, deadline)
    finally:
        os.close(passing)


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
