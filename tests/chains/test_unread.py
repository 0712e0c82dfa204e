"""A refusal names the files that never came into the base, to those who may know of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju import KnowledgeBase, Settings
from youju.chains import CitedAnswer, Unread, build_answer_chain, build_ingest_chain
from youju.knowledge import FileRecord, Loss
from youju.retrievers import BM25Retriever, HybridRetriever, Transformer, VectorRetriever, build_retriever

Make = Callable[..., Any]
SILENT = "资料中未提及。"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A handbook, one page of which is an image, and a file that is an image."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, lines in (("手册.pdf", "年假为十天。"), ("婚假规定.pdf", "")):
        canvas = Canvas(str(folder / name))
        if lines:
            canvas.setFont("STSong-Light", 14)
            canvas.drawString(60, 780, lines)
            canvas.showPage()
        canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 590, 840)
        canvas.showPage()
        canvas.save()
    return folder


@pytest.fixture
def tenants(base: KnowledgeBase) -> KnowledgeBase:
    """Two tenants' files, each with a page that was not read, and two files of which nothing is known."""
    with base.writing() as writer:
        for source, tenant in (("甲.pdf", "甲"), ("乙.pdf", "乙")):
            record = FileRecord(source, f"/{source}", "/", "hash", 1, ("第 2 页没有文字层",))
            metadata = {"source": source, "location": source, "tenant": tenant}
            writer.put(record, [Document(f"{tenant}公司年假为十天。", metadata=metadata)])
        writer.note_losses([Loss(f"{name}.pdf", "read", "打不开", f"/{name}.pdf", "/") for name in ("秘密", "合同")])
    return base


def unread(answer: CitedAnswer) -> Unread:
    assert answer.refusal is not None
    assert answer.refusal.unread is not None
    return answer.refusal.unread


def names(answer: CitedAnswer) -> list[str]:
    return list(dict.fromkeys(one.source for one in unread(answer).files))


def ask(retriever: Any, model: Any, question: Any = "婚假几天？", **answer: Any) -> CitedAnswer:
    settings = Settings.model_validate({"answer": {"max_retries": 0, **answer}})
    found = build_answer_chain(retriever, settings, chat=model).invoke(question)
    assert CitedAnswer.model_validate_json(found.model_dump_json()) == found
    return found


def lose(base: KnowledgeBase, *sources: str, stage: Any = "read") -> None:
    with base.writing() as writer:
        writer.put(
            FileRecord("制度.md", "/制度.md", "/", "h"), [Document("年假为十天。", metadata={"source": "制度.md"})]
        )
        writer.note_losses([Loss(source, stage, "打不开", f"/{source}", "/") for source in sources])


def test_what_the_model_does_not_find_may_be_in_the_file_that_was_not_read(
    base: KnowledgeBase, docs: Path, scripted: Make
) -> None:
    (docs / "旧表.xls").write_bytes(b"x")
    build_ingest_chain(base).invoke(str(docs))
    answer = ask(build_retriever(base), scripted(SILENT))
    assert answer.status == "not_found"
    found = unread(answer)
    assert [(one.source, one.stage, one.whole) for one in found.files] == [
        ("婚假规定.pdf", "read", True),  # shares 婚假 with the question
        ("手册.pdf", "read", False),  # was found
        ("旧表.xls", "skip", True),
    ]
    assert found.files[0].reason == "第 1 页没有文字层，可能是扫描件；请先做文字识别（OCR）"
    assert (found.total, found.withheld) == (3, 0)
    assert found.note == (
        "有 1 个文件没有读成：婚假规定.pdf；有 1 个文件没有读全：手册.pdf；有 1 个文件的格式读不了：旧表.xls。"
        "答案可能在其中；用 youju info 看原因，改好后用 youju ingest 重新收录"
    )
    assert answer.refusal is not None
    steps = [(step.name, step.kept, step.lost) for step in answer.refusal.steps]
    assert steps == [("read", 1, 2), ("skip", 1, 1), *steps[2:]]
    assert [name for name, _, _ in steps[2:]] == ["bm25", "vector", "hybrid", "pack", "model"]


def test_once_it_is_read_nothing_is_missing(base: KnowledgeBase, docs: Path, scripted: Make) -> None:
    build_ingest_chain(base).invoke(str(docs))
    build_ingest_chain(base, ocr=lambda _: "婚假为三天。").invoke(str(docs))
    (docs / "手册.pdf").unlink()
    build_ingest_chain(base).invoke(str(docs))
    answer = ask(build_retriever(base), scripted(SILENT), "产假几天？")
    assert answer.refusal is not None
    assert answer.refusal.unread is None
    assert [step.name for step in answer.refusal.steps] == ["bm25", "vector", "hybrid", "pack", "model"]


