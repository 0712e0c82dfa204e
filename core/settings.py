"""All options of youju, as strict data.

An option that is not listed here does not exist: unknown keys and impossible values are refused. Read a file with
`Settings.load`; build settings in code with `Settings(...)`. Keys are never part of them, only the name of the
environment variable that holds one.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from youju.key_shapes import KNOWN_KEY, is_key_as_model, is_key_as_variable


def _without_nothing(conditions: dict[str, Any]) -> dict[str, Any]:
    """Refuse a filter that compares with null, wherever it stands."""
    rest: list[Any] = [conditions]
    while rest:
        value = rest.pop()
        if value is None:
            msg = "过滤条件不能和空值（null）比较；要找没有这个字段的资料，用 $ne 或 $nin"
            raise ValueError(msg)
        if isinstance(value, dict | list):
            rest.extend(value.values() if isinstance(value, dict) else value)
    return conditions


MetadataFilter = Annotated[dict[str, Any], AfterValidator(_without_nothing)]
"""Conditions on metadata; see `youju.knowledge.filters` for the form."""

MOST_DOCUMENTS = 10_000
"""More documents are not asked for at once."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_overlap(chunk_size: int, chunk_overlap: int) -> None:
    """Refuse sizes with which a splitter could not advance.

    Raises:
        ValueError: Sizes are not positive, or the overlap is negative or not smaller than the chunk.
    """
    if chunk_size < 1 or chunk_overlap < 0 or chunk_overlap >= chunk_size:
        msg = (
            f"chunk_size（{chunk_size}）必须大于 0，chunk_overlap（{chunk_overlap}）不能小于 0，"
            "并且 chunk_overlap 必须小于 chunk_size"
        )
        raise ValueError(msg)


def _model_name(value: str) -> str:
    if not value.strip() or _CONTROL.search(value):
        msg = "模型名不能为空"
        raise ValueError(msg)
    if is_key_as_model(value):
        msg = "这里写模型的名字，不要写密钥；密钥放进环境变量"
        raise ValueError(msg)
    return value.strip()


class StrictModel(BaseModel):
    """Options that refuse what they do not know and cannot change once made; errors do not repeat what was given."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    @model_validator(mode="before")
    @classmethod
    def _no_switches(cls, data: Any) -> Any:
        """Refuse true and false, which pydantic takes for the numbers 1 and 0: no option is a switch."""
        for name, value in data.items() if isinstance(data, dict) else ():
            if isinstance(value, bool) and name in cls.model_fields:
                msg = f"{name} 不能是 true 或 false（YAML 里的 yes、no、on、off 也一样）"
                raise ValueError(msg)
        return data

    @model_validator(mode="before")
    @classmethod
    def _no_key(cls, data: Any) -> Any:
        """Refuse a key in whatever option it was written: it would be printed, and stored with the base."""
        for name, value in data.items() if isinstance(data, dict) else ():
            if isinstance(value, str | Path) and name in cls.model_fields and KNOWN_KEY.search(str(value)):
                msg = f"{name} 里像是写了密钥；请不要写密钥，放进环境变量，再用 api_key_env 写出环境变量的名字"
                raise ValueError(msg)
        return data


class _RemoteModel(StrictModel):
    base_url: str | None = None
    """Address of an OpenAI-compatible server, for example http://127.0.0.1:8000/v1."""
    api_key_env: str | None = None
    """Name of the environment variable that holds the key; the provider's usual one if unset."""
    timeout: float = Field(default=60.0, gt=0)
    """Seconds to wait for a reply."""
    max_retries: int = Field(default=2, ge=0, le=10)
    """How often a request that failed for a passing reason is sent again."""

    @field_validator("api_key_env")
    @classmethod
    def _is_a_variable_name(cls, value: str | None) -> str | None:
        if value is not None and (not _VARIABLE.fullmatch(value) or is_key_as_variable(value)):
            msg = "这里写环境变量的名字（如 OPENAI_API_KEY），不要写密钥本身"
            raise ValueError(msg)
        return value

    @field_validator("base_url")
    @classmethod
    def _is_an_address_without_secrets(cls, value: str | None) -> str | None:
        if value is None:
            return None
        msg = "要写成 http:// 或 https:// 开头的完整地址"
        try:
            parts = urlsplit(value)
        except ValueError:
            raise ValueError(msg) from None
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ValueError(msg)
        if parts.username or parts.password or parts.query or parts.fragment:
            msg = "地址里不要带用户名、密码或参数；密钥放进环境变量，用 api_key_env 指出变量名"
            raise ValueError(msg)
        return value


