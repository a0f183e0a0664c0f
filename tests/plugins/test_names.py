"""Names of plug-ins: what they may look like, and one line for each that leads nowhere."""

from importlib.metadata import EntryPoint

import pytest

from bba.agents import load_agent
from bba.agents.registry import check_agent
from bba.errors import BBAError
from bba.plugins import is_plugin_name, load_plugin
from bba.plugins.used import GROUP, installed
from tests.helpers.plugin_files import write_plugins
from tui.cli import main

LEARNED_NAME = "bp:G1-1"


@pytest.fixture
def installed_random(monkeypatch, tmp_path):
    """A name that an installed package adds: `rand`, from a module on the path."""
    write_plugins(tmp_path, name="installed_outside.py")
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("agent.rand", "installed_outside:Random", GROUP)
    monkeypatch.setattr("bba.plugins.used._entry_points", lambda: [entry])
    installed.cache_clear()
    yield
    installed.cache_clear()


@pytest.mark.parametrize("name", ["mine.agents:Greedy", "mine:Greedy", "a/b.py:X", "./mine.py:Greedy"])
def test_a_module_or_a_file_with_a_name_after_a_colon_is_a_plug_in(name):
    assert is_plugin_name("agent", name)


@pytest.mark.parametrize(
    "name", ["bayes", LEARNED_NAME, "mine", "mine:", ":Greedy", "mine agents:Greedy", "mine.txt/x:2"]
)
def test_other_names_are_none(name):
    assert not is_plugin_name("agent", name)


def test_a_built_in_name_with_a_colon_stays_built_in():
    assert load_agent(LEARNED_NAME).profile.plugins == ()


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nowhere_at_all:Greedy", "no module named nowhere_at_all, neither installed nor in "),
        ("nowhere.py:Greedy", "there is no file nowhere.py"),
        ("{file}:Randon", "has no Randon; the nearest is Random"),
        ("{file}:Halfway", "an agent has reset, observe, decide, commit; it lacks observe, decide, commit"),
        ("{file}:constants", "takes a class or a function, not module"),
    ],
)
def test_a_name_that_leads_nowhere_is_one_line_that_says_what_was_expected(name, problem, tmp_path):
    with pytest.raises(BBAError) as error:
        load_agent(name.format(file=write_plugins(tmp_path)))
    assert problem in str(error.value)
    assert "\n" not in str(error.value)


def test_an_unknown_name_without_a_colon_is_a_mistake_in_the_option_as_before():
    with pytest.raises(BBAError, match=r"^--agent: no agent named 'bays'"):
        check_agent("bays", "--agent")


def test_a_module_that_cannot_be_imported_is_one_line_with_its_place(tmp_path):
    file = write_plugins(tmp_path, "import math\nmath.nothing\n")
    with pytest.raises(BBAError, match=r"cannot be imported: AttributeError: .*nothing'? \(outside.py, line 2\)$"):
        load_plugin("agent", f"{file}:Random")


def test_a_module_in_the_working_folder_is_found(monkeypatch, tmp_path):
    write_plugins(tmp_path, name="beside_the_sweep.py")
    monkeypatch.chdir(tmp_path)
    assert load_agent("beside_the_sweep:Random").profile.agent == "beside_the_sweep:Random"
    assert not (tmp_path / "__pycache__").exists()


def test_an_installed_package_adds_a_name(installed_random):
    profile = load_agent("rand").profile
    assert (profile.agent, profile.plugins[0].name) == ("rand", "rand")


def test_the_list_says_where_an_installed_plug_in_comes_from(installed_random, capsys):
    assert main(["--list"]) == 0
    assert "plug-ins: agent\n  rand                    from installed_outside:Random\n" in capsys.readouterr().out
