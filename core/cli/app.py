"""The commands, each a few lines over the rooms that do the work."""

from pathlib import Path
from typing import Annotated

import typer

from youju.cli.options import Config, Db, Json, Paths, Question, Set, load_settings, read_question

_CONTEXT = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    help="有据：向自己的文档提问，每句回答都标出依据；文档没写的，回答“资料中未提及”。\n\n"
    "先用 youju ingest 把文件夹读进知识库，再用 youju ask 提问。不需要密钥，也不需要联网。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,  # they would print local variables
    context_settings=_CONTEXT,
)
config_app = typer.Typer(help="查看和检查设置。", no_args_is_help=True, context_settings=_CONTEXT)
app.add_typer(config_app, name="config")
eval_app = typer.Typer(help="比较不同的做法，用数字说话。", no_args_is_help=True, context_settings=_CONTEXT)
app.add_typer(eval_app, name="eval")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="显示版本")] = False) -> None:
    if version:
        import youju

        typer.echo(f"youju {youju.__version__}")
        raise typer.Exit


@app.command(epilog="例：youju extract 制度.pdf --json")
def extract(paths: Paths, config: Config = None, as_json: Json = False, changes: Set = None) -> None:
    """看一看：文件会被读成什么文字、切成哪些块。什么也不存。"""
    from youju.cli.extracting import run

    raise typer.Exit(run(paths, load_settings(config, changes), as_json=as_json))


