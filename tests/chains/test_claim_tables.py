"""Answers such as 股东总数：79053 held against rows of tables: each label has its own value, with its sign."""

import pytest

from youju.chains.grounding import check_claim
from youju.chains.result import Evidence

PIPES = (
    "| 项目 | 本期 | 上期 |\n|---|---|---|\n| 股东总数 | 79053 | 81200 |\n"
    "| 现金净流量 | -4,648,986.52 | 3,200,100.00 |\n"
    "| 汇兑损益 | (350.5) | 120 |"
)
TABS = "项目\t本期\t上期\n股东总数\t79053\t81200\n机构数\t312\t298"
PAIRS = "报告期末股东总数\t79053\n现金流量净额\t(4,648,986.52)\n营业收入\t12,300,000.00"
BLANKS = "股东总数 79053\n机构数 312"

CASES = {
    PIPES: """
        supported    | 股东总数：79053
        supported    | 股东总数: 79,053
        supported    | 上期股东总数：81200
        supported    | 现金净流量：-4,648,986.52
        supported    | 现金净流量：(4,648,986.52)
        supported    | 现金净流量为－4,648,986.52。
        supported    | 本期现金净流量为−4,648,986.52
        supported    | 汇兑损益：-350.5
        contradicted | 股东总数：0
        contradicted | 股东总数：7905
        contradicted | 股东总数：-79053
        contradicted | 股东总数：3,200,100.00
        contradicted | 现金净流量：4,648,986.52
        contradicted | 现金净流量为4,648,986.52。
        contradicted | 现金净流量：79053
        contradicted | 汇兑损益为350.5。
    """,
    TABS: """
        supported    | 股东总数本期为79053
        supported    | 上期股东总数：81200
        supported    | 机构数：312
        contradicted | 上期股东总数：79053
        contradicted | 本期机构数：298
        contradicted | 机构数：79053
    """,
    PAIRS: """
        supported    | 报告期末股东总数：79053
        supported    | 股东总数：79053
        supported    | 现金流量净额：-4,648,986.52
        contradicted | 股东总数：0
        contradicted | 现金流量净额：4,648,986.52
        contradicted | 现金流量净额：12,300,000.00
        contradicted | 营业收入：79053
    """,
    BLANKS: """
        supported    | 股东总数：79053
        supported    | 股东总数：79053；机构数：312
        contradicted | 股东总数：0
        contradicted | 股东总数：312
        contradicted | 机构数：79053
        contradicted | 股东总数：312；机构数：79053
    """,
}
ALL = [
    (text, *reversed([part.strip() for part in line.split("|", 1)]))
    for text, table in CASES.items()
    for line in table.strip().splitlines()
]


def evidence(text: str) -> list[Evidence]:
    return [Evidence(n=1, id=None, text=text, source="a.md", location="a.md")]


@pytest.mark.parametrize(("text", "claim", "verdict"), ALL)
def test_a_label_has_its_own_value(text: str, claim: str, verdict: str) -> None:
    found = check_claim(claim, evidence(text))
    assert found.verdict == verdict, found


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("收入为12.5万元。", "收入为125万元。"),
        ("比分为3:1。", "比分为31。"),
        ("需要3-5天。", "需要35天。"),
        ("变动-3%。", "变动3%。"),
        ("占比为5%。", "占比为5。"),
    ],
)
def test_the_signs_in_a_number_are_part_of_it(text: str, claim: str) -> None:
    assert check_claim(text, evidence(text)).verdict == "supported"
    assert check_claim(claim, evidence(text)).verdict != "supported"
