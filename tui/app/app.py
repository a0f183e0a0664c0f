"""The main app: what it begins with, what its screens ask it for, and the keys that count on every screen."""

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from textual import events, on, work
from textual.command import CommandPalette
from textual.screen import ModalScreen
from textual.widgets import Input

from bba.analysis.timeline import TimelineMark
from bba.errors import BBAError
from bba.play import Trace
from human.keymap import APP_KEYS, BACK_KEYS, DEFAULT, MENU_KEYS, SHELL_KEYS, TYPING_KEYS, Keymap
from human.recordings import KEPT_STEPS, ContinuedRecording, keep_watched
from human.session import Session
from tui.app.navigation import CommandProvider, is_start, situation, way_out
from tui.game_factory import SessionRequest
from tui.playback.best_scores import BestScores
from tui.playback.source import PlaybackSource
from tui.preferences import AppState, PreferenceFile
from tui.screens import dialogs
from tui.screens.side_panels import SWITCHED
from tui.screens.watch import WatchScreen
from tui.screens.watch_view import WatchView
from tui.streams import terminal_is_gone
from tui.style import BUTTON_KEYS, PALETTES, BaseApp, BaseScreen, bindings, key_of, shown
from tui.style.base_screen import DismissedOnce

if TYPE_CHECKING:
    from tui.screens.duel import DuelScreen
    from tui.screens.start import StartScreen

START_SPEED = 10.0  # steps a second by default
OFFER = "Your first game? Learn makes a burrito with you, then shows what your partner believes: three minutes."
BRIEF = 3.0  # seconds for which is said what became of a game
TOUR_AFTER = 30.0  # seconds of a first game after which the tour comes, if no plan has changed before


