"""`python -m benchmarks`: steps a second, beside Overcooked-AI and JaxMARL measured in the same run.

Observations are read by PyTorch and JAX, too, where they can be installed.
"""

import argparse
import os
import platform
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from rich.console import Console

from bba.files import write_whole
from bba.tables import Table, TableRow, table_of
from bba.tables.terminal import in_a_box
from benchmarks import decisions, kitchens, learned, play, rows, screen, shares, startup, summaries
from benchmarks.reference import OVERCOOKED_AI, PEERS, Peer, RunningPeer, Unavailable
from benchmarks.rows import TRIVIAL
from benchmarks.summaries import as_csv
from benchmarks.timing import Subject, measure

SCREENS = 3  # measurements of the watch screen at most: each takes a quarter of a minute


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each row; the median is printed")
    parser.add_argument("--no-reference", action="store_true", help="install and run no other program or library")
    parser.add_argument("--out", type=Path, help="a table (CSV) of every figure, to be written")
    arguments = parser.parse_args()
    console = Console()
    console.width = max(console.width, 110)  # a narrow pipe would fold every name
    with (
        ExitStack() as stack,
        console.status("measuring (the first time it compiles and installs, for minutes)"),
    ):
        asked_for: tuple[Peer, ...] = () if arguments.no_reference else PEERS
        peers, missing = dict[Peer, Subject](), list[str]()
        for peer in asked_for:
            try:
                peers[peer] = stack.enter_context(RunningPeer(peer)).subject()
            except Unavailable as unavailable:
                missing.append(str(unavailable))
        reference = peers.get(OVERCOOKED_AI)
        ours = [*kitchens.subjects(), *play.subjects(), *learned.subjects()]
        measure([*peers.values(), *ours], max(1, arguments.repeats))
        parts = shares.shares(max(1, arguments.repeats))
        simulated = [decisions.decision_times(pair, max(1, arguments.repeats)) for pair in decisions.PAIRS]
        waits = screen.rows(min(SCREENS, max(1, arguments.repeats)))
        frame = waits[0].values[TRIVIAL]  # a command's time is compared with the trivial app's first frame
        waits += [row.with_value(TRIVIAL, frame) for row in startup.rows(max(1, arguments.repeats))]
    tables = [
        rates_table(reference, [*peers.values(), *ours]),
        shares.shares_table(parts),
        *(decisions.decisions_table(found, reference) for found in simulated),
        rows.waiting_table(waits, f"{screen.TITLE}, and starting"),
    ]
    console.print(*map(in_a_box, tables), sep="\n")
    if arguments.out is not None:
        write_whole(arguments.out, as_csv([figure for table in tables for figure in figures_of(table)]))
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, one used; Python {platform.python_version()}")
    for why in missing:
        console.print(f"not measured: {why}")


def rates_table(reference: Subject | None, subjects: list[Subject]) -> Table:
    """Returns a table with a row a subject; the last column says how many times the reference's rate that is."""
    table_rows: list[TableRow] = []
    for subject in subjects:
        spread = (max(subject.rates) - min(subject.rates)) / subject.rate
        ratio = f"{subject.rate / reference.rate:,.1f}" if reference else "-"
        figures = [f"{subject.rate:,.0f}", f"{spread:.0%}", f"{1e6 / subject.rate:,.3f}", ratio]
        table_rows.append([subject.name, subject.how, *figures])
    return table_of(
        ["what", "how"],
        ["steps/s", "spread", "µs a step", "× reference"],
        rows=table_rows,
        title="Both cooks, layout open",
    )


def figures_of(table: Table) -> Iterator[summaries.Row]:
    """Yields every figure of a table: of what it is and how measured, its heading, and its value as text."""
    for row in table.rows:
        pairs = list(zip(table.columns, row, strict=True))
        name = ", ".join(cell.text for column, cell in pairs if not column.is_number)
        for column, cell in pairs:
            if column.is_number:
                yield {"table": table.title, "what": name, "figure": column.heading, "value": cell.text}


if __name__ == "__main__":
    main()
