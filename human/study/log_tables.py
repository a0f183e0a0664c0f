"""The rows of a study's tables that come from the participants' activity logs."""

from collections.abc import Iterator

from bba.tabular import Row
from human.study.activity_log import read_log
from human.study.activity_record import ActivityRecord
from human.study.event_rows import log_rows
from human.study.folder import StudyFolder
from human.study.game_data import which_of_log
from human.study.progress import Progress


def key_rows(folder: StudyFolder, progress: Progress, record: ActivityRecord) -> Iterator[Row]:
    """Yields the rows of the table `keys`."""
    for press in record.keys:
        which = which_of_log(folder, progress, press.game)
        yield {
            **which,
            "step": press.step,
            "at": press.at.isoformat(),
            "key": press.key,
            "decided": press.decided,
            "seconds": press.seconds,
            "undone": press.undone,
        }


def log_event_rows(folder: StudyFolder, progress: Progress, record: ActivityRecord) -> Iterator[Row]:
    """Yields the rows of the table `events` that the participant's log holds."""
    for line, row in zip(record.events, log_rows(record.events), strict=True):
        yield {**which_of_log(folder, progress, line.game), **row}


def unreadable_lines(folder: StudyFolder) -> list[str]:
    """Returns a line for each log of which not every line can be read."""
    logs = [folder.log_of(progress.participant) for progress in folder.everybody()]
    counts = [(log.name, read_log(log)[1]) for log in logs]
    return [f"logs/{name}: lines that cannot be read: {count}" for name, count in counts if count]
