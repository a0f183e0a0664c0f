"""Observations of many games are those of one game, in each dtype, wherever they are written."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bba.kernels import compiled
from bba.kitchen import Layout, constants, encode_observation, observation_size
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.observation_writer import DTYPES, shares_of
from benchmarks.kitchens import random_skills
from tests.helpers.random_kitchens import layouts

N = 6


def encoded(batch: KitchenBatch) -> NDArray[np.float32]:
    """The observations of all games, each encoded by itself."""
    seen = np.empty((len(batch), 2, observation_size(batch.grid)), np.float32)
    for state, both in zip(batch.states, seen, strict=True):
        compiled(encode_observation)(batch.grid, state, batch.layout.width, np.empty((2, N_SKILLS), np.int32), both)
    return seen


def check_all(batch: KitchenBatch, out: NDArray[np.float32], masks: NDArray[np.bool_]) -> None:
    expected = encoded(batch)
    assert batch.observe(out=out, masks=masks) is out
    assert out.tobytes() == expected.tobytes()
    assert (masks == batch.masks()).all()
    assert (batch.observe(dtype=np.float16) == expected.astype(np.float16)).all()
    assert (batch.observe(dtype=np.uint8) == np.rint(expected * np.float32(255))).all()


@pytest.mark.thorough
@given(layouts(), st.integers(0, 2**31), st.sampled_from([0.35, 1.0]))
def test_they_are_those_of_one_game_to_the_bit(layout: Layout, seed: int, mobility: float) -> None:
    """By skills, that bring every station into every condition, and by single actions, that leave things half done."""
    batch, rng = KitchenBatch(layout, N, seed, mobility), np.random.default_rng(seed)
    out, masks = batch.observe() + 7, batch.masks() ^ True  # what was there before does not matter
    for step in range(250):
        if step % 60 < 45:
            batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        else:
            batch.step(rng.integers(4 if step % 3 else 0, 6, (N, 2)))
        if step % 5 == 0:
            check_all(batch, out, masks)


@pytest.mark.parametrize("name", Layout.names())
def test_they_are_those_of_one_game_in_the_kitchens_that_ship(name: str) -> None:
    batch, rng = KitchenBatch(name, N, 1, (0.35, 0.6)), np.random.default_rng(0)
    out, masks = batch.observe(), batch.masks()
    for step in range(900):
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        if step % 20 == 0:
            check_all(batch, out, masks)


def test_only_some_games_are_written_and_in_the_order_asked_for() -> None:
    batch = KitchenBatch("ring", N, 5)
    batch.step(np.random.default_rng(0).integers(0, 6, (N, 2)))
    masks = np.zeros((3, 2, N_SKILLS), np.bool_)
    seen = batch.observe([4, 0, -1], masks=masks)
    assert (seen == batch.observe()[[4, 0, 5]]).all()
    assert (masks == batch.masks()[[4, 0, 5]]).all()
    assert batch.observe([]).shape == (0, 2, 192)


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_an_array_of_the_caller_is_filled_in_its_own_dtype(dtype: np.dtype[Any]) -> None:
    batch = KitchenBatch("open", 2)
    out = np.full((2, 2, 192), 9, dtype)
    assert batch.observe(out=out) is out
    assert (out == batch.observe(dtype=dtype)).all()


READ_ONLY = np.zeros((2, 2, 192), np.float32)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"out": np.zeros((2, 2, 191), np.float32)}, r"out: shape \(2, 2, 191\); it must be \(2, 2, 192\)"),
        ({"out": np.zeros((2, 2, 192))}, "out: an array of float64; it must be float32 or float16 or uint8"),
        ({"out": [1]}, "out: an array of list; it must be"),
        ({"out": np.zeros((2, 192, 2), np.float32).transpose(0, 2, 1)}, "out: read-only or not in C order"),
        ({"out": READ_ONLY}, "out: read-only or not in C order"),
        ({"dtype": np.int64}, "out: an array of int64; it must be"),
        ({"masks": np.zeros((2, 2, 27), np.uint8)}, "masks: an array of uint8; it must be bool"),
        ({"masks": np.zeros((1, 2, 27), np.bool_)}, "masks: shape"),
        ({"games": [0, 2]}, "games: each must be an index of one of 2 games"),
        ({"games": [[0]]}, "games: each must be an index"),
    ],
)
def test_what_cannot_be_written_into_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        KitchenBatch("open", 2).observe(**given)


def test_a_state_that_no_game_reaches_reads_nothing_beside_the_tables() -> None:
    batch = KitchenBatch("open", 1)
    batch.states[0, [4, 5]] = 10**6  # the streak, the stack of dirty plates
    batch.states[0, 16] = 10**6  # the time left of an order
    assert batch.observe()[0, 0, [42, 52, 53]].tolist() == [1, 1, 1]


def test_the_numbers_of_a_layout_are_made_once() -> None:
    layout = Layout.load("open")
    assert shares_of(layout, DTYPES[0]) is shares_of(layout, DTYPES[0])


def seen_without_a_copy(batch: KitchenBatch, seen: NDArray[np.float32], shared: Any) -> None:
    """What the batch writes is what another library shows."""
    batch.step(np.full((len(batch), 2), constants.SOUTH))
    batch.observe(out=seen)
    assert (np.asarray(shared) == encoded(batch)).all()


def test_other_libraries_show_what_is_written_without_a_copy() -> None:
    batch = KitchenBatch("open", 3)
    seen = batch.observe()
    assert seen.ctypes.data % 64 == 0
    seen_without_a_copy(batch, seen, np.from_dlpack(seen))


def test_pytorch_shows_what_is_written_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    batch = KitchenBatch("open", 3)
    seen = batch.observe()
    seen_without_a_copy(batch, seen, torch.from_dlpack(seen))
    batch.step(torch.zeros((3, 2), dtype=torch.int64))


def test_jax_shows_what_is_written_without_a_copy() -> None:
    jax = pytest.importorskip("jax")
    batch = KitchenBatch("open", 3)
    seen = batch.observe()
    seen_without_a_copy(batch, seen, jax.dlpack.from_dlpack(seen))
    batch.step(jax.numpy.zeros((3, 2), int))
