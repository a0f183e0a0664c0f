"""`python -m benchmarks`: steps a second, beside Overcooked-AI measured in the same run."""

import argparse
import os
import platform
from contextlib import ExitStack

from rich.console import Console
from rich.table import Table

from benchmarks import decisions, kitchens, learned, play, rows, screen, shares, startup
from benchmarks.reference import Reference, Unavailable
from benchmarks.rows import TRIVIAL
from benchmarks.timing import Subject, measure

SCREENS = 3  # measurements of the watch screen at most: each takes a quarter of a minute


def main() -> None:
    """Measure everything and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--repeats", type=int, default=7, help="measurements of each row; the median is printed")
    parser.add_argument("--no-reference", action="store_true", help="do not install or run overcooked-ai")
    arguments = parser.parse_args()
    console = Console()
    console.width = max(console.width, 110)  # a narrow pipe would fold every name
    with ExitStack() as stack, console.status("measuring (compiling first, then the first time a minute to install)"):
        reference, why = None, "not asked for"
        if not arguments.no_reference:
            try:
                reference = stack.enter_context(Reference()).subject()
            except Unavailable as unavailable:
                why = str(unavailable)
        ours = [*kitchens.subjects(), *play.subjects(), *learned.subjects()]
        measure([*([reference] if reference else []), *ours], max(1, arguments.repeats))
        parts = shares.shares(max(1, arguments.repeats))
        simulated = decisions.decision_times(max(1, arguments.repeats))
        waits = screen.rows(min(SCREENS, max(1, arguments.repeats)))
        frame = waits[0].values[TRIVIAL]  # a command's time is compared with the trivial app's first frame
        waits += [row.with_value(TRIVIAL, frame) for row in startup.rows(max(1, arguments.repeats))]
    console.print(table_of(reference, ours))
    console.print(shares.table_of(parts))
    console.print(decisions.table_of(simulated, reference))
    console.print(rows.table_of(waits, f"{screen.TITLE}, and starting"))
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, one used; Python {platform.python_version()}")
    if reference is None:
        console.print(f"no reference: {why}")


def table_of(reference: Subject | None, ours: list[Subject]) -> Table:
    """One row a subject; the last column says how many times the reference's rate that is."""
    table = Table("what", "how", title="Both cooks, layout open", title_justify="left")
    for name in ("steps/s", "spread", "µs a step", "× reference"):
        table.add_column(name, justify="right")
    for subject in [*([reference] if reference else []), *ours]:
        spread = (max(subject.rates) - min(subject.rates)) / subject.rate
        ratio = f"{subject.rate / reference.rate:,.1f}" if reference else "-"
        table.add_row(
            subject.name, subject.how, f"{subject.rate:,.0f}", f"{spread:.0%}", f"{1e6 / subject.rate:,.3f}", ratio
        )
    return table


if __name__ == "__main__":
    main()
