"""The names that others rely on: they import, docs/reference/api.md lists them, and documented code runs."""

import ast
import importlib
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import bba

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/reference/api.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \|.*\| `([\w.]+)` \|$", PAGE, re.MULTILINE))  # name -> module
STUB = ast.parse((ROOT / "bba/__init__.pyi").read_text(encoding="utf-8"))
MODULES = {
    alias.name: f"bba.{node.module}" for node in STUB.body if isinstance(node, ast.ImportFrom) for alias in node.names
}
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# Those that need neither torch nor an argument; the tests of a study's tables run the one that reads them.
QUICK = [file for file in EXAMPLES if not re.search(r"sb3_contrib|sys\.argv", file.read_text(encoding="utf-8"))]
OLD_PATHS = [
    ("bba.play", "Game"),
    ("bba.play", "load_agent"),
    ("bba.kitchen", "Kitchen"),
    ("bba.kitchen", "Layout"),
    ("bba.kitchen", "Action"),
    ("bba.kitchen", "Skill"),
    ("bba.kitchen", "Item"),
    ("bba.kitchen.batch", "KitchenBatch"),
    ("bba.kitchen.env", "parallel_env"),
    ("bba.agents", "Decision"),
]


def run(program: str, folder: Path) -> str:
    """What a program prints that is run in a folder of its own."""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MPLBACKEND": "agg"}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_lists_exactly_the_public_names():
    assert sorted(ROWS) == sorted(bba.__all__) == sorted(MODULES)


@pytest.mark.parametrize("name", bba.__all__)
def test_every_public_name_is_what_its_module_has(name):
    assert getattr(bba, name) is getattr(importlib.import_module(MODULES[name]), name)
    assert ROWS[name] == MODULES[name]


def test_the_package_lists_its_names_and_refuses_others():
    assert set(bba.__all__) <= set(dir(bba))
    with pytest.raises(AttributeError, match="No bba attribute kitchens"):
        _ = bba.kitchens


@pytest.mark.parametrize(("module", "name"), OLD_PATHS)
def test_names_are_where_they_were(module, name):
    assert hasattr(importlib.import_module(module), name)


def test_the_readme_runs(tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    run("\n".join(blocks), tmp_path)


@pytest.mark.parametrize("example", QUICK, ids=lambda file: file.stem)
def test_every_example_runs_and_prints_something(example, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    runpy.run_path(str(example), run_name="__main__")
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda file: file.stem)
def test_examples_use_only_the_public_names(example):
    source = example.read_text(encoding="utf-8")
    used = [name for names in re.findall(r"^from bba import (.+)$", source, re.MULTILINE) for name in names.split(", ")]
    assert set(used) <= set(bba.__all__)
    assert "from bba." not in source
    assert "import bba" not in source
