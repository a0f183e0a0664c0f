"""The panels "cooks", "orders" and "stations", and on each person "you" and "your partner"."""

from collections.abc import Iterable, Iterator
from functools import partial

from textual.content import Content

from bba import palette
from bba.analysis import Advice, Snapshot, StepsWhere, names
from bba.kitchen import Layout, ObjectView, OrderView, constants
from bba.language import marked, say
from bba.planner.chat import QuestionProgress
from bba.play import EGO, PARTNER, Tick, Trace
from tui.style import FRAME
from tui.widgets.panel import Panel, bar, cook_style, fitting, flowing, line, spread
from tui.widgets.planner import thinking
from tui.widgets.tile_text import item_pieces, tile_name, tile_words

COOK_NAMES = ("1 ego", "2 partner")
WARNING_ENDS = (constants.INVALID, constants.TIMEOUT, constants.INTERRUPTED)
AGE = 8  # cells of the bar of a skill's age
COOK_ROWS = 3  # lines of a cook where there is room
HIDDEN_SKILL = "its skill is hidden"


class CooksPanel(Panel):
    """For each cook: agent and held item, the running skill with its age, and the previous skill."""

    TITLE = "cooks"
    ABOUT = (
        "What each cook holds, the skill that it runs with its age against the timeout, and how the previous one ended."
    )

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields three lines for each cook, two where six rows are missing, or one where four are."""
        rows = self.content_size.height or 2 * COOK_ROWS
        for player in (EGO, PARTNER):
            hidden = player == PARTNER and not snapshot.truth
            if rows < 2 * 2:
                yield _one_line(snapshot, player, width, hidden=hidden)
                continue
            yield _name_line(snapshot, player, width)
            if hidden:
                yield line((f"  {HIDDEN_SKILL}", palette.DIM))
                return
            yield _skill_line(snapshot, player, width)
            if rows >= 2 * COOK_ROWS:
                yield _previous_line(snapshot, player, width)


def _one_line(snapshot: Snapshot, player: int, width: int, *, hidden: bool) -> Content:
    held = snapshot.scene.players[player].held
    skill = HIDDEN_SKILL if hidden else skill_name(snapshot, player)
    cook = line((f"{player + 1} ", cook_style(player)), (skill, palette.TEXT))
    item = f" {names.item(held)}" if held else ""
    return spread(cook, line((item, palette.DIM)), width)


def _name_line(snapshot: Snapshot, player: int, width: int) -> Content:
    name = line((COOK_NAMES[player], cook_style(player)))
    name_and_agent = name + f" {snapshot.config.labels[player]}"
    held = snapshot.scene.players[player].held
    if held:
        hand = line((f" {names.item(held)}", palette.TEXT))
    else:
        hand = line((" empty hand", palette.DIM))
    return spread(fitting(width - hand.cell_length, name_and_agent, name), hand, width)


def _skill_line(snapshot: Snapshot, player: int, width: int) -> Content:
    tick = snapshot.tick
    if tick is None or tick.skills[player] == constants.NO_SKILL:
        return line((f"  {skill_name(snapshot, player)}", palette.DIM))
    timeout = snapshot.config.skill_timeout
    age = tick.ages[player]
    name = line(f"  {doing(tick, player)}")
    steps = line((f" {age}/{timeout}", palette.DIM))
    room = width - name.cell_length - steps.cell_length - 1
    cells = max(0, min(AGE, room))  # the bar makes way for the name
    age_bar = bar(age / timeout, cells, palette.COOK_COLOURS[player])
    return spread(name, " " + age_bar + steps, width)


def _previous_line(snapshot: Snapshot, player: int, width: int) -> Content:
    ticks = snapshot.trace.ticks
    start = begun(snapshot, player)
    if start < 2:
        return line("")
    end_kind = ticks[start - 1].ended[player]
    if end_kind is None:
        return line("")
    previous = doing(ticks[start - 2], player)
    colour = palette.WARN if end_kind in WARNING_ENDS else palette.DIM
    end = line((f" {constants.END_NAMES[end_kind]}", colour))
    text = fitting(width - end.cell_length, f"  was: {previous}", f"  {previous}")
    return spread(line((text, palette.DIM)), end, width)


def skill_name(snapshot: Snapshot, player: int) -> str:
    """Returns what a player does, also where it has no skill."""
    tick = snapshot.tick
    if tick is None:
        return "nothing yet"
    if tick.skills[player] == constants.NO_SKILL:
        return "by hand"
    return doing(tick, player)


def doing(tick: Tick, player: int) -> str:
    """Returns what a player does in a step: its skill, or a note while its planner is thinking."""
    decision = tick.decisions[player]
    if decision.thinking:
        return decision.note
    return names.skill(tick.skills[player])


def _chooses(player: int, trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].decisions[player].chosen


def _declares(player: int, trace: Trace, step: int) -> bool:
    return trace.ticks[step - 1].decisions[player].declared_role is not None


# Screens ask at every step: each is read once.
_CHOICES = tuple(StepsWhere(partial(_chooses, player)) for player in (EGO, PARTNER))
_DECLARATIONS = tuple(StepsWhere(partial(_declares, player)) for player in (EGO, PARTNER))


def begun(snapshot: Snapshot, player: int) -> int:
    """Returns the step at which a player's running skill was chosen; 0 if it has none."""
    return _CHOICES[player].last(snapshot.trace, snapshot.step)


