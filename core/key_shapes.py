"""What keys look like, so that one written in the wrong place is neither taken nor repeated."""

import re

KNOWN_KEY = re.compile(
    r"(?<![A-Za-z0-9])(?:(?i:sk-)|gsk_|hf_|xai-|AIza)(?=[\w\-]*[0-9])[\w\-]{12,}",
    re.ASCII,
)
"""A key of a well-known provider, wherever it stands in a text."""

_BEGINS = re.compile(r"(?i:sk-)|(?:gsk_|hf_|xai-|AIza)[\w\-]{8,}", re.ASCII)
_RANDOM = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9]{24,}")
_PERHAPS = re.compile(r"(?i:sk-[\w\-]+)|(?=[A-Za-z0-9_+/\-]*[0-9])[A-Za-z0-9_+/\-]{12,}|[A-Za-z0-9+/]{24,}", re.ASCII)

_IN_A_NAME = re.compile(
    r"(?i:sk-[\w\-]+)"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|(?=[A-Za-z]*[0-9])(?=[0-9]*[A-Za-z])[A-Za-z0-9]{10,}"
    r"|[A-Za-z0-9]{24,}",
    re.ASCII,
)


def is_key_as_model(name: str) -> bool:
    """Whether a model's name holds a key: as a whole, as the provider or after it, or in a path.

    Long random words count only between colons: the folders of downloaded models have such names.
    """
    return any(_BEGINS.match(part) for part in re.split(r"[:/\s@]", name)) or any(
        _RANDOM.fullmatch(part) for part in re.split(r"[:\s]", name)
    )


def is_key_as_variable(name: str) -> bool:
    """Whether the name of an environment variable is rather a key: begins like one, or is long or full of digits."""
    digits = sum(character.isdigit() for character in name)
    lower = any(character.islower() for character in name)
    if _BEGINS.match(name) or (digits and lower and len(name) >= 16):
        return True
    return "_" not in name and (digits >= 4 or len(name) >= 24)


def model_without_keys(name: str) -> str:
    """Put `***` in place of what could be a key in a model's name; `text-embedding-3-small` stays readable."""
    return _IN_A_NAME.sub("***", name)


def without_keys(text: str) -> str:
    """Put `***` in place of whatever could be a key, however faint the likeness: for what was not understood."""
    return _PERHAPS.sub("***", text)
