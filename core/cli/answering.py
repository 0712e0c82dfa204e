"""An answer for people: its text, the quotes that carry it, and why something is not answered."""

import re
from typing import TYPE_CHECKING

from youju.chains.phrases import BUILT_IN
from youju.chains.silence import is_rule_row
from youju.cli.output import say, say_quote, short
from youju.prompts import language

if TYPE_CHECKING:
    from youju.chains import CitedAnswer

_CONTEXT = 30
"""Characters shown on each side of a quote, at most."""
_HEADING = re.compile(r"\s*#{1,6}\s")
_BREAK = re.compile(r"[\s，。；：、！？,.;:!?|）)]")
"""Where context may begin and end: not inside a word."""
_SAID = {
    "zh": {
        "rejected": "模型的回答没有通过引用检查，不能作为答案。",
        "found": "检索到的资料：",
        "carried": "依据：",
        "page": "（引文在第 {pages} 页）",
        "comma": "、",
        "between": "；",
        "aside": "（{text}）",
        "step": "（{name}：{reason}）",
        "nearest": "最接近的资料（全部可以用 youju retrieve 看）：",
        "score": "得分",
    },
    "en": {
        "rejected": "The model's answer did not pass the citation checks and is not shown.",
        "found": "What was found:",
        "carried": "Evidence:",
        "page": " (quoted from page {pages})",
        "comma": ", ",
        "between": "; ",
        "aside": "({text})",
        "step": "({name}: {reason})",
        "nearest": "What came nearest (`youju retrieve` shows all):",
        "score": "score",
    },
}


def say_answer(answer: "CitedAnswer") -> None:
    """Print an answer, and on stderr what is missing of it, in the language of the question."""
    said = _SAID[language(answer.question)]
    if answer.status == "rejected":
        say(said["rejected"])
        say(answer.reason or "", err=True)
        say(f"\n{said['found']}")
        for block in answer.evidence:
            say(f"[资料{block.n}] {block.location}\n    {short(block.text)}")
        _say_unread(answer, said)
        return
    say(answer.answer)
    _say_why(answer, said)
    if answer.citations:
        say(f"\n{said['carried']}")
        _say_citations(answer, said)


def _say_citations(answer: "CitedAnswer", said: dict[str, str]) -> None:
    """Print each block that is cited, with all that carries the answer there."""
    blocks = {block.n: block for block in answer.evidence}
    for citation in answer.citations:
        carrying = [one for claim in answer.claims if not claim.removed for one in claim.quotes if one.n == citation.n]
        pages = sorted({one.page for one in carrying if one.page is not None})
        listed = said["comma"].join(map(str, pages)) or str(citation.page)
        page = said["page"].format(pages=listed) if blocks[citation.n].pages else ""
        say(f"[资料{citation.n}] {citation.location}{page}")
        text = blocks[citation.n].text
        spans = _apart([(one.start, one.end) for one in carrying])
        if not spans:
            spans = [(citation.start or 0, citation.end or len(citation.quote))]
        edges = [0, *(edge for span in spans for edge in span), len(text)]
        for place, (start, end) in enumerate(spans):
            before = _plain(text[edges[2 * place] : start])
            after = _plain(text[end : edges[2 * place + 3]])
            quote = _plain(text[start:end]) or text[start:end]
            say_quote(_cut(before, at_end=False), quote, _cut(after, at_end=True))


def _apart(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Places in their order; those that overlap as one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _plain(text: str) -> str:
    """A text on one line, without headings, which the location names, and without rules of tables."""
    lines = (line for line in text.splitlines() if not _HEADING.match(line) and not is_rule_row(line))
    return " ".join(" ".join(lines).split())


def _cut(text: str, *, at_end: bool) -> str:
    """What stands next to a quote, not longer than may be shown, and no part of a word."""
    if len(text) <= _CONTEXT:
        return text
    if at_end:
        breaks = [match.end() for match in _BREAK.finditer(text, 0, _CONTEXT)]
        return f"{text[: breaks[-1]].rstrip()}…" if breaks else "…"
    found = _BREAK.search(text, len(text) - _CONTEXT)
    return f"…{text[found.end() :].lstrip()}" if found else "…"


def _say_why(answer: "CitedAnswer", said: dict[str, str]) -> None:
    """Say on stderr why something is not answered, or what was taken out."""
    parts = (answer.reason or "").split(said["between"])
    unsaid = said["between"].join(part for part in parts if part not in answer.answer)
    if unsaid:
        say(said["aside"].format(text=unsaid), err=True)
    _say_unread(answer, said)
    if answer.refusal is None:
        return
    if answer.citations:
        last = answer.refusal.steps[-1]
        if answer.model == BUILT_IN and last.name == "model":  # what it does not recognise may be there
            say(said["aside"].format(text=last.reason), err=True)
        return
    told = f"{answer.reason or ''}{answer.refusal.unread.note if answer.refusal.unread else ''}"
    for step in answer.refusal.steps:
        if step.lost and step.reason not in told:
            say(said["step"].format(name=step.name, reason=step.reason), err=True)
    if answer.refusal.nearest:
        say(said["nearest"], err=True)
    for passage in answer.refusal.nearest:
        score = "" if passage.score is None else f"  {said['score']} {passage.score:.4f}"
        say(f"  {passage.location}{score}\n    {short(passage.text)}", err=True)


def _say_unread(answer: "CitedAnswer", said: dict[str, str]) -> None:
    """Say on stderr which files never came into the base, where that may be why something is not answered."""
    if answer.refusal is not None and answer.refusal.unread is not None:
        say(said["aside"].format(text=answer.refusal.unread.note), err=True)
