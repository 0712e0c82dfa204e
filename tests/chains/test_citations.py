"""Reading and checking citations."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_classic.output_parsers import OutputFixingParser, RetryOutputParser
from langchain_core.exceptions import OutputParserException
from langchain_core.prompt_values import StringPromptValue
from langchain_core.runnables import RunnableLambda

from youju.chains import CitationError, CitationParser, Evidence, ParsedAnswer
from youju.chains.marks import canonical, lookalikes, unfinished, visible
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
    answer = "## 休假\n根据资料，规定如下：\n1. 年假为10天[资料1]。\n2. 病假须证明[资料2]。\n- 事假无薪[资料3]"
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
        "根据现有信息无法回答。",
        "根据提供的资料，无法回答该问题。",
        "资料中没有相关信息。",
        "抱歉，无法从资料中找到答案。",
        "文档里没说。",
        "無法確定，資料中未提及。",
        "婚假资料中未提及。",
        "关于“年假几天，婚假几天”，资料中未提及。",
        "婚假：资料中未提及。",
        "- **婚假**：资料中未提及。",
        "婚假方面，资料中未提及，请咨询人事部。",
        "资料1中未提及婚假。",
        "资料里没有关于婚假的信息。",
        "The documents do not mention this.",
        "The documents don't mention this, so I cannot answer.",
        "Not mentioned in the documents.",
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


LOOKALIKES = [
    "〔资料1〕",
    "{资料1}",
    "「资料1」",
    "《资料1》",
    "<资料1>",
    "[资料一]",
    "[资料十二]",
    "[资料①]",
    "[资料1号]",
    "[资料第1号]",
    "[资料1.2]",
    "[资料：1]",
    "[资料No.1]",
    "[资料_1]",
    "[资料1第2页]",
    "[资料1|资料2]",
    "[资料1&2]",
    "[资料A]",
    "[资料IV]",
    "[资料甲]",
    "[资料廿]",
    "[资料㊿]",
    "[资料🔟]",
    "[资料९号]",
    "，见[资料1",
    "[资料" + "1" * 5000 + "]",
]


@pytest.mark.parametrize("like", LOOKALIKES, ids=lambda like: like[:12])
@pytest.mark.parametrize("require", ["coverage", "format"])
def test_what_only_looks_like_a_mark_is_refused_even_beside_a_good_one(like: str, require: str) -> None:
    error = refused(f"年假为10天[资料1]{like}。", CitationParser(blocks=3, require=require))
    assert error.parsed.claims[0].verdict == "invalid"
    assert "不是正确的引用，要写成 [资料N]" in str(error)
    assert len(str(error).replace(error.parsed.text, "")) < 100  # long ones are shortened


@pytest.mark.parametrize(
    "mark", ["[資料2]", "[资\u200b料2]", "[\u202e资料\u20662]", "[资料\ufe0f2]", "[资\U000e0041料2]", "[资\uf9be2]"]
)
def test_traditional_characters_and_hidden_ones_do_not_hide_a_mark(mark: str) -> None:
    assert PARSER.parse(f"年假为10天{mark}。").text == "年假为10天[资料2]。"
    assert refused(f"年假为10天[资料1]{mark.replace('2', '9')}。").parsed.invalid == (9,)


@pytest.mark.parametrize(
    "text",
    ["见（资料来源：人事部）", "见《资料汇编》", "（资料一览）", "[资料]", "资料1", "（参考资料）", "【资料室】"],
)
def test_a_bracket_without_a_number_is_no_lookalike(text: str) -> None:
    assert lookalikes(text) == []
    assert PARSER.parse(f"{text}[资料1]。").citations == (1,)


@pytest.mark.parametrize(
    "sentence",
    [
        "根据资料9，年假为10天[资料1]。",
        "年假为10天（见资料9）[资料1]。",
        "年假为10天[资料1][见资料9]。",
        "年假为10天[资料1][**资料9**]。",
        "年假为10天[资料1]资料９。",
        "资料1和资料9规定年假为10天[资料1]。",
        "资料1、9中写明年假为10天[资料1]。",
        "资料9第3条规定年假为10天[资料1]。",
        "资料9中未提及病假。",
        "资料9未提及病假。",
    ],
)
@pytest.mark.parametrize("require", ["coverage", "format"])
def test_evidence_that_was_not_sent_is_not_spoken_of_in_words_either(sentence: str, require: str) -> None:
    error = refused(sentence, CitationParser(blocks=3, require=require))
    assert error.problems == (f"“{sentence}”提到了不存在的资料9",)
    assert error.parsed.claims[0].verdict == "invalid"


@pytest.mark.parametrize(
    "sentence",
    [
        "申请须附资料9份[资料1]。",
        "资料9.5元一套[资料1]。",
        "资料1，2024年起年假为10天[资料1]。",
        "资料1和2024年的旧规定相同[资料1]。",
        "资料汇编第9页[资料1]。",
    ],
)
def test_a_count_of_papers_is_no_number_of_evidence(sentence: str) -> None:
    assert PARSER.parse(sentence).citations == (1,)


def test_a_number_that_the_documents_or_the_asker_use_for_papers_of_their_own_may_be_repeated() -> None:
    own = Evidence(n=1, id="a", text="报名表见资料9。", source="a.md", location="a.md")
    reply = "报名表见资料9[资料1]。"
    assert CitationParser(require="grounded", evidence=[own]).parse(reply).citations == (1,)
    assert CitationParser(blocks=1, question="资料9是什么？").parse(reply).citations == (1,)
    assert "提到了不存在的资料9" in str(refused(reply, CitationParser(blocks=1)))


def test_marks_before_the_first_sentence_count() -> None:
    assert refused("[资料9]\n年假为10天[资料1]。").parsed.invalid == (9,)
    assert PARSER.parse("[资料2]\n年假为10天[资料1]。").citations == (2, 1)


@pytest.mark.parametrize(
    ("answer", "uncited"),
    [
        ("# 年假一律为三十天且可以累计\n婚假3天[资料2]。", "# 年假一律为三十天且可以累计"),
        ("#年假\n婚假3天[资料2]。", "#年假"),
        ("员工可以随时休假，不必申请：\n婚假3天[资料2]。", "员工可以随时休假，不必申请："),
        ("婚假3天[资料2]。年假是30天但资料未提及病假。", "年假是30天但资料未提及病假。"),
        ("婚假3天[资料2]。关于年假是30天，资料中未提及其他。", "关于年假是30天，资料中未提及其他。"),
        ("婚假3天[资料2]。并非资料中未提及年假30天。", "并非资料中未提及年假30天。"),
        ("年假共30天.婚假3天[资料2]。", "年假共30天."),
        ("年假共30天．婚假3天[资料2]。", "年假共30天．"),
        ("年假30天｡婚假3天[资料2]。", "年假30天｡"),
        ("Leave is 30 days.Sick leave is 20 days[资料1].", "Leave is 30 days."),
        ("年假三十天：资料中未提及。", "年假三十天：资料中未提及。"),
        ("资料未提及病假 年假照常发放。", "资料未提及病假 年假照常发放。"),
        ("根据资料，无法回答，年假为30天。", "根据资料，无法回答，年假为30天。"),
    ],
)
def test_a_statement_in_disguise_needs_a_mark(answer: str, uncited: str) -> None:
    assert refused(answer).problems == (f"“{uncited}”没有标出依据",)


@pytest.mark.parametrize(
    "answer",
    [
        "申请材料未写明用途的不予报销[资料1]。",
        "本文件未规定的事项由人事部解释[资料1]。",
        "文件未规定的，按国家规定执行[资料1]。",
        "申请资料未写明用途的不予报销[资料1]。",
    ],
)
def test_a_rule_about_papers_that_lack_something_is_a_statement(answer: str) -> None:
    parsed = PARSER.parse(answer)
    assert parsed.silent == ()
    assert [claim.verdict for claim in parsed.claims] == ["cited"]


def test_a_cited_sentence_may_say_beside_its_fact_what_the_evidence_lacks() -> None:
    parsed = PARSER.parse("年假为10天[资料1]，资料中未提及病假。")
    assert [claim.verdict for claim in parsed.claims] == ["cited"]
    assert parsed.silent == ("年假为10天[资料1]，资料中未提及病假。",)


def test_a_mark_behind_the_silence_is_a_citation_too() -> None:
    parsed = PARSER.parse("婚假3天[资料2]。产假资料中未提及[资料1]。")
    assert parsed.citations == (2, 1)
    assert [claim.verdict for claim in parsed.claims] == ["cited", "not_found"]


def test_with_format_a_statement_without_any_mark_is_refused_though_the_evidence_lacks_something_else() -> None:
    error = refused("年假为10天。资料中未提及病假。", CitationParser(blocks=3, require="format"))
    assert error.problems == ("没有标出任何依据",)


def test_a_tables_header_and_rule_need_no_mark_and_its_rows_do() -> None:
    table = "| 假别 | 天数 |\n|---|:-:|\n| 年假 | 10天[资料1] |\n"
    assert [claim.text for claim in PARSER.parse(table).claims] == ["| 假别 | 天数 |", "| 年假 | 10天[资料1] |"]
    assert refused(f"{table}| 婚假 | 3天 |").problems == ("“| 婚假 | 3天 |”没有标出依据",)
    assert refused(table.replace("天数", "一律为30天")).problems == ("“| 假别 | 一律为30天 |”没有标出依据",)


@pytest.mark.parametrize(
    "text",
    [
        "…" * 600_000 + "a",
        "!" * 600_000 + "a",
        "[资料" * 200_000,
        "[资料" + "1、" * 200_000,
        "（资料，" * 200_000 + "1",
    ],
)
def test_a_long_run_of_one_thing_is_read_to_its_end(
    text: str,
) -> None:  # work that is quadratic would take half an hour
    refused(text)


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
    [
        *("[资料1]", "［资料２］", "【资料3】", "（资料 1）", "[资料1、3]", "[资料1-3]", "[资料7]", "[资料", "[资"),
        *("〔资料1〕", "[資料2]", "[资\u200b料7]", "[资料九]", "[资料1号]", "{资料7", "资料中未提及。"),
    ]
)
TEXTS = st.lists(MARKS | st.text(alphabet="年假为10天。，！[]【】（）资料123、-\n ", max_size=8), max_size=8).map(
    "".join
)
ANY = TEXTS | st.text(max_size=60)


@given(ANY)
def test_one_form_stays_as_it_is(text: str) -> None:
    assert canonical(canonical(text)) == canonical(text)


@given(st.text(alphabet=st.characters(blacklist_characters="资"), max_size=60))
def test_what_can_be_seen_of_a_text_without_marks_is_not_changed(text: str) -> None:
    assert canonical(text) == visible(text)


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
        left = re.sub(r"\[资料[1-9][0-9]*\]", "", parsed.text)
        assert not re.search(r"[\[［【（(〔{][\s\u200b]*[资資][\s\u200b]*料[\s\u200b]*[0-9０-９]", left)
        shown = {int(number) for number in re.findall(r"\[资料([0-9]+)\]", parsed.text)}
        assert shown == set(parsed.citations)
    assert all(1 <= number <= blocks for number in parsed.citations)


@given(ANY)
def test_what_may_be_a_mark_is_held_back_until_it_is_clear(text: str) -> None:
    whole = canonical(text)
    for end in range(len(text) + 1):
        head = text[:end]
        assert whole.startswith(canonical(head[: unfinished(head)]))
