"""The results of a sweep as one flat table, one row an entry of its tables: CSV, or Parquet for data frames."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bba.analysis import EPISODE_MEASURES, find_measure, measure_columns
from bba.bench.episode import EpisodeResult, TableEntry
from bba.errors import BBAError
from bba.files import check_writable, write_output
from bba.tabular import Column, Row, Value, check_parquet, to_csv, to_parquet

EPISODE_COLUMNS: dict[str, Column] = {
    "agent": Column("str", "who plays seat 0"),
    "planner": Column("str", "what plans for it; missing for an agent without a planner"),
    "layout": Column("str", "the kitchen"),
    "group": Column("str", "the group of partners"),
    "partner": Column("str", "who plays seat 1"),
    "variant": Column("str", "the settings of seat 0"),
    "seed": Column("int", "the seed of everything random in the game"),
    "key": Column("str", "the episode's key in the results file"),
    "failure": Column("str", "why there are no measures; missing if there are"),
    "seconds": Column("float", "how long the episode took to play"),
    **measure_columns(),
}
TABLE_FORMATS: dict[str, Callable[[Iterator[Row], dict[str, Column]], str | bytes]] = {
    ".csv": to_csv,
    ".parquet": to_parquet,
}


def columns_of(results: Mapping[str, EpisodeResult]) -> dict[str, Column]:
    """Returns the columns of these results: `EPISODE_COLUMNS`, and the measures of plug-ins that were stored."""
    names: dict[str, None] = {}
    for result in results.values():
        names.update(dict.fromkeys(result.measures or ()))
    columns = dict(EPISODE_COLUMNS)
    for name in names:
        if name not in EPISODE_COLUMNS:
            plugin_measure = find_measure(name)
            columns[plugin_measure.name] = Column(plugin_measure.type, plugin_measure.meaning)
    return columns


def result_rows(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> Iterator[Row]:
    """Yields one row an entry with the values of `columns_of`."""
    for entry in entries:
        row: dict[str, Value] = {**entry._asdict(), "failure": "not played", "seconds": None}
        row.update(dict.fromkeys(EPISODE_MEASURES))
        result = results.get(entry.key)
        if result is not None:
            row["failure"] = result.failure
            row["seconds"] = result.seconds
            row.update(result.measures or {})
        yield row


def check_exportable(path: Path) -> None:
    """Checks before a sweep that its results can be written to this file afterwards.

    Raises:
        BBAError: no such format, a library that is not installed, or no file can be written there.
    """
    if path.suffix.lower() not in TABLE_FORMATS:
        raise BBAError(f"{path}: results are written as {' or '.join(TABLE_FORMATS)}; the name must end so")
    check_parquet(path)
    check_writable(path)


def export(
    entries: Sequence[TableEntry],
    results: Mapping[str, EpisodeResult],
    path: Path,
    *,
    replace: bool = True,
    spreadsheet: bool = False,
) -> Path:
    """Writes the results of a sweep to a file; `spreadsheet` is that of `bba.tabular.to_csv`.

    Returns:
        Where it is: `path`, or a free name beside it if another file is there that it may not `replace`.

    Raises:
        BBAError: it cannot be written.
    """
    rows = result_rows(entries, results)
    columns = columns_of(results)
    if spreadsheet:
        return write_output(path, to_csv(rows, columns, spreadsheet=True), replace=replace)
    write_table = TABLE_FORMATS[path.suffix.lower()]
    return write_output(path, write_table(rows, columns), replace=replace)
