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
    last = lines[-1].at if lines else None
    if progress.excluded is not None:
        return ParticipantStatus(progress, "excluded", "excluded", say(REASONS[progress.excluded.why]), last)
    task = _task_in_words(folder, progress, lines)
    if task == "done":
        return ParticipantStatus(progress, task, "done", "", last)
    if not _is_here(folder, progress, lines):
        return ParticipantStatus(progress, task, "away", "", last)
    reason = _reason_to_wait(lines)
    return ParticipantStatus(progress, task, "waits" if reason else "here", reason, last)


def _is_here(folder: StudyFolder, progress: Progress, lines: list[LogLine]) -> bool:
    if not lines or lines[-1].what in ("left", "readmitted"):
        return False
    return folder.taking_part(progress.participant)


def _task_in_words(folder: StudyFolder, progress: Progress, lines: list[LogLine]) -> str:
    """Returns the task that is next or under way; "done" if there is none."""
    match next_task(folder.study, progress):
        case None:
            return "done"
        case PracticeTask():
            return say("tutorial")
        case FailedTryTask():
            return say("between two tries of the practice")
        case BreakTask() as pause:
            return say("break after game {game}", game=pause.game + 1)
        case PageTask(page=page):
            return say("page {name}", name=page.name)
        case PairTask():
            return say("looks for somebody to play with")
        case PlayTask() as play:
            steps = _steps_of(lines, play.game + 1)
            text = marked("game {game} of {games}, step {step}" if steps else "game {game} of {games}")
            return say(text, game=play.game + 1, games=play.games, step=steps)
        case QuestionTask() as task:
            game = ""
            if task.game is not None:
                game = say("game {game}: ", game=task.game + 1)
            question = say(
                "question {name}, {number} of {questions}",
                name=task.question.name,
                number=task.position,
                questions=task.of,
            )
            return game + question


def _steps_of(lines: list[LogLine], game: int) -> int:
    """Returns the steps of a game that its last line tells; games count from 1."""
    for line in reversed(lines):
        if line.game == game:
            return line.step or 0
    return 0


# Why somebody waits or is excluded, by what the log and the progress say.
REASONS = marked({
    "key": "paused: key", "dialog": "paused: dialog", "small": "paused: small window", "partner": "paused: partner",
    "practice": "practice", "researcher": "by hand",
})  # fmt: skip


def _reason_to_wait(lines: list[LogLine]) -> str:
    """Returns why a participant waits: the game is paused, or the window has lost the keyboard; "" if they do not."""
    game = _last(lines, ("paused", "resumed", "joined", "over"))
    if game is not None and game.what == "paused":
        return say(REASONS[game.detail or "key"])
    window = _last(lines, ("blur", "focus", "key", "joined", "over"))
    if window is not None and window.what == "blur":
        return say("another window has the keyboard")
    return ""


def _last(lines: list[LogLine], activities: tuple[Activity, ...]) -> LogLine | None:
    for line in reversed(lines):
        if line.what in activities:
            return line
    return None
