"""Rerankers behind HTTP and on this machine, and how long passages are cut for them."""

import json
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from youju.errors import (
    MissingExtraError,
    ModelAuthError,
    ModelError,
    ModelRateLimitError,
    ModelRequestError,
    ModelTimeoutError,
    ModelUnavailableError,
    SettingsError,
    TextTooLongError,
)
from youju.models.rerankers import Reranker, build_reranker, windows
from youju.settings import RerankSettings

PASSAGES = ["食堂", "年假", "", "病假"]
LENGTHS = {"食堂": 0.1, "年假": 0.9, "病假": 0.4}
local_server = pytest.mark.local_server
enable_socket = pytest.mark.enable_socket


class Service(BaseHTTPRequestHandler):
    """Both kinds of rerank service; the name of the model says how it fails."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append({"path": self.path, "key": self.headers.get("Authorization"), **body})
        wanted = body.get("model", "")
        if wanted == "busy-once" and len(self.requests) == 1:
            return self._reply(429, {"error": "slow down"})
        if wanted.isdigit():
            return self._reply(int(wanted), {"error": f"refused {self.headers.get('Authorization')}"})
        if wanted == "page":
            return self._send(200, "<html>欢迎</html>")
        if wanted == "slow":
            import time  # noqa: PLC0415 - only here

            time.sleep(1)
        texts = body.get("texts") or body.get("documents")
        scored = sorted(((LENGTHS[text], at) for at, text in enumerate(texts)), reverse=True)
        if wanted == "short":
            scored = scored[:-1]
        if wanted == "wild":
            scored[0] = (0.5, 99)
        if "texts" in body:
            return self._reply(200, [{"index": at, "score": score} for score, at in scored])
        return self._reply(200, {"results": [{"index": at, "relevance_score": score} for score, at in scored]})

    def log_message(self, *args: Any) -> None:
        """Print nothing."""

    def _reply(self, status: int, value: Any) -> None:
        self._send(status, json.dumps(value))

    def _send(self, status: int, text: str) -> None:
        raw = text.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client did not wait, which is what the slow model is for


class Running(NamedTuple):
    """Where the service is, and what it was asked."""

    url: str
    requests: list[dict[str, Any]]


@pytest.fixture
def service() -> Iterator[Running]:
    requests: list[dict[str, Any]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Service,), {"requests": requests}))
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield Running(f"http://127.0.0.1:{server.server_port}/v1/", requests)
    server.shutdown()
    thread.join()
    server.server_close()


def made(model: str, **options: Any) -> Reranker:
    return build_reranker(RerankSettings.model_validate({"model": model, "max_retries": 0, **options}))


@local_server
@enable_socket
@pytest.mark.parametrize("api", ["jina", "tei"])
async def test_both_kinds_of_service_give_each_passage_its_own_score(service: Running, api: str) -> None:
    model = made("bge", base_url=service.url, api=api)
    assert model.scores("年假几天", PASSAGES) == [0.1, 0.9, 0.0, 0.4]
    assert await model.ascores("年假几天", PASSAGES) == [0.1, 0.9, 0.0, 0.4]
    sent = {key: service.requests[0].get(key) for key in ("path", "model", "query", "texts", "documents", "top_n")}
    texts = ["食堂", "年假", "病假"]
    of_jina = {"model": "bge", "texts": None, "documents": texts, "top_n": 3}
    of_tei = {"model": None, "texts": texts, "documents": None, "top_n": None}
    assert sent == {"path": "/v1/rerank", "query": "年假几天", **(of_jina if api == "jina" else of_tei)}
    assert service.requests[0] == service.requests[1]


@local_server
@enable_socket
async def test_the_key_is_sent_and_never_shown(service: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RERANK_KEY", "blue-whale-4711")
    made("bge", base_url=service.url, api_key_env="RERANK_KEY").scores("问", ["年假"])
    assert service.requests[0]["key"] == "Bearer blue-whale-4711"
    model = made("400", base_url=service.url, api_key_env="RERANK_KEY")
    with pytest.raises(ModelRequestError, match="不接受这个请求") as caught:
        model.scores("问", ["年假"])
    with pytest.raises(ModelRequestError, match="不接受这个请求") as awaited:
        await model.ascores("问", ["年假"])
    assert service.requests[-1]["key"] in service.requests[-2]["key"]  # which the service repeats in its reply
    for error in (caught.value, awaited.value):
        assert "blue-whale" not in f"{error} {error.__context__} {model.inner!r}"


def test_a_key_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(ModelAuthError, match="NO_SUCH_KEY 没有设置"):
        made("bge", base_url="http://127.0.0.1:1", api_key_env="NO_SUCH_KEY")


@local_server
@enable_socket
@pytest.mark.parametrize(
    ("model", "error", "said"),
    [
        ("401", ModelAuthError, "401 不接受这个密钥"),
        ("403", ModelAuthError, "没有使用它的权限"),
        ("404", ModelRequestError, "没有这个模型或地址"),
        ("429", ModelRateLimitError, "请求太频繁"),
        ("413", TextTooLongError, "超过它一次能读的长度"),
        ("503", ModelUnavailableError, "服务出错了"),
        ("page", ModelError, "请检查 base_url 和 api"),
        ("short", ModelError, "发了 3 段文字，回来 2 个得分"),
        ("wild", ModelError, "编号 99 不在发出的 3 段里"),
    ],
)
async def test_each_failure_of_a_service_has_its_own_error(
    service: Running, model: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        made(model, base_url=service.url).scores("问", PASSAGES)
    with pytest.raises(error, match=said):
        await made(model, base_url=service.url).ascores("问", PASSAGES)


@local_server
@enable_socket
async def test_a_service_that_does_not_answer_in_time_is_told(service: Running) -> None:
    model = made("slow", base_url=service.url, timeout=0.2)
    with pytest.raises(ModelTimeoutError, match="没有在限定的时间内回复"):
        model.scores("问", PASSAGES)
    with pytest.raises(ModelTimeoutError, match="没有在限定的时间内回复"):
        await model.ascores("问", PASSAGES)


@local_server
@enable_socket
def test_nobody_at_the_address_is_told(nobody: str) -> None:
    with pytest.raises(ModelUnavailableError, match="连不上 bge 的服务"):
        made("bge", base_url=nobody).scores("问", PASSAGES)


@local_server
@enable_socket
def test_a_failure_that_passes_is_tried_again(service: Running) -> None:
    assert made("busy-once", base_url=service.url, max_retries=1).scores("问", ["年假"]) == [0.9]
    assert len(service.requests) == 2


def test_a_passage_that_fits_is_one_window() -> None:
    assert windows("年假十天。病假五天。", 10) == ["年假十天。病假五天。"]


def test_windows_hold_whole_sentences_and_share_one_where_it_fits() -> None:
    text = "甲甲甲。乙乙乙。丙丙丙。丁丁丁。"
    assert windows(text, 8) == ["甲甲甲。乙乙乙。", "乙乙乙。丙丙丙。", "丙丙丙。丁丁丁。"]
    assert windows(text, 5) == ["甲甲甲。", "乙乙乙。", "丙丙丙。", "丁丁丁。"]


def test_a_sentence_longer_than_a_window_is_cut_with_an_overlap() -> None:
    assert windows("一二三四五六七八九十", 4) == ["一二三四", "四五六七", "七八九十"]


@given(st.text(alphabet="甲乙丙。！\n ab", max_size=200), st.integers(4, 50))
@example("aaaaa", 4)
def test_windows_never_exceed_their_size_and_lose_no_word(text: str, size: int) -> None:
    # each letter another one, so that a piece has one place in the text
    text = "".join(chr(0x4E00 + at) if letter.isalpha() else letter for at, letter in enumerate(text))
    pieces = windows(text, size)
    assert all(len(piece) <= size for piece in pieces)
    at = 0
    covered: set[int] = set()
    for piece in pieces:
        at = text.index(piece, max(at - size, 0))
        covered |= set(range(at, at + len(piece)))
    if len(text) > size:
        assert all(place in covered for place, character in enumerate(text) if character.isalpha())


VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"年假为十天报销期限三问文食堂。"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real cross-encoder of one small layer that reads 40 tokens."""
    pytest.importorskip("sentence_transformers", reason="the huggingface extra is not installed")
    import torch  # noqa: PLC0415 - only with the extra
    from transformers import (  # noqa: PLC0415 - as above
        BertConfig,
        BertForSequenceClassification,
        BertTokenizerFast,
    )

    folder = tmp_path_factory.mktemp("tiny")
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=40).save_pretrained(folder / "model")
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=len(VOCABULARY),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=40,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(folder / "model")
    return folder / "model"


