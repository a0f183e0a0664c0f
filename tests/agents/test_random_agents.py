"""What draws its skills at random is a yardstick: chance, and an ego that each switch reaches, at a cost."""

import pytest

from bba.agents import load_agent
from bba.agents.base import RANDOM_AGENTS
from bba.analysis import measure
from bba.kitchen import NO_SKILL
from bba.play import EGO, Game


def game(name, seed=0, horizon=600):
    return Game("open", name, "switching", seed, horizon=horizon, fast=True).run()


@pytest.mark.parametrize("name", RANDOM_AGENTS)
def test_it_draws_among_all_feasible_skills_and_by_its_seed(name):
    trace = game(name)
    assert {tick.skills[EGO] for tick in trace.ticks} > {4, 8, 10}
    assert NO_SKILL not in {tick.skills[EGO] for tick in trace.ticks}
    skills = [[tick.skills[EGO] for tick in game(name, seed).ticks] for seed in (0, 0, 1)]
    assert skills[0] == skills[1] != skills[2]
    assert load_agent(name).profile.agent == name


def test_chance_ends_each_skill_and_never_replans():
    trace = game("chance")
    assert not any(tick.decisions[EGO].replanned for tick in trace.ticks)
    assert measure(trace)["needless_replans"] == 0


def test_thrashing_reaches_every_switch_and_needless_replans_say_at_what_cost():
    found = measure(game("thrashing", horizon=2400))
    assert found["reached_30"] == 1.0
    assert found["replans"] > 500
    assert found["needless_replans"] > 100
    assert found["gap_rate"] > 0.3
