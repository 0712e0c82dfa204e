"""The `youju` command."""

import re
import sys
import warnings
from io import TextIOWrapper
from typing import Any, NoReturn

__all__ = ["main"]

_INTERRUPTED = 130
_IN_CHINESE = (
    (r"No such command (.*?)\.(?: Did you mean (.*)\?)?", "没有 {0} 这个命令", "；最接近的是 {1}"),
    (
        r"No such option: (\S+)(?: (?:Did you mean |\(Possible options: )(.*?)[?)])?",
        "没有 {0} 这个选项",
        "；最接近的是 {1}",
    ),
    (r"Missing (?:option|argument) (.*)\.", "没有写 {0}", ""),
    (r"Got unexpected extra arguments? ?\(?s?\)? ?\((.*)\)", "多出了 {0}，这里不能写", ""),
    (r"Option (.*) requires an argument\.", "{0} 后面要写值", ""),
    (r"Option (.*) does not take a value\.", "{0} 后面不写值", ""),
    (r"Invalid value for (.*): Input should be a valid integer.*", "{0} 要写成整数", ""),
    (r"Invalid value for (.*): Input should be greater than or equal to (.*)", "{0} 不能小于 {1}", ""),
    (r"Invalid value for (.*): Input should be less than or equal to (.*)", "{0} 不能大于 {1}", ""),
    (r"Invalid value(?: for .*?)?: (.*[\u4e00-\u9fff].*)", "{0}", ""),
)
"""Patterns of usage errors, and what to say for them: always, and if the last group was found too."""


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
    if not said:
        return said
    if error.ctx is None:
        return f"错误：{_in_chinese(said)}\n用法见 youju --help"
    usage = error.ctx.get_usage().removeprefix("Usage: ")
    example = f"{error.ctx.command.epilog}\n" if error.ctx.command.epilog else ""
    return f"用法：{usage}\n{example}用法见 {error.ctx.command_path} --help\n错误：{_in_chinese(said)}"


def _in_chinese(said: str) -> str:
    """The usage error in Chinese; as it is, if it is none of the usual ones."""
    for pattern, always, near in _IN_CHINESE:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return (always + (near if found[found.re.groups] else "")).format(*found.groups())
    return said


def _end(message: str, status: int) -> NoReturn:
    from youju.cli.output import say  # noqa: PLC0415 - as above
    from youju.models.keys import hide_secrets  # noqa: PLC0415 - as above

    if message:
        say(hide_secrets(message), err=True)
    sys.exit(status)
