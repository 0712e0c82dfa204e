"""Under which name a file is known: the same one however its path is written, and after its folder has moved."""

import hashlib
from collections.abc import Iterable
from itertools import chain, count
from pathlib import Path

from youju.knowledge import FileRecord


class Places:
    """The files that a base knows, and those found now."""

    def __init__(self, records: Iterable[FileRecord]) -> None:
        """Take what the base knows."""
        self._records = list(records)
        self._by_path = {record.path: record for record in self._records}
        self._sources = {record.source for record in self._records}
        self._folders = sorted({Path(record.root) for record in self._records}, key=lambda root: len(root.parts))
        self._moves: dict[tuple[Path, Path], bool] = {}

    def place(self, path: Path, root: Path) -> tuple[FileRecord, FileRecord | None]:
        """Find a file's record.

        Args:
            path: The file, resolved.
            root: The file or folder that was named, resolved.

        Returns:
            The record as it should be now, without a hash, and what the base knows of the file: None if it is new.
        """
        known = self._by_path.get(str(path))
        if known is not None:
            return FileRecord(known.source, str(path), known.root, ""), known
        known = self._before_a_move(path, root)
        if known is not None:
            del self._by_path[known.path]
            return self._keep(FileRecord(known.source, str(path), str(root), "")), known
        root = next((folder for folder in self._folders if path != folder and path.is_relative_to(folder)), root)
        name = path.relative_to(root).as_posix() if path != root else path.name
        choices = chain((name, f"{root.name}/{name}", path.as_posix()), (f"{path.as_posix()}#{n}" for n in count(1)))
        source = next(choice for choice in choices if choice not in self._sources)
        return self._keep(FileRecord(source, str(path), str(root), "")), None

    def moved(self) -> set[Path]:
        """The roots whose files were found in another place."""
        return {old_root for (old_root, _), moved in self._moves.items() if moved}

    def _keep(self, record: FileRecord) -> FileRecord:
        self._by_path[record.path] = record
        self._sources.add(record.source)
        return record

    def _before_a_move(self, path: Path, root: Path) -> FileRecord | None:
        """What the base knows of a file at the place where its folder was before."""
        for old_root in self._folders:
            known = self._by_path.get(str(old_root / path.relative_to(root)))
            if known is not None and known.root == str(old_root) and self._has_moved(old_root, root):
                return known
        return None

    def _has_moved(self, old_root: Path, root: Path) -> bool:
        """Whether a folder that is gone is the one found now: at least one file is there with the very same bytes."""
        if (old_root, root) not in self._moves:
            self._moves[old_root, root] = is_gone(old_root) and any(
                file_hash(root / Path(record.path).relative_to(old_root)) == record.hash
                for record in self._records
                if record.root == str(old_root)
            )
        return self._moves[old_root, root]


def is_gone(path: str | Path) -> bool:
    """Whether there is surely nothing at a path; one that may not be looked at is not gone."""
    try:
        Path(path).stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def file_hash(path: Path) -> str | None:
    """SHA-256 of a file's bytes; None if it is no file that can be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