class EmbeddingsSettings(_RemoteModel):
    """Which model turns text into vectors."""

    model: str = "e5"
    """`e5` (built in, offline), `huggingface:NAME`, `openai:NAME`, or any name LangChain's `init_embeddings` takes."""
    query_prefix: str = ""
    """Put before a question, for models that want it. `e5` adds its own."""
    passage_prefix: str = ""
    """Put before a passage, for models that want it. `e5` adds its own."""
    batch_size: int = Field(default=32, ge=1, le=2048)
    """Passages sent to the model at a time."""
    max_tokens: int | None = Field(default=None, ge=16)
    """Most tokens the model reads at once; known for `e5` and `huggingface:`, to be given for others if below 8191."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return _model_name(value)


class ChatSettings(_RemoteModel):
    """Which model writes the answer."""

    model: str = "extractive"
    """`extractive` (built in, offline), `openai:NAME`, or any name LangChain's `init_chat_model` takes."""
    temperature: float | None = Field(default=0.0, ge=0.0, le=2.0)
    """0 for the steadiest answers; null for models that do not take it."""
    max_tokens: int = Field(default=1024, ge=1)
    """Most tokens of an answer; an answer cut off there is an error, not half an answer."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return _model_name(value)


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
        if not value.strip() or value in {".", ".."} or "/" in value or "\\" in value or _CONTROL.search(value):
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
        if not all(_VARIABLE.fullmatch(name) and not is_key_as_variable(name) for name in value):
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


class _Sized(StrictModel):
    chunk_size: int = Field(default=400, ge=1)
    """Most characters of a chunk."""
    chunk_overlap: int = Field(default=50, ge=0)
    """Most characters a chunk repeats from the one before it; 0 repeats nothing."""

    @model_validator(mode="after")
    def _overlap_fits(self) -> Self:
        check_overlap(self.chunk_size, self.chunk_overlap)
        return self


class FixedSplitterSettings(_Sized):
    """A window of fixed size, whatever it cuts: the baseline to compare others with."""

    kind: Literal["fixed"] = "fixed"


class RecursiveSplitterSettings(_Sized):
    """Paragraphs, then sentences, then clauses, until every chunk fits."""

    kind: Literal["recursive"] = "recursive"


class SentenceSplitterSettings(_Sized):
    """As many whole sentences as fit; the overlap is whole sentences too."""

    kind: Literal["sentence"] = "sentence"


class MarkdownSplitterSettings(_Sized):
    """At headings, with code and tables whole where they fit; a table's head goes with its rows."""

    kind: Literal["markdown"] = "markdown"


class StatuteSplitterSettings(_Sized):
    """One article (第N条) a chunk, for laws, contracts and policies; long ones at their paragraphs and items."""

    kind: Literal["statute"] = "statute"


class AutoSplitterSettings(_Sized):
    """`statute` or `markdown` where a document has that structure, else `recursive`."""

    kind: Literal["auto"] = "auto"


class TokenSplitterSettings(_Sized):
    """As `recursive`, with sizes counted in tokens of the embedding model."""

    kind: Literal["token"] = "token"
    chunk_size: int = Field(default=256, ge=8)
    """Most tokens of a chunk, by the embedding model's own tokenizer."""
    chunk_overlap: int = Field(default=32, ge=0)
    """Most tokens a chunk repeats from the one before it."""


