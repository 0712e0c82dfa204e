"""What the checks of the answer chain are worth: against a plain chain with the same model and the same evidence.

    python benchmarks/answer_quality.py --rgb FOLDER --rageval FOLDER --out answers.jsonl
    python benchmarks/answer_quality.py --rgb FOLDER --out small.jsonl chat.model=openai:qwen \
        chat.base_url=http://127.0.0.1:8087/v1 chat.timeout=600
    python benchmarks/answer_quality.py --out answers.jsonl --report     # figures of what is done, nothing is asked

Words with `=` are settings, as for `youju --set`; `--config` names a file of them. Every answer is written to the file
as soon as it is there. The same command, given again, does what is not done yet: after Ctrl-C, after `kill -9`, or with
more questions. A model that cannot be asked ends the program with exit status 1; what is done stays.

`checked` is the answer chain with its checks, as the settings say; `plain` sends the same blocks with the prompt below
and passes on whatever the model says. Cases:

    rgb_negative   --rgb: FOLDER/zh_refine.jsonl of RGB; passages on the topic without the answer: to be refused
    rgb_mixed      the same file, other questions: two passages that hold the answer among as many that do not
    rageval        --rageval: a set in the layout of BEIR whose queries have `kind`, `reference_answer` and `evidence`,
                   as many of each kind; its documents are cut as the settings say, and the passages are searched

A passage of RGB is cut to its first characters. One that is given as right holds the whole gold answer after that, one
that is given as wrong no part of it; the order is drawn at random, always the same for a seed. In `rageval` a passage
is right to cite if it holds an evidence sentence of the question (`youju.eval.answer_texts.holds_sentence`).
"""

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from langchain_core.documents import Document

from youju import Settings
from youju.chains.fitting import splitter_for
from youju.errors import YoujuError
from youju.eval.answer_measures import Judgement, WayFigures, by_chance, judge, way_figures, worst
from youju.eval.answer_texts import comparable, holds_part, holds_sentence
from youju.eval.answers import AnswerCase, checked_way, plain_way, read_records, run_cases
from youju.eval.retrieval import Vectors, in_memory_retriever
from youju.knowledge import search_text
from youju.models import build_chat_model, build_embeddings

PLAIN = """根据下面的资料回答问题，每句话句末用 [资料N] 标出依据。资料里没有答案时，回答：资料中未提及。

<资料>
{evidence}
</资料>

问题：{question}"""
ROWS = (
    ("问题数", "cases", ""),
    ("其中应当拒答", "unanswerable", ""),
    ("编造：该拒答却给出了回答", "fabricated_share", "fabricated/unanswerable"),
    ("　其中同时说明了资料没写到的部分", "fabricated_partial", ""),
    ("答错：可答，给出的回答却没有标准答案", "wrong_share", "wrong/"),
    ("答对：回答含标准答案", "right_share", "right/"),
    ("拒答精确率", "refusal_precision", ""),
    ("拒答召回率", "refusal_recall", ""),
    ("误拒：读到了答案却拒答", "false_refusal_share", "false_refusals/reachable"),
    ("引用精确率（句）", "citation_precision", ""),
    ("引用召回率（句）", "citation_recall", ""),
    ("回答里有依据之外的数字", "unfounded_share", "unfounded/"),
    ("模型没有给出可用的回复", "errors", ""),
    ("每答秒数，中位数", "seconds", ""),
    ("每答秒数，平均", "seconds_mean", ""),
    ("每答调用模型次数", "calls", ""),
    ("每答读入词元", "tokens_in", ""),
    ("每答写出词元", "tokens_out", ""),
)
SHARES = {name for _, name, _ in ROWS if name.endswith(("_share", "_precision", "_recall"))}
WAYS = {"checked": "有检查的问答链", "plain": "普通链"}


