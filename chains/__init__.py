"""Chains: files into a knowledge base, and questions into cited answers."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from youju.chains.answer import atext_pieces, build_answer_chain, text_pieces
    from youju.chains.citations import CitationError, CitationParser, ParsedAnswer
    from youju.chains.conversation import as_dicts, build_conversation_chain
    from youju.chains.events import AnswerEvent, aanswer_events, answer_events
    from youju.chains.extract import Extraction, ExtractionError, ExtractionParser, check_extraction
    from youju.chains.ingest import build_ingest_chain
    from youju.chains.opinions import Judgement, Opinion
    from youju.chains.report import IngestReport, Progress
    from youju.chains.result import (
        NOT_FOUND,
        Citation,
        CitedAnswer,
        Claim,
        Evidence,
        Nearest,
        Quote,
        Refusal,
        Step,
        Unread,
        UnreadFile,
    )

__all__ = [
    "NOT_FOUND",
    "AnswerEvent",
    "Citation",
    "CitationError",
    "CitationParser",
    "CitedAnswer",
    "Claim",
    "Evidence",
    "Extraction",
    "ExtractionError",
    "ExtractionParser",
    "IngestReport",
    "Judgement",
    "Nearest",
    "Opinion",
    "ParsedAnswer",
    "Progress",
    "Quote",
    "Refusal",
    "Step",
    "Unread",
    "UnreadFile",
    "aanswer_events",
    "answer_events",
    "as_dicts",
    "atext_pieces",
    "build_answer_chain",
    "build_conversation_chain",
    "build_ingest_chain",
    "check_extraction",
    "text_pieces",
]

_HOMES = {
    "answer": ("atext_pieces", "build_answer_chain", "text_pieces"),
    "citations": ("CitationError", "CitationParser", "ParsedAnswer"),
    "conversation": ("as_dicts", "build_conversation_chain"),
    "events": ("AnswerEvent", "aanswer_events", "answer_events"),
    "extract": ("Extraction", "ExtractionError", "ExtractionParser", "check_extraction"),
    "ingest": ("build_ingest_chain",),
    "opinions": ("Judgement", "Opinion"),
    "report": ("IngestReport", "Progress"),
    "result": (
        "NOT_FOUND",
        "Citation",
        "CitedAnswer",
        "Claim",
        "Evidence",
        "Nearest",
        "Quote",
        "Refusal",
        "Step",
        "Unread",
        "UnreadFile",
    ),
}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use: asking needs no loaders, ingest no prompts."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"youju.chains.{module}"), name)
    raise AttributeError(f"module 'youju.chains' has no attribute {name!r}")
