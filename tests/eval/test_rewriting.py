"""Rewriting questions: recall of the question, of its rewritings and of both, and the answers that are supported."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from youju import KnowledgeBase, Settings
from youju.chains import build_answer_chain
from youju.cli import main
from youju.errors import LoadError, SettingsError
from youju.eval import Question, RewritingComparison, compare_rewriting
from youju.knowledge import FileRecord
from youju.retrievers import build_retriever

S1 = "Items can be returned within seven days of delivery."
S2 = "Opened items cannot be returned."
S3 = "Shipping takes two days."
S4 = "Opened items can be returned at any time."
OPENED = "Can an opened item be returned?"
QUESTIONS = [
    Question(OPENED, (S2,)),
    Question("How fast is the parcel?", (S3, S1)),
]


@pytest.fixture
def base(settings: Settings, stub_embeddings: Any) -> KnowledgeBase:
    """Three sentences in force and one, that says the contrary, which has expired."""
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    with base.writing() as writer:
        for number, text in enumerate((S1, S2, S3, S4), start=1):
            source = f"s{number}.md"
            metadata = {"source": source, "valid_until": "2020-01-01"} if text == S4 else {"source": source}
            chunk = Document(page_content=text, metadata=metadata)
            writer.put(FileRecord(source, f"/docs/{source}", "/docs", "0"), [chunk])
    return base


def with_retriever(of: KnowledgeBase, /, **retriever: Any) -> Settings:
    return Settings.model_validate({**of.settings.model_dump(), "retriever": retriever})


CURRENT: dict[str, Any] = {"kind": "current", "k": 2, "base": {"kind": "bm25"}}


def answering(prompt: Any) -> AIMessage:
    """Cites the first block of evidence for the question on opened items, and says what none says for any other."""
    text = prompt.to_string() if hasattr(prompt, "to_string") else str(prompt)
    return AIMessage("Opened items cannot be returned[资料1]." if "opened item" in text else "Nine weeks.")


def writing(prompt: str) -> str:
    return "shipping days\ntakes how long" if "parcel" in prompt else "unopened goods"


def test_recalls_and_supported_answers_stand_side_by_side(base: KnowledgeBase) -> None:
    settings = with_retriever(base, kind="multi_query", k=2, base=CURRENT)
    found = compare_rewriting(
        base, QUESTIONS, settings, writing=RunnableLambda(writing), answering=RunnableLambda(answering)
    )
    opened, parcel = found.each
    assert opened.written == ["unopened goods"]
    assert opened.recall.model_dump() == {"original": 1, "rewritten": 0, "merged": 1}
    assert (opened.status, opened.supported) == ("answered", True)
    # its quotes share no word with the question: "shipping days" finds one by both words, and the other by "days"
    assert parcel.written == ["shipping days", "takes how long"]
    assert parcel.recall.model_dump() == {"original": 0, "rewritten": 1, "merged": 1}
    assert (parcel.status, parcel.supported) == ("rejected", False)
    assert (found.kind, found.k, found.questions, found.rewritten, found.supported) == ("multi_query", 2, 2, 2, 0.5)
    assert found.recall.model_dump() == {"original": 0.5, "rewritten": 0.5, "merged": 1}
    assert found.statuses == {"answered": 1, "rejected": 1}
    assert RewritingComparison.model_validate_json(found.model_dump_json()) == found


def test_an_imagined_answer_is_measured_as_a_rewriting(base: KnowledgeBase) -> None:
    settings = with_retriever(base, kind="hyde", k=1, base={"kind": "vector"})
    chat = RunnableLambda(lambda _: S3)
    found = compare_rewriting(base, QUESTIONS[1:], settings, writing=chat, answering=RunnableLambda(answering))
    assert (found.kind, found.each[0].written, found.each[0].recall.rewritten) == ("hyde", [S3], 0.5)


def test_a_filter_from_the_question_is_measured_against_the_plain_question(base: KnowledgeBase) -> None:
    fields = {"source": {"type": "text"}}
    settings = with_retriever(base, kind="self_query", k=1, fields=fields, base={"kind": "bm25"})
    chat = RunnableLambda(lambda _: '{"query": "returned", "filter": {"source": "s1.md"}}')
    found = compare_rewriting(base, QUESTIONS[:1], settings, writing=chat, answering=RunnableLambda(answering))
    assert found.each[0].written == ["returned"]
    assert found.each[0].recall.rewritten == found.each[0].recall.merged == 0


def test_a_model_that_writes_nothing_leaves_the_question(base: KnowledgeBase) -> None:
    settings = with_retriever(base, kind="multi_query", k=2, base=CURRENT)
    found = compare_rewriting(
        base, QUESTIONS[:1], settings, writing=RunnableLambda(lambda _: ""), answering=RunnableLambda(answering)
    )
    assert (found.rewritten, found.each[0].written) == (0, [])
    assert found.recall.model_dump() == {"original": 1, "rewritten": 0, "merged": 1}


def test_a_retriever_that_rewrites_nothing_is_refused(base: KnowledgeBase) -> None:
    with pytest.raises(SettingsError, match="没有改写问题的一步（multi_query、hyde、self_query）"):
        compare_rewriting(base, QUESTIONS, with_retriever(base, **CURRENT))
    unasked = {"kind": "multi_query", "weight": 0, "base": {"kind": "bm25"}}
    with pytest.raises(SettingsError, match="没有改写问题的一步"):
        compare_rewriting(
            base,
            QUESTIONS,
            with_retriever(base, kind="hybrid", retrievers=[{"kind": "bm25"}, unasked]),
            writing=writing,
        )


def test_a_quote_that_stands_nowhere_is_refused_by_its_place(base: KnowledgeBase) -> None:
    settings = with_retriever(base, kind="multi_query", base=CURRENT)
    with pytest.raises(LoadError, match="在资料里找不到引文"):
        compare_rewriting(
            base, [Question("?a", ("No such words.",))], settings, writing=RunnableLambda(writing), answering=None
        )


async def test_an_expired_policy_and_a_rewriting_reach_neither_the_evidence_nor_the_prompt(base: KnowledgeBase) -> None:
    prompts: list[str] = []

    def note(prompt: Any) -> AIMessage:
        prompts.append(str(prompt))
        return answering(prompt)

    rewritings = {
        "multi_query": "opened goods may be returned at any time",
        "hyde": "Opened goods may be sent back whenever you like.",
    }
    for kind, text in rewritings.items():
        settings = with_retriever(base, kind=kind, k=2, base={"kind": "current", "base": {"kind": "hybrid"}})
        retriever = build_retriever(base, settings.retriever, chat=RunnableLambda(lambda _, text=text: text))
        chain = build_answer_chain(retriever, settings, chat=RunnableLambda(note))
        for answer in (chain.invoke(OPENED), await chain.ainvoke(OPENED)):
            assert [block.source for block in answer.evidence] == ["s2.md", "s1.md"]
            assert answer.citations[0].quote == S2
    assert len(prompts) == 4
    assert all(OPENED in prompt for prompt in prompts)
    assert not any("any time" in prompt or "sent back" in prompt or S4 in prompt for prompt in prompts)


def test_the_command_names_what_is_missing_before_any_model_is_asked(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, base: KnowledgeBase
) -> None:
    lines = [json.dumps({"question": question.text, "quotes": list(question.quotes)}) for question in QUESTIONS]
    (tmp_path / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ["youju", "eval", "rewriting", "q.jsonl", "--db", str(base.settings.store.path)]
    monkeypatch.setattr(sys, "argv", words)
    monkeypatch.setattr("youju.knowledge.base.KnowledgeBase.open", lambda *_, **__: base)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    assert "没有改写问题的一步" in capfd.readouterr().err


@pytest.mark.parametrize("as_json", [True, False])
def test_the_command_prints_a_table_or_json(
    as_json: bool,  # noqa: FBT001 - a column of the table
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    base: KnowledgeBase,
) -> None:
    import youju.models  # noqa: PLC0415 - a name of it is replaced

    def scripted(settings: Any) -> RunnableLambda[Any, Any]:
        return RunnableLambda(writing if settings.model == "openai:writes" else answering)

    monkeypatch.setattr(youju.models, "build_chat_model", scripted, raising=False)
    monkeypatch.setattr("youju.chains.answer.build_chat_model", scripted)
    monkeypatch.setattr("youju.knowledge.base.KnowledgeBase.open", lambda *_, **__: base)
    rows = [json.dumps({"question": question.text, "quotes": list(question.quotes)}) for question in QUESTIONS]
    (tmp_path / "q.jsonl").write_text("\n".join(rows), encoding="utf-8")
    config = {"kind": "multi_query", "k": 2, "base": CURRENT, "chat": {"model": "openai:writes"}}
    (tmp_path / "youju.yaml").write_text(json.dumps({"retriever": config}), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["youju", "eval", "rewriting", "q.jsonl", *(["--json"] if as_json else [])])
    with pytest.raises(SystemExit) as ended:
        main()
    out = capfd.readouterr().out
    assert not ended.value.code
    if as_json:
        found = json.loads(out)
        assert (found["recall"]["original"], found["supported"]) == (0.5, 0.5)
        return
    assert out.split("\n")[0].split() == ["multi_query，2", "个问题", "原问题", "只用改写", "合并", "回答有依据"]
    assert out.split("\n")[2].split() == ["Recall@2", "0.500", "0.500", "1.000", "0.500"]
    assert "改写：shipping days" in out
    assert "回答的状态：answered 1，rejected 1" in out
