"""A waiting cook: when its planner is asked again.

A cook waits if its planner chose STAY, a skill that ends after one step. With `ask` "always" its planner is asked again
in the next step, as in the preprint. With "changed" it stays without a question until one of these differs from what it
was last asked about:

- the skills that it can start, what either cook holds, and the dishes that are ordered;
- what lies where, and its state: raw or chopped, cooking, ready, about to burn or burning, dirty plates;
- for an agent with a belief in its prompt: the likeliest role of its partner, or that none is likely enough (Γ).

Clocks, counts of chops and rinses, positions and directions do not count. Since a partner that stands still changes
nothing, the planner is asked after `LONGEST_WAIT` steps all the same. An unusable answer is no wait: it is asked again.
These make the situation of the cook, a row of numbers that kernels compare.
"""

from collections.abc import Callable
from copy import copy, deepcopy
from typing import NamedTuple, Self

import numpy as np

from bba.agents.base import WAITING, Decision, EpisodeContext, Observation
from bba.config import Ask
from bba.kernels import kernel, maybe_compiled
from bba.kitchen import (
    BOARD,
    CHARCOAL,
    CHOPS,
    DIRTY_PLATES,
    DISH,
    GRILL,
    HELD,
    MAX_ORDERS,
    N_ORDERS,
    N_SKILLS,
    NOTHING,
    POT,
    SKILL_STAY,
    STATE_HEADER,
    STEP,
    Grid,
    Int32Array,
    StateVector,
    cooking_stage,
    feasible_targets,
    grid_of,
)

LONGEST_WAIT = 30  # steps; as long as any other skill lasts by default
NEVER_WAITED = -1

# The numbers of a situation: the feasible skills, what both cooks hold, dirty plates, orders, the partner's role; then
# one number a tile: the item and its stage.
_HELD = N_SKILLS
_DIRTY = _HELD + 2
_ORDERS = _HELD + 3
_ROLE = _ORDERS + 1 + MAX_ORDERS
_ROLE_TILES = _ROLE + 1
_STAGES = 8  # more than food can have


class Wait(NamedTuple):
    """The memory of one cook that may wait, and room to compare situations in."""

    since: Int32Array  # (1,) the step of the question that was answered with STAY; NEVER_WAITED if it does not wait
    asked_situation: Int32Array  # (S,) at that question
    situation_now: Int32Array  # (S,)
    targets: Int32Array  # (2, 27)


def new_wait(tiles: int) -> Wait:
    """Returns the memory of a cook that does not wait, in a kitchen of so many tiles."""
    size = _ROLE_TILES + tiles
    return Wait(
        since=np.full(1, NEVER_WAITED, np.int32),
        asked_situation=np.zeros(size, np.int32),
        situation_now=np.zeros(size, np.int32),
        targets=np.zeros((2, N_SKILLS), np.int32),
    )


@kernel
def goes_on_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> bool:
    """Whether a cook waits, not for too long, and nothing has changed; `role` is its partner's, NO_ROLE if unclear."""
    since = wait.since[0]
    if since == NEVER_WAITED or state[STEP] - since >= LONGEST_WAIT:
        return False
    read_situation(grid, state, player, role, wait.targets, wait.situation_now)
    same = True
    for number in range(len(wait.situation_now)):
        same = same and wait.situation_now[number] == wait.asked_situation[number]
    return same


@kernel
def begin_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> None:
    """Remembers the situation in which a cook chose to wait."""
    wait.since[0] = state[STEP]
    read_situation(grid, state, player, role, wait.targets, wait.asked_situation)


@kernel
def read_situation(
    grid: Grid, state: StateVector, player: int, role: int, targets: Int32Array, situation: Int32Array
) -> None:
    """Writes a situation."""
    feasible_targets(grid, state, player, targets[0], targets[1])
    for skill in range(N_SKILLS):
        situation[skill] = targets[0, skill] >= 0
    situation[_HELD], situation[_HELD + 1] = state[HELD], state[HELD + 1]
    situation[_DIRTY], situation[_ORDERS], situation[_ROLE] = state[DIRTY_PLATES], state[N_ORDERS], role
    for order in range(MAX_ORDERS):
        situation[_ORDERS + 1 + order] = state[DISH + order] if order < state[N_ORDERS] else NOTHING
    for tile in range(len(grid.kind)):
        situation[_ROLE_TILES + tile] = state[STATE_HEADER + tile] * _STAGES + stage_at(grid, state, tile)


@kernel
def stage_at(grid: Grid, state: StateVector, tile: int) -> int:
    """Returns the stage of the item on a tile: whether it is chopped, or how far it is cooked."""
    kind = grid.kind[tile]
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        return 0
    progress = state[STATE_HEADER + len(grid.kind) + tile]
    if kind == BOARD:
        return int(progress >= grid.params[CHOPS])
    if (kind == GRILL or kind == POT) and item != CHARCOAL:
        return cooking_stage(grid, progress)
    return 0


RoleOfPartner = Callable[[], int]  # by a belief that the planner is told, NO_ROLE if that is not clear


class WaitingRule:
    """Whether one cook that waits goes on waiting. Like all memory of an agent it changes with `commit` only.

    Args:
        ask: when a waiting cook is asked again.

    Attributes:
        memory: what the cook was last asked about; a kernel that plays for it changes it, too.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode: the cook does not wait."""
        self._grid = grid_of(context.layout)
        self.memory = new_wait(len(self._grid.kind))
        self._pending: Wait | None = None  # of the question that a slow planner has not answered yet
        self._goes_on = maybe_compiled(goes_on_waiting, fast=context.fast)
        self._begin = maybe_compiled(begin_waiting, fast=context.fast)

    def copy(self) -> Self:
        """Returns an independent rule with the same memory."""
        clone = copy(self)
        clone.memory = deepcopy(self.memory)
        return clone

    def decision(self, observation: Observation, role: RoleOfPartner) -> Decision | None:
        """Returns the decision to go on waiting; None if the planner has to be asked."""
        if self.memory.since[0] == NEVER_WAITED:
            return None
        if self._goes_on(self._grid, observation.state, observation.player, role(), self.memory):
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        return None

    def commit(self, decision: Decision, observation: Observation, role: RoleOfPartner) -> None:
        """Remembers the situation if the planner chose to wait; forgets it if the cook does anything else.

        The decision is of this step, but a slow planner may have made it for an earlier one.
        """
        if self._ask == "always" or decision.waiting:
            return
        plan = decision.plan
        waits = decision.chosen and decision.skill == SKILL_STAY and not (plan is not None and plan.fallback)
        if decision.thinking:
            if decision.calls:  # a dropped answer is followed by another question
                self._pending = None
            elif self._pending is None:
                self._pending = self._situation(observation, role)
        elif waits:
            question = self._pending or self._situation(observation, role)
            self._pending = None
            self.memory.since[:] = question.since
            self.memory.asked_situation[:] = question.asked_situation
        else:
            self.memory.since[0] = NEVER_WAITED
            self._pending = None

    def _situation(self, observation: Observation, role: RoleOfPartner) -> Wait:
        """Returns what the cook would be asked about now."""
        situation = new_wait(len(self._grid.kind))
        self._begin(self._grid, observation.state, observation.player, role(), situation)
        return situation
