"""Schedules of roles: which role a partner pursues from which step on, given or drawn from the game's seed."""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from bba.agents.base import EpisodeContext, Observation, Schedule
from bba.agents.continuing import FOREVER
from bba.belief import ROLE_NAMES, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.state import STEP

SHORTEST, LONGEST = 80, 160  # steps for which a drawn role lasts


def random_schedule(seed: int, roles: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yields an endless schedule of ``(from step, role)`` drawn from a seed, never the same role twice in a row."""
    rng = np.random.default_rng([seed, 1])
    step, role = 0, -1
    while True:
        role = int(rng.choice([other for other in roles if other != role]))
        yield step, role
        step += int(rng.integers(SHORTEST, LONGEST + 1))


def parse_schedule(text: str) -> Schedule:
    """Parses a schedule such as ``0:prep_rice,120:serve``.

    Raises:
        BBAError: another format, an unknown role, or steps that do not start at 0 and ascend.
    """
    schedule = []
    for part in text.split(","):
        step, _, role = part.strip().partition(":")
        if not re.fullmatch("[0-9]{1,9}", step) or role not in ROLE_NAMES:
            raise BBAError(f"schedule: {part.strip()[:60]!r} is not STEP:ROLE; roles are {', '.join(ROLE_NAMES)}")
        schedule.append((int(step), ROLE_NAMES.index(role)))
    steps = [step for step, _ in schedule]
    if steps[0] != 0 or any(later <= earlier for earlier, later in pairwise(steps)):
        raise BBAError(f"schedule: steps {steps} must start at 0 and ascend")
    return tuple(schedule)


class RoleSchedule:
    """The schedule of one episode.

    Args:
        given: ``(from step, role)`` in order, starting at step 0; None draws one from the episode's seed, of all roles
            or, in a kitchen without pass counters, all but stage_pass.
        context: the episode.

    Attributes:
        role: the role now.
        switched: whether it has just changed.
    """

    def __init__(self, given: Schedule | None, context: EpisodeContext) -> None:
        roles = tuple(range(len(ROLE_NAMES) if context.layout.pass_counters else len(ROLE_NAMES) - 1))
        self._entries = iter(given) if given else random_schedule(context.seed, roles)
        self.role, self.switched = next(self._entries)[1], False
        self._next = next(self._entries, None)

    def advance(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self.switched = self._next is not None and int(observation.state[STEP]) >= self._next[0]
        if self._next is not None and self.switched:
            self.role = self._next[1]
            self._next = next(self._entries, None)

    @property
    def until(self) -> int:
        """The number of played steps at which the next role comes."""
        return FOREVER if self._next is None else self._next[0]

    def keeps(self, observation: Observation) -> bool:
        """Whether a running skill continues: not if the role has just changed to one that it is not of."""
        running = observation.running
        return running != NO_SKILL and not (self.switched and ROLE_OF_SKILL[running] != self.role)
