"""Prompt texts, one file a message, with `{name}` where a value goes.

Values are put in as they are: braces in documents and questions have no meaning.
"""

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from langchain_core.prompts import ChatPromptTemplate

__all__ = ["answer_prompt", "prompt_text"]


@cache
def prompt_text(name: str) -> str:
    """The text of a prompt file, such as `answer.system`, without the line end at its end."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").rstrip("\n")


def answer_prompt() -> "ChatPromptTemplate":
    """The prompt of the answer chain; takes `evidence`, the numbered blocks, and `question`."""
    from langchain_core.prompts import ChatPromptTemplate  # noqa: PLC0415 - slow to import, used by one chain

    return ChatPromptTemplate.from_messages(
        [("system", prompt_text("answer.system")), ("human", prompt_text("answer.human"))]
    )
