"""Carries the content of a folder of results into another file."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, create_model

from bba.bench.results_file import ResultsFile, open_to_write, stored_tables
from bba.bench.results_reader import open_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.bench.schema import STORED_COLUMNS, insert
from bba.bench.stored_rows import sealed_sweep
from bba.errors import BBAError
from bba.planner.ledger import DAMAGED, ModelSpending, spending_by_model, store_spending, stored_spending

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
