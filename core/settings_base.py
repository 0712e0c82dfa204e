"""What all settings share: they refuse what they do not know, and what could be a key."""

import re
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, model_validator

from youju.key_shapes import KNOWN_KEY, is_key_as_model


def _without_nothing(conditions: dict[str, Any]) -> dict[str, Any]:
    """Refuse a filter that compares with null, wherever it stands."""
    rest: list[Any] = [conditions]
    while rest:
        value = rest.pop()
        if value is None:
            msg = "过滤条件不能和空值（null）比较；要找没有这个字段的资料，用 $ne 或 $nin"
            raise ValueError(msg)
        if isinstance(value, dict | list):
            rest.extend(value.values() if isinstance(value, dict) else value)
    return conditions


MetadataFilter = Annotated[dict[str, Any], AfterValidator(_without_nothing)]
"""Conditions on metadata; see `youju.knowledge.filters` for the form."""

MOST_DOCUMENTS = 10_000
"""More documents are not asked for at once."""

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_overlap(chunk_size: int, chunk_overlap: int) -> None:
    """Refuse sizes with which a splitter could not advance.

    Raises:
        ValueError: Sizes are not positive, or the overlap is negative or not smaller than the chunk.
    """
    if chunk_size < 1 or chunk_overlap < 0 or chunk_overlap >= chunk_size:
        msg = (
            f"chunk_size（{chunk_size}）必须大于 0，chunk_overlap（{chunk_overlap}）不能小于 0，"
            "并且 chunk_overlap 必须小于 chunk_size"
        )
        raise ValueError(msg)


def model_name(value: str) -> str:
    """Check the name of a model.

    Raises:
        ValueError: It is empty, or is a key.
    """
    if not value.strip() or CONTROL.search(value):
        msg = "模型名不能为空"
        raise ValueError(msg)
    if is_key_as_model(value):
        msg = "这里写模型的名字，不要写密钥；密钥放进环境变量"
        raise ValueError(msg)
    return value.strip()


class StrictModel(BaseModel):
    """Options that refuse what they do not know and cannot change once made; errors do not repeat what was given."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    @model_validator(mode="before")
    @classmethod
    def _no_switches(cls, data: Any) -> Any:
        """Refuse true and false, which pydantic takes for the numbers 1 and 0: no option is a switch."""
        for name, value in data.items() if isinstance(data, dict) else ():
            if isinstance(value, bool) and name in cls.model_fields:
                msg = f"{name} 不能是 true 或 false（YAML 里的 yes、no、on、off 也一样）"
                raise ValueError(msg)
        return data

    @model_validator(mode="before")
    @classmethod
    def _no_key(cls, data: Any) -> Any:
        """Refuse a key in whatever option it was written: it would be printed, and stored with the base."""
        for name, value in data.items() if isinstance(data, dict) else ():
            if isinstance(value, str | Path) and name in cls.model_fields and KNOWN_KEY.search(str(value)):
                msg = f"{name} 里像是写了密钥；请不要写密钥，放进环境变量，再用 api_key_env 写出环境变量的名字"
                raise ValueError(msg)
        return data