@pytest.mark.parametrize(
    ("reply", "question", "options", "status"),
    [
        (SILENT, "婚假几天？", {}, "not_found"),
        ("婚假为九十天[资料1]。", "婚假几天？", {}, "rejected"),
        ("年假为十天[资料1]。关于“婚假几天”，资料中未提及。", "年假几天，婚假几天？", {}, "partial"),
        (SILENT, "婚假几天？", {"context_chars": 1}, "insufficient_evidence"),
        (SILENT, "zebra crossing rules 斑马", {"gate_threshold": 1.0}, "not_found"),
    ],
)
def test_every_answer_that_leaves_something_open_says_so(
    base: KnowledgeBase, scripted: Make, reply: str, question: str, options: dict[str, Any], status: str
) -> None:
    lose(base, "婚假规定.pdf")
    answer = ask(build_retriever(base), scripted(reply), question, **options)
    assert answer.status == status
    assert names(answer) == ["婚假规定.pdf"]


def test_an_answer_says_nothing_of_files_that_it_did_not_need(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, "婚假规定.pdf")
    answer = ask(build_retriever(base), scripted("年假为十天[资料1]。"), "年假几天？")
    assert (answer.status, answer.refusal) == ("answered", None)


def test_a_base_of_which_nothing_was_read_says_so(base: KnowledgeBase, docs: Path, scripted: Make) -> None:
    (docs / "手册.pdf").unlink()
    build_ingest_chain(base).invoke(str(docs))
    answer = ask(build_retriever(base), scripted())
    assert answer.status == "insufficient_evidence"
    assert unread(answer).note.startswith("有 1 个文件没有读成：婚假规定.pdf。答案可能在其中")
    assert answer.refusal is not None
    assert (answer.refusal.steps[0].kept, answer.refusal.steps[0].lost) == (0, 1)


def test_few_of_many_are_listed_and_those_nearest_to_the_question_first(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, *(f"a{number}.pdf" for number in range(20)), "人事/婚假规定.pdf", "婚假津贴发放.pdf")
    found = unread(ask(build_retriever(base), scripted(SILENT), "婚假津贴有多少？"))
    assert [one.source for one in found.files] == [
        "婚假津贴发放.pdf",
        "人事/婚假规定.pdf",
        "a0.pdf",
        "a1.pdf",
        "a10.pdf",
    ]
    assert found.total == 22
    assert found.note.startswith("有 22 个文件没有读成：婚假津贴发放.pdf、人事/婚假规定.pdf、a0.pdf 等。")


def test_two_files_named_alike_are_two(base: KnowledgeBase, scripted: Make) -> None:
    lose(base)
    with base.writing() as writer:
        writer.note_losses([Loss("a.pdf", "read", "打不开", f"/{folder}/a.pdf", f"/{folder}") for folder in "xy"])
    found = unread(ask(build_retriever(base), scripted(SILENT)))
    assert (found.total, len(found.files)) == (2, 2)
    assert found.note.startswith("有 2 个文件没有读成：a.pdf、a.pdf。")


def test_each_stage_is_told_apart(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, "a.md", stage="embed")
    assert unread(ask(build_retriever(base), scripted(SILENT))).note.startswith("有 1 个文件没有收录完：a.md。")
    lose(base, "a.md", stage="cut")
    assert unread(ask(build_retriever(base), scripted(SILENT))).note.startswith("有 1 个文件没有全部切成文字块：a.md。")


def test_an_english_question_is_told_in_english(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, "wedding leave.pdf", "b.pdf")
    answer = ask(build_retriever(base), scripted("The documents do not mention it."), "How long is wedding leave?")
    assert unread(answer).note == (
        "Files missing from the base: 2 not read (wedding leave.pdf, b.pdf). The answer may be in them; "
        "`youju info` shows why, `youju ingest` takes in again what was mended"
    )


async def test_streams_and_awaited_answers_say_the_same(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, "婚假规定.pdf")
    chain = build_answer_chain(build_retriever(base), chat=scripted(*[SILENT] * 4))
    answers = [chain.invoke("婚假几天？"), list(chain.stream("婚假几天？"))[-1], await chain.ainvoke("婚假几天？")]
    answers.append([answer async for answer in chain.astream("婚假几天？")][-1])
    assert [names(answer) for answer in answers] == [["婚假规定.pdf"]] * 4


def test_extraction_says_it_too(base: KnowledgeBase, scripted: Make) -> None:
    lose(base, "婚假规定.pdf")
    reply = '{"source": null, "quote": null, "answer": null}'
    assert names(ask(build_retriever(base), scripted(reply), mode="extract")) == ["婚假规定.pdf"]


def legs(base: KnowledgeBase, **options: Any) -> HybridRetriever:
    found: list[Any] = [BM25Retriever(source=base, **options), VectorRetriever(source=base, **options)]
    return HybridRetriever(retrievers=found)


