"""The fixed splitter: a window that steps through the text, the baseline that others are compared with."""

import re

from youju.splitters.base import Span, SpanSplitter, tidy
from youju.text import CLOSING

_CLOSING_NEXT = re.compile(rf"\s*[{''.join(map(re.escape, sorted(CLOSING)))}]")


class FixedSplitter(SpanSplitter):
    """Cuts every `chunk_size` characters, whatever stands there, and repeats `chunk_overlap` of them.

    Sentences and words are cut. A cut only moves where a chunk would begin with a closing mark or hold nothing.

    Example:
        >>> FixedSplitter(chunk_size=8, chunk_overlap=2).split_text("阀门每周检查。记录留存！谁来签字？")
        ['阀门每周检查。记', '记录留存！谁来签', '来签字？']
    """

    def spans(self, text: str) -> list[Span]:
        """Find the chunks of a text; see `SpanSplitter.spans`."""
        size, windows, start = self.chunk_size, [], 0
        while start + size < len(text):
            end = start + size
            while end > start and _CLOSING_NEXT.match(text, end, end + size):
                end -= 1
            end = end if end > start else start + size  # nothing but closing marks
            windows.append((start, end))
            following = max(end - self.chunk_overlap, start + 1)
            while following < end and _CLOSING_NEXT.match(text, following, end):
                following += 1
            start = following
        return tidy(text, [*windows, (start, len(text))], size)
