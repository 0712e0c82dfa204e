"""A server that speaks OpenAI's protocol badly, and repeats in every place the key that it was asked with."""

import asyncio
import json
import logging
import threading
import traceback
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from youju import KnowledgeBase, Settings
from youju.chains import answer_events, build_answer_chain, build_conversation_chain
from youju.errors import ModelError, ModelUnavailableError
from youju.retrievers import RetrievalTracer, build_retriever

pytestmark = [pytest.mark.local_server, pytest.mark.enable_socket]

KEY = "sk-brown-FOX-4711-jumps"
QUESTION = "年假有几天？"


def completion(content: Any, **more: Any) -> dict[str, Any]:
    """A whole reply."""
    message = {"role": "assistant", "content": content, **more}
    return {"id": "1", "object": "chat.completion", "choices": [{"finish_reason": "stop", "message": message}]}


def pieces(*texts: str, end: str | None = "stop") -> str:
    """A streamed reply."""
    chunks = [{"choices": [{"delta": {"content": text}, "finish_reason": None}]} for text in texts]
    chunks += [{"choices": [{"delta": {}, "finish_reason": end}]}] if end else []
    return "".join(f"data: {json.dumps({'object': 'chat.completion.chunk', **chunk})}\n\n" for chunk in chunks)


UNREADABLE: dict[str, Any] = {
    "no choice": {"id": "1", "choices": [], "said": KEY},
    "choices of text": {"id": "1", "choices": [KEY]},
    "no message": {"id": "1", "choices": [{"finish_reason": "stop", "said": KEY}]},
    "content of a number": completion(5, said=KEY),
    "content of a dict": completion({"auth": f"Bearer {KEY}"}),
    "tool calls of text": completion(None, tool_calls=KEY),
    "a list": [KEY],
    "text": KEY,
    "null": None,
    "not UTF-8": json.dumps(completion(f"年假 {KEY}"), ensure_ascii=False).encode("gbk"),
    "deep": b'{"a":' * 100_000 + KEY.encode(),
    "half": json.dumps(completion(KEY)).encode()[:-9],
    "a page": f"<html>{KEY[3:]}</html>".encode(),
}
REFUSED: dict[str, tuple[int, Any]] = {
    "400": (400, {"error": {"message": f"Authorization: Bearer {KEY}, begins {KEY[:9]}"}}),
    "401": (401, {"error": {"message": f"Incorrect API key provided: {KEY}"}}),
    "422": (422, {"detail": "x" * 190 + KEY}),
    "429": (429, {"error": {"message": KEY[5:]}}),
    "500": (500, f"k={KEY[3:]} {KEY[::-1]}".encode()),
}


class Server:
    """What it answers, and how often it was asked."""

    status = 200
    body: Any = None
    asked = 0
    url = ""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            assert self.headers["Authorization"] == f"Bearer {KEY}"
            state.asked += 1
            streams = isinstance(state.body, str)
            raw = state.body.encode() if streams else state.body
            raw = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
            self.send_response(state.status)
            self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *args: Any) -> None:
            """Print nothing."""

    monkeypatch.setenv("ODD_SERVER_KEY", KEY)
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)
    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{running.server_port}/v1"
    yield state
    running.shutdown()
    thread.join()
    running.server_close()


def settings(server: Server, **sections: Any) -> Settings:
    chat = {"model": "openai:m", "base_url": server.url, "api_key_env": "ODD_SERVER_KEY", "max_retries": 0}
    answer = {"max_retries": 0, **sections.pop("answer", {})}
    return Settings.model_validate({"chat": chat, "answer": answer, **sections})


def shows_no_key(*texts: str) -> None:
    parts = {KEY[at : at + 8] for at in range(len(KEY) - 7)}
    for text in texts:
        assert [part for part in parts if part in text] == []


def invoke(chain: Any) -> Any:
    return chain.invoke(QUESTION)


def ainvoke(chain: Any) -> Any:
    return asyncio.run(chain.ainvoke(QUESTION))


def stream(chain: Any) -> Any:
    return list(chain.stream(QUESTION))[-1]


def events(chain: Any) -> Any:
    return list(answer_events(chain, QUESTION))[-1].answer


@pytest.mark.parametrize("ask", [invoke, ainvoke])
@pytest.mark.parametrize("mode", ["answer", "extract"])
@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_reply_that_cannot_be_read_is_an_error_in_chinese(
    server: Server, fixed: Callable[..., BaseRetriever], body: Any, mode: str, ask: Callable[[Any], Any]
) -> None:
    server.body = body if not isinstance(body, str) else json.dumps(body).encode()
    chain = build_answer_chain(fixed("年假为10天。"), settings(server, answer={"mode": mode}))
    with pytest.raises(ModelError, match=r"^openai:m 的(?:服务给的)?回复(?:读不懂|里没有文字)。请") as caught:
        ask(chain)
    shows_no_key(str(caught.value), "".join(traceback.format_exception(caught.value)))


@pytest.mark.parametrize("ask", [invoke, stream, events])
@pytest.mark.parametrize("refusal", REFUSED.values(), ids=REFUSED)
def test_a_refusal_that_repeats_the_key_is_told_without_it(
    server: Server, fixed: Callable[..., BaseRetriever], refusal: tuple[int, Any], ask: Callable[[Any], Any]
) -> None:
    server.status, server.body = refusal
    with pytest.raises(ModelError, match="openai:m") as caught:
        ask(build_answer_chain(fixed("年假为10天。"), settings(server)))
    shows_no_key(str(caught.value), "".join(traceback.format_exception(caught.value)))


