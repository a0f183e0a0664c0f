"""The event log: one line for each event of a game that matters."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba import palette
from bba.analysis import names
from bba.analysis.role_changes import RoleChange
from bba.analysis.snapshot import BeliefSnapshot, Snapshot, belief_snapshot
from bba.analysis.tuned import tuned
from bba.kitchen import constants
from bba.kitchen.constants import ITEM_NAMES
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, HELD
from bba.play import Tick, Trace
from bba.play.trace import EGO, PARTNER


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log.

    Attributes:
        step: the step of the event.
        text: what happened.
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
    """Yields the events of the snapshot's last step, the most important first.

    Args:
        snapshot: the game.
        switch: the partner's switch that is known from this step on; None if there is none.
    """
    if snapshot.tick is None:
        return
    before, tick = snapshot.state(snapshot.step - 1), snapshot.tick
    if tick.state[FIRES] > before[FIRES]:
        yield LogEntry(tick.step, "food burns: fire!", palette.BAD)
    if tick.state[EXPIRED] > before[EXPIRED]:
        yield LogEntry(tick.step, "an order ran out", palette.BAD)
    yield from _tuning(snapshot.trace, tick)
    yield from _switch(switch, tick)
    yield from _planning(snapshot, tick)
    for event in tick.events:
        if not event.complete:
            continue
        if event.skill == constants.SERVE:
            dish = names.item(ITEM_NAMES.get(int(before[HELD + event.player])))
            tip = " (tip)" if tick.state[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER] else ""
            yield LogEntry(tick.step, f"+{tick.reward} {dish}{tip}", palette.GOOD, event.player)
        else:
            yield LogEntry(tick.step, names.skill(event.skill), cook=event.player)


def _tuning(trace: Trace, tick: Tick) -> Iterator[LogEntry]:
    changes = tuned(trace.config_at(tick.step - 1).seats[EGO], trace.config_at(tick.step).seats[EGO])
    if changes:
        yield LogEntry(tick.step, f"tuned: {changes}", palette.WARN, EGO)


def _switch(switch: RoleChange | None, tick: Tick) -> Iterator[LogEntry]:
    if switch is not None:
        text = f"turned to {names.role(switch.role)} at {switch.start + 1}"
        yield LogEntry(tick.step, text, palette.ROLE_COLOURS[switch.role], PARTNER, truth=True)


def replan_event(state: BeliefSnapshot) -> str:
    """Returns what a replan rejects: what was remembered, if the commitment gate opened, else the prior MAP."""
    if state.trigger != "commitment":
        return f"replans: not {state.prior_map}"
    opened = state.commitment is not None and state.commitment.opens
    return f"replans: not {state.remembered}" if opened else "replans"


def _planning(snapshot: Snapshot, tick: Tick) -> Iterator[LogEntry]:
    decision = tick.decisions[EGO]
    if decision.replanned:
        yield LogEntry(tick.step, replan_event(belief_snapshot(snapshot.trace, tick.step)), palette.WARN, EGO)
    if decision.plan is not None and decision.plan.fallback:
        problem = decision.plan.problem or "no usable answer"
        yield LogEntry(tick.step, f"planner fell back: {problem}", palette.BAD, EGO)
