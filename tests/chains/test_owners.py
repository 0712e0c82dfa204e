"""Values beside what they are said of: neighbours that swap them, and what a claim adds to them."""
# ruff: noqa: E501 - evidence and the claims on it are one line each

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.chains.grounding import check_claim
from youju.chains.result import Evidence
from youju.chains.values import folded, values

LEAVE = "正式员工每年享受带薪年休假10天。病假每年不扣薪的部分为5天。婚假为3天，产假为158天，陪产假为15天。"
TICKETS = "| 座位 | 平日票价 | 周末票价 |\n|---|---|---|\n| 一等座 | 280元 | 320元 |\n| 二等座 | 175元 | 199元 |\n| 无座 | 175元 | 185元 |"
FEES = "停车收费标准：\n- 小型车：每小时4元\n- 大型车：每小时9元\n- 电动车：每小时1元"
PRIZES = "一等奖、二等奖和三等奖分别奖励5000元、3000元和1000元。甲组和乙组的名额分别为12名和8名。"
YEAR = "2023年公司营业收入为86亿元，营业外收入为2亿元；利润总额为9亿元，净利润为7亿元。2022年公司营业收入为71亿元，净利润为6亿元。"
WARRANTY = "手机的保修期为12个月，手机电池的保修期为6个月。充电器的质保为3个月。"
SIZES = "Model A weighs 3 kg. Model B weighs 5 kg. The battery lasts 8 hours, the screen is guaranteed for 24 months."
PLAIN = "新员工培训为10天，补贴为2000元，签到时间为上午9点，开班日期为2024年5月1日，通过率为30%。"
JOINED_LINES = "全国夏粮单位面积产量5555.6公斤/公顷　　河北单位面积产量6708.7公斤/公顷　　去年河北6681.5公斤/公顷　　增长27.2公斤/公顷　　数据来源：统计　　年鉴"

WHOSE = [
    (JOINED_LINES, "", "河北单位面积产量6708.7公斤/公顷。", "supported"),
    (JOINED_LINES, "", "河北单位面积产量5555.6公斤/公顷。", "contradicted"),
    (JOINED_LINES, "", "全国夏粮单位面积产量6708.7公斤/公顷。", "contradicted"),
    (LEAVE, "", "年休假为10天。", "supported"),
    (LEAVE, "", "年假为10天。", "supported"),
    (LEAVE, "", "年假为5天。", "contradicted"),
    (LEAVE, "", "病假为5天。", "supported"),
    (LEAVE, "", "病假为10天。", "contradicted"),
    (LEAVE, "", "产假为158天。", "supported"),
    (LEAVE, "", "产假为15天。", "contradicted"),
    (LEAVE, "", "陪产假为15天。", "supported"),
    (LEAVE, "", "陪产假为158天。", "contradicted"),
    (LEAVE, "产假有几天？", "158天", "supported"),
    (LEAVE, "产假有几天？", "15天", "contradicted"),
    (LEAVE, "请问陪产假有多少天？", "一共15天。", "supported"),
    (LEAVE, "请问婚假有多少天？", "一共15天。", "contradicted"),
    (TICKETS, "", "一等座的平日票价是280元。", "supported"),
    (TICKETS, "", "一等座的平日票价是320元。", "contradicted"),
    (TICKETS, "", "二等座的周末票价是199元。", "supported"),
    (TICKETS, "", "二等座的周末票价是320元。", "contradicted"),
    (TICKETS, "", "无座的周末票价是185元。", "supported"),
    (TICKETS, "", "无座的周末票价是175元。", "contradicted"),
    (FEES, "", "小型车每小时收4元。", "supported"),
    (FEES, "", "小型车每小时收9元。", "contradicted"),
    (FEES, "", "大型车每小时收9元。", "supported"),
    (FEES, "", "电动车每小时收4元。", "contradicted"),
    (PRIZES, "", "二等奖奖励3000元。", "supported"),
    (PRIZES, "", "二等奖奖励5000元。", "contradicted"),
    (PRIZES, "", "三等奖奖励1000元。", "supported"),
    (PRIZES, "", "一等奖奖励1000元。", "contradicted"),
    (PRIZES, "", "乙组的名额为8名。", "supported"),
    (PRIZES, "", "乙组的名额为12名。", "contradicted"),
    (PRIZES, "", "甲组和乙组的名额分别是12名和8名。", "supported"),
    (PRIZES, "", "甲组和乙组的名额分别是8名和12名。", "contradicted"),
    (YEAR, "", "2023年净利润为7亿元。", "supported"),
    (YEAR, "", "2023年净利润为9亿元。", "contradicted"),
    (YEAR, "", "2023年营业收入为86亿元。", "supported"),
    (YEAR, "", "2023年营业外收入为86亿元。", "contradicted"),
    (YEAR, "", "2022年营业收入为71亿元。", "supported"),
    (YEAR, "", "2022年营业收入为86亿元。", "contradicted"),
    (WARRANTY, "", "手机保修12个月。", "supported"),
    (WARRANTY, "", "手机电池的保修期为12个月。", "contradicted"),
    (WARRANTY, "", "手机电池的保修期是半年。", "supported"),
    (WARRANTY, "", "手机的保修期为6个月。", "contradicted"),
    (SIZES, "", "Model B weighs 5 kg.", "supported"),
    (SIZES, "", "Model B weighs 3 kg.", "contradicted"),
]
"""Evidence, the question, a claim on it, and the verdict."""

