"""Properties of every game, on shipped and on random layouts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants, interactions, skills, state_digest
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import (
    COMPLETED,
    DELIVERIES,
    DIRTY_PLATES,
    EVENT,
    FACING,
    HELD,
    POSITION,
    STATE_HEADER,
    StateVector,
)
from benchmarks.kitchens import random_skills
from tests.helpers.kitchen_invariants import check_moves, check_state
from tests.helpers.kitchen_states import PLATES
from tests.helpers.random_kitchens import SkillPlay, layouts, random_layout

SEEDS = st.integers(0, 2**32 - 1)
MOBILITIES = st.sampled_from([(1.0, 1.0), (0.35, 0.35), (1.0, 0.35)])


def play_primitives(kitchen: Kitchen, seed: int, steps: int) -> None:
    for first, second in np.random.default_rng(seed).integers(0, 6, (steps, 2)).tolist():
        kitchen.advance(first, second)


@pytest.mark.thorough
@given(layouts(), SEEDS, MOBILITIES)
def test_random_primitives_keep_every_invariant(layout: Layout, seed: int, mobility: tuple[float, float]) -> None:
    batch = KitchenBatch(layout, 8, seed, mobility)
    rng = np.random.default_rng(seed)
    for _ in range(150):
        before = batch.states.copy()
        batch.step(rng.integers(0, 6, (8, 2)))
        check_moves(before, batch.states)
    for state in batch.states:
        check_state(layout, batch.grid, state)


@pytest.mark.thorough
@given(layouts(), SEEDS, MOBILITIES)
def test_random_skill_play_keeps_every_invariant(layout: Layout, seed: int, mobility: tuple[float, float]) -> None:
    batch = KitchenBatch(layout, 4, seed, mobility)
    rng = np.random.default_rng(seed)
    for steps in range(400):
        if steps % 25 == 0:
            hand_out_burritos(batch.states)
        before = batch.states.copy()
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        check_moves(before, batch.states)
        for state in batch.states if steps % 10 == 0 else ():
            check_state(layout, batch.grid, state)


def hand_out_burritos(states: StateVector) -> None:
    """Random play rarely finishes one, so every player that holds nothing gets a burrito, on a plate from the stack."""
    for player in (0, 1):
        given = (states[:, HELD + player] == constants.NOTHING) & (states[:, DIRTY_PLATES] > 0)
        states[given, HELD + player] = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)[player]
        states[given, DIRTY_PLATES] -= 1


def test_random_skill_play_with_burritos_delivers_them() -> None:
    batch, rng = KitchenBatch("open", 20), np.random.default_rng(0)
    for steps in range(400):
        if steps % 25 == 0:
            hand_out_burritos(batch.states)
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
    assert batch.states[:, DELIVERIES].min() > 0


@given(layouts(), SEEDS, MOBILITIES)
@settings(max_examples=12)
def test_plain_and_compiled_play_the_same_game(layout: Layout, seed: int, mobility: tuple[float, float]) -> None:
    plain = Kitchen(layout, seed, mobility=mobility)
    fast = Kitchen(layout, seed, mobility=mobility, fast=True)
    for first, second in np.random.default_rng(seed).integers(0, 6, (300, 2)).tolist():
        plain.advance(first, second)
        fast.advance(first, second)
        assert (plain.state == fast.state).all()
    for player in (0, 1):
        assert (plain.mask(player) == fast.mask(player)).all()


@given(layouts(), SEEDS, MOBILITIES)
@settings(max_examples=12)
def test_plain_and_compiled_controllers_play_the_same_game(
    layout: Layout, seed: int, mobility: tuple[float, float]
) -> None:
    plain = SkillPlay(Kitchen(layout, seed, mobility=mobility), seed)
    batch = KitchenBatch(layout, 1, seed, mobility)
    for _ in range(120):
        plain.step()
        batch.step_skills([plain.wanted])
        assert (plain.kitchen.state == batch.states[0]).all()
        assert (plain.runs == batch.runs[0]).all()


@given(layouts(), SEEDS, st.integers(0, 60))
def test_a_fork_is_independent_and_has_the_same_future(layout: Layout, seed: int, steps: int) -> None:
    kitchen = Kitchen(layout, seed, mobility=(0.35, 0.35))
    play_primitives(kitchen, seed, steps)
    fork, digest = kitchen.fork(), state_digest(kitchen.state)
    play_primitives(fork, seed + 1, 20)
    assert state_digest(kitchen.state) == digest
    play_primitives(kitchen, seed + 1, 20)
    assert state_digest(kitchen.state) == state_digest(fork.state)


@given(layouts(), SEEDS)
def test_the_same_seed_and_actions_give_the_same_game_and_another_seed_another(layout: Layout, seed: int) -> None:
    games = [Kitchen(layout, s, mobility=(0.35, 0.35)) for s in (seed, seed, seed + 1)]
    for game in games:
        play_primitives(game, seed, 100)
    assert state_digest(games[0].state) == state_digest(games[1].state) != state_digest(games[2].state)


def test_a_seed_means_the_same_game_on_every_machine() -> None:
    kitchen = Kitchen("open", seed=7, mobility=(0.35, 0.35))
    for step in range(600):
        kitchen.advance(step * step // 7 % 6, step * step // 5 % 6)
    assert state_digest(kitchen.state) == "e2c2fd711fdd8b85"


@given(layouts(), SEEDS)
def test_an_event_is_the_skill_that_the_tile_offers(layout: Layout, seed: int) -> None:
    batch = KitchenBatch(layout, 4, seed)
    rng = np.random.default_rng(seed)
    for _ in range(60):
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        for state in batch.states:
            for player in (0, 1):
                check_offered_event(batch, state, player)


def check_offered_event(batch: KitchenBatch, state: StateVector, player: int) -> None:
    """Interacting completes the skill that `skill_at` gives for the faced tile, except for one merge on a counter."""
    at = int(batch.grid.neighbour[state[POSITION + player], state[FACING + player]])
    if at < 0 or batch.grid.kind[at] == constants.FLOOR:
        return
    held_item, item = int(state[HELD + player]), int(state[STATE_HEADER + at])
    offered = skills.skill_at(batch.grid, state, at, held_item)
    after = state.copy()
    after[EVENT + player] = constants.NO_SKILL
    interactions.interact(batch.grid, after, player)
    if offered == constants.NO_SKILL:
        return
    merges = held_item == constants.TORTILLA and item in PLATES and not item & constants.ON_TORTILLA
    assert after[EVENT + player] == (constants.GRAB_TORTILLA if merges else offered)
    assert after[COMPLETED + player] or offered in (constants.CHOP, constants.WASH)


@pytest.mark.thorough
def test_the_random_layouts_cover_the_unusual_cases() -> None:
    drawn = [random_layout(seed) for seed in range(200)]
    assert any(layout.reachable(layout.starts[0]).isdisjoint(layout.reachable(layout.starts[1])) for layout in drawn)
    assert any(layout.pass_counters for layout in drawn)
    assert {layout.plates for layout in drawn} == set(range(1, 7))
    assert min(len(layout.reachable(layout.starts[0])) for layout in drawn) <= 2
