"""The words that tell who does what to whom: prepositions, verbs that say one thing from either side, comparisons."""

import re
from typing import Literal

Role = Literal["agent", "goal", "source", "theme", "than", "place"]
"""The part that a preposition gives to what stands behind it."""

# prepositions
MARKERS: dict[str, Role] = {
    **dict.fromkeys("由 被 遭 by".split(), "agent"),
    **dict.fromkeys("向 给 对 朝 往 至 到 to".split(), "goal"),
    **dict.fromkeys("从 自 from".split(), "source"),
    **dict.fromkeys("把 将".split(), "theme"),
    **dict.fromkeys("比 than".split(), "than"),
    **dict.fromkeys("在 于 at in on".split(), "place"),
}
# verbs that say one thing from the side of who gives and of who gets, by the name of their group
GIVING: dict[str, str] = {}
TAKING: dict[str, str] = {}
for _name, _gives, _takes in (
    (
        "付",
        "付 支付 付款 给付 缴 缴纳 交纳 汇款 pay pays paid paying",
        "收 收取 收到 收款 领取 receive receives received",
    ),
    (
        "卖",
        "卖 出售 销售 售 售卖 sell sells sold selling",
        "买 购买 购入 采购 买入 购 buy buys bought buying purchase purchases purchased",
    ),
    ("租", "出租", "承租 租入 租用"),
    ("借", "出借 贷出 lend lends lent lending", "借入 borrow borrows borrowed borrowing"),
):
    GIVING |= dict.fromkeys(_gives.split(), _name)
    TAKING |= dict.fromkeys(_takes.split(), _name)
EITHER = {"借": "借", "借款": "借", "贷": "借", "贷款": "借", "租": "租", "租赁": "租"}  # 借给 gives, 向…借 takes
ENGLISH_VERBS = {
    form: forms.split()[0]
    for forms in (
        "owe owes owed|transfer transfers transferred|send sends sent|give gives gave given|deliver delivers delivered"
        "|supply supplies supplied|notify notifies notified|inform informs informed|acquire acquires acquired"
        "|compensate compensates compensated|refund refunds refunded|reimburse reimburses reimbursed|sue sues sued"
        "|invoice invoices invoiced|charge charges charged|hire hires hired|appoint appoints appointed"
        "|succeed succeeds succeeded|replace replaces replaced|defeat defeats defeated|supervise supervises supervised"
        "|audit audits audited|teach teaches taught|invite invites invited|follow follows followed"
    ).split("|")
    for form in forms.split()
}
# what stands in a text, by the name of a group
FORMS: dict[str, list[str]] = {}
for _verb, _name in (*GIVING.items(), *TAKING.items(), *EITHER.items(), *ENGLISH_VERBS.items()):
    FORMS.setdefault(_name, []).append(_verb)
# the rest is looked up word by word
PASSIVE = frozenset("is are was were be been being".split())
TO_PLACES = frozenset("运 送 发 飞 开 转 搬 迁 寄 汇 调 驶 流 通".split())
IS = frozenset("是 为 系".split())
MORE = dict(pair.split("/") for pair in "低/高 少/多 小/大 早/晚 短/长 劣/优 弱/强 慢/快 轻/重 近/远".split())
MEASURED = frozenset([*MORE, *MORE.values()])
FORMS |= {f"比{more}": [less, more] for less, more in MORE.items()}
THAN_BEHIND = re.compile(rf"([{''.join(MEASURED)}])[于过]")
NO_PART = frozenset("u p c d y e o w x".split())
NO_VERB = frozenset(
    "相关 有关 所得 以下 以上 如下 书面 称 称为 称作 叫 叫做 名为 发生 出现 存在 组成 构成 成为 形成 等于"
    " 完成 实现 开展 实施 属于 获得 具有 受到 遭到 遭受".split()
)
ANYONE = frozenset("人 人们 大家 本人 双方 对方".split())
DOING = frozenset("进行 予以 加以 给予 作出 做出".split())
ALIKE = frozenset("朋友 同事 同学 邻居 夫妻 对手 竞争对手 伙伴 合作伙伴 亲戚 一部分 部分".split())
