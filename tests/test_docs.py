"""What the documents show is what the program does."""

import re
import shutil
from pathlib import Path

import pytest

from youju import Settings

ROOT = Path(__file__).parent.parent
READMES = ["README.md", "README.zh-CN.md"]


def blocks(readme: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / readme).read_text(encoding="utf-8"), re.DOTALL)


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The example documents under the working folder, as the READMEs name them."""
    return Path(shutil.copytree(ROOT / "examples" / "docs", tmp_path / "examples" / "docs"))


@pytest.mark.parametrize("readme", READMES)
def test_the_code_of_the_readme_runs(readme: str, examples: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert examples.is_dir()
    (code,) = blocks(readme, "python")
    exec(compile(code, readme, "exec"), {})  # noqa: S102 - running what is printed there is the test
    printed = capsys.readouterr().out
    assert "partial" in printed
    assert "每年有10天年假" in printed
    assert "关于“婚假有几天”，资料中未提及。" in printed
    assert "员工手册.md › 员工手册 > 请假 > 年假" in printed


@pytest.mark.parametrize("readme", READMES)
def test_the_settings_of_the_readme_are_settings_and_the_defaults(readme: str, tmp_path: Path) -> None:
    defaults, own_server = blocks(readme, "yaml")
    (tmp_path / "a.yaml").write_text(defaults, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(own_server, encoding="utf-8")
    shown = Settings.load("a.yaml")
    assert shown.model_copy(update={"retriever": Settings().retriever}) == Settings()
    assert shown.retriever == Settings.load(overrides={"retriever.k": 5}).retriever
    assert Settings.load("b.yaml").chat.model == "openai:my-model"


@pytest.mark.parametrize("readme", READMES)
def test_the_session_of_the_readme_is_what_the_command_prints(
    readme: str, examples: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    import shlex  # noqa: PLC0415 - only here
    import sys  # noqa: PLC0415 - only here

    from youju.cli import main  # noqa: PLC0415 - only here

    assert examples.is_dir()
    session = next(block for block in blocks(readme, "console") if "youju ingest" in block)
    for step in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, expected = step.partition("\n")
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
        on_the_terminal = "".join(capfd.readouterr())
        printed = re.sub(r"用时 [\d.]+ 秒", "用时 1.6 秒", on_the_terminal)
        assert printed.strip() == expected.strip()
