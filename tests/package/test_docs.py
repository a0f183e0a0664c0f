"""The documentation names files, functions and layers that exist."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = (
    "docs/extend/architecture.md",
    "docs/reference/glossary.md",
    "docs/reference/api.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/use/studies.md",
    "docs/use/notebooks.md",
)
FOLDERS = r"(?:bba|tui|human|configs|assets|tests|docs|examples|benchmarks|\.github)/"
NAMED = re.compile(rf"({FOLDERS}[\w./-]*)(?::([A-Za-z_][\w.]*))?")  # a path, and with a colon a name in the file
LINKS = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def names_in(file: Path) -> set[str]:
    """The functions and classes of a module, methods as Class.method."""
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{part.name}" for part in node.body if isinstance(part, ast.FunctionDef)}
    return names


@pytest.mark.parametrize("page", PAGES)
def test_every_file_and_every_name_in_a_page_exists(page):
    for path, name in NAMED.findall(text_of(page)):
        file = ROOT / path.rstrip(".")
        assert file.exists(), f"{page}: {path}"
        assert not name or name.rstrip(".") in names_in(file), f"{page}: {path}:{name}"


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file(page):
    for target in LINKS.findall(text_of(page)):
        assert (ROOT / page).parent.joinpath(target).exists(), f"{page}: {target}"


def test_the_picture_shows_the_layers_of_the_contract_in_their_order():
    contracts = tomllib.loads(text_of("pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    shown = re.findall(r'font-weight="bold"[^>]*>([\w.]+)<', text_of("docs/extend/architecture.svg"))
    assert shown == [layer.split(" | ")[0] for layer in layers]


def test_every_page_is_linked_from_the_readme():
    linked = set(LINKS.findall(text_of("README.md")))
    assert {f"docs/{name}.md" for name in ("api", "architecture", "glossary", "studies")} <= linked


@pytest.mark.parametrize("picture", ["docs/start/watch.svg", "docs/start/what-if.svg"])
def test_pictures_of_screens_show_a_replan_and_leave_no_frame_to_the_readers_font(picture):
    text = re.sub("<[^>]*>", "", text_of(picture)).replace("&#160;", " ")
    assert "replan" in text
    assert "not opened yet" not in text
    assert not re.search("[╭╮╰╯─│█▀▄]", text)