def main(words: Sequence[str] | None = None) -> int:
    """Answer what is not answered yet, and print the figures."""
    given = arguments(words)
    try:
        if not given.report:
            answer(given)
        run, records = read_records(given.out)
    except YoujuError as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"读不了 {error.filename}：{error.strerror}", file=sys.stderr)
        return 1
    judged = [judge(record) for record in records]
    report(run, judged, given.worst)
    if given.json is not None:
        found = {group: {way: each.model_dump() for way, each in ways.items()} for group, ways in figures(judged)}
        text = json.dumps({"run": run, "figures": found}, ensure_ascii=False, indent=1)
        given.json.write_text(f"{text}\n", encoding="utf-8")
    return 0


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """The options; at least one set of questions, or `--report`."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("settings", nargs="*", metavar="key=value")
    options.add_argument("--config", type=Path)
    options.add_argument("--rgb", type=Path, metavar="FOLDER")
    options.add_argument("--rageval", type=Path, metavar="FOLDER")
    options.add_argument("--out", type=Path, required=True, help="JSONL file of the answers")
    options.add_argument("--json", type=Path, help="write the figures to this file")
    options.add_argument("--ways", default=",".join(WAYS))
    options.add_argument("--questions", type=int, default=30, help="of each of the three groups")
    options.add_argument("--passages", type=int, default=4, help="passages of RGB for a question, an even number")
    options.add_argument("--passage-chars", type=int, default=300)
    options.add_argument("--retriever", choices=["bm25", "hybrid"], default="bm25", help="for rageval")
    options.add_argument("--k", type=int, default=5, help="passages found for a question of rageval, at most 10")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--most", type=int, help="stop after so many new answers")
    options.add_argument("--worst", type=int, default=10, help="how many answers of each way to print for reading")
    options.add_argument("--report", action="store_true", help="ask nothing")
    given = options.parse_args(words)
    if not given.report and given.rgb is None and given.rageval is None:
        options.error("要给出 --rgb 或 --rageval，或者 --report")
    unknown = set(given.ways.split(",")) - set(WAYS)
    if unknown or given.passages < 2 or given.passages % 2 or not 1 <= given.k <= 10:
        options.error("--ways 只能是 checked、plain；--passages 要是不小于 2 的偶数；--k 要在 1 到 10 之间")
    return given


def answer(given: argparse.Namespace) -> None:
    """Put the cases to the ways of answering, each reply into the file."""
    settings = Settings.load(given.config, overrides=given.settings)
    groups = []
    if given.rgb is not None:
        groups += rgb_cases(given)
    if given.rageval is not None:
        groups.append(rageval_cases(given, settings))
    cases = [case for case in chain.from_iterable(zip_longest(*groups)) if case is not None]
    model = build_chat_model(settings.chat)
    made = {"checked": checked_way(model, settings), "plain": plain_way(model, settings, PLAIN)}
    ways = {way: made[way] for way in given.ways.split(",")}
    run = {
        "model": settings.chat.model,
        "settings": settings.model_dump(
            mode="json",
            include={
                "chat": {"model", "temperature", "max_tokens", "thinking"},  # where it is reached may change
                "answer": True,
                "splitter": True,
                "keywords": True,
            },
        ),
        "prompt": PLAIN,
        **{name: getattr(given, name) for name in ("passages", "passage_chars", "retriever", "k", "seed")},
    }
    for number, record in enumerate(run_cases(cases, ways, given.out, run=run), start=1):
        print(
            f"{number} {record.group} {record.case} {record.way} {record.status} {record.seconds:.1f} s",
            file=sys.stderr,
            flush=True,
        )
        if number == given.most:
            break


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSONL file."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def rgb_cases(given: argparse.Namespace) -> list[list[AnswerCase]]:
    """Questions to refuse, and others to answer: from both ends of one order, so that none is asked twice."""
    rows = list(lines(given.rgb / "zh_refine.jsonl"))
    random.Random(given.seed).shuffle(rows)  # noqa: S311 - no secret is drawn
    negative = [case for row in rows if (case := rgb_case(row, given, right=0))]
    mixed = [case for row in reversed(rows) if (case := rgb_case(row, given, right=given.passages // 2))]
    return [negative[: given.questions], mixed[: given.questions]]


def rgb_case(row: dict[str, Any], given: argparse.Namespace, *, right: int) -> AnswerCase | None:
    """A question with this many passages that hold the answer; None if it has too few of a kind."""
    answers = row["answer"] if isinstance(row["answer"], list) else [row["answer"]]
    parts = tuple(tuple(part) if isinstance(part, list) else (part,) for part in answers)
    held = {
        kind: [
            (f"{kind}{n}", cut, [holds_part(cut, part) for part in parts])
            for n, cut in enumerate(passage[: given.passage_chars] for passage in row[kind])
        ]
        for kind in ("positive", "negative")
    }
    good = [(name, cut) for name, cut, found in held["positive"] if all(found)]
    bad = [(name, cut) for name, cut, found in held["negative"] if not any(found)]
    if len(good) < right or len(bad) < given.passages - right:
        return None
    drawn = random.Random(f"{given.seed}:{row['id']}:{right}")  # noqa: S311 - as above
    chosen = [*drawn.sample(good, right), *drawn.sample(bad, given.passages - right)]
    drawn.shuffle(chosen)
    return AnswerCase(
        id=str(row["id"]),
        group="rgb_mixed" if right else "rgb_negative",
        kind="mixed" if right else "negative",
        question=row["query"].strip(),
        documents=tuple(
            Document(id=name, page_content=cut, metadata={"source": name, "location": f"网页 {number}"})
            for number, (name, cut) in enumerate(chosen, start=1)
        ),
        right=frozenset(name for name, _ in chosen if name.startswith("positive")),
        must_refuse=not right,
        parts=parts,
    )


def rageval_cases(given: argparse.Namespace, settings: Settings) -> list[AnswerCase]:
    """Questions of all kinds in turn, each with the passages that a search for it finds."""
    documents = [
        Document(row["text"], metadata={"source": row["_id"], "title": row["title"], "location": row["title"]})
        for row in lines(given.rageval / "corpus.jsonl")
    ]
    embeddings = build_embeddings(settings.embeddings)
    splitter = splitter_for(settings, lambda: embeddings)
    chunks = {f"{n}": chunk for n, chunk in enumerate(splitter.split_documents(documents)) if chunk.page_content}
    searched = [Document(id=name, page_content=search_text(chunk)) for name, chunk in chunks.items()]
    vectors = Vectors(embeddings) if given.retriever == "hybrid" else None
    search = in_memory_retriever(searched, given.retriever, vectors)
    by_kind: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in lines(given.rageval / "queries.jsonl"):
        by_kind[row["metadata"]["kind"]].append(row)
    for kind, rows in by_kind.items():
        random.Random(f"{given.seed}:{kind}").shuffle(rows)  # noqa: S311 - as above
    turns = zip_longest(*(by_kind[kind] for kind in sorted(by_kind, key=lambda kind: (kind != "unanswerable", kind))))
    chosen = [row for row in chain.from_iterable(turns) if row is not None][: given.questions]
    cases = []
    for row in chosen:
        found = [chunks[str(hit.id)].model_copy(update={"id": hit.id}) for hit in search.invoke(row["text"])[: given.k]]
        cases.append(rageval_case(row, found))
    return cases


def rageval_case(row: dict[str, Any], found: Sequence[Document]) -> AnswerCase:
    """A question with the passages found for it."""
    metadata = row["metadata"]
    evidence: dict[str, list[str]] = metadata["evidence"]
    right = {
        str(document.id)
        for document in found
        if any(
            comparable(sentence) and holds_sentence(document.page_content, sentence)
            for sentence in evidence.get(document.metadata["source"], [])
        )
    }
    return AnswerCase(
        id=row["_id"],
        group="rageval",
        kind=metadata["kind"],
        question=row["text"].strip(),
        documents=tuple(found),
        right=frozenset(right),
        must_refuse=not any(evidence.values()),
        partly=metadata["kind"] == "partly_answerable",
        reference=metadata["reference_answer"],
    )


def figures(judged: Sequence[Judgement]) -> Iterator[tuple[str, dict[str, WayFigures]]]:
    """The figures of each group and of all, for each way."""
    names = sorted({one.record.group for one in judged})
    for group in [*names, "all"] if len(names) > 1 else names:
        here = [one for one in judged if group in {one.record.group, "all"}]
        yield group, {way: way_figures(of) for way in WAYS if (of := [one for one in here if one.record.way == way])}


def report(run: dict[str, Any], judged: Sequence[Judgement], most: int) -> None:
    """Print the tables, the comparison of the two ways, and answers to read."""
    print(f"模型 {run['model']}；引用检查 {run['settings']['answer']}")
    for group, ways in figures(judged):
        print(f"\n### {group}\n\n| | {' | '.join(WAYS[way] for way in ways)} |\n|---|{'---|' * len(ways)}")
        for title, name, count in ROWS:
            print(f"| {title} | {' | '.join(shown(of, name, count) for of in ways.values())} |")
    by_kind(judged)
    compare(judged)
    for way in WAYS:
        for place, one in enumerate(worst((each for each in judged if each.record.way == way), most), start=1):
            show(place, one)


def by_kind(judged: Sequence[Judgement]) -> None:
    """Print what became of each kind of question."""
    states = {
        "答对": "right",
        "答错": "wrong",
        "编造": "fabricated",
        "对的拒答": "right_refusal",
        "误拒": "false_refusal",
    }
    counted: dict[tuple[str, str, str], list[Judgement]] = defaultdict(list)
    for one in judged:
        counted[one.record.group, one.record.kind, one.record.way].append(one)
    print(f"\n| 种类 | | 问题数 | {' | '.join(states)} |\n|{'---|' * (3 + len(states))}")
    for group, kind, way in sorted(counted):
        here = counted[group, kind, way]
        counts = (sum(bool(getattr(one, name)) for one in here) for name in states.values())
        print(f"| {group}：{kind} | {WAYS[way]} | {len(here)} | {' | '.join(map(str, counts))} |")


def shown(of: WayFigures, name: str, count: str) -> str:
    """A figure as text, a share with what it is a share of."""
    value = getattr(of, name)
    if value is None:
        return "—"
    if name not in SHARES:
        return f"{value}" if isinstance(value, int) else f"{value:.2f}"
    above, _, below = count.partition("/")
    whole = getattr(of, below) if below else round(getattr(of, above) / value) if above and value else None
    return f"{value:.1%}" + (f"（{getattr(of, above)}/{whole}）" if above and whole else "")


def compare(judged: Sequence[Judgement]) -> None:
    """How the two ways differ on the cases that both have answered."""
    by_way: dict[str, dict[tuple[str, str], Judgement]] = defaultdict(dict)
    for one in judged:
        by_way[one.record.way][one.record.group, one.record.case] = one
    both = [key for key in by_way["checked"] if key in by_way["plain"]]
    if not both:
        return
    print(f"\n同一批 {len(both)} 个问题上两者的差别；p 是差别只出于偶然的可能，双侧，成对随机交换一万次：\n")
    for title, name in (("编造", "fabricated"), ("答错", "wrong"), ("答对", "right"), ("误拒", "false_refusal")):
        ours, plain = ([bool(getattr(by_way[way][key], name)) for key in both] for way in ("checked", "plain"))
        share = f"，是普通链的 {sum(ours) / sum(plain):.0%}" if name == "right" and any(plain) else ""
        print(f"- {title}：{sum(ours)} 对 {sum(plain)}{share}；p = {by_chance(ours, plain):.3f}")


def show(place: int, one: Judgement) -> None:
    """Print an answer for reading."""
    record = one.record
    states = {
        "编造": one.fabricated,
        "答错": one.wrong,
        "答对": one.right,
        "误拒": one.false_refusal,
        "出错": one.outcome == "error",
    }
    gold = "应当拒答" if record.must_refuse else record.reference or "；".join("/".join(part) for part in record.parts)
    print(f"\n{place}. {WAYS[record.way]}，{record.group} {record.case}（{record.kind}）：", end="")
    print("、".join(state for state, holds in states.items() if holds) or one.outcome)
    print(f"   问题：{record.question}\n   标准：{gold}\n   回答（{record.status}）：{record.answer or '—'}")
    if record.reason:
        print(f"   原因：{record.reason}")
    right = "、".join(map(str, record.right)) or "没有"
    numbers = f"；依据之外的数字：{'、'.join(one.unfounded)}" if one.unfounded else ""
    print(f"   {len(record.evidence)} 块资料里可以引用的：{right}{numbers}")


if __name__ == "__main__":
    sys.exit(main())
