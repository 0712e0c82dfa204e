"""Words that narrow what a text says: it is planned, possible, past, asked, rumoured, called off, true of a part."""

import re
from dataclasses import dataclass
from typing import Literal

Reach = Literal["word", "clause", "sentence", "before", "around"]
_ALL = (
    r"所有|全部|全体|全都|都(?![市督])|均(?![衡价值匀线])|一律|每一?[个位名家件]|任何|一切|无一例外|\b(?:all"
    r"|every|each)\b"
)
_NO = (
    r"[不未无没否非勿]|取消|下架|停(?![车靠泊机留电水滞])|[中终禁]止|撤|废[止除]|作废|难[以于]|困难|反对|拒|放弃"
    r"|免(?![费税疫签])|驳|失去|丧失|剥夺|推翻|关闭|避免|防止"
    r"|\b(?:not?|never|cannot|without|against)\b|n't|cancel|suspend|stop|terminat|revok|refus|reject|oppos|fail"
    r"|end(?:ed|s)\b"
)
_SAID = (
    r"否认|deni(?:es|ed)|传(?!统|真|输|播|感|承|递)|称(?![号呼职])|谣|所谓|涉|嫌|指控|诉|主张|声明|认为|表示"
    r"|说(?!明)|据|不实|alleg|rumou?r|claim|accus|reported|said|says"
)

_MAY = (
    r"可以|(?<![认许])可(?![能见靠持再回观行是控分])|有权|允许|准许|自愿"
    r"|(?<!in )(?<!of )(?<!\d )\bmay\b(?! \d)|\bcan\b|\ballowed to\b"
)
_DUTY = r"必须|应当|应该|务必|须(?!知)|一定要|有义务|\bmust\b|\bshall\b|\b(?:have|has|required|obliged) to\b"
_MUST = (
    rf"{_DUTY}|必需|(?<![反适供相响对效感报理])应(?![用对急届付收邀聘激力变酬征纳答允有])"
    rf"|(?<![急所必供刚])需(?![求的]|要的)"
)


@dataclass(frozen=True)
class Operator:
    """A class of words that narrow what is said in their reach; a claim without one of its class says more.

    Attributes:
        cue: Its words in the evidence.
        begins: The characters that they begin with.
        kept: Words of a claim that keep it, of its class or of one that says still less.
        reach: What it narrows: the next word, the rest of its clause or of its sentence, what stands before it, or the
            clause around it.
        asked: Words of a question that keep it for the answer; None: a question does not.
        against: Words with which a claim says the contrary instead of only more; None: leaving it out is the contrary.
        light: Whether a claim may leave it out as long as it does not say the contrary.
    """

    cue: re.Pattern[str]
    begins: frozenset[str]
    kept: re.Pattern[str]
    reach: Reach
    asked: re.Pattern[str] | None
    against: re.Pattern[str] | None
    light: bool


_ATOM = re.compile(r"\\.|\[[^\]]*\]|\(\?<?[=!:]|.")
_NO_CHARACTER = frozenset(["\\b", "^"])


def _beginnings(cue: str) -> frozenset[str]:
    """The characters with which what a cue matches can begin: of each alternative up to the first it must have."""
    found: set[str] = set()
    looking = 0  # groups open in a look ahead or behind, which takes no character
    begun = [False]  # of the alternative in each open group: whether a character that it must have was met
    before = False  # the same before the last character or group, which ? makes optional
    for atom in _ATOM.findall(cue):
        if looking:
            looking += atom[0] == "("
            looking -= atom == ")"
        elif atom == "(?:":
            begun.append(begun[-1])
        elif atom[0] == "(":
            looking = 1
        elif atom == "|":
            begun[-1] = len(begun) > 1 and begun[-2]
        elif atom == ")":
            begun.pop()
            before, begun[-1] = begun[-1], True
        elif atom == "?":
            begun[-1] = before
        elif atom not in _NO_CHARACTER:
            before = begun[-1]
            if not before:
                found |= set(atom.strip("[]"))
            begun[-1] = True
    return frozenset(found)


def _operator(
    cue: str,
    kept: str,
    reach: Reach = "clause",
    *,
    asked: str | None = "",
    against: str | None = r"(?!)",
    light: bool = False,
) -> Operator:
    """An operator; `asked` "" means what keeps it in a claim, and nothing is against it unless `against` says so."""
    question = kept if asked == "" else asked
    begins = _beginnings(cue)
    return Operator(
        re.compile(rf"(?=[{''.join(sorted(begins))}])(?<![不未没非无])(?:{cue})"),
        begins,
        re.compile(f"{cue}|{kept}"),
        reach,
        re.compile(f"{cue}|{question}") if question is not None else None,
        re.compile(against) if against is not None else None,
        light,
    )


