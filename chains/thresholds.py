"""The thresholds of claim checks that were fitted to a base."""

from langchain_core.retrievers import RetrieverLike
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from youju.chains.gate import bases
from youju.chains.grounding import Thresholds
from youju.errors import KnowledgeBaseError


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lexical: float = Field(ge=0, le=1)
    partial: float = Field(ge=0, le=1)


def fitted_thresholds(retriever: RetrieverLike) -> Thresholds | None:
    """What `youju eval calibrate` fitted to the base that a retriever searches; None if there is nothing.

    Raises:
        KnowledgeBaseError: It cannot be read.
    """
    base = next(bases(retriever), None)
    kept = base.calibration("grounding") if base is not None else None
    if base is None or kept is None:
        return None
    try:
        found = _Kept.model_validate(kept)
    except ValidationError:
        raise KnowledgeBaseError(
            f"知识库 {base.name} 里保存的引用检查的门槛看不懂，可能是别的版本写的；请再运行一次 youju eval calibrate"
        ) from None
    return Thresholds(lexical=found.lexical, partial=found.partial)
