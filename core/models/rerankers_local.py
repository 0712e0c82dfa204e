"""Rerankers that run on this machine through sentence-transformers (extra `huggingface`)."""

import threading
from importlib import import_module
from typing import Any

from youju.errors import ModelRequestError, TextTooLongError
from youju.models.huggingface import found_name, load_pretrained

_LEAST_ROOM = 16
_MARKS = 4  # the tokens put around question and passage, at most


class CrossEncoderScores:
    """A sentence-transformers `CrossEncoder`, scored with its raw logits. Code that comes with a model is never run.

    Attributes:
        name: Name on the Hugging Face hub, or path of a folder.
    """

    def __init__(self, name: str, *, batch_size: int = 32) -> None:
        """Load the model, downloading it on first use.

        Raises:
            MissingExtraError: sentence-transformers is not installed.
            SettingsError: The name is empty, or a path that does not exist.
            ModelRequestError: There is no such model, it cannot be loaded, or it does not give one score.
        """
        self.name = found_name(name, "BAAI/bge-reranker-base")
        self._model = load_pretrained("CrossEncoder", self.name)
        if self._model.num_labels != 1:
            raise ModelRequestError(
                f"huggingface:{self.name} 对每段文字给 {self._model.num_labels} 个值，重排要只给一个得分的模型"
            )
        self._as_is = import_module("torch").nn.Identity()  # by name, as `load_pretrained` does
        self._batch_size = batch_size
        self._lock = threading.Lock()  # the tokenizer cannot be used by two threads at a time

    def score(self, query: str, passages: list[str]) -> list[float]:
        """The logit of each passage."""
        with self._lock:
            found: list[float] = self._model.predict(
                [(query, passage) for passage in passages],
                batch_size=self._batch_size,
                activation_fn=self._as_is,
                show_progress_bar=False,
            ).tolist()
        return found

    def room(self, query: str) -> int:
        """How many characters of a passage are surely read beside a question: one token each, as in Chinese.

        Raises:
            TextTooLongError: The question leaves no room.
        """
        with self._lock:
            return room_beside(query, self._model, self.name)


def room_beside(text: str, model: Any, name: str, *, called: str = "问题") -> int:
    """How many characters of another text a cross-encoder surely reads beside this one, which messages call so.

    Raises:
        TextTooLongError: The text leaves no room.
    """
    used = len(model.tokenizer(text, truncation=False, verbose=False)["input_ids"])
    longest = getattr(model, "max_seq_length", None) or model.max_length  # newer and older name
    room = int(longest) - used - _MARKS
    if room < _LEAST_ROOM:
        raise TextTooLongError(
            f"huggingface:{name} 一次只能读 {longest} 个词元，{called}就有 {used} 个。请把{called}写短"
        )
    return room
