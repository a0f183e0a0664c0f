"""The notebook in examples/ runs, and shows what it says; it is stored without outputs."""

import os
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


def code_of(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_it_is_stored_without_outputs(file):
    notebook = nbformat.read(file, as_version=4)
    nbformat.validate(notebook)
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code_of(notebook))


@pytest.mark.thorough
def test_it_runs_and_shows_kitchen_game_belief_frame_tables_and_figure(monkeypatch, tmp_path):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    beside, temporary = tmp_path / "examples", tmp_path / "temporary"
    beside.mkdir()
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    notebook = nbformat.read(ROOT / "examples/first_steps.ipynb", as_version=4)
    NotebookClient(notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": beside}}).execute()
    assert list(beside.iterdir()) == []  # it writes nothing beside itself
    (folder,) = temporary.glob("bba-notebook-*")
    outputs = [output for cell in code_of(notebook) for output in cell.outputs]
    shown = [output.data for output in outputs if output.output_type == "execute_result"]
    assert ["image/svg+xml" in data for data in shown] == [True, False, True, False, False, False, True]
    assert [data.get("text/html", "")[:6] for data in shown] == ["", "<div c", "", "<div>\n", "<img s", "<h4>A ", ""]
    progress = "".join(output.text for output in outputs if output.output_type == "stream")
    assert "200/200" in progress
    assert (folder / "game.gif").read_bytes().startswith(b"GIF89a")
    assert (folder / "step.png").read_bytes().startswith(b"\x89PNG")
    assert (folder / "figure.svg").read_text().startswith("<svg")
