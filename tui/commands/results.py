"""Commands on what is stored: `bundle` makes one file of it, `merge` puts folders together, `report` writes a page.

`transcripts` shows what language models were asked and what they answered.
"""

import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bba.bench.results_reader import merge
from bba.errors import BBAError
from bba.files import check_writable
from bba.settings import Settings
from bba.tables import table_of
from bba.terminal_text import note_lines, print_lines, shell_word, visible, visible_line
from tui.commands.output import kept_line, print_all, without_empty

if TYPE_CHECKING:
    from bba.exam.transcripts import Exchange

MIB = 2**20


def write_one_file(settings: Settings) -> None:
    """Writes the bundle of results or of a recording, and prints its path.

    Raises:
        BBAError: neither or both are named, the source cannot be read, or the file cannot be written.
    """
    from bba.bundle import write_bundle

    sources = [source for source in (settings.results, settings.replay) if source is not None]
    path = Path(settings.bundle or "")
    if len(sources) != 1:
        raise BBAError("--bundle: say of what: --results FOLDER, or --replay FILE")
    (source,) = sources
    try:
        check_writable(path)
    except BBAError as error:
        raise BBAError(f"--bundle: {error}") from None
    write_bundle(source, path)
    size = path.stat().st_size / MIB
    command = "results" if source.is_dir() else "replay"
    written = f"written to {visible_line(path)}, {size:.1f} MiB, without keys, addresses and the names of accounts"
    print_lines(f"{written}; open it: bba-tui {command} {shell_word(path)}")


def merge_results(settings: Settings) -> None:
    """Adds the results of the folders of --merge to that of --out, and prints how many episodes it holds then.

    Raises:
        BBAError: there is no --out, or a folder cannot be used.
    """
    if settings.out is None:
        raise BBAError("--merge: say into which folder with --out")
    folders = [Path(name.strip()) for name in (settings.merge or "").split(",")]
    episodes, damage = merge(folders, settings.out)
    note_lines(*map(visible_line, damage))
    counted = "1 episode" if episodes == 1 else f"{episodes} episodes"
    folder = visible_line(settings.out)
    print_lines(f"{folder} holds {counted}; the benchmark into it plays what is missing", kept_line(settings.out))


def report(settings: Settings) -> None:
    """Writes the report of the results in a folder, and prints where; with --out, an .html file of that name.

    Raises:
        BBAError: there are no results, a library is missing, or the files cannot be written.
    """
    folder = Path(settings.report or "")
    out = settings.out
    if (folder / "study.json").is_file():
        from human.study.report import write_study_report

        if out is not None:
            raise BBAError("--out: the report of a study lies in its folder")
        if settings.spreadsheet:
            raise BBAError("--spreadsheet: the tables of a study are written by study-tables")
        written = write_study_report(folder)
    else:
        from bba.report.page import write_report

        written = write_report(folder, out, spreadsheet=settings.spreadsheet)
    print_lines(f"written to {visible_line(written)}")


def show_transcripts(settings: Settings) -> None:
    """Lists what language models were asked and answered, shows some of it in full, or writes it for inspect_ai.

    Raises:
        BBAError: the folder cannot be read, nothing there is what is asked for, or the logs cannot be written.
    """
    from bba.exam.inspect_log import INSPECT, write_inspect_logs  # only here, as what shows texts
    from bba.exam.transcripts import exchanges

    folder = settings.transcripts or Path()
    searched_text = (settings.search or "").lower()
    selected = [part.strip() for part in (settings.show or "").split(",") if part.strip()]
    matches: dict[str, Exchange] = {}
    for index, exchange in enumerate(exchanges(folder), 1):
        number = str(index)
        if searched_text not in exchange.text.lower():
            continue
        if settings.problem and exchange.call.problem is None:
            continue
        if selected and number not in selected and exchange.question not in selected:
            continue
        matches[number] = exchange
    if not matches:
        if settings.search or settings.show or settings.problem:
            raise BBAError(f"transcripts: {folder} holds no such exchange; without options all are listed")
        raise BBAError(f"transcripts: {folder} holds no exchange with a language model")
    if settings.export is not None and str(settings.export) != INSPECT:
        raise BBAError(f"--export: of transcripts is {INSPECT}, which writes logs of inspect_ai into {folder}")
    if settings.export is not None:
        paths = write_inspect_logs(folder, list(matches.values()))
        print_lines(*(f"written to {visible_line(path)}" for path in paths))
    elif settings.as_json:
        data = [exchange.data() for exchange in matches.values()]
        sys.stdout.write(json.dumps(data) + "\n")
    elif selected:
        print_all([(visible(line), "") for line in _in_full(list(matches.values()))])
    else:
        rows: list[list[str]] = []
        for number, exchange in matches.items():
            cells = (exchange.planner, exchange.question, exchange.said, exchange.call.problem or "")
            rows.append([number, *map(visible, cells)])
        table = table_of(["", "planner", "question", "answer", "unusable"], rows=rows)
        note = f"{len(matches)} exchanges; --show NUMBERS or a question shows them in full"
        print_all([without_empty(table), (note, "dim")])


def _in_full(exchanges: Sequence["Exchange"]) -> Iterator[str]:
    """Yields the messages of the first exchange, of the others what differs from the previous one, and all answers."""
    previous: list[str] = []
    for exchange in exchanges:
        text = "\n".join(f"── {message['role']}\n{message['content']}" for message in exchange.call.messages)
        lines = text.splitlines()
        if previous:
            yield from difflib.unified_diff(previous, lines, "before", "now", lineterm="", n=1)
        else:
            yield from lines
        previous = lines
        problem = exchange.call.problem
        unusable = f" (unusable: {problem})" if problem else ""
        yield f"── {exchange.planner}, {exchange.question}: {exchange.said}{unusable}"
        yield exchange.call.response
