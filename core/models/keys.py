"""Keys: read from environment variables, and kept out of everything a person reads."""

import os
import re

from youju.errors import ModelAuthError
from youju.key_shapes import KNOWN_KEY

_HIDDEN = "***"
_SHORTEST_SECRET = 6  # hiding values like "1" or "true" would make a text unreadable and protect nothing

_read_from: set[str] = set()
"""Variables a key was read from. Only their names; the values are looked up when a text has to be cleaned."""

_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)S?$", re.IGNORECASE)
_SECRET_TEXTS = (
    re.compile(r"(?<![A-Za-z0-9])sk-[\w*.\-]+"),
    KNOWN_KEY,
    re.compile(r"(?<=Bearer )\S+", re.IGNORECASE),
    re.compile(
        r"""(?<![A-Za-z])(?:api[-_ ]?key|key|token|secret|password|authorization)["']?\s*[:=]\s*["']?(?!Bearer )"""
        r"""[^\s"'&,;}]+""",
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
    they hold a secret, and what has the form of a key, a bearer token, a password in an address or a long random word.
    """
    values = {
        value.strip()
        for variable, value in os.environ.items()
        if variable in _read_from or _SECRET_VARIABLE.search(variable)
    }
    for value in sorted(values, key=len, reverse=True):
        if len(value) >= _SHORTEST_SECRET:
            text = text.replace(value, _HIDDEN)
    for pattern in _SECRET_TEXTS:
        text = pattern.sub(_HIDDEN, text)
    return text