class SemanticSplitterSettings(StrictModel):
    """Where the meaning changes between sentences, as the embedding model sees it."""

    kind: Literal["semantic"] = "semantic"
    threshold: Literal["similarity", "percentile", "standard_deviation", "interquartile", "gradient"] = "percentile"
    """How the sentences to cut between are found: below a fixed cosine similarity, or at unusually large distances."""
    amount: float | None = None
    """The similarity, percentile or multiple that the threshold means; unset: 0.55, 80, 1, 0.5 or 80, in that order."""
    buffer_size: int = Field(default=0, ge=0, le=10)
    """Neighbours on each side whose vectors are averaged with a sentence's own."""
    min_chunk_size: int = Field(default=50, ge=0)
    """Chunks with fewer characters join a neighbour where that fits."""
    chunk_size: int = Field(default=400, ge=1)
    """Most characters of a chunk, also where the meaning does not change."""

    @model_validator(mode="after")
    def _amounts_fit(self) -> Self:
        if self.min_chunk_size > self.chunk_size:
            msg = f"min_chunk_size（{self.min_chunk_size}）不能大于 chunk_size（{self.chunk_size}）"
            raise ValueError(msg)
        most = {"similarity": 1.0, "percentile": 100.0, "gradient": 100.0}.get(self.threshold)
        least = -1.0 if self.threshold == "similarity" else 0.0
        if self.amount is not None and (self.amount < least or (most is not None and self.amount > most)):
            limits = f"{least:g} 到 {most:g} 之间" if most is not None else "不小于 0"
            msg = f"threshold 为 {self.threshold} 时，amount 要在{limits}" if most else f"amount 要{limits}"
            raise ValueError(msg)
        return self


class ParentSplitterSettings(_Sized):
    """Small chunks to search, and the larger block around each to answer from."""

    kind: Literal["parent"] = "parent"
    chunk_size: int = Field(default=150, ge=1)
    """Most characters of a chunk that is searched."""
    chunk_overlap: int = Field(default=0, ge=0)
    """Most characters a chunk repeats from the one before it in its block."""
    parent_size: int = Field(default=800, ge=1)
    """Most characters of a block."""

    @model_validator(mode="after")
    def _chunks_fit_their_blocks(self) -> Self:
        if self.parent_size < self.chunk_size:
            msg = f"parent_size（{self.parent_size}）不能小于 chunk_size（{self.chunk_size}）"
            raise ValueError(msg)
        return self


SplitterSettings = Annotated[
    FixedSplitterSettings
    | RecursiveSplitterSettings
    | SentenceSplitterSettings
    | MarkdownSplitterSettings
    | StatuteSplitterSettings
    | AutoSplitterSettings
    | TokenSplitterSettings
    | SemanticSplitterSettings
    | ParentSplitterSettings,
    Field(discriminator="kind"),
]


class BM25Settings(StrictModel):
    """Keyword search."""

    kind: Literal["bm25"] = "bm25"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 5 alone, as many as needed inside a hybrid."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside a hybrid; 0 switches the leg off."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""


class VectorSettings(StrictModel):
    """Search by meaning."""

    kind: Literal["vector"] = "vector"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 5 alone, as many as needed inside a hybrid."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside a hybrid; 0 switches the leg off."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""


class OverlapSettings(StrictModel):
    """The explainable baseline: share of the question's tokens that a document holds."""

    kind: Literal["overlap"] = "overlap"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 2 alone, as many as needed inside a hybrid."""
    threshold: float = Field(default=0.2, ge=0, le=1)
    """Least share of the question's tokens; 0 keeps every document that shares one."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside a hybrid; 0 switches the leg off."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""


class NgramSettings(StrictModel):
    """The offline baseline: cosine of the pairs of neighbouring characters."""

    kind: Literal["ngram"] = "ngram"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 2 alone, as many as needed inside a hybrid."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside a hybrid; 0 switches the leg off."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""


class HybridSettings(StrictModel):
    """Several retrievers joined by weighted reciprocal rank fusion."""

    kind: Literal["hybrid"] = "hybrid"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 5."""
    rrf_k: int = Field(default=60, ge=1)
    """The constant of the fusion: score = sum of weight / (rrf_k + rank)."""
    fetch_k: int = Field(default=50, ge=1, le=MOST_DOCUMENTS)
    """Documents asked of each leg that does not say its own `k`; never fewer than `k`."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside another hybrid."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""
    retrievers: Annotated[list["RetrieverSettings"], Field(min_length=1)] = Field(
        default_factory=lambda: list[RetrieverSettings]([BM25Settings(weight=0.6), VectorSettings(weight=0.4)])
    )
    """The legs."""

    @model_validator(mode="after")
    def _some_leg_counts(self) -> Self:
        if not any(leg.weight > 0 for leg in self.retrievers):
            msg = "weight 不能全是 0：至少要有一路检索的 weight 大于 0"
            raise ValueError(msg)
        return self


