"""Results files of older programs: all that this program knows of them.

A file gets the columns that it lacks once, when it is opened to be filled. If it is only read, it stays as it is, and
the connection shows them. In a file of version 2 ``episodes`` is a table, which is read and filled as it is: the
program that made the file can go on with it, too. A checksum may be NULL, in rows that were written before there were
checksums: they count as they are.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import BaseModel, Field, Json, ValidationError

from bba.analysis import SwitchResponse
from bba.bench.episode import EpisodeResult, SpecText, names_by_rule
from bba.bench.schema import STORED_COLUMNS, Key
from bba.bench.stored_episode import StoredEpisode
from bba.bench.stored_rows import write_episode
from bba.database import read_any_text, row_checksum

OLDEST = 2  # the first version that is understood; version 3 keeps once what episodes share
ADDED = {  # columns that older files lack
    "episodes": {"checksum": "TEXT"},
    "sweeps": {"checksum": "TEXT"},
    "claims": {"host": "TEXT", "pid": "INTEGER", "since": "REAL"},
}


def add_columns(database: sqlite3.Connection) -> None:
    """Adds the columns to the tables of a file that lack them; the caller has begun a transaction."""
    for table, added_columns in ADDED.items():
        present_columns = {row[1] for row in database.execute(f"PRAGMA table_info({table})")}
        for name in added_columns.keys() - present_columns:
            database.execute(f"ALTER TABLE {table} ADD COLUMN {name} {added_columns[name]}")


def show_checksums(database: sqlite3.Connection, table: str) -> None:
    """Lets this connection see a column of checksums, all NULL, in a table that has none; the file stays as it is."""
    columns, with_checksum = database.execute(
        "SELECT count(*), total(name = 'checksum') FROM pragma_table_info(?)", (table,)
    ).fetchone()
    if columns and not with_checksum:
        database.execute(f"CREATE TEMP VIEW {table} AS SELECT rowid AS rowid, *, NULL AS checksum FROM main.{table}")


class EpisodesOfVersion2:
    """The table ``episodes`` of a file of version 2."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def rows(self) -> Iterator[tuple[int, StoredEpisode | None]]:
        """Yields the number of every row, and its episode; None if the row is damaged."""
        read_any_text(self._database)
        columns = ", ".join(STORED_COLUMNS["episodes"])
        rows = self._database.execute(f"SELECT rowid, recording IS NOT NULL, {columns}, checksum FROM episodes")
        for number, recorded, *values, checksum in rows:
            episode = None
            if checksum in (None, row_checksum(values)):
                row = dict(zip(STORED_COLUMNS["episodes"], values, strict=True))
                episode = _checked(row, recorded=bool(recorded))
            yield number, episode

    def whole_rows(self) -> Iterator[dict[str, Any]]:
        """Yields the rows by key: their columns by name, and the recording."""
        read_any_text(self._database)
        names = [*STORED_COLUMNS["episodes"], "recording"]
        columns = ", ".join(names)
        for values in self._database.execute(f"SELECT {columns} FROM episodes ORDER BY key"):
            yield dict(zip(names, values, strict=True))

    def save(self, row: Mapping[str, Any]) -> None:
        """Writes a row, its columns by name, with its checksum. A failure replaces no success."""
        columns = {name: row[name] for name in STORED_COLUMNS["episodes"]}
        checksum = row_checksum(columns.values())
        write_episode(self._database, "episodes", columns | {"checksum": checksum}, row["recording"])

    def remove(self, numbers: Iterable[int]) -> None:
        """Removes rows by their numbers."""
        self._database.executemany("DELETE FROM episodes WHERE rowid = ?", [(number,) for number in numbers])


class _Spec(BaseModel):
    """What readers of a specification rely on."""

    planning: dict[str, Any] | None = None


class _EpisodeValues(BaseModel, strict=True):
    """What the columns of an episode hold."""

    key: Key
    spec: Json[_Spec]
    seed: int
    failure: str | None
    measures: Json[Annotated[dict[str, int | float | None], Field(min_length=1)]] | None
    switch_responses: Json[tuple[SwitchResponse, ...]]
    seconds: float
    versions: Json[dict[str, str]]


def _checked(row: Mapping[str, Any], *, recorded: bool) -> StoredEpisode | None:
    """Returns the episode of a row; None if the row holds what this program does not write."""
    try:
        values = _EpisodeValues.model_validate(row)
    except ValidationError:
        return None
    if (values.measures is None) == (values.failure is None):
        return None
    reason, _, details = (values.failure or "").partition("\n")
    measures = values.measures
    if measures is not None:
        measures = dict(zip(names_by_rule(measures, row["code"]), measures.values(), strict=True))
    result = EpisodeResult(
        failure=reason or None,
        measures=measures,
        switch_responses=values.switch_responses,
        seconds=values.seconds,
        recorded=recorded,
        details=details,
    )
    return StoredEpisode(
        key=values.key,
        spec_text=SpecText.of(row["spec"], values.seed),
        seed=values.seed,
        code=row["code"],
        versions=values.versions,
        finished=row["finished"],
        result=result,
    )
