"""Only the sentences that bear on the question, and where they stand."""

from typing import Any

import pytest
from langchain_core.documents import Document

from youju.chains import build_answer_chain
from youju.retrievers import CompressRetriever

TEXT = "员工手册共十章。年假为十天。食堂周日休息。  年假由主管审批。宿舍按月收费。"


def shortened(ranking: Any, question: str, text: str = TEXT, **options: Any) -> Document:
    base = ranking("甲")
    base.found = [Document(id="甲", page_content=text, metadata=options.pop("metadata", {}))]
    [found] = CompressRetriever(retriever=base, **options).invoke(question)
    assert isinstance(found, Document)
    return found


def test_sentences_are_kept_word_for_word_with_their_places(ranking: Any) -> None:
    whole = "前言。\n" + TEXT
    found = shortened(ranking, "年假有几天", metadata={"start": 4, "end": 4 + len(TEXT), "page": 3})
    assert found.page_content == "年假为十天。\n年假由主管审批。"
    assert [whole[start:end] for start, end in found.metadata["kept"]] == ["年假为十天。", "年假由主管审批。"]
    first, last = found.metadata["kept"]
    assert (found.metadata["start"], found.metadata["end"]) == (first[0], last[1])
    assert (found.id, found.metadata["page"]) == ("甲", 3)


def test_one_run_of_sentences_is_the_text_between_its_start_and_end(ranking: Any) -> None:
    found = shortened(ranking, "食堂几时休息", metadata={"start": 0, "end": len(TEXT)}, neighbours=1)
    assert found.page_content == "年假为十天。食堂周日休息。  年假由主管审批。"
    assert TEXT[found.metadata["start"] : found.metadata["end"]] == found.page_content


def test_without_places_the_kept_ones_count_in_the_document_itself(ranking: Any) -> None:
    found = shortened(ranking, "食堂几时休息")
    assert [TEXT[start:end] for start, end in found.metadata["kept"]] == ["食堂周日休息。"]
    assert "start" not in found.metadata


@pytest.mark.parametrize(
    "text", ["宿舍按月收费。停车免费。", "", "。。。", "| 年假 | 十天 |\n| --- | --- |\n| 病假 | 五天 |"]
)
def test_what_holds_no_word_of_the_question_or_a_table_stays_whole(ranking: Any, text: str) -> None:
    found = shortened(ranking, "年假有几天", text)
    assert found.page_content == text
    assert "kept" not in found.metadata


async def test_awaited_it_gives_the_same_and_no_more_than_k(ranking: Any) -> None:
    base = ranking("甲", "乙", "丙")
    retriever = CompressRetriever(retriever=base, k=2)
    assert [document.id for document in await retriever.ainvoke("问")] == ["甲", "乙"]
    assert await retriever.ainvoke("问") == retriever.invoke("问")


def test_an_answer_is_made_from_what_is_left(ranking: Any, settings: Any) -> None:
    base = ranking("甲")
    base.found = [Document(id="甲", page_content=TEXT, metadata={"source": "a.md", "start": 0, "end": len(TEXT)})]
    answer = build_answer_chain(CompressRetriever(retriever=base), settings).invoke("年假由谁审批")
    assert answer.answer == "年假由主管审批[资料1]。"
    assert "食堂" not in answer.evidence[0].text
