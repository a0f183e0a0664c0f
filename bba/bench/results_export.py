"""The results of a sweep as one flat table, one row an entry of its tables: CSV, or Parquet for data frames."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from bba.analysis.measures import EPISODE_MEASURES, measure_columns
from bba.analysis.plugin_measures import find_measure
from bba.bench.episode import EpisodeResult
from bba.bench.plan import TableEntry
from bba.errors import BBAError
from bba.files import check_writable, write_whole
from bba.tabular import Column, Row, check_parquet, to_csv, to_parquet

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
    """Returns the columns of these results: `COLUMNS`, and the measures of plug-ins that were stored."""
    stored = dict.fromkeys(name for result in results.values() for name in result.measures or {})
    own = (find_measure(name) for name in stored if name not in EPISODE_COLUMNS)
    return {**EPISODE_COLUMNS, **{one.name: Column(one.type, one.meaning) for one in own}}


def result_rows(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> Iterator[Row]:
    """Yields one row an entry with the values of `columns_of`."""
    return (_row(entry, results.get(entry.key)) for entry in entries)


def _row(entry: TableEntry, result: EpisodeResult | None) -> Row:
    """Returns the row of an entry; `result` is None if its episode was not played."""
    failure = "not played" if result is None else result.failure
    measures = (result.measures if result else None) or {}
    return {
        **entry._asdict(),
        "failure": failure,
        "seconds": result.seconds if result else None,
        **dict.fromkeys(EPISODE_MEASURES),
        **measures,
    }


def check_exportable(path: Path) -> None:
    """Checks before a sweep that its results can be written to this file afterwards.

    Raises:
        BBAError: no such format, a library that is not installed, or no file can be written there.
    """
    if path.suffix.lower() not in TABLE_FORMATS:
        raise BBAError(f"{path}: results are written as {' or '.join(TABLE_FORMATS)}; the name must end so")
    check_parquet(path)
    check_writable(path)


def export(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult], path: Path) -> None:
    """Writes the results of a sweep to a file.

    Raises:
        BBAError: it cannot be written.
    """
    write_whole(path, TABLE_FORMATS[path.suffix.lower()](result_rows(entries, results), columns_of(results)))
