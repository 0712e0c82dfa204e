"""The sentence splitter: as many whole sentences as fit."""

import re
from bisect import bisect_left
from itertools import pairwise

from youju.splitters.base import Span, tidy
from youju.splitters.recursive import RecursiveSplitter
from youju.text import sentences

_ENDS = re.compile(r"[。！？｡!?….．；;：:][”’」』）)】》〉］\]\"']*\Z")
_OPENS = re.compile(
    r"\s|[-*+#>|`~=•·●■□◆]|[0-9]{1,3}[.．、)）]|[（(][0-9一二三四五六七八九十]{1,3}[)）]|[①-⑳]"
    r"|第[0-9零〇一二三四五六七八九十百千]{1,7}[编章节条款]|[一二三四五六七八九十]{1,3}、"
)


class SentenceSplitter(RecursiveSplitter):
    """Fills each chunk with whole sentences, as `youju.text.sentences` finds them, over printed line ends too.

    A chunk repeats the last whole sentences of the one before it that together have at most `chunk_overlap` characters;
    none where the last one alone is longer. A sentence longer than a chunk is cut as `RecursiveSplitter` cuts it.

    Example:
        >>> SentenceSplitter(chunk_size=14, chunk_overlap=7).split_text("阀门每周检查。记录须留存！谁来签字？")
        ['阀门每周检查。记录须留存！', '记录须留存！谁来签字？']
    """

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        units = sentence_units(text)
        starts = [start for start, _ in units]
        chunks: list[Span] = []
        for unit, unit_end in units:
            for left, right in self._pieces(text, unit, unit_end, 0):
                solid = left + len(text[left:right].rstrip())
                if chunks and solid - chunks[-1][0] <= self.chunk_size:
                    chunks[-1] = (chunks[-1][0], right)
                elif chunks and left == unit:  # only between sentences, for what is repeated is whole
                    earliest = max(left - self.chunk_overlap, solid - self.chunk_size, chunks[-1][0] + 1)
                    chunks.append((starts[bisect_left(starts, earliest)], right))
                else:
                    chunks.append((left, right))
        return tidy(text, chunks, self.chunk_size)


def sentence_units(text: str) -> list[Span]:
    """Cut a whole text between its sentences; what stands between two goes with the first, indentation with the second.

    A line end alone is no cut, for most in PDFs are only the printer's: a sentence runs on to a line that is not
    indented and does not look like a heading, a list item or a row, unless its own line ends with a mark.

    Returns:
        Neighbouring spans that together are the text; none if it has no sentence.
    """
    found = sentences(text)
    cuts = []
    for (_, end), (start, _) in pairwise(found):
        line = text.rfind("\n", end, start) + 1
        if (
            line
            and text.count("\n", end, start) == 1
            and not _ENDS.search(text, max(end - 4, 0), end)
            and not _OPENS.match(text, line)
        ):
            continue
        cuts.append(line if line and text[line:start].isspace() else start)
    return list(pairwise([0, *cuts, len(text)])) if found else []
