"""Rerankers: models that read a question and a passage together and score how well they fit."""

import asyncio
import math
import threading
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

from youju.errors import ModelError
from youju.models.checked import sendable
from youju.models.failures import model_errors
from youju.settings import RerankSettings
from youju.text import has_content, sentences

Scale = Literal["auto", "logit", "probability"]
"""What a model's scores are: logits of any size, probabilities in [0, 1], or logits once one is outside [0, 1]."""


class SupportsScores(Protocol):
    """Something that scores passages for a question; the only thing a reranker of your own needs.

    A `name` is used in messages; `room(query)` may say how many characters of a passage the model reads beside the
    question; `ascore` is awaited where it exists.
    """

    def score(self, query: str, passages: list[str]) -> list[float]:
        """One score for each passage, in their order; larger is better."""


class Reranker:
    """A model's scores, made comparable: always in [0, 1], one for each passage, whatever its length.

    Passages without content are not sent and score 0. Longer ones than `window` are scored in pieces that begin and
    end with sentences, and the best piece counts. Logits become probabilities by 1 / (1 + e^-x).

    Attributes:
        inner: The model that does the work.
        name: The model as the settings name it.
    """

    def __init__(
        self,
        inner: SupportsScores,
        name: str | None = None,
        *,
        scale: Scale = "auto",
        batch_size: int = 32,
        window: int = 400,
    ) -> None:
        self.inner = inner
        self.name = name or str(getattr(inner, "name", None) or type(inner).__name__)
        self._scale: Scale = scale
        self._batch_size = batch_size
        self._window = window
        self._lock = threading.Lock()

    def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        """A score in [0, 1] for each passage, in their order.

        Raises:
            ModelError: The model failed, or gave something else than one finite score a passage.
        """
        pieces = self._pieces(query, passages)
        found: list[float] = []
        for batch in self._batches(pieces):
            with model_errors(self.name):
                raw = self.inner.score(sendable(query), batch)
            found.extend(self._checked(raw, len(batch)))
        return self._of_passages(pieces, found, len(passages))

    async def ascores(self, query: str, passages: Sequence[str]) -> list[float]:
        """`scores` for asynchronous callers; a model that cannot be awaited is called in a thread."""
        ascore = getattr(self.inner, "ascore", None)
        if ascore is None:
            return await asyncio.to_thread(self.scores, query, passages)
        pieces = self._pieces(query, passages)
        found: list[float] = []
        for batch in self._batches(pieces):
            with model_errors(self.name):
                raw = await ascore(sendable(query), batch)
            found.extend(self._checked(raw, len(batch)))
        return self._of_passages(pieces, found, len(passages))

    def _pieces(self, query: str, passages: Sequence[str]) -> list[tuple[int, str]]:
        """What is sent: the place of its passage, and a text."""
        room = getattr(self.inner, "room", None)
        window = self._window if room is None else min(self._window, room(query))
        return [
            (place, sendable(piece))
            for place, passage in enumerate(passages)
            for piece in windows(passage, window)
            if has_content(piece)
        ]

    def _batches(self, pieces: list[tuple[int, str]]) -> Iterator[list[str]]:
        for start in range(0, len(pieces), self._batch_size):
            yield [piece for _, piece in pieces[start : start + self._batch_size]]

    def _checked(self, raw: Sequence[float], expected: int) -> list[float]:
        found = [float(value) if isinstance(value, int | float) else math.nan for value in raw]
        if len(found) != expected:
            raise ModelError(f"给 {self.name} 发了 {expected} 段文字，回来 {len(found)} 个得分。请换一个模型或服务")
        if not all(map(math.isfinite, found)):
            raise ModelError(f"{self.name} 给的得分里有不是有限数的值。请换一个模型或服务")
        return found

    def _of_passages(self, pieces: list[tuple[int, str]], raw: list[float], count: int) -> list[float]:
        with self._lock:
            if self._scale == "auto" and any(not 0 <= value <= 1 for value in raw):
                self._scale = "logit"
            logits = self._scale == "logit"
        scores = [0.0] * count
        for (place, _), value in zip(pieces, raw, strict=True):
            scores[place] = max(scores[place], _sigmoid(value) if logits else min(max(value, 0.0), 1.0))
        return scores


def build_reranker(settings: RerankSettings) -> Reranker:
    """Make the reranker that the settings describe.

    Raises:
        SettingsError: The name is empty or a path that does not exist.
        MissingExtraError: A local model is asked for and sentence-transformers is not installed.
        ModelAuthError: `api_key_env` names a variable that is unset.
        ModelRequestError: The local model cannot be loaded.
    """
    provider, _, name = settings.model.partition(":")
    inner: SupportsScores
    scale: Scale = settings.scores
    if provider.strip().lower() == "huggingface":
        from youju.models.rerankers_local import CrossEncoderScores  # noqa: PLC0415 - only the model asked for

        inner = CrossEncoderScores(name.strip(), batch_size=settings.batch_size)
        scale = "logit" if scale == "auto" else scale  # what the network gives before any activation
    else:
        from youju.models.rerankers_http import HttpScores  # noqa: PLC0415 - as above

        inner = HttpScores(settings)
    return Reranker(inner, settings.model, scale=scale, batch_size=settings.batch_size, window=settings.window)


def windows(text: str, size: int) -> list[str]:
    """Cut a text into pieces of at most `size` characters that hold whole sentences where they fit.

    The last sentence of a piece is the first of the next one, if both fit; a sentence longer than a piece is cut with a
    quarter of overlap. A text that fits is one piece.
    """
    if len(text) <= size:
        return [text]
    spans: list[tuple[int, int]] = []
    for start, end in sentences(text):
        step = max(size - size // 4, 1)
        spans.extend((at, min(at + size, end)) for at in range(start, max(end - size // 4, start + 1), step))
    out: list[tuple[int, int]] = []
    for at, (start, end) in enumerate(spans):
        if out and end - out[-1][0] <= size:
            out[-1] = (out[-1][0], end)
        else:
            before = spans[at - 1][0] if out else start
            out.append((before if end - before <= size else start, end))
    return [text[start:end] for start, end in out]


def _sigmoid(value: float) -> float:
    return 1 / (1 + math.exp(-value)) if value >= 0 else math.exp(value) / (1 + math.exp(value))
