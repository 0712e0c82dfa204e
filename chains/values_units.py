"""The units that numbers in texts are written with: what each measures, and how many base units it is.

Units of one dimension are equal where they are so by definition (两周 is 14天, 5公斤 is 5000克). Neither working
days nor months are days, so these are dimensions of their own.
"""

from fractions import Fraction

_TABLE: dict[str, dict[int | Fraction, str]] = {
    "second": {
        1: "秒钟 秒 seconds second secs sec",
        60: "分钟 minutes minute mins min",
        3600: "个小时 小时 个钟头 钟头 hours hour hrs hr h",
        86400: "个自然日 自然日 日历日 个日历日 天 日 days day calendar_days",
        604800: "个星期 星期 个礼拜 礼拜 周 weeks week",
    },
    "workday": {
        1: "个工作日 工作日 个工作天 工作天 个营业日 营业日 business_days business_day working_days working_day",
    },
    "tradeday": {1: "个交易日 交易日 trading_days trading_day"},
    "month": {
        1: "个月 个整月 个自然月 months month",
        3: "个季度 quarters",
        12: "周年 年 个年度 years year yrs",
    },
    "元": {1: "元整 元钱 元人民币 元 块钱 块 圆 人民币 rmb cny yuan"},
    "美元": {1: "美元 美金 usd dollars dollar"},
    "欧元": {1: "欧元 eur euros euro"},
    "港元": {1: "港元 港币 hkd"},
    "日元": {1: "日元 日圆 jpy"},
    "英镑": {1: "英镑 gbp pounds pound"},
    "台币": {1: "新台币 台币 twd"},
    "韩元": {1: "韩元 韩币"},
    "gram": {
        Fraction(1, 10**6): "微克 μg ug",
        Fraction(1, 1000): "毫克 mg",
        1: "克 g",
        50: "两重",
        500: "市斤 斤",
        1000: "千克 公斤 kg",
        10**6: "公吨 吨 t tons tonnes",
    },
    "metre": {
        Fraction(1, 10**9): "纳米 nm",
        Fraction(1, 10**6): "微米 μm um",
        Fraction(1, 1000): "毫米 mm",
        Fraction(1, 100): "厘米 公分 cm",
        Fraction(1, 10): "分米 dm",
        1: "公尺 米 m metres meters",
        500: "华里 里地",
        1000: "公里 千米 km kilometres kilometers",
    },
    "inch": {1: "英寸 inches inch", 12: "英尺 feet ft"},
    "square": {
        Fraction(1, 10000): "平方厘米 cm2",
        1: "平方米 平米 平方 m2 ㎡",
        Fraction(2000, 3): "亩",
        10000: "公顷",
        10**6: "平方公里 平方千米 km2",
    },
    "litre": {
        Fraction(1, 1000): "毫升 ml cc 立方厘米 cm3",
        1: "公升 升 l litres liters",
        1000: "立方米 立方 m3",
    },
    "degree": {1: "摄氏度 度 °c ℃"},
    "fahrenheit": {1: "华氏度 °f"},
    "watt": {1: "瓦特 瓦 w", 1000: "千瓦 kw", 10**6: "兆瓦 mw", 10**9: "吉瓦 gw"},
    "watthour": {1: "瓦时 wh", 1000: "千瓦时 kwh 度电", 10**6: "兆瓦时 mwh", 10**9: "吉瓦时 gwh"},
    "voltampere": {1: "伏安 va", 1000: "千伏安 kva"},
    "calorie": {1: "卡路里 cal", 1000: "千卡 大卡 kcal"},
    "joule": {1: "焦耳 焦 j", 1000: "千焦 kj", 10**6: "兆焦 mj"},
    "mmhg": {1: "毫米汞柱 mmhg"},
    "volt": {Fraction(1, 1000): "毫伏 mv", 1: "伏特 伏 v", 1000: "千伏 kv"},
    "ampere": {Fraction(1, 1000): "毫安 ma", 1: "安培 安 a"},
    "mah": {1: "毫安时 mah", 1000: "安时 ah"},
    "hertz": {1: "赫兹 hz", 1000: "千赫 khz", 10**6: "兆赫 mhz", 10**9: "吉赫 ghz"},
    "pascal": {1: "帕 pa", 100: "hpa", 1000: "千帕 kpa", 10**6: "兆帕 mpa", 10**5: "bar"},
    "newton": {1: "牛顿 n", 1000: "千牛 kn"},
    "decibel": {1: "分贝 db"},
    "byte": {1: "字节 bytes byte"},
    "kb": {1: "kb"},
    "mb": {1: "mb"},
    "gb": {1: "gb"},
    "tb": {1: "tb"},
    "mbps": {1: "mbps 兆每秒", 1000: "gbps"},
    "millisecond": {1: "毫秒 ms"},
    "岁": {1: "周岁 岁"},
    "倍": {1: "倍"},
    "point": {1: "个百分点 百分点 percentage_points percentage_point"},
    "basis": {1: "个基点 基点 bp bps"},
    "人": {1: "人次 人 名 位 口人 people persons employees"},
    "次": {1: "次 回 趟 遍 times"},
    "页": {1: "页 pages page"},
    "字": {1: "个汉字 个字符 个字 字符 字 characters words"},
    "楼": {1: "楼 层"},
    "分数": {1: "分"},
    "积分": {1: "积分 个积分"},
    "条": {1: "条 款 项"},
    "台": {1: "台 辆 部 架 艘 列"},
    "家": {1: "家 所 间"},
    "种": {1: "种 类"},
    "件": {1: "件 份 套 单 批"},
    "张": {1: "张 本 册 幅 篇"},
    "级": {1: "级"},
    "期": {1: "期"},
    "届": {1: "届"},
    "号": {1: "号"},
    "户": {1: "户"},
    "只": {1: "只 头 匹 条鱼"},
    "棵": {1: "棵 株"},
    "座": {1: "座 栋 幢"},
    "箱": {1: "箱 盒 袋 包 瓶 桶 罐"},
    "个": {1: "个 items"},
}

UNITS: dict[str, tuple[str, Fraction]] = {
    name.replace("_", " "): (dimension, Fraction(factor))
    for dimension, rows in _TABLE.items()
    for factor, names in rows.items()
    for name in names.split()
}
"""Each unit in folded text, with its dimension and what it is worth in the dimension's base unit."""

COUNTS = frozenset("人 次 页 字 条 台 家 种 件 张 级 期 户 只 棵 座 箱 个".split())
"""Dimensions of measure words, for any of which 个, or no measure word at all, may stand."""

INDEFINITE = frozenset("条 台 家 种 件 张 只 棵 座 箱 个 人 级 户 期".split())
"""Dimensions with which 一 is an article rather than a number (一个部门, 一家公司)."""

ARTICLES = {"article": "条", "section": "节", "chapter": "章", "clause": "条", "page": "页", "step": "步", "item": "项"}
"""English words of which a number behind them is an ordinal, and what they are in Chinese."""
