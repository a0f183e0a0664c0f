"""Best responses in situations with a known answer, with the networks that ship: the same whatever the random key."""

import numpy as np
import pytest

from bba.agents.learned.weights import planning_networks
from bba.config import RolloutOptions
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import DIRTY_PLATES, NO_SKILL
from bba.planner import SkillComparer
from bba.play import Game
from tests.helpers.kitchen_states import find, give, place_player, put_item

KEYS = range(1, 5)  # futures are of 150 steps: in longer ones the luck of later steps hides what one choice changes
TIMEOUT = 30


def planner(layout="open", **options):
    networks = planning_networks(Layout.load(layout))
    return SkillComparer(
        networks, RolloutOptions(**{"futures": 48, "future_steps": 150} | options), timeout=TIMEOUT, fast=True
    )


def kitchen_of(layout):
    return Kitchen(layout, 0, mobility=(0.35, 0.35), fast=True)


def answers(kitchen, partner):
    """The comparisons of an ego without a skill, for several random keys, if the partner surely runs this skill."""
    certain, compare = np.eye(constants.N_SKILLS)[partner], planner(kitchen.layout.name).compare
    return [compare(kitchen.state, 0, NO_SKILL, 0, certain, key) for key in KEYS]


def chosen(comparisons):
    return {comparison.chosen for comparison in comparisons}


def lost(comparisons, skill):
    """By how many points a skill is worse than the best one, for each random key."""
    return [
        max(option.value for option in found.options) - option.value
        for found in comparisons
        for option in found.options
        if option.skill == skill
    ]


def test_the_only_plate_is_washed_by_one_cook():
    kitchen = kitchen_of("open")
    x, y = find(kitchen.layout, "W")
    kitchen.state[DIRTY_PLATES] = 0
    put_item(kitchen, (x, y), constants.DIRTY_PLATE, 1)
    put_item(kitchen, find(kitchen.layout, "P"), constants.BOILED_RICE, 90)
    put_item(kitchen, find(kitchen.layout, "G"), constants.CHOPPED_STEAK, 90)
    place_player(kitchen, 1, (x - 1, y), constants.EAST)
    place_player(kitchen, 0, (x - 1, y + 1), constants.NORTH)
    assert constants.WASH not in chosen(answers(kitchen, constants.WASH)), "the partner is washing it"
    for other in (constants.GRAB_MEAT, constants.GRAB_RICE):
        assert chosen(answers(kitchen, other)) == {constants.WASH}, "everything else is ready"


def test_a_cook_does_not_go_into_a_corridor_through_which_the_other_one_comes():
    through = (constants.GRAB_RICE, constants.GRAB_MEAT, constants.GRAB_MUSHROOM, constants.GRAB_DIRTY_PLATE)
    kitchen = kitchen_of("ring")
    put_item(kitchen, find(kitchen.layout, "B"), constants.CHOPPED_MEAT, 2)
    give(kitchen, 1, constants.MEAT)
    place_player(kitchen, 0, (1, 6), constants.NORTH)
    place_player(kitchen, 1, (1, 4), constants.SOUTH)
    assert not chosen(answers(kitchen, constants.CHOP)) & {*through}
    place_player(kitchen, 1, (8, 4), constants.SOUTH)
    assert chosen(answers(kitchen, constants.CHOP)) <= {*through}, "it comes by the other corridor"


def test_what_the_partner_carries_is_not_what_is_missing():
    kitchen = kitchen_of("open")
    without = answers(kitchen, constants.SKILL_STAY)
    assert max(lost(without, constants.GRAB_RICE)) < 12, "there is no rice"
    give(kitchen, 1, constants.RICE)
    carried = answers(kitchen, constants.BOIL)
    assert constants.GRAB_RICE not in chosen(carried)
    assert min(lost(carried, constants.GRAB_RICE)) > 12


@pytest.mark.thorough
def test_on_fresh_futures_the_chosen_skill_is_not_worse_than_the_networks_likeliest():
    trace = Game("open", "proagent", "switching", 21, horizon=2400, fast=True).run()
    deciding, judging = planner(futures=24), planner(futures=48)
    gains = []
    for tick in [tick for tick in trace.ticks if tick.decisions[0].chosen][:150]:
        partner = tick.skills[1]
        certain = np.eye(constants.N_SKILLS)[partner] if partner != NO_SKILL else None
        taken = deciding.compare(tick.state, 0, NO_SKILL, 0, certain, 2 * tick.step).chosen
        fresh = judging.compare(tick.state, 0, NO_SKILL, 0, certain, 2 * tick.step + 1)
        gains += [option.gain for option in fresh.options if option.skill == taken]
    assert len(gains) == 150
    assert np.count_nonzero(gains) >= 4, "it often chooses another one"
    assert np.mean(gains) > -np.std(gains, ddof=1) / np.sqrt(len(gains))


@pytest.mark.long
@pytest.mark.parametrize("layout", ["open", "ring"])
def test_knowing_what_the_partner_does_costs_no_reward(layout):
    from bba.agents import SeatSpec, load_agent
    from benchmarks.oracle import oracle_game

    options = SeatSpec(planner="rollout")
    settings = {"horizon": 900, "fast": True}
    gains, rewards = [], []
    for seed in range(20, 32):
        told = oracle_game(layout, "bayes-commit", "switching", seed, options, **settings).run().score
        believed = Game(layout, load_agent("bayes-commit", options), "switching", seed, **settings).run().score
        gains.append(told - believed)
        rewards.append(believed)
    error = np.std(gains, ddof=1) / np.sqrt(len(gains))
    assert np.mean(gains) + 2 * error > -0.03 * np.mean(rewards), f"{np.mean(gains):.0f} ± {error:.0f}"
