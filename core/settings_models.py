"""The options of models."""

from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from youju.key_shapes import is_key_as_variable
from youju.settings_base import VARIABLE, StrictModel, model_name

Thinking = Literal["remove", "opened", "keep"]
"""What becomes of what a reasoning model thinks aloud."""


class RemoteModel(StrictModel):
    """How a model behind an address is reached."""

    base_url: str | None = None
    """Address of an OpenAI-compatible server, for example http://127.0.0.1:8000/v1."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; the provider's usual one if unset."""
    timeout: float = Field(default=60.0, gt=0)
    """Seconds to wait for a reply."""
    max_retries: int = Field(default=2, ge=0, le=10)
    """How often a request that failed for a passing reason is sent again."""

    @field_validator("api_key_env")
    @classmethod
    def _is_a_variable_name(cls, value: str | None) -> str | None:
        if value is not None and (not VARIABLE.fullmatch(value) or is_key_as_variable(value)):
            msg = "这里写环境变量的名字（如 OPENAI_API_KEY），不要写密钥本身"
            raise ValueError(msg)
        return value

    @field_validator("base_url")
    @classmethod
    def _is_an_address_without_secrets(cls, value: str | None) -> str | None:
        if value is None:
            return None
        msg = "要写成 http:// 或 https:// 开头的完整地址"
        try:
            parts = urlsplit(value)
        except ValueError:
            raise ValueError(msg) from None
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(msg)
        if parts.username or parts.password or parts.query or parts.fragment:
            msg = "地址里不要带用户名、密码或参数；密钥放进环境变量，用 api_key_env 指出变量名"
            raise ValueError(msg)
        return value


class EmbeddingsSettings(RemoteModel):
    """Which model turns text into vectors."""

    model: str = "e5"
    """`e5` (built in, offline), `huggingface:NAME`, `openai:NAME`, or any name LangChain's `init_embeddings` takes."""
    query_prefix: str = ""
    """Put before a question, for models that want it. `e5` adds its own."""
    passage_prefix: str = ""
    """Put before a passage, for models that want it. `e5` adds its own."""
    batch_size: int = Field(default=32, ge=1, le=2048)
    """Passages sent to the model at a time."""
    max_tokens: int | None = Field(default=None, ge=16)
    """Most tokens the model reads at once; known for `e5` and `huggingface:`, to be given for others if below 8191."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return model_name(value)


class ChatSettings(RemoteModel):
    """Which model writes the answer."""

    model: str = "extractive"
    """`extractive` (built in, offline), `openai:NAME`, or any name LangChain's `init_chat_model` takes."""
    temperature: float | None = Field(default=0.0, ge=0.0, le=2.0)
    """0 for the steadiest answers; null for models that do not take it."""
    max_tokens: int = Field(default=1024, ge=1)
    """Most tokens of an answer; an answer cut off there is an error, not half an answer."""
    thinking: Thinking = "remove"
    """`remove`: what stands between `<think>` and `</think>` is no part of the answer. `opened`: as well, and a stream
    waits for `</think>`, for servers that leave out the opening tag. `keep`: the tags are text like any other."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return model_name(value)
