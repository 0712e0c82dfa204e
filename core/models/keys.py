"""Keys: read from environment variables, and kept out of everything a person reads."""

import os
import re
from collections.abc import Sequence

from youju.errors import ModelAuthError
from youju.key_shapes import KNOWN_KEY

_HIDDEN = "***"
_SHORTEST_SECRET = 6  # hiding values like "1" or "true" would make a text unreadable and protect nothing
_SHORTEST_PART = 8  # of a key, which says too much of it already

_read_from: set[str] = set()
"""Variables a key was read from. Only their names; the values are looked up when a text has to be cleaned."""

_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)S?$", re.IGNORECASE)
_ONE_WORD = re.compile(r"[^\s/~.][^\s]*")  # not a path to a file with a key, whose parts stand in many messages
_SECRET_TEXTS = (
    re.compile(r"(?<![A-Za-z0-9])sk-[\w*.\-]+"),
    KNOWN_KEY,
    re.compile(r"(?<=Bearer )\S+", re.IGNORECASE),
    re.compile(
        r"""(?<![A-Za-z])(?:api[-_ ]?key|key|token|secret|password|authorization)["']?\s*[:=]\s*["']?"""
        r"""(?!Bearer |你的密钥)[^\s"'&,;}]+""",
        re.IGNORECASE,
    ),
    re.compile(r"(?<=://)[^/\s@]+(?=@)"),
    re.compile(r"[A-Za-z0-9]{32,}"),
)


def read_key(variable: str, name: str) -> str:
    """Read a key from an environment variable.

    Args:
        variable: Name of the variable.
        name: The model the key is for, as in the settings; used in messages.

    Returns:
        The key, without blanks around it (a key pasted from a file often brings a line end).

    Raises:
        ModelAuthError: The variable is unset or blank, or what it holds cannot be sent as a key. The message names
            the variable and never its value.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ModelAuthError(f"{name} 需要密钥，但环境变量 {variable} 没有设置。请先执行 export {variable}=你的密钥")
    if not key.isascii() or not key.isprintable():
        raise ModelAuthError(
            f"环境变量 {variable} 的内容含有密钥里不会有的字符（如中文、换行）。请重新复制 {name} 的密钥"
        )
    _read_from.add(variable)
    return key


def hide_secrets(text: str) -> str:
    """Put `***` in place of everything in a text that is a key or looks like one.

    Hidden are the present values of the variables keys were read from, those of all variables whose names say that
    they hold a secret, parts of eight and more characters of those that can be a key, and what has the form of a key,
    a bearer token, a password in an address or a long random word.
    """
    text = hide_keys(text)
    for pattern in _SECRET_TEXTS:
        text = pattern.sub(_HIDDEN, text)
    return text


def hide_keys(text: str) -> str:
    """Put `***` in place of what is known to be secret, and leave what only looks so: for what a model says.

    A server that is badly made can put the key it was asked with into a reply.
    """
    keys = KeyFilter()
    return keys.feed(text) + keys.rest()


def error_text(error: BaseException) -> str:
    """What an exception says, without secrets; its class where it says nothing. For log lines and messages.

    Whatever is raised while a model is asked may quote the reply, and a reply may quote the key it was asked with.
    """
    return hide_secrets(str(error)) or type(error).__name__


class KeyFilter:
    """`hide_keys` for a text that comes in pieces: what may become a part of a key is held back."""

    def __init__(self) -> None:
        values = sorted(_secrets(), key=len, reverse=True)
        self._whole = [value for value in values if not _ONE_WORD.fullmatch(value) or len(value) < _SHORTEST_PART]
        self._values = [value for value in values if value not in self._whole]
        size = _SHORTEST_PART
        self._parts = {value[at : at + size] for value in self._values for at in range(len(value) - size + 1)}
        self._held = ""

    def feed(self, piece: str) -> str:
        """Take a piece; return what is certain by now."""
        text = self._held + piece
        spans = self._spans(text)
        stop = self._open(text)
        if spans and spans[-1][1] >= stop:
            stop = min(stop, spans[-1][0])
        self._held = text[stop:]
        return _hidden(text[:stop], [span for span in spans if span[1] <= stop])

    def rest(self) -> str:
        """What was held back."""
        text, self._held = self._held, ""
        return _hidden(text, self._spans(text))

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """What is to be hidden: whole secrets, and runs of characters made of parts of keys."""
        found = [(match.start(), match.end()) for one in self._whole for match in re.finditer(re.escape(one), text)]
        if self._parts:
            size = _SHORTEST_PART
            found += [(at, at + size) for at in range(len(text) - size + 1) if text[at : at + size] in self._parts]
        joined: list[tuple[int, int]] = []
        for start, end in sorted(found):
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined

    def _open(self, text: str) -> int:
        """Where the longest end of a text begins that may go on as something to be hidden."""
        longest = max([_SHORTEST_PART - 1, *(len(value) - 1 for value in self._whole)])
        for start in range(max(0, len(text) - longest), len(text)):
            end = text[start:]
            if any(value.startswith(end) for value in self._whole):
                return start
            if len(end) < _SHORTEST_PART and any(end in value for value in self._values):
                return start
        return len(text)


def _secrets() -> set[str]:
    return {
        value.strip()
        for variable, value in os.environ.items()
        if (variable in _read_from or _SECRET_VARIABLE.search(variable)) and len(value.strip()) >= _SHORTEST_SECRET
    }


def _hidden(text: str, spans: Sequence[tuple[int, int]]) -> str:
    found, at = "", 0
    for start, end in spans:
        found += text[at:start] + _HIDDEN
        at = end
    return found + text[at:]
