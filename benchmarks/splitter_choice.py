"""Which splitter, and which size: figures of every strategy on one corpus with questions.

    python benchmarks/splitter_choice.py FOLDER --build statutes
    python benchmarks/splitter_choice.py FOLDER --build manual --kinds fixed,recursive,markdown --sizes 200,400
    python benchmarks/splitter_choice.py FOLDER --questions questions.jsonl

FOLDER holds a retrieval set in the layout of BEIR (corpus.jsonl, queries.jsonl, qrels.tsv), whose passages are joined
into the long documents that they were cut from; what a question asks for is then the place of its passage. `--build`
says how:

    statutes   titles are 某某法第N条: a document a law, its articles in the order of N, each as 第N条　text
    manual     titles are page / section / subsection: a Markdown document a page, with headings, read as such a file is
    passages   every passage is a document of its own; only passages longer than a chunk tell strategies apart

With `--questions`, FOLDER holds documents of any kind that youju reads, and the file is one of `youju eval splitters`.
The rows are those of `youju.eval.compare_splitters`; of `parent`, the size is that of the blocks that are read.
Questions are asked by BM25; `--retriever vector` and `hybrid` embed every chunk and take far longer.
"""

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from langchain_core.documents import Document

from youju import Settings
from youju.eval import Question, SplitterComparison, compare_splitters, load_questions, with_chunk_size
from youju.loaders import FileLoader
from youju.loaders.markdown import markdown_documents
from youju.settings import ParentSplitterSettings, SplitterSettings

KINDS = "fixed,recursive,sentence,markdown,statute,auto,parent"
_ARTICLE = re.compile(r"(.*)(第([零〇一二三四五六七八九十百千]+)条(?:之([一二三四五六七八九十]+))?)")
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0}
_UNITS = {"十": 10, "百": 100, "千": 1000}


def number(text: str) -> int:
    """The value of a Chinese number below ten thousand."""
    total = digit = 0
    for character in text:
        if character in _UNITS:
            total += (digit or 1) * _UNITS[character]
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def statutes(passages: list[dict[str, Any]]) -> tuple[list[Document], dict[str, str]]:
    """A document a law."""
    laws: dict[str, list[tuple[tuple[int, int], str]]] = defaultdict(list)
    sources = {}
    for passage in passages:
        found = _ARTICLE.fullmatch(passage["title"].strip())
        law, article = (found[1], found[2]) if found else (passage["title"].strip(), "")
        order = (number(found[3]), number(found[4] or "零")) if found else (0, 0)
        laws[law].append((order, f"{article}　{passage['text']}".strip("　")))
        sources[passage["_id"]] = law
    texts = {law: "\n".join(text for _, text in sorted(articles)) for law, articles in laws.items()}
    return [_document(text, law) for law, text in texts.items()], sources


def manual(passages: list[dict[str, Any]]) -> tuple[list[Document], dict[str, str]]:
    """A Markdown document a page, in sections."""
    pages: dict[str, list[str]] = defaultdict(list)
    sources, above = {}, dict[str, list[str]]()
    for passage in passages:
        path = [part.strip() for part in passage["title"].split(" / ")]
        known = above.get(path[0], [])
        same = next((at for at, pair in enumerate(zip(path, known, strict=False)) if pair[0] != pair[1]), len(known))
        headings = [f"{'#' * min(level + 1, 6)} {path[level]}" for level in range(min(same, len(path) - 1), len(path))]
        pages[path[0]] += [*headings, passage["text"]]
        above[path[0]] = path
        sources[passage["_id"]] = path[0]
    documents = [part for page, texts in pages.items() for part in markdown_documents("\n\n".join(texts), page)]
    return documents, sources


def apart(passages: list[dict[str, Any]]) -> tuple[list[Document], dict[str, str]]:
    """A document a passage."""
    documents = [
        Document(passage["text"], metadata={"source": passage["_id"], "title": passage["title"]})
        for passage in passages
    ]
    return documents, {passage["_id"]: passage["_id"] for passage in passages}


