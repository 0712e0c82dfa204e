"""What an answer could read like, as something to search with."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from pydantic import Field

from youju.prompts import prompt_text
from youju.retrievers.fusion import fused
from youju.retrievers.notes import best, noting
from youju.retrievers.vector import imagining
from youju.retrievers.writing import WritingTransformer
from youju.text import has_content

_LONGEST = 400
_NAMES = ["question", "imagined"]


class HydeRetriever(WritingTransformer):
    """Searches a second time with a passage that a chat model imagines to be the answer, and joins what is found.

    The passage takes the place of the question's vector in every `VectorRetriever` below, embedded as passages are.
    Nothing else ever gets it: keyword search, rerankers and the answer's prompt keep the question, for the passage may
    be wrong. Filters and every other step below hold for it as for the question. The rankings are joined by reciprocal
    rank fusion; `ranks` gets the rank for the `question` and for what was `imagined`. If the model writes nothing, this
    is the wrapped retriever alone.

    After Gao, Ma, Lin and Callan, "Precise Zero-Shot Dense Retrieval without Relevance Labels", ACL 2023.
    """

    sets_score: ClassVar[bool] = True
    question_share: float = Field(default=0.5, gt=0, le=1)
    """Weight of the question; the imagined passage has the rest."""
    c: int = Field(default=60, ge=1)
    """The constant of the fusion."""
    name: str | None = "hyde"

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        limit, options = self.asked(query, k, filter)
        with noting(self, run_manager, limit, options.get("filter")):
            passage = self.written(self._prompt(query), run_manager)
            found = [self.retriever.invoke(query, self._config_of("question", run_manager), **options)]
            if has_content(passage):
                with imagining(passage[:_LONGEST]):
                    found.append(self.retriever.invoke(query, self._config_of("imagined", run_manager), **options))
            return self._joined(found, limit)

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        k: int | None = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - LangChain's name
    ) -> list[Document]:
        limit, options = self.asked(query, k, filter)

        async def imagined() -> list[Document] | None:
            passage = await self.awritten(self._prompt(query), run_manager)
            if not has_content(passage):
                return None
            with imagining(passage[:_LONGEST]):  # a task of its own: the other search does not see it
                return await self.retriever.ainvoke(query, self._config_of("imagined", run_manager), **options)

        with noting(self, run_manager, limit, options.get("filter")):
            by_question = self.retriever.ainvoke(query, self._config_of("question", run_manager), **options)
            first, second = await asyncio.gather(by_question, imagined())
            return self._joined([first] if second is None else [first, second], limit)

    def _prompt(self, query: str) -> str:
        return prompt_text("hyde.human").format(question=query)

    def _config_of(self, name: str, run_manager: Any) -> RunnableConfig:
        return {"callbacks": run_manager.get_child(tag=f"{self.get_name()}:{name}")}

    def _joined(self, found: list[list[Document]], limit: int) -> list[Document]:
        if len(found) == 1:
            return best(found[0], limit)
        weights = [self.question_share, 1 - self.question_share]
        return best(fused(_NAMES, weights, found, c=self.c, keep_ranks=True), limit, "融合后")
