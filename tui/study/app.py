"""The study app: leads one participant through practice, games and questions, and notes what happens meanwhile."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from textual import events, on, work
from textual.screen import Screen
from textual.widgets import Button

from bba.errors import BBAError
from bba.files import hex_digest
from bba.language import LANGUAGE
from bba.settings import GameOptions
from human.keymap import DEFAULT, STUDY_KEYS, Keymap
from human.session import Session
from human.study import (
    Activity,
    GameLog,
    ParticipantSession,
    PlatformIds,
    PlayTask,
    StudyFolder,
    TutorialProgress,
)
from tui.crash import FAILED
from tui.playback.clock import COUNTDOWN
from tui.screens.dialogs import ConfirmDialog
from tui.study.browser_forms import FormContent, PageState, form_of
from tui.study.flow import StudyFlow
from tui.study.game import PracticeScreen, ProblemNoted, StudyGame
from tui.study.pages import (
    CodeField,
    Page,
    PageButton,
    PageReply,
    QuestionField,
    said_of_problem,
    withdrawal_page,
)
from tui.study.screens import (
    BreakScreen,
    CodeScreen,
    LeaveDialog,
    PageChanged,
    PageScreen,
    QuestionScreen,
    TextScreen,
    focused_button,
)
from tui.style.base_app import BUTTON_KEYS, STYLE_SHEETS, BaseApp, bindings

DEAF_SECONDS = 2.0  # seconds without a key after a game, before any page takes one


def page_on(screen: Screen[Any]) -> Page | None:
    """Returns the page that a screen shows; None for a game."""
    if isinstance(screen, PageScreen | LeaveDialog):
        return screen.page
    if isinstance(screen, ConfirmDialog):
        buttons = [PageButton(name, label) for name, label in screen.labels.items()]
        return Page("", screen.text, tuple(buttons), careful=True)
    return None


def state_of(screen: Screen[Any]) -> PageState:
    """Returns how the page of a screen stands now."""
    if isinstance(screen, PageScreen):
        return screen.state
    return PageState(focus=focused_button(screen))


class StudyApp(StudyFlow, BaseApp):
    """Leads one participant through a study; every answer and every game is saved before the next task.

    Args:
        folder: the study and its results.
        settings: the settings of the games, where the study leaves them open.
        participant: the code; None to ask for it.
        ids: the participant's ids on the recruiting platform, if they came from one.
        theme: "dark", "light" or "contrast".
        keymap: the keys of every action.
        motion: whether things may slide, flicker and flash.
        countdown: seconds before the first step of a game.
        pause: seconds without a key after a game, before the next page takes one.
        now: returns the time in seconds.
        check: whether this is a check of the study, in which games can be skipped.
    """

    CSS_PATH = [*STYLE_SHEETS, Path(__file__).with_name("study.tcss")]  # noqa: RUF012
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [*BUTTON_KEYS, *bindings(STUDY_KEYS)]  # noqa: RUF012 - typed so by Textual

    def __init__(
        self,
        folder: StudyFolder,
        settings: GameOptions,
        participant: str | None = None,
        *,
        ids: PlatformIds | None = None,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        motion: bool = True,
        countdown: int = COUNTDOWN,
        pause: float = DEAF_SECONDS,
        now: Callable[[], float] = time.monotonic,
        check: bool = False,
    ) -> None:
        BaseApp.__init__(self, theme=theme, keymap=keymap, motion=motion)
        StudyFlow.__init__(self, folder, settings, participant, ids=ids, check=check)
        self._theme = "dark" if theme == "contrast" else theme
        self._countdown = countdown
        self._pause = pause
        self._now = now
        self._last_key = now()
        self._form: FormContent = {}  # that the browser has
        self._numbers: WeakKeyDictionary[Screen[Any], int] = WeakKeyDictionary()
        self._next_number = count()

    def on_mount(self) -> None:
        LANGUAGE.set(self._study.language)
        self.apply_keys()
        self.screen_change_signal.subscribe(self, self._follow)
        self._run_study()

    # --- the forms of the browser --------------------------------------------------------------------------------
    def _follow(self, screen: Screen[Any]) -> None:
        screen.call_later(self.show_form)  # once its fields and buttons are there
        screen.call_after_refresh(self.show_form)  # by now a button may have the focus

    @on(PageChanged)
    def show_form(self) -> None:
        """Tells the browser, if there is one, what the page or dialog on top says and asks, or that there is none."""
        if len(self.screen_stack) < 2:  # between two pages
            return
        screen = self.screen
        form = dict[str, object]()
        if not screen.is_mounted:  # what an earlier page asked to be told comes too early for this one
            return
        page = page_on(screen)
        if page is not None:
            form = form_of(page, state_of(screen)) | {
                "page": self._number_of(screen),
                "contrast": self.theme == "contrast",
                "begun": self._activity is not None,
                "draft": self._draft_of(page),
            }
        if form != self._form:
            self._form = form
            self._tell({"type": "page", "form": form})

    def _number_of(self, screen: Screen[Any]) -> int:
        """Returns a number that no page has had before: what is late for one page must not go to another."""
        return self._numbers.setdefault(screen, next(self._next_number))

    def _draft_of(self, page: Page) -> str:
        """Returns a name for what is typed on a page, by which the browser finds it again; "" where nothing is kept."""
        if not isinstance(page.field, QuestionField):
            return ""
        task = page.field.task
        identity = self._study.name, self._code_of_who, task.question.name, task.game
        return hex_digest(repr(identity).encode())

    def _tell(self, said: dict[str, object]) -> None:
        getattr(self._driver, "write_meta", lambda _: None)(said)

    def notify(self, message: str, **options: Any) -> None:
        """Says something in passing; the browser says it over its form, too."""
        super().notify(message, **options)
        self._tell({"type": "notice", "text": message})

    def fill_in(self, said: Mapping[str, object]) -> None:
        """Does what a form in the browser says: `value` goes into the field of its `page`, `button` is pressed there.

        With `key` it says that a key was pressed. A page that is not on top any more takes nothing.
        """
        screen = self.screen
        button = said.get("button")
        if said.get("key"):
            self._last_key = self._now()
        if said.get("page") == self._number_of(screen):
            if isinstance(screen, PageScreen):
                screen.fill_in(said.get("value"))
            if button in ("contrast", "leave_study"):
                self.call_later(self.run_action, button)
            for pressed in screen.query(Button):
                if pressed.id == button:
                    pressed.press()

    def action_contrast(self) -> None:
        self.theme = self._theme if self.theme == "contrast" else "contrast"
        self.show_form()

    # --- what is noted in the participant's log ------------------------------------------------------------------
    async def on_event(self, event: events.Event) -> None:
        """Notes when a key was pressed, wherever it goes, and what belongs into the log."""
        if isinstance(event, events.Key):
            self._last_key = self._now()
        match event:
            case events.Key(is_forwarded=True):
                pass  # no widget has taken it, and it comes back to the app
            case events.Key() if isinstance(screen := self.screen, StudyGame):
                screen.write(lambda log: log.key(event.key))
            case events.AppBlur():
                self._note("blur")
            case events.AppFocus():
                self._note("focus")
            case events.Resize():
                self._note("size", "x".join(map(str, event.size)))
        await super().on_event(event)

    def _note(self, what: Activity, detail: str | None = None) -> None:
        """Notes what happens to the window, in the game that is under way if there is one."""
        if self._activity is None:
            return
        log = next((screen for screen in self.screen_stack if isinstance(screen, StudyGame)), self._activity)
        try:
            log.note(what, detail=detail)
        except BBAError as error:
            self.note_problem(str(error))
            self.notify(said_of_problem(error), severity="error", timeout=30, markup=False)

    @on(ProblemNoted)
    def hear_of_problem(self, event: ProblemNoted) -> None:
        """Notes the problem of a game."""
        self.note_problem(event.problem)

    def note_problem(self, problem: str) -> None:
        """Says to those who run the study what the participant does not read."""
        if problem not in self.problems:
            self.problems.append(problem)
            self._tell({"type": "problem", "text": problem})

    # --- the ways out --------------------------------------------------------------------------------------------
    @work
    async def action_leave_study(self) -> None:
        """Asks whether to leave; a game stands still meanwhile."""
        if isinstance(self.screen, ConfirmDialog | LeaveDialog):
            return
        choice = await self.push_screen_wait(LeaveDialog())
        if choice == "withdraw" and await self._agrees(withdrawal_page()):
            self.study_end = "withdrawn"  # once everything is saved and unlocked it is deleted
            self.exit()
        elif choice == "leave":
            self.exit()

    # --- the way through -----------------------------------------------------------------------------------------
    @work
    async def _run_study(self) -> None:
        await self.lead()
        self.exit()

    def _leave(self, part: ParticipantSession) -> None:
        if self.return_code == FAILED:  # something else failed, and the app ends
            self._fail()
        super()._leave(part)

    @property
    def _place(self) -> str:
        return "x".join(map(str, self.size))

    async def _show_page(self, page: Page) -> PageReply:
        if not page.title:
            yes, no = page.buttons
            agrees = await self.push_screen_wait(ConfirmDialog(page.text, yes=yes.label, no=no.label))
            return PageReply(yes.name if agrees else no.name)
        return await self.push_screen_wait(self._screen_for(page))

    def _screen_for(self, page: Page) -> PageScreen[PageReply]:
        """Returns the screen of a page that has a title."""
        if isinstance(page.field, CodeField):
            return CodeScreen(page, page.field)
        if isinstance(page.field, QuestionField):
            return QuestionScreen(page, page.field)
        if page.break_duration is not None:
            return BreakScreen(page, page.break_duration, self._now)
        self._last_key = self._now()
        pause = self._pause if page.after_game else 0.0
        return TextScreen(page, counts=lambda: self._now() - self._last_key >= pause)

    async def _tutorial(self, session: Session, progress: TutorialProgress, speed: float | None, log: GameLog) -> bool:
        screen = PracticeScreen(session, progress, speed=speed, countdown=self._countdown, motion=self.motion, log=log)
        await self._play_and_save(session, screen)
        return screen.anew

    async def _game(self, session: Session, name: str, part: ParticipantSession, play: PlayTask, log: GameLog) -> None:
        await self._play_and_save(
            session,
            StudyGame(
                session,
                name,
                speed=self._study.speed_of(play.condition),
                countdown=self._countdown,
                hints=play.condition.hints,
                skills=self._study.skills,
                motion=self.motion,
                keep_pause=partial(part.note_pause, play),
                log=log,
            ),
        )

    async def _play_and_save(self, session: Session, screen: StudyGame) -> None:
        """Shows a game until it ends; in any case the steps that were played are saved."""
        try:
            await self.push_screen_wait(screen)
        finally:
            screen.end_pauses()
            screen.note("over", None if session.game.done else "before its end")
            session.close()
