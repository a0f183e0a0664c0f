"""The skills that both players of a game run, and the primitive actions that follow from them."""

import numpy as np

from bba.agents import Decision
from bba.kernels import maybe_compiled
from bba.kitchen import constants, controller
from bba.kitchen.controller import AGE, CONTROLLED, ENDED, SKILL
from bba.kitchen.grid import Grid
from bba.kitchen.state import StateVector

Decisions = tuple[Decision, Decision]


class RunningSkills:
    """What the controller knows of both players.

    Args:
        grid: the kitchen.
        names: of the agents, for errors.
        timeout: steps after which a skill ends unfinished.
        fast: whether to compute with compiled kernels.

    Attributes:
        runs: the controller's arrays; kernels that play on change them, too.
    """

    def __init__(self, grid: Grid, names: tuple[str, str], timeout: int, *, fast: bool) -> None:
        self.runs = controller.new_skill_runs()
        self._grid, self._names, self._timeout = grid, names, timeout
        self._actions = np.zeros(2, np.int32)
        self._check_completion = maybe_compiled(controller.check_completion, fast=fast)
        self._begin = maybe_compiled(controller.start_skill, fast=fast)
        self._next_actions = maybe_compiled(controller.next_actions, fast=fast)

    def running(self, player: int) -> int:
        """Returns the skill that a player runs; NO_SKILL if it has to choose one, or plays by primitive actions."""
        return int(self.runs[player, SKILL])

    def time_out(self, player: int) -> None:
        """Ends a player's running skill as timed out, so that it chooses one in the next step."""
        if self.runs[player, SKILL] != constants.NO_SKILL:
            controller.stop_skill(self.runs, player, constants.TIMEOUT)

    def start(self, state: StateVector, decisions: Decisions) -> tuple[int | None, int | None]:
        """Starts the chosen skills; returns how those before them ended, None for one that goes on.

        Raises:
            ValueError: one of them is not feasible.
        """
        for player, decision in enumerate(decisions):
            self.runs[player, CONTROLLED] = decision.action is None
        return self._start(state, 0, decisions[0]), self._start(state, 1, decisions[1])

    def actions(self, state: StateVector, decisions: Decisions) -> tuple[int, int]:
        """Returns the primitive actions of this step; a person's is the one that was decided."""
        self._next_actions(self._grid, state, self.runs, self._actions)
        first, second = self._actions.tolist()
        return (
            first if decisions[0].action is None else decisions[0].action,
            second if decisions[1].action is None else decisions[1].action,
        )

    def clear_ended(self, state: StateVector) -> None:
        """Clears the skills that have ended with a step, after which the state is given."""
        for player in (0, 1):
            self._check_completion(self._grid, state, self.runs, player, self._timeout)

    def infeasible(self, player: int, skill: int) -> ValueError:
        """Returns the error of a player that chose a skill which it cannot start."""
        return ValueError(f"{self._names[player]} chose skill {skill}, which is not feasible")

    def _start(self, state: StateVector, player: int, decision: Decision) -> int | None:
        if not decision.chosen:
            return None
        runs = self.runs
        before = constants.INTERRUPTED if runs[player, SKILL] != constants.NO_SKILL else int(runs[player, ENDED])
        if decision.skill == constants.NO_SKILL:
            controller.stop_skill(runs, player, before)
            runs[player, AGE] = 0
        elif not self._begin(self._grid, state, runs, player, decision.skill):
            raise self.infeasible(player, decision.skill)
        return before if before != constants.RUNNING else None
