"""The means and differences of a sweep as rows and as text, with their intervals, whatever its tables show."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, cast

from bba.bench.episode import EpisodeResult, TableEntry
from bba.bench.formatting import INTERVAL, NONE, Sign, measure_label, summary_text, without_planner
from bba.bench.presets import Sweep
from bba.bench.statistics import Summary
from bba.bench.table_spec import Axis, TableSpec
from bba.bench.tables import TableBlock, TableCell, table_blocks
from bba.errors import BBAError
from bba.tabular import Row
from bba.validation import checked

Place = Literal["kitchen", "partner", "variant"]
AXIS_OF_PLACE: Mapping[Place, Axis] = {"kitchen": "layout", "partner": "group", "variant": "variant"}
PAIR = ("ego", "other")


def summary_blocks(
    sweep: Sweep,
    entries: Sequence[TableEntry],
    results: Mapping[str, EpisodeResult],
    measure: str,
    by: Sequence[Place] = (),
) -> list[TableBlock]:
    """Returns a block of the means of the egos, and one of the differences of all pairs if there are two.

    Raises:
        BBAError: no such measure, or something else in `by`.
    """
    for place in by:
        if place not in AXIS_OF_PLACE:
            raise BBAError(f"by: {place!r} is not allowed; {', '.join(AXIS_OF_PLACE)}")
    axes = ["agent", *[AXIS_OF_PLACE[place] for place in by]]
    layout = {"blocks": (), "rows": axes, "columns": (), "measures": (measure,), "paired": "all", "means": True}
    shown = sweep.model_copy(update={"table": checked(TableSpec, layout, "measure")})
    return table_blocks(shown, without_planner(list(entries)), results)


def summary_rows(blocks: Sequence[TableBlock], by: Sequence[Place], *, differences: bool) -> Iterator[Row]:
    """Yields a row for each mean, or for each difference, of such blocks."""
    for block in blocks:
        if block.differences != differences:
            continue
        for heading, (cell,) in zip(block.rows, block.cells, strict=True):
            names: dict[str, str] = {"ego": heading["agent"]}
            if cell.pair is not None:
                names = dict(zip(PAIR, cell.pair, strict=True))
            for place in by:
                names[place] = heading[AXIS_OF_PLACE[place]]
            yield {**names, **_numbers(cell)}


def _numbers(cell: TableCell) -> Row:
    summary = cell.ours
    if summary is None:
        return {"mean": None, "low": None, "high": None, "seeds": 0, "missing": cell.missing}
    ends = {"low": summary.low, "high": summary.high}
    return {"mean": summary.mean, **ends, "seeds": summary.n, "missing": cell.missing}


def summary_lines(means: Sequence[Row], differences: Sequence[Row], measure: str) -> list[str]:
    """Returns means and differences as lines of text, below one that says what they are."""
    lines = [(str(row["ego"]), _text(row, measure, "")) for row in means]
    lines += [(f"{row['ego']} − {row['other']}", _text(row, measure, "+")) for row in differences]
    width = max((len(name) for name, _ in lines), default=0)
    return [f"{measure_label(measure)}, with its {INTERVAL}", *(f"{name:{width}}  {text}" for name, text in lines)]


def _text(row: Row, measure: str, sign: Sign) -> str:
    mean, low, high = (cast(float | None, row[name]) for name in ("mean", "low", "high"))
    if mean is None:
        return NONE
    return summary_text(Summary(mean, cast(int, row["seeds"]), low=low, high=high), measure, sign)
