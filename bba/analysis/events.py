"""The events of a game, from its trace. The tuning of an agent during a game is an event, too.

What is said of an event is in `bba.analysis.event_sentences`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from bba.agents.base import Profile
from bba.analysis import names
from bba.analysis.human_choices import RoleChange
from bba.analysis.snapshot import belief_snapshot
from bba.config import differences
from bba.kitchen.constants import DELIVERED_IN_ORDER, EXPIRED, FIRES, HELD, SERVE
from bba.play import EGO, PARTNER, Trace
from bba.plugins.used import find_used, option_changes

DONE = ("completed", "delivery")  # kinds of the events that complete a skill


def tuned(before: Profile, after: Profile) -> str:
    """Returns what differs between two profiles, as "Γ 0.65 → 0.5, step 9 → 12".

    That is "" for nothing, and where one profile lacks what the other has.
    """
    if before is after:  # as from nearly every step to the next one
        return ""
    belief_changes = ""
    if before.belief_config is not None and after.belief_config is not None:
        belief_changes = differences(before.belief_config, after.belief_config)
    trigger_changes = ""
    old_trigger = find_used(before.plugins, "trigger")
    new_trigger = find_used(after.plugins, "trigger")
    if old_trigger is not None and new_trigger is not None and old_trigger.name == new_trigger.name:
        trigger_changes = option_changes(old_trigger, new_trigger)
    return ", ".join(changes for changes in (belief_changes, trigger_changes) if changes)


class GameEvent(NamedTuple):
    """Something that happened in a step.

    Attributes:
        kind: "fire", "order lost", "tuned" (the ego), "switch" (the partner), one of `DONE`, "replan", or "fallback"
            (the planner had no usable answer).
        cook: the player who did it, 0 or 1; None for nobody.
        number: the skill that was completed, the role that was switched to, or the item that was delivered; else 0.
        detail: the tuned parameters, the first step of the switch, whether a delivery was in order, what a replan
            rejects, or the problem of the answer; else "".
        points: the reward of the step, for a delivery; else 0.
        kept: whether the ego goes on with its skill after a replan.
    """

    kind: str
    cook: int | None = None
    number: int = 0
    detail: str = ""
    points: int = 0
    kept: bool = False


def events_of(trace: Trace, step: int, switch: RoleChange | None = None) -> Iterator[GameEvent]:
    """Yields the events of a step, 1 for the first; `switch` is the partner's that is known from it on."""
    previous_state = trace.state(step - 1)
    tick = trace.ticks[step - 1]
    for counter, kind in ((FIRES, "fire"), (EXPIRED, "order lost")):
        if tick.state[counter] > previous_state[counter]:
            yield GameEvent(kind)
    changes = tuned(trace.config_at(step - 1).seats[EGO], trace.config_at(step).seats[EGO])
    if changes:
        yield GameEvent("tuned", EGO, detail=changes)
    if switch is not None:
        yield GameEvent("switch", PARTNER, switch.role, f"at {switch.start + 1}")
    for event in tick.events:
        if event.complete:
            yield GameEvent("completed", event.player, event.skill)
            if event.skill == SERVE:
                dish = int(previous_state[HELD + event.player])
                in_order = tick.state[DELIVERED_IN_ORDER] > previous_state[DELIVERED_IN_ORDER]
                detail = "in order" if in_order else "out of order"
                yield GameEvent("delivery", event.player, dish, detail, tick.reward)
    decision = tick.decisions[EGO]
    if decision.replanned:
        yield replan_event(trace, step)
    if decision.plan is not None and decision.plan.fallback:
        yield GameEvent("fallback", EGO, detail=decision.plan.problem or "no usable answer")


def replan_event(trace: Trace, step: int) -> GameEvent:
    """Returns the ego's replan in a step as an event."""
    kept = step > 1 and trace.ticks[step - 2].skills[EGO] == trace.ticks[step - 1].skills[EGO]
    return GameEvent("replan", EGO, detail=_rejected(trace, step), kept=kept)


def _rejected(trace: Trace, step: int) -> str:
    """Returns what a replan rejects: the prior MAP, or what was remembered, if that gate of the ego opened."""
    if trace.ticks[step - 1].decisions[EGO].belief is None:  # the ego has neither belief nor gate
        return ""
    state = belief_snapshot(trace, step)
    if state.trigger == "gate":
        return f"not {names.doing(state.prior_map)}"
    if state.trigger == "commitment" and state.commitment_gate is not None and state.commitment_gate.opens:
        return f"not {names.doing(state.remembered or '')}"
    return ""