# fractions of an order's time left below which its bar changes colour
HURRY = 0.5
LATE = 0.2
NAME_CELLS = 17


class OrdersPanel(Panel):
    """Score and streak, then a line for each order: the dish and the steps that it has left."""

    TITLE = "orders"
    ABOUT = (
        "Score, streak and step; below, every order with the steps that it has left. The first one pays a tip. "
        "+1 stands for one more order, where not all have space."
    )

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, then the orders, the first one first."""
        yield score_line(snapshot, width)
        orders = snapshot.scene.orders
        height = self.content_size.height
        rows = max(1, height - 1) if height else len(orders)
        for number, order in enumerate(orders[:rows]):
            is_last_row = number + 1 == rows
            more = len(orders) - rows if is_last_row else 0
            yield order_line(order, first=number == 0, width=width, more=more)


def score_line(snapshot: Snapshot, width: int) -> Content:
    """Returns score, streak, deliveries and step; where it is narrow, fewer of them."""
    scene = snapshot.scene
    score = line((say("score") + " ", palette.DIM), (str(scene.score), f"bold {palette.GOOD}"))
    streak = line((f"  {say('streak')} ", palette.DIM), str(scene.streak))
    served = line((f"  {say('served')} ", palette.DIM), str(scene.deliveries))
    step = line(f" {scene.step}", (f"/{snapshot.config.horizon}", palette.DIM))
    step_and_label = line((f"  {say('step')}", palette.DIM)) + step
    forms = (
        (score + streak + served, step_and_label),
        (score + streak, step_and_label),
        (score + streak, step),
        (score, step),
    )
    for left, right in forms:
        if left.cell_length + right.cell_length <= width:
            return spread(left, right, width)
    return spread(score, step, width)


def order_line(order: OrderView, *, first: bool, width: int, more: int = 0) -> Content:
    """Returns an order's dish, a bar of the steps that it has left, their number, and how many more there are."""
    share = order.left / order.life
    name = line(names.item(order.dish)).truncate(NAME_CELLS, pad=True).plain
    steps = f"{order.left:>5}"
    more_orders = f" +{more}" if more > 0 else ""
    name_style = f"bold {palette.TEXT}" if first else palette.TEXT
    cells = max(1, width - NAME_CELLS - len(steps + more_orders))
    time_bar = bar(share, cells, _order_colour(share))
    return line((name, name_style), time_bar, (steps, palette.DIM), (more_orders, palette.TEXT))


def _order_colour(share: float) -> str:
    """Returns the colour of an order that has a share (0 to 1) of its time left."""
    if share > HURRY:
        return palette.GOOD
    return palette.WARN if share > LATE else palette.BAD


STATION_KINDS = marked({"G": "grill", "P": "pot", "B": "board", "W": "sink"})
SEPARATOR = line((" · ", palette.DIM))
STATION_COLOURS = {"ready": palette.GOOD, "warning": palette.BAD, "burning": palette.BAD}


class StationsPanel(Panel):
    """Every station, as many in a line as fit; where not all fit, those in use come first."""

    TITLE = marked("stations")
    ABOUT = "What every grill, pot, board and sink holds, when it is ready and when it burns, and the dirty plates."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        return station_lines(snapshot, width, self.content_size.height)


def station_lines(snapshot: Snapshot, width: int, rows: int) -> list[Content]:
    """Returns the stations in lines of at most `width` cells; where all take more than `rows`, those in use first."""
    stations = list(_stations(snapshot))
    lines = flowing((text for text, _ in stations), SEPARATOR, width)
    if len(lines) <= rows:
        return lines
    in_use = [text for text, used in stations if used]
    free = [text for text, used in stations if not used]
    return flowing(in_use + free, SEPARATOR, width)[:rows]


def _stations(snapshot: Snapshot) -> Iterator[tuple[Content, bool]]:
    """Yields each station in words, and whether it holds anything; stations of which there are several are numbered."""
    layout = snapshot.config.layout
    scene = snapshot.scene
    items = {item.position: item for item in scene.objects}
    for char, kind in STATION_KINDS.items():
        places = [place for place, tile in layout.tiles() if tile == char]
        for number, place in enumerate(places, start=1):
            name = say(kind)
            if len(places) > 1:
                name = f"{name} {number}"
            yield _station(layout, name, items.get(place)), place in items
    label = say("dirty plates")
    plates = line((f"{label} ", palette.DIM), (str(scene.dirty_plates), palette.TEXT))
    yield plates, True


def _station(layout: Layout, name: str, item: ObjectView | None) -> Content:
    if item is None:
        return line((say("{station} free", station=name), palette.DIM))
    pieces = item_pieces(layout, item)
    text = pieces[0]
    if len(pieces) > 1:
        text = f"{text}, {pieces[-1]}"  # the count between them would say the same twice
    colour = STATION_COLOURS.get(item.state, palette.TEXT)
    return line((f"{name} ", palette.DIM), (text, colour))


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


NOTE_KEYS = "  F5–F10 note: protein, rice,", "  plates, assemble, serve, pass"  # in the order of the keys


def _declaration(snapshot: Snapshot, seat: int) -> Iterable[Content]:
    role = declared(snapshot, seat)
    if role is None:
        for text in NOTE_KEYS:
            yield line((text, palette.DIM))
    else:
        yield line(("  you noted: ", palette.DIM), (f"I {DECLARATIONS[role]}", palette.ROLE_COLOURS[role]))


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
