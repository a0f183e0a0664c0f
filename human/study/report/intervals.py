"""Means over participants with their 95 % intervals, as text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean

from bba.analysis.measures import EPISODE_MEASURES
from bba.bench.statistics import Summary, mean_difference
from bba.report.content import TableText
from bba.report.formatting import NONE, CellText
from bba.tabular import Row, Value

SHOWN = (
    "reward",
    "deliveries",
    "orders_expired",
    "switches",
    "detection_delay",
    "recovery",
    "gap_rate",
    "duplicate_rate",
    "replans",
)


def over_participants(rows: Iterable[Row], column: str) -> Summary | None:
    """Returns the mean of a column over participants, each with the mean of their rows, and its interval."""
    return mean_difference(list(each_participant(rows, column).values()))


def each_participant(rows: Iterable[Row], column: str) -> dict[str, float]:
    """Returns each participant's mean of a column, without missing values."""
    values: dict[str, list[float]] = {}
    for row in rows:
        value = row[column]
        if isinstance(value, int | float):
            values.setdefault(str(row["participant"]), []).append(float(value))
    return {who: mean(found) for who, found in values.items()}


def paired_difference(rows: Sequence[Row], column: str, agent: str, other: str) -> Summary | None:
    """Returns the mean difference within participants between an agent and another one, and its interval."""
    one, two = (each_participant([row for row in rows if row["agent"] == name], column) for name in (agent, other))
    return mean_difference([one[who] - two[who] for who in one if who in two])


def summary_cell(summary: Summary | None, decimals: int, *, signed: bool = False) -> CellText:
    """Returns a mean with its interval, and the number of participants below it."""
    if summary is None:
        return CellText(NONE)
    sign = "+" if signed else ""
    text = f"{summary.mean:{sign}z.{decimals}f}"
    if summary.low is not None and summary.high is not None:
        text += f" [{summary.low:z.{decimals}f}, {summary.high:z.{decimals}f}]"
    return CellText(text, n=summary.n)


def decimals_of(measure: str) -> int:
    """Returns the decimals with which the mean of a measure is shown."""
    return max(1, EPISODE_MEASURES[measure].decimals)


def distinct(rows: Iterable[Mapping[str, Value]], column: str) -> list[str]:
    """Returns the values of a column, each once, in order."""
    return list(dict.fromkeys(str(row[column]) for row in rows if row[column] is not None))


def without_usual_n(table: TableText) -> TableText:
    """Returns a table that says only where other than the usual number of participants is behind a cell."""
    cells = [cell for _, row in table.rows for cell in row]
    counts = Counter(cell.n for cell in cells if cell.n)
    if not counts:
        return table
    usual = counts.most_common(1)[0][0]
    rows = [(heads, [cell._replace(n=0 if cell.n == usual else cell.n) for cell in row]) for heads, row in table.rows]
    title = ", ".join(filter(None, [table.title, f"n = {usual}"]))
    return table._replace(title=title, rows=rows)
