"""What a text holds: a gold answer, the values of a reference, a sentence, or nothing but a refusal."""

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import pairwise

from youju.analyzer_numbers import number_spans, without_group_marks
from youju.chains.claims import split_answer, without_marks
from youju.chains.silence import is_silent
from youju.text import fold_width, sentences, tokens, without_hidden

_DATE = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_LEADING_ZERO = re.compile(r"(?<![\d.])0+(?=\d+[年月日时點点分])")
_DECIMAL = re.compile(r"(?<![a-z\d.])\d+\.\d+(?![\d.])")
_BETWEEN_NUMBERS = re.compile(r"(?<=\d)(?:[^\w%‰.]|\.(?!\d))+(?=\d)")
_NOT_COMPARED = re.compile(r"(?<!\d)[^\w%‰]|[^\w%‰. ]|\.(?!\d)| (?!\d)|_")
_VALUE = re.compile(r"(?<![a-z\d.])\d+(?:\.\d+)?[%‰‱]?")
_NUMBER_AND_UNIT = re.compile(r"(\d+(?:\.\d+)?)([^\d%‰]{0,4})")
_ANOTHER_UNIT = "[.]?[0-9]|[年月日号时時点點分秒%‰]"
_CONTENT_WORD = re.compile(r"[^\W\d_]{2,}|.*[a-z]\d|.*\d[a-z]")
_ENOUGH_VALUES = 2 / 3
_ENOUGH_WORDS = 1 / 2
_SAME_SENTENCE = 0.8

_NOTHING_SAID = re.compile(
    r"(?:没有?|未|无|并未|沒有?)(?:曾|能)?(?:明确|具体|直接|任何|相关|足够)*的?(?:提及|提到|说明|提供|找到|给出|涉及|包含|写明|记载|指出|信息|内容|資訊)"
    r"|(?:无法|不能|难以|不足以)(?:从.{0,10}|根据.{0,10}|直接|明确|准确)?(?:确定|回答|作答|判断|得知|得出|提供|找到|给出|比较)"
    r"|不(?:知道|清楚|确定)|not (?:mentioned|provided|specified|found)|cannot (?:answer|determine|be determined)"
)
_CLAUSE = re.compile(r"[，,。；;：:！!？?\n]")
_GOES_ON = re.compile(r"\s*(?:因此|所以|故|请|建议|如需|也|且|或|抱歉|对不起|需要|如果)")


@lru_cache(maxsize=4096)
def comparable(text: str, *, by_value: bool = True) -> str:
    """A text for comparing: width, case and script folded, without punctuation and blanks, its numbers by value.

    Points inside numbers and percent signs stay. 一百二十万, 120万 and 1,200,000 are 1200000, 2024-03-05 and
    ２０２４年０３月０５日 are 2024年3月5日.

    Args:
        text: Any text without citation marks.
        by_value: Whether numbers are written as plain digits.
    """
    return _NOT_COMPARED.sub("", _BETWEEN_NUMBERS.sub(" ", _folded(text, by_value=by_value)))


def holds_part(text: str, alternatives: Iterable[str]) -> bool:
    """Whether a text says one of these: compared by `comparable`, and no number as a part of a longer one.

    Where the alternative is a number with a short unit (12人), the number is enough, unless another unit of time or a
    percent sign follows (12名 says it, 12月 does not).
    """
    return any(
        _occurs(comparable(one, by_value=by_value), comparable(text, by_value=by_value))
        for one in alternatives
        for by_value in (True, False)
    )


def holds_reference(text: str, reference: str, question: str) -> bool:
    """Whether a text says what a free reference answer says, as far as that can be told without reading it.

    Of what the reference has and the question has not: at least two thirds of the values (numbers, by value) and at
    least half of the words of two characters or more. Clauses of the reference that say what is not written are left
    out. A reference that adds neither values nor words must occur as a whole.
    """
    said = comparable(text)
    known = "，".join(clause for clause in _CLAUSE.split(reference) if not _NOTHING_SAID.search(clause))
    values = _values(comparable(known)) - _values(comparable(question))
    words = _words(known) - _words(question)
    if not values and not words:
        return comparable(reference) in said
    return _share(values, _values(said)) >= _ENOUGH_VALUES and _share(words, _words(text)) >= _ENOUGH_WORDS


