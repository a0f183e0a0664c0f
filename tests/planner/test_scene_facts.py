"""The facts of a scene: taken from what a prompt is made of, they are those that are read from the prompt."""

import pytest

from bba.agents.base import Observation
from bba.agents.perception import planner_input_from
from bba.kitchen import Layout, constants
from bba.planner import Prompts
from bba.planner.scripted.prompt_parser import parse_prompt
from bba.planner.scripted.scene_facts import facts_of
from bba.play import Game

PROMPTS = Prompts.load()
LAYOUTS = ("open", "ring", "burrito", "forced_coordination")


def assert_both_ways_agree(layout: str, seed: int, steps: int) -> int:
    """Plays a game and compares the facts of both players at every step; returns the number of situations."""
    trace = Game(layout, "switching", "switching", seed, horizon=steps, fast=True).run()
    kitchen, situations = Layout.load(layout), 0
    for state in (trace.start, *(tick.state for tick in trace.ticks)):
        for player in (0, 1):
            observation = Observation(player, kitchen, None, state, constants.NO_SKILL, 0, constants.RUNNING, True)
            planner_input = planner_input_from(observation)
            assert facts_of(planner_input) == parse_prompt(PROMPTS.user(planner_input))
            situations += 1
    return situations


@pytest.mark.parametrize("layout", LAYOUTS)
def test_facts_are_the_same_with_and_without_the_text(layout):
    assert assert_both_ways_agree(layout, 3, 150) == 302


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_facts_are_the_same_in_thousands_of_situations(layout):
    assert sum(assert_both_ways_agree(layout, seed, 1300) for seed in (21, 22)) > 5000
