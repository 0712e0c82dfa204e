"""Who does what to whom, and when: a claim that exchanges the sides is not supported, one that turns it round is."""

import pytest

from youju.chains.grounding import check_claim
from youju.chains.result import Evidence

CASES = {
    "甲方应在验收后10日内向乙方付款。": """
        supported    | 甲方应在验收后10日内向乙方付款。
        supported    | 甲方应当于验收后10日内付款给乙方。
        contradicted | 乙方应在验收后10日内向甲方付款。
        contradicted | 乙方应于验收后10日内付款给甲方。
        contradicted | 验收后10日内乙方要向甲方付款。
    """,
    "款项由甲方支付给乙方。": """
        supported    | 甲方向乙方支付款项。
        supported    | 甲方把款项支付给乙方。
        supported    | 乙方的款项由甲方支付。
        contradicted | 乙方向甲方支付款项。
        contradicted | 款项由乙方支付给甲方。
    """,
    "乙方应向甲方支付租金，甲方应向乙方出具发票。": """
        supported    | 租金由乙方支付给甲方。
        supported    | 甲方收取乙方的租金。
        supported    | 甲方给乙方开具发票。
        contradicted | 甲方向乙方支付租金。
        contradicted | 乙方向甲方出具发票。
        contradicted | 租金由甲方支付给乙方。
    """,
    "甲公司收购了乙公司60%的股权。": """
        supported    | 乙公司60%的股权被甲公司收购。
        contradicted | 乙公司收购了甲公司60%的股权。
        contradicted | 甲公司60%的股权被乙公司收购。
    """,
    "小王借给小李5000元。": """
        supported    | 小李向小王借了5000元。
        contradicted | 小王向小李借了5000元。
        contradicted | 小李借给小王5000元。
    """,
    "东湖店的客流量高于西湖店。": """
        supported    | 西湖店的客流量低于东湖店。
        contradicted | 西湖店的客流量高于东湖店。
        contradicted | 东湖店的客流量低于西湖店。
    """,
    "老员工的补贴比新员工高200元。": """
        supported    | 新员工的补贴比老员工低200元。
        contradicted | 新员工的补贴比老员工高200元。
    """,
    "申请截止日期早于面试日期。": """
        supported    | 面试日期晚于申请截止日期。
        contradicted | 面试日期早于申请截止日期。
    """,
    "货物从上海运往武汉。": """
        supported    | 货物由上海运到武汉。
        contradicted | 货物从武汉运往上海。
    """,
    "张伟是李强的父亲，丙公司系丁公司的母公司。": """
        supported    | 丁公司的母公司是丙公司。
        contradicted | 李强是张伟的父亲。
        contradicted | 丁公司是丙公司的母公司。
    """,
    "监理单位对施工单位进行检查，施工单位须配合监理单位。": """
        supported    | 施工单位由监理单位检查。
        supported    | 监理单位检查施工单位。
        contradicted | 施工单位对监理单位进行检查。
    """,
    "红队以3比1击败蓝队。": """
        supported    | 蓝队被红队以3比1击败。
        contradicted | 蓝队以3比1击败红队。
        contradicted | 红队被蓝队以3比1击败。
    """,
    "审计部负责复核，财务部负责付款，档案由行政部保管。": """
        supported    | 财务部负责付款。
        contradicted | 审计部负责付款。
        contradicted | 行政部负责复核。
        contradicted | 档案由财务部保管。
    """,
    "突发停水，超过12小时的，由物业提供临时供水，并通知住户。": """
        supported    | 突发停水超过12小时的，物业提供临时供水。
        supported    | 突发停水超过12小时，由物业提供临时供水并通知住户。
        contradicted | 突发停水超过2小时的，物业提供临时供水。
        contradicted | 突发停水超过12小时的，住户提供临时供水。
    """,
    "The tenant pays the landlord 500 dollars every month.": """
        supported    | The landlord is paid 500 dollars every month by the tenant.
        contradicted | The landlord pays the tenant 500 dollars every month.
    """,
    "Ann sold the house to Bob.": """
        supported    | Bob bought the house from Ann.
        supported    | The house was sold to Bob by Ann.
        contradicted | Bob sold the house to Ann.
    """,
    "Flights from Paris to Rome take two hours.": """
        supported    | Flights from Paris to Rome take 2 hours.
        contradicted | Flights from Rome to Paris take two hours.
    """,
    "下雨时活动改在室内举行，晴天在操场举行。": """
        supported    | 下雨时在室内举行。
        contradicted | 晴天活动在室内举行。
        contradicted | 下雨时在操场举行。
    """,
    "普通订单签收后7天内可退货、会员订单15天。": """
        supported    | 普通订单7天内可退货。
        supported    | 会员订单15天。
        contradicted | 会员订单7天。
        contradicted | 会员订单7天内可退货。
    """,
    "首次逾期的，予以警告；再次逾期的，取消借阅资格。": """
        supported    | 首次逾期予以警告。
        contradicted | 首次逾期的，取消借阅资格。
    """,
    "自然磨损属于免费维修范围。人为损坏不在免费维修范围内。": """
        supported    | 自然磨损可以免费维修。
        supported    | 人为损坏不能免费维修。
        contradicted | 人为损坏可以免费维修。
        contradicted | 人为损坏在免费维修范围内。
        contradicted | 自然磨损不能免费维修。
    """,
    "借阅期限为30天；图书损坏的，由借阅人赔偿，图书馆出具收据给借阅人。": """
        supported    | 借阅人赔偿损坏的图书。
        supported    | 图书馆向借阅人出具收据。
        contradicted | 图书损坏的由图书馆赔偿。
        contradicted | 借阅人向图书馆出具收据。
    """,
    "云溪茶舍是临江老街的一家茶馆，由两层木楼组成，主要客人是附近的居民。": """
        supported    | 云溪茶舍的主要客人是附近的居民。
        supported    | 云溪茶舍是临江老街的茶馆。
    """,
    "周敏之生于1902年。周氏擅长山水画，晚年在临江讲学。": """
        supported    | 周敏之擅长山水画。
    """,
    "姓名：邵某某。体格检查：体温39.5℃，血压正常。": """
        supported    | 邵某某的体温为39.5℃。
    """,
    "陈立新创办了青石书院。1931年，罗文清重修了青石书院的藏书楼。": """
        supported    | 陈立新创办了青石书院。
        contradicted | 陈立新重修了青石书院的藏书楼。
    """,
    "书院于1898年落成。1906年书院改为学堂。1912年学堂改称中学，校舍扩建。": """
        supported    | 1906年书院改为学堂。
        contradicted | 1906年书院落成。
        contradicted | 书院于1912年改为学堂。
    """,
    "会员可以免费停车。非会员停车每小时5元。": """
        supported    | 非会员停车每小时5元。
        contradicted | 会员停车每小时5元。
        contradicted | 非会员可以免费停车。
    """,
}
ALL = [
    (text, *reversed([part.strip() for part in line.split("|")]))
    for text, table in CASES.items()
    for line in table.strip().splitlines()
]


@pytest.mark.parametrize(("text", "claim", "verdict"), ALL)
def test_the_sides_of_a_sentence_may_be_told_from_either_but_not_exchanged(text: str, claim: str, verdict: str) -> None:
    block = Evidence(n=1, id=None, text=text, source="a.md", location="a.md")
    found = check_claim(claim, [block])
    assert found.verdict == verdict, found