DONE = re.compile(
    r"(?<!不)已(?![婚知])|曾|完成了|(?<=[一-鿿])了(?![解结])|确[认定]|一定(?!的)|必[然定将]|肯定|绝对|already"
    r"|\b(?:has|have) been\b"
)
"""With these a claim says that something has happened, or is sure to."""

_TITLE = (
    r"(?:[一-鿿]{0,6}?)(?:总监|经理|董事|主席|书记|局长|院长|校长|主任|部长|市长|省长|县长|行长|会长|所长|处长"
    r"|科长|教练|总统|总理|首相|总裁|秘书|委员|队长|团长|站长|厂长|镇长|村长|负责人|首席|[一-鿿]{0,2}师|顾问|编辑)"
)
_WILL = (
    r"将|拟|计划|规划|预[计期测算]|打算|有望|[力]争|争取|即|准备|筹|目标|考虑|承诺|提议|提出|建议|推荐|宜|应|酝酿"
    r"|谋求|商讨|商议|讨论|马上|(?<![主重需必])要(?![求素约])|可能"
    r"|估计|未来|意向"
    r"|希望|愿|草案|意见稿|明年|明后年|下[个周月]"
    r"|(?<![董监委理事协社大机工员年晚宴聚商学国省市展运峰集])会(?![员议计场展])|\b(?:will|plan(?:s|ned)?"
    r"|expect\w*|intend\w*|aim(?:s|ed)?|going to|would|about to|propos\w*|might|draft|to be|due)\b"
)
_PAST = (
    r"曾|(?<![通超经])过(?![程后期户度节于错敏渡半])|以前|过去|从前|此前|原|前任|前(?=[一-鿿]{2})|旧|昔|当时|时任"
    r"|历任|卸任"
    r"|离[职任]|一度|当年|\d年|世纪|时期|期间"
    r"|\bwas\b|\bwere\b|former|used to|previous|once|until|\bhad\b"
)
OPERATORS = (
    _operator(
        r"(?<![模虚草比])拟(?![定人声合态真订南])|计划(?![书表外内中的是为生经性单包委,;。、:)])|预计(?!的)"
        r"|预期(?=[^的,;。])|打算|(?<![不未])考虑(?![到因])|希望|承诺|提议|建议|酝酿|谋求|商讨"
        r"|有望|力争|争取(?=[^,;。]{0,8}(?:完成|实现|达|上市|通过|开|前))|即将|草案|征求意见稿|目标[是为]"
        r"|\b(?:plans?|planned|expects?|expected|intends?|intended|aims?|proposes?|proposed|about) to\b|\bdraft\b",
        _WILL,
        against=DONE.pattern,
    ),
    _operator(
        r"(?<![不尽])可能(?![性的])|或许|也许|疑似|恐(?=[将会怕])|大概(?=[^\d一二三四五六七八九十百千万]{2})"
        r"|(?<!in )(?<!of )(?<!\d )\bmay\b(?! \d)|\bmight\b|\bpossibly\b|\bperhaps\b|\bis likely to\b|\bcould\b",
        r"可能|或[将会许]|恐|疑|怀疑|大概|有望|风险|危险|潜在|估计|推测|预计|不排除|不确定|有时|\bcan\b"
        r"|(?<!in )(?<!of )(?<!\d )\bmay\b(?! \d)|might|could|possib|perhaps|likely"
        r"|risk|allowed|permitted|able to",
        against=DONE.pattern,
    ),
    _operator(
        r"曾(?:经)?(?:任|担任|是|为(?!了)|有|属|叫|名|住|出任|兼任|位于|拥有|在[^,;。]{1,10}(?:任|工作|就读|学习))"
        r"|(?<![\w])(?:过去|以前|从前)(?![\d一二三四五六七八九十两几数的,])|(?<=[^\d年月日天时前之])(?:过去|以前"
        r"|从前)(?=[是为有在叫由])"
        r"|(?<![复还草平高])原(?=为[^了]|是|规?定(?!的))|原先|原本|昔日|\bformerly\b|\bused to\b|\bpreviously\b",
        _PAST,
    ),
    _operator(
        rf"前任|(?<![从之以目当此提向])前(?={_TITLE})|(?<![复还])原(?={_TITLE})|\bformer\b|\bex-", _PAST, reach="word"
    ),
    _operator(
        r"(?<![第各这该那一二三四五六七八九十两几\d成本余])(?:绝?大)?部分(?![是为之,;。、])"
        r"|(?<![为])(?:绝?大)?多数(?![为])|(?<!为)少数(?!民族)|个别(?!化|辅导)"
        r"|\b(?:few|certain) ",
        r"部分|多数|大多|少数|个别|有[些的]|一些|某|若干|少量|半|几乎|主要|大都|多[为是]|往往|通常|一般|之一|其中"
        r"|不都|并非|不是|some|most|many|few|certain|several|part"
        r"|various|not all|usually",
        reach="word",
        against=_ALL,
    ),
    _operator(
        r"取消|暂停|停止|[中终]止|撤[销回]|废止|停[办用售供发]|叫停|下架|难以|反对(?![派党])|拒[绝不]|放弃|免除|否决"
        r"|未能|失去|丧失|剥夺|推翻|无意(?!中|间|义)"
        r"|\b(?:cancel|suspend|stopp|terminat|revok|refus|reject|oppos|abandon|discontinu|repeal)(?:l?ed|s|es|ing"
        r"|e)?\b(?: to)?|\bfail(?:ed|s)? to\b",
        _NO,
        asked=r"(?!)",
        against=None,
    ),
    _operator(
        r"传言|传闻|谣传|网传|据传|盛传|风传|坊间|据称|自称(?![为:])|声称|诉称|辩称|(?:原告|被告|上诉人"
        r"|申请人)[^,;。]{0,4}?(?:主张|称|认为)"
        r"|\b(?:allegedly|reportedly|supposedly)\b|\balleges?d?\b|\brumou?rs?\b|\bclaim(?:s|ed) that\b",
        _SAID,
        reach="sentence",
        asked=None,
    ),
    _operator(
        r"涉嫌|指控",
        _SAID,
        asked=None,
    ),
    _operator(
        r"谣言|(?:消息|内容|说法|传言|报道|情况|并|均)?不(?:属)?实(?![行施际])|子虚乌有|辟谣|予以否认"
        r"|[未不]予(?:采信|采纳|认可|支持)",
        rf"{_SAID}|{_NO}",
        reach="before",
        asked=None,
        against=None,
    ),
    _operator(r"误以为|误认为|误传|谎称", rf"误|谎|假|谣|{_NO}", asked=None, against=None),
    _operator(
        r"否认(?=[^,;。])|\bden(?:y|ied|ies)(?: that)?\b",
        rf"{_SAID}|{_NO}|den(?:y|ied|ies)",
        asked=None,
        against=None,
    ),
    _operator(
        r"(?<!无论)(?<!不论)(?<!不管)(?:是否|能否|可否|会否|有无|会不会|能不能|可不可以|是不是|要不要|该不该"
        r"|有没有)|吗\??(?![》”』」])|\bwhether\b",
        r"是否|能否|可否|会否|有无|不|未|没|尚|待|讨论|取决|判断|检查|确[认定]|吗|\?|whether|\bif\b"
        r"|undecided|unclear|\bnot?\b",
        reach="around",
        asked=None,
    ),
    _operator(  # what is to come: 将于6月3日开幕 may be 6月3日开幕
        r"将(?=于|在|会|[从自对向由]|进一步|继续|陆续|正式|全面|\d)|(?<![第\d])明年|后年|下个?[周月]|\bwill\b",
        r"将|即|拟|计划|预计",
        against=r"(?<!不)已(?![婚知])|已经|(?<=[一-鿿])了(?![解结])(?=[^,;。]|$)|\balready\b|\bhas (?:been|\w+ed)\b",
        light=True,
    ),
    _operator(
        r"有[些的]|一些|某些|主要|\bsome\b|\bmany\b|\bmost\b",
        r"部分|多数|大[多都]|多[为是]|其中|some|many|most|several|part",
        reach="word",
        against=_ALL,
        light=True,
    ),
    _operator(_MUST, _MUST, asked=None, against=_MAY, light=True),
    _operator(
        rf"{_MAY}|建议|鼓励|推荐|\brecommend",
        rf"{_MAY}|建议|鼓励|推荐|recommend",
        asked=None,
        against=_DUTY,
        light=True,
    ),
    _operator(
        r"^(?:will|is|are|does|do|did|can|may|has|have|should|was|were)\b(?=[^?]*\?)",
        r"\?|whether|\bif\b|undecided|unclear|\bnot?\b",
        reach="sentence",
        asked=None,
    ),
)
"""What narrows the words in its reach."""

_BEGINNINGS = "".join(sorted(frozenset[str]().union(*(operator.begins for operator in OPERATORS))))
NARROWS = re.compile(f"(?=[{_BEGINNINGS}])(?:{'|'.join(operator.cue.pattern for operator in OPERATORS)})")
"""The words of all of them: most sentences have none."""

ALL = re.compile(_ALL)
"""Words for everything."""
ONLY = re.compile(
    r"(?=[只唯仅ose])(?:(?<!不)(?:只有|唯有|仅有?(?!次)|唯一|只[能限])|\bonly\b|\bsole(?:ly)?\b|\bexclusively\b)"
)
"""Words that shut out everything else."""
ONLY_HELD = re.compile(r"只|仅|唯|限|独|专|单|除|才|方[可能]|以外|\bonly\b|\bsole|\bexclusive|\bunless\b|\bjust\b")
