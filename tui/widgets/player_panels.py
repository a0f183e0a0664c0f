"""The panels of a person who plays: "you" and "your partner"."""

from collections.abc import Iterable, Iterator
from functools import partial

from textual.content import Content

from bba import palette
from bba.analysis import Advice, Snapshot, StepsWhere, names
from bba.belief import ROLE_NAMES
from bba.language import marked, say
from bba.planner.chat import QuestionProgress
from bba.play import EGO, PARTNER, Trace
from tui.style import FRAME
from tui.widgets.panel import Panel, cook_style, fitting, line, spread
from tui.widgets.planner import thinking
from tui.widgets.tile_text import tile_name, tile_words


def _declares(player: int, trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].decisions[player].declared_role is not None


_DECLARATIONS = tuple(StepsWhere(partial(_declares, player)) for player in (EGO, PARTNER))
WINDOW_CELLS = 30  # characters for what a person in the game's window faces
HURRY_SECONDS = 30  # seconds left at which the clock changes colour
STEPS_A_SECOND = 10.0  # what stands for a second where no clock runs


class PlayerPanel(Panel):
    """The time left, a hint, what each person holds and has in front of it, and the role that the first one declared.

    Args:
        seats: the seats of people.
        speed: steps a second; None for turn by turn.
    """

    TITLE = marked("you")
    ABOUT = (
        "The time that is left, what you hold, what is in front of you, and the role that you last declared. The hint "
        "is what the scripted planner would do in your place, without knowing what your partner means to do; its tile "
        "is framed on the board."
    )

    advice: Advice | None = None

    def __init__(self, seats: tuple[int, ...], speed: float | None) -> None:
        super().__init__()
        self._seats = seats
        self._speed = speed
        self.leave_out()

    def leave_out(self, *, clock: bool = False, hints: bool = False, declares: bool = False) -> None:
        """Leaves out what has no use on a screen: the time left, the hint, the lines on declarations."""
        self.clock = not clock
        self.hints = not hints
        self.declares = not declares
        rows = 2 * len(self._seats)
        if self.clock:
            rows += 1
        if self.hints:
            rows += 1
        if self.declares:
            rows += 2
        self.styles.height = FRAME + rows

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the clock, the hint, two lines for each person, and two on declarations, which the first one makes."""
        if self.clock:
            yield self._time_left(snapshot, width)
        if self.hints:
            yield hint_line(self.advice, snapshot, width)
        for seat in self._seats:
            yield from cook_lines(snapshot, seat, width)
            if self.declares and seat == self._seats[0]:
                yield from _declaration(snapshot, seat)

    def _time_left(self, snapshot: Snapshot, width: int) -> Content:
        steps = snapshot.config.horizon - snapshot.step
        if self._speed is None:
            label = say("steps left")
            hurry_steps = HURRY_SECONDS * STEPS_A_SECOND
        else:
            label = say("time left")
            hurry_steps = HURRY_SECONDS * self._speed
        colour = palette.WARN if steps <= hurry_steps else palette.TEXT
        time = line((game_time(steps, self._speed), f"bold {colour}"))
        return spread(line((label, palette.DIM)), time, width)


def game_time(steps: int, speed: float | None) -> str:
    """Returns steps as minutes and seconds at a speed in steps a second; as their number where no clock runs."""
    if speed is None:
        return str(steps)
    seconds = round(steps / speed)
    return f"{seconds // 60}:{seconds % 60:02d}"


def hint_line(advice: Advice | None, snapshot: Snapshot, width: int) -> Content:
    """Returns the advice in words, with the tile where there is room for it; without one, how to ask for it."""
    if advice is None:
        return line((say("hint: off (h)"), palette.DIM))
    skill = names.skill(advice.skill)
    texts = [f"{skill}, {place}" for place in _target_forms(advice, snapshot)]
    label = say("hint: ")
    text = fitting(width - line(label).cell_length, *texts, skill)
    return line((label, palette.DIM), (text, f"bold {palette.WARN}"))


def _target_forms(advice: Advice, snapshot: Snapshot) -> tuple[str, ...]:
    """Returns the tile that the advice leads to in words, in fewer and fewer of them; nothing if it leads to none."""
    if advice.target is None:
        return ()
    tile = tile_name(snapshot.config.layout, advice.target)
    x, y = advice.target
    position = f"({x},{y})"
    if advice.distance:
        distance = say("{tiles} away", tiles=advice.distance)
        return f"{tile} {position}, {distance}", f"{position}, {distance}", position
    beside_you = say("beside you")
    return f"{tile} {position}, {beside_you}", beside_you, position


def cook_lines(snapshot: Snapshot, seat: int, width: int, note: str = "") -> Iterable[Content]:
    """Yields what a cook holds, and what is in front of it; a note stands beside its name."""
    player = snapshot.scene.players[seat]
    name = say("cook {number}", number=seat + 1)
    name_and_note = line((name, cook_style(seat)), (f"  {note}", palette.WARN))
    hand = names.item(player.held) if player.held else say("empty hand")
    yield spread(name_and_note, line((hand, palette.TEXT)), width)
    label = say("  ahead: ")
    room = width - line(label).cell_length
    yield line((label, palette.DIM), ahead_words(snapshot, seat, room))


def ahead_words(snapshot: Snapshot, seat: int, room: int | None = None) -> str:
    """Returns the tile in front of a cook in words, in at most `room` characters."""
    x, y = snapshot.scene.players[seat].ahead
    layout = snapshot.config.layout
    if 0 <= x < layout.width and 0 <= y < layout.height:
        return tile_words(layout, snapshot.scene, (x, y), room)
    return say("a wall")


def window_lines(snapshot: Snapshot, people: Iterable[int]) -> Iterator[str]:
    """Yields what the game's window says below the kitchen: the orders, then a line for each person."""
    orders = []
    for order in snapshot.scene.orders:
        share = order.left / order.life
        orders.append(f"{names.item(order.dish)} {share:.0%}")
    yield f"orders: {', '.join(orders) or 'none'}"
    for seat in people:
        held = names.item(snapshot.scene.players[seat].held)
        ahead = ahead_words(snapshot, seat, WINDOW_CELLS)
        yield f"cook {seat + 1} holds {held}; ahead: {ahead}"


