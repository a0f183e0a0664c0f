"""The events of a game, from its trace, and the lines of the log that shows them.

The event log has one line for each event that matters. The tuning of an agent during a game is an event, too.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bba import palette
from bba.agents.base import Profile
from bba.analysis import names
from bba.analysis.human_choices import RoleChange
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, belief_snapshot
from bba.config import differences
from bba.kitchen.constants import DELIVERED_IN_ORDER, EXPIRED, FIRES, HELD, ITEM_NAMES, SERVE
from bba.language import say
from bba.play import EGO, PARTNER, Tick, Trace
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
        number: the skill that was completed, or the role that was switched to; else 0.
        detail: the tuned parameters, the first step of the switch, whether a delivery was in order, or the problem of
            the answer; else "".
    """

    kind: str
    cook: int | None = None
    number: int = 0
    detail: str = ""


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
                in_order = tick.state[DELIVERED_IN_ORDER] > previous_state[DELIVERED_IN_ORDER]
                yield GameEvent("delivery", event.player, detail="in order" if in_order else "out of order")
    decision = tick.decisions[EGO]
    if decision.replanned:
        yield GameEvent("replan", EGO)
    if decision.plan is not None and decision.plan.fallback:
        yield GameEvent("fallback", EGO, detail=decision.plan.problem or "no usable answer")


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log.

    Attributes:
        step: the step of the event.
        text: the event in words.
        colour: the colour of the text; "" for ordinary events.
        cook: the player whose event it is, 0 or 1; None if it is nobody's.
        truth: whether the event depends on the partner's true role, which the ego cannot see.
    """

    step: int
    text: str
    colour: str = ""
    cook: int | None = None
    truth: bool = False


def log_entries(snapshot: Snapshot, switch: RoleChange | None = None) -> Iterator[LogEntry]:
    """Yields the events of the snapshot's last step, the most important first: what was completed comes last.

    Args:
        snapshot: the game.
        switch: the partner's switch that is known from this step on; None if there is none.
    """
    if snapshot.tick is None:
        return
    events = events_of(snapshot.trace, snapshot.step, switch)
    for event in sorted(events, key=lambda event: event.kind in DONE):
        if event.kind == "completed" and event.number == SERVE:  # its delivery has more to show
            continue
        text, colour = event_in_words(snapshot.trace, snapshot.tick, event)
        yield LogEntry(snapshot.step, text, colour, event.cook, truth=event.kind == "switch")


def event_in_words(trace: Trace, tick: Tick, event: GameEvent) -> tuple[str, str]:
    """Returns the log's text for an event, and its colour."""
    match event.kind:
        case "fire":
            return say("food burns: fire!"), palette.BAD
        case "order lost":
            return say("an order ran out"), palette.BAD
        case "tuned":
            return f"tuned: {event.detail}", palette.WARN
        case "switch":
            return f"turned to {names.role(event.number)} {event.detail}", palette.ROLE_COLOURS[event.number]
        case "replan":
            text = replan_event(belief_snapshot(trace, tick.step))
            if tick.step > 1 and trace.ticks[tick.step - 2].skills[EGO] == tick.skills[EGO]:
                text += "; keeps its skill"
            return text, palette.WARN
        case "fallback":
            return f"planner fell back: {event.detail}", palette.BAD
        case "delivery":
            held = int(trace.state(tick.step - 1)[HELD + (event.cook or 0)])
            dish = names.item(ITEM_NAMES.get(held))
            tip = say(" (tip)") if event.detail == "in order" else ""
            return f"+{tick.reward} {dish}{tip}", palette.GOOD
        case _:
            return names.skill(event.number), ""


def replan_event(state: BeliefSnapshot) -> str:
    """Returns what a replan rejects: the prior MAP, or what was remembered, if that gate of the ego opened."""
    if state.observer:  # the ego itself has neither belief nor gate
        return "replans"
    if state.trigger == "gate":
        return f"replans: doubts {state.prior_map}"
    if state.trigger == "commitment" and state.commitment is not None and state.commitment.opens:
        return f"replans: not {state.remembered}"
    return "replans"
