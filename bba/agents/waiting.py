"""When a waiting cook is asked again: in every step, or only if something that it could act upon has changed.

A cook waits if its planner chose STAY, a skill that ends after one step. With `ask` "always" its planner is asked again
in the next step, as in the preprint. With "changed" it stays without a question until one of these differs from what it
was last asked about:

- the skills that it can start, what either cook holds, and the dishes that are ordered;
- what lies where, and its state: raw or chopped, unrinsed, cooking, ready, about to burn or burning, dirty plates;
- for an agent with a belief in its prompt: the likeliest role of its partner, or that none is likely enough (Γ).

Clocks, counts of chops and rinses, positions and directions do not count. Since a partner that stands still changes
nothing, the planner is asked after `LONGEST_WAIT` steps all the same. An unusable answer is no wait: it is asked again.
"""

from collections.abc import Callable
from typing import NamedTuple

from bba.agents.base import WAITING, Decision
from bba.config import Ask
from bba.kitchen.constants import SKILL_STAY
from bba.kitchen.layout import Position
from bba.planner import PlannerInput

LONGEST_WAIT = 30  # steps; as long as any other skill lasts by default


class Situation(NamedTuple):
    """What a waiting cook could act upon; `role` is the partner's by a confident belief, else None."""

    feasible: tuple[int, ...]
    held: tuple[str | None, str | None]
    dishes: tuple[str, ...]
    objects: tuple[tuple[str, Position, str], ...]
    dirty_plates: int
    role: int | None


def situation_of(planner_input: PlannerInput) -> Situation:
    """Returns the part of a planner's input that counts as a change if it differs."""
    scene, belief = planner_input.scene, planner_input.belief
    first, second = scene.players
    return Situation(
        feasible=planner_input.feasible,
        held=(first.held, second.held),
        dishes=tuple([order.dish for order in scene.orders]),
        objects=tuple([(item.name, item.position, item.state) for item in scene.objects]),
        dirty_plates=scene.dirty_plates,
        role=belief.map_index if belief is not None and belief.confident else None,
    )


class WaitingRule:
    """Whether one cook that waits goes on waiting. Like all memory of an agent it changes with `commit` only.

    Args:
        ask: when a waiting cook is asked again.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self.reset()

    def reset(self) -> None:
        """Begins an episode: the cook does not wait."""
        self._asked: PlannerInput | None = None  # of the question that was answered with STAY; None if it does not wait
        self._pending: PlannerInput | None = None  # of the question that a slow planner has not answered yet

    def decision(self, planner_input: Callable[[], PlannerInput]) -> Decision | None:
        """Returns the decision to go on waiting; None if the planner has to be asked."""
        if self._asked is None:
            return None
        now = planner_input()
        goes_on = now.scene.step - self._asked.scene.step < LONGEST_WAIT
        if goes_on and situation_of(now) == situation_of(self._asked):
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        return None

    def commit(self, decision: Decision, planner_input: Callable[[], PlannerInput]) -> None:
        """Remembers what the planner was asked about if it chose to wait; forgets it if the cook does anything else.

        Args:
            decision: of this step, which a slow planner may have made for an earlier one.
            planner_input: returns what the planner would be told in this step.
        """
        if self._ask == "always" or decision.waiting:
            return
        plan = decision.plan
        waits = decision.chosen and decision.skill == SKILL_STAY and not (plan is not None and plan.fallback)
        if decision.thinking:  # a dropped answer is followed by another question
            self._pending = None if decision.calls else self._pending or planner_input()
        elif waits:
            self._asked, self._pending = self._pending or planner_input(), None
        else:
            self._asked = self._pending = None
