"""How fast retrieval is and how much memory it takes, against rank-bm25, bm25s and LangChain's own retrievers.

    python benchmarks/retrieval_speed.py PASSAGES [--sizes 1000,10000,60000] [--rounds 3] [--plot growth.svg]

PASSAGES is a folder in the BEIR layout (corpus.jsonl, queries.jsonl) or a JSONL file with a `text` in each line. It is
made as large as each size asks for by joining halves of its passages; vectors are made from hashes of pairs of
characters, so that no model's time is in any figure. One run measures everything, the sides alternating question by
question, and prints medians; loading and memory are those of new processes. A base of 60,000 passages takes minutes to
write; `--work` keeps bases for the next run.
"""

import argparse
import json
import os
import pickle
import platform
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import bm25s
import numpy as np
import rank_bm25
from langchain_classic.retrievers.ensemble import EnsembleRetriever
from langchain_core.documents import Document
from speed_corpus import TENANTS, fill, open_base, read, varied

from youju import KnowledgeBase
from youju.knowledge import KeywordIndex
from youju.retrievers import BM25Retriever, CurrentRetriever, HybridRetriever, VectorRetriever

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # the package announces its end whenever it is imported
    from langchain_community.retrievers import BM25Retriever as StockBM25Retriever

DEPTH = 50
WARM_UP = 5
CHILDREN = 3
Times = dict[str, float]
clock = perf_counter


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--sizes", default="1000,3000,10000,30000,60000,100000")
    parser.add_argument("--rounds", type=int, default=3, help="how often each question is asked")
    parser.add_argument("--questions", type=int, default=60, help="how many are asked")
    parser.add_argument(
        "--cpu", action="store_true", help="processor time in the place of wall time, if others work here"
    )
    parser.add_argument("--work", type=Path, help="where bases are kept; a temporary folder if not given")
    parser.add_argument("--plot", type=Path, help="an SVG or PNG file")
    given = parser.parse_args()
    passages, questions = read(given.passages)
    questions = [question for question in questions if len(question) >= 6][: given.questions]
    asked = f"{len(questions)} questions, {given.rounds} rounds, the best {DEPTH} of each leg"
    print(state(), f"{asked}; {'processor' if given.cpu else 'wall'} time.\n", sep="\n")
    global clock  # noqa: PLW0603 - one for the whole run
    clock = process_time if given.cpu else perf_counter
    growth: dict[int, Times] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, given.sizes.split(",")):
            work = (given.work or Path(folder)) / str(size)
            growth[size] = measured(varied(passages, size), questions, work, given.rounds)
            show(size, growth[size])
    print("\n" + table_of(growth))
    if given.plot:
        plot(growth, given.plot)


def state() -> str:
    """The machine and the versions."""
    names = ("youju", "bm25s", "rank-bm25", "chromadb", "langchain-core", "langchain-classic", "numpy")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    versions = [f"Python {platform.python_version()}", *(f"{name} {version(name)}" for name in names)]
    return f"{machine}; {', '.join(versions)}"


def measured(passages: Sequence[str], questions: Sequence[str], work: Path, rounds: int) -> Times:
    """All figures of one size, by name; those in seconds or MB say so."""
    base = open_base(work / "base")
    times: Times = {}
    if base.count() != len(passages):  # not there, or left half written
        times["write, s"] = seconds(lambda: fill(base, passages))
    documents = base.documents()
    fast, slow = built(base, documents, times)
    cut = base.analyzer.tokens(questions[0])
    times |= in_new_processes(work, fast, slow, questions[0], cut)
    times |= alternating(searches(base, fast, slow, documents), questions, rounds)
    times |= outdated(base, questions[0])
    base.close()
    return times


def built(base: KnowledgeBase, documents: Sequence[Document], times: Times) -> tuple[Any, Any]:
    """The indexes of bm25s and of rank-bm25 over the base's own tokens; how long they took, and ours."""
    started = clock()
    tokens = [base.analyzer.tokens(document.page_content) for document in documents]
    times["cut, s"] = clock() - started
    started = clock()
    KeywordIndex.build([str(document.id) for document in documents], tokens)
    times["build ours, s"] = clock() - started
    started = clock()
    fast = bm25s.BM25()
    fast.index(tokens, show_progress=False)
    times["build bm25s, s"] = clock() - started
    started = clock()
    slow = rank_bm25.BM25Okapi(tokens)
    times["build rank-bm25, s"] = clock() - started
    return fast, slow