@pytest.mark.huggingface
async def test_a_local_model_scores_between_0_and_1_in_the_order_of_its_logits(tiny: Path) -> None:
    model = made(f"huggingface:{tiny}")
    passages = ["年假为十天", "报销期限", "食堂"]
    logits = model.inner.score("年假", passages)
    scores = model.scores("年假", passages)
    assert all(0 < score < 1 for score in scores)
    assert sorted(passages, key=lambda p: logits[passages.index(p)]) == sorted(
        passages, key=lambda p: scores[passages.index(p)]
    )
    assert await model.ascores("年假", passages) == scores


@pytest.mark.huggingface
def test_a_local_model_reads_long_passages_in_pieces_that_fit(tiny: Path) -> None:
    model = made(f"huggingface:{tiny}")
    long = "食堂" * 60 + "。年假为十天。"
    pieces = windows(long, 40 - 4 - 4)  # the question is two words between two marks
    assert model.scores("年假", [long]) == [pytest.approx(max(model.scores("年假", pieces)), abs=1e-6)]
    with pytest.raises(TextTooLongError, match="请把问题写短"):
        model.scores("年假" * 20, ["食堂"])


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'youju\[huggingface\]'"):
        made("huggingface:BAAI/bge-reranker-base")


@pytest.mark.parametrize("name", ["huggingface:", "huggingface:./no-such-folder"])
def test_a_local_model_that_cannot_be_is_told_before_anything_is_loaded(name: str) -> None:
    with pytest.raises(SettingsError, match=r"缺少模型名|没有这个文件夹"):
        made(name)
