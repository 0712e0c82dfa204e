"""Notebooks run from top to bottom, without network and without warnings, and say what they should."""

import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode

FOLDER = Path(__file__).parent.parent / "notebooks"
GUARD = """
import socket
class _Closed(socket.socket):
    def connect(self, address):
        if self.family != socket.AF_UNIX:
            raise OSError(f"the notebook asked for the network: {address}")
        return super().connect(address)
    connect_ex = connect
socket.socket = _Closed
"""
"""Runs before the first cell; what the kernel says to the test goes over sockets in files."""


@pytest.fixture
def surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kernel's own files in folders of the test; names of sockets must be short."""
    with tempfile.TemporaryDirectory() as runtime:
        monkeypatch.setenv("JUPYTER_RUNTIME_DIR", runtime)
        monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")
        monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
        monkeypatch.setenv("MPLCONFIGDIR", str(tmp_path / "matplotlib"))
        yield


def run(path: Path) -> NotebookNode:
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(GUARD))
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(FOLDER)}})
    manager = client.create_kernel_manager()
    manager.transport = "ipc"  # sockets that are files, the only ones that tests may open
    manager.ip = str(Path(os.environ["JUPYTER_RUNTIME_DIR"]) / "k")  # or they would be relative, to two folders
    return client.execute()


def printed(notebook: NotebookNode) -> str:
    """All that the cells print, images and tables left out."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.usefixtures("surroundings")
def test_the_comparison_of_splitters_runs_and_tells_them_apart() -> None:
    notebook = run(FOLDER / "01_compare_splitters.ipynb")
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert [output.get("text") for output in outputs if output.get("name") == "stderr"] == []
    said = printed(notebook)
    assert "小城的自来水.txt：3108 字" in said
    rows = {row[0]: row[1:] for row in (line.split() for line in said.splitlines()) if len(row) == 9}
    assert set(rows) == {"fixed", "recursive", "sentence", "semantic", "markdown", "statute", "auto", "parent"}
    assert all(int(row[4]) <= 300 for row in rows.values())  # no chunk is longer than was asked for
    assert int(rows["fixed"][6]) > int(rows["sentence"][6])
    told_apart = re.search(r"fixed 切断而 semantic 保全的：(\d+) 处", said)
    assert told_apart is not None
    assert int(told_apart[1]) >= 2
    figures = re.findall(
        r"^(\w+) +([01]\.\d{3}) +([01]\.\d{3}) +([01]\.\d{3}) +([01]\.\d{3}) +(\d+)$", said, re.MULTILINE
    )
    assert [figure[0] for figure in figures] == list(rows)
    assert all(0 < float(one) <= float(five) <= float(ten) <= 1 for _, one, five, ten, _, _ in figures)
    assert "13 个问题，bm25" in said
    assert re.search(r"^私自移动水表罚多少钱？ fixed 1　.*statute —", said, re.MULTILINE)
    (table, _) = (output.data["text/html"] for output in outputs if "text/html" in output.get("data", {}))
    assert table.count("<td") == 3
    assert len([output for output in outputs if "image/png" in output.get("data", {})]) == 1
