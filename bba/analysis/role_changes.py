"""The partner's switches: changes of its role that count, because it pursues the new role.

This is the only definition: measures, screens, debrief, tables and exports use it. Not every change of role is a
switch:

- Putting down and passing, waiting and fire handling belong to the work around them: they neither begin nor end a role.
  What the partner puts down right before other work, it puts down for that work: the switch begins there.
- A short excursion is no switch: work in another role that ends before it has lasted `PURSUED_STEPS` steps and before
  it has completed `PURSUED_SKILLS` skills.

A switch is known some steps after it began, once the new role is pursued; then it is never taken back. So a game that
still runs has all switches but perhaps the newest one. docs/reference/measures.md says on what the two numbers rest.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bba.belief import NO_ROLE, roles_of
from bba.belief.roles import STAGE_PASS
from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT
from bba.play.step_arrays import StepArrays
from bba.play.trace import PARTNER

PURSUED_STEPS = 10  # steps of work in a role from which it is pursued
PURSUED_SKILLS = 2  # the same in completed skills: quick work, of people above all, is no excursion
_BELONGS_TO_THE_WORK_AROUND = (NO_ROLE, STAGE_PASS)
# What the partner does in a step: its true role (NO_ROLE for none), whether it puts something down, and whether it
# completes a skill of its role.
Work = tuple[int, bool, bool]


class RoleChange(NamedTuple):
    """A switch of the partner to another role.

    Attributes:
        start: index of the step in which it begins to work in the new role, or to put down something right before that.
        known: index of the step from which the role is pursued, `start` or later.
        role: the new role; never NO_ROLE or STAGE_PASS.
    """

    start: int
    known: int
    role: int

    def since(self, index: int) -> "RoleChange":
        """Returns the switch with indices that count from another step."""
        return RoleChange(self.start - index, self.known - index, self.role)


def works(steps: StepArrays) -> Iterator[Work]:
    """Yields what the partner does in each step."""
    puts_down = steps.skills[:, PARTNER] == constants.PUT_DOWN_OBJECT
    completed = roles_of(steps.states[:, EVENT + PARTNER])
    completes = (steps.states[:, COMPLETED + PARTNER] != 0) & (completed == steps.partner)
    return zip(steps.partner.tolist(), puts_down.tolist(), completes.tolist(), strict=True)


class RoleReader:
    """Reads a game's steps in order and finds the switches.

    Attributes:
        role: the role that the partner pursues; NO_ROLE before it pursues one.
    """

    def __init__(self) -> None:
        self.role = NO_ROLE
        self._read = 0
        self._putting_down: int | None = None  # since which step, if it did so in the last one
        self._work, self._start, self._steps, self._skills = NO_ROLE, 0, 0, 0

    def read(self, work: Work) -> RoleChange | None:
        """Returns the switch that is known from this step on; None if there is none."""
        index, (role, puts_down, completes) = self._read, work
        self._read += 1
        if role not in _BELONGS_TO_THE_WORK_AROUND:
            self._count(index, role, completes=completes)
        if not puts_down:
            self._putting_down = None
        elif self._putting_down is None:
            self._putting_down = index
        return None if self._work == self.role else self._switch(index)

    def _count(self, index: int, role: int, *, completes: bool) -> None:
        """Counts a step of work in a role; what is pursued already needs no counting."""
        if role != self._work:
            self._start = index if self._putting_down is None else self._putting_down
            self._work, self._steps, self._skills = role, 0, 0
        if role != self.role:
            self._steps += 1
            self._skills += completes

    def _switch(self, index: int) -> RoleChange | None:
        """Returns the switch if the new work has become what the partner pursues; the first role is no switch."""
        if self._steps < PURSUED_STEPS and self._skills < PURSUED_SKILLS:
            return None
        before, self.role = self.role, self._work
        return None if before == NO_ROLE else RoleChange(self._start, index, self.role)


def role_changes(steps: StepArrays) -> list[RoleChange]:
    """Returns the partner's switches in order; the first role that it pursues is none."""
    return [change for change in map(RoleReader().read, works(steps)) if change is not None]
