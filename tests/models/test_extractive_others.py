"""The built-in chat model on rules and contracts: which one is asked about, and what of it."""

import pytest
from langchain_core.messages import HumanMessage

from youju.models import ExtractiveChatModel
from youju.models.questions import question_parts, with_subjects

NOT_FOUND = "资料中未提及。"

LIBRARY = """# 图书室使用规则
管理员为苏婷，邮箱 suting@lib.cn。
遗失图书的，按原价的两倍赔偿。
正式员工每次可借5本，借期为30天；外包人员每次可借2本，借期为14天。
图书室位于主楼三层，周日不开放。
图书每半年采购一次。"""
CONTRACT = """# 阀门采购合同
甲方联系人为韩雪，电话 0571-88123456。
预付款为合同总价的20%，合同生效后7日内支付。
运费由乙方承担，卸货费由甲方承担。
质保期为18个月。
乙方逾期交货的，每日支付合同总价0.3‰的违约金，累计不超过合同总价的3%。
乙方有权在甲方逾期付款超过60日时解除合同。"""
STAFF = """# 人事制度
试用期员工不参加年终奖评定，但享受节日福利。
试用期工资为转正工资的80%。
技术部实行弹性工作制。
入职体检费用由个人承担。
每年4月进行一次调薪，调薪幅度不超过15%。
1. 婚假：3天。
2. 护理假：20天。"""
PROJECT = """# 园区项目
项目负责人为段飞，技术负责人为俞敏，邮箱 yumin@park.cn。
需求调研3月5日开始，3月25日结束；系统设计4月1日开始。
周会每周三召开，由项目负责人主持。周报每周五提交给客户代表。"""
MACHINE = """净水机X9使用手册
额定功率 65 瓦，净重 12.5 千克。
安装位置离热源至少1米。"""


def ask(question: str, text: str) -> str:
    return (
        ExtractiveChatModel().invoke([HumanMessage(f"<资料>\n[资料1] a.md\n{text}\n</资料>\n\n问题：{question}")]).text
    )


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("试用期有年终奖吗？", STAFF, "试用期员工不参加年终奖评定，但享受节日福利[资料1]。"),
        ("试用期工资是多少？", STAFF, "试用期工资为转正工资的80%[资料1]。"),
        ("入职体检费用谁出？", STAFF, "入职体检费用由个人承担[资料1]。"),
        ("调薪每年几次？", STAFF, "每年4月进行一次调薪，调薪幅度不超过15%[资料1]。"),
        ("调薪上限是多少？", STAFF, "每年4月进行一次调薪，调薪幅度不超过15%[资料1]。"),
        ("预付款比例是多少？", CONTRACT, "预付款为合同总价的20%，合同生效后7日内支付[资料1]。"),
        ("质保期是两年吗？", CONTRACT, "质保期为18个月[资料1]。"),
        ("运费谁出？", CONTRACT, "运费由乙方承担，卸货费由甲方承担[资料1]。"),
        ("乙方可以解除合同吗？", CONTRACT, "乙方有权在甲方逾期付款超过60日时解除合同[资料1]。"),
        ("净水机多重？", MACHINE, "额定功率 65 瓦，净重 12.5 千克[资料1]。"),
        ("离热源要多远？", MACHINE, "安装位置离热源至少1米[资料1]。"),
        ("图书室周日开门吗？", LIBRARY, "图书室位于主楼三层，周日不开放[资料1]。"),
        ("周报交给谁？", PROJECT, "周报每周五提交给客户代表[资料1]。"),
        ("需求调研什么时候结束？", PROJECT, "需求调研3月5日开始，3月25日结束；系统设计4月1日开始[资料1]。"),
    ],
)
def test_a_question_near_the_words_of_the_text_is_answered(question: str, text: str, said: str) -> None:
    assert ask(question, text) == said


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("测试负责人是谁？", PROJECT),
        ("段飞的电话是多少？", PROJECT),
        ("副管理员是谁？", LIBRARY),
        ("销售部实行弹性工作制吗？", STAFF),
        ("安装费由谁承担？", CONTRACT),
        ("甲方可以解除合同吗？", CONTRACT),
        ("韩雪的邮箱是什么？", CONTRACT),
        ("系统设计什么时候结束？", PROJECT),  # only when it begins
        ("合同什么时候生效？", CONTRACT),  # only what is due after it
        ("图书室有多少人？", LIBRARY),
        ("净水机多少钱？", MACHINE),  # a rated power is no amount of money
        ("谁批准合同？", "未经批准的合同，财务部不予付款。"),
    ],
)
def test_what_is_said_of_another_one_is_no_answer(question: str, text: str) -> None:
    assert ask(question, text) == NOT_FOUND


