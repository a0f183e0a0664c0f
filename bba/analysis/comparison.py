"""Two futures of one game: where they part, what was changed between them, and how each turns out."""

from typing import NamedTuple

from bba.agents import Profile
from bba.analysis.measures import MEASURES, MeasureValues, measure
from bba.config import differences
from bba.play import Tick, Trace


class Divergence:
    """Where two games with a common past part; `extend` reads the ticks that are new in both.

    Args:
        first, second: the two.
        shared: how many steps they have in common from the start.

    Attributes:
        decided: the first step in which either cook decided otherwise; None as long as there is none.
        differs: the first step after which the kitchen is another; None as long as there is none.
    """

    def __init__(self, first: Trace, second: Trace, shared: int) -> None:
        self.decided: int | None = None
        self.differs: int | None = None
        self._pair = first, second
        self._read = shared

    def extend(self) -> None:
        """Read on until both differences are found."""
        first, second = (trace.ticks for trace in self._pair)
        while self._read < min(len(first), len(second)) and None in (self.decided, self.differs):
            one, other = first[self._read], second[self._read]
            self._read += 1
            if self.decided is None and _decided(one) != _decided(other):
                self.decided = self._read
            if self.differs is None and (one.state != other.state).any():
                self.differs = self._read

    def __str__(self) -> str:
        """What is to be said of it, in one line."""
        if self.differs is None:
            decided = f", decides otherwise since step {self.decided}" if self.decided else ""
            return f"same so far{decided}"
        if self.decided in (None, self.differs):
            return f"differs since step {self.differs}"
        return f"decides otherwise since step {self.decided}, differs since {self.differs}"


class ForkOutcome(NamedTuple):
    """How a future stands at the step that is shown.

    Attributes:
        score: of the whole game.
        since: every measure of what happened since the fork; None at or before it.
    """

    score: int
    since: MeasureValues | None


def fork_outcome(trace: Trace, step: int, since: int) -> ForkOutcome:
    """How a game stands after `step` steps, `since` of which it shares with another."""
    until = Trace(trace.config, trace.start, trace.ticks[:step], trace.changes)
    return ForkOutcome(until.score, measure(until, since) if len(until.ticks) > since else None)


def leads(name: str, own: MeasureValues | None, other: MeasureValues | None) -> bool:
    """Returns whether the first of two games is the better one by this measure; never where neither way is better."""
    mine, theirs = ((values or {}).get(name) for values in (own, other))
    better = MEASURES[name].better
    return mine is not None and theirs is not None and better * mine > better * theirs


def changed(before: Profile, after: Profile) -> str:
    """What was changed of an agent, as "agent bayes → proagent, Γ 0.65 → 0.5"; "nothing changed" for nothing."""
    changes = []
    if before.agent != after.agent:
        changes.append(f"agent {before.agent} → {after.agent}")
    if before.planner != after.planner and before.planner and after.planner:
        changes.append(f"planner {before.planner} → {after.planner}")
    if (
        before.belief_config is not None
        and after.belief_config is not None
        and before.belief_config != after.belief_config
    ):
        changes.append(differences(before.belief_config, after.belief_config))
    return ", ".join(changes) or "nothing changed"


def _decided(tick: Tick) -> tuple[tuple[int, int | None, bool], ...]:
    """What both cooks decided in a step."""
    return tuple((decision.skill, decision.action, decision.chosen) for decision in tick.decisions)
