"""How well the retrievers find passages, on retrieval sets of one's own.

    python benchmarks/retrieval_quality.py --bases DIR FOLDER [FOLDER...]
    python benchmarks/retrieval_quality.py --bases DIR --simplified FOLDER    # questions in Simplified characters
    python benchmarks/retrieval_quality.py --bases DIR --only bm25,vector,hybrid FOLDER

A FOLDER holds a set in the layout of BEIR. Its passages are put into a knowledge base below DIR, which takes the
embedding model long for large sets; a run that was broken off goes on where it ended. What each row found is kept
there too, as long as base, settings and questions are the same; after changing the code of a retriever, give --fresh.

A passage is one source of the base, title and text are searched, and a passage that the model cannot read whole stands
where its best chunk does. `stock` rows are LangChain's own classes over the same chunks and vectors, with their
defaults but for the number of hits. `p` says how often a difference to `hybrid` at least as large, in MRR@10, comes by
chance: the two-sided paired randomisation test of `youju.eval`.
"""

import argparse
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import rjieba
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from opencc import OpenCC

from youju.eval import (
    MEASURES,
    RetrievalDataset,
    load_dataset,
    measure,
    randomisation_test,
    rank_passages,
    sources,
    store_passages,
)
from youju.knowledge import KnowledgeBase, search_text
from youju.knowledge.identity import digest
from youju.models import build_embeddings
from youju.models.checked import CheckedEmbeddings
from youju.retrievers import BM25Retriever, HybridRetriever, VectorRetriever, build_retriever
from youju.settings import HybridSettings, Settings

DEPTH = 10
"""Passages that are measured."""
CHUNKS = 100
"""Chunks that are asked of a leg: as many as the deepest row fuses."""
WEIGHTS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8)
LEADS = (0.0, 0.3, 0.6, 0.9)
"""Of keyword search; vector search has the rest."""
CONSTANTS = (10, 30, 60)
CANDIDATES = (20, 50, 100)
STOCK_WEIGHTS = (0.5, 0.6)
COMPARED = "RR@10"
Ranking = list[str]
Hits = list[tuple[int, float]]


