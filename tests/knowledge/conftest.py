"""A base to put chunks into without files, and processes that use one at the same time."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.knowledge import Change, FileRecord

Put = Callable[..., Change]

_PRELUDE = f"""
import runpy, sys, time
from pathlib import Path
from youju import KnowledgeBase, Settings
from youju.chains import build_ingest_chain
StubEmbeddings = runpy.run_path({str(Path(__file__).parents[1] / "conftest.py")!r})["StubEmbeddings"]
def open_base(**options):
    store = {{"path": sys.argv[1], "lock_timeout": 5}}
    return KnowledgeBase.open(Settings.model_validate({{"store": store}}), embeddings=StubEmbeddings(), **options)
"""


@pytest.fixture
def base(settings: Settings, stub_embeddings: Embeddings) -> Iterator[KnowledgeBase]:
    """A base that does not exist yet, with the stand-in as its model."""
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    yield base
    base.close()


@pytest.fixture
def put() -> Put:
    """Makes texts, with metadata if they are pairs, the chunks of a source."""

    def put(base: KnowledgeBase, source: str, *chunks: str | tuple[str, Mapping[Any, Any]]) -> Change:
        pairs = [(chunk, {}) if isinstance(chunk, str) else chunk for chunk in chunks]
        documents = [Document(text, metadata={**values, "source": source}) for text, values in pairs]
        with base.writing() as writer:
            return writer.put(FileRecord(source, f"/{source}", "/", "hash"), documents)

    return put


@pytest.fixture
def run_python(tmp_path: Path) -> Callable[..., Any]:
    """Starts a Python process; `open_base()` in its code opens the test's base with the stand-in."""

    @contextmanager
    def start(code: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        process = subprocess.Popen(
            [sys.executable, "-c", _PRELUDE + code, str(tmp_path / "store"), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate()

    return start