def test_what_is_said_of_another_year_or_party_is_passed_over() -> None:
    before = "2023年度年终奖为两个月工资，于2024年1月20日发放。"
    assert ask("2024年度年终奖是多少？", before) == NOT_FOUND
    assert ask("2023年度年终奖是多少？", before) == f"{before[:-1]}[资料1]。"
    assert (
        ask("2024年度年终奖是多少？", f"{before}\n2024年度年终奖为三个月工资。")
        == "2024年度年终奖为三个月工资[资料1]。"
    )
    delay = "乙方逾期交货的，每日支付合同总价0.3‰的违约金。"
    assert ask("甲方逾期付款的违约金是多少？", delay) == NOT_FOUND
    assert ask("乙方逾期交货的违约金是多少？", delay) == f"{delay[:-1]}[资料1]。"


def test_who_a_party_is_is_not_said_by_what_it_does() -> None:
    duty = "承租人应于每月5日前支付租金，月租金为85000元。"
    assert ask("承租人是谁？", duty) == NOT_FOUND
    assert ask("承租人是谁？", f"{duty}\n承租人：青石科技有限公司") == "承租人：青石科技有限公司[资料1]。"
    assert ask("承租人是哪家公司？", "承租人（乙方）：青石科技有限公司") == "承租人（乙方）：青石科技有限公司[资料1]。"
    assert ask("承租人是不是每月5日前支付租金？", duty) == f"{duty[:-1]}[资料1]。"


def test_a_leave_inside_the_name_of_another_leave_is_not_meant() -> None:
    text = "1. 产假：158天。\n2. 陪产假：15天。"
    assert ask("产假是不是98天？", text) == "1. 产假：158天[资料1]。"
    assert ask("产假几天？", text) == "1. 产假：158天[资料1]。"
    assert ask("陪产假几天？", text) == "2. 陪产假：15天[资料1]。"
    assert ask("产假几天？", "陪产假：15天。") == NOT_FOUND
    days = "满一年的每年有10天年假；满十年的有15天。没有休完的年假可以留到3月31日。"
    assert ask("年假有几天？", days) == "满一年的每年有10天年假；满十年的有15天[资料1]。"


def test_the_same_is_asked_of_each_of_several_things() -> None:
    assert ask("婚假、护理假各几天？", STAFF) == "1. 婚假：3天[资料1]。2. 护理假：20天[资料1]。"
    said = ask("X9的功率、净重和价格各是多少？", MACHINE)
    assert said == "额定功率 65 瓦，净重 12.5 千克[资料1]。关于“X9的价格是多少”，资料中未提及。"


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("婚假、产假、陪产假各几天？", ["婚假几天", "产假几天", "陪产假几天"]),
        ("X9的功率、重量和价格各是多少？", ["X9的功率是多少", "X9的重量是多少", "X9的价格是多少"]),
        ("甲公司和乙公司的收入分别是多少？", ["甲公司的收入是多少", "乙公司的收入是多少"]),
        ("各部门和各分公司的预算是多少？", ["各部门和各分公司的预算是多少"]),
    ],
)
def test_a_list_of_things_makes_a_part_of_each(question: str, parts: list[str]) -> None:
    assert [part.text for part in question_parts(question)] == parts


def test_a_part_that_names_an_aspect_only_is_about_what_the_part_before_is_about() -> None:
    first, second = with_subjects(question_parts("违约金怎么算，上限多少？"))
    assert [word.text for word in first.words] == ["违约金", "算"]
    assert second.text == "上限多少"
    assert [word.text for word in second.words] == ["违约金", "上限"]
    assert ask("违约金怎么算，上限多少？", CONTRACT) == (
        "乙方逾期交货的，每日支付合同总价0.3‰的违约金，累计不超过合同总价的3%[资料1]。"
    )


def test_a_value_that_a_question_wants_confirmed_says_what_kind_is_asked_for() -> None:
    (part,) = question_parts("质保期是三年吗？")
    assert part.kind is not None
    assert part.kind.name == "length"
    assert [word.text for word in part.words] == ["质保期"]
    (part,) = question_parts("试用期有年假吗？")
    assert part.kind is None


def test_one_step_that_is_asked_for_comes_alone() -> None:
    text = "# 故障处理\n1. 指示灯闪红灯时，更换滤芯。\n2. 出水变小时，检查进水阀。"
    assert ask("出水变小怎么处理？", text) == "2. 出水变小时，检查进水阀[资料1]。"
