"""The `youju` command in this process and in one of its own, and a server on 127.0.0.1 that says given replies."""

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest

from youju.cli import main

_COMMAND = [sys.executable, "-c", "from youju.cli import main; main()"]


class Done(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


class Speaker:
    """A server that speaks OpenAI's protocol.

    Attributes:
        replies: What it says next, one reply after the other.
        asked: What it was sent, each as the texts of its messages.
        options: Of the command: where the server is.
    """

    def __init__(self, port: int) -> None:
        self.replies: list[str] = []
        self.asked: list[list[str]] = []
        url = f"http://127.0.0.1:{port}/v1"
        self.options = ("--set", "chat.model=openai:scripted", "--set", f"chat.base_url={url}")


@pytest.fixture
def youju(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Run the command in this process."""

    def run(*words: str) -> Done:
        monkeypatch.setattr(sys, "argv", ["youju", *words])
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(int(ended.value.code or 0), *capfd.readouterr())

    return run


@pytest.fixture
def youju_process() -> Callable[..., Done]:
    """Run the command in a process of its own."""

    def run(*words: str) -> Done:
        done = subprocess.run([*_COMMAND, *words], capture_output=True, text=True, check=False)
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def speaker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Speaker]:
    """A chat model at an address; of use to tests that may open sockets."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-ABCDEF123456")
    for variable in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(variable, raising=False)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            speaking.asked.append([message["content"] for message in body["messages"]])
            message = {"role": "assistant", "content": speaking.replies.pop(0)}
            choice = {"index": 0, "finish_reason": "stop", "message": message}
            usage = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}
            said = {"id": "1", "object": "chat.completion", "created": 0, "model": "scripted", "usage": usage}
            raw = json.dumps({**said, "choices": [choice]}).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, *args: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    speaking = Speaker(server.server_port)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield speaking
    server.shutdown()
    thread.join()
    server.server_close()
