"""A batch plays the same games as single kitchens."""

import ast
import inspect
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bba import kernels
from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, Skill, constants, state_digest
from bba.kitchen import batch as batches
from bba.kitchen.batch import KitchenBatch, SpanTotals
from bba.kitchen.constants import DONE, INTERRUPTED, INVALID, RUNNING, TIMEOUT
from benchmarks.kitchens import random_skills
from tests.helpers.random_kitchens import layouts

N = 5


@pytest.mark.thorough
@given(layouts(), st.integers(0, 2**31))
def test_game_i_is_the_kitchen_with_seed_plus_i(layout: Layout, seed: int) -> None:
    batch = KitchenBatch(layout, N, seed, (0.35, 1.0))
    kitchens = [Kitchen(layout, seed + i, mobility=(0.35, 1.0)) for i in range(N)]
    for actions in np.random.default_rng(seed).integers(0, 6, (40, N, 2)):
        rewards = batch.step(actions)
        for kitchen, pair, reward in zip(kitchens, actions.tolist(), rewards.tolist(), strict=True):
            assert kitchen.step(pair).reward == reward
    for i, kitchen in enumerate(kitchens):
        assert state_digest(batch.kitchen(i).state) == state_digest(kitchen.state)
        assert (batch.masks()[i] == [kitchen.mask(0), kitchen.mask(1)]).all()