ADDED = [
    ("培训为10天。", "supported"),
    ("培训为十天。", "supported"),
    ("培训为拾天。", "supported"),
    ("培训为两周。", "contradicted"),
    ("培训为俩天。", "contradicted"),
    ("培训为廿天。", "contradicted"),
    ("培训为几十天。", "contradicted"),
    ("培训为十几天。", "contradicted"),
    ("培训为超过10天。", "contradicted"),
    ("培训不足10天。", "contradicted"),
    ("培训为10天以上。", "contradicted"),
    ("培训为10余天。", "contradicted"),
    ("培训为每月10天。", "contradicted"),
    ("培训为٩٠天。", "contradicted"),
    ("培训为१०天。", "supported"),
    ("补贴为2000元。", "supported"),
    ("补贴为贰仟元。", "supported"),
    ("补贴为贰万元。", "contradicted"),
    ("补贴为2000元/月。", "contradicted"),
    ("签到时间为早上9点。", "supported"),
    ("签到时间为9:00。", "supported"),
    ("签到时间为下午9点。", "contradicted"),
    ("签到时间为晚上9点。", "contradicted"),
    ("开班日期为5月1日。", "supported"),
    ("开班日期为5月初。", "supported"),
    ("开班日期为5月底。", "contradicted"),
    ("开班日期为5月1日以后。", "contradicted"),
    ("通过率为三成。", "supported"),
    ("通过率为30%以上。", "contradicted"),
]
"""Claims on `PLAIN`."""

