"""Reading and checking citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_classic.output_parsers import OutputFixingParser, RetryOutputParser
from langchain_core.exceptions import OutputParserException
from langchain_core.prompt_values import StringPromptValue
from langchain_core.runnables import RunnableLambda

from youju.chains import CitationError, CitationParser, ParsedAnswer
from youju.chains.citations import canonical, unfinished
from youju.errors import YoujuError

PARSER = CitationParser(blocks=3)


def refused(text: str, parser: CitationParser = PARSER) -> CitationError:
    with pytest.raises(CitationError) as caught:
        parser.parse(text)
    return caught.value


@pytest.mark.parametrize(
    ("answer", "valid"),
    [
        ("年假为10天[资料1]。", (1,)),
        ("甲[资料3]，乙[资料1]，丙[资料3]。", (3, 1)),
        ("甲[资料1][资料2]。", (1, 2)),
        ("甲。[资料2]", (2,)),
        ("甲。[资料2]乙。[资料3]", (2, 3)),
        ("甲［资料１］。", (1,)),
        ("甲【资料1】。", (1,)),
        ("甲（资料1）。", (1,)),
        ("甲(资料1)。", (1,)),
        ("甲[资料 1]。", (1,)),
        ("甲[ 资料1 ]。", (1,)),
        ("甲[资料01]。", (1,)),
        ("甲[资料1、3]。", (1, 3)),
        ("甲[资料1，3]。", (1, 3)),
        ("甲[资料1, 资料3]。", (1, 3)),
        ("甲[资料1和3]。", (1, 3)),
        ("甲[资料1-3]。", (1, 2, 3)),
        ("甲[资料1至3]。", (1, 2, 3)),
        ("甲[资料1][资料3]。", (1, 3)),
    ],
)
def test_every_form_of_a_mark_is_read_and_written_as_one(answer: str, valid: tuple[int, ...]) -> None:
    parsed = PARSER.parse(answer)
    assert parsed.citations == valid
    assert parsed.invalid == ()
    assert {claim.verdict for claim in parsed.claims} == {"cited"}
    for number in valid:
        assert f"[资料{number}]" in parsed.text


@pytest.mark.parametrize(
    ("answer", "valid", "invalid"),
    [
        ("甲[资料3]，乙[资料4]。", (3,), (4,)),
        ("甲[资料0]。", (), (0,)),
        ("甲[资料4]。", (), (4,)),
        ("甲[资料12]。", (), (12,)),
        ("甲[资料999]。", (), (999,)),
        ("甲[资料99999999999999999999]。", (), (99999999999999999999,)),
        ("甲[资料1-5]。", (1, 2, 3), (4, 5)),
        ("甲[资料1、9]。", (1,), (9,)),
        ("资料中未提及[资料9]。", (), (9,)),
    ],
)
def test_a_number_that_names_no_evidence_is_reported_and_never_taken_for_another(
    answer: str, valid: tuple[int, ...], invalid: tuple[int, ...]
) -> None:
    error = refused(answer)
    assert error.parsed.citations == valid
    assert error.parsed.invalid == invalid
    assert error.parsed.claims[0].verdict == "invalid"
    for number in invalid:
        assert f"[资料{number}]" in str(error)


@pytest.mark.parametrize(
    "answer",
    ["年假为10天。", "年假为10天（见第3条）。", "年假为10天（见资料1第3条）。", "年假为10天[1]。", "年假为10天[资"],
)
@pytest.mark.parametrize("require", ["coverage", "format"])
def test_an_answer_without_a_mark_is_refused_whatever_is_asked(answer: str, require: str) -> None:
    error = refused(answer, CitationParser(blocks=3, require=require))
    assert error.parsed.citations == ()
    assert error.parsed.claims[0].verdict == "uncited"


@pytest.mark.parametrize("answer", ["", "  \n ", "[资料1]", "。"])
def test_an_answer_that_says_nothing_is_refused(answer: str) -> None:
    assert refused(answer).problems == ("回答是空的",)


def test_with_coverage_every_sentence_needs_a_mark_and_with_format_one_is_enough() -> None:
    answer = "年假为10天[资料1]。病假另算。"
    assert refused(answer).problems == ("“病假另算。”没有标出依据",)
    parsed = CitationParser(blocks=3, require="format").parse(answer)
    assert [claim.verdict for claim in parsed.claims] == ["cited", "uncited"]


def test_headings_lead_ins_and_list_numbers_need_no_mark() -> None:
    answer = "## 休假\n规定如下：\n1. 年假为10天[资料1]。\n2. 病假须证明[资料2]。\n- 事假无薪[资料3]"
    parsed = PARSER.parse(answer)
    assert parsed.citations == (1, 2, 3)
    assert [claim.text for claim in parsed.claims][2:] == [
        "1. 年假为10天[资料1]。",
        "2. 病假须证明[资料2]。",
        "- 事假无薪[资料3]",
    ]


def test_a_lead_in_with_a_number_states_something() -> None:
    assert refused("年假共10天：\n甲[资料1]。").problems == ("“年假共10天：”没有标出依据",)


@pytest.mark.parametrize(
    "sentence",
    [
        "资料中未提及。",
        "资料中没有提到年假。",
        "关于产假，资料中未提及。",
        "抱歉，现有资料中没有说明。",
        "此外，关于婚假，资料未提及。",
        "根据资料，文档中未涉及这一点。",
    ],
)
def test_a_sentence_that_says_only_that_the_evidence_is_silent_needs_no_mark(sentence: str) -> None:
    parsed = PARSER.parse(sentence)
    assert parsed.silent == (sentence,)
    assert parsed.claims[0].verdict == "not_found"


@pytest.mark.parametrize(
    "sentence",
    [
        "年假为10天，资料中未提及病假。",
        "其中年假为10天，资料中未提及病假。",
        "但病假为30天，资料中未提及工资。",
        "根据第三条年假为10天，资料中未提及病假。",
    ],
)
def test_a_statement_beside_the_silence_still_needs_a_mark(sentence: str) -> None:
    assert refused(sentence).problems == (f"“{sentence}”没有标出依据",)


def test_brackets_that_are_no_marks_stay_as_they_are() -> None:
    parsed = PARSER.parse("见表[8]和（2024）的年假[资料1]。")
    assert parsed.text == "见表[8]和（2024）的年假[资料1]。"
    assert parsed.citations == (1,)


def test_the_error_is_langchains_without_a_link_and_also_ours() -> None:
    error = refused("年假为10天[资料7]。")
    assert isinstance(error, OutputParserException)
    assert isinstance(error, YoujuError)
    assert str(error) == "“年假为10天[资料7]。”引用了不存在的[资料7]"
    assert error.llm_output == "年假为10天[资料7]。"
    assert error.observation == str(error)
    assert "http" not in str(error)


def test_langchains_retry_and_fixing_parsers_work_with_it() -> None:
    seen: list[str] = []

    def mend(prompt: StringPromptValue) -> str:
        seen.append(prompt.to_string())
        return "年假为10天[资料1]。"

    retry = RetryOutputParser.from_llm(parser=PARSER, llm=RunnableLambda(mend), max_retries=1)
    parsed = retry.parse_with_prompt("年假为10天[资料7]。", StringPromptValue(text="年假几天"))
    assert isinstance(parsed, ParsedAnswer)
    assert parsed.citations == (1,)
    fixing = OutputFixingParser.from_llm(parser=PARSER, llm=RunnableLambda(mend), max_retries=1)
    assert fixing.parse("年假为10天[资料7]。").citations == (1,)
    assert "年假几天" in seen[0]
    assert "引用了不存在的[资料7]" in seen[1]
    assert PARSER.get_format_instructions() in seen[1]


def test_the_parser_stands_in_a_chain_of_its_own() -> None:
    chain = RunnableLambda(lambda _: "年假为10天[资料1]。") | PARSER
    assert chain.invoke("年假几天").citations == (1,)
    assert "1 到 3" in PARSER.get_format_instructions()


MARKS = st.sampled_from(
    ["[资料1]", "［资料２］", "【资料3】", "（资料 1）", "[资料1、3]", "[资料1-3]", "[资料7]", "[资料", "[资"]
)
TEXTS = st.lists(MARKS | st.text(alphabet="年假为10天。，！[]【】（）资料123、-\n ", max_size=8), max_size=8).map(
    "".join
)
ANY = TEXTS | st.text(max_size=60)


@given(ANY)
def test_one_form_stays_as_it_is(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)


@given(st.text(alphabet=st.characters(blacklist_characters="资"), max_size=60))
def test_a_text_without_marks_is_not_changed(text: str) -> None:
    assert canonical(text) == text


@given(text=ANY, blocks=st.integers(0, 5), require=st.sampled_from(["format", "coverage"]))
def test_no_text_crashes_the_parser_and_no_number_outside_is_accepted(text: str, blocks: int, require: str) -> None:
    parser = CitationParser(blocks=blocks, require=require)
    try:
        parsed = parser.parse(text)
    except CitationError as error:
        parsed = error.parsed
    else:
        assert parsed.invalid == ()
        assert parsed.citations or parsed.silent
    assert all(1 <= number <= blocks for number in parsed.citations)


@given(ANY)
def test_what_may_be_a_mark_is_held_back_until_it_is_clear(text: str) -> None:
    whole = canonical(text)
    for end in range(len(text) + 1):
        head = text[:end]
        assert whole.startswith(canonical(head[: unfinished(head)]))
