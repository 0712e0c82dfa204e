"""What a reasoning model thinks aloud, which is no part of its reply."""

import re

_THOUGHT = re.compile(r"<(think|thinking)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_END_OF_THOUGHT = re.compile(r"^.*</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_UNFINISHED_THOUGHT = re.compile(r"<think(?:ing)?>.*$", re.DOTALL | re.IGNORECASE)
_BEGINNING = re.compile(r"<(?:t(?:h(?:i(?:n(?:k(?:i(?:n(?:g)?)?)?)?)?)?)?)?$", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """A reply without what a reasoning model thinks aloud, also where only one of the two tags is there."""
    said = _UNFINISHED_THOUGHT.sub("", _END_OF_THOUGHT.sub("", _THOUGHT.sub("", text)))
    return text if said == text else said.strip()


def said_so_far(text: str) -> str:
    """The beginning of a reply without thoughts that have an opening tag, or may be getting one."""
    said = _UNFINISHED_THOUGHT.sub("", _THOUGHT.sub("", text))
    return said if said == text and "<" not in text else _BEGINNING.sub("", said).lstrip()
