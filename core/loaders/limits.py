"""What a single file may cost: bytes and seconds."""

import time

from youju.errors import LoadError
from youju.settings import LoaderSettings

_MEGABYTE = 1024 * 1024


class Deadline:
    """The time by which a file must be read, counted from now.

    Python code cannot be stopped from outside, so readers look at it between their steps.
    """

    def __init__(self, source: str, settings: LoaderSettings) -> None:
        self._source = source
        self._seconds = settings.max_seconds
        self._end = time.monotonic() + settings.max_seconds

    def check(self) -> None:
        """Go on, if there is time left.

        Raises:
            LoadError: There is none.
        """
        if time.monotonic() > self._end:
            reason = f"读了 {self._seconds:g} 秒还没有读完，已停止；请拆分这个文件，或调大设置 loader.max_seconds"
            raise LoadError(self._source, reason)


def most_bytes(settings: LoaderSettings) -> int:
    """The size up to which files are read."""
    return int(settings.max_megabytes * _MEGABYTE)


def check_size(size: int, source: str, settings: LoaderSettings, what: str = "文件") -> None:
    """Refuse what is too large.

    Args:
        size: Its size in bytes.
        source: The file as the user knows it.
        settings: How much is allowed.
        what: What of the file has this size.

    Raises:
        LoadError: It is too large.
    """
    if size > most_bytes(settings):
        reason = f"{what}有 {size / _MEGABYTE:.1f} MB，超过了 {settings.max_megabytes:g} MB 的上限，没有读取"
        raise LoadError(source, f"{reason}；请拆分文件，或调大设置 loader.max_megabytes")
