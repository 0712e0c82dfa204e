"""Claims held against the evidence that they cite: what is said of each, and what holds for all."""
# ruff: noqa: E501 - a claim is one line of a table, and evidence one line of its text

import re
from itertools import permutations

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from youju.chains.grounding import Grounds, Thresholds, check_claim
from youju.chains.result import Evidence
from youju.text import sentences

REFUND = (
    "普通订单签收后7天内可申请退货，会员订单签收后15天内可申请退货。定制商品不支持无理由退货。"
    "退款将在收到退回商品后3个工作日内原路退回。质量问题的运费由卖家承担，其他情形的运费由买家承担。"
)
STAFF = (
    "# 考勤与休假\n\n## 年假\n工作满一年的员工每年享有10天年假，满十年的享有15天。未休完的年假可以结转至次年3月31日，逾期作废。\n"
    "## 病假\n员工请病假须提交二级以上医院的证明。病假期间按基本工资的百分之八十发放。试用期员工不享有年终奖。\n"
    "## 工时\n工作时间为上午9点至下午6点，午休1.5小时。迟到三次以上的，扣发当月绩效的5%。"
)
CONTRACT = (
    "第十二条 甲方应于收到发票之日起三十日内支付合同价款，合计人民币一百二十万元整。逾期付款的，每日按未付金额的万分之五支付违约金。\n"
    "第十三条 乙方应当在2024年3月5日前交付全部设备，并提供两年质保。未经甲方书面同意，乙方不得将本合同转让给第三方。\n"
    "第十四条 任何一方可以提前六十日书面通知对方解除本合同。\n"
    "第十五条 争议由上海仲裁委员会仲裁，仲裁裁决是终局的。"
)
MANUAL = (
    "设备型号：BX-2024-0017，固件版本 v2.3.1。\n工作温度为-10℃至45℃，额定功率1.5千瓦，净重5公斤。\n"
    "开机前请检查电源是否接地。首次使用须充电8小时。禁止在潮湿环境中使用。\n长按电源键3秒开机，长按10秒强制关机。\n"
    "本产品符合 GB/T 19001-2016 的要求。指示灯红色闪烁表示电量低于20%，绿色常亮表示充电完成。"
)
STATUTE = (
    "第三十九条 劳动者有下列情形之一的，用人单位可以解除劳动合同：\n（一）在试用期间被证明不符合录用条件的；\n（二）严重违反用人单位的规章制度的；\n"
    "（三）被依法追究刑事责任的。\n第四十二条 女职工在孕期、产期、哺乳期的，用人单位不得解除劳动合同。\n"
    "第四十七条 经济补偿按劳动者在本单位工作的年限，每满一年支付一个月工资的标准向劳动者支付。六个月以上不满一年的，按一年计算。"
)
REPORT = (
    "2023年公司实现营业收入12.5亿元，同比增长8.3%；净利润1.2亿元，同比下降3.1%。研发投入占营业收入的7%。\n"
    "截至2023年12月31日，公司共有员工3,420人，其中研发人员占三分之一。华东区收入5亿元，华南区收入3.2亿元。\n"
    "董事会由9名董事组成，董事长为张建国，总经理为李卫东。公司未发生重大安全事故。"
)
TABLE = (
    "仓库盘点表\n\n| 型号 | 库位 | 库存 | 单价（元） | 状态 |\n|---|---|---|---|---|\n| 轴承6308 | A-03-4 | 85 | 12.5 | 可用 |\n"
    "| 轴承6205 | B-01-2 | 120 | 8 | 停用 |\n| 皮带A38 | C-11-1 | 40 | 25 | 可用 |"
)
PAPER = (
    "本文提出一种面向中文问答的检索方法。实验在三个数据集上进行，所提方法的准确率为87.4%，比基线高出2.1个百分点。"
    "训练使用4块GPU，耗时36小时。去掉重排序模块后，准确率降至83.0%。我们没有发现模型规模与召回率之间的显著相关。"
)
ENGLISH = (
    "Items may be returned within 30 days of delivery. Opened software cannot be returned. "
    "The seller pays the return shipping for defective items; otherwise the buyer pays. "
    "Refunds are issued within five business days to the original payment method. Support is available from 9 a.m. to 5 p.m., Monday to Friday."
)
LIST = (
    "以下商品不支持七天无理由退货：\n1. 定制类商品；\n2. 鲜活易腐商品；\n3. 已激活的数码产品。\n\n申请退货须提供：\n- 订单编号\n- 商品照片\n\n"
    "会员等级分为：普通会员（无折扣）、银卡会员（九五折）、金卡会员（九折）。"
)
TRADITIONAL = "會員於簽收後十五日內可申請退貨，逾期不予受理。客服電話為400-820-8820，服務時間為每日09:00-18:00。"
HISTORY = (
    "东湖大学创建于1952年，位于武陵市东湖区，由教育部直属。学校现有本科专业86个，在校学生28,600人。"
    "首任校长为陈望之，现任校长为周明远。1998年学校与武陵医学院合并。校训是“求实、创新”。图书馆藏书三百二十万册。"
)

