"""The content of a results file as plain data: for bundles, which are read without trusting a database of others."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bba.bench.results_store import RESULTS_FILE, opened
from bba.bench.schema import checksum, damage_text, episode_rows, prepare, sweep_checksum, sweep_rows
from bba.errors import BBAError
from bba.files import first_problem
from bba.planner.llm.ledger import DAMAGED, ModelSpending, spending_by_model, store_spending, stored_spending

Key = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
_RECORDING = "recording"


class _Row(BaseModel):
    """A row of a table: its columns by name."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class DumpedEpisode(_Row):
    """A row of the table ``episodes`` without its recording."""

    key: Key
    spec: str
    layout: str
    ego: str
    partner: str
    planner: str | None
    seed: int
    horizon: int
    code: str
    failure: str | None
    measures: str | None
    switch_responses: str
    seconds: float
    versions: str
    finished: str


class DumpedSweep(_Row):
    """A row of the table ``sweeps``."""

    id: str
    name: str
    definition: str
    started: str


class DumpedEntry(_Row):
    """A row of the table ``entries``."""

    sweep: str
    position: int
    agent: str
    planner: str | None
    layout: str
    grp: str
    partner: str
    variant: str
    seed: int
    key: Key


class ResultsDump(_Row):
    """The content of a results file without its recordings."""

    episodes: tuple[DumpedEpisode, ...]
    sweeps: tuple[DumpedSweep, ...]
    entries: tuple[DumpedEntry, ...]
    spending: tuple[ModelSpending, ...] = ()

    @classmethod
    def parse(cls, text: bytes, source: str) -> "ResultsDump":
        """Returns the content that JSON holds; `source` names it in messages.

        Raises:
            BBAError: it is not such content.
        """
        try:
            return cls.model_validate_json(text)
        except ValidationError as error:
            raise BBAError(f"{source}: damaged: {first_problem(error)}") from None


def dump(folder: Path) -> tuple[ResultsDump, dict[str, bytes]]:
    """Returns the content of a folder's results, rows in an order of their own, and the recordings by episode.

    Raises:
        BBAError: there are no results, or they cannot be read or are damaged: damage would no longer be known as such.
    """
    with opened(folder) as database:
        lost = sum(row.result is None for row in episode_rows(database))
        if damage := damage_text(lost, sum(not row.intact for row in sweep_rows(database))):
            raise BBAError(f"{folder / RESULTS_FILE}: {damage}")
        if stored_spending(database) is None:
            raise BBAError(f"{folder / RESULTS_FILE}: {DAMAGED}")
        recordings = dict(
            database.execute("SELECT key, recording FROM episodes WHERE recording IS NOT NULL").fetchall()
        )
        if not all(isinstance(recording, bytes) for recording in recordings.values()):
            raise ValueError("no bytes")
        found = {
            "episodes": _rows(database, DumpedEpisode, "episodes", "key"),
            "sweeps": _rows(database, DumpedSweep, "sweeps", "started, rowid"),
            "entries": _rows(database, DumpedEntry, "entries", "sweep, position"),
            "spending": spending_by_model(database),
        }
        return ResultsDump.model_validate(found), recordings


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
                kept = {_RECORDING: recordings.get(episode.key)}
                _insert(database, "episodes", dict(episode) | kept | {"checksum": checksum(dict(episode).values())})
            for sweep in dumped.sweeps:
                _insert(database, "sweeps", dict(sweep) | {"checksum": _checksum(sweep, dumped.entries)})
            for entry in dumped.entries:
                _insert(database, "entries", dict(entry))
            store_spending(database, dumped.spending)
            database.execute("COMMIT")
    except sqlite3.Error as error:
        raise BBAError(f"{path}: cannot be written: {error}") from None


def _checksum(sweep: DumpedSweep, entries: Iterable[DumpedEntry]) -> str:
    """Returns the checksum of a sweep with its entries."""
    own = sorted((entry for entry in entries if entry.sweep == sweep.id), key=lambda entry: entry.position)
    fields = ([value for name, value in entry if name not in ("sweep", "position")] for entry in own)
    return sweep_checksum(sweep.id, sweep.name, sweep.definition, sweep.started, fields)


def _rows(database: sqlite3.Connection, row: type[_Row], table: str, order: str) -> list[dict[str, object]]:
    found = database.execute(f"SELECT {', '.join(row.model_fields)} FROM {table} ORDER BY {order}")
    return [dict(zip(row.model_fields, values, strict=True)) for values in found]


def _insert(database: sqlite3.Connection, table: str, values: Mapping[str, object]) -> None:
    places = ", ".join("?" * len(values))
    database.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})", tuple(values.values()))