@pytest.mark.thorough
@pytest.mark.parametrize(("n", "threads"), [(7, 2), (7, 3), (2, 5)])
def test_any_number_of_threads_plays_the_same_games(n: int, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for worth in ("FOR_STEPS", "FOR_MASKS", "FOR_SKILLS", "FOR_OBSERVATIONS"):
        monkeypatch.setattr(f"bba.kitchen.batch.{worth}", 1)
    one, many = (KitchenBatch("ring", n, 4, (0.35, 1.0), threads=number) for number in (1, threads))
    rng = np.random.default_rng(0)
    for step in range(120):
        masks = one.masks(one.waiting if step % 2 else None)
        assert (many.masks(many.waiting if step % 2 else None) == masks).all()
        skills, actions = random_skills(masks, rng), rng.integers(0, 6, (n, 2))
        assert (one.step_skills(skills) == many.step_skills(skills)).all()
        assert (one.step(actions) == many.step(actions)).all()
        assert (one.observe() == many.observe()).all()
        assert (one.observe([n - 1, 0]) == many.observe([n - 1, 0])).all()
    assert (one.states == many.states).all()
    assert (one.runs == many.runs).all()


def test_the_games_of_every_thread_are_played_and_its_errors_are_raised() -> None:
    """Each slice is played once, by as many threads as were asked for, and none is lost where one of them fails."""
    batch, played, together = KitchenBatch("open", 5, threads=3), dict[int, list[slice]](), threading.Barrier(3)

    def play(part: slice) -> None:
        if threading.get_ident() not in played:
            played[threading.get_ident()] = []
            together.wait(60)
        played[threading.get_ident()].append(part)

    batch._divide(50, 1, play)
    assert sorted(game for parts in played.values() for part in parts for game in range(50)[part]) == list(range(50))
    assert threading.get_ident() in played
    assert len(played) == 3

    def fails(part: slice) -> None:
        if part.start == 0:
            raise ValueError("the first part")

    with pytest.raises(ValueError, match="the first part"):
        batch._divide(50, 1, fails)


def test_a_thread_that_does_not_wake_up_is_not_waited_for() -> None:
    batch, played, wakes = KitchenBatch("open", 1, threads=2), list[slice](), threading.Event()
    assert batch._pool is not None
    asleep = batch._pool.submit(wakes.wait)
    batch._divide(100, 1, played.append)
    assert [game for part in played for game in range(100)[part]] == list(range(100))
    wakes.set()
    assert asleep.result()


@pytest.mark.parametrize(("games", "threads"), [(5, 1), (7, 1), (8, 2), (11, 2), (12, 3), (100, 3)])
def test_a_thread_is_woken_for_as_many_games_as_pay(games: int, threads: int) -> None:
    batch, played = KitchenBatch("open", 1, threads=3), list[slice]()
    batch._divide(games, 4, played.append)
    assert len(played) == (threads * batches.SLICES if threads > 1 else 1)
    assert sorted(game for part in played for game in range(games)[part]) == list(range(games))


def test_a_kitchen_taken_out_of_the_batch_is_independent() -> None:
    batch = KitchenBatch("open", 2)
    before = batch.states.copy()
    batch.kitchen(1).advance(constants.SOUTH, constants.NORTH)
    assert (batch.states == before).all()


def test_a_game_does_not_depend_on_the_others_in_the_batch() -> None:
    alone, among = KitchenBatch("ring", 1, seed=3), KitchenBatch("ring", 4, seed=0)
    for skill in (Skill.GRAB_MEAT, Skill.GRAB_RICE) * 20:
        alone.step_skills([[skill, skill]])
        among.step_skills([[Skill.GRAB_DIRTY_PLATE] * 2] * 3 + [[skill, skill]])
    assert (alone.states[0] == among.states[3]).all()


def test_resetting_some_games_leaves_the_others_alone() -> None:
    batch = KitchenBatch("open", 4, seed=10)
    fresh = batch.states.copy()
    for _ in range(9):
        batch.step_skills([[Skill.GRAB_MEAT, Skill.GRAB_RICE]] * 4)
    played, runs = batch.states.copy(), batch.runs.copy()
    batch.reset(10, games=[False, True, False, True])
    assert (batch.states[[1, 3]] == fresh[[1, 3]]).all()
    assert (batch.states[[0, 2]] == played[[0, 2]]).all()
    assert (batch.runs[[0, 2]] == runs[[0, 2]]).all()
    assert batch.waiting[[1, 3]].all()
    batch.reset(10, games=[0, 2])
    assert (batch.states == fresh).all()


def test_a_running_skill_continues_whatever_skill_is_given() -> None:
    batch = KitchenBatch("open", 1)
    ended = [
        batch.step_skills([[Skill.GRAB_MEAT if step == 0 else Skill.GRAB_RICE, constants.SKILL_STAY]])
        for step in range(4)
    ]
    assert [int(e[0, 0]) for e in ended] == [RUNNING, RUNNING, RUNNING, DONE]
    assert batch.kitchen(0).scene().players[0].held == "meat"
    assert batch.waiting.tolist() == [[True, True]]


def test_infeasible_timed_out_and_dropped_skills_say_so() -> None:
    batch = KitchenBatch("open", 1, mobility=(0.0, 0.0))
    assert batch.step_skills([[Skill.GO_TO_SERVE_DISH, Skill.GRAB_MEAT]]).tolist() == [[INVALID, RUNNING]]
    batch.drop([[True, True]])
    assert batch.runs[0, :, 3].tolist() == [INVALID, INTERRUPTED]
    assert batch.waiting.all()
    ended = [batch.step_skills([[constants.SKILL_STAY, Skill.GRAB_MEAT]], timeout=5)[0, 1] for _ in range(5)]
    assert ended == [RUNNING] * 4 + [TIMEOUT]


def played_by_batches() -> set[str]:
    """The names of the kernels that a batch calls."""
    calls = [node for node in ast.walk(ast.parse(inspect.getsource(batches))) if isinstance(node, ast.Call)]
    return {ast.unparse(call.args[0]) for call in calls if ast.unparse(call.func) == "compiled"}


PLAYED = played_by_batches()


def test_what_a_batch_plays_is_optimised_at_numbas_own_level() -> None:
    assert len(PLAYED) == 7
    assert {getattr(batches, name) for name in PLAYED} <= kernels._OPTIMISED


@pytest.mark.parametrize("player", [0, 1])
def test_the_mask_of_a_batch_is_that_of_its_kitchen(player: int) -> None:
    batch, rng = KitchenBatch("ring", 4, mobility=(0.35, 1.0)), np.random.default_rng(0)
    for _ in range(60):
        masks = batch.masks()
        for game in range(len(batch)):
            assert (masks[game, player] == batch.kitchen(game).mask(player)).all()
        batch.step_skills(random_skills(masks, rng))


@pytest.mark.parametrize("kind", ["read-only", "strided", "in columns", "a list"])
def test_whatever_arrays_it_is_given_nothing_is_compiled_for_them(kind: str) -> None:
    def formed(array: NDArray[Any]) -> Any:
        wide, columns = np.repeat(array, 2, axis=0)[::2], np.asfortranarray(array)
        array.flags.writeable = False
        return {"read-only": array, "strided": wide, "in columns": columns, "a list": array.tolist()}[kind]

    def play(form: Callable[[NDArray[Any]], Any]) -> list[NDArray[Any]]:
        batch, four = KitchenBatch("open", 4), np.zeros((4, 2), np.int32)
        batch.step(form(four + constants.INTERACT))
        masks = batch.masks(form(four == 0))
        batch.step_skills(form(four + constants.SKILL_STAY))
        batch.play_until_choice(form(four + constants.SKILL_STAY), np.full(4, 9, np.int32), SpanTotals.zeros(4))
        return [masks, batch.observe(form(np.arange(4))), batch.states]

    usual = play(lambda array: array)
    before = {name: len(kernels.dispatcher(getattr(batches, name)).signatures) for name in PLAYED}
    assert all(map(np.array_equal, play(formed), usual))
    assert {name: len(kernels.dispatcher(getattr(batches, name)).signatures) for name in PLAYED} == before


def test_masks_of_some_players_only() -> None:
    batch = KitchenBatch("open", 3)
    wanted = np.array([[True, False], [False, False], [True, True]])
    masks = batch.masks(wanted)
    assert (masks[wanted] == batch.masks()[wanted]).all()
    assert not masks[~wanted].any()


def test_random_skills_are_feasible_evenly_drawn_and_repeatable() -> None:
    masks = np.zeros((3000, 2, constants.N_SKILLS), np.bool_)
    masks[:, 0, [3, 8, 26]] = True
    drawn = random_skills(masks, np.random.default_rng(0))
    assert np.bincount(drawn[:, 0], minlength=27)[[3, 8, 26]].min() > 900
    assert set(drawn[:, 0].tolist()) == {3, 8, 26}
    assert (drawn[:, 1] == 0).all()
    assert (drawn == random_skills(masks, np.random.default_rng(0))).all()


@pytest.mark.parametrize("actions", [[[0, 6]], [[-1, 0]], [[0, 0], [0, 0]], [0, 0]])
def test_actions_of_another_shape_or_range_are_refused(actions: object) -> None:
    batch = KitchenBatch("open", 1)
    with pytest.raises(ValueError, match="actions: "):
        batch.step(actions)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="skills: "):
        batch.step_skills(np.asarray(actions) * 27)


