"""The reasons of the checks in English, for who asks in English."""

import re
from functools import cache

from youju.prompts import language

_REASONS = {
    # of claims; {all} are names of evidence, such as 资料1、资料2, and {n} a number
    "{all}里没有“{x}”这句原文": "{all} does not hold the words “{x}”",
    "{all}里没有“{x}”的依据": "nothing in {all} says “{x}”",
    "{all}里没有“{x}”这个说法": "{all} does not put it as “{x}”",
    "{all}里没有“{x}”": "there is no “{x}” in {all}",
    "{all}只写到“{x}”的一部分，没有写到“{y}”": "{all} says “{x}” only in part, and nothing of “{y}”",
    "{all}没有说“{x}”，说的相反": "{all} does not say “{x}”, but the opposite",
    "资料{n} 把“{x}”除外": "资料{n} makes an exception of “{x}”",
    "资料{n} 写的条件是“{x}”，回答没有写": "资料{n} has the condition “{x}”, which the answer leaves out",
    "资料{n} 写的先后是“{x}”，和这句话相反": "资料{n} has the order “{x}”, the opposite of this sentence",
    "资料{n} 写的是“{x}”，和这句话相反": "资料{n} says “{x}”, the opposite of this sentence",
    "资料{n} 写的是“{x}”，谁对谁和这句话不同": "资料{n} says “{x}”: who does it to whom is not the same",
    "资料{n} 写的是“{x}”，回答没有这样写": "资料{n} says “{x}”, and the answer does not put it so",
    "资料{n} 写的是“{x}”，回答没有写“{y}”": "资料{n} says “{x}”, and the answer leaves out “{y}”",
    "资料{n} 写的是“{x}”，不是“{y}”": "资料{n} says “{x}”, not “{y}”",
    "资料{n} 写的是“{x}”": "资料{n} says “{x}”",
    "资料{n} 写的是 {x}，不是 {y}": "资料{n} says {x}, not {y}",
    "资料{n} 没有写“{x}”": "资料{n} does not say “{x}”",
    "资料{n} 里这样说的是“{x}”": "in 资料{n} it is “{x}” who says so",
    "开头的回答和后面的内容相反": "the answer begins with the opposite of what follows",
    "这句话没有引用任何资料": "this sentence cites no evidence",
    "一句话有 {n} 个字，太长，没有核对": "a sentence of {n} characters is too long and was not compared",
    "{x} 认为资料支持这句话": "{x} finds that the evidence supports this sentence",
    "{x} 认为资料和这句话矛盾": "{x} finds that the evidence contradicts this sentence",
    "{x} 认为资料没有写到这句话": "{x} finds that the evidence does not say this sentence",
    # of marks
    "引用了不存在的[资料{n}]": "cites [资料{n}], which there is not",
    "提到了不存在的资料{n}": "speaks of 资料{n}, which there is not",
    "里的“{x}”不是正确的引用，要写成 [资料N]": "holds “{x}”, which is no citation; it is written [资料N]",
    "提到了资料{n}，却没有标出[资料{n}]": "speaks of 资料{n} and does not cite [资料{n}]",
    "回答太长，第 {n} 个字以后没有核对": "the answer is too long; nothing behind character {n} was compared",
    "没有标出依据": "cites no evidence",
    "没有标出任何依据": "no evidence is cited",
    "回答是空的": "the answer is empty",
    "模型没有标出依据，核对资料后标上": "the model cited no evidence; the citation was added after comparing",
    "模型标的依据不对，核对资料后标上": "the model cited other evidence; the citation was put right after comparing",
    # of what is said
    "没有写出资料里的内容": "gives nothing of what the evidence says",
    "只说了是或否，没有写出资料里的内容": "says only yes or no, and nothing of what the evidence says",
    "问题和资料里都没有“{x}”": "neither the question nor the evidence has “{x}”",
    "里的“{x}”，所引的资料里没有": "holds “{x}”, which the evidence cited does not have",
    "没有答到所问：{why}": "does not answer what was asked: {why}",
    "问的是{kind}，回答里没有": "the question asks for {kind}, and the answer has none",
    "问的是{kind}，回答里只有数字": "the question asks for {kind}, and the answer has only numbers",
    "问的是{kind}，回答里只有作品": "the question asks for {kind}, and the answer has only a work",
    "问的是“{x}”，回答里只有问题里的话": "the question is about “{x}”, and the answer only says it again",
    "问的是“{x}”，依据没有写到它": "the question is about “{x}”, of which the evidence says nothing",
    "问的是“{x}”，依据写的是“{y}”": "the question is about “{x}”, the evidence about “{y}”",
    # of extractions
    "来源 {x} 不在给出的资料里": "the source {x} is not among the evidence given",
    "没有引文": "there is no quote",
    "answer 与 quote 不同，要照抄 quote": "answer is not the same as quote; copy quote",
    "JSON 要是一个对象，键恰好是 {x}": "the JSON must be one object with exactly the keys {x}",
    "{x} 的值要是文字或 null": "the value of {x} must be text or null",
    "引文不是 {x} 里的原话": "the quote does not stand in {x} word for word",
    "键 {x} 写了不止一次": "the key {x} is there more than once",
    "回复不是 JSON，或 JSON 前后还有别的文字": "the reply is no JSON, or there is other text around it",
    "引文漏了“{x}”这个条件，要连同条件一起抄": "the quote leaves out the condition “{x}”; copy it too",
    "引文把一个数截断了，要从完整的数抄起": "the quote cuts a number; copy the whole number",
    "引文把数和它的正负号或单位拆开了，要连在一起抄": "the quote parts a number from its sign or unit; copy both",
    "引文把一个词截断了，要抄完整的词": "the quote cuts a word; copy the whole word",
    "引文只有一个词里的一个字，要抄完整的话": "the quote is one character of a word; copy the whole sentence",
    "引文是文档里对模型说的话，不是资料的内容": "the quote is what a document tells a model, and no content",
    "引文漏了前面的“{x}”：那是别人的说法，不是资料所说": "the quote leaves out “{x}”: others say so, not the evidence",
    "引文漏了后面的“{x}”，意思就反了": "the quote leaves out “{x}” behind it, which turns it into the opposite",
    "引文漏了前面的“{x}”，意思就变了": "the quote leaves out “{x}” before it, which changes what it says",
    "引文漏了前面的“{x}”，意思就反了": "the quote leaves out “{x}” before it, which turns it into the opposite",
    "引文是从问句里截出来的，资料只是问，没有这样说": "the quote is cut out of a question, which says nothing",
    "引文漏了“{x}”旁边的限定，要连在一起抄": "the quote leaves out the limit beside “{x}”; copy both",
    "引文漏了“{x}”，意思就反了": "the quote leaves out “{x}”, which turns it into the opposite",
    "引文把“{x}”截断了，要抄完整": "the quote cuts “{x}”; copy all of it",
}
"""What the checks say, and the same in English; of several that fit, the first one counts."""
_KINDS = {
    "金额": "an amount of money",
    "比例": "a share",
    "人数": "a number of people",
    "数量": "a number",
    "联系方式": "contact details",
    "时长": "a length of time",
    "年份": "a year",
    "月份": "a month",
    "时刻": "a time of day",
    "日期": "a date",
    "时间": "a time",
    "地点": "a place",
    "人或单位": "a person or an organisation",
    "名字": "a name",
}
_HOLES = {"all": r"资料\d+(?:、资料\d+)*", "n": r"\d+"}
_BETWEEN = re.compile(r"，(?=引用了不存在的|提到了不存在的|里的“)")


