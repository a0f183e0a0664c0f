"""The partner's switches: changes of its role that count, because it pursues the new role.

This is the only definition: measures, screens, debrief, tables and exports use it. Not every change of role is a
switch:

- Putting down and passing, waiting and fire handling belong to the work around them: they neither begin nor end a role.
  What the partner puts down right before other work, it puts down for that work: the switch begins there.
- A short excursion is no switch: work in another role that ends before it has lasted `PURSUED_STEPS` steps and before
  it has completed `PURSUED_SKILLS` skills.

A switch is known some steps after it began, once the new role is pursued; then it is never taken back. So a game that
still runs has all switches but perhaps the newest one. docs/benchmarks.md says on what the two numbers rest.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bba.belief import NO_ROLE, ROLE_OF_SKILL
from bba.belief.roles import STAGE_PASS
from bba.kitchen import constants
from bba.kitchen.state import COMPLETED, EVENT
from bba.play.trace import Tick

PURSUED_STEPS = 10  # steps of work in a role from which it is pursued
PURSUED_SKILLS = 2  # the same in completed skills: quick work, of people above all, is no excursion
_PARTNER = 1
_BELONGS_TO_THE_WORK_AROUND = (NO_ROLE, STAGE_PASS)


class RoleChange(NamedTuple):
    """A switch of the partner to another role.

    Attributes:
        start: index of the tick in which it begins to work in the new role, or to put down something right before that.
        known: index of the tick from which the role is pursued, `start` or later.
        role: the new role; never NO_ROLE or STAGE_PASS.
    """

    start: int
    known: int
    role: int

    def since(self, index: int) -> "RoleChange":
        """Returns the switch with indices that count from another tick."""
        return RoleChange(self.start - index, self.known - index, self.role)


class RoleReader:
    """Reads a game's ticks in order and finds the switches.

    Attributes:
        role: the role that the partner pursues; NO_ROLE before it pursues one.
    """

    def __init__(self) -> None:
        self.role = NO_ROLE
        self._ticks = 0
        self._putting_down: int | None = None  # since which tick, if it did so in the last one
        self._work, self._start, self._steps, self._skills = NO_ROLE, 0, 0, 0

    def read(self, tick: Tick) -> RoleChange | None:
        """Returns the switch that is known from this tick on; None if there is none."""
        index, role = self._ticks, tick.role(_PARTNER)
        self._ticks += 1
        if role not in _BELONGS_TO_THE_WORK_AROUND:
            self._count(index, role, tick)
        self._note_putting_down(index, tick)
        return None if self._work == self.role else self._switch(index)

    def _count(self, index: int, role: int, tick: Tick) -> None:
        """Counts a step of work in a role; what is pursued already needs no counting."""
        if role != self._work:
            self._start = index if self._putting_down is None else self._putting_down
            self._work, self._steps, self._skills = role, 0, 0
        if role != self.role:
            self._steps += 1
            self._skills += _completes(tick, role)

    def _note_putting_down(self, index: int, tick: Tick) -> None:
        if tick.skills[_PARTNER] != constants.PUT_DOWN_OBJECT:
            self._putting_down = None
        elif self._putting_down is None:
            self._putting_down = index

    def _switch(self, index: int) -> RoleChange | None:
        """Returns the switch if the new work has become what the partner pursues; the first role is no switch."""
        if self._steps < PURSUED_STEPS and self._skills < PURSUED_SKILLS:
            return None
        before, self.role = self.role, self._work
        return None if before == NO_ROLE else RoleChange(self._start, index, self.role)


def _completes(tick: Tick, role: int) -> bool:
    """Whether the partner completes a skill of this role."""
    return bool(tick.state[COMPLETED + _PARTNER]) and ROLE_OF_SKILL[tick.state[EVENT + _PARTNER]] == role


def role_changes(ticks: Sequence[Tick]) -> list[RoleChange]:
    """Returns the partner's switches in order; the first role that it pursues is none."""
    reader = RoleReader()
    return [change for change in map(reader.read, ticks) if change is not None]
