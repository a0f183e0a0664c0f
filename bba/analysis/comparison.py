"""Comparison of a game and its fork: where they go different ways, what was changed, and how each turns out."""

from typing import NamedTuple

from bba.agents.base import Profile
from bba.agents.planning_agent import trigger_of
from bba.analysis import names
from bba.analysis.measures import MEASURES, MeasureValues, measure
from bba.analysis.timeline import nearest, tuned
from bba.limits import Knowledge
from bba.play.trace import EGO, PARTNER, Tick, Trace

PLAYERS, COOKS = (EGO, PARTNER), ("ego", "partner")


class Differences:
    """The steps in which two games with a common start differ; `extend` reads new ticks of both.

    A step counts if a player of one game chooses in it what it does not do in the other, or if the rewards differ. The
    first step of a fork also counts if the ego is asked in one game only, even if it goes on as before.

    Args:
        first, second: the two traces.
        shared: the number of steps that they share.

    Attributes:
        steps: the steps that count so far, in order.
        decision_step: the first step in which a player's decision differs; None if there is none yet.
        state_step: the first step after which the states differ; None if there is none yet.
        ego_steps: those of `steps` in which the egos' skills differ, as they did not in the step before.
    """

    def __init__(self, first: Trace, second: Trace, shared: int) -> None:
        self.steps: list[int] = []
        self.ego_steps: list[int] = []
        self.decision_step: int | None = None
        self.state_step: int | None = None
        self._pair = first, second
        self._read = self._shared = shared

    def extend(self) -> None:
        """Reads new ticks of both."""
        first, second = (trace.ticks for trace in self._pair)
        while self._read < min(len(first), len(second)):
            one, other = first[self._read], second[self._read]
            before = _egos(first[self._read - 1], second[self._read - 1]) if self._read else None
            self._read += 1
            at_once = self._read == self._shared + 1 and _asked(one) != _asked(other)
            if at_once or one.reward != other.reward or any(_differs(one, other, player) for player in PLAYERS):
                self.steps.append(self._read)
                self.ego_steps += [self._read] * (_differs(one, other, EGO) and _egos(one, other) != before)
            if self.decision_step is None and _decisions(one) != _decisions(other):
                self.decision_step = self._read
            if self.state_step is None and (one.state != other.state).any():
                self.state_step = self._read

    def nearest(self, step: int, *, forward: bool) -> int | None:
        """Returns the next difference after a step, or the last one before it; None if there is none."""
        return nearest(self.steps, step, forward=forward)

    def divergence(self) -> str:
        """Returns since when the games differ, in one line."""
        if self.state_step is None:
            decision = f", decides otherwise since step {self.decision_step}" if self.decision_step else ""
            return f"same so far{decision}"
        if self.decision_step in (None, self.state_step):
            return f"differs since step {self.state_step}"
        return f"decides otherwise since step {self.decision_step}, differs since {self.state_step}"

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
    return tick.decisions[EGO].chosen


def _egos(one: Tick, other: Tick) -> tuple[int, int]:
    return one.skills[EGO], other.skills[EGO]


def _differs(one: Tick, other: Tick, player: int) -> bool:
    """Whether a player runs another skill in one game than in the other, and has just chosen it in one of them."""
    chosen = one.decisions[player].chosen or other.decisions[player].chosen
    return chosen and one.skills[player] != other.skills[player]


def _decisions(tick: Tick) -> tuple[tuple[int, int | None, bool], ...]:
    return tuple((decision.skill, decision.action, decision.chosen) for decision in tick.decisions)


class ForkOutcome(NamedTuple):
    """The outcome of one of the two games at the step that is shown.

    Attributes:
        score: the score of the whole game.
        since: the measures of the steps since the fork; None if there are no such steps.
    """

    score: int
    since: MeasureValues | None


def fork_outcome(trace: Trace, step: int, since: int) -> ForkOutcome:
    """Returns the outcome of a game after `step` steps, the first `since` of which it shares with the other game."""
    until = Trace(trace.config, trace.start, trace.ticks[:step], trace.changes)
    return ForkOutcome(until.score, measure(until, since) if len(until.ticks) > since else None)


def is_better(name: str, own: MeasureValues | None, other: MeasureValues | None) -> bool:
    """Returns whether the first of two games is the better one by this measure; never where neither way is better."""
    mine, theirs = ((values or {}).get(name) for values in (own, other))
    better = MEASURES[name].better
    return mine is not None and theirs is not None and better * mine > better * theirs


def worth_text(knows: Knowledge, points: int) -> str:
    """Returns what knowing the partner would have been worth, as "knowing its rule would have been worth 84 points"."""
    amount = f"{abs(points)} point{'s' * (abs(points) != 1)}"
    verb = f"been worth {amount}" if points > 0 else f"cost {amount}" if points else "changed nothing"
    return f"knowing its {knows} would have {verb} here"


def describe_changes(before: Profile, after: Profile) -> str:
    """Returns the changes of an agent, such as "agent bayes → proagent, Γ 0.65 → 0.5", or "nothing changed"."""
    changes = []
    if before.agent != after.agent:
        changes.append(f"agent {before.agent} → {after.agent}")
    if before.planner != after.planner and before.planner and after.planner:
        changes.append(f"planner {before.planner} → {after.planner}")
    if before.trigger != after.trigger:
        changes.append(f"trigger {trigger_of(before)} → {trigger_of(after)}")
    changes.extend(filter(None, [tuned(before, after)]))
    if before.oracle != after.oracle and after.belief_config is not None:
        words = {None: "belief", "policy": "truth"}
        changes.append(" → ".join(words.get(seat.knows, f"true {seat.knows}") for seat in (before, after)))
    return ", ".join(changes) or "nothing changed"
