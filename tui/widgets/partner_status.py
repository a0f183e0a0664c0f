"""The panel "your partner": what everybody can see of the other cook, and how to see its mind."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.planner.chat import QuestionProgress
from tui.widgets.model_words import thinking
from tui.widgets.panel import Panel, line
from tui.widgets.player_status import cook_lines


class PartnerPanel(Panel):
    """What the partner holds and what is in front of it.

    Args:
        seats: the seats of people.
        mind: whether the partner has a belief that can be shown.
    """

    TITLE = "your partner"
    ABOUT = (
        "What your partner holds, and what is in front of it. What it believes of you is hidden until you ask. Beside "
        "its name: for how long its language model has been asked."
    )

    progress: tuple[QuestionProgress | None, QuestionProgress | None] = (
        None,
        None,
    )  # of the decisions that are under way

    def __init__(self, seats: tuple[int, ...], *, mind: bool) -> None:
        super().__init__(id="partner")
        self._others = [seat for seat in (0, 1) if seat not in seats]
        self._mind = mind
        if not self._others:  # otherwise the style sheet says when there is room for it
            self.display = False

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields two lines for the partner, and one on its mind."""
        for seat in self._others:
            now = self.progress[seat]
            yield from cook_lines(snapshot, seat, width, thinking(now) if now is not None else "")
        if self._mind:
            yield line(("  its mind: ", palette.DIM), ("m", palette.WARN))
