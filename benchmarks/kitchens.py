"""The kitchen's subjects: random primitives and random skills, plain and compiled, one game and many."""

import os
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from bba.config import SKILL_TIMEOUT
from bba.kernels import compiled
from bba.kitchen import Kitchen, constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import StateVector
from bba.kitchen.controller import SKILL, game_step, new_skill_runs, start_skill
from benchmarks.timing import Subject

LAYOUT = "open"
MANY, LARGE = 1024, 16_384
HUGE = 65_536  # games whose call is long beside the time in which a thread wakes up
THREADS = os.cpu_count() or 1
MOBILITY = (0.35, 0.35)

Watcher = Callable[[StateVector, StateVector], object]


def subjects() -> list[Subject]:
    """Everything that is timed in the kitchen, slowest kind first."""
    return [
        Subject("random primitives", "plain", one_by_one(fast=False, steps=5_000)),
        Subject("random primitives", "compiled", one_by_one(fast=True, steps=20_000)),
        Subject("random primitives", f"batch of {MANY}", primitives_in_batch(MANY, calls=300)),
        *observed_primitives(),
        *threaded_calls(),
        Subject("random skills", "plain", skills_plain(steps=1_000)),
        Subject("random skills", "compiled", skills_one_by_one(steps=2_000)),
        Subject("random skills", f"batch of {MANY}", skills_in_batch(MANY, calls=100)),
        Subject("random skills", f"batch of {LARGE}", skills_in_batch(LARGE, calls=10)),
        Subject("random skills", f"batch of {LARGE}, {THREADS} threads", skills_in_batch(LARGE, 10, threads=THREADS)),
        Subject("random skills, every mask", f"batch of {MANY}", skills_in_batch(MANY, calls=60, all_masks=True)),
        Subject("random skills, observed", f"batch of {MANY}", skills_in_batch(MANY, calls=40, observed=True)),
    ]


def one_by_one(*, fast: bool, steps: int) -> Callable[[], int]:
    """One game, a Python call a step."""
    kitchen = Kitchen(LAYOUT, fast=fast)
    pairs = np.random.default_rng(0).integers(0, constants.N_ACTIONS, (steps, 2)).tolist()

    def run() -> int:
        for first, second in pairs:
            kitchen.advance(first, second)
        return steps

    return run


def observed_primitives() -> list[Subject]:
    """Single actions of many games, observed and not."""
    together, name = f"batch of {LARGE}, {THREADS} threads", "random primitives, observed"
    return [
        Subject("random primitives", together, primitives_in_batch(LARGE, calls=20, threads=THREADS)),
        Subject(name, f"batch of {MANY}", primitives_in_batch(MANY, calls=60, observed=True)),
        Subject(name, f"batch of {LARGE}", primitives_in_batch(LARGE, calls=6, observed=True)),
        Subject(name, together, primitives_in_batch(LARGE, calls=6, observed=True, threads=THREADS)),
    ]


def threaded_calls() -> list[Subject]:
    """The batch's own calls by one thread and by one a core: what is drawn for them is drawn before, by one."""
    subjects = []
    for threads in (1, THREADS):
        together = f"batch of {HUGE}, threads: {threads}"
        subjects += [
            Subject("primitives drawn before", together, calls_of_batch(HUGE, 20, threads=threads)),
            Subject("… observed", together, calls_of_batch(HUGE, 4, observed=True, threads=threads)),
            Subject("… every mask", together, calls_of_batch(HUGE, 6, all_masks=True, threads=threads)),
        ]
    return subjects


def calls_of_batch(
    n: int, calls: int, *, observed: bool = False, all_masks: bool = False, threads: int = 1
) -> Callable[[], int]:
    """Many games a call, whose single actions are drawn before; with what both cooks observe, or may start."""
    batch = KitchenBatch(LAYOUT, n, threads=threads)
    drawn = np.random.default_rng(0).integers(0, constants.N_ACTIONS, (calls, n, 2), np.uint8)
    seen = batch.observe()

    def run() -> int:
        for actions in drawn:
            batch.step(actions)
            if observed:
                batch.observe(out=seen)
            if all_masks:
                batch.masks()
        return n * calls

    return run


def primitives_in_batch(n: int, calls: int, *, observed: bool = False, threads: int = 1) -> Callable[[], int]:
    """Many games a call; drawing the actions is part of it, and so is every mask where they are observed."""
    batch, rng = KitchenBatch(LAYOUT, n, threads=threads), np.random.default_rng(0)
    seen, masks = batch.observe(), batch.masks()

    def run() -> int:
        for _ in range(calls):
            batch.step(rng.integers(0, constants.N_ACTIONS, (n, 2), np.uint8))
            if observed:
                batch.observe(out=seen, masks=masks)
        return n * calls

    return run


def skills_in_batch(
    n: int, calls: int, *, all_masks: bool = False, observed: bool = False, threads: int = 1
) -> Callable[[], int]:
    """Mask, random choice among the feasible, controllers and rules for both cooks of many games."""
    batch, rng = KitchenBatch(LAYOUT, n, mobility=MOBILITY, threads=threads), np.random.default_rng(0)
    seen = batch.observe()

    def run() -> int:
        for _ in range(calls):
            masks = batch.masks() if all_masks else batch.masks(batch.waiting)
            if observed:
                batch.observe(out=seen)
            batch.step_skills(random_skills(masks, rng))
        return n * calls

    return run


def skills_one_by_one(steps: int, watch: Watcher | None = None) -> Callable[[], int]:
    """The same for one game compiled; `watch` gets the states before and after each step."""
    batch, rng = KitchenBatch(LAYOUT, 1, mobility=MOBILITY), np.random.default_rng(0)

    def run() -> int:
        for _ in range(steps):
            before = batch.states[0].copy()
            batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
            if watch:
                watch(before, batch.states[0])
        return steps

    return run


def skills_plain(steps: int, watch: Watcher | None = None) -> Callable[[], int]:
    """The same for one game without the compiler: what a screen runs."""
    kitchen, runs = Kitchen(LAYOUT, mobility=MOBILITY), new_skill_runs()
    rng, actions = np.random.default_rng(0), np.zeros(2, np.int32)

    def run() -> int:
        for _ in range(steps):
            before = kitchen.state.copy()
            for player in (0, 1):
                if runs[player, SKILL] == constants.NO_SKILL:
                    skill = int(rng.choice(np.flatnonzero(kitchen.mask(player))))
                    start_skill(kitchen.grid, kitchen.state, runs, player, skill)
            game_step(kitchen.grid, kitchen.state, runs, actions, SKILL_TIMEOUT)
            if watch:
                watch(before, kitchen.state)
        return steps

    return run


def random_skills(masks: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int32]:
    """Returns a skill for each player, uniform over those that `masks` (N, 2, 27) allows; 0 where it allows none."""
    chosen = np.zeros(masks.shape[:2], np.int32)
    compiled(sample_skills_all)(masks, rng.random(masks.shape[:2]), chosen)
    return chosen


def sample_skills_all(masks: NDArray[np.bool_], uniform: NDArray[np.float64], chosen: NDArray[np.int32]) -> None:
    """Writes, for each player, the allowed skill that its uniform number in [0, 1) selects."""
    for i in range(len(masks)):
        for player in range(2):
            left = int(uniform[i, player] * masks[i, player].sum())
            for skill in range(constants.N_SKILLS):
                if masks[i, player, skill]:
                    if left == 0:
                        chosen[i, player] = skill
                        break
                    left -= 1
