"""One participant's way through a study. Whatever is done is on the disk before the next thing is asked."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from bba.errors import BBAError
from human.study.plan import Study
from human.study.progress import PlayedGame, Practice, Progress, SurveyAnswer
from human.study.schedule import PlayTask, QuestionTask, StudyTask, next_task


class ParticipantSession:
    """How far one participant has come, and the only way to go on.

    Args:
        study: the study.
        progress: how far they have come.
        save: writes the progress down; raises BBAError where that cannot be.
        recordings: the folder of the recordings.
    """

    def __init__(self, study: Study, progress: Progress, save: Callable[[Progress], None], recordings: Path) -> None:
        self.study, self.progress = study, progress
        self._save, self._recordings = save, recordings

    @property
    def task(self) -> StudyTask | None:
        """What is to be done next; None at the end."""
        return next_task(self.study, self.progress)

    @property
    def practice_recording(self) -> Path:
        """The file of the tutorial."""
        return self._recordings / f"{self.progress.participant}-tutorial.bba"

    def recording(self, game: int) -> Path:
        """The file of a game, counted from 0."""
        return recording_of(self._recordings, self.progress.participant, game)

    def end_practice(self, stages: int) -> None:
        """The tutorial is over, after so many stages."""
        self._keep(practice=Practice(ended=_now(), stages=stages))

    def begin(self, play: PlayTask, steps: int) -> None:
        """A game begins or, where it was begun before, goes on after so many steps."""
        last = next((played for played in self.progress.games if played.game == play.game), None)
        if last is None:
            self._keep(games=(*self.progress.games, PlayedGame(game=play.game, started=_now())))
        else:
            self._replace(last, resumed=(*last.resumed, steps))

    def end(self, play: PlayTask, *, given_up: bool) -> None:
        """A game has ended."""
        (last,) = (played for played in self.progress.games if played.game == play.game)
        self._replace(last, ended=_now(), given_up=given_up)

    def answer(self, ask: QuestionTask, said: int | str) -> None:
        """A question is answered: by a point on its scale, or in words.

        Raises:
            BBAError: the question wants the other, or the progress cannot be written.
        """
        if (ask.question.ends is not None) != isinstance(said, int):
            raise BBAError(f"{ask.question.name}: got {said!r}; it takes {'1 to 5' if ask.question.ends else 'words'}")
        given = {"score": said} if isinstance(said, int) else {"words": said}
        answer = SurveyAnswer.model_validate({"game": ask.game, "question": ask.question.name, "at": _now(), **given})
        self._keep(answers=(*self.progress.answers, answer))

    def _replace(self, old: PlayedGame, **changed: object) -> None:
        new = PlayedGame.model_validate(old.model_dump() | changed)
        self._keep(games=tuple(new if played is old else played for played in self.progress.games))

    def _keep(self, **changed: object) -> None:
        progress = self.progress.model_copy(update=changed)
        self._save(progress)
        self.progress = progress


def recording_of(folder: Path, participant: str, game: int) -> Path:
    """The file of a participant's game, counted from 0."""
    return folder / f"{participant}-game-{game + 1}.bba"


def _now() -> datetime:
    return datetime.now(UTC)
