"""A text that remembers where each of its characters came from."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

PUT_IN = -1
"""The origin of a character that was not in the original text."""


@dataclass(frozen=True, slots=True)
class Traced:
    """A text and, for each character, its index in the text it was made from.

    Example:
        >>> Traced.of("年 假").sub(re.compile(" "), lambda _: "")
        Traced(text='年假', origins=[0, 2])
    """

    text: str
    origins: Sequence[int]

    @classmethod
    def of(cls, text: str) -> Self:
        """A text that is its own original."""
        return cls(text, range(len(text)))

    @classmethod
    def put_in(cls, text: str) -> Self:
        """A text that was not in the original."""
        return cls(text, [PUT_IN] * len(text))

    @classmethod
    def concat(cls, parts: Iterable["Traced"]) -> Self:
        """Texts one after the other."""
        parts = list(parts)
        return cls("".join(part.text for part in parts), [origin for part in parts for origin in part.origins])

    @classmethod
    def join(cls, between: str, parts: Iterable["Traced"]) -> Self:
        """Texts one after the other, with a text between them."""
        out: list[Traced] = []
        for part in parts:
            out += [cls.put_in(between), part] if out else [part]
        return cls.concat(out)

    def __getitem__(self, span: slice) -> Self:
        """A part of it."""
        return type(self)(self.text[span], self.origins[span])

    def sub(self, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]) -> Self:
        """Replace every match; what replaces it comes from where the match began."""
        text, origins, end = [], [], 0
        for found in pattern.finditer(self.text):
            new = replacement(found)
            text += [self.text[end : found.start()], new]
            origins += [*self.origins[end : found.start()], *[self.origins[found.start()]] * len(new)]
            end = found.end()
        if not end:
            return self
        return type(self)("".join([*text, self.text[end:]]), [*origins, *self.origins[end:]])

    def split(self, at: str) -> list[Self]:
        """The parts between the places where a character stands."""
        parts, start = [], 0
        for part in self.text.split(at):
            parts.append(self[start : start + len(part)])
            start += len(part) + len(at)
        return parts

    def strip(self) -> Self:
        """Leave blanks at both ends out."""
        start = len(self.text) - len(self.text.lstrip())
        return self[start : max(start, len(self.text.rstrip()))]