def test_a_batch_needs_a_game() -> None:
    with pytest.raises(BBAError, match="n: 0 is not allowed; 1 or more"):
        KitchenBatch("open", 0)
    with pytest.raises(BBAError, match="threads: 0 is not allowed; 1 or more"):
        KitchenBatch("open", 1, threads=0)


@given(layouts(), st.integers(0, 2**31))
def test_observations_are_shares_and_mirror_each_other(layout: Layout, seed: int) -> None:
    batch = KitchenBatch(layout, N, seed)
    rng = np.random.default_rng(seed)
    for _ in range(30):
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
    seen, masks = batch.observe(), batch.masks()
    assert seen.dtype == np.float32
    assert seen.min() >= 0
    assert seen.max() <= 1
    assert (seen[:, 0, :20] == seen[:, 1, 20:40]).all()
    assert (seen[:, 1, :20] == seen[:, 0, 20:40]).all()
    assert (seen[:, 0, 40:54] == seen[:, 1, 40:54]).all()
    assert ((seen[:, :, 54:81] > 0) == masks).all()
    assert ((seen[:, :, 81:108] > 0) == masks[:, ::-1]).all()
    assert (seen[:, 0, 108:] == seen[:, 1, 108:]).all()


def test_an_observation_says_what_its_description_says() -> None:
    batch = KitchenBatch("open", 1)
    seen = batch.observe()[0, 0]
    assert seen[:6].tolist() == pytest.approx([3 / 9, 2 / 6, 1, 0, 0, 0])
    assert not seen[6:20].any()
    assert seen[40:52].tolist() == [1, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert seen[52:54].tolist() == [0, 1]
    assert seen[54 + Skill.GRAB_MEAT] == pytest.approx(1 / 3)
    assert not seen[108:-14].any()
    counters = np.zeros(14)
    counters[constants.FIRE_EXT - 1] = 1 / 4
    assert seen[-14:].tolist() == counters.tolist()
