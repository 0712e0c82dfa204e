"""From the small chunks that were found to the larger blocks that hold them."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import SkipValidation

from youju.retrievers.base import Leg

CHUNKS_A_BLOCK = 4
"""How many chunks are asked for, for each block that is wanted: several of them may be in one."""


class SupportsParents(Protocol):
    """Something that keeps the blocks that chunks name by `parent_id`; a `KnowledgeBase` does."""

    def parents(self, ids: Sequence[str]) -> dict[str, Document]:
        """Blocks by id; ids that are not there are left out."""


class ParentRetriever(Leg):
    """Puts the block in the place of the chunks that another retriever found.

    Each block comes once, where its best chunk stood, with that chunk's `score` and `ranks`. Chunks that name no block
    pass as they are. `filter` works on the chunks.
    """

    retriever: BaseRetriever
    """Finds the chunks."""
    source: SkipValidation[SupportsParents]
    """Keeps the blocks."""
    name: str | None = "parent"

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        limit = self.limit(k)
        config = {"callbacks": run_manager.get_child()}
        found = self.retriever.invoke(query, config, **self._asked(limit, filter))  # type: ignore[arg-type]  # a config
        return self._blocks_of(found, limit)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        limit = self.limit(k)
        config = {"callbacks": run_manager.get_child()}
        found = await self.retriever.ainvoke(query, config, **self._asked(limit, filter))  # type: ignore[arg-type]  # as above
        return self._blocks_of(found, limit)

    def _asked(self, limit: int, call: Mapping[str, Any] | None) -> dict[str, Any]:
        conditions = self.conditions(call)
        return {"k": limit * CHUNKS_A_BLOCK, **({} if conditions is None else {"filter": conditions})}

    def _blocks_of(self, chunks: Sequence[Document], limit: int) -> list[Document]:
        named = dict.fromkeys(str(chunk.metadata["parent_id"]) for chunk in chunks if "parent_id" in chunk.metadata)
        blocks = self.source.parents(list(named))
        out: dict[str, Document] = {}
        for chunk in chunks:
            block = blocks.get(str(chunk.metadata.get("parent_id")))
            if block is None:  # the base changed between the two looks, or the chunk names none
                out.setdefault(f"chunk {chunk.id}", chunk)
            elif block.id not in out:
                rank = {key: chunk.metadata[key] for key in ("score", "ranks") if key in chunk.metadata}
                out[str(block.id)] = Document(
                    id=block.id, page_content=block.page_content, metadata={**block.metadata, **rank}
                )
        return list(out.values())[:limit]
