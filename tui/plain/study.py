"""A study in plain mode: one participant's pages, questions and games as lines of text.

A game waits for a key in every step, also where the study has a clock; what is noted of it says so.
"""

import time
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

from bba.errors import BBAError
from bba.language import marked, say
from bba.settings import GameOptions
from human.keymap import PRACTICE_KEYS, STUDY_KEYS, Key, Keymap
from human.session import Session
from human.study import (
    Answer,
    GameLog,
    LoggedControls,
    ParticipantSession,
    Pause,
    PlayTask,
    StudyFolder,
    SurveyQuestion,
    TutorialProgress,
)
from tui.plain.games import PLAY, Playing, prepare
from tui.plain.lesson import Lesson
from tui.plain.words import Typing, orders, sentence, show, tell, typing, understood, where_one_stands
from tui.study.flow import StudyFlow
from tui.study.pages import (
    BreakDuration,
    CodeField,
    Page,
    PageReply,
    QuestionField,
    leave_page,
    number_in,
    withdrawal_page,
)

LEAVE_KEY = "x"
BACK_KEY = "b"
INTERRUPT = "\x03"  # what Ctrl+C is read as
LEAVE_ENTRY = Key("leave_plain", (LEAVE_KEY,), "", STUDY_KEYS[0].description)
ANEW = marked(("Begin the tutorial anew?", "Begin anew", "Go on"))


class StudyPlaying(Playing):
    """Plays a game of a study: its keys, steps and pauses are noted, and it says nothing of the agent's mind.

    Args:
        session: the game.
        typed: what is typed.
        keymap: the keys of every action.
        log: the log of this game.
        leave: asks whether to leave the study, and does so.
        hints: whether one useful next thing is said.
        skills: whether a skill may be chosen that the program carries out.
        keep_pause: receives each time in which the game stood still.
        extra: further keys.
    """

    anew = False
    tells_changes = False

    def __init__(
        self,
        session: Session,
        typed: Typing,
        keymap: Keymap,
        log: GameLog,
        leave: Callable[[], object],
        *,
        hints: bool = False,
        skills: bool = False,
        keep_pause: Callable[[Pause], object] = lambda _: None,
        extra: tuple[Key, ...] = (),
    ) -> None:
        withheld = {"mind", "why"}
        if not hints:
            withheld.add("hint")
        if not skills:
            withheld.add("skills")
        entries = tuple(entry for entry in PLAY if entry.name not in withheld)
        super().__init__(session, typed, keymap, entries=(*entries, *extra, LEAVE_ENTRY))
        self._names = {name: key for key, name in reversed(self.letters.items())}
        self.letters[INTERRUPT] = LEAVE_ENTRY.name
        self._log = log
        self._leave = leave
        self._hints = hints
        self._keep_pause = keep_pause
        for controls in session.controls.values():
            if isinstance(controls, LoggedControls):
                controls.log = log

    def take(self, line: str) -> None:
        """Does what a line or a key asks for; of one that asks for nothing the key is noted, too."""
        try:
            understood(line, self.letters)
        except BBAError:
            self._log.key(line)
        super().take(line)

    def act(self, name: str, rest: str) -> None:
        """Does one action, once its key is noted; the game stands still behind a question that lies over it."""
        if self.session.over:
            return
        self._log.key(f"{self._names[name]} {rest}".strip())
        if name not in (LEAVE_ENTRY.name, PRACTICE_KEYS[0].name, "quit"):  # which begin with a question
            super().act(name, rest)
            return
        started = datetime.now(UTC)
        step = len(self.session.trace.ticks)
        self._log.note("paused", "dialog")
        try:
            if name == LEAVE_ENTRY.name:
                self._leave()
                super().act("stand", "")
            elif name == "quit":
                super().act(name, "")
            elif self.sure(*ANEW):
                self.anew = True
                self.session.give_up()
        finally:
            self._log.note("resumed")
            self._keep_pause(Pause(step=step, started=started, ended=datetime.now(UTC), why="dialog"))

    def guide(self) -> None:
        """Says what the tutorial asks for, or the hint in a game with hints."""
        super().guide()
        if self._hints and not self.session.over:
            super().act("hint", "")

    def seen(self) -> None:
        """Notes the step."""
        super().seen()
        self._log.step(len(self.session.trace.ticks))