def told(reason: str, question: str) -> str:
    """A reason of the checks in the language of the question; without a question as it is.

    Args:
        reason: What a check said; one that is not known stays as it is.
        question: What was asked.
    """
    if not question or language(question) == "zh":
        return reason
    if reason.startswith("："):
        return f": {_in_english(reason[1:])}"
    return ", ".join(map(_in_english, _BETWEEN.split(reason)))


def _in_english(reason: str) -> str:
    for pattern, english in _patterns():
        found = pattern.fullmatch(reason)
        if found:
            return english.format(**{name: _filled(name, value) for name, value in found.groupdict().items()})
    return reason


def _filled(name: str, value: str) -> str:
    if name == "all":
        return value.replace("、", ", ")
    if name == "kind":
        return _KINDS.get(value, value)
    return _in_english(value) if name == "why" else value


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_pattern(said), re.DOTALL), english) for said, english in _REASONS.items()]


def _pattern(said: str) -> str:
    """A regular expression for a reason in which each `{name}` is a hole; the second of a name repeats it."""
    parts = re.split(r"\{(\w+)\}", said)
    seen: set[str] = set()
    for place in range(1, len(parts), 2):
        name = parts[place]
        parts[place] = f"(?P={name})" if name in seen else f"(?P<{name}>{_HOLES.get(name, '.+?')})"
        seen.add(name)
    parts[::2] = map(re.escape, parts[::2])
    return "".join(parts)
