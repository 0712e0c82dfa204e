"""The knowledge base: catalog, keyword index and vectors of a set of files."""

from youju.knowledge.base import KnowledgeBase
from youju.knowledge.catalog import FileRecord
from youju.knowledge.filters import check_filter, matches, selecting
from youju.knowledge.identity import search_text
from youju.knowledge.keywords import KeywordIndex
from youju.knowledge.losses import Loss, Losses
from youju.knowledge.writer import Change, Writer

__all__ = [
    "Change",
    "FileRecord",
    "KeywordIndex",
    "KnowledgeBase",
    "Loss",
    "Losses",
    "Writer",
    "check_filter",
    "matches",
    "search_text",
    "selecting",
]
