"""The example documents, and the model that reads them."""

from pathlib import Path

import pytest
from langchain_core.documents import Document

from youju.loaders import FileLoader

COMPARE = Path(__file__).parents[2] / "examples" / "compare"


@pytest.fixture
def article() -> list[Document]:
    """A Chinese article of more than 3,000 characters, as it is loaded."""
    return FileLoader(COMPARE / "小城的自来水.txt").load()
