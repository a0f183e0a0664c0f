"""The screen on which people play: the kitchen, the orders, what they need to know. The agent's mind stays hidden."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Digits, Footer, Static

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen import constants
from human.keymap import LEFT_HAND, PLAY_KEYS, RIGHT_HAND
from human.session import Session
from tui.screens.clocked import PANEL_RATE
from tui.screens.confirm_dialog import ConfirmDialog
from tui.screens.watch import SIDE, SIDE_SHARE
from tui.style.breakpoints import BARS, FRAME, HEIGHTS, SMALLEST, WIDTHS
from tui.style.key_bindings import bindings
from tui.widgets.gate import GatePanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import Panel
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.skill_list import NumberPad, SkillsPanel
from tui.widgets.title_bar import TitleBar
from tui.widgets.you import YouPanel, clock

COUNTDOWN = 3  # seconds before the first step
WATCH = 0.5  # seconds between two looks whether the window is still there
PATIENCE = 0.6  # seconds after which the digits typed so far count as the whole number
ACTIONS = dict(zip(constants.ACTION_NAMES, range(constants.N_ACTIONS), strict=True))


class PlayScreen(Screen[None]):
    """Plays a session in real time, or turn by turn; posts `Over` at its end.

    Args:
        session: the game and its people.
        speed: steps a second; None for turn by turn, where the world waits for a key.
        countdown: seconds before the first step.
        mind: whether the agent's belief and gate are shown at first.
    """

    class Over(Message):
        """The game has ended."""

        def __init__(self, session: Session) -> None:
            super().__init__()
            self.session = session

    BINDINGS = bindings((*LEFT_HAND, *RIGHT_HAND, *PLAY_KEYS))
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = list(WIDTHS)  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = list(HEIGHTS)  # noqa: RUF012

    def __init__(
        self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN, mind: bool = False
    ) -> None:
        super().__init__()
        self.session = session
        self.paused, self.skill_mode, self.mind = False, False, mind
        self._speed, self._countdown = speed, countdown
        self._kitchen = KitchenView(session.trace.config.layout)
        self._title = TitleBar()
        self._skills = SkillsPanel()
        self._minds = (PosteriorPanel(), GatePanel())
        self._panels: tuple[Panel, ...] = (OrdersPanel(), YouPanel(session.people), *self._minds)
        self._pad = NumberPad()
        self._patience: Timer | None = None

    def compose(self) -> ComposeResult:
        """Title, kitchen, panels, keys; the countdown over them; and what stands there where they do not fit."""
        yield self._title
        with Horizontal(id="room"):
            with Vertical(id="board"):
                yield self._kitchen
            with Vertical(id="side"):
                yield from self._panels
                yield self._skills
        yield Digits(id="countdown")
        yield Static(id="too-small")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the kitchen, and count down."""
        self._kitchen.show_snapshot(self.snapshot)
        self._show_mode()
        if self.session.window is not None:
            self.session.window.listen(
                lambda seat, action: self.app.call_from_thread(self._press, seat, action),
                lambda action: self.app.call_from_thread(self._act, action),
            )
            self.set_interval(WATCH, self._watch_window)
        self.call_after_refresh(self._show_panels)
        self.set_interval(1 / PANEL_RATE, self._show_panels)
        self._count()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the kitchen into the room beside the panels."""
        side = max(SIDE, round(SIDE_SHARE * event.size.width))
        board = self._kitchen.fit(Size(event.size.width - side - FRAME, event.size.height - BARS - FRAME))
        self.query_one("#board").styles.width = board.width + FRAME
        has = f"{event.size.width}x{event.size.height}"
        self.query_one("#too-small", Static).update(f"needs {SMALLEST[0]}x{SMALLEST[1]}, has {has}")
        self.call_after_refresh(self._show_panels)

    @property
    def snapshot(self) -> Snapshot:
        """The newest moment; what the agent's partner, a person, really does is nobody's secret."""
        trace = self.session.trace
        return Snapshot(trace, len(trace.ticks), truth=False)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_first(self, name: str) -> None:
        """The left half of the keyboard."""
        self._press(self.session.people[0], ACTIONS[name])

    def action_second(self, name: str) -> None:
        """The right half."""
        self._press(self.session.people[-1], ACTIONS[name])

    def action_stay(self) -> None:
        """Let a step pass, where the world waits for it."""
        if self._speed is None and self.playing:
            self._step()

    def action_pause(self) -> None:
        """Stop the clock, or let it go on."""
        self.paused = not self.paused
        self._show_title()

    def action_skills(self) -> None:
        """Skills by number, or not."""
        self.skill_mode = not self.skill_mode
        self._show_mode()

    def action_mind(self) -> None:
        """Show what the agent believes, or hide it."""
        self.mind = not self.mind
        self._show_mode()

    def action_declare(self, role: int) -> None:
        """Note that a person says it plays this role now."""
        self.session.controls[self.session.people[0]].declare(role)

    def action_surrender(self) -> None:
        """Ask whether the game is to end here."""
        self.paused = True
        self.app.push_screen(ConfirmDialog("End the game here?", yes="End it", no="Play on"), self._surrender)

    def on_key(self, event: events.Key) -> None:
        """Digits name skills, in skill mode."""
        if self.skill_mode and event.character is not None and event.character in "0123456789":
            event.stop()
            self._type(event.character)

    def _press(self, seat: int, action: int) -> None:
        if self.playing:
            self.session.controls[seat].press(action)
            if self._speed is None:
                self._step()

    def _type(self, digit: str) -> None:
        """Take a digit; what it says so far counts after a while even if more could follow."""
        if self._patience is not None:
            self._patience.stop()
        self._choose(self._pad.digit(digit, self._feasible()))
        self._patience = self.set_timer(PATIENCE, self._enough_typed) if self._pad.typed else None

    def _enough_typed(self) -> None:
        self._choose(self._pad.enter(self._feasible()))

    def _choose(self, skill: int | None) -> None:
        if skill is not None and self.playing:
            self.session.controls[self.session.people[0]].choose(skill)
            if self._speed is None:
                self._step()
        self._offer_skills()

    # --- the clock ---------------------------------------------------------------------------------------------
    @property
    def counting(self) -> bool:
        """Whether the game has yet to begin."""
        return self._countdown > 0

    @property
    def playing(self) -> bool:
        """Whether keys count and the world goes on."""
        return not (self.counting or self.paused or self.session.over)

    def _count(self) -> None:
        """Count down, then begin."""
        digits = self.query_one("#countdown", Digits)
        digits.display = self.counting
        if self.counting:
            digits.update(str(self._countdown))
            self.set_timer(1.0, self._count_on)
        elif self._speed is not None:
            self.set_interval(1 / self._speed, self._on_beat)
        self._show_title()

    def _count_on(self) -> None:
        self._countdown -= 1
        self._count()

    def _on_beat(self) -> None:
        if self.playing:
            self._step()

    def _step(self) -> None:
        """Play one step and show it; the last one ends the game."""
        try:
            self.session.step()
        except BBAError as error:
            self.paused = True
            self.notify(str(error), title="The game cannot go on", severity="error", timeout=30, markup=False)
        slide = 0.5 / self._speed if self._speed is not None else 0.0
        self._kitchen.show_snapshot(self.snapshot, slide)
        self._show_title()
        if self._speed is None:
            self._show_panels()
        if self.session.over:
            self._end()

    def _surrender(self, sure: bool | None) -> None:
        if not sure:
            self.paused = False
            self._show_title()
            return
        self.session.give_up()
        self._end()

    def _end(self) -> None:
        """Save and close what is open, and say that it is over."""
        try:
            self.session.close()
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        self.post_message(self.Over(self.session))

    # --- the window --------------------------------------------------------------------------------------------
    def _act(self, action: str) -> None:
        """Do what was asked for in the window."""
        self.run_worker(self.run_action(action))

    def _watch_window(self) -> None:
        """The game ends with its window: back to the terminal if it was closed, all of it if it was killed."""
        window = self.session.window
        if window is None or not window.gone.is_set() or self.session.over:
            return
        self._surrender(True)
        if not window.closed_by_hand:
            self.app.exit(message="the window has gone")

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_mode(self) -> None:
        """Show the panels of the modes that are on."""
        self._skills.display = self.skill_mode
        for panel in self._minds:
            panel.display = self.mind
        self._show_panels()

    def _show_panels(self) -> None:
        snapshot = self.snapshot
        for panel in (*self._panels, self._skills):
            panel.show_snapshot(snapshot)
        self._offer_skills()
        self._show_title()

    def _offer_skills(self) -> None:
        if self.skill_mode:
            tick = self.snapshot.tick
            running = tick.skills[self.session.people[0]] if tick else constants.NO_SKILL
            self._skills.offer(self._feasible(), running, self._pad.typed)

    def _feasible(self) -> tuple[int, ...]:
        """The skills that the first person could have walked now."""
        mask = self.session.game.kitchen.mask(self.session.people[0])
        return tuple(skill for skill in range(constants.N_SKILLS) if mask[skill] and skill != constants.SKILL_STAY)

    def _show_title(self) -> None:
        self._title.show_snapshot(self.snapshot, self.status, past=self.paused)
        self.session.show(f"{self.status}   score {self.session.trace.score}")

    @property
    def status(self) -> str:
        """How the game stands, in a word or two."""
        if self.counting:
            return "get ready"
        if self.paused:
            return "paused"
        return "your turn" if self._speed is None else clock(self.snapshot.config.horizon - self.snapshot.step)
