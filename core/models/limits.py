"""How much text an embedding model reads at once, so that nothing is cut off unseen."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from langchain_core.embeddings import Embeddings

from youju.settings import EmbeddingsSettings

DEFAULT_MAX_TOKENS = 8191
"""What OpenAI's embedding models read; taken for models of which nothing else is said."""

_TWO_TOKENS = re.compile("[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]")  # Han, kana and full-width marks


@dataclass(frozen=True)
class InputLimit:
    """The most a model reads at once, and the measure for it.

    Attributes:
        max_tokens: The most tokens of one text.
        count: How many tokens a passage takes, with everything the model adds to it (prefix, special tokens).
        exact: Whether `count` asks the model's own tokenizer; otherwise it is an upper estimate.
    """

    max_tokens: int
    count: Callable[[str], int]
    exact: bool

    def fits(self, text: str) -> bool:
        """Whether the model reads the whole text."""
        return self.count(text) <= self.max_tokens

    def with_prefix(self, prefix: str, max_tokens: int | None) -> "InputLimit":
        """The same limit for passages that get a prefix, lowered to `max_tokens` if that is less."""
        count = self.count
        return InputLimit(
            max_tokens=self.max_tokens if max_tokens is None else min(self.max_tokens, max_tokens),
            count=(lambda text: count(prefix + text)) if prefix else count,
            exact=self.exact,
        )


def input_limit(embeddings: Embeddings, settings: EmbeddingsSettings | None = None) -> InputLimit | None:
    """Say how much text an embeddings object reads at once.

    Objects that know their limit carry it as the attribute `limit`; all those made by `build_embeddings` do. For an
    object from elsewhere, `settings.max_tokens` is taken if it is set.

    Returns:
        The limit, or None if nothing is known of it.
    """
    known = getattr(embeddings, "limit", None)
    if isinstance(known, InputLimit):
        return known
    if settings is None or settings.max_tokens is None:
        return None
    return estimated_limit(settings.max_tokens)


def estimated_limit(max_tokens: int | None) -> InputLimit:
    """The limit of a model whose tokenizer is not at hand."""
    return InputLimit(max_tokens or DEFAULT_MAX_TOKENS, estimate_tokens, exact=False)


def estimate_tokens(text: str) -> int:
    """Estimate from above how many tokens a text takes.

    An ASCII character counts as one token, a Han character, kana or full-width mark as two, anything else as one for
    each of its UTF-8 bytes; two more are for special tokens. No usual tokenizer takes more than one token a byte; the
    two for Chinese are an upper bound for running text (common characters take one or two), not for a text made only
    of rare characters, which some tokenizers write with three.
    """
    return len(text.encode("utf-8", "surrogatepass")) - len(_TWO_TOKENS.findall(text)) + 2
