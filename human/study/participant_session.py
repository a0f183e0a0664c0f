"""One participant's session in a study: what is noted of each task, on disk before the next task begins."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from bba.errors import BBAError
from bba.text import encodable
from human.study.activity_log import ActivityLog
from human.study.endings import EndingName, LastEnding
from human.study.errors import BegunInOtherBrowser
from human.study.online import PlatformIds
from human.study.plan import Study
from human.study.progress import (
    Break,
    Exclusion,
    PairPlace,
    Pause,
    PlayedGame,
    Practice,
    PracticeTry,
    Progress,
    SurveyAnswer,
)
from human.study.questionnaire import ANSWER_FIELDS, Answer
from human.study.tasks import (
    BreakTask,
    FailedTryTask,
    PageTask,
    PlayTask,
    QuestionTask,
    StudyTask,
    ending_of,
    next_task,
    questions_asked,
)


class ParticipantSession:
    """One participant's progress, and the methods that change it. Each of them saves before it returns.

    Args:
        study: the study.
        progress: the participant's progress.
        save: writes the progress to its file; raises BBAError if that fails.
        recordings: the folder of the recordings.
        log: the participant's activity log.
    """

    def __init__(
        self,
        study: Study,
        progress: Progress,
        save: Callable[[Progress], None],
        recordings: Path,
        log: ActivityLog,
    ) -> None:
        self.study = study
        self.progress = progress
        self.log = log
        self._save = save
        self._recordings = recordings

    @property
    def task(self) -> StudyTask | None:
        """The next task; None at the end."""
        return next_task(self.study, self.progress)

    @property
    def ending(self) -> LastEnding:
        """How the study ends for a participant without a further task."""
        return ending_of(self.study, self.progress)

    @property
    def practice_recording(self) -> Path:
        """The recording of the tutorial, in this try."""
        name = f"{self.progress.participant}-tutorial"
        failed_tries = len(self.progress.tries)
        if failed_tries > 0:
            name += f"-{failed_tries + 1}"
        return self._recordings / f"{name}.bba"

    def recording(self, game: int) -> Path:
        """Returns the path of a game's recording; games count from 0."""
        return recording_of(self._recordings, self.progress.participant, game)

    def end_practice(self, stages: int) -> None:
        """Notes that the tutorial has ended, with the number of completed stages."""
        self._update(practice=Practice(ended=_now(), stages=stages))

    def try_again(self) -> None:
        """Notes that a try of the practice failed, and clears the way for the next one; met stages stay met."""
        progress = self.progress
        failed = self.task
        names = {question.name for question in self.study.questions if question.when == "practice"}
        practice_answers = []
        kept_answers = []
        for answer in progress.answers:
            if answer.question in names:
                practice_answers.append(answer)
            else:
                kept_answers.append(answer)
        stages = None
        if progress.practice is not None:
            stages = progress.practice.stages
        attempt = PracticeTry(ended=_now(), stages=stages, answers=tuple(practice_answers))
        kept_practice = None
        if isinstance(failed, FailedTryTask) and failed.stages:
            kept_practice = progress.practice
        self._update(tries=(*progress.tries, attempt), answers=tuple(kept_answers), practice=kept_practice)

    def exclude(self, why: Literal["practice", "researcher"], reason: str | None = None) -> None:
        """Notes that the participant is excluded: there is no further task."""
        self._update(excluded=Exclusion(at=_now(), why=why, reason=reason))

    def include(self) -> None:
        """Takes an exclusion back."""
        self._update(excluded=None)

    def readmit(self) -> None:
        """Notes that the participant may go on in the next browser that comes.

        Raises:
            BBAError: they did not come from a recruiting platform.
        """
        if self.progress.platform is None:
            raise BBAError(f"{self.progress.participant}: came without ids of a platform; the code alone goes on")
        platform = self.progress.platform.model_copy(update={"visitor": None})
        self._update(platform=platform)
        self.log.note("readmitted")

    def check_browser(self, ids: PlatformIds | None) -> None:
        """Checks that a participant comes in the browser in which they began; who was readmitted begins in this one.

        Raises:
            BegunInOtherBrowser: it is another one.
        """
        begun = self.progress.platform
        if begun is None or ids is None or begun.visitor == ids.visitor:
            return
        if begun.visitor is not None:
            raise BegunInOtherBrowser("this participant has begun in another browser; please go on there")
        platform = begun.model_copy(update={"visitor": ids.visitor})
        self._update(platform=platform)

    def come_to(self, ending: EndingName) -> None:
        """Notes that the participant has come to an ending, unless it is the one that was noted last."""
        if self.progress.endings[-1:] != (ending,):
            self._update(endings=(*self.progress.endings, ending))

    def begin_break(self, task: BreakTask | PageTask) -> Break:
        """Notes that a break begins, or that a page is shown; returns it, or the one that was interrupted."""
        page = None
        if isinstance(task, PageTask):
            page = task.page.name
        for pause in self.progress.breaks:
            if (pause.game, pause.page) == (task.game, page):
                return pause
        begun = Break(game=task.game, page=page, started=_now())
        self._update(breaks=(*self.progress.breaks, begun))
        return begun

    def end_break(self) -> None:
        """Notes that a break has ended, or that a page was read."""
        *earlier, last = self.progress.breaks
        ended = last.model_copy(update={"ended": _now()})
        self._update(breaks=(*earlier, ended))

    def pair_with(self, place: PairPlace, group: int, row: int) -> None:
        """Notes with whom the participant plays, and the group and order of games that both have."""
        self._update(pair=place, group=group, row=row)

    def note_presence(self) -> None:
        """Notes that the participant is there."""
        self._update()

    def begin(self, play: PlayTask, steps: int, *, turns: bool = False) -> None:
        """Notes that a game begins or, if it was begun before, that it resumes after `steps` steps.

        Args:
            play: the game.
            steps: the number of steps that were played before.
            turns: whether it waits for a key in every step, whatever the study says.
        """

        def resume(played: PlayedGame) -> dict[str, Any]:
            return {"resumed": (*played.resumed, steps), "turns": turns or played.turns}

        begun_before = any(played.game == play.game for played in self.progress.games)
        if begun_before:
            self._change(play, resume)
        else:
            begun = PlayedGame(game=play.game, started=_now(), turns=turns)
            self._update(games=(*self.progress.games, begun))

    def note_pause(self, play: PlayTask, pause: Pause) -> None:
        """Notes a time in which a game stood still."""
        self._change(play, lambda played: {"pauses": (*played.pauses, pause)})

    def end(self, play: PlayTask, *, given_up: bool) -> None:
        """Notes that a game has ended."""
        self._change(play, lambda _: {"ended": _now(), "given_up": given_up})

    def answer_of(self, task: QuestionTask) -> SurveyAnswer | None:
        """Returns the answer that was given to a question before; None if there is none."""
        for answer in self.progress.answers:
            if (answer.game, answer.question) == (task.game, task.question.name):
                return answer
        return None

    def task_before(self, task: QuestionTask) -> QuestionTask | None:
        """Returns the question that was asked right before this one at the same point of the study, if there is one."""
        position = task.position - 1
        if position == 0:
            return None
        questions = questions_asked(self.study, self.progress, task.question.when, task.game)
        return QuestionTask(task.game, questions[position - 1], position, len(questions))

    def answer(self, task: QuestionTask, value: Answer, shown: datetime | None = None) -> None:
        """Stores an answer in place of an earlier one, and drops answers to questions that are no longer asked.

        Args:
            task: the question.
            value: an int for a scale or a slider, a number, words, what was chosen (one or a tuple); None if left out.
            shown: when the question was shown.

        Raises:
            BBAError: the question takes no such answer, or the progress cannot be written.
        """
        if isinstance(value, str):
            value = encodable(value)
        problem = task.question.problem_with(value)
        if problem is not None:
            raise BBAError(f"{task.question.name}: got {value!r}; {problem}")
        replaced = self.answer_of(task)
        changes = 0
        if replaced is not None:
            changes = replaced.changes + 1
        fields: dict[str, Any] = {
            "game": task.game,
            "question": task.question.name,
            "position": task.position,
            "shown": shown,
            "at": _now(),
            "changes": changes,
        }
        if value is not None:
            fields[ANSWER_FIELDS[task.question.type]] = value
        answers = [answer for answer in self.progress.answers if answer is not replaced]
        answers.append(SurveyAnswer.model_validate(fields))
        self._update(answers=self._still_asked(tuple(answers), task))

    def _still_asked(self, answers: tuple[SurveyAnswer, ...], task: QuestionTask) -> tuple[SurveyAnswer, ...]:
        """Returns the answers without those, at the task's point of the study, to questions that are not asked."""
        when = {question.name: question.when for question in self.study.questions}
        point = (task.question.when, task.game)
        while True:  # until nothing is dropped: a dropped answer may be what another question depends on
            progress = self.progress.model_copy(update={"answers": answers})
            questions = questions_asked(self.study, progress, task.question.when, task.game)
            names = {question.name for question in questions}
            dropped = []
            for answer in answers:
                at_point = (when[answer.question], answer.game) == point
                if at_point and answer.question not in names:
                    dropped.append(answer)
            if not dropped:
                return answers
            answers = tuple(answer for answer in answers if answer not in dropped)

    def _change(self, play: PlayTask, change: Callable[[PlayedGame], dict[str, Any]]) -> None:
        """Notes what `change` returns of a game that was begun."""
        games = []
        for played in self.progress.games:
            if played.game == play.game:
                played = PlayedGame.model_validate(played.model_dump() | change(played))
            games.append(played)
        self._update(games=tuple(games))

    def _update(self, **changes: object) -> None:
        progress = self.progress.model_copy(update=changes | {"seen": _now()})
        self._save(progress)
        self.progress = progress


def recording_of(folder: Path, participant: str, game: int) -> Path:
    """Returns the path of the recording of a participant's game; games count from 0."""
    return folder / f"{participant}-game-{game + 1}.bba"


def _now() -> datetime:
    return datetime.now(UTC)
