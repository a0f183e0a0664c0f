"""Two games compared: a game and its fork, or the two games of a duel.

What a duel comes to on average is said only of pairs that were measured, over many seeds, in docs/results.
"""

from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents import AgentOptions, Profile, load_agent, trigger_of
from bba.analysis import names
from bba.analysis.captions import replan_texts
from bba.analysis.measures import MEASURES, MeasureValues, measure
from bba.analysis.replans import REPLAN_SHOWN_STEPS
from bba.analysis.snapshot import belief_snapshot
from bba.analysis.timeline import tuned
from bba.belief import NO_ROLE
from bba.config import Knowledge
from bba.kitchen.constants import SCORE
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER, GameConfig, Tick, Trace

PLAYERS = (EGO, PARTNER)
COOKS = ("ego", "partner")


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
        self._read = shared
        self._shared = self._read

    def extend(self) -> None:
        """Reads new ticks of both."""
        first, second = (trace.ticks for trace in self._pair)
        while self._read < min(len(first), len(second)):
            one = first[self._read]
            other = second[self._read]
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

    def divergence(self) -> str:
        """Returns since when the games differ, in one line."""
        if self.state_step is None:
            decision = f", other decisions from step {self.decision_step}" if self.decision_step else ""
            return f"same so far{decision}"
        if self.decision_step in (None, self.state_step):
            return f"differs from step {self.state_step}"
        return f"other decisions from step {self.decision_step}, differs from {self.state_step}"

    def describe(self, step: int) -> str:
        """Returns what differs in a step, the original's part first."""
        one, other = (trace.ticks[step - 1] for trace in self._pair)
        found = [
            f"the {cook}: left {names.skill_doing(one.skills[player])}, right {names.skill_doing(other.skills[player])}"
            for player, cook in enumerate(COOKS)
            if _differs(one, other, player)
        ]
        if not found and _asked(one) != _asked(other):
            asked, goes_on = SIDES if _asked(one) else SIDES[::-1]
            found.append(
                f"the ego: {asked} is asked, {goes_on} goes on; both keep {names.skill_doing(one.skills[EGO])}"
            )
        if one.reward != other.reward:
            found.append(f"points: left +{one.reward}, right +{other.reward}")
        return ", ".join(found)


def _asked(tick: Tick) -> bool:
    return tick.decisions[EGO].chosen


def _egos(one: Tick, other: Tick) -> tuple[int, int]:
    return one.decisions[EGO].skill, other.decisions[EGO].skill


def _differs(one: Tick, other: Tick, player: int) -> bool:
    """Whether a player runs another skill in one game than in the other, and has just chosen it in one of them.

    What a person pursued by hand is no skill that it runs: only one of the two games may have it inferred already.
    """
    mine = one.decisions[player]
    theirs = other.decisions[player]
    return (mine.chosen or theirs.chosen) and mine.skill != theirs.skill


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
    settings = tuned(before, after)
    sources = {None: "belief", "policy": "truth"}
    told = " → ".join(sources.get(seat.knows, f"true {seat.knows}") for seat in (before, after))
    changes = (
        (before.agent != after.agent, f"agent {before.agent} → {after.agent}"),
        (
            before.planner != after.planner and before.planner and after.planner,
            f"planner {before.planner} → {after.planner}",
        ),
        (before.trigger != after.trigger, f"trigger {trigger_of(before)} → {trigger_of(after)}"),
        (settings, settings),
        (before.oracle != after.oracle and after.belief_config is not None, told),
    )
    return ", ".join(text for changed, text in changes if changed) or "nothing changed"


Pair = tuple[Trace, Trace]
SIDES = ("left", "right")  # what the two games are called
LEAST_ROOM = 50  # points that a picture of the lead has room for, at least


# Kitchen and partner: the mean lead of belief and gate over nothing, with the rollout planner, and its 95 % interval.
PLANNER = "rollout"
BELIEVES = "bayes-commit"
KNOWS_NOTHING = "proagent"
MEASURED_STEPS = 2400
MEASURED_GAMES = 40
MEASURED_LEADS = MappingProxyType(
    {
        ("open", "switching+locked"): (204, 164, 243),
        ("ring", "switching+locked"): (97, 65, 131),
        ("open", "switching"): (151, 98, 204),
        ("ring", "switching"): (95, 34, 156),
    }
)


def average_in_words(first: GameConfig, second: GameConfig) -> str:
    """Returns what the lead is on average; "" where that was not measured for exactly these settings."""
    partner = first.seats[PARTNER]
    usual = AgentOptions(planner=PLANNER)
    seats = first.seats[EGO], second.seats[EGO], partner
    names = (BELIEVES, usual), (KNOWS_NOTHING, usual), (partner.agent, AgentOptions())
    found = MEASURED_LEADS.get((first.layout.name, partner.agent))
    if found is None or first.horizon != MEASURED_STEPS or seats != tuple(load_agent(*name).profile for name in names):
        return ""
    lead, low, high = found
    return f"{MEASURED_GAMES} games: left leads by {lead} ({low} to {high})"


