"""One process of `retrieval_speed.py`: loads an index, asks it one question, and says how long and how large it was."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time


def resident() -> float:
    """Memory of this process that is in RAM, mapped files included, in MB."""
    [line] = [line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1]) / 1024


def asking(side: str, work: Path, question: str, words: list[str]) -> Callable[[], object]:
    """What loads and asks, and gives back all that it loaded; libraries are imported before it is called."""
    if side == "rank-bm25":
        import pickle  # noqa: PLC0415 - no side must pay for the libraries of the others

        import rank_bm25  # noqa: F401, PLC0415 - as above; it is what the pickle needs

        def with_rank_bm25() -> object:
            index = pickle.loads((work / "rank-bm25").read_bytes())  # noqa: S301 - written by `retrieval_speed.py`
            return index, index.get_scores(words).argsort()[-10:]

        return with_rank_bm25
    import bm25s  # noqa: PLC0415 - as above

    if side.startswith("bm25s"):

        def with_bm25s() -> object:
            index = bm25s.BM25.load(work / "bm25s", mmap=side.endswith("mapped"), show_progress=False)
            return index, index.retrieve([words], k=10, show_progress=False)

        return with_bm25s
    from speed_corpus import open_base  # noqa: PLC0415 - as above

    from youju.analyzer import Analyzer  # noqa: PLC0415 - as above
    from youju.retrievers import BM25Retriever, HybridRetriever, VectorRetriever  # noqa: PLC0415 - as above
    from youju.settings import KeywordSettings  # noqa: PLC0415 - as above

    Analyzer(KeywordSettings()).tokens(question)  # the dictionary: the other sides are given the words

    def ours() -> object:
        base = open_base(work / "base")
        keywords = BM25Retriever(source=base, k=10)
        if side == "ours":
            return base, keywords.invoke(question)
        legs = [keywords, VectorRetriever(source=base, k=10)]
        return base, HybridRetriever(retrievers=legs, weights=[0.5, 0.5]).invoke(question)

    return ours


def main() -> None:
    """Print the figures as JSON."""
    side, work, asked = sys.argv[1:]
    call = asking(side, Path(work), *json.loads(asked))
    before = resident()
    wall, processor = perf_counter(), process_time()
    loaded = call()
    figures = {"wall": perf_counter() - wall, "processor": process_time() - processor}
    figures |= {"before": before, "after": resident()}
    del loaded  # not before the memory is measured
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
