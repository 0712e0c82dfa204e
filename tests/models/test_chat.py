import asyncio
import logging
import sys
import traceback
from collections.abc import Iterator
from functools import reduce
from operator import add
from types import ModuleType
from typing import Any

import pytest
from langchain.chat_models.base import _get_chat_model_creator
from langchain_core.language_models import BaseChatModel, FakeListChatModel
from pydantic import Field, model_validator

from youju.errors import (
    AnswerCutOffError,
    EmptyAnswerError,
    MissingExtraError,
    ModelAuthError,
    ModelError,
    ModelRateLimitError,
    ModelRefusalError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnavailableError,
    SettingsError,
    TextTooLongError,
)
from youju.models import build_chat_model, check_reply, model_errors
from youju.settings import ChatSettings

local_server = pytest.mark.local_server
enable_socket = pytest.mark.enable_socket


def made(**options: object) -> BaseChatModel:
    return build_chat_model(ChatSettings.model_validate({"max_retries": 0, **options}))


def ask(model: BaseChatModel, name: str) -> str:
    with model_errors(name):
        reply = model.invoke("年假有几天？")
    check_reply(reply, name)
    return reply.text


def ask_streaming(model: BaseChatModel, name: str) -> str:
    with model_errors(name):
        chunks = list(model.stream("年假有几天？"))
    whole = reduce(add, chunks)
    check_reply(whole, name)
    return whole.text


def test_the_default_needs_no_key_and_no_server() -> None:
    assert type(build_chat_model(ChatSettings())).__name__ == "ExtractiveChatModel"


@local_server
@enable_socket
async def test_a_server_is_asked_with_the_options_of_the_settings(faulty: Any, key: str) -> None:
    model = made(model="openai:good", base_url=faulty.url, temperature=0.3, max_tokens=77)
    assert ask(model, "openai:good") == "年假为10天[资料1]。"
    assert ask_streaming(model, "openai:good") == "年假为10天"
    assert (await model.ainvoke("年假有几天？")).text == "年假为10天[资料1]。"
    for request in faulty.requests:
        assert (request["path"], request["model"]) == ("/v1/chat/completions", "good")
        assert (request["temperature"], request["max_tokens"]) == (0.3, 77)
        assert request["authorization"] == f"Bearer {key}"
        # servers other than OpenAI's own may refuse these
        assert not {"max_completion_tokens", "stream_options"} & set(request)


@local_server
@enable_socket
def test_a_server_is_asked_at_temperature_zero_unless_told_otherwise(faulty: Any, key: str) -> None:
    assert ask(made(model="openai:good", base_url=faulty.url), "openai:good") == "年假为10天[资料1]。"
    assert [request["temperature"] for request in faulty.requests] == [0]


@local_server
@enable_socket
def test_a_model_can_be_awaited_in_one_event_loop_after_the_other(keeping: Any) -> None:
    model = made(model="openai:good", base_url=keeping.url)
    for _ in range(3):
        assert asyncio.run(model.ainvoke("年假有几天？")).text == "年假为10天[资料1]。"


@local_server
@enable_socket
def test_no_temperature_is_sent_when_it_is_switched_off(faulty: Any) -> None:
    ask(made(model="openai:good", base_url=faulty.url, temperature=None), "openai:good")
    assert "temperature" not in faulty.requests[0]


@local_server
@enable_socket
def test_a_local_server_needs_no_key(faulty: Any) -> None:
    ask(made(model="openai:good", base_url=faulty.url), "openai:good")
    assert faulty.requests[0]["authorization"] == "Bearer not-needed"


