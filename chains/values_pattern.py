"""What a value looks like in a folded text: one pattern whose groups say what kind it is and where its numbers are."""

import re

from youju.analyzer_numbers import HAN_NUMERALS, NUMBER
from youju.chains.values_units import ARTICLES, UNITS
from youju.text import HAN

HAN_DIGITS = "零〇一二三四五六七八九十"

_SMALL = rf"(?:\d{{1,2}}|[{HAN_DIGITS}两]{{1,3}})"
_YEAR = rf"(?:[12]\d{{3}}|[{HAN_DIGITS}]{{4}})"
_LATIN_UNITS = "|".join(sorted((re.escape(unit) for unit in UNITS if unit[0].isascii()), key=len, reverse=True))
_HAN_UNITS = "|".join(sorted((re.escape(unit) for unit in UNITS if not unit[0].isascii()), key=len, reverse=True))
_PREFIXED = "|".join(sorted((unit for unit in UNITS if unit[0] in "百千万亿" and len(unit) > 1), key=len, reverse=True))
UNIT = rf"(?:{_HAN_UNITS}|(?:{_LATIN_UNITS})(?![a-z0-9]))"
"""A unit of measure."""

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_PART_OF_DAY = r"上午|早上|早晨|清晨|凌晨|中午|下午|午后|傍晚|晚上|晚间|夜间|夜里|晚"
_COUNTED = (
    r"条|款|项|章|节|编|部分|次|届|期|季度|名|位|页|号|级|层|类|种|天|日|年|个月|周|步|轮|批|阶段|版|卷|册|集|代|组"
)
_WITH_UNIT = rf"\d+(?:\.\d+)?(?:[-~]\d+(?:\.\d+)?)?\s?(?:{_LATIN_UNITS}|[ap]m|st|nd|rd|th)(?![a-z0-9])"
# 3000万千瓦时 has the unit 千瓦时, not a number that ends in 千
_BEFORE_PREFIX = rf"(?:\d+(?:\.\d+)?\s?[百千万亿]{{0,3}}?|[{HAN_DIGITS}两百千万亿]+?)(?=\s?(?:{_PREFIXED}))"
_CURRENCY = r"(?P<currency>[¥$€£]|rmb\s?|usd\s?|cny\s?|us\$)?"
_JOINED = rf"(?<![a-z0-9)%百千万亿元天日月年个时分度])(?<!\d[{HAN}])(?<!\d[{HAN}]{{2}})"  # 3级-5级 has no sign
_NEGATIVE = rf"(?P<neg>{_JOINED}-|负|零下)?"

