"""What the command prints: texts that cannot steer the terminal, and JSON."""

import re
from io import StringIO
from typing import Any

import typer

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_WIDTH = 120
_PREVIEW = 80
_RAW_IN_JSON = re.compile(r"[\x7f-\x9f]")


def say(text: str, *, err: bool = False) -> None:
    """Print a text for people; control characters of documents and file names are spelled out."""
    typer.echo(visible(text), err=err)


def say_quote(before: str, quote: str, after: str) -> None:
    """Print a quote in its context on one line; on a terminal the quote stands out."""
    one_line = (visible(" ".join(part.split())) for part in (before, quote, after))
    context, words, rest = one_line
    typer.echo(f"    {typer.style(context, dim=True)}“{typer.style(words, bold=True)}”{typer.style(rest, dim=True)}")


def say_json(text: str) -> None:
    r"""Print a JSON value; the control characters that JSON may leave as they are become `\u` escapes too."""
    typer.echo(_RAW_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def say_drawn(drawn: Any) -> None:
    """Print a table or tree of rich, whose texts have gone through `visible`, without colours."""
    from rich.console import Console  # noqa: PLC0415 - not needed for JSON

    out = StringIO()
    Console(file=out, width=_WIDTH, markup=False, color_system=None).print(drawn)
    say("\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n"))


def short(text: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _PREVIEW else f"{line[:_PREVIEW]}…"


def visible(text: str) -> str:
    r"""Spell out control characters except line ends and tabs: an escape becomes `\x1b`."""
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
