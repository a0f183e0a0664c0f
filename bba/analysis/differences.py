"""The steps at which a game and its fork go different ways."""

from bisect import bisect_left, bisect_right

from bba.analysis import names
from bba.play import Tick, Trace
from bba.play.trace import EGO, PARTNER

PLAYERS, COOKS = (EGO, PARTNER), ("ego", "partner")


class Differences:
    """The steps in which a player of one game chooses what it does not do in the other, or the rewards differ.

    The first step of a fork also counts if the ego is asked in one game only, even if it goes on as before.

    Args:
        first, second: the two traces.
        shared: the number of steps that they share.

    Attributes:
        steps: the steps so far, in order.
    """

    def __init__(self, first: Trace, second: Trace, shared: int) -> None:
        self.steps: list[int] = []
        self._pair = first, second
        self._read = self._shared = shared

    def extend(self) -> None:
        """Reads new ticks of both."""
        first, second = (trace.ticks for trace in self._pair)
        while self._read < min(len(first), len(second)):
            one, other = first[self._read], second[self._read]
            self._read += 1
            at_once = self._read == self._shared + 1 and _asked(one) != _asked(other)
            if at_once or one.reward != other.reward or any(_differs(one, other, player) for player in PLAYERS):
                self.steps.append(self._read)

    def nearest(self, step: int, *, forward: bool) -> int | None:
        """Returns the next difference after a step, or the last one before it; None if there is none."""
        at = bisect_right(self.steps, step) if forward else bisect_left(self.steps, step) - 1
        return self.steps[at] if 0 <= at < len(self.steps) else None

    def describe(self, step: int) -> str:
        """Returns what differs in a step, the original's part first."""
        one, other = (trace.ticks[step - 1] for trace in self._pair)
        found = [
            f"the {cook} is {names.skill_doing(one.skills[player])} | {names.skill_doing(other.skills[player])}"
            for player, cook in enumerate(COOKS)
            if _differs(one, other, player)
        ]
        if not found and _asked(one) != _asked(other):
            doing = names.skill_doing(other.skills[EGO])
            found.append(f"the ego goes on {doing} | is asked, and keeps to {doing}")
        if one.reward != other.reward:
            found.append(f"points +{one.reward} | +{other.reward}")
        return ", ".join(found)


def _asked(tick: Tick) -> bool:
    """Whether the ego chose a skill."""
    return tick.decisions[EGO].chosen


def _differs(one: Tick, other: Tick, player: int) -> bool:
    """Whether a player runs another skill in one game than in the other, and has just chosen it in one of them."""
    chosen = one.decisions[player].chosen or other.decisions[player].chosen
    return chosen and one.skills[player] != other.skills[player]
