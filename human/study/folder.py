"""The folder of a study: its plan, progress and recordings, and the terms, which must not change while it runs.

    study.json              the plan, as it was when the study began
    participants/CODE.json  the progress of each participant, with all answers
    recordings/             CODE-tutorial.bba and CODE-game-1.bba, CODE-game-2.bba, …
    logs/                   CODE.jsonl: keys, steps, pauses and more, with their times
    locks/                  one lock a running participant; may be deleted when none is running
    tables/                 the tables that `human.study.tables` writes

The folder is made for its owner alone. Whoever opens it to others opens what is made in it later, too.

Participants get their numbers under a lock, so that two who begin at the same time get two numbers. Each participant
has a lock too, so that nobody takes part twice at the same time. Both locks end with the process. Of who withdraws,
everything is deleted; kept are how many have withdrawn, and salted hashes by which they are recognised
(withdrawn.json).
"""

import shutil
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from filelock import FileLock, Timeout
from pydantic import JsonValue

from bba import __version__
from bba.config import (
    BELIEF_OPTIONS,
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    NamedOptions,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
)
from bba.errors import BBAError
from bba.files import mode_within, os_errors, read_text, write_whole
from bba.language import say
from bba.settings import GameOptions
from bba.validation import Model, checked
from human.study.activity_log import ActivityLog
from human.study.consent_given import ConsentGiven
from human.study.errors import ParticipantError
from human.study.model import StudyModel
from human.study.online import PlatformIds
from human.study.participant_session import ParticipantSession
from human.study.plan import Seeds, Study
from human.study.progress import Progress
from human.study.tasks import away, counted_with_place, next_cell
from human.study.withdrawals import Withdrawals

# Options that every game has, apart from those that the study itself decides.
GAME_OPTIONS = frozenset(
    {"trigger", "planner", "prompts", "weights", "model", "base_url", "max_tokens"}
    | (set(EpisodeOptions.model_fields) - {"horizon"})
    | set(SkillOptions.model_fields)
    | set(PlannerOptions.model_fields)
    | set(RolloutOptions.model_fields)
)


# The order in which a study's file has them.
ORDER_IN_FILE = tuple(
    chain(
        ("trigger", "planner", "prompts", "weights"),
        EpisodeOptions.model_fields,
        NamedOptions.model_fields,
        GateConfig.model_fields,
        CommitmentConfig.model_fields,
        FilterConfig.model_fields,
        SkillOptions.model_fields,
        PlannerOptions.model_fields,
        RolloutOptions.model_fields,
        ("model", "base_url", "max_tokens"),
    )
)


# What folders of earlier versions hold of options that nobody has set.
UNSAID = {"ask": "changed", "prompt_layout": "preprint"}


class Terms(StudyModel):
    """The version of the program, and the settings of the games beside those that the study decides."""

    program: str
    settings: dict[str, JsonValue]

    def difference(self, other: "Terms") -> str | None:
        """Returns the first difference in words; None if there is none."""
        if self.program != other.program:
            return f"bba-tui {self.program}, and this is {other.program}"
        for name in sorted(self.settings.keys() | other.settings.keys()):
            mine = self.settings.get(name)
            theirs = other.settings.get(name)
            if mine != theirs:
                option = name.replace("_", "-")
                mine_in_words = "at its default" if mine is None else mine
                theirs_in_words = "without it now" if theirs is None else f"not {theirs}"
                return f"--{option} {mine_in_words}, {theirs_in_words}"
        return None


class BegunStudy(Study):
    """A study that has begun, as its folder holds it.

    Attributes:
        terms: under which terms it is played; None in folders of earlier versions.
        seeds, skills: as in `Study`; where a folder says nothing, they are as they were before.
    """

    terms: Terms | None = None
    seeds: Seeds = "game"
    skills: bool = True

    @property
    def plan(self) -> Study:
        """The study without its terms."""
        return Study.model_validate(self.model_dump(exclude={"terms"}))


def terms_of(options: GameOptions) -> Terms:
    """Returns the terms under which these options let games be played."""
    given_belief = BELIEF_OPTIONS & options.model_fields_set
    values = options.model_dump(mode="json", include={*GAME_OPTIONS, *given_belief})
    for name, default in UNSAID.items():
        if values[name] is None:
            values[name] = default
    settings = {name: values[name] for name in ORDER_IN_FILE if name in values}
    return Terms(program=__version__, settings=settings)


DERIVED = ("tables", "tables-anonymous")  # folders that hold data of everybody, and can be made anew
PLAN_FILE = "study.json"
REPORT_FILE = "report.html"
WITHDRAWN_FILE = "withdrawn.json"


OWN_FOLDER = 0o700  # the folder is for its owner alone, and so is what is made in it, unless it is opened to others
NUMBERS_TIMEOUT = 30.0  # seconds to wait for the lock on numbers


