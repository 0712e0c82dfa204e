"""A retrieval set in a knowledge base, one source a passage, and what a retriever finds of it."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256

from langchain_core.documents import Document
from langchain_core.runnables import Runnable

from youju.chains.fitting import fit
from youju.errors import KnowledgeBaseError
from youju.eval.datasets import Passage, RetrievalDataset
from youju.knowledge import FileRecord, KnowledgeBase
from youju.models import InputLimit, input_limit
from youju.text import has_content


def store_passages(
    base: KnowledgeBase, dataset: RetrievalDataset, *, on_progress: Callable[[int, int], None] = lambda _, __: None
) -> int:
    """Make a base hold the passages of a set, each as a source of its own.

    A passage is cut only where the embedding model cannot read it whole; its title is searched with each of its
    chunks. Passages that the base holds already are left as they are: a run that was broken off goes on where it ended.

    Args:
        base: Where to; it may hold nothing else.
        dataset: What is stored.
        on_progress: Called with the number of passages looked at, and of all.

    Returns:
        How many chunks the base holds.

    Raises:
        KnowledgeBaseError: The base holds files that are no passages of this set, or cannot be written.
        ModelError: The embedding model failed, or a title alone is more than it reads.
    """
    held = {record.source: record.hash for record in base.files()}
    foreign = [source for source in held if source not in dataset.passages]
    if foreign:
        raise KnowledgeBaseError(
            f"知识库 {base.name}（{base.settings.store.path}）里有 {foreign[0]} 等 {len(foreign)} 份不属于数据集 "
            f"{dataset.name} 的资料，测出的数字会不对；请换一个空的文件夹"
        )
    with base.writing() as writer:
        limit = input_limit(base.embeddings, base.settings.embeddings)
        for number, passage in enumerate(dataset.passages.values(), start=1):
            record = _record(passage, dataset)
            if held.get(passage.id) != record.hash:
                writer.put(record, list(passage_chunks(passage, limit)))
            on_progress(number, len(dataset.passages))
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


def _record(passage: Passage, dataset: RetrievalDataset) -> FileRecord:
    content = sha256(f"{passage.title}\0{passage.text}".encode("utf-8", "surrogatepass")).hexdigest()
    return FileRecord(passage.id, f"/{dataset.name}/{passage.id}", f"/{dataset.name}", content, units=1)
