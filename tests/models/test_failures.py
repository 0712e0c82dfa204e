import builtins

import anyio
import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core import exceptions as langchain

from youju import errors
from youju.models import model_errors
from youju.models.keys import KeyFilter, error_text, hide_keys, hide_secrets, read_key


class ProviderError(Exception):
    """Stands in for a provider's exception: a status code and a text."""

    def __init__(self, text: str, status_code: int) -> None:
        super().__init__(text)
        self.status_code = status_code


def mapped(error: Exception) -> Exception:
    with pytest.raises(Exception) as caught, model_errors("ollama:qwen"):  # noqa: PT011 - which one is the question
        raise error
    return caught.value


@pytest.mark.parametrize(
    ("raised", "expected"),
    [
        (langchain.ModelTimeoutError("x"), errors.ModelTimeoutError),
        (langchain.ModelAuthenticationError("x"), errors.ModelAuthError),
        (langchain.ModelPermissionDeniedError("x"), errors.ModelAuthError),
        (langchain.ModelNotFoundError("x"), errors.ModelRequestError),
        (langchain.ModelRateLimitError("x"), errors.ModelRateLimitError),
        (langchain.ModelAPIError("x"), errors.ModelUnavailableError),
        (langchain.ModelConnectionError("x"), errors.ModelUnavailableError),
        (langchain.ModelInvalidRequestError("x"), errors.ModelRequestError),
        (langchain.ModelInvalidRequestError("prompt is too long"), errors.TextTooLongError),
        (langchain.ContextOverflowError("x"), errors.TextTooLongError),
        (langchain.ModelRefusalError("x"), errors.ModelRefusalError),
        (httpx.ReadTimeout("x"), errors.ModelTimeoutError),
        (httpx.ConnectError("x"), errors.ModelUnavailableError),
        (httpx.RemoteProtocolError("x"), errors.ModelUnavailableError),
        (builtins.TimeoutError(), errors.ModelTimeoutError),
        (ConnectionRefusedError("x"), errors.ModelUnavailableError),
        (ProviderError("x", 401), errors.ModelAuthError),
        (ProviderError("x", 429), errors.ModelRateLimitError),
        (ProviderError("x", 418), errors.ModelRequestError),
        (ProviderError("x", 529), errors.ModelUnavailableError),
        (ProviderError("the input length exceeds the context length", 400), errors.TextTooLongError),
        (ProviderError("input is too large to process", 500), errors.TextTooLongError),
        (ProviderError("Content Exists Risk", 400), errors.ModelRefusalError),
    ],
)
def test_what_providers_raise_becomes_an_error_of_ours(raised: Exception, expected: type[Exception]) -> None:
    error = mapped(raised)
    assert type(error) is expected
    assert str(error).find("ollama:qwen") >= 0
    assert error.__suppress_context__


def test_the_status_code_is_found_on_the_response_too() -> None:
    request = httpx.Request("POST", "http://127.0.0.1/v1")
    error = httpx.HTTPStatusError("x", request=request, response=httpx.Response(403, request=request))
    assert type(mapped(error)) is errors.ModelAuthError


@pytest.mark.parametrize("error", [ZeroDivisionError(), ValueError("x"), KeyError("x"), errors.QuestionError("x")])
def test_what_is_no_providers_doing_passes_unchanged(error: Exception) -> None:
    assert mapped(error) is error


def test_a_mistake_in_the_callers_own_code_passes_unchanged() -> None:
    with pytest.raises(AttributeError, match="nothing"), model_errors("ollama:qwen"):
        object().nothing  # noqa: B018 - the mistake


def test_cancelling_passes_unchanged() -> None:
    async def cancelled() -> str:
        with anyio.move_on_after(0), model_errors("ollama:qwen"):
            await anyio.sleep(5)
        return "moved on"

    assert anyio.run(cancelled) == "moved on"


