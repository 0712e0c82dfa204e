"""The recursive splitter: the coarsest cut that fits, with Chinese sentences known."""

import re
from collections.abc import Iterable, Iterator

from youju.splitters.base import Span, SpanSplitter, tidy
from youju.text import CLOSING, SENTENCE_MARK

_MARKS = "".join(re.escape(mark) for mark in sorted(CLOSING))
_CLOSERS = "”’」』）"
_WORD = r"[A-Za-z0-9]+(?:[^\s\u0080-\U0010ffff]*[A-Za-z0-9])?"  # words, numbers, links and addresses stay whole


def _level(pattern: str) -> re.Pattern[str]:
    """Where a level may cut: behind the pattern, and behind all that no chunk begins with.

    Patterns begin with the characters they need, not with a choice: those are found without trying at every place.
    """
    return re.compile(rf"{pattern}[\s{_MARKS}]*+", re.DOTALL)


_PARAGRAPH = _level(r"\n[^\S\n]*\n")
_SENTENCE = _level(SENTENCE_MARK.pattern)
_LINE = _level(r"\n")
_STRONG_CLAUSE = _level(rf"[；;](?:(?<=；)[{_CLOSERS}]*|(?=\s))")
_CLAUSE = _level(rf"[，、：,:](?:(?<=[，、：])[{_CLOSERS}]*|(?=\s))")
_ANY_CLAUSE = _level(rf"[；;，、：,:](?:(?<=[；，、：])[{_CLOSERS}]*|(?=\s))")
_BLANK = _level(r"\s")
_ATOM = _level(rf"(?:{_WORD}|.)")
_CHARACTER = _level(".")
_LEVELS = (
    _PARAGRAPH,
    _SENTENCE,
    _LINE,  # a printed line break counts less than the end of a sentence
    _STRONG_CLAUSE,
    _CLAUSE,
    _BLANK,
    _ATOM,
    _CHARACTER,
)
_OVERLAPS = ((_SENTENCE, _LINE), (_ANY_CLAUSE,), (_BLANK, _ATOM), (_CHARACTER,))
_CONTEXT = 64  # characters behind a span that a pattern may look at


class RecursiveSplitter(SpanSplitter):
    """Splits at paragraphs, then sentences, lines, clauses, blanks and words, as coarsely as the size allows.

    A mark stays with what it ends. Words, numbers, versions and links are cut only where they alone are longer than a
    chunk. A chunk repeats up to `chunk_overlap` characters of the one before it, from the first sentence that begins in
    that stretch, else the first clause, else the first word.

    Example:
        >>> RecursiveSplitter(chunk_size=12, chunk_overlap=0).split_text("阀门每周检查。记录留存！谁来签字？")
        ['阀门每周检查。记录留存！', '谁来签字？']
    """

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        return tidy(text, self.cut(text, 0, len(text)), self.chunk_size)

    def cut(self, text: str, start: int, end: int) -> list[Span]:
        """Cut a part of a text, with the blanks between chunks still on them."""
        return self._merge(text, self._pieces(text, start, end, 0))

    def _pieces(self, text: str, start: int, end: int, level: int) -> Iterator[Span]:
        """Pieces that fit, each cut at the coarsest level possible."""
        # blanks at the end are trimmed later, and so do not count
        if end - start <= self.chunk_size or _solid_end(text, start, end) - start <= self.chunk_size:
            yield start, end
        elif level == len(_LEVELS):  # nothing but closing marks
            yield from ((at, at + 1) for at in range(start, end))
        else:
            left = start
            for right in (*_between(text, _LEVELS[level], start, end), end):
                if right - left <= self.chunk_size:
                    yield left, right
                else:
                    yield from self._pieces(text, left, right, level + 1)
                left = right

    def _merge(self, text: str, pieces: Iterable[Span]) -> list[Span]:
        """Join neighbouring pieces while they fit, and let each chunk begin with the overlap."""
        chunks: list[Span] = []
        size = self.chunk_size
        for left, right in pieces:
            if chunks and (right - chunks[-1][0] <= size or _solid_end(text, left, right) - chunks[-1][0] <= size):
                chunks[-1] = (chunks[-1][0], right)
            elif chunks and self.chunk_overlap:
                earliest = max(left - self.chunk_overlap, _solid_end(text, left, right) - size, chunks[-1][0] + 1)
                chunks.append((overlap_start(text, earliest, left), right))
            else:
                chunks.append((left, right))
        return chunks


def _between(text: str, pattern: re.Pattern[str], start: int, end: int) -> Iterator[int]:
    """Where a span may be cut at a level: never in front of a closing mark, and behind blanks but for indentation."""
    for match in pattern.finditer(text, start, min(end + _CONTEXT, len(text))):
        at = match.end()
        if at >= end:
            break
        if text[at - 1].isspace():
            line = text.rfind("\n", match.start(), at) + 1
            yield line if line > start and text[line:at].isspace() else at
        else:
            yield at


def _solid_end(text: str, start: int, end: int) -> int:
    """The end of a span without the blanks behind it."""
    return start + len(text[start:end].rstrip())


def overlap_start(text: str, earliest: int, start: int) -> int:
    """Where a chunk that continues at `start` begins, not before `earliest`."""
    for patterns in _OVERLAPS:
        found = min(next(_between(text, pattern, earliest - 1, start), start) for pattern in patterns)
        if found < start:
            return found
    return start
