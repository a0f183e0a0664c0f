"""An agent with the rollout planner says whether its kernels are loaded, in a game that computes with plain ones."""

import pytest

from bba.agents import HumanAgent, SeatSpec, load_agent
from bba.planner import futures_are_compiled
from bba.planner.rollout import skill_comparison
from bba.play import Game
from tests.helpers import tiny_policies


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    return SeatSpec(planner="rollout", weights=tiny_policies.write(tmp_path_factory.mktemp("weights"), "planner"))


def rollout_game(options, agent="bayes-commit"):
    return Game("open", load_agent(agent, options), "switching", 3, horizon=40)


def test_a_game_is_ready_once_it_has_been_prepared_and_so_is_every_later_one(options):
    game = rollout_game(options)
    game.prepare()
    assert game.ready
    assert rollout_game(options, "proagent").ready
    assert futures_are_compiled()


@pytest.mark.thorough
def test_to_prepare_changes_no_game(options):
    one, other = rollout_game(options), rollout_game(options)
    other.prepare()
    one.run(), other.run()
    assert [tick.decisions for tick in one.trace.ticks] == [tick.decisions for tick in other.trace.ticks]
    compared = [tick.decisions[0].comparison for tick in one.trace.ticks if tick.decisions[0].comparison]
    assert compared
    assert all(comparison.seconds > 0 for comparison in compared)


def test_a_game_whose_kernels_are_not_loaded_is_not_ready(options, monkeypatch):
    monkeypatch.setattr(
        skill_comparison, "is_loaded", lambda function, **_: function is not skill_comparison.play_futures
    )
    assert not rollout_game(options).ready


@pytest.mark.parametrize("agents", [("bayes", "switching"), ("proagent", "bayes"), ("switching", HumanAgent(None))])
def test_other_games_are_ready_at_once(agents):
    assert Game("open", *agents, horizon=5).ready
