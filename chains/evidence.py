"""From retrieved documents to the numbered blocks that a model reads."""

import re
from collections.abc import Sequence
from typing import SupportsFloat

from langchain_core.documents import Document

from youju.chains.result import Evidence

_SEPARATOR = "\n\n"
_GAP = r"[\s\u00ad\u200b-\u200f\u2060-\u2064\ufeff]*"  # blanks, and characters that cannot be seen
_MARK = re.compile(rf"[\[［【](?={_GAP}资{_GAP}料)")
_FENCE = re.compile(rf"[<＜](?={_GAP}[/／]?{_GAP}资{_GAP}料{_GAP}[>＞])")
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

    What looks like a block's number or fence inside a document gets another bracket, 〔 or ‹, character for
    character, so that no document can forge evidence.
    """
    return _SEPARATOR.join(_block(block) for block in evidence)


def _block(evidence: Evidence) -> str:
    return f"[资料{evidence.n}] {_harmless(_SPACE.sub(' ', evidence.location))}\n{_harmless(evidence.text)}"


def _harmless(text: str) -> str:
    return _FENCE.sub("‹", _MARK.sub("〔", text))


def _evidence(n: int, document: Document) -> Evidence:
    metadata = document.metadata
    source = str(metadata.get("source") or "")
    location = str(metadata.get("location") or source or document.id or "未命名的资料")
    title, page, score = metadata.get("title"), metadata.get("page"), metadata.get("score")
    if isinstance(title, str) and title.strip() and title not in location and title != source.rsplit(".", 1)[0]:
        location = f"{location}（{title.strip()}）"
    return Evidence(
        n=n,
        id=document.id,
        text=document.page_content,
        source=source,
        page=page if isinstance(page, int) else None,
        location=location,
        score=float(score) if isinstance(score, SupportsFloat) else None,
        ranks=metadata.get("ranks") or {},
    )
