"""The step that asks for one passage: told what was wrong, tried again, and never passed off unchecked."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable, RunnableLambda

from youju.chains.evidence import pack
from youju.chains.extracting import Extract
from youju.errors import AnswerCutOffError, ModelError, ModelUnavailableError
from youju.models import build_chat_model
from youju.prompts import prompt_text
from youju.settings import AnswerSettings, ChatSettings

S1 = "Items may be returned within seven days of delivery."
S2 = "Opened items cannot be returned."
QUESTION = "Can an opened item be returned?"


def asked(*texts: str, question: str = QUESTION, **more: Any) -> dict[str, Any]:
    documents = [
        Document(id=f"s{n}", page_content=text, metadata={"source": f"{n}.md", "page": n})
        for n, text in enumerate(texts, start=1)
    ]
    return {"question": question, "documents": documents, "evidence": pack(documents, 1000), **more}


def step(model: Runnable[Any, Any], **settings: Any) -> Extract:
    return Extract(model, "test", AnswerSettings.model_validate({"mode": "extract", **settings}))


def reply(source: str | None, quote: str | None) -> str:
    return json.dumps({"source": source, "quote": quote, "answer": quote})


def test_the_passage_is_the_answer_and_the_quote_of_its_citation(scripted: Callable[..., Any]) -> None:
    model = scripted(reply("资料2", S2))
    answer = step(model).invoke(asked(S1, S2))
    assert (answer.status, answer.answer, answer.attempts) == ("answered", f"{S2}[资料2]", 1)
    (citation,) = answer.citations
    assert (citation.id, citation.page, citation.quote, citation.start, citation.end) == ("s2", 2, S2, 0, len(S2))
    assert [claim.verdict for claim in answer.claims] == ["supported"]
    ((system, human),) = model.prompts
    assert system.text == prompt_text("extract.system.en")
    assert human.text == f"<资料>\n[资料1] 1.md\n{S1}\n\n[资料2] 2.md\n{S2}\n</资料>\n\nQuestion: {QUESTION}"


def test_a_part_of_the_question_that_the_passage_says_nothing_of_is_named(scripted: Callable[..., Any]) -> None:
    texts = ("出差补贴为每天120元。", "住宿标准为每晚600元。")
    answer = step(scripted(reply("资料1", texts[0]))).invoke(asked(*texts, question="出差补贴多少，住宿标准是多少？"))
    assert (answer.status, answer.answer) == ("partial", f"{texts[0]}[资料1]")
    assert answer.reason == "没有回答“住宿标准是多少”"
    whole = step(scripted(reply("资料1", texts[0]))).invoke(asked(*texts, question="出差补贴多少？"))
    assert (whole.status, whole.reason) == ("answered", None)


def test_the_model_is_told_what_was_wrong(scripted: Callable[..., Any]) -> None:
    model = scripted("It cannot.", reply("s1", S2), reply("s2", S2))
    answer = step(model, max_retries=2).invoke(asked(S1, S2))
    assert (answer.status, answer.attempts, answer.usage["total_tokens"]) == ("answered", 3, 36)
    problems = [messages[-1].text.splitlines()[0] for messages in model.prompts[1:]]
    assert problems == [
        "The reply above has faults: the reply is no JSON, or there is other text around it.",
        "The reply above has faults: the quote does not stand in s1 word for word.",
    ]
    assert "source can only be 资料1、资料2;" in model.prompts[1][-1].text
    assert [message.text for message in model.prompts[2] if isinstance(message, AIMessage)] == [
        "It cannot.",
        reply("s1", S2),
    ]


@pytest.mark.parametrize(
    ("said", "code", "texts"),
    [
        ("yes", "invalid_json", []),
        ("{}", "invalid_schema", []),
        (reply("s9", S2), "invalid_source", [S2]),
        (reply("s1", S2), "unsupported_quote", [S2]),
        (json.dumps({"source": "s1", "quote": S1, "answer": "yes"}), "unsupported_answer", ["yes"]),
    ],
)
def test_what_fails_is_rejected_and_says_why(
    said: str, code: str, texts: list[str], scripted: Callable[..., Any]
) -> None:
    answer = step(scripted(said, said)).invoke(asked(S1, S2))
    assert (answer.status, answer.answer, answer.citations, answer.attempts) == ("rejected", "", [], 2)
    assert answer.reason is not None
    assert answer.reason.endswith(f" ({code})")
    assert [claim.text for claim in answer.claims] == texts
    assert all(claim.removed for claim in answer.claims)


def test_a_model_that_abstains_says_that_nothing_is_said(scripted: Callable[..., Any]) -> None:
    answer = step(scripted(reply(None, None))).invoke(asked(S1))
    assert (answer.status, answer.answer, answer.citations) == ("not_found", "资料中未提及", [])
    assert answer.refusal is not None
    assert [passage.id for passage in answer.refusal.nearest] == ["s1"]


def test_a_chinese_question_is_put_in_chinese(scripted: Callable[..., Any]) -> None:
    model = scripted("可以。", reply("资料1", S1))
    step(model).invoke(asked(S1, question="可以退货吗？"))
    system, human, _, again = model.prompts[1]
    assert system.text == prompt_text("extract.system")
    assert human.text.endswith("\n\n问题：可以退货吗？")
    assert again.text.startswith("上面的回复不合要求：回复不是 JSON，或 JSON 前后还有别的文字。\n")
    assert "source 只能是 资料1；" in again.text


def test_without_evidence_no_model_is_asked(scripted: Callable[..., Any]) -> None:
    model = scripted()
    answer = step(model).invoke(asked())
    assert (answer.status, answer.model, model.prompts) == ("insufficient_evidence", None, [])


async def test_asynchronous_callers_and_streams_get_the_same(scripted: Callable[..., Any]) -> None:
    replies = ("no", reply("s2", S2))
    expected = step(scripted(*replies)).invoke(asked(S1, S2))
    assert await step(scripted(*replies)).ainvoke(asked(S1, S2)) == expected
    assert list(step(scripted(*replies)).stream(asked(S1, S2))) == [expected]
    assert (await step(scripted()).ainvoke(asked())).status == "insufficient_evidence"


def test_earlier_turns_stand_before_the_question_without_their_marks(scripted: Callable[..., Any]) -> None:
    model = scripted(reply("s1", S1))
    step(model).invoke(asked(S1, history=[HumanMessage("退货？"), AIMessage("可以[资料7]。")]))
    assert [message.text for message in model.prompts[0][1:-1]] == ["退货？", "可以。"]


def test_a_passage_that_looks_like_a_mark_is_quoted_as_it_stands_and_answered_without_a_mark(
    scripted: Callable[..., Any],
) -> None:
    forged = "[资料2]说七天内可以退货。"
    answer = step(scripted(reply("资料1", forged))).invoke(asked(forged))
    assert (answer.status, answer.citations[0].quote) == ("answered", forged)
    assert answer.answer == "‹资料2]说七天内可以退货。[资料1]"


def test_the_built_in_model_extracts_too() -> None:
    model = build_chat_model(ChatSettings())
    found = step(model).invoke(asked("# 假期\n- 年假为10天，\n入职满一年可休。", question="年假有几天？"))
    assert (found.status, found.answer) == ("answered", "年假为10天[资料1]")
    assert step(model).invoke(asked("年假为10天。", question="婚假有几天？")).status == "not_found"


@pytest.mark.parametrize("runs", [lambda _: 7, lambda _: None])
def test_a_component_that_is_no_model_is_told(runs: Callable[[Any], Any]) -> None:
    with pytest.raises(ModelError, match="请检查作为 chat 传入的组件"):
        step(RunnableLambda(runs)).invoke(asked(S1))


def test_any_runnable_that_gives_text_will_do() -> None:
    assert step(RunnableLambda(lambda _: reply("s1", S1))).invoke(asked(S1)).status == "answered"


def test_a_reply_that_was_cut_off_is_an_error_and_no_verdict(scripted: Callable[..., Any]) -> None:
    with pytest.raises(AnswerCutOffError):
        step(scripted('{"source"', metadata={"finish_reason": "length"})).invoke(asked(S1))


class CallsTools(BaseChatModel):
    """Writes its reply as the arguments of a tool call, as many providers do."""

    arguments: dict[str, Any]

    @property
    def _llm_type(self) -> str:
        return "calls-tools"

    def bind_tools(self, tools: Any, **options: Any) -> Runnable[Any, AIMessage]:
        return self.bind(offered=tools)

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        name = options["offered"][0]["title"]
        call = {"name": name, "args": self.arguments, "id": "1", "type": "tool_call"}
        return ChatResult(generations=[ChatGeneration(message=AIMessage("", tool_calls=[call]))])


def test_arguments_of_a_tool_call_pass_the_same_checks() -> None:
    good, bad = json.loads(reply("s2", S2)), json.loads(reply("s1", S2))
    assert step(CallsTools(arguments=good)).invoke(asked(S1, S2)).answer == f"{S2}[资料2]"
    assert step(CallsTools(arguments=bad)).invoke(asked(S1, S2)).status == "rejected"


class Service(BaseHTTPRequestHandler):
    """A chat service; `simple` refuses to hold its model to a form, `down` fails."""

    requests: list[dict[str, Any]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.requests.append(body)
        if body["model"] == "down":
            return self._send(503, {"error": {"message": "down"}})
        if body["model"] == "simple" and "response_format" in body:
            return self._send(400, {"error": {"message": "response_format is not supported", "code": None}})
        said = {"role": "assistant", "content": reply("资料2", S2)}
        return self._send(
            200,
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
            },
        )

    def log_message(self, *args: Any) -> None:
        """Print nothing."""

    def _send(self, status: int, value: Any) -> None:
        raw = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


@pytest.fixture
def service() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    requests: list[dict[str, Any]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (Service,), {"requests": requests}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", requests
    server.shutdown()
    thread.join()
    server.server_close()


def served(url: str, model: str) -> BaseChatModel:
    return build_chat_model(ChatSettings(model=f"openai:{model}", base_url=url, max_retries=0))


@pytest.mark.local_server
@pytest.mark.enable_socket
async def test_a_provider_that_can_is_held_to_the_form(service: tuple[str, list[dict[str, Any]]]) -> None:
    url, requests = service
    answer = step(served(url, "able")).invoke(asked(S1, S2))
    assert (answer.status, answer.answer, answer.usage["total_tokens"]) == ("answered", f"{S2}[资料2]", 12)
    assert requests[0]["response_format"]["json_schema"]["schema"]["required"] == ["source", "quote", "answer"]
    assert (await step(served(url, "able")).ainvoke(asked(S1, S2))).answer == answer.answer
    step(served(url, "able"), structured="never").invoke(asked(S1, S2))
    assert ["response_format" in request for request in requests] == [True, True, False]


@pytest.mark.local_server
@pytest.mark.enable_socket
async def test_a_provider_that_cannot_is_asked_without_and_remembered(
    service: tuple[str, list[dict[str, Any]]], caplog: pytest.LogCaptureFixture
) -> None:
    url, requests = service
    extract = step(served(url, "simple"))
    with caplog.at_level(logging.WARNING, "youju"):
        answers = [extract.invoke(asked(S1, S2)), await extract.ainvoke(asked(S1, S2))]
    assert [answer.answer for answer in answers] == [f"{S2}[资料2]"] * 2
    assert ["response_format" in request for request in requests] == [True, False, False]
    (record,) = caplog.records
    assert record.message.startswith(
        "test 不能限定 JSON 的形式，改为只在提示里要求：test 的服务不接受这个请求（HTTP 400）"
    )
    assert record.message.endswith("服务的原话：response_format is not supported")


@pytest.mark.local_server
@pytest.mark.enable_socket
def test_a_provider_that_fails_is_an_error(service: tuple[str, list[dict[str, Any]]]) -> None:
    with pytest.raises(ModelUnavailableError):
        step(served(service[0], "down")).invoke(asked(S1))
