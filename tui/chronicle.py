"""What is worth a line in the event log, read from the ticks."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba.belief import NO_ROLE
from bba.kitchen import codes
from bba.kitchen.codes import ITEM_NAMES
from bba.kitchen.state import EXPIRED, FIRES, HELD, IN_ORDER
from bba.play import Tick, Trace
from tui import palette, words
from tui.figures import differences
from tui.moment import EGO, PARTNER, Moment, mind_of, switched_to


@dataclass(frozen=True, slots=True)
class Happening:
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


def happenings(moment: Moment) -> Iterator[Happening]:
    """What happened in the moment's last step, the most important first."""
    if moment.tick is None:
        return
    before, tick = moment.row(moment.step - 1), moment.tick
    if tick.row[FIRES] > before[FIRES]:
        yield Happening(tick.step, "food burns: fire!", palette.BAD)
    if tick.row[EXPIRED] > before[EXPIRED]:
        yield Happening(tick.step, "an order ran out", palette.BAD)
    yield from _tuning(moment.trace, tick)
    yield from _switch(moment.trace, tick)
    yield from _planning(moment, tick)
    for event in tick.events:
        if not event.complete:
            continue
        if event.skill == codes.SERVE:
            dish = words.item(ITEM_NAMES.get(int(before[HELD + event.player])))
            tip = " (tip)" if tick.row[IN_ORDER] > before[IN_ORDER] else ""
            yield Happening(tick.step, f"+{tick.reward} {dish}{tip}", palette.GOOD, event.player)
        else:
            yield Happening(tick.step, words.skill(event.skill), cook=event.player)


def _tuning(trace: Trace, tick: Tick) -> Iterator[Happening]:
    before, now = trace.setup_at(tick.step - 1).tuning, trace.setup_at(tick.step).tuning
    if before is not None and now is not None and before != now:
        yield Happening(tick.step, f"tuned: {differences(before, now)}", palette.WARN, EGO)


def _switch(trace: Trace, tick: Tick) -> Iterator[Happening]:
    role = switched_to(trace, tick.step)
    if role != NO_ROLE:
        yield Happening(tick.step, f"turns to {words.role(role)}", palette.ROLE_COLOURS[role], PARTNER, truth=True)


def _planning(moment: Moment, tick: Tick) -> Iterator[Happening]:
    decision = tick.decisions[EGO]
    if decision.replanned:
        suspect = mind_of(moment.trace, tick.step).suspect
        yield Happening(tick.step, f"replans: not {suspect}", palette.WARN, EGO)
    if decision.exchange is not None and decision.exchange.fallback:
        problem = decision.exchange.problem or "no usable answer"
        yield Happening(tick.step, f"planner fell back: {problem}", palette.BAD, EGO)
