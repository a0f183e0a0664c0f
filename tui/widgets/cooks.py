"""The panel "cooks": the skill that each cook runs, what it holds, and how its last skill ended."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.play import Tick
from bba.play.trace import EGO, PARTNER
from tui.widgets.panel import Panel, bar, line, spread

NAMES = ("1 ego", "2 partner")
END_COLOURS = {constants.INVALID: palette.WARN, constants.TIMEOUT: palette.WARN, constants.INTERRUPTED: palette.WARN}
AGE = 8  # cells of the bar of a skill's age
ROWS = 3  # lines of a cook where there is room
HIDDEN = "its skill is hidden"


class CooksPanel(Panel):
    """For each cook: agent and held item, the running skill with its age, and the previous skill."""

    TITLE = "cooks"
    ABOUT = (
        "What each cook holds, the skill that it runs with its age against the timeout, and how the previous one ended."
    )

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields three lines for each cook, two where six rows are missing, or one where four are."""
        rows = self.content_size.height or 2 * ROWS
        for player in (EGO, PARTNER):
            hidden = player == PARTNER and not snapshot.truth
            if rows < 2 * 2:
                yield _one_line(snapshot, player, width, hidden=hidden)
                continue
            yield _name_line(snapshot, player, width)
            if hidden:
                yield line((f"  {HIDDEN}", palette.DIM))
                return
            yield _skill_line(snapshot, player, width)
            if rows >= 2 * ROWS:
                yield _previous_line(snapshot, player, width)


def _one_line(snapshot: Snapshot, player: int, width: int, *, hidden: bool) -> Content:
    """Returns number and skill of a cook, then what it holds."""
    held = snapshot.scene.players[player].held
    skill = HIDDEN if hidden else _skill_name(snapshot, player)
    named = line((f"{player + 1} ", f"bold {palette.COOK_COLOURS[player]}"), (skill, palette.TEXT))
    return spread(named, line((f" {names.item(held)}" if held else "", palette.DIM)), width)


def _name_line(snapshot: Snapshot, player: int, width: int) -> Content:
    name = line((NAMES[player], f"bold {palette.COOK_COLOURS[player]}"))
    named = name + f" {snapshot.config.labels[player]}"
    held = snapshot.scene.players[player].held
    hand = line((f" {names.item(held)}" if held else " empty hand", palette.TEXT if held else palette.DIM))
    return spread(named if named.cell_length + hand.cell_length <= width else name, hand, width)


def _skill_line(snapshot: Snapshot, player: int, width: int) -> Content:
    tick = snapshot.tick
    if tick is None or tick.skills[player] == constants.NO_SKILL:
        return line((f"  {_skill_name(snapshot, player)}", palette.DIM))
    timeout, age = snapshot.config.skill_timeout, tick.ages[player]
    name, counted = line(f"  {doing(tick, player)}"), line((f" {age}/{timeout}", palette.DIM))
    cells = max(0, min(AGE, width - name.cell_length - counted.cell_length - 1))  # the bar makes way for the name
    return spread(name, " " + bar(age / timeout, cells, palette.COOK_COLOURS[player]) + counted, width)


def _previous_line(snapshot: Snapshot, player: int, width: int) -> Content:
    """Returns the skill before the running one, and how it ended."""
    started = begun(snapshot, player)
    ended = snapshot.trace.ticks[started - 1].ended[player] if started else None
    if ended is None or started < 2:
        return line("")
    before = doing(snapshot.trace.ticks[started - 2], player)
    end = line((f" {constants.END_NAMES[ended]}", END_COLOURS.get(ended, palette.DIM)))
    named = line((f"  was: {before}", palette.DIM))
    fits = named.cell_length + end.cell_length <= width
    return spread(named if fits else line((f"  {before}", palette.DIM)), end, width)


def _skill_name(snapshot: Snapshot, player: int) -> str:
    """Returns what a player does, also where it has no skill."""
    tick = snapshot.tick
    if tick is None:
        return "nothing yet"
    return "by hand" if tick.skills[player] == constants.NO_SKILL else doing(tick, player)


def doing(tick: Tick, player: int) -> str:
    """Returns what a player does in a step: its skill, or a note while its planner is thinking."""
    decision = tick.decisions[player]
    return decision.note if decision.thinking else names.skill(tick.skills[player])


def begun(snapshot: Snapshot, player: int) -> int:
    """Returns the step at which a player's running skill was chosen; 0 if it has none."""
    for step in range(snapshot.step, 0, -1):
        if snapshot.trace.ticks[step - 1].decisions[player].chosen:
            return step
    return 0
