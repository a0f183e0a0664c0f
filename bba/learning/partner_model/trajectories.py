"""What partners chose and saw, game by game and in stretches of some hundred steps."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.batch import KitchenBatch
from bba.kitchen.layout import Layout
from bba.kitchen.observation import Float32Array
from bba.kitchen.skill_stepping import NO_CHOICE, SkillStepper, SpanTotals
from bba.kitchen.state import STEP
from bba.learning.rl.fixed_partners import BatchPartner
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.vec_env import mask_of

WINDOW, STRIDE = 400, 100  # steps of a stretch, and between the beginnings of two
LONGEST = 48  # choices of a stretch; an idle partner's are cut off there


class Trajectory(NamedTuple):
    """One partner's choices in one game, M of them.

    Attributes:
        steps: at which step each was made, (M,).
        seen: what it saw then, (M, size).
        skills: what it chose, (M,).
    """

    steps: NDArray[np.int64]
    seen: Float32Array
    skills: NDArray[np.int64]


def play(
    layout: Layout, seats: tuple[BatchPartner, BatchPartner], games: int, steps: int, seed: int
) -> list[Trajectory]:
    """Play games side by side and record both seats: the first seat of every game, then the second of every game."""
    rng = np.random.default_rng(seed)
    batch, starts = KitchenBatch(layout, games), InitialStates(layout)
    for i in range(games):
        batch.states[i] = starts.draw(rng)
    until = batch.states[:, STEP] + steps
    for companion in seats:
        companion.begin(np.arange(games), rng)
    advance, span = SkillStepper(batch), SpanTotals(games)
    kept: list[list[tuple[int, Float32Array, int]]] = [[] for _ in range(2 * games)]
    while len(open_games := np.flatnonzero(batch.states[:, STEP] < until)):
        seen, waiting = batch.observe(open_games), batch.waiting[open_games]
        chosen = np.full((games, 2), NO_CHOICE, np.int32)
        for seat, companion in enumerate(seats):
            mine = waiting[:, seat]
            asked, looked = open_games[mine], seen[mine, seat]
            if len(asked):
                chosen[asked, seat] = companion.choose(asked, looked, mask_of(looked), rng)
            for i, sight in zip(asked.tolist(), looked, strict=True):
                kept[seat * games + i].append((int(batch.states[i, STEP]), sight, int(chosen[i, seat])))
        advance(chosen, until, span)
    return [Trajectory(np.array(t), np.array(s), np.array(k)) for t, s, k in (zip(*game, strict=True) for game in kept)]


@dataclass(frozen=True, slots=True)
class TrajectoryWindows:
    """N stretches of partners' choices, padded to L.

    Attributes:
        seen: observations, (N, L, size), float32.
        skills: choices, (N, L); 0 where there is none.
        known: which of them are choices, not padding, (N, L).
        ahead_seen, ahead_skills, ahead_known: of the choices that followed, (N, H, …).
        partner: whose they are, by number, (N,).
        game: of which trajectory, by number, (N,).
    """

    seen: Float32Array
    skills: NDArray[np.int64]
    known: NDArray[np.bool_]
    ahead_seen: Float32Array
    ahead_skills: NDArray[np.int64]
    ahead_known: NDArray[np.bool_]
    partner: NDArray[np.int64]
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.skills)


AHEAD = 10  # choices to predict


def trajectory_windows(watched: list[tuple[Trajectory, int]]) -> TrajectoryWindows:
    """Cut trajectories, each with its partner's number, into windows."""
    pieces = [(game, *window) for game, (trajectory, _) in enumerate(watched) for window in windows(trajectory.steps)]
    inside = [padded(watched[game][0], slice(a, min(b, a + LONGEST)), LONGEST) for game, a, b in pieces]
    ahead = [padded(watched[game][0], slice(b, b + AHEAD), AHEAD) for game, _, b in pieces]
    seen, skills, known = (np.stack(column) for column in zip(*inside, strict=True))
    ahead_seen, ahead_skills, ahead_known = (np.stack(column) for column in zip(*ahead, strict=True))
    return TrajectoryWindows(
        seen=seen,
        skills=skills,
        known=known,
        ahead_seen=ahead_seen,
        ahead_skills=ahead_skills,
        ahead_known=ahead_known,
        partner=np.array([watched[game][1] for game, _, _ in pieces]),
        game=np.array([game for game, _, _ in pieces]),
    )


def windows(steps: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """The first and the end of the choices in each window that has some."""
    for begin in range(int(steps[0]), int(steps[-1]) - WINDOW + 1, STRIDE):
        first, end = np.searchsorted(steps, [begin, begin + WINDOW]).tolist()
        if end > first:
            yield first, end


def padded(
    trajectory: Trajectory, where: slice, length: int
) -> tuple[Float32Array, NDArray[np.int64], NDArray[np.bool_]]:
    """Some of a trajectory's choices, padded to a length: what was seen, what was chosen, and which are choices."""
    n = len(trajectory.skills[where])
    seen = np.zeros((length, trajectory.seen.shape[1]), np.float32)
    skills = np.zeros(length, np.int64)
    seen[:n], skills[:n] = trajectory.seen[where], trajectory.skills[where]
    return seen, skills, np.arange(length) < n
