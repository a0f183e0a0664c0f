"""The screen on which people play: the kitchen, the orders, their own status. The agent's belief is hidden at first."""

from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Digits

from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.kitchen import constants
from bba.play.trace import EGO
from human.keymap import LEFT_HAND, PLAY_KEYS, RIGHT_HAND
from human.session import Session
from tui.screens.dialogs import ConfirmDialog
from tui.screens.playback import PANEL_RATE
from tui.screens.preparation import Preparation
from tui.style.base_app import bindings
from tui.style.base_screen import BARS, FRAME, ROOMY, BaseScreen, side_width
from tui.widgets.commitment import deciding_gate_panel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.orders import OrdersPanel
from tui.widgets.panel import Panel, TitleBar
from tui.widgets.player_status import PlayerPanel, clock
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.skill_list import NumberPad, SkillsPanel

COUNTDOWN = 3  # seconds before the first step
COUNTER = Size(9, 5)  # cells of the number that counts down, as in the style sheet
WINDOW_CHECK = 0.5  # seconds between two checks whether the window is still there
PATIENCE = 0.6  # seconds after which the digits typed so far count as the whole number
ACTIONS = dict(zip(constants.ACTION_NAMES, range(constants.N_ACTIONS), strict=True))


class PlayScreen(BaseScreen[None]):
    """Plays a session in real time, or turn by turn; posts `GameOver` at its end.

    Args:
        session: the game and its people.
        speed: steps a second; None for turn by turn, where the world waits for a key.
        countdown: seconds before the first step.
        show_belief: whether the agent's belief and gate are shown at first.
    """

    @dataclass
    class GameOver(Message):
        """The game has ended.

        Attributes:
            session: the game.
            speed: its steps a second; None for turn by turn.
        """

        session: Session
        speed: float | None

    BINDINGS = bindings((*LEFT_HAND, *RIGHT_HAND, *PLAY_KEYS))

    def __init__(
        self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN, show_belief: bool = False
    ) -> None:
        super().__init__()
        self.session = session
        self.paused, self.skill_mode, self.show_belief = False, False, show_belief
        self._speed, self._countdown = speed, countdown
        self._kitchen = KitchenView(session.trace.config.layout)
        self._title = TitleBar()
        self._skills = SkillsPanel()
        self._belief_panels = (PosteriorPanel(), deciding_gate_panel(session.trace.config.seats[EGO]))
        for panel in self._belief_panels:
            panel.add_class("mind")
        self._panels: tuple[Panel, ...] = (OrdersPanel(), PlayerPanel(session.people, speed), *self._belief_panels)
        self._pad = NumberPad()
        self._patience: Timer | None = None
        self._preparation = Preparation(self.call_later)

    def compose(self) -> ComposeResult:
        yield self._title
        with Horizontal(id="body"):
            yield Vertical(self._kitchen, id="board")
            yield Vertical(*self._panels, self._skills, id="side")
        yield Digits(id="countdown")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._kitchen.show_snapshot(self.snapshot)
        self._show_mode()
        if self.session.window is not None:
            self.session.window.listen(
                lambda seat, action: self.app.call_from_thread(self._press, seat, action),
                lambda action: self.app.call_from_thread(self._act, action),
            )
            self.set_interval(WINDOW_CHECK, self._watch_window)
        self.call_after_refresh(self._show_panels)
        self.set_interval(1 / PANEL_RATE, self._show_panels)
        self._preparation.begin([self.session.game], self._prepared)
        self._show_title()

    def on_unmount(self) -> None:
        self._preparation.cancel()

    def on_resize(self, event: events.Resize) -> None:
        """Fits the kitchen into the space beside the panels."""
        size = event.size
        board = self._kitchen.fit(Size(size.width - side_width(size.width) - FRAME, size.height - BARS - FRAME))
        self.query_one("#board").styles.width = board.width + FRAME
        self.call_after_refresh(self._show_panels)
        self.call_after_refresh(self._centre_countdown)

    def _centre_countdown(self) -> None:
        """Puts the countdown over the middle of the kitchen."""
        digits, kitchen = self.query_one("#countdown"), self._kitchen.region
        spare = kitchen.size - COUNTER
        digits.styles.offset = kitchen.x + spare.width // 2, kitchen.y + spare.height // 2

    @property
    def snapshot(self) -> Snapshot:
        """The newest step, without the partner's true role: the partner is a person."""
        trace = self.session.trace
        return Snapshot(trace, len(trace.ticks), truth=False)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_first(self, name: str) -> None:
        self._press(self.session.people[0], ACTIONS[name])

    def action_second(self, name: str) -> None:
        self._press(self.session.people[-1], ACTIONS[name])

    def action_stay(self) -> None:
        """Lets a step pass, turn by turn."""
        if self._speed is None and self.playing:
            self._step()

    def action_pause(self) -> None:
        self.paused = not self.paused
        self._show_title()

    def action_skills(self) -> None:
        self.skill_mode = not self.skill_mode
        self.show_belief &= self._fits_both or not self.skill_mode
        self._show_mode()

    def action_mind(self) -> None:
        self.show_belief = not self.show_belief
        self.skill_mode &= self._fits_both or not self.show_belief
        self._show_mode()

    def action_declare(self, role: int) -> None:
        """Notes that the first person declares to play a role."""
        self.session.controls[self.session.people[0]].declare(role)

    def action_surrender(self) -> None:
        """Asks whether to end the game; it stands still meanwhile, as behind any layer."""
        if self.is_active:
            self.app.push_screen(ConfirmDialog("End the game here?", yes="End it", no="Play on"), self._surrender)

    def on_key(self, event: events.Key) -> None:
        """Reads digits as the number of a skill, in skill mode."""
        if self.skill_mode and event.character is not None and event.character in "0123456789":
            event.stop()
            self._type(event.character)

    def _press(self, seat: int, action: int) -> None:
        if self.playing:
            self.session.controls[seat].press(action)
            if self._speed is None:
                self._step()

    def _type(self, digit: str) -> None:
        """Takes a digit; after a while the number typed so far counts, even if more digits could follow."""
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
        """Whether the countdown is running."""
        return self._countdown > 0

    @property
    def covered(self) -> bool:
        """Whether another screen, or the line for small terminals, lies over the game (which a window shows still)."""
        return not self.is_active or (self.too_small and self.session.window is None)

    @property
    def playing(self) -> bool:
        """Whether the game goes on and takes keys."""
        return not (self._preparation.waiting or self.counting or self.paused or self.covered or self.session.over)

    def on_screen_suspend(self) -> None:
        self._show_title()

    def on_screen_resume(self) -> None:
        self._show_title()

    def _prepared(self, problem: str | None) -> None:
        """Begins, or says why the game cannot; the first step would say so again."""
        if problem is not None:
            self.paused = True
            self.show_problem(problem)
        self._count()

    def _count(self) -> None:
        """Shows the countdown, then starts the clock."""
        digits = self.query_one("#countdown", Digits)
        digits.display = self.counting
        if self.counting:
            digits.update(str(self._countdown))
            self.set_timer(1.0, self._count_on)
        elif self._speed is not None:
            self.set_interval(1 / self._speed, self._on_beat)
        self._show_title()

    def _count_on(self) -> None:
        self._countdown -= not self.covered
        self._count()

    def _on_beat(self) -> None:
        if self.playing:
            self._step()

    def _step(self) -> None:
        """Plays one step and shows it; the last step ends the game."""
        try:
            self.session.step()
        except BBAError as error:
            self.paused = True
            self.show_problem(str(error))
        slide = 0.5 / self._speed if self._speed is not None else 0.0
        self._kitchen.show_snapshot(self.snapshot, slide)
        self._show_title()
        if self._speed is None:
            self._show_panels()
        if self.session.over:
            self._end()

    def _surrender(self, sure: bool | None) -> None:
        if sure:
            self.session.give_up()
            self._end()

    def _end(self) -> None:
        """Saves and closes the session, and posts that the game is over."""
        try:
            self.session.close()
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        self.post_message(self.GameOver(self.session, self._speed))

    # --- the window --------------------------------------------------------------------------------------------
    def _act(self, action: str) -> None:
        """Runs an action that was asked for in the window."""
        self.run_worker(self.run_action(action))

    def _watch_window(self) -> None:
        """Ends the game when its window is gone, and the app too if the window was not closed by hand."""
        window = self.session.window
        if window is None or not window.gone.is_set() or self.session.over:
            return
        self._surrender(True)
        if not window.closed_by_hand:
            self.app.exit(message="the window has gone")

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def _fits_both(self) -> bool:
        """Whether the terminal is high enough for the list of skills below belief and gate."""
        return self.has_class(ROOMY)

    def _show_mode(self) -> None:
        """Shows the panels of the modes that are on; the style sheet says what makes way for them."""
        self.set_class(self.skill_mode, "-skills")
        self.set_class(self.show_belief, "-belief")
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
        """Returns the skills that the first person can start now."""
        mask = self.session.game.kitchen.mask(self.session.people[0])
        return tuple(skill for skill in range(constants.N_SKILLS) if mask[skill] and skill != constants.SKILL_STAY)

    def _show_title(self) -> None:
        self._title.show_snapshot(self.snapshot, self.status, past=self.paused or self._preparation.waiting)
        self.session.show(f"{self.status}   score {self.session.trace.score}")

    @property
    def status(self) -> str:
        """The state of the game in a word or two, or what it waits for before the countdown."""
        if self._preparation.waiting:
            return self._preparation.text
        if self.counting:
            return "get ready"
        if self.paused or self.covered:
            return "paused"
        left = self.snapshot.config.horizon - self.snapshot.step
        return "your turn" if self._speed is None else clock(left, self._speed)
