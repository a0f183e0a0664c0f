"""A study on the screen: one participant's way through it, page by page."""

from pathlib import Path
from typing import TYPE_CHECKING

from textual import work

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.settings import Settings
from human.keymap import DEFAULT, STUDY_KEYS, Keymap
from human.session import Session
from human.study import ParticipantSession, PlayTask, PracticeTask, QuestionTask, StudyFolder
from human.study.practice import PERSON, STAGES, practice_session
from tui.game_factory import make_game
from tui.screens.confirm_dialog import ConfirmDialog
from tui.screens.play import COUNTDOWN, PlayScreen
from tui.study.code import CodeScreen
from tui.study.game import StudyGame
from tui.study.page import StudyPage
from tui.study.practice import PracticeScreen
from tui.study.questions import ScaleScreen, WordsScreen
from tui.style.base_app import BaseApp
from tui.style.key_bindings import bindings

if TYPE_CHECKING:
    from collections.abc import Awaitable

BEFORE_PRACTICE = f"""First you learn the keys: in {len(STAGES)} small steps you make one burrito. There is no hurry; \
nothing burns, and nobody watches the clock. The box to the right says what to do next.

r begins anew at any time."""
BEFORE_GAME = """Cook as many burritos as you can, together with your partner, a program. It may be another one \
than in the game before.

A guest who waits too long leaves; food that stays on the fire too long burns."""
LEAVE = "Leave here? What you have done is saved. The same code goes on from here another time."


class StudyApp(BaseApp):
    """Leads one participant through a study; every answer and every game is saved before the next thing comes.

    Args:
        folder: the study's.
        settings: what the games are set to, where the study does not say it.
        participant: the code; asked for if None.
        theme: "dark", "light" or "contrast".
        keymap: the keys of every action.
        countdown: seconds before the first step of a game.
    """

    CSS_PATH = [Path(__file__).parents[1] / "style" / "bba.tcss", Path(__file__).with_name("study.tcss")]  # noqa: RUF012
    TITLE = "bba-tui"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = bindings(STUDY_KEYS)

    def __init__(
        self,
        folder: StudyFolder,
        settings: Settings,
        participant: str | None = None,
        *,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        countdown: int = COUNTDOWN,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap)
        self.problem: BBAError | None = None
        self._folder, self._settings, self._participant = folder, settings, participant
        self._countdown = countdown
        self._study = folder.study
        self._speed = None if self._study.turns else self._study.speed

    def on_mount(self) -> None:
        """Take theme and keys, and begin."""
        self.dress()
        self._conduct()

    def action_leave_study(self) -> None:
        """Ask whether to leave; a game stands still meanwhile."""
        if not isinstance(self.screen, ConfirmDialog):
            if isinstance(self.screen, PlayScreen):
                self.screen.paused = True
            self.push_screen(ConfirmDialog(LEAVE, yes="Leave", no="Stay"), self._leave)

    def _leave(self, sure: bool | None) -> None:
        if sure:
            self.exit()
        elif isinstance(self.screen, PlayScreen):
            self.screen.paused = False

    @work
    async def _conduct(self) -> None:
        """From the first page to the last."""
        try:
            code = await self._admit()
            if code is not None:
                with self._folder.participation(code) as part:
                    await self._lead(part)
        except BBAError as error:
            self.problem = error
            await self._page("This cannot go on", str(error), yes="Close")
        self.exit()

    async def _admit(self) -> str | None:
        """The code of whoever takes part; None if they would rather not, of which nothing is kept."""
        code = self._participant
        if code is None:
            code = await self.push_screen_wait(CodeScreen(self._study.title))
        if self._folder.knows(code):
            await self._page("Welcome back", "You go on from where you stopped.", yes="Go on")
            return code
        consent = StudyPage(self._study.title, self._study.consent, yes="I agree", no="I do not agree", careful=True)
        if await self.push_screen_wait(consent):
            return code
        await self._page("Thank you", "You do not take part, and nothing about you was stored.", yes="Close")
        return None

    async def _lead(self, part: ParticipantSession) -> None:
        """One task after the other, until none is left."""
        while (task := part.task) is not None:
            match task:
                case PracticeTask():
                    await self._practise(part)
                case PlayTask():
                    await self._play(part, task)
                case QuestionTask():
                    await self._ask(part, task)
        await self._page("Thank you", "That was all. Your games and answers are saved.", yes="Close")

    async def _practise(self, part: ParticipantSession) -> None:
        """The tutorial, as often as it is wanted."""
        session = practice_session(part.practice_recording)
        if session.resume() == 0:
            await self._page("How to play", BEFORE_PRACTICE, yes="Begin")
        screen = PracticeScreen(session, speed=self._speed, countdown=self._countdown)
        if screen.lesson.done < len(STAGES) and not session.over:
            await self._seen_to_its_end(session, screen)
        if not screen.anew:
            again = "Practise once more"
            screen.anew = not await self._page("Practised", "Now come the games.", yes="To the games", no=again)
        if screen.anew:
            session.path.unlink(missing_ok=True)
        else:
            part.end_practice(screen.lesson.done)

    async def _play(self, part: ParticipantSession, play: PlayTask) -> None:
        """A game, from its start or from where it was interrupted."""
        session = self._session(play, part.recording(play.game))
        steps = session.resume()
        if not session.over:
            name = f"game {play.game + 1} of {play.games}"
            await self._page(name.capitalize(), BEFORE_GAME, yes="Go on" if steps else "Begin")
            part.begin(play, steps)
            screen = StudyGame(session, name, speed=self._speed, countdown=self._countdown)
            await self._seen_to_its_end(session, screen)
        part.end(play, given_up=not session.game.done)

    async def _seen_to_its_end(self, session: Session, screen: StudyGame) -> None:
        """Play; however it ends, what was played is saved."""
        try:
            await self.push_screen_wait(screen)
        finally:
            session.close()

    async def _ask(self, part: ParticipantSession, ask: QuestionTask) -> None:
        title, question = f"on game {ask.game + 1}", ask.question
        said: int | str
        if question.ends is None:
            said = await self.push_screen_wait(WordsScreen(question, title))
        else:
            said = await self.push_screen_wait(ScaleScreen(question, title))
        part.answer(ask, said)

    def _page(self, title: str, text: str, *, yes: str, no: str | None = None) -> "Awaitable[bool]":
        return self.push_screen_wait(StudyPage(title, text, yes=yes, no=no))

    def _session(self, play: PlayTask, path: Path) -> Session:
        chosen = {**play.condition._asdict(), "partner": HUMAN, "horizon": self._study.horizon}
        settings = self._settings.model_copy(update=chosen)
        controls = {PERSON: Controls()}
        return Session(make_game(settings, settings.seed, fast=False, live=True, controls=controls), controls, path)
