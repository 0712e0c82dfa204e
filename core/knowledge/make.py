"""What a base was made with, and how that differs from what the settings ask for."""

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings

from youju.analyzer_words import read_words
from youju.knowledge.identity import digest
from youju.models.checked import CheckedEmbeddings
from youju.settings import KeywordSettings, Settings, StoreSettings

FORMAT = 3
"""Version of the layout of a base on disk and of how text is made searchable; raised when either changes."""

PROBE = "知识库是用同一个向量模型建成的吗？"
"""Its vector is kept with a base, and tells when another model hides behind the same name."""

_SAME_MODEL = 0.99  # cosine of a text's vectors from one model on two machines is above this
_LABELS = {
    "format": "数据格式",
    "embeddings": "向量模型",
    "prefixes": "向量前缀",
    "loader": "读取设置",
    "splitter": "切分设置",
    "keywords": "关键词设置",
}


def made_with(settings: Settings, embeddings: Embeddings | None) -> dict[str, Any]:
    """The settings that the contents of a base depend on."""
    model = settings.embeddings
    by_settings = embeddings is None or embeddings_name(embeddings) == model.model
    return {
        "format": FORMAT,
        "embeddings": model.model if embeddings is None else embeddings_name(embeddings),
        "prefixes": [model.query_prefix, model.passage_prefix] if by_settings else ["", ""],
        "loader": settings.loader.model_dump(mode="json", include={"pdf_engine", "text_fields"}),
        "splitter": settings.splitter.model_dump(mode="json"),
        "keywords": analysis(settings.keywords),
    }


def analysis(settings: KeywordSettings) -> dict[str, Any]:
    """The settings that stored tokens depend on; files of words by their content, wherever they lie.

    Raises:
        SettingsError: Such a file cannot be read.
    """
    found = settings.model_dump(mode="json", exclude={"engine", "method", "k1", "b"})
    if settings.dictionary is not None:
        found["dictionary"] = digest("\n".join(read_words(settings.dictionary, "dictionary")))[:8]
    if settings.stop_words not in {"none", "zh"}:
        found["stop_words"] = digest("\n".join(read_words(Path(settings.stop_words), "stop_words")))[:8]
    return found


def embeddings_name(embeddings: Embeddings) -> str:
    """A name for a model that was given as an object: the one in the settings if `build_embeddings` made it."""
    if isinstance(embeddings, CheckedEmbeddings):
        return embeddings.name
    name = getattr(embeddings, "model_name", None) or getattr(embeddings, "model", None)
    kind = type(embeddings).__name__
    return f"{kind}:{name}" if isinstance(name, str) else kind


def differences(
    kept: Mapping[str, Any], probe: Sequence[float] | None, settings: Settings, embeddings: Embeddings | None
) -> list[str]:
    """In what a base was made otherwise than it would be now, in words.

    Args:
        kept: What `made_with` said when the base was made.
        probe: The vector that the model then gave for `PROBE`, if it was asked.
        settings: The settings in force.
        embeddings: A model given as an object; it is asked for the probe again. One that the settings name is not, so
            that opening a base costs no call.
    """
    wanted = made_with(settings, embeddings)
    found = [
        f"{label}：库里是 {_show(kept.get(key))}，现在是 {_show(wanted[key])}"
        for key, label in _LABELS.items()
        if kept.get(key) != wanted[key]
    ]
    if not found and embeddings is not None and probe and not same_direction(probe, embeddings.embed_query(PROBE)):
        name = embeddings_name(embeddings)
        found = [f"向量模型：库里是 {name}，现在的 {name} 对同一句话给出不同的向量"]
    return found


def same_direction(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two vectors can come from one model for one text."""
    if len(one) != len(other):
        return False
    a, b = np.asarray(one, dtype=np.float64), np.asarray(other, dtype=np.float64)
    lengths = float(np.linalg.norm(a) * np.linalg.norm(b))
    return lengths > 0 and float(a @ b) / lengths >= _SAME_MODEL


def rebuild_command(store: StoreSettings) -> str:
    """What to type to make a base anew."""
    named = [] if store.name == StoreSettings().name else ["--set", f"store.name={store.name}"]
    return shlex.join(["youju", "ingest", "--rebuild", "--db", str(store.path), *named])


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    return str(value)
