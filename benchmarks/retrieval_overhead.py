"""What hybrid retrieval costs beyond its parts: the question's vector, the vector store, and BM25.

    python benchmarks/retrieval_overhead.py DB QUESTIONS [--rounds 5]

DB is a folder with a knowledge base, QUESTIONS a text file with one question a line. The parts are called bare: the
embedding model, Chroma's own query, bm25s with the question's words. Everything runs in one process, alternating;
medians are printed.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from youju import KnowledgeBase, Settings
from youju.retrievers import build_retriever


def milliseconds(call: Callable[[], object]) -> float:
    """Wall time of one call."""
    started = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("db", type=Path)
    options.add_argument("questions", type=Path)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    base = KnowledgeBase.open(Settings.load(overrides={"store.path": str(given.db)}))
    questions = given.questions.read_text(encoding="utf-8").split("\n")
    questions = [question for question in questions if question.strip()]
    hybrid = build_retriever(base)
    depth = max(base.settings.retriever.fetch_k, hybrid.k)
    store = base.as_vectorstore()
    index = base._current().keywords()  # noqa: SLF001 - the bare part
    names = ("vector of the question", "Chroma query", "BM25 (words and scores)", "hybrid retrieval")
    times: dict[str, list[float]] = {name: [] for name in names}
    vectors = {question: base.embeddings.embed_query(question) for question in questions}  # so that none is made twice
    for question in questions:
        hybrid.invoke(question)
    for _ in range(given.rounds):
        for question, vector in vectors.items():
            parts = (
                milliseconds(lambda: base.embeddings.embed_query(question)),  # noqa: B023 - called at once
                milliseconds(lambda: store._collection.query([vector], n_results=depth, include=["distances"])),  # noqa: B023, SLF001 - the bare part
                milliseconds(lambda: index.search(base.analyzer.tokens(question), depth)),  # noqa: B023 - called at once
                milliseconds(lambda: hybrid.invoke(question)),  # noqa: B023 - called at once
            )
            for name, taken in zip(names, parts, strict=True):
                times[name].append(taken)
    print(
        f"{base.count()} chunks, {len(questions)} questions, {given.rounds} rounds, {depth} candidates a leg; "
        "medians in ms"
    )
    for name, measured in times.items():
        print(f"{name:28}{median(measured):8.2f}")
    beyond = [whole - sum(parts) for *parts, whole in zip(*times.values(), strict=True)]
    print(f"{'beyond the sum of its parts':28}{median(beyond):8.2f}")


if __name__ == "__main__":
    main()
