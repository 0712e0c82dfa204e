"""The token splitter: sizes counted as the embedding model counts them."""

import re
from collections.abc import Callable, Iterator, Sequence

from youju.errors import SettingsError
from youju.splitters.base import Span, SpanSplitter, tidy
from youju.splitters.recursive import RecursiveSplitter, overlap_start
from youju.splitters.sentence import sentence_units

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class TokenSplitter(SpanSplitter):
    """Fills chunks with sentences up to a number of tokens; what the model adds to a text counts too.

    No chunk has more than `chunk_size` tokens, except a single character that has. A sentence with more is cut as
    `RecursiveSplitter` cuts. A chunk repeats up to `chunk_overlap` tokens of the one before it, from the first sentence
    that begins in that stretch, else the first clause, else the first word.

    Tokens of parts do not add up to those of the whole, so sums only guide where to cut, and each chunk is counted.

    Example:
        >>> splitter = TokenSplitter(lambda text: 2 + len(text), chunk_size=14, chunk_overlap=0)
        >>> splitter.split_text("阀门每周检查。记录留存！谁来签字？")
        ['阀门每周检查。记录留存！', '谁来签字？']
    """

    def __init__(self, count_tokens: Callable[[str], int], *, chunk_size: int = 256, chunk_overlap: int = 32) -> None:
        """Check the sizes, in tokens.

        Args:
            count_tokens: How many tokens a text takes, with everything the model adds to it.
            chunk_size: Most tokens of a chunk.
            chunk_overlap: Most tokens a chunk repeats from the one before it, without those the model adds.

        Raises:
            SettingsError: The sizes leave no way forward, or no room beside what the model adds.
        """
        super().__init__(chunk_size=chunk_size, chunk_overlap=chunk_overlap)
        self._count_tokens = count_tokens
        self._added = self.count("")
        if self._added >= chunk_size:
            raise SettingsError(
                f"chunk_size（{chunk_size}）太小：模型自己就要加 {self._added} 个词元，请设为 {self._added + 1} 以上"
            )

    def count(self, text: str) -> int:
        """The tokens of a text, with everything the model adds."""
        return self._count_tokens(_LONE_SURROGATE.sub(" ", text))

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        pieces = [piece for start, end in sentence_units(text) for piece in self._pieces(text, start, end)]
        chunks: list[Span] = []
        first = 0
        while first < len(pieces):
            start = self._start(text, chunks[-1], pieces[first - 1 : first + 1]) if chunks else pieces[0][0]
            start, last = self._fill(text, start, pieces, first)
            chunks.append((start, pieces[last][1]))
            first = last + 1
        return tidy(text, chunks, self.chunk_size, self.count)

    def _own(self, text: str, start: int, end: int) -> int:
        """The tokens of a span alone, without the blanks behind it and what the model adds."""
        return self.count(text[start:end].rstrip()) - self._added

    def _pieces(self, text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Spans that fit, with their tokens; one that does not is cut into so many characters as should."""
        room, tokens = self.chunk_size - self._added, self._own(text, start, end)
        length = len(text[start:end].rstrip())
        if tokens <= room or length <= 1:
            yield start, end, tokens
            return
        cutter = RecursiveSplitter(chunk_size=max(1, length * room // tokens), chunk_overlap=0)
        for left, right in cutter.cut(text, start, end):
            yield from self._pieces(text, left, right)

    def _start(self, text: str, before: Span, pieces: Sequence[tuple[int, int, int]]) -> int:
        """Where a chunk begins that continues with the second piece: at the overlap, which is counted."""
        (previous, left, tokens), (_, right, own) = pieces
        most = min(self.chunk_overlap, self.chunk_size - self._added - own)
        reach = (left - previous) * most // max(tokens, 1)
        while reach > 0:
            start = overlap_start(text, max(left - reach, before[0] + 1), left)
            if self._own(text, start, left) <= most and self.count(text[start:right].rstrip()) <= self.chunk_size:
                return start
            reach = (left - start) // 2
        return left

    def _fill(self, text: str, start: int, pieces: Sequence[tuple[int, int, int]], first: int) -> tuple[int, int]:
        """The start of a chunk and its last piece: as many as fit, by sums at first, then counted together."""
        last, total, room = first, self._own(text, start, pieces[first][1]), self.chunk_size - self._added
        while True:
            reached = last
            while last + 1 < len(pieces) and total + pieces[last + 1][2] <= room:
                last += 1
                total += pieces[last][2]
            if last == reached:
                return start, last
            total = self._own(text, start, pieces[last][1])
            if total > room:
                while last > reached and self._own(text, start, pieces[last][1]) > room:
                    last -= 1
                return start, last