def test_long_texts_of_providers_are_shortened_and_freed_of_markup() -> None:
    said = str(mapped(ProviderError("<html><h1>Bad\n gateway</h1>" + "很" * 300 + "</html>", 502)))
    assert said.endswith("服务的原话：Bad gateway " + "很" * 188 + "…")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: sk-te***3456.", "Incorrect API key provided: ***"),
        ("header Authorization: Bearer abc.def-1", "header Authorization: Bearer ***"),
        ("GET /v1?api_key=abc123&model=x", "GET /v1?***&model=x"),
        ('{"api-key": "abc123", "model": "x"}', '{"***", "model": "x"}'),
        ("https://user:pass@host/v1", "https://***@host/v1"),
        ("gsk_" + "aB3" * 12, "***"),
        ("maximum is 512 tokens: 600 given", "maximum is 512 tokens: 600 given"),
        ("model paraphrase-multilingual-MiniLM-L12-v2", "model paraphrase-multilingual-MiniLM-L12-v2"),
        ("年假为10天", "年假为10天"),
    ],
)
def test_what_looks_like_a_secret_is_hidden_and_the_rest_is_not(text: str, shown: str) -> None:
    assert hide_secrets(text) == shown


def test_the_values_of_variables_that_hold_secrets_are_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_SERVER", "blue whale 7")
    monkeypatch.setenv("SOME_API_KEY", "green tea 9")
    monkeypatch.setenv("SHORT_TOKEN", "true")
    read_key("OUR_SERVER", "openai:x")
    assert hide_secrets("blue whale 7, green tea 9, true") == "***, ***, true"


def test_how_a_key_is_set_can_be_read() -> None:
    assert hide_secrets("请先执行 export OPENAI_API_KEY=你的密钥") == "请先执行 export OPENAI_API_KEY=你的密钥"
    assert hide_secrets("OPENAI_API_KEY=k-123") == "OPENAI_***"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("k=brown-fox-4711 ok", "k=*** ok"),
        ("the key begins with brown-fo and ends with fox-4711", "the key begins with *** and ends with ***"),
        ("brown-fobrown-fox", "***"),
        ("brown-f is too little of it", "brown-f is too little of it"),
        ("年假为10天", "年假为10天"),
    ],
)
def test_parts_of_a_key_are_hidden_too(monkeypatch: pytest.MonkeyPatch, text: str, shown: str) -> None:
    monkeypatch.setenv("OUR_SERVER_KEY", "brown-fox-4711")
    assert hide_secrets(text) == shown


def test_parts_of_a_path_to_a_key_stand_in_other_messages_and_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_SERVER_KEY", "/home/lin/secret.pem")
    assert hide_secrets("/home/lin/docs, /home/lin/secret.pem") == "/home/lin/docs, ***"


def test_what_a_model_says_is_freed_of_known_keys_and_of_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_SERVER_KEY", "brown-fox-4711")
    digest = "d41d8cd98f00b204e9800998ecf8427e"
    assert hide_keys(f"口令是 brown-fox-4711，摘要是 {digest}") == f"口令是 ***，摘要是 {digest}"


@given(
    pieces=st.lists(st.text("brown-fox4711 年", max_size=9) | st.sampled_from(["brown-", "fox-4711", "blue ", "wh"])),
    last=st.sampled_from(["", "brown-fox-4711", "blue whale", "brown-f"]),
)
def test_a_reply_in_pieces_is_freed_of_keys_as_a_whole_one_is(pieces: list[str], last: str) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("OUR_SERVER_KEY", "brown-fox-4711")
        patched.setenv("OTHER_SERVER_KEY", "blue whale")
        keys = KeyFilter()
        shown = [keys.feed(piece) for piece in [*pieces, last]]
        assert "".join([*shown, keys.rest()]) == hide_keys("".join([*pieces, last]))


def test_an_error_is_told_in_its_words_without_secrets_or_by_its_class(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_SERVER_KEY", "brown-fox-4711")
    assert error_text(RuntimeError("not for brown-fox-4711")) == "not for ***"
    assert error_text(ValueError()) == "ValueError"
