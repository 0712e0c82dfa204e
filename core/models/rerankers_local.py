"""Rerankers that run on this machine through sentence-transformers (extra `huggingface`)."""

import threading
from importlib import import_module
from pathlib import Path

from youju.errors import ModelRequestError, SettingsError, TextTooLongError
from youju.models.huggingface import load_pretrained

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
        if not name:
            raise SettingsError("huggingface: 后面缺少模型名，例如 huggingface:BAAI/bge-reranker-base")
        if name.startswith((".", "/", "~")):
            path = Path(name).expanduser()
            if not path.is_dir():
                raise SettingsError(
                    f"huggingface:{name}：没有这个文件夹。请检查路径，或改写模型在 Hugging Face 上的名字"
                )
            name = str(path)
        self.name = name
        self._model = load_pretrained("CrossEncoder", name)
        if self._model.num_labels != 1:
            raise ModelRequestError(
                f"huggingface:{name} 对每段文字给 {self._model.num_labels} 个值，重排要只给一个得分的模型"
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
            used = len(self._model.tokenizer(query, truncation=False, verbose=False)["input_ids"])
            longest = getattr(self._model, "max_seq_length", None) or self._model.max_length  # newer and older name
        room = int(longest) - used - _MARKS
        if room < _LEAST_ROOM:
            raise TextTooLongError(
                f"huggingface:{self.name} 一次只能读 {longest} 个词元，问题就有 {used} 个。请把问题写短"
            )
        return room
