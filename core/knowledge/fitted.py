"""What was fitted to a base, in a file beside it: thresholds, which hold as long as the base is made the same way."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from youju.errors import KnowledgeBaseError
from youju.knowledge.damage import inaccessible
from youju.knowledge.folder import BaseFolder

FILE = "calibration.json"
LOG = logging.getLogger("youju")

_MADE_WITH = "made_with"


def read_fitted(folder: BaseFolder, made_with: Mapping[str, Any]) -> dict[str, Any]:
    """All that was fitted to a base, by name; nothing if it was made in another way then.

    Raises:
        KnowledgeBaseError: The file is damaged or cannot be read.
    """
    path = folder.path / FILE
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise inaccessible(path, error) from error
    except ValueError:
        kept = None
    if not isinstance(kept, dict):
        raise KnowledgeBaseError(f"校准的结果读不了，文件已经损坏：{path}。请再运行一次 youju eval calibrate，或删掉它")
    return kept if kept.pop(_MADE_WITH, None) == made_with else {}


def write_fitted(folder: BaseFolder, made_with: Mapping[str, Any], name: str, values: Any) -> None:
    """Keep something under a name, beside what is kept under others; what cannot be read is replaced."""
    try:
        others = read_fitted(folder, made_with)
    except KnowledgeBaseError:
        others = {}
    folder.put(FILE, json.dumps({**others, name: values, _MADE_WITH: made_with}, ensure_ascii=False, indent=1))


def drop_misfit(folder: BaseFolder, made_with: Mapping[str, Any]) -> None:
    """Delete what was fitted to a base that was made in another way, and say so."""
    path = folder.path / FILE
    try:
        fits = bool(read_fitted(folder, made_with))
    except KnowledgeBaseError:
        fits = False
    if path.exists() and not fits:
        path.unlink()
        LOG.warning("知识库换了建法，原来校准的门槛不再适用，已经删掉；要用请再运行一次 youju eval calibrate")
