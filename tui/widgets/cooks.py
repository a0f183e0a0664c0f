"""The panel "cooks": what each cook holds and does."""

from collections.abc import Iterable
from functools import partial

from textual.content import Content

from bba import palette
from bba.analysis import Snapshot, StepsWhere, names
from bba.kitchen import constants
from bba.play import EGO, PARTNER, Tick, Trace
from tui.widgets.panel import Panel, bar, cook_style, fitting, line, spread

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


# Screens ask at every step: each is read once.
_CHOICES = tuple(StepsWhere(partial(_chooses, player)) for player in (EGO, PARTNER))


def begun(snapshot: Snapshot, player: int) -> int:
    """Returns the step at which a player's running skill was chosen; 0 if it has none."""
    return _CHOICES[player].last(snapshot.trace, snapshot.step)
