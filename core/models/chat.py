"""Chat models by name."""

import difflib
import warnings
from typing import Any

from langchain_core.language_models import BaseChatModel

from youju.errors import SettingsError
from youju.key_shapes import model_without_keys
from youju.models.providers import accepted, connection_options, construct, load_class, split_name
from youju.settings import ChatSettings

_EXAMPLE = "openai:gpt-4o-mini"
_BUILT_IN = "extractive"


def build_chat_model(settings: ChatSettings) -> BaseChatModel:
    """Make the chat model that the settings describe.

    Args:
        settings: The model's name and how to reach it. `extractive` is built in; anything else is what LangChain's
            `init_chat_model` takes.

    Returns:
        The model as LangChain gives it. Call it inside `model_errors`, and look at what it says with `check_reply`.

    Raises:
        SettingsError: There is no model of this name, or the provider refuses an option.
        MissingExtraError: The package for this model is not installed.
        ModelAuthError: The model needs a key and there is none.
    """
    if settings.model == _BUILT_IN:
        from youju.models.extractive import ExtractiveChatModel  # noqa: PLC0415 - only the model asked for is imported

        return ExtractiveChatModel()
    # The private names are what init_chat_model itself uses to find the class of a name; nothing public says it.
    from langchain.chat_models import init_chat_model  # noqa: PLC0415 - takes 1.5 s
    from langchain.chat_models.base import _BUILTIN_PROVIDERS, _parse_model  # noqa: PLC0415 - as above

    name = settings.model
    if ":" in name:
        provider, model = split_name(name, _BUILTIN_PROVIDERS, _EXAMPLE)
    else:
        try:
            model, provider = _parse_model(name, None)  # knows that gpt-… is OpenAI's, and the like
        except ValueError:
            raise SettingsError(_unknown(name)) from None
    cls = load_class(_BUILTIN_PROVIDERS, provider, name)
    options: dict[str, Any] = connection_options(settings, provider) | {"max_tokens": settings.max_tokens}
    if settings.temperature is not None:
        options["temperature"] = settings.temperature
    options = accepted(cls, options, name)
    if provider == "openai" and settings.base_url is not None:
        # LangChain sends OpenAI's newer max_completion_tokens, which many compatible servers pass over in silence.
        # Usage in streams stays as LangChain has it: asked for at OpenAI, not at other addresses, which may refuse it.
        options["extra_body"] = {"max_tokens": options.pop("max_tokens")}
    if "default_headers" in cls.model_fields:
        # An open connection belongs to the event loop it was made in; kept for the next call, it breaks a second
        # asyncio.run. A new connection is nothing beside the time a model takes to answer.
        options["default_headers"] = {"Connection": "close"}
    # An ill-typed reply is refused where it is read; this warning would print it, and with it perhaps a key.
    warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning, r"pydantic\.main")
    made: BaseChatModel = construct(lambda: init_chat_model(model, model_provider=provider, **options), name)
    return made


def _unknown(name: str) -> str:
    near = difflib.get_close_matches(name.lower(), [_BUILT_IN], n=1)
    hint = f"最接近的是内置的 {near[0]}；" if near else f"内置的是 {_BUILT_IN}；"
    return f"没有名为 {model_without_keys(name)} 的模型。{hint}其他模型要写成 服务商:名字，例如 {_EXAMPLE}"
