"""The lines of the event log of a game: one for each event that matters."""

from collections.abc import Iterator
from dataclasses import dataclass

from bba import palette
from bba.analysis.event_sentences import log_text
from bba.analysis.events import DONE, GameEvent, events_of
from bba.analysis.human_choices import RoleChange
from bba.analysis.snapshot import Snapshot
from bba.kitchen.constants import SERVE

COLOURS = {
    "fire": palette.BAD,
    "order lost": palette.BAD,
    "tuned": palette.WARN,
    "replan": palette.WARN,
    "fallback": palette.BAD,
    "delivery": palette.GOOD,
}  # of the texts, but for a switch, which has the colour of the role


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
        yield LogEntry(snapshot.step, log_text(event), _colour(event), event.cook, truth=event.kind == "switch")


def _colour(event: GameEvent) -> str:
    if event.kind == "switch":
        return palette.ROLE_COLOURS[event.number]
    return COLOURS.get(event.kind, "")
