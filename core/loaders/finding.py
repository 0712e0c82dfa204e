"""Which files of a folder to read, and why not the others."""

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from youju.errors import LoadError
from youju.loaders.files import SUFFIXES, displayable, unsupported
from youju.loaders.places import one_line

_BY_THE_SYSTEM = frozenset({"thumbs.db", "desktop.ini", "__pycache__"})


@dataclass(frozen=True)
class FoundFiles:
    """The files found under a path.

    Attributes:
        root: The folder that sources are relative to.
        files: The files to read, in order.
        problems: Files and folders that are not read, each with the reason; hidden and temporary ones are left out.
    """

    root: Path
    files: tuple[Path, ...]
    problems: tuple[LoadError, ...] = ()


@dataclass
class _Walk:
    """What a walk through a folder has come across so far."""

    root: Path
    skip: frozenset[Path]
    files: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    problems: list[LoadError] = field(default_factory=list)
    seen: set[Path] = field(default_factory=set)

    def refuse(self, path: Path, reason: str) -> None:
        self.problems.append(LoadError(source_of(path, self.root), reason))


def find_files(path: Path | str, *, skip: Collection[Path] = ()) -> FoundFiles:
    """Find the files to read: the path itself, or those in a folder and its subfolders.

    Hidden files and folders, lock files of office programs and what operating systems leave behind are passed over
    quietly. A link inside the folder counts as what it leads to, once; one that leads outside is not followed.

    Args:
        path: A file or folder.
        skip: Folders to pass over quietly, for example the knowledge base.

    Returns:
        The files in sorted order, and what was not taken.

    Raises:
        LoadError: The path does not exist or cannot be read.
    """
    path = Path(path)
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        raise LoadError(displayable(str(path)), "找不到这个文件或文件夹，或没有访问权限；请检查路径") from error
    if not stat.S_ISDIR(mode):
        walk = _Walk(path.parent, frozenset())
        _take(walk, path, path, mode)
    else:
        walk = _Walk(path, frozenset(Path(folder).resolve() for folder in skip))
        _look_into(walk, path)
        _follow_links(walk)
    problems = sorted(walk.problems, key=lambda problem: problem.source)
    return FoundFiles(walk.root, tuple(sorted(walk.files)), tuple(problems))


def source_of(path: Path, root: Path) -> str:
    """A file's name in metadata and errors: its path from the root, in POSIX form."""
    return displayable(path.relative_to(root).as_posix())


def _look_into(walk: _Walk, folder: Path) -> None:
    real = folder.resolve()
    if real in walk.seen or real in walk.skip:
        return
    walk.seen.add(real)
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        walk.refuse(folder, "打不开这个文件夹，里面的文件没有读取；请检查权限")
        return
    for path in paths:
        if not _is_passed_over(path.name):
            _look_at(walk, path)


def _look_at(walk: _Walk, path: Path) -> None:
    try:
        mode = path.lstat().st_mode
    except OSError:
        walk.refuse(path, "打不开这个文件；请检查权限")
        return
    if stat.S_ISLNK(mode):
        walk.links.append(path)
    elif stat.S_ISDIR(mode):
        _look_into(walk, path)
    else:
        _take(walk, path, path.resolve(), mode)


def _take(walk: _Walk, path: Path, real: Path, mode: int) -> None:
    """Add a file, or say why it is not read."""
    walk.seen.add(real)
    if not stat.S_ISREG(mode):
        walk.refuse(path, "不是普通文件（设备、套接字或管道），没有读取")
    elif path.suffix.lower() not in SUFFIXES:
        walk.problems.append(unsupported(path, source_of(path, walk.root)))
    elif one_line(path.name) != path.name:
        walk.refuse(path, "文件名里有换行等控制字符；请改名后重试")
    elif displayable(path.name) != path.name:
        walk.refuse(path, "文件名不是有效的 UTF-8 文字；请改名后重试")
    elif not os.access(path, os.R_OK, effective_ids=os.access in os.supports_effective_ids):
        walk.refuse(path, "没有读取权限；请修改文件权限后重试")
    else:
        walk.files.append(path)


def _follow_links(walk: _Walk) -> None:
    """Take what links lead to, unless it was met already: the file itself comes before its links."""
    root = walk.root.resolve()
    for link in _drain(walk.links):
        try:
            real = link.resolve(strict=True)
            mode = real.stat().st_mode
        except (OSError, RuntimeError):  # RuntimeError: a link in a circle
            walk.refuse(link, "链接指向的文件不存在或打不开；请修复或删除这个链接")
            continue
        if not real.is_relative_to(root):
            walk.refuse(link, "链接指向文件夹之外，没有读取；需要时请把文件复制进来")
        elif real in walk.seen or any(real.is_relative_to(folder) for folder in walk.skip):
            continue
        elif stat.S_ISDIR(mode):
            _look_into(walk, link)
        else:
            _take(walk, link, real, mode)


def _drain(links: list[Path]) -> Iterator[Path]:
    """The links in order, with those that turn up behind other links."""
    while links:
        yield links.pop(0)


def _is_passed_over(name: str) -> bool:
    return name.startswith((".", "~$")) or name.lower() in _BY_THE_SYSTEM
