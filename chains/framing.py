"""Sentences that state nothing and are not compared (headings, lead-ins, 资料没有提到…): that they bring nothing in.

What such a sentence speaks of must come from the question or the evidence; else a statement could leave in it unchecked
(资料没有提到老板已经跑路).
"""

import re

from youju.chains.content import Word, held, words
from youju.chains.values import folded

_FRAME = re.compile(
    r"资料|文档|文件|材料|信息|内容|依据|证据|上述|以上|以下|如下|下列|下面|上面|目前|现有|已有|提供|给出|给定|提及|提到|说明|涉及|写明|写到|记载|载明"
    r"|规定|要求|包含|包括|找到|体现|列出|列明|明确|具体|直接|任何|相关|有关|对应|方面|部分|问题|提问|回答|作答|答案|答复|确定|确认|判断|得知|得出|获知|查到"
    r"|根据|按照|依照|关于|对于|至于|抱歉|遗憾|不确定|无法|总结|小结|结论|概述|概括|综上|所述|总之|首先|其次|再次|最后|此外|另外|其中|同时|因此"
    r"|要点|重点|主要|关键|详情|细节|情况|事项|注意|提示|备注|说法|解释|分析|理由|原因|步骤|流程|方法|方式|项目|名称|类别|类型|种类|分类|数量"
    r"|天数|金额|时间|日期|期限|地点|序号|编号|标准|范围|条件|适用|对象|列表|清单|表格|一览|对比|比较|区别|来源|出处|引用|第[一二三四五六七八九十]+"
)
"""Words that say how an answer is built or where something stands."""
_FRAME_ENGLISH = frozenset(
    "answer answers summary conclusion overview details detail note notes document documents material materials source "
    "sources evidence context mention mentions mentioned say says state stated specify specified cover covered contain "
    "provide provided given found find information following follows item items step steps name type amount date time "
    "question sorry unfortunately based according does did doesn don not".split()
)
_NUMERAL = re.compile(r"\d[\d.,:/-]*\d|\d")
_COUNTED = re.compile(
    r"^[\s>*|-]*\d{1,2}(?:\.\d{1,2})?(?=[.、):\s])|(?:步骤|方案|情况|情形|阶段|部分|要点|选项|step )\s?\d{1,2}(?!\d)"
    r"|第\d{1,2}(?=[步点])"
)
"""Numbers that only count the parts of an answer."""
_HELD = 0.9
_ENOUGH = 0.7
"""How much of what it speaks of, by weight, must be known."""


def foreign(sentence: str, known: str) -> str | None:
    """A word that a sentence brings in from neither the question nor the evidence; None if it brings in nothing.

    Args:
        sentence: The sentence without marks.
        known: Question and evidence, folded.
    """
    said = folded(sentence)
    numerals: list[str] = _NUMERAL.findall(_COUNTED.sub("", said))
    number = next((one for one in numerals if not re.search(rf"(?<![\d.]){re.escape(one)}(?!\.?\d)", known)), None)
    if number:
        return number
    spoken = list(
        {word.text: word for word in words(said, raw=sentence, guess_names=True) if not _is_frame(word)}.values()
    )
    missing = [word for word in spoken if held(word, known) < _HELD]
    named = next((word for word in missing if word.name), None)
    if named:
        return named.text
    total = sum(word.weight for word in spoken)
    if len(spoken) == 1:  # a mere topic states nothing
        return None
    if not missing or total - sum(word.weight for word in missing) >= _ENOUGH * total:
        return None
    return max(missing, key=lambda word: word.weight).text


def _is_frame(word: Word) -> bool:
    return _FRAME.fullmatch(word.text) is not None or word.text in _FRAME_ENGLISH
