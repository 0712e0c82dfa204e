"""Claims that say more than their evidence: without its 拟, 可能, 曾, 最多, 部分, 如果, or of somebody else.

Half of the sentences were written before the checks, and half after them.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from youju.chains import CitationError, CitationParser, Evidence
from youju.chains.grounding import check_claim
from youju.chains.scope_words import OPERATORS, Operator

LEAVE = (
    "第一章 总则\n第三条 员工累计工作满一年不满十年的，年休假5天；满十年不满二十年的，年休假10天。\n"
    "第四条 员工请事假累计20天以上且单位按照规定不扣工资的，不享受当年的年休假。\n"
    "第五条 年休假可以集中安排，也可以分段安排，一般不跨年度安排。"
    "因生产需要确有必要跨年度的，经总经理批准，可以跨一个年度安排。\n"
    "第六条 员工拟休年假的，应当提前五个工作日提出申请。"
    "部门经理应在两个工作日内答复。"
)
NEWS = (
    "华北新材料集团周二宣布，计划投资约30亿元在包头建设磁材基地，项目有望于2027年投产。"
    "集团董事长高远表示，基地建成后年产能最高可达2万吨。"
    "有分析师认为，稀土价格可能继续上涨。"
    "此前有传闻称集团将出售旗下铜业公司，高远对此予以否认。"
    "集团原总工程师罗毅已转任顾问。"
)
CONTRACT = (
    "甲方应当在验收合格后十五日内支付尾款。"
    "如甲方逾期付款超过三十日，乙方有权暂停供货。"
    "乙方未经甲方书面同意，不得将本合同转让给第三方。"
    "质保期为两年，除人为损坏外，乙方免费维修。"
    "任何一方提前三十日书面通知对方后，可以解除本合同。"
)
LEAFLET = (
    "本品可能引起头晕，服药期间不得驾车。"
    "成人每次最多服用2片，每日不超过3次。"
    "孕妇只有在医生指导下才可以使用。"
    "如症状持续三天以上，应停止服用并就医。"
    "部分患者可能出现皮疹。"
)

TRAVEL = (
    "《差旅管理办法》\n"
    "第二条 本办法适用于公司全体正式员工，实习生参照执行。\n"
    "第五条 乘坐交通工具的标准：部门经理及以上人员可以乘坐高铁一等座，其他员工乘坐高铁二等座。"
    "确因工作需要乘坐飞机的，须经分管副总批准。\n"
    "第六条 住宿费在限额内据实报销：一线城市每天不超过500元，其他城市每天不超过350元。\n"
    "第七条 出差期间的伙食补贴为每人每天100元，当天往返的减半。"
    "如接待单位统一安排用餐，不再发放伙食补贴。\n"
    "第九条 出差人员应当在返回后10个工作日内提交报销单，逾期未提交的，原则上不予受理。\n"
    "第十条 报销单先由部门经理审核，再报财务部复核。"
    "发票遗失的，应提供支付记录和书面说明。"
)
YEAR = (
    "2024年，公司实现营业收入约48亿元，同比增长12%。"
    "管理层预计2025年收入增速将放缓至8%左右。"
    "公司计划在未来三年投入不少于6亿元用于研发，并拟在苏州设立研发中心。"
    "报告期内，公司取消了原定的海外并购计划。"
    "前任董事长李建因个人原因辞职，现任董事长为王晓。"
    "部分子公司仍处于亏损状态。"
    "审计师认为，公司可能存在存货跌价风险。"
    "公司否认存在关联方资金占用。"
)

WRONG = {
    "of whom it is said": [
        ("一号仓库存放化肥。二号仓库存放农药。", "一号仓库存放农药。", "contradicted"),
        ("甲组的负责人是周敏。乙组的负责人是孙浩。", "甲组的负责人是孙浩。", "contradicted"),
        (["苏州分公司生产轴承。", "无锡分公司生产电缆。"], "苏州分公司生产电缆。", "contradicted"),
        ("正式员工享有补充医疗保险。实习生可以使用班车。", "实习生享有补充医疗保险。", "contradicted"),
        ("普通会员享受九五折。金卡会员享受免费停车。", "普通会员享受免费停车。", "contradicted"),
        (
            "The Leeds office handles claims. The York office handles refunds.",
            "The Leeds office handles refunds.",
            "contradicted",
        ),
        ("儿童票在东门售卖。老年票在西门售卖。", "儿童票在西门售卖。", "contradicted"),
        (["海口航线每日两班。", "三亚航线每日五班并提供接驳车。"], "海口航线提供接驳车。", "contradicted"),
        ("本科生可以借十册图书。研究生可以预约研讨室。", "本科生可以预约研讨室。", "contradicted"),
        ("吴芳主持市场部工作。郑凯主持研发部工作。", "吴芳主持研发部工作。", "contradicted"),
        (
            "The day shift cleans the tanks. The night shift checks the valves.",
            "The day shift checks the valves.",
            "contradicted",
        ),
        ("红色按钮控制水泵。绿色按钮控制风机。", "红色按钮控制风机。", "contradicted"),
    ],
    "planned or possible": [
        ("集团拟出售旗下酒店业务。", "集团出售了旗下酒店业务。", "contradicted"),
        ("公司预计2026年营业收入达到40亿元。", "公司2026年营业收入达到40亿元。", "partly"),
        ("学校计划扩建图书馆。", "学校已经扩建图书馆。", "contradicted"),
        ("暴雨可能导致航班延误。", "暴雨导致航班延误。", "partly"),
        ("长期服用可能损害肝功能。", "长期服用必然损害肝功能。", "contradicted"),
        ("两家银行有望在年内合并。", "两家银行在年内合并。", "partly"),
        ("工厂即将停产检修。", "工厂已停产检修。", "contradicted"),
        ("新规将于7月1日施行。", "新规已经施行。", "contradicted"),
        ("管理层争取年底前完成上市。", "管理层年底前完成了上市。", "contradicted"),
        ("修订草案：探亲假延长至二十天。", "探亲假延长至二十天。", "partly"),
        ("The company plans to close its Dublin plant.", "The company closed its Dublin plant.", "partly"),
        ("The drug may cause drowsiness.", "The drug causes drowsiness.", "partly"),
        ("Revenue is expected to reach 5 million yuan.", "Revenue reached 5 million yuan.", "partly"),
        ("集团打算收购一家德国软件商。", "集团收购了一家德国软件商。", "contradicted"),
        ("该市拟对货车限行。", "该市对货车限行。", "partly"),
        ("预计春节期间客流量达到60万人次。", "春节期间客流量达到60万人次。", "partly"),
        ("研究所计划明年发射气象卫星。", "研究所发射了气象卫星。", "contradicted"),
        ("高温可能造成电池鼓包。", "高温造成电池鼓包。", "partly"),
        ("接触该溶剂可能刺激皮肤。", "接触该溶剂肯定会刺激皮肤。", "contradicted"),
        ("这条地铁线有望提前通车。", "这条地铁线提前通车。", "partly"),
        ("两校即将合并。", "两校已经合并。", "contradicted"),
        ("博物馆将于10月8日闭馆。", "博物馆已经闭馆。", "contradicted"),
        ("（征求意见稿）加班餐补提高到四十元。", "加班餐补提高到四十元。", "partly"),
        ("公司力争三年内实现盈利。", "公司三年内实现了盈利。", "contradicted"),
        ("患者疑似感染肺结核。", "患者感染肺结核。", "partly"),
        ("Late payment might delay the shipment.", "Late payment delays the shipment.", "partly"),
        ("The bridge is expected to open in May.", "The bridge opened in May.", "partly"),
    ],
    "past": [
        ("李华曾任财务部经理。", "李华任财务部经理。", "partly"),
        ("该楼过去是粮仓。", "该楼是粮仓。", "partly"),
        ("前任校长郑强主持了仪式。", "校长郑强主持了仪式。", "partly"),
        ("原销售总监何平加入了竞争对手。", "销售总监何平加入了竞争对手。", "partly"),
        ("保修期原为一年。", "保修期为一年。", "partly"),
        ("以前员工可以在家办公。", "员工可以在家办公。", "partly"),
        ("Anna Reed is the former chairman of the board.", "Anna Reed is the chairman of the board.", "partly"),
        ("The building used to be a school.", "The building is a school.", "partly"),
        ("冯涛曾担任采购部主管。", "冯涛担任采购部主管。", "partly"),
        ("这座院子从前是县衙。", "这座院子是县衙。", "partly"),
        ("前首相梅尔出席了晚宴。", "首相梅尔出席了晚宴。", "partly"),
        ("原副院长沈玲创办了诊所。", "副院长沈玲创办了诊所。", "partly"),
        ("押金原定为两千元。", "押金定为两千元。", "partly"),
        ("仓库原先归物流部管理。", "仓库归物流部管理。", "partly"),
        ("Mark Hill formerly led the sales team.", "Mark Hill leads the sales team.", "partly"),
        ("The clinic used to offer free tests.", "The clinic offers free tests.", "partly"),
    ],
    "bounds of numbers": [
        ("每笔转账不得超过两万元。", "每笔转账为两万元。", "partly"),
        ("单次借阅最多可借八册图书。", "单次借阅可借八册图书。", "partly"),
        ("项目组至少配备三名工程师。", "项目组配备三名工程师。", "partly"),
        ("每位家长最多携带两名儿童入场。", "每位家长至少携带两名儿童入场。", "contradicted"),
        ("展馆面积约五千平方米。", "展馆面积为五千平方米。", "partly"),
        ("参会人数近四百人。", "参会人数超过四百人。", "contradicted"),
        ("应在收到通知后10日以内答复。", "应在收到通知后第10日答复。", "unsupported"),
        ("罚金在三千元以下。", "罚金为三千元。", "partly"),
        ("注册资本不低于五百万元。", "注册资本为五百万元。", "partly"),
        ("Fines are up to 300 dollars.", "Fines are 300 dollars.", "partly"),
        (
            "Applicants need at least 2 years of experience.",
            "Applicants need exactly 2 years of experience.",
            "contradicted",
        ),
        ("行李重量不得超过二十公斤。", "行李重量为二十公斤。", "partly"),
        ("每户最多申请两个车位。", "每户申请两个车位。", "partly"),
        ("每班至少安排四名护士。", "每班安排四名护士。", "partly"),
        ("每人至多报名三个项目。", "每人至少报名三个项目。", "contradicted"),
        ("水库面积大约八平方公里。", "水库面积为八平方公里。", "partly"),
        ("违约金为合同价的5%以下。", "违约金为合同价的5%。", "partly"),
        ("水温应低于60度。", "水温应为60度。", "partly"),
        ("净资产不少于八百万元。", "净资产恰好八百万元。", "contradicted"),
        ("机房噪声不超过45分贝。", "机房噪声超过45分贝。", "contradicted"),
        ("The room holds at most 40 people.", "The room holds 40 people.", "partly"),
        ("The repair takes about 6 hours.", "The repair takes exactly 6 hours.", "contradicted"),
    ],
    "asked": [
        ("公司明年会涨工资吗？目前没有定论。", "公司明年会涨工资。", "partly"),
        ("加班费是否按双倍计算，尚待工会讨论。", "加班费按双倍计算。", "partly"),
        ("## 试用期可以请年假吗\n\n详见第三章。", "试用期可以请年假。", "partly"),
        ("展会能否如期举行仍不确定。", "展会如期举行。", "partly"),
        ("Will the office move to Hamburg? No decision has been made.", "The office will move to Hamburg.", "partly"),
        ("食堂会延长营业时间吗？我们正在征求意见。", "食堂会延长营业时间。", "partly"),
        ("是否扩大招生规模，董事会尚未决定。", "扩大招生规模。", "partly"),
        ("### 外籍员工能否参加公积金\n\n咨询电话见附录。", "外籍员工参加公积金。", "partly"),
        ("该药能不能治愈偏头痛，目前缺少证据。", "该药治愈偏头痛。", "partly"),
        ("Can guests bring pets? Please ask the front desk.", "Guests can bring pets.", "partly"),
    ],
    "said or denied by others": [
        ("网传该校明年停止招生，校方表示消息不实。", "该校明年停止招生。", "partly"),
        ("有传闻称工厂将搬到越南。", "工厂将搬到越南。", "partly"),
        ("关于门票涨价的说法是谣言。", "门票涨价。", "contradicted"),
        ("原告称被告拒付房租，法院不予采信。", "被告拒付房租。", "partly"),
        ("公司否认收到过监管处罚。", "公司收到过监管处罚。", "contradicted"),
        ("据称该产品含有铅。", "该产品含有铅。", "partly"),
        ("The firm allegedly hid its losses.", "The firm hid its losses.", "partly"),
        ("The ministry denied that taxes will rise.", "Taxes will rise.", "contradicted"),
        ("坊间传言该银行即将倒闭。", "该银行即将倒闭。", "partly"),
        ("网上流传的停水一周的消息不属实。", "停水一周。", "contradicted"),
        ("上诉人主张合同已经解除，本院不予支持。", "合同已经解除。", "contradicted"),
        ("市长否认挪用公款。", "市长挪用公款。", "contradicted"),
        ("该男子涉嫌盗窃电缆。", "该男子盗窃电缆。", "partly"),
        ("卖家声称手表是纯金的。", "手表是纯金的。", "partly"),
        ("The chef reportedly quit last week.", "The chef quit last week.", "partly"),
        ("The company denied that it polluted the river.", "The company polluted the river.", "contradicted"),
    ],
    "who says it": [
        ("赵磊认为方案可行，钱芳认为成本过高。", "钱芳认为方案可行。", "contradicted"),
        ("教练说：“训练要加量。”队医说：“应该休息。”", "队医说训练要加量。", "contradicted"),
        ("财务部表示预算充足，工程部表示工期紧张。", "工程部表示预算充足。", "contradicted"),
        ("馆长认为票价偏低，游客认为票价偏高。", "游客认为票价偏低。", "contradicted"),
        ("林悦说：“样品合格。”潘峰说：“还需复检。”", "潘峰说样品合格。", "contradicted"),
        (
            "The mayor said the budget is balanced. The auditor said the deficit is growing.",
            "The auditor said the budget is balanced.",
            "contradicted",
        ),
    ],
    "may and must": [
        ("乘客可以购买延误险。", "乘客必须购买延误险。", "contradicted"),
        ("施工人员应当佩戴安全帽。", "施工人员可以佩戴安全帽。", "contradicted"),
        ("供应商须提交检验报告。", "供应商可以提交检验报告。", "contradicted"),
        ("住户有权查阅物业账目。", "住户应当查阅物业账目。", "contradicted"),
        ("Visitors must register at the gate.", "Visitors may register at the gate.", "contradicted"),
        ("Employees may work from home.", "Employees must work from home.", "contradicted"),
        ("学员可以自备教材。", "学员必须自备教材。", "contradicted"),
        ("值班人员必须填写日志。", "值班人员可以填写日志。", "contradicted"),
        ("出租人应当修缮屋顶。", "出租人可以修缮屋顶。", "contradicted"),
        ("股东有权查阅会计账簿。", "股东必须查阅会计账簿。", "contradicted"),
        ("Drivers must wear seat belts.", "Drivers may wear seat belts.", "contradicted"),
        ("Tenants may paint the walls.", "Tenants must paint the walls.", "contradicted"),
    ],
    "a part and all": [
        ("部分航线提供免费餐食。", "所有航线提供免费餐食。", "contradicted"),
        ("少数门店接受现金。", "门店都接受现金。", "contradicted"),
        ("多数成员赞成修改章程。", "全体成员赞成修改章程。", "contradicted"),
        ("个别学生未交作业。", "学生未交作业。", "partly"),
        ("金卡客户可以进入贵宾室。", "只有金卡客户可以进入贵宾室。", "partly"),
        ("Some branches open on Sunday.", "All branches open on Sunday.", "contradicted"),
        ("部分社区开通了夜间公交。", "所有社区开通了夜间公交。", "contradicted"),
        ("大多数股东支持分红方案。", "股东一致支持，所有股东支持分红方案。", "contradicted"),
        ("少数机型支持卫星通话。", "机型支持卫星通话。", "partly"),
        ("部分药品需要冷藏。", "药品都需要冷藏。", "contradicted"),
        ("持证导游可以免票入园。", "只有持证导游可以免票入园。", "partly"),
        ("Most rooms have a balcony.", "All rooms have a balcony.", "contradicted"),
    ],
    "conditions": [
        ("经理事会批准后，会员可以转让席位。", "会员可以转让席位。", "partly"),
        ("若租户提前退租，押金不予退还。", "押金不予退还。", "partly"),
        ("只有持证人员才能进入机房。", "人员能进入机房。", "partly"),
        ("除非遇到台风，班车照常运行。", "班车照常运行。", "partly"),
        ("连续工作满一年且考核合格的，可以申请培训补助。", "连续工作满一年的，可以申请培训补助。", "partly"),
        ("因台风取消航班的，票款全额退还。", "票款全额退还。", "partly"),
        ("遇紧急情况时，值班员可以破窗。", "值班员可以破窗。", "partly"),
        ("一旦发现渗漏，应当立即停机。", "应当立即停机。", "partly"),
        ("Deposits are refunded only if the room is undamaged.", "Deposits are refunded.", "partly"),
        ("Unless agreed otherwise, the seller pays the freight.", "The seller pays the freight.", "partly"),
        ("经导师签字同意后，学生可以更换课题。", "学生可以更换课题。", "partly"),
        ("如果设备发生故障，操作员应切断电源。", "操作员应切断电源。", "partly"),
        ("只有注册会员才能参加抽奖。", "会员能参加抽奖。", "partly"),
        ("除非天气恶劣，展览每日开放。", "展览每日开放。", "partly"),
        ("年收入低于五万元且无房产的，可以申请廉租房。", "年收入低于五万元的，可以申请廉租房。", "partly"),
        ("因不可抗力延误交货的，供应商免除赔偿责任。", "供应商免除赔偿责任。", "partly"),
        ("发生火灾时，电梯不得使用。", "电梯不得使用。", "partly"),
        ("若买方逾期付款，卖方可以停止供货。", "卖方可以停止供货。", "partly"),
        ("Refunds are issued if the ticket is unused.", "Refunds are issued.", "partly"),
        ("If the alarm sounds, staff must leave the building.", "Staff must leave the building.", "partly"),
    ],
    "order and choice": [
        ("先填写表格，再排队取号。", "先排队取号，再填写表格。", "contradicted"),
        ("出发前应检查轮胎。", "出发后应检查轮胎。", "contradicted"),
        ("收到货款后发货。", "收到货款前发货。", "contradicted"),
        ("获奖者可以领取奖杯或者奖金。", "获奖者可以领取奖杯和奖金。", "contradicted"),
        ("Pay the fee before submitting the form.", "Pay the fee after submitting the form.", "contradicted"),
        ("先打底漆，再刷面漆。", "先刷面漆，再打底漆。", "partly"),
        ("用餐前服用药片。", "用餐后服用药片。", "contradicted"),
        ("签订合同后支付定金。", "签订合同前支付定金。", "contradicted"),
        ("报销须提交发票或者收据。", "报销须提交发票和收据。", "contradicted"),
        ("Wash the filter before replacing the cover.", "Replace the cover before washing the filter.", "contradicted"),
    ],
    "called off": [
        ("商场取消了免费停车。", "商场提供免费停车。", "contradicted"),
        ("银行暂停发放信用卡。", "银行发放信用卡。", "contradicted"),
        ("医院停止接收门诊病人。", "医院接收门诊病人。", "contradicted"),
        ("村民反对修建焚烧厂。", "村民支持修建焚烧厂。", "contradicted"),
        ("法院撤销了冻结令。", "法院发出了冻结令。", "contradicted"),
        ("双方终止了合作协议。", "双方履行合作协议。", "contradicted"),
        ("这种胶水难以粘合玻璃。", "这种胶水粘合玻璃。", "contradicted"),
        ("The airline cancelled its night flights.", "The airline runs night flights.", "contradicted"),
        ("航空公司取消了机上餐食。", "航空公司供应机上餐食。", "contradicted"),
        ("学校停办了夜校课程。", "学校开办夜校课程。", "contradicted"),
        ("海关暂停进口冻虾。", "海关进口冻虾。", "contradicted"),
        ("董事会否决了合并方案。", "董事会通过了合并方案。", "contradicted"),
        ("业主反对安装基站。", "业主同意安装基站。", "contradicted"),
        ("公司拒不支付赔偿金。", "公司支付赔偿金。", "contradicted"),
        ("监管机构撤销了经营许可。", "监管机构颁发了经营许可。", "contradicted"),
        ("The council rejected the parking plan.", "The council approved the parking plan.", "contradicted"),
        ("The firm suspended its dividend.", "The firm pays its dividend.", "contradicted"),
    ],
    "in longer texts": [
        (TRAVEL, "一线城市住宿费每天为500元。", "partly"),
        (TRAVEL, "不再发放伙食补贴。", "partly"),
        (TRAVEL, "出差人员可以在返回后10个工作日内提交报销单。", "contradicted"),
        (TRAVEL, "报销单先由财务部复核，再报部门经理审核。", "contradicted"),
        (TRAVEL, "其他城市住宿费每天至少350元。", "contradicted"),
        (YEAR, "公司在苏州设立了研发中心。", "contradicted"),
        (YEAR, "2025年公司收入增速放缓至8%。", "partly"),
        (YEAR, "公司未来三年投入6亿元用于研发。", "partly"),
        (YEAR, "公司完成了海外并购。", "contradicted"),
        (YEAR, "董事长李建因个人原因辞职。", "partly"),
        (YEAR, "子公司仍处于亏损状态。", "partly"),
        (YEAR, "所有子公司仍处于亏损状态。", "contradicted"),
        (YEAR, "公司存在存货跌价风险。", "partly"),
        (YEAR, "公司存在关联方资金占用。", "contradicted"),
        (YEAR, "管理层认为公司可能存在存货跌价风险。", "contradicted"),
        (YEAR, "2024年公司实现营业收入超过48亿元。", "contradicted"),
        (YEAR, "现任董事长为李建。", "partly"),
        (NEWS, "华北新材料集团投资30亿元在包头建设了磁材基地。", "contradicted"),
        (NEWS, "磁材基地项目于2027年投产。", "partly"),
        (NEWS, "基地建成后年产能为2万吨。", "partly"),
        (NEWS, "稀土价格继续上涨。", "partly"),
        (NEWS, "集团将出售旗下铜业公司。", "contradicted"),
        (NEWS, "集团总工程师罗毅转任顾问。", "partly"),
        (NEWS, "高远认为稀土价格可能继续上涨。", "contradicted"),
        (LEAVE, "年休假可以跨一个年度安排。", "partly"),
        (LEAVE, "员工请事假累计20天以上的，不享受当年的年休假。", "partly"),
        (LEAVE, "员工拟休年假的，可以提前五个工作日提出申请。", "contradicted"),
        (LEAVE, "部门经理应在两个工作日后答复。", "contradicted"),
        (LEAVE, "所有年休假必须集中安排。", "contradicted"),
        (CONTRACT, "甲方应当在验收合格前支付尾款。", "contradicted"),
        (CONTRACT, "乙方有权暂停供货。", "partly"),
        (CONTRACT, "乙方免费维修所有损坏，质保期为两年。", "contradicted"),
        (CONTRACT, "乙方可以将本合同转让给第三方。", "contradicted"),
        (CONTRACT, "任何一方可以解除本合同。", "partly"),
        (CONTRACT, "甲方可以在验收合格后十五日内支付尾款。", "contradicted"),
        (LEAFLET, "本品会引起头晕。", "partly"),
        (LEAFLET, "成人每次服用2片。", "partly"),
        (LEAFLET, "成人每日至少服用3次。", "contradicted"),
        (LEAFLET, "孕妇可以使用本品。", "partly"),
        (LEAFLET, "患者都会出现皮疹。", "contradicted"),
        (LEAFLET, "应停止服用并就医。", "partly"),
        (LEAFLET, "服药期间可以驾车。", "contradicted"),
        ("公司正在考虑裁撤上海办事处。", "公司裁撤了上海办事处。", "contradicted"),
        ("专家建议将药量减半。", "药量减半。", "partly"),
        ("公司希望在年底前上市。", "公司在年底前上市。", "partly"),
        ("会议讨论了是否延长营业时间。", "会议决定延长营业时间。", "partly"),
        ("有人误以为该公园免费开放。", "该公园免费开放。", "contradicted"),
        ("库存不足一百箱。", "库存超过一百箱。", "contradicted"),
        ("迟到三次及以上的扣发奖金。", "迟到三次的扣发奖金。", "partly"),
        ("除周一外，展馆每天开放。", "展馆每天都开放。", "partly"),
        ("仅部分型号支持快充。", "全部型号支持快充。", "contradicted"),
        ("凭学生证可以购买半价票。", "游客可以购买半价票。", "partly"),
        ("满200元可以免运费。", "购物可以免运费。", "partly"),
        ("先付款后发货。", "先发货后付款。", "contradicted"),
        ("该平台下架了这款应用。", "该平台上架了这款应用。", "contradicted"),
        ("不建议孕妇服用。", "建议孕妇服用。", "contradicted"),
    ],
}
RIGHT = [
    ("甲组的负责人是周敏。乙组的负责人是孙浩。", "乙组的负责人是孙浩。", ""),
    (["苏州分公司生产轴承。", "无锡分公司生产电缆。"], "苏州分公司生产轴承，无锡分公司生产电缆。", ""),
    ("陈静是项目经理。她负责与供应商谈判。", "陈静负责与供应商谈判。", ""),
    ("正式员工享有补充医疗保险。实习生可以使用班车。", "实习生可以乘坐班车。", ""),
    ("普通会员享受九五折。金卡会员享受免费停车。", "金卡会员享受免费停车。", "金卡会员有什么待遇？"),
    ("集团拟出售旗下酒店业务。", "集团打算出售酒店业务。", ""),
    ("集团拟出售旗下酒店业务。", "酒店业务", "集团拟出售什么业务？"),
    ("集团拟出售旗下酒店业务。", "出售旗下酒店业务。", "集团计划做什么？"),
    ("公司预计2026年营业收入达到40亿元。", "预计2026年的营业收入是40亿元。", ""),
    ("公司预计2026年营业收入达到40亿元。", "40亿元", "公司2026年的营业收入是多少？"),
    ("学校计划扩建图书馆。", "学校将扩建图书馆。", ""),
    ("暴雨可能导致航班延误。", "暴雨有可能造成航班延误。", ""),
    ("两家银行有望在年内合并。", "两家银行预计年内合并。", ""),
    ("画展将于6月3日开幕。", "画展6月3日开幕。", ""),
    ("画展将于6月3日开幕。", "画展的开幕日期是6月3日。", ""),
    ("工厂即将停产检修。", "工厂马上要停产检修。", ""),
    ("第三个五年计划确定了建设重点。", "五年计划确定了建设重点。", ""),
    ("模拟考试在周三举行。", "周三举行模拟考试。", ""),
    ("The company plans to close its Dublin plant.", "The company intends to close its Dublin plant.", ""),
    ("The drug may cause drowsiness.", "The drug can cause drowsiness.", ""),
    ("The company plans to close its Dublin plant.", "The Dublin plant", "Which plant will be closed?"),
    ("李华曾任财务部经理。", "李华担任过财务部经理。", ""),
    ("李华2010年曾任财务部经理。", "李华2010年任财务部经理。", ""),
    ("李华曾任财务部经理。", "李华", "谁曾任财务部经理？"),
    ("该楼过去是粮仓。", "该楼以前是粮仓。", ""),
    ("前任校长郑强主持了仪式。", "郑强主持了仪式。", ""),
    ("保修期原为一年，现改为两年。", "保修期改为两年。", ""),
    ("原材料由供应商运到仓库。", "供应商把原材料运到仓库。", ""),
    ("Anna Reed is the former chairman of the board.", "Anna Reed was chairman of the board.", ""),
    ("每笔转账不得超过两万元。", "每笔转账最多两万元。", ""),
    ("每笔转账不得超过两万元。", "转账限额为两万元。", ""),
    ("每笔转账不得超过两万元。", "两万元", "每笔转账最多多少？"),
    ("单次借阅最多可借八册图书。", "单次最多借八册。", ""),
    ("项目组至少配备三名工程师。", "项目组的工程师不少于三名。", ""),
    ("展馆面积约五千平方米。", "展馆面积大约五千平方米。", ""),
    ("展馆面积约五千平方米。", "五千平方米", "展馆面积是多少？"),
    ("应在收到通知后10日以内答复。", "答复期限为10日。", ""),
    ("应在收到通知后10日以内答复。", "收到通知后10天内答复。", ""),
    ("工作满一年的员工享有五天年假。", "工作满一年的员工有五天年假。", ""),
    ("自2025年1月1日起执行。", "2025年1月1日起执行。", ""),
    ("Fines are up to 300 dollars.", "The maximum fine is 300 dollars.", ""),
    ("公司明年会涨工资吗？会，涨幅为5%。", "公司明年会涨工资，涨幅5%。", ""),
    ("问：试用期可以请年假吗？\n答：可以，按月折算。", "试用期可以请年假，按月折算。", ""),
    ("退货的运费由谁承担？\n由卖家承担。", "退货的运费由卖家承担。", ""),
    ("加班费是否按双倍计算，尚待工会讨论。", "加班费是否按双倍计算还要由工会讨论。", ""),
    ("无论是否中奖，报名费不退。", "报名费不退。", ""),
    ("网传该校明年停止招生，校方表示消息不实。", "校方否认明年停止招生。", ""),
    ("网传该校明年停止招生，校方表示消息不实。", "网传该校明年停止招生。", ""),
    ("原告称被告拒付房租，法院不予采信。", "原告主张被告拒付房租。", ""),
    ("据称该产品含有铅。", "据说该产品含有铅。", ""),
    ("局长表示，新桥将在年底通车。", "新桥将在年底通车。", ""),
    ("赵磊认为方案可行，钱芳认为成本过高。", "钱芳认为成本过高。", ""),
    ("财务部表示预算充足，工程部表示工期紧张。", "财务部说预算充足。", ""),
    ("教练说：“训练要加量。”队医说：“应该休息。”", "教练说训练要加量。", ""),
    ("乘客可以购买延误险。", "乘客能够购买延误险。", ""),
    ("施工人员应当佩戴安全帽。", "施工人员必须佩戴安全帽。", ""),
    ("施工人员应当佩戴安全帽。", "施工人员要佩戴安全帽。", ""),
    ("员工应当提前三天申请，可以通过系统提交。", "员工可以通过系统提交申请。", ""),
    ("Visitors must register at the gate.", "Visitors have to register at the gate.", ""),
    ("部分航线提供免费餐食。", "有些航线提供免费餐食。", ""),
    ("部分航线提供免费餐食。", "免费餐食", "部分航线提供什么？"),
    ("多数成员赞成修改章程。", "大部分成员赞成修改章程。", ""),
    ("所有门店接受现金。", "门店接受现金。", ""),
    ("所有门店接受现金。", "全部门店都接受现金。", ""),
    ("只有金卡客户可以进入贵宾室。", "金卡客户可以进入贵宾室。", ""),
    ("全书分为三部分，第一部分讲历史。", "第一部分讲历史。", ""),
    ("经理事会批准后，会员可以转让席位。", "会员转让席位须经理事会批准。", ""),
    ("经理事会批准后，会员可以转让席位。", "会员可以转让席位。", "经理事会批准后，会员可以做什么？"),
    ("若租户提前退租，押金不予退还。", "租户提前退租的，押金不退还。", ""),
    ("只有持证人员才能进入机房。", "持证人员能进入机房。", ""),
    ("连续工作满一年且考核合格的，可以申请培训补助。", "申请培训补助要连续工作满一年并且考核合格。", ""),
    ("因台风取消航班的，票款全额退还。", "因台风取消航班时，全额退还票款。", ""),
    ("Deposits are refunded only if the room is undamaged.", "If the room is undamaged, deposits are refunded.", ""),
    ("先填写表格，再排队取号。", "填写表格后排队取号。", ""),
    ("出发前应检查轮胎。", "检查轮胎后再出发。", ""),
    ("收到货款后发货。", "货款收到之后发货。", ""),
    ("获奖者可以领取奖杯或者奖金。", "获奖者可以选择奖杯或奖金。", ""),
    ("Pay the fee before submitting the form.", "Submit the form after paying the fee.", ""),
    ("商场取消了免费停车。", "商场不再提供免费停车。", ""),
    ("银行暂停发放信用卡。", "银行停止发放信用卡。", ""),
    ("村民反对修建焚烧厂。", "村民不同意修建焚烧厂。", ""),
    ("医院停止接收门诊病人。", "门诊病人", "医院停止接收什么病人？"),
    ("双方终止了合作协议。", "合作协议终止了。", ""),
    ("取消订单的，货款三日内退回。", "订单取消后，货款三日内退回。", ""),
    ("The airline cancelled its night flights.", "Night flights were cancelled.", ""),
    ("一号仓库存放化肥。二号仓库存放农药。", "二号仓库存放农药。", ""),
    ("一号仓库存放化肥。二号仓库存放农药。", "一号仓库存放化肥，二号仓库存放农药。", ""),
    ("远航公司主营造船。2015年在宁波设厂。", "远航公司2015年在宁波设厂。", ""),
    ("吴芳主持市场部工作。郑凯主持研发部工作。", "研发部工作由郑凯主持。", ""),
    ("本科生可以借十册图书。研究生可以预约研讨室。", "研究生可以预约研讨室。", ""),
    ("红色按钮控制水泵。绿色按钮控制风机。", "控制风机的是绿色按钮。", ""),
    ("集团打算收购一家德国软件商。", "集团计划收购一家德国软件商。", ""),
    ("集团打算收购一家德国软件商。", "一家德国软件商", "集团打算收购哪家公司？"),
    ("该市拟对货车限行。", "该市计划对货车限行。", ""),
    ("该市拟对货车限行。", "货车", "该市拟对什么车限行？"),
    ("预计春节期间客流量达到60万人次。", "春节期间的客流量预计为60万人次。", ""),
    ("预计春节期间客流量达到60万人次。", "60万人次", "春节期间预计客流量多少？"),
    ("研究所计划明年发射气象卫星。", "研究所明年将发射气象卫星。", ""),
    ("高温可能造成电池鼓包。", "高温可能导致电池鼓包。", ""),
    ("高温可能造成电池鼓包。", "电池鼓包", "高温可能造成什么后果？"),
    ("这条地铁线有望提前通车。", "这条地铁线可能提前通车。", ""),
    ("博物馆将于10月8日闭馆。", "博物馆10月8日闭馆。", ""),
    ("博物馆将于10月8日闭馆。", "10月8日", "博物馆什么时候闭馆？"),
    ("两校即将合并。", "两校将要合并。", ""),
    ("公司力争三年内实现盈利。", "公司的目标是三年内盈利。", ""),
    ("患者疑似感染肺结核。", "怀疑患者感染肺结核。", ""),
    ("工程师草拟了合同文本。", "工程师草拟了合同文本。", ""),
    ("教学计划由教务处制定。", "教务处制定教学计划。", ""),
    ("虚拟主机每月续费一次。", "虚拟主机按月续费。", ""),
    ("The board intends to sell the warehouse.", "The board plans to sell the warehouse.", ""),
    ("Late payment might delay the shipment.", "Late payment could delay the shipment.", ""),
    ("冯涛曾担任采购部主管。", "冯涛当过采购部主管。", ""),
    ("冯涛曾担任采购部主管。", "冯涛", "谁曾担任采购部主管？"),
    ("1988年冯涛曾担任采购部主管。", "1988年冯涛担任采购部主管。", ""),
    ("这座院子从前是县衙。", "这座院子过去是县衙。", ""),
    ("原副院长沈玲创办了诊所。", "沈玲创办了诊所。", ""),
    ("原告提交了收据原件。", "原告提交了收据的原件。", ""),
    ("平原地区种植小麦。", "小麦种植在平原地区。", ""),
    ("The clinic used to offer free tests.", "The clinic previously offered free tests.", ""),
    ("行李重量不得超过二十公斤。", "行李重量上限为二十公斤。", ""),
    ("每户最多申请两个车位。", "每户可申请的车位不超过两个。", ""),
    ("每户最多申请两个车位。", "两个", "每户最多申请几个车位？"),
    ("每班至少安排四名护士。", "每班护士不得少于四名。", ""),
    ("水库面积大约八平方公里。", "水库面积约为八平方公里。", ""),
    ("水库面积大约八平方公里。", "八平方公里", "水库面积多大？"),
    ("年满六十周岁的老人免费乘车。", "六十周岁的老人免费乘车。", ""),
    ("保修期自购买之日起12个月。", "保修期为12个月。", ""),
    ("质保期内免费维修，质保期为36个月。", "质保期为36个月。", ""),
    ("The room holds at most 40 people.", "The room holds up to 40 people.", ""),
    ("食堂会延长营业时间吗？会的，延长到晚上九点。", "食堂会延长营业时间到晚上九点。", ""),
    ("问：访客能否停车？\n答：可以，停在B区。", "访客可以停车，停在B区。", ""),
    ("停车费怎么收？每小时五元。", "停车费每小时五元。", ""),
    ("是否扩大招生规模，董事会尚未决定。", "董事会尚未决定是否扩大招生规模。", ""),
    ("不论是否签到，学员都要参加考试。", "学员都要参加考试。", ""),
    ("坊间传言该银行即将倒闭。", "有传言说该银行即将倒闭。", ""),
    ("上诉人主张合同已经解除，本院不予支持。", "法院不支持合同已经解除的主张。", ""),
    ("市长否认挪用公款。", "市长否认了挪用公款的说法。", ""),
    ("该男子涉嫌盗窃电缆。", "该男子因涉嫌盗窃电缆。", ""),
    ("卖家声称手表是纯金的。", "卖家说手表是纯金的。", ""),
    ("统计局表示，出口增长了三成。", "出口增长了三成。", ""),
    ("馆长认为票价偏低，游客认为票价偏高。", "游客认为票价偏高。", ""),
    ("林悦说：“样品合格。”潘峰说：“还需复检。”", "林悦认为样品合格。", ""),
    ("学员可以自备教材。", "学员能自备教材。", ""),
    ("值班人员必须填写日志。", "值班人员应填写日志。", ""),
    ("出租人应当修缮屋顶。", "出租人有义务修缮屋顶。", ""),
    ("出租人应当修缮屋顶。", "修缮屋顶", "出租人应当做什么？"),
    ("学员应当签到，可以迟到五分钟。", "学员可以迟到五分钟。", ""),
    ("Drivers must wear seat belts.", "Drivers are required to wear seat belts.", ""),
    ("部分社区开通了夜间公交。", "一些社区开通了夜间公交。", ""),
    ("大多数股东支持分红方案。", "多数股东支持分红方案。", ""),
    ("所有房间都有阳台。", "每个房间都有阳台。", ""),
    ("只有注册会员才能参加抽奖。", "只有注册会员可以参加抽奖。", ""),
    ("只有注册会员才能参加抽奖。", "注册会员能参加抽奖。", ""),
    ("第二部分介绍安装步骤。", "安装步骤在第二部分。", ""),
    ("经导师签字同意后，学生可以更换课题。", "学生更换课题须经导师签字同意。", ""),
    ("如果设备发生故障，操作员应切断电源。", "设备故障时操作员应切断电源。", ""),
    ("如果设备发生故障，操作员应切断电源。", "操作员应切断电源。", "如果设备发生故障，操作员应怎么办？"),
    ("除非天气恶劣，展览每日开放。", "展览每日开放，天气恶劣时除外。", ""),
    ("年收入低于五万元且无房产的，可以申请廉租房。", "年收入低于五万元并且无房产的人可以申请廉租房。", ""),
    ("因不可抗力延误交货的，供应商免除赔偿责任。", "不可抗力导致延误交货时，供应商免除赔偿责任。", ""),
    ("发生火灾时，电梯不得使用。", "火灾时不得使用电梯。", ""),
    ("Refunds are issued if the ticket is unused.", "If the ticket is unused, refunds are issued.", ""),
    ("先打底漆，再刷面漆。", "打底漆之后再刷面漆。", ""),
    ("用餐前服用药片。", "药片在用餐前服用。", ""),
    ("签订合同后支付定金。", "合同签订之后支付定金。", ""),
    ("报销须提交发票或者收据。", "报销须提交收据或发票。", ""),
    ("Wash the filter before replacing the cover.", "Replace the cover after washing the filter.", ""),
    ("航空公司取消了机上餐食。", "航空公司不再供应机上餐食。", ""),
    ("海关暂停进口冻虾。", "海关停止进口冻虾。", ""),
    ("董事会否决了合并方案。", "合并方案被董事会否决。", ""),
    ("业主反对安装基站。", "业主不同意安装基站。", ""),
    ("公司拒不支付赔偿金。", "公司没有支付赔偿金。", ""),
    ("停车场24小时开放。", "停车场24小时开放。", ""),
    ("The council rejected the parking plan.", "The parking plan was rejected by the council.", ""),
    (NEWS, "集团计划投资约30亿元在包头建设磁材基地。", ""),
    (NEWS, "项目预计2027年投产。", ""),
    (NEWS, "年产能最高2万吨。", ""),
    (NEWS, "约30亿元", "集团计划投资多少？"),
    (NEWS, "包头", "磁材基地建在哪里？"),
    (NEWS, "有分析师认为稀土价格可能上涨。", ""),
    (NEWS, "高远否认集团将出售铜业公司。", ""),
    (NEWS, "罗毅转任顾问。", ""),
    (NEWS, "集团原总工程师罗毅转任顾问。", ""),
    (LEAVE, "工作满一年不满十年的员工有5天年休假。", ""),
    (LEAVE, "满十年不满二十年的，年休假10天。", ""),
    (LEAVE, "年休假可以分段安排。", ""),
    (LEAVE, "年休假一般不跨年度安排。", ""),
    (LEAVE, "经总经理批准可以跨一个年度安排年休假。", ""),
    (LEAVE, "员工休年假要提前五个工作日申请。", ""),
    (LEAVE, "部门经理在两个工作日内答复。", ""),
    (LEAVE, "提前五个工作日", "休年假要提前多久申请？"),
    (LEAVE, "10天", "工作满十年不满二十年的年休假几天？"),
    (CONTRACT, "尾款应当在验收合格后十五日内支付。", ""),
    (CONTRACT, "甲方逾期付款超过三十日的，乙方可以暂停供货。", ""),
    (CONTRACT, "未经甲方书面同意，乙方不得转让合同。", ""),
    (CONTRACT, "质保期为两年。", ""),
    (CONTRACT, "提前三十日书面通知对方可以解除合同。", ""),
    (CONTRACT, "两年", "质保期多长？"),
    (CONTRACT, "十五日内", "尾款什么时候支付？"),
    (LEAFLET, "本品可能引起头晕。", ""),
    (LEAFLET, "服药期间不能驾车。", ""),
    (LEAFLET, "成人每次不超过2片。", ""),
    (LEAFLET, "每日最多3次。", ""),
    (LEAFLET, "孕妇须在医生指导下使用。", ""),
    (LEAFLET, "症状持续三天以上应停止服用并就医。", ""),
    (LEAFLET, "头晕", "本品可能引起什么？"),
    ("先付款后发货。", "付款后发货。", ""),
    ("仅部分型号支持快充。", "只有部分型号支持快充。", ""),
    ("凭学生证可以购买半价票。", "有学生证可以买半价票。", ""),
    ("满200元可以免运费。", "消费满200元免运费。", ""),
    ("公司承诺明年起提供住房补贴。", "公司承诺明年起提供住房补贴。", ""),
    ("迟到三次及以上的扣发奖金。", "迟到三次以上会被扣发奖金。", ""),
    ("库存不足一百箱。", "库存不到一百箱。", ""),
    (TRAVEL, "部门经理及以上人员可以乘坐高铁一等座。", ""),
    (TRAVEL, "其他员工乘坐高铁二等座。", ""),
    (TRAVEL, "其他员工乘坐高铁二等座。", ""),
    (TRAVEL, "乘坐飞机须经分管副总批准。", ""),
    (TRAVEL, "因工作需要乘坐飞机的，要由分管副总批准。", ""),
    (TRAVEL, "一线城市的住宿费每天最多报销500元，其他城市最多350元。", ""),
    (TRAVEL, "住宿费限额为一线城市每天500元、其他城市每天350元。", ""),
    (TRAVEL, "伙食补贴每人每天100元。", ""),
    (TRAVEL, "当天往返的，伙食补贴减半。", ""),
    (TRAVEL, "接待单位统一安排用餐的，不发伙食补贴。", ""),
    (TRAVEL, "报销单应在返回后10个工作日内提交。", ""),
    (TRAVEL, "逾期未提交报销单的不予受理。", ""),
    (TRAVEL, "报销单由部门经理审核后报财务部复核。", ""),
    (TRAVEL, "发票遗失时应提供支付记录和书面说明。", ""),
    (TRAVEL, "发票遗失的，需要提供支付记录及书面说明。", ""),
    (TRAVEL, "本办法适用于全体正式员工。", ""),
    (TRAVEL, "实习生参照执行。", ""),
    (TRAVEL, "500元", "一线城市住宿费每天限额多少？"),
    (TRAVEL, "10个工作日", "返回后多久内要提交报销单？"),
    (TRAVEL, "分管副总", "乘坐飞机要经谁批准？"),
    (YEAR, "2024年公司营业收入约48亿元，同比增长12%。", ""),
    (YEAR, "公司2024年收入增长了12%。", ""),
    (YEAR, "管理层预计2025年收入增速为8%左右。", ""),
    (YEAR, "公司计划未来三年投入至少6亿元做研发。", ""),
    (YEAR, "公司拟在苏州设立研发中心。", ""),
    (YEAR, "公司打算在苏州建立研发中心。", ""),
    (YEAR, "公司取消了海外并购计划。", ""),
    (YEAR, "海外并购计划被取消。", ""),
    (YEAR, "前任董事长李建因个人原因辞职。", ""),
    (YEAR, "现任董事长是王晓。", ""),
    (YEAR, "部分子公司处于亏损状态。", ""),
    (YEAR, "一些子公司仍在亏损。", ""),
    (YEAR, "审计师认为公司可能存在存货跌价风险。", ""),
    (YEAR, "公司可能有存货跌价风险。", ""),
    (YEAR, "公司否认存在关联方资金占用。", ""),
    (YEAR, "苏州", "公司拟在哪里设立研发中心？"),
    (YEAR, "王晓", "现任董事长是谁？"),
    (YEAR, "6亿元", "公司计划未来三年至少投入多少研发资金？"),
]


def evidence(text: str | list[str]) -> list[Evidence]:
    texts = [text] if isinstance(text, str) else text
    return [Evidence(n=n, id=f"c{n}", text=one, source="a.md", location="a.md") for n, one in enumerate(texts, start=1)]


@pytest.mark.parametrize(("text", "claim", "verdict"), [case for cases in WRONG.values() for case in cases])
def test_a_claim_that_says_more_than_its_evidence_is_not_supported(
    text: str | list[str], claim: str, verdict: str
) -> None:
    found = check_claim(claim, evidence(text))
    assert found.verdict == verdict, found
    assert found.reason


@pytest.mark.parametrize(("text", "claim", "question"), RIGHT)
def test_a_claim_that_keeps_what_narrows_its_evidence_is_supported(
    text: str | list[str], claim: str, question: str
) -> None:
    found = check_claim(claim, evidence(text), question=question)
    assert found.verdict == "supported", found


@pytest.mark.parametrize(
    "text",
    [
        case[0]
        for kind, cases in WRONG.items()
        if kind not in {"asked", "in longer texts"}
        for case in cases
        if isinstance(case[0], str)
    ],
)
def test_evidence_supports_itself(text: str) -> None:
    assert check_claim(text, evidence(text)).verdict == "supported"


def test_the_reason_names_the_word_left_out() -> None:
    found = check_claim("集团出售旗下酒店业务。", evidence("集团拟出售旗下酒店业务。"))
    assert (found.verdict, found.reason) == ("partly", "资料1 写的是“拟出售旗下酒店业务”，回答没有写“拟”")


def test_the_reason_names_the_condition_left_out() -> None:
    found = check_claim("押金不予退还。", evidence("若租户提前退租，押金不予退还。"))
    assert (found.verdict, found.reason) == ("partly", "资料1 写的条件是“租户提前退租”，回答没有写")


def test_the_reason_names_the_bound_left_out() -> None:
    found = check_claim("每户申请两个车位。", evidence("每户最多申请两个车位。"))
    assert (found.verdict, found.reason) == ("partly", "资料1 写的是“每户最多申请两个车位”，回答没有这样写")


def test_a_question_may_say_what_an_answer_leaves_out() -> None:
    text = "经理事会批准后，会员可以转让席位。"
    said = "会员可以转让席位。"
    assert check_claim(said, evidence(text), question="会员可以做什么？").verdict == "partly"
    assert check_claim(said, evidence(text), question="经理事会批准后，会员可以做什么？").verdict == "supported"


def test_a_question_of_the_reader_does_not_make_a_rumour_true() -> None:
    text = "网传该校明年停止招生，校方表示消息不实。"
    found = check_claim("该校明年停止招生。", evidence(text), question="网传该校明年停止招生，是真的吗？")
    assert found.verdict == "partly"


def test_another_block_may_say_plainly_what_one_only_plans() -> None:
    texts = ["集团拟出售旗下酒店业务。", "三月，集团出售了旗下酒店业务。"]
    assert check_claim("集团出售了旗下酒店业务。", evidence(texts)).verdict == "supported"


def test_what_takes_back_counts_as_a_denial() -> None:
    text = "商场取消了免费停车。"
    assert check_claim("商场不再提供免费停车。", evidence(text)).verdict == "supported"
    assert check_claim("商场提供免费停车。", evidence(text)).verdict == "contradicted"


def test_a_question_in_the_evidence_is_no_fact_even_word_for_word() -> None:
    text = "公司明年涨工资？目前没有定论。"
    assert check_claim("公司明年涨工资？", evidence(text)).verdict == "supported"


def test_a_sentence_that_drops_a_hedge_does_not_pass_the_parser() -> None:
    parser = CitationParser(
        evidence=evidence("暴雨可能导致航班延误。"), require="grounded", question="暴雨有什么影响？"
    )
    with pytest.raises(CitationError, match="回答没有写“可能”"):
        parser.parse("暴雨导致航班延误[资料1]。")
    assert parser.parse("航班延误[资料1]。").claims[0].verdict == "supported"


@given(st.data(), st.sampled_from(OPERATORS))
def test_no_word_that_narrows_begins_otherwise_than_is_looked_for(data: st.DataObject, operator: Operator) -> None:
    words = operator.cue.pattern.partition("(?<![不未没非无])")[2]
    text = data.draw(st.from_regex(words))
    assert {match.group()[0] for match in re.finditer(words, text) if match.group()} <= operator.begins
