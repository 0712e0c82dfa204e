"""What chat and embedding models of LangChain's providers have in common: their class, their options, their key."""

import difflib
import os
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from youju.errors import MissingExtraError, ModelAuthError, SettingsError
from youju.key_shapes import model_without_keys
from youju.models.keys import hide_secrets, read_key
from youju.settings import ChatSettings, EmbeddingsSettings

Registry = Mapping[str, tuple[str, str, Any]]
"""LangChain's table of providers: the module and the name of the class for each."""

_Made = TypeVar("_Made")

_SPELLINGS = {  # an option's usual name, and the names some providers give it
    "api_key": ("api_key", "cohere_api_key"),
    "base_url": ("base_url", "endpoint"),
    "timeout": ("timeout", "request_timeout", "timeout_seconds"),
    "max_tokens": ("max_tokens", "num_predict", "max_output_tokens"),
}
_KEY_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)\b")


def split_name(name: str, registry: Registry, example: str) -> tuple[str, str]:
    """Split `provider:NAME`.

    Raises:
        SettingsError: There is no such provider, or no name after it. The message names the nearest one.
    """
    provider, _, model = name.partition(":")
    provider = provider.strip().lower()
    if provider not in registry:
        near = difflib.get_close_matches(provider, registry, n=1)
        hint = f"最接近的是 {near[0]}；" if near else ""
        raise SettingsError(
            f"{model_without_keys(name)}：没有名为 {model_without_keys(provider)} 的服务商。"
            f"{hint}可用的有 {'、'.join(sorted(registry))}"
        )
    if not model.strip():
        raise SettingsError(f"{name}：冒号后面缺少模型名，要写成 服务商:名字，例如 {example}")
    return provider, model.strip()


def load_class(registry: Registry, provider: str, name: str) -> type[BaseModel]:
    """Import a provider's model class.

    Raises:
        MissingExtraError: The provider's package is not installed. Any other failure to import passes unchanged.
    """
    module, class_name, _ = registry[provider]
    package = module.partition(".")[0]
    try:
        found: type[BaseModel] = getattr(import_module(module), class_name)
    except ModuleNotFoundError as error:
        if error.name != package:
            raise
        raise _missing(package, name) from None
    return found


def _missing(module: str, name: str) -> MissingExtraError:
    package = module.replace("_", "-")
    error = MissingExtraError(package, "openai", f"使用 {name} ")
    if package != "langchain-openai":  # no extra of youju brings it
        error.extra = ""
        error.msg = f"使用 {name} 需要安装 {package}：pip install {package}"
        error.args = (error.msg,)
    return error


def connection_options(settings: ChatSettings | EmbeddingsSettings, provider: str) -> dict[str, Any]:
    """Where the model is and how to reach it, under the options' usual names.

    Raises:
        ModelAuthError: A key is needed and its variable is unset.
    """
    options: dict[str, Any] = {"timeout": settings.timeout, "max_retries": settings.max_retries}
    if settings.base_url is not None:
        options["base_url"] = settings.base_url
    if settings.api_key_env is not None:
        options["api_key"] = read_key(settings.api_key_env, settings.model)
    elif provider == "openai":
        elsewhere = settings.base_url or os.environ.get("OPENAI_API_BASE") or os.environ.get("OPENAI_BASE_URL")
        if elsewhere and not os.environ.get("OPENAI_API_KEY", "").strip():
            options["api_key"] = "not-needed"  # the client insists on one; local servers do not look at it
        else:
            options["api_key"] = read_key("OPENAI_API_KEY", settings.model)
    return options


def accepted(cls: type[BaseModel], options: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Give options the names a model class knows them by, and leave out those it does not have.

    Not every class has every option (Ollama's has no retries), and most ignore unknown ones without a word or send
    them to the service, which refuses them. So the fields and aliases of the class decide.

    Raises:
        SettingsError: The class takes no address or no key, and one is set; without it something else would be asked.
    """
    known = _parameters(cls)
    found: dict[str, Any] = {}
    for option, value in options.items():
        spelling = next((one for one in _SPELLINGS.get(option, (option,)) if one in known), None)
        if spelling is not None:
            found[spelling] = value
        elif option == "timeout" and "client_kwargs" in known:  # Ollama: handed to its HTTP client
            found["client_kwargs"] = {"timeout": value}
        elif option in {"base_url", "api_key"}:
            setting = "base_url" if option == "base_url" else "api_key_env"
            raise SettingsError(f"{name}：这个服务商不能用 {setting}，请去掉它，改用 {cls.__name__} 自己的环境变量")
    return found


def _parameters(cls: type[BaseModel]) -> set[str]:
    by_name = bool(cls.model_config.get("populate_by_name") or cls.model_config.get("validate_by_name"))
    names: set[str] = set()
    for field, info in cls.model_fields.items():
        if info.alias:
            names.add(info.alias)
        if by_name or not info.alias:
            names.add(field)
    return names


def construct(make: Callable[[], _Made], name: str) -> _Made:
    """Make a model, and say plainly what its options lack.

    Raises:
        ModelAuthError: The provider found no key; the message names the variable it looks for.
        SettingsError: The provider refuses an option. Values are not shown, since one of them is the key.
    """
    try:
        return make()
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False, include_context=False)
        detail = "；".join(f"{'.'.join(map(str, one['loc']))} {one['msg']}".strip() for one in problems)
    except Exception as error:
        detail = str(error)
        if not _KEY_VARIABLE.search(detail):
            raise
    variable = _KEY_VARIABLE.search(detail)
    if variable:
        raise ModelAuthError(
            f"{name} 需要密钥，请先执行 export {variable.group()}=你的密钥，或用 api_key_env 指出变量名"
        )
    raise SettingsError(f"按现在的配置建不了模型 {name}：{hide_secrets(detail)}")
