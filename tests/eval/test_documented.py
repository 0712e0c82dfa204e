"""What docs/splitters.md shows runs."""

import re
from pathlib import Path

import pytest

from youju import Settings
from youju.eval import load_questions
from youju.settings import AutoSplitterSettings

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "splitters.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def test_the_code_prints_figures_and_cut_sentences(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(block("python"), "docs/splitters.md", "exec"), {})  # noqa: S102 - running what is shown is the test
    fixed, statute, *places = capsys.readouterr().out.splitlines()
    assert fixed.startswith("fixed 18 ")
    assert statute.startswith("statute ")
    assert "小城的自来水.txt {'fixed': 81} ['statute'] 管网上装着四十一个远传压力计，" in "\n".join(places)


def test_the_settings_are_settings_and_the_question_is_a_question(tmp_path: Path) -> None:
    (tmp_path / "youju.yaml").write_text(block("yaml"), encoding="utf-8")
    assert Settings.load(tmp_path / "youju.yaml").splitter == AutoSplitterSettings()
    (tmp_path / "q.jsonl").write_text(block("json"), encoding="utf-8")
    assert load_questions(tmp_path / "q.jsonl")[0].source == "员工手册.md"


def test_every_kind_of_splitter_is_described() -> None:
    kinds = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    known = Settings.model_json_schema()["properties"]["splitter"]["discriminator"]["mapping"]
    assert set(known) <= set(kinds)
