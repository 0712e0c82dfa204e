"""`youju config show` and `youju config check`."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from youju.cli.output import say, say_json
from youju.knowledge.filters import check_filter
from youju.models.keys import hide_secrets
from youju.settings import HybridSettings, MetadataFilter, RetrieverSettings, Settings
from youju.settings_loading import DEFAULT_FILE


def run_show(settings: Settings, *, as_json: bool) -> None:
    """Print the settings; what could be a key is hidden."""
    shown = _without_secrets(settings.model_dump(mode="json"))
    if as_json:
        say_json(json.dumps(shown, ensure_ascii=False, indent=2))
    else:
        say(yaml.safe_dump(shown, allow_unicode=True, sort_keys=False).rstrip())


def run_check(settings: Settings, config: Path | None) -> None:
    """Check what the settings alone cannot know to be wrong, and say that all is well, and of which file.

    Args:
        settings: The settings as they were loaded.
        config: The file named, if any.

    Raises:
        SettingsError: A filter has no meaning.
    """
    for conditions in _filters(settings.retriever):
        check_filter(conditions)
    file = config or Path(DEFAULT_FILE)
    say(f"设置没有问题（{file}）" if file.exists() else f"设置没有问题（当前目录没有 {DEFAULT_FILE}）")


def _without_secrets(value: Any) -> Any:
    if isinstance(value, dict):
        return {hide_secrets(str(key)): _without_secrets(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_secrets(inner) for inner in value]
    return hide_secrets(value) if isinstance(value, str) else value


def _filters(retriever: RetrieverSettings) -> Iterator[MetadataFilter | None]:
    yield getattr(retriever, "filter", None)
    inner = retriever.retrievers if isinstance(retriever, HybridSettings) else [getattr(retriever, "base", None)]
    for one in inner:
        if one is not None:
            yield from _filters(one)
