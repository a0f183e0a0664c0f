"""Puts the results of several folders together in one: runs that cannot share a folder have one each."""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bba.bench.results_file import opened
from bba.bench.results_store import ResultsStore
from bba.bench.stored_rows import episode_rows, sweep_rows
from bba.errors import BBAError


class Merged(NamedTuple):
    """How many finished episodes the folder holds now, and how many damaged ones were left out."""

    episodes: int
    damaged: int


def merge(sources: Sequence[Path], folder: Path) -> Merged:
    """Adds the sweeps and episodes of several folders to those of another one, which is made if it does not exist.

    A finished episode is kept where two folders have it. What requests have cost stays in the folders.

    Raises:
        BBAError: a folder cannot be used, or holds no results.
    """
    if any(source.resolve() == folder.resolve() for source in sources):
        raise BBAError(f"{folder}: is one of the folders to be put together; take another one with --out")
    damaged = 0
    with ResultsStore(folder) as store:
        for source in sources:
            with opened(source) as database:
                damaged += _add(database, store)
        return Merged(len(store.finished()), damaged)


def _add(database: sqlite3.Connection, store: ResultsStore) -> int:
    """Adds what a file holds to the store; returns how many episodes were damaged."""
    rows = list(episode_rows(database))
    store.take_over(_with_recordings(database, [row.number for row in rows if row.result is not None]))
    for row in sweep_rows(database):
        if row.intact:
            store.register(row.name, row.definition, row.entries)
    return sum(row.result is None for row in rows)


def _with_recordings(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yields the columns of these rows by name, one row after the other."""
    for number in numbers:
        found = database.execute("SELECT * FROM episodes WHERE rowid = ?", (number,))
        names = [column[0] for column in found.description]
        yield dict(zip(names, found.fetchone(), strict=True))
