"""The panels "you", on each person at the keyboard, and "your partner", on what everybody can see of the other cook."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.advice import Advice
from bba.analysis.snapshot import Snapshot
from bba.planner.chat import QuestionProgress
from bba.planner.scene_text import TILE_AHEAD
from bba.play.trace import PARTNER
from tui.style.base_screen import FRAME
from tui.widgets.model_words import thinking
from tui.widgets.panel import Panel, fitting, line, spread
from tui.widgets.tile_text import tile_name, tile_words

HURRY = 30  # seconds left at which the clock changes colour; ten times as many steps where no clock runs


class PlayerPanel(Panel):
    """The time left, a hint, and for each person: what it holds, what is in front of it, the role that it declared.

    Args:
        seats: the seats of people.
        speed: steps a second; None for turn by turn.
    """

    TITLE = "you"
    ABOUT = (
        "The time that is left, what you hold, what is in front of you, and the role that you last declared. The hint "
        "is what the scripted planner would do in your place, without knowing what your partner means to do; its tile "
        "is framed on the board."
    )

    advice: Advice | None = None

    def __init__(self, seats: tuple[int, ...], speed: float | None) -> None:
        super().__init__()
        self._seats, self._speed = seats, speed
        self.leave_out()

    def leave_out(self, *, clock: bool = False, hints: bool = False, declares: bool = False) -> None:
        """Leaves out what has no use on a screen: the time left, the hint, the line on declarations."""
        self.clock, self.hints, self.declares = not clock, not hints, not declares
        self.styles.height = FRAME + self.clock + self.hints + (2 + self.declares) * len(self._seats)

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the clock, the hint, then two or three lines for each person."""
        if self.clock:
            yield self._time_left(snapshot, width)
        if self.hints:
            yield hint_line(self.advice, snapshot, width)
        for seat in self._seats:
            yield from cook_lines(snapshot, seat, width)
            if self.declares:
                yield _declaration(snapshot, seat)

    def _time_left(self, snapshot: Snapshot, width: int) -> Content:
        left = snapshot.config.horizon - snapshot.step
        colour = palette.WARN if left <= HURRY * (self._speed or 10.0) else palette.TEXT
        label = "steps left" if self._speed is None else "time left"
        return spread(line((label, palette.DIM)), line((game_time(left, self._speed), f"bold {colour}")), width)


def game_time(steps: int, speed: float | None) -> str:
    """Returns steps as minutes and seconds at a speed in steps a second; as their number where no clock runs."""
    if speed is None:
        return str(steps)
    seconds = round(steps / speed)
    return f"{seconds // 60}:{seconds % 60:02d}"


def hint_line(advice: Advice | None, snapshot: Snapshot, width: int) -> Content:
    """Returns the advice in words, with the tile where there is room for it; without one, how to ask for it."""
    if advice is None:
        return line(("hint: off (h)", palette.DIM))
    what, wheres = names.skill(advice.skill), list[str]()
    if advice.target is not None:
        x, y = advice.target
        tile = tile_name(snapshot.config.layout, advice.target)
        far = f"{advice.distance} away" if advice.distance else "beside you"
        wheres = [f"{tile} ({x},{y}), {far}", f"({x},{y}), {far}" if advice.distance else far, f"({x},{y})"]
    texts = [*(f"{what}, {where}" for where in wheres), what]
    label = "hint: "
    return line((label, palette.DIM), (fitting(width - len(label), *texts), f"bold {palette.WARN}"))


def cook_lines(snapshot: Snapshot, seat: int, width: int, note: str = "") -> Iterable[Content]:
    """Yields what a cook holds, and what is in front of it; a note stands beside its name."""
    player = snapshot.scene.players[seat]
    name = line((f"cook {seat + 1}", f"bold {palette.COOK_COLOURS[seat]}"), (f"  {note}", palette.WARN))
    yield spread(name, line((names.item(player.held) if player.held else "empty hand", palette.TEXT)), width)
    yield line(("  ahead: ", palette.DIM), ahead_words(snapshot, seat, width - 9))


def ahead_words(snapshot: Snapshot, seat: int, room: int | None = None) -> str:
    """Returns the tile in front of a cook in words, in at most `room` characters."""
    player, layout = snapshot.scene.players[seat], snapshot.config.layout
    dx, dy = TILE_AHEAD[player.facing]
    at = player.position[0] + dx, player.position[1] + dy
    inside = 0 <= at[0] < layout.width and 0 <= at[1] < layout.height
    return tile_words(layout, snapshot.scene, at, room) if inside else "a wall"


def _declaration(snapshot: Snapshot, seat: int) -> Content:
    role = declared(snapshot, seat)
    if role is None:
        return line(("  F5–F10: say what you do", palette.DIM))
    return line(("  you say: ", palette.DIM), (f"I {DECLARATIONS[role]}", palette.ROLE_COLOURS[role]))


DECLARATIONS = (
    "prepare protein",
    "prepare rice",
    "look after the plates",
    "assemble",
    "serve",
    "pass things on",
)  # by role


def noted(role: int, seat: int) -> str:
    """Returns what becomes of a declaration of the person in a seat."""
    known = "Your partner is not told; the debrief says whether it believed so."
    return f"Noted: I {DECLARATIONS[role]}. {known if seat == PARTNER else 'It is kept in the recording.'}"


def declared(snapshot: Snapshot, seat: int) -> int | None:
    """Returns the role that a person declared last; None before the first time."""
    ticks = snapshot.trace.ticks
    roles = (ticks[step - 1].decisions[seat].declared_role for step in range(snapshot.step, 0, -1))
    return next((role for role in roles if role is not None), None)


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
