"""The output of an exam: the marks of one planner, the table over planners, prices; or one JSON object."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from bba.bench.statistics import Summary
from bba.errors import BBAError
from bba.exam.answers import Result, read_results
from bba.exam.figure import write_figure
from bba.exam.marks import items_of, marks_by, marks_of
from bba.exam.prices import Prices, prices, used
from bba.exam.situations import Question
from bba.exam.texts import all_marks, as_markdown, by_kind, over_planners
from bba.files import write_whole
from bba.report.drawing import check_drawing
from tui.commands.output import output

TABLE = "exam.md"


def print_exam(result: Result, asked: Sequence[Question], path: Path, table: Path | None) -> None:
    """Prints the marks of a planner, its prices, and all planners of the folder."""
    items, others = items_of(result), comparable(path.parent, result.asked.exam)
    with output() as console:
        console.print(f"exam of {result.planner}: {len(result.answers)} answers", style="bold", soft_wrap=True)
        _print(console, all_marks(items), 1, 2)
        console.print("\nby kind of situation and by kitchen", style="bold", soft_wrap=True)
        _print(console, by_kind(items), 1, 4)
        found = prices(result, asked, table)
        if found is not None:
            console.print(f"\n{price_text(found)}", soft_wrap=True)
        console.print(f"\nall planners in {path.parent}", style="bold", soft_wrap=True)
        _print(console, over_planners(others), 1, 20)
        console.print("percent with 95 % intervals; lost in points", style="dim", soft_wrap=True)


def comparable(folder: Path, exam: str) -> list[Result]:
    """Returns the answers in a folder to the exam with this digest.

    Raises:
        BBAError: a file cannot be read.
    """
    return [result for result in read_results(folder) if result.asked.exam == exam]


def write_comparison(folder: Path, exam: str) -> None:
    """Writes the table over planners and, where figures can be drawn, the figure.

    Raises:
        BBAError: a file cannot be read or written.
    """
    results = comparable(folder, exam)
    write_whole(folder / TABLE, as_markdown(results))
    try:
        check_drawing()
    except BBAError as error:
        sys.stderr.write(f"no figure: {str(error).removeprefix('--report: ')}\n")
        return
    write_figure(folder, results)


def price_text(found: Prices) -> str:
    """Returns what games and benchmarks cost as two lines."""
    return "\n".join(
        f"a {what} costs about, in US dollars: " + ", ".join(f"{name} {dollars:,.2f}" for name, dollars in of.items())
        for what, of in (("game", found.games), ("benchmark", found.sweeps))
    )


def print_exam_json(result: Result, asked: Sequence[Question], path: Path, table: Path | None) -> None:
    """Prints one JSON object: marks with their intervals, marks by kind and kitchen, what was used, and prices."""
    items, found = items_of(result), prices(result, asked, table)
    data: dict[str, Any] = {
        "planner": result.planner,
        "answers": len(result.answers),
        "questions": result.total,
        "marks": _numbers(marks_of(items)),
        "by_kind": {kind: _numbers(of) for kind, of in marks_by(items, lambda item: item.situation.kind).items()},
        "by_kitchen": {name: _numbers(of) for name, of in marks_by(items, lambda item: item.situation.kitchen).items()},
        "used": used(result)._asdict(),
        "prices": None if found is None else found._asdict(),
        "file": str(path),
    }
    sys.stdout.write(json.dumps(data) + "\n")


def _numbers(marks: dict[str, Summary | None]) -> dict[str, dict[str, float | None] | None]:
    return {
        name: None if one is None else {"value": one.mean, "n": one.n, "low": one.low, "high": one.high}
        for name, one in marks.items()
    }


def _print(console: Console, content: tuple[list[str], list[list[str]]], first: int, last: int) -> None:
    """Prints a table whose columns from `first` to before `last` are numbers."""
    heading, rows = content
    table = Table(box=None, pad_edge=False)
    for number, name in enumerate(heading):
        table.add_column(name, justify="right" if first <= number < last else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)
