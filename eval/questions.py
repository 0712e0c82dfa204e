"""Questions and the passages that answer them, and where those passages stand."""

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from langchain_core.documents import Document

from youju.errors import LoadError
from youju.text import has_content

_KEYS = ("question", "quotes", "source")
_JUDGED_KEYS = ("question", "answerable", "quotes", "answer", "source")
_SHOWN = 30
_EXAMPLE = '{"question": "年假有几天？", "quotes": ["年假为10天。"]}'
_JUDGED_EXAMPLE = '{"question": "年假有几天？", "answerable": true}'


@dataclass(frozen=True)
class Question:
    """A question, and what of the documents answers it.

    Attributes:
        text: The question.
        quotes: Passages of the documents that answer it, each of them alone, in their own words; blanks and line ends
            do not count.
        source: The file they stand in; None looks for them in all.
        place: Where the question was written down, for messages.
        answerable: Whether the documents answer it.
        answer: What a right answer says; None where nobody wrote one.
    """

    text: str
    quotes: tuple[str, ...]
    source: str | None = None
    place: str = ""
    answerable: bool = True
    answer: str | None = None


@dataclass(frozen=True)
class Gold:
    """A place that answers a question: a document, by its number, and a span of its text."""

    document: int
    start: int
    end: int


def load_questions(path: Path | str, *, judged: bool = False) -> list[Question]:
    """Read questions from a file of JSON lines.

    A line is `{"question": "…", "quotes": ["…"], "source": "…"}`; `source` may be left out. Empty lines are skipped.

    Args:
        path: The file.
        judged: Lines say whether the documents answer: `{"question": "…", "answerable": true}`. Of what they answer,
            `quotes`, `answer` and `source` may be given; where there are quotes, `answerable` may be left out.

    Raises:
        LoadError: The file cannot be read, or a line is not of this form; the message names the line.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise LoadError(str(path), "找不到这个问题文件；请检查路径") from None
    except UnicodeDecodeError:
        raise LoadError(str(path), "问题文件不是 UTF-8 文字；请另存为 UTF-8 后重试") from None
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else "路径里有空字符"
        raise LoadError(str(path), f"读不了这个问题文件（{reason}）；请检查路径和权限") from None
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    read = _read_judged if judged else _read
    questions = [read(line, f"{path} 第 {number} 行") for number, line in lines]
    if not questions:
        raise LoadError(str(path), "问题文件里没有问题；每行写一个，例如 " + (_JUDGED_EXAMPLE if judged else _EXAMPLE))
    return questions


def find_quotes(questions: Sequence[Question], documents: Sequence[Document]) -> list[list[Gold]]:
    """Find where the quotes of each question stand: every place, for one may be said twice.

    Raises:
        LoadError: A quote stands nowhere, or there is no such source; the message names the question's place.
    """
    by_source: dict[str, list[int]] = {}
    for number, document in enumerate(documents):
        by_source.setdefault(str(document.metadata.get("source", "")), []).append(number)
    solid: dict[int, _Solid] = {}
    found = []
    for number, question in enumerate(questions, start=1):
        place = question.place or f"第 {number} 个问题"
        if question.source is not None and question.source not in by_source:
            known = "、".join(sorted(by_source)[:5])
            raise LoadError(place, f"资料里没有名为 {question.source} 的文件；有：{known}")
        where = range(len(documents)) if question.source is None else by_source[question.source]
        golds: list[Gold] = []
        for quote in question.quotes:
            places = list(_places(quote, where, documents, solid))
            if not places:
                shown = quote if len(quote) <= _SHOWN else f"{quote[:_SHOWN]}…"
                within = f" {question.source}" if question.source is not None else ""
                raise LoadError(place, f"在资料{within}里找不到引文“{shown}”；请照原文写，并且不要跨页或跨章节")
            golds += places
        found.append(golds)
    return found


class _Solid:
    """A text without blanks, and where its characters stood."""

    def __init__(self, text: str) -> None:
        self.places = array("I", (at for at, character in enumerate(text) if not character.isspace()))
        self.text = "".join(text.split())


def _places(
    quote: str, where: Iterable[int], documents: Sequence[Document], solid: dict[int, _Solid]
) -> Iterator[Gold]:
    wanted = "".join(quote.split())
    for number in where:
        if number not in solid:
            solid[number] = _Solid(documents[number].page_content)
        text, places = solid[number].text, solid[number].places
        at = text.find(wanted)
        while at >= 0:
            yield Gold(number, places[at], places[at + len(wanted) - 1] + 1)
            at = text.find(wanted, at + 1)


def _read(line: str, place: str) -> Question:
    data = _fields(line, place, _KEYS, _EXAMPLE)
    return Question(data["question"], _quotes(data, place), data.get("source"), place)


def _read_judged(line: str, place: str) -> Question:
    data = _fields(line, place, _JUDGED_KEYS, _JUDGED_EXAMPLE)
    answerable, answer = data.get("answerable", True if "quotes" in data else None), data.get("answer")
    if not isinstance(answerable, bool):
        raise LoadError(place, f"answerable 要写 true 或 false：资料能不能回答这个问题；例如 {_JUDGED_EXAMPLE}")
    given = [key for key in ("quotes", "answer", "source") if key in data]
    if given and not answerable:
        raise LoadError(place, f"资料不能回答的问题（answerable 是 false）没有 {given[0]}；请删掉一个")
    if answer is not None and not _says(answer):
        raise LoadError(place, "answer 要是一句有内容的话；没有就不要写")
    quotes = _quotes(data, place) if "quotes" in data else ()
    return Question(data["question"], quotes, data.get("source"), place, answerable, answer)


def _fields(line: str, place: str, keys: Sequence[str], example: str) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        raise LoadError(place, f"不是正确的 JSON；要写成 {example}") from None
    if not isinstance(data, dict):
        raise LoadError(place, f"要写成一个 JSON 对象：{example}")
    unknown = [key for key in data if key not in keys]
    if unknown:
        raise LoadError(place, f"字段 {unknown[0]} 不能写在这种文件里；可以写：{'、'.join(keys)}")
    if not _says(data.get("question")):
        raise LoadError(place, "question 要是一句有内容的话")
    if data.get("source") is not None and not _says(data["source"]):
        raise LoadError(place, "source 要是文件的名字；不限文件就不要写")
    return data


def _quotes(data: dict[str, Any], place: str) -> tuple[str, ...]:
    quotes = data.get("quotes")
    if not isinstance(quotes, list) or not quotes or not all(map(_says, quotes)):
        raise LoadError(place, 'quotes 要是原文引文的列表，至少一条，例如 ["年假为10天。"]')
    return tuple(quotes)


def _says(value: Any) -> bool:
    return isinstance(value, str) and has_content(value)