class StudyLesson(StudyPlaying, Lesson):
    """Plays the tutorial, which may begin anew (then `anew` is set)."""


class PlainStudy(StudyFlow):
    """Leads one participant through a study in lines of text.

    Args:
        folder, settings, participant, check: as in `StudyFlow`.
        keymap: the keys of every action.
    """

    TURNS = True

    def __init__(
        self,
        folder: StudyFolder,
        settings: GameOptions,
        participant: str | None,
        *,
        keymap: Keymap,
        check: bool = False,
    ) -> None:
        super().__init__(folder, settings, participant, check=check)
        self._keymap = keymap
        self._typed = Typing(None)
        self._shown_texts = list[str]()

    def run(self) -> None:
        """Leads through the study to its end, or until the participant leaves or nothing more is typed."""
        with typing(by_key=False) as self._typed, suppress(CancelledError, StopIteration):
            self._typed.interrupt = INTERRUPT
            self.lead().send(None)  # nothing in it is awaited for long: each line is read where it is asked for

    # --- pages and questions -------------------------------------------------------------------------------------
    @property
    def _place(self) -> str:
        return "plain"

    async def _show_page(self, page: Page) -> PageReply:
        return self._reply_to(page)

    def _reply_to(self, page: Page) -> PageReply:
        """Says a page, and returns what is typed in reply."""
        if isinstance(page.field, CodeField):
            return self._ask_code_on(page, page.field)
        if isinstance(page.field, QuestionField):
            return self._ask_on(page, page.field)
        if page.break_duration is not None:
            return self._break_on(page, page.break_duration)
        return self._choose_on(page)

    def _ask_code_on(self, page: Page, field: CodeField) -> PageReply:
        self._show(page.title, page.text)
        while True:
            tell(say("your code") + ":")
            code = self._read() or ""
            problem = field.problem_with(code)
            if problem is None:
                return PageReply("yes", field.as_stored(code))
            tell(problem)

    def _ask_on(self, page: Page, field: QuestionField) -> PageReply:
        question = field.task.question
        shown_at = datetime.now(UTC)
        before = field.earlier_answer
        if question.type == "choice" and isinstance(before, tuple):  # as it is kept
            before = before[0]
        keys = {}
        for button in page.buttons:
            if button.name == "back":
                keys[BACK_KEY] = button.label
        self._show(page.title, page.text, *lines_of(question, before), _keys(keys))
        while True:
            line = self._read() or ""
            if line in keys:
                return PageReply("back")
            answer = before if line == "" and before is not None else answer_in(line, question)
            problem = field.problem_with(answer)
            if problem is None:
                return PageReply("yes", field.as_stored(answer), shown_at)
            tell(problem)

    def _break_on(self, page: Page, duration: BreakDuration) -> PageReply:
        began = time.monotonic() - duration.elapsed
        go_on = page.buttons[0]
        self._show(page.title, page.text)
        while True:
            elapsed = time.monotonic() - began
            if elapsed >= duration.longest:
                return PageReply(go_on.name)
            if elapsed < duration.shortest:
                tell(duration.in_words(elapsed))
                self._read(duration.shortest - elapsed)
                continue
            tell(duration.in_words(elapsed), _keys({"Enter": go_on.label}))
            if self._read(duration.longest - elapsed) is not None:
                return PageReply(go_on.name)

    def _choose_on(self, page: Page) -> PageReply:
        """Says a page until one of its ways on is typed by number; Enter alone is the first one, unless `careful`."""
        numbers = {str(number): button for number, button in enumerate(page.buttons, 1)}
        if len(numbers) > 1:
            prompt = _keys({number: button.label for number, button in numbers.items()})
        else:
            prompt = _keys({"Enter": page.buttons[0].label})
        texts = [page.title, page.text] if page.title else [page.text]
        if page.picture is not None:
            texts.append(f"[{page.picture.words}]")
        self._show(*texts)
        self._shown_texts.append(prompt)
        while True:
            show(prompt)
            line = self._read() or ("" if page.careful else "1")
            if line in numbers:
                return PageReply(numbers[line].name)

    def _ask_to_leave(self) -> None:
        page = leave_page()
        if self._shown_texts[1:2] == [page.text]:  # who presses the key again wants to leave
            raise CancelledError
        choice = self._reply_to(page).button
        if choice == "withdraw" and self._reply_to(withdrawal_page()).button == "yes":
            self.study_end = "withdrawn"  # once everything is saved and unlocked it is deleted
            choice = "leave"
        if choice == "leave":
            raise CancelledError
        self._shown_texts = []  # the question is answered

    def _show(self, *texts: str) -> None:
        self._shown_texts = ["", *texts]
        show(*self._shown_texts)

    def _read(self, timeout: float | None = None) -> str | None:
        """Returns the next line; None if none comes in `timeout` seconds. One that leaves asks whether to.

        Raises:
            CancelledError: the participant leaves, or nothing more is typed.
        """
        line = self._typed.read(timeout)
        if line is None and self._typed.ended:
            raise CancelledError
        if line is None:
            return None
        if line.strip() not in (LEAVE_KEY, INTERRUPT):
            return line.strip()
        texts = self._shown_texts
        self._ask_to_leave()
        self._show(*texts[1:])
        return self._read(timeout)

    # --- games -----------------------------------------------------------------------------------------------------
    async def _tutorial(self, session: Session, progress: TutorialProgress, speed: float | None, log: GameLog) -> bool:  # noqa: ARG002
        lesson = StudyLesson(session, self._typed, self._keymap, log, self._ask_to_leave, extra=PRACTICE_KEYS)
        lesson.progress = progress
        self._play(lesson, log)
        return lesson.anew

    async def _game(self, session: Session, name: str, part: ParticipantSession, play: PlayTask, log: GameLog) -> None:  # noqa: ARG002
        self._play(
            StudyPlaying(
                session,
                self._typed,
                self._keymap,
                log,
                self._ask_to_leave,
                hints=play.condition.hints,
                skills=self._study.skills,
                keep_pause=partial(part.note_pause, play),
            ),
            log,
        )

    def _play(self, playing: StudyPlaying, log: GameLog) -> None:
        """Plays until the game is over; in any case the steps that were played are saved."""
        session = playing.session
        self._typed.by_key(True)
        try:
            prepare(session.game)
            tell(
                orders(playing.snapshot),
                where_one_stands(playing.snapshot, playing.player, playing.names_by_seat),
                say("? lists the keys"),
            )
            playing.run()
            tell(orders(playing.snapshot))
        finally:
            session.close()
            log.note("over", None if session.game.done else "before its end")
            self._typed.by_key(False)
        if not session.over:  # nothing more is typed
            raise CancelledError


