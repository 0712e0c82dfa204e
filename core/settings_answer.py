"""The options of answers."""

from typing import Literal

from pydantic import Field

from youju.settings_base import StrictModel


class AnswerSettings(StrictModel):
    """How the answer is made and checked."""

    mode: Literal["answer", "extract"] = "answer"
    """`answer`: sentences with marks. `extract`: one passage of the evidence, word for word, as checked JSON."""
    structured: Literal["auto", "never"] = "auto"
    """With `extract`: `auto` has a provider that can do so hold the model to the form of the JSON."""
    context_chars: int = Field(default=6000, ge=1)
    """Most characters of evidence, block headers and separators included, that the model reads."""
    history_chars: int = Field(default=2000, ge=0)
    """Most characters of earlier turns, the newest ones, that the model reads in a conversation."""
    citations: Literal["format", "coverage", "grounded"] = "grounded"
    """`format`: there are numbers, and they name evidence that was sent. `coverage`: every sentence carries one.
    `grounded`: what each sentence cites says so, numbers, names and negations included."""
    repair: Literal["marks", "none"] = "marks"
    """`marks`, with `grounded`: a sentence that the evidence carries, but whose mark is missing or names other
    evidence, gets the right one; no number that names nothing is ever replaced."""
    max_retries: int = Field(default=1, ge=0, le=5)
    """How often the model may try again after its answer failed the checks."""
    gate: Literal["auto", "none"] = "auto"
    """`auto`: evidence that does not bear on the question is not put before the model; what that means is fitted to the
    base by `youju eval calibrate`, and until then only what shares next to nothing with it is kept back. `none`: the
    model is always asked."""
    gate_threshold: float | None = Field(default=None, ge=0, le=1)
    """Least score of evidence that is put before the model; unset: the fitted one, or the built-in one."""
