"""A bare yes or no as the statement that it makes: 可以 in answer to 会员可以退货吗 states 会员可以退货."""

import re

from youju.chains.negation import denials
from youju.chains.values import folded

_OTHER = re.compile("什么|多少|几|谁|哪|怎|如何|何|为啥|还是|或者|多[久长大高远快]|呢")
_GREETING = re.compile(r"^(?:你好|您好|请问一下|请问|想问一下|想问|那么|那)[，,、\s]*")
_CHOICE = re.compile(
    r"可不可以|可以不可以|能不能|会不会|需不需要|需要不需要|要不要|是不是|有没有|行不行|是否|能否|可否|会否"
)
_CHOSEN = dict(
    pair.split("/")
    for pair in (
        "可不可以/可以 可以不可以/可以 能不能/能 会不会/会 需不需要/需要 需要不需要/需要 要不要/要 是不是/是"
        " 有没有/有 行不行/行 是否/ 能否/能 可否/可以 会否/会"
    ).split(" ")
)
_MODAL = re.compile(
    r"可以|能够|能(?![力源量])|需要|(?<![省社协大开商工学年议机])会(?![员议计])|享?有(?![关效限])|是|属于|行$"
)
_DENIED = {"有": "没有", "享有": "不享有"}
_YES = re.compile(r"是的?|对的?|没错|可以|能|会|需要|行|有|yes", re.IGNORECASE)
_NO = re.compile(r"不是|否|不可以|不能|不会|不需要|不行|没有|no", re.IGNORECASE)
_FITS = {
    **dict.fromkeys("可以 能 行 不可以 不能 不行".split(), re.compile("可|能|行")),
    **dict.fromkeys("会 不会".split(), re.compile("会")),
    **dict.fromkeys("需要 不需要".split(), re.compile("需要?|要")),
    **dict.fromkeys("有 没有".split(), re.compile("有")),
}


def as_statement(question: str, answer: str) -> str | None:
    """What a bare yes or no states in answer to a question.

    Args:
        question: One question that yes or no answers (…吗, 是否, 能不能).
        answer: A word such as 可以, 不是 or yes, and marks.

    Returns:
        The statement; None where the question is of another kind or the word does not fit it.
    """
    word = re.sub(r"\W", "", answer)
    body = _GREETING.sub("", question.strip()).rstrip("？?。 ")
    fits = _FITS.get(word)
    if re.search(r"[？?。!！]", body) or (fits is not None and not fits.search(body)):
        return None
    choice = _CHOICE.findall(body)
    if len(choice) > 1 or (choice and body.endswith(("吗", "么"))):
        return None
    if choice:
        denied, chosen = _deny(_CHOSEN[choice[0]]), _CHOSEN[choice[0]]
        if _is_other(_CHOICE.sub("", body)):
            return None
        yes, no = body.replace(choice[0], chosen), body.replace(choice[0], denied).replace("不有", "没有")
    elif body.endswith(("吗", "么")) and not _is_other(body[:-1]):
        yes = body[:-1]
        modals = list(_MODAL.finditer(yes))
        modal = modals[0] if len(modals) == 1 else None
        no = yes[: modal.start()] + _deny(modal.group()) + yes[modal.end() :] if modal else ""
    else:
        return None
    return yes if _YES.fullmatch(word) else (no or None) if _NO.fullmatch(word) else None


def _is_other(text: str) -> bool:
    """Whether a question asks something else, or denies what it asks."""
    return _OTHER.search(text) is not None or bool(denials(folded(text)))


def _deny(word: str) -> str:
    return _DENIED.get(word, f"不{word}")
