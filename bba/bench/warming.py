"""Compiles every kernel by playing a little of everything that calls one, for images and machines that test.

Games compile what they call by themselves, in the background (`bba.kernels.background`).
"""

import time
from collections.abc import Iterator

import numpy as np

from bba.agents import ROLLOUT, ObservationEncoder, SeatSpec
from bba.agents.waiting import begin_waiting, goes_on_waiting, new_wait
from bba.belief import NO_ROLE
from bba.config import RolloutOptions
from bba.errors import BBAError
from bba.files import os_errors
from bba.kernels import compiled, compiled_kernels, compiling_here, kernel_folder, storage_problem
from bba.kitchen import SKILL_STAY, Kitchen
from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.kitchen.choice_rounds import ChoiceRounds
from bba.kitchen.observation_writer import DTYPES
from bba.play.game import Game

LAYOUT = "open"
STEPS = 40
SMALL = RolloutOptions(futures=2, future_steps=4, candidates=2)
PAIRS = (  # with a belief, asked in every step, with questions, with the rollout planner, learned
    (SeatSpec("bayes"), "switching"),
    (SeatSpec("llm-judge"), "switching"),
    (SeatSpec("hypothetical-minds"), "switching"),
    (SeatSpec("bayes", planner=ROLLOUT, rollout=SMALL), "bp:G1-1+locked"),
    (SeatSpec("bp:G1-1+locked"), "gamma"),
)


def compile_all() -> Iterator[str]:
    """Compiles every kernel that is not compiled yet; yields a line at the start and one with the result at the end.

    Raises:
        BBAError: compiled kernels cannot be stored.
    """
    began = time.monotonic()
    folder = kernel_folder()
    yield f"compiling the kernels into {folder}"
    with os_errors(str(folder)), compiling_here():
        kernels_at_start = compiled_kernels()
        for ego, partner in PAIRS:
            play(ego, partner)
        play_batches()
    problem = storage_problem()
    if problem is not None:
        raise BBAError(f"{folder}: {problem}")
    kernels = compiled_kernels()
    new = kernels - kernels_at_start
    seconds = time.monotonic() - began
    yield f"{kernels} kernels are there, {new} of them compiled now, in {seconds:.0f} s"


def warm_up(*, simulates: bool) -> None:
    """Lets a worker load the kernels, or ask for them; `simulates` is whether a rollout planner will plan."""
    ego = SeatSpec("bayes", planner=ROLLOUT if simulates else "scripted")
    Game(LAYOUT, ego, "switching", horizon=4, fast=True).run()


def play(ego: SeatSpec, partner: str) -> None:
    """Plays a game: steps one by one, as with agents that are asked in each, and then the rest."""
    game = Game(LAYOUT, ego, partner, horizon=STEPS, fast=True)
    for _ in range(2):
        game.step()
    trace = game.run()
    ObservationEncoder(trace.config.layout, fast=True).of(trace.start)


def play_batches() -> None:
    """Plays a kitchen alone, then two side by side: by skills, by single actions, until somebody must choose."""
    kitchen = Kitchen(LAYOUT, fast=True)
    kitchen.advance(0, 0)
    kitchen.mask(0)
    wait = new_wait(len(kitchen.grid.kind))
    compiled(begin_waiting)(kitchen.grid, kitchen.state, 0, NO_ROLE, wait)
    compiled(goes_on_waiting)(kitchen.grid, kitchen.state, 0, NO_ROLE, wait)
    batch = KitchenBatch(LAYOUT, 2, mobility=(0.35, 1.0))
    batch.masks(batch.waiting)
    batch.step_skills(np.full((2, 2), SKILL_STAY))
    batch.step(np.zeros((2, 2), np.int64))
    for dtype in DTYPES:
        batch.observe(dtype=dtype)
    batch.play_until_choice(np.full((2, 2), NO_CHOICE, np.int32), np.full(2, STEPS, np.int32), SpanTotals.zeros(2))
    rounds = ChoiceRounds(batch, np.ones((2, 2), np.bool_))
    rounds.play(np.full(2, STEPS, np.int32), SpanTotals.zeros(2))
    rounds.observe(np.zeros(2, np.int64))
