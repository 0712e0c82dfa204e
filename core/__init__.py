"""youju (有据): answers over your own documents, every fact with a checked citation.

The names below are loaded when they are first used, so that ``import youju`` stays fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from youju.errors import YoujuError
    from youju.knowledge import KnowledgeBase
    from youju.settings import Settings

__all__ = ["KnowledgeBase", "Settings", "YoujuError", "__version__"]

_HOMES = {"KnowledgeBase": "youju.knowledge", "Settings": "youju.settings", "YoujuError": "youju.errors"}


def __getattr__(name: str) -> Any:
    """Load a public name from its room on first use."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - costs 20 ms, asked for rarely

        return version("youju")
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'youju' has no attribute {name!r}")
