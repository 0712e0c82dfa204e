"""Only the sentences that bear on the question."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal, Self

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable
from langchain_core.runnables.config import ensure_config, get_executor_for_config
from pydantic import Field, SkipValidation, model_validator

from youju.models.keys import hide_secrets
from youju.retrievers.documents import key_of, with_metadata
from youju.retrievers.judges import by_vectors, by_words, prompt_of, read_numbers
from youju.retrievers.notes import best, drop
from youju.retrievers.transformer import Transformer
from youju.retrievers.writing import LOG, awritten, written
from youju.text import sentences

_INSTEAD = "改按相同的词挑句子"

Spans = list[tuple[int, int]]


class CompressRetriever(Transformer):
    """Keeps of each document the sentences that bear on the question, word for word, and drops the others.

    Which ones do is judged `by`:

    - `words`: those that hold at least half as many of the question's words and pairs of neighbouring Han characters
      as the best sentence of the document does;
    - `vectors`: those whose cosine with the question reaches `threshold`, or without one the middle between the
      document's nearest and farthest sentence;
    - `chat`: those whose numbers a chat model names; if it fails, or writes anything else, that document is judged by
      words, with a warning of the logger `youju`.

    A document in which none does, or that holds a table, stays whole.

    Sentences that stand side by side stay joined as they were; where some are left out between, a line end stands.
    `kept` lists the `[start, end]` of each run in the text that the document's `start` and `end` count in, and these
    two become those of the first and last run; for documents without them `kept` counts in the document itself.
    """

    by: Literal["words", "vectors", "chat"] = "words"
    """How sentences are judged."""
    neighbours: int = Field(default=0, ge=0)
    """Sentences kept on each side of one that bears on the question."""
    threshold: float | None = Field(default=None, ge=-1, le=1)
    """Of `vectors`: least cosine of a sentence that is kept."""
    embeddings: SkipValidation[Embeddings] | None = None
    """Of `vectors`: the model that makes them."""
    chat: SkipValidation[BaseChatModel | Runnable[Any, Any]] | None = None
    """Of `chat`: any runnable from a text to a message or text."""
    name: str | None = "compress"

    @model_validator(mode="after")
    def _has_a_judge(self) -> Self:
        for way, needed in (("vectors", "embeddings"), ("chat", "chat")):
            if self.by == way and getattr(self, needed) is None:
                raise ValueError(f"by 是 {way} 时，要给出 {needed}")
        return self

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """The documents, shortened."""
        documents = best(documents, limit)
        texts = [_texts(document) for document in documents]
        return self._all_shortened(documents, self._chosen(query, texts))

    async def achanged(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        """`changed` for asynchronous callers."""
        documents = best(documents, limit)
        texts = [_texts(document) for document in documents]
        return self._all_shortened(documents, await self._achosen(query, texts))

    def _chosen(self, query: str, texts: list[list[str]]) -> list[set[int]]:
        """Of each document, which sentences bear on the question."""
        if self.by == "vectors" and self.embeddings is not None and any(texts):
            vectors = self.embeddings.embed_documents([text for several in texts for text in several])
            return self._near(self.embeddings.embed_query(query), vectors, texts)
        if self.by == "chat" and self.chat is not None:
            chat, name = self.chat, self.get_name()

            def ask(several: list[str]) -> str:
                return written(chat, prompt_of(query, several), None, name, _INSTEAD) if several else ""

            with get_executor_for_config(ensure_config()) as executor:
                return self._named(query, texts, list(executor.map(ask, texts)))
        return [by_words(query, several) for several in texts]

    async def _achosen(self, query: str, texts: list[list[str]]) -> list[set[int]]:
        if self.by == "vectors" and self.embeddings is not None and any(texts):
            vectors = await self.embeddings.aembed_documents([text for several in texts for text in several])
            return self._near(await self.embeddings.aembed_query(query), vectors, texts)
        if self.by == "chat" and self.chat is not None:
            chat, name = self.chat, self.get_name()

            async def ask(several: list[str]) -> str:
                return await awritten(chat, prompt_of(query, several), None, name, _INSTEAD) if several else ""

            return self._named(query, texts, await asyncio.gather(*map(ask, texts)))
        return [by_words(query, several) for several in texts]

    def _near(
        self, question: Sequence[float], vectors: Sequence[Sequence[float]], texts: list[list[str]]
    ) -> list[set[int]]:
        chosen, at = [], 0
        for several in texts:
            own = vectors[at : at + len(several)]
            at += len(several)
            chosen.append(by_vectors(question, own, self.threshold) if several else set())
        return chosen

    def _named(self, query: str, texts: list[list[str]], replies: Sequence[str]) -> list[set[int]]:
        chosen = []
        for several, reply in zip(texts, replies, strict=True):
            numbers = read_numbers(reply, len(several))
            if numbers is None and reply:
                LOG.warning("%s 的回复不是句子的编号，%s：%.80s", self.get_name(), _INSTEAD, hide_secrets(reply))
            chosen.append(by_words(query, several) if numbers is None else numbers)
        return chosen

    def _all_shortened(self, documents: list[Document], chosen: list[set[int]]) -> list[Document]:
        return [
            self._shortened(document, those) if those else document
            for document, those in zip(documents, chosen, strict=True)
        ]

    def _shortened(self, document: Document, chosen: set[int]) -> Document:
        text, spans = document.page_content, sentences(document.page_content)
        wanted = {near for at in chosen for near in range(at - self.neighbours, at + self.neighbours + 1)}
        runs = _runs(spans, wanted)
        if len(runs) == 1 and runs[0] == (spans[0][0], spans[-1][1]):
            return document
        for at, (start, end) in enumerate(spans):
            if at not in wanted:
                drop(document, "sentence", "句子与问题无关", text=text[start:end])
        shorter = _of_runs(document, runs)
        if document.id is None:  # what it is known by holds its text
            drop(document, "replaced", "只留下与问题有关的句子", became=key_of(shorter))
        return shorter


def _texts(document: Document) -> list[str]:
    """The sentences to judge; none of a document that stays whole: one with a table, or of one sentence."""
    text = document.page_content
    if any(line.lstrip().startswith("|") for line in text.splitlines()):
        return []
    spans = sentences(text)
    return [text[start:end] for start, end in spans] if len(spans) > 1 else []


def _runs(spans: Sequence[tuple[int, int]], wanted: set[int]) -> Spans:
    """The wanted spans, those side by side joined."""
    out: Spans = []
    for at, (start, end) in enumerate(spans):
        if at in wanted:
            if at - 1 in wanted and out:
                out[-1] = (out[-1][0], end)
            else:
                out.append((start, end))
    return out


def _of_runs(document: Document, runs: Sequence[tuple[int, int]]) -> Document:
    text, first, last = document.page_content, document.metadata.get("start"), document.metadata.get("end")
    counted = isinstance(first, int) and isinstance(last, int) and last - first == len(text)
    offset = first if counted and isinstance(first, int) else 0
    kept = [[start + offset, end + offset] for start, end in runs]
    places: dict[str, Any] = {"start": kept[0][0], "end": kept[-1][1]} if counted else {}
    shorter = Document(
        id=document.id, page_content="\n".join(text[start:end] for start, end in runs), metadata=document.metadata
    )
    return with_metadata(shorter, **places, kept=kept)