class StudyFolder:
    """The folder with the results of a study.

    Args:
        path: the folder.
        study: its plan.

    Attributes:
        recordings: the folder of the recordings.
    """

    def __init__(self, path: Path, study: Study) -> None:
        self.path = path
        self.study = study
        self.recordings = path / "recordings"

    @classmethod
    def open(cls, path: Path) -> "StudyFolder":
        """Opens the folder of a study that has begun.

        Raises:
            BBAError: the folder holds no study.
        """
        if not (path / PLAN_FILE).is_file():
            raise BBAError(f"{path}: not the folder of a study: it holds no study.json")
        return cls(path, _read(path / PLAN_FILE, BegunStudy).plan)

    @classmethod
    def begin(cls, path: Path, study: Study, terms: Terms | None = None) -> "StudyFolder":
        """Opens the folder of this study, and makes it if it does not exist.

        Args:
            path: the folder.
            study: its plan.
            terms: under which terms the games are played; None to take those of the folder.

        Raises:
            BBAError: the folder cannot be made, or it holds another study, or one that is played under other terms.
        """
        folder = cls(path, study)
        with os_errors(f"{path}: cannot be made", "; name a folder with --out"):
            path.mkdir(OWN_FOLDER, parents=True, exist_ok=True)
            for name in ("participants", "recordings", "locks"):
                (path / name).mkdir(mode_within(path, 0o777), exist_ok=True)
        with folder._numbers_lock():
            if not (path / PLAN_FILE).exists():
                beginning = BegunStudy.model_validate({**study.model_dump(), "terms": terms})
                write_whole(path / PLAN_FILE, beginning.model_dump_json(indent=2, by_alias=True) + "\n")
        begun = _read(path / PLAN_FILE, BegunStudy)
        set_here = study.model_fields_set - {"scores"}  # a block has scores by now, and had none in older studies
        set_nowhere = Study.model_fields.keys() - begun.model_fields_set - set_here
        folder.study = study.model_copy(update={name: getattr(begun, name) for name in set_nowhere})
        changed = changes(begun.plan, folder.study)
        if changed:
            raise BBAError(f"{path}: was begun with other {changed} than this study has; name another with --out")
        if begun.terms is not None and terms is not None:
            difference = begun.terms.difference(terms)
            if difference:
                raise BBAError(
                    f"{path}: this study was begun with {difference}; keep to that, or name another with --out"
                )
        return folder

    def log_of(self, participant: str) -> Path:
        """Returns the path of a participant's activity log."""
        return self.path / "logs" / f"{participant}.jsonl"

    def knows(self, participant: str) -> bool:
        """Whether a participant has given consent."""
        return self._file(participant).is_file()

    def taking_part(self, participant: str) -> bool:
        """Whether a process of a participant runs at this moment: their lock ends with it, also where it is killed."""
        lock = FileLock(self._lock_of(participant))
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return True
        lock.release()
        return False

    def everybody(self) -> list[Progress]:
        """Returns the progress of all participants, in the order of their numbers.

        Raises:
            BBAError: a file cannot be read.
        """
        files = (self.path / "participants").glob("*.json")
        everybody = [_read(file, Progress) for file in files]
        return sorted(everybody, key=lambda progress: progress.number)

    def check_place(self) -> None:
        """Checks that the study takes another participant.

        Raises:
            NoPlaceInStudy: it has all participants that it needs, or all places are taken at this moment.
        """
        counted_with_place(self.study, self.everybody(), datetime.now(UTC))

    @contextmanager
    def participation(
        self, participant: str, ids: PlatformIds | None = None, *, simulated: bool = False
    ) -> Iterator[ParticipantSession]:
        """Begins or resumes a participant's session, and locks their code until the session ends.

        Args:
            participant: the code.
            ids: the participant's ids on the recruiting platform, if they came from one.
            simulated: whether it is no person; a folder has people or simulated participants.

        Raises:
            NoPlaceInStudy: the study takes no further participant, or has given this one's place to another one.
            BegunInOtherBrowser: the participant has begun in another browser, and nobody has readmitted them.
            BBAError: the code is in use, or a file cannot be read or written.
        """
        with self._held(participant):
            if self.knows(participant):
                yield self._return(participant, ids)
            else:
                yield self._enrol(participant, ids, simulated)

    def withdraw(self, participant: str) -> None:
        """Deletes everything about a participant, and the tables and reports made so far, which hold it, too.

        Raises:
            BBAError: nobody has this code, it is in use, or a file cannot be deleted.
        """
        with self.part_of(participant):
            with os_errors(f"{self.path}: cannot be deleted"):
                # The progress first: without it the remaining files belong to nobody.
                self._file(participant).unlink(missing_ok=True)
                for file in self._files_of(participant):
                    file.unlink(missing_ok=True)
                (self.path / REPORT_FILE).unlink(missing_ok=True)
            for name in DERIVED:
                shutil.rmtree(self.path / name, ignore_errors=True)
            with self._numbers_lock():
                self._note_withdrawal(participant)
        self._lock_of(participant).unlink(missing_ok=True)  # its name is the code

    def _files_of(self, participant: str) -> list[Path]:
        """Returns a participant's progress, log and recordings."""
        files: list[Path] = []
        for name in (f"{participant}.json*", f"{participant}-game-*", f"{participant}-tutorial*"):
            files += self.path.glob(f"*/{name}")
            files += self.path.glob(f"*/.{name}")  # what a process that was killed was about to write
        return files

    def _note_withdrawal(self, participant: str) -> None:
        earlier = self.withdrawals()
        hashes = (*earlier.hashes, earlier.hash_of(participant))
        withdrawals = Withdrawals(withdrawn=earlier.withdrawn + 1, salt=earlier.salt, hashes=hashes)
        write_whole(self.path / WITHDRAWN_FILE, withdrawals.model_dump_json() + "\n")

    def withdrawals(self) -> Withdrawals:
        """Returns who has withdrawn.

        Raises:
            BBAError: the file that tells cannot be read.
        """
        file = self.path / WITHDRAWN_FILE
        return _read(file, Withdrawals) if file.exists() else Withdrawals()

    @contextmanager
    def part_of(self, participant: str) -> Iterator[ParticipantSession]:
        """Holds the session of a participant who does not take part at this moment, to change how they count.

        Raises:
            BBAError: there is no such participant, or they are taking part at this moment.
        """
        if not self.knows(participant):
            raise BBAError(f"{self.path}: nobody with the code {participant} takes part in this study")
        with self._held(participant):
            yield self._session(_read(self._file(participant), Progress))

    def _held(self, participant: str) -> AbstractContextManager[None]:
        problem = say("participant {code} is taking part elsewhere at this moment", code=participant)
        elsewhere = ParticipantError(problem)
        return _locked(self._lock_of(participant), 0.2, elsewhere)  # seconds: `taking_part` holds it for a moment

    def _lock_of(self, participant: str) -> Path:
        return self.path / "locks" / f"{participant}.lock"

    def _session(self, progress: Progress) -> ParticipantSession:
        log = ActivityLog(self.log_of(progress.participant))
        return ParticipantSession(self.study, progress, self._write, self.recordings, log)

    def _enrol(self, participant: str, ids: PlatformIds | None, simulated: bool) -> ParticipantSession:
        """Gives a new participant the next number, and a group and an order of which the fewest have come."""
        with self._numbers_lock():
            everybody = self.everybody()
            time = datetime.now(UTC)
            if any(progress.simulated != simulated for progress in everybody):
                holders = "people" if simulated else "simulated participants"
                raise BBAError(f"{self.path}: holds the data of {holders}; name another folder with --out")
            number = max((progress.number for progress in everybody), default=-1) + 1
            counted = counted_with_place(self.study, everybody, time)
            group, row = next_cell(self.study, counted, number)
            progress = Progress(
                participant=participant,
                number=number,
                group=group,
                row=row,
                consented=time,
                consent=ConsentGiven.to(self.study.consent, self.study.consent_version),
                platform=ids,
                seen=time,
                simulated=simulated,
            )
            self._write(progress)
        return self._session(progress)

    def _return(self, participant: str, ids: PlatformIds | None) -> ParticipantSession:
        """Returns the session of a participant who comes back; who was away for too long needs a free place."""
        part = self._session(_read(self._file(participant), Progress))
        part.check_browser(ids)
        if self.study.replace_after is not None and part.task is not None:
            with self._numbers_lock():
                if away(self.study, part.progress, datetime.now(UTC)):
                    self.check_place()
                part.note_presence()
        return part

    def _write(self, progress: Progress) -> None:
        write_whole(self._file(progress.participant), progress.model_dump_json(indent=2) + "\n")

    def _file(self, participant: str) -> Path:
        return self.path / "participants" / f"{participant}.json"

    def _numbers_lock(self) -> AbstractContextManager[None]:
        return _locked(
            self.path / "locks" / "numbers.lock",
            NUMBERS_TIMEOUT,
            BBAError(f"{self.path}: is held by another process; try again"),
        )


def changes(study: Study, other_study: Study) -> str:
    """Returns the keys in which two plans differ, with commas between; "" if they are equal."""
    values = study.model_dump()
    other_values = other_study.model_dump()
    changed = [name for name, value in values.items() if value != other_values[name]]
    return ", ".join(changed).replace("_", "-")


@contextmanager
def _locked(lock: Path, timeout: float, problem: BBAError) -> Iterator[None]:
    """Holds a lock; raises the problem if another process holds it for the whole timeout, in seconds."""
    with os_errors(f"{lock}: cannot be written"):
        try:
            hold = FileLock(lock, mode=0o600).acquire(timeout=timeout)
        except Timeout:
            raise problem from None
    with hold:
        yield


def _read(file: Path, model: type[Model]) -> Model:
    return checked(model, read_text(file), file)
