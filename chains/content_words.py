"""Words and what they are worth when a claim is compared with its evidence: empty ones, synonyms, opposites."""

EMPTY = frozenset(
    "资料 文件 文档 材料 规定 依据 根据 按照 依照 内容 情况 方面 相关 有关 进行 可以 能够 可 能 需要 需 应 应当"
    " 应该 须 必须 提供 包括"
    " 包含 属于 通过 以及 具体 主要 说明 表示 指出 写明 明确 一般 通常 其中 问题 要求 是 有 为 在 会 将 把 被 由"
    " 与 和 及 或 等 的 了 着 过"
    " 之 其 该 此 这 那 本 上述 以上 以下 因此 所以 如果 若 则 当 时 后 前 内 外 中 上 下 里 间 个 于 对 向 从 到"
    " 至 给 让 使 以 即 也 都 均 还"
    " 就 才 只 又 再 很 更 最 已 已经 曾 正在 仍 仍然 并 并且 而 而且 但 但是 同时 此外 另外 分别 共 共计 总共"
    " 一共 大约 约 左右 作为 成为"
    " 用于 位于 时间 答案 回答 这个 那个 这些 那些 我 我们 你 您 他 她 它 他们 她们 它们 自己 请 吗 呢 吧 啊 哦"
    " 好 什么 哪 哪些 多少 如何 怎样"
    " 为什么 何时 谁 因为 由于 关于 对于 来说 而言 一种 一个 一些 一位 一名 一家 一项 某 各 每 全 所有 任何 其他"
    " 其它 例如 比如 如 如下 来 去"
    " 没有 没 不 未 无 非 不得 不能 不可 不会 不应 不用 不必 不予 无法 无需 无须 禁止 严禁 支持 允许 准许 享有"
    " 享受 具有 拥有 存在 得 地 所 者".split()
)
"""Words that say nothing of a matter."""

LIGHT = frozenset(
    "同比 环比 公司 期限 时限 方式 情形 条件 标准 部分 结果 过程 工作 服务 管理 产品 商品 项目 单位 人员 用户 客户 地方"
    " 名称 名字".split()
)
"""Words that stand in many sentences of a document and tell few of them apart."""

_SYNONYMS = """
运费 邮费 快递费
退货 退回 退换 退
换货 更换 退换
承担 负担 支付 付 缴纳 交纳 出
允许 准许 许可
申请 提出 申领 办理
购买 购入 买 购置 采购 收购
员工 职工 劳动者 雇员 职员
增长 增加 上升 提高 提升 上涨 升高 增至 增多 加强 增强
下降 减少 降低 下滑 下跌 减至 减轻
位于 地处 坐落 设在
成立 创立 创办 创建 建立 设立 创始 建于 始建 组建
任命 聘任 委任 任用
去世 逝世 死亡 遇难 身亡 丧生 死者 病逝 病故 辞世
受伤 伤者 负伤
到账 到帐 入账 退回 返还 退款
提交 递交 上交 交
通知 告知 知会 通报
使用 采用 运用 利用 用
发放 支付 派发 分发 给付
签收 收货 收到 收件 收
费用 收费 费
免费 免收
发布 公布 发表 推出 宣布
开始 起 启动 开展
结束 完成 终止
每日 每天
每周 每星期
担任 出任 任 任职 就任
毕业 毕业于
出生 生于 诞生 出生于
获得 取得 荣获 得到 夺得 摘得
导致 造成 引起 引发 致使 致
目的 旨在 为了
原因 因为 由于 因
拥有 具有 具备
居住 住 定居
离职 辞职 离任
工资 薪酬 薪资 薪水 报酬
休假 请假 放假
年假 年休假 带薪年假
保修 质保 质量保证
有效期 期限 时效
总部 本部
创始人 创办人
妻子 夫人 太太
丈夫 先生
父亲 爸爸
母亲 妈妈
医生 医师 大夫
患者 病人
诊断 确诊
首都 首府
电话 手机 联系电话 热线 拨打
邮箱 邮件 电子邮件
地址 地点 住所
人口 人数
学校 院校
价格 售价 价钱 定价
营业 开放 开门
逾期 超期 过期
延期 延长 延后 推迟
更新 刷新
取消 撤销 撤回
判决 裁判 裁定
判处 处以 判
罚款 罚金
损坏 破损 毁损
修理 维修 修复
"""

SYNONYMS: dict[str, frozenset[str]] = {}
for _line in _SYNONYMS.split("\n"):
    for _word in _line.split():
        SYNONYMS[_word] = SYNONYMS.get(_word, frozenset()) | (frozenset(_line.split()) - {_word})

RISING_FALLING = [
    frozenset(
        "增加 增长 上升 提高 提升 上涨 升高 增多 上调 扩大 增至 升至 增幅"
        " increase increased increases rise rose"
        " grew".split()
    ),
    frozenset(
        "减少 下降 降低 下滑 下跌 缩减 下调 缩小 减至 降至 降幅 decrease"
        " decreased decreases fell declined reduced".split()
    ),
]
"""What rises and what falls."""

OPPOSITES = [
    RISING_FALLING,
    *(
        [frozenset(side.split("/")) for side in line.split(" ")]
        for line in """
买方/购买方/采购方/买受人/买家/buyer/purchaser 卖方/销售方/供货方/出卖人/卖家/商家/seller/vendor
甲方 乙方 丙方
出租人/出租方/房东/landlord/lessor 承租人/承租方/租客/tenant/lessee
委托人/委托方 受托人/受托方
发包人/发包方 承包人/承包方
贷款人/出借人/lender 借款人/borrower
债权人 债务人
原告 被告
用人单位/雇主/employer 劳动者/员工/职工/employee
保险人 被保险人/投保人
有效/valid 无效/invalid
合法 非法/违法
有偿 无偿
免费/free 收费/付费/收取费用
盈利 亏损
赢得/获胜/胜选/当选/胜出 失利/落败/败选/落选/告负
收入 支出
进口 出口
买入 卖出
线上 线下
提前 延后/推迟/延期
上半年 下半年
驳回/rejected/denied 支持/批准/通过/approved/granted
阳性 阴性
良性 恶性
左侧/左边 右侧/右边
首次/初次 再次 末次
税前 税后
含税 不含税
国内/境内 国外/境外
单方 双方
最高/最大/最多/最长/maximum/highest/most/longest 最低/最小/最少/最短/minimum/lowest/least/shortest
事前 事后
公开 保密
男性/男方 女性/女方
全职 兼职
固定 浮动
升级 降级
开启/打开/enable/enabled 关闭/disable/disabled
手动/manual 自动/automatic/automatically
必填 选填
正式 试用
境内 境外
现场 远程
above below
高 低
""".strip().split("\n")
    ),
]
"""Words of which one cannot stand for another, in groups of two or more sides."""

SURNAMES = frozenset(
    "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏"
    "钟汪田任姜范方姚谭廖邹熊金陆郝孔白崔"
    "康毛邱秦江侯邵孟雷钱汤尹黎乔贺赖龚"
)
"""Characters that begin a person's name where no dictionary word begins with them."""

ENGLISH_EMPTY = frozenset(
    "a an the of to in on at by for with from as and or is are was were be been being this that these those it"
    " its they"
    " their them he she his her we our you your i my which who whom whose what when where how why not no nor do"
    " does did"
    " can could may might shall should will would must have has had if then than there here also only any all"
    " each such"
    " other about into over under up down out per within yes according source document states stated says".split()
)
