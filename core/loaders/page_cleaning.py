"""Text of a PDF page as it was written, without the line breaks and blanks that printing put in.

A PDF stores where characters stand, not words and paragraphs. What an engine reads back has a line break at every
printed line end, also inside a word, and a blank between characters that were spaced out.
"""

import re
import unicodedata

from youju.text import HAN

_USUAL_WIDTH_SHARE = 0.7
_LEAST_WIDTH = 20  # ten Chinese characters: narrower lines are titles and table cells, not paragraphs
_OUTLIERS = 10  # one line in ten may be wider than the usual line: a running header, a row of a table

_DROPPED = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u200b\u2060\ufeff\ufffe\uffff]")
_LINE_END = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_COMPATIBILITY = re.compile("[\u2e9f\u2ef3\u2f00-\u2fd5\uf900-\ufaff]")
_BLANKS = re.compile("[ \t\u00a0\u2000-\u200a\u202f\u205f]+")
_WIDE = rf"[{HAN}\u2026\u3000-\u303f\uff01-\uff60\uffe0-\uffe6\u2014\u2018\u2019\u201c\u201d]"
_SPACED_PAIR = re.compile(rf"[{HAN}] (?=[{HAN}])")
_CLOSE_PAIR = re.compile(rf"[{HAN}](?=[{HAN}])")
_SINGLE_BLANK = re.compile(rf"(?<={_WIDE}) (?={_WIDE})")

_ENDS = tuple("。！？；：.!?;:…")
_CLOSERS = "”’」』》〉）)]\"'"
_BEGINS = re.compile(
    r"第\s*[一二三四五六七八九十百千零〇两\d]+\s*(?:[章节節编編篇]|[条條款项項](?=[\s:：]|$))"
    r"|[（(]\s*(?:[一二三四五六七八九十百]+|\d{1,2}|[a-zA-Z])\s*[)）]"
    r"|[一二三四五六七八九十百]{1,3}\s*[、．.]"
    r"|(?:\d{1,2}|[a-zA-Z])[、．.)）](?!\d)"
    r"|\d{1,2}(?:\.\d{1,2})+\s"
    r"|[①-⑳⑴-⒇]"
    r"|[•·●○■□◆◇▪▶►※√★☆\uf020-\uf0ff]"
    r"|[-–—*]\s"
    r"|附[件录錄]"
)
_LEADERS = re.compile(r"(?:\.\s?){4,}|(?:…\s?){2,}|(?:·\s?){4,}")
_ROW = re.compile(r"(?:\s[-+(（]?[\d,.]+[%)）]*){2,}$")
_WORD_CUT = re.compile(r"[a-z]-$")


def clean_page(text: str) -> str:
    r"""Undo what printing did to a page's text.

    Line breaks inside running text are joined: between Chinese characters without a blank, between English words with
    one, and a word hyphenated at the line end becomes whole. Headings, list items, rows of figures and last lines of
    paragraphs keep their line break, and so does a full line that ends with a sentence. Characters that only a
    font told apart, such as the radical ⽠ for 瓜, become the usual ones.

    Args:
        text: A page's text, one printed line a line.

    Returns:
        The text with `\n` as the only line end, no control characters, and at most one blank line in a row.
    """
    text = _COMPATIBILITY.sub(lambda found: unicodedata.normalize("NFKC", found.group()), text)
    lines = _LINE_END.sub("\n", text).replace("\xad", "-").split("\n")
    indented = [line.startswith(("\u3000", "  ")) for line in lines]
    lines = [_clean_line(line) for line in lines]
    usual = _usual_width(lines)
    joined: list[str] = []
    before = ""
    for line, is_indented in zip(lines, indented, strict=True):
        if before and line and not is_indented and _runs_on(before, line, usual):
            joined[-1] = _join(joined[-1], line)
        elif line or (joined and joined[-1]):
            joined.append(line)
        before = line
    return "\n".join(joined).strip()


def _clean_line(line: str) -> str:
    line = _BLANKS.sub(_narrower, _DROPPED.sub("", line)).strip()
    spaced = len(_SPACED_PAIR.findall(line))
    if spaced > 1 and spaced > len(_CLOSE_PAIR.findall(line)):
        line = _SINGLE_BLANK.sub("", line)
    return line.replace("  ", " ")


def _narrower(blanks: re.Match[str]) -> str:
    """Leave a wide gap wider than a single blank, so that letter-spaced words stay apart while they are joined."""
    return " " if len(blanks.group()) == 1 else "  "


def _usual_width(lines: list[str]) -> float:
    widths = sorted((_width(line) for line in lines if line), reverse=True)
    return widths[len(widths) // _OUTLIERS] if widths else 0


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WFA" else 1 for character in line)


def _runs_on(line: str, following: str, usual: float) -> bool:
    """Whether a printed line was only cut by the margin."""
    return (
        _width(line) >= max(_LEAST_WIDTH, _USUAL_WIDTH_SHARE * usual)
        and not line.rstrip(_CLOSERS).endswith(_ENDS)
        and not _BEGINS.match(following)
        and not _LEADERS.search(line)
        and not _ROW.search(line)
    )


def _join(line: str, following: str) -> str:
    if _WORD_CUT.search(line) and following[0].islower() and following[0].isascii():
        return line[:-1] + following
    if line.endswith("-") or not (line[-1].isascii() and following[0].isascii()):
        return line + following
    return f"{line} {following}"
