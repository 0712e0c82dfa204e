"""One passage of the evidence, word for word: each way in which a reply can fall short of that has its verdict."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.exceptions import OutputParserException

from youju.chains.extract import Extraction, ExtractionError, ExtractionParser, check_extraction
from youju.chains.result import Evidence


def block(n: int, id: str, text: str, source: str = "policy.md") -> Evidence:  # noqa: A002 - the field's name
    return Evidence(n=n, id=id, text=text, source=source, location=source)


S1 = "Items may be returned within seven days of delivery."
S2 = "Opened items cannot be returned."
S3 = "Shipping takes two days."
SHOP = [block(1, "s2", S2), block(2, "s1", S1), block(3, "s3", S3)]
LEAVE = [
    block(1, "leave-1", "年假为15天，按3.5倍折算。不可以转让。", "leave.md"),
    block(2, "leave-2", "[资料9]说病假为30天。"),
]


def reply(source: Any, quote: Any, answer: Any = ...) -> str:
    answer = quote if answer is ... else answer
    return json.dumps({"source": source, "quote": quote, "answer": answer}, ensure_ascii=False)


def verdict(text: str, evidence: list[Evidence]) -> str:
    return check_extraction(text, evidence).verdict


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Opened items cannot be returned.", "invalid_json"),
        ("", "invalid_json"),
        ("[资料1]", "invalid_json"),
        (f"好的：{reply('s2', S2)}", "invalid_json"),
        (f"{reply('s2', S2)}\n以上。", "invalid_json"),
        (f"{reply('s2', S2)}{reply('s2', S2)}", "invalid_json"),
        ('{"source": "s2", "quote": NaN, "answer": null}', "invalid_json"),
        ('{"source": "s2", "quote": -Infinity, "answer": null}', "invalid_json"),
        ("[" * 100_000, "invalid_json"),
        ("{'source': null, 'quote': null, 'answer': null}", "invalid_json"),
        ("null", "invalid_schema"),
        ("[]", "invalid_schema"),
        ("{}", "invalid_schema"),
        (json.dumps([json.loads(reply("s2", S2))]), "invalid_schema"),
        (json.dumps({"source": "s2", "quote": S2}), "invalid_schema"),
        (json.dumps({"source": "s2", "quote": S2, "answer": S2, "confidence": "high"}), "invalid_schema"),
        (json.dumps({"Source": "s2", "quote": S2, "answer": S2}), "invalid_schema"),
        ('{"source": "s2", "source": "s1", "quote": null, "answer": null}', "invalid_schema"),
        (reply("s2", [S2]), "invalid_schema"),
        (reply("s2", S2, answer=True), "invalid_schema"),
        (reply(2, S2), "invalid_schema"),
        (reply(None, None), "abstain"),
        (reply(None, S2), "invalid_source"),
        (reply("s9", S2), "invalid_source"),
        (reply("", S2), "invalid_source"),
        (reply("资料4", S2), "invalid_source"),
        (reply("0", S2), "invalid_source"),
        (reply("s2", None, answer=S2), "unsupported_quote"),
        (reply("s2", ""), "unsupported_quote"),
        (reply("s2", " . "), "unsupported_quote"),
        (reply("s2", S2.lower()), "unsupported_quote"),
        (reply("s2", "Opened  items cannot be returned."), "unsupported_quote"),
        (reply("s2", S2, answer=None), "unsupported_answer"),
        (reply("s2", S2, answer=S2[:-1]), "unsupported_answer"),
        (reply("s2", S2), "supported"),
    ],
)
def test_the_verdict_is_the_first_check_that_fails(text: str, expected: str) -> None:
    found = check_extraction(text, SHOP)
    assert found.verdict == expected
    assert (found.reason is None) == (expected in {"abstain", "supported"})


def test_a_passage_of_another_document_is_no_support() -> None:
    assert verdict(reply("s2", S2), [block(1, "s1", S1)]) == "invalid_source"
    assert verdict(reply("s1", S2), SHOP) == "unsupported_quote"
    assert verdict(reply("s1", S1, answer="yes"), SHOP) == "unsupported_answer"


def test_what_is_supported_has_its_place() -> None:
    found = check_extraction(reply("s1", "within seven days"), SHOP)
    assert found == Extraction(
        verdict="supported",
        source="s1",
        quote="within seven days",
        answer="within seven days",
        n=2,
        start=22,
        end=39,
    )
    assert S1[22:39] == "within seven days"


@pytest.mark.parametrize("source", ["资料1", "[资料1]", "【资料１】", "资料 1", "01", "1", " s2 ", "(1)"])
def test_a_source_may_be_named_by_its_number(source: str) -> None:
    assert check_extraction(reply(source, S2), SHOP).n == 1


def test_a_source_may_be_named_by_its_file_and_the_quote_says_which_block_is_meant() -> None:
    assert check_extraction(reply("policy.md", S3), SHOP).n == 3
    assert verdict(reply("leave.md", S3), SHOP) == "invalid_source"


def test_an_id_that_looks_like_another_number_means_either() -> None:
    evidence = [block(1, "2", "年假为10天。"), block(2, "1", "病假为30天。")]
    assert check_extraction(reply("2", "病假为30天。"), evidence).n == 2
    assert check_extraction(reply("2", "年假为10天。"), evidence).n == 1
    assert verdict(reply("资料2", "年假为10天。"), evidence) == "unsupported_quote"


def test_thinking_and_one_fence_around_the_json_do_not_count() -> None:
    assert verdict(f"<think>也许是s9</think>\n```json\n{reply('s2', S2)}\n```\n", SHOP) == "supported"
    assert verdict(f"想想\n</think>{reply(None, None)}", SHOP) == "abstain"
    assert verdict(f"```\n{reply('s2', S2)}\n```", SHOP) == "supported"
    assert verdict(f"```json\n{reply('s2', S2)}\n```\n以上。", SHOP) == "invalid_json"
    assert verdict(f"```json\n{reply('s2', S2)}", SHOP) == "invalid_json"
    assert check_extraction(f"<think>甲</think>{reply('s2', S2)}", SHOP, "keep").verdict == "invalid_json"


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("5天", "引文把一个数截断了，要从完整的数抄起"),
        ("年假为1", "引文把一个数截断了，要从完整的数抄起"),
        ("5倍折算", "引文把一个数截断了，要从完整的数抄起"),
        ("年假为15天，按3", "引文把一个数截断了，要从完整的数抄起"),
        ("可以转让", "引文漏了前面的“不”，意思就反了"),
        ("年假为15天", None),
        ("3.5倍", None),
        ("不可以转让", None),
    ],
)
def test_a_quote_keeps_numbers_whole_and_negations_with_what_they_negate(quote: str, expected: str | None) -> None:
    found = check_extraction(reply("资料1", quote), LEAVE)
    assert (found.verdict, found.reason) == ("unsupported_quote" if expected else "supported", expected)


def test_a_quote_that_stands_cut_in_one_place_and_whole_in_another_is_the_whole_one() -> None:
    found = check_extraction(reply("1", "5天"), [block(1, "a", "年假15天，病假5天。")])
    assert (found.verdict, found.start) == ("supported", 8)


def test_marks_inside_a_document_are_quoted_as_the_model_saw_them_and_given_back_as_they_stand() -> None:
    found = check_extraction(reply("资料2", "‹资料9]说病假为30天。"), LEAVE)
    assert (found.verdict, found.quote, found.start) == ("supported", "[资料9]说病假为30天。", 0)
    assert check_extraction(reply("资料2", "[资料9]说病假为30天。"), LEAVE).verdict == "supported"


def test_halves_of_characters_break_nothing() -> None:
    found = check_extraction('{"source": "s2", "quote": "\\ud800", "answer": "x"}', SHOP)
    assert found.verdict == "unsupported_quote"
    assert found.model_dump_json()


def test_the_parser_gives_back_what_can_be_used_and_raises_the_rest() -> None:
    parser = ExtractionParser(evidence=SHOP)
    assert parser.invoke(reply("s2", S2)).quote == S2
    assert parser.invoke(reply(None, None)).verdict == "abstain"
    with pytest.raises(ExtractionError, match=r"^来源 s9 不在给出的资料里$") as caught:
        parser.invoke(reply("s9", S2))
    assert isinstance(caught.value, OutputParserException)
    assert caught.value.llm_output == reply("s9", S2)
    assert caught.value.observation == "来源 s9 不在给出的资料里"
    assert caught.value.extraction.verdict == "invalid_source"
    assert "1 到 3" in parser.get_format_instructions()


VALUES = st.one_of(
    st.none(), st.sampled_from(["s1", "s2", "资料1", S1, S2, "items", "", "不"]), st.text(max_size=8), st.integers()
)


@given(st.dictionaries(st.sampled_from(["source", "quote", "answer"]), VALUES, min_size=2))
@example({"source": "s2", "quote": "items cannot", "answer": "items cannot"})
def test_whatever_is_supported_stands_in_the_evidence(fields: dict[str, Any]) -> None:
    found = check_extraction(json.dumps(fields), SHOP)
    if found.verdict == "supported":
        assert found.n is not None
        assert SHOP[found.n - 1].text[found.start : found.end] == found.quote == found.answer == fields["quote"]
        assert fields["source"] in {SHOP[found.n - 1].id, "资料1", "1"}


@given(st.text())
def test_no_text_is_too_strange_to_have_a_verdict(text: str) -> None:
    assert verdict(text, SHOP) in {"invalid_json", "invalid_schema"}
