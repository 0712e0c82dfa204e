"""The sentences of an answer: where each stands, and an answer put together again from those that are kept."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from youju.chains.content import words
from youju.chains.marks import MARK
from youju.chains.silence import is_lead_in, is_rule_row, table_headers
from youju.chains.values import folded, values
from youju.text import HAN, SENTENCE_MARK, has_content

_COUNTED = re.compile(rf"[{HAN}][0-9]")  # a digit behind a character is always part of a value
_MARKS_BEHIND = re.compile(r"(?:\s*\[资料[0-9]{1,30}\])+[。．.]?")
_DECORATION = re.compile(r"^(?:\s*(?:#{1,6}\s|[-*+•●>]\s|\d{1,3}[.、)）](?!\d)|[（(]\d{1,2}[)）]|[①-⑳]))+\s*")
_PARTED = re.compile(rf"(?<=[{HAN}])[^\S\n]+[^\w\s“‘「『《（(]*(?=[{HAN}])|[^\S\n]*\|[\s|]*(?=\S)")
_ROW = re.compile(r"\|[^|\w]*\w[^|]*\|")
_EMPHASIS = re.compile(r"\*\*|__|`")
_YES_OR_NO = re.compile(
    r"\W*(?:是的?|对的?|没错|不是|否|不?可以|不?能|不?会|不?需要|不?行|没?有|yes|no)\W*", re.IGNORECASE
)
_END = re.compile(r"[\s。．.｡！!？?；;…”’」』）)*_|]*$")


@dataclass(frozen=True)
class Piece:
    """A sentence of an answer with its marks.

    Attributes:
        text: The sentence, marks that stand before the first one and on lines of their own included.
        start: Where it begins in the answer.
        end: Where it ends there.
        lead_in: Whether it is a heading, a table's header or a line such as 规定如下： and states nothing itself.
    """

    text: str
    start: int
    end: int
    lead_in: bool


def split_answer(answer: str) -> list[Piece]:
    """The sentences of an answer.

    Marks right behind a sentence's end belong to it, those before the first to that, and a mere yes or no to the
    sentence behind it, which says of what.
    """
    headers = table_headers(answer)
    found: list[list[int]] = []
    begin: int | None = None  # of marks that no sentence stands before
    offset = 0
    for line in answer.splitlines(keepends=True):
        at = 0
        for end in [*(match.end() for match in SENTENCE_MARK.finditer(line)), len(line)]:
            behind = _MARKS_BEHIND.match(line, end)
            stop = behind.end() if behind else end
            if stop <= at:
                continue
            raw = line[at:stop]
            start, solid_end = offset + at + len(raw) - len(raw.lstrip()), offset + at + len(raw.rstrip())
            if has_content(MARK.sub("", raw)):
                found.append([start if begin is None else begin, solid_end])
                begin = None
            elif found and MARK.search(raw):
                found[-1][1] = solid_end
            elif not found and begin is None and raw.strip():
                begin = start
            at = stop
        offset += len(line)
    pieces: list[Piece] = []
    for start, end in found:
        if pieces and is_yes_or_no(pieces[-1].text):
            start = pieces.pop().start  # noqa: PLW2901 - the sentence as it is now
        text = "".join(line.strip() for line in answer[start:end].splitlines())
        pieces.append(Piece(text, start, end, is_lead_in(text, table_header=text in headers)))
    return pieces


def settled(pieces: Sequence[Piece], answer: str) -> int:
    """How many sentences of an answer that is still being written cannot change any more.

    The last one is unfinished, and the one before it may turn out to be a quotation that the last one tags
    (“去吗？”他问), unless a line ends between them.
    """
    if len(pieces) < 2:
        return 0
    return len(pieces) - (1 if "\n" in answer[pieces[-2].end : pieces[-1].start] else 2)


def joined(answer: str, pieces: Sequence[Piece], kept: Mapping[int, str]) -> dict[int, str]:
    """The texts, by the number of their sentence, that together are an answer without the sentences not kept.

    Args:
        answer: The answer that was cut into pieces.
        pieces: All its sentences.
        kept: The numbers of those that stay, and what they read like now. Headings, headers and lead-ins stay where
            something stays that they lead to.

    Returns:
        Each sentence that stays, in order, with what stands between it and the one before it.
    """
    leading = {number: answer[pieces[number].start : pieces[number].end] for number in _leading(pieces, kept)}
    staying = {**leading, **kept}
    texts: dict[int, str] = {}
    gaps: list[str] = []
    previous = 0
    for number, piece in enumerate(pieces):
        gaps.append(answer[previous : piece.start])
        previous = piece.end
        if number in staying:
            texts[number] = (_between(gaps) if texts else "".join(gaps).lstrip()) + staying[number]
            gaps = []
    return texts


def with_marks(sentence: str, numbers: Iterable[int]) -> str:
    """A sentence with these marks, before its full stop, in place of those it has."""
    bare = without_marks(sentence)
    end = _END.search(bare)
    at = end.start() if end else len(bare)
    return f"{bare[:at]}{''.join(f'[资料{n}]' for n in numbers)}{bare[at:]}"


def is_yes_or_no(sentence: str) -> bool:
    """Whether a sentence says yes or no and nothing else."""
    return _YES_OR_NO.fullmatch(without_marks(sentence)) is not None


def is_of_empty_words(stated: str) -> bool:
    """Whether there is nothing in what a sentence states that could be compared, such as 允许 or 有的."""
    if _COUNTED.search(stated):
        return False
    text = folded(stated)
    return not values(text) and not words(text, raw=stated)


def statement(sentence: str) -> str:
    """What a sentence states: without its marks, the number or bullet of a list before it, and emphasis.

    Where blanks or a bar stand between its parts, a comma does, so that each part is judged for itself; rows of a table
    stay as they are.
    """
    bare = _EMPHASIS.sub("", _DECORATION.sub("", without_marks(sentence).lstrip(), count=1))
    return bare if _ROW.match(bare) else _PARTED.sub("，", bare)


def without_marks(sentence: str) -> str:
    """A sentence without its marks."""
    return MARK.sub("", sentence)


def _leading(pieces: Sequence[Piece], kept: Mapping[int, str]) -> list[int]:
    """The lead-ins, each with all right before it, that something kept follows before the next one."""
    found: list[int] = []
    waiting: list[int] = []
    content = False
    for number, piece in enumerate(pieces):
        if piece.lead_in and number not in kept:
            if content:
                waiting = []
            content = False
            waiting.append(number)
            continue
        content = True
        if number in kept:
            found += waiting
            waiting = []
    return found


def _between(gaps: Sequence[str]) -> str:
    """What stands between two sentences once those between them, if there were any, are gone."""
    if len(gaps) == 1:
        return gaps[0]
    if any(is_rule_row(line) for gap in gaps for line in gap.splitlines() if line.strip()):
        return "".join(gaps)
    return max(("\n" * min(gap.count("\n"), 2) for gap in gaps), key=len)
