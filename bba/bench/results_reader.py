"""Reads a folder of results, also one that cannot be changed, and writes what it holds into another file.

The results of a sweep are also one flat table, one row an entry of its tables: CSV, or Parquet for data frames.

Plain data are read without trusting a database of others.
"""

import os
import shlex
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic import ConfigDict, create_model

from bba.analysis import EPISODE_MEASURES, find_measure, measure_columns
from bba.bench.episode import EpisodeResult, TableEntry, other_code_note
from bba.bench.presets import STORED, Sweep
from bba.bench.results_store import LOCKS_FAIL, RESULTS_FILE, ResultsStore
from bba.bench.schema import STORED_COLUMNS, check, connect, insert, prepare
from bba.bench.statistics import grouped
from bba.bench.stored_rows import StoredEpisode, StoredSweepRow, save_row, sealed_sweep, stored_tables, whole_rows
from bba.bench.tables import Heading, heading
from bba.errors import BBAError, shortened
from bba.files import check_writable, write_output
from bba.planner.llm.ledger import (
    DAMAGED,
    NOTHING_SPENT,
    ModelSpending,
    Spent,
    spending_by_model,
    store_spending,
    stored_spending,
)
from bba.tabular import Column, Library, Row, check_parquet, to_csv, to_frame, to_parquet

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
# Files that other commands leave in a folder, and what shows them.
OTHERS: Mapping[str, str] = MappingProxyType(
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
    stored = dict.fromkeys(name for result in results.values() for name in result.measures or {})
    own = (find_measure(name) for name in stored if name not in EPISODE_COLUMNS)
    return {**EPISODE_COLUMNS, **{one.name: Column(one.type, one.meaning) for one in own}}


def result_rows(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> Iterator[Row]:
    """Yields one row an entry with the values of `columns_of`."""
    for entry in entries:
        result = results.get(entry.key)
        yield {
            **entry._asdict(),
            "failure": "not played" if result is None else result.failure,
            "seconds": result.seconds if result else None,
            **dict.fromkeys(EPISODE_MEASURES),
            **((result.measures if result else None) or {}),
        }


CellKey = tuple[tuple[str, str], ...]  # the values of a table's axes, without the measure: one cell's episodes


@contextmanager
def opened(folder: Path) -> Iterator[sqlite3.Connection]:
    """Opens the results of a folder, which must exist; a file that cannot be read is one line."""
    path = folder / RESULTS_FILE
    try:
        if not path.is_file():
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it{_of_others(folder)}")
        with closing(_connected(path)) as database:
            yield database
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _of_others(folder: Path) -> str:
    """Returns how to see what a folder holds of another command; "" for nothing."""
    here = shlex.quote(str(folder))
    for pattern, see in OTHERS.items():
        if any(folder.glob(pattern)):
            return f"; {see.format(folder=here)}"
    return ""


def _connected(path: Path) -> sqlite3.Connection:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    address = path.resolve().as_uri()
    changeable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    try:
        return connect(path, check, f"{address}?mode={'rw' if changeable else 'ro'}", uri=True)
    except sqlite3.OperationalError as error:
        if changeable and error.sqlite_errorname not in LOCKS_FAIL - {"SQLITE_BUSY"}:
            raise
        return connect(path, check, f"{address}?immutable=1", uri=True)


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
        played = {name for entry in self.entries for name in (entry.agent, entry.partner)}
        partners = (name for group in self.sweep.partners.values() for name in group)
        asked = dict.fromkeys([*(ego.name for ego in self.sweep.agents), *partners])
        return [name for name in asked if name not in played]

    @property
    def entries_by_cell(self) -> dict[CellKey, list[TableEntry]]:
        """The entries behind each cell, for all measures together."""
        found: dict[CellKey, list[TableEntry]] = {}
        for entries in grouped((entry[:-2], entry) for entry in self.entries).values():  # which differ in their seed
            found.setdefault(cell_key(self.sweep, heading(self.sweep, entries[0])), []).extend(entries)
        return found


def cell_key(sweep: Sweep, *headings: Heading) -> CellKey:
    """Returns the key of the cell under these headings."""
    values = {axis: value for found in headings for axis, value in found.items()}
    return tuple((axis, values[axis]) for axis in sweep.table.axes if axis != "measure")


@dataclass(frozen=True, slots=True)
class Results:
    """What a folder holds.

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
    with opened(folder) as database:
        found = stored_tables(database)
        episodes = found.episodes
        damage = [found.damage] if found.damage else []
        sweeps = [
            replace(run, caveats=(*damage, *other_code_note(episodes[key].code for key in run.results)))
            for run in _sweeps(found.sweeps, episodes)
        ]
        stored = Results(folder, sweeps, episodes, stored_spending(database), found.damage)
    if not stored.sweeps or not stored.episodes:
        why = stored.damage or f"holds no results yet; bba-tui bench quick --out {folder} makes some"
        raise BBAError(f"{folder / RESULTS_FILE}: {why}")
    return stored


def read_recording(folder: Path, key: str) -> bytes | None:
    """Returns the recording of an episode as the bytes of its file; None if none was kept.

    Raises:
        BBAError: the results cannot be read.
    """
    with opened(folder) as database:
        row = database.execute("SELECT recording FROM episodes WHERE key = ?", (key,)).fetchone()
        if row is not None and not isinstance(row[0], bytes | None):
            raise ValueError("no bytes")
    return row[0] if row else None


def _sweeps(rows: Sequence[StoredSweepRow], episodes: Mapping[str, StoredEpisode]) -> Iterator[StoredSweep]:
    for (_, definition), found in grouped(((row.name, row.definition), row) for row in rows).items():
        sweep = Sweep.model_validate_json(definition, context=STORED)
        last = found[-1]
        results = {entry.key: episodes[entry.key].result for entry in last.entries if entry.key in episodes}
        yield StoredSweep(sweep, last.started, last.entries, results, len(found) - 1)


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
    suffix = path.suffix.lower()
    content = to_csv(rows, columns, spreadsheet=True) if spreadsheet else TABLE_FORMATS[suffix](rows, columns)
    return write_output(path, content, replace=replace)


ROW_ORDER = {"sweeps": "started, rowid", "entries": "sweep, position"}
_EXACT = ConfigDict(frozen=True, extra="forbid")


def _rows(table: str) -> Any:
    fields: dict[str, Any] = {name: (kind, ...) for name, kind in STORED_COLUMNS[table].items()}
    return tuple[create_model(table, __config__=_EXACT, **fields), ...]  # type: ignore[misc]  # made from the columns


_TABLES: dict[str, Any] = {table: (_rows(table), ...) for table in STORED_COLUMNS}
_Tables = create_model("_Tables", __config__=_EXACT, **_TABLES)


class ResultsDump(_Tables):  # type: ignore[misc, valid-type]  # its fields are the tables
    """The content of a results file without its recordings: rows of `episodes`, `sweeps` and `entries`."""

    spending: tuple[ModelSpending, ...] = ()


def dump(folder: Path) -> tuple[ResultsDump, dict[str, bytes]]:
    """Returns the content of a folder's results, rows in an order of their own, and the recordings by episode.

    Raises:
        BBAError: there are no results, or they cannot be read or are damaged: damage would no longer be known as such.
    """
    with opened(folder) as database:
        if damage := stored_tables(database).damage or (stored_spending(database) is None and DAMAGED):
            raise BBAError(f"{folder / RESULTS_FILE}: {damage}")
        episodes = [*whole_rows(database)]
        recordings = dict[str, bytes]()
        for row in episodes:
            recording = row.pop("recording")
            if recording is not None:
                recordings[row["key"]] = recording
        if not all(isinstance(recording, bytes) for recording in recordings.values()):
            raise ValueError("no bytes")
        tables = {"episodes": episodes} | {table: _read(database, table) for table in ROW_ORDER}
        return ResultsDump.model_validate({**tables, "spending": spending_by_model(database)}), recordings


def _read(database: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    found = database.execute(f"SELECT {', '.join(STORED_COLUMNS[table])} FROM {table} ORDER BY {ROW_ORDER[table]}")
    return [dict(zip(STORED_COLUMNS[table], values, strict=True)) for values in found]


def restore(dumped: ResultsDump, recordings: Mapping[str, bytes], folder: Path) -> None:
    """Writes the results file of a folder, which must not have one.

    Raises:
        BBAError: the content contradicts itself, or the file cannot be written.
    """
    path = folder / RESULTS_FILE
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            prepare(database, str(path))
            database.execute("BEGIN")
            for episode in dumped.episodes:
                save_row(database, {**dict(episode), "recording": recordings.get(episode.key)})
            for sweep in dumped.sweeps:
                own = sorted((row for row in dumped.entries if row.sweep == sweep.id), key=attrgetter("position"))
                insert(database, "sweeps", sealed_sweep(dict(sweep), (tuple(dict(row).values())[2:] for row in own)))
            for entry in dumped.entries:
                insert(database, "entries", dict(entry))
            store_spending(database, dumped.spending)
            database.execute("COMMIT")
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be written: {error}") from None
    except (ValueError, TypeError, AttributeError):
        raise BBAError(f"{path}: holds what this program does not write") from None


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
        with opened(source):  # all of them before there is a new folder
            pass
    damage: list[str] = []
    with ResultsStore(folder) as store:
        for source in sources:
            with opened(source) as database:
                damage += _add(database, store, source)
        return len(store.finished()), damage


def _add(database: sqlite3.Connection, store: ResultsStore, source: Path) -> list[str]:
    """Adds what a file holds to the store; returns a line about what is damaged."""
    found = stored_tables(database)
    store.take_over(lambda: (row for row in whole_rows(database) if row["key"] in found.episodes))
    for run in found.sweeps:
        store.register(run.name, run.definition, run.entries, run.started)
    return [f"{source}: {found.damage}"] if found.damage else []
