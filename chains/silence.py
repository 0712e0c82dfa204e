"""Sentences of an answer that need no citation: the documents do not say, or the sentence only leads to others."""

import re
from itertools import pairwise

from youju.text import has_content, sentences

_SOURCE = r"(?:资料|資料|文档|文檔)"
_LOOSE_SOURCE = r"(?:资料|資料|文档|文檔|文件|材料|信息|資訊|内容)"
_IN = r"(?:中|里|裡|内|內|之中)?"
_NOT = r"(?:均|都|也|并|並|皆)?(?:没有|沒有|未曾|尚未|没|沒|未|无|無)(?:明确|明確|具体|具體|直接|任何)?"
_TELL = r"(?:提及|提到|提供|说明|說明|说|說|涉及|写明|写到|寫明|寫到|给出|給出|记载|記載|规定|規定|包含|找到|体现|列出)"
_MATTER = r"(?:信息|資訊|内容|內容|说明|說明|规定|規定|记载|記載|答案|依据|依據|资料|資料)"
_ABOUT = r"(?:任何|相关|相關|有关|有關|对应|這方面|这方面|这个问题|此|该)*的?"
_CANNOT = r"(?:无法|無法|不能|难以)"
_LEARN = r"(?:回答|作答|确定|確定|判断|判斷|得知|得出|找到|查到|获知)"
_GIVEN = r"(?:根据|根據|依据|从|從|在|由)?(?:目前|现有|現有|已有|所给|给出|提供|以上|上述|这些)*的?"
_CONNECTIVE = r"(?:此外|另外|其中|而|但是?|不过|然而|同时|因此)?"
# what the documents are silent about: not a relative clause (文件未规定的事项由…), and nothing stated after it
_OBJECT = (
    r"(?![的者])(?:(?!但|却|而且|不过|然而|因此|所以|的?(?:不予|不得|应当|须|由|按|视为|一律)"
    r"|(?<=[一-鿿])\s+(?=[一-鿿])|[是为]\s*[\d一二三四五六七八九十]).){0,60}"
)
_SILENT = re.compile(
    rf"{_CONNECTIVE}{_GIVEN}(?:"
    rf"{_SOURCE}(?:[0-9]+[、和]?)*{_IN}{_NOT}{_TELL}{_OBJECT}"
    rf"|{_SOURCE}{_IN}(?:没有|沒有|无|無)(?!的).{{1,30}}的{_MATTER}"
    rf"|(?:文件|材料)(?:中|里|内){_NOT}(?:提及|提到|说明|涉及|找到){_OBJECT}"
    rf"|{_LOOSE_SOURCE}{_IN}(?:没有|沒有|无|無){_ABOUT}{_MATTER}"
    rf"|{_LOOSE_SOURCE}{_IN}{_CANNOT}{_LEARN}{_OBJECT}"
    rf"|{_CANNOT}(?:根据|根據|从|從|在|由)?{_GIVEN}{_LOOSE_SOURCE}{_IN}{_LEARN}{_OBJECT}"
    r"|(?:the )?(?:provided |given )?(?:documents?|materials?|sources?|evidence|context) "
    r"(?:do|does|did)(?: not|n['’]t) (?:mention|say|state|contain|cover|specify|provide)"
    r"(?: (?!(?:but|so|and|then|because|while)\b)[\w'’-]+){0,12}"
    r"|(?:this is )?not (?:mentioned|stated|specified|covered|found) (?:in|by) (?:the )?(?:provided |given )?"
    r"(?:documents?|materials?|sources?|evidence|context)"
    r")",
    re.IGNORECASE,
)
_NAMES_A_SOURCE = re.compile(rf"{_LOOSE_SOURCE}|document|material|source|evidence|context", re.IGNORECASE)
_SOURCE_ONLY = re.compile(rf"{_CONNECTIVE}{_GIVEN}{_LOOSE_SOURCE}{_IN}")
_BARE_TOPIC = re.compile(rf"(.{{1,8}}?)((?:在)?{_SOURCE}{_IN}{_NOT}{_TELL}.*)")
_TOPIC = re.compile(
    rf"{_CONNECTIVE}(?:(?:关于|對於|对于|至于|有关|關於)(?P<matter>.{{0,60}})|(?:很|非常|十分)?(?:抱歉|遗憾|对不起)"
    rf"|{_CANNOT}{_LEARN}|不确定|(?:{_GIVEN})(?:资料|資料|文档|信息)(?:来看|内容)?|(?P<side>.{{1,10}})方面"
    r"|请(?:咨询|联系|参考|查阅|查看|向)(?P<advice>.{0,20})"
    r"|sorry|unfortunately|(?:so |therefore )?i (?:cannot|can['’]t|am unable to) "
    r"(?:answer|say|determine)[a-z ]{0,20})?",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"(?<=关于)“[^”]*”|(?<=至于)“[^”]*”|(?<=对于)“[^”]*”|(?<=有关)“[^”]*”")
