"""The way of one participant through a study, however its pages, questions and games are shown.

Every answer and every game is saved before the next task.
"""

from abc import abstractmethod
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.language import say
from bba.play import Game
from bba.settings import GameOptions
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
    TutorialProgress,
    games_of,
    practice_session,
    said_at,
)
from tui.game_factory import make_game
from tui.study.pages import (
    LAST_WORDS,
    WITHDREW,
    Page,
    PagePicture,
    PageReply,
    StudyEnd,
    break_page,
    code_page,
    consent_page,
    game_over_page,
    question_page,
    said_of_try,
    way_out,
    ways,
    withdrawal_page,
)


def study_game(
    study: Study,
    settings: GameOptions,
    condition: Condition,
    controls: Mapping[int, Controls],
    *,
    fast: bool = False,
    turns: bool = False,
) -> Game:
    """Returns a game of a study before its first step.

    Args:
        study: the study.
        settings: the settings of the games, where the study leaves them open.
        condition: which game.
        controls: those of the seats of people.
        fast: whether it computes compiled, for nobody who watches.
        turns: whether it waits for a key in every step, whatever the study says.

    Raises:
        BBAError: the agent cannot play.
    """
    layout, agent, seed, *_ = condition
    of_study = {"layout": layout, "agent": agent, "seed": seed, "partner": HUMAN, "horizon": study.horizon}
    game_settings = settings.model_copy(update=of_study)
    clock = not turns and study.speed_of(condition) is not None
    return make_game(game_settings, seed, fast=fast, live=agent != HUMAN, real_time=clock, controls=controls)


