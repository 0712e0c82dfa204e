"""A retrieval set in a knowledge base, and what a retriever finds of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from langchain_core.documents import Document
from langchain_core.runnables import Runnable

from youju.chains.fitting import fit
from youju.errors import KnowledgeBaseError
from youju.eval.datasets import Passage, RetrievalDataset
from youju.knowledge import FileRecord, KnowledgeBase
from youju.models import InputLimit, input_limit
from youju.text import has_content

_PART = "corpus.jsonl#"
_TOGETHER = 200
"""Passages written at a time: the vector store takes about as long for one as for hundreds."""


def store_passages(
    base: KnowledgeBase, dataset: RetrievalDataset, *, on_progress: Callable[[int, int], None] = lambda _, __: None
) -> int:
    """Make a base hold the passages of a set, each under its id as `source`.

    A passage is cut only where the embedding model cannot read it whole; its title is searched with each of its
    chunks. They are written some hundred at a time, and what the base holds already is left as it is: a run that was
    broken off goes on where it ended.

    Args:
        base: Where to; it may hold nothing else.
        dataset: What is stored.
        on_progress: Called with the number of passages done, and of all.

    Returns:
        How many chunks the base holds.

    Raises:
        KnowledgeBaseError: The base holds something else, or cannot be written.
        ModelError: The embedding model failed, or a title alone is more than it reads.
    """
    passages = list(dataset.passages.values())
    held = {record.source: record.hash for record in base.files()}
    foreign = [source for source in held if not source.startswith(_PART)]
    if foreign:
        raise KnowledgeBaseError(
            f"知识库 {base.name}（{base.settings.store.path}）里有不属于数据集的资料，如 {foreign[0]}，"
            "测出的数字会不对；请换一个空的文件夹"
        )
    parts = {f"{_PART}{start}": passages[start : start + _TOGETHER] for start in range(0, len(passages), _TOGETHER)}
    wanted = {source: _record(source, part) for source, part in parts.items()}
    if held != {source: record.hash for source, record in wanted.items()}:
        with base.writing() as writer:
            limit = input_limit(base.embeddings, base.settings.embeddings)
            for source, part in parts.items():
                if held.get(source) != wanted[source].hash:
                    writer.put(wanted[source], [chunk for passage in part for chunk in passage_chunks(passage, limit)])
                on_progress(min(int(source.removeprefix(_PART)) + _TOGETHER, len(passages)), len(passages))
            for source in held.keys() - wanted.keys():
                writer.remove(source)
    return base.count()


def passage_chunks(passage: Passage, limit: InputLimit | None) -> Iterator[Document]:
    """A passage as the chunks that are stored of it: one, unless the embedding model cannot read it whole."""
    text = passage.text if has_content(passage.text) else passage.title
    metadata = {"source": passage.id, "start": 0, "end": len(text)}
    if has_content(passage.title) and text != passage.title:
        metadata["title"] = passage.title
    return fit([Document(page_content=text, metadata=metadata)], limit)


def rank_passages(
    retriever: Runnable[str, list[Document]],
    questions: Mapping[str, str],
    *,
    depth: int = 10,
) -> dict[str, list[str]]:
    """Ask each question, and list the passages that are found.

    A passage stands where its best chunk does, so the retriever should return more chunks than passages are wanted.

    Args:
        retriever: What is asked.
        questions: The questions by id.
        depth: Most passages for a question.

    Returns:
        For each question the ids of the passages, best first.
    """
    return {question: sources(retriever.invoke(text))[:depth] for question, text in questions.items()}


def sources(documents: Iterable[Document]) -> list[str]:
    """The sources of documents, each once, where it stands first."""
    return list(dict.fromkeys(str(document.metadata["source"]) for document in documents))


def _record(source: str, part: Sequence[Passage]) -> FileRecord:
    content = "\0".join(text for passage in part for text in (passage.id, passage.title, passage.text))
    found = sha256(content.encode("utf-8", "surrogatepass")).hexdigest()
    return FileRecord(source, f"/{source}", "/", found, units=len(part))
