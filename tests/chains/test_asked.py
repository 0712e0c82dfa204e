"""True sentences with true citations that do not answer what was asked."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju import Settings
from youju.chains import CitationError, CitationParser, CitedAnswer, Evidence, answer_events, build_answer_chain
from youju.chains.asked import Asked
from youju.chains.result import Claim, Quote

Make = Callable[..., Any]
FAIR = "首届农机展由丰禾集团承办，2019年在临泉县会展中心举行，参展企业86家，门票20元。"


@pytest.fixture
def ask(scripted: Make, fixed: Make) -> Callable[..., CitedAnswer]:
    """Answer from one page on a fair, with a model that says these replies."""

    def answer(question: str, *replies: str, **options: Any) -> CitedAnswer:
        settings = Settings.model_validate({"answer": {"max_retries": len(replies) - 1, **options}})
        return build_answer_chain(fixed(FAIR), settings, chat=scripted(*replies)).invoke(question)

    return answer


@pytest.mark.parametrize(
    ("question", "reply", "why"),
    [
        ("首届农机展在哪里举办？", "丰禾集团[资料1]", "问的是地点，回答里没有"),
        ("门票多少钱？", "首届农机展由丰禾集团承办[资料1]。", "问的是金额，回答里没有"),
        ("首届农机展是哪一年举行的？", "首届农机展在临泉县会展中心举行[资料1]。", "问的是年份，回答里没有"),
        ("谁承办了首届农机展？", "86[资料1]", "问的是人或单位，回答里只有数字"),
        ("2023年农机展的门票多少钱？", "2019年，门票20元[资料1]。", "问的是“2023”，依据写的是“2019”"),
        ("2023年农机展的门票多少钱？", "门票20元[资料1]。", "问的是“2023”，依据写的是“2019”"),
    ],
)
def test_a_true_sentence_that_does_not_hold_what_was_asked_is_no_answer(
    question: str, reply: str, why: str, ask: Make
) -> None:
    answer = ask(question, reply)
    assert (answer.status, answer.answer, answer.citations) == ("rejected", "", [])
    (claim,) = answer.claims
    assert (claim.verdict, claim.removed, claim.reason) == ("supported", True, f"没有答到所问：{why}")


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("首届农机展在哪里举办？", "临泉县会展中心[资料1]"),
        ("门票多少钱？", "20元[资料1]"),
        ("首届农机展是哪一年举行的？", "2019年[资料1]"),
        ("谁承办了首届农机展？", "丰禾集团[资料1]"),
        ("2019年农机展的门票多少钱？", "门票20元[资料1]。"),
        ("参展企业有多少家？", "首届农机展由丰禾集团承办[资料1]。参展企业86家[资料1]。"),
        ("说说首届农机展", "首届农机展由丰禾集团承办[资料1]。"),
    ],
)
def test_an_answer_that_holds_it_in_any_sentence_stands_whole(question: str, reply: str, ask: Make) -> None:
    answer = ask(question, reply)
    assert (answer.status, answer.answer) == ("answered", reply)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("押金多少钱？", "不收押金"),
        ("退货期限是多久？", "七天"),
        ("什么时候发货？", "付款后发货"),
        ("宠物可以进园吗？", "可以进园"),
        ("甲店和乙店相比，哪家开业时间更早？", "甲店更早"),
        ("分为哪几个部分？", "前言、正文和附录"),
        ("为什么停水？", "检修管道"),
        ("比2020年增长多少？", "增长8%"),
        ("2021年的产量是多少？", "产量300吨，比2020年增加20吨"),
        ("根据2023年的年报，公司如何降低成本？", "2017年起集中采购"),
        ("第十二条规定了什么期限？", "第十二条规定期限为三十日"),
        ("How long is the warranty?", "two years"),
        ("How much is the deposit?", "There is no deposit."),
    ],
)
def test_what_only_may_be_beside_the_question_is_left_alone(question: str, said: str) -> None:
    assert Asked(question).beside(claim(said)) is None


def claim(text: str, quoted: str = "") -> Claim:
    quotes = [Quote(n=1, start=0, end=len(quoted), text=quoted)] if quoted else []
    return Claim(text=text, citations=[1], verdict="supported", quotes=quotes)


def beside(question: str, said: str, block: str) -> str | None:
    """Why a claim is no answer that quotes all of the one block."""
    evidence = Evidence(n=1, id="1", text=block, source="a.md", location="a.md")
    return Asked(question, [evidence]).beside(claim(said, block))


@pytest.mark.parametrize("question", ["", "？", "  "])
@pytest.mark.parametrize("said", ["周岚", "谁是导演？", "年假", "10天"])
def test_where_nothing_is_asked_any_claim_will_do(question: str, said: str) -> None:
    assert beside(question, said, f"导演周岚说年假为10天。{said}") is None


@pytest.mark.parametrize(
    ("question", "said", "why"),
    [
        ("2022农机展冠军品牌", "2022年农机展冠军品牌", "问的是“2022农机展冠军品牌”，回答里只有问题里的话"),
        ("农机展的口号是什么？", "农机展的口号", "问的是“农机展的口号是什么”，回答里只有问题里的话"),
        (
            "东馆和西馆哪个展位多？",
            "根据展位表，东馆和西馆哪个展位多？",
            "问的是“东馆和西馆哪个展位多”，回答里只有问题里的话",
        ),
        ("农机展在哪里举办？", "农机展举办期间", "问的是“农机展在哪里举办”，回答里只有问题里的话"),
        ("2022农机展开始时间", "2022年", "问的是时间，回答里没有"),
        ("农机展的口号是什么？", "农机展的口号是“丰收”", None),
        ("2022农机展开始时间", "2023年", None),
        ("三江口车站建成时叫什么？", "三江口", None),
        ("K7客车的全称是什么？", "K7", "问的是“K7客车的全称是什么”，回答里只有问题里的话"),
        ("K7客车的全称是什么？", "K7型低地板客车", None),
        ("甲店、乙店、丙店里，哪家开业最早？", "甲店开业最早", None),
        ("用的是甲方案还是乙方案？", "用的是甲方案", None),
        ("甲店和乙店的面积相比如何？", "甲店和乙店的面积", None),
        ("会员可以退货吗？", "会员可以退货", None),
        ("甲店和乙店分别由谁管理？", "甲店由乙店管理", None),
    ],
)
def test_words_of_the_question_alone_answer_nothing_unless_they_settle_or_choose(
    question: str, said: str, why: str | None
) -> None:
    assert Asked(question).beside(claim(said)) == why


def test_words_that_ask_nothing_are_answered_by_themselves_where_the_evidence_holds_them() -> None:
    assert beside("迟到会扣工资？", "迟到会扣工资", "迟到一次扣工资50元。") is None
    assert (
        beside("芦溪水库的库容", "芦溪水库的库容", "各地水库已经蓄水。")
        == "问的是“芦溪水库的库容”，回答里只有问题里的话"
    )


@pytest.mark.parametrize(
    ("question", "said", "block", "why"),
    [
        ("陪产假有几天？", "98天", "女职工产假98天。", "问的是“陪产假”，依据写的是“产假”"),
        ("产假有几天？", "15天", "男职工陪产假15天。", "问的是“产假”，依据写的是“陪产假”"),
        ("产假有几天？", "98天", "产假98天，陪产假15天。", None),
        ("产假和陪产假各几天？", "15天", "陪产假15天。", None),
        ("产假几天？年假几天？", "年假5天", "陪产假15天，年假5天。", None),
        (
            "残奥会的口号是什么？",
            "残奥会的口号是“同行”",
            "冬奥会的口号是“同行”。",
            "问的是“残奥会”，依据写的是“奥运会”",
        ),
        ("冬奥会的口号是什么？", "“同行”", "冬残奥会的口号是“同行”。", "问的是“奥运会”，依据写的是“残奥会”"),
        ("总经理是谁？", "总经理是李木", "副总经理是李木。", "问的是“总经理”，依据写的是“副总经理”"),
        ("谁替经理签字？", "由副经理签字", "由副经理签字。", None),
    ],
)
def test_what_is_only_called_alike_is_another_thing(question: str, said: str, block: str, why: str | None) -> None:
    assert beside(question, said, block) == why


@pytest.mark.parametrize(
    ("question", "said", "block", "why"),
    [
        ("男子500米冠军是谁？", "江小荷", "江小荷获得女子500米冠军。", "问的是“男”，依据写的是“女”"),
        ("女单冠军是谁？", "江小荷", "江小荷获得女单冠军，李木获得男单冠军。", None),
        ("全年营收是多少？", "140亿元", "四季度营收140亿元。", "问的是“全年”，依据写的是“四季度”"),
        ("四季度营收是多少？", "四季度营收140亿元", "营收140亿元，四季度好于三季度。", None),
        ("2023年的票价是多少？", "2023年的票价是20元", "2019年的票价是20元。", "问的是“2023”，依据写的是“2019”"),
        ("2023年的票价是多少？", "2023年的票价是20元", "2019年起票价是20元，2023年不变。", None),
        ("2023年和2022年的票价是多少？", "2022年是20元", "2022年票价20元。", None),
    ],
)
def test_a_name_of_the_question_that_a_claim_repeats_must_stand_in_its_evidence_where_another_one_does(
    question: str, said: str, block: str, why: str | None
) -> None:
    assert beside(question, said, block) == why


BONUS = "2023年度年终奖为两个月工资，于2024年1月20日发放。"
DELAY = "乙方逾期交货的，每日向甲方支付合同总价0.3‰的违约金。"


@pytest.mark.parametrize(
    ("question", "said", "block", "why"),
    [
        ("2024年度年终奖是多少？", "两个月工资", BONUS, "问的是“2024年”，依据写的是“2023年”"),
        ("2024年的年终奖是几个月工资？", "两个月工资", BONUS, "问的是“2024年”，依据写的是“2023年”"),
        ("2023年年终奖是几个月工资？", "两个月工资", BONUS, None),
        ("2023年和2024年的年终奖各是几个月工资？", "2023年度年终奖为两个月工资", BONUS, None),
        (
            "2022年青石地震是几级？",
            "6.1级",
            "2022年6月1日青石6.1级地震是2013年青石7级地震的余震。",
            None,
        ),
        ("2024年票价是多少？", "25元", "2023年票价20元，2024年起25元。", None),
        ("甲方逾期付款的违约金是多少？", "每日0.3‰", DELAY, "问的是“甲方”，依据写的是“乙方”"),
        ("乙方逾期的违约金是多少？", "每日0.3‰", DELAY, None),
        ("甲方逾期付款的违约金是多少？", "每日0.1‰", "乙方逾期交货的按前条；甲方晚付的每日0.1‰。", None),
        ("出租人违约赔多少？", "两个月租金", "承租人违约的，赔偿两个月租金。", "问的是“出租人”，依据写的是“承租人”"),
        ("乙方收到多少违约金？", "每日0.3‰", DELAY, None),
    ],
)
def test_what_is_said_of_another_year_or_party_is_no_answer_unless_this_one_is_spoken_of_too(
    question: str, said: str, block: str, why: str | None
) -> None:
    assert beside(question, said, block) == why


@pytest.mark.parametrize(
    ("question", "said", "block", "why"),
    [
        (
            "北京冬奥会短道金牌得主是谁？",
            "李木，2018年平昌冬奥会短道金牌",
            "李木，2018年平昌冬奥会短道金牌。期待北京再现！",
            "问的是“北京冬奥会”，依据写的是“平昌冬奥会”",
        ),
        ("北京冬奥会短道金牌得主是谁？", "江小荷", "江小荷在北京冬奥会夺得短道金牌。", None),
        ("北京冬奥会得了几枚金牌？", "9枚", "中国队得9枚金牌，比2018年平昌冬奥会多8枚。", None),
        ("北京冬奥会的前一届在哪里？", "2018年平昌冬奥会", "北京之前是2018年平昌冬奥会。", None),
    ],
)
def test_games_elsewhere_are_other_games(question: str, said: str, block: str, why: str | None) -> None:
    assert beside(question, said, block) == why


def test_a_mere_name_is_no_answer_where_its_block_speaks_of_nothing_that_was_asked() -> None:
    question = "花样滑冰单人滑的金牌得主是谁？"
    why = "问的是“花样滑冰单人滑的金牌得主是谁”，依据没有写到它"
    assert beside(question, "金妍儿", "金妍儿带着微笑离开赛场。") == why
    assert beside(question, "花样滑冰单人滑的金牌得主是金妍儿", "金妍儿带着微笑离开赛场。") == why
    assert beside(question, "金妍儿", "单人滑比赛结束，金妍儿带着金牌离开赛场。") is None
    assert beside("老板是谁？", "金妍儿", "总经理：金妍儿。") is None


def test_a_month_that_only_the_asker_names_is_no_fact_where_the_evidence_names_others(
    scripted: Make, fixed: Make
) -> None:
    reply = "公司在2018年2月更新了风险框架[资料1]。"
    settings = Settings.model_validate({"answer": {"max_retries": 0}})

    def answer(text: str, question: str = "公司在2018年2月更新了什么？") -> CitedAnswer:
        return build_answer_chain(fixed(text), settings, chat=scripted(reply)).invoke(question)

    refused = answer("2018年1月公司调整了董事会。公司还更新了风险框架。")
    assert (refused.status, refused.claims[0].reason) == ("rejected", "：资料1里没有“2018年2月”")
    assert answer("2018年2月公司更新了风险框架。").status == "answered"
    assert answer("公司更新了风险框架。").status == "answered"
    assert answer("本报告写2018年1月至3月的事。公司更新了风险框架。").status == "answered"
    assert answer("本报告写2018年3月至4月的事。公司更新了风险框架。").status == "rejected"


@pytest.mark.parametrize(
    ("text", "reply", "why"),
    [
        ("武昌店2日开业。汉口店的停车费每小时5元。", "停车费每小时5元[资料1]。", None),
        ("西安店的停车费每小时8元。", "停车费每小时8元[资料1]。", "问的是“青岛”，依据写的是“西安”"),
        ("西安店的停车费每小时8元。", "8元[资料1]", "问的是“青岛”，依据写的是“西安”"),
        ("各店在青岛、西安。西安店的停车费每小时8元。", "停车费每小时8元[资料1]。", None),
        ("停车费每小时8元。", "停车费每小时8元[资料1]。", None),
    ],
)
def test_another_place_is_no_answer_unless_the_block_names_the_one_asked_about(
    text: str, reply: str, why: str | None, scripted: Make, fixed: Make
) -> None:
    question = "青岛店的停车费多少钱？" if why or "西安" in text else "停车费多少钱？"
    settings = Settings.model_validate({"answer": {"max_retries": 0}})
    answer = build_answer_chain(fixed(text), settings, chat=scripted(reply)).invoke(question)
    assert answer.status == ("rejected" if why else "answered")
    assert answer.claims[0].reason == (f"没有答到所问：{why}" if why else None)


def test_one_of_something_is_no_count_unless_it_is_what_is_counted() -> None:
    assert Asked("船上有多少人？").beside(claim("船由一家公司租用")) == "问的是人数，回答里没有"
    assert Asked("船上有多少人？").beside(claim("根据资料1，船由一家公司租用")) == "问的是人数，回答里没有"
    assert Asked("船上有多少人？").beside(claim("只有一名船员")) is None


def test_a_work_is_nobody() -> None:
    asked = Asked("李木在《长街》里演谁？")
    assert asked.beside(claim("李木在《长街》里演的《远山》")) == "问的是人或单位，回答里只有作品"
    assert asked.beside(claim("李木在《长街》里演掌柜")) is None


def test_numbers_that_only_repeat_the_question_are_no_answer() -> None:
    assert Asked("86家企业的门票总共多少钱？").beside(claim("参展企业86家")) == "问的是金额，回答里没有"
    assert Asked("86家企业的门票总共多少钱？").beside(claim("1,720元")) is None


def test_the_model_is_told_what_was_asked_and_its_better_answer_stands(scripted: Make, fixed: Make) -> None:
    model = scripted("丰禾集团[资料1]", "临泉县会展中心[资料1]")
    settings = Settings.model_validate({"answer": {"max_retries": 1}})
    answer = build_answer_chain(fixed(FAIR), settings, chat=model).invoke("首届农机展在哪里举办？")
    assert (answer.status, answer.answer, answer.attempts) == ("answered", "临泉县会展中心[资料1]", 2)
    assert "没有答到所问：问的是地点，回答里没有" in model.prompts[1][-1].text


def test_a_sentence_that_says_what_is_missing_stays_when_what_is_beside_it_goes(ask: Make) -> None:
    answer = ask("门票多少钱？", "首届农机展由丰禾集团承办[资料1]。资料中未提及门票的价格。")
    assert (answer.status, answer.answer) == ("not_found", "资料中未提及")


def test_without_comparing_with_the_evidence_nothing_is_beside_the_question(ask: Make) -> None:
    answer = ask("门票多少钱？", "首届农机展由丰禾集团承办[资料1]。", citations="coverage")
    assert answer.status == "answered"


def test_the_parser_alone_refuses_such_an_answer() -> None:
    block = Evidence(n=1, id="1", text=FAIR, source="fair.md", location="fair.md")
    parser = CitationParser(evidence=[block], require="grounded", question="首届农机展在哪里举办？")
    with pytest.raises(CitationError, match="没有答到所问：问的是地点，回答里没有"):
        parser.parse("丰禾集团[资料1]")
    assert parser.parse("临泉县会展中心[资料1]").citations == (1,)


def test_no_sentence_is_shown_before_one_answers(scripted: Make, fixed: Make) -> None:
    model = scripted(["首届农机展由丰禾集团承办[资料1]。\n", "门票20元[资料1]。\n", "参展企业86家[资料1]。"])
    chain = build_answer_chain(fixed(FAIR), Settings(), chat=model)
    shown = [  # with how many pieces the model had said by then
        (event.text.strip(), len(model.events))
        for event in answer_events(chain, "门票多少钱？")
        if event.kind == "sentence"
    ]
    assert shown == [
        ("首届农机展由丰禾集团承办[资料1]。", 3),  # once the third piece has settled the second sentence
        ("门票20元[资料1]。", 3),
        ("参展企业86家[资料1]。", 4),
    ]


def test_a_part_of_the_question_that_nothing_speaks_of_is_said_to_be_open(ask: Make) -> None:
    answer = ask("门票多少钱？停车场几点关门？", "门票20元[资料1]。")
    assert (answer.status, answer.answer) == ("partial", "门票20元[资料1]。")
    assert answer.reason == "没有回答“停车场几点关门”"
    assert answer.refusal is not None
    assert answer.refusal.asked == ["停车场几点关门"]


def test_a_part_whose_sentence_was_taken_out_is_open_too(ask: Make) -> None:
    answer = ask("门票多少钱？停车场几点关门？", "门票20元[资料1]。停车场22点关门[资料1]。")
    assert (answer.status, answer.answer) == ("partial", "门票20元[资料1]。")
    assert str(answer.reason).endswith("；没有回答“停车场几点关门”")
    assert answer.refusal is not None
    assert answer.refusal.steps[-1].reason == "模型写到这一部分的话没有通过引用检查"


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_question_and_any_sentence_can_be_compared(question: str, said: str) -> None:
    asked = Asked(question)
    why = asked.beside(claim(said))
    assert why is None or why.startswith("问的是")
    assert len(asked.left_open([claim(said)])) <= len(question)
