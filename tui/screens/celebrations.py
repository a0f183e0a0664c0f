"""Makes deliveries, lost orders and fires seen: points float up, the kitchen's border lights up, the bell rings."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from rich.color import Color
from rich.style import Style
from textual.timer import Timer

from bba.analysis.snapshot import Snapshot
from bba.kitchen import Position, Skill, constants
from bba.language import marked, say
from bba.palette import DARK
from tui.widgets import KitchenView, Labels, written

Kind = Literal["delivery", "lost", "fire"]


class Happening(NamedTuple):
    """A delivery, an order that ran out, or food that begins to burn.

    Attributes:
        kind: which of these.
        tile: the serving window, or where it burns; None for an order.
        points: the reward of a delivery; 0 for the others.
    """

    kind: Kind
    tile: Position | None = None
    points: int = 0


def happenings(snapshot: Snapshot) -> Iterator[Happening]:
    """Yields what happened in the snapshot's last step, deliveries first."""
    tick = snapshot.tick
    if tick is None:
        return
    before = snapshot.trace.scene(snapshot.step - 1)
    for event in tick.events:
        if event.skill == Skill.GO_TO_SERVE_DISH:
            yield Happening("delivery", before.players[event.player].ahead, tick.reward)
    if tick.state[constants.EXPIRED] > snapshot.trace.state(snapshot.step - 1)[constants.EXPIRED]:
        yield Happening("lost")
    burnt = {thing.position for thing in before.objects if thing.state == "burning"}
    for thing in snapshot.scene.objects:
        if thing.state == "burning" and thing.position not in burnt:
            yield Happening("fire", thing.position)


FRAME, FRAMES = 0.2, 8  # seconds of one position of the text, and how many there are
RISE = 4  # rows that the text rises
PULSES = (0, 1, 3, 4, 6, 7)  # frames in which the border is lit, where things move


# How each kind is shown: the text over its tile, and the colour of that; the kitchen's border has the kind as a class.
CELEBRATED: dict[Kind, tuple[str, str]] = {
    "delivery": ("+{points}", DARK.good),
    "lost": ("", DARK.bad),
    "fire": (marked("FIRE"), DARK.bad),
}
BORDERS = tuple(f"-{kind}" for kind in CELEBRATED)


class Celebrations:
    """Shows what happens on a kitchen for a moment; a later happening takes the place of an earlier one.

    Args:
        kitchen: the board.
        motion: whether texts rise and borders pulse; otherwise both stand still as long.
        bell: whether the terminal's bell rings.
    """

    def __init__(self, kitchen: KitchenView, *, motion: bool, bell: bool) -> None:
        self._kitchen, self._motion, self._bell = kitchen, motion, bell
        self._timer: Timer | None = None
        self._frame = 0

    def begin(self, happening: Happening) -> None:
        """Shows something that has happened, in the place of what is shown."""
        if self._timer is not None:
            self._timer.stop()
        self._frame = 0
        self._kitchen.remove_class(*BORDERS)
        self._draw(happening)
        self._timer = self._kitchen.set_interval(FRAME, lambda: self._draw(happening), repeat=FRAMES)
        if self._bell:
            self._kitchen.app.bell()

    def _draw(self, happening: Happening) -> None:
        over = self._frame >= FRAMES
        self._kitchen.set_class(not over and (not self._motion or self._frame in PULSES), f"-{happening.kind}")
        self._kitchen.written = {} if over else self._text(happening)
        self._frame += 1

    def _text(self, happening: Happening) -> Labels:
        if happening.tile is None:
            return {}
        words, colour = CELEBRATED[happening.kind]
        text = say(words, points=happening.points)
        below = max(0, RISE - self._frame) if self._motion else 0
        column, row = self._kitchen.cell_of(happening.tile, len(text))
        style = Style(color=Color.parse(DARK.background), bgcolor=Color.parse(colour), bold=True)
        return written(text, column, row + below, style)
