"""Puts the results of several folders together in one: runs that cannot share a folder have one each."""

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from bba.bench.results_file import opened
from bba.bench.results_store import ResultsStore
from bba.bench.stored_rows import damage_text, episode_rows, sweep_rows
from bba.errors import BBAError


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
    rows, runs = list(episode_rows(database)), list(sweep_rows(database))
    whole = [row.number for row in rows if row.result is not None]
    store.take_over(lambda: _with_recordings(database, whole))
    for run in runs:
        if run.intact:
            store.register(run.name, run.definition, run.entries)
    damaged = damage_text(sum(row.result is None for row in rows), sum(not run.intact for run in runs))
    return [f"{source}: {damaged}"] if damaged else []


def _with_recordings(database: sqlite3.Connection, numbers: Sequence[int]) -> Iterator[dict[str, object]]:
    """Yields the columns of these rows by name, one row after the other."""
    for number in numbers:
        found = database.execute("SELECT * FROM episodes WHERE rowid = ?", (number,))
        names = [column[0] for column in found.description]
        yield dict(zip(names, found.fetchone(), strict=True))
