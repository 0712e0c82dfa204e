"""Text as data: folding for search, search tokens, sentences, and characters that must not open a line.

Everything here is about single texts and knows nothing of files, models or settings.
"""

import re
import unicodedata

CLOSING = frozenset("。！？；：，、…—～·）］｝】》〉」』〕”’！?!;:,.)]}%‰℃»›")
"""Marks that belong to what stands before them; no chunk begins with one."""

HAN = "\u2e80-\u2fdf\u3005\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Body of a regular-expression class for Han characters."""

_ABBREVIATIONS = "Mr Mrs Ms Dr Prof St Mt No Nos Fig Figs Eq Sec Ch Vol Art al cf vs approx etc"
_NO_ABBREVIATION = "".join(rf"(?<!\b{word}\.)" for word in _ABBREVIATIONS.split())
_NO_LIST_NUMBER = "".join(rf"(?<!(?m:^){digits}[.．])(?<![。！？]{digits}[.．])" for digits in (r"\d", r"\d\d"))
_SMALL_WORD = "|".join(rf"(?<=\b[a-z]{{{length}}}\.)" for length in range(2, 16))
_QUOTES = "”’」』）)】》〉］\\]\"'"
_NO_SPEECH_TAG = (
    # behind a quotation: “你去吗？”他问。 and "Really?" he asked.
    rf"(?!(?<=[”’」』\"'])(?:[{HAN}]{{0,7}}(?:(?<![小学传据听再虽是])说|(?<![疑学访顾请])问|(?<!解)答|喊|叫"
    r"|(?:[说问答喊叫写笑]|[他她它])道)[着了过]?[，。：！？；…]|[^\S\n][a-z]))"
)
_MARKS = "。！？｡!?…"
_BEHIND = rf"[{_QUOTES}]*+"
SENTENCE_MARK = re.compile(
    # Every mark that could end a sentence, which is found fast; then what tells whether it does, rare things first.
    r"[。！？｡…!?.．](?:"
    rf"(?<=[{_MARKS}])(?<![{_MARKS}][{_MARKS}])(?:"  # the first of a run of marks, so that a run is read once
    rf"(?:(?<=[。！？｡])|(?=[!?…]*+[。！？｡]))[{_MARKS}]*+{_BEHIND}{_NO_SPEECH_TAG}"
    rf"|(?:(?<=[!?])|(?=…*+[!?]))[{_MARKS}]*+{_BEHIND}(?=\s|$|[{HAN}]){_NO_SPEECH_TAG}"
    rf"|(?<=…)…++{_BEHIND}(?=\s|[{HAN}]){_NO_SPEECH_TAG}"  # an ellipsis between sentences
    r")"
    rf"|(?<=[.．])(?={_BEHIND}(?:\s|$))"
    rf"(?<![A-Z][.．])(?<!\b[a-z][.．])(?<!\be\.g\.)(?<!\bi\.e\.){_NO_ABBREVIATION}{_NO_LIST_NUMBER}"
    rf"{_BEHIND}(?!(?<=\.\.\.)[^\S\n][a-z]){_NO_SPEECH_TAG}"
    rf"|(?=[{HAN}])(?<=[^\s，,。.．、；;：:]{{4}}[{HAN}][.．])"  # a dot typed for 。 (年假为10天.病假另算)
    rf"|(?=[A-Z][a-z]*+\s)(?:{_SMALL_WORD})"  # a blank forgotten (30 days.Sick leave)
    r")"
)
"""Marks that end a sentence, closing quotes included; a match ends where the sentence does. Line ends do not count.

A mark inside a quotation ends nothing where a speech tag follows (“你去吗？”他问。): tag and quotation are one
sentence. A tag is up to eight Han characters ending in 说、问、答、喊、叫 or a verb with 道, and a mark; or, after a
blank, a small letter ("Really?" he asked).
"""

