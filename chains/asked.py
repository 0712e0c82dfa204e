"""Whether what an answer states is what was asked: a true sentence with a true citation can still answer nothing."""

import re
from collections.abc import Iterable, Sequence

from youju.cached import cached
from youju.chains.asked_apart import names_place, other_host, other_kind, other_named, other_of_its_kind, places
from youju.chains.asked_repeats import is_bare_name, repeats, speaks_of_nothing
from youju.chains.claim_case import short
from youju.chains.claims import statement
from youju.chains.content import words
from youju.chains.marks import without_references
from youju.chains.result import Claim, Evidence
from youju.chains.values import folded
from youju.models.question_words import ASKING
from youju.models.questions import Part, question_parts
from youju.text import fold

_NUMERAL = re.compile(
    r"\d[\d,]*(?:\.\d+)?|[½¼¾①-⓿❶-➓㈠-㈩㊀-㊉]|[零〇一二两三四五六七八九十百千万亿半几数]+"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|thirty|half)\b"
)
_VAGUE = frozenset("一几半数")
_TIME = re.compile(
    r"[时時后後前天日年月周季]|期间|期間|世纪|世紀|[末初]|中旬|随时|立即|长期|永久|终身"
    r"|\b(?:day|week|month|year|hour|minute|season|always|never|now)|\b(?:after|before|during|when|until)\b"
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)年")
_TITLE = re.compile("《[^《》]+》")
_NONE = re.compile(r"[不没沒无無未免]|\b(?:no|not|none|never|free)\b")
_NUMBERS_ONLY = re.compile(r"[\d\s.,:%‰/年月日号時时点分秒元亿万个-]+[。.]?")
_HELD = re.compile(r"举办|舉辦|举行|舉行|召开|召開|位于|位於|坐落|地址|地点|地點")
_HOLDER = re.compile(r"^.{2,20}(?:公司|集团|集團|委员会|委員會|协会|協會|银行|銀行|政府|先生|女士|小姐)[。.\s]*$")
_COMPARES = re.compile(r"更|比较|比較|相比|还是|還是|\bor\b")
_COUNTED = {"money": "金额", "share": "比例", "people": "人数", "number": "数量", "contact": "联系方式"}
_TIMED = {"length": "时长", "year": "年份", "month": "月份", "clock": "时刻", "day": "日期", "date": "时间"}
_CALLED = {"place": "地点", "person": "人或单位", "name": "名字"}
_SETTLING = frozenset(["yes_no", "compare"])
"""Forms of questions whose own words can answer them."""
_OPEN = 0.2
"""Of a part of the question, how many of its words, by weight, nothing in the answer may hold for it to be left open.
Below it is one of 700 right answers to questions of several parts (reference answers with their evidence)."""

_TOPIC = 0.4
"""How many of the words of a question, by weight, a block holds that is on its topic: so do 93 to 98 of 100 blocks that
answer a question with a mere name (reference answers with their evidence)."""