CASES = {
    "refund": (
        REFUND,
        """
        supported    | 普通订单签收后七天内可以申请退货。
        supported    | 普通订单签收后7日内可申请退货。
        supported    | 会员订单的退货期限是签收后十五日内。
        supported    | 会员签收后15天内可以退货，普通订单是7天。
        supported    | 可以，会员订单签收后15天内可以申请退货。
        supported    | 定制商品不能无理由退货。
        supported    | 定制商品不可以无理由退货。
        supported    | 退款在收到退回商品后三个工作日内原路退回。
        supported    | 质量问题的运费由卖家承担。
        supported    | 其他情形的运费由买家承担。
        supported    | **会员订单**签收后 **15 天**内可申请退货
        contradicted | 普通订单签收后15天内可申请退货。
        contradicted | 会员订单签收后7天内可申请退货。
        contradicted | 会员签收后7天内可以退货，普通订单是15天。
        contradicted | 会员订单签收后20天内可申请退货。
        contradicted | 普通订单签收后7天内不可申请退货。
        contradicted | 定制商品支持无理由退货。
        contradicted | 定制商品可以无理由退货。
        contradicted | 质量问题的运费由买家承担。
        contradicted | 普通订单签收7天后可申请退货。
        contradicted | 退款将在收到退回商品后3天内原路退回。
        contradicted | 退款将在收到退回商品后5个工作日内原路退回。
        unsupported  | 本店位于北京市朝阳区朝阳门内大街1号。
        unsupported  | 客服电话是400-100-2000。
        unsupported  | 购买的商品可以享受免费安装。
        partly       | 普通订单签收后7天内可申请退货，并赠送10元优惠券。
        partly       | 会员订单签收后15天内可申请退货，由北京分公司负责审核。
        contradicted | 普通订单和会员订单一共有22天可以退货。
        """,
    ),
    "staff": (
        STAFF,
        """
        supported    | 工作满1年的员工每年有10天年假。
        supported    | 工作满十年的员工享有15天年假。
        supported    | 没休完的年假可以结转到次年3月31日。
        supported    | 病假期间按基本工资的80%发放。
        supported    | 病假期间发放基本工资的八成。
        supported    | 试用期员工没有年终奖。
        supported    | 工作时间是9:00至18:00。
        supported    | 午休90分钟。
        supported    | 午休一个半小时。
        supported    | 迟到3次以上，扣当月绩效的百分之五。
        supported    | 请病假须提交二级以上医院的证明。
        contradicted | 工作满一年的员工每年享有15天年假。
        contradicted | 工作满十年的享有10天年假。
        contradicted | 未休完的年假可以结转至次年6月30日。
        contradicted | 未休完的年假不可以结转至次年3月31日。
        contradicted | 病假期间按基本工资的60%发放。
        contradicted | 试用期员工享有年终奖。
        contradicted | 工作时间为上午9点至下午5点。
        contradicted | 午休1小时。
        contradicted | 迟到五次以上的，扣发当月绩效的5%。
        contradicted | 迟到三次以下的，扣发当月绩效的5%。
        contradicted | 员工请病假须提交三级甲等医院的证明。
        unsupported  | 员工结婚享有3天婚假。
        unsupported  | 加班费按小时计算。
        partly       | 工作满一年的员工每年享有10天年假，另有5天陪产假。
        """,
    ),
    "contract": (
        CONTRACT,
        """
        supported    | 甲方应在收到发票之日起30日内付款。
        supported    | 合同价款为120万元。
        supported    | 合同价款合计1,200,000元。
        supported    | 逾期付款每日按未付金额的0.05%支付违约金。
        supported    | 乙方应在2024-03-05前交付全部设备。
        supported    | 乙方提供2年质保。
        supported    | 乙方提供24个月的质保。
        supported    | 未经甲方书面同意，乙方不得转让本合同。
        supported    | 任何一方可以提前60天书面通知对方解除合同。
        supported    | 争议由上海仲裁委员会仲裁。
        supported    | 根据第十四条，任何一方可以提前60日书面通知解除合同。
        supported    | 第12条规定，甲方应于收到发票之日起三十日内支付合同价款。
        contradicted | 甲方应在收到发票之日起15日内付款。
        contradicted | 合同价款为人民币一百二十五万元。
        contradicted | 乙方应于收到发票之日起三十日内支付合同价款。
        contradicted | 逾期付款的，每日按未付金额的千分之五支付违约金。
        contradicted | 乙方应当在2024年5月3日前交付全部设备。
        contradicted | 乙方应当在2025年3月5日前交付全部设备。
        contradicted | 甲方应当在2024年3月5日前交付全部设备。
        contradicted | 乙方可以将本合同转让给第三方。
        contradicted | 任何一方不得提前六十日书面通知对方解除本合同。
        contradicted | 任何一方可以提前六十个工作日书面通知对方解除本合同。
        unsupported  | 争议由北京仲裁委员会仲裁。
        unsupported  | 争议提交人民法院诉讼解决。
        contradicted | 合同价款为120万美元。
        partly       | 乙方提供两年质保，并免费培训操作人员。
        """,
    ),
    "manual": (
        MANUAL,
        """
        supported    | 设备型号是BX-2024-0017。
        supported    | 固件版本为2.3.1。
        supported    | 工作温度为零下10度到45度。
        supported    | 额定功率为1500瓦。
        supported    | 净重5kg。
        supported    | 净重为5000克。
        supported    | 长按电源键3秒可以开机。
        supported    | 首次使用需要充电8小时。
        supported    | 不能在潮湿环境中使用。
        supported    | 产品符合GB/T19001-2016。
        supported    | 红灯闪烁说明电量低于20%。
        contradicted | 设备型号是BX-2024-0018。
        contradicted | 固件版本为v2.3.2。
        contradicted | 工作温度为-20℃至45℃。
        contradicted | 额定功率为1.5瓦。
        contradicted | 净重15公斤。
        contradicted | 长按电源键10秒开机。
        contradicted | 长按3秒强制关机。
        contradicted | 首次使用须充电8分钟。
        contradicted | 可以在潮湿环境中使用。
        contradicted | 产品符合 GB/T 19001-2008 的要求。
        contradicted | 指示灯红色闪烁表示电量高于20%。
        contradicted | 指示灯红色闪烁表示充电完成。
        unsupported  | 设备支持蓝牙连接手机。
        """,
    ),
    "statute": (
        STATUTE,
        """
        supported    | 劳动者在试用期间被证明不符合录用条件的，用人单位可以解除劳动合同。
        supported    | 严重违反规章制度的，用人单位可以解除劳动合同。
        supported    | 女职工在哺乳期的，用人单位不能解除劳动合同。
        supported    | 每满1年支付1个月工资的经济补偿。
        supported    | 工作六个月以上不满一年的，按一年计算。
        supported    | 第42条规定女职工在孕期不得被解除劳动合同。
        contradicted | 女职工在哺乳期的，用人单位可以解除劳动合同。
        contradicted | 劳动者在试用期间被证明不符合录用条件的，用人单位不得解除劳动合同。
        contradicted | 经济补偿每满一年支付两个月工资。
        contradicted | 经济补偿每满两年支付一个月工资。
        contradicted | 经济补偿按一个月工资的标准向用人单位支付。
        partly       | 劳动者旷工三日的，用人单位可以解除劳动合同。
        """,
    ),
    "report": (
        REPORT,
        """
        supported    | 2023年营业收入为12.5亿元。
        supported    | 公司2023年的营业收入是1,250,000,000元。
        supported    | 净利润为1.2亿元，同比下降3.1%。
        supported    | 营业收入同比增长8.3%，净利润同比下降3.1%。
        supported    | 研发投入占营业收入的百分之七。
        supported    | 公司共有员工3420名。
        supported    | 研发人员占员工的1/3。
        supported    | 华东区收入为5亿元，华南区收入为3.2亿元。
        supported    | 董事长是张建国，总经理是李卫东。
        supported    | 公司没有发生重大安全事故。
        supported    | 董事会有九名董事。
        contradicted | 2023年营业收入为1.2亿元。
        contradicted | 2022年公司实现营业收入12.5亿元。
        contradicted | 净利润同比增长3.1%。
        contradicted | 营业收入同比下降8.3%。
        contradicted | 净利润同比下降8.3%。
        contradicted | 华南区收入为5亿元。
        contradicted | 总经理是张建国。
        contradicted | 公司发生了重大安全事故。
        contradicted | 董事会由7名董事组成。
        contradicted | 公司共有员工3,240人。
        contradicted | 研发人员占四分之一。
        unsupported  | 董事长为王志远。
        unsupported  | 公司收购了北方机械有限公司。
        unsupported  | 华东区和华南区的收入合计8.2亿元。
        """,
    ),
    "table": (
        TABLE,
        """
        supported    | 轴承6308的库存为85。
        supported    | 轴承6308的库存是85件，单价12.5元。
        supported    | 轴承6205存放在B-01-2库位。
        supported    | 皮带A38的单价是25元。
        supported    | 轴承6205已停用。
        contradicted | 轴承6205的库存为85。
        contradicted | 轴承6308的库存为120。
        contradicted | 轴承6308的单价为85元。
        contradicted | 轴承6308存放在B-01-2库位。
        contradicted | 皮带A38的库存为25。
        contradicted | 轴承6308的库存为86。
        unsupported  | 轴承6310的库存为85。
        unsupported  | 三种型号的库存共245件。
        """,
    ),
    "paper": (
        PAPER,
        """
        supported    | 所提方法的准确率达到87.4%。
        supported    | 准确率比基线高2.1个百分点。
        supported    | 去掉重排序模块后准确率下降到83%。
        supported    | 训练用了4块GPU，耗时36小时。
        supported    | 实验用了3个数据集。
        supported    | 没有发现模型规模与召回率之间有显著相关。
        contradicted | 所提方法的准确率为83.0%。
        contradicted | 准确率比基线低2.1个百分点。
        contradicted | 训练耗时36天。
        contradicted | 实验在五个数据集上进行。
        contradicted | 我们发现模型规模与召回率之间显著相关。
        unsupported  | 准确率比基线高出2.1%。
        unsupported  | 训练使用了TensorFlow框架。
        """,
    ),
    "english": (
        ENGLISH,
        """
        supported    | Items may be returned within thirty days of delivery.
        supported    | You can return items within 30 days of delivery.
        supported    | Opened software can't be returned.
        supported    | Refunds are issued within 5 business days.
        supported    | The seller pays return shipping for defective items.
        supported    | Support is available from 9:00 to 17:00.
        contradicted | Items may be returned within 14 days of delivery.
        contradicted | Items may not be returned within 30 days of delivery.
        contradicted | Opened software can be returned.
        contradicted | The buyer pays the return shipping for defective items.
        contradicted | Refunds are issued within fifteen business days.
        contradicted | Refunds are issued within five days.
        contradicted | Support is available from 9 a.m. to 8 p.m.
        unsupported  | The store is located in Berlin.
        unsupported  | Gift cards expire next year.
        """,
    ),
    "list": (
        LIST,
        """
        supported    | 定制类商品不支持七天无理由退货。
        supported    | 鲜活易腐商品不能7天无理由退货。
        supported    | 已激活的数码产品不支持无理由退货。
        supported    | 申请退货要提供订单编号和商品照片。
        supported    | 金卡会员享受9折。
        supported    | 银卡会员享受95折优惠。
        supported    | 金卡会员按90%付款。
        contradicted | 定制类商品支持七天无理由退货。
        contradicted | 定制类商品可以七天无理由退货。
        contradicted | 银卡会员享受九折。
        contradicted | 金卡会员享受八折。
        unsupported  | 申请退货要提供身份证复印件。
        """,
    ),
    "traditional": (
        TRADITIONAL,
        """
        supported    | 会员在签收后15天内可以申请退货。
        supported    | 会员逾期申请退货的，不予受理。
        supported    | 客服电话是４００－８２０－８８２０。
        supported    | 服务时间是每天上午9点到下午6点。
        supported    | 會員簽收後15日內可申請退貨。
        contradicted | 会员在签收后10天内可以申请退货。
        contradicted | 客服电话是400-820-8821。
        contradicted | 服务时间是每天9:00-17:00。
        contradicted | 會員簽收後十五日內不可申請退貨。
        """,
    ),
    "history": (
        HISTORY,
        """
        supported    | 东湖大学创建于一九五二年。
        supported    | 东湖大学成立于1952年，地处武陵市东湖区。
        supported    | 学校有86个本科专业。
        supported    | 在校学生2.86万人。
        supported    | 首任校长是陈望之。
        supported    | 东湖大学的校训是“求实、创新”。
        supported    | 图书馆藏书320万册。
        supported    | 1998年东湖大学和武陵医学院合并。
        contradicted | 东湖大学创建于1925年。
        contradicted | 首任校长是周明远。
        contradicted | 在校学生2,860人。
        contradicted | 图书馆藏书三百二十册。
        contradicted | 1989年学校与武陵医学院合并。
        partly       | 校训是“求实、进取”。
        unsupported  | 首任校长为林若谷。
        unsupported  | 东湖大学位于江宁市。
        unsupported  | 学校有三个校区。
        """,
    ),
}


