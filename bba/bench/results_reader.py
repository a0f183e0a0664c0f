"""Reads a folder of results, also one that cannot be changed, and writes its content into another file.

The results of a sweep are also one flat table, one row an entry of its tables: CSV, or Parquet for data frames.

Plain data are read without trusting a database of others.
"""

import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ConfigDict, create_model

from bba.analysis import EPISODE_MEASURES, RULE_1_NAMES, find_measure, measure_columns
from bba.bench.episode import EpisodeResult, TableEntry, other_code_note, scoring_note
from bba.bench.names import STORED
from bba.bench.presets import Sweep
from bba.bench.results_file import ResultsFile, StoredTables, open_to_read, open_to_write, stored_tables
from bba.bench.results_store import LOCKS_FAIL, RESULTS_FILE, ResultsStore
from bba.bench.schema import STORED_COLUMNS, insert
from bba.bench.statistics import grouped
from bba.bench.stored_episode import StoredEpisode
from bba.bench.stored_rows import sealed_sweep
from bba.bench.table_points import Heading, heading
from bba.errors import BBAError, shortened
from bba.files import check_writable, write_output
from bba.planner.ledger import (
    DAMAGED,
    NOTHING_SPENT,
    ModelSpending,
    Spent,
    spending_by_model,
    store_spending,
    stored_spending,
)
from bba.tabular import Column, Library, Row, Value, check_parquet, to_csv, to_frame, to_parquet

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
# Files that other commands leave in a folder, and the command that shows them.
FILES_OF_OTHER_COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "*.exam.json": "it holds an exam: bba-tui exam --out {folder} shows it again",
        "study.json": "it holds a study: bba-tui study tables {folder} writes its tables",
        "*.bba": "it holds recordings: bba-tui replay FILE shows one",
    }
)
TABLE_FORMATS: dict[str, Callable[[Iterator[Row], dict[str, Column]], str | bytes]] = {
    ".csv": to_csv,
    ".parquet": to_parquet,
}


def columns_of(results: Mapping[str, EpisodeResult]) -> dict[str, Column]:
    """Returns the columns of these results: `COLUMNS`, and the measures of plug-ins that were stored."""
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


CellKey = tuple[tuple[str, str], ...]  # the values of a table's axes, without the measure: one cell's episodes


@contextmanager
def open_results(folder: Path) -> Iterator[ResultsFile]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / RESULTS_FILE
    try:
        if not path.is_file():
            hint = _other_command(folder)
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it{hint}")
        file = _open_to_read(path)
        with closing(file.database):
            yield file
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _other_command(folder: Path) -> str:
    """Returns which command shows what a folder holds of another command; "" for nothing."""
    quoted_folder = shlex.quote(str(folder))
    for pattern, hint in FILES_OF_OTHER_COMMANDS.items():
        if any(folder.glob(pattern)):
            return f"; {hint.format(folder=quoted_folder)}"
    return ""


def _open_to_read(path: Path) -> ResultsFile:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    address = path.resolve().as_uri()
    is_writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    mode = "rw" if is_writable else "ro"
    try:
        return open_to_read(path, f"{address}?mode={mode}")
    except sqlite3.OperationalError as error:
        if is_writable and error.sqlite_errorname not in LOCKS_FAIL - {"SQLITE_BUSY"}:
            raise
        return open_to_read(path, f"{address}?immutable=1")


@dataclass(frozen=True, slots=True)
class StoredSweep:
    """A sweep as it was run last.

    Attributes:
        sweep: its definition.
        started: when it was first run so (UTC, ISO 8601).
        entries: the places of its episodes in its tables.
        results: the stored results by the key of the episode.
        earlier: how many times it was run before with other code or another planner.
        caveats: lines that its tables carry: what is damaged, and what other code than this has played.
    """

    sweep: Sweep
    started: str
    entries: list[TableEntry]
    results: dict[str, EpisodeResult]
    earlier: int
    caveats: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"StoredSweep({self.sweep.name!r}: {len(self.entries)} entries, {len(self.results)} results)"

    @property
    def rows(self) -> list[Row]:
        """One dictionary an entry, as `bba.run_sweep` returns them."""
        return list(result_rows(self.entries, self.results))

    def to_frame(self, library: Library | None = None) -> Any:
        """Returns `rows` as a data frame; the argument and the errors are those of `Trace.to_frame`."""
        return to_frame(self.rows, EPISODE_COLUMNS, library)

    @property
    def left_out(self) -> list[str]:
        """The agents and partners of the sweep that were not available when it was run."""
        players = {entry.agent for entry in self.entries} | {entry.partner for entry in self.entries}
        names = [ego.name for ego in self.sweep.agents]
        for partners in self.sweep.partners.values():
            names += partners
        return [name for name in dict.fromkeys(names) if name not in players]

    @property
    def entries_by_cell(self) -> dict[CellKey, list[TableEntry]]:
        """The entries behind each cell, for all measures together."""
        cells: dict[CellKey, list[TableEntry]] = {}
        entries_by_case = grouped((entry[:-2], entry) for entry in self.entries)  # those of a case differ in their seed
        for entries in entries_by_case.values():
            key = cell_key(self.sweep, heading(self.sweep, entries[0]))
            cells.setdefault(key, []).extend(entries)
        return cells


