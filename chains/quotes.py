"""Finding the sentence of a text that is nearest to a statement."""

from collections import Counter

from youju.text import sentences, tokens


def nearest_sentence(statement: str, text: str) -> str:
    """The sentence of `text` that shares the largest part of its words with `statement`, word for word.

    Both sides count, as in the F measure of their shared tokens. Ties go to the earlier sentence; without any sentence
    the whole text is returned.
    """
    wanted = Counter(tokens(statement))
    best, best_score = text.strip(), 0.0
    for start, end in sentences(text):
        held = Counter(tokens(text[start:end]))
        shared = (wanted & held).total()
        score = 2 * shared / (wanted.total() + held.total()) if shared else 0.0
        if score > best_score:
            best, best_score = text[start:end], score
    return best
