"""The package that new-agent writes, and the check of an agent: what it finds in a good one and in bad ones."""

import runpy
from functools import partial

import pytest

from bba.agents import SeatSpec
from bba.bench import agent_check
from bba.bench.agent_check import check_agent, write_new_agent
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.errors import BBAError
from tests.helpers.plugin_files import write_plugins
from tui.cli import main

BAD = """
import random
from bba.kitchen.constants import NO_SKILL, SKILL_STAY


class Fine:
    def reset(self, context):
        self.choices = 0

    def observe(self, observation):
        pass

    def decide(self, observation):
        return None if observation.running != NO_SKILL else observation.feasible()[self.choices % 3]

    def commit(self, observation, decision):
        self.choices += decision.chosen


class Dice(Fine):
    def decide(self, observation):
        return random.choice(observation.feasible()) if observation.running == NO_SKILL else None


class Counting(Fine):
    def decide(self, observation):
        chosen = super().decide(observation)
        self.choices += chosen is not None
        return chosen

    def commit(self, observation, decision):
        pass


class Remembering(Fine):
    games = 0

    def reset(self, context):
        super().reset(context)
        self.games += 1

    def decide(self, observation):
        return super().decide(observation) if self.games == 1 or observation.running != NO_SKILL else SKILL_STAY


class Shared(Fine):
    def copy(self):
        return type(self)()


class First(Fine):
    def decide(self, observation):
        return 0
"""


def problems(tmp_path, name):
    path = write_plugins(tmp_path, BAD, "checked.py")
    return {
        check.name: check.problem for check in check_agent(f"{path}:{name}", steps=20, worker=False) if check.problem
    }


def test_the_package_holds_an_agent_that_passes_and_a_sweep_that_can_be_planned(tmp_path, monkeypatch):
    folder = write_new_agent("a_cook_of_mine", tmp_path)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    checks = check_agent("a_cook_of_mine.agent:ACookOfMine", {"waiting": "0.5"}, steps=20, worker=False)
    assert [check.problem for check in checks if check.problem] == []
    assert len(checks) >= 7
    plan = plan_sweep(load_sweep("sweep.toml"), SeatSpec())
    assert {entry.agent for entry in plan.entries} == {"bayes-no-belief", "a_cook_of_mine.agent:ACookOfMine"}


def test_its_own_test_passes(tmp_path, monkeypatch):
    folder = write_new_agent("tested_cook", tmp_path)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setattr(agent_check, "check_agent", partial(check_agent, steps=20, worker=False))
    runpy.run_path(str(folder / "tests" / "test_agent.py"))["test_it_is_an_agent"]()


@pytest.mark.parametrize("name", ["Mine", "1st", "my-agent", "", "../x"])
def test_a_name_that_no_package_can_have_is_one_line(tmp_path, name):
    with pytest.raises(BBAError, match=r"new-agent: got .*; a name has small letters, digits and underscores"):
        write_new_agent(name, tmp_path)


def test_nothing_that_is_there_is_written_over(tmp_path):
    (tmp_path / "mine").mkdir()
    with pytest.raises(BBAError, match="is there already"):
        write_new_agent("mine", tmp_path)


def test_the_commands_say_what_to_do_next_and_what_was_found(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new-agent", "next_cook"]) == 0
    assert "bba-tui watch open --agent next_cook.agent:NextCook" in capsys.readouterr().out
    assert main(["check-agent", f"{write_plugins(tmp_path, BAD, 'checked.py')}:Halfway"]) == 2
    told = capsys.readouterr()
    assert told.out.startswith("FAILED  made by its name: ")
    assert "does not keep 1 of the promises" in told.err


@pytest.mark.thorough
def test_an_agent_that_keeps_its_promises_passes(tmp_path):
    assert problems(tmp_path, "Fine") == {}


def test_one_with_dice_of_its_own_does_not_play_the_same_game_again(tmp_path):
    dice = agent_check._Subject(f"{write_plugins(tmp_path, BAD, 'checked.py')}:Dice", {}, steps=120)
    with pytest.raises(BBAError, match="plays otherwise"):
        dice.check_same_seed()


def test_one_that_counts_while_it_decides_is_found(tmp_path):
    assert "deciding changes nothing" in problems(tmp_path, "Counting")


def test_one_that_remembers_the_last_game_is_found(tmp_path):
    assert "another reset plays otherwise" in problems(tmp_path, "Remembering")["same game under the same seed"]


@pytest.mark.thorough
def test_a_copy_that_forgets_is_found(tmp_path):
    assert "a copy goes on in the same way" in problems(tmp_path, "Shared")


def test_a_choice_that_is_not_feasible_is_named_with_its_kitchen_and_seat(tmp_path):
    assert "chose skill 0, which is not feasible" in problems(tmp_path, "First")["plays both seats of every kitchen"]
