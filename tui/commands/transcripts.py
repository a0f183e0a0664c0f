"""The command `transcripts`."""

import difflib
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bba.errors import BBAError
from bba.settings import Plugins
from bba.terminal_text import print_lines, visible, visible_line
from tui.arguments.options import AsJson, CommandOptions, ExportFile, TranscriptOptions

if TYPE_CHECKING:
    from bba.exam.transcripts import Exchange


class Transcripts(TranscriptOptions, CommandOptions):
    """Options of `transcripts`."""

    folder: Path = Path("results/exam")
    as_json: AsJson = False
    export: ExportFile = None
    plugins: Plugins = None


def transcripts(options: Transcripts) -> None:
    """Show what language models were asked and answered: a list, some of it in full, or logs for inspect_ai.

    Raises:
        BBAError: the folder cannot be read, nothing there is what is asked for, or the logs cannot be written.
    """
    from bba.exam.inspect_log import INSPECT, write_inspect_logs
    from bba.exam.transcripts import exchanges
    from bba.tables import table_of
    from tui.commands.output import print_all, without_empty

    folder = options.folder
    searched_text = (options.search or "").lower()
    selected = [part.strip() for part in (options.show or "").split(",") if part.strip()]
    matches: dict[str, Exchange] = {}
    for index, exchange in enumerate(exchanges(folder), 1):
        number = str(index)
        if searched_text not in exchange.text.lower():
            continue
        if options.problem and exchange.call.problem is None:
            continue
        if selected and number not in selected and exchange.question not in selected:
            continue
        matches[number] = exchange
    if not matches:
        if options.search or options.show or options.problem:
            raise BBAError(f"transcripts: {folder} holds no such exchange; without options all are listed")
        raise BBAError(f"transcripts: {folder} holds no exchange with a language model")
    if options.export is not None and str(options.export) != INSPECT:
        raise BBAError(f"--export: of transcripts is {INSPECT}, which writes logs of inspect_ai into {folder}")
    if options.export is not None:
        paths = write_inspect_logs(folder, list(matches.values()))
        print_lines(*(f"written to {visible_line(path)}" for path in paths))
    elif options.as_json:
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
