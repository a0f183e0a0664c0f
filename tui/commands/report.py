"""The command `--report`: writes the page about the results of a sweep, or about a study."""

import sys
from pathlib import Path

from bba.errors import BBAError


def report(folder: Path, out: Path | None) -> None:
    """Writes the report of the results in a folder, and prints where; with `out`, an .html file of that name.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    if (folder / "study.json").is_file():
        from human.study.report import write_study_report

        if out is not None:
            raise BBAError("--out: the report of a study lies in its folder")
        written = write_study_report(folder)
    else:
        from bba.report import write_report

        written = write_report(folder, out)
    sys.stdout.write(f"written to {written}\n")
