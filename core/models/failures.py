"""Exceptions of model providers, turned into youju's own.

A provider's exception may quote the key, the address and the whole page of a proxy. What a person gets to read here
says which model, what happened and what to do next, with at most a short excerpt that holds no secrets.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

from pydantic import ValidationError

from youju.errors import (
    AnswerCutOffError,
    EmptyAnswerError,
    ModelAuthError,
    ModelError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnavailableError,
    TextTooLongError,
    YoujuError,
)
from youju.models.keys import hide_secrets

_EXCERPT = 200

CUT_OFF = "{name} 的回答写到长度上限就停了，只有一半。请调大 chat.max_tokens，或把问题问得更具体"
EMPTY = "{name} 的回复里没有文字。请重试一次，并检查 base_url；仍然这样就换一个模型"
STOPPED = "{name} 的服务在回答中途停下了，回答不完整。请稍后再试"
REFUSED = "{name} 或它的内容审查拒绝了这个请求。请换一种问法，或换一个模型"

_OUTCOMES: dict[str, tuple[type[ModelError], str]] = {
    "timeout": (ModelTimeoutError, "{name} 没有在限定的时间内回复。请稍后再试，或调大配置里的 timeout"),
    "unreachable": (ModelUnavailableError, "连不上 {name} 的服务。请检查网络和 base_url，并确认服务已经启动"),
    "broken": (ModelUnavailableError, "{name} 的服务出错了{status}。请稍后再试"),
    "unauthorized": (
        ModelAuthError,
        "{name} 不接受这个密钥{status}。请检查 api_key_env 指的环境变量（没有写时是服务商惯用的，如 OPENAI_API_KEY）",
    ),
    "forbidden": (ModelAuthError, "{name} 拒绝访问{status}：密钥没有使用它的权限。请到服务商处开通，或换一个密钥"),
    "not_found": (ModelRequestError, "{name} 的服务没有这个模型或地址{status}。请检查模型名和 base_url"),
    "busy": (ModelRateLimitError, "{name} 的请求太频繁，或者额度用完了{status}。请稍后再试，并检查账户余额"),
    "long": (
        TextTooLongError,
        "发给 {name} 的文字超过它一次能读的长度{status}。请调小 splitter.chunk_size 或 answer.context_chars",
    ),
    "cut": (AnswerCutOffError, CUT_OFF),
    "refused": (ModelRefusalError, REFUSED),
    "empty": (EmptyAnswerError, EMPTY),
    "request": (ModelRequestError, "{name} 的服务不接受这个请求{status}。请检查模型名和配置里的选项"),
    "foreign": (ModelError, "{name} 的服务给的回复读不懂。请检查 base_url：OpenAI 兼容的地址通常以 /v1 结尾"),
    "failed": (ModelError, "{name} 的程序包自己出错了。请再试一次；仍然这样就升级这个服务商的程序包，或换一个模型"),
}
_OF_THE_PACKAGE = {"foreign", "failed"}
_WITHOUT_EXCERPT = {"unauthorized", "forbidden", "timeout", "cut", "refused", "empty"}

# Class names of LangChain and of the providers' own packages: by name, so that none has to be imported to be known.
# The nearest class in the exception's ancestry decides.
_CLASSES = {
    "ModelTimeoutError": "timeout",
    "APITimeoutError": "timeout",
    "TimeoutException": "timeout",  # httpx
    "Timeout": "timeout",  # requests
    "TimeoutError": "timeout",
    "ModelConnectionError": "unreachable",
    "APIConnectionError": "unreachable",
    "TransportError": "unreachable",  # httpx
    "ConnectionError": "unreachable",
    "ContextOverflowError": "long",
    "LengthFinishReasonError": "cut",
    "ContentFilterFinishReasonError": "refused",
    "ModelRefusalError": "refused",
    "APIResponseValidationError": "foreign",
}
_CLASSES_LAST = {  # these say less than the status code and the text
    "ModelAuthenticationError": "unauthorized",
    "ModelPermissionDeniedError": "forbidden",
    "ModelNotFoundError": "not_found",
    "ModelRateLimitError": "busy",
    "ModelInvalidRequestError": "request",
    "ModelAPIError": "broken",
    "APIError": "broken",  # openai, anthropic: an error in the midst of a stream has no status code
}
_STATUSES = {401: "unauthorized", 402: "busy", 403: "forbidden", 404: "not_found", 408: "timeout", 429: "busy"}

_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|window|size)|maximum (?:input|sequence) length|too many (?:input )?tokens|input length"
    r"|(?:input|prompt|text|request) is too (?:long|large)|tokens? exceed|must have less than \d+ tokens",
    re.IGNORECASE,
)
_FILTERED = re.compile(
    r"content[ _]filter|content management policy|data_?inspection_?failed|content exists risk", re.IGNORECASE
)
_PROVIDER_PACKAGE = re.compile(
    r"openai|anthropic|ollama|httpx2?|langchain_(?!core|classic|community|text_splitters)\w+"
)
_CALLBACKS = "langchain_core.callbacks"
_ASKS_MODELS = "langchain_core.language_models"
_UNREADABLE = (LookupError, AttributeError, TypeError, ValueError, RecursionError, AssertionError)


@contextmanager
def model_errors(name: str) -> Iterator[None]:
    """Turn what a provider raises inside the block into errors of `youju.errors`.

    Works around awaited calls and async iteration as well, since it only maps exceptions. Exceptions that are no
    provider's pass unchanged. The original is not shown in the traceback, because its text may hold the key; its
    class name stays as a note.

    Args:
        name: The model as the settings name it.

    Raises:
        ModelError: One of its subclasses, when the provider failed.
    """
    try:
        yield
    except YoujuError:
        raise
    except Exception as error:
        translated = _translate(name, error)
        if translated is None:
            raise
        raise translated from None


def excerpt(text: str) -> str:
    """A short piece of a provider's text, without markup, line ends and secrets."""
    plain = " ".join(hide_secrets(re.sub(r"<[^<>]*>", " ", text)).split())
    return plain if len(plain) <= _EXCERPT else plain[:_EXCERPT] + "…"