_LINE_END = re.compile(r"\n+")
_CONTENT = re.compile(r"[^\W_]")
_LATIN = "a-z0-9\u00df-\u00f6\u00f8-\u024f"
WORD = re.compile(
    rf"[{_LATIN}]+(?:[-_./:+@#&'][{_LATIN}]+)*(?:\+\+|#)?"  # identifiers, versions, words: BX-2024-0017, v2.3.1, c++
    rf"|[{HAN}]+"
    rf"|(?:(?![{_LATIN}{HAN}])[^\W_])+",  # other scripts
    re.IGNORECASE,
)
"""What keyword search looks at in a text of which the width has been folded: an identifier, or a run of one script."""
PART = re.compile(rf"(?:(?![0-9])[{_LATIN}])+|[0-9]+", re.IGNORECASE)
"""The parts of an identifier."""
HAN_RUN = re.compile(rf"[{HAN}]+")
_WIDE_MARKS = tuple(zip("，：；！？（）", ",:;!?()", strict=True))
_DASHES = re.compile("[\u2010-\u2015\u2212]")
_HIDDEN = re.compile("[\u00ad\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069]")


def has_content(text: str) -> bool:
    """Whether a text holds at least one letter, digit or Han character."""
    return _CONTENT.search(text) is not None


def fold(text: str) -> str:
    """Fold width, case and dashes, so that ＡＢＣ－１２３, ABC–123 and abc-123 are one; what has no width is dropped.

    The result is for comparing and searching only; it may be longer or shorter than the text.
    """
    return fold_width(without_hidden(text)).lower()


def fold_width(text: str) -> str:
    """Fold width and dashes alone, so that ＡＢＣ－１２３ and ABC–123 are ABC-123."""
    for wide, plain in _WIDE_MARKS:
        text = text.replace(wide, plain)  # most Chinese sentences have no others, and need no table of all characters
    return _DASHES.sub("-", unicodedata.normalize("NFKC", text))


def without_hidden(text: str) -> str:
    """Drop the characters that have no width, such as soft hyphens and marks of direction."""
    return _HIDDEN.sub("", text)


def tokens(text: str) -> list[str]:
    """Cut a text into words for comparing it with others; keyword search has its own, `youju.analyzer`.

    Texts are folded first. Of a Han run every dictionary word comes, overlapping ones too: a word is found wherever it
    stands, whatever its neighbours (退货运费 holds 退货, 货运 and 运费). Characters that belong to no word come alone.
    Identifiers such as `BX-2024-0017` come whole and in parts. Marks and blanks are no words.
    """
    from youju.analyzer_words import full_words, segmenter  # noqa: PLC0415 - only here

    found: list[str] = []
    for match in WORD.finditer(fold(text)):
        word = match.group()
        if HAN_RUN.match(word):
            found.extend(full_words(segmenter(), word))
            continue
        found.append(word)
        parts = PART.findall(word)
        if len(parts) > 1:
            found.extend(parts)
    return found


def sentences(text: str) -> list[tuple[int, int]]:
    """Find the sentences of a text.

    A sentence ends after 。！？ or their ASCII forms with the closing quotes that follow, or at a line end. Dots
    inside numbers, versions, addresses and links, after list numbers and after usual abbreviations do not end one, nor
    does a quotation that a speech tag follows.

    Returns:
        Spans `(start, end)` in order, without surrounding blanks; spans without a letter, digit or Han character are
        joined to the sentence before them.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    ends = {match.end() for pattern in (SENTENCE_MARK, _LINE_END) for match in pattern.finditer(text)}
    for end in sorted(ends | {len(text)}):
        raw = text[start:end]
        solid = raw.strip()
        if solid:
            left = start + len(raw) - len(raw.lstrip())
            right = left + len(solid)
            if has_content(solid):
                spans.append((left, right))
            elif spans and "\n" not in text[spans[-1][1] : left]:
                spans[-1] = (spans[-1][0], right)
        start = end
    return spans