def searches(
    base: KnowledgeBase, fast: Any, slow: Any, documents: Sequence[Document]
) -> dict[str, Callable[[int, str], object]]:
    """What is timed, by name; each takes the question's number and text."""
    cut, embed = base.analyzer.tokens, base.embeddings.embed_query
    index = base._current().keywords()  # noqa: SLF001 - the bare part
    store = base.as_vectorstore()
    words = BM25Retriever(source=base, k=DEPTH)
    few = BM25Retriever(source=base, k=10)
    meaning = VectorRetriever(source=base, k=DEPTH)
    hybrid = HybridRetriever(retrievers=[words, meaning], weights=[0.5, 0.5], k=2 * DEPTH)
    stock_words = StockBM25Retriever(vectorizer=slow, docs=list(documents), preprocess_func=cut, k=DEPTH)
    stock_meaning = store.as_retriever(search_kwargs={"k": DEPTH})
    stock = EnsembleRetriever(retrievers=[stock_words, stock_meaning], weights=[0.5, 0.5])
    places = {t: [at for at, d in enumerate(documents) if d.metadata["tenant"] == f"t{t}"] for t in range(TENANTS)}
    weights = {t: np.zeros(len(documents), dtype=np.float32) for t in range(TENANTS)}
    for tenant, here in places.items():
        weights[tenant][here] = 1
    sources = sorted({document.metadata["source"] for document in documents})
    many = {"source": {"$in": sources[::3]}}

    def tenant(number: int) -> dict[str, Any]:
        return {"tenant": f"t{number % TENANTS}"}

    def rank_bm25_filtered(number: int, text: str) -> object:
        here = places[number % TENANTS]
        return np.argsort(-np.array(slow.get_batch_scores(cut(text), here)), kind="stable")[:DEPTH]

    def bm25s_of(text: str, **options: Any) -> object:
        return fast.retrieve([cut(text)], k=DEPTH, show_progress=False, **options)

    return {
        "bm25: rank-bm25": lambda _, text: np.argsort(-slow.get_scores(cut(text)), kind="stable")[:DEPTH],
        "bm25: bm25s": lambda _, text: bm25s_of(text),
        "bm25: ours, ids and scores": lambda _, text: index.search(cut(text), DEPTH),
        "bm25: ours, a retriever's 10 documents": lambda _, text: few.invoke(text),
        "bm25: ours, a retriever's 50 documents": lambda _, text: words.invoke(text),
        "1 %: rank-bm25, told the places": rank_bm25_filtered,
        "1 %: bm25s, told the places": lambda number, text: bm25s_of(text, weight_mask=weights[number % TENANTS]),
        "1 %: ours, a retriever's 10 documents": lambda number, text: few.invoke(text, filter=tenant(number)),
        "1 %: ours, hybrid": lambda number, text: hybrid.invoke(text, filter=tenant(number)),
        "$in: ours, a retriever's 10 documents": lambda _, text: few.invoke(text, filter=many),
        "$in: ours, hybrid": lambda _, text: hybrid.invoke(text, filter=many),
        "hybrid: EnsembleRetriever": lambda _, text: stock.invoke(text),
        "hybrid: ours": lambda _, text: hybrid.invoke(text),
        "hybrid: Chroma's query alone": lambda _, text: store._collection.query(  # noqa: SLF001 - the bare part
            [embed(text)], n_results=DEPTH, include=["distances"]
        ),
    }


def alternating(calls: Mapping[str, Callable[[int, str], object]], questions: Sequence[str], rounds: int) -> Times:
    """Medians in ms; every question goes to all before the next one does, some of them once before it counts."""
    taken: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds + 1):
        for number, question in enumerate(questions if turn else questions[:WARM_UP]):
            for name, call in calls.items():
                spent = 1000 * seconds(lambda: call(number, question))  # noqa: B023 - called at once
                if turn:
                    taken[name].append(spent)
    return {name: median(each) for name, each in taken.items()}


def outdated(base: KnowledgeBase, question: str) -> Times:
    """What `current` takes for the first question after a change, a sixth of the files being outdated."""
    keywords = BM25Retriever(source=base, k=10)
    with base.writing() as writer:
        writer.note_place(base.files()[0])  # a new version, with the same contents
    keywords.invoke(question)
    retriever = CurrentRetriever(retriever=keywords, source=base, k=10)
    return {
        f"current: {name} question, ms": 1000 * seconds(lambda: retriever.invoke(question))
        for name in ("first", "next")
    }


