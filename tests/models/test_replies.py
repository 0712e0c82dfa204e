import pytest
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage

from youju.errors import AnswerCutOffError, EmptyAnswerError, ModelError, ModelRefusalError, ModelUnavailableError
from youju.models import check_reply

TEXT = "年假为10天[资料1]。"


@pytest.mark.parametrize(
    "metadata",
    [
        {},
        {"finish_reason": "stop"},
        {"finish_reason": "STOP"},
        {"stop_reason": "end_turn"},
        {"done_reason": "stop", "done": True},
        {"finish_reason": "eos"},
        {"finish_reason": None, "incomplete_details": None},
    ],
)
def test_a_reply_that_ended_by_itself_passes(metadata: dict[str, object]) -> None:
    check_reply(AIMessage(TEXT, response_metadata=metadata), "openai:gpt-4o-mini")


@pytest.mark.parametrize(
    "metadata",
    [
        {"finish_reason": "length"},
        {"done_reason": "length"},
        {"stop_reason": "max_tokens"},
        {"stopReason": "max_tokens"},
        {"finish_reason": "MAX_TOKENS"},
        {"finish_reason": "model_length"},
        {"stop_reason": "model_context_window_exceeded"},
        {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
    ],
)
@pytest.mark.parametrize("text", [TEXT, ""])
def test_a_reply_cut_off_by_its_length_is_an_error_that_names_the_setting(
    metadata: dict[str, object], text: str
) -> None:
    with pytest.raises(AnswerCutOffError, match=r"^openai:x 的回答写到长度上限就停了.*chat\.max_tokens"):
        check_reply(AIMessage(text, response_metadata=metadata), "openai:x")


@pytest.mark.parametrize(
    "message",
    [
        AIMessage(TEXT, response_metadata={"finish_reason": "content_filter"}),
        AIMessage(TEXT, response_metadata={"finish_reason": "SAFETY"}),
        AIMessage(TEXT, response_metadata={"stop_reason": "refusal"}),
        AIMessage("", response_metadata={"incomplete_details": {"reason": "content_filter"}}),
        AIMessage("", additional_kwargs={"refusal": "I cannot help with that."}),
        AIMessage([{"type": "refusal", "refusal": "I cannot help with that."}]),
    ],
)
def test_a_refusal_is_an_error_and_not_an_answer(message: BaseMessage) -> None:
    with pytest.raises(ModelRefusalError, match=r"^openai:x "):
        check_reply(message, "openai:x")


@pytest.mark.parametrize("content", ["", " \n\u3000", "\u200b", [], [{"type": "text", "text": " "}]])
def test_a_reply_without_visible_text_is_an_error(content: str | list[str | dict[str, str]]) -> None:
    with pytest.raises(EmptyAnswerError, match="没有文字"):
        check_reply(AIMessage(content, response_metadata={"finish_reason": "stop"}), "openai:x")


@pytest.mark.parametrize("reason", ["error", "network_error", "insufficient_system_resource"])
def test_a_reply_that_the_service_broke_off_is_an_error(reason: str) -> None:
    with pytest.raises(ModelUnavailableError, match="不完整"):
        check_reply(AIMessage(TEXT, response_metadata={"finish_reason": reason}), "deepseek:deepseek-chat")


@pytest.mark.parametrize(
    ("reasons", "error"),
    [
        ((None, "length"), AnswerCutOffError),
        (("length", "length"), AnswerCutOffError),  # LangChain joins them: lengthlength
        ((None, "content_filter"), ModelRefusalError),
    ],
)
def test_the_sum_of_streamed_chunks_is_checked_alike(reasons: tuple[str | None, str], error: type[ModelError]) -> None:
    first, last = (
        AIMessageChunk(text, response_metadata={"finish_reason": reason} if reason else {})
        for text, reason in zip(("年假", "为10"), reasons, strict=True)
    )
    with pytest.raises(error):
        check_reply(first + last, "openai:x")


def test_the_sum_of_streamed_chunks_that_ended_twice_passes() -> None:
    chunks = [AIMessageChunk(text, response_metadata={"finish_reason": "stop"}) for text in ("年假", "为10天")]
    check_reply(chunks[0] + chunks[1], "openai:x")
