"""From the small chunks that were found to the larger blocks that hold them."""

from collections.abc import Sequence
from typing import Protocol

from langchain_core.documents import Document
from pydantic import SkipValidation

from youju.retrievers.notes import best, drop
from youju.retrievers.transformer import Transformer

CHUNKS_A_BLOCK = 4
"""How many chunks are asked for, for each block that is wanted: several of them may be in one."""


class SupportsParents(Protocol):
    """Something that keeps the blocks that chunks name by `parent_id`; a `KnowledgeBase` does."""

    def parents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Blocks by id; ids that are not there are left out."""


class ParentRetriever(Transformer):
    """Puts the block in the place of the chunks that another retriever found.

    Each block comes once, where its best chunk stood, with that chunk's `score` and `ranks`. Chunks that name no block
    pass as they are. `filter` works on the chunks.
    """

    source: SkipValidation[SupportsParents]
    """Keeps the blocks."""
    name: str | None = "parent"

    def depth(self, limit: int) -> int:
        """Several chunks may be in one block."""
        return limit * CHUNKS_A_BLOCK

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:  # noqa: ARG002 - of the class above
        """Blocks in the place of chunks."""
        return self._blocks_of(documents, limit)

    def _blocks_of(self, chunks: Sequence[Document], limit: int) -> list[Document]:
        named = dict.fromkeys(str(chunk.metadata["parent_id"]) for chunk in chunks if "parent_id" in chunk.metadata)
        blocks = self.source.parents(list(named))
        out: dict[str, Document] = {}
        for chunk in chunks:
            block = blocks.get(str(chunk.metadata.get("parent_id")))
            if block is None:  # the base changed between the two looks, or the chunk names none
                out.setdefault(f"chunk {chunk.id}", chunk)
                continue
            drop(chunk, "replaced", "换成了它所在的大块", became=str(block.id))
            if block.id not in out:
                rank = {key: chunk.metadata[key] for key in ("score", "similarity", "ranks") if key in chunk.metadata}
                out[str(block.id)] = Document(
                    id=block.id, page_content=block.page_content, metadata={**block.metadata, **rank}
                )
        return best(list(out.values()), limit)
