"""The evidence of a prompt as units that can be said: sentences, list items and rows, with what each stands under."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from youju.models.extractive_tables import is_row, statements
from youju.text import fold, has_content, sentences

_HEADER = re.compile(r"^\[资料(\d+)\] (.*)$", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_DECORATION = re.compile(r"^(?:\s*+(?:#{1,6}|[-*+•●◆▪]|>)\s++)+")
_HAN_NUMBER = "一二三四五六七八九十"
_NUMBER = (
    rf"(?:\d{{1,2}}[.、)）．](?!\d)|[（(][{_HAN_NUMBER}\d]{{1,3}}[)）]|[①-⑳]|第[{_HAN_NUMBER}\d]{{1,3}}步[：:，,、]?"
    r"|[a-h][.)]\s)"
)
_ITEM = re.compile(rf"\s*(?:[-*+•●◆▪]\s|{_NUMBER})")
_TITLE = re.compile(
    rf"(?:第[零〇百{_HAN_NUMBER}\d]+[章节编篇条]|[{_HAN_NUMBER}]{{1,3}}、|[（(][{_HAN_NUMBER}]{{1,3}}[)）]"
    r"|\d{1,2}(?:\.\d{1,2})*[.、 ])"
)
_STATES = re.compile(r"[。！？!?；;，,：:|]|\.$|\d{2,}")
_SAYS = re.compile(r"[为是有可须应不按得能会]|[零〇一二两三四五六七八九十百\d][元天日月年周个次名人条项件倍]")
_LEADS = re.compile(r"[：:]$")
_QUESTION_END = ("？", "?")
_INJECTED = re.compile(
    r"(?:忽略|无视|忘记|忘掉|不要(?:理会|遵守))[^。！？\n]{0,12}(?:要求|指令|指示|规则|提示|命令|内容|资料)"
    r"|(?:ignore|disregard|forget)\b.{0,30}\b(?:instructions?|rules?|prompts?|above|previous)\b"
    r"|你(?:现在)?(?:是|扮演)一[个名位][^。！？\n]{0,12}(?:助手|模型|机器人)|系统提示词?[：:]|system prompt",
    re.IGNORECASE,
)
_FENCE = re.compile(r"\s*(?:```|~~~)")
_PLACE = re.compile(r"(?: 第 .*页| › | #|（).*$")
"""What in a block's header says where in a document it stands."""
_NEAR = 2
"""How many units before one are near it."""


@dataclass(frozen=True)
class Unit:
    """Something the evidence says.

    Attributes:
        block: The number of its block.
        place: Its place in the block.
        text: Its words, as an answer says them.
        raw: Its words as they stand in the block.
        own: The same, folded.
        section: What it stands under in its block, folded: headings, the line that leads a list, a question.
        context: The same with the block's header.
        near: What stands right before it in its block, folded.
        whole: The block with its header, folded.
        document: All blocks of its document, folded.
        before: All that stands before it in its block, folded.
        kind: `sentence`, `item`, `row` or `code`.
        group: Which list or table of the block it belongs to; 0 for none.
        leads: Whether it leads to the list behind it.
        injected: Whether it tells a reader to break rules instead of stating something.
    """

    block: int
    place: int
    text: str
    raw: str
    own: str
    section: str
    context: str
    near: str
    whole: str
    document: str
    before: str
    kind: str
    group: int
    leads: bool
    injected: bool


@dataclass(frozen=True)
class _Piece:
    text: str
    kind: str
    group: int
    under: tuple[str, ...]
    raw: str


def blocks_of(evidence: str) -> list[tuple[int, str, str]]:
    """Number, header and text of each block."""
    headers = list(_HEADER.finditer(evidence))
    ends = [*(header.start() - len("\n\n") for header in headers[1:]), len(evidence)][: len(headers)]
    return [
        (int(header.group(1)), header.group(2), evidence[header.end() + 1 : end])
        for header, end in zip(headers, ends, strict=True)
    ]


def units_in(blocks: Sequence[tuple[int, str, str]], folded: Callable[[str], str] = fold) -> list[Unit]:
    """The units of all blocks.

    Args:
        blocks: Number, header and text of each.
        folded: How texts are folded for comparing.
    """
    wholes = [folded(f"{header}\n{text}") for _, header, text in blocks]
    documents: dict[str, str] = {}
    for (_, header, _), whole in zip(blocks, wholes, strict=True):
        document = _PLACE.sub("", header)
        documents[document] = documents.get(document, "") + whole + "\n"
    return [
        unit
        for (number, header, text), whole in zip(blocks, wholes, strict=True)
        for unit in _units(number, header, text, whole, documents[_PLACE.sub("", header)], folded)
    ]


