"""What a quote that is cut out of a sentence leaves out, where the sentence says something else than the quote."""

import re
from bisect import bisect_right
from functools import lru_cache

from youju.chains.instructions import told_to_a_model
from youju.chains.negation import denials, exclusions
from youju.chains.values import Value, folded, values
from youju.text import HAN, has_content, sentences

_NEAR = 500
_NUMERAL = "0-9０-９零〇一二两三四五六七八九十百千万亿"
_BEFORE_NUMERAL = re.compile(rf"(?:[{_NUMERAL}]|[0-9０-９][.,．])\Z")
_BEHIND_NUMERAL = re.compile(rf"[{_NUMERAL}]|[.,．][0-9０-９]")
_BEGINS = re.compile(rf"[{_NUMERAL}]")
_ENDS = re.compile(rf"[{_NUMERAL}]\Z")
_SIGN = re.compile(r"(?:[-\u2010-\u2013\u2212\uff0d+＋±~～]|(?:零下|负|minus)\s?)\Z", re.IGNORECASE)
_SIGN_BEHIND = re.compile(r"\s?[%％‰℃℉°]|[-\u2010-\u2013~～][0-9０-９]|[A-Za-z]|\s(?:percent|per cent|degrees?)\b")
_LATIN_END, _LATIN_BEGIN = re.compile(r"[A-Za-z]\Z"), re.compile(r"[A-Za-z]")
_DIRECT = re.compile(r"(?:[不未無无非没沒勿]|\b(?:not|no|never|cannot|without)\s|n['’]t\s)\s*\Z", re.IGNORECASE)

_UP_TO = re.compile(r"(?:达到?|自|从)\s?\Z")  # 长达三十年, 体长可达12公分: quoted without it by everybody
_CLAUSE_END = re.compile(r"[,;:。!?()\n]")
_PARTS_OF_WORDS = {"非", "莫", "无"}  # 非都市区, 莫顿
_NOTHING = re.compile(r"[\s也都均皆一律还则并概]*")
_UNDONE = re.compile(
    r"(?P<word>否认|取消|暂停|停止|终止|废止|撤销|中止|停办|谢绝|免除|反对|否决|驳回|难以|缺乏|缺少|避免|防止|推翻)"
    r"(?!键|按钮|期)[^,的后时前]{0,8}\Z"
    r"|\b(?P<english>refuses?|refused|fails?|failed|denied|denies|cancell?ed|cancels?|stopped|stops?|suspends?|suspended"
    r"|rejects?|rejected|hardly|rarely|seldom)\b[^,]{0,40}\Z"
)
_OTHERS_SAY = re.compile(
    r"传言|传闻|网传|据传|谣传|盛传|讹传|误传|谣言|误以为|误认为|错误地?认为|谎称|声称|诈称|诉称|辩称|原告称|被告称|冒充|假冒"
    r"|\b(?:rumou?rs?|alleged(?:ly)?|claims? that|claimed that|it is false that|myth)\b"
)
_REFUTED = re.compile(
    r"(?:说法|传言|消息|传闻|观点|看法|理解|报道|言论|做法|认识)[^。;]{0,6}?"
    r"(?:谣言|不实|虚假|错误|误解|不属实|假的|不成立|有误|不正确|不对|误区|不准确)"
    r"|予以否认|否认了|辟谣|[未不]予(?:以)?采信|不属实|并非事实|(?:是|属于?|为|系)(?:谣言|误解|误区|错误|虚假|不实|假)"
    r"|\b(?:is|are|was|were) (?:false|untrue|a myth|a rumou?r|wrong|denied)\b"
)
_CONDITION = re.compile(
    r"(?:^|[,:。(]|\bbut |\band )\s*[但且并而]?(?:"
    r"(?P<word>如果|若(?!干)|倘若|倘|假如|假使|要是|一旦|只要|只有|除非|仅当|凡|如(?![下图表上实期同何此今])|if\b|unless\b|when(?:ever)?\b|only\b|provided\b"
    r"|in case\b)"
    r"|(?P<phrase>除[^,;]{1,20}外|当[^,;]{1,30}时|在?[^,;]{1,30}(?:情况|情形|条件|前提)下|[^,;:。]{2,40}的(?=,)"
    r"|经[^,;]{0,12}(?:批准|同意|许可|审批|授权|审核|核准)(?:后|的)?))"
)
_APPROVED = re.compile(r"(?P<phrase>(?<![曾已])经[^,;]{0,12}(?:批准|同意|许可|审批|授权|审核|核准)(?:后|的)?),?\Z")
_ONLY = re.compile(r"(?P<word>仅限于?|只限于?|只有|(?<!年)仅(?![需须为有次])|\bonly)[^,]{0,12}\Z")
_CONDITION_BEHIND = re.compile(
    r"\s*,?\s*(?P<word>除非|如果|前提是|条件是|only if\b|if\b|unless\b|provided\b|as long as\b)"
)
_SAYS_SOMETHING = re.compile(
    r"可以?(?!能)|应当?|必须|须|不?得|将|会|能|有权|有资格|享受|享有|需要?|属于|视为|\b(?:can|may|must|shall|will|should)\b"
)
_UNSURE = re.compile(
    r"(?P<word>可能|也许|或许|大概|(?<![模虚草])拟|预计|(?<![该此本的这项度])计划|打算|有望|曾经?|前任|原为|原任|原系|原是|曾任|即将|据称|涉嫌|疑似"
    r"|\b(?:may|might|could|perhaps|maybe|former|plans? to|expect(?:s|ed) to))[会将要]?\s*\Z"
)
_WHETHER = re.compile(r"(?P<word>是否|能否|可否|会否|有没有|是不是|能不能|whether)[^,;:。]*\Z")
_QUESTION = re.compile(r"(?:[吗么呢]\W*|\?[^\w]*)\Z")
_ASKS = re.compile(r"[吗么呢?]\W*\Z")


