"""The panel "events": a log of what was worth noting."""

from collections import deque
from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.events import Resize
from textual.widgets import RichLog

from tui import palette
from tui.chronicle import Happening, happenings
from tui.moment import Moment

CAPACITY = 500


class EventsPanel(RichLog):
    """Deliveries, replans, fires, orders that ran out, finished skills and switches, the newest last."""

    TITLE: ClassVar[str] = "events"
    ABOUT: ClassVar[str] = (
        "Deliveries, replans, fires, orders that ran out, finished skills, each with the number of its cook; "
        "scroll with the wheel."
    )

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id or self.TITLE, max_lines=CAPACITY, wrap=False, min_width=0, auto_scroll=True)
        self.border_title = self.TITLE
        self._shown: Moment | None = None
        self._happenings: deque[Happening] = deque(maxlen=CAPACITY)

    def show_moment(self, moment: Moment) -> None:
        """Add what happened since the moment that is shown; begin anew for another game or an earlier moment."""
        shown = self._shown
        if shown is None or shown.trace is not moment.trace or shown.step > moment.step:
            shown = Moment(moment.trace, 0, moment.truth)
            self._happenings.clear()
            self.clear()
        fresh = [one for step in range(shown.step + 1, moment.step + 1) for one in _at(moment, step)]
        self._happenings.extend(fresh)
        self._shown = moment
        if shown.truth != moment.truth:
            self._write_again()
        else:
            self._write(fresh)

    @on(Resize)
    def refit(self) -> None:
        """Fit the lines to the new width: the log cuts them to the one at which they were written."""
        self._write_again()

    def _write_again(self) -> None:
        self.clear()
        self._write(self._happenings)

    def _write(self, these: Iterable[Happening]) -> None:
        for one in these:
            if self._shown is not None and (self._shown.truth or not one.truth):
                self.write(_line(one))


def _at(moment: Moment, step: int) -> list[Happening]:
    return list(happenings(Moment(moment.trace, step, moment.truth)))


def _line(one: Happening) -> Text:
    who = ("●", one.colour) if one.cook is None else (str(one.cook + 1), palette.COOK_COLOURS[one.cook])
    return Text.assemble((f"{one.step:>4} ", palette.DIM), who, " ", (one.text, one.colour or palette.DIM))
