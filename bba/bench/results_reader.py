"""Reads a folder of results, also one that cannot be changed: its sweeps as they were run, and their episodes.

The results of a sweep are also one flat table, one row an entry of its tables: CSV, or Parquet for data frames.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bba.analysis.measures import EPISODE_MEASURES, measure_columns
from bba.analysis.plugin_measures import find_measure
from bba.bench.episode import EpisodeResult
from bba.bench.plan import TableEntry
from bba.bench.presets import Sweep
from bba.bench.provenance import other_code_note
from bba.bench.results_store import LOCKS_FAIL, RESULTS_FILE
from bba.bench.schema import check, connect
from bba.bench.statistics import grouped
from bba.bench.stored_rows import StoredEpisode, StoredSweepRow, stored_tables
from bba.bench.sweep_agents import STORED
from bba.bench.tables import Heading, heading
from bba.errors import BBAError, shortened
from bba.files import check_writable, write_whole
from bba.planner.llm.ledger import NOTHING_SPENT, Spent, stored_spending
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
    return {
        **entry._asdict(),
        "failure": failure,
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
            raise BBAError(f"{folder}: no results here: there is no {RESULTS_FILE} in it")
        with closing(_connected(path)) as database:
            yield database
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be read: {shortened(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise BBAError(f"{path}: damaged: holds what this program does not write") from None
    except OSError as error:
        raise BBAError(f"{folder}: cannot be read: {error.strerror or error}") from None


def _connected(path: Path) -> sqlite3.Connection:
    """Opens a results file; as one that nobody changes, if it cannot be changed here and cannot be read otherwise."""
    address, changeable = path.resolve().as_uri(), os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
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
        sweep, last = Sweep.model_validate_json(definition, context=STORED), found[-1]
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


def export(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult], path: Path) -> None:
    """Writes the results of a sweep to a file.

    Raises:
        BBAError: it cannot be written.
    """
    write_whole(path, TABLE_FORMATS[path.suffix.lower()](result_rows(entries, results), columns_of(results)))
