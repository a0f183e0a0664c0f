"""Games of the scripted planner: always feasible skills, and competent play in every shipped kitchen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import HELD, ITEM_CODES, N_ACTIONS
from bba.planner import BeliefView, Planner, PlannerInput, ScriptedBackend
from bba.play import Game
from tests.helpers.planner_scenes import PROMPTS, belief, stations

LAYOUTS = Layout.names()
IN_HANDS = [code for name, code in ITEM_CODES.items() if name not in ("chopped_steak", "fried_mushroom", "boiled_rice")]


@pytest.mark.thorough
@given(
    layout=st.sampled_from(LAYOUTS),
    seed=st.integers(0, 1000),
    steps=st.integers(0, 400),
    held=st.tuples(st.sampled_from([0, *IN_HANDS]), st.sampled_from([0, *IN_HANDS])),
    belief_view=st.sampled_from([None, belief("assemble", 0.8, confident=True)]),
)
def test_in_every_state_the_first_answer_is_feasible(
    layout: str, seed: int, steps: int, held: tuple[int, int], belief_view: BeliefView | None
) -> None:
    kitchen = Kitchen(layout, seed)
    actions = np.random.default_rng(seed).integers(0, N_ACTIONS, (steps, 2))
    for first, second in actions:
        kitchen.advance(int(first), int(second))
    kitchen.state[HELD : HELD + 2] = held
    for seat in (0, 1):
        feasible = tuple(np.flatnonzero(kitchen.mask(seat)).tolist())
        situation = PlannerInput(kitchen.scene(), seat, stations(layout), feasible, belief_view)
        call = Planner(ScriptedBackend(), PROMPTS, kind="bayes" if belief_view else "base").decide(situation)
        assert call.skill in feasible
        assert (call.attempts, call.fallback) == (1, False)


@pytest.mark.parametrize(
    ("layout", "least"), [("open", 400), ("ring", 80), ("forced_coordination", 80), ("burrito", 80)]
)
def test_two_scripted_cooks_finish_burritos_in_every_kitchen(layout: str, least: int) -> None:
    trace = Game(layout, "proagent", "proagent", seed=1, horizon=800, fast=True).run()
    assert trace.score >= least


def test_two_scripted_cooks_serve_in_the_sequence_of_orders() -> None:
    trace = Game("open", "proagent", "proagent", seed=0, horizon=800, fast=True).run()
    scene = trace.scene(len(trace.ticks))
    assert scene.deliveries >= 5
    assert scene.streak == scene.deliveries


def test_the_same_messages_get_the_same_answer() -> None:
    kitchen = Kitchen("ring", 3)
    situation = PlannerInput(
        kitchen.scene(), 0, stations("ring"), (constants.SKILL_STAY, constants.GRAB_MEAT, constants.GRAB_RICE)
    )
    answers = {Planner(ScriptedBackend(), PROMPTS, kind="base").decide(situation).response for _ in range(3)}
    assert len(answers) == 1
