"""What one results file holds, written into another one: whole folders together, or as plain data for bundles.

Plain data are read without trusting a database of others.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict, create_model

from bba.bench.results_reader import opened
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.schema import STORED_COLUMNS, insert, prepare
from bba.bench.stored_rows import save_row, sealed_sweep, stored_tables, whole_rows
from bba.errors import BBAError
from bba.planner.llm.ledger import DAMAGED, ModelSpending, spending_by_model, store_spending, stored_spending

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
        episodes, recordings = [*whole_rows(database)], dict[str, bytes]()
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


class Merged(NamedTuple):
    """What came of putting folders together.

    Attributes:
        episodes: how many finished ones the folder holds now.
        damage: what was damaged and left out, a line for each folder with damage.
    """

    episodes: int
    damage: tuple[str, ...]


def merge(sources: Sequence[Path], folder: Path) -> Merged:
    """Adds the sweeps and episodes of several folders to those of another one, which is made if it does not exist.

    A finished episode is kept where two folders have it. What requests have cost stays in the folders.

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
        return Merged(len(store.finished()), tuple(damage))


def _add(database: sqlite3.Connection, store: ResultsStore, source: Path) -> list[str]:
    """Adds what a file holds to the store; returns a line about what is damaged."""
    found = stored_tables(database)
    store.take_over(lambda: (row for row in whole_rows(database) if row["key"] in found.episodes))
    for run in found.sweeps:
        store.register(run.name, run.definition, run.entries, run.started)
    return [f"{source}: {found.damage}"] if found.damage else []
