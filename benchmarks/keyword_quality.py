"""What each step of the keyword analyzer is worth, on retrieval sets of one's own.

    python benchmarks/keyword_quality.py FOLDER [FOLDER...]
    python benchmarks/keyword_quality.py --simplified FOLDER    # Traditional texts, questions in Simplified
    python benchmarks/keyword_quality.py --only full,stock FOLDER

A FOLDER holds a set in the layout of BEIR (corpus.jsonl, queries.jsonl, qrels.tsv). Of a passage, title and text are
searched; a question that no passage answers is left out. `stock` is rank-bm25 as it comes, over the words
that jieba cuts; `full` is the default analyzer; each other row changes one thing of it. `p` says how often a
difference to `full` at least as large, in MRR@10, comes by chance: the two-sided paired randomisation test of
`youju.eval`.
"""

import argparse
import re
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import rank_bm25
import rjieba
from opencc import OpenCC

from youju.analyzer import Analyzer
from youju.eval import Passage, RetrievalDataset, load_dataset, measure, randomisation_test
from youju.knowledge import KeywordIndex
from youju.settings import KeywordSettings

STEPS: dict[str, dict[str, Any]] = {
    "full": {},
    "words: none": {"words": "none"},
    "words: search": {"words": "search"},
    "words: full": {"words": "full"},
    "bigrams: none": {"bigrams": "none"},
    "width: keep": {"width": "keep"},
    "case: keep": {"case": "keep"},
    "script: keep": {"script": "keep"},
    "numbers: keep": {"numbers": "keep"},
    "identifiers: whole": {"identifiers": "whole"},
    "identifiers: parts": {"identifiers": "parts"},
    "stop_words: none": {"stop_words": "none"},
    "b: 0.75": {"b": 0.75},
}
DEPTH = 10
Ranking = list[str]


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--simplified", action="store_true", help="write the questions in Simplified characters")
    parser.add_argument("--only", default=",".join(["stock", *STEPS]), help="rows to compute, with commas")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        data = load_dataset(folder, rewrite=OpenCC("t2s").convert if arguments.simplified else str)
        print(f"\n{data.name}: {len(data.passages)} passages, {len(data.questions)} questions\n")
        print("| analyzer | Hit@1 | Hit@5 | Hit@10 | MRR@10 | nDCG@10 | p | cut, 1000 characters a second |")
        print("|---|---|---|---|---|---|---|---|")
        reference: tuple[float, ...] = ()
        for name in sorted(arguments.only.split(","), key=lambda name: name != "full"):
            rankings, speed = stock(data) if name == "stock" else ours(data, KeywordSettings(**STEPS[name]))
            figures = measure(rankings, data.relevant)
            reference = reference or figures.values["RR@10"]
            chance = "" if name == "full" else f"{randomisation_test(figures.values['RR@10'], reference):.3f}"
            means = " | ".join(f"{value:.3f}" for value in figures.means.values())
            print(f"| {name} | {means} | {chance} | {speed:.0f} |", flush=True)


def searched(passage: Passage) -> str:
    """What is searched of a passage."""
    return f"{passage.title}\n{passage.text}"


def ours(data: RetrievalDataset, settings: KeywordSettings) -> tuple[dict[str, Ranking], float]:
    """Rankings with the analyzer, and how fast it cut the passages."""
    cut = Analyzer(settings).tokens
    cut("先读词典")
    started = perf_counter()
    texts = [searched(passage) for passage in data.passages.values()]
    tokens = [cut(text) for text in texts]
    speed = sum(map(len, texts)) / (perf_counter() - started) / 1000
    index = KeywordIndex.build(list(data.passages), tokens, settings)
    return {
        question: [passage for passage, _ in index.search(cut(text), DEPTH)]
        for question, text in data.questions.items()
    }, speed


def stock(data: RetrievalDataset) -> tuple[dict[str, Ranking], float]:
    """Rankings of rank-bm25 with its own defaults, over jieba's words as they come; marks and blanks are left out."""

    def cut(text: str) -> list[str]:
        return [word for word in rjieba.cut(text) if re.search(r"\w", word)]

    started = perf_counter()
    texts = [searched(passage) for passage in data.passages.values()]
    tokens = [cut(text) for text in texts]
    speed = sum(map(len, texts)) / (perf_counter() - started) / 1000
    bm25 = rank_bm25.BM25Okapi(tokens)
    passages = list(data.passages)
    rankings = {}
    for question, text in data.questions.items():
        scores = bm25.get_scores(cut(text))
        rankings[question] = [passages[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]]
    return rankings, speed


if __name__ == "__main__":
    main()
