"""The command `--report`: writes the page about the results of a sweep, or about a study."""

import sys
from pathlib import Path


def report(folder: Path) -> None:
    """Writes the report of the results in a folder, and prints where.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    if (folder / "study.json").is_file():
        from human.study.report import write_study_report

        written = write_study_report(folder)
    else:
        from bba.report import write_report

        written = write_report(folder)
    sys.stdout.write(f"written to {written}\n")