def test_a_failure_in_the_midst_of_a_stream_is_told_without_the_key(
    server: Server, fixed: Callable[..., BaseRetriever]
) -> None:
    chain = build_answer_chain(fixed("年假为10天。"), settings(server))
    for ending in (f"data: {{not json {KEY}\n\n", f'data: {{"error": {{"message": "boom {KEY}"}}}}\n\n'):
        server.body = pieces("年假为10天", end=None) + ending
        with pytest.raises(ModelError, match="openai:m") as caught:
            stream(chain)
        shows_no_key(str(caught.value), "".join(traceback.format_exception(caught.value)))


def test_a_stream_that_breaks_off_is_no_answer(server: Server, fixed: Callable[..., BaseRetriever]) -> None:
    chain = build_answer_chain(fixed("年假为10天。病假为5天。"), settings(server))
    server.body = pieces("年假为10天[资", "料1]。病假", end=None)
    for ask in (stream, events):
        with pytest.raises(ModelUnavailableError, match="openai:m 的服务在回答中途停下了，回答不完整"):
            ask(chain)
    server.body = pieces("年假为10天[资", "料1]。")
    assert stream(chain).answer == "年假为10天[资料1]。"


def test_a_model_that_says_the_key_is_not_quoted_anywhere(server: Server, fixed: Callable[..., BaseRetriever]) -> None:
    chain = build_answer_chain(fixed("年假为10天。"), settings(server))
    server.body = completion(f"年假为10天[资料1]。密钥为{KEY}[资料1]。")
    answer = invoke(chain)
    assert answer.answer == "年假为10天[资料1]。"
    assert answer.claims[1].text == "密钥为***[资料1]。"
    server.body = pieces("年假为10天[资料1]。密钥为sk-br", "own-FOX", "-4711-jumps[资料1]。")
    drafts = list(chain.stream(QUESTION))
    assert drafts[-1].answer == "年假为10天[资料1]。"
    shows_no_key(answer.model_dump_json(), *(draft.model_dump_json() for draft in drafts))


@pytest.mark.parametrize(
    "body", [UNREADABLE["content of a dict"], UNREADABLE["no choice"], completion(f"密钥为{KEY}，{KEY[:10]}")]
)
def test_what_a_judge_says_instead_is_logged_without_the_key(
    server: Server, fixed: Callable[..., BaseRetriever], scripted: Any, caplog: pytest.LogCaptureFixture, body: Any
) -> None:
    server.body = body
    judged = settings(server, answer={"opinions": [{"kind": "judge", "chat": settings(server).chat.model_dump()}]})
    chain = build_answer_chain(fixed("年假为10天。"), judged, chat=scripted("年假为10天[资料1]。"))
    caplog.set_level(logging.DEBUG, "youju")
    answer = invoke(chain)
    assert (answer.status, server.asked) == ("answered", 1)
    assert "没有用上 openai:m 的判断" in caplog.text
    shows_no_key(caplog.text, answer.model_dump_json())


@pytest.mark.parametrize("body", [UNREADABLE["content of a dict"], UNREADABLE["tool calls of text"]])
def test_a_failed_rewriting_is_logged_without_the_key(
    server: Server, fixed: Callable[..., BaseRetriever], caplog: pytest.LogCaptureFixture, body: Any
) -> None:
    server.body = body
    chain = build_conversation_chain(fixed("年假为10天。"), settings(server))
    with pytest.raises(ModelError) as caught:
        chain.invoke({"question": "那病假呢？", "history": [("human", QUESTION), ("ai", "10天")]})
    assert "没有用上聊天模型来改写问题" in caplog.text
    shows_no_key(caplog.text, str(caught.value))


HELPERS: dict[str, dict[str, Any]] = {
    "multi_query": {},
    "hyde": {},
    "self_query": {"fields": {"year": {"type": "number"}}},
    "compress": {"by": "chat"},
    "rerank": {"model": "m", "api_key_env": "ODD_SERVER_KEY", "max_retries": 0, "on_error": "keep_order"},
}


@pytest.mark.parametrize(
    "body", [UNREADABLE["content of a dict"], UNREADABLE["not UTF-8"], completion(f'{{"filter": {{"{KEY}": 1}}}}')]
)
@pytest.mark.parametrize(("kind", "options"), HELPERS.items())
def test_help_with_a_search_that_fails_is_logged_without_the_key(
    server: Server,
    make_base: Callable[..., KnowledgeBase],
    caplog: pytest.LogCaptureFixture,
    kind: str,
    options: dict[str, Any],
    body: Any,
) -> None:
    server.body = body
    where = {"base_url": server.url} if kind == "rerank" else {"chat": settings(server).chat.model_dump()}
    wanted = settings(server, retriever={"kind": kind, "base": {"kind": "bm25"}, **options, **where}).retriever
    caplog.set_level(logging.DEBUG, "youju")
    tracer = RetrievalTracer()
    found = build_retriever(make_base([Document("年假为10天。年假要申请。")]), wanted).invoke(
        QUESTION, {"callbacks": [tracer]}
    )
    assert [document.page_content for document in found]
    assert server.asked == 1
    shows_no_key(caplog.text, tracer.traces()[0].model_dump_json())
