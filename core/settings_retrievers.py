"""The options of retrievers, by `kind`; those that wrap another hold its options."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from youju.settings_base import MOST_DOCUMENTS, MetadataFilter, StrictModel, model_name
from youju.settings_models import ChatSettings, RemoteModel


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
    search_type: Literal["similarity", "mmr"] = "similarity"
    """`mmr`: of the `fetch_k` nearest, `k` that are near the question and unlike one another."""
    fetch_k: int = Field(default=20, ge=1, le=MOST_DOCUMENTS)
    """Candidates of `mmr`; never fewer than `k`."""
    lambda_mult: float = Field(default=0.5, ge=0, le=1)
    """Of `mmr`: 1 looks at nearness to the question alone, 0 at variety alone."""


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
    """Several retrievers joined by their ranks or their scores."""

    kind: Literal["hybrid"] = "hybrid"
    k: int | None = Field(default=None, ge=1, le=MOST_DOCUMENTS)
    """Most documents returned; unset: 5."""
    fusion: Literal["rrf", "scores"] = "scores"
    """`scores`: score = sum of weight * the leg's score, scaled to [0, 1]. `rrf`: sum of weight / (rrf_k + rank)."""
    lead: float = Field(default=0.0, ge=0, le=1)
    """With `scores`: the share of all weights that a keyword leg gains as its first hit stands before the next ones;
    0.6 unless `retrievers` are given."""
    rrf_k: int = Field(default=60, ge=1)
    """The constant of `fusion: rrf`."""
    fetch_k: int = Field(default=50, ge=1, le=MOST_DOCUMENTS)
    """Documents asked of each leg that does not say its own `k`; never fewer than `k`."""
    weight: float = Field(default=1.0, ge=0)
    """Share in the fusion when used inside another hybrid."""
    filter: MetadataFilter | None = None
    """Only documents whose metadata fulfil this."""
    retrievers: Annotated[list["RetrieverSettings"], Field(min_length=1)] = Field(
        default_factory=lambda: list[RetrieverSettings]([BM25Settings(weight=0.35), VectorSettings(weight=0.65)])
    )
    """The legs."""

    @model_validator(mode="before")
    @classmethod
    def _built_in_legs_have_a_lead(cls, data: Any) -> Any:
        own = not isinstance(data, dict) or "retrievers" in data or data.get("fusion") == "rrf"
        return data if own else {"lead": 0.6, **data}

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


class RerankSettings(_Wrapping, RemoteModel):
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
        return model_name(value)

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
    by: Literal["words", "vectors", "chat"] = "words"
    """How sentences are judged: by shared words, by the base's vectors, or by a chat model that names their numbers."""
    neighbours: int = Field(default=0, ge=0, le=10)
    """Sentences kept on each side of one that bears on the question."""
    threshold: float | None = Field(default=None, ge=-1, le=1)
    """Of `vectors`: least cosine of a sentence that is kept; unset: the middle of those of its document."""
    chat: ChatSettings | None = None
    """Of `chat`: the model that chooses; unset: that of the `chat` section."""

    @model_validator(mode="after")
    def _uses_what_is_set(self) -> Self:
        for option, way in (("threshold", "vectors"), ("chat", "chat")):
            if getattr(self, option) is not None and self.by != way:
                msg = f"{option} 只在 by 是 {way} 时有用；现在 by 是 {self.by}"
                raise ValueError(msg)
        return self


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
                f"{scored.kind} 的得分只在一个问题之内可比，不表示相关程度，不能用 threshold；"
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