_LABEL = re.compile(r"\s*(?:\d{1,2}[.、)）]\s*|[-*•]\s+)?(?:\*\*)?([^，,。；;：:*]{1,12})(?:\*\*)?[：:](?:\*\*)?")
_CLAUSE = re.compile(r"[，,；;：:]")
_ENDS = " \t。．.｡！!？?*_>-•"
_STATES = re.compile(
    r"(?<![行作因以认成])为(?![何什了此准例])|是(?!否|什么|谁)|(?<!是否)可以|必须|應當|应当|应该|不得|不必|不需|不用|不予|无需|无须|禁止"
    r"|一律|全部|随时|均为|有权|而且|并且|但|并非|享有|[零〇一二两三四五六七八九十百千万]+(?:个|天|日|月|年|周|元|小时|次|倍|成)"
    r"|\b(?:is|may|must|can|cannot|shall|will|should|not|never|always|entitled)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"#{1,6}\s")
_RULE_ROW = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?")
_LONGEST_LEAD_IN = 40


def may_be_silent(text: str) -> bool:
    """Whether a text holds what every sentence does that says so."""
    return _NAMES_A_SOURCE.search(text) is not None


def is_silent(sentence: str) -> bool:
    """Whether a sentence without marks says that the evidence does not say, and states nothing else."""
    if not may_be_silent(sentence):
        return False
    clauses = _clauses(sentence)
    if len(clauses) > 1 and _SOURCE_ONLY.fullmatch(clauses[0]):  # 根据资料，无法确定
        clauses[:2] = [clauses[0] + clauses[1]]
    silent = [_says_nothing(clause) or _says_nothing_of_a_topic(clause) for clause in clauses]
    return any(silent) and all(one or _is_topic(clause) for one, clause in zip(silent, clauses, strict=True))


def says_only_silence(text: str) -> bool:
    """Whether every sentence of a text without marks says that the evidence does not say."""
    said = [one for start, end in sentences(text) if has_content(one := text[start:end].strip())]
    return bool(said) and all(map(is_silent, said))


def has_silent_clause(sentence: str) -> bool:
    """Whether one clause of a sentence without marks says that the evidence does not say."""
    return may_be_silent(sentence) and any(map(_says_nothing, _clauses(sentence)))


def without_silence(sentence: str) -> str:
    """A sentence without marks, and without its clauses that say that the evidence does not say."""
    if not may_be_silent(sentence):
        return sentence
    parts = re.split(rf"({_CLAUSE.pattern})", sentence)
    return "".join(part for part in parts if not _says_nothing(part.strip(_ENDS)))


def without_stated(sentence: str) -> str:
    """A sentence without marks, and of it only the clauses that say that the evidence does not say."""
    return "，".join(filter(_says_nothing, _clauses(sentence)))


def is_lead_in(sentence: str, *, table_header: bool = False) -> bool:
    """Whether a sentence is a heading, a table's header or a line such as 规定如下： and states nothing itself."""
    if table_header:
        return not _STATES.search(sentence)
    source, comma, rest = sentence.partition("，")
    if comma and _SOURCE_ONLY.fullmatch(source):  # 根据资料，规定如下：
        sentence = rest
    leads = _HEADING.match(sentence) or sentence.endswith(("：", ":"))
    plain = len(sentence) <= _LONGEST_LEAD_IN and not any(map(str.isdigit, sentence))
    return bool(leads) and plain and not re.search(r"[，,；;]", sentence) and not _STATES.search(sentence)


def table_headers(answer: str) -> frozenset[str]:
    """The header rows of the Markdown tables of an answer."""
    lines = [line.strip() for line in answer.splitlines()]
    return frozenset(header for header, rule in pairwise(lines) if "|" in header and is_rule_row(rule))


def is_rule_row(line: str) -> bool:
    """Whether a line is the rule below a Markdown table's header."""
    return _RULE_ROW.fullmatch(line) is not None


def _clauses(sentence: str) -> list[str]:
    label = _LABEL.match(sentence)  # 婚假：资料中未提及
    if label and not _states(label.group(1)):
        sentence = sentence[label.end() :]
    parts = (clause.strip(_ENDS) for clause in _CLAUSE.split(_QUOTED.sub("", sentence)))
    return [clause for clause in parts if has_content(clause)]


def _says_nothing(clause: str) -> bool:
    return _SILENT.fullmatch(clause) is not None and not clause.endswith("的")


def _says_nothing_of_a_topic(clause: str) -> bool:
    """Such as 婚假资料中未提及: a few words that state nothing, then the silence."""
    match = _BARE_TOPIC.fullmatch(clause)
    return match is not None and not _states(match.group(1)) and _says_nothing(match.group(2))


def _is_topic(clause: str) -> bool:
    match = _TOPIC.fullmatch(clause)
    return match is not None and not any(_STATES.search(words or "") for words in match.groups())


def _states(words: str) -> bool:
    return _STATES.search(words) is not None or any(map(str.isdigit, words))