FAULTS: list[tuple[str, type[ModelError], str]] = [
    ("400", ModelRequestError, "不接受这个请求（HTTP 400）"),
    ("401", ModelAuthError, "不接受这个密钥（HTTP 401）"),
    ("402", ModelRateLimitError, "额度用完了（HTTP 402）"),
    ("403", ModelAuthError, "没有使用它的权限"),
    ("404", ModelRequestError, "没有这个模型或地址（HTTP 404）"),
    ("408", ModelTimeoutError, "没有在限定的时间内回复"),
    ("413", TextTooLongError, "超过它一次能读的长度（HTTP 413）"),
    ("422", ModelRequestError, "不接受这个请求（HTTP 422）"),
    ("429", ModelRateLimitError, "太频繁，或者额度用完了（HTTP 429）"),
    ("500", ModelUnavailableError, "服务出错了（HTTP 500）"),
    ("503", ModelUnavailableError, "服务出错了（HTTP 503）"),
    ("too-long", TextTooLongError, r"answer\.context_chars"),
    ("filtered", ModelRefusalError, "内容审查拒绝了"),
    ("length", AnswerCutOffError, r"chat\.max_tokens"),
    ("content_filter", ModelRefusalError, "内容审查拒绝了"),
]


@local_server
@enable_socket
@pytest.mark.parametrize("asked", [ask, ask_streaming])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_goes_wrong_at_a_server_is_said_without_the_key(
    faulty: Any, key: str, caplog: pytest.LogCaptureFixture, asked: Any, fault: tuple[str, type[ModelError], str]
) -> None:
    model_name, error, said = fault
    caplog.set_level(logging.DEBUG)
    name = f"openai:{model_name}"
    model = made(model=name, base_url=faulty.url)
    with pytest.raises(error, match=f"{name} .*{said}") as caught:
        asked(model, name)
    assert faulty.requests[0]["authorization"] == f"Bearer {key}"  # the server knew it, and echoes it
    shown = "".join(traceback.format_exception(caught.value))
    for text in (str(caught.value), repr(caught.value), shown, caplog.text, repr(model), str(model)):
        assert key not in text


@local_server
@enable_socket
async def test_awaited_calls_say_it_alike(faulty: Any, key: str) -> None:
    with pytest.raises(ModelUnavailableError), model_errors("openai:500"):
        await made(model="openai:500", base_url=faulty.url).ainvoke("年假有几天？")
    with pytest.raises(ModelRateLimitError), model_errors("openai:429"):
        async for _ in made(model="openai:429", base_url=faulty.url).astream("年假有几天？"):
            pass


@local_server
@enable_socket
def test_the_class_of_the_original_stays_as_a_note(faulty: Any, key: str) -> None:
    with pytest.raises(ModelRateLimitError) as caught:
        ask(made(model="openai:429", base_url=faulty.url), "openai:429")
    assert caught.value.__notes__ == ["provider exception: langchain_openai.chat_models.base.OpenAIRateLimitError"]


@local_server
@enable_socket
def test_a_server_that_does_not_reply_in_time_is_not_waited_for(faulty: Any) -> None:
    with pytest.raises(ModelTimeoutError, match=r"openai:slow 没有在限定的时间内回复。.*timeout"):
        ask(made(model="openai:slow", base_url=faulty.url, timeout=0.1), "openai:slow")


@local_server
@enable_socket
def test_a_server_that_is_not_there_is_told_apart(nobody: str) -> None:
    with pytest.raises(ModelUnavailableError, match=r"连不上 openai:good 的服务。.*refused"):
        ask(made(model="openai:good", base_url=nobody), "openai:good")


@local_server
@enable_socket
def test_a_reply_without_text_is_an_error(faulty: Any) -> None:
    with pytest.raises(EmptyAnswerError, match="没有文字"):
        ask(made(model="openai:empty", base_url=faulty.url), "openai:empty")