KINDS = {  # the first that matches counts
    "ymd": r"(?<!\d)(?P<y1>[12]\d{3})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})(?![\d-])",
    "ym": r"(?<![\d./-])(?P<y2>(?:19|20)\d\d)[-/.](?P<m2>0[1-9]|1[0-2])(?![\d./%-])",
    "date": rf"(?<!\d)(?P<y3>{_YEAR})\s?(?:年度?|财年)(?!以上|以下|内|以内|期)"
    rf"(?:\s?(?P<m3>{_SMALL})\s?月份?(?:\s?(?P<d3>{_SMALL})\s?[日号])?)?",
    "md": rf"(?<![\d./])(?P<m4>{_SMALL})\s?月\s?(?P<d4>{_SMALL})\s?[日号]",
    "mdy": rf"\b(?P<m5>{_MONTH})\s(?:(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?(?:(?:,\s?|\s)(?P<y5>[12]\d{{3}}))?"
    r"|(?P<y7>[12]\d{3}))\b",
    "dmy": rf"(?<!\d)(?P<d6>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m6>{_MONTH})(?:(?:,\s?|\s)(?P<y6>[12]\d{{3}}))?\b",
    "standard": r"(?<![a-z0-9])(?:[a-z]{1,6}/[a-z]{1,2}|gb|iso|iec|ieee|rfc|en|din|astm|sae)\s?\d+(?:[.-]\d+)*"
    r"(?![a-z0-9])",
    # BX-2024-0017, v2.3.1, A-03-4: letters and digits, but not a number with its unit
    "code": rf"(?<![a-z0-9.])(?!{_WITH_UNIT})(?=[a-z0-9./_:#-]*\d)(?=[0-9./_:#-]*[a-z])"
    r"[a-z0-9]+(?:[-_./:#]+[a-z0-9]+)*",
    "digits": r"(?<![\d.])(?:\d{3,4}-\d{7,8}|\d{3,4}-\d{3,4}-\d{3,4}|\d+(?:\.\d+){2,}|\d{2,}(?:-\d{2,}){2,})"
    r"(?![\d.-]*\d)",
    "clock": rf"(?:(?P<part>{_PART_OF_DAY})\s?)?(?<!\d)(?:"
    rf"(?P<h1>\d{{1,2}}):(?P<min1>\d\d)(?::\d\d)?(?!\d)(?:\s?(?P<ap1>[ap])\.?m\b\.?)?"
    rf"|(?P<h2>\d{{1,2}})\s?(?P<ap2>[ap])\.?m\b\.?"
    rf"|(?P<h3>{_SMALL})\s?(?:点|时(?![间候期代段刻长常而]))"
    rf"(?:(?P<min3>{_SMALL})分?(?![{HAN_DIGITS}\d])|(?P<half>半)|(?P<quarter>[一三])刻|钟|整)?)",
    "ordinal": rf"第\s?(?P<nth>{NUMBER})\s?(?P<what>{_COUNTED})?",
    "article": rf"\b(?P<kind>{'|'.join(ARTICLES)})s?\s(?P<no>\d+)\b",
    "weekday": rf"(?:周|星期|礼拜)(?P<wday>[一二三四五六日天])(?![次回遍趟个天年月项期{HAN_DIGITS}])",
    "percent": rf"(?<![\d.])(?P<minus>{_JOINED}-|负)?(?P<pct>\d+(?:\.\d+)?)\s?(?P<sign>[%‰]|percent\b|per cent\b)"
    rf"(?P<off>\soff\b)?|百分之(?P<pct2>{NUMBER})|千分之(?P<pml2>{NUMBER})|万分之(?P<pmm2>{NUMBER})"
    rf"|(?P<tenths>{_SMALL})成(?P<half2>[半{HAN_DIGITS}](?![{HAN_DIGITS}\d年月日个元成]))?(?![立为员功果本都交份])"
    rf"|(?P<zhe>(?<![\d.])\d(?:\.?\d)?|[{HAN_DIGITS}]{{1,2}})折(?![旧叠线])|(?P<halfprice>半价|一半|对半)",
    "fraction": rf"(?P<below>[百千]万|{NUMBER})分之(?P<above>{NUMBER})"
    r"|(?<![\d./])(?P<above2>\d+)/(?P<below2>\d+)(?![\d./])",
    "ratio": rf"(?<![\d.:])(?P<left>{NUMBER})(?:\s?:\s?|比)(?P<right>{NUMBER})(?![\d:])",
    "halfunit": r"(?<![上下])半(?P<hu>个小时|小时|个钟头|天|日|个月|月|年|周年|斤|公里|亩|吨)",
    "quantity": rf"(?:(?P<neg2>{_JOINED}-)(?=[¥$€£]))?{_CURRENCY}{_NEGATIVE}"
    rf"(?<![\d.])(?P<n>{_BEFORE_PREFIX}|{NUMBER})(?:[余多])?"
    rf"(?:\s?(?P<halfmid>个半)(?P<hm>小时|钟头|月|星期)|\s?(?P<unit>{UNIT})(?P<halfend>半(?![年月天]))?)?",
}
"""What each kind of value looks like, with the name of its group."""

_FIRST = f"[0-9a-z{HAN_DIGITS}两百千万第周星礼半对上下早清凌中午傍晚夜负¥$€£-]"  # found fast, looked at afterwards


def _any_of(*kinds: str) -> str:
    return "|".join(f"(?P<{name}>{KINDS[name]})" for name in kinds)


# What kinds side by side begin with, and the mark that each of them has behind its number, are looked at once for all.
_SCALED = rf"\d{HAN_NUMERALS}.\s"
VALUE = re.compile(
    f"(?={_FIRST})(?:"
    rf"(?=[0-9{HAN_DIGITS}两][\d{HAN_DIGITS}两]*+\s?[-/.年财月])(?:{_any_of('ymd', 'ym', 'date', 'md')})"
    rf"|(?=[a-z]|[0-9]\d*+[-_./:#a-z\s])(?:{_any_of('mdy', 'dmy', 'standard', 'code', 'digits')})"
    rf"|(?=[上下早清凌中午傍晚夜对半]|[-负]?+[{_SCALED}]*+[%‰分成折半/:比点點时ap])"
    f"(?:{_any_of('clock', 'percent', 'fraction', 'ratio')})"
    f"|(?=[第周星礼半a-z])(?:{_any_of('ordinal', 'article', 'weekday', 'halfunit')})"
    rf"|(?=[0-9{HAN_DIGITS}两百千万负¥$€£ruc-])(?:{_any_of('quantity')})"
    ")"
)
"""A value in a folded text."""
VAGUE = re.compile(
    r"(?P<number>(?:几|好几|(?<![人次分天总件岁度指函少多个])数)[十百千万亿]+|[一二三四五六七八九]?十几)[多余]?\s?"
    rf"(?P<unit>{UNIT})"
)
"""A number that is not exact (数十天, 十几人), in a folded text."""