SHOP = "普通快递运费8元，次日达运费15元。退货须在签收后7天内提出，换货须在签收后30天内提出。"
CLINIC = (
    "| 科室 | 挂号费 | 床位 |\n|---|---|---|\n| 内科 | 12元 | 40张 |\n| 外科 | 18元 | 26张 |\n| 儿科 | 15元 | 18张 |"
)
SCHOOL = "小学部每班不超过40人。春季学期学费为3200元，秋季学期学费为3500元，住宿费为900元。教师和职工的编制依次为86人、24人。"
PLANT = "一号机组的额定功率为300千瓦，二号机组的额定功率为500千瓦。检修周期由18个月延长到24个月。冷却水的最高温度为35度，最低温度为5度。"
LOAN = "## 短期贷款\n年利率为4.35%，最长12个月。\n\n## 长期贷款\n年利率为4.9%，最长60个月。"
RULES = "首次迟到罚款20元，再次迟到罚款50元。主管的差旅标准是每天400元，经理的差旅标准是每天600元。"
WHOSE += [
    (SHOP, "", "次日达的运费为15元。", "supported"),
    (SHOP, "", "次日达的运费为8元。", "contradicted"),
    (SHOP, "", "普通快递的运费是8元。", "supported"),
    (SHOP, "", "普通快递的运费是15元。", "contradicted"),
    (SHOP, "", "签收后30天内可以换货。", "supported"),
    (SHOP, "", "签收后30天内可以退货。", "contradicted"),
    (SHOP, "多少天内可以退货？", "7天内。", "supported"),
    (SHOP, "多少天内可以退货？", "30天内。", "contradicted"),
    (CLINIC, "", "外科有26张床位。", "supported"),
    (CLINIC, "", "外科有40张床位。", "contradicted"),
    (CLINIC, "内科挂号费多少钱？", "12元", "supported"),
    (CLINIC, "内科挂号费多少钱？", "18元", "contradicted"),
    (CLINIC, "", "儿科的挂号费为15元。", "supported"),
    (CLINIC, "", "儿科的挂号费为12元。", "contradicted"),
    (SCHOOL, "", "春季学期的学费是3200元。", "supported"),
    (SCHOOL, "", "春季学期的学费是3500元。", "contradicted"),
    (SCHOOL, "", "秋季学期的学费是3500元。", "supported"),
    (SCHOOL, "", "住宿费是3200元。", "contradicted"),
    (SCHOOL, "", "教师的编制为86人。", "supported"),
    (SCHOOL, "", "教师的编制为24人。", "contradicted"),
    (SCHOOL, "", "职工的编制为24人。", "supported"),
    (SCHOOL, "", "职工的编制为86人。", "contradicted"),
    (PLANT, "", "二号机组的功率为500千瓦。", "supported"),
    (PLANT, "", "二号机组的功率为300千瓦。", "contradicted"),
    (PLANT, "", "检修周期延长到24个月。", "supported"),
    (PLANT, "", "冷却水最低温度为35度。", "contradicted"),
    (PLANT, "", "冷却水最高温度为35度。", "supported"),
    (LOAN, "", "短期贷款的年利率为4.35%。", "supported"),
    (LOAN, "", "短期贷款的年利率为4.9%。", "contradicted"),
    (LOAN, "", "长期贷款最长60个月。", "supported"),
    (LOAN, "", "长期贷款最长12个月。", "contradicted"),
    (RULES, "", "再次迟到罚款50元。", "supported"),
    (RULES, "", "再次迟到罚款20元。", "contradicted"),
    (RULES, "", "经理出差每天标准为600元。", "supported"),
    (RULES, "", "经理出差每天标准为400元。", "contradicted"),
    (RULES, "第一次迟到罚多少？", "首次罚20元", "supported"),
]
ADDED += [
    ("培训为10多天。", "contradicted"),
    ("培训为数十天。", "contradicted"),
    ("培训不止10天。", "contradicted"),
    ("培训是10天。", "supported"),
    ("培训为每天10天。", "contradicted"),
    ("补贴为贰仟元整。", "supported"),
    ("补贴为每月2000元。", "contradicted"),
    ("补贴高于2000元。", "contradicted"),
    ("补贴为2千元。", "supported"),
    ("补贴为௨000元。", "supported"),
    ("签到时间为凌晨9点。", "contradicted"),
    ("签到时间为9点。", "supported"),
    ("开班日期为2024年5月下旬。", "contradicted"),
    ("开班日期为2024年上半年。", "supported"),
    ("开班日期为2024年下半年。", "contradicted"),
    ("通过率为30%以下。", "contradicted"),
    ("通过率为百分之三十。", "supported"),
    ("通过率为30%。", "supported"),
]


def verdict(text: str, claim: str, question: str = "") -> str:
    block = Evidence(n=1, id="1", text=text, source="a.md", location="a.md")
    return check_claim(claim, [block], question=question).verdict


