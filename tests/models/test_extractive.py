"""The built-in chat model: what it answers, and what it does not."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_tests.integration_tests import ChatModelIntegrationTests
from langchain_tests.unit_tests import ChatModelUnitTests

from youju.models import ExtractiveChatModel

NOT_FOUND = "资料中未提及。"


def prompt(question: str, texts: Sequence[str], headers: Sequence[str] = ()) -> list[HumanMessage]:
    headers = headers or [f"{n}.md" for n in range(1, len(texts) + 1)]
    blocks = [
        f"[资料{n}] {header}\n{text}" for n, (header, text) in enumerate(zip(headers, texts, strict=True), start=1)
    ]
    return [HumanMessage("<资料>\n" + "\n\n".join(blocks) + f"\n</资料>\n\n问题：{question}")]


def ask(question: str, *texts: str, headers: Sequence[str] = ()) -> str:
    return ExtractiveChatModel().invoke(prompt(question, texts, headers)).text


HANDBOOK = (
    "员工入职满一年后可享受年假10天，年假须提前三个工作日申请。",
    "病假须提交二级以上医院的证明，病假工资按基本工资的80%发放。",
    "报销须在费用发生后三十天内提交，由直属主管审批，金额超过五千元的由财务总监审批。",
    "差旅住宿标准为每晚不超过450元，乘坐高铁二等座。",
)
MEMBERS = ("会员订单自签收之日起15天内可以申请退货，普通订单为7天。", "定制商品不支持无理由退货。退款3个工作日内退回。")
COMPANY = ("公司注册地为南京，成立于2015年3月。", "公司设法定代表人一名，由董事会选举产生。")
PLANT = ("设备由维修班负责检修，检修记录存档。", "阀门每季度检查一次。")
POINTS = ("积分商城每周五10点更新，积分不可转让或兑换现金。",)
ROOM = ("会议室须提前一天预订，使用后关闭投影仪。",)
SERVICE = ("客服工作时间为9点到18点，周末休息。",)
LEAVE = ("Employees get 10 days of annual leave per year.", "Sick leave needs a certificate.")
SHOP = (
    "Items may be returned within seven days of delivery.",
    "Opened items cannot be returned.",
    "Shipping takes two days.",
)
MODELS = ("BX-100 的功率为 30W。", "BX-200 的重量为 2kg。")


@pytest.mark.parametrize(
    ("question", "texts", "said"),
    [
        ("年假有多少天？", HANDBOOK, "年假10天"),
        ("病假工资怎么发？", HANDBOOK, "80%"),
        ("谁审批报销？", HANDBOOK, "直属主管"),
        ("报销要在多久之内提交？", HANDBOOK, "三十天"),
        ("住宿标准是多少？", HANDBOOK, "450元"),
        ("会员买的非定制商品，签收10天后还能申请退货吗？", MEMBERS, "15天"),
        ("定制商品能退货吗？", MEMBERS, "定制商品不支持"),
        ("公司成立于哪一年？", COMPANY, "2015年"),
        ("公司在哪里注册？", COMPANY, "南京"),
        ("阀门多久检查一次？", PLANT, "每季度"),
        ("谁负责设备检修？", PLANT, "维修班"),
        ("积分可以转让吗？", POINTS, "积分不可转让"),
        ("会议室要提前多久预订？", ROOM, "提前一天"),
        ("How many days of annual leave?", LEAVE, "10 days"),
        ("BX-100 的功率是多少？", MODELS, "30W"),
        ("2022年的营业收入是多少？", ("2022年公司营业收入为12亿元。", "2021年公司营业收入为10亿元。"), "12亿元"),
        ("第四条规定了什么？", ("第三条 费用由甲方承担。", "第四条 乙方负责运输。"), "乙方负责运输"),
        ("为什么要戴安全帽？", ("进入车间须戴安全帽，以免被坠物砸伤。",), "以免被坠物砸伤"),
        ("客服电话是多少？", ("客服电话为 400-123-4567。",), "400-123-4567"),
    ],
)
def test_it_answers_with_the_sentence_that_says_so(question: str, texts: tuple[str, ...], said: str) -> None:
    answer = ask(question, *texts)
    assert said in answer
    assert "未提及" not in answer


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        # the topic is named, the fact is not
        ("年假可以折算成工资吗？", HANDBOOK),
        ("年假可以结转到下一年吗？", HANDBOOK),
        ("病假最多可以请几天？", HANDBOOK),
        ("报销款什么时候到账？", HANDBOOK),
        ("谁负责审批年假？", HANDBOOK),
        ("财务总监叫什么名字？", HANDBOOK),
        ("出差每天的餐补是多少钱？", HANDBOOK),
        ("报销需要提供发票吗？", HANDBOOK),
        ("试用期有年假吗？", HANDBOOK),
        ("退货运费由谁承担？", MEMBERS),
        ("退货地址是什么？", MEMBERS),
        ("公司注册资本是多少？", COMPANY),
        ("谁是公司的法定代表人？", COMPANY),
        ("设备多久检修一次？", PLANT),
        ("为什么要每季度检查阀门？", PLANT),
        ("积分有效期多久？", POINTS),
        ("会议室能容纳多少人？", ROOM),
        ("谁可以使用会议室？", ROOM),
        ("客服电话是多少？", SERVICE),
        ("违约金是多少？", ("一方违约的，应当承担违约责任。",)),
        ("仓库的温度要求是多少？", ("仓库须保持干燥通风，每日记录温度。",)),
        ("停车费多少？", ("地下车库对员工开放，停车须登记车牌。",)),
        ("Who approves annual leave?", LEAVE),
        ("What is the parental leave policy?", LEAVE),
        # another year, model, article or party
        ("2023年的营业收入是多少？", ("2022年公司营业收入为12亿元。",)),
        ("BX-200 的功率是多少？", MODELS),
        ("BX-200 的功率是多少？", (" ".join(MODELS),)),
        ("第五条规定了什么？", ("第三条 费用由甲方承担。",)),
        ("乙公司的营业收入是多少？", ("甲公司营业收入为12亿元。",)),
        # another topic
        ("红烧肉怎么做？", HANDBOOK),
        ("产假有多少天？", HANDBOOK),
        ("公司地址在哪里？", HANDBOOK),
        ("可以坐飞机吗？", HANDBOOK),
    ],
)
def test_it_does_not_answer_with_a_sentence_that_says_something_else(question: str, texts: tuple[str, ...]) -> None:
    assert ask(question, *texts) == NOT_FOUND


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Can an opened item be returned?", "Opened items cannot be returned[资料2]。"),
        ("How long does shipping take?", "Shipping takes two days[资料3]。"),
        ("Is gift wrapping free?", NOT_FOUND),
    ],
)
def test_an_english_question_is_answered_in_the_words_of_english_evidence(question: str, said: str) -> None:
    assert ask(question, *SHOP) == said


def test_asked_for_one_passage_as_json_it_gives_the_sentence_and_its_block() -> None:
    asked = SystemMessage('Write {"source": "资料1", "quote": "passage", "answer": "passage"}')
    reply = ExtractiveChatModel().invoke([asked, *prompt("Can an opened item be returned?", SHOP)])
    said = "Opened items cannot be returned"
    assert json.loads(reply.text) == {"source": "资料2", "quote": said, "answer": said}


@pytest.mark.parametrize("question", ["什么是图神经网络？", "图神经网络是什么？", "图神经网络是指什么？"])
def test_a_definition_goes_before_another_sentence_with_the_same_words(question: str) -> None:
    texts = ("本文使用图神经网络做推荐。图神经网络是一类在图上学习表示的神经网络。",)
    assert ask(question, *texts) == "图神经网络是一类在图上学习表示的神经网络[资料1]。"


def test_a_value_that_another_block_has_too_goes_before_one_that_stands_alone() -> None:
    texts = ("昨日展会入场人数约为3000人。", "展会入场人数为5200人。", "这次展会的入场人数有5200人之多。")
    assert "5200人" in ask("展会的入场人数是多少？", *texts)


def test_it_cites_the_block_and_says_the_sentence_word_for_word() -> None:
    assert ask("阀门多久检查一次？", *PLANT) == "阀门每季度检查一次[资料2]。"


def test_each_part_of_a_question_has_its_own_answer() -> None:
    texts = ("退款在3个工作日内到账。", "电子产品保修一年。")
    assert ask("退款几天到账? 保修几年?", *texts) == "退款在3个工作日内到账[资料1]。电子产品保修一年[资料2]。"


def test_a_part_that_is_not_answered_is_named() -> None:
    answer = ask("阀门多久检查一次？备件多少钱？", *PLANT)
    assert answer == "阀门每季度检查一次[资料2]。关于“备件多少钱”，资料中未提及。"


def test_a_heading_and_a_question_stand_for_the_sentences_below_them() -> None:
    assert ask("年假有多少天？", "# 年假\n每年10天。\n\n# 病假\n每年5天。") == "每年10天[资料1]。"
    assert ask("能不能开发票？", "问：能不能开发票？\n可以，请联系客服。") == "可以，请联系客服[资料1]。"


def test_a_sharp_without_a_blank_makes_no_heading() -> None:
    assert ask("年假几天？", "#年假为十天\n病假另算") == "#年假为十天[资料1]。"
    assert ask("年假几天？", "# 年假为十天\n病假另算") == NOT_FOUND


def test_a_part_of_several_sentences_is_repeated_as_one() -> None:
    said = ask("年假几天？我在上海。请问“探亲”假几天？", "员工年假为十天。")
    assert said == "员工年假为十天[资料1]。关于“我在上海 请问‘探亲’假几天”，资料中未提及。"


def test_a_long_run_of_marks_in_a_sentence_is_no_burden() -> None:
    said = ask("年假几天？", "年假为十天" + "!" * 60_000 + "a")
    assert said == "年假为十天" + "!" * 60_000 + "a[资料1]。"


def test_the_year_may_stand_in_the_name_of_the_file() -> None:
    texts = ("营业收入为12亿元。", "营业收入为10亿元。")
    answer = ask("2023年的营业收入是多少？", *texts, headers=["2022年年报.pdf", "2023年年报.pdf"])
    assert answer == "营业收入为10亿元[资料2]。"


def test_lists_lose_their_marks_and_line_breaks() -> None:
    assert ask("年假有多少天？", "- 年假\n- 年假为10天！") == "年假为10天[资料1]。"


@pytest.mark.parametrize("messages", [[HumanMessage("你好")], [SystemMessage("甲"), AIMessage("乙")]])
def test_without_evidence_in_the_prompt_it_finds_nothing(messages: list[Any]) -> None:
    assert ExtractiveChatModel().invoke(messages).text == NOT_FOUND


def test_after_a_retry_it_answers_the_question_again() -> None:
    messages = prompt("阀门多久检查一次？", PLANT)
    again = ExtractiveChatModel().invoke([*messages, AIMessage("不知道"), HumanMessage("请重新回答")])
    assert again.text == "阀门每季度检查一次[资料2]。"


async def test_streams_and_awaited_calls_say_the_same() -> None:
    messages = prompt("年假有多少天？", HANDBOOK)
    model = ExtractiveChatModel()
    whole = model.invoke(messages).text
    pieces = [chunk.text for chunk in model.stream(messages)]
    assert len(pieces) > 1
    assert "".join(pieces) == whole
    assert (await model.ainvoke(messages)).text == whole
    assert "".join([chunk.text async for chunk in model.astream(messages)]) == whole


def test_it_says_why_it_stopped_and_which_model_it_is() -> None:
    reply = ExtractiveChatModel().invoke(prompt("年假有多少天？", HANDBOOK))
    assert reply.response_metadata["finish_reason"] == "stop"
    assert reply.response_metadata["model_name"] == "extractive"


@given(question=st.text(max_size=30), texts=st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_no_text_crashes_it_and_it_says_only_what_stands_there(question: str, texts: list[str]) -> None:
    clean = [text.replace("[", "〔").replace("<", "‹") for text in texts]
    answer = ask(question, *clean)
    assert answer.endswith("。")
    assert ask(question, *clean) == answer
    stood = (
        "".join("".join(clean).split()) + "".join(question.split()) + "关于“”，资料中未提及。[]1234：；"
    )  # cells of a row
    assert set("".join(answer.split())) <= set(stood)


class _Standard:
    @pytest.fixture
    def benchmark(self) -> Callable[[Callable[[], Any]], Any]:
        """Run what would be measured: speed is no matter of these tests, and pytest-benchmark is switched off."""
        return lambda run: run()

    @property
    def chat_model_class(self) -> type[BaseChatModel]:
        return ExtractiveChatModel

    @property
    def chat_model_params(self) -> dict[str, Any]:
        return {}

    @property
    def has_tool_calling(self) -> bool:
        return False  # it quotes evidence and can do nothing else

    @property
    def has_structured_output(self) -> bool:
        return False  # its answers are sentences of the evidence

    @property
    def returns_usage_metadata(self) -> bool:
        return False  # it has no tokens


class TestStandardUnit(_Standard, ChatModelUnitTests):
    """LangChain's unit tests of chat models."""


class TestStandardIntegration(_Standard, ChatModelIntegrationTests):
    """LangChain's integration tests of chat models, all offline here."""
