"""The study app: leads one participant through practice, games and questions, and notes what happens meanwhile."""

import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from textual import events, on, work
from textual.screen import Screen
from textual.widgets import Button

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.language import LANGUAGE, say
from bba.play import Game
from bba.settings import Settings
from human.keymap import DEFAULT, STUDY_KEYS, Keymap
from human.session import Session
from human.study import (
    PERSON_SEAT,
    STAGES,
    Activity,
    ActivityLog,
    BreakTask,
    Condition,
    FailedTryTask,
    GameLog,
    LoggedControls,
    PageTask,
    ParticipantSession,
    PlatformIds,
    PlayTask,
    PracticeTask,
    QuestionTask,
    Study,
    StudyFolder,
    StudyTask,
    games_of,
    practice_session,
    said_at,
)
from tui.game_factory import make_game
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play_clock import COUNTDOWN
from tui.study.forms import FormContent, QuestionPage, fill_in, form_of
from tui.study.game import PracticeScreen, StudyGame
from tui.study.pages import (
    BEFORE_GAME,
    BEFORE_PRACTICE,
    DECLINED,
    FAULT,
    GAME_OVER,
    LAST_WORDS,
    NO_WAY_IN,
    WITHDREW,
    BreakPage,
    CodeScreen,
    LeaveDialog,
    PageChanged,
    StudyEnd,
    StudyPage,
    said_of_try,
    withdrawal,
)
from tui.style.base_app import BUTTON_KEYS, STYLE_SHEETS, BaseApp, bindings

DEAF_SECONDS = 2.0  # seconds without a key after a game, before any page takes one


def study_game(
    study: Study, settings: Settings, condition: Condition, controls: Mapping[int, Controls], *, fast: bool = False
) -> Game:
    """Returns a game of a study before its first step.

    Args:
        study: the study.
        settings: the settings of the games, where the study leaves them open.
        condition: which game.
        controls: those of the seats of people.
        fast: whether it computes compiled, for nobody who watches.

    Raises:
        BBAError: the agent cannot play.
    """
    layout, agent, seed, *_ = condition
    chosen = {"layout": layout, "agent": agent, "seed": seed, "partner": HUMAN, "horizon": study.horizon}
    clock = study.speed_of(condition) is not None
    made = settings.model_copy(update=chosen)
    return make_game(made, seed, fast=fast, live=agent != HUMAN, real_time=clock, controls=controls)


