"""Conditions in the question, as a filter."""

import json
from collections.abc import Mapping
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from pydantic import Field

from youju.models.keys import error_text
from youju.prompts import prompt_text
from youju.retrievers.base import LONGEST_QUESTION
from youju.retrievers.documents import with_metadata
from youju.retrievers.filter_reply import UnusableReplyError, allowed_operators, read_reply
from youju.retrievers.transformer import Plan
from youju.retrievers.writing import LOG, WritingTransformer
from youju.settings import FieldSettings
from youju.text import has_content


class SelfQueryRetriever(WritingTransformer):
    """Lets a chat model turn what a question says of the documents (2023年以来、财务部的) into a filter.

    Only the fields and comparisons declared here can be used. The caller's filter holds besides, so that nothing a
    model writes can widen it. A reply that is no reply, names another field, or has a value of another kind is told as
    a warning of the logger `youju`, and the question is searched as it is, without a filter of the model's.

    What was asked below is noted in each document's `self_query`.
    """

    fields: dict[str, FieldSettings] = Field(min_length=1)
    """The fields that a question may speak of, by name."""
    name: str | None = "self_query"

    def plan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,  # noqa: ARG002 - of the class above
        run_manager: CallbackManagerForRetrieverRun,
    ) -> Plan:
        """What the model makes of the question."""
        return self._plan(query, self.written(self._prompt(query), run_manager))

    async def aplan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,  # noqa: ARG002 - as above
        run_manager: AsyncCallbackManagerForRetrieverRun,
    ) -> Plan:
        """`plan` for asynchronous callers."""
        return self._plan(query, await self.awritten(self._prompt(query), run_manager))

    def allowed(self, documents: list[Document], plan: Plan) -> list[Document]:
        """The documents found, with a note of what was asked."""
        noted = {"query": plan.query, "filter": plan.conditions}
        return [with_metadata(document, self_query=noted) for document in super().allowed(documents, plan)]

    def _plan(self, query: str, reply: str) -> Plan:
        if not reply:
            return Plan(query)
        try:
            asked, conditions = read_reply(reply, self.fields)
        except UnusableReplyError as error:
            LOG.warning("%s 的过滤条件用不了，按原来的问题检索，不加条件：%s", self.get_name(), error_text(error))
            return Plan(query)
        return Plan(asked if has_content(asked) and len(asked) <= LONGEST_QUESTION else query, conditions)

    def _prompt(self, query: str) -> str:
        rows = [
            f"- {json.dumps(name, ensure_ascii=False)}（{_TYPES[field.type]}；可用 "
            f"{' '.join(f'${operator}' for operator in allowed_operators(field))}）"
            f"{'：' if field.description else ''}{field.description}"
            for name, field in self.fields.items()
        ]
        return prompt_text("self_query.human").format(question=query, fields="\n".join(rows))


_TYPES = {"text": "文字", "number": "数", "date": "日期，写成 YYYY-MM-DD"}