def _translate(name: str, error: Exception) -> ModelError | None:
    status = _status(error)
    outcome = _outcome(error, status)
    if outcome is None:
        return None
    made, sentence = _OUTCOMES[outcome]
    message = sentence.format(name=name, status=f"（HTTP {status}）" if status else "")
    said = "" if outcome in _WITHOUT_EXCERPT else excerpt(_root(error) if outcome == "unreachable" else _said(error))
    who = "程序包报的错" if outcome in _OF_THE_PACKAGE else "服务的原话"
    translated = made(f"{message}。{who}：{said}" if said else message)
    translated.add_note(f"provider exception: {type(error).__module__}.{type(error).__qualname__}")
    return translated


def _outcome(error: Exception, status: int | None) -> str | None:
    ancestry = [cls.__name__ for cls in type(error).__mro__]
    for known in ancestry:
        if known in _CLASSES:
            return _CLASSES[known]
    by_class = next((_CLASSES_LAST[known] for known in ancestry if known in _CLASSES_LAST), None)
    if status is None and by_class is None:
        return _misread(error)
    if status in _STATUSES:
        return _STATUSES[status]
    if by_class in {None, "request", "broken"}:
        text = str(error)
        if _FILTERED.search(text):
            return "refused"
        if status == 413 or _TOO_LONG.search(text):
            return "long"
    if status is None:
        return by_class
    return "broken" if status >= 500 else "request"


def _misread(error: Exception) -> str | None:
    """Whether a provider's package stumbled, mostly over a reply that is not what it expects, such as a web page.

    These are bare ValueErrors and the like, also of the packages that it calls, so what decides is whether it stands
    in the traceback. What a callback of the caller raises in the midst of it is the caller's.
    """
    if str(error) == "No generation chunks were returned":  # langchain_core, when a stream brings nothing
        return "empty"
    modules = [str(frame.f_globals.get("__name__", "")) for frame, _ in walk_tb(error.__traceback__)]
    places = [at for at, module in enumerate(modules) if _PROVIDER_PACKAGE.fullmatch(module.partition(".")[0])]
    if places:
        if any(module.startswith(_CALLBACKS) for module in modules[places[-1] :]):
            return None
        return "foreign" if isinstance(error, _UNREADABLE) else "failed"
    # a reply without any choice is noticed only where the first one is taken
    empty = isinstance(error, IndexError) and modules and modules[-1].startswith(_ASKS_MODELS)
    return "foreign" if empty else None


def _status(error: Exception) -> int | None:
    """The HTTP status code, wherever the provider's package keeps it."""
    for holder in (error, getattr(error, "response", None)):
        for attribute in ("status_code", "code"):
            status = getattr(holder, attribute, None)
            if isinstance(status, int) and 400 <= status < 600:
                return status
    return None


def _said(error: Exception) -> str:
    """What the service itself said: the message in the body where there is one, else the exception's text."""
    if isinstance(error, ValidationError):  # its text quotes the reply, and an English page to read
        problems = error.errors(include_url=False, include_context=False, include_input=False)
        return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in problems)
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str) and message.strip():
            return message
    return str(error)


def _root(error: BaseException) -> str:
    """What lies under a failed connection, such as "Connection refused"; the exception itself says less."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error)
