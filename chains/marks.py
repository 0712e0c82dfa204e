"""What a citation mark is, and what only looks like one: the one definition that documents, answers and streams share.

A mark is `[资料N]`. Some other ways of writing it are read as one (`canonical`); every other bracket with 资料 and a
number behind it is a look-alike: none is let into an answer (`lookalikes`), and none that stands in a document or a
question reaches the model as it is (`harmless`).
"""

import re

from youju.text import HAN

HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff9-\ufffb\u0300-\u036f\u20d0-\u20ff\U000e0000-\U000e0fff"
)
_GAP = rf"[\s{HIDDEN}]*+"  # blanks, and characters that cannot be seen or only decorate
_WORD = rf"[资資]{_GAP}[料\uf9be]"
_READ_OPEN = r"\[［【（("
_OPEN = _READ_OPEN + r"〔{｛「『〈《〖〘〚⟦⟨❲⦗﹝﹙﹛<＜⁅❴﹤«❮"
_CLOSE = r"\]］】）)〕}｝」』〉》〗〙〛⟧⟩❳⦘﹞﹚﹜>＞⁆❵﹥»❯"
_NEUTRAL = "‹"  # stands for an opening bracket that must not open a mark; it opens none

_NUMBER = r"[0-9０-９]{1,30}+"
_RANGE = r"[-–—~～至到]"
_JOINT = rf"{_GAP}(?:[、，,;；和与及]|{_RANGE}){_GAP}(?:{_WORD}{_GAP})?"
_READ = re.compile(rf"[{_READ_OPEN}]{_GAP}{_WORD}{_GAP}({_NUMBER}(?:{_JOINT}{_NUMBER})*){_GAP}[\]］】）)]")
_PIECE = re.compile(rf"({_NUMBER})(?:{_GAP}{_RANGE}{_GAP}(?:{_WORD}{_GAP})?({_NUMBER}))?")
_UNFINISHED = re.compile(
    rf"[{_READ_OPEN}]{_GAP}(?:[资資]{_GAP}(?:[料\uf9be][\s{HIDDEN}资資料\uf9be0-9０-９、，,;；和与及\-–—~～至到]*+)?)?$"
)
_WIDEST_RANGE = 100

MARK = re.compile(r"\[资料([0-9]{1,30})\]")
"""A mark in its one form."""

_DIGIT = (
    r"[\d²³¹⁰-⁹₀-₉①-⒛⓪-⓿❶-➓㈠-㈩㉈-㉟㊀-㊉㊱-㊿Ⅰ-ↈ〡-〩〸-〺\U0001f100-\U0001f10c\U0001f51f"
    r"\U00010107-\U00010133\U0001d360-\U0001d371]"
)
_LETTERS = r"(?:[IVXivxＩＶＸ]{1,4}|[A-Za-zＡ-Ｚａ-ｚ]|[甲乙丙丁戊己庚辛壬癸])"  # [资料IV], [资料A]
_HAN_NUMBER = (
    rf"(?:[零〇一二两兩俩三四五六七八九十百千万萬亿億廿卅卌幺壹贰貳叁肆伍陆陸柒捌玖拾佰仟]++|{_LETTERS}){_GAP}[号號]?{_GAP}"
    rf"(?=[{_CLOSE}、，,;；。|&/+\-]|$)"
)
_BEFORE_WORD = rf"(?:[参參]{_GAP}考{_GAP}|引{_GAP}用{_GAP})?"
_SPLIT_WORD = rf"[资資]{_GAP}[·・‧•_.\-]?{_GAP}[料\uf9be]"
_BETWEEN = rf"(?:(?![{_OPEN}{_CLOSE}。！？\U0001f51f])[\W_])*+"
_LIKE = re.compile(
    rf"[{_OPEN}]{_GAP}[\^*#]?{_BEFORE_WORD}{_SPLIT_WORD}{_BETWEEN}(?:(?:第|编号|編號|序号|序號|号|號|[Nn][Oo]?|[Rr]ef){_BETWEEN})?+"
    rf"(?:{_DIGIT}|{_HAN_NUMBER})"
)
_SQUARE = re.compile(rf"[\[［【](?={_GAP}{_BEFORE_WORD}{_WORD})")  # would begin a block's header
_HEAD = re.compile(
    rf"(?m)^([^\S\n]*{_BEFORE_WORD}{_WORD}{_GAP}{_NUMBER}{_GAP})[:：]"
)  # as one would do without brackets
_TOLD = r"(?:规定|規定|写|寫|提|指出|显示|顯示|说|說|记载|記載|表明|载明|載明|可知|可见|可見|来看|來看)"
_REFERENCE = (
    rf"{_WORD}{_GAP}(?:第{_GAP})?(?P<numbers>{_NUMBER}(?:{_GAP}(?:[、和与與及]|{_RANGE}){_GAP}(?:{_WORD}{_GAP})?{_NUMBER})*)"
    rf"{_GAP}[号號]?(?=[\W_]|$|[中里裡内內所的和与與及第是为為有没沒未无無]|明[确確]|{_TOLD})(?![.．%％][0-9０-９])"
)
_SPOKEN_OF = re.compile(_REFERENCE)
_ASIDE = re.compile(
    rf"(?:(?<=\W)|^)(?:(?:根据|根據|依据|依據|按照|按|据|據|依照|参照|參照|正?如|[参參详詳另]?[见見]|从|從|由|在)\s*)?{_REFERENCE}"
    rf"[中里裡内內]?(?:的(?:规定|規定|内容|內容|说明|說明|记载|記載|要求))?"
    rf"(?:所[述示写寫载載说說列]|明?[确確]?{_TOLD}[明到道着的]?)?[，,：:]?"
)
_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
_SLASH = r"[/／⁄∕\\＼⧸╱]"
_FENCE = re.compile(  # a tag of the evidence, opening or closing, whatever stands behind its name
    rf"(?:[<＜﹤]|&lt;|&#0*60;|&#[xX]0*3[cC];)(?={_GAP}(?:{_SLASH}{_GAP})*{_BEFORE_WORD}{_WORD}(?![{HAN}]))"
    rf"|[<＜﹤〈《«⟨❮](?={_GAP}(?:{_SLASH}{_GAP})+{_BEFORE_WORD}{_WORD})"
    rf"|[〈⟨❮](?={_GAP}{_BEFORE_WORD}{_WORD}{_GAP}[〉⟩❯])"
)