class StudyFlow:
    """Leads one participant through a study.

    Args:
        folder: the study and its results.
        settings: the settings of the games, where the study leaves them open.
        participant: the code; None to ask for it.
        ids: the participant's ids on the recruiting platform, if they came from one.
        check: whether this is a check of the study, in which games can be skipped.
    """

    TURNS = False  # whether games wait for a key in every step, whatever the study says

    def __init__(
        self,
        folder: StudyFolder,
        settings: GameOptions,
        participant: str | None = None,
        *,
        ids: PlatformIds | None = None,
        check: bool = False,
    ) -> None:
        self.problem: BBAError | None = None
        self.study_end: StudyEnd = "left-study"
        self._folder = folder
        self._study = folder.study
        self._settings = settings
        self._participant = participant
        self._ids = ids
        self._skip = "Skip it" if check else None
        self._activity: ActivityLog | None = None  # while the participant takes part
        self._code_of_who: str | None = None  # of the participant, while they take part
        self.problems: list[str] = []  # that were kept from the participant, for those who run the study

    # --- how it is shown -----------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def _place(self) -> str:
        """What the log says of where it is shown."""

    @abstractmethod
    def _show_page(self, page: Page) -> Awaitable[PageReply]:
        """Shows a page until a way on is taken; what is filled in there can be taken then."""

    @abstractmethod
    def _tutorial(
        self, session: Session, progress: TutorialProgress, speed: float | None, log: GameLog
    ) -> Awaitable[bool]:
        """Plays the tutorial on from some progress; returns whether to begin anew."""

    @abstractmethod
    def _game(
        self, session: Session, name: str, part: ParticipantSession, play: PlayTask, log: GameLog
    ) -> Awaitable[object]:
        """Plays a game to its end."""

    def _note(self, what: Activity, detail: str | None = None) -> None:
        """Notes something in the participant's log."""
        if self._activity is not None:
            self._activity.note(what, detail=detail)

    async def _agrees(self, page: Page) -> bool:
        """Shows a page that asks for nothing to be filled in; returns whether its first button was pressed."""
        reply = await self._show_page(page)
        return reply.button == page.buttons[0].name

    # --- the way through -----------------------------------------------------------------------------------------
    async def lead(self) -> None:
        """Leads through the study; what went wrong is said, and is `problem` then."""
        try:
            code = await self._ask_code()
            if code is not None:
                await self._take_part(code)
        except BBAError as error:
            self.problem = error
            await self._end_with(*way_out(error))

    @property
    def ending_text(self) -> str:
        """What the participant is told about code and address at the ending that has come; "" if nothing."""
        return said_at(self._study.online, self.study_end, self._ids)

    async def _end_with(self, ending: StudyEnd, title: str, text: str, no: str | None = None) -> bool:
        """Shows the page of an ending, with what the participant is given there; returns whether it was closed."""
        self.study_end = ending
        return await self._agrees(Page(title, f"{text}\n\n{self.ending_text}".rstrip(), ways(say("Close"), no)))

    async def _take_part(self, code: str) -> None:
        """Leads through the study; whoever withdraws meanwhile leaves nothing behind."""
        try:
            with self._folder.participation(code, self._ids) as part:
                self._activity = part.log
                self._code_of_who = code
                part.log.note("joined", detail=self._place)
                try:
                    await self._run_tasks(part)
                except Exception:
                    self._fail()
                    raise
                finally:
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
        if not code:
            reply = await self._show_page(code_page(self._study.title))
            code = str(reply.answer)
        if not self._study.ask_again and self._folder.withdrawals().hold(code):
            await self._end_with("withdrawn", say("You have withdrawn"), say(WITHDREW))
            return None
        if self._folder.knows(code):
            text = say("You go on from where you stopped.")
            await self._show_page(Page(say("Welcome back"), text, ways(say("Go on"))))
            return code
        self._folder.check_place()
        if await self._agrees(consent_page(self._study)):
            return code
        await self._end_with(
            "declined", say("Thank you"), say("You do not take part, and nothing about you was stored.")
        )
        return None

    async def _run_tasks(self, part: ParticipantSession) -> None:
        while (task := part.task) is not None:
            if not await self._run_task(part, task):
                return
        part.come_to(part.ending)
        while not await self._end_with(part.ending, say("Thank you"), say(LAST_WORDS[part.ending]), no=say("Withdraw")):
            if await self._agrees(withdrawal_page()):
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
                await self._show_page(Page(say("Once more"), said_of_try(task), ways(say("Try again"))))
                part.try_again()
            case PlayTask():
                await self._play_game(part, task)
            case QuestionTask():
                await self._ask(part, task)
            case PageTask(_, page):
                part.begin_break(task)
                part.log.note("page", detail=page.name)
                picture = None
                if page.picture and page.picture_text:
                    picture = PagePicture(page.picture, page.picture_text)
                title = page.heading or self._study.title
                await self._show_page(Page(title, page.text, ways(say("Go on")), picture=picture))
                part.end_break()
            case BreakTask():
                started = part.begin_break(task).started
                past = (datetime.now(UTC) - started).total_seconds()
                games = len(games_of(self._study, part.progress))
                await self._show_page(break_page(task, games, max(0.0, past)))  # a clock may be set back
                part.end_break()
        return True

    async def _practise(self, part: ParticipantSession) -> None:
        session = practice_session(part.practice_recording)
        steps = session.resume()
        progress = TutorialProgress(session.trace.start)
        for tick in session.trace.ticks:
            progress.see(tick)
        text = say(
            """\
First you learn the keys: in {stages} small steps you make one burrito. There is no hurry; \
nothing burns, and nobody watches the clock.{box}

r begins anew at any time.""",
            stages=len(STAGES),
            box="" if self.TURNS else say(" The box to the right says what to do next."),
        )
        if steps == 0:
            begins = await self._agrees(Page(say("How to play"), text, ways(say("Begin"), self._skip)))
            if not begins:  # only a check of the study skips it
                part.end_practice(len(STAGES))
                return
        log = GameLog(part.log, 0, steps)
        first_game = games_of(self._study, part.progress)[0]
        anew = False
        if progress.done < len(STAGES) and not session.over:
            anew = await self._tutorial(session, progress, self._study.speed_of(first_game), log)
        if not anew:
            buttons = ways(say("To the games"), say("Practise once more"))
            page = Page(say("Practised"), say("Now come the games."), buttons, after_game=True)
            anew = not await self._agrees(page)
        if anew:
            session.path.unlink(missing_ok=True)
        else:
            part.end_practice(progress.done)

    async def _play_game(self, part: ParticipantSession, play: PlayTask) -> None:
        controls = {PERSON_SEAT: LoggedControls()}
        game = study_game(self._study, self._settings, play.condition, controls, turns=self.TURNS)
        session = Session(game, controls, part.recording(play.game))
        steps = session.resume()
        if session.over:  # it was interrupted right after its last step
            part.end(play, given_up=False)
            return
        name = say("game {game} of {games}", game=play.game + 1, games=play.games)
        text = say(
            """Cook as many burritos as you can, together with your partner, a program.{other}

A guest who waits too long leaves; food that stays on the fire too long burns.""",
            other=say(" It may be another one than in the game before.") if play.game else "",
        )
        begin = say("Go on") if steps else say("Begin")
        plays = await self._agrees(Page(name.capitalize(), text, ways(begin, self._skip)))
        part.begin(play, steps, turns=self.TURNS)
        if plays:
            await self._game(session, name, part, play, GameLog(part.log, play.game + 1, steps))
        part.end(play, given_up=not session.game.done)
        if plays:
            await self._show_page(game_over_page())

    async def _ask(self, part: ParticipantSession, task: QuestionTask) -> None:
        """Asks a question; one step back, the question before is asked again, with the answer that was given."""
        previous = part.task_before(task)
        practice = self._study.practice
        if task.question.when == "practice" and previous is None and practice is not None and practice.instructions:
            to_questions = ways(say("To the questions"))
            await self._show_page(Page(say("Please read this"), practice.instructions, to_questions))
        reply = await self._show_page(question_page(task, back=previous is not None))
        if reply.button == "back" and previous is not None:
            task = previous
            old = part.answer_of(previous)
            reply = await self._show_page(question_page(previous, old.value if old else None))
        part.answer(task, reply.answer, reply.shown_at)
