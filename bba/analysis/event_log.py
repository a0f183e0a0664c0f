"""What is worth a line in the event log, read from the ticks."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import EGO, PARTNER, Snapshot, belief_snapshot, switched_to
from bba.belief import NO_ROLE
from bba.kitchen import constants
from bba.kitchen.constants import ITEM_NAMES
from bba.kitchen.state import DELIVERED_IN_ORDER, EXPIRED, FIRES, HELD
from bba.parameters import differences
from bba.play import Tick, Trace


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the log.

    Attributes:
        step: when.
        text: what.
        colour: of what stands out; "" for the ordinary.
        cook: whose doing it was, 0 or 1; None for nobody's.
        truth: whether only the trace knows of it.
    """

    step: int
    text: str
    colour: str = ""
    cook: int | None = None
    truth: bool = False


def log_entries(moment: Snapshot) -> Iterator[LogEntry]:
    """What happened in the moment's last step, the most important first."""
    if moment.tick is None:
        return
    before, tick = moment.row(moment.step - 1), moment.tick
    if tick.row[FIRES] > before[FIRES]:
        yield LogEntry(tick.step, "food burns: fire!", palette.BAD)
    if tick.row[EXPIRED] > before[EXPIRED]:
        yield LogEntry(tick.step, "an order ran out", palette.BAD)
    yield from _tuning(moment.trace, tick)
    yield from _switch(moment.trace, tick)
    yield from _planning(moment, tick)
    for event in tick.events:
        if not event.complete:
            continue
        if event.skill == constants.SERVE:
            dish = names.item(ITEM_NAMES.get(int(before[HELD + event.player])))
            tip = " (tip)" if tick.row[DELIVERED_IN_ORDER] > before[DELIVERED_IN_ORDER] else ""
            yield LogEntry(tick.step, f"+{tick.reward} {dish}{tip}", palette.GOOD, event.player)
        else:
            yield LogEntry(tick.step, names.skill(event.skill), cook=event.player)


def _tuning(trace: Trace, tick: Tick) -> Iterator[LogEntry]:
    before, now = trace.setup_at(tick.step - 1).tuning, trace.setup_at(tick.step).tuning
    if before is not None and now is not None and before != now:
        yield LogEntry(tick.step, f"tuned: {differences(before, now)}", palette.WARN, EGO)


def _switch(trace: Trace, tick: Tick) -> Iterator[LogEntry]:
    role = switched_to(trace, tick.step)
    if role != NO_ROLE:
        yield LogEntry(tick.step, f"turns to {names.role(role)}", palette.ROLE_COLOURS[role], PARTNER, truth=True)


def _planning(moment: Snapshot, tick: Tick) -> Iterator[LogEntry]:
    decision = tick.decisions[EGO]
    if decision.replanned:
        suspect = belief_snapshot(moment.trace, tick.step).suspect
        yield LogEntry(tick.step, f"replans: not {suspect}", palette.WARN, EGO)
    if decision.exchange is not None and decision.exchange.fallback:
        problem = decision.exchange.problem or "no usable answer"
        yield LogEntry(tick.step, f"planner fell back: {problem}", palette.BAD, EGO)