def in_new_processes(work: Path, fast: Any, slow: Any, question: str, words: list[str]) -> Times:
    """Loading until the first hit, and memory in use after it and before it, with each library."""
    fast.save(work / "bm25s", show_progress=False)
    with (work / "rank-bm25").open("wb") as file:
        pickle.dump(slow, file)
    child = Path(__file__).with_name("speed_child.py")
    found: Times = {}
    for side in ("ours", "ours, both legs", "bm25s", "bm25s, mapped", "rank-bm25"):
        results = []
        for _ in range(CHILDREN):
            asked = json.dumps([question, words])
            done = subprocess.run([sys.executable, str(child), side, str(work), asked], check=True, capture_output=True)
            results.append(json.loads(done.stdout))
        found[f"load {side}, s"] = median(
            result["processor" if clock is process_time else "wall"] for result in results
        )
        for name in ("before", "after"):
            found[f"memory {name} {side}, MB"] = median(result[name] for result in results)
    return found


def seconds(call: Callable[[], object]) -> float:
    """Time of one call."""
    started = clock()
    call()
    return clock() - started


RATIOS = (
    ("rank-bm25 / ours (ids and scores), aim 200", "bm25: rank-bm25", "bm25: ours, ids and scores"),
    ("rank-bm25 / ours (10 documents), aim 200", "bm25: rank-bm25", "bm25: ours, a retriever's 10 documents"),
    ("ours (ids and scores) / bm25s, aim 1.5", "bm25: ours, ids and scores", "bm25: bm25s"),
    ("ours (10 documents) / bm25s, aim 1.5", "bm25: ours, a retriever's 10 documents", "bm25: bm25s"),
    ("EnsembleRetriever / ours, aim 20", "hybrid: EnsembleRetriever", "hybrid: ours"),
    (
        "rank-bm25 / ours under a filter of 1 %",
        "1 %: rank-bm25, told the places",
        "1 %: ours, a retriever's 10 documents",
    ),
    ("ours / bm25s under a filter of 1 %", "1 %: ours, a retriever's 10 documents", "1 %: bm25s, told the places"),
    ("rank-bm25 / ours, building", "build rank-bm25, s", "build ours, s"),
    ("ours / bm25s, building", "build ours, s", "build bm25s, s"),
    ("rank-bm25 / ours, loading to the first hit", "load rank-bm25, s", "load ours, s"),
    ("ours / bm25s, loading to the first hit", "load ours, s", "load bm25s, s"),
)
"""What is divided by what; every figure is of the same run."""


def show(size: int, times: Times) -> None:
    """Print the figures of one size."""
    print(f"### {size:,} passages\n\n| | |\n|---|---|")
    for name, value in times.items():
        print(f"| {name}{'' if name[-2:] in {' s', 'ms', 'MB'} else ', ms'} | {value:.3f} |")
    for name, above, below in RATIOS:
        print(f"| {name} | {times[above] / times[below]:.2f} |")
    print(flush=True)


GROWTH = {
    "BM25, rank-bm25": "bm25: rank-bm25",
    "BM25, bm25s": "bm25: bm25s",
    "BM25, youju": "bm25: ours, ids and scores",
    "BM25, youju, 10 documents": "bm25: ours, a retriever's 10 documents",
    "1 % of the passages, youju, 10 documents": "1 %: ours, a retriever's 10 documents",
    "EnsembleRetriever": "hybrid: EnsembleRetriever",
    "hybrid, youju": "hybrid: ours",
}
"""What is shown as it grows, in ms."""


def table_of(growth: Mapping[int, Times]) -> str:
    """How the times of a question grow, as a table."""
    lines = [f"| ms | {' | '.join(f'{size:,}' for size in growth)} |", "|---" * (len(growth) + 1) + "|"]
    for label, name in GROWTH.items():
        lines.append(f"| {label} | {' | '.join(f'{times[name]:.2f}' for times in growth.values())} |")
    return "\n".join(lines)


def plot(growth: Mapping[int, Times], path: Path) -> None:
    """The same, as a picture with logarithmic axes."""
    import matplotlib as mpl  # noqa: PLC0415 - only for the picture

    mpl.use("Agg")
    mpl.rcParams |= {
        "svg.hashsalt": "youju",
        "svg.fonttype": "none",
    }  # the same file from the same figures; text as text
    from matplotlib import pyplot as plt  # noqa: PLC0415 - as above

    figure, axes = plt.subplots(figsize=(7.5, 4.5))
    for label, name in GROWTH.items():
        line = {"marker": "o", "markersize": 3.5, "linestyle": "-" if "youju" in label else "--"}
        axes.plot(list(growth), [times[name] for times in growth.values()], label=label, **line)
    axes.set(xscale="log", yscale="log", xlabel="passages", ylabel="ms a question, median")
    axes.grid(which="major", alpha=0.3)
    axes.legend(fontsize=7.5)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
