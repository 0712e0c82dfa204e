"""Several processes at one base: readers, writers, and writers that are killed."""

import json
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.errors import KnowledgeBaseBusyError
from youju.retrievers import build_retriever

_READER = """
base = open_base()
base.keyword_search("甲", k=1), base.vector_search("甲", k=1)  # loads libraries, which takes its own time
print("ready", flush=True)
answers, looks = set(), 0
over = False
while looks < 50 or not over:
    over = Path(sys.argv[2]).exists()  # then the last look comes after the last change
    for search in (base.keyword_search, base.vector_search):
        hits = search("甲项目的验收误差", k=3, filter={"source": "a.txt"})
        answers.add(" | ".join(hit.page_content for hit in hits))
    looks += 1
print(looks, len({hit.id for hit in base.vector_search("第9条", k=500)}),
      len(base.keyword_search("条", k=500)), sep="\\n")
print("\\n".join(sorted(answers)))
"""
_WRITER = """
from langchain_core.documents import Document
from youju.knowledge import FileRecord
base = open_base()
print("ready", flush=True)
sys.stdin.readline()
for turn in range(20):
    with base.writing() as writer:
        text = f"甲项目的验收误差为{turn + 1}毫米。"
        writer.put(FileRecord("a.txt", "/a.txt", "/", str(turn)), [Document(text, metadata={"source": "a.txt"})])
        texts = [f"第{turn * 10 + number}条 内容" for number in range(10)]
        writer.put(FileRecord(f"{turn}.txt", f"/{turn}.txt", "/", ""), [Document(text) for text in texts])
"""


def test_two_processes_read_while_one_writes(
    run_python: Callable[..., Any], base: KnowledgeBase, put: Any, tmp_path: Path
) -> None:
    put(base, "a.txt", ("甲项目的验收误差为0毫米。", {}))
    base.close()
    stop = tmp_path / "stop"
    with run_python(_WRITER) as writer, run_python(_READER, str(stop)) as one, run_python(_READER, str(stop)) as two:
        for process in (writer, one, two):
            assert process.stdout.readline() == "ready\n"
        writer.communicate("go\n", timeout=120)
        assert writer.returncode == 0
        stop.touch()
        possible = {f"甲项目的验收误差为{number}毫米。" for number in range(21)}
        for reader in (one, two):
            looks, by_meaning, by_words, *answers = reader.communicate(timeout=60)[0].splitlines()
            assert reader.returncode == 0
            assert int(looks) >= 50
            assert set(answers) <= possible  # one version each time, never none and never two
            assert "甲项目的验收误差为20毫米。" in answers
            assert int(by_meaning) == 201
            assert int(by_words) == 200


def test_a_second_writer_is_told_soon_that_another_one_is_at_work(
    run_python: Callable[..., Any], settings: Settings, stub_embeddings: Embeddings, put: Any
) -> None:
    impatient = settings.model_copy(update={"store": settings.store.model_copy(update={"lock_timeout": 0.2})})
    base = KnowledgeBase.open(impatient, embeddings=stub_embeddings)
    holds_the_lock = """
with open_base().writing():
    print("locked", flush=True)
    sys.stdin.readline()
"""
    with run_python(holds_the_lock) as other:
        assert other.stdout.readline() == "locked\n"
        started = time.monotonic()
        with pytest.raises(KnowledgeBaseBusyError, match=r"正被另一个进程写入，等了 0\.2 秒仍未结束；请稍后再试"):
            put(base, "a.txt", "甲")
        assert time.monotonic() - started >= 0.2
        assert base.count() == 0
    put(base, "a.txt", "甲")  # a killed process holds no lock
    assert base.count() == 1
    base.close()


def test_an_open_retriever_sees_a_base_that_another_process_rebuilt(
    run_python: Callable[..., Any], base: KnowledgeBase, put: Any, tmp_path: Path
) -> None:
    put(base, "a.txt", "年假为五天。")
    retriever = build_retriever(base)
    assert [hit.page_content for hit in retriever.invoke("年假几天？")] == ["年假为五天。"]
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("年假为十天。", encoding="utf-8")
    with run_python(
        "build_ingest_chain(open_base(rebuild=True)).invoke([sys.argv[2]])", str(tmp_path / "docs")
    ) as other:
        other.communicate(timeout=60)
        assert other.returncode == 0
    assert [hit.page_content for hit in retriever.invoke("年假几天？")] == ["年假为十天。"]
    assert base.count() == 1