class StudyApp(BaseApp):
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
        settings: Settings,
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
        super().__init__(theme=theme, keymap=keymap, motion=motion)
        self.problem: BBAError | None = None
        self.study_end: StudyEnd = "left-study"
        self._folder, self._study, self._settings = folder, folder.study, settings
        self._participant, self._ids = participant, ids
        self._theme = "dark" if theme == "contrast" else theme
        self._countdown, self._skip = countdown, "Skip it" if check else None
        self._pause, self._now, self._last_key = pause, now, now()
        self._activity: ActivityLog | None = None  # while the participant takes part
        self._seen: events.Event | None = None
        self._form: FormContent = {}  # that the browser has

    def on_mount(self) -> None:
        LANGUAGE.set(self._study.language)
        self.apply_keys()
        self.screen_change_signal.subscribe(self, self._follow)
        self._run_study()

    # --- the forms of the browser --------------------------------------------------------------------------------
    def _follow(self, screen: Screen[Any]) -> None:
        screen.call_later(self.show_form)
        screen.call_after_refresh(self.show_form)  # by now a button may have the focus

    @on(PageChanged)
    def show_form(self) -> None:
        """Tells the browser, if there is one, what the page or dialog on top says and asks, or that there is none."""
        if len(self.screen_stack) < 2:  # between two pages
            return
        screen, form = self.screen, dict[str, object]()
        if not isinstance(screen, StudyGame):
            form = form_of(screen) | {"contrast": self.theme == "contrast", "begun": self._activity is not None}
        if form != self._form:
            self._form = form
            self._tell({"type": "page", "form": form})

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
        screen, button = self.screen, said.get("button")
        if said.get("key"):
            self._last_key = self._now()
        if said.get("page") == id(screen):
            fill_in(screen, said.get("value"))
            if button in ("contrast", "leave_study"):
                self.call_later(self.run_action, button)
            for one in screen.query(Button):
                if one.id == button:
                    one.press()

    def action_contrast(self) -> None:
        """Changes to the colours of high contrast, or back."""
        self.theme = self._theme if self.theme == "contrast" else "contrast"
        self.show_form()

    # --- what is noted in the participant's log ------------------------------------------------------------------
    async def on_event(self, event: events.Event) -> None:
        """Notes when a key was pressed, wherever it goes, and what belongs into the log."""
        if isinstance(event, events.Key):
            self._last_key = self._now()
        if event is not self._seen:  # a key that no widget takes comes back to the app
            self._seen = event
            match event:
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
        games = [screen for screen in self.screen_stack if isinstance(screen, StudyGame)]
        try:
            if games:
                games[0].note(what, detail)
            else:
                self._activity.note(what, detail=detail)
        except BBAError as error:
            self.notify(say("{why}", why=error), severity="error", timeout=30, markup=False)

    # --- the ways out --------------------------------------------------------------------------------------------
    @work
    async def action_leave_study(self) -> None:
        """Asks whether to leave; a game stands still meanwhile."""
        if isinstance(self.screen, ConfirmDialog | LeaveDialog):
            return
        way = await self.push_screen_wait(LeaveDialog())
        if way == "withdraw" and await self.push_screen_wait(withdrawal()):
            self.study_end, way = "withdrawn", "leave"  # once everything is saved and unlocked it is deleted
        if way == "leave":
            self.exit()

    # --- the way through -----------------------------------------------------------------------------------------
    def _page(self, title: str, text: str, *, quiet: bool = False, **options: Any) -> Awaitable[bool]:
        """Shows a page with options as of `StudyPage`; the buttons of one after a game (`quiet`) wait until the keys of
        the game rest."""
        self._last_key, pause = self._now(), self._pause if quiet else 0.0
        return self.push_screen_wait(
            StudyPage(title, text, counts=lambda: self._now() - self._last_key >= pause, **options)
        )

    @work
    async def _run_study(self) -> None:
        try:
            code = await self._ask_code()
            if code is not None:
                await self._take_part(code)
        except BBAError as error:
            self.problem = error
            ending, title, words = NO_WAY_IN.get(type(error), FAULT)
            await self._end_with(ending, say(title), say(words, why=say(str(error))))
        self.exit()

    @property
    def given(self) -> str:
        """What the participant is told about code and address at the ending that has come; "" if nothing."""
        return said_at(self._study.online, self.study_end, self._ids)

    async def _end_with(self, ending: StudyEnd, title: str, text: str, no: str | None = None) -> bool:
        """Shows the page of an ending, with what the participant is given there; returns whether it was closed."""
        self.study_end = ending
        return await self._page(title, f"{text}\n\n{self.given}".rstrip(), yes=say("Close"), no=no)

    async def _take_part(self, code: str) -> None:
        """Leads through the study; whoever withdraws meanwhile leaves nothing behind."""
        try:
            with self._folder.participation(code, self._ids) as part:
                self._activity = part.log
                part.log.note("joined", detail="x".join(map(str, self.size)))
                try:
                    await self._run_tasks(part)
                except Exception:
                    self._fail()
                    raise
                finally:
                    if self.return_code:  # something else failed, and the app ends
                        self._fail()
                    self._leave(part)
        finally:
            if self.study_end == "withdrawn" and self._folder.knows(code):
                self._folder.withdraw(code)

    def _fail(self) -> None:
        if self.study_end == "left-study":  # who has been shown an ending has had that one
            self.study_end = "fault"

    def _leave(self, part: ParticipantSession) -> None:
        """Notes how the session ends."""
        ending = None if self.study_end == "left-study" else self.study_end
        self._note("left", ending)
        self._activity = None
        if ending is not None:
            with suppress(BBAError):  # what was saved before stays
                part.come_to(ending)

    async def _ask_code(self) -> str | None:
        """Returns the participant's code; None without consent, and then nothing is stored."""
        code = self._participant if self._ids is None else self._ids.code
        if code is None:
            code = await self.push_screen_wait(CodeScreen(self._study.title))
        if not self._study.ask_again and self._folder.withdrawals().hold(code):
            await self._end_with("withdrawn", say("You have withdrawn"), say(WITHDREW))
            return None
        if self._folder.knows(code):
            await self._page(say("Welcome back"), say("You go on from where you stopped."), yes=say("Go on"))
            return code
        self._folder.check_place()
        consent = StudyPage(
            self._study.title, self._study.consent, yes=say("I agree"), no=say("I do not agree"), careful=True
        )
        if await self.push_screen_wait(consent):
            return code
        await self._end_with("declined", say("Thank you"), say(DECLINED))
        return None

    async def _run_tasks(self, part: ParticipantSession) -> None:
        while (task := part.task) is not None:
            if not await self._run_task(part, task):
                return
        part.come_to(part.ending)
        words = say(LAST_WORDS[part.ending])
        while not await self._end_with(part.ending, say("Thank you"), words, no=say("Withdraw")):
            if await self.push_screen_wait(withdrawal()):
                self.study_end = "withdrawn"
                return

    async def _run_task(self, part: ParticipantSession, task: StudyTask) -> bool:
        """Leads through a task; returns whether the study goes on."""
        match task:
            case PracticeTask():
                await self._practise(part)
            case FailedTryTask(left=0):
                part.exclude("practice")
            case FailedTryTask():
                await self._page(say("Once more"), said_of_try(task), yes=say("Try again"))
                part.try_again()
            case PlayTask():
                await self._play_game(part, task)
            case QuestionTask():
                await self._ask(part, task)
            case PageTask(_, page):
                part.begin_break(task)
                part.log.note("page", detail=page.name)
                title = page.heading or self._study.title
                picture = (page.picture, page.picture_text) if page.picture else None
                await self._page(title, page.text, yes=say("Go on"), picture=picture)
                part.end_break()
            case BreakTask():
                past = (datetime.now(UTC) - part.begin_break(task).started).total_seconds()
                await self.push_screen_wait(BreakPage(task, len(games_of(self._study, part.progress)), past, self._now))
                part.end_break()
        return True

    async def _practise(self, part: ParticipantSession) -> None:
        session = practice_session(part.practice_recording)
        steps = session.resume()
        words = say(BEFORE_PRACTICE, stages=len(STAGES))
        if steps == 0 and not await self._page(say("How to play"), words, yes=say("Begin"), no=self._skip):
            part.end_practice(len(STAGES))  # only a check of the study skips it
            return
        log, speed = GameLog(part.log, 0, steps), self._study.speed_of(games_of(self._study, part.progress)[0])
        screen = PracticeScreen(session, speed=speed, countdown=self._countdown, motion=self.motion, log=log)
        if screen.progress.done < len(STAGES) and not session.over:
            await self._play_and_save(session, screen)
        if not screen.anew:
            again, page = say("Practise once more"), (say("Practised"), say("Now come the games."))
            screen.anew = not await self._page(*page, yes=say("To the games"), no=again, quiet=True)
        if screen.anew:
            session.path.unlink(missing_ok=True)
        else:
            part.end_practice(screen.progress.done)

    async def _play_game(self, part: ParticipantSession, play: PlayTask) -> None:
        controls = {PERSON_SEAT: LoggedControls()}
        game = study_game(self._study, self._settings, play.condition, controls)
        session = Session(game, controls, part.recording(play.game))
        steps = session.resume()
        if session.over:  # it was interrupted right after its last step
            part.end(play, given_up=False)
            return
        name = say("game {game} of {games}", game=play.game + 1, games=play.games)
        yes = say("Go on") if steps else say("Begin")
        words = say(BEFORE_GAME, other=say(" It may be another one than in the game before.") if play.game else "")
        wanted = await self._page(name.capitalize(), words, yes=yes, no=self._skip)
        part.begin(play, steps)
        if wanted:
            screen = StudyGame(
                session,
                name,
                speed=self._study.speed_of(play.condition),
                countdown=self._countdown,
                hints=play.condition.hints,
                skills=self._study.skills,
                motion=self.motion,
                keep_pause=partial(part.note_pause, play),
                log=GameLog(part.log, play.game + 1, steps),
            )
            await self._play_and_save(session, screen)
        part.end(play, given_up=not session.game.done)
        if wanted:
            await self._page(say("Game over"), say(GAME_OVER), yes=say("Go on"), quiet=True)

    async def _play_and_save(self, session: Session, screen: StudyGame) -> None:
        """Shows a game until it ends; in any case the steps that were played are saved."""
        try:
            await self.push_screen_wait(screen)
        finally:
            screen.end_pauses()
            screen.note("over", None if session.game.done else "before its end")
            session.close()

    async def _ask(self, part: ParticipantSession, task: QuestionTask) -> None:
        """Asks a question; one step back, the question before is asked again, with the answer that was given."""
        before, practice = part.task_before(task), self._study.practice
        if task.question.when == "practice" and before is None and practice is not None and practice.instructions:
            await self._page(say("Please read this"), practice.instructions, yes=say("To the questions"))
        given = await self.push_screen_wait(QuestionPage(task, back=before is not None))
        if given is None and before is not None:
            old = part.answer_of(before)
            task, given = before, await self.push_screen_wait(QuestionPage(before, old.value if old else None))
        if given is not None:
            part.answer(task, given.value, given.shown)
