"""Trajectories: what partners observed and chose, as whole games and as windows of some hundred steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.kitchen.layout import Layout
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import STEP
from bba.learning.rl.vec_env import InitialStates, PolicyPartner, feasible_masks

WINDOW, STRIDE = 400, 100  # kitchen steps of a window, and between the starts of two windows
MAX_CHOICES = 48  # choices per window; later ones are dropped, as an idle partner has many
NEXT_CHOICES = 10  # choices to predict after a window


class Trajectory(NamedTuple):
    """One partner's choices in one game, M of them.

    Attributes:
        steps: the step of each choice, (M,).
        observations: what the partner observed then, (M, size).
        skills: what it chose, (M,).
    """

    steps: NDArray[np.int64]
    observations: Float32Array
    skills: NDArray[np.int64]


def record_trajectories(
    layout: Layout, partners: tuple[PolicyPartner, PolicyPartner], games: int, steps: int, seed: int
) -> list[Trajectory]:
    """Plays games side by side; returns the first seat's trajectory of every game, then the second seat's."""
    rng = np.random.default_rng(seed)
    batch, initial_states = KitchenBatch(layout, games), InitialStates(layout)
    for i in range(games):
        batch.states[i] = initial_states.sample(rng)
    end_steps = batch.states[:, STEP] + steps
    for partner in partners:
        partner.reset(np.arange(games), rng)
    totals = SpanTotals.zeros(games)
    records: list[list[tuple[int, Float32Array, int]]] = [[] for _ in range(2 * games)]
    while len(running := np.flatnonzero(batch.states[:, STEP] < end_steps)):
        observed, waiting = batch.observe(running), batch.waiting[running]
        choices = np.full((games, 2), NO_CHOICE, np.int32)
        for seat, partner in enumerate(partners):
            choosing, observations = running[waiting[:, seat]], observed[waiting[:, seat], seat]
            if len(choosing):
                choices[choosing, seat] = partner.choose(choosing, observations, feasible_masks(observations), rng)
            for i, observation in zip(choosing.tolist(), observations, strict=True):
                records[seat * games + i].append((int(batch.states[i, STEP]), observation, int(choices[i, seat])))
        batch.play_until_choice(choices, end_steps, totals)
    columns = (zip(*record, strict=True) for record in records)
    return [Trajectory(*(np.array(column) for column in game)) for game in columns]


class PaddedChoices(NamedTuple):
    """Choices padded to L of them.

    Attributes:
        observations: (L, size), or (N, L, size) in N windows; float32.
        skills: (L,) or (N, L); 0 for padding.
        mask: which of them are choices, not padding, (L,) or (N, L).
    """

    observations: Float32Array
    skills: NDArray[np.int64]
    mask: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class TrajectoryWindows:
    """N windows of partners' choices.

    Attributes:
        inside: the choices in the windows.
        following: the next ones after each.
        partner: number of the partner, (N,).
        game: number of the trajectory, (N,).
    """

    inside: PaddedChoices
    following: PaddedChoices
    partner: NDArray[np.int64]
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.game)


def trajectory_windows(games: list[tuple[Trajectory, int]]) -> TrajectoryWindows:
    """Cuts trajectories, each given with its partner's number, into windows."""
    bounds = [(game, *ends) for game, (trajectory, _) in enumerate(games) for ends in window_bounds(trajectory.steps)]
    inside = [pad(games[game][0], slice(a, min(b, a + MAX_CHOICES)), MAX_CHOICES) for game, a, b in bounds]
    following = [pad(games[game][0], slice(b, b + NEXT_CHOICES), NEXT_CHOICES) for game, _, b in bounds]
    return TrajectoryWindows(
        inside=PaddedChoices(*map(np.stack, zip(*inside, strict=True))),
        following=PaddedChoices(*map(np.stack, zip(*following, strict=True))),
        partner=np.array([games[game][1] for game, _, _ in bounds]),
        game=np.array([game for game, _, _ in bounds]),
    )


def window_bounds(steps: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yields the indices of the first choice in a window and of the first one after it; skips empty windows."""
    for start in range(int(steps[0]), int(steps[-1]) - WINDOW + 1, STRIDE):
        first, end = np.searchsorted(steps, [start, start + WINDOW]).tolist()
        if end > first:
            yield first, end


def pad(trajectory: Trajectory, choices: slice, length: int) -> PaddedChoices:
    """Returns some of a trajectory's choices padded to `length`."""
    n = len(trajectory.skills[choices])
    observations = np.zeros((length, trajectory.observations.shape[1]), np.float32)
    skills = np.zeros(length, np.int64)
    observations[:n], skills[:n] = trajectory.observations[choices], trajectory.skills[choices]
    return PaddedChoices(observations, skills, np.arange(length) < n)