@pytest.mark.parametrize(("text", "question", "claim", "expected"), WHOSE, ids=[f"{q}{c}" for _, q, c, _ in WHOSE])
def test_a_value_belongs_to_what_stands_beside_it(text: str, question: str, claim: str, expected: str) -> None:
    assert verdict(text, claim, question) == expected


@pytest.mark.parametrize(("claim", "expected"), ADDED)
def test_a_claim_adds_nothing_to_a_value(claim: str, expected: str) -> None:
    assert verdict(PLAIN, claim) == expected


@pytest.mark.parametrize(
    ("claim", "question", "reason"),
    [
        ("年假为99天。", "", "资料1 写的是 10天，不是 99天"),
        ("产假为99天。", "", "资料1 写的是 158天，不是 99天"),
        ("陪产假为158天。", "", "资料1 写的是 15天，不是 158天"),
        ("15天", "产假有几天？", "资料1 写的是 158天，不是 15天"),
    ],
)
def test_the_reason_names_the_value_that_is_right(claim: str, question: str, reason: str) -> None:
    block = Evidence(n=1, id="1", text=LEAVE, source="a.md", location="a.md")
    assert check_claim(claim, [block], question=question).reason == reason


def test_the_reason_quotes_what_is_added() -> None:
    block = Evidence(n=1, id="1", text=PLAIN, source="a.md", location="a.md")
    assert check_claim("培训不止10天。", [block]).reason == "资料1 写的是 10天，不是 不止10天"
    assert check_claim("开班日期为5月底。", [block]).reason == "资料1 写的是 2024年5月1日，不是 5月底"


@pytest.mark.parametrize(
    "claim", ["培训为超过10天。", "培训为10天以上。", "培训为10余天。", "培训为数十天。", "培训为每月10天。"]
)
def test_what_the_evidence_says_too_is_not_added(claim: str) -> None:
    assert verdict(claim, claim) == "supported"
    assert verdict(f"新员工{claim}补贴另算。", claim) == "supported"


_LABELS = [
    ("甲班", "乙班"),
    ("早班车", "晚班车"),
    ("报名费", "考务费"),
    ("A仓", "B仓"),
    ("油费", "停车费"),
    ("基数", "总基数"),
]
_FORMS = [
    "{0}为{2}元。{1}为{3}元。",
    "{0}{2}元；{1}{3}元。",
    "{0}和{1}分别为{2}元和{3}元。",
    "- {0}：{2}元\n- {1}：{3}元",
]


@given(
    st.sampled_from(_LABELS), st.sampled_from(_FORMS), st.permutations([0, 1]), st.integers(2, 900), st.integers(1, 99)
)
def test_swapped_values_never_pass(names: tuple[str, str], form: str, order: list[int], small: int, more: int) -> None:
    amounts = (small, small + more)
    text = form.format(*(names[at] for at in order), *(amounts[at] for at in order))
    assert [verdict(text, f"{name}为{amount}元。") for name in names for amount in amounts] == [
        "supported",
        "contradicted",
        "contradicted",
        "supported",
    ]


@pytest.mark.parametrize("digits", ["9" * 5000, "九" * 5000, "一" * 5000, "٩" * 5000])
@pytest.mark.parametrize("form", ["{}天", "{}%", "第{}条", "{}分之一", "{}元/月", "3:{}", "百分之{}", "{}点"])
def test_a_number_without_end_is_text(digits: str, form: str) -> None:
    written = form.format(digits)
    assert verdict(f"编号为{written}。", f"编号为{written}。") == "supported"
    assert verdict("编号为10天。", f"编号为{written}。") != "supported"
    assert verdict(f"编号为{written}。年假为10天。", "年假为10天。") == "supported"


def test_digits_of_other_scripts_are_digits() -> None:
    assert [value.readings for value in values(folded("٩٠天"))] == [value.readings for value in values("90天")]
    assert folded("៩០ ९० ௯௦") == "90 90 90"
