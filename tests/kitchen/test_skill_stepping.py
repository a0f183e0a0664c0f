"""Skill stepping gives the same games as single steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.kitchen.constants import STEP
from bba.kitchen.observation import NO_FEATURE, feature_of
from benchmarks.kitchens import random_skills

N, LENGTH = 3, 60


def single_steps(batch: KitchenBatch, chosen: np.ndarray, span: SpanTotals) -> None:
    """The same as `play_until_choice`, by `step_skills`, one game after the other."""
    for game in range(N):
        one = KitchenBatch(batch.layout, 1)
        one.states, one.runs = batch.states[game : game + 1], batch.runs[game : game + 1]
        skills = chosen[game].copy()
        while not (one.waiting[0] & (skills < 0)).any() and one.states[0, STEP] < LENGTH:
            before = one.states[0].copy()
            one.step_skills([np.maximum(skills, 0)])
            span.rewards[game] += one.rewards[0]
            span.steps[game] += 1
            for player in range(2):
                did = feature_of(one.grid, before, one.states[0], player)
                if did != NO_FEATURE:
                    span.features[game, player, did] += 1
            skills[:] = NO_CHOICE


@settings(max_examples=6)
@given(st.sampled_from(["open", "ring", "forced_coordination"]), st.integers(0, 2**31))
def test_states_rewards_and_features_equal_those_of_single_steps(layout: str, seed: int) -> None:
    skipping, stepwise = (KitchenBatch(layout, N, seed, (0.35, 0.35)) for _ in range(2))
    rng = np.random.default_rng(seed)
    until = np.full(N, LENGTH, np.int32)
    while (skipping.states[:, STEP] < LENGTH).any():
        asked = skipping.waiting & (skipping.states[:, STEP] < LENGTH)[:, None]
        chosen = np.where(asked, random_skills(skipping.masks(asked), rng), NO_CHOICE).astype(np.int32)
        spans = SpanTotals.zeros(N), SpanTotals.zeros(N)
        skipping.play_until_choice(chosen, until, spans[0])
        single_steps(stepwise, chosen, spans[1])
        assert (skipping.states == stepwise.states).all()
        assert (skipping.waiting == stepwise.waiting).all()
        for name in ("rewards", "features", "steps"):
            assert (getattr(spans[0], name) == getattr(spans[1], name)).all()


@pytest.mark.parametrize("chosen", [NO_CHOICE, 7])
def test_no_step_is_played_while_a_player_must_choose(chosen: int) -> None:
    """Nor if the chosen skill is infeasible: skill 7 serves a burrito, and none is held."""
    batch, span = KitchenBatch("open", 1), SpanTotals.zeros(1)
    before = batch.states.copy()
    batch.play_until_choice([[chosen, NO_CHOICE]], np.array([50], np.int32), span)
    assert (batch.states == before).all()
    assert span.steps.tolist() == [0]
