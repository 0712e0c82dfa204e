"""Whether a unit of the evidence is about another thing than the one asked about, though it shares most words."""

import re
from itertools import pairwise

from youju.models.extractive_reading import Unit
from youju.models.question_apart import PARTIES, RECEIVING, other_before
from youju.models.question_synonyms import SYNONYMS
from youju.models.question_values import dates_in, names_in
from youju.models.questions import Part

_HAN = "\u4e00-\u9fff"
_HEAD = r"(?:负责人|管理员|联系人|经理|总监|主管|主任|代表|专员|部(?![分件署位落队长])|[费假章奖])"
_KIND = re.compile(rf"(?P<which>.*?)(?P<head>{_HEAD})")
_NO_KIND = frozenset("全 内 外 局 总 干 各 本 该 请 放 休 免 收 付 交 缴 浪 消 经 耗 公 盖 用 获 得 虚 真".split())
_NO_WHICH = frozenset(["部门", "有关", "相关", "其他", "所有", "整", "公司", "单位", "主要", "全体"])
_ALL = re.compile(r"其他|其余|所有|各部门|全体|全公司|任何|每[位个名]")
_LONGER = re.compile(rf"(?:^|[^\d{_HAN}])(?![休请享放补在有的和与含按付交收扣免无为是或及])[{_HAN}]$")
_PARTY = re.compile(r"[甲乙丙丁]方")
_PARTY_ACTS = re.compile(
    r"^(?:请问)?([甲乙丙丁]方)(?:是不是|是否|能不能|可不可以|可以|能|可|有权|要|须|需|应|会|不|得)"
)
_WHO_IS_PARTY = re.compile(rf"^(?:请问)?(?P<party>{PARTIES})(?:是(?:谁|哪|什么)|叫|的?[名全]称)")
_CLAUSE = re.compile(r"[,。;，；]")
_ENDS = re.compile(r"结束|截止|终止|完成|完工|闭幕|到期|关闭|[止至到~]|-\d|前(?![期提者])|\bends?\b|\buntil\b")
_ASKS_END = re.compile(r"结束|截止|终止|完成|完工|闭幕|到期")
_STARTS = re.compile(r"开始|启动|起(?!诉|草|源|点)|开幕|\bstarts?\b|\bbegins?\b")
_DENIED = re.compile(r"(?:未经?|没有?|不予?|无须|无需|拒绝|拒不)$")
_SINCE = re.compile(r"^[^,。;目以]{0,2}?(?:之?[后前]|之?时(?![间候段])|之日|当[日天]|满|期满)")
_TIMES = frozenset(["date", "day", "year", "month", "clock"])


def about_another(part: Part, unit: Unit) -> bool:
    """Whether a unit speaks of another role, department, party, person or event than the one that a part names."""
    return (
        _another_of_its_kind(part, unit)
        or any(_inside_longer(word.text, unit.own, part.folded) for word in part.words)
        or other_before(part.folded, part.folded, unit.own) is not None
        or _another_party_acts(part, unit)
        or _leaves_party_unnamed(part, unit)
        or _another_person(part, unit)
        or (part.kind is not None and part.kind.name in _TIMES and _another_time(part, unit.own))
        or (part.kind is not None and part.kind.name == "person" and _denied(part, unit.own))
    )


def _another_of_its_kind(part: Part, unit: Unit) -> bool:
    """开发负责人 is asked about, and the unit says who 测试负责人 is."""
    return any(
        _only_others(which, head, unit)
        for which, head in _kinds(part)
        if not any(other in unit.own for other in SYNONYMS.get(which + head, ()))
    )


def _inside_longer(word: str, own: str, asked: str) -> bool:
    """产假 is asked about, and all that is there is 陪产假: a character before it that is no verb makes it another."""
    if len(word) < 2 or word[-1] not in "假费金奖章":
        return False
    places = _places(word, own)
    return bool(places) and all(_LONGER.search(own[:place]) and own[place - 1] + word not in asked for place in places)