NOTE_KEYS = "  F5–F10 your work: meat, rice,", "  plates, assemble, serve, pass"  # in the order of the keys


def _declaration(snapshot: Snapshot, seat: int) -> Iterable[Content]:
    role = declared(snapshot, seat)
    if role is None:
        for text in NOTE_KEYS:
            yield line((text, palette.DIM))
    else:
        yield line(("  you noted: ", palette.DIM), (f"I {DECLARATIONS[role]}", palette.ROLE_COLOURS[role]))


DECLARATIONS = tuple(names.role_does(role, to_you=True) for role in range(len(ROLE_NAMES)))


def noted(role: int, seat: int) -> str:
    """Returns what becomes of a declaration of the person in a seat."""
    if seat == PARTNER:
        consequence = "Your partner is not told; the last screen says if it believed it."
    else:
        consequence = "It is kept in the recording."
    return f"Noted: I {DECLARATIONS[role]}. {consequence}"


def declared(snapshot: Snapshot, seat: int) -> int | None:
    """Returns the role that a person declared last; None before the first time."""
    step = _DECLARATIONS[seat].last(snapshot.trace, snapshot.step)
    if not step:
        return None
    tick = snapshot.trace.ticks[step - 1]
    return tick.decisions[seat].declared_role


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

    # of the decisions that are under way
    progress: tuple[QuestionProgress | None, QuestionProgress | None] = (None, None)

    def __init__(self, seats: tuple[int, ...], *, mind: bool) -> None:
        super().__init__(id="partner")
        self._partner_seats = [seat for seat in (EGO, PARTNER) if seat not in seats]
        self._mind = mind
        if not self._partner_seats:  # otherwise the style sheet says when there is room for it
            self.display = False

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields two lines for the partner, and one on its mind."""
        for seat in self._partner_seats:
            progress = self.progress[seat]
            note = "" if progress is None else thinking(progress)
            yield from cook_lines(snapshot, seat, width, note)
        if self._mind:
            yield line(("  its mind: ", palette.DIM), ("m", palette.WARN))