def leads(first: Trace, second: Trace) -> list[int]:
    """Returns the first game's score less the other's, after every step that both have."""
    one, other = (step_arrays(game.ticks).states[:, SCORE].tolist() for game in (first, second))
    return [mine - theirs for mine, theirs in zip(one, other, strict=False)]


def lead_pixels(points: Sequence[int], heights: int, low: int, high: int) -> NDArray[np.int8]:
    """Returns a column of pixels for each lead, (heights, n): 1 where the first leads, −1 where the other does, else 0.

    Args:
        points: the leads.
        heights: pixels from `high` points at the top down to `low`.
        low, high: the ends of the scale (`lead_scale`), 0 or less and 0 or more.
    """
    centres = high - (np.arange(heights)[:, None] + 0.5) * (high - low) / max(1, heights)
    lead = np.asarray(points)[None, :]
    ahead = (centres > 0) & (centres <= lead)
    behind = (centres < 0) & (centres >= lead)
    return ahead.astype(np.int8) - behind.astype(np.int8)


def lead_scale(points: Sequence[int]) -> tuple[int, int]:
    """Returns the lowest and the highest lead that a picture of these has room for."""
    return min([0, *points]), max([LEAST_ROOM, *points])


def lead_in_words(lead: int, *, over: bool = False) -> str:
    """Returns who leads, or has won where the games are over, by how many points."""
    return (
        f"{SIDES[lead < 0]} {'has won' if over else 'leads'} by {abs(lead)} point{'s' * (abs(lead) != 1)}"
        if lead
        else "both have the same score"
    )


def caption(pair: Pair, differences: Differences, step: int, *, truth: bool, here: bool) -> tuple[str, ...]:
    """Returns what to say of a step at every length, the longest first; () for nothing.

    That is the first step in which the egos decide differently, for some steps; else the last replan of either game
    that changed a skill, if it is recent.

    Args:
        pair: the two games.
        differences: the steps in which they differ, as far as they were read.
        step: the step that is shown.
        truth: whether to say what the partner really does.
        here: whether the step itself comes first, if the egos decide differently in it.
    """
    first = next(iter(differences.ego_steps), None)
    if here and step in differences.ego_steps:
        return decision_texts(pair, step, truth=truth)
    if first is not None and first <= step < first + REPLAN_SHOWN_STEPS:
        return decision_texts(pair, first, truth=truth)
    replans = [_last_change(trace, min(step, len(trace.ticks))) for trace in pair]
    side = int(replans[1] > replans[0])
    if not replans[side]:
        return ()
    texts = replan_texts(pair[side], replans[side])
    return tuple(f"{SIDES[side].capitalize()}, step {replans[side]}: {text}" for text in texts)


def decision_texts(pair: Pair, step: int, *, truth: bool) -> tuple[str, ...]:
    """Returns what each ego knew in a step and what it does, at three lengths, the longest first."""
    both = list(zip(SIDES, pair, strict=True))
    long = " ".join(
        f"{side.capitalize()} {knows(trace, step)}: it will {_does(trace, step, truth)}." for side, trace in both
    )
    does = [names.skill(trace.ticks[step - 1].skills[EGO]) for trace in pair]
    shorter = (f"{side} {knows(trace, step)}: {what}" for (side, trace), what in zip(both, does, strict=True))
    brief = (f"{side}: {what}" for side, what in zip(SIDES, does, strict=True))
    return f"Step {step}: {long}", f"Step {step}: {'; '.join(shorter)}.", f"Step {step}: {'; '.join(brief)}"


def _last_change(trace: Trace, step: int) -> int:
    """Returns the last recent step in which a replan changed the ego's skill; 0 for none."""
    recent = (trace.ticks[one - 2 : one] for one in range(step, max(1, step - REPLAN_SHOWN_STEPS), -1))
    changes = (now.step for before, now in recent if now.decisions[EGO].replanned and before.skills[0] != now.skills[0])
    return next(changes, 0)


def knows(trace: Trace, step: int) -> str:
    """Returns what an ego expects of its partner in a step, as "expects its partner to chop (0.98)"."""
    state = belief_snapshot(trace, step)
    told = trace.config_at(step).seats[EGO].oracle
    if state.observer:
        return "has no belief about its partner"
    sure = "" if told else f" ({names.beside(state.belief.confidence, 1.0)})"
    return f"{'is told its partner will' if told else 'expects its partner to'} {state.believed}{sure}"


def _does(trace: Trace, step: int, truth: bool) -> str:
    """Returns the ego's skill, and whether that is what its partner sees to already."""
    tick = trace.ticks[step - 1]
    skill = names.skill(tick.skills[EGO])
    role = tick.role(PARTNER)
    same = truth and role != NO_ROLE and role == tick.role(EGO)
    return f"{skill}, though its partner sees to {names.role_work(role)} already" if same else skill