def canonical(text: str) -> str:
    """A text with every form of citation mark that is read written as `[资料N]`, and of it what is `visible`."""
    text = visible(text)
    return _READ.sub(lambda match: "".join(f"[资料{n}]" for n in _numbers(match.group(1))), text)


def visible(text: str) -> str:
    """A text without characters that do something and show nothing.

    Control characters, except ends of lines and tabs, would drive a terminal; those that turn the direction of writing
    make 12 read as 21; tags hide a text. Every end of a line is written as one.
    """
    return _UNSEEN.sub("", _LINE_ENDS.sub("\n", text))


def marks(text: str) -> list[int]:
    """The numbers of the marks in a canonical text, each once, in order."""
    return list(dict.fromkeys(int(n) for n in MARK.findall(text)))


def lookalikes(text: str) -> list[str]:
    """What looks like a mark in a canonical text and is none, as far as its number."""
    return [match.group() for match in _LIKE.finditer(text) if not MARK.match(text, match.start())]


def references(text: str) -> list[int]:
    """The numbers of evidence that a text without marks speaks of in words: 根据资料2, （见资料1、3）; not 资料2份."""
    return list(dict.fromkeys(n for match in _SPOKEN_OF.finditer(text) for n in _numbers(match["numbers"])))


def without_references(text: str) -> str:
    """A text without the words that only say which evidence says so, such as 根据资料2，."""
    return _ASIDE.sub("", text)


def unfinished(text: str) -> int:
    """Where the beginning of a mark that is not closed yet stands at the end of a text; its length if there is none."""
    match = _UNFINISHED.search(text)
    return match.start() if match else len(text)


def harmless(text: str) -> str:
    """A text of the same length in which nothing is read as a mark, a block's header or the fence of the evidence."""
    text = _HEAD.sub(lambda match: match.group(1) + _NEUTRAL, unmarked(text))
    return _FENCE.sub(lambda match: _NEUTRAL + match.group()[1:], text)


def unmarked(text: str) -> str:
    """A text of the same length in which nothing is read as a mark."""
    return _SQUARE.sub(_NEUTRAL, _LIKE.sub(lambda match: _NEUTRAL + match.group()[1:], text))


def _numbers(group: str) -> list[int]:
    numbers: list[int] = []
    for first, last in _PIECE.findall(group):
        low, high = int(first), int(last or first)
        wide = high < low or high - low > _WIDEST_RANGE
        numbers.extend([low, high] if wide else range(low, high + 1))
    return list(dict.fromkeys(numbers))
