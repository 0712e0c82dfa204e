"""The question in several wordings."""

import json
import re
from collections.abc import Mapping
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.runnables import RunnableConfig
from pydantic import Field

from youju.prompts import prompt_text
from youju.retrievers.fusion import fused
from youju.retrievers.notes import best, noting
from youju.retrievers.writing import LOG, WritingTransformer
from youju.text import fold, has_content

_LONGEST = 200
_LABEL = re.compile(
    r"[-*•·+]\s+|[-•·](?=[^\s\d])|[（(]?\d{1,2}[)）]\s*|\d{1,2}(?:[.．](?!\d)|、|[:：](?!\d))\s*|[①-⑳]\s*"
    r"|[（(][一二三四五六七八九十]{1,2}[)）]\s*|[一二三四五六七八九十]{1,2}、\s*"
    r"|(?:改写|问题|问法|说法|查询|检索词|query|question|q)\s*\d{0,2}\s*[:：]\s*",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"(?:以下|下面|这里)[是为]|(?:好的|当然)[，,！!。]|here\s+(?:are|is)\b|sure\b", re.IGNORECASE)
_EMPHASIS = "*`_ "
_QUOTES = {"“": "”", "‘": "’", "「": "」", "『": "』", '"': '"', "'": "'"}


class MultiQueryRetriever(WritingTransformer):
    """Searches the question and other wordings of it that a chat model writes, and joins what is found.

    The question itself is always among them and weighs `question_share`; the other wordings share the rest alike. The
    rankings are joined by reciprocal rank fusion, so that every document comes once, with the new `score` and, beside
    the ranks it brings along, its rank for the `question` and for each `wording_N`. Everything behind this retriever,
    the prompt of the answer too, keeps the question as it was asked.
    """

    sets_score: ClassVar[bool] = True
    queries: int = Field(default=3, ge=1)
    """Most wordings beside the question's own."""
    question_share: float = Field(default=0.5, gt=0, le=1)
    """Weight of the question; the other wordings share the rest."""
    c: int = Field(default=60, ge=1)
    """The constant of the fusion."""
    name: str | None = "multi_query"

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
            wordings = self._wordings(query, self.written(self._prompt(query), run_manager))
            found = self.retriever.batch(wordings, self._configs(len(wordings), run_manager), **options)
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
        with noting(self, run_manager, limit, options.get("filter")):
            wordings = self._wordings(query, await self.awritten(self._prompt(query), run_manager))
            found = await self.retriever.abatch(wordings, self._configs(len(wordings), run_manager), **options)
            return self._joined(found, limit)

    def _prompt(self, query: str) -> str:
        return prompt_text("multi_query.human").format(question=query, count=self.queries)

    def _wordings(self, query: str, reply: str) -> list[str]:
        others = wordings(reply, query)[: self.queries]
        if reply and not others:
            LOG.warning("%s 没有得到别的问法，只按原来的问题检索", self.get_name())
        return [query, *others]

    def _configs(self, count: int, run_manager: Any) -> list[RunnableConfig]:
        return [{"callbacks": run_manager.get_child(tag=f"{self.get_name()}:{name}")} for name in _names(count)]

    def _joined(self, found: list[list[Document]], limit: int) -> list[Document]:
        rest = (1 - self.question_share) / max(len(found) - 1, 1)
        weights = [self.question_share, *[rest] * (len(found) - 1)]
        return best(fused(_names(len(found)), weights, found, c=self.c, keep_ranks=True), limit, "融合后")


def wordings(reply: str, question: str) -> list[str]:
    """The questions in a reply, one a line or in a JSON list, without numbers, introductions and repetitions."""
    seen = {_key(question)}
    out: list[str] = []
    for line in _lines(reply):
        text = line.strip().lstrip("# ").strip(_EMPHASIS)
        if line.lstrip().startswith("```") or text.endswith(("：", ":")) or _PREAMBLE.match(text):
            continue
        label = _LABEL.match(text)
        text = _unquoted(text[label.end() if label else 0 :].strip(_EMPHASIS))
        if has_content(text) and len(text) <= _LONGEST and _key(text) not in seen:
            seen.add(_key(text))
            out.append(text)
    return out


def _unquoted(text: str) -> str:
    """A text without the quotation marks around the whole of it."""
    while len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip(_EMPHASIS)
    return text


def _lines(reply: str) -> list[str]:
    start, end = reply.find("["), reply.rfind("]")
    if 0 <= start < end:
        try:
            items = json.loads(reply[start : end + 1])
        except (ValueError, RecursionError):
            items = None
        if isinstance(items, list) and items and all(isinstance(item, str) for item in items):
            return items
    return reply.splitlines()


def _key(text: str) -> str:
    return "".join(character for character in fold(text) if character.isalnum())


def _names(count: int) -> list[str]:
    return ["question", *(f"wording_{number}" for number in range(1, count))]