def evidence(*texts: str, location: str = "文件.md") -> list[Evidence]:
    return [
        Evidence(n=n, id=f"c{n}", text=text, source="文件.md", location=location)
        for n, text in enumerate(texts, start=1)
    ]


def lines(name: str) -> list[tuple[str, str, str]]:
    text, table = CASES[name]
    rows = [line.split("|", 1) for line in table.strip().splitlines()]
    return [(text, claim.strip(), verdict.strip()) for verdict, claim in rows]


ALL = [(name, *line) for name in CASES for line in lines(name)]


@pytest.mark.parametrize(("text", "claim", "verdict"), [case[1:] for case in ALL], ids=[f"{c[0]}-{c[2]}" for c in ALL])
def test_a_claim_gets_its_verdict(text: str, claim: str, verdict: str) -> None:
    found = check_claim(claim, evidence(text))
    assert found.verdict == verdict, found
    assert (found.reason is None) == (verdict == "supported")
    assert 0.0 <= found.score <= 1.0


@pytest.mark.parametrize(
    ("question", "claim", "verdict"),
    [
        ("会员买的商品签收10天后还能退吗？", "可以，会员订单签收10天后仍可申请退货。", "supported"),
        ("普通订单签收10天后还能退吗？", "普通订单签收10天后不能退货。", "supported"),
        ("普通订单签收10天后还能退吗？", "可以，普通订单签收10天后仍可申请退货。", "contradicted"),
        ("会员10天后能退吗？", "会员订单签收后10天内可申请退货。", "contradicted"),
        ("在上海门店买的会员订单能退吗？", "在上海门店买的会员订单签收后15天内可以退货。", "supported"),
        ("会员订单能退吗？", "在上海门店买的会员订单签收后15天内可以退货。", "unsupported"),
    ],
)
def test_what_the_asker_gave_is_no_fact_but_a_limit_still_is(question: str, claim: str, verdict: str) -> None:
    assert check_claim(claim, evidence(REFUND), question=question).verdict == verdict