@pytest.mark.parametrize("way", ["call", "retriever", "leg", "bound", "configured"])
def test_however_a_tenant_is_set_no_other_files_are_named(tenants: KnowledgeBase, scripted: Make, way: str) -> None:
    own = {"tenant": "甲"}
    retriever: Any = legs(tenants)
    if way == "retriever":
        retriever = legs(tenants).model_copy(update={"filter": own})
    elif way == "leg":
        retriever = legs(tenants, filter=own)
    elif way == "bound":
        retriever = legs(tenants).bind(filter=own)
    elif way == "configured":
        from langchain_core.runnables import ConfigurableField  # noqa: PLC0415 - only here

        retriever = legs(tenants).configurable_fields(filter=ConfigurableField(id="who"))
        retriever = retriever.with_config(configurable={"who": own})
    question = {"question": "婚假几天？", **({"filter": own} if way == "call" else {})}
    answer = ask(retriever, scripted(SILENT), question)
    assert names(answer) == ["甲.pdf"]
    assert (unread(answer).total, unread(answer).withheld) == (1, 2)
    text = answer.model_dump_json()
    assert not [name for name in ("乙.pdf", "秘密", "合同") if name in text]
    assert unread(answer).note.startswith(
        "有 1 个文件没有读全：甲.pdf；另有 2 个文件没有读成或没有读全，不知道是否符合过滤条件，没有列出名字。"
    )


def test_who_owns_nothing_learns_only_that_something_is_missing(tenants: KnowledgeBase, scripted: Make) -> None:
    answer = ask(build_retriever(tenants), scripted(), {"question": "婚假几天？", "filter": {"tenant": "丁"}})
    assert (unread(answer).files, unread(answer).total, unread(answer).withheld) == ([], 0, 2)
    assert unread(answer).note.startswith("有 2 个文件没有读成或没有读全，不知道是否符合过滤条件，没有列出名字。")
    english = ask(build_retriever(tenants), scripted(), {"question": "wedding leave?", "filter": {"tenant": "丁"}})
    assert unread(english).note.startswith(
        "Files missing from the base: 2 not, or not wholly, read, which are not named"
    )
    assert answer.refusal is not None
    assert "read" not in [step.name for step in answer.refusal.steps]


class TenantsOnly(BaseRetriever):
    """A step of another make that hides what is not a tenant's own."""

    inner: Any

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.inner.invoke(query, {"callbacks": run_manager.get_child()})
        return [document for document in found if document.metadata["tenant"] == "甲"]


class OwnStep(Transformer):
    """The same, made from a part of this package."""

    def changed(self, query: str, documents: list[Document], limit: int) -> list[Document]:
        return [document for document in documents if document.metadata["tenant"] == "甲"]


def test_where_a_step_of_another_make_may_have_hidden_something_no_file_is_named(
    tenants: KnowledgeBase, scripted: Make
) -> None:
    hidden = RunnableLambda(lambda found: [one for one in found if one.metadata["tenant"] == "甲"])
    inner = legs(tenants)
    for retriever in (
        TenantsOnly(inner=inner),
        OwnStep(retriever=inner),
        OwnStep(retriever=inner | hidden),
        HybridRetriever(retrievers=[TenantsOnly(inner=inner), inner], weights=[0.5, 0.5]),
    ):
        answer = ask(retriever, scripted(SILENT))
        assert (unread(answer).files, unread(answer).withheld) == ([], 4)
        assert "秘密" not in answer.model_dump_json()


def test_a_base_that_was_not_heard_of_says_nothing(tenants: KnowledgeBase, scripted: Make) -> None:
    class Silent(BaseRetriever):
        def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
            return tenants.keyword_search(query, k=5, filter={"tenant": "甲"})

    answer = ask(Silent(), scripted(SILENT), "甲公司婚假几天？")
    assert answer.refusal is not None
    assert answer.refusal.unread is None


def test_two_bases_that_are_searched_together_both_say_what_they_lack(
    settings: Settings, stub_embeddings: Any, scripted: Make
) -> None:
    bases = []
    for name in ("one", "two"):
        own = Settings.model_validate({"store": {"path": settings.store.path, "name": name}})
        bases.append(KnowledgeBase.open(own, embeddings=stub_embeddings))
        lose(bases[-1], f"{name}.pdf")
    found: list[Any] = [BM25Retriever(source=base) for base in bases]
    answer = ask(HybridRetriever(retrievers=found, weights=[0.5, 0.5]), scripted(SILENT), "年假和婚假几天？")
    assert names(answer) == ["one.pdf", "two.pdf"]
    assert unread(answer).total == 2
    for base in bases:
        base.close()


@examples(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    sources=st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1), unique=True),
    question=st.sampled_from(["婚假几天？", "wedding leave?", "２０２４年度报告", "a"]),
)
def test_whatever_the_files_are_called_the_count_is_right_and_the_note_short(
    base: KnowledgeBase, scripted: Make, sources: list[str], question: str
) -> None:
    lose(base, *sources)
    answer = ask(build_retriever(base), scripted(SILENT), question)
    assert answer.refusal is not None
    if not sources:
        assert answer.refusal.unread is None
        return
    found = unread(answer)
    assert (found.total, len(found.files)) == (len(sources), min(len(sources), 5))
    assert {one.source for one in found.files} <= set(sources)
    assert str(len(sources)) in found.note
    assert sum(source in found.note for source in {one.source for one in found.files[:3]}) == min(len(sources), 3)
