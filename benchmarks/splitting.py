"""How fast each splitter is, against LangChain's recursive splitter on the same text, and how much memory it takes.

    python benchmarks/splitting.py FILE... [--runs 5] [--size 400] [--overlap 50] [--embedded 20000]

FILES are of any format that youju reads. Each kind and LangChain's RecursiveCharacterTextSplitter (separators:
paragraph, line, 。！？, blank; with its start index) split the same documents in turn, so that a busy machine slows
both alike; times are medians of processor time. `token` and `semantic` ask the built-in model e5, which is far slower
than any splitting: they get the first `--embedded` characters, once, on the clock of the wall, and the last lines show
how much of their time is the model's.

Memory is the most that Python held at once beyond the text, chunks included, and that of the whole process.
"""

import argparse
import gc
import resource
import time
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any, get_args

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_text_splitters import RecursiveCharacterTextSplitter
from langchain_text_splitters.base import TextSplitter

from youju.loaders import FileLoader
from youju.models import E5Embeddings
from youju.settings import SplitterSettings
from youju.splitters import build_splitter

KINDS: dict[str, Any] = {cls.model_fields["kind"].default: cls for cls in get_args(get_args(SplitterSettings)[0])}


class Stopwatch(Embeddings):
    """The built-in model, with the seconds spent in it."""

    def __init__(self) -> None:
        self.model = E5Embeddings()
        self.seconds = 0.0
        self.model.embed_query("先装入模型。")

    def timed(self, work: Callable[[], Any]) -> Any:
        """Do something, and add the time it took."""
        started = time.perf_counter()
        try:
            return work()
        finally:
            self.seconds += time.perf_counter() - started

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Turn passages into vectors."""
        vectors: list[list[float]] = self.timed(lambda: self.model.embed_documents(texts))
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """Turn a question into a vector."""
        vector: list[float] = self.timed(lambda: self.model.embed_query(text))
        return vector

    def count(self, text: str) -> int:
        """Count the tokens of a passage."""
        tokens: int = self.timed(lambda: self.model.limit.count(text))
        return tokens


def seconds(splitter: TextSplitter, documents: list[Document], clock: Callable[[], float]) -> float:
    """How long one run takes."""
    gc.collect()
    started = clock()
    splitter.split_documents(documents)
    return clock() - started


def held(splitter: TextSplitter, documents: list[Document]) -> tuple[int, float]:
    """The number of chunks, and the most MB that were held while they were made."""
    tracemalloc.start()
    chunks = splitter.split_documents(documents)
    most = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return len(chunks), most


def beginning(documents: Iterable[Document], most: int) -> list[Document]:
    """The first documents up to so many characters."""
    taken: list[Document] = []
    for document in documents:
        text = document.page_content[: most - sum(len(one.page_content) for one in taken)]
        if text:
            taken.append(Document(page_content=text, metadata=document.metadata))
    return taken


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("files", nargs="+", type=Path)
    options.add_argument("--runs", type=int, default=5)
    options.add_argument("--size", type=int, default=400)
    options.add_argument("--overlap", type=int, default=50)
    options.add_argument("--embedded", type=int, default=20_000)
    given = options.parse_args()
    documents = [document for path in given.files for document in FileLoader(path).load()]
    characters = sum(len(document.page_content) for document in documents)
    print(
        f"{characters:,} characters in {len(documents)} documents; median of {given.runs} runs, sizes {given.size}/",
        end="",
    )
    print(f"{given.overlap} characters (token: as in its defaults)\n")
    theirs = RecursiveCharacterTextSplitter(
        chunk_size=given.size,
        chunk_overlap=given.overlap,
        separators=["\n\n", "\n", "。|！|？", " ", ""],
        is_separator_regex=True,
        keep_separator="end",
        add_start_index=True,
    )
    print(f"{'kind':12}{'characters':>12}{'chunks':>8}{'characters/s':>15}{'time / LangChain':>18}{'memory, MB':>12}")
    watch = Stopwatch()
    shares = []
    for kind in ("LangChain", *sorted(KINDS)):
        slow = kind in {"semantic", "token"}
        text = beginning(documents, given.embedded) if slow else documents
        runs = 1 if slow else given.runs
        clock = time.perf_counter if slow else time.process_time  # the model works on threads of its own
        fields = KINDS[kind].model_fields if kind in KINDS else {}
        sizes = {"chunk_size": given.size, "chunk_overlap": given.overlap, "parent_size": given.size * 2}
        own = {} if kind == "token" else {name: value for name, value in sizes.items() if name in fields}
        splitter: TextSplitter = theirs
        if kind in KINDS:
            splitter = build_splitter(KINDS[kind](**own), embeddings=lambda: watch, count_tokens=watch.count)
        ours, peers = [], []
        watch.seconds = 0.0
        for _ in range(runs):
            ours.append(seconds(splitter, text, clock))
            peers.append(seconds(theirs, text, clock))
        share = watch.seconds / sum(ours)
        chunks, most = (len(splitter.split_documents(text)), float("nan")) if slow else held(splitter, text)
        length = sum(len(document.page_content) for document in text)
        ratio = median(ours) / median(peers)
        print(f"{kind:12}{length:12,}{chunks:8,}{length / median(ours):15,.0f}{ratio:18.2f}{most:12.1f}", flush=True)
        if slow:
            shares.append(f"{kind}: {median(ours):.2f} s, {share:.1%} of it in the model")
    print()
    print("\n".join(shares))
    print(f"most memory of the whole process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:,.0f} MB")


if __name__ == "__main__":
    main()