@pytest.mark.parametrize(
    ("text", "claim", "verdict"),
    [
        ("张三负责采购。李四负责销售。", "李四负责销售。", "supported"),
        ("张三负责采购。李四负责销售。", "张三负责销售。", "contradicted"),
        ("除定制商品外，均可在7天内退货。", "定制商品不能退货。", "supported"),
        ("除定制商品外，均可在7天内退货。", "定制商品可以在7天内退货。", "contradicted"),
        ("7天内可退货，定制商品除外。", "定制商品7天内可退货。", "contradicted"),
        ("本活动仅限会员参加。", "本活动非会员也可以参加。", "contradicted"),
        ("超过30天未付款的，合同自动解除。", "30天内未付款的，合同自动解除。", "contradicted"),
        ("患者对青霉素过敏，否认高血压病史。", "患者没有高血压病史。", "supported"),
        ("患者对青霉素过敏，否认高血压病史。", "患者有高血压病史。", "contradicted"),
        ("价格上涨了5%，销量下降了3%。", "销量下降3%。", "supported"),
        ("价格上涨了5%，销量下降了3%。", "价格下降了5%。", "contradicted"),
        ("周一至周五 9:00-18:00 营业，周六 10:00-16:00 营业。", "周六的营业时间是10点到16点。", "supported"),
        ("周一至周五 9:00-18:00 营业，周六 10:00-16:00 营业。", "周六的营业时间是9点到18点。", "contradicted"),
        ("| 项目 | 金额（万元） |\n|---|---|\n| 差旅费 | 8.5 |", "差旅费为85000元。", "supported"),
        ("| 项目 | 金额（万元） |\n|---|---|\n| 差旅费 | 8.5 |", "差旅费为8.5元。", "contradicted"),
        ("被告人郎某如不服本判决，可在十日内上诉。", "郎某可在十日内上诉。", "supported"),
        ("计某某被判处有期徒刑四年，倪某某被判处有期徒刑五年。", "计某某被判处有期徒刑五年。", "contradicted"),
    ],
)
def test_what_is_said_of_one_is_not_said_of_another(text: str, claim: str, verdict: str) -> None:
    assert check_claim(claim, evidence(text)).verdict == verdict


