"""Where the participants of a study are now, for those who run it."""

from datetime import datetime
from typing import NamedTuple

from bba.language import marked, say
from human.study import (
    Activity,
    BreakTask,
    FailedTryTask,
    LogLine,
    PageTask,
    PairTask,
    PlayTask,
    PracticeTask,
    Progress,
    QuestionTask,
    StudyFolder,
    next_task,
    read_log,
)

ENDS = ("done", "excluded")  # after which there is no further task
TAIL = 8192  # bytes of a log that are looked at: its last lines


class ParticipantStatus(NamedTuple):
    """Where a participant is.

    Attributes:
        progress: theirs.
        where: the task that is next or under way.
        state: "here", "waits", "away", "done" or "excluded".
        why: why they wait, or what excluded them; else "".
        last: when they last did something; None if that is not known.
    """

    progress: Progress
    where: str
    state: str
    why: str
    last: datetime | None


def participant_statuses(folder: StudyFolder) -> list[ParticipantStatus]:
    """Returns where everybody is, in the order of consent.

    Raises:
        BBAError: a file cannot be read.
    """
    return [_of(folder, progress) for progress in folder.everybody()]


def _of(folder: StudyFolder, progress: Progress) -> ParticipantStatus:
    lines, _ = read_log(folder.log_of(progress.participant), TAIL)
    where = _where(folder, progress, lines)
    why = say(REASONS[progress.excluded.why]) if progress.excluded is not None else _why(lines)
    here = bool(lines) and lines[-1].what not in ("left", "readmitted") and folder.taking_part(progress.participant)
    state = where if where in ENDS else "away" if not here else "waits" if why else "here"
    return ParticipantStatus(
        progress, where, state, why if state in ("waits", "excluded") else "", lines[-1].at if lines else None
    )


def _where(folder: StudyFolder, progress: Progress, lines: list[LogLine]) -> str:
    if progress.excluded is not None:
        return "excluded"
    match next_task(folder.study, progress):
        case None:
            return "done"
        case PracticeTask():
            return say("tutorial")
        case FailedTryTask():
            return say("between two tries of the practice")
        case BreakTask() as pause:
            return say("break after game {game}", game=pause.game + 1)
        case PageTask() as shown:
            return say("page {name}", name=shown.page.name)
        case PairTask():
            return say("looks for somebody to play with")
        case PlayTask() as play:
            steps = next((line.step for line in reversed(lines) if line.game == play.game + 1), None) or 0
            where = marked("game {game} of {games}, step {step}" if steps else "game {game} of {games}")
            return say(where, game=play.game + 1, games=play.games, step=steps)
        case QuestionTask() as asked:
            about = {"name": asked.question.name, "number": asked.position, "questions": asked.of}
            game = "" if asked.game is None else say("game {game}: ", game=asked.game + 1)
            return game + say("question {name}, {number} of {questions}", **about)


# Why somebody waits or is excluded, by what the log and the progress say.
REASONS = marked({
    "key": "paused: key", "dialog": "paused: dialog", "small": "paused: small window", "partner": "paused: partner",
    "practice": "practice", "researcher": "by hand",
})  # fmt: skip


def _why(lines: list[LogLine]) -> str:
    """Returns why a participant waits: the game is paused, or the window has lost the keyboard."""
    game = _last(lines, ("paused", "resumed", "joined", "over"))
    if game is not None and game.what == "paused":
        return say(REASONS[game.detail or "key"])
    window = _last(lines, ("blur", "focus", "key", "joined", "over"))
    return say("another window has the keyboard") if window is not None and window.what == "blur" else ""


def _last(lines: list[LogLine], activities: tuple[Activity, ...]) -> LogLine | None:
    return next((line for line in reversed(lines) if line.what in activities), None)
