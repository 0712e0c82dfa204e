"""From retrieved documents to the numbered blocks that a model reads."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

from langchain_core.documents import Document

from youju.chains.marks import harmless
from youju.chains.result import Evidence
from youju.knowledge.identity import shown_text
from youju.knowledge.metadata import json_value

_SEPARATOR = "\n\n"
_SPACE = re.compile(r"\s+")


def pack(documents: Sequence[Document], budget: int) -> list[Evidence]:
    """Choose the blocks that fit, best first, and number them.

    Blocks are never cut: one that does not fit is left out, and smaller ones behind it still get their chance. Numbers
    are given after choosing, so they have no gaps.

    Args:
        documents: What was retrieved, best first.
        budget: Most characters of all blocks together, headers and separators included.
    """
    chosen: list[Evidence] = []
    used = 0
    for document in documents:
        evidence = _evidence(len(chosen) + 1, document)
        size = len(_block(evidence)) + (len(_SEPARATOR) if chosen else 0)
        if used + size <= budget:
            chosen.append(evidence)
            used += size
    return chosen


def render(evidence: Sequence[Evidence]) -> str:
    """The blocks as the model reads them.

    What looks like a block's number or fence inside a document gets another bracket, ‹, character for character, so
    that no document can forge evidence.
    """
    return _SEPARATOR.join(_block(block) for block in evidence)


def _block(evidence: Evidence) -> str:
    return f"[资料{evidence.n}] {harmless(_SPACE.sub(' ', evidence.location))}\n{harmless(evidence.text)}"


def _evidence(n: int, document: Document) -> Evidence:
    """A block whose fields are JSON values, whatever a foreign loader put into the document."""
    metadata = document.metadata
    source = json_value(str(metadata.get("source") or ""))
    location = json_value(str(metadata.get("location") or source or document.id or "未命名的资料"))
    title, page, score = json_value(metadata.get("title")), metadata.get("page"), metadata.get("score")
    if isinstance(title, str) and title.strip() and title not in location and title != source.rsplit(".", 1)[0]:
        location = f"{location}（{title.strip()}）"
    return Evidence(
        n=n,
        id=json_value(document.id),
        text=json_value(shown_text(document)),
        source=source,
        page=page if isinstance(page, int) else None,
        location=location,
        score=float(score) if isinstance(score, SupportsFloat) else None,
        ranks=_ranks(metadata.get("ranks")),
        pages=_pages(document),
    )


def _pages(document: Document) -> list[tuple[int, int]]:
    """Where in the shown text of a chunk that runs over pages each of them begins."""
    metadata = document.metadata
    first, last, at = (metadata.get(key) for key in ("page", "page_end", "page_break"))
    if not (isinstance(first, int) and isinstance(last, int) and isinstance(at, int)) or first == last:
        return []
    before = len(shown_text(document)) - len(document.page_content)  # the head of a table
    back = metadata.get("page_return")
    pages = [(0, first), (before + at, last)]
    return [*pages, (before + back, first)] if isinstance(back, int) else pages


def _ranks(given: Any) -> dict[str, int]:
    if not isinstance(given, Mapping):
        return {}
    return {json_value(str(leg)): rank for leg, rank in given.items() if isinstance(rank, int)}
