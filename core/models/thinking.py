"""What a reasoning model thinks aloud, kept out of what it says.

Such a block stands between two tags, `<think>…</think>` and the like. Servers whose chat template writes the opening
tag send only the closing one; a reply that ran out of room has only the opening one. Thoughts that a provider sends
beside the text (`reasoning_content`, content blocks) are no text for LangChain and need nothing done.
"""

import re

from youju.settings import Thinking

_NAMES = ("think", "thinking", "thought", "thoughts", "reasoning", "seed:think")
_TAGS = [form.format(name) for name in _NAMES for form in ("<{}>", "</{}>")]
_TAGS += ["[think]", "[/think]", "◁think▷", "◁/think▷"]  # of Magistral and Kimi
_TAG = re.compile("|".join(map(re.escape, _TAGS)), re.IGNORECASE)
_LONGEST = max(map(len, _TAGS))
_FIRST = frozenset(tag[0] for tag in _TAGS)


def without_thinking(text: str, thinking: Thinking = "remove") -> str:
    """A model's reply without its thoughts.

    A block goes with its tags and, at the beginning, with the blanks around it. Where an opening tag is missing, all
    before the closing one goes; where a closing tag is missing, all behind the opening one. A text without tags comes
    back as it is.

    Args:
        text: The whole reply.
        thinking: As in the settings; `keep` leaves the text as it is.

    Example:
        >>> without_thinking("<think>也许是[资料9]</think>年假为10天[资料1]。")
        '年假为10天[资料1]。'
    """
    reply = ThinkingFilter(thinking)
    return reply.feed(text) + reply.rest()


class ThinkingFilter:
    """`without_thinking` for a reply that comes in pieces: no part of a block is given out, wherever its tags are cut.

    That a reply begins inside its thoughts, without an opening tag, is seen at the closing tag only. With `opened`
    nothing is given out before that one (or the end); else text may have left that turns out to be a thought, which
    `late` tells. Unless it is set, the pieces make up what `without_thinking` returns.

    Attributes:
        late: Whether thoughts have been given out, because their opening tag was missing.
    """

    def __init__(self, thinking: Thinking = "remove") -> None:
        self.late = False
        self._keep = thinking == "keep"
        self._opened = thinking == "opened"  # until the first tag
        self._tail = ""  # the end of the last piece that may be the beginning of a tag
        self._ready = ""  # what can be given out
        self._held = ""  # text that a closing tag would make a thought
        self._inside = False
        self._depth = 0  # opening tags without a closing one
        self._given = False  # whether anything but blanks has been given out
        self._trim = False  # whether blanks at the beginning belong to a block

    def feed(self, piece: str) -> str:
        """Take the next piece; return what can be shown now."""
        if self._keep:
            return piece
        text = self._tail + piece
        end = _end_without_tag(text)
        at = 0
        for tag in _TAG.finditer(text, 0, end):
            self._text(text[at : tag.start()])
            self._tag(closing=tag.group()[1] == "/")
            at = tag.end()
        self._text(text[at:end])
        self._tail = text[end:]
        return self._take()

    def rest(self) -> str:
        """What was held back, once the reply has ended."""
        self._text(self._tail)
        self._tail = ""
        self._ready += self._held
        self._held = ""
        return self._take(last=True)

    def _text(self, text: str) -> None:
        if self._inside:
            return
        # Behind a block in which a second opening tag stood it cannot be known whether that was a block within it,
        # which is closed once more, or only spoken of.
        if self._opened or self._depth:
            self._held += text
        else:
            self._ready += text

    def _tag(self, *, closing: bool) -> None:
        if not closing:
            if self._opened:
                self._ready, self._held = self._held, ""
            self._depth += 1
        elif not self._inside:
            self._held = ""
            if not self._depth:
                self._ready = ""
                self.late = self._given
        if closing:
            self._depth = max(self._depth - 1, 0)
        self._inside, self._opened = not closing, False
        if not self._given and not self._ready.strip():
            self._ready, self._trim = "", True

    def _take(self, *, last: bool = False) -> str:
        """What is ready; blanks before anything else wait for it."""
        ready = self._ready.lstrip() if self._trim and not self._given else self._ready
        if not (self._given or last or ready.strip()):
            return ""
        self._given = self._given or bool(ready.strip())
        self._ready = ""
        return ready


def _end_without_tag(text: str) -> int:
    """Where the beginning of a tag stands at the end of a text; its length if there is none."""
    for start in range(max(len(text) - _LONGEST + 1, 0), len(text)):
        rest = text[start:].lower()
        if rest[0] in _FIRST and any(tag.startswith(rest) and tag != rest for tag in _TAGS):
            return start
    return len(text)