def main() -> None:
    """Print a table for each set, and one of the means over all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--bases", type=Path, required=True, help="folder for the knowledge bases")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting, as of `youju`")
    parser.add_argument("--simplified", action="store_true", help="write the questions in Simplified characters")
    parser.add_argument("--only", default=",".join(rows()), help="rows to compute, with commas")
    parser.add_argument("--fresh", action="store_true", help="search again, whatever is kept of earlier runs")
    arguments = parser.parse_args()
    wanted = arguments.only.split(",")
    unknown = [name for name in wanted if name not in rows()]
    if unknown:
        parser.error(f"no row {unknown[0]!r}; there are: {', '.join(rows())}")
    figures: dict[str, list[dict[str, float]]] = {name: [] for name in wanted}
    for folder in arguments.folders:
        data = load_dataset(folder, rewrite=OpenCC("t2s").convert if arguments.simplified else str)
        found = Searches(data, arguments.bases, arguments.set, fresh=arguments.fresh)
        title = f"{data.name}{', Simplified questions' if arguments.simplified else ''}"
        print(f"\n{title}: {len(data.passages)} passages, {len(data.questions)} questions", end="")
        print(f", {len(data.unanswered)} without a passage left out\n")
        for name, means in table(data, found, wanted).items():
            figures[name].append(means)
    if len(arguments.folders) > 1:
        print(f"\nmeans over {len(arguments.folders)} sets\n\n{heading('')}")
        for name, of_sets in figures.items():
            print(line(name, {one: fmean(means[one] for means in of_sets) for one in MEASURES}))


def rows() -> dict[str, Callable[["Searches"], Iterator[Ranking]]]:
    """Each row, and what it finds for the questions in order."""
    usual = HybridSettings()
    weight = usual.retrievers[0].weight
    ours, stock = ("bm25", "vector"), ("stock bm25 jieba", "stock vector")
    made: dict[str, Callable[[Searches], Iterator[Ranking]]] = {
        "hybrid": lambda it: it.with_settings(),
        "bm25": lambda it: it.of_leg("bm25"),
        "vector": lambda it: it.of_leg("vector"),
        "stock bm25": lambda it: it.of_leg("stock bm25"),
        "stock bm25 jieba": lambda it: it.of_leg("stock bm25 jieba"),
    }
    for share in STOCK_WEIGHTS:
        made[f"stock ensemble {share}"] = lambda it, share=share: it.ensemble(stock, share, usual.fetch_k)
    for share in WEIGHTS:
        made[f"scores {share}"] = lambda it, share=share: it.fused(ours, share, None, usual.fetch_k)
    for lead in LEADS:
        made[f"scores lead {lead}"] = lambda it, lead=lead: it.fused(ours, weight, None, usual.fetch_k, lead)
    for depth in CANDIDATES:
        made[f"scores fetch_k {depth}"] = lambda it, depth=depth: it.fused(ours, weight, None, depth, usual.lead)
    for share in WEIGHTS:
        made[f"rrf {share}"] = lambda it, share=share: it.fused(ours, share, usual.rrf_k, usual.fetch_k)
    for constant in CONSTANTS:
        made[f"rrf_k {constant}"] = lambda it, c=constant: it.fused(ours, weight, c, usual.fetch_k)
    return made


def table(data: RetrievalDataset, found: "Searches", wanted: Sequence[str]) -> dict[str, dict[str, float]]:
    """Print the rows of a set, and what the comparison with the better leg says."""
    print(heading(" p |"), flush=True)
    measured = {}
    for name in sorted({*wanted, "hybrid"}, key=[*rows()].index):
        measured[name] = measure(found.rankings(name), data.relevant)
        chance = "" if name == "hybrid" else f"{against(measured[name], measured['hybrid']):.4f}"
        if name in wanted:
            print(f"{line(name, measured[name].means)} {chance} |", flush=True)
    legs = [name for name in ("bm25", "vector") if name in measured]
    if len(legs) > 1:
        better = max(legs, key=lambda name: measured[name].means[COMPARED])
        gain = measured["hybrid"].means[COMPARED] - measured[better].means[COMPARED]
        chance = f"{against(measured[better], measured['hybrid']):.4f}"
        print(
            f"\nThe better leg is {better}; hybrid differs from it by {gain:+.4f} in MRR@10 (p {chance}).", flush=True
        )
    return {name: measured[name].means for name in wanted}


def against(one: Any, other: Any) -> float:
    """How likely so large a difference is by chance."""
    return randomisation_test(one.values[COMPARED], other.values[COMPARED])


def heading(more: str) -> str:
    """The head of a table."""
    return f"| | Hit@1 | Hit@5 | Hit@10 | MRR@10 | nDCG@10 |{more}\n|---|---|---|---|---|---|{'---|' if more else ''}"


def line(name: str, means: Mapping[str, float]) -> str:
    """A row of a table."""
    return f"| {name} | {' | '.join(f'{means[one]:.3f}' for one in MEASURES)} |"


class Searches:
    """What each row finds in a set, computed once."""

    def __init__(self, data: RetrievalDataset, bases: Path, overrides: Sequence[str], *, fresh: bool) -> None:
        folder = bases / data.name
        self.data = data
        self.settings = Settings.load(overrides=[*overrides, ("store.path", str(folder))])
        model = build_embeddings(self.settings.embeddings)
        self._model = Remembering(model, folder / f"questions-{sha256(model.name.encode()).hexdigest()[:8]}.npz")
        embeddings = CheckedEmbeddings(self._model, model.name, limit=model.limit)
        self.base = KnowledgeBase.open(self.settings, embeddings=embeddings)
        store_passages(self.base, data, on_progress=lambda done, of: progress(f"{data.name}: passages", done, of))
        self._kept = folder / "found"
        self._kept.mkdir(exist_ok=True)
        self._fresh = fresh
        self._searched: dict[str, dict[str, Hits]] = {}
        shaped = self.settings.model_dump_json(include={"embeddings", "keywords"})
        asked = json.dumps([self.base.version(), shaped, list(data.questions.items())])
        self._mark = sha256(asked.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        self._mark += sha256(self.settings.retriever.model_dump_json().encode()).hexdigest()[:4]

    @cached_property
    def chunks(self) -> list[Document]:
        """The chunks of the base, in the order they were written; rankings name them by their number."""
        return self.base.documents()

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each chunk by its id."""
        return {str(chunk.id): number for number, chunk in enumerate(self.chunks)}

    def rankings(self, name: str) -> dict[str, Ranking]:
        """What a row finds."""
        found: dict[str, Ranking] = self._once(name, lambda: self._in_order(rows()[name](self), name))
        return found

    def with_settings(self) -> Iterator[Ranking]:
        """The retriever that the settings describe, asked as anyone asks it."""
        retriever = build_retriever(self.base).bind(k=getattr(self.settings.retriever, "fetch_k", CHUNKS))
        for question, text in self.data.questions.items():
            yield rank_passages(retriever, {question: text}, depth=DEPTH)[question]

    def of_leg(self, leg: str) -> Iterator[Ranking]:
        """One leg alone."""
        for hits in self.hits(leg).values():
            yield sources(self.chunks[number] for number, _ in hits)[:DEPTH]

    def fused(
        self, legs: Sequence[str], share: float, constant: int | None, depth: int, lead: float = 0.0
    ) -> Iterator[Ranking]:
        """Two legs, joined as a hybrid joins them: by ranks with a constant, by scores without."""
        joining = HybridRetriever(
            retrievers=[BM25Retriever.from_texts([]), VectorRetriever(source=self.base)],  # what they found is at hand
            weights=[share, 1 - share],
            fusion="scores" if constant is None else "rrf",
            lead=lead,
            c=constant or 60,
            k=2 * depth,
        )
        for question in self.data.questions:
            lists = [[self._found(hit) for hit in self.hits(leg)[question][:depth]] for leg in legs]
            yield sources(joining.weighted_reciprocal_rank(lists))[:DEPTH]

    def _found(self, hit: Sequence[Any]) -> Document:
        number, score = hit
        chunk = self.chunks[number]
        return Document(id=chunk.id, page_content="", metadata={"source": chunk.metadata["source"], "score": score})

    def ensemble(self, legs: Sequence[str], share: float, depth: int) -> Iterator[Ranking]:
        """Two legs, joined by LangChain's EnsembleRetriever, which knows texts by what they say."""
        from langchain_classic.retrievers import EnsembleRetriever  # noqa: PLC0415 - only for the rows of its name
        from langchain_core.runnables import RunnableLambda  # noqa: PLC0415 - as above

        unasked = [RunnableLambda(lambda _: list[Document]()) for _ in legs]  # what they found is at hand
        joined = EnsembleRetriever(retrievers=unasked, weights=[share, 1 - share])
        for question in self.data.questions:
            lists = [[self.stock_chunks[number] for number, _ in self.hits(leg)[question][:depth]] for leg in legs]
            yield sources(joined.weighted_reciprocal_rank(lists))[:DEPTH]

    @cached_property
    def stock_chunks(self) -> list[Document]:
        """The chunks as they are given to LangChain's classes: title and text together."""
        return [
            Document(search_text(chunk), metadata={"source": chunk.metadata["source"], "number": number})
            for number, chunk in enumerate(self.chunks)
        ]

    def hits(self, leg: str) -> dict[str, Hits]:
        """What a leg finds, as numbers of chunks with their scores."""
        if leg not in self._searched:
            search = {
                "bm25": lambda: self._base_search(self.base.keyword_search),
                "vector": lambda: self._base_search(self.base.vector_search),
                "stock bm25": lambda: self._stock_bm25(None),
                "stock bm25 jieba": lambda: self._stock_bm25(words),
                "stock vector": self._stock_vector,
            }[leg]
            self._searched[leg] = self._once(f"leg {leg}", lambda: self._in_order(search(), leg))
        return self._searched[leg]

    def _base_search(self, search: Callable[..., list[Document]]) -> Iterator[Hits]:
        for text in self.data.questions.values():
            found = search(text, k=CHUNKS)
            yield [(self.numbers[str(one.id)], round(one.metadata["score"], 5)) for one in found]

    def _stock_bm25(self, cut: Callable[[str], list[str]] | None) -> Iterator[Hits]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # the package announces its end
            from langchain_community.retrievers import BM25Retriever  # noqa: PLC0415 - only for the rows of its name

        options = {} if cut is None else {"preprocess_func": cut}
        retriever = BM25Retriever.from_documents(self.stock_chunks, k=CHUNKS, **options)
        for text in self.data.questions.values():
            yield [(document.metadata["number"], 0.0) for document in retriever.invoke(text)]

    def _stock_vector(self) -> Iterator[Hits]:
        first: dict[str, int] = {}
        for number, chunk in enumerate(self.stock_chunks):
            first.setdefault(digest(chunk.page_content), number)
        retriever = self.base.as_vectorstore().as_retriever(search_kwargs={"k": CHUNKS})
        for text in self.data.questions.values():
            yield [(first[str(document.id)], 0.0) for document in retriever.invoke(text)]

    def _in_order(self, found: Iterator[Any], what: str) -> dict[str, Any]:
        """What is found for each question, by its id."""
        asked = self.data.questions
        kept = {}
        for number, (question, one) in enumerate(zip(asked, found, strict=True), start=1):
            kept[question] = one
            progress(f"{self.data.name}: {what}", number, len(asked))
        return kept

    def _once(self, name: str, compute: Callable[[], Any]) -> Any:
        """What was computed in an earlier run with the same base, settings and questions, or is now."""
        mark = self._mark[:12] if name.startswith("leg ") else self._mark  # the legs are those of any retriever
        path = self._kept / f"{name.replace(' ', '-')}-{mark}.json"
        if path.exists() and not self._fresh:
            return json.loads(path.read_text(encoding="utf-8"))
        found = compute()
        self._model.save()
        partial = path.with_suffix(".partial")
        partial.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")
        partial.rename(path)
        return found


class Remembering(Embeddings):
    """A model that is asked once for each question, also in later runs."""

    def __init__(self, model: Embeddings, path: Path) -> None:
        self._model = model
        self._path = path
        self._questions: dict[str, list[float]] = {}
        if path.exists():
            with np.load(path) as kept:
                self._questions = dict(zip(kept["texts"].tolist(), kept["vectors"].tolist(), strict=True))

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Vectors of passages."""
        return self._model.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        if text not in self._questions:
            self._questions[text] = self._model.embed_query(text)
        return self._questions[text]

    def save(self) -> None:
        """Keep the vectors for later runs."""
        np.savez(self._path, texts=[*self._questions], vectors=[*self._questions.values()])


def words(text: str) -> list[str]:
    """The words that jieba cuts, without marks and blanks: given them too, rank-bm25 finds less."""
    return [word for word in rjieba.cut(text) if re.search(r"\w", word)]


def progress(what: str, done: int, of: int) -> None:
    """Say on stderr how far the work is."""
    if done == of or done % 100 == 0:
        print(f"\r{what} {done}/{of}", end="\n" if done == of else "", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
