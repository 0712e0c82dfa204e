"""A refund policy as a PDF, from the file to the passages with their pages."""

import io
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from PIL import Image
from pypdf import PdfReader, PdfWriter
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from youju import KnowledgeBase, Settings
from youju.chains import build_ingest_chain
from youju.errors import ModelUnavailableError
from youju.retrievers import build_retriever

_PAGE_1 = ("会员订单自签收之日起15天内可以申请退货，", "普通订单自签收之日起7天内可以申请退货。")
_PAGE_2 = ("定制商品不支持无理由退货。", "审核通过后，退款在3个工作日内到账。")

Page = Sequence[str] | Literal["scan"]


@pytest.fixture
def policy(tmp_path: Path) -> Callable[..., Path]:
    """Writes a PDF of pages of lines, `"scan"` for a page that is an image, with a password if one is given."""

    def write(*pages: Page, password: str | None = None) -> Path:
        pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
        file = io.BytesIO()
        canvas = Canvas(file)
        for lines in pages:
            if lines == "scan":
                canvas.drawImage(ImageReader(Image.new("L", (60, 80), 200)), 0, 0, 590, 840)
            canvas.setFont("STSong-Light", 14)
            for number, line in enumerate(lines if lines != "scan" else ()):
                canvas.drawString(60, 780 - 24 * number, line)
            canvas.showPage()
        canvas.save()
        path = tmp_path / "docs" / "refund-policy.pdf"
        path.parent.mkdir(exist_ok=True)
        if password is None:
            path.write_bytes(file.getvalue())
        else:
            writer = PdfWriter(clone_from=PdfReader(file))
            writer.encrypt(password, algorithm="AES-256")
            writer.write(path)
        return path

    return write


def found(base: KnowledgeBase, question: str) -> list[tuple[int, str]]:
    return [(hit.metadata["page"], hit.page_content) for hit in build_retriever(base).invoke(question)]


def test_a_two_page_pdf_becomes_two_chunks_once(base: KnowledgeBase, policy: Callable[..., Path]) -> None:
    path = policy(_PAGE_1, _PAGE_2)
    report = build_ingest_chain(base).invoke(path)
    assert report.failures == []
    assert [(record.source, record.units) for record in base.files()] == [("refund-policy.pdf", 2)]
    assert report.chunks.model_dump() == {"added": 2, "deleted": 0, "reused": 0, "total": 2}
    again = build_ingest_chain(base).invoke(path)
    assert again.chunks.model_dump() == {"added": 0, "deleted": 0, "reused": 2, "total": 2}
    assert again.embedded == 0
    assert [document.metadata["location"] for document in base.documents()] == [
        "refund-policy.pdf 第 1 页",
        "refund-policy.pdf 第 2 页",
    ]
    assert "不支持" in base.documents()[1].page_content


def test_another_process_finds_the_page_by_the_built_in_model_when_the_pdf_is_gone(
    settings: Settings, policy: Callable[..., Path]
) -> None:
    path = policy(_PAGE_1, _PAGE_2)
    base = KnowledgeBase.open(settings)
    build_ingest_chain(base).invoke(path)
    base.close()
    path.unlink()
    code = """
import json, sys
from youju import KnowledgeBase, Settings
from youju.retrievers import build_retriever
base = KnowledgeBase.open(Settings.model_validate({"store": {"path": sys.argv[1]}}))
hits = build_retriever(base).invoke("会员买的非定制商品，签收10天后还能申请退货吗？")
print(json.dumps([[hit.metadata["page"], hit.metadata["ranks"], hit.metadata["score"]] for hit in hits]))
"""
    run = subprocess.run([sys.executable, "-c", code, settings.store.path], capture_output=True, text=True, check=True)
    hits = json.loads(run.stdout)
    assert [page for page, _, _ in hits] == [1, 2]
    assert hits[0][1] == {"bm25": 1, "vector": 1}
    assert hits[0][2] > hits[1][2] > 0


def test_a_changed_page_is_found_only_in_its_new_text_and_in_the_old_one_until_it_is_embedded(
    base: KnowledgeBase, policy: Callable[..., Path], stub_embeddings: Any
) -> None:
    build_ingest_chain(base).invoke(policy(_PAGE_1, _PAGE_2))
    changed = policy([line.replace("15", "20") for line in _PAGE_1], _PAGE_2)
    stub_embeddings.error = ModelUnavailableError("连不上服务")
    report = build_ingest_chain(base).invoke(changed)
    assert [(failure.source, failure.reason) for failure in report.failures] == [("refund-policy.pdf", "连不上服务")]
    pages = dict(found(base, "会员退货天数"))
    assert "15天" in pages[1]
    assert "20天" not in pages[1]
    stub_embeddings.error = None
    report = build_ingest_chain(base).invoke(changed)
    assert report.chunks.model_dump() == {"added": 1, "deleted": 1, "reused": 1, "total": 2}
    hits = found(base, "会员退货天数")
    assert sum("20天" in text for _, text in hits) == 1
    assert not any("15天" in text for _, text in hits)


def test_a_model_that_fails_midway_through_a_file_leaves_the_whole_old_file(
    settings: Settings, policy: Callable[..., Path], stub_embeddings: Any
) -> None:
    settings = Settings.model_validate({"store": settings.store, "embeddings": {"batch_size": 1}})
    base = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    build_ingest_chain(base).invoke(policy(_PAGE_1, _PAGE_2))
    stub_embeddings.error = ModelUnavailableError("连不上服务")
    stub_embeddings.fails_on = lambda text: "定制" in text
    changed = [[line.replace("天", "日") for line in page] for page in (_PAGE_1, [*_PAGE_2, "新的一句话。"])]
    build_ingest_chain(base).invoke(policy(*changed))
    assert stub_embeddings.texts[-1].count("日内可以申请") == 2  # page 1 was embedded before page 2 failed
    texts = [text for _, text in found(base, "退货申请")]
    assert len(texts) == 2
    assert not any("日内可以申请" in text or "新的一句话" in text for text in texts)
    base.close()


def test_a_pdf_with_a_password_is_named_and_nothing_of_it_is_stored(
    base: KnowledgeBase, policy: Callable[..., Path]
) -> None:
    policy(_PAGE_1, _PAGE_2, password="secret")
    report = build_ingest_chain(base).invoke("docs")
    [failure] = report.failures
    assert failure.source == "refund-policy.pdf"
    assert "密码" in failure.reason
    assert (report.files.failed, report.files.new, base.count(), base.files()) == (1, 0, 0, [])


def test_a_page_without_text_is_named_by_its_number_at_every_run_and_the_others_are_taken_in(
    base: KnowledgeBase, policy: Callable[..., Path]
) -> None:
    policy(_PAGE_1, "scan", _PAGE_2)
    for _ in range(2):
        report = build_ingest_chain(base).invoke("docs")
        assert [failure.source for failure in report.failures] == ["refund-policy.pdf"]
        assert "第 2 页" in report.failures[0].reason
        assert report.files.failed == 0
        assert [document.metadata["page"] for document in base.documents()] == [1, 3]
