"""What is fitted to a base is kept beside it, and goes when the base is made in another way."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from youju import KnowledgeBase, Settings
from youju.errors import KnowledgeBaseBusyError, KnowledgeBaseError, KnowledgeBaseNotFoundError
from youju.knowledge.folder import BaseFolder


def calibration_file(base: KnowledgeBase) -> Path:
    return base.folder / "calibration.json"


def test_values_are_kept_by_name_and_read_by_every_process(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings
) -> None:
    assert base.calibration("gate") is None  # there is no base yet
    put(base, "a.txt", "年假为十天。")
    assert base.calibration("gate") is None
    base.store_calibration("gate", {"threshold": 0.25})
    base.store_calibration("grounding", [1, "二"])
    base.store_calibration("gate", {"threshold": 0.5})
    other = KnowledgeBase.open(settings, embeddings=stub_embeddings)
    assert (other.calibration("gate"), other.calibration("grounding")) == ({"threshold": 0.5}, [1, "二"])
    put(base, "b.txt", "病假为五天。")
    assert base.calibration("gate") == {"threshold": 0.5}  # files may come and go


def test_without_a_base_nothing_can_be_kept(base: KnowledgeBase) -> None:
    with pytest.raises(KnowledgeBaseNotFoundError, match="请先运行 youju ingest"):
        base.store_calibration("gate", {})
    assert not base.folder.exists()


def test_while_another_process_writes_nothing_is_kept(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings
) -> None:
    put(base, "a.txt", "年假为十天。")
    hasty = settings.model_copy(update={"store": settings.store.model_copy(update={"lock_timeout": 0.0})})
    other = KnowledgeBase.open(hasty, embeddings=stub_embeddings)
    with BaseFolder(settings.store).locked(), pytest.raises(KnowledgeBaseBusyError):
        other.store_calibration("gate", {})
    assert base.calibration("gate") is None


def test_a_rebuild_in_the_same_way_keeps_it_and_one_in_another_way_drops_it_and_says_so(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Embeddings, caplog: pytest.LogCaptureFixture
) -> None:
    put(base, "a.txt", "年假为十天。")
    base.store_calibration("gate", {"threshold": 0.5})
    with caplog.at_level(logging.WARNING, "youju"):
        again = KnowledgeBase.open(settings, embeddings=stub_embeddings, rebuild=True)
        put(again, "a.txt", "年假为十天。")
        assert (again.calibration("gate"), caplog.messages) == ({"threshold": 0.5}, [])
        other_splitter = Settings.model_validate({**settings.model_dump(), "splitter": {"kind": "fixed"}})
        anew = KnowledgeBase.open(other_splitter, embeddings=stub_embeddings, rebuild=True)
        put(anew, "a.txt", "年假为十天。")
    assert anew.calibration("gate") is None
    assert not calibration_file(anew).exists()
    assert caplog.messages == [
        "知识库换了建法，原来校准的门槛不再适用，已经删掉；要用请再运行一次 youju eval calibrate"
    ]


def test_a_rebuild_that_fails_drops_nothing(
    base: KnowledgeBase, put: Any, settings: Settings, stub_embeddings: Any
) -> None:
    put(base, "a.txt", "年假为十天。")
    base.store_calibration("gate", {"threshold": 0.5})
    other_splitter = Settings.model_validate({**settings.model_dump(), "splitter": {"kind": "fixed"}})
    anew = KnowledgeBase.open(other_splitter, embeddings=stub_embeddings, rebuild=True)
    stub_embeddings.error = RuntimeError("no")
    with pytest.raises(RuntimeError):
        put(anew, "b.txt", "病假为五天。")
    assert base.calibration("gate") == {"threshold": 0.5}


def test_values_of_a_base_made_otherwise_are_not_read_and_are_replaced(base: KnowledgeBase, put: Any) -> None:
    put(base, "a.txt", "年假为十天。")
    base.store_calibration("gate", {"threshold": 0.5})
    kept = json.loads(calibration_file(base).read_text(encoding="utf-8"))
    kept["made_with"]["embeddings"] = "another"
    calibration_file(base).write_text(json.dumps(kept), encoding="utf-8")
    assert base.calibration("gate") is None
    base.store_calibration("grounding", 1)
    assert (base.calibration("gate"), base.calibration("grounding")) == (None, 1)


@pytest.mark.parametrize("text", ["{", "[]", "null", ""])
def test_a_damaged_file_is_named_and_can_be_written_anew(base: KnowledgeBase, put: Any, text: str) -> None:
    put(base, "a.txt", "年假为十天。")
    calibration_file(base).write_text(text, encoding="utf-8")
    with pytest.raises(KnowledgeBaseError, match=r"calibration\.json。请再运行一次 youju eval calibrate，或删掉它"):
        base.calibration("gate")
    base.store_calibration("gate", 1)
    assert base.calibration("gate") == 1


def test_the_models_name_is_known_without_the_model(base: KnowledgeBase, settings: Settings) -> None:
    assert base.embeddings_name == "StubEmbeddings"
    assert KnowledgeBase.open(settings).embeddings_name == "e5"