def _kinds(part: Part) -> list[tuple[str, str]]:
    """The roles, departments and the like that a question names, each as what tells it from its like and the head."""
    found = []
    for before, word in pairwise(["", *(word.text for word in part.words)]):
        match = _KIND.fullmatch(word)
        if match:
            which = match["which"] or (before if before + word in part.folded else "")
            if which and which not in _NO_WHICH and which[-1] not in _NO_KIND:
                found.append((which, match["head"]))
    return found


def _only_others(which: str, head: str, unit: Unit) -> bool:
    own = unit.own
    at = own.find(head)
    if at < 0 or (head == "部" and _ALL.search(own)):
        return False
    named = which + head
    if any(which == "副" or not own[:place].endswith("副") for place in _places(named, own)):
        return False
    if named not in own and len(which) > 1 and (which in own or which[-2:] in own):
        return False  # 测试组的负责人, 部门:测试部;职务:经理
    others = [place for place in _places(head, own) if re.match(rf"[{_HAN}]", own[:place][-1:])]
    return bool(others) or named not in unit.context


def _places(text: str, own: str) -> list[int]:
    return [match.start() for match in re.finditer(re.escape(text), own)]


def _another_party_acts(part: Part, unit: Unit) -> bool:
    """乙方 is asked about, and each clause says what 甲方 may do."""
    asked = _PARTY_ACTS.match(part.folded)
    if asked is None:
        return False
    acting = set()
    for clause in _CLAUSE.split(unit.own):
        first = _PARTY.search(clause)
        if first and not RECEIVING.search(clause[: first.start()]):
            acting.add(first.group())
    return bool(acting) and asked.group(1) not in acting


def _leaves_party_unnamed(part: Part, unit: Unit) -> bool:
    """Who 承租人 is is asked about, and the unit says what it does, or must."""
    asked = _WHO_IS_PARTY.match(part.folded)
    if asked is None:
        return False
    party = asked["party"]
    named = rf"{party}(?:\([^()]*\)|[名全]称)?\s*[:为是]|称为?[“\"'『「]?{party}"
    return party in unit.own and re.search(named, unit.own) is None


def _another_person(part: Part, unit: Unit) -> bool:
    """One person's mailbox is asked for, and the unit names another one only."""
    asked = [name for name in names_in(part.folded) if name in unit.document]
    if not asked or any(name in unit.own or name in unit.context for name in asked):
        return False
    return bool(names_in(unit.own)) or re.search(_HEAD, unit.own) is not None


def _another_time(part: Part, own: str) -> bool:
    """The end is asked for, and the unit has the beginning; or it counts from what is asked about: 合同签订后10日内."""
    clauses = [clause for clause in _CLAUSE.split(own) if clause]
    if _ASKS_END.search(part.folded) and clauses:
        at = max(range(len(clauses)), key=lambda at: part.coverage(_ENDS.sub(" ", clauses[at])))
        following = next((clause for _, clause in list(pairwise(clauses))[at : at + 1]), "")
        said = clauses[at] + (following if not _STARTS.search(following) and part.coverage(following) < 1 else "")
        if _STARTS.search(clauses[at]) and not _ENDS.search(_STARTS.sub(" ", said)):
            return True
    for word in part.words:
        if word.role != "focus" or len(word.text) < 2 or word.text not in own:
            continue
        after = [(own[:place], own[place + len(word.text) :]) for place in _places(word.text, own)]
        if all(_SINCE.match(rest) and not dates_in(_CLAUSE.split(said)[-1]) for said, rest in after):
            return True
    return False


def _denied(part: Part, own: str) -> bool:
    """Who approves is asked, and the unit says only what is so without approval."""
    for word in part.words:
        places = _places(word.text, own) if word.role == "focus" and len(word.text) > 1 else []
        if places and all(_DENIED.search(own[:place]) for place in places):
            return True
    return False
