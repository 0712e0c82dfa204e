"""Whether a claim says anything that its question does not say itself."""

import re
from collections.abc import Sequence

from youju.chains.content import words
from youju.chains.values import folded
from youju.models.question_words import ASKING
from youju.models.questions import Part

_EMPTY = re.compile(
    r"[\W_]|[是的在了于於为為有从從对對]|期间|期間|(?<=\d)[年月日号號]|\b(?:the|an?|is|are|was|were|of|in|on|at)\b"
)
"""What may be added to a question without saying anything."""
_CHOOSES = re.compile(r"[哪谁誰]|\b(?:who(?:se|m)?|which)\b")
_ANOTHER_NAME = re.compile(
    r"(?:[全简簡别別本原真又]名|[全简簡别別又][称稱]|英文名|缩写|縮寫)(?:[是叫为為]|什么|什麼|\W*$)"
    r"|\b(?:full name|stands? for|short for)\b"
)
"""What asks how else something is called, which the name in the question does not say."""
_MUCH, _ALL = 0.6, 0.9
"""How many of the words of a question, by weight, a claim must hold to repeat it: all of them where one of several
things that the question names may be what is asked for."""
_BARE = 0.2
"""How much of a question the evidence for a bare name must hold: below it is none of 290 right answers of one name."""
_SPECIFIC = 2
"""From how many words of weight on a question says enough for its evidence to have to speak of it: who is asked for in
few words (老板是谁) may stand under other ones."""


def repeats(question: str, parts: Sequence[Part], said: str, quoted: str) -> bool:
    """Whether a claim says nothing but what a question says, in its order, and most of that.

    A piece of the question can be its answer, where it is one of the things that it names: 沼宫内 in 沼宫内车站初设时
    叫什么. Most of a question is none.

    Args:
        question: The question, folded like the rest.
        parts: What it asks.
        said: What the claim states.
        quoted: The evidence quoted for it. Words that ask nothing may have been put in to hear that they are true
            (迟到会扣工资？): a claim that only says them again is an answer where the evidence holds them.
    """
    if _ANOTHER_NAME.search(question) and _EMPTY.sub("", said) in _EMPTY.sub("", question):
        return True
    least = _ALL if _CHOOSES.search(question) else _MUCH
    if max((part.coverage(said) for part in parts), default=0.0) < least:
        return False
    asks = any(part.kind is not None or ASKING.search(part.folded) for part in parts)
    if not asks and max(part.coverage(quoted) for part in parts) >= _MUCH:
        return False
    rest = iter(_EMPTY.sub("", question))
    return all(character in rest for character in _EMPTY.sub("", said))


def is_bare_name(question: str, said: str) -> bool:
    """Whether a claim adds names to a question, and nothing else."""
    added = [word for word in words(folded(said), raw=said, guess_names=True) if word.text not in question]
    return bool(added) and all(word.name for word in added)


def speaks_of_nothing(parts: Sequence[Part], read: str) -> bool:
    """Whether evidence, folded like the parts, holds next to nothing of what is asked."""
    for part in parts:
        matter = [term for term in part.words if term.matters and not term.text.isascii()]
        if len(matter) < _SPECIFIC or part.coverage(read) > _BARE:
            return False
    return True
