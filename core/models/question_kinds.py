"""The kinds of value that questions ask for, and what a sentence looks like that holds one."""

import re
from dataclasses import dataclass

_NUMERAL = "0-9零〇一二两三四五六七八九十百千万亿"


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    Attributes:
        name: For people and tests.
        asked: How a folded question asks for it.
        held: What stands in a folded sentence that holds one.
        enough: The share of the question's words that such a sentence must have besides, to answer.
    """

    name: str
    asked: re.Pattern[str]
    held: re.Pattern[str]
    enough: float


KINDS = tuple(
    Kind(name, re.compile(asked), re.compile(held), enough)
    for name, enough, asked, held in (
        (
            "money",
            0.55,
            r"多少钱|几块|多少元|价格|价钱|费用是|收费|金额|how much",
            rf"[{_NUMERAL}]\s*(?:元|块|万|亿|美元|%)|[¥￥$]\s*\d|免费|不收",
        ),
        (
            "time",
            0.55,
            (
                r"多久|多长时间|[几多]少?个?(?:工作)?(?:天|日|年|月|周|小时|分钟|点|号)"
                r"|什么时候|何时|哪一?[天年月日]|期限是|日期|how long|when"
            ),
            (
                rf"[{_NUMERAL}半数]\s*个?(?:工作|自然|小|交易)?(?:日|天|年|月|周|时|点|号|分钟|秒|季度|星期)"
                r"|\d{4}[-/.]\d|[周期][一二三四五六日天]|每[日天周月季年]|季度|立即|当天|次日|终身|长期|永久"
                r"|\d+\s*(?:day|hour|minute|second|year|month|week)"
            ),
        ),
        (
            "contact",
            0.3,
            (
                r"(?:电话|手机|邮箱|网址|热线|传真)(?:号码?|地址)?(?:是|为|有|多少|$)|联系方式"
                r"|phone number|e-?mail address"
            ),
            r"\d{3,}[- ]?\d{3,}|@|www\.|https?:",
        ),
        (
            "number",
            0.55,
            r"多少|几[个次人种倍位条项名层页台]|how many",
            rf"\d|[{_NUMERAL}](?:[{_NUMERAL}]|[个次人名倍位条项层页台天日年月周元块度级米克吨章]|小时|分钟)|分之|免费|不限",
        ),
        ("name", 0.7, r"谁是|是谁|叫什么|姓名", r"[是为叫系任成演：:]|当选"),
        (
            "person",
            0.7,
            r"谁|哪位|哪个(?:部门|单位|人)|\bwho(?:se)?\b",
            r"[由归找向]|负责|[人员方者家师长部处科局组院]|经理|主管|总监|公司|\bby\b|manager|\w+(?:er|or|ee)s?\b",
        ),
        (
            "reason",
            0.55,
            r"为什么|为何|为啥|原因|\bwhy\b",
            r"因|由于|为了|为的是|以便|以免|避免|防止|确保|保证|旨在|目的|导致|所以|because|due to|so that|since",
        ),
        (
            "place",
            0.55,
            r"哪里|哪儿|在哪|何处|地址|地点|什么地方|\bwhere\b",
            r"位于|地址|地点|在|地[为是：:]|[省市区县镇村路街号楼层室栋]|https?:|\b(?:at|in|on)\b",
        ),
    )
)
"""The first whose `asked` is found is the kind of a question."""

NAMED = tuple(
    map(
        re.compile,
        (
            r"(?:19|20)\d{2}(?=年|[-/]\d)",
            rf"第[{_NUMERAL}]+[条章节款项期]",
            r"[a-z]+[-_/]?\d[a-z0-9]*(?:[-_./][a-z0-9]+)*",
            r"[甲乙丙丁](?:方|公司)",
        ),
    )
)
"""Names that stand for one thing among its like, in folded text: years, articles of a statute, models, parties."""
