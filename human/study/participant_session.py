"""One participant's session in a study: the next task, and what is noted of each.

The next task follows from the study and the participant's progress alone. The order of a participant's games is
counterbalanced (Williams, 1949). Every result is on disk before the next task begins.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bba.errors import BBAError
from human.study.plan import Condition, Study, SurveyQuestion
from human.study.progress import PlayedGame, Practice, Progress, SurveyAnswer


def balanced_order(size: int, number: int) -> list[int]:
    """Returns the order of `size` conditions for participant `number` (from 0): one row of a balanced Latin square.

    Over `size` participants (twice as many where `size` is odd) each condition has each position equally often, and
    follows each other condition equally often. Then the rows repeat.
    """
    rows = size if size % 2 == 0 else 2 * size
    row = number % rows
    zigzag = [(i + 1) // 2 if i % 2 else (size - i // 2) % size for i in range(size)]  # 0, 1, n−1, 2, n−2, …
    order = [(place + row) % size for place in zigzag]
    return order[::-1] if row >= size else order


class PracticeTask(NamedTuple):
    """The tutorial."""


class PlayTask(NamedTuple):
    """A game: its position in the participant's order, from 0, the number of games, and the condition."""

    game: int
    games: int
    condition: Condition


class QuestionTask(NamedTuple):
    """A question about the game that was just played."""

    game: int
    question: SurveyQuestion


StudyTask = PracticeTask | PlayTask | QuestionTask


def next_task(study: Study, progress: Progress) -> StudyTask | None:
    """Returns the next task; None at the end."""
    if study.tutorial and progress.practice is None:
        return PracticeTask()
    order = games_of(study, progress.number)
    ended = {played.game for played in progress.games if played.ended is not None}
    answered = {(answer.game, answer.question) for answer in progress.answers}
    for game, condition in enumerate(order):
        if game not in ended:
            return PlayTask(game, len(order), condition)
        for question in study.questions:
            if (game, question.name) not in answered:
                return QuestionTask(game, question)
    return None


def games_of(study: Study, number: int) -> list[Condition]:
    """Returns the games of participant `number` (from 0) in their order."""
    conditions = study.conditions
    return [conditions[index] for index in balanced_order(len(conditions), number)]


class ParticipantSession:
    """One participant's progress, and the methods that change it. Each of them saves before it returns.

    Args:
        study: the study.
        progress: the participant's progress.
        save: writes the progress to its file; raises BBAError if that fails.
        recordings: the folder of the recordings.
    """

    def __init__(self, study: Study, progress: Progress, save: Callable[[Progress], None], recordings: Path) -> None:
        self.study, self.progress = study, progress
        self._save, self._recordings = save, recordings

    @property
    def task(self) -> StudyTask | None:
        """The next task; None at the end."""
        return next_task(self.study, self.progress)

    @property
    def practice_recording(self) -> Path:
        """The recording of the tutorial."""
        return self._recordings / f"{self.progress.participant}-tutorial.bba"

    def recording(self, game: int) -> Path:
        """Returns the path of a game's recording; games count from 0."""
        return recording_of(self._recordings, self.progress.participant, game)

    def end_practice(self, stages: int) -> None:
        """Notes that the tutorial has ended, with the number of completed stages."""
        self._update(practice=Practice(ended=_now(), stages=stages))

    def begin(self, play: PlayTask, steps: int) -> None:
        """Notes that a game begins or, if it was begun before, that it resumes after `steps` steps."""
        last = next((played for played in self.progress.games if played.game == play.game), None)
        if last is None:
            self._update(games=(*self.progress.games, PlayedGame(game=play.game, started=_now())))
        else:
            self._replace(last, resumed=(*last.resumed, steps))

    def end(self, play: PlayTask, *, given_up: bool) -> None:
        """Notes that a game has ended."""
        (last,) = (played for played in self.progress.games if played.game == play.game)
        self._replace(last, ended=_now(), given_up=given_up)

    def answer(self, task: QuestionTask, value: int | str) -> None:
        """Stores an answer: an int for a scale, a str for words.

        Raises:
            BBAError: the value has the wrong type for this question, or the progress cannot be written.
        """
        question = task.question
        if (question.ends is not None) != isinstance(value, int):
            raise BBAError(f"{question.name}: got {value!r}; it takes {'1 to 5' if question.ends else 'words'}")
        given = {"score": value} if isinstance(value, int) else {"words": value}
        answer = SurveyAnswer.model_validate({"game": task.game, "question": question.name, "at": _now(), **given})
        self._update(answers=(*self.progress.answers, answer))

    def _replace(self, old: PlayedGame, **changed: object) -> None:
        new = PlayedGame.model_validate(old.model_dump() | changed)
        self._update(games=tuple(new if played is old else played for played in self.progress.games))

    def _update(self, **changed: object) -> None:
        progress = self.progress.model_copy(update=changed)
        self._save(progress)
        self.progress = progress


def recording_of(folder: Path, participant: str, game: int) -> Path:
    """Returns the path of the recording of a participant's game; games count from 0."""
    return folder / f"{participant}-game-{game + 1}.bba"


def _now() -> datetime:
    return datetime.now(UTC)
