"""What a text denies: the reach of 不, 未, 无, 禁止, `not`, and what 除外 leaves out."""

import re
from dataclasses import dataclass

_END = re.compile(r"[,;:。!?()\n]|但是?|然而|而(?![且是])|方可|才[可能]|\bbut\b")
_BOUND = (
    r"(?:不|未|没有)[得应能可]?(?:少于|低于|小于|短于|早于|超过|超出|高于|大于|多于|长于|晚于|迟于|足|满|到)"
    r"(?=[^,;。]{0,3}[\d一二两三四五六七八九十百千万半])"
)
_LEXICAL = re.compile(
    _BOUND + r"|不(?:但|仅|只是|服|实|法(?!院)|明|一|安全|锈|停|外乎|论|管|断|久|同(?!意)|过(?!分)|动产|可抗力|良|足|少"
    r"|等|止|如"
    r"|禁|料|妨|愧|时|日|惜|限于|限(?=量|次)|定期|正当|当(?!事)|合格品|得已|记名|可分割|可撤销|可再生|可或缺|错"
    r"|见得|得不|能不|可不|是不)"
    r"|无(?:论|锡|线|人机|形|限|期|偿|效|息|缝|障碍|产|机|菌|纸化|理由|损|疑|数|比|名|故|辜|烟|糖|铅|氧|公害|固定期限)"
    r"|未(?:来|知|成年|婚|遂|免|央|名|必不|尝不)|没有不|无不|并非不|除非|莫非|非(?:常|洲|典|凡|得|物质|营利"
    r"|全日制|居民|机动|金属|专利|洲人)"
    r"|是否|能否|可否|与否|能不能|可不可以|是不是|有没有|要不要|会不会|否则"
    r"|\bnot only\b|\bno later than\b|\bno(?:t)? (?:more|less|fewer) than\b|\bnot exceed(?:ing)?\b|\bno\. ?\d"
    r"|\bwhether or not\b"
)
_CUE = re.compile(
    r"(?P<strong>不(?:得|可以|可|能够|能|予|应当|应该|应|宜|准|许可|许|会|允许|支持|再|需要|需|须|必|用|要|享受"
    r"|享有|适用|接受|受理|提供|承担|负责|收取|收)"
    r"|禁止|严禁|拒绝|杜绝|无法|无权|无需|无须|无法定|毋须|勿|切勿|请勿|未能|未予|没能)"
    r"|(?P<english>\b(?:cannot|can't|can not|won't|not|never|no|without|neither|nor|unable to|isn't|aren't"
    r"|doesn't|don't|didn't|wasn't|weren't"
    r"|shouldn't|mustn't|shall not|prohibits?|forbids?|excludes?|excluding)\b)"
    r"|(?P<behind>\b(?:prohibited|forbidden|excluded|not allowed|not permitted)\b)"
    r"|(?P<weak>不|未|没有|没|无|非|莫|并非)"
)
_MAY_DENY = re.compile("[不没未无非莫否禁拒杜毋勿a-z]")
"""A character of each word that denies, or looks as if it did: many sentences have none."""
_WEAK_END = re.compile(r"的|者|时(?!间)|之前|之后|或者?未")
_EXCEPT = re.compile(
    r"除(?:了|去|开)?(?P<inside>[^,;。]{1,20}?)(?:之?外|以外)(?P<also>,?[^,;。]{0,8}?(?:还|也|并|同时|又|另))?"
)
_EXCEPTED = re.compile(
    r"(?P<what>[^,;。:]{1,20}?)(?:的)?除外|(?:excluding|except(?: for)?|other than)\s(?P<english>[^,;.]{1,40})"
)
_MAY_LEAVE_OUT = re.compile("除|excluding|except|other than")
_STRONG_BARE = re.compile(r"[的了吗呢]?$")


@dataclass(frozen=True, slots=True)
class Denial:
    """A place where a text says no.

    Attributes:
        cue: Where the word that denies begins.
        start: Where what is denied begins.
        end: Where it ends.
        text: The word that denies.
    """

    cue: int
    start: int
    end: int
    text: str


def without_lookalikes(folded: str) -> str:
    """A text of the same length without the words that only look like denials, such as 不锈钢, 无理由, 是否."""
    if not _MAY_DENY.search(folded):
        return folded
    return _LEXICAL.sub(lambda match: "□" * len(match.group()), folded)


def denials(folded: str) -> list[Denial]:
    """The denials of a folded text, in order.

    A denial reaches to the end of its clause, a weak one (未, 无, 不 before a verb) no further than 的; one with
    nothing behind it (退货不支持) reaches back. Two that cancel each other (不得不) and words that only look like one
    (不锈钢, 无论) are none.
    """
    if not _MAY_DENY.search(folded):
        return []
    hidden = without_lookalikes(folded)
    cues = list(_CUE.finditer(hidden))
    found = []
    for number, cue in enumerate(cues):
        start = cue.end()
        stop = _END.search(hidden, start)
        end = stop.start() if stop else len(hidden)
        following = cues[number + 1] if number + 1 < len(cues) else None
        if following and following.start() < end:
            end = following.start()
        if cue.lastgroup == "weak":
            weak_end = _WEAK_END.search(hidden, start, end)
            end = weak_end.start() if weak_end else end
        if cue.lastgroup == "behind" or _STRONG_BARE.fullmatch(hidden[start:end].strip()):
            before = max((match.end() for match in _END.finditer(hidden, 0, cue.start())), default=0)
            start, end = before, cue.start()
        found.append(Denial(cue.start(), start, end, cue.group()))
    return found


def exclusions(folded: str) -> list[tuple[int, int]]:
    """The places of what is left out (定制商品除外, 除定制商品外); not of 除…外，还…, which adds."""
    if not _MAY_LEAVE_OUT.search(folded):
        return []
    found = [match.span("inside") for match in _EXCEPT.finditer(folded) if not match["also"]]
    found += (match.span("what" if match["what"] else "english") for match in _EXCEPTED.finditer(folded))
    return found