def holds_sentence(text: str, sentence: str) -> bool:
    """Whether a text holds a sentence, or one that has four fifths of its pairs of characters."""
    wanted = comparable(sentence)
    if wanted in comparable(text):
        return True
    pairs = _pairs(wanted)
    return bool(pairs) and any(
        _share(pairs, _pairs(comparable(text[start:end]))) >= _SAME_SENTENCE for start, end in sentences(text)
    )


def values_in(text: str) -> frozenset[str]:
    """The numbers of a text, by value, as plain digits, with their percent sign."""
    return _values(comparable(without_marks(text)))


def stated(answer: str, question: str) -> tuple[list[str], bool]:
    """The sentences of an answer with canonical marks that state something, and whether any other refuses.

    Headings and lead-ins state nothing.
    """
    pieces = [piece.text for piece in split_answer(answer) if not piece.lead_in]
    stating = [piece for piece in pieces if not refuses(piece, question)]
    return stating, len(stating) < len(pieces)


def refuses(sentence: str, question: str) -> bool:
    """Whether a sentence says that the evidence does not say, in whatever words, and states nothing beside it.

    Beside those that the answer chain itself takes for silence, sentences with a clause such as 没有提到, 未给出 or
    无法确定 in which no clause before it has a number that the question lacks, and no clause behind it says more than
    what follows from the silence (因此…, 请咨询…). This is meant to be generous.
    """
    bare = without_marks(sentence)
    if is_silent(bare):
        return True
    clauses = [clause for clause in _CLAUSE.split(bare) if comparable(clause)]
    silent = [bool(_NOTHING_SAID.search(clause.lower())) for clause in clauses]
    if not any(silent):
        return False
    first = silent.index(True)
    before, behind = clauses[:first], list(zip(clauses, silent, strict=True))[first + 1 :]
    asked = values_in(question)
    return all(values_in(clause) <= asked for clause in before) and all(
        said_nothing or _GOES_ON.match(clause) for clause, said_nothing in behind
    )


def _occurs(part: str, text: str) -> bool:
    if not part:
        return False
    before, behind = "(?<![0-9.])" if part[0].isdigit() else "", "(?![.]?[0-9])" if part[-1].isdigit() else ""
    if re.search(before + re.escape(part) + behind, text):
        return True
    number = _NUMBER_AND_UNIT.fullmatch(part)
    return number is not None and bool(
        re.search(rf"(?<![0-9.a-z]){re.escape(number[1])}(?!{_ANOTHER_UNIT}|[a-z])", text)
    )


def _in_digits(text: str) -> str:
    """A folded text whose numbers are written as plain digits."""
    written = []
    done = 0
    for start, end, value in sorted(number_spans(text), key=lambda span: (span[0], -span[1])):
        if start >= done:
            written += [text[done:start], value]
            done = end
    return "".join([*written, text[done:]])


def _folded(text: str, *, by_value: bool) -> str:
    folded = without_group_marks(fold_width(_simplified()(without_hidden(text))).lower())
    if not by_value:
        return folded
    folded = _LEADING_ZERO.sub("", _in_digits(_DATE.sub(r"\1年\2月\3日", folded)))
    return _DECIMAL.sub(lambda match: match.group().rstrip("0").rstrip("."), folded)


@cache
def _simplified() -> Callable[[str], str]:
    from opencc import OpenCC  # noqa: PLC0415 - its dictionary is loaded where texts are compared

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


def _values(compared: str) -> frozenset[str]:
    return frozenset(_VALUE.findall(compared))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in tokens(_folded(text, by_value=True)) if _CONTENT_WORD.match(word))


def _pairs(text: str) -> frozenset[str]:
    return frozenset(map("".join, pairwise(text)))


def _share(wanted: frozenset[str], found: frozenset[str]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 1.0
