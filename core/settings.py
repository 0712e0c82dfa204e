"""All options of youju, as strict data.

An option that is not listed here does not exist: unknown keys and impossible values are refused. Read a file with
`Settings.load`; build settings in code with `Settings(...)`. Keys are never part of them, only the name of the
environment variable that holds one.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationInfo, field_validator

from youju.key_shapes import is_key_as_variable
from youju.settings_answer import AnswerSettings, EntailmentSettings, JudgeSettings, OpinionSettings
from youju.settings_base import (
    CONTROL,
    MOST_DOCUMENTS,
    VARIABLE,
    MetadataFilter,
    StrictModel,
    check_overlap,
)
from youju.settings_models import (
    ChatSettings,
    EmbeddingsSettings,
    Thinking,
)
from youju.settings_retrievers import (
    BM25Settings,
    Comparison,
    CompressSettings,
    CurrentSettings,
    FieldSettings,
    HybridSettings,
    HydeSettings,
    MultiQuerySettings,
    NgramSettings,
    OverlapSettings,
    ParentSettings,
    RerankSettings,
    RetrieverSettings,
    SelfQuerySettings,
    ThresholdSettings,
    VectorSettings,
    holds,
)
from youju.settings_splitters import (
    AutoSplitterSettings,
    FixedSplitterSettings,
    MarkdownSplitterSettings,
    ParentSplitterSettings,
    RecursiveSplitterSettings,
    SemanticSplitterSettings,
    SentenceSplitterSettings,
    SplitterSettings,
    StatuteSplitterSettings,
    TokenSplitterSettings,
)

__all__ = [
    "MOST_DOCUMENTS",
    "AnswerSettings",
    "AutoSplitterSettings",
    "BM25Settings",
    "ChatSettings",
    "Comparison",
    "CompressSettings",
    "CurrentSettings",
    "EmbeddingsSettings",
    "EntailmentSettings",
    "FieldSettings",
    "FixedSplitterSettings",
    "HybridSettings",
    "HydeSettings",
    "JudgeSettings",
    "KeywordSettings",
    "LoaderSettings",
    "MarkdownSplitterSettings",
    "MetadataFilter",
    "MultiQuerySettings",
    "NgramSettings",
    "OpinionSettings",
    "OverlapSettings",
    "ParentSettings",
    "ParentSplitterSettings",
    "RecursiveSplitterSettings",
    "RerankSettings",
    "RetrieverSettings",
    "SelfQuerySettings",
    "SemanticSplitterSettings",
    "SentenceSplitterSettings",
    "Settings",
    "SplitterSettings",
    "StatuteSplitterSettings",
    "StoreSettings",
    "StrictModel",
    "Thinking",
    "ThresholdSettings",
    "TokenSplitterSettings",
    "VectorSettings",
    "check_overlap",
    "holds",
]


class StoreSettings(StrictModel):
    """Where the knowledge base lives."""

    backend: Literal["chroma"] = "chroma"
    """Vector store."""
    path: Path = Path("youju_db")
    """Folder of the knowledge bases; relative to where the command runs."""
    name: str = Field(default="default", min_length=1, max_length=100)
    """Name of the knowledge base in that folder; any language."""
    lock_timeout: float = Field(default=10.0, ge=0)
    """Seconds to wait while another process writes."""

    @field_validator("name")
    @classmethod
    def _is_no_path(cls, value: str) -> str:
        if not value.strip() or value in {".", ".."} or "/" in value or "\\" in value or CONTROL.search(value):
            msg = "知识库的名字不能为空，也不能含 / 、\\ 或控制字符；要换文件夹请改 store.path"
            raise ValueError(msg)
        return value

    @field_validator("path")
    @classmethod
    def _is_a_possible_path(cls, value: Path) -> Path:
        if "\0" in str(value):
            msg = "路径里不能有空字符"
            raise ValueError(msg)
        return value


class LoaderSettings(StrictModel):
    """How files are read."""

    pdf_engine: Literal["auto", "pdfium", "pypdf"] = "auto"
    """`auto` reads with PDFium, and asks pypdf about pages that PDFium cannot read."""
    pdf_password_env: list[str] = Field(default_factory=list)
    """Names of the environment variables that hold passwords of PDFs; each is tried."""
    text_fields: list[str] = Field(default_factory=list)
    """Columns of CSV and keys of JSONL that are text, the others being metadata; empty: all are text.

    Of names that a file does not have, those that it has count; a file that has none of them is reported.
    """
    max_megabytes: float = Field(default=200.0, gt=0)
    """Larger files are reported instead of read."""
    max_seconds: float = Field(default=300.0, gt=0)
    """Files that take longer are reported instead of read; looked at after every page."""

    @field_validator("pdf_password_env")
    @classmethod
    def _are_variable_names(cls, value: list[str]) -> list[str]:
        if not all(VARIABLE.fullmatch(name) and not is_key_as_variable(name) for name in value):
            msg = "这里写环境变量的名字（如 PDF_PASSWORD），不要写密码本身"
            raise ValueError(msg)
        return value


class KeywordSettings(StrictModel):
    """What keyword search compares, and how it counts. All but the last four change what ingest stores."""

    words: Literal["accurate", "search", "full", "none"] = "accurate"
    """jieba's modes: long words; these and the words inside them; or all words of the dictionary."""
    bigrams: Literal["all", "none"] = "all"
    """Every pair of neighbouring Han characters is a token too: finds what no dictionary knows."""
    width: Literal["fold", "keep"] = "fold"
    """`fold`: ＡＢＣ－１２３ is ABC-123 (Unicode NFKC, and one form for all dashes)."""
    case: Literal["fold", "keep"] = "fold"
    """`fold`: ABC is abc."""
    script: Literal["fold", "keep"] = "fold"
    """`fold`: Traditional characters are searched as Simplified ones; what is shown stays as it is."""
    numbers: Literal["fold", "keep"] = "fold"
    """`fold`: 一百二十 is found by 120, 1,200,000 by 1200000, 百分之五 by 5%."""
    identifiers: Literal["both", "whole", "parts"] = "both"
    """BX-2024-0017 is one token, or three, or both."""
    stop_words: str = Field(default="zh", min_length=1)
    """Words that are not searched: `zh` (the built-in list), `none`, or a file with one word a line."""
    dictionary: Path | None = None
    """A file with words of your own, one a line, each optionally followed by its frequency."""
    engine: Literal["bm25s", "rank_bm25"] = "bm25s"
    """The library that computes the scores; `rank_bm25` is far slower and needs the extra `rank-bm25`."""
    method: Literal["lucene", "atire", "okapi"] = "lucene"
    """The variant of BM25; `okapi` is that of rank-bm25."""
    k1: float = Field(default=1.5, gt=0, le=100)
    """How much repeating a word counts."""
    b: float = Field(default=0.6, ge=0, le=1)
    """How much long chunks are held back; 0: not at all."""


