"""How long the checks of an answer take: five sentences over six blocks of evidence, without embedding.

    python benchmarks/check_speed.py [--rounds 200]

The blocks are six sections of an example text of this repository, about 350 characters each; the five sentences say in
other words what they say, with numbers, dates and names. Rows, each in every round, in turns:

    difflib       Python's `SequenceMatcher.ratio` of each sentence to each sentence of what it cites: how alike they
                  look, in which one number or 不 hardly counts; the peer
    words         cutting the blocks and the answer into words, which any comparison by words must do
    coverage      reading the marks alone (`citations: coverage`)
    grounded      the checks (`citations: grounded`), with the evidence read anew: what an answer costs
    again         the same with what the run before has kept, as when an answer is read again while it grows
    one wrong     the same answer with one number changed, which is looked for everywhere and explained
    settled       that answer checked, mended, and what is left of it checked again

Times are of the processor; what else runs on it slows all rows, up to twice where machines share one, so look at the
fastest, and at `difflib` beside it. What is kept of texts for the next time is forgotten before each run, as the next
answer has other evidence, except before `again`.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from youju.chains import CitationError, CitationParser, Evidence
from youju.chains.claims import split_answer, without_marks
from youju.chains.marks import marks
from youju.chains.settle import settle
from youju.text import sentences, tokens

TEXT = Path(__file__).parents[1] / "examples" / "compare" / "小城的自来水.txt"
SECTIONS = 6
QUESTION = "青石镇的水从哪里来，怎样处理，怎样收费，停水时怎么办？"
ANSWER = (
    "青石镇的自来水取自双溪水库，它建成于1974年，正常蓄水位是128米[资料1]。"
    "原水经过混合、沉淀、过滤和消毒四道工序，一共需要十四小时，砂滤层每36小时反冲洗一次[资料2]。"
    "供水干管共长68公里，从2016年起每年更换4公里老管，漏损率到2023年降到9.6%[资料3][资料4]。"
    "每户每年不超过180立方米的部分按每立方米2.35元收取，低保户每月免收前五立方米的水费[资料5]。"
    "计划停水要提前24小时公告，突发停水超过4小时的要安排送水车，超过12小时的还要向镇政府报告[资料6]。"
)
WRONG = ANSWER.replace("2.35元", "2.85元")


def main(words: Sequence[str] | None = None) -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--rounds", type=int, default=200)
    given = options.parse_args(words)
    blocks = read_blocks()
    try:
        parser(blocks).parse(ANSWER)
    except CitationError as error:
        sys.exit(f"检查没有认可示例的回答，下面的时间没有意义：{error}")
    rows: dict[str, Callable[[], object]] = {
        "difflib": lambda: alike(blocks),
        "words": lambda: [tokens(text) for text in (*(block.text for block in blocks), ANSWER)],
        "coverage": lambda: CitationParser(blocks=len(blocks), require="coverage").parse(ANSWER),
        "grounded": lambda: check(blocks, ANSWER),
        "again": lambda: check(blocks, ANSWER),
        "one wrong": lambda: check(blocks, WRONG),
        "settled": lambda: settle(parser(blocks), WRONG, repair=True),
    }
    took: dict[str, list[float]] = {name: [] for name in rows}
    for run in rows.values():  # loads what is loaded once
        run()
    caches = text_caches()
    for _ in range(given.rounds):
        for name, run in rows.items():
            for kept in caches if name != "again" else ():
                kept.cache_clear()
            started = process_time()
            run()
            took[name].append(process_time() - started)
    peer = median(took["difflib"])
    print(f"{len(blocks)} blocks, {sum(len(block.text) for block in blocks)} characters; {len(ANSWER)} of the answer")
    print("\n| | median, ms | fastest, ms | slowest tenth, ms | to difflib |\n|---|---|---|---|---|")
    for name, times in took.items():
        late = sorted(times)[len(times) * 9 // 10]
        print(
            f"| {name} | {median(times) * 1000:.2f} | {min(times) * 1000:.2f} | {late * 1000:.2f} "
            f"| {median(times) / peer:.2f} |"
        )


def read_blocks() -> list[Evidence]:
    """The sections, as blocks of evidence."""
    parts = TEXT.read_text(encoding="utf-8").split("\n\n")[1:]  # heading, text, heading, text …
    sections = [f"{heading}\n{text}" for heading, text in zip(parts[::2], parts[1::2], strict=True)]
    return [
        Evidence(n=n, id=f"s{n}", text=text, source=TEXT.name, location=TEXT.name)
        for n, text in enumerate(sections[:SECTIONS], start=1)
    ]


def parser(blocks: Sequence[Evidence]) -> CitationParser:
    """A parser that checks against these blocks."""
    return CitationParser(evidence=blocks, require="grounded", question=QUESTION)


def check(blocks: Sequence[Evidence], answer: str) -> object:
    """Check an answer."""
    try:
        return parser(blocks).parse(answer)
    except CitationError as error:
        return error.parsed


def text_caches() -> list[Any]:
    """What keeps things of texts for the next time; dictionaries and the like, of which there is one, stay."""
    found = [
        value for name in list(sys.modules) if name.startswith("youju.") for value in vars(sys.modules[name]).values()
    ]
    kept = {id(one): one for one in found if hasattr(one, "cache_parameters")}
    return [one for one in kept.values() if one.cache_parameters()["maxsize"] not in {None, 1}]


def alike(blocks: Sequence[Evidence]) -> list[float]:
    """How like each sentence of the answer is to the likest sentence that it cites."""
    found = []
    for piece in split_answer(ANSWER):
        cited = [blocks[n - 1].text for n in marks(piece.text)]
        pairs = [(without_marks(piece.text), text[start:end]) for text in cited for start, end in sentences(text)]
        found.append(max(SequenceMatcher(None, one, other, autojunk=False).ratio() for one, other in pairs))
    return found


if __name__ == "__main__":
    main()
