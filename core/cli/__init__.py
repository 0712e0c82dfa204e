"""The `youju` command."""

import sys
import warnings
from io import TextIOWrapper
from typing import Any, NoReturn

__all__ = ["main"]

_INTERRUPTED = 130


def main() -> None:
    """Run the command, with errors as one message and no traceback."""
    import typer  # noqa: PLC0415 - importing this room costs nothing until it is run

    from youju.cli.app import app  # noqa: PLC0415 - as above
    from youju.errors import YoujuError  # noqa: PLC0415 - as above

    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of the libraries; whoever wants them runs python -W
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = app(prog_name="youju", standalone_mode=False)
    except YoujuError as error:
        _end(f"错误：{error}", 1)
    except OSError as error:
        _end(f"错误：{error.strerror or error}{f'：{error.filename}' if error.filename else ''}", 1)
    except (KeyboardInterrupt, typer.Abort):
        status = _INTERRUPTED
    # every usage error: typer does not export the class they share; mypy does not see that bases of an error are errors
    except typer.BadParameter.__bases__ as error:  # type: ignore[misc]
        _end(_usage(error), 2)
    if status == _INTERRUPTED:  # typer makes this of an interrupt
        _end("错误：已中断；已经完成的部分都保存好了", _INTERRUPTED)
    sys.exit(status)


def _usage(error: Any) -> str:
    """What is wrong with the words typed, and how to find the right ones; no words, no mistake: help was printed."""
    said: str = error.format_message()
    if not said or error.ctx is None:
        return said
    return f"{error.ctx.get_usage()}\n用法见 {error.ctx.command_path} --help\n错误：{said}"


def _end(message: str, status: int) -> NoReturn:
    from youju.cli.output import say  # noqa: PLC0415 - as above
    from youju.models.keys import hide_secrets  # noqa: PLC0415 - as above

    if message:
        say(hide_secrets(message), err=True)
    sys.exit(status)
