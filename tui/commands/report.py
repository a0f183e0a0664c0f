"""The command `report`."""

from pathlib import Path

from bba.errors import BBAError
from bba.settings import Plugins
from bba.terminal_text import print_lines, visible_line
from tui.arguments.options import CommandOptions, Out, Spreadsheet


class Report(CommandOptions):
    """Options of `report`."""

    folder: Path
    out: Out = None
    spreadsheet: Spreadsheet = False
    plugins: Plugins = None


def report(options: Report) -> None:
    """Write results or a study as a page with figures; with --out, an .html file of that name.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    from tui.commands.bundles import opened

    folder = opened(options.folder, "results")
    if (folder / "study.json").is_file():
        from human.study.report import write_study_report

        if options.out is not None:
            raise BBAError("--out: the report of a study lies in its folder")
        if options.spreadsheet:
            raise BBAError("--spreadsheet: the tables of a study are written by study-tables")
        written = write_study_report(folder)
    else:
        from bba.report.page import write_report

        written = write_report(folder, options.out, spreadsheet=options.spreadsheet)
    print_lines(f"written to {visible_line(written)}")
