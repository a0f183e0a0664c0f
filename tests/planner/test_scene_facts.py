"""The facts of a scene: taken from the state, they are those that are read from the prompt that shows it."""

import numpy as np
import pytest

from bba.agents import EpisodeContext, Observation, load_agent
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.skill_planner import PartnerBelief, PromptPlanner, planner_input
from bba.belief import StayModel, hypothesis_space
from bba.belief.filter import BeliefUpdate
from bba.config import BeliefConfig
from bba.kitchen import Layout, constants
from bba.kitchen.layout import grid_of
from bba.planner import Planner, Prompts, ScriptedBackend
from bba.planner.scripted.prompt_reader import parse_prompt
from bba.planner.scripted.scene_facts import (
    ITEMS,
    ORDERS,
    SLOTS,
    SceneFacts,
    new_facts,
    read_state,
    show_belief,
    stations_at,
    stations_of,
    two_digits,
)
from bba.play import Game

PROMPTS = Prompts.load()
LAYOUTS = ("open", "ring", "burrito", "forced_coordination")
GAMMA_CONF = BeliefConfig().gate.gamma_conf


def comparable(facts: SceneFacts) -> list[object]:
    """The facts as plain numbers, without the room to work in."""
    items, orders = facts.numbers[ITEMS], facts.numbers[ORDERS]
    arrays = (*facts.stations, facts.numbers[:SLOTS], facts.cooks, facts.items[:items], facts.item_at)
    return [array.tolist() for array in (*arrays, facts.dishes[:orders], facts.feasible, facts.posterior)]


def beliefs(count: int, psi: str = "roles"):
    """Beliefs of any confidence, some of them halfway between two numbers of two digits."""
    rng, hypotheses = np.random.default_rng(count), hypothesis_space(psi)
    while True:
        posterior = rng.dirichlet(np.full(len(hypotheses.names), 0.3))
        if rng.random() < 0.3:
            posterior = np.round(posterior * 8) / 8
        told = tuple(posterior.tolist())
        best = int(posterior.argmax())
        update = BeliefUpdate(best, told[best], 3, 1.0, (), told, best, 4, False)
        yield PartnerBelief(hypotheses, update, GAMMA_CONF)


def situations(layout: str, seed: int, steps: int):
    """Observations of both players at every step of a game."""
    kitchen = Layout.load(layout)
    trace = Game(layout, "switching", "switching", seed, horizon=steps, fast=True).run()
    for state in (trace.start, *(tick.state for tick in trace.ticks)):
        for player in (0, 1):
            yield Observation(player, kitchen, None, state, constants.NO_SKILL, 0, constants.RUNNING, True)


def planners(layout: str, player: int):
    """The planner that goes by the state, and the one that reads prompts."""
    by_state = ScriptedPlanner(PROMPTS, "bayes", 3)
    by_text = PromptPlanner(Planner(ScriptedBackend(), PROMPTS, kind="bayes", history_turns=3), "scripted")
    for planner in (by_state, by_text):
        planner.reset(EpisodeContext(player, Layout.load(layout), 0, StayModel.NOISY, True))
    return by_state, by_text


def assert_both_ways_agree(layout: str, seed: int, steps: int) -> int:
    """Compares facts, choices and texts of both players at every step; returns the number of situations."""
    kitchen, count, told = Layout.load(layout), 0, beliefs(seed, "skills" if seed % 2 else "roles")
    grid = grid_of(kitchen)
    facts = new_facts(stations_at(stations_of(kitchen).items()), len(grid.kind))
    both = [planners(layout, player) for player in (0, 1)]
    for count, observation in enumerate(situations(layout, seed, steps), 1):
        belief = next(told) if count % 3 else None
        read_state(grid, kitchen.width, observation.state, observation.player, facts)
        if belief is not None:
            roles = np.array(belief.hypotheses.roles)
            show_belief(facts, np.array(belief.update.posterior), roles, belief.gamma_conf)
        text = PROMPTS.user(planner_input(observation, belief), "bayes")
        assert comparable(facts) == comparable(parse_prompt(text))
        decisions = [planner.plan(observation, belief) for planner in both[observation.player]]
        assert decisions[0] == decisions[1]
        for planner, decision in zip(both[observation.player], decisions, strict=True):
            if count % 5 == 0:
                planner.commit(observation, decision)
    return count


@pytest.mark.thorough
@pytest.mark.parametrize("layout", LAYOUTS)
def test_facts_choices_and_prompts_are_the_same_with_and_without_the_text(layout):
    assert assert_both_ways_agree(layout, 3, 60) == 122


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_they_are_the_same_in_thousands_of_situations(layout):
    assert sum(assert_both_ways_agree(layout, seed, 650) for seed in (21, 22)) > 2500


@pytest.mark.thorough
@pytest.mark.parametrize("running", [constants.CHOP, constants.GRAB_RICE, constants.WASH, constants.SKILL_STAY])
def test_the_judge_says_the_same_with_and_without_the_text(running):
    by_state, by_text = planners("open", 0)
    for number, (observation, belief) in enumerate(zip(situations("open", 4, 40), beliefs(4), strict=False)):
        asked = observation._replace(player=0, before=observation.state, running=running, age=number)
        assert by_state.judge(asked, belief) == by_text.judge(asked, belief)


def test_two_digits_are_those_of_the_text():
    rng = np.random.default_rng(0)
    halves = [(2 * number + 1) / 200 for number in range(100)]
    numbers = [*halves, *np.nextafter(halves, 0), *np.nextafter(halves, 1), 0.0, 1.0, 0.125, 0.375, *rng.random(500)]
    assert [two_digits(float(number)) for number in numbers] == [float(f"{number:.2f}") for number in numbers]


def test_a_planner_with_prompts_of_ones_own_reads_them(tmp_path):
    """Only what the shipped prompts say is known without reading them."""
    from shutil import copytree

    from bba.agents import SeatSpec
    from bba.files import data_dir

    folder = tmp_path / "prompts"
    copytree(data_dir("configs/prompts"), folder)
    scene = (folder / "scene.md").read_text(encoding="utf-8")
    (folder / "scene.md").write_text(scene.replace("objects: {objects}", "objects: none {objects}"), encoding="utf-8")
    agent = load_agent("proagent", SeatSpec(prompts=folder))
    trace = Game("open", agent, "switching", 0, horizon=3).run()
    assert "objects: none " in trace.ticks[0].decisions[0].plan.question