class Settings(StrictModel):
    """Everything that can be set, with its default."""

    embeddings: EmbeddingsSettings = EmbeddingsSettings()
    chat: ChatSettings = ChatSettings()
    store: StoreSettings = StoreSettings()
    loader: LoaderSettings = LoaderSettings()
    splitter: SplitterSettings = Field(default_factory=AutoSplitterSettings)
    keywords: KeywordSettings = KeywordSettings()
    retriever: RetrieverSettings = Field(default_factory=HybridSettings)
    answer: AnswerSettings = AnswerSettings()

    @field_validator("retriever", "splitter", mode="before")
    @classmethod
    def _usual_kind_unless_said(cls, value: Any, info: ValidationInfo) -> Any:
        usual = {"retriever": "hybrid", "splitter": "auto"}[str(info.field_name)]
        return {"kind": usual, **value} if isinstance(value, dict) else value

    @classmethod
    def load(
        cls,
        path: str | Path | None = None,
        *,
        overrides: Sequence[str | tuple[str, Any]] | Mapping[str, Any] = (),
        environ: Mapping[str, str] | None = None,
    ) -> "Settings":
        """Read settings from a file, the environment and overrides, the later ones winning.

        Args:
            path: A YAML file. None reads `youju.yaml` in the working folder if there is one.
            overrides: `key=value` texts such as `splitter.chunk_size=300`, or pairs or a mapping of dotted keys and
                values.
            environ: Where `YOUJU_SECTION__KEY` variables are looked up; None means the process environment.

        Returns:
            The checked settings.

        Raises:
            SettingsError: A file cannot be read, a key is unknown or a value impossible. The message names the
                place, the nearest known key and the values allowed.
        """
        from youju.settings_loading import load_settings  # noqa: PLC0415 - yaml is needed only to read files

        return load_settings(path, overrides=overrides, environ=environ)
