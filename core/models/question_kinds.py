"""The kinds of value that questions ask for, and what a sentence looks like that holds one."""

import re
from dataclasses import dataclass

_HAN_NUMERAL = "零〇一二两三四五六七八九十百千万亿"
_NUMERAL = f"0-9{_HAN_NUMERAL}"
_NUMBER = rf"(?:\d[\d,]*(?:\.\d+)?|[{_HAN_NUMERAL}半数]+)\s*[多余来]?(?:百万|千万|[百千万亿])*"
_NAMED_AMOUNT = (
    r"(?:价|费|额(?![定外头])|款|元|金|工资|薪|收入|利润|资产|成本)[^,。:]{0,16}:?\s*[-¥￥$]?\d[\d,]*(?:\.\d+)?"
    r"(?![\d,.]*\s*[%‰日天年月个])"
)
_LENGTH = rf"{_NUMBER}\s*个?(?:工作|自然|交易|营业)?(?:日|天|年|月|周|小时|分钟|秒|季度|星期|世纪)"
_DATE = (
    rf"[{_NUMERAL}元]\s*[年月日号](?!龄)|\d{{4}}[-/.]\d|\d{{1,2}}[:]\d\d|[{_NUMERAL}]\s*[点时](?![候间])|[周期][一二三四五六日天](?!期)"
    r"|世纪|年代|末年|初年|(?:春|夏|秋|冬)季|今[年天日]|昨[天日]|明[年天]|去年|前年|当天|次[日年]|中旬|[上下]旬|时期|期间|之[后前]|(?<![以今然最此前之])后(?![提期勤面缀来果续])"
    r"|\d+(?:st|nd|rd|th)?\s+(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:19|20)\d\d\b"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day"
)
_ENGLISH_LENGTH = (
    r"(?:\d+|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|fifteen|twenty|thirty|sixty|ninety))"
    r" (?:\w+ )?(?:second|minute|hour|day|week|month|year)"
)
_OFTEN = r"每[日天周月季年个两三隔半]|季度|立即|即时|当天|次日|终身|长期|永久|随时"


@dataclass(frozen=True)
class Kind:
    """A kind of value.

    Attributes:
        name: For people and tests.
        asked: How a folded question asks for it.
        held: What stands in a folded sentence that holds one.
    """

    name: str
    asked: re.Pattern[str]
    held: re.Pattern[str]


