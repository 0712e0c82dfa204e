"""Embeddings and chat models from their names in the settings, and what can go wrong with them.

The names below are loaded when they are first used: importing this room loads no provider's package.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from youju.models.chat import build_chat_model
    from youju.models.e5 import E5Embeddings
    from youju.models.embeddings import build_embeddings
    from youju.models.extractive import ExtractiveChatModel
    from youju.models.failures import model_errors
    from youju.models.limits import InputLimit, input_limit
    from youju.models.replies import check_reply
    from youju.models.thoughts import said_so_far, without_thoughts

__all__ = [
    "E5Embeddings",
    "ExtractiveChatModel",
    "InputLimit",
    "build_chat_model",
    "build_embeddings",
    "check_reply",
    "input_limit",
    "model_errors",
    "said_so_far",
    "without_thoughts",
]

_HOMES = {
    "E5Embeddings": "youju.models.e5",
    "ExtractiveChatModel": "youju.models.extractive",
    "InputLimit": "youju.models.limits",
    "build_chat_model": "youju.models.chat",
    "build_embeddings": "youju.models.embeddings",
    "check_reply": "youju.models.replies",
    "input_limit": "youju.models.limits",
    "model_errors": "youju.models.failures",
    "said_so_far": "youju.models.thoughts",
    "without_thoughts": "youju.models.thoughts",
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'youju.models' has no attribute {name!r}")
