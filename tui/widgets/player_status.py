"""The panel "you": the time left, and the status of each person at the keyboard."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from tui.style.base_screen import FRAME
from tui.widgets.panel import Panel, line, spread
from tui.widgets.tile_text import tile_words

HURRY = 30  # seconds left at which the clock changes colour; ten times as many steps where no clock runs
AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


class PlayerPanel(Panel):
    """The time left, and for each person: what it holds, what is in front of it, the role that it declared.

    Args:
        seats: the seats of people.
        speed: steps a second; None for turn by turn.
    """

    TITLE = "you"
    ABOUT = "The time that is left, what you hold, what is in front of you, and the role that you last declared."

    def __init__(self, seats: tuple[int, ...], speed: float | None) -> None:
        super().__init__()
        self._seats, self._speed = seats, speed
        self.styles.height = FRAME + 1 + 3 * len(seats)

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the clock, then three lines for each person."""
        left = snapshot.config.horizon - snapshot.step
        colour = palette.WARN if left <= HURRY * (self._speed or 10.0) else palette.TEXT
        label = "steps left" if self._speed is None else "time left"
        yield spread(line((label, palette.DIM)), line((clock(left, self._speed), f"bold {colour}")), width)
        for seat in self._seats:
            yield from _person(snapshot, seat, width)


def clock(steps: int, speed: float | None) -> str:
    """Returns steps as minutes and seconds at a speed in steps a second; as their number where no clock runs."""
    if speed is None:
        return str(steps)
    seconds = round(steps / speed)
    return f"{seconds // 60}:{seconds % 60:02d}"


def _person(snapshot: Snapshot, seat: int, width: int) -> Iterable[Content]:
    player = snapshot.scene.players[seat]
    name = line((f"cook {seat + 1}", f"bold {palette.COOK_COLOURS[seat]}"))
    held = line((names.item(player.held) if player.held else "empty hand", palette.TEXT))
    yield spread(name, held, width)
    dx, dy = AHEAD[player.facing]
    at = player.position[0] + dx, player.position[1] + dy
    layout = snapshot.config.layout
    inside = 0 <= at[0] < layout.width and 0 <= at[1] < layout.height
    yield line(("  ahead: ", palette.DIM), tile_words(layout, snapshot.scene, at, width - 9) if inside else "a wall")
    role = declared(snapshot, seat)
    if role is not None:
        yield line(("  you say: ", palette.DIM), (f"I {DECLARATIONS[role]}", palette.ROLE_COLOURS[role]))


DECLARATIONS = (
    "prepare protein",
    "prepare rice",
    "look after the plates",
    "assemble",
    "serve",
    "pass things on",
)  # by role


def declared(snapshot: Snapshot, seat: int) -> int | None:
    """Returns the role that a person declared last; None before the first time."""
    for step in range(snapshot.step, 0, -1):
        role = snapshot.trace.ticks[step - 1].decisions[seat].declared_role
        if role is not None:
            return role
    return None