KINDS = tuple(
    Kind(name, re.compile(asked), re.compile(held))
    for name, asked, held in (
        (
            "money",
            (
                r"多少钱|几块(?:钱|$)|多少(?:美|欧|日|港|人民)?[元币]|价格|价钱|单价|售价|总价|费用(?:是|为|多少|标准)|收费|金额|罚款(?:是|多少)|工资(?:是|多少)"
                r"|(?:营收|营业收入|收入|利润|资产|负债|成本|票房|投资额|融资额)(?:总额)?(?:分别)?(?:是|为|达到?了?|有)?(?:多少|$)"
                r"|how much(?= (?:is|are|does|do|did|will|money|can)\b|$)|\bprice|\bcosts?\b"
            ),
            (
                rf"{_NUMBER}\s*(?:元|块|美元|欧元|日元|港元|港币|英镑|人民币|折)|[¥￥$€£]\s*\d|rmb|usd|免费|不收|免收"
                rf"|(?:费|利率|税率|费率|工资|薪)[^,。;]{{0,12}}\d\s*[%‰]|{_NAMED_AMOUNT}|\d[\d,]*(?:\.\d+)?\s*[万亿]"
            ),
        ),
        (
            "length",
            (
                r"多久|多长时间|[几多]少?个?(?:工作|自然)?(?:天|日|年|月|周|星期|小时|分钟|季度)(?!代|份)"
                r"|期限|时限|有效期|保修期|质保期|试用期(?:是|有|多)|时长|周期|how long|how often"
                r"|how many (?:\w+ )?(?:day|hour|week|month|year|minute)"
            ),
            (
                rf"{_LENGTH}|{_OFTEN}|\d{{4}}\s*年|{_ENGLISH_LENGTH}"
                r"|\((?:秒|分钟?|小?时|[天日周月年])\):\s*\d"  # the unit in the head of a column
            ),
        ),
        (
            "year",
            r"哪一?年|何年|which year|what year",
            rf"(?:\d{{2,4}}|[{_HAN_NUMERAL}元]+)\s*年|年间|\b(?:1[0-9]|20)\d\d\b",
        ),
        ("month", r"几月(?!几)|哪个?月", rf"[{_NUMERAL}]\s*月"),
        (
            "clock",
            r"几点|上班时间|下班时间|营业时间|开放时间|作息时间|what time",
            rf"[{_NUMERAL}]\s*[点時时](?![候间])|\d{{1,2}}[:]\d\d|全天|24\s*小时|\d\s*[ap]\.?m",
        ),
        ("day", r"日期|哪一?[天日]|几月几[号日]|几号|what date", _DATE),
        (
            "date",
            r"什么时[候间]|何时|几时|时间(?:是|为|在|点)|时间(?:分别)?$|\bwhen\b",
            rf"{_LENGTH}|{_DATE}|{_OFTEN}|{_ENGLISH_LENGTH}",
        ),
        (
            "contact",
            (
                r"(?:电话|手机|邮箱|网址|热线|传真|邮件|电邮)(?:号码?|地址)?(?:是|为|有|多少|$)|联系方式|怎么联系|如何联系"
                r"|phone number|e-?mail address"
            ),
            r"\d{3,}[- ]?\d{3,}|(?:电话|热线|分机|手机|短号)[^,。;\d]{0,6}\d{3,}|@|www\.|https?:",
        ),
        (
            "share",
            r"百分之几|百分比|比例(?:是|为|达|多少|$)|占比|增速|(?:增长|下降|上升)(?:了|幅度)?(?:是|为)?多少|[^频功效][率](?:分别)?(?:是|为|达到?了?|有|$)|percent",
            r"\d\s*[%‰]|分之|[一二三四五六七八九]成|百分点|[\d一二两三四五六七八九十]倍",
        ),
        (
            "people",
            (
                r"多少[名位个]?(?:人|员工|职工|学生|成员)|几[名位]|人数|几个人"
                r"|how many (?:people|employees|students|members)"
            ),
            (
                rf"{_NUMBER}\s*(?:名|位|人|个人)|人(?:数|口|员)?(?:总数|合计)?(?:约|共|有|为|是|达|超过?|近|:){{1,2}}[^,。;]{{0,2}}\d|(?:总数|户数|人数)[^,。;]{{0,12}}:\s*\d"
                r"|\d+ (?:\w+ )?(?:people|employees|members|students|staff)"
            ),
        ),
        (
            "number",
            (
                r"多少|多大|多高|多长|多重|多远|多宽|几[个次种倍位条项层楼页台家只座部支张块件款岁级成所万千百]"
                r"|(?:[产销储重流容总]|交付)量(?:是|为|达到?了?|有|$)|(?:面积|人口|长度|高度|身高|体长|海拔|次数)(?:是|为|有|$)"
                r"|第几|数量|编号|代码|号码|总数|how many|what number|how (?:big|high|long|far|large|old)"
            ),
            (
                rf"\d|[{_HAN_NUMERAL}](?:[{_HAN_NUMERAL}]"
                rf"|[个次人名倍位条项层楼页台天日月周元块度级米克吨章种家只座部支张件款岁届所国处])|小时|分钟"
                rf"|分之|免费|不限|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b"
            ),
        ),
        (
            "name",
            r"谁是|是谁$|叫什么|姓名|什么名字|(?:冠军|亚军|季军|得主)(?:是|有哪些|$)",
            r"[是为叫系成演:《]|任(?![期务何意命])|当选|·",
        ),
        (
            "person",
            (
                r"谁|哪[位名]|何人|哪一?个?(?:部门|单位|人|机构|公司|国家|政府|组织)|什么(?:人|部门|单位|机构)"
                r"|(?:作者|导演|编剧|主演|主角|创始人|发明者|主持人|旗手)(?:有哪些|都?有$|是$|$)"
                r"|\bwho(?:se|m)?\b|which (?:department|team|person)"
            ),
            (
                r"[由归找向被给]|负责|[人员方者家师长部处科局组院会司国队军帝王]|经理|主管|总监|代表|个人|本人|自理|自付|自费|公司|·"
                r"|\bby\b|manager|\w+(?:er|or|ee)s?\b|department|team"
            ),
        ),
        (
            "reason",
            r"为什么(?=.)|为何(?=.)|为啥|什么原因|原因(?:是|有|$)|缘故|\bwhy\b|reason",
            (
                r"因|由于|为了|为的是|以便|以免|避免|防止|确保|保证|旨在|目的|导致|所以|缘|故|致使|使得|从而"
                r"|基于|出于|为[^,。]{2,20}[,而]|because|due to|so that|since|in order|to (?:avoid|prevent"
                r"|ensure)"
            ),
        ),
        (
            "place",
            r"哪里|哪儿|在哪(?![个一种些家项])|何处|何地|地址|地点|什么地[方点]|哪一?个?(?:城市|省|地区|地方|国家|州|县|市)|\bwhere\b|address|举办地|注册地",
            (
                r"位于|坐落|地处|地址|地点|住所|(?:(?<![现存正由])在|(?<![由属关对])于)(?![于是\d])[^\d,。]{2}"
                r"|[省市区县镇村路街号楼层室栋州国岛山港洲亚](?![0-9])|等地|地点?[为是:]|[为是在:][^,。;]{0,10}(?:仓库|库房|车间|厂区|园区|大厦)|https?:|\b(?:at|in|on|from"
                r"|to)\b"
            ),
        ),
    )
)
"""The first whose `asked` is found is the kind of a question."""

NAMED = tuple(
    map(
        re.compile,
        (
            r"(?:19|20)\d{2}(?=年|[-/]\d|财年|赛季|春|夏|秋|冬)",
            r"(?:19|20)\d{2}年\d{1,2}月",
            r"(?<![a-z\d.,:/-])\d{3,}(?![\d.,:/-]\d|\d|\s*[%‰年月日天元万亿个人名条小分秒米吨克台件次点号股])",
            rf"第[{_NUMERAL}]+[条章节款项期届]",
            r"[a-z]+[-_/]?\d[a-z0-9]*(?:[-_./][a-z0-9]+)*",
            r"[甲乙丙丁](?:方|公司)",
            r"《[^《》\n]{1,40}》",
            r"[\u4e00-\u9fff]某{1,3}(?:[甲乙丙丁])?",
        ),
    )
)
"""Names that stand for one thing among its like, in folded text: years, months, articles, models, parties, titles,
persons whose names are left out."""

ORGANISATION = re.compile(r"[\u4e00-\u9fffa-z0-9()]{2,14}?(?:股份有限公司|有限责任公司|有限公司|集团公司|集团)")
"""A company by its full name, in folded text."""
