"""Evidence as statements: sentences, rows and items, each with its words, values and what stands around it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from youju.cached import cached
from youju.chains.content import Token, Word, held, tagged, without_places, words
from youju.chains.negation import Denial, denials, exclusions, without_lookalikes
from youju.chains.result import Evidence
from youju.chains.roles import Relation, relations
from youju.chains.values import Value, folded, folded_all, kinds_of, narrow, values
from youju.text import HAN, has_content, sentences

_SEPARATOR = re.compile(r"[,、;:。!?\n()]|但是?|然而|而(?=[^且]{2})")
_SEPARATES = frozenset(",、;:。!?\n()但然而")  # what each of them begins with
_APART = re.compile(r"[,;:。!?\n]")
_LEAD = re.compile(r"[:：]\s*(?:\*\*)?$")
_ITEM = re.compile(
    r"\s*(?:[-*+•●▪◆]\s|\(?[0-9]{1,2}[.．、)）]|[(（]?[一二三四五六七八九十]{1,3}[)）、]|[①-⑳]|\(?[a-z][.)]\s)",
    re.IGNORECASE,
)
# all but letters, digits and what a number is written with: 12.5 is not 125, nor -3% 3
_NO_WORD = re.compile(rf"(?:(?!(?<=\d)[.:/~](?=\d)|-(?=\d)|(?<=\d)[%‰]|[$¥€£](?=\d))[^\w{HAN}])+")
_LIST_MARK = re.compile(
    r"^[\s>*]*(?:(?:[-+•●▪◆]\s+)?(?:[0-9０-９]{1,2}(?:[.．](?=\s|[^\d\s０-９])|[、)）])|[(（][0-9０-９一二三四五六七八九十]{1,3}[)）]|[①-⑳])\s*)+"
)
_RULE_ROW = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_ASIDE, _BEFORE = 0.9, 0.7  # what a word counts that only the context holds, or what stands before
_HEADING = re.compile(r"\s*(?:#{1,6}\s|第[0-9一二三四五六七八九十百]+[章节编]\s?)")
_ARTICLE = re.compile(r"\s*(?:[#*]+\s*)?(第\s?[0-9一二三四五六七八九十百千零]+\s?条(?:之[一二三四五六七八九十]+)?)")
_INDENT = re.compile(r"\s*\u3000{2,}(?=\S)")
_SPACED_OUT = 4  # characters: less is no paragraph but a heading with its characters set apart (目　　录)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?:年|[-/.]\d|\b)")


@dataclass(eq=False)
class Statement:
    """A text that states something, read for comparing.

    Attributes:
        text: The folded text; of a row with the heads of its columns, of an item with what leads to its list.
        n: The number of its block; 0 for a claim.
        start: Where it begins in the block.
        end: Where it ends there.
        context: Folded: the place, the headings and the article it stands in.
        before: Folded: the two sentences before it.
        earlier: Those sentences.
        shared: How much of the start of the text is said of all of it.
        cells: Of a row, where its cells are in the text.
        raw: The text as it was written, where its capital letters matter.
        is_claim: Whether it is a claim.
        years: The years that stand around it.
    """

    text: str
    n: int = 0
    start: int = 0
    end: int = 0
    context: str = ""
    before: str = ""
    earlier: tuple["Statement", ...] = ()
    shared: int = 0
    cells: tuple[tuple[int, int], ...] = ()
    raw: str = ""
    is_claim: bool = False
    years: frozenset[int] = field(default_factory=frozenset)

    @cached
    def values(self) -> list[Value]:
        """Its values, in order."""
        return values(self.text)

    @cached
    def kinds(self) -> frozenset[str]:
        """What its values measure."""
        return kinds_of(self.values)

    @cached
    def bare(self) -> frozenset[str]:
        """Its letters and digits alone, with and without what is said of all of it."""
        return frozenset((bare(self.text), bare(self.text[self.shared :])))

    @cached
    def values_before(self) -> list[Value]:
        """The values of what stands before it."""
        return [value for one in self.earlier for value in one.values]

    @cached
    def values_around(self) -> list[Value]:
        """The values of what stands over it and before it."""
        return [*_context_values(self.context), *self.values_before]

    @cached
    def words(self) -> list[Word]:
        """Its words that matter, in order."""
        return words(self.text, self._value_places, self.raw, guess_names=self.is_claim, tokens=self.tokens)

    @cached
    def relations(self) -> list[Relation]:
        """Who does what to whom in it."""
        return [] if self.cells else relations(self.text, self.tokens)

    @cached
    def tokens(self) -> list[Token]:
        """What the dictionary cuts it into, values hidden."""
        return tagged(without_places(self.text, self._value_places))

    @cached
    def _value_places(self) -> list[tuple[int, int]]:
        return [(value.start, value.end) for value in self.values]

    @cached
    def denials(self) -> list[Denial]:
        """What it denies."""
        return denials(self.text)

    @cached
    def plain(self) -> str:
        """Its text without words that only look like denials."""
        return without_lookalikes(self.text)

    @cached
    def exclusions(self) -> list[tuple[int, int]]:
        """What it leaves out."""
        return exclusions(self.text)

    @cached
    def in_values(self) -> frozenset[int]:
        """The places of the characters of its values."""
        return frozenset([place for value in self.values for place in range(value.start, value.end)])

    @cached
    def segments(self) -> list[tuple[int, int]]:
        """The parts between its marks."""
        found = _SEPARATOR.finditer(self.text)
        if all(_SEPARATES.isdisjoint(value.text) for value in self.values):
            ends = [match.span() for match in found]
        else:
            ends = [match.span() for match in found if match.start() not in self.in_values]
        starts = [0, *[end for _, end in ends]]
        spans = zip(starts, [*[start for start, _ in ends], len(self.text)], strict=True)
        return [(start, end) for start, end in spans if end > start] or [(0, len(self.text))]

    @cached
    def _segment_starts(self) -> list[int]:
        return [start for start, _ in self.segments]

    def region(self, place: tuple[int, int], rivals: Sequence[tuple[int, int]]) -> str:
        """What is said of a place: the text as far as the next rival on both sides, and what is said of all.

        Args:
            place: Where the value or word stands.
            rivals: Where others of its kind stand.
        """
        others = sorted(rival for rival in rivals if rival != place)
        if not others:
            return self.text
        if self.cells:
            return self._row_region(place, others)
        start = max(self.text.rfind(";", 0, place[0]) + 1, self.shared)
        end = self.text.find(";", place[1]) % (len(self.text) + 1)
        if (start > self.shared or end < len(self.text)) and not any(start <= rival[0] < end for rival in others):
            return f"{self.text[start:end]}。{self._common(min(place[0], others[0][0]))}"
        segments, starts = self.segments, self._segment_starts
        at = bisect_right(starts, place[0]) - 1
        taken = {bisect_right(starts, rival[0]) - 1 for rival in others}
        first = at
        while first > 0 and first - 1 not in taken:
            first -= 1
        start, end = segments[first][0], segments[at][1]
        if at in taken:
            start = max([start, *(rival[1] for rival in others if rival[1] <= place[0])])
            end = min([end, *(rival[0] for rival in others if rival[0] >= place[1])])
        parts = [self.text[start:end]]
        last, ends = max(at, *taken), sorted([place[1], *(rival[1] for rival in others)])
        if last + 1 < len(segments):  # what follows the last of them is said of all
            parts.append(self.text[segments[last + 1][0] :])
        if not _APART.search(self.text[ends[-2] : ends[-1]]):  # 7天、15天内可退
            parts.append(self.text[ends[-1] : segments[last][1]])
        if start > 0:
            parts.append(self._common(min(place[0], others[0][0])))
        return "。".join(parts)

    def segment(self, place: int) -> tuple[int, int]:
        """The part between its marks, or the row, in which a place is."""
        if self.cells:
            return (0, len(self.text))
        return self.segments[max(bisect_right(self._segment_starts, place) - 1, 0)]

    def _common(self, first: int) -> str:
        """What leads to several statements: up to the last colon before the first of them."""
        colon = self.text.rfind(":", 0, first)
        return self.text[: max(colon + 1, self.shared)]

    def _row_region(self, place: tuple[int, int], others: Sequence[tuple[int, int]]) -> str:
        parts = []
        if place[0] < self.cells[0][1]:  # the first cell says what the row is about
            return self.text
        for number, (start, end) in enumerate(self.cells):
            own = start <= place[0] < end
            if own or number == 0 or not any(start <= rival[0] < end for rival in others):
                parts.append(self.text[start:end])
        return self.text[: self.shared] + "。".join(parts)


def without_list_mark(text: str) -> str:
    """A line without the number or sign of a list that it begins with."""
    return _LIST_MARK.sub("", text)


def bare(text: str) -> str:
    """The letters and digits of a text, and the signs in its numbers."""
    return _NO_WORD.sub("", text)


def held_in(word: Word, text: str, aside: str = "", before: str = "") -> float:
    """How much of a word a text holds, or with a discount its context, or what stands before it."""
    if word.text in text and "非" not in text and not word.other and word.text[0] > "\u2e7f":
        return 1.0  # as `held` says, told fast
    own = held(word, text)
    if own >= _ASIDE:
        return own
    if aside and (more := _ASIDE * held(word, aside)) > own:
        own = more
    if before and own < _BEFORE and (more := _BEFORE * held(word, before)) > own:
        own = more
    return own


def statements(block: Evidence) -> list[Statement]:
    """The statements of a block."""
    return list(_statements(block))


def _statements(block: Evidence) -> Iterator[Statement]:
    text = block.text
    place = folded(block.location)
    heading = article = lead = ""
    header: list[str] = []
    before: list[Statement] = []
    block_years = frozenset(map(int, _YEAR.findall(place)))
    years: frozenset[int] = frozenset()
    spans = list(_sentences(text))
    opening = [not text[text.rfind("\n", 0, start) + 1 : start].strip() for start, _ in spans]
    stated = [
        without_list_mark(text[slice(*span)]) if opens else text[slice(*span)]
        for span, opens in zip(spans, opening, strict=True)
    ]
    for (start, end), opens_line, own in zip(spans, opening, folded_all(stated), strict=True):
        raw = text[start:end]
        if opens_line and (raw.count("|") >= 2 or raw.count("\t") >= 2):
            line_end = text.find("\n", start)
            row = text[start : line_end if line_end >= 0 else len(text)]
            cells = _cells(row)
            if _RULE_ROW.fullmatch(row):
                continue
            if not header or (len(header) != len(cells)) or _next_is_rule(text, line_end):
                header = cells
                yield Statement(folded("、".join(cells)), block.n, start, end, f"{place}。{heading}", years=block_years)
                continue
            yield _row(block.n, start, end, header, cells, f"{place}。{heading}。{lead}", block_years | years)
            continue
        header = []
        if not own:
            continue
        found_article = _ARTICLE.match(raw) if opens_line else None
        if found_article:
            article = folded(found_article[1])
        if _HEADING.match(raw) and opens_line:
            heading, lead = own, ""
        if opens_line and lead and not _ITEM.match(raw) and before and not before[-1].text.endswith(":"):
            lead = ""
        led = f"{lead}" if lead and opens_line else ""
        found_years = frozenset(map(int, _YEAR.findall(own) if "19" in own or "20" in own else ()))
        statement = Statement(
            led + own,
            block.n,
            start,
            end,
            "。".join(part for part in (place, heading, article) if part),
            "。".join(one.text[one.shared :] for one in before[-2:]),
            tuple(before[-2:]),
            shared=len(led),
            raw=raw if raw.isascii() else "",
            years=block_years | years | found_years,
        )
        years = found_years or years
        if _LEAD.search(raw):
            lead = own
        before.append(statement)
        yield statement


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """The places of the sentences; where lines were joined, the indent of a paragraph ends one as well."""
    for start, end in sentences(narrow(text)):
        first = start
        for indent in _INDENT.finditer(text, start, end) if "\u3000\u3000" in text else ():
            if indent.start() - first >= _SPACED_OUT:
                yield first, indent.start()
                first = indent.end()
        yield first, end


@lru_cache(maxsize=256)
def _context_values(context: str) -> tuple[Value, ...]:
    return tuple(values(context))


def _next_is_rule(text: str, line_end: int) -> bool:
    return line_end >= 0 and _RULE_ROW.match(text, line_end + 1) is not None


def _cells(row: str) -> list[str]:
    mark = "|" if row.count("|") >= 2 else "\t"
    return [cell.strip() for cell in row.strip().strip("|").split(mark)]


def _row(
    n: int, start: int, end: int, header: Sequence[str], cells: Sequence[str], context: str, years: frozenset[int]
) -> Statement:
    text = ""
    places = []
    for head, cell in zip(header, cells, strict=False):
        part = folded(f"{head}:{_with_unit(head, cell)}") if has_content(cell) else ""
        places.append((len(text), len(text) + len(part)))
        text += part + ";"
    return Statement(
        text, n, start, end, context, cells=tuple(places), years=years | frozenset(map(int, _YEAR.findall(text)))
    )


_UNIT_IN_HEAD = re.compile(r"[(（\[［/](?:单位[:：]?\s*)?([^()（）\[\]［］/\d]{1,5})[)）\]］]?\s*$")


_BELOW_ZERO = re.compile(r"[(（]\s?((?!(?:19|20)\d\d\s?[)）])\d{3,}|\d[\d,，]*[.．]\d+|\d{1,3}(?:[,，]\d{3})+)\s?[)）]")


def _with_unit(head: str, cell: str) -> str:
    """A bare number with the unit that its column's head names (金额（万元））; in brackets it is below zero."""
    cell = _BELOW_ZERO.sub(r"-\1", cell) if _BELOW_ZERO.fullmatch(cell) else cell
    unit = _UNIT_IN_HEAD.search(head)
    return f"{cell}{unit[1]}" if unit and re.fullmatch(r"-?[\d.,，]+", cell) else cell