def test_two_denials_that_cancel_each_other_are_no_contradiction() -> None:
    found = check_claim("未经批准不得进入实验室。", evidence("经批准后方可进入实验室。"))
    assert found.verdict == "partly"


def test_reasons_name_the_fact_and_the_block() -> None:
    blocks = evidence(REFUND, CONTRACT)
    grounds = Grounds(blocks)
    assert grounds.check("会员订单签收后20天内可申请退货。", [1]).reason == "资料1 写的是 15天，不是 20天"
    assert grounds.check("本店位于朝阳门内大街1号。", [1, 2]).reason == "资料1、资料2里没有“朝阳门”"
    assert grounds.check("客服说“随时可以退”。", [1]).reason == "资料1里没有“随时可以退”这句原文"
    assert grounds.check("定制商品可以无理由退货。", [1]).reason == "资料1 写的是“不支持无理由退货”，和这句话相反"


def test_only_the_cited_blocks_count() -> None:
    grounds = Grounds(evidence(REFUND, CONTRACT))
    claim = "合同价款为120万元。"
    assert grounds.check(claim, [2]).verdict == "supported"
    assert grounds.check(claim, [1]).verdict == "unsupported"
    assert grounds.check(claim, [1, 2]).verdict == "supported"
    assert grounds.check(claim).verdict == "supported"
    assert grounds.check(claim, []) == grounds.check(claim, [7])
    assert grounds.check(claim, []).reason == "这句话没有引用任何资料"