def cell_key(sweep: Sweep, *headings: Heading) -> CellKey:
    """Returns the key of the cell under these headings."""
    values: Heading = {}
    for heading_values in headings:
        values |= heading_values
    return tuple((axis, values[axis]) for axis in sweep.table.axes if axis != "measure")


@dataclass(frozen=True, slots=True)
class Results:
    """The content of a folder of results.

    Attributes:
        folder: the folder.
        sweeps: in the order in which they were run.
        episodes: by key.
        spent: what they have cost; None if what the file says of it is damaged.
        damage: what is damaged and left out, in one line; "" for nothing.
    """

    folder: Path
    sweeps: list[StoredSweep]
    episodes: dict[str, StoredEpisode]
    spent: Spent | None = NOTHING_SPENT
    damage: str = ""

    def __repr__(self) -> str:
        return f"Results({self.sweeps!r}, {len(self.episodes)} episodes)"


def load_results(folder: Path | str) -> Results:
    """Reads the results of the sweeps that were run into a folder.

    Args:
        folder: where results.sqlite is: the `--out` of a sweep, or the folder of `run_sweep`.

    Returns:
        `sweeps`, in the order in which they were run: each has `rows`, `to_frame` and `results`, and shows its tables
        in a notebook. `episodes` holds every episode by its key.

    Raises:
        BBAError: there are no results, or they are damaged or of another version.
    """
    folder = Path(folder)
    with open_results(folder) as file:
        tables = stored_tables(file)
        sweeps = list(_sweeps(tables))
        results = Results(folder, sweeps, tables.episodes, stored_spending(file.database), tables.damage)
    if not results.sweeps or not results.episodes:
        reason = results.damage or f"holds no results yet; bba-tui bench quick --out {folder} makes some"
        raise BBAError(f"{folder / RESULTS_FILE}: {reason}")
    return results


def read_recording(folder: Path, key: str) -> bytes | None:
    """Returns the recording of an episode as the bytes of its file; None if none was kept.

    Raises:
        BBAError: the results cannot be read.
    """
    with open_results(folder) as file:
        row = file.database.execute("SELECT recording FROM episodes WHERE key = ?", (key,)).fetchone()
        if row is not None and not isinstance(row[0], bytes | None):
            raise ValueError("no bytes")
    return row[0] if row else None


def _sweeps(tables: StoredTables) -> Iterator[StoredSweep]:
    """Yields each sweep as it was run last."""
    episodes = tables.episodes
    runs_by_sweep = grouped(((row.name, row.definition), row) for row in tables.sweeps)
    for (_, definition), runs in runs_by_sweep.items():
        sweep = Sweep.model_validate_json(definition, context=STORED)
        last = runs[-1]
        results = {entry.key: episodes[entry.key].result for entry in last.entries if entry.key in episodes}
        caveats = [tables.damage] if tables.damage else []
        caveats += other_code_note(episodes[key].code for key in results)
        sweep = _with_measures_of_its_rule(sweep, results)
        caveats += scoring_note(sweep.table.measures, results.values())
        yield StoredSweep(
            sweep=sweep,
            started=last.started,
            entries=last.entries,
            results=results,
            earlier=len(runs) - 1,
            caveats=tuple(caveats),
        )


def _with_measures_of_its_rule(sweep: Sweep, results: Mapping[str, EpisodeResult]) -> Sweep:
    """Returns a sweep with the measures of rule 1 in its tables, by their own names, if these alone are stored."""
    names: set[str] = set()
    for result in results.values():
        names.update(result.measures or ())
    measures = []
    for name in sweep.table.measures:
        old_name = RULE_1_NAMES.get(name, name)
        measures.append(old_name if old_name in names and name not in names else name)
    table = sweep.table.model_copy(update={"measures": tuple(measures)})
    return sweep.model_copy(update={"table": table})


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


ROW_ORDER = {"sweeps": "started, rowid", "entries": "sweep, position"}
_EXACT = ConfigDict(frozen=True, extra="forbid")


