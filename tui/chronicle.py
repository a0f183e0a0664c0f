"""What is worth a line in the event log, read from the ticks."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba.belief import NO_ROLE
from bba.kitchen import codes
from bba.kitchen.codes import ITEM_NAMES
from bba.kitchen.state import EXPIRED, FIRES, HELD, IN_ORDER
from bba.play import Tick, Trace
from tui import palette, words
from tui.moment import EGO, PARTNER, Moment, mind_of, switched_to

COOKS = ("ego", "partner")


@dataclass(frozen=True, slots=True)
class Happening:
    """One line: the step, the text, its colour ("" for the ordinary), and whether only the trace knows of it."""

    step: int
    text: str
    colour: str = ""
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
    yield from _switch(moment.trace, tick)
    yield from _planning(moment, tick)
    for event in tick.events:
        if not event.complete:
            continue
        if event.skill == codes.SERVE:
            dish = words.item(ITEM_NAMES.get(int(before[HELD + event.player])))
            in_order = ", in order" if tick.row[IN_ORDER] > before[IN_ORDER] else ""
            text = f"{COOKS[event.player]} delivers {dish} +{tick.reward}{in_order}"
            yield Happening(tick.step, text, palette.GOOD)
        else:
            yield Happening(tick.step, f"{COOKS[event.player]}: {words.skill(event.skill)}")


def _switch(trace: Trace, tick: Tick) -> Iterator[Happening]:
    role = switched_to(trace, tick.step)
    if role != NO_ROLE:
        text = f"{COOKS[PARTNER]} turns to {words.role(role)}"
        yield Happening(tick.step, text, palette.ROLE_COLOURS[role], truth=True)


def _planning(moment: Moment, tick: Tick) -> Iterator[Happening]:
    decision = tick.decisions[EGO]
    if decision.replanned:
        suspect = mind_of(tick, moment.gate_settings).suspect
        yield Happening(tick.step, f"ego replans: {suspect} contradicted", palette.WARN)
    if decision.exchange is not None and decision.exchange.fallback:
        problem = decision.exchange.problem or "no usable answer"
        yield Happening(tick.step, f"planner fell back to waiting: {problem}", palette.BAD)