def fault_of_cut(text: str, start: int, end: int) -> str | None:
    """What is wrong with a quote of `text[start:end]`: a reason for people and for the model, or None.

    A quote may not cut a number or an English word in two, nor a number from its sign and unit; it may not leave out
    what denies, refutes, doubts, asks or puts a condition to what it says in the rest of its sentence; and it may not
    stand in what the document tells a model to say.
    """
    return _number(text, start, end) or _told(text, start, end) or _meaning(text, start, end)


def _number(text: str, start: int, end: int) -> str | None:
    before, said, behind = text[max(start - 12, 0) : start], text[start:end], text[end : end + 12]
    begins, ends = _BEGINS.match(said), _ENDS.search(said)
    if (begins and _BEFORE_NUMERAL.search(before)) or (ends and _BEHIND_NUMERAL.match(behind)):
        return "引文把一个数截断了，要从完整的数抄起"
    sign = _SIGN.search(before) if begins else None
    if sign or (ends and _SIGN_BEHIND.match(behind)):
        return "引文把数和它的正负号或单位拆开了，要连在一起抄"
    if (_LATIN_END.search(before) and _LATIN_BEGIN.match(said)) or (
        _LATIN_END.search(said) and _LATIN_BEGIN.match(behind)
    ):
        return "引文把一个词截断了，要抄完整的词"
    if re.fullmatch(rf"[{HAN}]", said) and (re.search(rf"[{HAN}]\Z", before) or re.match(rf"[{HAN}]", behind)):
        return "引文只有一个词里的一个字，要抄完整的话"
    return None


def _told(text: str, start: int, end: int) -> str | None:
    if any(first < end and start < last for first, last in told_to_a_model(text)):
        return "引文是文档里对模型说的话，不是资料的内容"
    return None


def _meaning(text: str, start: int, end: int) -> str | None:
    direct = _DIRECT.search(text[max(start - 12, 0) : start])
    if direct:
        return _turned(direct.group().strip())
    spans = _sentences(text)
    number = max(bisect_right(spans, (start, len(text))) - 1, 0)
    while number < len(spans) and spans[number][0] < end:
        first, last = spans[number]
        parts = text[first : max(first, start)], text[max(first, start) : min(last, end)], text[min(last, end) : last]
        if has_content(parts[1]) and any(part.strip() for part in (parts[0], parts[2])):
            fault = _in_sentence(*parts)
            if fault:
                return fault
        number += 1
    return None


@lru_cache(maxsize=32)
def _sentences(text: str) -> list[tuple[int, int]]:
    return sentences(text)