def _units(
    number: int, header: str, text: str, whole: str, document: str, folded: Callable[[str], str]
) -> Iterator[Unit]:
    top = folded(header)
    place = 0
    before: list[str] = []
    for piece in _Reading().pieces(text):
        injected = _INJECTED.search(piece.text) is not None
        own = folded(piece.text)
        under = folded("\n".join(piece.under))
        said = " ".join(_DECORATION.sub("", piece.text).split()).replace("**", "")
        if has_content(said):
            yield Unit(
                block=number,
                place=place,
                text=said,
                raw=_DECORATION.sub("", piece.raw).strip(),
                own=own,
                context=f"{top}\n{under}",
                near="\n".join(before[-_NEAR:]),
                whole=whole,
                document=document,
                before="\n".join(before),
                kind=piece.kind,
                group=piece.group,
                leads=_LEADS.search(said) is not None,
                injected=injected,
                section=under,
            )
            place += 1
        before.append(own)


def without_number(text: str) -> str:
    """The text of a list item without its number."""
    return _ITEM.sub("", text, count=1) if _ITEM.match(text) else text


class _Reading:
    """A block, read line by line: where the reader is."""

    def __init__(self) -> None:
        self._headings: list[tuple[int, str]] = []
        self._asked = self._lead = ""
        self._group, self._in_list, self._in_code = 0, False, False

    def pieces(self, text: str) -> Iterator[_Piece]:
        """Cut a block."""
        lines = [line for line in text.split("\n") if line.strip()]
        at = 0
        while at < len(lines):
            line, end = lines[at], at + 1
            if _FENCE.match(line):
                self._in_code = not self._in_code
            elif self._in_code:
                yield _Piece(line, "code", self._group, self._under(), line)
            elif _HEADING.match(line) or _is_title(line, lines[end : end + 1], lines[at - 1] if self._in_list else ""):
                self._open(line)
            elif is_row(line):
                while end < len(lines) and is_row(lines[end]):
                    end += 1
                yield from self._rows(lines[at:end])
            else:
                yield from self._sentences(line)
            at = end

    def _under(self) -> tuple[str, ...]:
        return (*(title for _, title in self._headings), *filter(None, (self._asked, self._lead)))

    def _open(self, line: str) -> None:
        heading = _HEADING.match(line)
        level, title = (len(heading.group(1)), heading.group(2)) if heading else (_level(line), line)
        self._headings = [*(entry for entry in self._headings if entry[0] < level), (level, title)]
        self._asked = self._lead = ""
        self._in_list = False

    def _rows(self, rows: Sequence[str]) -> Iterator[_Piece]:
        self._group += 1
        for row, said in zip(rows, statements(rows), strict=True):
            for one in said:
                yield _Piece(one, "row", self._group, self._under(), row)
        self._lead, self._in_list = "", False

    def _sentences(self, line: str) -> Iterator[_Piece]:
        item = _ITEM.match(line) is not None
        if item and not self._in_list:
            self._group += 1
        self._in_list = item
        kind = ("item", self._group) if item else ("sentence", 0)
        for start, end in sentences(line):
            sentence = line[start:end]
            if sentence.endswith(_QUESTION_END):
                self._asked, self._lead = sentence, ""
                continue
            yield _Piece(sentence, *kind, self._under(), sentence)
            if not item:
                self._lead = sentence if _LEADS.search(sentence) else ""


def _is_title(line: str, following: Sequence[str], item_before: str) -> bool:
    """Whether a line without a Markdown mark is a heading: short, it states nothing, and more follows below it.

    A line that is numbered like the next one, or like the list item before it, is an item.
    """
    line = line.strip()
    if not following or len(line) > 40 or _STATES.search(line) or is_row(line):
        return False
    below = following[0].strip()
    if _TITLE.match(line):
        as_below = _numbering(line) == _numbering(below) and len(below) <= 40 and not _STATES.search(below)
        return not as_below and _numbering(line) != _numbering(item_before.strip())
    if _ITEM.match(line) or _SAYS.search(line):
        return False
    longer = len(below) > 1.5 * len(line) or is_row(below) or _TITLE.match(below) is not None
    return len(line) <= 20 and longer and has_content(line)


def _level(line: str) -> int:
    """How deep a heading without a Markdown mark stands, below those with one; numbered ones below plain ones."""
    numbered = _numbering(line)
    kinds = ("none", "第章", "第编", "第篇", "第节", "第条", "、", "()", "（）")
    return 7 + (kinds.index(numbered) if numbered in kinds else len(kinds))


def _numbering(line: str) -> str:
    """How a line is numbered, the number left out: lines of a list are numbered alike."""
    numbered = _TITLE.match(line)
    return re.sub(r"[零〇一二三四五六七八九十百\d]+", "", numbered.group()).strip() if numbered else "none"
