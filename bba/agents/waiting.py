"""When a waiting cook is asked again: in every step, or only if something that it could act upon has changed.

A cook waits if its planner chose STAY, a skill that ends after one step. With `ask` "always" its planner is asked again
in the next step, as in the preprint. With "changed" it stays without a question until one of these differs from what it
was last asked about:

- the skills that it can start, what either cook holds, and the dishes that are ordered;
- what lies where, and its state: raw or chopped, cooking, ready, about to burn or burning, dirty plates;
- for an agent with a belief in its prompt: the likeliest role of its partner, or that none is likely enough (Γ).

Clocks, counts of chops and rinses, positions and directions do not count. Since a partner that stands still changes
nothing, the planner is asked after `LONGEST_WAIT` steps all the same. An unusable answer is no wait: it is asked again.
"""

from collections.abc import Callable
from copy import copy, deepcopy
from typing import Self

from bba.agents.base import WAITING, Decision, EpisodeContext, Observation
from bba.agents.compiled.waiting import NEVER_WAITED, Wait, begin_waiting, goes_on_waiting, new_wait
from bba.belief import NO_ROLE
from bba.config import Ask
from bba.kernels import maybe_compiled
from bba.kitchen.constants import SKILL_STAY
from bba.kitchen.grid import grid_of

RoleOfPartner = Callable[[], int]  # by a belief that the planner is told, NO_ROLE if that is not clear


def no_role() -> int:
    """Says nothing of the partner: what the planner is told has no belief."""
    return NO_ROLE


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
        self._goes_on = maybe_compiled(goes_on_waiting, fast=context.fast, allocates=False)
        self._begin = maybe_compiled(begin_waiting, fast=context.fast, allocates=False)

    def copy(self) -> Self:
        """Returns an independent rule with the same memory."""
        other = copy(self)
        other.memory = deepcopy(self.memory)
        return other

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
        if decision.thinking:  # a dropped answer is followed by another question
            self._pending = None if decision.calls else self._pending or self._situation(observation, role)
        elif waits:
            asked, self._pending = self._pending or self._situation(observation, role), None
            self.memory.since[:], self.memory.asked[:] = asked.since, asked.asked
        else:
            self.memory.since[0], self._pending = NEVER_WAITED, None

    def _situation(self, observation: Observation, role: RoleOfPartner) -> Wait:
        """Returns what the cook would be asked about now."""
        situation = new_wait(len(self._grid.kind))
        self._begin(self._grid, observation.state, observation.player, role(), situation)
        return situation