BUILDS = {"statutes": statutes, "manual": manual, "passages": apart}


def _document(text: str, name: str) -> Document:
    return Document(text, metadata={"source": name, "title": name, "location": name})


def retrieval_set(folder: Path, build: str, most: int | None) -> tuple[list[Document], list[Question]]:
    """The documents and questions of a set in the layout of BEIR."""
    passages = list(lines(folder / "corpus.jsonl"))
    documents, sources = BUILDS[build](passages)
    texts = {passage["_id"]: passage["text"] for passage in passages}
    gold: dict[str, list[str]] = defaultdict(list)
    for row in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        asked, right, score = row.split("\t")
        if int(score) > 0:
            gold[asked].append(right)
    questions = []
    for query in lines(folder / "queries.jsonl"):
        by_source: dict[str, list[str]] = defaultdict(list)
        for passage in gold[query["_id"]]:
            by_source[sources[passage]].append(texts[passage])
        if by_source:
            questions.append(_question(query, by_source))
    return documents, questions[:most]


def _question(query: dict[str, Any], by_source: dict[str, list[str]]) -> Question:
    """A question with its passages; where they stand in several documents, they are looked for in all."""
    quotes = tuple(quote for found in by_source.values() for quote in found)
    return Question(query["text"], quotes, next(iter(by_source)) if len(by_source) == 1 else None, query["_id"])


def strategies(kinds: list[str], sizes: list[int]) -> dict[str, SplitterSettings]:
    """Every kind in every size."""
    made: dict[str, SplitterSettings] = {}
    for kind in kinds:
        for size in sizes:
            if kind == "parent":
                made[f"{kind} {size}"] = ParentSplitterSettings(chunk_size=max(1, size * 3 // 16), parent_size=size)
            else:
                usual = Settings.model_validate({"splitter": {"kind": kind}}).splitter
                made[f"{kind} {size}"] = with_chunk_size(usual, size)
    return made


def show(found: SplitterComparison) -> None:
    """Print one row a strategy, as a Markdown table."""
    print(f"{found.documents} documents, {found.characters} characters, {found.sentences} sentences")
    columns = "strategy,chunks,mean length,sentences cut,torn,Hit@1,Hit@5,Hit@10,MRR@10,characters of 5,seconds".split(
        ","
    )
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for name, figures in found.strategies.items():
        if figures.retrieval is None:
            continue
        counts = [str(n) for n in (figures.chunks, round(figures.characters.mean), figures.sentences_cut)]
        measures = [f"{value:.3f}" for value in figures.retrieval.measures.values()]
        cost = [f"{figures.retrieval.top_5_characters:.0f}", f"{figures.seconds:.1f}"]
        print(f"| {' | '.join([name, *counts, str(figures.sentences_torn), *measures, *cost])} |")
    asked = next((figures.retrieval for figures in found.strategies.values()), None)
    if asked is not None:
        print(f"{asked.questions} questions, {asked.retriever}; Hit@k is Success@k and MRR@10 is RR@10 of ir-measures")


def main() -> None:
    """Compare and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--build", choices=list(BUILDS), default="passages")
    options.add_argument("--questions", type=Path)
    options.add_argument("--kinds", default=KINDS)
    options.add_argument("--sizes", default="200,400,800")
    options.add_argument("--retriever", choices=["bm25", "vector", "hybrid"], default="bm25")
    options.add_argument("--most", type=int, help="ask only the first questions")
    given = options.parse_args()
    if given.questions is None:
        documents, questions = retrieval_set(given.folder, given.build, given.most)
    else:
        documents, questions = FileLoader(given.folder).load(), load_questions(given.questions)[: given.most]
    chosen = strategies(given.kinds.split(","), [int(size) for size in given.sizes.split(",")])
    show(compare_splitters(documents, chosen, questions=questions, retriever=given.retriever, samples=0, places=0))


if __name__ == "__main__":
    main()
