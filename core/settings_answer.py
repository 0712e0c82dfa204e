"""The options of answers."""

from typing import Annotated, Literal

from pydantic import Field, field_validator

from youju.settings_base import StrictModel, model_name
from youju.settings_models import ChatSettings


class EntailmentSettings(StrictModel):
    """A second opinion of a model that says whether a text follows from another."""

    kind: Literal["entailment"] = "entailment"
    model: str
    """`huggingface:NAME` of a model for natural-language inference, or `huggingface:` and the path of one."""
    threshold: float = Field(default=0.5, gt=0, le=1)
    """Least probability with which the evidence supports or contradicts a claim."""
    window: int = Field(default=400, ge=50)
    """Most characters of evidence read at once; longer evidence is read in pieces."""
    batch_size: int = Field(default=16, ge=1, le=1024)
    """Pieces read at a time."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return model_name(value)


class JudgeSettings(StrictModel):
    """A second opinion of a chat model."""

    kind: Literal["judge"] = "judge"
    chat: ChatSettings | None = None
    """The model that judges; unset: that of the `chat` section."""


OpinionSettings = Annotated[EntailmentSettings | JudgeSettings, Field(discriminator="kind")]
"""A second opinion on the claims of an answer."""


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
    support: Literal["words", "words_and_vectors"] = "words"
    """With `grounded`, what carries a sentence besides its facts: enough of its words, or else a sentence of the
    evidence with a near vector; this takes some ten milliseconds a sentence. Vectors of `e5` lie close together and
    carry little more than words do; an entailment model among `opinions` reads better."""
    max_retries: int = Field(default=1, ge=0, le=5)
    """How often the model may try again after its answer failed the checks."""
    readings: Literal[1, 2] = 1
    """`2`: the model reads the evidence twice, each time asked in other words, and where the first time it finds no
    answer there is none. Takes a second call for what is answered; small models invent much less."""
    gate: Literal["auto", "builtin", "none"] = "auto"
    """`auto`: evidence that does not bear on the question is not put before the model; what that means is fitted to the
    base by `youju eval calibrate`, and until then only what shares next to nothing with it is kept back. `builtin`:
    what was fitted is not used. `none`: the model is always asked."""
    gate_threshold: float | None = Field(default=None, ge=0, le=1)
    """Least score of evidence that is put before the model; unset: the fitted one, or the built-in one."""
    opinions: list[OpinionSettings] = Field(default_factory=list)
    """Models that are asked, with `grounded`, whether what a sentence cites says so. Any of them can take support away;
    all together can give it where only the words differ, never where a number, a name or a negation does."""