class BBAApp(BaseApp, inherit_bindings=False):
    """The app `bba-tui`: shows a game to watch, a game to play, recordings or results; else the start screen asks.

    Args:
        source: the game to watch.
        request: what people play.
        session: the first session of `request`; None to begin one.
        first: the screen that it opens: a list to browse, results, or the kitchen designer.
        learn: whether to begin with Learn.
        show_belief: whether people who play see at first what the agent believes.
        bell: whether the terminal's bell rings when something happens to people who play.
        speed: steps a second at first; None for 10, or for the value that the start screen remembers.
        start_overrides: what the start screen shows in the place of the values that it remembers, by setting.
        autostart: whether the clock runs from the start.
        show_truth: whether the partner's true skill and role are shown at first.
        theme: "dark", "light" or "contrast" at first.
        keymap: the keys of every action.
        motion: whether things may slide, flicker and flash.
        state: what is remembered between starts; None for the platform's configuration folder.
        pause_on: the events at which watching pauses.
        tour: whether newcomers get the tour when they watch, and the offer of Learn before they play.
    """

    COMMANDS = {CommandProvider}  # noqa: RUF012 - typed so by Textual
    BINDINGS = [*BUTTON_KEYS, *bindings((*MENU_KEYS, *BACK_KEYS, *APP_KEYS, *SHELL_KEYS, *TYPING_KEYS))]  # noqa: RUF012 - typed so by Textual

    def __init__(
        self,
        source: PlaybackSource | None = None,
        *,
        request: SessionRequest | None = None,
        session: Session | None = None,
        first: BaseScreen[None] | None = None,
        learn: bool = False,
        show_belief: bool = False,
        bell: bool = False,
        speed: float | None = None,
        start_overrides: Mapping[str, Any] | None = None,
        autostart: bool = True,
        show_truth: bool = True,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        motion: bool = True,
        state: AppState | None = None,
        pause_on: Iterable[TimelineMark] = (),
        tour: bool = False,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap, motion=motion)
        self._autostart = autostart
        self._show_truth = show_truth
        self._start_overrides = dict(start_overrides or {})
        if speed is not None:
            self._start_overrides["speed"] = speed
        self._state = state or AppState()
        if state is not None:
            self.panels = state.panels(SWITCHED)
            self.thoughts = state.thoughts()
        self._tour = tour
        self._pause_on = frozenset(pause_on)
        self._calm = False  # whether a game has ended a moment ago
        self._best = BestScores(state.path.with_name("best.json") if state else None)
        self._keeps = state is not None  # whether the games that were watched are kept
        self.kept = list[Path]()  # their files
        self._learns = learn
        self._bell = bell
        self.session = session
        self._request = request
        self._show_belief = show_belief
        self._first = first
        self.game_screen = self._watch_screen(source, speed or START_SPEED) if source is not None else None

    def on_mount(self) -> None:
        self.apply_keys()
        if self._request is not None:
            self._play(self._request, self.session)
        elif self._learns:
            self._learn()
        else:
            self.push_screen(self.game_screen or self._first or self._start_screen())
            if self.game_screen is None and self._first is None:
                self._open_start_page()
        self._show_tour()

    def _open_start_page(self) -> None:
        """Goes on from the start screen to the page that the settings name, if they do."""
        if self._state.start_page and not self.is_web:
            self.call_after_refresh(self.screen.run_action, self._state.start_page)

    @on(dialogs.ViewChosen)
    def keep_view(self, message: dialogs.ViewChosen) -> None:
        setattr(self, message.what, message.value)
        if self._keeps:
            self._state.note(**{message.what: message.value})

    # --- what screens ask for ----------------------------------------------------------------------------------
    @on(dialogs.Request)
    def lead_on(self, message: dialogs.Request) -> None:
        if message.screen is not self.screen:
            return
        match message:
            case dialogs.WatchRequested(source=source, speed=speed):
                self.game_screen = self._watch_screen(source, speed)
                self.push_screen(self.game_screen)
                self._show_tour()
            case dialogs.ReviewRequested(source=source, step=step, what_if=asks):
                review = WatchScreen(source, autostart=False, at=step, keep=self._keep_watched)
                self.push_screen(review)
                if asks:
                    review.call_after_refresh(review.action_what_if)
            case dialogs.PlayRequested(request=request):
                self._play(request)
            case dialogs.NavigationRequested(destination="again"):
                if self._request is not None:
                    self.pop_screen()
                    self._play(self._request)
            case dialogs.DebriefRequested(source=source, played=played, ran_out=ran_out):
                self._show_debrief(source, played=played, ran_out=ran_out)
            case dialogs.NavigationRequested(destination="learn"):
                self._learn()
            case dialogs.NavigationRequested(destination="results"):
                from tui.results.screens import USUAL, ResultFoldersScreen

                self.push_screen(ResultFoldersScreen(USUAL))
            case dialogs.RecordingsRequested(speed=speed):
                from tui.results.recordings_screen import RecordingsScreen

                self.push_screen(RecordingsScreen(speed))
            case dialogs.DesignRequested(layout=layout):
                from tui.design.draft import Draft
                from tui.design.kitchen_file import KitchenFile
                from tui.design.screen import DesignScreen

                self.push_screen(DesignScreen(KitchenFile(Draft.of(layout), layout.name), None, self._state.recall()))
            case dialogs.KitchenSaved(path=path):
                for below in self.screen_stack:
                    if is_start(below):
                        cast("StartScreen", below).offer_kitchen(path)
            case dialogs.ExportRequested(snapshot=snapshot, rival=rival):
                from tui.export.dialog import ask_and_export

                ask_and_export(self, snapshot, rival)
            case dialogs.NavigationRequested(destination="tour", screen=WatchScreen() as screen):
                self._begin_tour(screen)
            case dialogs.NavigationRequested(destination="start"):
                self.action_to_start()

    def _show_debrief(self, source: PlaybackSource, *, played: bool, ran_out: bool) -> None:
        from tui.screens.debrief import DebriefScreen

        debrief = DebriefScreen(source, self._best, again=played)
        if played:
            self.switch_screen(debrief)
        else:
            self.push_screen(debrief)
        self._be_calm(ran_out=ran_out)

    def _be_calm(self, *, ran_out: bool) -> None:
        """Takes no key for a moment if the clock of a game has just ended it."""
        if ran_out:
            self._calm = True
            self.set_timer(dialogs.CALM, partial(setattr, self, "_calm", False))

    def _watch_screen(self, source: PlaybackSource, speed: float) -> "WatchScreen | DuelScreen":
        """Returns a screen that shows a game or a duel, as the app was asked to show games."""
        if source.rival is not None:
            from tui.screens.duel import DuelScreen

            return DuelScreen(
                source, speed=speed, autostart=self._autostart, show_truth=self._show_truth, keep=self._keep_watched
            )
        return WatchScreen(
            source,
            speed=speed,
            autostart=self._autostart,
            show_truth=self._show_truth,
            pause_on=self._pause_on,
            best=self._best,
            keep=self._keep_watched,
            first_change=self._tell_first_change if self._tour and not self._state.offered("changed") else None,
        )

    def _tell_first_change(self, screen: WatchView) -> None:
        """Notes that the first changed plan is shown; newcomers get the tour there, which says why the game stands."""
        self._state.note(changed=True)
        if self._state.offered("toured"):
            pause = shown(self.keymap["pause"][0])
            screen.hint(f"the first change of plan: read why below; {pause} plays on")
        else:
            screen.call_after_refresh(self._offer_tour, screen, stands_still=True)

    def _keep_watched(
        self,
        trace: Trace,
        rival: Trace | None = None,
        *,
        glance: bool = True,
        continues: ContinuedRecording | None = None,
    ) -> None:
        """Keeps a game, or the two of a duel, that was watched, unless it was a short glance; says what comes of it.

        A game that went on from a recording takes its place. Nothing is kept of visitors in the browser, or without a
        state.
        """
        if not self._keeps or self.is_web or not self._state.keeps_watched:
            return
        if continues is not None and continues.holds(trace):
            return
        try:
            if glance and continues is None and len(trace.ticks) <= KEPT_STEPS:
                raise BBAError(f"it has no more than {KEPT_STEPS} steps")
            self.kept.append(keep_watched(trace, rival, continues))
        except BBAError as error:
            problem = f"not kept among the recordings: {error}"
            self.notify(problem, severity="warning", timeout=BRIEF, markup=False)
            if self.return_code is not None and not terminal_is_gone():  # the program is left: no notice is seen now
                self.exit(return_code=self.return_code, message=problem)
        else:
            self.notify("kept among the recordings", timeout=BRIEF)
            for screen in self.screen_stack:
                if is_start(screen):  # it has looked before this one was kept
                    cast("StartScreen", screen).find_last_game()

    def _show_tour(self) -> None:
        """Has the tour come over a live game that is the first one that anybody watches, after a while.

        A plan that changes before brings it earlier, since then there is something to see and a game that stands still.
        """
        screen = self.game_screen
        if (
            self._tour
            and isinstance(screen, WatchScreen)
            and not screen.source.recorded
            and not self._state.offered("toured")
        ):
            screen.set_timer(TOUR_AFTER, lambda: screen.call_after_refresh(self._offer_tour, screen))

    def _offer_tour(self, screen: WatchView, *, stands_still: bool = False) -> None:
        """Begins the tour, unless it was shown or somebody has begun with something else meanwhile.

        Args:
            screen: the screen with the game.
            stands_still: whether the game stands still for the tour, and goes on after it.
        """
        if self._state.offered("toured") or not screen.is_active:
            return
        if screen.source.can_play:
            self._begin_tour(screen, stands_still=stands_still)
            self._state.note(toured=True)
        else:  # the game has still to be prepared, so that there is nothing to explain
            self._show_tour()

    def _begin_tour(self, screen: WatchView, *, stands_still: bool = False) -> None:
        from tui.screens.tour import AT_FIRST_CHANGE, TourScreen

        def end(is_closed: bool | None) -> None:
            if not stands_still:
                return
            if is_closed:
                screen.go_on()
            screen.hint(f"{key_of(screen.app, 'tour')} leads past every panel")

        self.push_screen(TourScreen(screen, AT_FIRST_CHANGE if stands_still else None), end)

    def _start_screen(self) -> "StartScreen":
        from tui.results.recordings_screen import last_game
        from tui.screens.start import StartScreen

        return StartScreen(self._state, self._start_overrides, last_game)

    # --- games with people -------------------------------------------------------------------------------------
    def _play(self, request: SessionRequest, session: Session | None = None) -> None:
        """Begins a session, after a newcomer was asked whether to begin with Learn."""
        in_window = session is not None and session.window is not None
        if not self._tour or in_window or self.is_web or self._state.offered("taught"):
            self._begin(request, session)
            return

        def answer(wants_lesson: bool | None) -> None:
            if wants_lesson:
                self._learn()
            else:
                self._begin(request, session)

        self._state.note(taught=True)
        self.push_screen(dialogs.ConfirmDialog(OFFER, yes="Learn", no="Play at once"), answer)

    def _begin(self, request: SessionRequest, session: Session | None = None) -> None:
        from tui.screens.play import PlayScreen

        try:
            self.session = session or request.make(self.keymap)
            self._request = request
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        else:
            self.push_screen(
                PlayScreen(
                    self.session,
                    speed=request.speed,
                    show_belief=self._show_belief,
                    motion=self.motion,
                    bell=self._bell,
                )
            )

    @work
    async def _learn(self) -> None:
        """Leads through Learn, then to its debrief or to the start screen."""
        from tui.learn.lesson import PLAY_NOW, learn
        from tui.screens.debrief import DebriefScreen

        self._state.note(taught=True)
        end = None
        try:
            end = await learn(self, self.keymap, motion=self.motion)
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
        if end is not None:
            self._request = end.request
            again = PLAY_NOW.format(key=shown(self.keymap["again"][0]))
            self.push_screen(DebriefScreen(end.screen.source, self._best, again=True, opening=f"{end.opening} {again}"))
            self._be_calm(ran_out=end.screen.ran_out)
        elif not is_start(self.screen):
            self.push_screen(self._start_screen())

    # --- keys --------------------------------------------------------------------------------------------------
    async def on_event(self, event: events.Event) -> None:
        """Takes no key in the moment after the clock of a game ran out: it was meant for the game."""
        if not (self._calm and isinstance(event, events.Key)):
            await super().on_event(event)

    def action_to_start(self) -> None:
        """Leads to the start screen, also where the command line has named a game and passed it over."""
        if is_start(self.screen_stack[-2]):
            self.pop_screen()
        else:
            self.switch_screen(self._start_screen())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # Letters belong to a field that takes them; the way back needs a screen to go back to.
        if isinstance(self.screen, DismissedOnce) and self.screen.TAKES_ALL_KEYS:
            return False
        match action:
            case "help" | "quit" | "next_theme":
                return not (isinstance(self.focused, Input) and self.focused.check_consume_key("q", "q"))
            case "settings":
                return not self.is_web
            case "suspend_process":
                return not (isinstance(self.screen, DismissedOnce) and self.screen.CTRL_Z_UNDOES)
            case "leave" | "help_while_typing":
                return isinstance(self.focused, Input)
            case "to_start" | "pop_screen":
                return way_out(self.screen_stack, is_web=self.is_web) == action
        return super().check_action(action, parameters)

    async def action_quit(self) -> None:
        """Closes the layer on top; asks whether to end a running game, which leads to its debrief; else leaves."""
        screen = self.screen
        if isinstance(screen, ModalScreen):
            screen.dismiss()
        elif isinstance(screen, BaseScreen):
            screen.leave_app()
        else:
            self.exit()

    action_leave = action_quit

    def action_help(self, page: int = 0) -> None:
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        else:
            self.push_screen(HelpScreen(self.keymap, situation(self.screen_stack), page))

    action_help_while_typing = action_help

    def action_settings(self) -> None:
        from tui.screens.settings import SettingsScreen

        if isinstance(self.screen, SettingsScreen):
            self.pop_screen()
            return
        file = PreferenceFile(self._state.path.with_name("config.toml"))
        speed = self._start_overrides.get("speed", self._state.recall(["speed"]).speed)
        self.push_screen(
            SettingsScreen(
                self._state,
                file,
                self.keymap,
                speed=speed,
                theme=self.theme,
                motion=self.motion,
                choose=self.action_choose,
                use_keys=self._use_keys,
                use_speed=self._use_speed,
            )
        )

    def _use_keys(self, keymap: Keymap) -> None:
        """Binds other keys, on the screens below, too."""
        self.keymap = keymap
        self.bind_keys()
        for screen in self.screen_stack:
            if is_start(screen):
                cast("StartScreen", screen).show_keys()

    def _use_speed(self, speed: float) -> None:
        """Shows another speed on the start screen, also on the next one."""
        self._start_overrides["speed"] = speed
        for screen in self.screen_stack:
            if is_start(screen):
                cast("StartScreen", screen).offer_speed(speed)

    def action_next_theme(self) -> None:
        names = list(PALETTES)
        following = (names.index(self.theme) + 1) % len(names)
        self.action_choose("theme", names[following])

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, CommandPalette):
            numbered = ", or the number of a step" if isinstance(self.screen, WatchScreen) else ""
            self.push_screen(CommandPalette(placeholder=f"what to do{numbered}"))

    def action_choose(self, what: Literal["theme", "motion"], value: str | bool) -> None:
        """Changes the theme, or turns all motion on or off, now and at the next start."""
        setattr(self, what, value)
        self._state.note(**{what: value})
