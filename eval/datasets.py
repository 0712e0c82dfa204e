"""Retrieval sets in the layout of BEIR: passages, questions, and which passages answer a question."""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from youju.errors import LoadError
from youju.text import has_content

_LOG = logging.getLogger("youju")
_QRELS = ("qrels.tsv", "qrels/test.tsv")
_SHOWN = 5


@dataclass(frozen=True)
class Passage:
    """What is searched for.

    Attributes:
        id: Its name in the set.
        title: What it is headed with; may be empty.
        text: What it says.
    """

    id: str
    title: str
    text: str


@dataclass(frozen=True)
class RetrievalDataset:
    """Passages, questions, and which passages answer a question.

    Attributes:
        name: The folder's name.
        passages: By id.
        questions: Those that some passage answers, by id.
        relevant: For each of these questions, the ids of the passages that answer it and how well (1 or more).
        unanswered: Ids of the questions that no passage answers: measures of retrieval leave them out.
        unknown: Ids of passages that are said to answer a question and are not in the set; they stay relevant, and
            cannot be found.
    """

    name: str
    passages: Mapping[str, Passage]
    questions: Mapping[str, str]
    relevant: Mapping[str, Mapping[str, int]]
    unanswered: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


def load_dataset(folder: Path | str, *, rewrite: Callable[[str], str] = str) -> RetrievalDataset:
    """Read a set in the layout of BEIR (Thakur et al., NeurIPS 2021, Datasets and Benchmarks).

    `corpus.jsonl` has a line `{"_id": "…", "title": "…", "text": "…"}` for each passage (the title may be left out),
    `queries.jsonl` a line `{"_id": "…", "text": "…"}` for each question; other keys are allowed and not read.
    `qrels.tsv`, or `qrels/test.tsv`, has a line `question<TAB>passage<TAB>score` for each judgement, below a line of
    headings if there is one; passages with a score above 0 answer the question.

    Args:
        folder: Where these files are.
        rewrite: What to make of each question, such as writing it in other characters.

    Raises:
        LoadError: A file is missing or cannot be read, a line is not of this form, an id is there twice, or no
            question has a passage that answers it. The message names the file and the line.
    """
    folder = Path(folder)
    passages: dict[str, Passage] = {}
    asked: dict[str, str] = {}
    for place, row in _rows(folder / "corpus.jsonl"):
        title, text = _text(row, "title", place, default=""), _text(row, "text", place)
        if not has_content(title) and not has_content(text):
            raise LoadError(place, "title 和 text 都没有内容；请补上，或删去这一行")
        _put(passages, _id(row, place), Passage(_id(row, place), title, text), place)
    for place, row in _rows(folder / "queries.jsonl"):
        text = _text(row, "text", place)
        if not has_content(text):
            raise LoadError(place, "text 要是一句有内容的话")
        _put(asked, _id(row, place), rewrite(text), place)
    judged, path = _judgements(folder)
    nameless = [question for question in judged if question not in asked]
    if nameless:
        _LOG.warning("%s 里有 queries.jsonl 里没有的问题，不计入：%s", path, _listed(nameless))
    relevant = {question: judged[question] for question in asked if judged.get(question)}
    unknown = tuple(dict.fromkeys(one for found in relevant.values() for one in found if one not in passages))
    if unknown:
        _LOG.warning("%s 里有 corpus.jsonl 里没有的段落，按找不到计：%s", path, _listed(unknown))
    if not relevant:
        raise LoadError(str(path), "没有一个问题有能回答它的段落，没有可以测量的；请检查两个文件里的 _id 是否对得上")
    return RetrievalDataset(
        name=folder.resolve().name,
        passages=passages,
        questions={question: asked[question] for question in relevant},
        relevant=relevant,
        unanswered=tuple(question for question in asked if question not in relevant),
        unknown=unknown,
    )


def _judgements(folder: Path) -> tuple[dict[str, dict[str, int]], Path]:
    """For each question the passages with a score above 0, and the file that says so."""
    path = next((folder / name for name in _QRELS if (folder / name).exists()), None)
    if path is None:
        raise LoadError(str(folder), f"找不到 {' 或 '.join(_QRELS)}，不知道哪些段落能回答问题；请检查文件夹")
    found: dict[str, dict[str, int]] = {}
    seen: set[tuple[str, str]] = set()
    headings = True  # may stand on the first line
    for number, line in _lines(path):
        place = f"{path} 第 {number} 行"
        parts = line.split("\t")
        if len(parts) != 3:
            raise LoadError(place, f"要有用制表符隔开的三栏（问题、段落、分数），这里有 {len(parts)} 栏")
        question, passage, score = (part.strip() for part in parts)
        try:
            grade = int(score)
        except ValueError:
            if headings:
                headings = False
                continue
            raise LoadError(place, f"分数要是整数，不能是 {score}") from None
        headings = False
        if (question, passage) in seen:
            raise LoadError(place, f"问题 {question} 和段落 {passage} 已经在前面判过；请只留一行")
        seen.add((question, passage))
        if grade > 0:
            found.setdefault(question, {})[passage] = grade
    return found, path


def _rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The objects of a JSONL file, each with its place for messages."""
    empty = True
    for number, line in _lines(path):
        place = f"{path} 第 {number} 行"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise LoadError(place, "不是正确的 JSON；每行写一个 JSON 对象") from None
        if not isinstance(row, dict):
            raise LoadError(place, '要写成一个 JSON 对象，例如 {"_id": "1", "text": "年假为10天。"}')
        empty = False
        yield place, row
    if empty:
        raise LoadError(str(path), "文件里一行也没有；没有可以测量的")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that are not blank, with their numbers."""
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield number, line.rstrip("\r\n")
    except FileNotFoundError:
        raise LoadError(str(path), "找不到这个文件；请检查文件夹") from None
    except UnicodeDecodeError:
        raise LoadError(str(path), "不是 UTF-8 文字；请另存为 UTF-8 后重试") from None
    except OSError as error:
        raise LoadError(str(path), f"读不了这个文件（{error.strerror}）；请检查路径和权限") from None


def _id(row: Mapping[str, Any], place: str) -> str:
    value = row.get("_id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise LoadError(place, "_id 要是不空的文字或整数")
    return value.strip()


def _text(row: Mapping[str, Any], key: str, place: str, *, default: str | None = None) -> str:
    value = row.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise LoadError(place, f"{key} 要是文字")
    return value


def _put(found: dict[str, Any], key: str, value: object, place: str) -> None:
    if key in found:
        raise LoadError(place, f"_id {key} 已经在前面出现过；每个 _id 只能有一行")
    found[key] = value


def _listed(ids: tuple[str, ...] | list[str]) -> str:
    more = f" 等 {len(ids)} 个" if len(ids) > _SHOWN else ""
    return "、".join(ids[:_SHOWN]) + more
