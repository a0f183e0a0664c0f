"""Commands on what is stored: `bundle` makes one file of it, `merge` puts folders together, `report` writes a page."""

import sys
from pathlib import Path

from bba.bench.results_dump import merge
from bba.errors import BBAError
from bba.files import check_writable
from bba.settings import Settings
from tui.commands.sweep_output import kept_line

MIB = 2**20


def write_one_file(settings: Settings) -> None:
    """Writes the bundle that the settings ask for, and says where it is.

    Raises:
        BBAError: it is not said of what, the source cannot be read, or the file cannot be written.
    """
    from bba.bundle import write_bundle

    named, path = [one for one in (settings.results, settings.replay) if one is not None], Path(settings.bundle or "")
    if len(named) != 1:
        raise BBAError("--bundle: say of what: --results FOLDER, or --replay FILE")
    (source,) = named
    try:
        check_writable(path)
    except BBAError as error:
        raise BBAError(f"--bundle: {error}") from None
    write_bundle(source, path)
    size, opens = path.stat().st_size / MIB, "results" if source.is_dir() else "replay"
    without = "without keys, addresses and the names of accounts"
    sys.stdout.write(f"written to {path}, {size:.1f} MiB, {without}; open it: bba-tui {opens} {path}\n")


def merge_results(settings: Settings) -> None:
    """Adds the results of the folders of --merge to that of --out, and says how many episodes it holds then.

    Raises:
        BBAError: there is no --out, or a folder cannot be used.
    """
    if settings.out is None:
        raise BBAError("--merge: say into which folder with --out")
    merged = merge([Path(name.strip()) for name in (settings.merge or "").split(",")], settings.out)
    sys.stderr.writelines(f"{line}\n" for line in merged.damage)
    counted = "1 episode" if merged.episodes == 1 else f"{merged.episodes} episodes"
    sys.stdout.write(
        f"{settings.out} holds {counted}; the sweep into it plays what is missing\n{kept_line(settings.out)}\n"
    )


def report(settings: Settings) -> None:
    """Writes the report of the results in a folder, and prints where; with --out, an .html file of that name.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder, out = Path(settings.report or ""), settings.out
    if (folder / "study.json").is_file():
        from human.study.report import write_study_report

        if out is not None:
            raise BBAError("--out: the report of a study lies in its folder")
        written = write_study_report(folder)
    else:
        from bba.report.page import write_report

        written = write_report(folder, out)
    sys.stdout.write(f"written to {written}\n")
