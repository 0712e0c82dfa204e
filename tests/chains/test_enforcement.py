"""What stands of an answer of which some sentences do not pass the checks."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.documents import Document

from youju import Settings
from youju.chains import CitedAnswer, build_answer_chain
from youju.text import has_content

Make = Callable[..., Any]
LEAVE = "年假为10天。病假须提交证明。"
TRIPS = "住宿费每晚不超过400元。餐费每天80元。"


def answering(max_retries: int = 0, **answer: Any) -> Settings:
    return Settings.model_validate({"answer": {"max_retries": max_retries, **answer}})


@pytest.fixture
def ask(scripted: Make, fixed: Make) -> Callable[..., CitedAnswer]:
    """Answer with a model that says these replies, from a page on leave and one on trips."""

    def answer(*replies: str, question: str = "年假几天，住宿费多少？", **options: Any) -> CitedAnswer:
        settings = answering(len(replies) - 1, **options)
        return build_answer_chain(fixed(LEAVE, TRIPS), settings, chat=scripted(*replies)).invoke(question)

    return answer


def test_an_invented_fact_with_a_valid_number_does_not_leave_the_chain(ask: Make) -> None:
    answer = ask("本公司位于北京市朝阳区朝阳门内大街1号[资料1]。", question="公司在哪里？")
    assert (answer.status, answer.answer, answer.citations) == ("rejected", "", [])
    (claim,) = answer.claims
    assert (claim.verdict, claim.removed) == ("unsupported", True)


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("年假为15天[资料1]。", "10天"),
        ("住宿费每晚不超过500元[资料2]。", "400元"),
        ("病假不须提交证明[资料1]。", "相反"),
    ],
)
def test_a_changed_number_or_a_denial_is_contradicted_and_the_reason_says_by_what(
    reply: str, said: str, ask: Make
) -> None:
    answer = ask(reply)
    assert answer.status == "rejected"
    assert answer.claims[0].verdict == "contradicted"
    assert said in str(answer.claims[0].reason)


def test_what_does_not_pass_is_taken_out_and_the_rest_stands_in_part(ask: Make) -> None:
    answer = ask("年假为10天[资料1]。住宿费每晚不超过900元[资料2]。餐费每天80元[资料2]。")
    assert (answer.status, answer.answer) == ("partial", "年假为10天[资料1]。餐费每天80元[资料2]。")
    assert [(claim.verdict, claim.removed) for claim in answer.claims] == [
        ("supported", False),
        ("contradicted", True),
        ("supported", False),
    ]
    assert str(answer.reason).startswith("删去了没有通过核对的话：“住宿费每晚不超过900元[资料2]。”")
    assert [(one.n, one.quote) for one in answer.citations] == [(1, "年假为10天。"), (2, "餐费每天80元。")]


def test_the_model_hears_which_sentence_is_wrong_and_why(scripted: Make, fixed: Make) -> None:
    model = scripted("年假为15天[资料1]。", "年假为10天[资料1]。")
    answer = build_answer_chain(fixed(LEAVE), answering(1), chat=model).invoke("年假几天？")
    assert (answer.status, answer.attempts) == ("answered", 2)
    assert "“年假为15天[资料1]。”" in model.prompts[1][-1].text
    assert "10天" in model.prompts[1][-1].text


def test_of_several_attempts_the_one_stands_of_which_most_is_left(ask: Make) -> None:
    answer = ask("年假为10天[资料1]。餐费每天90元[资料2]。", "年假为11天[资料1]。餐费每天90元[资料2]。")
    assert (answer.status, answer.answer, answer.attempts) == ("partial", "年假为10天[资料1]。", 2)


def test_a_sentence_that_the_evidence_carries_gets_the_mark_that_it_lacks(ask: Make) -> None:
    answer = ask("年假为10天。住宿费每晚不超过400元。")
    assert (answer.status, answer.attempts) == ("answered", 1)
    assert answer.answer == "年假为10天[资料1]。住宿费每晚不超过400元[资料2]。"
    assert [claim.reason for claim in answer.claims] == ["模型没有标出依据，核对资料后标上"] * 2


def test_a_mark_that_names_the_wrong_block_is_put_right_and_one_that_names_none_is_not(ask: Make) -> None:
    answer = ask("年假为10天[资料2]。", question="年假几天？")
    assert (answer.status, answer.answer) == ("answered", "年假为10天[资料1]。")
    assert ask("年假为10天[资料7]。").status == "rejected"
    assert ask("年假为10天[资料7]。餐费每天80元[资料2]。").answer == "餐费每天80元[资料2]。"


def test_a_mere_topic_states_nothing_and_gets_no_mark(ask: Make) -> None:
    assert ask("年假为10天[资料1]。住宿费").answer == "年假为10天[资料1]。"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("周岚", "周岚[资料2]"),  # in both blocks, and the second speaks of what is asked
        ("灯塔", ""),  # only in a block of something else
        ("《山路》", ""),  # adds nothing to the question
        ("导演", ""),
        ("天", ""),
    ],
)
def test_a_mere_name_that_answers_gets_the_mark_of_a_block_on_what_is_asked(
    reply: str, answer: str, fixed: Make, scripted: Make
) -> None:
    found = fixed("周岚住在灯塔街三天。", "电影《山路》于2019年上映，导演为周岚。")
    chain = build_answer_chain(found, answering(), chat=scripted(reply))
    assert chain.invoke("电影《山路》的导演是谁？").answer == answer


def test_the_mark_put_there_is_that_of_the_block_that_answers(fixed: Make, scripted: Make) -> None:
    found = fixed(
        "2022年青河运动会就要开幕。青河运动会标语“同心向前”正式发布（2021年9月17日摄）。",
        "2022年青河运动会的标语是“同心向前”。",
    )
    chain = build_answer_chain(found, answering(), chat=scripted("同心向前"))
    assert chain.invoke("2022年青河运动会的标语是什么？").answer == "同心向前[资料2]"


@pytest.mark.parametrize("reply", ["年假为10天。", "年假为10天[资料2]。"])
def test_without_repair_the_model_has_to_put_its_marks_right_itself(reply: str, ask: Make) -> None:
    assert ask(reply, repair="none").status == "rejected"


def test_an_answer_of_which_only_the_silence_is_left_is_not_found(ask: Make) -> None:
    answer = ask("婚假为3天[资料1]。关于产假，资料中未提及。", question="婚假和产假各几天？")
    assert (answer.status, answer.answer, answer.citations) == ("not_found", "资料中未提及", [])
    assert answer.refusal is not None
    assert answer.refusal.asked == ["婚假和产假各几天？"]


def test_a_heading_goes_with_what_it_led_to(ask: Make) -> None:
    reply = "## 假期\n年假为12天[资料1]。\n\n## 差旅\n餐费每天80元[资料2]。"
    assert ask(reply).answer == "## 差旅\n餐费每天80元[资料2]。"


def test_items_of_a_list_and_rows_of_a_table_are_taken_out_alone(ask: Make) -> None:
    listed = ask("规定如下：\n1. 年假为10天[资料1]。\n2. 年假可以折现[资料1]。\n3. 餐费每天80元[资料2]。")
    assert listed.answer == "规定如下：\n1. 年假为10天[资料1]。\n3. 餐费每天80元[资料2]。"
    table = ask("| 项目 | 标准 |\n|---|---|\n| 年假 | 10天[资料1] |\n| 餐费 | 90元[资料2] |")
    assert table.answer == "| 项目 | 标准 |\n|---|---|\n| 年假 | 10天[资料1] |"


def test_each_part_that_is_not_answered_is_named_with_what_came_nearest(ask: Make) -> None:
    answer = ask("年假为10天[资料1]。关于“婚假几天”，资料中未提及。", question="年假几天，婚假几天？")
    assert answer.status == "partial"
    assert answer.refusal is not None
    assert answer.refusal.asked == ["婚假几天"]
    assert [one.location for one in answer.refusal.nearest] == ["1.md", "2.md"]
    assert [(step.name, step.kept, step.lost) for step in answer.refusal.steps] == [
        ("Fixed", 2, 0),
        ("pack", 2, 0),
        ("model", 0, 2),
    ]


def test_what_did_not_fit_is_counted_among_what_was_lost(scripted: Make, fixed: Make) -> None:
    settings = answering(0, context_chars=30)
    answer = build_answer_chain(fixed(LEAVE, TRIPS), settings, chat=scripted("资料中未提及。")).invoke("婚假几天？")
    assert answer.refusal is not None
    assert [(step.name, step.kept, step.lost) for step in answer.refusal.steps][:2] == [
        ("Fixed", 2, 0),
        ("pack", 1, 1),
    ]


def test_a_quote_names_the_page_on_which_it_begins(scripted: Make, fixed: Make) -> None:
    page = Document(
        id="c",
        page_content="年假为10天。病假须提交证明。",
        metadata={"source": "制度.pdf", "page": 3, "page_end": 4, "page_break": 7, "location": "制度.pdf 第 3–4 页"},
    )
    reply = "年假为10天[资料1]。病假须提交证明[资料1]。"
    answer = build_answer_chain(fixed(page), answering(), chat=scripted(reply)).invoke("年假和病假？")
    assert [[(one.text, one.page) for one in claim.quotes] for claim in answer.claims] == [
        [("年假为10天。", 3)],
        [("病假须提交证明。", 4)],
    ]


def test_every_quote_is_where_it_says(ask: Make) -> None:
    answer = ask("年假为10天[资料1]，餐费每天80元[资料2]。")
    texts = {block.n: block.text for block in answer.evidence}
    quotes = [one for claim in answer.claims for one in claim.quotes]
    assert {one.n for one in quotes} == {1, 2}
    assert all(texts[one.n][one.start : one.end] == one.text for one in quotes)


SENTENCES = st.sampled_from(
    [
        *(
            "年假为10天[资料1]。",
            "年假为十天[资料1]。",
            "餐费每天80元[资料2]。",
            "住宿费每晚不超过400元[资料2]。",
            "病假须提交证明[资料1]，年假为10天[资料1]。",
            "餐费每天80元。",
        ),
        *(
            "年假为11天[资料1]。",
            "年假为十一天[资料1]。",
            "年假为1天[资料1]。",
            "餐费每天80元[资料1]。",
            "病假不须提交证明[资料1]。",
            "婚假由院长批准[资料1]。",
            "婚假由院长批准。",
            "年假为10天[资料9]。",
        ),
        *(
            "资料中未提及。",
            "关于婚假，资料中未提及。",
            "## 假期\n",
            "规定如下：\n",
            "- 病假须提交证明[资料1]\n",
            "\n\n",
            "是的。",
        ),
        *(
            "| 项目 | 标准 |\n|---|---|\n| 年假 | 10天[资料1] |\n",
            "[资料1]",
            "〔资料1〕",
            "“去吗？”他问。",
            "<think>年假99天</think>",
        ),
    ]
)
REPLIES = st.lists(
    SENTENCES | SENTENCES | st.text(alphabet="年假为10天。，[资料1]\n 不", max_size=6), min_size=1, max_size=7
).map("".join)


@hypothesis_settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(reply=REPLIES, repair=st.sampled_from(["marks", "none"]))
def test_nothing_stands_that_is_unchecked_or_holds_a_number_that_its_source_lacks(
    ask: Make, reply: str, repair: str
) -> None:
    answer: CitedAnswer = ask("。" + reply, repair=repair)
    if answer.status not in {"answered", "partial"}:
        assert answer.citations == []
        return
    standing = [claim for claim in answer.claims if not claim.removed]
    assert any(claim.verdict == "supported" for claim in standing)
    assert all(1 <= n <= 2 for claim in standing for n in claim.citations)
    sources = {1: LEAVE, 2: TRIPS}
    whole, at = "".join(line.strip() for line in answer.answer.splitlines()), 0
    for claim in standing:  # every word of the answer is in one of them, in order
        start = whole.index(claim.text, at)
        assert not has_content(whole[at:start])
        at = start + len(claim.text)
        said = re.sub(r"\[资料[0-9]+\]", "", claim.text)
        numbers = re.findall("[0-9]+|[一二十百]+", said)
        if claim.verdict == "supported":
            given = [re.findall("[0-9]+", sources[n]) for n in claim.citations]
            assert all(any({"十": "10"}.get(number, number) in one for one in given) for number in numbers)
        else:
            assert claim.verdict == "not_found" or (claim.verdict, claim.citations) == ("uncited", [])  # or a lead-in
            assert claim.verdict == "not_found" or set(numbers) <= {"10", "400", "80", "1", "2"}  # or of 1.md and 2.md
    assert not has_content(whole[at:])


def test_a_yes_is_judged_with_the_sentence_that_says_of_what(ask: Make) -> None:
    answer = ask("可以。[资料1]病假须提交证明[资料1]。", question="病假须提交证明吗？")
    assert answer.answer == "可以。[资料1]病假须提交证明[资料1]。"
    assert [claim.text for claim in answer.claims] == ["可以。[资料1]病假须提交证明[资料1]。"]
    alone = ask("可以[资料1]。", question="病假可以不交证明吗？")
    assert (alone.status, alone.claims[0].reason) == ("rejected", "只说了是或否，没有写出资料里的内容")


@pytest.mark.parametrize(
    "reply",
    [
        "根据资料1，年假为10天[资料1]。",
        "资料1规定年假为10天[资料1]。",
        "如资料1所述，年假为10天[资料1]。",
        "年假为10天（见资料1）[资料1]。",
        "根据资料1和资料2，年假为10天，餐费每天80元[资料1][资料2]。",
    ],
)
def test_the_words_that_say_which_evidence_says_so_are_no_facts_of_their_own(reply: str, ask: Make) -> None:
    answer = ask(reply, question="年假几天？")
    assert (answer.status, answer.answer) == ("answered", reply)


def test_evidence_that_is_spoken_of_must_be_what_carries_the_sentence(ask: Make) -> None:
    assert ask("根据资料1，年假为10天。").answer == "根据资料1，年假为10天[资料1]。"
    assert ask("根据资料2，年假为10天。").status == "rejected"
    unmarked = ask("根据资料2，年假为10天[资料1]。")
    assert (unmarked.status, unmarked.claims[0].verdict) == ("rejected", "unsupported")
    assert unmarked.claims[0].reason == "提到了资料2，却没有标出[资料2]"
    assert ask("根据资料1，年假为15天[资料1]。").claims[0].verdict == "contradicted"


def test_papers_that_a_document_numbers_itself_stay_facts(scripted: Make, fixed: Make) -> None:
    finder = fixed("资料1规定押金100元，资料2规定押金200元。")
    for reply, status in (
        ("资料1规定押金100元[资料1]。", "answered"),
        ("资料1规定押金200元[资料1]。", "rejected"),
    ):
        assert build_answer_chain(finder, answering(), chat=scripted(reply)).invoke("押金多少？").status == status


@pytest.mark.parametrize("empty", ["允许", "必须", "支持", "都可以", "可以的", "有的", "同上", "天", "答案如下"])
def test_a_sentence_of_empty_words_says_nothing_that_could_be_checked(empty: str, ask: Make) -> None:
    alone = ask(f"{empty}[资料1]。", question="病假可以不交证明吗？")
    assert (alone.status, alone.claims[0].reason) == ("rejected", "没有写出资料里的内容")
    assert ask(f"{empty}。").status == "rejected"


def test_empty_words_are_an_answer_where_the_evidence_holds_just_these(scripted: Make, fixed: Make) -> None:
    finder = fixed("| 是否允许转售 | 允许 |", "不允许退货。")
    answer = build_answer_chain(finder, answering(), chat=scripted("允许[资料1]。")).invoke("允许转售吗？")
    assert answer.status == "answered"
    other = build_answer_chain(finder, answering(), chat=scripted("允许[资料2]。")).invoke("允许退货吗？")
    assert other.status == "rejected"


async def test_a_second_opinion_takes_away_what_words_alone_support(scripted: Make, fixed: Make) -> None:
    settings = answering(0, opinions=[{"kind": "judge"}])
    for awaited in (False, True):
        model = scripted("年假为10天[资料1]。", "矛盾")
        chain = build_answer_chain(fixed(LEAVE), settings, chat=model)
        answer = await chain.ainvoke("年假几天？") if awaited else chain.invoke("年假几天？")
        assert (answer.status, answer.claims[0].verdict) == ("rejected", "contradicted")
        assert answer.claims[0].reason == "：ScriptedModel 认为资料和这句话矛盾"
    agreeing = build_answer_chain(fixed(LEAVE), settings, chat=scripted("年假为10天[资料1]。", "支持"))
    assert agreeing.invoke("年假几天？").status == "answered"
