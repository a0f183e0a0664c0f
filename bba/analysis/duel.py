"""A duel: two games that are the same but for the ego. Who leads, and what one ego knew that the other did not.

What a duel comes to on average is said only of pairs that were measured, over many seeds, in docs/results.
"""

from collections.abc import Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from bba.agents.registry import AgentOptions, load_agent
from bba.analysis import names
from bba.analysis.captions import replan_texts
from bba.analysis.comparison import Differences
from bba.analysis.replans import REPLAN_SHOWN_STEPS
from bba.analysis.snapshot import belief_snapshot
from bba.belief import NO_ROLE
from bba.play.trace import EGO, PARTNER, GameConfig, Trace

Pair = tuple[Trace, Trace]
SIDES = ("left", "right")  # what the two games are called
LEAST_ROOM = 50  # points that a picture of the lead has room for, at least


# Kitchen and partner: the mean lead of belief and gate over nothing, with the rollout planner, and its 95 % interval.
PLANNER, BELIEVES, KNOWS_NOTHING, MEASURED_STEPS, MEASURED_GAMES = "rollout", "bayes-commit", "proagent", 2400, 40
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
    partner, usual = first.seats[PARTNER], AgentOptions(planner=PLANNER)
    seats = first.seats[EGO], second.seats[EGO], partner
    names = (BELIEVES, usual), (KNOWS_NOTHING, usual), (partner.agent, AgentOptions())
    found = MEASURED_LEADS.get((first.layout.name, partner.agent))
    if found is None or first.horizon != MEASURED_STEPS or seats != tuple(load_agent(*name).profile for name in names):
        return ""
    lead, low, high = found
    return f"on average, {MEASURED_GAMES} games: {lead:+} ({low} to {high})"


def leads(first: Trace, second: Trace) -> list[int]:
    """Returns the first game's score less the other's, after every step that both have."""
    return [one.score - other.score for one, other in zip(first.ticks, second.ticks, strict=False)]


def lead_pixels(points: Sequence[int], heights: int, low: int, high: int) -> NDArray[np.int8]:
    """Returns a column of pixels for each lead, (heights, n): 1 where the first leads, −1 where the other does, else 0.

    Args:
        points: the leads.
        heights: pixels from `high` points at the top down to `low`.
        low, high: the ends of the scale (`lead_scale`), 0 or less and 0 or more.
    """
    centres = high - (np.arange(heights)[:, None] + 0.5) * (high - low) / max(1, heights)
    lead = np.asarray(points)[None, :]
    ahead, behind = (centres > 0) & (centres <= lead), (centres < 0) & (centres >= lead)
    return ahead.astype(np.int8) - behind.astype(np.int8)


def lead_scale(points: Sequence[int]) -> tuple[int, int]:
    """Returns the lowest and the highest lead that a picture of these has room for."""
    return min([0, *points]), max([LEAST_ROOM, *points])


def lead_in_words(lead: int, sides: Sequence[str] = SIDES) -> str:
    """Returns who leads, by how many points."""
    return f"{sides[lead < 0]} leads by {abs(lead)} points" if lead else "both have the same score"


def caption(
    pair: Pair, differences: Differences, step: int, *, truth: bool, here: bool, sides: Sequence[str] = SIDES
) -> tuple[str, ...]:
    """Returns what to say of a step at every length, the longest first; () for nothing.

    That is the first step in which the egos decide differently, for some steps; else the last replan of either game
    that changed a skill, if it is recent.

    Args:
        pair: the two games.
        differences: the steps in which they differ, as far as they were read.
        step: the step that is shown.
        truth: whether to say what the partner really does.
        here: whether the step itself comes first, if the egos decide differently in it.
        sides: what the games are called.
    """
    first = next(iter(differences.ego_steps), None)
    if here and step in differences.ego_steps:
        return decision_texts(pair, step, truth=truth, sides=sides)
    if first is not None and first <= step < first + REPLAN_SHOWN_STEPS:
        return decision_texts(pair, first, truth=truth, sides=sides)
    replans = [_last_change(trace, min(step, len(trace.ticks))) for trace in pair]
    side = int(replans[1] > replans[0])
    if not replans[side]:
        return ()
    texts = replan_texts(pair[side], replans[side])
    return tuple(f"{sides[side].capitalize()}, step {replans[side]}: {text}" for text in texts)


def decision_texts(pair: Pair, step: int, *, truth: bool, sides: Sequence[str] = SIDES) -> tuple[str, ...]:
    """Returns what each ego knew in a step and what it does, at three lengths, the longest first."""
    both = list(zip(sides, pair, strict=True))
    long = " ".join(
        f"{side.capitalize()} {knows(trace, step)}: it goes to {_does(trace, step, truth)}." for side, trace in both
    )
    does = [names.skill(trace.ticks[step - 1].skills[EGO]) for trace in pair]
    shorter = (f"{side} {knows(trace, step)}: {what}" for (side, trace), what in zip(both, does, strict=True))
    brief = (f"{side}: {what}" for side, what in zip(sides, does, strict=True))
    return f"Step {step}: {long}", f"Step {step}: {'; '.join(shorter)}.", f"Step {step}: {'; '.join(brief)}"


def _last_change(trace: Trace, step: int) -> int:
    """Returns the last recent step in which a replan changed the ego's skill; 0 for none."""
    recent = (trace.ticks[one - 2 : one] for one in range(step, max(1, step - REPLAN_SHOWN_STEPS), -1))
    changes = (now.step for before, now in recent if now.decisions[EGO].replanned and before.skills[0] != now.skills[0])
    return next(changes, 0)


def knows(trace: Trace, step: int) -> str:
    """Returns what an ego expects of its partner in a step, as "expects its partner to chop (0.98)"."""
    state, told = belief_snapshot(trace, step), trace.config_at(step).seats[EGO].oracle
    if state.observer:
        return "has no belief about its partner"
    sure = "" if told else f" ({names.beside(state.belief.confidence, 1.0)})"
    return f"{'is told of' if told else 'expects'} its partner to {state.believed}{sure}"


def _does(trace: Trace, step: int, truth: bool) -> str:
    """Returns the ego's skill, and whether that is what its partner sees to already."""
    tick = trace.ticks[step - 1]
    skill, role = names.skill(tick.skills[EGO]), tick.role(PARTNER)
    same = truth and role != NO_ROLE and role == tick.role(EGO)
    return f"{skill}, though its partner sees to {names.role_work(role)} already" if same else skill