class Asked:
    """What a question asks, and which of it claims answer.

    Without a model only what is certain counts: something that the question does not say itself; a value where it asks
    for a value; not a mere number where it asks for a name; the year, article, model, party, games … that it names,
    where the claim and the evidence quoted for it name another of the kind; the place, where they name a place and the
    blocks cited do not name the one asked about; and of a mere name, that its evidence speaks of what is asked at all.
    """

    def __init__(self, question: str, blocks: Sequence[Evidence] = ()) -> None:
        """Read a question; the blocks are those that claims cite, numbered from 1."""
        self._cited = blocks
        self._folded: dict[int, str] = {}
        self._places = places(question)
        self._asked = question
        self._question = fold(question)
        self._plain = folded(question)
        self._numerals = {_without_commas(found) for found in _NUMERAL.findall(self._question)} - {"一"}  # 一共, 一个
        self._parts = question_parts(question)
        self._settles = _COMPARES.search(self._question) or any(part.form in _SETTLING for part in self._parts)

    @cached
    def _plain_parts(self) -> list[Part]:
        """The parts with their words in simplified characters, as evidence is read."""
        return question_parts(self._asked, folded)

    def _block(self, n: int) -> str:
        """A block with its place, folded."""
        if n not in self._folded:
            block = self._cited[n - 1]
            self._folded[n] = folded(f"{block.location}\n{block.text}")
        return self._folded[n]

    def why_not(self, claims: Iterable[Claim]) -> str | None:
        """Why none of some claims answers any part of the question; None if one does, or there is none."""
        reason = None
        for claim in claims:
            reason = self.beside(claim)
            if reason is None:
                return None
        return reason

    def beside(self, claim: Claim) -> str | None:
        """Why a claim answers no part of the question; None if it does, or nothing tells that it does not."""
        if not self._parts:  # nothing was asked
            return None
        stated = without_references(statement(claim.text)).strip()
        quoted = " ".join(quote.text for quote in claim.quotes)
        said = fold(stated)
        asks_back = said.endswith("?") and ASKING.search(said) is not None
        if asks_back or (not self._settles and repeats(self._question, self._parts, said, fold(quoted))):
            return f"问的是“{short(self._parts[0].text)}”，回答里只有问题里的话"
        read = "\n".join(self._block(n) for n in claim.citations if 1 <= n <= len(self._cited))
        plain, shown = folded(stated), folded(quoted)
        reasons: list[str] = []
        for part in self._parts:
            reason = self._not_kind(part, said) or self._of_another(part, plain, shown, read)
            if reason is None:
                break
            reasons.append(reason)
        if reasons and len(reasons) == len(self._parts):
            return reasons[0]
        return self._elsewhere(claim, read) or self._of_something_else(stated, read)

    def on_topic(self, block: Evidence) -> bool:
        """Whether a block says enough of what a part of the question speaks of to carry a mere name as its answer."""
        text = fold(f"{block.location}\n{block.text}")
        return any(part.coverage(text) >= _TOPIC for part in self._parts)

    def nearness(self, claim: Claim) -> float:
        """How many of the words of a part of the question, by weight, the evidence quoted for a claim holds."""
        text = fold(" ".join(quote.text for quote in claim.quotes))
        return max((part.coverage(text) for part in self._parts), default=0.0)

    def left_open(self, claims: Iterable[Claim]) -> list[str]:
        """The parts of a question of several parts that no claim says anything of, in the asker's words."""
        asking = [part for part in self._parts if ASKING.search(part.folded)]
        if len(asking) < 2:
            return []
        said = [fold(" ".join([claim.text, *(quote.text for quote in claim.quotes)])) for claim in claims]
        return [part.text for part in asking if all(part.coverage(text) < _OPEN for text in said)]

    def _not_kind(self, part: Part, said: str) -> str | None:
        """What is asked for and missing: numbers of the question that an answer repeats are none."""
        if part.kind is None or part.form in {"list", "compare", "yes_no"} or _COMPARES.search(self._question):
            return None
        kind = part.kind.name
        if kind in _COUNTED:
            held = self._new_numeral(part, said) or _NONE.search(said) or (kind == "contact" and part.has_kind(said))
            return None if held else f"问的是{_COUNTED[kind]}，回答里没有"
        if kind in _TIMED:
            held = self._new_numeral(part, said) or _NONE.search(said) or self._new_time(said)
            return None if held else f"问的是{_TIMED[kind]}，回答里没有"
        if kind in _CALLED and _NUMBERS_ONLY.fullmatch(said):
            return f"问的是{_CALLED[kind]}，回答里只有数字"
        if kind == "person" and self._only_title(said):
            return f"问的是{_CALLED[kind]}，回答里只有作品"
        if kind == "place" and _HELD.search(part.folded) and _HOLDER.fullmatch(said) and not part.has_kind(said):
            return f"问的是{_CALLED[kind]}，回答里没有"
        return None

    def _only_title(self, said: str) -> bool:
        """Whether a work's title is all that is said beside the words of the question."""
        rest = _TITLE.sub("", said)
        new = [word for word in words(folded(rest)) if word.text not in self._question]
        return rest != said and not new

    def _of_another(self, part: Part, said: str, quoted: str, read: str) -> str | None:
        """What is spoken of instead of the year, the games, the office … that a part of the question names."""
        asked = folded(part.text)
        return (
            other_named(asked, self._plain, said, quoted, read)
            or other_of_its_kind(asked, self._plain, quoted)
            or other_kind(asked, self._plain, said, quoted, read)
            or other_host(asked, self._plain, said, quoted)
        )

    def _elsewhere(self, claim: Claim, read: str) -> str | None:
        """What place is spoken of, where the question names one that the claim and the blocks it cites do not."""
        if not self._places or any(names_place(place, f"{folded(claim.text)}\n{read}") for place in self._places):
            return None
        said = places(" ".join([statement(claim.text), *(quote.text for quote in claim.quotes)]))
        said = [word for word in said if not any(word.text in asked.text for asked in self._places)]
        return f"问的是“{self._places[0].text}”，依据写的是“{said[0].text}”" if said else None

    def _of_something_else(self, stated: str, read: str) -> str | None:
        """What a name's evidence lacks, where it speaks of nothing that the question is about."""
        if self._settles or not read or not all(part.kind and part.kind.name in _CALLED for part in self._parts):
            return None
        parts = self._plain_parts
        if not speaks_of_nothing(parts, read) or not is_bare_name(self._plain, stated):
            return None
        return f"问的是“{short(parts[0].text)}”，依据没有写到它"

    def _new_numeral(self, part: Part, said: str) -> bool:
        """Whether a number is there that the question has not; 一 and 几, as in 一家, only in what is asked for."""
        new = {_without_commas(found) for found in _NUMERAL.findall(said)} - self._numerals
        return bool(new - _VAGUE) or (bool(new) and part.has_kind(said))

    def _new_time(self, said: str) -> bool:
        rest = _YEAR.sub(lambda year: "" if year[1] in self._numerals else year.group(), said)
        return any(found not in self._question for found in _TIME.findall(rest))


def _without_commas(numeral: str) -> str:
    return numeral.replace(",", "")
