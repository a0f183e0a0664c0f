"""Mistakes in a plug-in's constructor, its options, its files and its smaller methods: one line that says which."""

import pytest

from bba.agents import SeatSpec, load_agent
from bba.errors import BBAError
from bba.play import Game
from bba.plugins import PluginError
from tests.helpers.plugin_files import SOURCE, write_plugins

MORE = """

class Needy(Random):
    def __init__(self, count: int) -> None:
        raise RuntimeError("no such weights")


class Odd(Random):
    def __init__(self, thing: "Nowhere") -> None:
        super().__init__()


class FailsAtReset(Random):
    def reset(self, context):
        raise RuntimeError("reset it")


class FailsToCommit(Random):
    def commit(self, observation, decision):
        raise RuntimeError("commit it")


class FailsToObserve(Random):
    def observe(self, observation):
        raise RuntimeError("observe it")


class Leaves(Random):
    def decide(self, observation):
        raise SystemExit(3)
"""


@pytest.fixture
def outside(tmp_path):
    return write_plugins(tmp_path, SOURCE + MORE)


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("Needy", {}, "option count is missing; there is count (int)"),
        ("Needy", {"count": 1}, "RuntimeError: no such weights (outside.py, line "),
        ("Odd", {}, "Nowhere"),
        ("lonely", {}, "option observation is missing (of a function, which makes an agent: it is not asked for"),
        ("First", {}, "an agent has reset, observe, decide, commit; it lacks reset, observe, decide, commit"),
        ("KITCHENS", {}, "agent: takes a class or a function, not str"),
    ],
)
def test_what_cannot_be_made_is_one_line(outside, name, options, problem):
    with pytest.raises(BBAError) as refused:
        load_agent(f"{outside}:{name}", SeatSpec(agent_options=options))
    assert str(refused.value).startswith(f"{outside}:{name}: ")
    assert problem in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_planner_that_lacks_its_method_is_told_what_the_method_does(outside):
    with pytest.raises(BBAError) as refused:
        load_agent("bayes", SeatSpec(planner=f"{outside}:Leaves"))
    assert str(refused.value).endswith(
        ":Leaves: a planner has complete(messages), which returns the answer; it lacks that"
    )


@pytest.mark.parametrize("method", ["reset", "observe", "commit"])
def test_an_exception_in_any_method_names_it_and_keeps_its_traceback(outside, method):
    name = f"{outside}:Fails{'At' if method == 'reset' else 'To'}{method.capitalize()}"
    with pytest.raises(PluginError, match=rf"{method}.*: RuntimeError: {method} it \(outside\.py, line ") as refused:
        Game("open", load_agent(name), "switching", 0, horizon=9).run()
    assert f'raise RuntimeError("{method} it")' in refused.value.details


def test_one_that_ends_its_process_costs_its_episode_only(outside):
    with pytest.raises(PluginError, match=r":Leaves: decide in step 1: SystemExit: 3 \(outside\.py, line "):
        Game("open", load_agent(f"{outside}:Leaves"), "switching", 0, horizon=9).run()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("def f(:", "cannot be imported: SyntaxError: invalid syntax (outside.py, line 1)"),
        ("import sys\nsys.exit('usage: ...')", "cannot be imported: SystemExit: usage: ... (outside.py, line 2)"),
    ],
)
def test_a_file_that_cannot_be_imported_is_one_line_with_the_place(tmp_path, text, problem):
    name = f"{write_plugins(tmp_path, text)}:Random"
    with pytest.raises(BBAError) as refused:
        load_agent(name)
    assert str(refused.value) == f"{name}: {problem}"


def test_a_file_that_it_lists_and_that_is_not_there_is_one_line(tmp_path):
    listing = SOURCE + 'PLUGIN_FILES = ["policy.zip"]\n'
    name = f"{write_plugins(tmp_path, listing)}:Random"
    with pytest.raises(BBAError, match=r"policy\.zip: cannot be read: No such file or directory$"):
        load_agent(name)
