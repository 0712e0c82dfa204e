"""Prompt texts, one file a message, with `{name}` where a value goes.

Values are put in as they are: braces in documents and questions have no meaning.
"""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from langchain_core.prompts import ChatPromptTemplate

__all__ = ["answer_prompt", "in_language", "language", "prompt_text"]

_HAN = re.compile("[\u3400-\u9fff]")


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file, such as `answer.human`, without the line end at its end."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def in_language(name: str, spoken: Literal["zh", "en"]) -> str:
    """The text of a prompt file in a language."""
    return prompt_text(name if spoken == "zh" else f"{name}.{spoken}")


def language(question: str) -> Literal["zh", "en"]:
    """In which language a question is put to a model: `zh` if it has a Han character, else `en`."""
    return "zh" if _HAN.search(question) else "en"


def answer_prompt(spoken: Literal["zh", "en"] = "zh") -> "ChatPromptTemplate":
    """The prompt of the answer chain in a language; takes `evidence`, the numbered blocks, and `question`.

    It is one message: with rules in a system message of their own, a small model answers more of what the evidence does
    not say and less of what it does (docs/benchmarks.md).
    """
    from langchain_core.prompts import ChatPromptTemplate  # noqa: PLC0415 - slow to import, used by one chain

    return ChatPromptTemplate.from_messages([("human", in_language("answer.human", spoken))])