def test_the_support_is_the_sentence_that_says_it() -> None:
    found = check_claim("退款会在3个工作日内退回。", evidence(REFUND))
    (support,) = found.support
    assert REFUND[support.start : support.end] == "退款将在收到退回商品后3个工作日内原路退回。"


def test_the_year_may_stand_in_the_title() -> None:
    text = "营业收入为12.5亿元，3月15日发布。"
    claim = "2023年营业收入为12.5亿元。"
    assert check_claim(claim, evidence(text, location="2023年年度报告.pdf 第 3 页")).verdict == "supported"
    assert check_claim(claim, evidence(text, location="2022年年度报告.pdf 第 3 页")).verdict != "supported"
    assert check_claim(claim, evidence(text)).verdict != "supported"


def test_a_paraphrase_is_supported_by_its_likeness_but_not_against_its_facts() -> None:
    text = "货物送达之后，若您改变主意，可在7天之内把它寄还本店。"
    claim = "顾客反悔的，7日内能够退货。"
    assert check_claim(claim, evidence(text)).verdict != "supported"

    def alike(_: str, others: object) -> list[float]:
        return [0.95] * len(list(others))  # type: ignore[call-overload]  # a sequence of sentences

    assert check_claim(claim, evidence(text), similarity=alike).verdict == "supported"
    assert check_claim("顾客反悔的，9日内能够退货。", evidence(text), similarity=alike).verdict != "supported"