def _in_sentence(before: str, said: str, behind: str) -> str | None:
    """What the parts of a sentence that stand around a quote say of it; of a very long one, what stands near."""
    said = said if len(said) <= 2 * _NEAR else f"{said[:_NEAR]}…{said[-_NEAR:]}"
    before, said, behind = _folded(before[-_NEAR:], said, behind[:_NEAR])
    return (
        _value_cut(before, said, behind)
        or _denied(before, said, behind)
        or _refuted(before, behind)
        or _asked(before, said, behind)
        or _conditional(before, said, behind)
    )


def _folded(*parts: str) -> list[str]:
    """Parts of a text, folded one by one; blanks between them stay."""
    found = []
    for number, part in enumerate(parts):
        blank = number and (part[:1].isspace() or parts[number - 1][-1:].isspace())
        plain = folded(part)
        found.append(f" {plain}" if blank and plain[:1].isascii() else plain)
    return found


def _value_cut(before: str, said: str, behind: str) -> str | None:
    a, b = len(before), len(before) + len(said)
    alone = {one.start: one for one in values(said)}
    for value in values(before + said + behind):
        at_start = value.start < a < value.end and before[-1] not in "年月"  # a day may be quoted without its year
        at_end = value.start < b < value.end and said[-1] not in "年月日"
        if at_start or at_end:
            return f"引文把“{value.text}”截断了，要抄完整"
        lone = alone.get(value.start - a) if a <= value.start and value.end <= b else None
        if lone and _limited(value, lone) and not _UP_TO.search(before):
            return f"引文漏了“{value.text}”旁边的限定，要连在一起抄"
    return None


def _limited(value: Value, lone: Value) -> bool:
    """Whether an amount, not a date, is a bound or a rate in its sentence and none in the quote."""
    amounts = not any(isinstance(amount, tuple) for _, amount in value.readings)
    return amounts and (value.bound, value.per) != (lone.bound, lone.per)


def _denied(before: str, said: str, behind: str) -> str | None:
    whole, a, b = before + said + behind, len(before), len(before) + len(said)
    for one in denials(whole):
        if a <= one.cue and one.cue + len(one.text) <= b:
            continue
        if one.text in _PARTS_OF_WORDS and one.start != a:
            continue
        denied = whole[max(one.start, a) : min(one.end, b)]
        if has_content(denied) or (one.cue >= b and _NOTHING.fullmatch(whole, b, one.cue)):
            return _turned(one.text)
    for first, last in exclusions(whole):
        if first < b <= last and has_content(whole[max(first, a) : b]):
            return _turned("除外")
    undone = _UNDONE.search(_clause(before))
    return _turned(undone["word"] or undone["english"]) if undone else None


def _refuted(before: str, behind: str) -> str | None:
    claimed = _OTHERS_SAY.search(before)
    if claimed:
        return f"引文漏了前面的“{claimed.group()}”：那是别人的说法，不是资料所说"
    refuted = _REFUTED.search(behind)
    if refuted:
        return f"引文漏了后面的“{refuted.group()}”，意思就反了"
    unsure = _UNSURE.search(before)
    return f"引文漏了前面的“{unsure['word']}”，意思就变了" if unsure else None


def _asked(before: str, said: str, behind: str) -> str | None:
    whether = _WHETHER.search(before)
    if whether or (_QUESTION.search(behind) and not _ASKS.search(said)):
        return "引文是从问句里截出来的，资料只是问，没有这样说"
    return None


def _conditional(before: str, said: str, behind: str) -> str | None:
    only = _ONLY.search(_clause(before))
    approved = _APPROVED.search(before)
    found = only or approved or _CONDITION_BEHIND.match(behind)
    if not found and (not _clause(before).strip() or _SAYS_SOMETHING.search(said)):
        found = _CONDITION.search(before[max(before.rfind(";"), before.rfind("。")) + 1 :])
    if not found:
        return None
    return f"引文漏了“{next(word for word in found.groupdict().values() if word)}”这个条件，要连同条件一起抄"


def _clause(before: str) -> str:
    """The last clause of a text."""
    starts = [match.end() for match in _CLAUSE_END.finditer(before)]
    return before[starts[-1] :] if starts else before


def _turned(word: str) -> str:
    return f"引文漏了“{word}”，意思就反了" if word == "除外" else f"引文漏了前面的“{word}”，意思就反了"
