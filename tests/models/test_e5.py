import math
import os
import subprocess
import sys
import threading

import pytest
from langchain_tests.integration_tests import EmbeddingsIntegrationTests
from langchain_tests.unit_tests import EmbeddingsUnitTests

from youju.models import E5Embeddings, build_embeddings
from youju.settings import EmbeddingsSettings

PHRASE = "\ufdfa"  # one character that stands for a phrase of 18
SPELLED = "صلى الله عليه وسلم"


class TestE5AsLangChainWantsIt(EmbeddingsUnitTests):
    @property
    def embeddings_class(self) -> type[E5Embeddings]:
        return E5Embeddings


class TestE5AtWorkAsLangChainWantsIt(EmbeddingsIntegrationTests):
    @property
    def embeddings_class(self) -> type[E5Embeddings]:
        return E5Embeddings


def dot(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(left, right, strict=True))


def test_vectors_have_384_numbers_and_length_1() -> None:
    vector = E5Embeddings().embed_query("年假有几天？")
    assert len(vector) == 384
    assert math.sqrt(dot(vector, vector)) == pytest.approx(1.0, abs=1e-5)


def test_the_passage_that_answers_a_question_is_the_nearest() -> None:
    model = E5Embeddings()
    passages = model.embed_documents(
        ["员工入职满一年后每年休假十天。", "打印机缺纸时红灯会闪。", "食堂中午十一点半开门。"]
    )
    question = model.embed_query("年假有多少天？")
    scores = [dot(question, passage) for passage in passages]
    assert scores.index(max(scores)) == 0


def test_questions_and_passages_are_told_apart() -> None:
    model = E5Embeddings()
    assert model.embed_query("年假") != model.embed_documents(["年假"])[0]


def test_a_passage_has_the_same_vector_alone_and_among_others() -> None:
    model = E5Embeddings()
    texts = [f"第{n}条 " + "本条说明报销的期限。" * n for n in range(1, 8)]
    assert model.embed_documents(texts) == [model.embed_documents([text])[0] for text in texts]


def test_no_passages_give_no_vectors() -> None:
    assert E5Embeddings().embed_documents([]) == []


def test_full_width_and_composed_forms_are_one_text_to_the_model() -> None:
    model = E5Embeddings()
    assert model.embed_query("ＡＢＣ１２３") == model.embed_query("ABC123")
    assert model.embed_query("cafe\u0301") == model.embed_query("café")


def test_characters_that_stand_for_many_do_not_end_the_process() -> None:
    code = f"""
from youju.models import E5Embeddings
E5Embeddings().embed_query({PHRASE!r} * 10)
print(E5Embeddings().limit.count({PHRASE!r} * 10))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert int(run.stdout) == E5Embeddings().limit.count(SPELLED * 10)


def test_characters_that_stand_for_many_are_read_as_what_they_stand_for() -> None:
    model = E5Embeddings()
    assert model.embed_documents([PHRASE * 10]) == model.embed_documents([SPELLED * 10])


@pytest.mark.parametrize("unsendable", ["\0", "\ud800"])
def test_text_after_a_character_that_cannot_be_sent_is_still_read(unsendable: str) -> None:
    model = E5Embeddings()
    assert model.embed_query(f"年假{unsendable}十天") == model.embed_query("年假 十天")
    assert model.limit.count(f"年假{unsendable}十天") == model.limit.count("年假 十天")


def test_threads_get_the_vectors_of_their_own_texts() -> None:
    model = E5Embeddings()
    texts = [f"这是第{n}份合同。" for n in range(6)]
    alone = [model.embed_query(text) for text in texts]
    found: dict[int, list[float]] = {}

    def work(n: int) -> None:
        found[n] = model.embed_query(texts[n])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(len(texts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[n] for n in range(len(texts))] == alone


async def test_awaited_calls_give_the_same_vectors() -> None:
    model = build_embeddings(EmbeddingsSettings())
    assert await model.aembed_query("年假") == model.embed_query("年假")
    assert await model.aembed_documents(["年假", "报销"]) == model.embed_documents(["年假", "报销"])


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, "None 5000"), ({"OMP_WAIT_POLICY": "active"}, "active None"), ({"GOMP_SPINCOUNT": "9"}, "None 9")],
)
def test_waiting_threads_soon_sleep_unless_the_user_says_otherwise(given: dict[str, str], expected: str) -> None:
    code = """
import os
from youju.models import E5Embeddings
E5Embeddings().embed_query("年假")
print(os.environ.get("OMP_WAIT_POLICY"), os.environ.get("GOMP_SPINCOUNT"))
"""
    env = {"PATH": os.defpath, **given}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True)
    assert run.stdout.strip() == expected


def test_threads_that_ask_do_not_each_leave_a_team_of_threads_behind() -> None:
    code = """
import os, threading
from youju.models import E5Embeddings
E5Embeddings().embed_query("年假")
counts = [len(os.listdir("/proc/self/task"))]
waiting = threading.Barrier(4)
def ask():
    E5Embeddings().embed_query("年假")
    waiting.wait()
    waiting.wait()
askers = [threading.Thread(target=ask) for _ in range(3)]
for asker in askers: asker.start()
waiting.wait()
print(len(os.listdir("/proc/self/task")) - counts[0])
waiting.wait()
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "3"


def test_a_forked_child_gets_an_error_where_it_would_wait_for_ever() -> None:
    code = (
        "import os, sys\n"
        "from youju.errors import ModelError\n"
        "from youju.models import E5Embeddings\n"
        "E5Embeddings().embed_query('年假')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    try: E5Embeddings().embed_query('病假')\n"
        "    except ModelError as error: os._exit(7 if 'spawn' in str(error) else 8)\n"
        "    os._exit(9)\n"
        "sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 7