class _Wrapping(StrictModel):
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 5 alone, as many as needed inside another retriever."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside a hybrid; 0 switches the leg off."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""
    base: "RetrieverSettings" = Field(default_factory=HybridSettings)
    """The retriever whose documents are worked on."""


class RerankSettings(_Wrapping, _RemoteModel):
    """A model that reads question and passage together orders the candidates anew."""

    kind: Literal["rerank"] = "rerank"
    model: str
    """`huggingface:NAME` on this machine, or the name that the service at `base_url` knows."""
    api: Literal["jina", "tei"] = "jina"
    """How the service at `base_url` is spoken to: `jina` (also vLLM, Xinference, SiliconFlow, Cohere) or `tei`."""
    top_n: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Another name of `k`."""
    fetch_k: int = Field(default=50, ge=1, le=MOST_DOCUMENTS)
    """Candidates asked of a base that does not say its own `k`; never fewer than `k`."""
    scores: Literal["auto", "logit", "probability"] = "auto"
    """What the model gives: `auto` takes scores outside [0, 1] for logits, from the first one seen on."""
    threshold: float = Field(default=0.0, ge=0, le=1)
    """Least score, in [0, 1], of a document that is returned."""
    keep_keyword_hits: int = Field(default=0, ge=0, le=MOST_DOCUMENTS)
    """So many of the best hits of the `bm25` legs below are returned, whatever the model says of them."""
    batch_size: int = Field(default=32, ge=1, le=2048)
    """Passages sent to the model at a time."""
    window: int = Field(default=400, ge=50)
    """Longer passages are scored in pieces of so many characters; the best piece counts."""
    on_error: Literal["fail", "keep_order"] = "fail"
    """What follows when the model fails: an error, or the order of the base and a warning."""

    @field_validator("model")
    @classmethod
    def _is_named(cls, value: str) -> str:
        return _model_name(value)

    @model_validator(mode="before")
    @classmethod
    def _one_number(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("top_n") is None:
            return data
        if data.get("k", data["top_n"]) not in {None, data["top_n"]}:
            msg = "k 和 top_n 是同一个选项，只写一个"
            raise ValueError(msg)
        return {**data, "k": data["top_n"]}

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        local = self.model.lower().startswith("huggingface:")
        if not local and self.base_url is None:
            msg = "model 不是 huggingface: 开头时，要用 base_url 写出重排服务的地址，如 http://127.0.0.1:8080"
            raise ValueError(msg)
        if self.keep_keyword_hits and not _ranks_words(self.base):
            msg = "keep_keyword_hits 要求 base 是 bm25，或是有一路 bm25 的 hybrid（不隔着另一个 hybrid）"
            raise ValueError(msg)
        return self


class _Writing(_Wrapping):
    chat: ChatSettings | None = None
    """The model that writes; unset: that of the `chat` section."""


class MultiQuerySettings(_Writing):
    """The question is searched in several wordings too."""

    kind: Literal["multi_query"] = "multi_query"
    queries: int = Field(default=3, ge=1, le=10)
    """Most wordings beside the question's own."""
    question_share: float = Field(default=0.5, gt=0, le=1)
    """Weight of the question itself; all other wordings share the rest."""
    rrf_k: int = Field(default=60, ge=1)
    """The constant of the fusion: score = sum of weight / (rrf_k + rank)."""


class HydeSettings(_Writing):
    """What an answer could read like is searched too, by meaning."""

    kind: Literal["hyde"] = "hyde"
    question_share: float = Field(default=0.5, gt=0, le=1)
    """Weight of the question itself; the imagined passage has the rest."""
    rrf_k: int = Field(default=60, ge=1)
    """The constant of the fusion: score = sum of weight / (rrf_k + rank)."""


Comparison = Literal["eq", "ne", "gt", "gte", "lt", "lte", "in", "nin"]
"""Names of comparisons in a filter, without the `$`."""


