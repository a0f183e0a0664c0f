"""Which steps of a game are exported."""

import re
from typing import NamedTuple, Self

from bba.errors import BBAError


class StepRange(NamedTuple):
    """A range of steps: `first` to `last` (None: the newest), both included, every `every`-th of them."""

    first: int = 1
    last: int | None = None
    every: int = 1

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses ``100:300``, ``100:300:2``, ``:300``, ``::2`` or, for one step, ``300``.

        Raises:
            BBAError: another form, a step below 1, or an end before the beginning.
        """
        found = re.fullmatch(r"([0-9]{0,7})(?:(:)([0-9]{0,7})(?::([0-9]{0,7}))?)?", text.strip())
        if found is None or not text.strip():
            raise BBAError(f"{text[:60]!r} is not FIRST:LAST or FIRST:LAST:EVERY, such as 100:300 or 1:2400:2")
        first = int(found[1] or 1)
        last = int(found[3]) if found[3] else None if found[2] else first
        steps = cls(first, last, int(found[4] or 1))
        if steps.first < 1 or steps.every < 1 or (steps.last is not None and steps.last < steps.first):
            raise BBAError(f"{text!r} must count from 1, forward")
        return steps

    def of(self, played: int) -> range:
        """Returns these steps of a game with `played` steps; those beyond its end are left out.

        Raises:
            BBAError: none of them has been played.
        """
        steps = range(self.first, min(played, self.last or played) + 1, self.every)
        if not steps:
            raise BBAError(f"there is no step {self.first} to export; the game has {played}")
        return steps