def _keys(labels: Mapping[str, str]) -> str:
    """Returns in a line what the keys do, with the one that leaves."""
    with_leave = {**labels, LEAVE_KEY: say("leave")}
    return "; ".join(f"{key}: {label}" for key, label in with_leave.items())


def lines_of(question: SurveyQuestion, before: Answer) -> Iterator[str]:
    """Yields what there is to choose from, the answer that was given before, and what can be typed."""
    low, high = question.ends or ("", "")
    if question.type == "slider":
        yield f"0: {low}; 100: {high}"
    if question.points:
        for option in question.options:
            yield option.strip()
    elif question.choices:
        for number, option in enumerate(question.options, 1):
            yield f"{number}  {option}"
    yield sentence(question.problem_with(False) or "")  # which is no answer to any question
    if question.type == "choices":
        yield sentence(say("several numbers, with spaces between"))
    if before not in (None, ""):
        parts = before if isinstance(before, tuple) else (before,)
        kept = ", ".join(str(part) for part in parts)
        yield sentence(say("so far: {answer}; Enter keeps it", answer=kept))
    elif not question.required:
        yield sentence(say("Enter alone leaves it out"))


def answer_in(line: str, question: SurveyQuestion) -> Answer:
    """Returns the answer in a line; the line itself, or a tuple of it, where it holds none."""
    if question.type == "number":
        return number_in(line)
    if question.type in ("scale", "slider"):
        return int(line) if line.isdecimal() and len(line) < 4 else line
    if question.choices is None or not line:
        return line
    if question.type != "choices":
        return next((choice for number, choice in enumerate(question.choices, 1) if str(number) == line), line)
    numbers = line.replace(",", " ").split()
    chosen = tuple(choice for number, choice in enumerate(question.choices, 1) if str(number) in numbers)
    return chosen if len(chosen) == len(set(numbers)) else (line,)