def test_thresholds_decide_what_is_enough() -> None:
    claim = "会员订单的包装完好时签收后15天内可以退货。"
    assert check_claim(claim, evidence(REFUND), thresholds=Thresholds(lexical=0.3, partial=0.1)).verdict == "supported"
    assert check_claim(claim, evidence(REFUND), thresholds=Thresholds(lexical=1.0, partial=0.1)).verdict == "partly"
    assert (
        check_claim(claim, evidence(REFUND), thresholds=Thresholds(lexical=1.0, partial=1.0)).verdict == "unsupported"
    )


TEXTS = {name: text for name, (text, _) in CASES.items()}
SENTENCES = [(text, text[start:end]) for text in TEXTS.values() for start, end in sentences(text)]


@pytest.mark.parametrize(("text", "sentence"), SENTENCES)
@pytest.mark.parametrize("written", ["{}", "**{}**", "- {}", "> {}", "1. {}", " {} \n"])
def test_a_sentence_of_the_evidence_is_supported(text: str, sentence: str, written: str) -> None:
    assert check_claim(written.format(sentence), evidence(text)).verdict == "supported"


@given(st.sampled_from(SENTENCES), st.data())
def test_another_digit_is_never_supported(case: tuple[str, str], data: st.DataObject) -> None:
    text, sentence = case
    digits = [match.start() for match in re.finditer(r"[0-9]", sentence)]
    assume(digits)
    place = data.draw(st.sampled_from(digits))
    digit = data.draw(st.sampled_from("0123456789"))
    changed = sentence[:place] + digit + sentence[place + 1 :]
    number = next(match.group() for match in re.finditer(r"[0-9]+", changed) if match.start() <= place < match.end())
    held = {int(match) for match in re.findall(r"[0-9]+", text.replace(",", ""))}
    assume(int(number) not in held and not re.search(rf"(?<![0-9]){number}(?![0-9])", text))
    assume(not re.match(r"[-*\s]*[0-9]+[.、]", changed) or place > 1)
    assert check_claim(changed, evidence(text)).verdict != "supported"


