"""Embeddings by name."""

from langchain_core.embeddings import Embeddings

from youju.errors import SettingsError
from youju.key_shapes import model_without_keys
from youju.models.checked import CheckedEmbeddings
from youju.models.limits import InputLimit, estimated_limit
from youju.models.providers import accepted, connection_options, construct, load_class, split_name
from youju.settings import EmbeddingsSettings

_EXAMPLE = "openai:text-embedding-3-small"


def build_embeddings(settings: EmbeddingsSettings) -> CheckedEmbeddings:
    """Make the embeddings object that the settings describe.

    Args:
        settings: The model's name and how to reach it. `e5` is built in; `huggingface:NAME` runs on this machine;
            any other `provider:NAME` is what LangChain's `init_embeddings` takes.

    Returns:
        An embeddings object that checks what comes back and raises errors of `youju.errors`. Its attribute `limit`
        says how much text it reads at once; see `youju.models.input_limit`.

    Raises:
        SettingsError: There is no model of this name, or the provider refuses an option.
        MissingExtraError: The package for this model is not installed.
        ModelAuthError: The model needs a key and there is none.
    """
    name = settings.model
    query_prefix, passage_prefix = settings.query_prefix, settings.passage_prefix
    inner: Embeddings
    limit: InputLimit | None
    if name == "e5":
        from youju.models.e5 import E5Embeddings  # noqa: PLC0415 - only the model asked for is imported

        inner = E5Embeddings()
        limit = inner.limit
    elif ":" not in name:
        raise SettingsError(
            f"没有名为 {model_without_keys(name)} 的向量模型。内置的是 e5；其他模型要写成 服务商:名字，"
            f"例如 {_EXAMPLE} 或 huggingface:BAAI/bge-small-zh-v1.5"
        )
    elif name.partition(":")[0].strip().lower() == "huggingface":
        from youju.models.huggingface import HuggingFaceEmbeddings  # noqa: PLC0415 - as above

        inner = HuggingFaceEmbeddings(
            name.partition(":")[2].strip(),
            batch_size=settings.batch_size,
            query_prefix=query_prefix,
            passage_prefix=passage_prefix,
        )
        query_prefix = passage_prefix = ""  # they take the place of the model's own prompts, so it puts them itself
        limit = inner.limit or (estimated_limit(settings.max_tokens) if settings.max_tokens else None)
    else:
        inner = _remote(settings)
        limit = estimated_limit(settings.max_tokens)
    return CheckedEmbeddings(
        inner,
        name,
        batch_size=settings.batch_size,
        query_prefix=query_prefix,
        passage_prefix=passage_prefix,
        limit=limit and limit.with_prefix(passage_prefix, settings.max_tokens),
    )


def _remote(settings: EmbeddingsSettings) -> Embeddings:
    from langchain.embeddings import init_embeddings  # noqa: PLC0415 - takes 0.4 s
    from langchain.embeddings.base import _BUILTIN_PROVIDERS  # noqa: PLC0415 - as above

    # The private name is what init_embeddings itself uses to find a provider's class; nothing public says it.
    name = settings.model
    provider, model = split_name(name, _BUILTIN_PROVIDERS, _EXAMPLE)
    cls = load_class(_BUILTIN_PROVIDERS, provider, name)
    options = accepted(cls, connection_options(settings, provider), name)
    if "check_embedding_ctx_length" in cls.model_fields:
        # Otherwise a tokenizer is downloaded and numbers are sent in place of text, which few other servers take;
        # the ingest takes care of the length.
        options |= {"check_embedding_ctx_length": False, "chunk_size": settings.batch_size}
    if "http_async_client" in cls.model_fields:
        from openai import DefaultAsyncHttpxClient  # noqa: PLC0415 - loaded by the class already

        # An open connection belongs to the event loop it was made in; kept for the next call, it breaks a second
        # asyncio.run. Calls that are not awaited keep theirs.
        options["http_async_client"] = DefaultAsyncHttpxClient(headers={"Connection": "close"})
    return construct(lambda: init_embeddings(model, provider=provider, **options), name)
