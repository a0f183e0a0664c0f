"""The documents name files, functions and layers that exist, say what the code says, and keep to their length."""

import ast
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from bba.kitchen import observation
from bba.kitchen.constants import SKILL_NAMES

ROOT = Path(__file__).parents[2]
SITE = tuple(sorted(str(page.relative_to(ROOT)) for page in (ROOT / "docs").rglob("*.md")))
PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", *SITE)
PARTS = ("start", "understand", "use", "extend", "reference", "results")
TOTAL = 37_800
WORDS = {
    "README.md": 900,
    "CHANGELOG.md": 1_920,
    "docs/results/reproduction.md": 3_150,
}  # at most, by `wc -w`
FOLDERS = r"(?:bba|tui|human|configs|assets|tests|docs|examples|benchmarks|\.github)/"
ID = r"[A-Z]\w*-v\d"  # of an environment, as bba/Open-v0: no path
NAMED = re.compile(
    rf"({FOLDERS}(?!{ID})[\w./-]*)(?::([A-Za-z_][\w.]*))?"
)  # a path, and with a colon a name in the file
# References to look things up in, made as a whole from the code: their words are the code's and do not count.
GENERATED = ("docs/reference/names.md", "docs/reference/skills.md", "docs/reference/observation.md")
LINKS = re.compile(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@cache
def names_in(file: Path) -> set[str]:
    """The functions, classes and tables of a module, methods as Class.method."""
    names = set()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
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
    app, core = (contract["layers"] for contract in contracts[:2])
    layers = [*app[:-1], *(f"{app[-1]}.{layer}" for layer in core)]
    shown = re.findall(r'font-weight="bold"[^>]*>([\w.]+)<', text_of("docs/extend/architecture.svg"))
    assert shown == [layer.split(" | ")[0] for layer in layers]


def test_whoever_reads_the_readme_is_sent_to_each_part_and_to_the_idea():
    linked = set(LINKS.findall(text_of("README.md")))
    assert {target.split("/")[1] for target in linked if target.endswith(".md") and "/" in target} == set(PARTS)
    assert "examples/the_idea.py" in linked
    assert {f"docs/{page}.md" for page in ("extend/architecture", "reference/glossary", "use/studies")} <= linked


def test_every_page_is_in_the_menu_of_the_site():
    menu = re.findall(r"[\w/-]+\.md", text_of("mkdocs.yml").partition("nav:")[2])
    assert sorted(f"docs/{page}" for page in menu) == list(SITE)
    assert {page.split("/")[0] for page in menu} == {*PARTS, "index.md", "performance.md"}


def test_links_and_anchors_of_the_site_lead_somewhere(tmp_path):
    pytest.importorskip("zensical")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    built = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout + built.stderr
    assert (tmp_path / "site" / "start" / "tour" / "index.html").exists()


def test_what_is_made_from_the_code_is_what_the_code_says():
    made = runpy.run_path(str(ROOT / "docs/pages.py"))["made"]()
    other = [file.name for file, text in made.items() if file.read_text(encoding="utf-8") != text]
    assert other == [], "run: python docs/pages.py"


def test_the_pages_of_skills_and_inputs_name_every_skill_and_every_place():
    skills, inputs = text_of("docs/reference/skills.md"), text_of("docs/reference/observation.md")
    assert all(f"| {number} | `{name}` |" in skills for number, name in enumerate(SKILL_NAMES))
    assert "| 25 | `PASS_OBJECT` | pass it on | stage_pass | empty pass counter | any item |" in skills
    places = (0, observation.ORDERS, observation.TEAM, observation.REACH, observation.STATIONS)
    assert all(f"\n| {place} | " in inputs for place in places)
    assert f"\n| {observation.STATIONS} + {observation.STATION_SIZE} S | counters | {observation.ITEM_SIZE} |" in inputs


def test_the_documents_keep_to_their_words():
    counts = {page: len(text_of(page).split()) for page in PAGES if page not in GENERATED}
    assert {page: count for page, count in counts.items() if count > WORDS.get(page, TOTAL)} == {}
    assert sum(counts.values()) <= TOTAL


@pytest.mark.parametrize("picture", ["docs/start/watch.svg", "docs/start/what-if.svg"])
def test_pictures_of_screens_show_a_replan_and_leave_no_frame_to_the_readers_font(picture):
    text = re.sub("<[^>]*>", "", text_of(picture)).replace("&#160;", " ")
    assert "replan" in text
    assert "not opened yet" not in text
    assert not re.search("[╭╮╰╯─│█▀▄]", text)