SUBJECTS = ["普通会员", "试用期员工", "承租人", "定制商品的买家"]
ALLOWED = ["可以", "能", "得", "可"]
TAIL = "，应当提前三日书面通知"
DONE = ["转让积分", "申请退货", "解除合同", "提前退租", "查阅账目", "参加评选"]


@given(
    st.sampled_from(SUBJECTS), st.sampled_from(ALLOWED), st.sampled_from(DONE), st.sampled_from(["", TAIL]), st.data()
)
def test_a_denial_more_or_less_is_never_supported(
    subject: str, allowed: str, done: str, tail: str, data: st.DataObject
) -> None:
    denied = data.draw(st.booleans())
    yes, no = f"{subject}{allowed}{done}{tail}。", f"{subject}不{allowed}{done}{tail}。"
    stated, claimed = (no, yes) if denied else (yes, no)
    assert check_claim(stated, evidence(stated)).verdict == "supported"
    assert check_claim(claimed, evidence(stated)).verdict != "supported"
    assert check_claim(claimed.removesuffix("。"), evidence(f"总则。{stated}其他事项另行规定。")).verdict != "supported"


PIECES = st.sampled_from(
    [
        *"，。；：、|*#>“”《》()（）-~.%￥$第条年月日时点半个不未无除外以上内 \n０１2３45一二百万亿",
        "资料1",
        "[资料1]",
        "会员",
        "退货",
    ]
)
ANY_TEXT = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=30).map("".join))


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3), ANY_TEXT)
@example("\ud800", ["\ud800。"], "\udfff")
@example("1/0", ["0:0。1比0"], "")
def test_no_text_is_too_odd(claim: str, texts: list[str], question: str) -> None:
    found = check_claim(claim, evidence(*texts), question=question)
    assert 0.0 <= found.score <= 1.0
    assert all(0 <= one.start < one.end <= len(texts[one.n - 1]) for one in found.support)


FULL = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code).isalnum()})


@pytest.mark.parametrize(("text", "claim"), [case[1:3] for case in ALL])
def test_width_does_not_matter(text: str, claim: str) -> None:
    plain = check_claim(claim, evidence(text)).verdict
    assert check_claim(claim.translate(FULL), evidence(text)).verdict == plain
    assert check_claim(claim, evidence(text.translate(FULL))).verdict == plain


@pytest.mark.parametrize("claim", [line[1] for line in lines("traditional")[:7]])
def test_script_does_not_matter(claim: str) -> None:
    from opencc import OpenCC  # noqa: PLC0415 - only here

    plain = check_claim(claim, evidence(TRADITIONAL)).verdict
    assert check_claim(OpenCC("s2t").convert(claim), evidence(TRADITIONAL)).verdict == plain
    assert check_claim(claim, evidence(OpenCC("t2s").convert(TRADITIONAL))).verdict == plain


@pytest.mark.parametrize(("text", "claim", "verdict"), [case[1:] for case in ALL][::6])
def test_the_order_of_the_blocks_does_not_matter(text: str, claim: str, verdict: str) -> None:
    blocks = [text, "本页无正文。", "附则：本办法自发布之日起施行。"]
    found = {check_claim(claim, evidence(*order)).verdict for order in permutations(blocks)}
    assert len(found) == 1
