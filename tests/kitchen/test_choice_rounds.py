"""Rounds of choices: the same games, choosers, observations and masks as of the batch's own calls."""

import numpy as np
import pytest

from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.kitchen.choice_rounds import ChoiceRounds
from bba.kitchen.constants import STEP
from benchmarks.kitchens import random_skills

N, LENGTH = 5, 120
FIRST_AND_BOTH = np.array([[True, False]] * 3 + [[True, True]] * 2)


@pytest.mark.parametrize("layout", ["open", "ring", "forced_coordination"])
def test_choosers_and_what_they_observe_are_those_of_the_batch(layout: str) -> None:
    rounds_batch, batch = (KitchenBatch(layout, N, 7, (0.35, 0.35)) for _ in range(2))
    rounds = ChoiceRounds(rounds_batch, FIRST_AND_BOTH)
    until = np.full(N, LENGTH, np.int32)
    rng = np.random.default_rng(0)
    asked_at_all = 0
    while (batch.states[:, STEP] < LENGTH).any():
        skills = random_skills(batch.masks(batch.waiting), rng)
        totals, expected = SpanTotals.zeros(N), SpanTotals.zeros(N)
        rounds.choices[:] = skills
        choosers = rounds.play(until, totals)
        batch.play_until_choice(skills, until, expected)
        assert (rounds_batch.states == batch.states).all()
        for name in ("rewards", "features", "steps"):
            assert (getattr(totals, name) == getattr(expected, name)).all()
        goes_on = batch.states[:, STEP] < LENGTH
        games, seats = np.nonzero(batch.waiting & FIRST_AND_BOTH & goes_on[:, None])
        assert choosers.games.tolist() == games.tolist()
        assert choosers.seats.tolist() == seats.tolist()
        assert (choosers.observations == batch.observe()[games, seats]).all()
        assert (choosers.masks == batch.masks()[games, seats]).all()
        assert (rounds.choices == NO_CHOICE).all()
        asked_at_all += len(games)
    assert asked_at_all > N


def test_what_one_seat_of_each_game_observes_is_what_the_batch_says() -> None:
    batch = KitchenBatch("ring", N, 3)
    batch.step(np.random.default_rng(0).integers(0, 6, (N, 2)))
    rounds = ChoiceRounds(batch, FIRST_AND_BOTH)
    seats = np.array([0, 1, 1, 0, 1])
    observations, masks = rounds.observe(seats)
    every = np.arange(N)
    assert (observations == batch.observe()[every, seats]).all()
    assert (masks == batch.masks()[every, seats]).all()
    batch.step(np.random.default_rng(1).integers(0, 6, (N, 2)))
    later, _ = rounds.observe(seats)
    assert (later == batch.observe()[every, seats]).all()
    assert (later != observations).any()