@app.command(epilog="例：youju ingest 制度文件夹")
def ingest(
    paths: Annotated[
        list[str] | None,
        typer.Argument(help="文件或文件夹；只有 --rebuild 可以不写，表示读入过的全部", show_default=False),
    ] = None,
    db: Db = None,
    config: Config = None,
    rebuild: Annotated[bool, typer.Option("--rebuild", help="按现在的设置重建；建成之前旧库照常回答")] = False,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """把文件读进知识库。没变的文件跳过，变了的更新，删掉的移除。"""
    if not paths and not rebuild:
        raise typer.BadParameter("请写出要读入的文件或文件夹", param_hint="PATHS")
    from youju.cli.ingesting import run

    raise typer.Exit(run(paths or [], load_settings(config, changes, db), rebuild=rebuild, as_json=as_json))


@app.command(epilog="例：youju info")
def info(db: Db = None, config: Config = None, as_json: Json = False, changes: Set = None) -> None:
    """知识库里有什么，还缺什么：文件和块数，没有读成的文件和页，各是为什么。"""
    from youju.cli.informing import run

    raise typer.Exit(run(load_settings(config, changes, db), as_json=as_json))


@app.command(epilog="例：youju retrieve -q 年假有几天")
def retrieve(
    question: Question,
    db: Db = None,
    config: Config = None,
    k: Annotated[int | None, typer.Option("-k", help="最多几块", min=1, max=10_000, show_default=False)] = None,
    explain: Annotated[bool, typer.Option("--explain", help="说明每一步：问了什么，进出哪些块，落选的为什么")] = False,
    why: Annotated[
        list[str] | None,
        typer.Option(
            "--why", help="说明某一块（编号）或某个文件（来源）在哪一步落选；可写多次", metavar="ID", show_default=False
        ),
    ] = None,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """只检索：列出找到的块、得分、名次和位置。不写回答。"""
    from youju.cli.asking import run_retrieve

    settings = load_settings(config, changes, db, retriever={"k": k})
    raise typer.Exit(run_retrieve(read_question(question), settings, as_json=as_json, explained=explain, why=why or []))


@app.command(epilog="例：youju ask -q 年假有几天")
@app.command("query", hidden=True)
def ask(
    question: Question,
    db: Db = None,
    config: Config = None,
    context_chars: Annotated[
        int | None, typer.Option("--context-chars", help="给模型看的资料最多几个字", min=1, show_default=False)
    ] = None,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """提问：回答、依据和出处。query 是同一个命令。"""
    from youju.cli.asking import run_ask

    settings = load_settings(config, changes, db, answer={"context_chars": context_chars})
    raise typer.Exit(run_ask(read_question(question), settings, as_json=as_json))


@eval_app.command(epilog="例：youju eval splitters 制度文件夹 --questions 问题.jsonl")
def splitters(
    paths: Paths,
    kinds: Annotated[
        str | None,
        typer.Option(
            "--kinds",
            help="比较哪些，用逗号隔开； 不写就比较不用模型的， semantic 和 token 写了才比较",
            metavar="名字,名字",
            show_default=False,
        ),
    ] = None,
    chunk_size: Annotated[
        int | None,
        typer.Option(
            "--chunk-size",
            help="块最多几个字 （token 是词元）； 重叠按比例变",
            min=1,
            max=1_000_000,
            show_default=False,
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(
            "--questions",
            help='问题文件，每行一个 JSON： {"question": "…", "quotes": ["原文"]}； 有它才比较检索',
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    retriever: Annotated[
        str, typer.Option("--retriever", help="检索方式：bm25、vector 或 hybrid；后两种要用向量模型", metavar="名字")
    ] = "bm25",
    cuts: Annotated[int, typer.Option("--cuts", help="最多举几处切断的句子", min=0, max=10_000)] = 5,
    config: Config = None,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """比较切分方式：块数、长短、切断的句子、用时；给了问题，还有检索的命中率。什么也不存。"""
    from youju.cli.evaluating import run

    status = run(
        paths,
        load_settings(config, changes),
        kinds=kinds,
        chunk_size=chunk_size,
        questions=questions,
        retriever=retriever,
        cuts=cuts,
        as_json=as_json,
    )
    raise typer.Exit(status)


@eval_app.command("calibrate", epilog="例：youju eval calibrate 问题.jsonl")
def calibrate(
    questions: Annotated[
        Path,
        typer.Argument(
            help='问题文件，每行一个 JSON： {"question": "…", "answerable": true}， 资料不能回答的写 false',
            metavar="QUESTIONS",
            show_default=False,
        ),
    ],
    db: Db = None,
    config: Config = None,
    keep: Annotated[float, typer.Option("--keep", help="能回答的问题至少留住多少", min=0.5, max=1.0)] = 0.98,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="把曲线画成图，如 curve.png", metavar="FILE", show_default=False)
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="只看数字，不保存")] = False,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """校准证据门槛：检索到的资料和问题对不上就不问模型。门槛存在知识库里；不调用模型。"""
    from youju.cli.calibrating import run

    settings = load_settings(config, changes, db)
    raise typer.Exit(run(questions, settings, keep=keep, plot=plot, dry_run=dry_run, as_json=as_json))


@eval_app.command(
    epilog="例：youju eval rewriting 问题.jsonl --set retriever.kind=multi_query --set chat.model=openai:gpt-4o-mini"
)
def rewriting(
    questions: Annotated[
        Path,
        typer.Argument(
            help='问题文件，每行一个 JSON： {"question": "…", "quotes": ["原文"]}', metavar="FILE", show_default=False
        ),
    ],
    db: Db = None,
    config: Config = None,
    as_json: Json = False,
    changes: Set = None,
) -> None:
    """比较改写问题的效果：原问题、改写、合并各召回多少，回答有多少有依据。要用会写作的聊天模型。"""
    from youju.cli.rewriting import run

    raise typer.Exit(run(questions, load_settings(config, changes, db), as_json=as_json))


@config_app.command()
def show(config: Config = None, as_json: Json = False, changes: Set = None, db: Db = None) -> None:
    """打印现在生效的全部设置。"""
    from youju.cli.configuring import run_show

    run_show(load_settings(config, changes, db), as_json=as_json)


@config_app.command()
def check(config: Config = None, changes: Set = None) -> None:
    """检查设置有没有错。有错就指出位置和改法。"""
    from youju.cli.configuring import run_check

    run_check(load_settings(config, changes), config)


@config_app.command()
def schema() -> None:
    """打印配置文件的 JSON Schema，供编辑器使用。"""
    import json

    from youju.settings import Settings

    typer.echo(json.dumps(Settings.model_json_schema(), ensure_ascii=False, indent=2))
