"""The folder of a study: its plan, how far each participant has come, and the recordings.

    study.json              the plan, as it was when the study began
    participants/CODE.json  how far each participant has come, with all answers
    recordings/             CODE-tutorial.bba and CODE-game-1.bba, CODE-game-2.bba, …
    locks/                  who is at it now; may be deleted when nobody is
    tables/                 what `human.study.tables` makes of all this

Numbers are given out under a lock, so that participants who come at the same time get an order each; a participant is
held under a lock of their own, so that nobody takes part twice at once. Both locks end with the process.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout
from pydantic import BaseModel, ValidationError

from bba.errors import BBAError
from bba.files import first_problem, read_text, write_whole
from human.study.participant_session import ParticipantSession
from human.study.plan import Study
from human.study.progress import Progress

Model = TypeVar("Model", bound=BaseModel)

PATIENCE = 30.0  # seconds for the lock under which numbers are given out


class StudyFolder:
    """The results of a study.

    Args:
        path: the folder.
        study: its plan.
    """

    def __init__(self, path: Path, study: Study) -> None:
        self.path, self.study = path, study

    @classmethod
    def open(cls, path: Path) -> "StudyFolder":
        """The folder of a study that has begun.

        Raises:
            BBAError: there is none.
        """
        if not _plan(path).is_file():
            raise BBAError(f"{path}: not the folder of a study: it holds no study.json")
        return cls(path, _read(_plan(path), Study))

    @classmethod
    def begin(cls, path: Path, study: Study) -> "StudyFolder":
        """The folder for this study, made where it is not there yet.

        Raises:
            BBAError: it cannot be made, or it holds another study.
        """
        folder = cls(path, study)
        try:
            for name in ("participants", "recordings", "locks"):
                (path / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise BBAError(f"{path}: cannot be made: {error.strerror or error}; name a folder with --out") from None
        with folder._alone():
            if not _plan(path).exists():
                write_whole(_plan(path), study.model_dump_json(indent=2) + "\n")
        if cls.open(path).study != study:
            raise BBAError(
                f"{path}: holds another study, or this one as it was before a change; name another with --out"
            )
        return folder

    @property
    def recordings(self) -> Path:
        """Where the games are."""
        return self.path / "recordings"

    def knows(self, participant: str) -> bool:
        """Whether a participant has agreed to take part."""
        return self._file(participant).is_file()

    def everybody(self) -> list[Progress]:
        """How far each participant has come, in the order of their numbers.

        Raises:
            BBAError: a file that cannot be read.
        """
        found = (_read(file, Progress) for file in (self.path / "participants").glob("*.json"))
        return sorted(found, key=lambda progress: progress.number)

    @contextmanager
    def participation(self, participant: str) -> Iterator[ParticipantSession]:
        """Let a participant who has agreed begin or go on; nobody else can do so under this code meanwhile.

        Raises:
            BBAError: somebody does already, or a file cannot be read or written.
        """
        lock = self.path / "locks" / f"{participant}.lock"
        with _held(lock, 0, f"participant {participant} is taking part elsewhere at this moment"):
            progress = _read(self._file(participant), Progress) if self.knows(participant) else self._enrol(participant)
            yield ParticipantSession(self.study, progress, self._save, self.recordings)

    def _enrol(self, participant: str) -> Progress:
        """Give a new participant the next number."""
        with self._alone():
            numbers = [progress.number for progress in self.everybody()]
            number = max(numbers, default=-1) + 1
            progress = Progress(participant=participant, number=number, consented=datetime.now(UTC))
            self._save(progress)
        return progress

    def _save(self, progress: Progress) -> None:
        write_whole(self._file(progress.participant), progress.model_dump_json(indent=2) + "\n")

    def _file(self, participant: str) -> Path:
        return self.path / "participants" / f"{participant}.json"

    def _alone(self) -> AbstractContextManager[None]:
        return _held(
            self.path / "locks" / "numbers.lock", PATIENCE, f"{self.path}: is held by another process; try again"
        )


@contextmanager
def _held(lock: Path, patience: float, otherwise: str) -> Iterator[None]:
    """Hold a lock; where somebody else does for so many seconds, complain."""
    try:
        hold = FileLock(lock).acquire(timeout=patience)
    except Timeout:
        raise BBAError(otherwise) from None
    except OSError as error:
        raise BBAError(f"{lock}: cannot be written: {error.strerror or error}") from None
    with hold:
        yield


def _plan(path: Path) -> Path:
    return path / "study.json"


def _read(file: Path, model: type[Model]) -> Model:
    try:
        return model.model_validate_json(read_text(file))
    except ValidationError as error:
        raise BBAError(f"{file}: {first_problem(error)}") from None
