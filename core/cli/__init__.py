"""The `youju` command."""

import sys
import warnings
from io import TextIOWrapper

__all__ = ["main"]


def main() -> None:
    """Run the command, with errors as one message and no traceback."""
    from youju.cli.app import app  # noqa: PLC0415 - importing this room costs nothing until it is run
    from youju.errors import YoujuError  # noqa: PLC0415 - as above

    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # of the libraries; whoever wants them runs python -W
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app(prog_name="youju")
    except YoujuError as error:
        _end(str(error), 1)
    except OSError as error:
        _end(f"{error.strerror or error}{f'：{error.filename}' if error.filename else ''}", 1)
    except KeyboardInterrupt:
        _end("已中断；已经完成的部分都保存好了", 130)


def _end(message: str, status: int) -> None:
    from youju.models.keys import hide_secrets  # noqa: PLC0415 - as above

    message = hide_secrets(message)
    print(f"错误：{message}", file=sys.stderr)  # noqa: T201 - this is what a command does
    sys.exit(status)
