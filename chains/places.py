"""Under which name a file is known: the same one however its path is written, and after its folder has moved."""

from collections.abc import Iterable
from pathlib import Path

from youju.knowledge import FileRecord


class Places:
    """The files that a base knows, and those found now."""

    def __init__(self, records: Iterable[FileRecord]) -> None:
        """Take what the base knows."""
        self._by_path = {record.path: record for record in records}
        self._by_source = {record.source: record for record in self._by_path.values()}
        self._folders = sorted(
            {Path(record.root) for record in self._by_path.values()}, key=lambda root: len(root.parts)
        )

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
        root = next((folder for folder in self._folders if path != folder and path.is_relative_to(folder)), root)
        name = path.relative_to(root).as_posix() if path != root else path.name
        namesake = self._by_source.get(name)
        if namesake is not None and not Path(namesake.path).exists():  # its folder has moved
            record, known = FileRecord(name, str(path), str(root), ""), namesake
        else:
            choices = (name, f"{root.name}/{name}", path.as_posix())
            source = next(choice for choice in choices if choice not in self._by_source)
            record = FileRecord(source, str(path), str(root), "")
        self._by_path[record.path] = self._by_source[record.source] = record
        return record, known
