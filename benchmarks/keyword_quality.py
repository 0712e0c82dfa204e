"""What each step of the keyword analyzer is worth, on retrieval sets of one's own.

    python benchmarks/keyword_quality.py FOLDER [FOLDER...]
    python benchmarks/keyword_quality.py --simplified FOLDER    # Traditional texts, questions in Simplified
    python benchmarks/keyword_quality.py --only full,stock FOLDER

A FOLDER holds a set in the layout of BEIR (corpus.jsonl, queries.jsonl, qrels.tsv). Of a passage, title and text are
searched; a question without a passage that answers it is left out. `stock` is rank-bm25 as it comes, over the words
that jieba cuts; `full` is the default analyzer; each other row changes one thing of it. `p` says how often a
difference to `full` at least as large, in the mean of 1 / rank, comes by chance: two-sided, from 10,000 random
exchanges of the two results of a question.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import ir_measures
import numpy as np
import rank_bm25
import rjieba
from opencc import OpenCC

from youju.analyzer import Analyzer
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
MEASURES = [ir_measures.parse_measure(name) for name in ("Success@1", "Success@5", "Success@10", "RR@10", "nDCG@10")]
DEPTH = 10
Ranking = list[str]


@dataclass(frozen=True)
class RetrievalSet:
    """Passages, questions, and which passages answer a question."""

    passages: Mapping[str, str]
    questions: Mapping[str, str]
    answers: list[ir_measures.Qrel]


def main() -> None:
    """Print a table for each set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--simplified", action="store_true", help="write the questions in Simplified characters")
    parser.add_argument("--only", default=",".join(["stock", *STEPS]), help="rows to compute, with commas")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        data = read_set(folder, OpenCC("t2s").convert if arguments.simplified else str)
        print(f"\n{folder.name}: {len(data.passages)} passages, {len(data.questions)} questions\n")
        print("| analyzer | Hit@1 | Hit@5 | Hit@10 | MRR@10 | nDCG@10 | p | cut, 1000 characters a second |")
        print("|---|---|---|---|---|---|---|---|")
        reference: list[float] = []
        for name in sorted(arguments.only.split(","), key=lambda name: name != "full"):
            rankings, speed = stock(data) if name == "stock" else ours(data, KeywordSettings(**STEPS[name]))
            figures, ranks = measured(data, rankings)
            reference = reference or ranks
            chance = "" if name == "full" else f"{by_chance(ranks, reference):.3f}"
            print(
                f"| {name} | {' | '.join(f'{value:.3f}' for value in figures)} | {chance} | {speed:.0f} |", flush=True
            )


def read_set(folder: Path, written: Callable[[str], str]) -> RetrievalSet:
    """Read a set; questions pass through a function."""
    answers = []
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        question, passage, score = line.split("\t")
        if int(score) > 0:
            answers.append(ir_measures.Qrel(question, passage, int(score)))
    asked = {answer.query_id for answer in answers}
    return RetrievalSet(
        {row["_id"]: f"{row.get('title') or ''}\n{row['text']}" for row in lines(folder / "corpus.jsonl")},
        {row["_id"]: written(row["text"]) for row in lines(folder / "queries.jsonl") if row["_id"] in asked},
        answers,
    )


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def ours(data: RetrievalSet, settings: KeywordSettings) -> tuple[dict[str, Ranking], float]:
    """Rankings with the analyzer, and how fast it cut the passages."""
    cut = Analyzer(settings).tokens
    cut("先读词典")
    started = perf_counter()
    tokens = [cut(text) for text in data.passages.values()]
    speed = sum(map(len, data.passages.values())) / (perf_counter() - started) / 1000
    index = KeywordIndex.build(list(data.passages), tokens, settings)
    return {
        question: [passage for passage, _ in index.search(cut(text), DEPTH)]
        for question, text in data.questions.items()
    }, speed


def stock(data: RetrievalSet) -> tuple[dict[str, Ranking], float]:
    """Rankings of rank-bm25 with its own defaults, over jieba's words as they come; marks and blanks are left out."""

    def cut(text: str) -> list[str]:
        return [word for word in rjieba.cut(text) if re.search(r"\w", word)]

    started = perf_counter()
    tokens = [cut(text) for text in data.passages.values()]
    speed = sum(map(len, data.passages.values())) / (perf_counter() - started) / 1000
    bm25 = rank_bm25.BM25Okapi(tokens)
    passages = list(data.passages)
    rankings = {}
    for question, text in data.questions.items():
        scores = bm25.get_scores(cut(text))
        rankings[question] = [passages[place] for place in np.argsort(-scores, kind="stable")[:DEPTH]]
    return rankings, speed


def measured(data: RetrievalSet, rankings: Mapping[str, Ranking]) -> tuple[list[float], list[float]]:
    """The means of the measures, and 1 / rank for each question."""
    run = [
        ir_measures.ScoredDoc(question, passage, -float(rank))
        for question, ranking in rankings.items()
        for rank, passage in enumerate(ranking)
    ]
    values = {
        (metric.measure, metric.query_id): metric.value for metric in ir_measures.iter_calc(MEASURES, data.answers, run)
    }
    per_question = [
        [float(values.get((measure, question), 0.0)) for question in data.questions] for measure in MEASURES
    ]
    return [float(np.mean(each)) for each in per_question], per_question[3]


def by_chance(one: list[float], other: list[float], rounds: int = 10_000) -> float:
    """How often a difference of two means at least as large comes when the pairs are exchanged at random."""
    differences = np.array(one) - np.array(other)
    differences = differences[differences != 0]
    drawn = np.random.default_rng(0)
    sums = np.array([np.sum(differences * drawn.choice([-1, 1], len(differences))) for _ in range(rounds)])
    return float((np.sum(np.abs(sums) >= abs(differences.sum()) - 1e-9) + 1) / (rounds + 1))


if __name__ == "__main__":
    main()
