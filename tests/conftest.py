"""Stand-ins and clean surroundings for all tests."""

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from langchain_core.embeddings import Embeddings

from youju import Settings

_OTHER_PEOPLES = ("YOUJU_", "OPENAI_", "DEEPSEEK_", "ANTHROPIC_", "DASHSCOPE_", "HF_TOKEN", "LANGCHAIN_", "LANGSMITH_")
_DIMENSIONS = 64

# how long an example takes says how busy the machine is; with CI set, the examples are the same each time
hypothesis_settings.register_profile(
    "youju", deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize="CI" in os.environ
)
hypothesis_settings.load_profile("youju")


class StubEmbeddings(Embeddings):
    """Counts adjacent pairs of characters into 64 places: alike in every process, and near for texts that share pairs.

    Attributes:
        texts: Every passage that was embedded, in order.
        queries: Every question that was embedded, in order.
        error: Raised instead of embedding passages, once set.
        fails_on: Says of a passage whether the call it is in raises `error`.
    """

    error: Exception | None = None
    fails_on: Callable[[str], bool] = staticmethod(lambda _: True)

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.queries: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.error is not None and any(self.fails_on(text) for text in texts):
            raise self.error
        self.texts.extend(texts)
        return [self.vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.queries.append(text)
        return self.vector(text)

    def vector(self, text: str) -> list[float]:
        """The vector of a text, of length 1."""
        counts = [0.0] * _DIMENSIONS
        for pair in map("".join, zip(f"{text} ", f"{text} "[1:], strict=False)):
            counts[zlib.crc32(pair.encode("utf-8", "surrogatepass")) % _DIMENSIONS] += 1.0
        length = sum(count * count for count in counts) ** 0.5 or 1.0
        return [count / length for count in counts]


@pytest.fixture
def stub_embeddings() -> StubEmbeddings:
    return StubEmbeddings()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, with the knowledge base in the test's own folder."""
    return Settings.model_validate({"store": {"path": tmp_path / "store"}})


@pytest.fixture(autouse=True)
def _own_surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Settings, keys and the working folder of whoever runs the tests play no part in them."""
    for variable in os.environ:
        if variable.startswith(_OTHER_PEOPLES):
            monkeypatch.delenv(variable)
    monkeypatch.chdir(tmp_path)
