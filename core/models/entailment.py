"""Cross-encoders that say whether a text follows from another, through sentence-transformers (extra `huggingface`)."""

import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from youju.errors import MissingExtraError, ModelRequestError, SettingsError
from youju.models.checked import sendable
from youju.models.huggingface import found_name, load_pretrained
from youju.models.rerankers import windows
from youju.models.rerankers_local import room_beside
from youju.text import has_content

_PREFIX = "huggingface:"
_EXAMPLE = "MoritzLaurer/mDeBERTa-v3-base-mnli-xnli"
_MEANINGS = {  # how models name their values, in the order to look for them
    "none": ("not_entail", "not entail", "non_entail", "non-entail"),
    "contradiction": ("contra", "矛盾"),
    "neutral": ("neutral", "neither", "中立", "中性"),
    "entailment": ("entail", "蕴含", "蕴涵"),
}
Meaning = Literal["entailment", "contradiction", "neutral", "none"]


class Probabilities(NamedTuple):
    """How surely a text follows from another, and how surely it contradicts it."""

    entailment: float
    contradiction: float


class EntailmentModel:
    """A natural-language-inference model, loaded at its first use. Code that comes with a model is never run.

    Attributes:
        name: The model as the settings name it.
    """

    def __init__(self, name: str, *, batch_size: int = 16, window: int = 400) -> None:
        """Take the model's name, how many pairs are read at a time, and the longest piece of evidence in characters.

        Raises:
            SettingsError: It is not `huggingface:` and a name, or a path that does not exist.
            MissingExtraError: sentence-transformers is not installed.
        """
        if not name.startswith(_PREFIX):
            raise SettingsError(f"判断蕴含的模型要写成 huggingface:名字，例如 {_PREFIX}{_EXAMPLE}；现在是 {name}")
        self.name = name
        self._place = found_name(name.removeprefix(_PREFIX).strip(), _EXAMPLE)
        if find_spec("sentence_transformers") is None:
            raise MissingExtraError("sentence-transformers", "huggingface", f"使用 {name} ")
        self._batch_size = batch_size
        self._window = window
        self._model: Any = None
        self._meanings: list[Meaning] = []
        self._lock = threading.Lock()  # the tokenizer cannot be used by two threads at a time

    def probabilities(self, claim: str, evidence: Sequence[str]) -> Probabilities:
        """How surely a claim follows from the evidence, and how surely it contradicts it.

        Long evidence is read in pieces of whole sentences, and all of it at once where that fits; for each of the two
        the surest reading counts.

        Raises:
            ModelRequestError: The model cannot be loaded, or does not say what its values mean.
            TextTooLongError: The claim alone is more than the model reads.
        """
        claim = sendable(claim)
        with self._lock:
            self._load()
            room = min(self._window, room_beside(claim, self._model, self._place, called="这句话"))
            together = "\n".join(evidence)
            texts = [together] if len(together) <= room else [p for text in evidence for p in windows(text, room)]
            if len(together) <= room and len(evidence) > 1:
                texts += evidence
            pairs = [(sendable(text), claim) for text in texts if has_content(text)]
            if not pairs:
                return Probabilities(0.0, 0.0)
            rows: list[list[float]] = self._model.predict(
                pairs, batch_size=self._batch_size, apply_softmax=True, show_progress_bar=False
            ).tolist()
        return Probabilities(
            *(
                max(sum(p for p, meaning in zip(row, self._meanings, strict=True) if meaning == wanted) for row in rows)
                for wanted in ("entailment", "contradiction")
            )
        )

    def _load(self) -> None:
        if self._model is None:
            model = load_pretrained("CrossEncoder", self._place)
            self._meanings = meanings(model.config.id2label, self.name)
            self._model = model


def meanings(labels: Mapping[int, str], name: str) -> list[Meaning]:
    """What each value of a model means, read from its own labels, since models differ in their order.

    Raises:
        ModelRequestError: A label is none of natural-language inference, or none means that a text follows.
    """
    found: list[Meaning] = []
    for place in sorted(labels):
        label = str(labels[place]).lower()
        meaning: Any = next((key for key, words in _MEANINGS.items() if any(word in label for word in words)), None)
        if meaning is None:
            raise ModelRequestError(
                f"{name} 不是判断蕴含的模型：它的第 {place + 1} 个值叫 {label[:40]}，"
                f"要叫 entailment、neutral 或 contradiction。例如 {_PREFIX}{_EXAMPLE}"
            )
        found.append(meaning)
    if "entailment" not in found:
        raise ModelRequestError(f"{name} 没有表示蕴含的值。请换一个模型，例如 {_PREFIX}{_EXAMPLE}")
    return found