@local_server
@enable_socket
@pytest.mark.parametrize("reply", ["page", "half-json"])
def test_an_address_that_gives_something_else_is_said(faulty: Any, reply: str) -> None:
    model = made(model=f"openai:{reply}", base_url=faulty.url)
    with pytest.raises(ModelError, match=r"读不懂。请检查 base_url"):
        ask(model, "openai:x")
    with pytest.raises(EmptyAnswerError, match="base_url"):
        ask_streaming(model, "openai:x")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("extractiv", "最接近的是内置的 extractive；其他模型要写成 服务商:名字"),
        ("qwen", "内置的是 extractive；其他模型要写成 服务商:名字"),
        ("opnai:gpt-4o-mini", "没有名为 opnai 的服务商。最接近的是 openai；"),
        ("openai:", "缺少模型名"),
        (":gpt-4o-mini", "没有名为  的服务商"),
    ],
)
def test_a_name_that_is_not_known_is_refused_with_what_is_near(name: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        made(model=name)


def test_a_name_that_langchain_knows_needs_no_provider(key: str) -> None:
    assert made(model="gpt-4o-mini").model_name == "gpt-4o-mini"


@pytest.mark.parametrize(
    ("options", "variable"),
    [({}, "OPENAI_API_KEY"), ({"api_key_env": "OUR_KEY", "base_url": "http://127.0.0.1:9/v1"}, "OUR_KEY")],
)
def test_a_missing_key_is_told_when_the_model_is_made(options: dict[str, str], variable: str) -> None:
    with pytest.raises(ModelAuthError, match=f"环境变量 {variable} 没有设置"):
        made(model="openai:gpt-4o-mini", **options)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(
        MissingExtraError,
        match=r"：pip install langchain-openai，或 pip install 'youju\[openai\]'",
    ):
        made(model="openai:gpt-4o-mini")


def test_a_package_that_is_there_and_broken_is_not_called_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "langchain_groq.py").write_text("import a_module_that_is_not_there\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "langchain_groq", raising=False)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there") as caught:
        made(model="groq:llama")
    assert not isinstance(caught.value, MissingExtraError)


class ChatGroq(FakeListChatModel):
    """Stands in for a provider's class: own names for options, and neither retries nor an address."""

    responses: list[str] = Field(default=["好"])
    model: str
    num_predict: int | None = None
    request_time: float | None = Field(default=None, alias="timeout")
    groq_api_key: str | None = Field(default=None, alias="api_key")

    @model_validator(mode="before")
    @classmethod
    def _wants_a_key(cls, values: dict[str, Any]) -> dict[str, Any]:
        if not values.get("api_key"):
            message = "Did not find a key, please set GROQ_API_KEY"
            raise ValueError(message)
        if values["model"] == "other":
            message = f"no such model: {values['model']}"
            raise ValueError(message)
        return values


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    module = ModuleType("langchain_groq")
    module.ChatGroq = ChatGroq
    monkeypatch.setitem(sys.modules, "langchain_groq", module)
    _get_chat_model_creator.cache_clear()  # LangChain keeps the classes it has imported
    yield
    _get_chat_model_creator.cache_clear()


@pytest.mark.usefixtures("provider")
def test_a_provider_gets_the_options_it_has_under_the_names_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "abc-123456")
    model = made(model="groq:llama", api_key_env="OUR_KEY", max_tokens=77, timeout=9)
    assert isinstance(model, ChatGroq)
    assert (model.model, model.num_predict, model.request_time, model.groq_api_key) == ("llama", 77, 9, "abc-123456")


@pytest.mark.usefixtures("provider")
def test_an_address_that_a_provider_does_not_take_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "abc-123456")
    with pytest.raises(SettingsError, match="这个服务商不能用 base_url"):
        made(model="groq:llama", api_key_env="OUR_KEY", base_url="http://127.0.0.1:9/v1")


@pytest.mark.usefixtures("provider")
def test_the_variable_in_which_a_provider_looks_for_its_key_is_named() -> None:
    with pytest.raises(ModelAuthError, match="groq:llama 需要密钥，请先执行 export GROQ_API_KEY="):
        made(model="groq:llama")


@pytest.mark.usefixtures("provider")
def test_what_a_provider_refuses_is_said_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", "abc-123456")
    with pytest.raises(SettingsError, match=r"建不了模型 groq:other：.*no such model: other") as caught:
        made(model="groq:other", api_key_env="OUR_KEY")
    assert "abc-123456" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", ["ABCDEF123456", "ABCDEF123456:m"])
def test_a_name_that_could_be_a_key_is_refused_without_being_repeated(name: str) -> None:
    with pytest.raises(SettingsError, match=r"没有名为 \*\*\* 的(模型|服务商)") as caught:
        made(model=name)
    assert "ABCDEF123456" not in str(caught.value).upper()