def _type_of_rows(table: str) -> Any:
    fields: dict[str, Any] = {name: (kind, ...) for name, kind in STORED_COLUMNS[table].items()}
    row_model = create_model(table, __config__=_EXACT, **fields)
    return tuple[row_model, ...]  # type: ignore[valid-type]  # made from the columns


_TABLES: dict[str, Any] = {table: (_type_of_rows(table), ...) for table in STORED_COLUMNS}
_Tables = create_model("_Tables", __config__=_EXACT, **_TABLES)


class ResultsDump(_Tables):  # type: ignore[misc, valid-type]  # its fields are the tables
    """The content of a results file without its recordings: rows of `episodes`, `sweeps` and `entries`."""

    spending: tuple[ModelSpending, ...] = ()


def dump(folder: Path) -> tuple[ResultsDump, dict[str, bytes]]:
    """Returns the content of a folder's results, rows in a fixed order, and the recordings by episode.

    Raises:
        BBAError: there are no results, or they cannot be read or are damaged: damage would no longer be known as such.
    """
    with open_results(folder) as file:
        damage = stored_tables(file).damage
        if not damage and stored_spending(file.database) is None:
            damage = DAMAGED
        if damage:
            raise BBAError(f"{folder / RESULTS_FILE}: {damage}")
        episodes = list(file.episodes.whole_rows())
        recordings = dict[str, bytes]()
        for row in episodes:
            recording = row.pop("recording")
            if recording is not None:
                recordings[row["key"]] = recording
        if not all(isinstance(recording, bytes) for recording in recordings.values()):
            raise ValueError("no bytes")
        tables: dict[str, object] = {table: _read_table(file.database, table) for table in ROW_ORDER}
        tables["episodes"] = episodes
        tables["spending"] = spending_by_model(file.database)
        return ResultsDump.model_validate(tables), recordings


def _read_table(database: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    names = list(STORED_COLUMNS[table])
    columns = ", ".join(names)
    rows = database.execute(f"SELECT {columns} FROM {table} ORDER BY {ROW_ORDER[table]}")
    return [dict(zip(names, values, strict=True)) for values in rows]


def restore(dumped: ResultsDump, recordings: Mapping[str, bytes], folder: Path) -> None:
    """Writes the results file of a folder, which must not have one.

    Raises:
        BBAError: the content contradicts itself, or the file cannot be written.
    """
    path = folder / RESULTS_FILE
    try:
        file = open_to_write(path, isolation_level=None)
        with closing(file.database) as database:
            database.execute("BEGIN")
            for episode in dumped.episodes:
                file.episodes.save({**dict(episode), "recording": recordings.get(episode.key)})
            for sweep in dumped.sweeps:
                entries = _entries_of(sweep.id, dumped)
                insert(database, "sweeps", sealed_sweep(dict(sweep), entries))
            for entry in dumped.entries:
                insert(database, "entries", dict(entry))
            store_spending(database, dumped.spending)
            database.execute("COMMIT")
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be written: {error}") from None
    except (ValueError, TypeError, AttributeError):
        raise BBAError(f"{path}: holds what this program does not write") from None


def _entries_of(sweep_id: str, dumped: ResultsDump) -> list[tuple[object, ...]]:
    """Returns the entries of a sweep in order, each as the fields of a `TableEntry`."""
    rows = [row for row in dumped.entries if row.sweep == sweep_id]
    rows.sort(key=attrgetter("position"))
    return [tuple(dict(row).values())[2:] for row in rows]  # without `sweep` and `position`


def merge(sources: Sequence[Path], folder: Path) -> tuple[int, list[str]]:
    """Adds the sweeps and episodes of several folders to those of another one, which is made if it does not exist.

    A finished episode is kept where two folders have it. What requests have cost stays in the folders.

    Returns:
        How many finished episodes the folder holds now, and a line for each folder of which something was damaged and
        left out.

    Raises:
        BBAError: a folder cannot be used, or holds no results.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise BBAError(f"{folder}: is one of the folders to be put together; take another one with --out")
    for source in sources:
        with open_results(source):  # all of them before there is a new folder
            pass
    damage: list[str] = []
    with ResultsStore(folder) as store:
        for source in sources:
            with open_results(source) as file:
                damage += _add(file, store, source)
        return len(store.finished()), damage


def _add(file: ResultsFile, store: ResultsStore, source: Path) -> list[str]:
    """Adds the content of a file to the store; returns a line about its damage, if there is any."""
    tables = stored_tables(file)

    def intact_rows() -> Iterator[dict[str, Any]]:
        for row in file.episodes.whole_rows():
            if row["key"] in tables.episodes:
                yield row

    store.take_over(intact_rows)
    for run in tables.sweeps:
        store.register(run.name, run.definition, run.entries, run.started)
    return [f"{source}: {tables.damage}"] if tables.damage else []