class FieldSettings(StrictModel):
    """A metadata field that a question may speak of."""

    type: Literal["text", "number", "date"]
    """What its values are; dates are stored as ISO 8601 text."""
    description: str = ""
    """What it means, for the model."""
    operators: list[Comparison] = Field(default_factory=list[Comparison])
    """The comparisons allowed; empty: for text eq, ne, in and nin, for others all."""


class SelfQuerySettings(_Writing):
    """Conditions in the question become a filter."""

    kind: Literal["self_query"] = "self_query"
    fields: Annotated[dict[str, FieldSettings], Field(min_length=1)]
    """The fields that a question may speak of, by name."""

    @field_validator("fields")
    @classmethod
    def _are_no_operators(cls, value: dict[str, FieldSettings]) -> dict[str, FieldSettings]:
        if any(not name or name.startswith("$") for name in value):
            msg = "字段名不能为空，也不能以 $ 开头"
            raise ValueError(msg)
        return value


class CompressSettings(_Wrapping):
    """Only the sentences that bear on the question, word for word."""

    kind: Literal["compress"] = "compress"
    neighbours: int = Field(default=0, ge=0, le=10)
    """Sentences kept on each side of one that bears on the question."""


class ParentSettings(_Wrapping):
    """The larger blocks that the documents found were cut from; for the splitter `parent`."""

    kind: Literal["parent"] = "parent"


class CurrentSettings(_Wrapping):
    """Only documents that are in force today, in their newest version."""

    kind: Literal["current"] = "current"
    document_key: Annotated[list[str], Field(min_length=1)] = Field(default_factory=lambda: ["title"])
    """Metadata fields that are equal in all versions of a document; documents that lack one are known by file name."""


class ThresholdSettings(_Wrapping):
    """Only documents with a certain score."""

    kind: Literal["threshold"] = "threshold"
    threshold: float
    """Least score of a document that is returned, on the scale of the base; fused scores have none."""

    @model_validator(mode="after")
    def _has_a_scale(self) -> Self:
        scored = self.base
        while isinstance(scored, CompressSettings | ParentSettings | CurrentSettings | SelfQuerySettings):
            scored = scored.base
        if isinstance(scored, HybridSettings | MultiQuerySettings | HydeSettings):
            msg = (
                f"{scored.kind} 的得分只由名次算出，不表示相关程度，不能用 threshold；"
                "请把 threshold 放在 rerank 或单独一路检索之上"
            )
            raise ValueError(msg)  # noqa: TRY004 - pydantic reports only a ValueError
        return self


RetrieverSettings = Annotated[
    BM25Settings
    | VectorSettings
    | OverlapSettings
    | NgramSettings
    | HybridSettings
    | RerankSettings
    | MultiQuerySettings
    | HydeSettings
    | SelfQuerySettings
    | CompressSettings
    | ParentSettings
    | CurrentSettings
    | ThresholdSettings,
    Field(discriminator="kind"),
]


def _ranks_words(settings: "RetrieverSettings") -> bool:
    """Whether documents bring a rank in keyword search along: a hybrid tells those of its own legs."""
    if isinstance(settings, HybridSettings):
        return any(leg.kind == "bm25" and leg.weight > 0 for leg in settings.retrievers)
    return _ranks_words(settings.base) if isinstance(settings, _Wrapping) else settings.kind == "bm25"


def holds(settings: "RetrieverSettings", kinds: set[str]) -> bool:
    """Whether a retriever of one of the kinds is in a tree."""
    if settings.kind in kinds:
        return True
    below = settings.retrievers if isinstance(settings, HybridSettings) else [getattr(settings, "base", None)]
    return any(one is not None and holds(one, kinds) for one in below)


class AnswerSettings(StrictModel):
    """How the answer is made and checked."""

    context_chars: int = Field(default=6000, ge=1)
    """Most characters of evidence, block headers and separators included, that the model reads."""
    citations: Literal["format", "coverage"] = "coverage"
    """`format`: there are numbers, and they name evidence that was sent. `coverage`: every sentence carries one."""
    max_retries: int = Field(default=1, ge=0, le=5)
    """How often the model may try again after its answer failed the checks."""


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
