"""Only documents that are in force, in their newest version."""

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.runnables import run_in_executor
from pydantic import Field, PrivateAttr, SkipValidation

from youju.retrievers.days import period_of
from youju.retrievers.notes import Dropped, drop_all, dropped, is_noted
from youju.retrievers.sources import SupportsCombinations, SupportsDocuments
from youju.retrievers.transformer import Plan, Transformer
from youju.retrievers.writing import LOG

_REMEMBERED = 32
_HAN = "一二三四五六七八九"
_NUMBER = re.compile(rf"[0-9]+|[{_HAN}]?十[{_HAN}]?|[{_HAN}]")
_VERSION_IN_NAME = re.compile(
    rf"[-_ .（(【\[]*(?:(?<![a-z])v(?:er(?:sion)?)?[-_ .]?[0-9]+(?:\.[0-9]+)*|第?[0-9{_HAN}十.]+年?版"
    r"|[0-9]{4}年?修[订正])"
    r"[）)】\]]*",
    re.IGNORECASE,
)


def _today() -> date:
    return datetime.now().astimezone().date()


class CurrentRetriever(Transformer):
    """Keeps out documents that are not in force today, and those that a newer version has taken the place of.

    A document is in force from its `valid_from` through its `valid_until`, each where it has one; a month or year means
    all its days. Of documents that are the same one (see `document_key`) and have a `version`, only the newest remains:
    that with the larger numbers (`v2.10` after `v2.9`, 第三版 after 第二版, dates by time). Versions are compared among
    the documents in force that the filter allows: what another tenant owns hides nothing, and whoever filters for an
    old version gets it.

    This is worked out from the whole source and handed down as a filter, so nothing outdated takes one of the `k`
    places. A wrapped retriever that takes no filter is asked without, and its documents are looked through.
    """

    source: SkipValidation[SupportsDocuments]
    """Lists the documents; a `KnowledgeBase` does."""
    document_key: list[str] = Field(default_factory=lambda: ["title"], min_length=1)
    """Metadata fields that are equal in all versions of a document, leaving aside what looks like a version in them
    (员工手册 v2, 员工手册（第三版）); a document that lacks one is known by its `source`."""
    today: SkipValidation[Callable[[], date]] = _today
    """Says which day it is."""
    name: str | None = "current"
    _known: OrderedDict[Any, "_Outdated"] = PrivateAttr(default_factory=OrderedDict)
    _lock: Any = PrivateAttr(default_factory=threading.Lock)

    def plan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002 - of the class above
    ) -> Plan:
        """The same question, with the conditions of being in force."""
        return Plan(query, self.conditions_today(conditions))

    async def aplan(
        self,
        query: str,
        conditions: Mapping[str, Any] | None,
        run_manager: AsyncCallbackManagerForRetrieverRun,  # noqa: ARG002 - of the class above
    ) -> Plan:
        """`plan`, with the source listed in a thread."""
        return Plan(query, await run_in_executor(None, self.conditions_today, conditions))

    def conditions_today(self, conditions: Mapping[str, Any] | None = None) -> dict[str, Any] | None:
        """A filter that only documents in force in their newest version fulfil; None if all are."""
        today = self.today()
        key = (self.source.version(), today, json.dumps(conditions, sort_keys=True, default=str))
        with self._lock:
            found = self._known.get(key)
        if found is None:
            found = self._worked_out(self._rows(conditions), today)
            with self._lock:
                self._known[key] = found
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
        if is_noted():
            drop_all(found.left_out(self.source.documents(conditions)))
        return {"$and": found.tests} if found.tests else None

    def _rows(self, conditions: Mapping[str, Any] | None) -> list[dict[str, Any]]:
        """The metadata that decide, of all documents; each combination once where the source can tell them apart."""
        if isinstance(self.source, SupportsCombinations):
            fields = ("source", "version", "valid_from", "valid_until", *self.document_key)
            return self.source.combinations(list(dict.fromkeys(fields)), conditions)
        return [document.metadata for document in self.source.documents(conditions)]

    def _worked_out(self, rows: Sequence[Mapping[str, Any]], today: date) -> "_Outdated":
        """What is outdated; whole files are left out by their name, which is fast to test."""
        days = _Days(today)
        newest: dict[tuple[str, ...], tuple[int, ...]] = {}
        for row in rows:
            version = self._version(row)
            if version and not days.outdated(row):
                newest[version[0]] = max(version[1], newest.get(version[0], ()))

        def stale(row: Mapping[str, Any]) -> list[str] | None:
            outdated, version = days.outdated(row), self._version(row)
            return outdated if outdated or (version and version[1] < newest.get(version[0], ())) else None

        judged = [(row, stale(row)) for row in rows]
        needed = {row["source"] for row, fields in judged if fields is None and _scalar(row.get("source"))}
        whole: dict[Any, None] = {}
        out: dict[str, dict[str, Any]] = {}
        for row, fields in judged:
            if fields is None:
                continue
            if _scalar(row.get("source")) and row["source"] not in needed:
                whole[row["source"]] = None
                continue
            tests: list[dict[str, Any]] = [{field: {"$ne": row[field]}} for field in fields]
            if not tests:
                others = [{field: {"$ne": row[field]}} for field in self._key_fields(row)]
                tests = [{"$or": [*others, {"version": {"$ne": row["version"]}}]}]
            out.update({repr(test): test for test in tests})
        return _Outdated([*([{"source": {"$nin": list(whole)}}] if whole else []), *out.values()], stale)

    def _key_fields(self, row: Mapping[str, Any]) -> list[str]:
        return self.document_key if all(_scalar(row.get(field)) for field in self.document_key) else ["source"]

    def _version(self, row: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[int, ...]] | None:
        """What is equal in all versions of a document, and what they are ordered by; None where one is missing."""
        order, fields = _order(row.get("version")), self._key_fields(row)
        if order is None or not all(_scalar(row.get(field)) for field in fields):
            return None
        return (*fields, *(_without_version(str(row[field])) for field in fields)), order


