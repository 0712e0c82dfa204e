"""Reads the PDFs of a folder and measures what came out, and how long it took.

    python benchmarks/pdf_reading.py FOLDER

Printed for each file: milliseconds a page for youju, for pypdf alone and for PDFium alone; and, page by page, how far
the characters agree with those that `pdftotext` finds (multisets of visible characters; of headers and footers too,
which youju drops). If the folder has an `expect.json`, {"file": {"phrases": [{"page": 1, "phrase": "…"}]}}, every
phrase is looked for on its page with every engine, blanks left aside. Needs `pdftotext` (poppler-utils) for the
agreement.
"""

import json
import resource
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pypdf
import pypdfium2

from youju.errors import LoadError
from youju.loaders import LoadedFile, load_file
from youju.settings import LoaderSettings


def main() -> None:
    """Measure the folder that the command line names."""
    folder = Path(sys.argv[1])
    agreements: list[float] = []
    for path in sorted(folder.glob("*.pdf")):
        agreements += _report(path)
    if agreements:
        low = sorted(agreements)[len(agreements) // 20]
        print(
            f"\nagreement with pdftotext, {len(agreements)} pages: median {median(agreements):.4f}, 5 % below {low:.4f}"
        )
    print(f"most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    expected = folder / "expect.json"
    if expected.exists():
        _check(folder, json.loads(expected.read_text("utf-8")))


def _report(path: Path) -> list[float]:
    seconds, loaded = _timed(lambda: load_file(path))
    if isinstance(loaded, LoadError):
        print(f"{path.name}: {loaded.reason}")
        return []
    pages = loaded.pages or 1
    by_pypdf, _ = _timed(lambda: [page.extract_text() for page in pypdf.PdfReader(path).pages])
    by_pdfium, _ = _timed(lambda: [page.get_textpage().get_text_bounded() for page in pypdfium2.PdfDocument(path)])
    times = "  ".join(
        f"{name} {1000 * took / pages:.1f}"
        for name, took in [("youju", seconds), ("pypdf", by_pypdf), ("PDFium", by_pdfium)]
    )
    shares = _agreements(path, loaded)
    told = f"  agreement: median {median(shares):.4f}, least {min(shares):.4f}" if shares else ""
    problems = "".join(f"  {problem.reason}" for problem in loaded.problems)
    print(f"{path.name}: {pages} pages, ms a page: {times}{told}{problems}")
    return shares


def _timed(work: Callable[[], object]) -> tuple[float, "LoadedFile | LoadError"]:
    started = time.perf_counter()
    try:
        out = work()
    except LoadError as error:
        out = error
    return time.perf_counter() - started, out  # type: ignore[return-value]  # of the others only the time is used


def _agreements(path: Path, loaded: LoadedFile) -> list[float]:
    """For each page, the share of its characters that both found."""
    if shutil.which("pdftotext") is None:
        return []
    out = subprocess.run(["pdftotext", "-layout", path, "-"], capture_output=True, check=True)
    theirs = out.stdout.decode("utf-8", "replace").split("\f")
    ours = _pages(loaded)
    shares = []
    for page, text in enumerate(theirs[: loaded.pages], 1):
        one, other = _visible(ours.get(page, "")), _visible(text)
        if other:
            shares.append(2 * (one & other).total() / (one.total() + other.total()))
    return shares


def _pages(loaded: LoadedFile) -> dict[int, str]:
    out: dict[int, str] = {}
    for document in loaded.documents:
        page, text = document.metadata["page"], document.page_content
        at = document.metadata.get("page_break", len(text))
        back = document.metadata.get("page_return", len(text))
        out[page] = out.get(page, "") + text[:at] + text[back:]
        if text[at:back]:
            out[page + 1] = text[at:back]
    return out


def _visible(text: str) -> Counter[str]:
    return Counter(character for character in text if not character.isspace())


def _check(folder: Path, expected: dict[str, dict[str, list[dict[str, object]]]]) -> None:
    for engine in ("auto", "pdfium", "pypdf"):
        found = missing = 0
        for name, file in expected.items():
            if not file["phrases"]:
                continue
            try:
                loaded = load_file(folder / name, settings=LoaderSettings(pdf_engine=engine))
            except LoadError as error:
                print(f"  {engine}: {error}")
                missing += len(file["phrases"])
                continue
            pages = _pages(loaded)
            running = {document.metadata["page"]: document.metadata.get("running", "") for document in loaded.documents}
            for phrase in file["phrases"]:
                page = int(str(phrase["page"]))
                wanted = "".join(str(phrase["phrase"]).split())
                if any(wanted in "".join(text.get(page, "").split()) for text in (pages, running)):
                    found += 1
                else:
                    missing += 1
                    print(f"  {engine}: {name} page {page}: {wanted}")
        print(f"phrases with {engine}: {found} found, {missing} not")


if __name__ == "__main__":
    main()
