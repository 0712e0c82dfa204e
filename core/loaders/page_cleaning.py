"""Text of a PDF page as it was written, without the line breaks and blanks that printing put in.

A PDF stores where characters stand, not words and paragraphs. What an engine reads back has a line break at every
printed line end, also inside a word, and a blank between characters that were spaced out.
"""

import re
import unicodedata
from collections.abc import Sequence

from youju.loaders.page_tracing import Traced
from youju.text import HAN

CELL_GAP = "  "
"""What parts the cells of a table's row; no other two blanks stand side by side in a cleaned page."""

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
_WIDE_BLANK = re.compile("  ")
_TAB = re.compile("\t")
_SOFT_HYPHEN = re.compile("\xad")
_SINGLE_BLANK = re.compile(rf"(?<={_WIDE}) (?={_WIDE})")

_ENDS = tuple("。！？；：.!?;:…")
_CLOSERS = "”’」』﹂﹄》〉）)]\"'"
_BEGINS = re.compile(
    r"第\s*[一二三四五六七八九十百千零〇两\d]+\s*(?:[章节節编編篇]|[条條款项項](?=[\s:：]|$))"
    r"|[（(]\s*(?:[一二三四五六七八九十百]+|\d{1,2}|[a-zA-Z])\s*[)）]"
    r"|[一二三四五六七八九十百]{1,3}\s*[、．.]"
    r"|(?:\d{1,2}|[a-zA-Z])[、．.)）](?!\d)"
    r"|\d{1,2}(?:\.\d{1,2})+\s"
    r"|\[\d{1,3}\]"
    r"|[①-⑳⑴-⒇]"
    r"|[•·●○■□◆◇▪▶►※√★☆\uf020-\uf0ff]"
    r"|[-–—*]\s"
    r"|附[件录錄]"
)
_LEADERS = re.compile(r"(?:\.\s?){4,}|(?:…\s?){2,}|(?:·\s?){4,}")
_ROW = re.compile(r"(?:\s[-+(（]?[\d,.]+[%)）]*){2,}$")
_WORD_CUT = re.compile(r"[a-z]-$")
_LINK_CUT = re.compile(
    r"(?:https?://|www\.)[!-~]*"
    r"(?:[-_=&%#~]\n[A-Za-z0-9]|[.?:]\n[a-z0-9]|/\n[A-Za-z0-9]+[^ A-Za-z0-9])"  # not: see http://a.example/ for more
)
_LONGEST_LINK = 200


def clean_page(text: str) -> str:
    r"""Undo what printing did to a page's text.

    Line breaks inside running text are joined: between Chinese characters without a blank, between English words with
    one, and a word hyphenated at the line end becomes whole; so does a link. Headings, list items, rows of tables and
    last lines of paragraphs keep their line break, and so does a full line that ends with a sentence. A tab, the gap
    between the cells of a row, becomes two blanks. Characters that only a font told apart, such as the radical ⽠ for
    瓜, become the usual ones.

    Args:
        text: A page's text, one printed line a line.

    Returns:
        The text with `\n` as the only line end, no control characters, and at most one blank line in a row.
    """
    return clean_with_origins(text).text


def clean_with_origins(text: str, widths: Sequence[float] | None = None) -> Traced:
    """Do what `clean_page` does, and tell of each character where it was in the text before.

    Args:
        text: A page's text, one printed line a line.
        widths: How wide a full line is in the column that each line stands in; None measures the page as a whole.
    """
    page = Traced.of(text).sub(_COMPATIBILITY, lambda found: unicodedata.normalize("NFKC", found.group()))
    page = page.sub(_LINE_END, lambda _: "\n").sub(_SOFT_HYPHEN, lambda _: "-")
    raw = page.split("\n")
    indented = [line.text.startswith(("\u3000", "  ")) for line in raw]
    lines = [_clean_line(line) for line in raw]
    widths = widths or [usual_width([line.text for line in lines])] * len(lines)
    joined: list[list[Traced]] = []
    before, usual = "", 0.0
    for line, is_indented, width in zip(lines, indented, widths, strict=True):
        if before and line.text and not is_indented and runs_on(before, line.text, usual):
            joined[-1] = join(joined[-1], line)
        elif line.text or (joined and joined[-1][0].text):
            joined.append([line])
        before, usual = line.text, width
    paragraphs = [Traced.concat(parts) for parts in joined]
    return Traced.join("\n", paragraphs).strip()


def _clean_line(line: Traced) -> Traced:
    line = line.sub(_DROPPED, lambda _: "").sub(_BLANKS, _narrower).strip()
    spaced = len(_SPACED_PAIR.findall(line.text))
    if spaced > 1 and spaced > len(_CLOSE_PAIR.findall(line.text)):
        line = line.sub(_SINGLE_BLANK, lambda _: "")
    return line.sub(_WIDE_BLANK, lambda _: " ").sub(_TAB, lambda _: CELL_GAP)


def _narrower(blanks: re.Match[str]) -> str:
    """Leave a wide gap wider than a single blank, so that letter-spaced words stay apart while they are joined."""
    if "\t" in blanks.group():
        return "\t"
    return " " if len(blanks.group()) == 1 else "  "


def usual_width(lines: list[str]) -> float:
    """The width of a full line, a few wider ones left aside."""
    widths = sorted((_width(line) for line in lines if line), reverse=True)
    return widths[len(widths) // _OUTLIERS] if widths else 0


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WFA" else 1 for character in line)


def begins_anew(line: str) -> bool:
    """Whether a line begins as a heading or a list item does."""
    return bool(_BEGINS.match(line))


def runs_on(line: str, following: str, usual: float) -> bool:
    """Whether a printed line was only cut by the margin."""
    if _width(line) < max(_LEAST_WIDTH, _USUAL_WIDTH_SHARE * usual):
        return False
    return _cuts_link(line, following) or (
        not line.rstrip(_CLOSERS).endswith(_ENDS)
        and not _BEGINS.match(following)
        and not _LEADERS.search(line)
        and not _ROW.search(line)
        and CELL_GAP not in line
        and CELL_GAP not in following
    )


def join(parts: list[Traced], following: Traced) -> list[Traced]:
    """Join a line to the parts of a paragraph before it."""
    line = parts[-1].text
    if _cuts_link(line, following.text):
        return [*parts, following]
    if _WORD_CUT.search(line) and following.text[0].islower() and following.text[0].isascii():
        return [*parts[:-1], parts[-1][:-1], following]
    if line.endswith("-") or not (line[-1].isascii() and following.text[0].isascii()):
        return [*parts, following]
    return [*parts, Traced.put_in(" "), following]


def _cuts_link(line: str, following: str) -> bool:
    """Whether a line ends inside a link, whose hyphens and dots are its own."""
    if following[:1].isdigit() and _BEGINS.match(following):
        return False
    return bool(_LINK_CUT.search(f"{line[-_LONGEST_LINK:]}\n{following[:_LONGEST_LINK]}"))
