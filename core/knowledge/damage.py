"""Errors for files of a base that cannot be read or written."""

import shlex
from pathlib import Path

from youju.errors import KnowledgeBaseBusyError, KnowledgeBaseError

_BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")


def unusable(path: Path, error: Exception, *, store: Path | None = None) -> KnowledgeBaseError:
    """The error for a file or folder of a base.

    Args:
        path: The file or folder.
        error: What went wrong.
        store: The folder of bases; not needed for what lies in a generation, `<store>/<base>/<generation>/<path>`.
    """
    if getattr(error, "sqlite_errorname", "").startswith(_BUSY):
        return KnowledgeBaseBusyError(f"知识库正被另一个进程占用（{path}）；请稍后再试")
    command = shlex.join(["youju", "ingest", "--rebuild", "--db", str(store or path.parents[2])])
    return KnowledgeBaseError(
        f"知识库的文件读写不了：{path}（{_reason(error)}）。请检查磁盘空间和权限；"
        f"如果文件已经损坏或丢失，请重建知识库：{command} 文件或文件夹"
    )


def inaccessible(path: Path, error: Exception) -> KnowledgeBaseError:
    """The error for a folder in which no base can be found or made."""
    return KnowledgeBaseError(f"读写不了 {path}（{_reason(error)}）；请检查权限和磁盘空间，或用 --db 换一个文件夹")


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)