class _Outdated:
    """What is outdated in a source at one time."""

    def __init__(self, tests: list[dict[str, Any]], stale: Callable[[Mapping[str, Any]], list[str] | None]) -> None:
        """Keep what was worked out.

        Args:
            tests: Conditions that only what is current fulfils.
            stale: Says of metadata because of which fields they are outdated: of none if there is a newer version;
                None if they are current.
        """
        self.tests = tests
        self._stale = stale
        self._left_out: list[Dropped] | None = None

    def left_out(self, documents: Sequence[Document]) -> list[Dropped]:
        """The notes of why documents of this source and time are left out."""
        if self._left_out is None:
            judged = [(document, self._stale(document.metadata)) for document in documents]
            self._left_out = [_left_out(document, fields) for document, fields in judged if fields is not None]
        return self._left_out


def _left_out(document: Document, outdated: Sequence[str]) -> Dropped:
    row = document.metadata
    if "valid_until" in outdated:
        return dropped(document, "expired", f"已过期（valid_until {row['valid_until']}）")
    if outdated:
        return dropped(document, "not_yet", f"尚未生效（valid_from {row['valid_from']}）")
    return dropped(document, "version", f"已有新版本（这是 {row['version']}）")


class _Days:
    """Which documents are not in force on a day; each value is looked at once, so that it is told once."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._known: dict[tuple[str, str], bool] = {}

    def outdated(self, row: Mapping[str, Any]) -> list[str]:
        """The fields because of which a document is not in force."""
        return [field for field in ("valid_until", "valid_from") if field in row and self._excludes(field, row[field])]

    def _excludes(self, field: str, value: Any) -> bool:
        key = (field, repr(value))
        if key not in self._known:
            self._known[key] = _excludes(field, value, self._today)
        return self._known[key]


def _excludes(field: str, value: Any, today: date) -> bool:
    """Whether a document with this value is not in force; a value that is no date excludes nothing and is told."""
    if value is None:
        return False
    period = period_of(value)
    if period is None:
        LOG.warning("资料的 %s 不是日期，没有按它判断是否有效：%.40r", field, value)
        return False
    first, after = period
    return today >= after if field == "valid_until" else today < first


def _order(version: Any) -> tuple[int, ...] | None:
    """What versions are ordered by: the numbers in them; None where there are none."""
    if version is None or isinstance(version, bool | list | dict):
        return None
    numbers = [_value(number) for number in _NUMBER.findall(str(version))]
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers) or None


def _value(number: str) -> int:
    if number.isdigit() and number.isascii():
        return int(number[:18])
    tens, ten, ones = number.partition("十") if "十" in number else ("", "", number)
    return (_HAN.index(tens) + 1 if tens else 1) * (10 if ten else 0) + (_HAN.index(ones) + 1 if ones else 0)


@lru_cache(maxsize=4096)
def _without_version(text: str) -> str:
    return _VERSION_IN_NAME.sub("", text) or text


def _scalar(value: Any) -> bool:
    return isinstance(value, str | int | float) and value != ""
