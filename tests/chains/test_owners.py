"""Values beside what they are said of: neighbours that swap them, and what a claim adds to them."""
# ruff: noqa: E501 - evidence and the claims on it are one line each

import pytest

from youju.chains.grounding import check_claim
from youju.chains.result import Evidence

LEAVE = "正式员工每年享受带薪年休假10天。病假每年不扣薪的部分为5天。婚假为3天，产假为158天，陪产假为15天。"
TICKETS = "| 座位 | 平日票价 | 周末票价 |\n|---|---|---|\n| 一等座 | 280元 | 320元 |\n| 二等座 | 175元 | 199元 |\n| 无座 | 175元 | 185元 |"
FEES = "停车收费标准：\n- 小型车：每小时4元\n- 大型车：每小时9元\n- 电动车：每小时1元"
PRIZES = "一等奖、二等奖和三等奖分别奖励5000元、3000元和1000元。甲组和乙组的名额分别为12名和8名。"
YEAR = "2023年公司营业收入为86亿元，营业外收入为2亿元；利润总额为9亿元，净利润为7亿元。2022年公司营业收入为71亿元，净利润为6亿元。"
WARRANTY = "手机的保修期为12个月，手机电池的保修期为6个月。充电器的质保为3个月。"
SIZES = "Model A weighs 3 kg. Model B weighs 5 kg. The battery lasts 8 hours, the screen is guaranteed for 24 months."
PLAIN = "新员工培训为10天，补贴为2000元，签到时间为上午9点，开班日期为2024年5月1日，通过率为30%。"

WHOSE = [
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


def verdict(text: str, claim: str, question: str = "") -> str:
    block = Evidence(n=1, id="1", text=text, source="a.md", location="a.md")
    return check_claim(claim, [block], question=question).verdict


@pytest.mark.parametrize(("text", "question", "claim", "expected"), WHOSE, ids=[f"{q}{c}" for _, q, c, _ in WHOSE])
def test_a_value_belongs_to_what_stands_beside_it(text: str, question: str, claim: str, expected: str) -> None:
    assert verdict(text, claim, question) == expected


@pytest.mark.parametrize(("claim", "expected"), ADDED)
def test_a_claim_adds_nothing_to_a_value(claim: str, expected: str) -> None:
    assert verdict(PLAIN, claim) == expected
