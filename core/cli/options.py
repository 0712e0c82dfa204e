"""Options that several commands share, and the settings they lead to."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from youju.settings import Settings

Question = Annotated[str, typer.Option("--question", "-q", help="问题；写 - 则从标准输入读", show_default=False)]
Paths = Annotated[list[Path], typer.Argument(help="文件或文件夹", show_default=False)]
Db = Annotated[
    Path | None, typer.Option("--db", help="知识库所在的文件夹，默认 ./youju_db", metavar="DIR", show_default=False)
]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="配置文件，默认 youju.yaml（如果有）", metavar="FILE", show_default=False),
]
Json = Annotated[bool, typer.Option("--json", help="只在标准输出打印一个 JSON 值")]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", help="改一个设置，如 --set retriever.k=8；可写多次", metavar="键=值", show_default=False),
]


def load_settings(
    config: Path | None, changes: list[str] | None, db: Path | None = None, **sections: Any
) -> "Settings":
    """Settings from a file, the environment, `--set` and the options that stand for a setting.

    Args:
        config: The file named, if any.
        changes: The `--set` texts.
        db: The `--db` folder, if any.
        sections: Fields to change by section, e.g. `answer={"context_chars": 100}`; values of None change nothing.
    """
    from youju.settings import Settings  # noqa: PLC0415 - help must be fast

    given: dict[str, Any] = {} if db is None else {"store.path": str(db)}
    for section, fields in sections.items():
        given.update({f"{section}.{name}": value for name, value in fields.items() if value is not None})
    return Settings.load(config, overrides=[*(changes or []), *given.items()])


def read_question(text: str) -> str:
    """The question as text; bytes of the command line that are no text become visible marks.

    Raises:
        QuestionError: Standard input is not UTF-8.
    """
    if text == "-":
        try:
            text = typer.get_binary_stream("stdin").read().decode("utf-8-sig")
        except UnicodeDecodeError:
            from youju.errors import QuestionError  # noqa: PLC0415 - help must be fast

            raise QuestionError(
                "标准输入里的问题不是 UTF-8 文字；请先转成 UTF-8，例如 iconv -f GBK -t UTF-8 问题.txt | youju ask -q -"
            ) from None
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace").strip()
