"""Sentences of the evidence as quotes: which one is nearest to a statement, and where it stands."""

from collections import Counter

from youju.chains.result import Evidence, Quote
from youju.text import sentences, tokens


def nearest_sentence(statement: str, text: str) -> tuple[int, int]:
    """Where the sentence of `text` stands that shares the largest part of its words with `statement`.

    Both sides count, as in the F measure of their shared tokens. Ties go to the earlier sentence; without any sentence
    the whole text is returned.
    """
    wanted = Counter(tokens(statement))
    solid = text.strip()
    start = text.find(solid)
    best, best_score = (start, start + len(solid)), 0.0
    for start, end in sentences(text):
        held = Counter(tokens(text[start:end]))
        shared = (wanted & held).total()
        score = 2 * shared / (wanted.total() + held.total()) if shared else 0.0
        if score > best_score:
            best, best_score = (start, end), score
    return best


def quote(block: Evidence, start: int, end: int) -> Quote:
    """A piece of a block as a quote, with the page on which it begins."""
    page = block.page
    for begins, number in block.pages:
        if begins <= start:
            page = number
    return Quote(n=block.n, text=block.text[start:end], start=start, end=end, page=page)
