"""The report of a study: one self-contained page."""

from pathlib import Path

from bba.files import write_whole
from bba.report.drawing import check_drawing
from human.study.folder import StudyFolder
from human.study.report.page import page
from human.study.tables import tables_of

REPORT = "report.html"


def write_study_report(path: Path) -> Path:
    """Writes ``report.html`` into the folder of a study, and returns its path.

    The same results give the same bytes. Participants are known by their numbers, and answers in words are not shown.

    Raises:
        BBAError: the folder holds no study, a library is missing, or a file cannot be read or written.
    """
    folder = StudyFolder.open(path)
    check_drawing()
    write_whole(path / REPORT, page(folder, tables_of(folder)))
    return path / REPORT