# Each round happens in processes forked from one that has loaded everything and opened nothing.
_KILLED = """
import json, os, random, shutil, signal
import bm25s, chromadb, youju.loaders.encodings, youju.retrievers
from youju.errors import KnowledgeBaseNotFoundError
from youju.knowledge.catalog import Catalog
from youju.knowledge.chroma import ChromaVectors
from youju.knowledge.folder import BaseFolder
from youju.knowledge.view import View

docs, moments, rebuild = Path(sys.argv[2]), sys.argv[3], sys.argv[4] == "rebuild"
done = 0

def count(function, last):
    def counted(*args, **kwargs):
        step(last)
        return function(*args, **kwargs)
    return counted

def step(last):
    global done
    done += 1
    if done == last:
        os.kill(os.getpid(), signal.SIGKILL)

def in_child(work, after=None):
    child = os.fork()
    if child == 0:
        work()
        sys.stdout.flush()
        os._exit(0)
    if after is not None:
        time.sleep(after)
        os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1]

def write(**texts):
    shutil.rmtree(docs, ignore_errors=True)
    docs.mkdir()
    for name, text in texts.items():
        (docs / f"{name}.txt").write_text(text)

def ingest():
    return build_ingest_chain(open_base()).invoke([docs])

def ingest_and_die(last):
    for cls, names in (
        (Catalog, "note put_file drop_file put_chunks clear_journal"),
        (ChromaVectors, "create upsert delete"),
        (View, "save_keywords"),
        (BaseFolder, "point_to drop_others"),
        (StubEmbeddings, "embed_documents"),
    ):
        for name in names.split():
            setattr(cls, name, count(getattr(cls, name), last))
    build_ingest_chain(open_base(rebuild=rebuild)).invoke([docs])

def answers():
    base = open_base()
    legs = (base.keyword_search, base.vector_search)
    return [sorted(hit.page_content for hit in leg("项目验收误差", k=9)) for leg in legs]

def look():
    found = answers()
    report = ingest()
    base = open_base()
    rows = base.as_vectorstore().get()["ids"]
    then = answers()
    clean = len(rows) == base.count()
    generations = len(list(base.folder.glob("g*")))
    print(json.dumps([found, then, report.model_dump(), clean, generations]))

write(a="甲项目验收误差为五毫米", b="乙项目验收误差为六毫米", z="丁项目验收误差为九毫米")
in_child(ingest)
shutil.copytree(sys.argv[1], "old")
write(a="甲项目验收误差为三毫米", c="丙项目验收误差为七毫米", z="丁项目验收误差为九毫米")
number = 0
while True:
    number += 1
    shutil.rmtree(sys.argv[1])
    shutil.copytree("old", sys.argv[1])
    if moments == "steps":
        died = in_child(lambda: ingest_and_die(number)) != 0
    else:
        in_child(ingest_and_die.__get__(10**9), after=random.Random(number).uniform(0, 0.5))
        died = number <= 6
    if not died:
        break
    in_child(look)
"""


@pytest.mark.parametrize("how", ["change", "rebuild"])
@pytest.mark.parametrize("moments", ["steps", "random"])
def test_a_killed_ingest_leaves_old_or_new_answers_and_the_next_one_completes_it(
    run_python: Callable[..., Any], tmp_path: Path, how: str, moments: str
) -> None:
    old = {"甲": "甲项目验收误差为五毫米", "乙": "乙项目验收误差为六毫米", "丁": "丁项目验收误差为九毫米"}
    new = {"甲": "甲项目验收误差为三毫米", "丙": "丙项目验收误差为七毫米", "丁": "丁项目验收误差为九毫米"}
    with run_python(_KILLED, str(tmp_path / "docs"), moments, how) as process:
        rounds = [json.loads(line) for line in process.communicate(timeout=300)[0].splitlines()]
        assert process.returncode == 0
    assert len(rounds) == 6 if moments == "random" else len(rounds) > 15
    seen = set()
    for (by_words, by_meaning), then, report, clean, generations in rounds:
        assert by_words == by_meaning
        found = {text[0]: text for text in by_words}
        assert len(found) == len(by_words)  # no file with two versions
        for name in "甲乙丙丁":
            assert found.get(name) in {old.get(name), new.get(name)}
        if how == "rebuild":
            assert found in (old, new)
        seen.add(tuple(by_words))
        assert then == [sorted(new.values())] * 2
        assert report["chunks"]["total"] == 3
        assert report["failures"] == []
        assert clean  # no vector without a chunk
        assert generations == 1
    if moments == "steps":
        assert {tuple(sorted(old.values())), tuple(sorted(new.values()))} <= seen


def test_threads_read_while_another_one_writes_and_rebuilds(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings
) -> None:
    put(base, "a.txt", "验收误差为0毫米。")
    done = threading.Event()

    def read(_: int) -> set[str]:
        found = set()
        while not done.is_set():
            for search in (base.keyword_search, base.vector_search):
                found.add(" | ".join(hit.page_content for hit in search("验收误差", k=3)))
        return found

    with ThreadPoolExecutor(3) as pool:
        readers = pool.map(read, range(3))
        try:
            for turn in range(1, 16):
                rebuild = turn % 5 == 0
                writer = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=rebuild)
                put(writer, "a.txt", f"验收误差为{turn}毫米。")
        finally:
            done.set()
        seen = set[str]().union(*readers)
    assert seen <= {f"验收误差为{turn}毫米。" for turn in range(16)}
    assert [hit.page_content for hit in base.vector_search("验收误差", k=3)] == ["验收误差为15毫米。"]
