import asyncio
import logging
import math
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from youju import Settings
from youju.chains import build_ingest_chain
from youju.errors import (
    MissingExtraError,
    ModelAuthError,
    ModelError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnavailableError,
    SettingsError,
    TextTooLongError,
)
from youju.knowledge import KnowledgeBase
from youju.models import E5Embeddings, build_embeddings
from youju.models.checked import CheckedEmbeddings
from youju.settings import EmbeddingsSettings

local_server = pytest.mark.local_server
enable_socket = pytest.mark.enable_socket


def made(**options: object) -> Embeddings:
    return build_embeddings(EmbeddingsSettings.model_validate({"max_retries": 0, **options}))


class LengthEmbeddings(Embeddings):
    """Vectors that show which text they are of, and a note of every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, list[str]]] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(("documents", texts))
        return [[float(len(text)), 1.0] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.calls.append(("query", [text]))
        return [float(len(text)), 1.0]

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        await asyncio.sleep(0)
        self.calls.append(("awaited documents", texts))
        return [[float(len(text)), 1.0] for text in texts]

    async def aembed_query(self, text: str) -> list[float]:
        await asyncio.sleep(0)
        self.calls.append(("awaited query", [text]))
        return [float(len(text)), 1.0]


def test_the_default_is_the_built_in_model() -> None:
    texts = ["年假为10天。", "报销期限为30天。"]
    assert build_embeddings(EmbeddingsSettings()).embed_documents(texts) == E5Embeddings().embed_documents(texts)


@pytest.mark.parametrize("name", ["e6", "E5", "bge-small", "text-embedding-3-small"])
def test_a_name_that_is_not_known_is_refused_with_the_forms_that_are(name: str) -> None:
    with pytest.raises(SettingsError, match=f"没有名为 {name} 的向量模型。内置的是 e5；.*服务商:名字"):
        made(model=name)


def test_an_unknown_provider_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match=r"没有名为 opnai 的服务商。最接近的是 openai；可用的有 .*cohere"):
        made(model="opnai:text-embedding-3-small")


@pytest.mark.parametrize("name", ["openai:", "openai: ", "huggingface:"])
def test_a_provider_without_a_model_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match="缺少模型名"):
        made(model=name)


@local_server
@enable_socket
def test_vectors_from_a_server_are_those_of_the_model_it_runs(e5_server: str) -> None:
    texts = ["年假为10天。", "报销期限为30天。", "The office closes at 18:00."]
    passages = made(model="openai:e5-passage", base_url=e5_server).embed_documents(texts)
    questions = made(model="openai:e5-query", base_url=e5_server)
    assert passages == E5Embeddings().embed_documents(texts)
    assert questions.embed_query("年假有几天？") == E5Embeddings().embed_query("年假有几天？")


@local_server
@enable_socket
async def test_awaited_vectors_from_a_server_are_the_same(e5_server: str) -> None:
    model = made(model="openai:e5-passage", base_url=e5_server)
    assert await model.aembed_documents(["年假为10天。"]) == E5Embeddings().embed_documents(["年假为10天。"])


@local_server
@enable_socket
def test_a_model_can_be_awaited_in_one_event_loop_after_the_other(keeping: Any) -> None:
    model = made(model="openai:good", base_url=keeping.url)
    for _ in range(3):
        assert asyncio.run(model.aembed_query("年假")) == [1, 0, 2]
        assert asyncio.run(model.aembed_documents(["年", "年假"])) == [[1, 0, 1], [1, 0, 2]]


@local_server
@enable_socket
def test_texts_are_sent_as_text_in_batches_of_the_size_set(faulty: Any) -> None:
    model = made(model="openai:good", base_url=faulty.url, batch_size=2)
    assert model.embed_documents(["一", "二二", "三三三", "四", "五"]) == [[1, 0, n] for n in (1, 2, 3, 1, 1)]
    assert [request["input"] for request in faulty.requests] == [["一", "二二"], ["三三三", "四"], ["五"]]


@local_server
@enable_socket
def test_prefixes_of_the_settings_are_sent_before_the_texts(faulty: Any) -> None:
    model = made(model="openai:good", base_url=faulty.url, query_prefix="问：", passage_prefix="文：")
    model.embed_query("年假")
    model.embed_documents(["十天"])
    assert [request["input"] for request in faulty.requests] == [["问：年假"], ["文：十天"]]


@local_server
@enable_socket
def test_a_local_server_needs_no_key(faulty: Any) -> None:
    made(model="openai:good", base_url=faulty.url).embed_query("年假")
    assert faulty.requests[0]["authorization"] == "Bearer not-needed"


@local_server
@enable_socket
def test_the_key_comes_from_the_variable_that_the_settings_name(faulty: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_SERVER", " abc-123456\n")
    made(model="openai:good", base_url=faulty.url, api_key_env="OUR_SERVER").embed_query("年假")
    assert faulty.requests[0]["authorization"] == "Bearer abc-123456"


@pytest.mark.parametrize(
    ("options", "variable"),
    [
        ({}, "OPENAI_API_KEY"),
        ({"api_key_env": "OUR_KEY"}, "OUR_KEY"),
        ({"api_key_env": "OUR_KEY", "base_url": "http://127.0.0.1:9/v1"}, "OUR_KEY"),
    ],
)
@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_missing_key_is_told_when_the_model_is_made(
    options: dict[str, str], variable: str, value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if value is not None:
        monkeypatch.setenv(variable, value)
    with pytest.raises(ModelAuthError, match=f"环境变量 {variable} 没有设置。请先执行 export {variable}="):
        made(model="openai:text-embedding-3-small", **options)


def test_a_key_with_characters_that_no_key_has_is_refused_unseen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-你的密钥")
    with pytest.raises(ModelAuthError, match="OPENAI_API_KEY") as caught:
        made(model="openai:text-embedding-3-small")
    assert "sk-你的密钥" not in str(caught.value)


@local_server
@enable_socket
@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("one-short", ModelError, "发了 2 段文字，回来 1 个向量"),
        ("nan", ModelError, "不是有限数"),
        ("null", ModelError, "不是有限数"),
        ("ragged", ModelError, "长度不一：3、4"),
        ("page", ModelError, "读不懂.*base_url"),
        ("half-json", ModelError, "读不懂.*base_url"),
        ("401", ModelAuthError, "不接受这个密钥（HTTP 401）"),
        ("404", ModelRequestError, "没有这个模型或地址（HTTP 404）"),
        ("500", ModelUnavailableError, "服务出错了（HTTP 500）"),
        ("too-long", TextTooLongError, "超过它一次能读的长度（HTTP 400）"),
    ],
)
async def test_what_a_server_does_wrong_is_said(faulty: Any, name: str, error: type[ModelError], said: str) -> None:
    model = made(model=f"openai:{name}", base_url=faulty.url)
    with pytest.raises(error, match=f"openai:{name} .*{said}"):
        model.embed_documents(["年假", "十天"])
    with pytest.raises(error, match=f"openai:{name} .*{said}"):
        await model.aembed_documents(["年假", "十天"])


@local_server
@enable_socket
@pytest.mark.parametrize("name", ["400", "401", "403", "404", "429", "500"])
def test_a_key_that_a_server_repeats_is_told_by_no_error_log_or_representation(
    name: str, faulty: Any, key: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model = made(model=f"openai:{name}", base_url=faulty.url)
    for asked in (lambda: model.embed_documents(["年假"]), lambda: model.embed_query("年假")):
        with pytest.raises(ModelError) as caught:
            asked()
        shown = "".join(traceback.format_exception(caught.value))
        assert key not in f"{caught.value}{caught.value!r}{shown}{caplog.text}{model!r}{model}"
    assert {request["authorization"] for request in faulty.requests} == {f"Bearer {key}"}  # and it echoes it


@local_server
@enable_socket
def test_no_key_is_kept_with_the_vectors_of_a_server(faulty: Any, key: str, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("年假为10天。", encoding="utf-8")
    settings = Settings.model_validate(
        {"embeddings": {"model": "openai:good", "base_url": faulty.url}, "store": {"path": tmp_path / "base"}}
    )
    base = KnowledgeBase.open(settings)
    assert build_ingest_chain(base).invoke(tmp_path / "a.md").chunks.added == 1
    assert faulty.requests[0]["authorization"] == f"Bearer {key}"
    stored = [path.read_bytes() for path in (tmp_path / "base").rglob("*") if path.is_file()]
    assert stored
    assert not any(key.encode() in one for one in stored)


@local_server
@enable_socket
async def test_a_bad_vector_for_a_question_is_refused_too(faulty: Any) -> None:
    model = made(model="openai:nan", base_url=faulty.url)
    with pytest.raises(ModelError, match="不是有限数"):
        model.embed_query("年假")
    with pytest.raises(ModelError, match="不是有限数"):
        await model.aembed_query("年假")


@local_server
@enable_socket
async def test_a_server_that_does_not_reply_in_time_is_not_waited_for(faulty: Any) -> None:
    model = made(model="openai:slow", base_url=faulty.url, timeout=0.1)
    with pytest.raises(ModelTimeoutError, match=r"没有在限定的时间内回复.*timeout"):
        model.embed_query("年假")
    with pytest.raises(ModelTimeoutError, match=r"没有在限定的时间内回复.*timeout"):
        await model.aembed_query("年假")


@local_server
@enable_socket
def test_a_server_that_is_not_there_is_told_apart(nobody: str) -> None:
    with pytest.raises(ModelUnavailableError, match=r"连不上 openai:good 的服务.*refused"):
        made(model="openai:good", base_url=nobody).embed_query("年假")


def test_every_batch_must_give_vectors_of_the_same_length() -> None:
    class Growing(LengthEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[1.0] * len(text) for text in texts]

    with pytest.raises(ModelError, match="长度不一：1、2"):
        CheckedEmbeddings(Growing(), "ours", batch_size=1).embed_documents(["一", "二二"])


@pytest.mark.parametrize("vector", [[], [math.inf, 0.0], [-math.inf], [math.nan]])
def test_empty_and_infinite_vectors_are_refused(vector: list[float]) -> None:
    class Fixed(LengthEmbeddings):
        def embed_query(self, text: str) -> list[float]:
            return vector

    with pytest.raises(ModelError, match="ours 给的向量是空的，或者含有不是有限数的值"):
        CheckedEmbeddings(Fixed(), "ours").embed_query("年假")


async def test_awaited_calls_are_awaited_down_to_the_model() -> None:
    inner = LengthEmbeddings()
    model = CheckedEmbeddings(inner, "ours", batch_size=2, query_prefix="问：", passage_prefix="文：")
    assert await model.aembed_documents(["一", "二二", "三"]) == [[3, 1], [4, 1], [3, 1]]
    assert await model.aembed_query("年假") == [4, 1]
    assert inner.calls == [
        ("awaited documents", ["文：一", "文：二二"]),
        ("awaited documents", ["文：三"]),
        ("awaited query", ["问：年假"]),
    ]


async def test_no_texts_ask_nothing_of_the_model() -> None:
    inner = LengthEmbeddings()
    model = CheckedEmbeddings(inner, "ours")
    assert model.embed_documents([]) == []
    assert await model.aembed_documents([]) == []
    assert inner.calls == []


def test_characters_that_cannot_be_sent_become_blanks() -> None:
    inner = LengthEmbeddings()
    CheckedEmbeddings(inner, "ours").embed_documents(["甲\0乙", "丙\ud800丁"])
    assert inner.calls == [("documents", ["甲 乙", "丙 丁"])]


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[openai\]'") as caught:
        made(model="openai:text-embedding-3-small")
    assert (caught.value.package, caught.value.extra) == ("langchain-openai", "openai")


def test_a_missing_package_that_no_extra_brings_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_cohere", None)
    with pytest.raises(
        MissingExtraError, match=r"^使用 cohere:embed-v4 需要安装 langchain-cohere：pip install langchain-cohere$"
    ):
        made(model="cohere:embed-v4")


@pytest.mark.parametrize("name", ["ABCDEF123456", "ABCDEF123456:m", "550e8400-e29b-41d4-a716-446655440000"])
def test_a_name_that_could_be_a_key_is_refused_without_being_repeated(name: str) -> None:
    with pytest.raises(SettingsError, match=r"没有名为 \*\*\* 的(向量模型|服务商)") as caught:
        build_embeddings(EmbeddingsSettings(model=name))
    assert name[:12] not in str(caught.value)
