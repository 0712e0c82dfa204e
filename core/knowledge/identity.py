"""What makes a chunk and a base the same as before."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from langchain_core.documents import Document


def search_text(chunk: Document) -> str:
    """What of a chunk is searched: the headings it stands under, or its title, and what is shown of it."""
    context = chunk.metadata.get("headings") or chunk.metadata.get("title")
    text = shown_text(chunk)
    return f"{context}\n{text}" if context else text


def shown_text(chunk: Document) -> str:
    """What of a chunk is shown: its text, and for rows of a table the head of the table before it."""
    head = chunk.metadata.get("table_header")
    return f"{head}\n{chunk.page_content}" if isinstance(head, str) and head else chunk.page_content


def digest(text: str) -> str:
    """A text's hash, for finding equal texts."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def chunk_ids(source: str, texts: Sequence[str]) -> list[str]:
    """Ids of a file's chunks, from what is searched of them.

    An id depends on the source, the final text and, for texts that occur several times in a file, on which occurrence
    it is: the same in every process and on every run, different for equal texts in different files or places.
    """
    seen: Counter[str] = Counter()
    ids = []
    for text in texts:
        ids.append(digest(f"{source}\0{seen[text]}\0{text}"))
        seen[text] += 1
    return ids


def folder_name(name: str) -> str:
    """A folder for a base of any name: what is plain of the name, and a hash that keeps names apart."""
    plain = re.sub(r"[^A-Za-z0-9_-]+", "", name)[:40]
    return f"{plain or 'kb'}-{digest(name)[:8]}"
